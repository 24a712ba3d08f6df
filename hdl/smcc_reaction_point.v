// SMCC's reaction point.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module smcc_reaction_point (
    input  wire        clock,                  // Rising edge counts
    input  wire        reset,                  // Synchronous, active high
    input  wire [31:0] data_high,              // Octets 0 to 3 of the word, the first in the top byte
    input  wire [31:0] data_low,               // Octets 4 to 7
    input  wire [3:0]  octets,                 // Valid octets of the last word, 1 to 8
    input  wire        last,                   // The last word of a frame
    input  wire        valid,                  // A word is there
    output wire        ready,                  // It is taken
    input  wire        request,                // A frame waits; hold until `grant`
    input  wire [13:0] request_bytes,          // Its length, bytes
    input  wire [15:0] rp_mac_high,            // Address of this reaction point, bits 47 to 32
    input  wire [31:0] rp_mac_low,             // Bits 31 to 0
    input  wire [31:0] allowed_cpid_high,      // Congestion point to listen to, bits 63 to 32
    input  wire [31:0] allowed_cpid_low,       // Bits 31 to 0
    input  wire [31:0] allowed_cpid_mask_high, // Bits of it that count, 63 to 32; none: any
    input  wire [31:0] allowed_cpid_mask_low,  // Bits 31 to 0
    input  wire [13:0] bucket_bytes,           // Depth of the bucket, bytes, 128 to 16255
    input  wire [4:0]  overhead_bytes,         // Added to each frame, bytes: 20 where preamble and gap count
    input  wire [24:0] line_rate,              // Line rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,               // Least rate, bytes per cycle, 18 fraction bits
    input  wire [31:0] gain_a,                 // a, for large QDelta, 2^-18 bytes per cycle for 64 octets, 16 fraction bits
    input  wire [31:0] gain_a_small,           // a, for small QDelta, in the same unit
    input  wire [31:0] gain_b,                 // b, in the same unit
    input  wire [15:0] t1_units,               // T1: largest |QDelta| that is small, 64 octets
    input  wire [31:0] cpid_mask_high,         // Bits of the CPID that are stored and compared, 63 to 32
    input  wire [31:0] cpid_mask_low,          // Bits 31 to 0
    output wire        grant,                  // It may start in this cycle
    output wire        oversize,               // It is longer than the bucket and can never go: discard and count it
    output wire [24:0] current_rate,           // r, bytes per cycle, 18 fraction bits
    output wire [31:0] ignored_frames          // Frames that were not taken; wraps
);
    wire parser_feedback_valid;
    wire [5:0] parser_quantized_feedback;
    wire [15:0] parser_q_offset_units;
    wire [15:0] parser_q_delta_units;
    wire [31:0] parser_cpid_high;
    wire [31:0] parser_cpid_low;
    wire calculator_feedback_ready;
    wire [13:0] rate_limiter_grant_bytes;
    parser parser (
        .clock(clock),
        .reset(reset),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .valid(valid),
        .ready(ready),
        .rp_mac_high(rp_mac_high),
        .rp_mac_low(rp_mac_low),
        .allowed_cpid_high(allowed_cpid_high),
        .allowed_cpid_low(allowed_cpid_low),
        .allowed_cpid_mask_high(allowed_cpid_mask_high),
        .allowed_cpid_mask_low(allowed_cpid_mask_low),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .quantized_feedback(parser_quantized_feedback),
        .q_offset_units(parser_q_offset_units),
        .q_delta_units(parser_q_delta_units),
        .cpid_high(parser_cpid_high),
        .cpid_low(parser_cpid_low),
        .ignored_frames(ignored_frames)
    );
    calculator_smcc calculator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(parser_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .q_offset_units(parser_q_offset_units),
        .q_delta_units(parser_q_delta_units),
        .cpid_high(parser_cpid_high),
        .cpid_low(parser_cpid_low),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .gain_a(gain_a),
        .gain_a_small(gain_a_small),
        .gain_b(gain_b),
        .t1_units(t1_units),
        .cpid_mask_high(cpid_mask_high),
        .cpid_mask_low(cpid_mask_low),
        .current_rate(current_rate)
    );
    rate_limiter rate_limiter (
        .clock(clock),
        .reset(reset),
        .rate(current_rate),
        .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes),
        .request(request),
        .request_bytes(request_bytes),
        .grant(grant),
        .grant_bytes(rate_limiter_grant_bytes),
        .oversize(oversize)
    );
    wire unused = &{1'b0, parser_quantized_feedback, rate_limiter_grant_bytes};
endmodule
