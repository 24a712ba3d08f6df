// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole reaction point: its rate stays within its bounds, and not more is granted than this rate and the bucket
// allow.

module `PROPERTIES (
    input clock,
    input reset,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input bad_frame,
    input valid,
    input request,
    input [13:0] request_bytes
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [47:0] rp_mac;
    (* anyconst *) wire [63:0] allowed_cpid, allowed_cpid_mask;
    (* anyconst *) wire [13:0] bucket_bytes;
    (* anyconst *) wire [4:0] overhead_bytes;
    (* anyconst *) wire [24:0] line_rate, min_rate;
    wire grant, oversize;
    wire [24:0] current_rate;
    wire [15:0] taken_frames, malformed_frames, refused_frames, elsewhere_frames, dropped_frames;

    `PART device (
        .clock(clock), .reset(reset), .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last),
        .bad_frame(bad_frame), .valid(valid), .request(request), .request_bytes(request_bytes), .rp_mac_high(rp_mac[47:32]),
        .rp_mac_low(rp_mac[31:0]), .allowed_cpid_high(allowed_cpid[63:32]), .allowed_cpid_low(allowed_cpid[31:0]),
        .allowed_cpid_mask_high(allowed_cpid_mask[63:32]), .allowed_cpid_mask_low(allowed_cpid_mask[31:0]),
        .bucket_bytes(bucket_bytes), .overhead_bytes(overhead_bytes), .line_rate(line_rate), .min_rate(min_rate),
        `OTHER_CONNECTIONS
        .grant(grant), .oversize(oversize), .current_rate(current_rate), .taken_frames(taken_frames),
        .malformed_frames(malformed_frames), .refused_frames(refused_frames), .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(octets >= 1 && octets <= 8);
        assume(min_rate <= line_rate);
`ifndef WITHOUT_LEVELS
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
`endif
        assume(bucket_bytes >= 128 && bucket_bytes <= 16224);
    end

    rate_limiter_specification rate_limiter_kept (
        .clock(clock), .reset(reset), .started(started), .rate(current_rate), .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes), .request(request), .request_bytes(request_bytes), .grant(grant),
        .oversize(oversize)
    );

`ifdef SMCC
    // The bound that a change must not pass, by its direction.
    (* anyseq *) wire inner_calculator__rule__increase;
    (* anyseq *) wire [26:0] inner_calculator__rule__less_bound;
    always @(*) if (started)
        helper_bound: assert(inner_calculator__rule__less_bound == -{2'd0, inner_calculator__rule__increase ? line_rate : min_rate});
`endif

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_calculator__rate_bounds__high, inner_calculator__rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_calculator__rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_calculator__rate_bounds__low);
`ifdef STOPS
        rate_in_bounds_or_stopped: assert((current_rate >= min_rate || current_rate == 0) && current_rate <= line_rate);
`else
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
`endif
    end
endmodule
