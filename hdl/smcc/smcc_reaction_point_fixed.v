// Reaction point, for the traffic source; parameters are fixed.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR
// Parameters:
//   bucket_bytes = 1542
//   clock_mhz = 125
//   cpid_bits = 64
//   include_overhead = false
//   line_rate_mbps = 1000
//   min_rate_mbps = 10
//   profile = paper
//   q0_bytes = 65536
//   ra_mbps = 256
//   ra_small_mbps = 128
//   rb_mbps = 64
//   sample_bytes = 150000
//   sample_jitter_percent = 15
//   sample_mode = packets
//   sample_packets = 100
//   seed = 1
//   t1_bytes = 8192
//   two_stage = false
//   w = 2

module smcc_reaction_point_fixed (
    input wire clock,
    input wire reset,
    input wire [31:0] data_high,
    input wire [31:0] data_low,
    input wire [3:0] octets,
    input wire last,
    input wire valid,
    output wire ready,
    input wire request,
    input wire [13:0] request_bytes,
    output wire grant,
    output wire oversize,
    output wire [24:0] current_rate,
    output wire [31:0] ignored_frames
);
    smcc_reaction_point reaction_point (
        .clock(clock),
        .reset(reset),
        .data_high(data_high),
        .data_low(data_low),
        .octets(octets),
        .last(last),
        .valid(valid),
        .ready(ready),
        .request(request),
        .request_bytes(request_bytes),
        .rp_mac_high(16'd512),
        .rp_mac_low(32'd4096),
        .allowed_cpid_high(32'd0),
        .allowed_cpid_low(32'd0),
        .allowed_cpid_mask_high(32'd0),
        .allowed_cpid_mask_low(32'd0),
        .bucket_bytes(14'd1542),
        .overhead_bytes(5'd0),
        .line_rate(25'd262144),
        .min_rate(25'd2621),
        .gain_a(32'd4294967),
        .gain_a_small(32'd4294967),
        .gain_b(32'd1073742),
        .t1_units(16'd128),
        .cpid_mask_high(32'd4294967295),
        .cpid_mask_low(32'd4294967295),
        .grant(grant),
        .oversize(oversize),
        .current_rate(current_rate),
        .ignored_frames(ignored_frames)
    );
endmodule
