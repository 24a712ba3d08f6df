// SPDX-License-Identifier: MIT OR Apache-2.0
// All bits from the most significant one of a number on. Combinational.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_span_mask (
    input  wire [23:0] span, // The number
    output wire [23:0] mask  // As many ones as it has bits
);
    wire [23:0] ones_2 = span | (span >> 1);
    wire [23:0] ones_4 = ones_2 | (ones_2 >> 2);
    wire [23:0] ones_8 = ones_4 | (ones_4 >> 4);
    wire [23:0] ones_16 = ones_8 | (ones_8 >> 8);
    assign mask = ones_16 | (ones_16 >> 16);
endmodule

`default_nettype wire
