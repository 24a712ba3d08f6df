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
    input [3:0] gd_shift,
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
    (* anyconst *) wire [24:0] line_rate;
    (* anyconst *) wire [24:0] min_rate;
    wire feedback_ready;
    wire [24:0] current_rate, target_rate;
    wire [5:0] byte_stage, time_stage;

    calculator_qcn device (
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

    always @(*) if (started) begin
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        never_less_than_half: assert(after_reset || current_rate >= rate_before >> 1);
    end
endmodule
