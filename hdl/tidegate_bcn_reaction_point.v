// SPDX-License-Identifier: MIT OR Apache-2.0
// BCN's reaction point.
//
// Received frames arrive on the stream, of which a word is taken in every cycle. To send a frame of
// `request_bytes`, the source drives `request` and holds both until `grant`. A calculator that
// counts bytes counts a frame in the cycle of its grant.
//
// Scheme: Backward congestion notification (bcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn --out DIR

`default_nettype none

module tidegate_bcn_reaction_point (
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
    input  wire [15:0] rp_mac_high,            // Address of this reaction point, bits 47 to 32
    input  wire [31:0] rp_mac_low,             // Address of this reaction point, bits 31 to 0
    input  wire [31:0] allowed_cpid_high,      // Allowed congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] allowed_cpid_low,       // Allowed congestion point identifier, bits 31 to 0
    // Bits of the allowed identifier that are compared, bits 63 to 32; all 64 bits 0: any identifier is allowed
    input  wire [31:0] allowed_cpid_mask_high,
    input  wire [31:0] allowed_cpid_mask_low,  // Bits of the allowed identifier that are compared, bits 31 to 0
    input  wire        cpid_any,               // All congestion points are the same
    input  wire        cpid_digest,            // Compare digests of 16 bits, not whole identifiers
    input  wire [13:0] bucket_bytes,           // Depth of the bucket, bytes, 128 to 16224
    // Bytes added to the length of each frame: 20 if preamble and inter-frame gap count, else 0
    input  wire [4:0]  overhead_bytes,
    input  wire [24:0] line_rate,              // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,               // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [5:0]  weight,                 // w, weight of the queue change
    input  wire [29:0] feedback_gain,          // |Fb| for each 64 octets of |Qoff + w*dQ|, 24 fraction bits
    input  wire [3:0]  gd_shift,               // G_d = 2^-`gd_shift`
    input  wire [24:0] increase_unit,          // G_i * R_u, bytes per cycle, 18 fraction bits
    input  wire [24:0] stop_cycles,            // T_max, upper bound of the random waiting time after a stop, cycles
    input  wire [15:0] seed,                   // Value of the random source after reset, not 0
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    output wire        grant,                  // The requested frame may start in this cycle
    // The requested frame is longer than the bucket and will never be granted
    output wire        oversize,
    // Current rate r, bytes per cycle, 18 fraction bits; 0 while the source is stopped
    output wire [24:0] current_rate,
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
    wire calculator_remember;

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
        .cpid_any(cpid_any),
        .cpid_digest(cpid_digest),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .remember(calculator_remember),
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

    tidegate_calculator_bcn calculator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .q_offset_units(parser_q_offset_units),
        .q_delta_units(parser_q_delta_units),
        .same_point(parser_same_point),
        .remember(calculator_remember),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .weight(weight),
        .feedback_gain(feedback_gain),
        .gd_shift(gd_shift),
        .increase_unit(increase_unit),
        .stop_cycles(stop_cycles),
        .seed(seed),
        .rate_cut(rate_cut),
        .current_rate(current_rate)
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

    wire unused = &{1'b0, parser_quantized_feedback, parser_has_flow_id, parser_flow_id, parser_frame_start,
        parser_frame_flow, parser_frame_cpid_high, parser_frame_cpid_low, parser_frame_cpid_high_valid,
        parser_frame_cpid_low_valid};
endmodule

`default_nettype wire
