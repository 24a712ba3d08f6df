// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole congestion point follows the rules of its frame stream, for any packets and any back-pressure.
// The contents of the frames are proved for the blocks alone.

module `PROPERTIES (
    input clock,
    input reset,
    input enqueue,
    input [23:0] enqueue_bytes,
    input [47:0] source_mac,
    input [47:0] destination_mac,
    input has_tag,
    input [15:0] vlan_tci,
    input has_cn_tag,
    input [15:0] flow_id,
    input controlled,
    input dequeue,
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
    wire [23:0] queue_bytes;
    wire clamped, sample, ready, lost, last, valid;
    wire [63:0] data;
    wire [3:0] octets;

    `PART device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_bytes(enqueue_bytes),
        .source_mac_high(source_mac[47:32]), .source_mac_low(source_mac[31:0]),
        .destination_mac_high(destination_mac[47:32]), .destination_mac_low(destination_mac[31:0]), .has_tag(has_tag),
        .vlan_tci(vlan_tci), .has_cn_tag(has_cn_tag), .flow_id(flow_id), .controlled(controlled), .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes), .sample_mode(sample_mode), .seed(seed), .q0_bytes(q0_bytes),
        .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]), .cp_mac_high(cp_mac[47:32]), .cp_mac_low(cp_mac[31:0]),
        `OTHER_CONNECTIONS
        .queue_bytes(queue_bytes), .clamped(clamped), .sample(sample), .ready(ready), .lost(lost),
        .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last), .valid(valid),
        .data_ready(data_ready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire [2:0] word;
    stream_specification stream (
        .clock(clock), .reset(reset), .started(started), .valid(valid), .ready(data_ready), .data(data), .octets(octets),
        .last(last), .word(word)
    );

    // `lost` is high for a sample that comes while there is no room, and for no other.
    reg sampled = 0, room = 0;
    always @(posedge clock) begin
        sampled <= sample && !reset;
        room <= ready;
    end
    // Accepted samples, modulo 8. The read pointer of the sample queue never passes the write pointer, and is at most
    // four places away from it.
    reg [2:0] taken = 0;
    wire [2:0] taken_now = taken + {2'd0, sampled && room};
    always @(posedge clock) taken <= reset ? 0 : taken_now;
    (* keep *) wire [2:0] guess_taken = taken;
    (* keep *) wire [2:0] guess_read = taken, guess_read_within = 3 - (taken_now - taken);
    (* keep *) wire guess_read_unless = 1;
    (* keep *) wire [2:0] guess_full = taken_now - 4;
    (* keep *) wire guess_full_unless = 0;
    // If a sample is at the head, a sample was written that was not popped.
    (* keep *) wire [2:0] guess_head = taken - 1, guess_head_within = 3;
    (* keep *) wire guess_head_unless = 0;
    // While the feedback block works (its state is not 0), a sample is at the head.
    (* keep *) wire guess_busy = 1;
    (* keep *) wire [3:0] guess_busy_unless = 0;
    // DSM: while a frame is sent, the state is 9.
    (* keep *) wire [3:0] guess_sending = 9;
    (* keep *) wire guess_sending_unless = 0;
    // QCN: while a frame is sent, the phase is `Send`, number 13.
    (* keep *) wire [3:0] guess_send = 13;
    (* keep *) wire guess_send_unless = 0;
    (* keep *) wire guess_held = 1;
    (* keep *) wire guess_held_unless = 0;
    (* keep *) wire guess_sampled = sampled, guess_room = room;
    (* keep *) wire guess_room_if = started;
    // The tags of the sample at the head are those in the memory, and the packet generator knows what is next.
    (* anyseq *) wire [3:0] inner_packet_generator__field;
    (* anyseq *) wire inner_sample_queue__head_valid, inner_sample_queue__controlled_before,
        inner_sample_queue__tagged_before, inner_sample_queue__cn_tagged_before;
    (* anyseq *) wire [2:0] inner_sample_queue__flags, inner_sample_queue__read_pointer;
    (* keep *) wire [1:0] inner_sample_queue__flags_at = inner_sample_queue__read_pointer[1:0];
    wire has_tag_there = inner_sample_queue__tagged_before, has_cn_tag_there = inner_sample_queue__cn_tagged_before;
    wire [3:0] field;
    field_of_word in_generator (.word(word), .has_tag(has_tag_there), .has_cn_tag(has_cn_tag_there), .field(field));
    always @(*) if (started) begin
        helper_flags: assert(!inner_sample_queue__head_valid || inner_sample_queue__flags
            == {has_cn_tag_there, has_tag_there, inner_sample_queue__controlled_before});
        helper_field: assert(inner_packet_generator__field == field && (word == 0 || inner_sample_queue__head_valid));
        lost_tells: assert(lost == (sampled && !room));
        only_packets: assert(!sample || enqueue);
    end
endmodule
