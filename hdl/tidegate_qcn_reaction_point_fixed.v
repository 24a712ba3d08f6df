// SPDX-License-Identifier: MIT OR Apache-2.0
// The reaction point of Quantized congestion notification with fixed parameters.
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

module tidegate_qcn_reaction_point_fixed (
    input  wire        clock,            // Clock, rising edge
    input  wire        reset,            // Synchronous reset, active high
    input  wire [31:0] data_high,        // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    input  wire [31:0] data_low,         // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    input  wire [3:0]  octets,           // Number of valid octets in the last word, 1 to 8
    input  wire        last,             // The word is the last one of a frame
    // The frame was received with an error, such as a wrong check sequence; valid with its last word
    input  wire        bad_frame,
    input  wire        valid,            // The stream word is valid
    input  wire        request,          // A frame waits to be sent; hold until `grant`
    // Length of the frame that waits, bytes; valid with `request`, hold until `grant`
    input  wire [13:0] request_bytes,
    // The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive
    input  wire        source_empty,
    output wire        grant,            // The requested frame may start in this cycle
    output wire        oversize,         // The requested frame is longer than the bucket and will never be granted
    output wire [24:0] current_rate,     // Current rate r, bytes per cycle, 18 fraction bits
    output wire [15:0] taken_frames,     // Frames whose feedback was taken
    // Feedback frames for this reaction point that are not valid, or that were received with an error
    output wire [15:0] malformed_frames,
    output wire [15:0] refused_frames,   // Valid feedback frames whose CPID is not allowed
    output wire [15:0] elsewhere_frames, // Frames of the EtherType of feedback for another address
    output wire [15:0] dropped_frames    // Feedback frames that came while another feedback waited
);
    tidegate_qcn_reaction_point reaction_point (
        .clock(clock),
        .reset(reset),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .bad_frame(bad_frame),
        .valid(valid),
        .request(request),
        .request_bytes(request_bytes),
        .source_empty(source_empty),
        .rp_mac_high(16'h200),
        .rp_mac_low(32'h1000),
        .allowed_cpid_high(32'd0),
        .allowed_cpid_low(32'd0),
        .allowed_cpid_mask_high(32'd0),
        .allowed_cpid_mask_low(32'd0),
        .bucket_bytes(14'h652),
        .overhead_bytes(5'd0),
        .line_rate(25'h40000),
        .min_rate(25'ha3d),
        .ai_rate(25'h106),
        .hai_rate(25'd0),
        .gd_shift(4'd7),
        .byte_cycle_low(24'h249f0),
        .byte_cycle_span(24'd0),
        .timer_low(24'd0),
        .timer_span(24'd0),
        .seed(16'd1),
        .increase_stage(6'd6),
        .half_stage(6'd5),
        .target_reduction(1'd0),
        .extra_fast_recovery(1'd0),
        .grant(grant),
        .oversize(oversize),
        .current_rate(current_rate),
        .taken_frames(taken_frames),
        .malformed_frames(malformed_frames),
        .refused_frames(refused_frames),
        .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames)
    );
endmodule

`default_nettype wire
