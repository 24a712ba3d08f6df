// Quantises one number of 64-octet units: saturated at `limit` and -`limit` - 1, then cut to the bits of `mask`.
// Combinational.
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme asm --out DIR

module quantiser (
    input  wire [15:0] units,     // 64 octets, two's complement
    input  wire [15:0] limit,     // The largest value: ones below its top bit, 64 octets
    input  wire [15:0] mask,      // The bits that are kept
    output reg  [15:0] quantised  // 64 octets, two's complement, rounded down
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
    always @* begin
        quantised = units & mask;
        if (magnitude > limit) begin
            quantised = saturated & mask;
        end
    end
endmodule
