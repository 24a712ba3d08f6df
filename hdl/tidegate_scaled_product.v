// `operand` * `factor` / 2^16, rounded down: four products of half-words, one after the other, in
// one 16 * 16 multiplier.
//
// It is for operations that are rare and may take several cycles. `start` in cycle t takes both
// numbers, `done` is high in cycle t + 6, and the result is held until the next `start`. A `start`
// before `done` starts again with the new numbers.
//
// Scheme: Backward congestion notification (bcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2.
// Scheme: Adaptive sliding mode congestion control (asm). Jiang 2014: Scale Congestion Control to
//   Ultra-High Speed Ethernet, section 4.
// Scheme: Delay-tolerant sliding mode congestion control (dsm). Cheng: Congestion Control in
//   Converged Ethernet with Heterogeneous and Time-Varying Delays, sections III and IV.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme bcn|asm|dsm --out DIR

module tidegate_scaled_product (
    input  wire        clock,    // Clock, rising edge
    input  wire        reset,    // Synchronous reset, active high
    input  wire        start,    // Start: take `operand` and `factor` in this cycle
    input  wire [31:0] operand,  // Number to multiply, unsigned, any unit
    input  wire [31:0] factor,   // Number to multiply by, unsigned, 16 fraction bits
    output wire        done,     // High for one cycle: `product` and `overflow` are valid from this cycle on
    output wire [31:0] product,  // The result, in the unit of `operand`; valid if `overflow` is low
    output wire        overflow  // The result is 2^31 or more
);
    reg [31:0] held_operand; // `operand`; its half-words are swapped for the third and fourth product
    reg [31:0] held_factor; // `factor`; its half-words are swapped in each cycle
    reg [31:0] partial; // Product of the low half-words of `held_operand` and `held_factor`
    reg [31:0] sum; // Sum of the products so far, in the unit of `operand`
    reg overflowed; // A summand or the sum has already reached 2^31
    reg [2:0] beat; // State: 0 = idle, 1 to 5 = multiply and add, 6 = done

    initial begin
        held_operand = 32'd0;
        held_factor = 32'd0;
        partial = 32'd0;
        sum = 32'd0;
        overflowed = 1'd0;
        beat = 3'd0;
    end

    wire [31:0] operand_swapped = {held_operand[15:0], held_operand[31:16]};
    wire [31:0] factor_swapped = {held_factor[15:0], held_factor[31:16]};
    wire [15:0] operand_low = held_operand[15:0];
    wire [15:0] factor_low = held_factor[15:0];
    wire reaches = overflowed || sum[31];
    assign done = beat == 3'd6;
    assign product = sum;
    assign overflow = reaches;

    always @(posedge clock) begin
        if (start) begin
            held_operand <= operand;
            held_factor <= factor;
        end else begin
            held_factor <= factor_swapped;
            if (beat == 3'd2) begin
                held_operand <= operand_swapped;
            end
        end
        partial <= {16'd0, operand_low} * {16'd0, factor_low};
        if (beat == 3'd2) begin
            sum <= partial >> 16;
            overflowed <= 1'd0;
        end else if ((beat == 3'd3) || (beat == 3'd4)) begin
            sum <= sum + partial;
            overflowed <= reaches || partial[31];
        end else if (beat == 3'd5) begin
            sum <= sum + (partial << 16);
            overflowed <= reaches || |partial[31:15];
        end
        if (start) begin
            beat <= 3'd1;
        end else if (beat == 3'd6) begin
            beat <= 3'd0;
        end else if (|beat) begin
            beat <= beat + 3'd1;
        end
        if (reset) begin
            beat <= 3'd0;
        end
    end
endmodule
