// SPDX-License-Identifier: MIT OR Apache-2.0
// BCN's congestion point.
//
// A packet enters with `enqueue` and its addresses. The feedback frame of a sampled packet leaves
// on the stream. `ready` is low while four samples wait: hold the next packet then. Otherwise its
// sample, if it is one, is lost, and `lost` is high in the next cycle.
//
// Scheme: Backward congestion notification (bcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn --out DIR

`default_nettype none

module tidegate_bcn_congestion_point (
    input  wire        clock,                // Clock, rising edge
    input  wire        reset,                // Synchronous reset, active high
    input  wire        enqueue,              // A packet enters the queue in this cycle
    input  wire [23:0] enqueue_bytes,        // Length of that packet, bytes; valid with `enqueue`
    input  wire [15:0] source_mac_high,      // Source address of the packet, bits 47 to 32; valid with `enqueue`
    input  wire [31:0] source_mac_low,       // Source address, bits 31 to 0
    input  wire [15:0] destination_mac_high, // Destination address of the packet, bits 47 to 32; valid with `enqueue`
    input  wire [31:0] destination_mac_low,  // Destination address, bits 31 to 0
    input  wire        has_tag,              // The packet has a VLAN tag; valid with `enqueue`
    input  wire [15:0] vlan_tci,             // Tag control information of its VLAN tag; valid with `has_tag`
    input  wire        has_cn_tag,           // The packet has a CN-TAG; valid with `enqueue`
    input  wire [15:0] flow_id,              // Flow identifier of its CN-TAG; valid with `has_cn_tag`
    input  wire        controlled,           // A reaction point controls the flow of the packet; valid with `enqueue`
    input  wire        dequeue,              // Bytes leave the queue in this cycle
    input  wire [23:0] dequeue_bytes,        // Number of bytes that leave; valid with `dequeue`
    // What the sampling interval counts: 0 = packets, 1 = bytes, 2 = cycles; never 3
    input  wire [1:0]  sample_mode,
    input  wire [15:0] seed,                 // Value of the random source after reset, not 0
    input  wire [23:0] q0_bytes,             // Target queue length q0, bytes
    input  wire [31:0] cpid_high,            // Congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] cpid_low,             // Congestion point identifier (CPID), bits 31 to 0
    input  wire [15:0] cp_mac_high,          // Address of the congestion point, bits 47 to 32: the source of the frame
    input  wire [31:0] cp_mac_low,           // Address of the congestion point, bits 31 to 0
    input  wire [23:0] interval_low,         // Smallest sampling interval: packets, bytes or cycles, by `sample_mode`
    // Largest minus smallest sampling interval, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span,
    input  wire [23:0] severe_offset,        // Q_sc - q0, bytes: a larger queue offset is severe congestion
    output wire [23:0] queue_bytes,          // Queue length after all events of earlier cycles, bytes
    // The length was clamped: the events of the cycle before would have made it less than 0 or more than 24 bits hold
    output wire        clamped,
    output wire        sample,               // The packet that enters in this cycle is a sample
    output wire        ready,                // There is room for a sample. While it is low, hold the next packet
    output wire        lost,                 // The sample of the cycle before was lost, because the queue was full
    output wire [31:0] data_high,            // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    output wire [31:0] data_low,             // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    output wire [3:0]  octets,               // Number of valid octets in the word, 8 or, in the last word, 4
    output wire        last,                 // The word is the last one of the frame
    output wire        valid,                // The stream word is valid
    input  wire        data_ready            // The receiver takes the word in this cycle, if `valid`
);
    wire [24:0] queue_monitor_q_offset;
    wire [24:0] queue_monitor_q_delta;
    wire sample_queue_head_valid;
    wire [24:0] sample_queue_head_q_offset;
    wire [24:0] sample_queue_head_q_delta;
    wire sample_queue_head_controlled;
    wire [15:0] sample_queue_head_source_mac_high;
    wire [31:0] sample_queue_head_source_mac_low;
    wire [15:0] sample_queue_head_destination_mac_high;
    wire [31:0] sample_queue_head_destination_mac_low;
    wire sample_queue_head_has_tag;
    wire [15:0] sample_queue_head_vlan_tci;
    wire sample_queue_head_has_cn_tag;
    wire [15:0] sample_queue_head_flow_id;
    wire feedback_feedback_valid;
    wire [5:0] feedback_quantized_feedback;
    wire [15:0] feedback_q_offset_units;
    wire [15:0] feedback_q_delta_units;
    wire feedback_pop;
    wire packet_generator_frame_done;

    tidegate_sampler sampler (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .interval_low(interval_low),
        .interval_span(interval_span),
        .sample_mode(sample_mode),
        .seed(seed),
        .sample(sample)
    );

    tidegate_queue_monitor queue_monitor (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes),
        .sample(sample),
        .q0_bytes(q0_bytes),
        .queue_bytes(queue_bytes),
        .q_offset(queue_monitor_q_offset),
        .q_delta(queue_monitor_q_delta),
        .clamped(clamped)
    );

    tidegate_sample_queue sample_queue (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .sample(sample),
        .q_offset(queue_monitor_q_offset),
        .q_delta(queue_monitor_q_delta),
        .controlled(controlled),
        .source_mac_high(source_mac_high),
        .source_mac_low(source_mac_low),
        .destination_mac_high(destination_mac_high),
        .destination_mac_low(destination_mac_low),
        .has_tag(has_tag),
        .vlan_tci(vlan_tci),
        .has_cn_tag(has_cn_tag),
        .flow_id(flow_id),
        .pop(feedback_pop),
        .ready(ready),
        .lost(lost),
        .head_valid(sample_queue_head_valid),
        .head_q_offset(sample_queue_head_q_offset),
        .head_q_delta(sample_queue_head_q_delta),
        .head_controlled(sample_queue_head_controlled),
        .head_source_mac_high(sample_queue_head_source_mac_high),
        .head_source_mac_low(sample_queue_head_source_mac_low),
        .head_destination_mac_high(sample_queue_head_destination_mac_high),
        .head_destination_mac_low(sample_queue_head_destination_mac_low),
        .head_has_tag(sample_queue_head_has_tag),
        .head_vlan_tci(sample_queue_head_vlan_tci),
        .head_has_cn_tag(sample_queue_head_has_cn_tag),
        .head_flow_id(sample_queue_head_flow_id)
    );

    tidegate_feedback_bcn feedback (
        .clock(clock),
        .reset(reset),
        .sample_valid(sample_queue_head_valid),
        .controlled(sample_queue_head_controlled),
        .q_offset(sample_queue_head_q_offset),
        .q_delta(sample_queue_head_q_delta),
        .frame_done(packet_generator_frame_done),
        .severe_offset(severe_offset),
        .feedback_valid(feedback_feedback_valid),
        .quantized_feedback(feedback_quantized_feedback),
        .q_offset_units(feedback_q_offset_units),
        .q_delta_units(feedback_q_delta_units),
        .pop(feedback_pop)
    );

    tidegate_packet_generator packet_generator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(feedback_feedback_valid),
        .quantized_feedback(feedback_quantized_feedback),
        .q_offset_units(feedback_q_offset_units),
        .q_delta_units(feedback_q_delta_units),
        .source_mac_high(sample_queue_head_source_mac_high),
        .source_mac_low(sample_queue_head_source_mac_low),
        .destination_mac_high(sample_queue_head_destination_mac_high),
        .destination_mac_low(sample_queue_head_destination_mac_low),
        .has_tag(sample_queue_head_has_tag),
        .vlan_tci(sample_queue_head_vlan_tci),
        .has_cn_tag(sample_queue_head_has_cn_tag),
        .flow_id(sample_queue_head_flow_id),
        .cpid_high(cpid_high),
        .cpid_low(cpid_low),
        .cp_mac_high(cp_mac_high),
        .cp_mac_low(cp_mac_low),
        .frame_done(packet_generator_frame_done),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .valid(valid),
        .ready(data_ready)
    );
endmodule

`default_nettype wire
