// SPDX-License-Identifier: MIT OR Apache-2.0
// SMCC's step is that of equation (25) for both signs that QDelta = 0 can have. The harness multiplies bit by bit as the
// circuit does, but a magnitude, and with the rule written out: floor((floor(x / 2) + y) / 2) = floor((x + 2 y) / 4), so
// sixteen such steps give floor(magnitude * gain / 2^16).

module step_smcc_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [15:0] q_offset_units,
    input [15:0] q_delta_units,
    input same_point,
    input knows_point,
    input [24:0] rate
);
    `OTHER_INPUTS
    // Parameters: any values that do not change.
    (* anyconst *) wire [24:0] line_rate, min_rate, rate_cut;
    (* anyconst *) wire [31:0] gain_a, gain_a_small, gain_b;
    (* anyconst *) wire [15:0] t1_units;
    (* anyconst *) wire zero_in_state_a, store_any;
    (* anyconst *) wire [5:0] store_weight;
    wire feedback_ready, remember, will_know_point, changes;
    wire [24:0] new_rate;

    step_smcc device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .same_point(same_point),
        .knows_point(knows_point), .remember(remember), .will_know_point(will_know_point),
        .line_rate(line_rate), .min_rate(min_rate), .gain_a(gain_a), .gain_a_small(gain_a_small), .gain_b(gain_b),
        .t1_units(t1_units), .zero_in_state_a(zero_in_state_a), .store_any(store_any), .store_weight(store_weight),
        .rate_cut(rate_cut), .rate(rate), .changes(changes), .new_rate(new_rate)
    );

    // A feedback is held until it is taken, with its rate.
    reg started = 0, offered_before = 0;
    reg [58:0] held_before;
    wire [58:0] held = {q_offset_units, q_delta_units, same_point, knows_point, rate};
    always @(posedge clock) begin
        started <= 1;
        offered_before <= feedback_valid && !feedback_ready && !reset;
        held_before <= held;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate && rate >= min_rate && rate <= line_rate);
        // A level of the rate is a power of two; the rate and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate | rate) & rate_cut) == 0);
        if (offered_before) assume(feedback_valid && held == held_before);
    end

    // The rule. A number is above or below 0, and 0 is positive, but for QDelta with `zero_in_state_a`.
    wire zero_delta = q_delta_units == 0;
    wire offset_below = q_offset_units[15];
    wire delta_below = zero_delta && zero_in_state_a ? offset_below : q_delta_units[15];
    wire state_a = offset_below == delta_below;
    wire [15:0] delta_magnitude = q_delta_units[15] ? -q_delta_units : q_delta_units;
    wire delta_large = delta_magnitude > t1_units;
    wire [15:0] number = state_a ? q_offset_units : q_delta_units;
    wire [31:0] gain = !state_a ? gain_b : delta_large ? gain_a : gain_a_small;
    wire raise = number[15];
    wire [15:0] magnitude = raise ? -number : number;

    // Cycles since the feedback became valid; the product of the bits so far, shifted right by as many.
    reg [4:0] waited = 0;
    reg [31:0] product;
    wire [15:0] bits_left = magnitude >> (waited - 5'd1);
    wire [32:0] sum = product + (bits_left[0] ? {1'b0, gain} : 33'd0);
    always @(posedge clock) begin
        waited <= reset || feedback_ready || !feedback_valid ? 0 : waited + 1;
        if (waited == 0) product <= 0;
        else if (waited <= 16) product <= sum[32:1];
    end
    wire [24:0] size = product[31:25] != 0 ? 25'h1ffffff : product[24:0];
    wire signed [27:0] moved = raise ? $signed({3'd0, rate}) + $signed({3'd0, size})
        : $signed({3'd0, rate}) - $signed({3'd0, size});
    wire [24:0] expected = moved > $signed({3'd0, line_rate}) ? line_rate
        : moved < $signed({3'd0, min_rate}) ? min_rate : moved[24:0] & ~rate_cut;

    // store_weight times the bits of QDelta so far, and the sum with QOffset at the end. A decrease by QDelta has
    // QDelta > 0.
    wire [4:0] added = waited <= 1 ? 5'd0 : waited <= 17 ? waited - 5'd1 : 5'd16;
    reg [21:0] weighted;
    always @(posedge clock) begin
        if (waited == 0) weighted <= 0;
        else if (waited <= 16) weighted <= weighted + (bits_left[0] ? {16'd0, store_weight} << added : 22'd0);
    end
    wire by_delta_down = !state_a && !raise;
    wire signed [23:0] line = $signed({2'd0, weighted}) + $signed(q_offset_units);
    wire stores = state_a || store_any || !knows_point || line > 0;
    // The circuit shifts the sum right, and QOffset comes to it as a number without sign.
    wire [22:0] added_bits = (23'd1 << added) - 23'd1;
    wire [22:0] sum_so_far = weighted + ({7'd0, q_offset_units} & added_bits);

    // The registers of the circuit follow from these.
    wire works = waited >= 1;
    (* keep *) wire [1:0] guess_phase = waited == 0 ? 0 : waited <= 16 ? 1 : waited == 17 ? 2 : 3;
    (* keep *) wire [3:0] guess_place = waited >= 1 && waited <= 17 ? waited : 0;
    (* keep *) wire guess_nonzero = (number & ((17'd1 << waited) - 17'd1)) != 0;
    (* keep *) wire guess_factor = bits_left[0], guess_factor_if = works && waited <= 16;
    (* keep *) wire guess_state_b = !state_a, guess_state_b_if = works;
    (* keep *) wire guess_increase = raise, guess_increase_if = works;
    (* keep *) wire guess_large = delta_large, guess_large_if = works;
    (* keep *) wire [31:0] guess_product = waited <= 17 ? product : {7'd0, raise ? size : ~size};
    (* keep *) wire guess_product_if = works;
    wire [15:0] offset_left = q_offset_units >> added;
    (* keep *) wire guess_offset_bit = offset_left[0], guess_offset_bit_if = works && waited <= 16;
    (* keep *) wire [5:0] guess_line = sum_so_far >> added;
    (* keep *) wire guess_line_if = works && by_delta_down;
    (* keep *) wire guess_line_rest = (sum_so_far & added_bits) != 0, guess_line_rest_if = works && by_delta_down;

    (* keep *) wire [26:0] guess_less_bound = -{2'd0, raise ? line_rate : min_rate};
    (* keep *) wire guess_less_bound_if = works;
    wire as_expected = feedback_ready && changes == (!raise || same_point) && (!changes || new_rate == expected);
    wire taken = waited == 18;
    always @(*) if (started) begin
        helper_waited: assert(waited <= 18);
        helper_weighted: assert(!works || weighted <= {added_bits, 6'd0} - added_bits);
        helper_unweighted: assert(!works || store_weight != 0 || weighted == 0);
        helper_nothing: assert(number != 0 || !works || product == 0);
        moves_by_the_signs: assert(!(taken && !zero_delta) || as_expected);
        zero_as_positive: assert(!(taken && zero_delta && !zero_in_state_a)
            || as_expected && (!offset_below || !remember && changes && new_rate == rate));
        zero_as_state_a: assert(!(taken && zero_delta && zero_in_state_a)
            || as_expected && (offset_below ? new_rate >= rate || !changes : new_rate <= rate));
        remembers_as_chosen: assert(!taken || remember == (!raise && number != 0 && stores)
            && will_know_point == (knows_point || remember));
    end
endmodule
