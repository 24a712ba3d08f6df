// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends a congestion notification message of IEEE 802.1Q (EtherType 0x22E7) as a frame of 60
// octets: eight 64-bit words on a stream with back-pressure. The last word has four octets. No
// encapsulated data unit is sent: its length field is 0. If the sampled packet has a VLAN tag or a
// CN-TAG, the frame has the same: the VLAN tag first, then the CN-TAG, which returns the flow
// identifier to the source.
//
// The first word is valid in the cycle in which `feedback_valid` rises; while `ready` is high, a
// frame takes eight cycles. Hold the fields until `frame_done`, which is high in the cycle in which
// the last word is transferred. `valid` stays high between words. Layout of the frame:
// docs/frames.md.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_packet_generator (
    input  wire        clock,                // Clock, rising edge
    input  wire        reset,                // Synchronous reset, active high
    input  wire        feedback_valid,       // The frame fields below are valid; hold them until `frame_done`
    input  wire [5:0]  quantized_feedback,   // QntzFb, quantised feedback, 0 to 63
    input  wire [15:0] q_offset_units,       // QOffset, units of 64 octets, two's complement
    input  wire [15:0] q_delta_units,        // QDelta, units of 64 octets, two's complement
    // Source address of the sampled packet, bits 47 to 32: the destination of the frame
    input  wire [15:0] source_mac_high,
    input  wire [31:0] source_mac_low,       // Source address, bits 31 to 0
    input  wire [15:0] destination_mac_high, // Destination address of the sampled packet, bits 47 to 32
    input  wire [31:0] destination_mac_low,  // Destination address, bits 31 to 0
    input  wire        has_tag,              // The sampled packet has a VLAN tag; the frame then has one too
    input  wire [15:0] vlan_tci,             // Tag control information of its VLAN tag; valid with `has_tag`
    input  wire        has_cn_tag,           // The sampled packet has a CN-TAG; the frame then has one too
    input  wire [15:0] flow_id,              // Flow identifier of its CN-TAG; valid with `has_cn_tag`
    input  wire [31:0] cpid_high,            // Congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] cpid_low,             // Congestion point identifier (CPID), bits 31 to 0
    input  wire [15:0] cp_mac_high,          // Address of the congestion point, bits 47 to 32: the source of the frame
    input  wire [31:0] cp_mac_low,           // Address of the congestion point, bits 31 to 0
    output wire        frame_done,           // The last word of the frame is transferred in this cycle
    output reg  [31:0] data_high,            // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    output reg  [31:0] data_low,             // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    output wire [3:0]  octets,               // Number of valid octets in the word, 8 or, in the last word, 4
    output wire        last,                 // The word is the last one of the frame
    output wire        valid,                // The stream word is valid
    input  wire        ready                 // The receiver takes the word in this cycle, if `valid`
);
    reg [2:0] word; // Index of the word in the frame, 0 to 7
    // Which field is in `data_high`. The fields of a frame without tags are numbered from 0, the source, on; in
    // `data_low` is the next one. 1 = field 2, and a tag is next; 15 = the second of two tags, and field 3 is next. It
    // is a register of its own, because the fields come late out of memories
    reg [3:0] field;

    initial begin
        word = 3'd0;
        field = 4'd0;
    end

    assign valid = feedback_valid;
    assign last = word == 3'd7;
    assign octets = (word == 3'd7) ? 4'd4 : 4'd8;
    assign frame_done = feedback_valid && ready && (word == 3'd7);

    // A word has two fields, and a tag counts as one
    reg [3:0] next_field;
    always @* begin
        next_field = field + 4'd2;
        if (word == 3'd7) begin
            next_field = 4'd0;
        end else if (field == 4'd0) begin
            if (has_tag || has_cn_tag) begin
                next_field = 4'd1;
            end
        end else if (field == 4'd1) begin
            if (has_tag && has_cn_tag) begin
                next_field = 4'd15;
            end
        end else if (field == 4'd15) begin
            next_field = 4'd4;
        end
    end

    wire [31:0] vlan_tag = {16'h8100, vlan_tci};
    wire [31:0] cn_tag = {16'h22e9, flow_id};
    wire [31:0] first_tag = has_tag ? vlan_tag : cn_tag;

    // The fields
    wire [31:0] source_middle = {source_mac_low[15:0], cp_mac_high};
    wire [31:0] type_and_feedback = {16'h22e7, 10'd0, quantized_feedback};
    wire [31:0] offset_and_delta = {q_offset_units, q_delta_units};
    wire [15:0] priority_bits = has_tag ? (vlan_tci & 16'he000) : 16'd0;
    wire [31:0] priority_and_destination = {priority_bits, destination_mac_high};

    // The word
    always @* begin
        data_high = 32'd0;
        data_low = 32'd0;
        case (field)
            4'd0: begin
                data_high = {source_mac_high, source_mac_low[31:16]};
                data_low = source_middle;
            end
            4'd1: begin
                data_high = cp_mac_low;
                data_low = first_tag;
            end
            4'd2: begin
                data_high = cp_mac_low;
                data_low = type_and_feedback;
            end
            4'd15: begin
                data_high = cn_tag;
                data_low = type_and_feedback;
            end
            4'd3: begin
                data_high = type_and_feedback;
                data_low = cpid_high;
            end
            4'd4: begin
                data_high = cpid_high;
                data_low = cpid_low;
            end
            4'd5: begin
                data_high = cpid_low;
                data_low = offset_and_delta;
            end
            4'd6: begin
                data_high = offset_and_delta;
                data_low = priority_and_destination;
            end
            4'd7: begin
                data_high = priority_and_destination;
                data_low = destination_mac_low;
            end
            4'd8: data_high = destination_mac_low;
            default: ;
        endcase
    end

    always @(posedge clock) begin
        if (feedback_valid && ready) begin
            word <= word + 3'd1;
            field <= next_field;
        end
        if (reset) begin
            word <= 3'd0;
            field <= 4'd0;
        end
    end
endmodule

`default_nettype wire
