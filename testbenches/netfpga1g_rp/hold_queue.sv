// SPDX-License-Identifier: MIT OR Apache-2.0
// The queue passes on each released word once, in order and unchanged, and nothing else. The proof follows one arbitrary
// word.

module hold_queue_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [9:0] in_mark,
    input in_wr,
    input releases,
    input discards,
    input pop
);
    wire in_rdy, takes, word_valid, lost_word;
    wire [63:0] word_data;
    wire [9:0] word_mark;
    hold_queue device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_mark(in_mark), .in_wr(in_wr),
        .in_rdy(in_rdy), .takes(takes), .releases(releases), .discards(discards), .pop(pop), .word_valid(word_valid),
        .word_high(word_data[63:32]), .word_low(word_data[31:0]), .word_mark(word_mark), .lost_word(lost_word)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(!(releases && discards));
        assume(!pop || word_valid);
    end

    // Words that were written, released, and that have left; numbers count modulo 32.
    (* anyseq *) wire [4:0] inner_write_place, inner_held_place, inner_read_place;
    (* anyseq *) wire inner_crowded, inner_full;
    reg [4:0] written = 0, released = 0, left = 0;
    wire [4:0] used = written - left, decided = released - left;
    wire store = in_wr && !discards && used != 16;
    reg lost = 0, polite = 1, held = 0;
    reg [1:0] rdy = 0;
    reg [73:0] word_before = 0;
    always @(posedge clock) begin
        if (discards) written <= released;
        else if (store) written <= written + 1;
        if (releases) released <= written;
        if (pop) left <= left + 1;
        lost <= in_wr && !discards && used == 16;
        held <= word_valid && !pop;
        word_before <= {word_mark, word_data};
        // Up to now the sender has written only if in_rdy was high one or two cycles before.
        rdy <= {rdy[0], in_rdy};
        if (in_wr && rdy == 0) polite <= 0;
        if (reset) begin
            written <= 0;
            released <= 0;
            left <= 0;
            lost <= 0;
            held <= 0;
            rdy <= 0;
            polite <= 1;
        end
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [4:0] number = 0;
    reg [73:0] word = 0;
    wire [4:0] ahead = number - left;
    always @(posedge clock) begin
        if (choose && store && !following) begin
            following <= 1;
            number <= written;
            word <= {in_mark, in_data};
        end
        if (following && (pop && left == number || discards && ahead >= decided)) following <= 0;
        if (reset) following <= 0;
    end
    wire at_head = following && left == number && word_valid;
    (* anyseq *) wire [31:0] inner_highs, inner_lows;
    (* anyseq *) wire [9:0] inner_marks;
    wire [3:0] inner_highs_at = number[3:0], inner_lows_at = number[3:0], inner_marks_at = number[3:0];

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!at_head || {word_mark, word_data} == word);
        what_is_released_and_nothing_else: assert(word_valid == (decided != 0));
        held_until_taken: assert(!held || (word_valid && {word_mark, word_data} == word_before));
        one_place_is_left: assert(!polite || used <= 15);
        nothing_lost_of_a_sender_that_waits: assert(!polite || !lost_word);
        lost_tells: assert(lost_word == lost);
        takes_tells: assert(takes == (discards || used != 16));
        helper_places: assert(inner_write_place == written && inner_held_place == released && inner_read_place == left);
        helper_used: assert(used <= 16 && decided <= used);
        helper_full: assert(inner_full == (used == 16));
        helper_crowded: assert(inner_crowded || used < 13);
        helper_ahead: assert(!following || ahead < used);
        helper_word: assert(!following || {inner_marks, inner_highs, inner_lows} == word);
        helper_polite: assert(!polite || ((!rdy[0] || used <= 13) && (!rdy[1] || used <= 14)));
        helper_lost: assert(!polite || !lost);
    end
endmodule
