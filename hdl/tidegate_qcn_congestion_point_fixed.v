// SPDX-License-Identifier: MIT OR Apache-2.0
// The congestion point of Quantized congestion notification with fixed parameters.
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR
// Parameters:
//   ai_rate_mbps = 1
//   allowed_cpid = auto
//   allowed_cpid_mask = auto
//   bucket_bytes = 1618
//   byte_cycle_bytes = 150000
//   clock_mhz = 125
//   cp_mac = 02:00:00:00:01:00
//   cp_queues = 1
//   cpid = auto
//   cpid_bits = 64
//   cycle_jitter_percent = 0
//   extra_fast_recovery = false
//   fast_recovery_cycles = 5
//   fb_bits = 6
//   fb_full_scale_bytes = 0
//   flow_from = address
//   gd_shift = 7
//   hai_rate_mbps = 0
//   include_overhead = false
//   line_rate_mbps = 1000
//   min_rate_mbps = 10
//   profile = paper
//   q0_bytes = 65536
//   rp_flows = 1
//   rp_mac = 02:00:00:00:10:00
//   sample_bytes = 150000
//   sample_jitter_percent = 15
//   sample_mode = packets
//   sample_packets = 100
//   seed = 1
//   stage_rule = after
//   target_reduction = false
//   timer_us = 0
//   w = 2

`default_nettype none

module tidegate_qcn_congestion_point_fixed (
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
    tidegate_qcn_congestion_point congestion_point (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .source_mac_high(source_mac_high),
        .source_mac_low(source_mac_low),
        .destination_mac_high(destination_mac_high),
        .destination_mac_low(destination_mac_low),
        .has_tag(has_tag),
        .vlan_tci(vlan_tci),
        .has_cn_tag(has_cn_tag),
        .flow_id(flow_id),
        .controlled(controlled),
        .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes),
        .sample_mode(2'd0),
        .seed(16'd1),
        .q0_bytes(24'h10000),
        .cpid_high(32'h2000000),
        .cpid_low(32'h1000001),
        .cp_mac_high(16'h200),
        .cp_mac_low(32'h100),
        .weight(6'd2),
        .feedback_full_scale(26'h50000),
        .send_zero_feedback(1'd1),
        .interval_low_0(24'd85),
        .interval_low_1(24'd85),
        .interval_low_2(24'd85),
        .interval_low_3(24'd85),
        .interval_low_4(24'd85),
        .interval_low_5(24'd85),
        .interval_low_6(24'd85),
        .interval_low_7(24'd85),
        .interval_span_0(24'd30),
        .interval_span_1(24'd30),
        .interval_span_2(24'd30),
        .interval_span_3(24'd30),
        .interval_span_4(24'd30),
        .interval_span_5(24'd30),
        .interval_span_6(24'd30),
        .interval_span_7(24'd30),
        .queue_bytes(queue_bytes),
        .clamped(clamped),
        .sample(sample),
        .ready(ready),
        .lost(lost),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .valid(valid),
        .data_ready(data_ready)
    );
endmodule

`default_nettype wire
