// r <- r + F (dsm.txt equation (26)). F comes in the two offsets of the frame, as 32-bit two's complement.
// Scheme: Delay-tolerant sliding mode congestion control (dsm). dsm.txt III, IV
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme dsm --out DIR

module calculator_dsm (
    input  wire        clock,          // Rising edge counts
    input  wire        reset,          // Synchronous, active high
    input  wire        feedback_valid, // Feedback is there: it stays until it is taken
    output wire        feedback_ready, // It is taken
    input  wire [15:0] q_offset_units, // F, 2^-18 bytes per cycle, two's complement, bits 31 to 16
    input  wire [15:0] q_delta_units,  // Bits 15 to 0
    input  wire [31:0] cpid_high,      // Congestion point that sent it, bits 63 to 32
    input  wire [31:0] cpid_low,       // Bits 31 to 0
    input  wire [24:0] line_rate,      // Line rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,       // Least rate, bytes per cycle, 18 fraction bits
    input  wire [31:0] cpid_mask_high, // Bits of the CPID that are stored and compared, 63 to 32
    input  wire [31:0] cpid_mask_low,  // Bits 31 to 0
    output wire [24:0] current_rate    // r, bytes per cycle, 18 fraction bits
);
    reg [24:0] rate; // r
    reg [31:0] stored_cpid_high; // Congestion point of the last decrease, bits 63 to 32
    reg [31:0] stored_cpid_low; // Bits 31 to 0
    reg [26:0] sum; // r + F
    reg summed; // The sum is that of the feedback that is offered: it is taken

    initial begin
        rate = 25'd0;
        stored_cpid_high = 32'd0;
        stored_cpid_low = 32'd0;
        sum = 27'd0;
        summed = 1'd0;
    end
    wire [6:0] top = q_offset_units[15:9];
    reg [26:0] step;
    always @* begin
        step = {2'd0, q_offset_units[8:0], 16'd0} | {11'd0, q_delta_units};
        if (q_offset_units[15]) begin
            step = {2'd0, q_offset_units[8:0], 16'd0} | {11'd0, q_delta_units} | 27'h6000000;
            if (top != 7'd127) begin
                step = 27'h6000000;
            end
        end else if (|top) begin
            step = 27'h1ffffff;
        end
    end
    wire increase = !q_offset_units[15] && (|q_offset_units || |q_delta_units);
    wire [31:0] masked_high = cpid_high & cpid_mask_high;
    wire [31:0] masked_low = cpid_low & cpid_mask_low;
    wire same_point = (masked_high == stored_cpid_high) && (masked_low == stored_cpid_low);
    assign feedback_ready = summed;
    wire [25:0] sum_unsigned = sum[25:0];
    assign current_rate = rate;
    always @(posedge clock) begin
        summed <= feedback_valid && !summed;
        if (summed && !increase) begin
            stored_cpid_high <= masked_high;
            stored_cpid_low <= masked_low;
        end
        sum <= {2'd0, rate} + step;
        if (summed && (!increase || same_point)) begin
            rate <= sum[24:0];
            if (sum[26] || (sum_unsigned < {1'd0, min_rate})) begin
                rate <= min_rate;
            end else if (sum_unsigned > {1'd0, line_rate}) begin
                rate <= line_rate;
            end
        end
        if (reset) begin
            rate <= line_rate;
            stored_cpid_high <= 32'd0;
            stored_cpid_low <= 32'd0;
            summed <= 1'd0;
        end
    end
endmodule
