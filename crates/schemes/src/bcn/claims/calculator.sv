// SPDX-License-Identifier: MIT OR Apache-2.0
// BCN's calculator keeps its rate between minimum rate and line rate, or at 0 while stopped, and takes each feedback
// after a fixed number of cycles.

module calculator_bcn_properties (
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

    calculator_bcn device (
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
        assume(min_rate != 0 && min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid);
    end

    // Cycles since the feedback at the input became valid. The state of the calculator and of its multiplier follows
    // from it.
    reg [6:0] waited = 0;
    always @(posedge clock) waited <= reset || feedback_ready || !feedback_valid ? 0 : waited + 1;
    function [3:0] phase(input [6:0] cycles);
        phase = cycles == 0 ? 0 : cycles <= 33 ? 1 : cycles == 34 ? 2 : cycles <= 67 ? 3 : cycles <= 69 ? cycles - 64
            : cycles <= 102 ? 6 : cycles - 96;
    endfunction
    function [5:0] left(input [6:0] cycles);
        left = cycles >= 1 && cycles <= 33 ? 34 - cycles : cycles >= 35 && cycles <= 67 ? 68 - cycles
            : cycles >= 70 && cycles <= 102 ? 103 - cycles : 0;
    endfunction
    // A source is stopped exactly if its rate is 0, unless 0 is the minimum rate.
    (* keep *) wire guess_stopped = current_rate == 0;
    (* keep *) wire guess_stopped_if = min_rate != 0;
    (* keep *) wire [3:0] guess_phase = phase(waited);
    (* keep *) wire [5:0] guess_left = left(waited);
    (* keep *) wire guess_runs = left(waited) > 1;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        helper_waited: assert(waited <= 104);
        rate_in_bounds_or_stopped: assert((current_rate >= min_rate || current_rate == 0) && current_rate <= line_rate);
        whole_levels: assert((current_rate & rate_cut) == 0);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        changes_when_taken_or_restarted: assert(after_reset || taken_before || current_rate == rate_before
            || (rate_before == 0 && current_rate == min_rate));
        taken_in_time: assert(feedback_ready == (waited == 104));
    end
endmodule
