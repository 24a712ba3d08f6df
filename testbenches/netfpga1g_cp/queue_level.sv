// SPDX-License-Identifier: MIT OR Apache-2.0
// The level is that of the queue, also when it is full and its counter reads 0.

module queue_level_properties (
    input clock,
    input reset,
    input [11:0] next_words
);
    // An output queue of 2048 words, empty at the reset; its counter has 11 bits.
    reg [11:0] words = 0;
    always @(posedge clock) words <= reset ? 12'd0 : next_words;
    wire [11:0] risen = next_words - words, fallen = words - next_words;

    wire [11:0] level;
    queue_level device (.clock(clock), .reset(reset), .queue_words(words[10:0]), .level(level));

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(next_words <= 2048);
        assume(next_words >= words ? risen <= 1023 : fallen <= 1023);
    end

    reg [11:0] before = 0;
    always @(posedge clock) before <= reset ? 12'd0 : words;
    always @(*) if (started) begin
        full_is_not_empty: assert(level == before);
    end
endmodule
