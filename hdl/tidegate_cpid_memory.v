// SPDX-License-Identifier: MIT OR Apache-2.0
// Remembers a congestion point by its identifier (CPID), and says whether the next feedback comes
// from the same one.
//
// Two words of LUT RAM, one for the congestion point that is remembered and one for that of the
// current frame. The identifier of a frame comes in one piece, or its high half first. `same_point`
// holds from the cycle after its last half on. `remember` exchanges the two words: what was the
// current congestion point is now the remembered one. After a reset none is remembered. With
// `cpid_digest`, 16 bits that are made of all 64 stand for the identifier; with `cpid_any`, all
// congestion points are the same.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_cpid_memory (
    input  wire        clock,       // Clock, rising edge
    input  wire        reset,       // Synchronous reset, active high
    input  wire [31:0] high,        // Identifier of the frame, bits 63 to 32
    input  wire [31:0] low,         // Identifier of the frame, bits 31 to 0
    input  wire        high_valid,  // `high` is valid
    input  wire        low_valid,   // `low` is valid
    // Remember the congestion point of the frame; not before `same_point` holds, and once for a frame
    input  wire        remember,
    input  wire        cpid_any,    // All congestion points are the same
    input  wire        cpid_digest, // Compare digests of 16 bits, not whole identifiers
    output wire        same_point   // The frame comes from the congestion point that is remembered
);
    reg place; // The word of the congestion point that is remembered
    reg known; // A congestion point is remembered
    reg same_high; // Bits 63 to 32 of the identifier equal those that are remembered
    reg same_low; // Bits 31 to 0 equal those that are remembered
    (* lut_ram *) reg [31:0] highs [0:1]; // Bits 63 to 32 of both identifiers
    wire [31:0] highs_read_data;
    (* lut_ram *) reg [31:0] lows [0:1]; // Bits 31 to 0 of both identifiers
    wire [31:0] lows_read_data;
    integer word;

    initial begin
        place = 1'd0;
        known = 1'd0;
        same_high = 1'd0;
        same_low = 1'd0;
        for (word = 0; word < 2; word = word + 1) highs[word] = 32'd0;
        for (word = 0; word < 2; word = word + 1) lows[word] = 32'd0;
    end

    wire [31:0] cpid_words_high_word;
    wire [31:0] cpid_words_low_word;

    wire highs_write_address = !place;
    wire lows_write_address = !place;
    assign same_point = (same_high && same_low) || cpid_any;

    tidegate_cpid_words cpid_words (
        .clock(clock),
        .high(high),
        .low(low),
        .high_valid(high_valid),
        .cpid_digest(cpid_digest),
        .high_word(cpid_words_high_word),
        .low_word(cpid_words_low_word)
    );

    always @(posedge clock) begin
        if (high_valid) begin
            same_high <= known && (highs_read_data == cpid_words_high_word);
        end
        if (low_valid) begin
            same_low <= lows_read_data == cpid_words_low_word;
        end
        if (remember) begin
            place <= !place;
            known <= 1'd1;
        end
        if (reset) begin
            place <= 1'd0;
            known <= 1'd0;
            same_high <= 1'd0;
        end
    end

    assign highs_read_data = highs[place];

    always @(posedge clock) if (high_valid) highs[highs_write_address] <= cpid_words_high_word;

    assign lows_read_data = lows[place];

    always @(posedge clock) if (low_valid) lows[lows_write_address] <= cpid_words_low_word;
endmodule

`default_nettype wire
