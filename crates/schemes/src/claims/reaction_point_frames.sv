// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole reaction point: each received frame of feedback is counted by what became of it.

module `PROPERTIES (
    input clock,
    input reset,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input bad_frame,
    input valid
`ifndef MANY
    , input request,
    input [13:0] request_bytes
`endif
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [47:0] rp_mac;
    (* anyconst *) wire [63:0] allowed_cpid, allowed_cpid_mask;
    (* anyconst *) wire [13:0] bucket_bytes;
    (* anyconst *) wire [4:0] overhead_bytes;
    (* anyconst *) wire [24:0] line_rate, min_rate;
`ifdef MANY
    // A flow is numbered by the low bits of the address or by the CN-TAG.
    (* anyconst *) wire flow_from_tag;
    wire [11:0] flow_mask = 3;
    wire [11:0] free_bits = flow_from_tag ? 12'd0 : flow_mask;
    wire [15:0] unknown_frames;
`else
    wire [11:0] free_bits = 0;
`endif
    wire [15:0] taken_frames, malformed_frames, refused_frames, elsewhere_frames, dropped_frames;

    `PART device (
        .clock(clock), .reset(reset), .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last),
        .bad_frame(bad_frame), .valid(valid), .rp_mac_high(rp_mac[47:32]),
        .rp_mac_low(rp_mac[31:0]), .allowed_cpid_high(allowed_cpid[63:32]), .allowed_cpid_low(allowed_cpid[31:0]),
        .allowed_cpid_mask_high(allowed_cpid_mask[63:32]), .allowed_cpid_mask_low(allowed_cpid_mask[31:0]),
        .bucket_bytes(bucket_bytes), .overhead_bytes(overhead_bytes), .line_rate(line_rate), .min_rate(min_rate),
        `OTHER_CONNECTIONS
`ifdef MANY
        .flow_mask(flow_mask), .flow_from_tag(flow_from_tag), .unknown_frames(unknown_frames),
`else
        .request(request), .request_bytes(request_bytes),
`endif
        .taken_frames(taken_frames),
        .malformed_frames(malformed_frames), .refused_frames(refused_frames), .elsewhere_frames(elsewhere_frames),
        .dropped_frames(dropped_frames)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(octets >= 1 && octets <= 8);
        assume(min_rate <= line_rate);
        assume(bucket_bytes >= 128 && bucket_bytes <= 16224);
    end

    wire was_elsewhere, was_malformed, was_refused, was_good;
    parser_specification parser_kept (
        .clock(clock), .reset(reset), .started(started), .data(data), .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid),
        .rp_mac(rp_mac), .flow_mask(free_bits), .allowed_cpid(allowed_cpid), .allowed_cpid_mask(allowed_cpid_mask), .words(), .good(), .fields(),
        .come(), .fields_so_far(), .position(), .later(), .was_elsewhere(was_elsewhere), .was_malformed(was_malformed),
        .was_refused(was_refused), .was_good(was_good)
    );

    // Counts that stop at their largest value.
    reg after_reset = 1, good_before = 0;
    reg [15:0] elsewhere_counted = 0, malformed_counted = 0, refused_counted = 0, taken_before = 0, dropped_before = 0;
    always @(posedge clock) begin
        after_reset <= reset;
        if (was_elsewhere && elsewhere_counted != 16'hffff) elsewhere_counted <= elsewhere_counted + 1;
        if (was_malformed && malformed_counted != 16'hffff) malformed_counted <= malformed_counted + 1;
        if (was_refused && refused_counted != 16'hffff) refused_counted <= refused_counted + 1;
        good_before <= was_good;
        taken_before <= taken_frames;
        dropped_before <= dropped_frames;
        if (reset) begin
            elsewhere_counted <= 0;
            malformed_counted <= 0;
            refused_counted <= 0;
        end
    end
    (* keep *) wire [15:0] guess_elsewhere_counted = elsewhere_counted, guess_malformed_counted = malformed_counted,
        guess_refused_counted = refused_counted;
    wire one_more_taken = taken_frames == taken_before + 16'd1 && dropped_frames == dropped_before;
    wire one_more_dropped = dropped_frames == dropped_before + 16'd1 && taken_frames == taken_before;
    wire at_most = taken_before == 16'hffff || dropped_before == 16'hffff;

    always @(*) if (started) begin
        bad_frames_counted: assert(elsewhere_frames == elsewhere_counted && malformed_frames == malformed_counted
            && refused_frames == refused_counted);
        good_frames_counted: assert(after_reset || at_most || (good_before ? one_more_taken || one_more_dropped
            : taken_frames == taken_before && dropped_frames == dropped_before));
    end
endmodule
