// SPDX-License-Identifier: MIT OR Apache-2.0
// What is told to have left an output queue has left it, and all that has left is told.

module axis_level_events_64_properties (
    input clock,
    input reset,
    input frame_enqueue,
    input [15:0] frame_octets,
    input [4:0] frame_queues,
    input inserted,
    input [4:0] inserted_queue,
    input next_tvalid,
    input next_tready,
    input next_tlast,
    input taken,
    input [23:0] queue_octets_0,
    input [23:0] queue_octets_1,
    input [23:0] queue_octets_2,
    input [23:0] queue_octets_3,
    input [23:0] queue_octets_4
);
    wire [4:0] removed, pkt_dropped;
    wire [31:0] bytes_removed_0, bytes_removed_1, bytes_removed_2, bytes_removed_3, bytes_removed_4, bytes_dropped;
    axis_level_events_64 device (
        .clock(clock), .reset(reset), .frame_enqueue(frame_enqueue), .frame_octets(frame_octets),
        .frame_queues(frame_queues), .inserted(inserted), .inserted_queue(inserted_queue),
        .next_tvalid(next_tvalid), .next_tready(next_tready), .next_tlast(next_tlast), .taken(taken),
        .queue_octets_0(queue_octets_0), .queue_octets_1(queue_octets_1), .queue_octets_2(queue_octets_2),
        .queue_octets_3(queue_octets_3), .queue_octets_4(queue_octets_4),
        .pkt_removed_0(removed[0]), .bytes_removed_0(bytes_removed_0),
        .pkt_removed_1(removed[1]), .bytes_removed_1(bytes_removed_1),
        .pkt_removed_2(removed[2]), .bytes_removed_2(bytes_removed_2),
        .pkt_removed_3(removed[3]), .bytes_removed_3(bytes_removed_3),
        .pkt_removed_4(removed[4]), .bytes_removed_4(bytes_removed_4),
        .pkt_dropped(pkt_dropped), .bytes_dropped(bytes_dropped)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // One queue, whichever.
    (* anyconst *) wire [2:0] queue;
    always @(*) assume(queue < 5);
    wire [23:0] level = queue == 0 ? queue_octets_0 : queue == 1 ? queue_octets_1 : queue == 2 ? queue_octets_2
        : queue == 3 ? queue_octets_3 : queue_octets_4;
    wire [31:0] octets_told = queue == 0 ? bytes_removed_0 : queue == 1 ? bytes_removed_1 : queue == 2 ? bytes_removed_2
        : queue == 3 ? bytes_removed_3 : bytes_removed_4;
    wire tells = removed[queue];
    wire goes = next_tvalid && next_tready;

    // A frame that is known enters this queue.
    wire enters = frame_enqueue ? frame_queues[queue] : inserted && inserted_queue[queue];
    wire [15:0] octets = frame_enqueue ? frame_octets : 16'd60;
    always @(*) assume(!frame_enqueue || !inserted);

    // The octets of the frame in progress that have not gone out, if it enters this queue.
    reg [15:0] coming = 0;
    reg for_this = 0;
    wire is_known = frame_enqueue || inserted;
    wire [15:0] not_gone = is_known ? octets : coming;
    // A beat is at the output, as the stage there has it, which tells a cycle later that it was taken. In which of the cycles before
    // the last one a beat was taken, and how many are on their way.
    reg shown = 0;
    always @(*) begin
        assume(!taken || shown);
        assume(next_tready == (taken || !shown));
    end
    reg [14:0] recent = 0;
    reg [4:0] gone = 0;
    function [4:0] ones(input [14:0] bits);
        integer place;
        begin
            ones = 0;
            for (place = 0; place < 15; place = place + 1) ones = ones + bits[place];
        end
    endfunction
    wire [24:0] may_be_inside = level + (for_this ? coming : 16'd0) + {gone, 3'd0};

    // Octets that have come and were not told to leave, never 16 MB, and those of them that have left. The level has all that
    // has not left and is not on its way; what it has besides does not matter.
    reg [23:0] present = 0, left = 0;
    (* anyseq *) wire [23:0] leaving;
    wire [24:0] next_present = present + (enters ? octets : 25'd0);
    wire [24:0] next_left = left + leaving;
    always @(*) begin
        assume(!next_left[24]);
        assume(may_be_inside + left >= {2'd0, present});
        assume(!next_present[24]);
    end

    // A look: what there was in the cycle in which it began.
    (* anyseq *) wire [2:0] inner_step;
    (* anyseq *) wire [4:0] inner_turn, inner_entering, inner_seen_gone, inner_gone;
    (* anyseq *) wire [15:0] inner_coming, inner_seen_coming, inner_told;
    (* anyseq *) wire [14:0] inner_recent;
    (* anyseq *) wire [16:0] inner_on_their_way;
    (* anyseq *) wire [23:0] inner_seen_count, inner_seen_level;
    (* anyseq *) wire [24:0] inner_may_be_there;
    (* anyseq *) wire [25:0] inner_excess;
    wire [23:0] inner_count = queue == 0 ? inner_counted_0 : queue == 1 ? inner_counted_1 : queue == 2 ? inner_counted_2
        : queue == 3 ? inner_counted_3 : inner_counted_4;
    (* anyseq *) wire [23:0] inner_counted_0, inner_counted_1, inner_counted_2, inner_counted_3, inner_counted_4;
    wire this_turn = inner_turn[queue];
    reg [23:0] seen_present = 0, seen_left = 0, seen_level = 0, excess = 0;
    reg [24:0] seen_all = 0;
    reg [15:0] seen_coming = 0;
    reg [4:0] seen_gone = 0;
    wire [15:0] expected = excess > 65535 ? 16'hffff : excess[15:0];
    // Cycles since the queue was told of.
    reg [4:0] since = 0;
    reg was_told = 0;

    always @(posedge clock) begin
        if (is_known) for_this <= enters;
        coming <= !goes ? not_gone : next_tlast || not_gone < 8 ? 0 : not_gone - 8;
        shown <= goes || shown && !taken;
        recent <= {recent[13:0], taken};
        gone <= gone + goes - recent[14];
        left <= next_left - (tells ? octets_told : 0);
        present <= next_present - (tells ? octets_told : 0);
        if (inner_step == 0 && this_turn) begin
            {seen_present, seen_left, seen_level, seen_all} <= {present, left, level, may_be_inside};
            excess <= present < may_be_inside ? 0 : present - may_be_inside;
            {seen_coming, seen_gone} <= {for_this ? coming : 16'd0, gone};
        end
        since <= tells ? 0 : since + 1;
        was_told <= was_told || tells;
        if (reset) begin
            {for_this, coming, shown, recent, gone, left, present, since, was_told} <= 0;
            {seen_present, seen_left, seen_level, seen_all, excess, seen_coming, seen_gone} <= 0;
        end
    end

    // The cycles from the last one in which the queue is told of, by whose turn it is.
    wire [2:0] number = inner_turn[0] ? 0 : inner_turn[1] ? 1 : inner_turn[2] ? 2 : inner_turn[3] ? 3 : 4;
    wire [3:0] turns = (number > queue ? number : number + 5) - queue - 1;
    wire one_turn = inner_turn == 1 || inner_turn == 2 || inner_turn == 4 || inner_turn == 8 || inner_turn == 16;

    always @(*) if (started) begin
        never_more_than_has_left: assert(!tells || octets_told <= left);
        all_that_has_left_is_told: assert(!tells || octets_told == expected);
        each_queue_is_looked_at: assert(since < 30);
        nothing_is_dropped: assert(pkt_dropped == 0 && bytes_dropped == 0);

        helper_turn: assert(one_turn && inner_step < 6);
        helper_since: assert(was_told ? since == 6 * turns + inner_step : since == 6 * number + inner_step);
        helper_first: assert(was_told || number <= queue);
        helper_count: assert(inner_count == present);
        helper_coming: assert(inner_coming == coming && inner_entering[queue] == for_this);
        helper_recent: assert(inner_recent == recent && inner_gone == gone);
        helper_gone: assert(gone == ones(recent) + shown);
        if (this_turn && inner_step >= 1) begin
            helper_seen: assert(inner_seen_count == seen_present && inner_seen_level == seen_level
                && inner_seen_coming == seen_coming && inner_seen_gone == seen_gone);
            helper_all: assert(seen_all == seen_level + seen_coming + {seen_gone, 3'd0} && seen_gone <= 16);
            helper_excess_seen: assert(excess == (seen_present < seen_all ? 0 : seen_present - seen_all));
            helper_left: assert(left >= seen_left && excess <= seen_left);
            if (inner_step >= 2) helper_way: assert(inner_on_their_way == seen_coming + {seen_gone, 3'd0});
            if (inner_step >= 3) helper_inside: assert(inner_may_be_there == seen_all);
            if (inner_step >= 4) helper_excess: assert(inner_excess[25] ? excess == 0 : inner_excess == excess);
            if (inner_step >= 5) helper_told: assert(inner_told == expected);
        end
    end
endmodule
