// SPDX-License-Identifier: MIT OR Apache-2.0
// Quantises one number in units of 64 octets: saturates it to the range from -`limit` - 1 to
// `limit`, then clears the bits that are 0 in `mask`. Combinational.
//
// Part of: asm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme asm --out DIR

`default_nettype none

module tidegate_quantiser (
    input  wire [15:0] units,     // Number to quantise, units of 64 octets, two's complement
    input  wire [15:0] limit,     // Largest value, units of 64 octets; 2^n - 1
    input  wire [15:0] mask,      // Bits of the value that are kept
    output wire [15:0] quantised  // Quantised number, units of 64 octets, two's complement, rounded down
);
    reg [15:0] magnitude;
    reg [15:0] saturated;
    always @* begin
        magnitude = units;
        saturated = limit;
        if (units[15]) begin
            magnitude = units ^ 16'hffff;
            saturated = limit ^ 16'hffff;
        end
    end

    assign quantised = (magnitude > limit) ? (saturated & mask) : (units & mask);
endmodule

`default_nettype wire
