// SPDX-License-Identifier: MIT OR Apache-2.0
// Each queue of a frame is told once, sums and frames take turns, and what is told stays until it is taken.

module axis_event_turns_properties (
    input clock,
    input reset,
    input waits,
    input [15:0] octets,
    input [4:0] queues,
    input may_get_feedback,
    input [23:0] sum_octets,
    input sum_waits,
    input [23:0] leave_octets,
    input leave_waits,
    input ready,
    input dequeue_ready
);
    wire pop, enqueue, controlled, dequeue;
    wire [4:0] sum_queue, leave_queue, sums_taken, leaves_taken, queues_counted;
    wire [2:0] enqueue_queue, dequeue_queue;
    wire [23:0] enqueue_bytes, counted_octets, dequeue_bytes;
    axis_event_turns device (
        .clock(clock), .reset(reset), .waits(waits), .octets(octets), .queues(queues),
        .may_get_feedback(may_get_feedback), .pop(pop), .sum_queue(sum_queue), .sum_octets(sum_octets),
        .sum_waits(sum_waits), .sum_taken(sums_taken), .leave_queue(leave_queue), .leave_octets(leave_octets),
        .leave_waits(leave_waits), .leave_taken(leaves_taken),
        .enqueue(enqueue), .enqueue_queue(enqueue_queue), .enqueue_bytes(enqueue_bytes), .controlled(controlled),
        .ready(ready), .counted(queues_counted), .counted_octets(counted_octets),
        .dequeue(dequeue), .dequeue_queue(dequeue_queue), .dequeue_bytes(dequeue_bytes),
        .dequeue_ready(dequeue_ready)
    );
    wire sum_taken = sums_taken != 0, leave_taken = leaves_taken != 0, counted = queues_counted != 0;
    // As a queue is looked at: none in the cycle after a reset.
    function [4:0] after(input [4:0] queue);
        after = queue == 0 || queue == 16 ? 5'd1 : queue << 1;
    endfunction
    (* anyseq *) wire inner_is_last, inner_counting, inner_sum_first;
    (* anyseq *) wire [4:0] inner_done;
    (* anyseq *) wire [2:0] inner_counting_queue;
    (* anyseq *) wire [23:0] inner_counting_octets;

    reg started = 0, was_reset = 0;
    always @(posedge clock) begin
        started <= 1;
        was_reset <= reset;
    end
    // A frame waits until it is popped, and its fields stay (event_store.sv).
    reg waited = 0;
    reg [21:0] frame = 0;
    always @(posedge clock) begin
        waited <= waits && !pop && !reset;
        frame <= {queues, octets, may_get_feedback};
    end
    always @(*) begin
        if (!started) assume(reset);
        if (waited) assume(waits && frame == {queues, octets, may_get_feedback});
        if (waits) assume(queues != 0);
        // There is nothing where none is looked at (queue_accounts).
        if (sum_queue == 0) assume(!sum_waits);
        if (leave_queue == 0) assume(!leave_waits);
    end

    // What was looked at in the cycle before, what is held, taken and not counted; which queues of the frame were told.
    reg sum_waited = 0, held = 0, leave_waited = 0, held_leave = 0, uncounted = 0, counts = 0, enqueued = 0, dequeued = 0;
    reg [28:0] sum = 0, leave = 0;
    reg [26:0] leave_told = 0, taken = 0, counted_before = 0;
    reg [27:0] told = 0;
    reg [4:0] done = 0;
    reg [4:0] looked_at = 0, looked_at_leaves = 0;
    wire [4:0] one = 5'd1 << enqueue_queue, one_leaves = 5'd1 << dequeue_queue;
    wire takes = enqueue && ready;
    // What is told is a frame, not a sum.
    reg frame_held = 0;
    wire of_frame = held ? frame_held : !sum_taken;
    always @(posedge clock) begin
        sum_waited <= sum_waits && !enqueue && !reset;
        sum <= {sum_queue, sum_octets};
        leave_waited <= leave_waits && !dequeue && !reset;
        leave <= {leave_queue, leave_octets};
        held <= enqueue && !ready && !reset;
        told <= {controlled, enqueue_queue, enqueue_bytes};
        frame_held <= of_frame;
        held_leave <= dequeue && !dequeue_ready && !reset;
        leave_told <= {dequeue_queue, dequeue_bytes};
        enqueued <= enqueue && !reset;
        dequeued <= dequeue && !reset;
        counts <= uncounted && ready && !reset;
        counted_before <= taken;
        if (ready) uncounted <= takes;
        if (takes) taken <= {enqueue_queue, enqueue_bytes};
        if (takes && of_frame) done <= done | one;
        if (pop) done <= 0;
        looked_at <= sum_queue;
        looked_at_leaves <= leave_queue;
        if (reset) {done, uncounted, looked_at, looked_at_leaves} <= 0;
    end
    // A frame was told and no sum since. Whose turn it was in the cycle before.
    reg sum_due = 0, sum_turn = 0, frame_turn = 0;
    always @(posedge clock) begin
        if (enqueue && of_frame) sum_due <= 1;
        if (sum_taken) sum_due <= 0;
        sum_turn <= !enqueue && sum_waits && sum_due && !reset;
        frame_turn <= !enqueue && waits && !pop && !sum_due && !reset;
        if (reset) sum_due <= 0;
    end

    always @(*) if (started) begin
        a_sum_is_told_at_once: assert(!sum_taken || (sum_waited && enqueue && !of_frame && !controlled
            && {one, enqueue_bytes} == sum && sums_taken == one));
        nothing_else_is_told: assert(!enqueue || held || sum_taken
            || (of_frame && waits && enqueue_bytes == octets && controlled == may_get_feedback));
        held_until_taken: assert(!held || (enqueue && told == {controlled, enqueue_queue, enqueue_bytes}));
        no_queue_is_told_twice: assert(!enqueue || !of_frame || (queues & one & ~done) != 0);
        no_queue_is_forgotten: assert(!pop || (waits && done == queues));
        a_frame_is_removed_at_once: assert(pop == (waits && done == queues));
        a_sum_waits_for_one_frame_only: assert(!sum_turn || sum_taken);
        a_frame_waits_for_one_sum_only: assert(!frame_turn || (enqueue && of_frame));
        all_queues_are_looked_at: assert((sum_queue & (sum_queue - 5'd1)) == 0 && (leave_queue & (leave_queue - 5'd1)) == 0
            && (was_reset ? sum_queue == 0 && leave_queue == 0
            : sum_queue == (enqueued ? looked_at : after(looked_at))
            && leave_queue == (dequeued ? looked_at_leaves : after(looked_at_leaves))));
        counted_once: assert(counted == counts && (!counted || (queues_counted == 5'd1 << counted_before[26:24]
            && counted_octets == counted_before[23:0])));
        what_leaves_is_told_at_once: assert(leave_taken == leave_waited
            && (!leave_taken || (dequeue && {one_leaves, dequeue_bytes} == leave && leaves_taken == one_leaves)));
        nothing_else_leaves: assert(!dequeue || leave_taken || (held_leave && leave_told == {dequeue_queue, dequeue_bytes}));
        helper_counting: assert(inner_counting == uncounted
            && (!uncounted || taken == {inner_counting_queue, inner_counting_octets}));
        helper_numbers: assert((!enqueue || enqueue_queue < 5) && (!uncounted || taken[26:24] < 5));
        helper_done: assert(enqueue && of_frame
            ? inner_done == (done | one) && inner_is_last == (inner_done == queues) && waits
            : inner_done == done && (waits || done == 0) && !(enqueue && inner_is_last));
        helper_done_in_queues: assert((done & ~queues) == 0 || !waits);
        helper_sum_due: assert(inner_sum_first == ((sum_due && !sum_taken) || (enqueue && of_frame)));
    end
endmodule
