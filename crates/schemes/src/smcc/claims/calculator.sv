// SPDX-License-Identifier: MIT OR Apache-2.0
// SMCC's calculator keeps its rate between minimum rate and line rate, and changes it only when a feedback is taken.

module calculator_smcc_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [15:0] q_offset_units,
    input [15:0] q_delta_units,
    input same_point,
    input [31:0] gain_a,
    input [31:0] gain_a_small,
    input [31:0] gain_b,
    input [15:0] t1_units
);
    `OTHER_INPUTS
    (* anyconst *) wire zero_in_state_a, store_any;
    (* anyconst *) wire [5:0] store_weight;
    (* anyconst *) wire [24:0] line_rate;
    (* anyconst *) wire [24:0] min_rate, rate_cut;
    wire feedback_ready, remember;
    wire [24:0] current_rate;

    calculator_smcc device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .same_point(same_point),
        .remember(remember),
        .line_rate(line_rate), .min_rate(min_rate), .gain_a(gain_a), .gain_a_small(gain_a_small), .gain_b(gain_b),
        .t1_units(t1_units), .zero_in_state_a(zero_in_state_a), .store_any(store_any), .store_weight(store_weight),
        .rate_cut(rate_cut), .current_rate(current_rate)
    );

    reg started = 0, after_reset = 0, offered_before = 0;
    // The feedback that was taken in the cycle before: an increase from the same point, or a decrease.
    reg raised = 0, lowered = 0;
    reg [24:0] rate_before;
    wire zero_now = zero_in_state_a && q_delta_units == 0;
    wire state_b = (q_offset_units[15] ^ q_delta_units[15]) && !zero_now;
    wire [15:0] number = state_b ? q_delta_units : q_offset_units;
    wire raise = number[15];
    wire decrease = feedback_ready && !raise && number != 0;
    // A decrease has been remembered since reset.
    reg knows = 0;
    always @(posedge clock) knows <= !reset && (knows || remember);
    (* keep *) wire guess_knows = knows;
    wire always_stores = store_any || !state_b || !knows;
    // An offered feedback does not change until it is taken.
    reg [32:0] fields_before;
    wire [32:0] fields = {q_offset_units, q_delta_units, same_point};
    always @(posedge clock) begin
        started <= 1;
        after_reset <= reset;
        offered_before <= feedback_valid && !feedback_ready && !reset;
        fields_before <= fields;
        raised <= feedback_valid && feedback_ready && raise && same_point && !reset;
        lowered <= feedback_valid && feedback_ready && !raise && !reset;
        rate_before <= current_rate;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid && fields == fields_before);
    end

    // Cycles since the feedback at the input became valid. The state of the calculator follows from it.
    reg [4:0] waited = 0;
    always @(posedge clock) waited <= reset || feedback_ready || !feedback_valid ? 0 : waited + 1;
    (* keep *) wire [1:0] guess_phase = waited == 0 ? 0 : waited <= 16 ? 1 : waited == 17 ? 2 : 3;
    // The bits of the number that were looked at, from the lowest.
    (* keep *) wire guess_nonzero = (number & ((17'd1 << waited) - 17'd1)) != 0;
    (* keep *) wire guess_state_b = state_b, guess_state_b_if = waited >= 1;
    (* keep *) wire guess_increase = raise, guess_increase_if = waited >= 1;
    (* keep *) wire [3:0] guess_place = waited >= 1 && waited <= 17 ? waited : 0;

    (* keep *) wire [26:0] guess_less_bound = -{2'd0, raise ? line_rate : min_rate};
    (* keep *) wire guess_less_bound_if = waited >= 1;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        helper_waited: assert(waited <= 18);
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        whole_levels: assert((current_rate & rate_cut) == 0);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        rises_by_raises_only: assert(after_reset || current_rate <= rate_before || raised);
        falls_by_lowers_only: assert(after_reset || current_rate >= rate_before || lowered);
        taken_in_time: assert(feedback_ready == (waited == 18));
        remembers_decreases: assert(!remember || decrease && (always_stores || store_weight != 0));
        remembers_of_congestion: assert(!(decrease && always_stores) || remember);
    end
endmodule
