// SPDX-License-Identifier: MIT OR Apache-2.0
// QCN's reaction point.
//
// Received frames arrive on the stream, of which a word is taken in every cycle. To send a frame of
// `request_bytes`, the source drives `request` and holds both until `grant`. A calculator that
// counts bytes counts a frame in the cycle of its grant.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_qcn_reaction_point (
    input  wire        clock,                  // Clock, rising edge
    input  wire        reset,                  // Synchronous reset, active high
    input  wire [31:0] data_high,              // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    input  wire [31:0] data_low,               // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    input  wire [3:0]  octets,                 // Number of valid octets in the last word, 1 to 8
    input  wire        last,                   // The word is the last one of a frame
    // The frame was received with an error, such as a wrong check sequence; valid with its last word
    input  wire        bad_frame,
    input  wire        valid,                  // The stream word is valid
    input  wire        request,                // A frame waits to be sent; hold until `grant`
    // Length of the frame that waits, bytes; valid with `request`, hold until `grant`
    input  wire [13:0] request_bytes,
    // The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive
    input  wire        source_empty,
    input  wire [15:0] rp_mac_high,            // Address of this reaction point, bits 47 to 32
    input  wire [31:0] rp_mac_low,             // Address of this reaction point, bits 31 to 0
    input  wire [31:0] allowed_cpid_high,      // Allowed congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] allowed_cpid_low,       // Allowed congestion point identifier, bits 31 to 0
    // Bits of the allowed identifier that are compared, bits 63 to 32; all 64 bits 0: any identifier is allowed
    input  wire [31:0] allowed_cpid_mask_high,
    input  wire [31:0] allowed_cpid_mask_low,  // Bits of the allowed identifier that are compared, bits 31 to 0
    input  wire [13:0] bucket_bytes,           // Depth of the bucket, bytes, 128 to 16224
    // Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0
    input  wire [4:0]  overhead_bytes,
    input  wire [24:0] line_rate,              // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,               // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] ai_rate,                // R_AI, bytes per cycle, 18 fraction bits
    input  wire [24:0] hai_rate,               // R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase
    input  wire [3:0]  gd_shift,               // G_d = 2^-`gd_shift`
    input  wire [23:0] byte_cycle_low,         // Smallest byte cycle, bytes
    input  wire [23:0] byte_cycle_span,        // Largest minus smallest byte cycle, bytes; 0 = no jitter
    input  wire [23:0] timer_low,              // Smallest timer period, cycles; 0 = no timer
    input  wire [23:0] timer_span,             // Largest minus smallest timer period, cycles; 0 = no jitter
    input  wire [15:0] seed,                   // The random source starts with this, not 0
    input  wire [5:0]  increase_stage,         // First stage of active increase
    input  wire [5:0]  half_stage,             // First stage in which byte cycle and timer period are halved
    // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire        target_reduction,
    // 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte counter
    input  wire        extra_fast_recovery,
    output wire        grant,                  // The requested frame may start in this cycle
    // The requested frame is longer than the bucket and will never be granted
    output wire        oversize,
    output wire [24:0] current_rate,           // Current rate r, bytes per cycle, 18 fraction bits
    output wire [15:0] taken_frames,           // Frames whose feedback was taken
    // Feedback frames for this reaction point that are not valid, or that were received with an error
    output wire [15:0] malformed_frames,
    output wire [15:0] refused_frames,         // Valid feedback frames whose CPID is not allowed
    output wire [15:0] elsewhere_frames,       // Frames of the EtherType of feedback for another address
    output wire [15:0] dropped_frames          // Feedback frames that came while another feedback waited
);
    wire parser_feedback_valid;
    wire [5:0] parser_quantized_feedback;
    wire [15:0] parser_q_offset_units;
    wire [15:0] parser_q_delta_units;
    wire parser_has_flow_id;
    wire [15:0] parser_flow_id;
    wire parser_same_point;
    wire parser_frame_start;
    wire [11:0] parser_frame_flow;
    wire [31:0] parser_frame_cpid_high;
    wire [31:0] parser_frame_cpid_low;
    wire parser_frame_cpid_high_valid;
    wire parser_frame_cpid_low_valid;
    wire parser_frame_taken;
    wire parser_frame_malformed;
    wire parser_frame_refused;
    wire parser_frame_elsewhere;
    wire parser_frame_dropped;
    wire calculator_feedback_ready;
    wire [24:0] calculator_target_rate;
    wire [5:0] calculator_byte_stage;
    wire [5:0] calculator_time_stage;

    wire [23:0] calculator_sent_bytes = {10'd0, request_bytes};

    tidegate_parser parser (
        .clock(clock),
        .reset(reset),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .bad_frame(bad_frame),
        .valid(valid),
        .rp_mac_high(rp_mac_high),
        .rp_mac_low(rp_mac_low),
        .flow_mask(12'd0),
        .allowed_cpid_high(allowed_cpid_high),
        .allowed_cpid_low(allowed_cpid_low),
        .allowed_cpid_mask_high(allowed_cpid_mask_high),
        .allowed_cpid_mask_low(allowed_cpid_mask_low),
        .cpid_any(1'd0),
        .cpid_digest(1'd0),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .remember(1'd0),
        .quantized_feedback(parser_quantized_feedback),
        .q_offset_units(parser_q_offset_units),
        .q_delta_units(parser_q_delta_units),
        .has_flow_id(parser_has_flow_id),
        .flow_id(parser_flow_id),
        .same_point(parser_same_point),
        .frame_start(parser_frame_start),
        .frame_flow(parser_frame_flow),
        .frame_cpid_high(parser_frame_cpid_high),
        .frame_cpid_low(parser_frame_cpid_low),
        .frame_cpid_high_valid(parser_frame_cpid_high_valid),
        .frame_cpid_low_valid(parser_frame_cpid_low_valid),
        .frame_taken(parser_frame_taken),
        .frame_malformed(parser_frame_malformed),
        .frame_refused(parser_frame_refused),
        .frame_elsewhere(parser_frame_elsewhere),
        .frame_dropped(parser_frame_dropped)
    );

    tidegate_frame_counters frame_counters (
        .clock(clock),
        .reset(reset),
        .frame_taken(parser_frame_taken),
        .frame_malformed(parser_frame_malformed),
        .frame_refused(parser_frame_refused),
        .frame_elsewhere(parser_frame_elsewhere),
        .frame_dropped(parser_frame_dropped),
        .taken_frames(taken_frames),
        .malformed_frames(malformed_frames),
        .refused_frames(refused_frames),
        .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames)
    );

    tidegate_calculator_qcn calculator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .quantized_feedback(parser_quantized_feedback),
        .sent(grant),
        .sent_bytes(calculator_sent_bytes),
        .source_empty(source_empty),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .ai_rate(ai_rate),
        .hai_rate(hai_rate),
        .gd_shift(gd_shift),
        .byte_cycle_low(byte_cycle_low),
        .byte_cycle_span(byte_cycle_span),
        .timer_low(timer_low),
        .timer_span(timer_span),
        .seed(seed),
        .increase_stage(increase_stage),
        .half_stage(half_stage),
        .target_reduction(target_reduction),
        .extra_fast_recovery(extra_fast_recovery),
        .current_rate(current_rate),
        .target_rate(calculator_target_rate),
        .byte_stage(calculator_byte_stage),
        .time_stage(calculator_time_stage)
    );

    tidegate_rate_limiter rate_limiter (
        .clock(clock),
        .reset(reset),
        .rate(current_rate),
        .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes),
        .request(request),
        .request_bytes(request_bytes),
        .grant(grant),
        .oversize(oversize)
    );

    wire unused = &{1'b0, parser_q_offset_units, parser_q_delta_units, parser_has_flow_id, parser_flow_id,
        parser_same_point, parser_frame_start, parser_frame_flow, parser_frame_cpid_high, parser_frame_cpid_low,
        parser_frame_cpid_high_valid, parser_frame_cpid_low_valid, calculator_target_rate, calculator_byte_stage,
        calculator_time_stage};
endmodule

`default_nettype wire
