// SPDX-License-Identifier: MIT OR Apache-2.0
// The queue passes on each word once, in order and unchanged. The proof follows one arbitrary word.

module word_queue_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [7:0] in_ctrl,
    input in_wr,
    input pop
);
    wire in_rdy, word_valid, word_is_data, word_is_length, word_fills, lost_word;
    wire [63:0] word_data;
    wire [7:0] word_ctrl;
    word_queue device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_ctrl(in_ctrl), .in_wr(in_wr),
        .in_rdy(in_rdy), .pop(pop), .word_valid(word_valid), .word_high(word_data[63:32]), .word_low(word_data[31:0]),
        .word_ctrl(word_ctrl), .word_is_data(word_is_data), .word_is_length(word_is_length),
        .word_fills(word_fills), .lost_word(lost_word)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Words that were taken and that have left; numbers count modulo 32.
    (* anyseq *) wire [4:0] inner_count;
    (* anyseq *) wire [3:0] inner_write_place, inner_read_place;
    (* anyseq *) wire inner_filled, inner_roomy;
    reg [4:0] taken = 0, left = 0;
    wire [4:0] held = taken - left;
    wire take = in_wr && held != 16, leave = pop && word_valid;
    reg lost = 0, polite = 1;
    reg [1:0] rdy = 0;
    always @(posedge clock) begin
        if (take) taken <= taken + 1;
        if (leave) left <= left + 1;
        lost <= in_wr && held == 16;
        // Up to now the sender has written only if in_rdy was high one or two cycles before.
        rdy <= {rdy[0], in_rdy};
        if (in_wr && rdy == 0) polite <= 0;
        if (reset) begin
            taken <= 0;
            left <= 0;
            lost <= 0;
            rdy <= 0;
            polite <= 1;
        end
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [4:0] number = 0;
    reg [71:0] word = 0;
    always @(posedge clock) begin
        if (choose && take && !following) begin
            following <= 1;
            number <= taken;
            word <= {in_ctrl, in_data};
        end
        if (following && leave && left == number) following <= 0;
        if (reset) following <= 0;
    end
    wire at_head = following && left == number;
    wire [4:0] ahead = number - left;
    (* anyseq *) wire [31:0] inner_highs, inner_lows;
    (* anyseq *) wire [7:0] inner_ctrls;
    (* anyseq *) wire inner_kinds;
    (* anyseq *) wire [1:0] inner_lengths;
    // Place of the last octet in its word, of a packet whose length this word says.
    wire [2:0] last_octet = word[2:0] - 3'd1;
    wire [3:0] inner_highs_at = number[3:0], inner_lows_at = number[3:0], inner_ctrls_at = number[3:0],
        inner_kinds_at = number[3:0], inner_lengths_at = number[3:0];

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!at_head || (word_valid && {word_ctrl, word_data} == word
            && word_is_data == (word[71:64] == 0)));
        a_length_says_whether_four_more_octets_fit: assert(!at_head || (word_is_length == (word[71:64] == 8'hff)
            && word_fills == (last_octet >= 4)));
        none_lost_none_twice: assert(word_valid == (held != 0));
        one_place_is_left: assert(!polite || held <= 15);
        nothing_lost_of_a_sender_that_waits: assert(!polite || !lost_word);
        lost_tells: assert(lost_word == lost);
        helper_count: assert(inner_count == held && held <= 16);
        helper_places: assert(inner_write_place == taken[3:0] && inner_read_place == left[3:0]);
        helper_filled: assert(inner_filled == (held != 0));
        helper_roomy: assert(!inner_roomy || held < 13);
        helper_ahead: assert(!following || ahead < held);
        helper_word: assert(!following || {inner_ctrls, inner_highs, inner_lows, inner_kinds, inner_lengths}
            == {word, word[71:64] == 0, word[71:64] == 8'hff, last_octet >= 4});
        helper_polite: assert(!polite || ((!rdy[0] || held <= 13) && (!rdy[1] || held <= 14)));
        helper_lost: assert(!polite || !lost);
    end
endmodule
