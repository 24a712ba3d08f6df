// SPDX-License-Identifier: MIT OR Apache-2.0
// r <- r + F (Cheng, equation (26)). QOffset and QDelta of the frame hold F as 32-bit two's
// complement. The rate itself is stored outside.
//
// Feedback that is valid from cycle t is taken in cycle t + 1, with the new rate; hold its fields
// and the rate until then. A decrease is remembered, and F = 0 is none; an increase is applied only
// if it comes from the `same_point`. The rate stays between minimum rate and line rate.
//
// Part of: dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme dsm --out DIR

`default_nettype none

module tidegate_step_dsm (
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
    input  wire [24:0] rate,           // Current rate r, bytes per cycle, 18 fraction bits
    output wire        changes,        // The rate changes; valid with `feedback_ready`
    output wire [24:0] new_rate        // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
);
    reg [26:0] sum; // r + F before the limits, 2^-18 bytes per cycle, two's complement
    reg summed; // `sum` belongs to the current feedback, which is taken in this cycle

    initial begin
        sum = 27'd0;
        summed = 1'd0;
    end

    wire [6:0] top = q_offset_units[15:9];

    reg [26:0] step;
    always @* begin
        step = {2'd0, q_offset_units[8:0], q_delta_units};
        if (q_offset_units[15]) begin
            step = {2'h3, q_offset_units[8:0], q_delta_units};
            if (top != 7'd127) begin
                step = 27'h6000000;
            end
        end else if (|top) begin
            step = 27'h1ffffff;
        end
    end

    wire increase = !q_offset_units[15] && (|q_offset_units || |q_delta_units);
    assign feedback_ready = summed;
    assign remember = summed && q_offset_units[15];
    wire [25:0] sum_unsigned = sum[25:0];
    assign changes = summed && (!increase || same_point);
    wire [24:0] bounded =
        (sum[26] || (sum_unsigned < {1'd0, min_rate})) ? min_rate :
        (sum_unsigned > {1'd0, line_rate}) ? line_rate :
        sum[24:0];

    // What is below a level is cut off
    assign new_rate = bounded & (rate_cut ^ 25'h1ffffff);

    always @(posedge clock) begin
        summed <= feedback_valid && !summed;
        sum <= {2'd0, rate} + step;
        if (reset) begin
            summed <= 1'd0;
        end
    end
endmodule

`default_nettype wire
