// SPDX-License-Identifier: MIT OR Apache-2.0
// QCN's calculator with registers of 32 bits: the operations of section 2.2 of Jiang 2015b, in one cycle each. The size
// of a cut is compared with the model, by simulation: two multipliers are too much for a solver.

module `PROPERTIES (
    input clock,
    input reset,
    input feedback_valid,
    input [5:0] quantized_feedback,
    input source_empty
);
    (* anyconst *) wire [24:0] line_rate, min_rate, ai_rate;
    (* anyconst *) wire [3:0] gd_shift;
    (* anyconst *) wire [5:0] increase_stage;
    `OTHER_INPUTS
    wire feedback_ready;
    wire [24:0] current_rate, target_rate;
    wire [5:0] byte_stage, time_stage;

    `PART device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .quantized_feedback(quantized_feedback), .source_empty(source_empty), .line_rate(line_rate),
        .min_rate(min_rate), .ai_rate(ai_rate), .gd_shift(gd_shift), .increase_stage(increase_stage),
        .current_rate(current_rate), .target_rate(target_rate), .byte_stage(byte_stage), .time_stage(time_stage)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
    end

    // The cycle before: whether a decrease was taken, or an increase was due, and what it makes of rate and target.
    reg after_reset = 0, lowered = 0, increased = 0;
    reg [24:0] rate_before, target_before;
    reg [5:0] byte_before, time_before;
    always @(posedge clock) begin
        after_reset <= reset;
        lowered <= !reset && feedback_valid && feedback_ready;
        increased <= !reset && !feedback_ready;
        rate_before <= current_rate;
        target_before <= target_rate;
        byte_before <= byte_stage;
        time_before <= time_stage;
    end
    wire one_more = byte_stage == byte_before + 6'd1 && time_stage == time_before
        || time_stage == time_before + 6'd1 && byte_stage == byte_before
        || byte_stage == byte_before && byte_before == 63 && time_stage == time_before
        || time_stage == time_before && time_before == 63 && byte_stage == byte_before;
    wire active_increase = byte_stage >= increase_stage || time_stage >= increase_stage;
    wire [25:0] raised = target_before + ai_rate;
    wire [24:0] target = !active_increase ? target_before : raised[25] ? 25'h1ffffff : raised[24:0];
    wire [25:0] mean = ({1'b0, rate_before} + {1'b0, target}) >> 1;
    function [24:0] bounded(input [25:0] value);
        bounded = value >= {1'b0, line_rate} ? line_rate : value < {1'b0, min_rate} ? min_rate : value[24:0];
    endfunction
    wire same = current_rate == rate_before && target_rate == target_before;
    wire inactive = current_rate == line_rate && target_rate == line_rate && byte_stage == 0 && time_stage == 0;

`ifdef SET
    (* anyseq *) wire [31:0] inner_calculator__rate, inner_calculator__target;
    (* anyseq *) wire inner_calculator__active, inner_calculator__byte_due, inner_calculator__time_due;
    (* anyseq *) wire inner_calculator__rate_bounds__high, inner_calculator__rate_bounds__low;
    wire [13:0] above = {inner_calculator__rate[31:25], inner_calculator__target[31:25]};
    wire active = inner_calculator__active, due = inner_calculator__byte_due || inner_calculator__time_due;
    wire high = inner_calculator__rate_bounds__high, low = inner_calculator__rate_bounds__low;
`else
    (* anyseq *) wire [31:0] inner_rate, inner_target;
    (* anyseq *) wire inner_active, inner_byte_due, inner_time_due;
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    wire [13:0] above = {inner_rate[31:25], inner_target[31:25]};
    wire active = inner_active, due = inner_byte_due || inner_time_due;
    wire high = inner_rate_bounds__high, low = inner_rate_bounds__low;
`endif
    always @(*) if (started) begin
        helper_above: assert(above == 0);
        helper_active: assert(active || !due && inactive);
        helper_high: assert(!high || current_rate == line_rate);
        helper_low: assert(!low);
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        line_rate_after_reset: assert(!after_reset || inactive);
        decreases_by_half_at_most: assert(!lowered || current_rate >= rate_before >> 1 && current_rate <= rate_before
            && target_rate == rate_before && byte_stage == 0 && time_stage == 0);
        increases_as_printed: assert(!increased || one_more && target_rate == target && current_rate == bounded(mean));
        else_the_same: assert(after_reset || lowered || increased || same || inactive);
    end
endmodule
