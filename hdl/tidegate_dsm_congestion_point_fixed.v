// SPDX-License-Identifier: MIT OR Apache-2.0
// The congestion point of Delay-tolerant sliding mode congestion control with fixed parameters.
// Scheme: Delay-tolerant sliding mode congestion control (dsm). Cheng: Congestion Control in
//   Converged Ethernet with Heterogeneous and Time-Varying Delays, sections III and IV.
// Made by tidegate 0.2.0 with: tidegate emit --scheme dsm --out DIR
// Parameters:
//   allowed_cpid = auto
//   allowed_cpid_mask = auto
//   bucket_bytes = 1618
//   clock_mhz = 125
//   cp_mac = 02:00:00:00:01:00
//   cp_queues = 1
//   cpid = auto
//   cpid_bits = 64
//   flow_from = address
//   h_a_khz = 20
//   h_b_khz = 20
//   h_c_khz = 20
//   include_overhead = false
//   line_rate_mbps = 10000
//   m = 4
//   min_rate_mbps = 10
//   omega = 5
//   profile = paper
//   q0_bytes = 65536
//   rate_levels = 0
//   rp_flows = 1
//   rp_mac = 02:00:00:00:10:00
//   sample_bytes = 150000
//   sample_jitter_percent = 15
//   sample_mode = time
//   sample_packets = 100
//   seed = 1
//   u_max_percent = 2
//   w = 2

`default_nettype none

module tidegate_dsm_congestion_point_fixed (
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
    tidegate_dsm_congestion_point congestion_point (
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
        .sample_mode(2'd2),
        .seed(16'd1),
        .q0_bytes(24'h10000),
        .cpid_high(32'h2000000),
        .cpid_low(32'h1000001),
        .cp_mac_high(16'h200),
        .cp_mac_low(32'h100),
        .interval_low(24'h2200),
        .interval_span(24'hc00),
        .loop_delay(6'd4),
        .omega(6'd5),
        .period_cycles(24'h2800),
        .gain_a(28'h13bce),
        .gain_b(28'h3d021),
        .gain_c(28'h14f8b6),
        .step_max(25'hcccd),
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
