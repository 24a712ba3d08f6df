// SPDX-License-Identifier: MIT OR Apache-2.0
// The step of a calculator for a reaction point of many flows: a rate between minimum rate and line rate leads to one
// between them.

module `PROPERTIES (
    input clock,
    input reset,
    input feedback_valid,
    input [24:0] rate,
    input stopped
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate, min_rate;
    wire feedback_ready, changes, stops;
    wire [24:0] new_rate;

    `PART device (
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready), .rate(rate),
        `OTHER_CONNECTIONS
`ifdef STOPS
        .stopped(stopped), .stops(stops),
`endif
        .line_rate(line_rate), .min_rate(min_rate), .changes(changes), .new_rate(new_rate)
    );

    // A feedback is held until it is taken, with its rate.
    reg started = 0, offered_before = 0;
    reg [24:0] rate_before;
    always @(posedge clock) begin
        started <= 1;
        offered_before <= feedback_valid && !feedback_ready && !reset;
        rate_before <= rate;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid && rate == rate_before);
`ifdef STOPS
        assume(min_rate != 0 && stopped == (rate == 0) && (stopped || rate >= min_rate) && rate <= line_rate);
`else
        assume(rate >= min_rate && rate <= line_rate);
`endif
    end

    // The calculator begins with the feedback, and stops when it is taken: otherwise its state is 0.
    (* keep *) wire [1:0] guess_idle_2 = 0;
    (* keep *) wire [3:0] guess_idle_4 = 0;
    (* keep *) wire guess_idle_2_if = started && !offered_before, guess_idle_4_if = started && !offered_before;

`ifdef SMCC
    // The bound that a change must not pass, by its direction.
    (* anyseq *) wire inner_increase;
    (* anyseq *) wire [26:0] inner_less_bound;
    always @(*) if (started)
        helper_bound: assert(inner_less_bound == -{2'd0, inner_increase ? line_rate : min_rate});
`endif

    always @(*) if (started) begin
`ifdef STOPS
        new_rate_in_bounds_or_stopped: assert(stops ? new_rate == 0
            : new_rate >= min_rate && new_rate <= line_rate);
`else
        new_rate_in_bounds: assert(new_rate >= min_rate && new_rate <= line_rate);
`endif
        whole_levels: assert((new_rate & rate_cut) == 0);
        changes_when_taken: assert(!changes || feedback_ready);
        taken_when_offered: assert(!feedback_ready || offered_before);
    end
endmodule
