// SPDX-License-Identifier: MIT OR Apache-2.0
// `operand` * `factor` / 2^16, rounded down: one bit of `operand` in each cycle, least significant
// first, in shifts and additions.
//
// It is for operations that are rare and may take many cycles. `start` in cycle t takes `operand`,
// `done` is high in cycle t + 33, and the result is held until the next `start`. `factor` and
// `negate` must not change from cycle t + 1 to t + 32. A `start` before `done` starts again with
// the new number.
//
// Part of: bcn, asm, dsm.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn|asm|dsm --out DIR

`default_nettype none

module tidegate_scaled_product (
    input  wire        clock,    // Clock, rising edge
    input  wire        reset,    // Synchronous reset, active high
    input  wire        start,    // Start: take `operand` in this cycle
    input  wire [31:0] operand,  // Number to multiply, unsigned, any unit
    input  wire        negate,   // Multiply 2^32 - `operand` instead: the magnitude of a negative number
    input  wire [31:0] factor,   // Number to multiply by, unsigned, 16 fraction bits
    output wire        done,     // High for one cycle: `product` and `overflow` are valid from this cycle on
    output wire [31:0] product,  // The result, in the unit of `operand`; valid if `overflow` is low
    output wire        overflow  // The result is 2^31 or more
);
    // The sum of the partial products, shifted right with each bit: bits 63 to 32 of the product at the end
    reg [31:0] sum;
    // The bits of `operand` that are left, below those that the sum has shifted out: bits 31 to 0 of the product at the
    // end
    reg [31:0] rest;
    reg inverts; // A bit of `operand` was 1: to negate, all bits above it are inverted
    reg [5:0] left; // Cycles until `done`, plus 1; 0 = idle
    reg runs; // `left` is above 1: a bit is multiplied. All registers of the product depend on this

    initial begin
        sum = 32'd0;
        rest = 32'd0;
        inverts = 1'd0;
        left = 6'd0;
        runs = 1'd0;
    end

    wire bit_of_operand = rest[0] ^ (negate && inverts);
    wire [32:0] summand = bit_of_operand ? {1'd0, factor} : 33'd0;
    wire [32:0] total = {1'd0, sum} + summand;
    assign done = left == 6'd1;
    assign product = {sum[15:0], rest[31:16]};
    assign overflow = |sum[31:15];

    always @(posedge clock) begin
        if (start) begin
            sum <= 32'd0;
            rest <= operand;
            inverts <= 1'd0;
            left <= 6'd33;
            runs <= 1'd1;
        end else if (runs) begin
            sum <= total[32:1];
            rest <= rest >> 1;
            if (total[0]) begin
                rest <= {1'd1, rest[31:1]};
            end
            inverts <= inverts || rest[0];
            left <= left - 6'd1;
            runs <= left != 6'd2;
        end else begin
            left <= 6'd0;
        end
        if (reset) begin
            left <= 6'd0;
            runs <= 1'd0;
        end
    end
endmodule

`default_nettype wire
