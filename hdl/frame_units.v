// Bytes to 64-octet units: rounded towards minus infinity, saturated to 16 bits (SCHEMES, Frames). Combinational.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn|bcn|smcc|asm --out DIR

module frame_units (
    input  wire [24:0] bytes, // Bytes, two's complement
    output reg  [15:0] units  // 64 octets, two's complement, rounded down, saturated
);
    wire [3:0] top = bytes[24:21];
    always @* begin
        units = bytes[21:6];
        if (bytes[24] && (top != 4'd15)) begin
            units = 16'h8000;
        end else if (!bytes[24] && |top) begin
            units = 16'h7fff;
        end
    end
    wire unused = &{1'b0, bytes[5:0]};
endmodule
