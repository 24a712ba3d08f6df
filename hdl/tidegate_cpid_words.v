// SPDX-License-Identifier: MIT OR Apache-2.0
// The two words that stand for a congestion point identifier (CPID): its halves, or with
// `cpid_digest` zero and 16 bits that are made of all 64. The identifier comes in one piece, or its
// high half first.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_cpid_words (
    input  wire        clock,       // Clock, rising edge
    input  wire [31:0] high,        // Identifier, bits 63 to 32
    input  wire [31:0] low,         // Identifier, bits 31 to 0
    input  wire        high_valid,  // `high` is valid
    input  wire        cpid_digest, // Compare digests of 16 bits, not whole identifiers
    output reg  [31:0] high_word,   // The word for the high half; valid with `high`
    output reg  [31:0] low_word     // The word for the low half; valid with `low`
);
    reg [15:0] half; // Digest of the high half of the identifier

    initial begin
        half = 16'd0;
    end

    wire [15:0] port = low[15:0];
    wire [15:0] high_digest = high[31:16] ^ high[15:0];
    wire [15:0] low_digest =
        low[31:16] ^ (port << 12) ^ ((port & 16'hf0) << 4) ^ ((port >> 4) & 16'hf0) ^ (port >> 12);
    wire [15:0] digest = high_valid ? (high_digest ^ low_digest) : (half ^ low_digest);

    always @* begin
        high_word = high;
        low_word = low;
        if (cpid_digest) begin
            high_word = 32'd0;
            low_word = {16'd0, digest};
        end
    end

    always @(posedge clock) begin
        if (high_valid) begin
            half <= high_digest;
        end
    end
endmodule

`default_nettype wire
