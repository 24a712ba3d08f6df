// SPDX-License-Identifier: MIT OR Apache-2.0
// A congestion point for four queues: no event of one queue changes the length of another. The proof follows one
// arbitrary queue, for any packets and any back-pressure.

module `PROPERTIES (
    input clock,
    input reset,
    input enqueue,
    input [5:0] enqueue_queue,
    input [23:0] enqueue_bytes,
    input [47:0] source_mac,
    input [47:0] destination_mac,
    input has_tag,
    input [15:0] vlan_tci,
    input has_cn_tag,
    input [15:0] flow_id,
    input controlled,
    input dequeue,
    input [5:0] dequeue_queue,
    input [23:0] dequeue_bytes,
    input data_ready
);
    // Parameters: any values that do not change.
    (* anyconst *) wire [1:0] sample_mode;
    (* anyconst *) wire [15:0] seed;
    (* anyconst *) wire [23:0] q0_bytes;
    (* anyconst *) wire [63:0] cpid;
    (* anyconst *) wire [47:0] cp_mac;
    `OTHER_INPUTS
    wire ready, dequeue_ready, unknown_queue, cleared, counted, clamped, sample;
    wire [5:0] visited_queue;
    wire [23:0] queue_bytes;

    `PART device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_queue(enqueue_queue), .enqueue_bytes(enqueue_bytes),
        .source_mac_high(source_mac[47:32]), .source_mac_low(source_mac[31:0]),
        .destination_mac_high(destination_mac[47:32]), .destination_mac_low(destination_mac[31:0]), .has_tag(has_tag),
        .vlan_tci(vlan_tci), .has_cn_tag(has_cn_tag), .flow_id(flow_id), .controlled(controlled), .dequeue(dequeue),
        .dequeue_queue(dequeue_queue),
        .dequeue_bytes(dequeue_bytes), .sample_mode(sample_mode), .seed(seed), .q0_bytes(q0_bytes),
        .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]), .cp_mac_high(cp_mac[47:32]), .cp_mac_low(cp_mac[31:0]),
        `OTHER_CONNECTIONS
        .ready(ready), .dequeue_ready(dequeue_ready), .unknown_queue(unknown_queue), .cleared(cleared),
        .visited_queue(visited_queue), .counted(counted), .queue_bytes(queue_bytes), .clamped(clamped), .sample(sample),
        .data_ready(data_ready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    localparam [5:0] QUEUES = 4;
    (* anyconst *) wire [1:0] followed;

    // The packet and the dequeue that were taken last, and whether they have been counted: a packet is worked on for one
    // cycle more.
    wire takes = enqueue && ready && enqueue_queue < QUEUES;
    wire takes_leave = dequeue && dequeue_ready && dequeue_queue < QUEUES;
    reg [1:0] packet_queue = 0, leave_queue = 0;
    reg [23:0] packet_bytes = 0, leave_bytes = 0;
    reg unknown = 0, packet_seen = 0, leave_seen = 0;
    // Length of the followed queue after its last visit.
    reg [23:0] length = 0;
    wire visits = counted && visited_queue == {4'd0, followed};
    always @(posedge clock) begin
        if (takes) begin
            packet_queue <= enqueue_queue[1:0];
            packet_bytes <= enqueue_bytes;
            packet_seen <= 1;
        end
        if (takes_leave) begin
            leave_queue <= dequeue_queue[1:0];
            leave_bytes <= dequeue_bytes;
            leave_seen <= 1;
        end
        unknown <= enqueue && ready && !takes || dequeue && dequeue_ready && !takes_leave;
        if (visits) length <= queue_bytes;
        if (reset) begin
            unknown <= 0;
            packet_seen <= 0;
            leave_seen <= 0;
            length <= 0;
        end
    end

    // A dequeue may be replaced by the next one in the last cycle of its visit, in which it has been counted.
    reg [23:0] leave_bytes_before = 0;
    reg [1:0] leave_queue_before = 0;
    always @(posedge clock) begin
        leave_bytes_before <= leave_bytes;
        leave_queue_before <= leave_queue;
    end
    localparam signed [27:0] MOST = 28'd16777215;
    wire signed [27:0] entered = $signed({4'd0, length}) + $signed({4'd0, packet_bytes});
    wire signed [27:0] left = $signed({4'd0, length}) - $signed({4'd0, leave_bytes_before});
    wire signed [27:0] both = entered - $signed({4'd0, leave_bytes_before});
    function is_limited(input signed [27:0] sum, input [23:0] found, input tells);
        is_limited = sum < 0 ? found == 0 && tells : sum > MOST ? found == 24'hffffff && tells
            : $signed({4'd0, found}) == sum && !tells;
    endfunction
    wire own_packet = packet_queue == followed, own_leave = leave_queue_before == followed;

    (* keep *) wire [1:0] guess_packet_queue = packet_queue, guess_leave_queue = leave_queue;
    (* keep *) wire [23:0] guess_packet = packet_bytes, guess_leave = leave_bytes;
    (* keep *) wire guess_packet_queue_if = packet_seen, guess_leave_queue_if = leave_seen, guess_packet_if = packet_seen,
        guess_leave_if = leave_seen;
    // What waits was taken; nothing waits and nothing is counted before all queues have been cleared.
    (* keep *) wire guess_no_packet = 0, guess_no_leave = 0, guess_idle = 0;
    (* keep *) wire guess_no_packet_if = started && !packet_seen, guess_no_leave_if = started && !leave_seen,
        guess_idle_if = started && !cleared;
    // Then the sample queue is empty too, and the feedback block waits.
    (* keep *) wire [2:0] guess_pointer = 0;
    (* keep *) wire [3:0] guess_waiting = 0;
    (* keep *) wire guess_pointer_if = started && !cleared, guess_waiting_if = started && !cleared;
    (* keep *) wire guess_unknown = unknown;
    // The length in the memory, from the cycle on in which that queue has been cleared.
    (* keep *) wire [23:0] guess_length = length;
    (* keep *) wire guess_length_if = started && (cleared || visited_queue > {4'd0, followed});
    (* keep *) wire [1:0] guess_length_at = followed;

    always @(*) if (started) begin
        own_events_only: assert(!visits || own_packet && is_limited(entered, queue_bytes, clamped)
            || own_leave && is_limited(left, queue_bytes, clamped)
            || own_packet && own_leave && is_limited(both, queue_bytes, clamped));
        unknown_tells: assert(unknown_queue == unknown);
        helper_zero: assert(cleared || length == 0);
        none_before_cleared: assert(cleared || !ready && !dequeue_ready && !counted && !sample);
    end
endmodule
