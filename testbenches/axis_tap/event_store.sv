// SPDX-License-Identifier: MIT OR Apache-2.0
// Frames wait in their order, and their fields stay. The proof follows one arbitrary frame.

module axis_event_store_properties (
    input clock,
    input reset,
    input comes,
    input [15:0] frame_octets,
    input [4:0] frame_queues,
    input [132:0] fields,
    input frame_controlled,
    input pop
);
    wire full, waits, controlled;
    wire [15:0] octets;
    wire [4:0] queues;
    wire [132:0] oldest;
    axis_event_store device (
        .clock(clock), .reset(reset), .comes(comes), .frame_octets(frame_octets), .frame_queues(frame_queues),
        .frame_source_port(fields[2:0]), .frame_source_mac_high(fields[18:3]), .frame_source_mac_low(fields[50:19]),
        .frame_destination_mac_high(fields[66:51]), .frame_destination_mac_low(fields[98:67]),
        .frame_has_tag(fields[99]), .frame_vlan_tci(fields[115:100]), .frame_has_cn_tag(fields[116]),
        .frame_flow_id(fields[132:117]), .frame_controlled(frame_controlled), .full(full), .pop(pop), .waits(waits),
        .octets(octets), .queues(queues), .source_port(oldest[2:0]), .source_mac_high(oldest[18:3]),
        .source_mac_low(oldest[50:19]), .destination_mac_high(oldest[66:51]), .destination_mac_low(oldest[98:67]),
        .has_tag(oldest[99]), .vlan_tci(oldest[115:100]), .has_cn_tag(oldest[116]), .flow_id(oldest[132:117]),
        .controlled(controlled)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // A frame is removed only if there is one (no_queue_is_forgotten in event_turns.sv).
        if (pop) assume(waits);
    end

    // Frames that were stored and that have left; numbers count modulo 32.
    reg [4:0] stored = 0, left = 0;
    wire [4:0] held = stored - left;
    wire store = comes && held != 16;
    always @(posedge clock) begin
        if (store) stored <= stored + 1;
        if (pop) left <= left + 1;
        if (reset) {stored, left} <= 0;
    end

    (* anyseq *) wire choose;
    reg following = 0;
    reg [4:0] number = 0;
    reg [154:0] frame = 0;
    always @(posedge clock) begin
        if (choose && store && !following) begin
            following <= 1;
            number <= stored;
            frame <= {frame_octets, frame_queues, frame_controlled, fields};
        end
        if (following && pop && left == number) following <= 0;
        if (reset) following <= 0;
    end

    (* anyseq *) wire [4:0] inner_write_pointer, inner_read_pointer;
    wire [4:0] before_it = number - left;
    (* anyseq *) wire [15:0] inner_octets_words;
    wire [3:0] inner_octets_words_at = number[3:0];
    (* anyseq *) wire [4:0] inner_queues_words;
    wire [3:0] inner_queues_words_at = number[3:0];
    (* anyseq *) wire inner_controlled_words;
    wire [3:0] inner_controlled_words_at = number[3:0];
    (* anyseq *) wire [2:0] inner_source_port_words;
    wire [3:0] inner_source_port_words_at = number[3:0];
    (* anyseq *) wire [15:0] inner_source_mac_high_words;
    wire [3:0] inner_source_mac_high_words_at = number[3:0];
    (* anyseq *) wire [31:0] inner_source_mac_low_words;
    wire [3:0] inner_source_mac_low_words_at = number[3:0];
    (* anyseq *) wire [15:0] inner_destination_mac_high_words;
    wire [3:0] inner_destination_mac_high_words_at = number[3:0];
    (* anyseq *) wire [31:0] inner_destination_mac_low_words;
    wire [3:0] inner_destination_mac_low_words_at = number[3:0];
    (* anyseq *) wire inner_has_tag_words;
    wire [3:0] inner_has_tag_words_at = number[3:0];
    (* anyseq *) wire [15:0] inner_vlan_tci_words;
    wire [3:0] inner_vlan_tci_words_at = number[3:0];
    (* anyseq *) wire inner_has_cn_tag_words;
    wire [3:0] inner_has_cn_tag_words_at = number[3:0];
    (* anyseq *) wire [15:0] inner_flow_id_words;
    wire [3:0] inner_flow_id_words_at = number[3:0];
    wire [154:0] words = {inner_octets_words, inner_queues_words, inner_controlled_words,
        inner_flow_id_words, inner_has_cn_tag_words, inner_vlan_tci_words,
        inner_has_tag_words, inner_destination_mac_low_words, inner_destination_mac_high_words,
        inner_source_mac_low_words, inner_source_mac_high_words, inner_source_port_words};

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!following || left != number
            || {octets, queues, controlled, oldest} == frame);
        a_frame_waits_until_it_is_removed: assert(waits == (held != 0));
        full_tells: assert(full == (held == 16));
        helper_pointers: assert(inner_write_pointer == stored && inner_read_pointer == left && held <= 16);
        helper_following: assert(!following || (before_it < held && words == frame));
    end
endmodule
