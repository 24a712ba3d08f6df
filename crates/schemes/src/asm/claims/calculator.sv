// SPDX-License-Identifier: MIT OR Apache-2.0
// ASM's calculator keeps its rate between minimum rate and line rate, and takes each feedback after a fixed number of
// cycles.

module calculator_asm_properties (
    input clock,
    input reset,
    input feedback_valid
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate;
    (* anyconst *) wire [24:0] min_rate;
    wire feedback_ready;
    wire [24:0] current_rate;

    calculator_asm device (
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        `OTHER_CONNECTIONS
        .line_rate(line_rate), .min_rate(min_rate), .current_rate(current_rate)
    );

    reg started = 0, after_reset = 0, taken_before = 0, offered_before = 0;
    reg [24:0] rate_before;
    always @(posedge clock) begin
        started <= 1;
        after_reset <= reset;
        taken_before <= feedback_valid && feedback_ready && !reset;
        offered_before <= feedback_valid && !feedback_ready && !reset;
        rate_before <= current_rate;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid);
    end

    // Cycles since the feedback at the input became valid. The state of the calculator and of its multiplier follows
    // from it.
    reg [6:0] waited = 0;
    always @(posedge clock) waited <= reset || feedback_ready || !feedback_valid ? 0 : waited + 1;
    function [3:0] phase(input [6:0] cycles);
        phase = cycles == 0 ? 0 : cycles <= 33 ? 1 : cycles <= 36 ? cycles - 32 : cycles <= 69 ? 5 : cycles == 70 ? 6
            : cycles <= 103 ? 7 : cycles - 96;
    endfunction
    function [5:0] left(input [6:0] cycles);
        left = cycles >= 1 && cycles <= 33 ? 34 - cycles : cycles >= 37 && cycles <= 69 ? 70 - cycles
            : cycles >= 71 && cycles <= 103 ? 104 - cycles : 0;
    endfunction
    (* keep *) wire [3:0] guess_phase = phase(waited);
    (* keep *) wire [5:0] guess_left = left(waited);
    (* keep *) wire guess_runs = left(waited) > 1;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        helper_waited: assert(waited <= 106);
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        whole_levels: assert((current_rate & rate_cut) == 0);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        changes_when_taken: assert(after_reset || taken_before || current_rate == rate_before);
        taken_in_time: assert(feedback_ready == (waited == 106));
    end
endmodule
