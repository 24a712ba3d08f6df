// SPDX-License-Identifier: MIT OR Apache-2.0
// SMCC's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in
// cycle t + 18 and changes `current_rate` in cycle t + 19.
//
// Part of: smcc.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme smcc --out DIR

`default_nettype none

module tidegate_calculator_smcc (
    input  wire        clock,           // Clock, rising edge
    input  wire        reset,           // Synchronous reset, active high
    input  wire        feedback_valid,  // The feedback fields are valid; hold them until `feedback_ready`
    output wire        feedback_ready,  // The feedback is taken in this cycle
    input  wire [15:0] q_offset_units,  // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_delta_units,   // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    output wire        remember,        // Remember the congestion point of the feedback; valid with `feedback_ready`
    input  wire [24:0] line_rate,       // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,        // Minimum rate, bytes per cycle, 18 fraction bits
    // Gain a if |QDelta| > `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_a,
    // Gain a if |QDelta| <= `t1_units`, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [31:0] gain_a_small,
    input  wire [31:0] gain_b,          // Gain b, 2^-18 bytes per cycle for each 64 octets, 16 fraction bits
    input  wire [15:0] t1_units,        // T1, largest |QDelta| that selects `gain_a_small`, units of 64 octets
    // QDelta = 0 is State A, whatever the sign of QOffset; otherwise zero is positive
    input  wire        zero_in_state_a,
    input  wire        store_any,       // Each decrease is remembered
    // Without `store_any`: the first decrease is remembered, and each with QOffset + `store_weight` x QDelta > 0; 0 =
    // with QOffset > 0
    input  wire [5:0]  store_weight,
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    output wire [24:0] current_rate     // Current rate r, bytes per cycle, 18 fraction bits
);
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg knows_point; // A congestion point is remembered

    initial begin
        rate = 25'd0;
        knows_point = 1'd0;
    end

    wire rule_will_know_point;
    wire rule_changes;
    wire [24:0] rule_new_rate;
    wire rate_bounds_binds;
    wire [24:0] rate_bounds_bound;
    wire rate_bounds_at_line_rate;

    assign current_rate = rate;

    tidegate_step_smcc rule (
        .clock(clock),
        .reset(reset),
        .feedback_valid(feedback_valid),
        .feedback_ready(feedback_ready),
        .q_offset_units(q_offset_units),
        .q_delta_units(q_delta_units),
        .same_point(same_point),
        .knows_point(knows_point),
        .remember(remember),
        .will_know_point(rule_will_know_point),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .gain_a(gain_a),
        .gain_a_small(gain_a_small),
        .gain_b(gain_b),
        .t1_units(t1_units),
        .zero_in_state_a(zero_in_state_a),
        .store_any(store_any),
        .store_weight(store_weight),
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
            knows_point <= rule_will_know_point;
        end
        if (rule_changes) begin
            rate <= rule_new_rate;
        end else if (rate_bounds_binds) begin
            rate <= rate_bounds_bound;
        end
        if (reset) begin
            rate <= line_rate;
            knows_point <= 1'd0;
        end
    end

    wire unused = &{1'b0, rate_bounds_at_line_rate};
endmodule

`default_nettype wire
