// SPDX-License-Identifier: MIT OR Apache-2.0
// QCN's calculator keeps its rate between minimum rate and line rate, and no step reduces the rate by more than half.

module calculator_qcn_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [5:0] quantized_feedback,
    input sent,
    input [23:0] sent_bytes,
    input source_empty,
    input [24:0] ai_rate,
    input [24:0] hai_rate,
    input [23:0] byte_cycle_low,
    input [23:0] byte_cycle_span,
    input [23:0] timer_low,
    input [23:0] timer_span,
    input [15:0] seed,
    input [5:0] increase_stage,
    input [5:0] half_stage,
    input target_reduction,
    input extra_fast_recovery
);
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate;
    (* anyconst *) wire [24:0] min_rate;
    // The size of a cut is decided at the begin of an operation and used at its end.
    (* anyconst *) wire [3:0] gd_shift;
    wire feedback_ready;
    wire [24:0] current_rate, target_rate;
    wire [5:0] byte_stage, time_stage;

    calculator_qcn device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .quantized_feedback(quantized_feedback), .sent(sent), .sent_bytes(sent_bytes), .source_empty(source_empty),
        .line_rate(line_rate), .min_rate(min_rate), .ai_rate(ai_rate), .hai_rate(hai_rate), .gd_shift(gd_shift),
        .byte_cycle_low(byte_cycle_low), .byte_cycle_span(byte_cycle_span), .timer_low(timer_low),
        .timer_span(timer_span), .seed(seed), .increase_stage(increase_stage), .half_stage(half_stage),
        .target_reduction(target_reduction), .extra_fast_recovery(extra_fast_recovery), .current_rate(current_rate),
        .target_rate(target_rate), .byte_stage(byte_stage), .time_stage(time_stage)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
    end

    reg after_reset = 0;
    reg [24:0] rate_before;
    always @(posedge clock) begin
        after_reset <= reset;
        rate_before <= current_rate;
    end

    (* anyseq *) wire [3:0] inner_rule__phase;
    (* anyseq *) wire inner_rule__works, inner_rule__multiplies, inner_rule__decrease, inner_rule__halves, inner_rule__ends;
    (* anyseq *) wire inner_active, inner_byte_due, inner_time_due;
    (* anyseq *) wire [5:0] inner_rule__factor;
    (* anyseq *) wire [30:0] inner_rule__product;
    // If the cut is not half of the rate: QntzFb is below 2^(gd_shift - 1), and so is the product of the rate and what has
    // been taken of it. `taken` is the number of bits that have been taken.
    wire [3:0] taken = inner_rule__phase - `QcnPhase_Multiply1;
    wire [4:0] beyond = {1'b0, taken} + 1 - gd_shift;
    wire all_taken = taken + 1 > gd_shift;
    wire [30:0] most = {6'd0, current_rate} << 6;
    wire multiplies = inner_rule__decrease && inner_rule__phase >= `QcnPhase_Multiply1
        && inner_rule__phase <= `QcnPhase_Change;
    wire cuts = inner_rule__decrease && inner_rule__phase == `QcnPhase_Limit;
    wire inverts = inner_rule__decrease && inner_rule__phase == `QcnPhase_Average;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        helper_works: assert(inner_rule__works == (inner_rule__phase != `QcnPhase_Idle));
        helper_multiplies: assert(inner_rule__multiplies
            == (inner_rule__phase >= `QcnPhase_Multiply1 && inner_rule__phase < `QcnPhase_Change));
        helper_phase: assert(inner_rule__phase <= `QcnPhase_Apply);
        helper_active: assert(inner_active || !inner_rule__works && !inner_byte_due && !inner_time_due);
        helper_ends: assert(inner_rule__ends == (inner_rule__phase == `QcnPhase_Apply));
        helper_factor: assert(!multiplies || inner_rule__halves
            || inner_rule__factor >> (all_taken ? 4'd0 : gd_shift - 4'd1 - taken) == 0);
        helper_product: assert(!multiplies || inner_rule__halves
            || inner_rule__product <= most >> (all_taken ? beyond : 5'd0));
        helper_cut: assert(!cuts || inner_rule__product <= current_rate >> 1);
        helper_inverse: assert(!inverts || inner_rule__product[0] && ~inner_rule__product >> 1 <= current_rate >> 1);
        helper_target: assert(inner_rule__decrease || inner_rule__phase != `QcnPhase_Average || inner_rule__product >> 25 == 0);
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        never_less_than_half: assert(after_reset || current_rate >= rate_before >> 1);
    end
endmodule
