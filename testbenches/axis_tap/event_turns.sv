// Each queue of a frame is told once, sums and frames take turns, and what is told stays until it is taken.

module axis_event_turns_properties (
    input clock,
    input reset,
    input waits,
    input [15:0] octets,
    input [4:0] queues,
    input may_get_feedback,
    input [23:0] sum_octets,
    input [23:0] leave_octets,
    input ready,
    input dequeue_ready
);
    wire pop, sum_taken, leave_taken, enqueue, controlled, counted, dequeue;
    wire [2:0] sum_queue, leave_queue, enqueue_queue, counted_queue, dequeue_queue;
    wire [23:0] enqueue_bytes, counted_octets, dequeue_bytes;
    axis_event_turns device (
        .clock(clock), .reset(reset), .waits(waits), .octets(octets), .queues(queues),
        .may_get_feedback(may_get_feedback), .pop(pop), .sum_queue(sum_queue), .sum_octets(sum_octets),
        .sum_taken(sum_taken), .leave_queue(leave_queue), .leave_octets(leave_octets), .leave_taken(leave_taken),
        .enqueue(enqueue), .enqueue_queue(enqueue_queue), .enqueue_bytes(enqueue_bytes), .controlled(controlled),
        .ready(ready), .counted(counted), .counted_queue(counted_queue), .counted_octets(counted_octets),
        .dequeue(dequeue), .dequeue_queue(dequeue_queue), .dequeue_bytes(dequeue_bytes),
        .dequeue_ready(dequeue_ready)
    );
    (* anyseq *) wire inner_of_frame, inner_is_last, inner_counting, inner_sum_first;
    (* anyseq *) wire [4:0] inner_done;
    (* anyseq *) wire [2:0] inner_counting_queue;
    (* anyseq *) wire [23:0] inner_counting_octets;

    reg started = 0;
    always @(posedge clock) started <= 1;
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
    end

    // What was chosen, held, taken and not counted; which queues of the frame were told.
    reg took_sum = 0, held = 0, took_leave = 0, held_leave = 0, uncounted = 0, sum_due = 0, enqueued = 0;
    reg [26:0] sum = 0, leave = 0, leave_told = 0, taken = 0;
    reg [27:0] told = 0;
    reg [4:0] done = 0;
    reg [2:0] looked_at = 0;
    wire [4:0] one = 5'd1 << enqueue_queue;
    wire takes = enqueue && ready;
    always @(posedge clock) begin
        took_sum <= sum_taken && !reset;
        sum <= {sum_queue, sum_octets};
        took_leave <= leave_taken && !reset;
        leave <= {leave_queue, leave_octets};
        held <= enqueue && !ready && !reset;
        told <= {controlled, enqueue_queue, enqueue_bytes};
        held_leave <= dequeue && !dequeue_ready && !reset;
        leave_told <= {dequeue_queue, dequeue_bytes};
        enqueued <= enqueue && !reset;
        if (ready) uncounted <= takes;
        if (takes) taken <= {enqueue_queue, enqueue_bytes};
        if (takes && inner_of_frame) done <= pop ? 0 : done | one;
        looked_at <= sum_queue;
        if (reset) {done, uncounted, looked_at} <= 0;
    end
    // A frame was told and no sum since, although one was looked at.
    always @(posedge clock) begin
        if (enqueue && inner_of_frame) sum_due <= 1;
        if (sum_taken) sum_due <= 0;
        if (reset) sum_due <= 0;
    end

    always @(*) if (started) begin
        a_sum_is_told_at_once: assert(!took_sum || (enqueue && !inner_of_frame && !controlled
            && {enqueue_queue, enqueue_bytes} == sum));
        nothing_else_is_told: assert(!enqueue || held || took_sum
            || (inner_of_frame && waits && enqueue_bytes == octets && controlled == may_get_feedback));
        held_until_taken: assert(!held || (enqueue && told == {controlled, enqueue_queue, enqueue_bytes}));
        no_queue_is_told_twice: assert(!enqueue || !inner_of_frame || (queues & one & ~done) != 0);
        no_queue_is_forgotten: assert(!pop || (takes && (done | one) == queues));
        a_sum_waits_for_one_frame_only: assert(enqueue || !sum_due || sum_octets == 0 || sum_taken);
        a_frame_waits_for_one_sum_only: assert(enqueue || !waits || (sum_due && sum_taken) || !sum_taken);
        all_queues_are_looked_at: assert(sum_queue < 5 && leave_queue < 5 && (reset || enqueued || looked_at == sum_queue
            || sum_queue == (looked_at == 4 ? 3'd0 : looked_at + 3'd1)));
        counted_once: assert(counted == (uncounted && ready) && (!counted || {counted_queue, counted_octets} == taken));
        what_leaves_is_told_at_once: assert(!took_leave || (dequeue && {dequeue_queue, dequeue_bytes} == leave));
        nothing_else_leaves: assert(!dequeue || took_leave || (held_leave && leave_told == {dequeue_queue, dequeue_bytes}));
        helper_counting: assert(inner_counting == uncounted
            && (!uncounted || taken == {inner_counting_queue, inner_counting_octets}));
        helper_done: assert(enqueue && inner_of_frame
            ? inner_done == (done | one) && inner_is_last == (inner_done == queues) && waits
            : inner_done == done && (waits || done == 0));
        helper_done_in_queues: assert((done & ~queues) == 0 || !waits);
        helper_not_all_done: assert(!waits || done != queues);
        helper_sum_due: assert(inner_sum_first == (sum_due || (enqueue && inner_of_frame)));
    end
endmodule
