// SPDX-License-Identifier: MIT OR Apache-2.0
// DSM's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in cycle
// t + 1 and changes `current_rate` in cycle t + 2.
//
// Part of: dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme dsm --out DIR

`default_nettype none

module tidegate_calculator_dsm (
    input  wire        clock,          // Clock, rising edge
    input  wire        reset,          // Synchronous reset, active high
    input  wire        feedback_valid, // The feedback fields are valid; hold them until `feedback_ready`
    output wire        feedback_ready, // High for one cycle: the feedback is taken in this cycle
    input  wire [15:0] q_offset_units, // F, 2^-18 bytes per cycle, two's complement, bits 31 to 16
    input  wire [15:0] q_delta_units,  // F, bits 15 to 0
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    // The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`
    output wire        remember,
    input  wire [24:0] line_rate,      // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,       // Minimum rate, bytes per cycle, 18 fraction bits
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    output wire [24:0] current_rate    // Current rate r, bytes per cycle, 18 fraction bits
);
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits

    initial begin
        rate = 25'd0;
    end

    wire rule_changes;
    wire [24:0] rule_new_rate;
    wire rate_bounds_binds;
    wire [24:0] rate_bounds_bound;
    wire rate_bounds_at_line_rate;

    assign current_rate = rate;

    tidegate_step_dsm rule (
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
        .rate_cut(rate_cut),
        .rate(rate),
        .changes(rule_changes),
        .new_rate(rule_new_rate)
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
            rate <= rule_new_rate;
        end else if (rate_bounds_binds) begin
            rate <= rate_bounds_bound;
        end
        if (reset) begin
            rate <= line_rate;
        end
    end

    wire unused = &{1'b0, rate_bounds_at_line_rate};
endmodule

`default_nettype wire
