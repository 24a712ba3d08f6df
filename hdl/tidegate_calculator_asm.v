// SPDX-License-Identifier: MIT OR Apache-2.0
// ASM's rate and set of coefficients. Reset sets the rate to the line rate, and the set to that of
// approach. Feedback that is valid from cycle t is taken in cycle t + 106 and changes
// `current_rate` in cycle t + 107.
//
// Part of: asm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme asm --out DIR

`default_nettype none

module tidegate_calculator_asm (
    input  wire        clock,                  // Clock, rising edge
    input  wire        reset,                  // Synchronous reset, active high
    input  wire        feedback_valid,         // The feedback fields are valid; hold them until `feedback_ready`
    output wire        feedback_ready,         // High for one cycle: the feedback is taken in this cycle
    // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_offset_units,
    input  wire [15:0] q_delta_units,          // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    // The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`
    output wire        remember,
    input  wire [24:0] line_rate,              // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,               // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [5:0]  weight,                 // w, weight of the queue change
    // Approach set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_alpha_between,
    // Approach set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_beta_between,
    // Approach set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_alpha_outside,
    // Approach set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_beta_outside,
    // Sliding set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_alpha_between,
    // Sliding set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_beta_between,
    // Sliding set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_alpha_outside,
    // Sliding set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_beta_outside,
    input  wire [21:0] b_sigma_units,          // B_sigma, bound of |Fb| below which sliding begins, units of 64 octets
    input  wire [16:0] b_zero_units,           // B_0, bound of |Qf| + |dQ| below which sliding ends, units of 64 octets
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    output wire [24:0] current_rate            // Current rate r, bytes per cycle, 18 fraction bits
);
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg slides; // The sliding set is in use

    initial begin
        rate = 25'd0;
        slides = 1'd0;
    end

    wire rule_changes;
    wire [24:0] rule_new_rate;
    wire rule_will_slide;
    wire rate_bounds_binds;
    wire [24:0] rate_bounds_bound;
    wire rate_bounds_at_line_rate;

    assign current_rate = rate;

    tidegate_step_asm rule (
        .clock(clock),
        .reset(reset),
        .feedback_valid(feedback_valid),
        .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units),
        .q_delta_units(q_delta_units),
        .same_point(same_point),
        .remember(remember),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .weight(weight),
        .approach_alpha_between(approach_alpha_between),
        .approach_beta_between(approach_beta_between),
        .approach_alpha_outside(approach_alpha_outside),
        .approach_beta_outside(approach_beta_outside),
        .sliding_alpha_between(sliding_alpha_between),
        .sliding_beta_between(sliding_beta_between),
        .sliding_alpha_outside(sliding_alpha_outside),
        .sliding_beta_outside(sliding_beta_outside),
        .b_sigma_units(b_sigma_units),
        .b_zero_units(b_zero_units),
        .rate_cut(rate_cut),
        .rate(rate),
        .changes(rule_changes),
        .new_rate(rule_new_rate),
        .slides(slides),
        .will_slide(rule_will_slide)
    );

    tidegate_rate_bounds rate_bounds (
        .clock(clock),
        .reset(reset),
        .rate(rate),
        .free(rule_changes),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .binds(rate_bounds_binds),
        .bound(rate_bounds_bound),
        .at_line_rate(rate_bounds_at_line_rate)
    );

    always @(posedge clock) begin
        if (rule_changes) begin
            slides <= rule_will_slide;
        end
        if (rule_changes) begin
            rate <= rule_new_rate;
        end else if (rate_bounds_binds) begin
            rate <= rate_bounds_bound;
        end
        if (reset) begin
            rate <= line_rate;
            slides <= 1'd0;
        end
    end

    wire unused = &{1'b0, rate_bounds_at_line_rate};
endmodule

`default_nettype wire
