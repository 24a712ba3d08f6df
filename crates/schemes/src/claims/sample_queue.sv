// SPDX-License-Identifier: MIT OR Apache-2.0
// The sample queue passes on each accepted sample once, in order, with its own addresses. The proof follows one
// arbitrary sample.

module sample_queue_properties (
    input clock,
    input reset,
    input enqueue,
    input sample,
    input [24:0] q_offset,
    input [24:0] q_delta,
    input controlled,
    input [47:0] source_mac,
    input [47:0] destination_mac,
    input has_tag,
    input [15:0] vlan_tci,
    input has_cn_tag,
    input [15:0] flow_id,
    input pop
);
    wire ready, lost, head_valid, head_controlled, head_has_tag, head_has_cn_tag;
    wire [24:0] head_q_offset, head_q_delta;
    wire [47:0] head_source_mac, head_destination_mac;
    wire [15:0] head_vlan_tci, head_flow_id;

    sample_queue device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .sample(sample), .q_offset(q_offset), .q_delta(q_delta),
        .controlled(controlled), .source_mac_high(source_mac[47:32]), .source_mac_low(source_mac[31:0]),
        .destination_mac_high(destination_mac[47:32]), .destination_mac_low(destination_mac[31:0]), .has_tag(has_tag),
        .vlan_tci(vlan_tci), .has_cn_tag(has_cn_tag), .flow_id(flow_id), .pop(pop), .ready(ready), .lost(lost),
        .head_valid(head_valid),
        .head_q_offset(head_q_offset), .head_q_delta(head_q_delta), .head_controlled(head_controlled),
        .head_source_mac_high(head_source_mac[47:32]), .head_source_mac_low(head_source_mac[31:0]),
        .head_destination_mac_high(head_destination_mac[47:32]), .head_destination_mac_low(head_destination_mac[31:0]),
        .head_has_tag(head_has_tag), .head_vlan_tci(head_vlan_tci),
        .head_has_cn_tag(head_has_cn_tag), .head_flow_id(head_flow_id)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // A sample is a packet that enters; a feedback block pops only an existing sample (its property
        // `only_samples`).
        assume(!sample || enqueue);
        assume(!pop || head_valid);
    end

    // A sample of cycle t is written in cycle t + 1, if there was room in cycle t. Numbers count modulo 8.
    reg sampled = 0, room = 0;
    reg [2:0] taken = 0, popped = 0;
    reg head_read = 0;
    wire take = sampled && room;
    wire [2:0] taken_now = taken + {2'd0, take};
    wire [2:0] held = taken - popped;
    reg must_stay = 0;
    always @(posedge clock) begin
        sampled <= sample;
        room <= ready;
        taken <= taken_now;
        head_read <= taken != popped && !pop;
        if (pop) popped <= popped + 1;
        must_stay <= head_valid && !pop && !reset;
        if (reset) begin
            sampled <= 0;
            taken <= 0;
            head_read <= 0;
            popped <= 0;
        end
    end

    // The sample that the proof follows, chosen when its packet enters. Its fields come in two cycles.
    (* anyseq *) wire choose;
    reg chosen = 0, waiting = 0;
    reg [2:0] number;
    reg [95:0] addresses;
    reg [31:0] tags;
    reg [2:0] flags;
    reg [49:0] offsets;
    wire following = chosen || waiting;
    always @(posedge clock) begin
        chosen <= choose && enqueue && ready && !following;
        if (choose && enqueue && ready && !following) begin
            number <= taken_now;
            addresses <= {source_mac, destination_mac};
            tags <= {vlan_tci, flow_id};
            flags <= {has_cn_tag, has_tag, controlled};
        end
        if (chosen && take) begin
            waiting <= 1;
            offsets <= {q_offset, q_delta};
        end
        if (waiting && pop && popped == number) waiting <= 0;
        if (reset) begin
            chosen <= 0;
            waiting <= 0;
        end
    end
    wire at_head = waiting && head_valid && popped == number;

    // Guesses: contents of the registers and memories inside, that is pointers, and the fields at the place of the
    // followed sample.
    (* keep *) wire guess_sampled = sampled, guess_room = room;
    (* keep *) wire guess_room_if = started;
    (* keep *) wire [2:0] guess_taken = taken, guess_popped = popped;
    wire [31:0] source_low = addresses[79:48], destination_low = addresses[31:0];
    wire [31:0] high_halves = {addresses[95:80], addresses[47:32]};
    (* keep *) wire [31:0] guess_source = source_low, guess_destination = destination_low, guess_high = high_halves;
    (* keep *) wire [31:0] guess_tags = tags;
    (* keep *) wire [2:0] guess_flags = flags;
    (* keep *) wire [24:0] guess_offset = offsets[49:25], guess_delta = offsets[24:0];
    (* keep *) wire guess_source_if = following, guess_destination_if = following, guess_high_if = following,
        guess_tags_if = following, guess_flags_if = following, guess_offset_if = waiting, guess_delta_if = waiting;
    (* keep *) wire [1:0] guess_source_at = number[1:0], guess_destination_at = number[1:0], guess_high_at = number[1:0],
        guess_tags_at = number[1:0], guess_flags_at = number[1:0], guess_offset_at = number[1:0],
        guess_delta_at = number[1:0];
    (* keep *) wire guess_head_cn_tag = flags[2], guess_head_tag = flags[1], guess_head_controlled = flags[0];
    (* keep *) wire guess_head_cn_tag_if = at_head, guess_head_tag_if = at_head, guess_head_controlled_if = at_head;

    wire [2:0] ahead = number - popped;
    always @(*) if (started) begin
        in_order_and_whole: assert(!at_head || {head_source_mac, head_destination_mac, head_vlan_tci, head_flow_id,
            head_has_cn_tag, head_has_tag, head_controlled, head_q_offset, head_q_delta}
            == {addresses, tags, flags, offsets});
        none_dropped_none_twice: assert(head_valid == head_read);
        at_most_four: assert(held <= 4);
        ready_tells: assert(ready == (held + {2'd0, take} < 4));
        lost_tells: assert(lost == (sampled && !room));
        head_stays: assert(!must_stay || head_valid);
        helper_head: assert(!head_read || held != 0);
        helper_ahead: assert(!waiting || ahead < held);
        helper_chosen: assert(!chosen || number == taken);
        helper_once: assert(!(chosen && waiting));
        helper_no_overflow: assert(held + {2'd0, take} <= 4);
    end
endmodule
