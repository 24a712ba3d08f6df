// SPDX-License-Identifier: MIT OR Apache-2.0
// The calculator without a state machine does the step of equation (25) in one cycle. The rule is written as in the
// proof of the step that takes 18 cycles: floor((floor(x / 2) + y) / 2) = floor((x + 2 y) / 4). Two multipliers are
// compared by a solver only if they add in the same order, so the factors and the additions are written a second time
// as in the circuit, and `helper_follows_the_rule` says that these are the factors of the rule.
// solved as bits

module calculator_smcc_at_once_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [15:0] q_offset_units,
    input [15:0] q_delta_units,
    input same_point
);
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate, min_rate, rate_cut;
    (* anyconst *) wire [31:0] gain_a, gain_a_small, gain_b;
    (* anyconst *) wire [15:0] t1_units;
    (* anyconst *) wire zero_in_state_a, store_any;
    (* anyconst *) wire [5:0] store_weight;
    wire feedback_ready, remember;
    wire [24:0] current_rate;

    calculator_smcc_at_once device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .same_point(same_point), .remember(remember),
        .line_rate(line_rate), .min_rate(min_rate), .gain_a(gain_a), .gain_a_small(gain_a_small), .gain_b(gain_b),
        .t1_units(t1_units), .zero_in_state_a(zero_in_state_a), .store_any(store_any), .store_weight(store_weight),
        .rate_cut(rate_cut), .current_rate(current_rate)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
    end

    // The rule. A number is above or below 0, and 0 is positive, but for QDelta with `zero_in_state_a`.
    wire offset_below = q_offset_units[15];
    wire delta_below = q_delta_units == 0 && zero_in_state_a ? offset_below : q_delta_units[15];
    wire state_a = offset_below == delta_below;
    wire [15:0] delta_magnitude = q_delta_units[15] ? -q_delta_units : q_delta_units;
    wire [15:0] number = state_a ? q_offset_units : q_delta_units;
    wire [31:0] gain = !state_a ? gain_b : delta_magnitude > t1_units ? gain_a : gain_a_small;
    wire raise = number[15];
    wire [15:0] magnitude = raise ? -number : number;
    wire state_b = (q_offset_units[15] ^ q_delta_units[15]) && !(zero_in_state_a && !(|q_delta_units));
    wire [15:0] factor_signed = state_b ? q_delta_units : q_offset_units;
    wire [15:0] factor = factor_signed[15] ? -factor_signed : factor_signed;
    wire [31:0] other_factor = state_b ? gain_b
        : delta_magnitude > t1_units ? gain_a : gain_a_small;
    reg [32:0] product;
    reg [23:0] weighted;
    integer place;
    always @(*) begin
        product = 0;
        for (place = 0; place < 16; place = place + 1)
            product = factor[place] ? (product + {1'b0, other_factor}) >> 1 : product >> 1;
        weighted = 0;
        for (place = 5; place >= 0; place = place - 1)
            weighted = store_weight[place] ? (weighted << 1) + {8'd0, q_delta_units} : weighted << 1;
    end
    wire [24:0] size = product[32:25] != 0 ? 25'h1ffffff : product[24:0];

    // The rate of the next cycle, and whether a decrease has been remembered.
    reg [24:0] next_rate;
    reg knows = 0;
    wire [25:0] raised = {1'b0, current_rate} + {1'b0, size};
    wire [25:0] lowered = {1'b0, current_rate} - {1'b0, size};
    wire below = current_rate < size || lowered[24:0] < min_rate;
    wire [24:0] expected = raise ? (raised > {1'b0, line_rate} ? line_rate : raised[24:0] & ~rate_cut)
        : below ? min_rate : lowered[24:0] & ~rate_cut;
    // A decrease by QDelta has QDelta > 0.
    wire signed [23:0] line = $signed(weighted) + $signed(q_offset_units);
    wire stores = state_a || store_any || !knows || line > 0;
    wire remembered = feedback_valid && !raise && number != 0 && stores;
    wire changes = feedback_valid && (!raise || same_point);
    always @(posedge clock) begin
        next_rate <= reset ? line_rate : changes ? expected : current_rate;
        knows <= !reset && (knows || remembered && changes);
    end
    (* keep *) wire guess_knows_point = knows;

    // The registers that keep the rate within its bounds when these change: here they do not.
    (* anyseq *) wire inner_rate_bounds__high, inner_rate_bounds__low;
    always @(*) if (started) begin
        helper_high: assert(!inner_rate_bounds__high || current_rate == line_rate);
        helper_low: assert(!inner_rate_bounds__low);
        helper_bounds: assert(current_rate >= min_rate && current_rate <= line_rate && (current_rate & rate_cut) == 0);
        helper_follows_the_rule: assert(factor == magnitude && factor_signed == number && other_factor == gain);
        moves_by_the_signs: assert(current_rate == next_rate);
        taken_at_once: assert(feedback_ready == feedback_valid);
        remembers_as_chosen: assert(remember == remembered);
    end
endmodule
