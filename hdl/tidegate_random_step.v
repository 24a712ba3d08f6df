// SPDX-License-Identifier: MIT OR Apache-2.0
// A 24-bit linear-feedback shift register (x^24 + x^23 + x^22 + x^17 + 1), sixteen steps at once,
// so that two numbers in a row share only eight bits, in other places. It has every value except 0
// before one comes again. Combinational.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_random_step (
    input  wire [23:0] random,       // A random number, not 0
    output wire [23:0] next_random,  // The next one
    input  wire [15:0] seed,         // The first number of a random source is made of this, not 0
    output wire [23:0] first_random  // The first number
);
    wire [23:0] fresh = ((random >> 8) ^ (random >> 7) ^ (random >> 6) ^ (random >> 1)) & 24'hffff;
    assign next_random = (random << 16) | fresh;
    assign first_random = {seed, seed[15:8]};
endmodule

`default_nettype wire
