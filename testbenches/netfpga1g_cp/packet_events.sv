// SPDX-License-Identifier: MIT OR Apache-2.0
// Each output queue of a packet is told of it once, and each frame; the packet after it is held no longer.

module packet_events_properties (
    input clock,
    input reset,
    input known,
    input [7:0] destination_ports,
    input [7:0] packet_words,
    input is_feedback,
    input frame_ended,
    input [2:0] ended_port,
    input ready
);
    (* anyconst *) wire [7:0] controlled_ports;
    (* anyconst *) wire multicast_once;
    // The proof follows one arbitrary queue.
    (* anyconst *) wire [2:0] followed;

    wire hold, hold_frame, enqueue, controlled;
    wire [7:0] queues;
    wire [5:0] enqueue_queue;
    wire [23:0] enqueue_bytes;
    packet_events device (
        .clock(clock), .reset(reset), .known(known), .destination_ports(destination_ports), .packet_words(packet_words),
        .is_feedback(is_feedback), .frame_ended(frame_ended), .ended_port(ended_port),
        .controlled_ports(controlled_ports), .multicast_once(multicast_once), .hold(hold), .hold_frame(hold_frame),
        .enqueue(enqueue), .enqueue_queue(enqueue_queue), .enqueue_bytes(enqueue_bytes), .controlled(controlled),
        .ready(ready), .queues(queues)
    );
    (* anyseq *) wire [7:0] inner_waiting;
    (* anyseq *) wire inner_waits, inner_frame_waits, inner_taken;
    (* anyseq *) wire [2:0] inner_frame_queue;

    reg started = 0;
    always @(posedge clock) started <= 1;
    // No packet is known and no frame ends while the one before is held (no_packet_begins_while_held,
    // no_frame_begins_while_held). Words and kind of a packet stay until the next one.
    reg [8:0] fields_before;
    always @(posedge clock) fields_before <= {packet_words, is_feedback};
    always @(*) begin
        if (!started) assume(reset);
        if (inner_waits) assume(!known && fields_before == {packet_words, is_feedback});
        if (inner_frame_waits) assume(!frame_ended);
    end

    // The queues of a packet: its controlled destinations; with multicast_once, queue 0 if there is not one destination.
    reg [7:0] destinations = 0;
    always @(posedge clock) destinations <= destination_ports;
    wire one = destinations == 8'h01 || destinations == 8'h02 || destinations == 8'h04 || destinations == 8'h08
        || destinations == 8'h10 || destinations == 8'h20 || destinations == 8'h40 || destinations == 8'h80;
    wire [7:0] targets = controlled_ports & (multicast_once && !one ? 8'h01 : destinations);

    // What must be told.
    reg due = 0, frame_due = 0;
    reg [2:0] frame_port = 0;
    // Events of the packet that were taken.
    reg [3:0] taken = 0;
    // What was taken in the cycle before: an event of the packet, its queue, or that of a frame.
    reg just = 0, just_frame = 0;
    reg [2:0] just_queue = 0;
    wire of_frame = enqueue && frame_due;
    wire of_packet = enqueue && !frame_due;
    wire [3:0] left = inner_waiting[0] + inner_waiting[1] + inner_waiting[2] + inner_waiting[3] + inner_waiting[4]
        + inner_waiting[5] + inner_waiting[6] + inner_waiting[7];
    always @(posedge clock) begin
        if (known) due <= targets[followed];
        else if (of_packet && ready && enqueue_queue == {3'd0, followed}) due <= 0;
        if (known) taken <= 0;
        else if (of_packet && ready) taken <= taken + 1;
        if (frame_ended) begin
            frame_due <= controlled_ports[ended_port];
            frame_port <= ended_port;
        end else if (of_frame && ready) frame_due <= 0;
        just <= of_packet && ready && !reset;
        just_frame <= of_frame && ready && !reset;
        just_queue <= enqueue_queue[2:0];
        if (reset) begin
            due <= 0;
            taken <= 0;
            frame_due <= 0;
        end
    end

    always @(*) if (started) begin
        no_queue_is_told_twice: assert(!of_packet || enqueue_queue != {3'd0, followed} || due);
        no_queue_is_forgotten: assert(hold || !due);
        a_packet_says_its_words: assert(!of_packet || (enqueue_bytes == {13'd0, packet_words + 8'd1, 3'd0}
            && controlled == !is_feedback));
        a_frame_is_told_first: assert(!frame_due || (of_frame && enqueue_queue == {3'd0, frame_port}
            && enqueue_bytes == 72 && !controlled && hold_frame));
        held_for_eight_events: assert(!hold || known || taken < 8 || just);
        held_only_while_an_event_waits: assert(!hold || known || frame_ended || enqueue || just || just_frame);
        a_cycle_between_two_events: assert(!enqueue || (!just && !just_frame));
        helper_due: assert(inner_waiting[followed] == (due || (just && just_queue == followed)));
        helper_waits: assert(inner_waits == |inner_waiting);
        helper_frame: assert(inner_frame_waits == (frame_due || just_frame) && !(frame_due && just_frame)
            && (!frame_due || inner_frame_queue == frame_port));
        helper_taken: assert(inner_taken == (just || just_frame) && !(just && inner_frame_waits));
        helper_just: assert(!just || (inner_waiting[just_queue] && (inner_waiting & ((8'd1 << just_queue) - 8'd1)) == 0));
        helper_left: assert(inner_waiting == 0 || left + taken <= 8 + just);
    end
endmodule
