// SPDX-License-Identifier: MIT OR Apache-2.0
// A random number of 24 bits that can be replaced in each cycle.
//
// `draw` in cycle t changes `random` in cycle t + 1. Whether the new number fits is read in its
// first cycle and told by `settled` from the next one on: a number that does not fit is replaced in
// the cycle after its second. So no comparison is in the path to the next number. It has every
// value except 0 before one comes again. Reset loads the seed.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_random_source (
    input  wire        clock,   // Clock, rising edge
    input  wire        reset,   // Synchronous reset, active high
    input  wire [15:0] seed,    // The value after reset is made of this, not 0
    input  wire        draw,    // Take the next number
    input  wire        fits,    // The current number fits where it is used; a function of `random`
    output wire [23:0] random,  // The current number
    output wire        settled  // The current number fitted in the cycle before
);
    reg [23:0] state;
    reg replaces; // The current number was there in the cycle before, and did not fit
    reg fitted; // The current number fitted in the cycle before

    initial begin
        state = 24'd0;
        replaces = 1'd0;
        fitted = 1'd0;
    end

    wire [23:0] random_step_next_random;
    wire [23:0] random_step_first_random;

    wire step = draw || replaces;
    assign random = state;
    assign settled = fitted;

    tidegate_random_step random_step (
        .random(state),
        .next_random(random_step_next_random),
        .seed(seed),
        .first_random(random_step_first_random)
    );

    always @(posedge clock) begin
        replaces <= !fits && !step;
        fitted <= fits && !step;
        if (step) begin
            state <= random_step_next_random;
        end
        if (reset) begin
            state <= random_step_first_random;
            replaces <= 1'd0;
            fitted <= 1'd0;
        end
    end
endmodule

`default_nettype wire
