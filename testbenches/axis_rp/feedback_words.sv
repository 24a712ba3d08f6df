// SPDX-License-Identifier: MIT OR Apache-2.0
// Each feedback frame is given to the parser once, in order, with its first eight words, its length and its faults; or it is left
// out, if four others are stored. For beats of 128 bits. The proof follows one arbitrary word of one arbitrary frame.

module axis_feedback_words_128_properties (
    input clock,
    input reset,
    input beat_moves,
    input beat_last,
    input [3:0] beat_words,
    input [3:0] beat_octets,
    input beat_faulty,
    input is_feedback,
    input [127:0] beat_data
);
    reg within = 0;
    wire beat_first = !within;
    wire [3:0] octets;
    wire last, bad_frame, valid, boundary, overrun_frame;
    wire [31:0] data_high, data_low;
    axis_feedback_words_128 device (
        .clock(clock), .reset(reset), .beat_moves(beat_moves), .beat_first(beat_first), .beat_last(beat_last),
        .beat_words(beat_words), .beat_octets(beat_octets), .beat_faulty(beat_faulty), .is_feedback(is_feedback),
        .beat_data(beat_data), .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid), .boundary(boundary),
        .overrun_frame(overrun_frame), .data_high(data_high), .data_low(data_low)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(beat_words == 2 || (beat_words == 1 && beat_last));
        assume(beat_octets >= 1 && beat_octets <= 8);
    end

    // Frames that were stored as a whole, and that the parser saw as a whole, modulo 8; the word that it sees.
    reg [2:0] entered = 0, left = 0;
    reg [4:0] seen = 0;
    // The frame that comes in: it is stored; its words so far, at most 16; it is bad.
    reg stored = 0, bad = 0, left_out = 0, waited = 0, half_seen = 0;
    reg [4:0] words = 0;
    wire [2:0] used = entered - left - (valid && last);
    wire begins = beat_moves && beat_first && is_feedback;
    wire takes = beat_first ? is_feedback && used != 4 : stored;
    wire ends = beat_moves && takes && beat_last;
    wire [4:0] all_words = words + beat_words;
    always @(posedge clock) begin
        if (beat_moves) begin
            within <= !beat_last;
            stored <= takes;
            words <= beat_last ? 0 : words == 16 ? 16 : words + beat_words;
            bad <= !beat_last && (bad || beat_faulty);
        end
        if (ends) entered <= entered + 1;
        if (valid) seen <= last ? 0 : seen + 1;
        if (valid) half_seen <= !last;
        if (valid && last) left <= left + 1;
        left_out <= begins && used == 4;
        waited <= used != 0;
        if (reset) {within, stored, words, bad, entered, left, seen, left_out, waited, half_seen} <= 0;
    end

    // The frame and the word that are followed.
    (* anyseq *) wire choose;
    (* anyconst *) wire [2:0] which;
    reg following = 0, complete = 0, has_word = 0, its_bad = 0;
    reg [2:0] number = 0;
    reg [4:0] its_words = 0;
    reg [3:0] its_octets = 0;
    reg [63:0] word = 0;
    wire chosen = following ? !complete : choose && begins && used != 4;
    wire [63:0] lane = which[0] ? beat_data[127:64] : beat_data[63:0];
    wire [63:0] in_order = {lane[7:0], lane[15:8], lane[23:16], lane[31:24], lane[39:32], lane[47:40], lane[55:48],
        lane[63:56]};
    wire at_head = following && complete && number == left && valid;
    always @(posedge clock) begin
        if (chosen && beat_moves) begin
            following <= 1;
            complete <= beat_last;
            number <= entered;
            if (words[4:1] == {2'd0, which[2:1]}) begin
                has_word <= 1;
                word <= in_order;
            end else if (!following) has_word <= 0;
            its_words <= all_words;
            its_octets <= beat_octets;
            its_bad <= bad || beat_faulty;
        end
        if (at_head && last) following <= 0;
        if (reset) following <= 0;
    end

    (* anyseq *) wire [2:0] inner_frame_cutter__write_place, inner_frame_cutter__read_place;
    (* anyseq *) wire inner_frame_cutter__taking, inner_frame_cutter__spoiled;
    (* anyseq *) wire [4:0] inner_frame_cutter__words_before, inner_frame_cutter__cut;
    (* anyseq *) wire [9:0] inner_frame_cutter__known;
    (* anyseq *) wire [127:0] inner_cut_memory__beats;
    wire [1:0] inner_frame_cutter__known_at = number[1:0];
    wire [3:0] inner_cut_memory__beats_at = {number[1:0], which[2:1]};
    wire [127:0] stored_beat = inner_cut_memory__beats;
    wire [63:0] stored_lane = which[0] ? stored_beat[127:64] : stored_beat[63:0];
    wire [63:0] stored_word = {stored_lane[7:0], stored_lane[15:8], stored_lane[23:16], stored_lane[31:24],
        stored_lane[39:32], stored_lane[47:40], stored_lane[55:48], stored_lane[63:56]};
    wire [2:0] ahead = number - inner_frame_cutter__read_place;
    wire being_read = following && complete && ahead == 0 && !(valid && last && number == left);
    // The parser sees a word of the followed frame, or one of it is read in this cycle.
    wire unread = following && !(complete && at_head && last);

    always @(*) if (started) begin
        each_word_is_that_of_the_frame: assert(!at_head || seen != which || !has_word || {data_high, data_low} == word);
        the_last_word_is_told: assert(!at_head || last == (seen + 5'd1 == its_words));
        its_octets_are_told: assert(!at_head || !last || octets == its_octets);
        its_fault_is_told: assert(!at_head || !last || bad_frame == its_bad);
        left_out_only_if_four_wait: assert(overrun_frame == left_out);
        a_word_in_every_cycle: assert(valid == waited);
        boundary_is_between_frames: assert(boundary == !half_seen);
        helper_places: assert(inner_frame_cutter__write_place == entered
            && inner_frame_cutter__read_place == left + (valid && last));
        helper_used: assert(used <= 4);
        helper_frame: assert(inner_frame_cutter__words_before == words && inner_frame_cutter__spoiled == bad
            && (!within || inner_frame_cutter__taking == stored));
        helper_words: assert(words <= 16 && !words[0] && (within || words == 0) && (within || !bad));
        helper_stored: assert(!within || !stored || used != 4);
        helper_cut: assert(inner_frame_cutter__cut == (valid ? (last ? 5'd0 : seen + 5'd1) : seen));
        helper_seen: assert(valid || seen == 0);
        helper_coming: assert(!following || complete || (within && stored && number == entered
            && (its_words == words || (words == 16 && its_words == 18)) && its_bad == bad));
        helper_has: assert(!following || complete || has_word == (words > {which[2:1], 1'b0}));
        helper_waits: assert(!following || !complete || at_head || ahead < used);
        helper_known: assert(!following || !complete || !unread
            || inner_frame_cutter__known == {its_bad, its_words, its_octets});
        helper_word: assert(!following || !has_word || !unread || stored_word == word);
        helper_cut_of_it: assert(!being_read || inner_frame_cutter__cut < its_words);
        helper_length: assert(!following || !complete || (its_words >= 1 && its_words <= 18));
        helper_has_all: assert(!following || !complete || has_word == (its_words > {2'd0, which[2:1], 1'b0}));
    end
endmodule
