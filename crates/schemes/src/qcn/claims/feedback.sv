// SPDX-License-Identifier: MIT OR Apache-2.0
// QCN's feedback block sends the exact QntzFb of each sample with Fb < 0, and holds it until it is sent. Weight and
// full scale are the defaults of the scheme: a multiplication by any weight takes the solver too long.

module feedback_qcn_properties (
    input clock,
    input reset,
    input sample_valid,
    input controlled,
    input signed [24:0] q_offset,
    input signed [24:0] q_delta,
    input frame_done
);
    `OTHER_INPUTS
    wire feedback_valid, pop;
    wire signed [15:0] q_offset_units, q_delta_units;
    wire [5:0] quantized_feedback;
    wire [23:0] interval_low, interval_span;
    (* anyconst *) wire [191:0] intervals, spans;
    (* anyconst *) wire send_zero_feedback;

    feedback_qcn device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .weight(`PARAMETER_weight),
        .feedback_full_scale(`PARAMETER_feedback_full_scale), .send_zero_feedback(send_zero_feedback),
        .interval_low_0(intervals[23:0]), .interval_low_1(intervals[47:24]), .interval_low_2(intervals[71:48]),
        .interval_low_3(intervals[95:72]), .interval_low_4(intervals[119:96]), .interval_low_5(intervals[143:120]),
        .interval_low_6(intervals[167:144]), .interval_low_7(intervals[191:168]),
        .interval_span_0(spans[23:0]), .interval_span_1(spans[47:24]), .interval_span_2(spans[71:48]),
        .interval_span_3(spans[95:72]), .interval_span_4(spans[119:96]), .interval_span_5(spans[143:120]),
        .interval_span_6(spans[167:144]), .interval_span_7(spans[191:168]), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .interval_low(interval_low), .interval_span(interval_span)
    );

    feedback_specification specification (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .limit(16'h7fff), .mask(16'hffff)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;

    // -Fb = Qoff + w dQ. q = floor(63 |Fb| / F), with the full scale F, if q F <= 63 |Fb| < (q + 1) F; at most 63.
    localparam signed [41:0] WEIGHT = `PARAMETER_weight;
    localparam signed [41:0] FULL_SCALE = `PARAMETER_feedback_full_scale;
    wire signed [41:0] sum = q_offset + WEIGHT * q_delta;
    wire signed [41:0] scaled = 63 * sum;
    wire signed [41:0] quantum = FULL_SCALE * $signed({36'd0, quantized_feedback});
    wire exact = sum > 0
        && (quantum <= scaled || sum >= FULL_SCALE)
        && (quantized_feedback == 63 ? sum >= FULL_SCALE || scaled < quantum + FULL_SCALE : scaled < quantum + FULL_SCALE);

    // The rows of the table that hold the smallest interval, and those that hold it as it was a cycle before and the span.
    // After a reset the span is that of the first row.
    reg [23:0] low_before = 0;
    reg was_reset = 0;
    always @(posedge clock) {was_reset, low_before} <= {reset, interval_low};
    wire [7:0] low_row, row;
    genvar k;
    generate
        for (k = 0; k < 8; k = k + 1) begin
            assign low_row[k] = interval_low == intervals[24 * k +: 24];
            assign row[k] = low_before == intervals[24 * k +: 24] && interval_span == spans[24 * k +: 24];
        end
    endgenerate

    always @(*) if (started) begin
        quantized_exact: assert(!feedback_valid || exact);
        zero_only_if_wanted: assert(!feedback_valid || quantized_feedback != 0 || send_zero_feedback);
        interval_from_table: assert(low_row != 0 && (was_reset ? interval_span == spans[23:0] : row != 0));
    end
endmodule
