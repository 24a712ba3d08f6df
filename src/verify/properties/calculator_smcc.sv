// SMCC's calculator keeps its rate between minimum rate and line rate. Its multipliers may return any product.

module calculator_smcc_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [15:0] q_offset_units,
    input [15:0] q_delta_units,
    input [63:0] cpid,
    input [63:0] cpid_mask,
    input [31:0] gain_a,
    input [31:0] gain_a_small,
    input [31:0] gain_b,
    input [15:0] t1_units
);
    (* anyconst *) wire [24:0] line_rate;
    (* anyconst *) wire [24:0] min_rate;
    wire feedback_ready;
    wire [24:0] current_rate;

    calculator_smcc device (
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]),
        .line_rate(line_rate), .min_rate(min_rate), .gain_a(gain_a), .gain_a_small(gain_a_small), .gain_b(gain_b),
        .t1_units(t1_units), .cpid_mask_high(cpid_mask[63:32]), .cpid_mask_low(cpid_mask[31:0]),
        .current_rate(current_rate)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
    end

    // Feedback of cycle t changes the rate in cycle t + 4: the cycles that can increase or decrease the rate.
    reg [3:0] raises = 0, lowers = 0;
    wire state_b = q_offset_units[15] ^ q_delta_units[15];
    wire raise = state_b ? q_delta_units[15] : q_offset_units[15];
    reg after_reset = 0;
    reg [24:0] rate_before;
    always @(posedge clock) begin
        raises <= reset ? 4'd0 : {raises[2:0], feedback_valid && raise};
        lowers <= reset ? 4'd0 : {lowers[2:0], feedback_valid && !raise};
        after_reset <= reset;
        rate_before <= current_rate;
    end

    always @(*) if (started) begin
        rate_in_bounds: assert(current_rate >= min_rate && current_rate <= line_rate);
        line_rate_after_reset: assert(!after_reset || current_rate == line_rate);
        rises_by_raises_only: assert(after_reset || current_rate <= rate_before || raises[3]);
        falls_by_lowers_only: assert(after_reset || current_rate >= rate_before || lowers[3]);
        always_ready: assert(feedback_ready);
    end
endmodule
