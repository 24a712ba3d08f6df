// SPDX-License-Identifier: MIT OR Apache-2.0
// A number from 0 to `span`, each as likely as any other: as many low bits of a random number as
// `span` has. If they are more than `span`, the number does not fit, and the random source should
// take another one. Combinational. `SpanMask` makes `mask`; where it is too long for the same
// cycle, it may come from a register.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_random_share (
    input  wire [23:0] random,  // Random number
    input  wire [23:0] span,    // Largest result; 0 = no random part
    input  wire [23:0] mask,    // As many ones as `span` has bits
    // `random` fitted in an earlier cycle and has not changed since. If it is low, `share` leaves the most significant
    // bit out, so that it is never more than `span`
    input  wire        settled,
    output wire        fits,    // `random` fits: it need not change
    output wire [23:0] share    // The result, in the unit of `span`
);
    wire [23:0] low_bits = random & mask;
    assign fits = low_bits <= span;
    assign share = settled ? low_bits : (random & (mask >> 1));
endmodule

`default_nettype wire
