// SPDX-License-Identifier: MIT OR Apache-2.0
// BCN's rate. Reset sets it to the line rate. Feedback that is valid from cycle t is taken in cycle
// t + 104 and changes `current_rate` in t + 105. A stop that is over ends as soon as no feedback is
// worked on: the rate is then the minimum rate.
//
// Part of: bcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn --out DIR

`default_nettype none

module tidegate_calculator_bcn (
    input  wire        clock,          // Clock, rising edge
    input  wire        reset,          // Synchronous reset, active high
    input  wire        feedback_valid, // The feedback fields are valid; hold them until `feedback_ready`
    output wire        feedback_ready, // High for one cycle: the feedback is taken in this cycle
    input  wire [15:0] q_offset_units, // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_delta_units,  // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    // The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`
    output wire        remember,
    input  wire [24:0] line_rate,      // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,       // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [5:0]  weight,         // w, weight of the queue change
    input  wire [29:0] feedback_gain,  // |Fb| for each 64 octets of |Qoff + w*dQ|, 24 fraction bits
    input  wire [3:0]  gd_shift,       // G_d = 2^-`gd_shift`
    input  wire [24:0] increase_unit,  // G_i * R_u, bytes per cycle, 18 fraction bits
    input  wire [24:0] stop_cycles,    // T_max, upper bound of the random waiting time after a stop, cycles
    input  wire [15:0] seed,           // Value of the random source after reset, not 0
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    // Current rate r, bytes per cycle, 18 fraction bits; 0 while the source is stopped
    output wire [24:0] current_rate
);
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg stopped; // The source is stopped
    reg [24:0] wait_left; // Cycles until the source starts again

    initial begin
        rate = 25'd0;
        stopped = 1'd0;
        wait_left = 25'd0;
    end

    wire rule_idle;
    wire rule_changes;
    wire [24:0] rule_new_rate;
    wire rule_stops;
    wire [24:0] rule_wait_cycles;
    wire rate_bounds_binds;
    wire [24:0] rate_bounds_bound;
    wire rate_bounds_at_line_rate;

    wire rate_bounds_free = rule_changes || stopped;
    assign current_rate = rate;

    tidegate_step_bcn rule (
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
        .feedback_gain(feedback_gain),
        .gd_shift(gd_shift),
        .increase_unit(increase_unit),
        .stop_cycles(stop_cycles),
        .seed(seed),
        .rate_cut(rate_cut),
        .rate(rate),
        .stopped(stopped),
        .idle(rule_idle),
        .changes(rule_changes),
        .new_rate(rule_new_rate),
        .stops(rule_stops),
        .wait_cycles(rule_wait_cycles)
    );

    tidegate_rate_bounds rate_bounds (
        .clock(clock),
        .reset(reset),
        .rate(rate),
        .free(rate_bounds_free),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .binds(rate_bounds_binds),
        .bound(rate_bounds_bound),
        .at_line_rate(rate_bounds_at_line_rate)
    );

    always @(posedge clock) begin
        // Cycles until a stopped source starts again
        if (|wait_left) begin
            wait_left <= wait_left - 25'd1;
        end
        if (rule_idle && stopped && !(|wait_left)) begin
            stopped <= 1'd0;
            rate <= min_rate;
        end
        if (rate_bounds_binds) begin
            rate <= rate_bounds_bound;
        end
        if (rule_changes) begin
            rate <= rule_new_rate;
            stopped <= rule_stops;
            if (rule_stops) begin
                wait_left <= rule_wait_cycles;
            end
        end
        if (reset) begin
            rate <= line_rate;
            stopped <= 1'd0;
        end
    end

    wire unused = &{1'b0, rate_bounds_at_line_rate};
endmodule

`default_nettype wire
