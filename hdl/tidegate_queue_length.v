// SPDX-License-Identifier: MIT OR Apache-2.0
// Adds what enters a queue to its length and subtracts what leaves it, and limits the sum.
// Combinational; a register belongs between `next_sum` and `sum`: a clamp after the adder would
// make the path too long.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_queue_length (
    input  wire [23:0] present,       // Length of the queue, bytes
    input  wire        enqueue,       // A packet enters the queue
    input  wire [23:0] enqueue_bytes, // Length of the packet that enters, bytes; valid with `enqueue`
    input  wire        dequeue,       // Bytes leave the queue
    input  wire [23:0] dequeue_bytes, // Number of bytes that leave; valid with `dequeue`
    output wire [25:0] next_sum,      // The length after these events before it is limited, bytes, two's complement
    // Length before it is limited, bytes, two's complement. Bit 25: below 0; else bit 24: more than 24 bits hold
    input  wire [25:0] sum,
    output wire [23:0] length,        // That length, limited to 0 to 2^24 - 1, bytes
    output wire        clamped        // It was limited
);
    wire [25:0] entering = enqueue ? {2'd0, enqueue_bytes} : 26'd0;
    wire [25:0] leaving = dequeue ? {2'd0, dequeue_bytes} : 26'd0;
    wire [25:0] length_extended = {2'd0, present};
    wire [25:0] less_leaving = leaving ^ 26'h3ffffff;
    wire [25:0] sums = length_extended ^ entering ^ less_leaving;
    wire [25:0] carries = (length_extended & entering) | (length_extended & less_leaving) | (entering & less_leaving);
    assign next_sum = sums + {carries[24:0], 1'd1};
    assign length =
        sum[25] ? 24'd0 :
        sum[24] ? 24'hffffff :
        sum[23:0];
    assign clamped = sum[25] || sum[24];

    wire unused = &{1'b0, carries[25]};
endmodule

`default_nettype wire
