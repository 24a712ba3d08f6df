// `operand` * `factor` / 2^16, cut: four products of half-words, one after the other, in one 16 * 16 multiplier.
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme bcn|asm|dsm --out DIR

module scaled_product (
    input  wire        clock,    // Rising edge counts
    input  wire        reset,    // Synchronous, active high
    input  wire        start,    // Take both numbers
    input  wire [31:0] operand,  // One of them
    input  wire [31:0] factor,   // The other, 16 fraction bits
    output wire        done,     // The result is there, in this cycle for the first time
    output wire [31:0] product,  // The result, in the unit of the operand, where it is below 2^31
    output wire        overflow  // It is 2^31 or more
);
    reg [31:0] held_operand;
    reg [31:0] held_factor;
    reg [31:0] partial; // Product of two halves
    reg [31:0] sum; // What is added up so far
    reg over; // A part of the sum has reached 2^31 before
    reg [2:0] beat; // 0: idle; 1 to 5: multiply and add; 6: done

    initial begin
        held_operand = 32'd0;
        held_factor = 32'd0;
        partial = 32'd0;
        sum = 32'd0;
        over = 1'd0;
        beat = 3'd0;
    end
    wire [31:0] operand_swapped = (held_operand << 5'd16) | {16'd0, held_operand[31:16]};
    wire [31:0] factor_swapped = (held_factor << 5'd16) | {16'd0, held_factor[31:16]};
    wire [15:0] first = held_operand[15:0];
    wire [15:0] second = held_factor[15:0];
    wire reaches = over || sum[31];
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
        partial <= {16'd0, first} * {16'd0, second};
        if (beat == 3'd2) begin
            sum <= partial >> 5'd16;
            over <= 1'd0;
        end else if ((beat == 3'd3) || (beat == 3'd4)) begin
            sum <= sum + partial;
            over <= reaches || partial[31];
        end else if (beat == 3'd5) begin
            sum <= sum + (partial << 5'd16);
            over <= reaches || |partial[31:15];
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
