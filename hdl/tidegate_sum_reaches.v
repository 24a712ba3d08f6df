// SPDX-License-Identifier: MIT OR Apache-2.0
// `count` + `amount` >= `bound`, with a single carry chain. Combinational.
//
// An adder followed by a comparator would be two carry chains. Here a carry-save adder first
// reduces `count` + `amount` - `bound` to two numbers; the sign of their sum is the result.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_sum_reaches (
    input  wire [23:0] count,   // Count so far
    input  wire [24:0] amount,  // Amount to add to the count, two's complement
    input  wire [23:0] bound,   // Bound that the sum is compared with
    output wire        reached  // `count` + `amount` is `bound` or more; same cycle
);
    wire [25:0] count_extended = {2'd0, count};
    wire [25:0] amount_extended = amount[24] ? {1'd1, amount} : {1'd0, amount};
    wire [25:0] less_bound = {2'd0, bound} ^ 26'h3ffffff;
    wire [25:0] sums = count_extended ^ amount_extended ^ less_bound;
    wire [25:0] carries =
        (count_extended & amount_extended) | (count_extended & less_bound) | (amount_extended & less_bound);
    wire [25:0] difference = sums + {carries[24:0], 1'd1};
    assign reached = !difference[25];

    wire unused = &{1'b0, carries[25], difference[24:0]};
endmodule

`default_nettype wire
