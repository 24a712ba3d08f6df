// SPDX-License-Identifier: MIT OR Apache-2.0
// Computes -Fb = Qoff + w*dQ of the sample at the head of the queue and quantises it by long
// division: QntzFb = floor(63*|Fb| / (q0*(2w + 1))), at most 63 (Jiang 2015b, equation (1); IEEE
// 802.1Q).
//
// Only Fb < 0 is sent. With sampling by bytes, as in 802.1Q, only QntzFb > 0 is sent. From the
// cycle in which a sample is at the head: four cycles for w*dQ, one for the sum, one to scale it,
// seven to divide. A frame can begin 13 cycles after that cycle; a sample with Fb >= 0 is dropped 6
// cycles after it. Its level is known in the same cycle, and stays until the sample is popped.
// After a change of w, a cycle without a sample must pass.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_quantisation_qcn (
    input  wire        clock,               // Clock, rising edge
    input  wire        reset,               // Synchronous reset, active high
    input  wire        sample_valid,        // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,          // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,            // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,             // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,          // The last word of the frame is transferred in this cycle
    input  wire [5:0]  weight,              // w, weight of the queue change
    input  wire [25:0] feedback_full_scale, // q0 * (2 * w + 1), the |Fb| that makes QntzFb 63, bytes
    input  wire        send_zero_feedback,  // Send a frame for Fb < 0 even if QntzFb is 0
    output wire        feedback_valid,      // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback,  // QntzFb, quantised feedback, 0 to 63
    output wire [15:0] q_offset_units,      // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,       // QDelta, units of 64 octets, two's complement
    output wire        pop,                 // Remove this sample from the sample queue
    output wire        level_known,         // The level of the sample is known
    // QntzFb / 8 of the sample, which selects the sampling interval; valid with `level_known`
    output wire [2:0]  level
);
    localparam [3:0] QUANTISATION_PHASE_IDLE = 4'd0;
    localparam [3:0] QUANTISATION_PHASE_MULTIPLY_MIDDLE = 4'd1;
    localparam [3:0] QUANTISATION_PHASE_ADD_MIDDLE = 4'd2;
    localparam [3:0] QUANTISATION_PHASE_ADD_LOWEST = 4'd3;
    localparam [3:0] QUANTISATION_PHASE_ADD_OFFSET = 4'd4;
    localparam [3:0] QUANTISATION_PHASE_SCALE = 4'd5;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE64 = 4'd6;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE32 = 4'd7;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE16 = 4'd8;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE8 = 4'd9;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE4 = 4'd10;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE2 = 4'd11;
    localparam [3:0] QUANTISATION_PHASE_DIVIDE1 = 4'd12;
    localparam [3:0] QUANTISATION_PHASE_SEND = 4'd13;
    localparam [3:0] QUANTISATION_PHASE_DROP = 4'd14;

    // Of the queue offset: too few units. A sample is sent many cycles after it has come, so registers can be in the
    // path from the sample queue to the frame
    reg low_offset;
    reg high_offset; // Of the queue offset: too many units
    reg low_delta; // Of the change of the queue: too few units
    reg high_delta; // Of the change of the queue: too many units
    reg [3:0] phase; // What is done in this cycle
    // The phase is `Send`, and the sample is sent. The frame and the pop depend on it: a register saves the decision
    reg sends;
    reg [1:0] digit; // The two bits of w that dQ is multiplied by in this cycle
    reg [31:0] term; // dQ times the two bits of w of the cycle before. It is nothing where w is a constant below 4
    reg [31:0] product; // dQ times the bits of w so far; then w*dQ
    // If the product is written in this cycle, it is not the first one. It comes from a register, because the first
    // product is at the end of a long path, from the memories of the sample queue
    reg later;
    // The sum Qoff + w*dQ, then 63 times the sum, then the remainder of the division, two's complement; without its six
    // lowest bits, which no divisor changes
    reg [27:0] remainder;
    reg [5:0] low_remainder; // Its six lowest bits
    reg [5:0] quotient; // Quotient so far; QntzFb after the last division step, if not `saturated`
    reg quotient_nonzero; // The quotient is not 0
    reg saturated; // 63 times the sum is 64 times `feedback_full_scale` or more: QntzFb is 63

    initial begin
        low_offset = 1'd0;
        high_offset = 1'd0;
        low_delta = 1'd0;
        high_delta = 1'd0;
        phase = 4'd0;
        sends = 1'd0;
        term = 32'd0;
        product = 32'd0;
        later = 1'd0;
        remainder = 28'd0;
        low_remainder = 6'd0;
        quotient = 6'd0;
        quotient_nonzero = 1'd0;
        saturated = 1'd0;
    end

    wire offset_below;
    wire offset_above;
    wire delta_below;
    wire delta_above;

    // The product w*dQ, whose magnitude is below 2^30: two bits of w at a time, highest first
    wire [31:0] delta_extended = q_delta[24] ? {7'h7f, q_delta} : {7'd0, q_delta};
    wire [31:0] delta_doubled = delta_extended << 1;
    wire wide = |weight[5:2];
    wire [31:0] times_1 = digit[0] ? delta_extended : 32'd0;
    wire [31:0] times_2 = digit[1] ? delta_doubled : 32'd0;
    wire [31:0] digit_product = times_1 + times_2;

    reg [31:0] augend;
    reg [31:0] product_term;
    always @* begin
        augend = times_1;
        product_term = times_2;
        if (later) begin
            augend = product << 2;
            product_term = term;
        end
    end

    wire [31:0] next_product = augend + product_term;

    // The sum Qoff + w*dQ; its magnitude is below 2^31
    wire [31:0] offset_extended = q_offset[24] ? {7'h7f, q_offset} : {7'd0, q_offset};
    wire [31:0] sum = offset_extended + product;

    // 63 times the sum; it fits 32 bits if the sum is below 2^26, otherwise it is not used
    wire [31:0] whole_sum = {remainder[25:0], low_remainder};
    wire negative = remainder[25] || !(|whole_sum);
    wire [31:0] scaled = (whole_sum << 6) - whole_sum;

    // Long division without restoring, most significant bit of the quotient first
    wire subtracts = !remainder[27];
    wire [28:0] addend = subtracts ? ~{2'd0, feedback_full_scale, 1'd0} : {2'd0, feedback_full_scale, 1'd0};
    wire [28:0] total = {remainder, 1'd1} + addend;
    wire fits = !total[28];
    wire [27:0] carried = low_remainder[5] ? 28'd1 : 28'd0;
    wire [27:0] doubled = {total[27:1], 1'd0} | carried;
    wire [5:0] quotient_doubled = quotient << 1;

    // QntzFb, and whether it is sent
    wire [5:0] result = saturated ? 6'd63 : quotient;
    wire worth_a_frame = quotient_nonzero || fits || saturated || send_zero_feedback;
    wire finish = (sends && frame_done) || ((phase == QUANTISATION_PHASE_SEND) && !sends);
    assign pop = (phase == QUANTISATION_PHASE_DROP) ? 1'd1 : finish;
    assign level_known = (phase == QUANTISATION_PHASE_SEND) || (phase == QUANTISATION_PHASE_DROP);
    assign level = (phase == QUANTISATION_PHASE_DROP) ? 3'd0 : result[5:3];
    wire divides =
        (phase == QUANTISATION_PHASE_DIVIDE64) || (phase == QUANTISATION_PHASE_DIVIDE32)
            || (phase == QUANTISATION_PHASE_DIVIDE16) || (phase == QUANTISATION_PHASE_DIVIDE8)
            || (phase == QUANTISATION_PHASE_DIVIDE4) || (phase == QUANTISATION_PHASE_DIVIDE2)
            || (phase == QUANTISATION_PHASE_DIVIDE1);
    assign quantized_feedback = result;
    assign feedback_valid = sends;

    tidegate_frame_units offset (
        .bytes(q_offset),
        .below(offset_below),
        .above(offset_above),
        .is_below(low_offset),
        .is_above(high_offset),
        .units(q_offset_units)
    );

    tidegate_frame_units delta (
        .bytes(q_delta),
        .below(delta_below),
        .above(delta_above),
        .is_below(low_delta),
        .is_above(high_delta),
        .units(q_delta_units)
    );

    always @(posedge clock) begin
        digit <= weight[1:0];
        if (wide) begin
            digit <= weight[5:4];
            if ((phase == QUANTISATION_PHASE_IDLE) && sample_valid && !reset) begin
                digit <= weight[3:2];
            end else if ((phase == QUANTISATION_PHASE_MULTIPLY_MIDDLE) && !reset) begin
                digit <= weight[1:0];
            end
        end
        term <= digit_product;
        later <= wide && ((phase == QUANTISATION_PHASE_MULTIPLY_MIDDLE) || (phase == QUANTISATION_PHASE_ADD_MIDDLE));
        sends <= (sends && !frame_done) || ((phase == QUANTISATION_PHASE_DIVIDE1) && controlled && worth_a_frame);
        if (divides) begin
            remainder <= doubled;
            low_remainder <= low_remainder << 1;
            quotient <= quotient_doubled;
            if (fits) begin
                quotient <= quotient_doubled | 6'h1;
                quotient_nonzero <= 1'd1;
            end
        end

        // Phases: multiply, add, scale, divide, send or drop
        case (phase)
            QUANTISATION_PHASE_IDLE: begin
                product <= next_product;
                quotient <= 6'd0;
                quotient_nonzero <= 1'd0;
                saturated <= 1'd0;
                if (sample_valid) begin
                    phase <= QUANTISATION_PHASE_MULTIPLY_MIDDLE;
                end
            end
            QUANTISATION_PHASE_MULTIPLY_MIDDLE: phase <= QUANTISATION_PHASE_ADD_MIDDLE;
            QUANTISATION_PHASE_ADD_MIDDLE: begin
                if (wide) begin
                    product <= next_product;
                end
                phase <= QUANTISATION_PHASE_ADD_LOWEST;
            end
            QUANTISATION_PHASE_ADD_LOWEST: begin
                if (wide) begin
                    product <= next_product;
                end
                phase <= QUANTISATION_PHASE_ADD_OFFSET;
            end
            QUANTISATION_PHASE_ADD_OFFSET: begin
                remainder <= {2'd0, sum[31:6]};
                low_remainder <= sum[5:0];
                phase <= QUANTISATION_PHASE_SCALE;
            end
            QUANTISATION_PHASE_SCALE: begin
                remainder <= {2'd0, scaled[31:6]};
                low_remainder <= scaled[5:0];
                saturated <= |whole_sum[30:26];
                phase <= QUANTISATION_PHASE_DIVIDE64;
                if (negative) begin
                    phase <= QUANTISATION_PHASE_DROP;
                end
            end
            QUANTISATION_PHASE_DIVIDE64: begin
                if (fits) begin
                    saturated <= 1'd1;
                end
                phase <= QUANTISATION_PHASE_DIVIDE32;
            end
            QUANTISATION_PHASE_DIVIDE32: phase <= QUANTISATION_PHASE_DIVIDE16;
            QUANTISATION_PHASE_DIVIDE16: phase <= QUANTISATION_PHASE_DIVIDE8;
            QUANTISATION_PHASE_DIVIDE8: phase <= QUANTISATION_PHASE_DIVIDE4;
            QUANTISATION_PHASE_DIVIDE4: phase <= QUANTISATION_PHASE_DIVIDE2;
            QUANTISATION_PHASE_DIVIDE2: phase <= QUANTISATION_PHASE_DIVIDE1;
            QUANTISATION_PHASE_DIVIDE1: phase <= QUANTISATION_PHASE_SEND;
            QUANTISATION_PHASE_SEND: begin
                if (finish) begin
                    phase <= QUANTISATION_PHASE_IDLE;
                end
            end
            QUANTISATION_PHASE_DROP: phase <= QUANTISATION_PHASE_IDLE;
            default: phase <= QUANTISATION_PHASE_IDLE;
        endcase
        if (reset) begin
            phase <= QUANTISATION_PHASE_IDLE;
        end
        low_offset <= offset_below;
        high_offset <= offset_above;
        low_delta <= delta_below;
        high_delta <= delta_above;
        if (reset) begin
            sends <= 1'd0;
            later <= 1'd0;
        end
    end

    wire unused = &{1'b0, total[0]};
endmodule

`default_nettype wire
