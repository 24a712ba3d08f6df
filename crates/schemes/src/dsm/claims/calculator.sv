// SPDX-License-Identifier: MIT OR Apache-2.0
// DSM's calculator adds each step to its rate, and keeps it between minimum rate and line rate.

module calculator_dsm_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [31:0] feedback,
    input same_point
);
    `OTHER_INPUTS
    // Parameters: any values that do not change.
    (* anyconst *) wire [24:0] line_rate, min_rate, rate_cut;
    wire feedback_ready, remember;
    wire [24:0] current_rate;

    calculator_dsm device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .q_offset_units(feedback[31:16]), .q_delta_units(feedback[15:0]), .same_point(same_point),
        .remember(remember), .line_rate(line_rate), .min_rate(min_rate), .rate_cut(rate_cut),
        .current_rate(current_rate)
    );

    reg started = 0, after_reset = 0, offered_before = 0, counted = 0;
    reg [32:0] before;
    reg [24:0] expected;
    wire signed [31:0] step = feedback;
    wire signed [33:0] sum = $signed({9'd0, current_rate}) + step;
    wire increase = step > 0;
    wire taken = feedback_valid && feedback_ready;
    always @(posedge clock) begin
        started <= 1;
        after_reset <= reset;
        offered_before <= feedback_valid && !feedback_ready && !reset;
        before <= {feedback, same_point};
        expected <= !taken || (increase && !same_point) ? current_rate
            : sum < $signed({1'b0, min_rate}) ? min_rate : sum > $signed({1'b0, line_rate}) ? line_rate
            : sum[24:0] & ~rate_cut;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid && {feedback, same_point} == before);
    end
    (* keep *) wire guess_summed = offered_before;
    // The sum that is stored while a feedback is valid; a step of more than 26 bits saturates.
    wire signed [26:0] clamped = step > 33554431 ? 27'sd33554431 : step < -33554432 ? -27'sd33554432 : step[26:0];
    (* keep *) wire [26:0] guess_sum = $signed({2'd0, current_rate}) + clamped;
    (* keep *) wire guess_sum_if = offered_before;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        whole_levels: assert((current_rate & rate_cut) == 0);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        adds_the_step: assert(after_reset || current_rate == expected);
        taken_in_time: assert(feedback_ready == offered_before);
        remembers_decreases: assert(remember == (taken && step < 0));
    end
endmodule
