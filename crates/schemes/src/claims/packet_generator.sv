// SPDX-License-Identifier: MIT OR Apache-2.0
// The packet generator sends the frame of its fields, word by word, and waits for the receiver.

module packet_generator_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [5:0] quantized_feedback,
    input [15:0] q_offset_units,
    input [15:0] q_delta_units,
    input [47:0] source_mac,
    input [47:0] destination_mac,
    input has_tag,
    input [15:0] vlan_tci,
    input has_cn_tag,
    input [15:0] flow_id,
    input ready
);
    (* anyconst *) wire [63:0] cpid;
    (* anyconst *) wire [47:0] cp_mac;
    wire frame_done, last, valid;
    wire [63:0] data;
    wire [3:0] octets;

    packet_generator device (
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .quantized_feedback(quantized_feedback),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .source_mac_high(source_mac[47:32]),
        .source_mac_low(source_mac[31:0]), .destination_mac_high(destination_mac[47:32]),
        .destination_mac_low(destination_mac[31:0]), .has_tag(has_tag), .vlan_tci(vlan_tci),
        .has_cn_tag(has_cn_tag), .flow_id(flow_id), .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]), .cp_mac_high(cp_mac[47:32]), .cp_mac_low(cp_mac[31:0]), .frame_done(frame_done),
        .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last), .valid(valid), .ready(ready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The fields are held until the frame is done. This is proved for the feedback block and the sample queue.
    wire [168:0] fields = {
        quantized_feedback, q_offset_units, q_delta_units, source_mac, destination_mac, has_tag, vlan_tci, has_cn_tag,
        flow_id
    };
    reg held = 0;
    reg [168:0] fields_before;
    always @(posedge clock) begin
        held <= feedback_valid && !frame_done && !reset;
        fields_before <= fields;
    end
    always @(*) if (held) assume(feedback_valid && fields == fields_before);

    // The frame, octet by octet (IEEE 802.1Q, clause 33): 60 octets, and four octets of the last word that are not
    // valid.
    wire [15:0] type_and_version = {10'd0, quantized_feedback};
    wire [15:0] priority_field = has_tag ? vlan_tci & 16'he000 : 16'd0;
    wire [191:0] message = {16'h22e7, type_and_version, cpid, q_offset_units, q_delta_units, priority_field, destination_mac};
    wire [95:0] addresses = {source_mac, cp_mac};
    wire [31:0] vlan_tag = {16'h8100, vlan_tci}, cn_tag = {16'h22e9, flow_id};
    wire [511:0] frame = has_tag && has_cn_tag ? {addresses, vlan_tag, cn_tag, message, 160'd0}
        : has_tag ? {addresses, vlan_tag, message, 192'd0}
        : has_cn_tag ? {addresses, cn_tag, message, 192'd0}
        : {addresses, message, 224'd0};

    wire [2:0] word;
    stream_specification stream (
        .clock(clock), .reset(reset), .started(started), .valid(valid), .ready(ready), .data(data), .octets(octets),
        .last(last), .word(word)
    );

    wire [3:0] field;
    field_of_word in_generator (.word(word), .has_tag(has_tag), .has_cn_tag(has_cn_tag), .field(field));
    (* keep *) wire [3:0] guess_field = field;
    always @(*) if (started) begin
        word_is_the_frames: assert(!valid || data == frame[64 * (7 - word) +: 64]);
        done_with_the_last: assert(frame_done == (valid && ready && word == 7));
        nothing_unasked: assert(valid == feedback_valid);
    end
endmodule
