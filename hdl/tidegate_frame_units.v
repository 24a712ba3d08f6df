// SPDX-License-Identifier: MIT OR Apache-2.0
// Converts bytes to units of 64 octets, rounded towards minus infinity, saturated to 16 bits.
// Combinational.
//
// Rounding down keeps the sign of a small negative offset. SMCC needs it: the signs select its
// state. What is out of range is told, and comes back as an input: a block that has the time puts
// registers between.
//
// Part of: qcn, bcn, smcc, asm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm --out DIR

`default_nettype none

module tidegate_frame_units (
    input  wire [24:0] bytes,    // Number of bytes, two's complement
    output wire        below,    // There are too few units for 16 bits
    output wire        above,    // There are too many units for 16 bits
    input  wire        is_below, // `below`, of this number
    input  wire        is_above, // `above`, of this number
    output wire [15:0] units     // The same in units of 64 octets, two's complement, rounded down, saturated
);
    wire [3:0] top = bytes[24:21];
    assign below = bytes[24] && (top != 4'd15);
    assign above = !bytes[24] && |top;
    assign units =
        is_below ? 16'h8000 :
        is_above ? 16'h7fff :
        bytes[21:6];

    wire unused = &{1'b0, bytes[5:0]};
endmodule

`default_nettype wire
