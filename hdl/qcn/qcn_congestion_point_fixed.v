// Congestion point, for the switch; parameters are fixed.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR
// Parameters:
//   ai_rate_mbps = 1
//   bucket_bytes = 1542
//   byte_cycle_bytes = 150000
//   clock_mhz = 125
//   cpid_bits = 64
//   cycle_jitter_percent = 0
//   extra_fast_recovery = false
//   fast_recovery_cycles = 5
//   gd_shift = 7
//   hai_rate_mbps = 0
//   include_overhead = false
//   line_rate_mbps = 1000
//   min_rate_mbps = 10
//   profile = paper
//   q0_bytes = 65536
//   sample_bytes = 150000
//   sample_jitter_percent = 15
//   sample_mode = packets
//   sample_packets = 100
//   seed = 1
//   stage_rule = after
//   target_reduction = false
//   timer_us = 0
//   w = 2

module qcn_congestion_point_fixed (
    input wire clock,
    input wire reset,
    input wire enqueue,
    input wire [23:0] enqueue_bytes,
    input wire [15:0] source_mac_high,
    input wire [31:0] source_mac_low,
    input wire [15:0] destination_mac_high,
    input wire [31:0] destination_mac_low,
    input wire tagged,
    input wire [15:0] vlan_tci,
    input wire controlled,
    input wire dequeue,
    input wire [23:0] dequeue_bytes,
    output wire [23:0] queue_bytes,
    output wire clamped,
    output wire sample,
    output wire ready,
    output wire lost,
    output wire [31:0] data_high,
    output wire [31:0] data_low,
    output wire [3:0] octets,
    output wire last,
    output wire valid,
    input wire data_ready
);
    qcn_congestion_point congestion_point (
        .clock(clock),
        .reset(reset),
        .enqueue(enqueue),
        .enqueue_bytes(enqueue_bytes),
        .source_mac_high(source_mac_high),
        .source_mac_low(source_mac_low),
        .destination_mac_high(destination_mac_high),
        .destination_mac_low(destination_mac_low),
        .tagged(tagged),
        .vlan_tci(vlan_tci),
        .controlled(controlled),
        .dequeue(dequeue),
        .dequeue_bytes(dequeue_bytes),
        .sample_mode(2'd0),
        .jitter_ratio(16'd2987),
        .seed(16'd1),
        .q0_bytes(24'd65536),
        .cpid_high(32'd33554432),
        .cpid_low(32'd16777217),
        .cp_mac_high(16'd512),
        .cp_mac_low(32'd256),
        .weight(6'd2),
        .feedback_full_scale(26'd327680),
        .send_zero_feedback(1'd1),
        .interval_low_0(24'd85),
        .interval_low_1(24'd85),
        .interval_low_2(24'd85),
        .interval_low_3(24'd85),
        .interval_low_4(24'd85),
        .interval_low_5(24'd85),
        .interval_low_6(24'd85),
        .interval_low_7(24'd85),
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
