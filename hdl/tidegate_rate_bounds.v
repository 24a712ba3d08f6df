// SPDX-License-Identifier: MIT OR Apache-2.0
// Says when a rate that is stored outside must become the line rate or the minimum rate, because
// these are registers of software that change.
//
// A rate that is the line rate stays the line rate, whatever that becomes: a source without
// congestion sends at the line rate, and no other rule would raise it. A rate above a new line rate
// becomes the line rate, and one below a new minimum rate the minimum rate. Bounds that change in
// cycle t count in the rate in cycle t + 2 at the latest. Reset makes the rate the line rate, also
// if this changes in the first cycle after it.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_rate_bounds (
    input  wire        clock,        // Clock, rising edge
    input  wire        reset,        // Synchronous reset, active high: the rate becomes the line rate
    input  wire [24:0] rate,         // The rate, bytes per cycle, 18 fraction bits
    // The rate has no bounds in this cycle: it changes at its end, or is that of a stopped source
    input  wire        free,
    input  wire [24:0] line_rate,    // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,     // Minimum rate, bytes per cycle, 18 fraction bits
    output wire        binds,        // The rate becomes `bound` at the end of this cycle, if nothing else changes it
    output wire [24:0] bound,        // Line rate or minimum rate; valid with `binds`
    output wire        at_line_rate  // The rate is the line rate, and has not just changed
);
    reg high; // In the cycle before, the rate was the line rate or above it
    reg low; // In the cycle before, the rate was below the minimum rate

    initial begin
        high = 1'd0;
        low = 1'd0;
    end

    assign at_line_rate = high;
    assign binds = high || low;
    assign bound = low ? min_rate : line_rate;

    always @(posedge clock) begin
        high <= (rate >= line_rate) && !free;
        low <= (rate < min_rate) && !free;
        if (reset) begin
            high <= 1'd1;
            low <= 1'd0;
        end
    end
endmodule

`default_nettype wire
