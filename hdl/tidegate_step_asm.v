// SPDX-License-Identifier: MIT OR Apache-2.0
// r <- r - alpha*Qf - beta*dQ (Jiang 2014, equation (11)). alpha and beta have one value between
// the lines Fb = 0 and q = q0, where Qf and Qf + w*dQ differ in sign, and another value outside;
// zero counts as positive. There are two such sets (section 4.3): the approach set is used until
// |Qf + w*dQ| < `b_sigma_units`, then the sliding set until |Qf| + |dQ| < `b_zero_units`.
//
// Rate and set are stored outside. Feedback that is valid from cycle t is taken in cycle t + 106,
// with the new rate and set; hold its fields, the rate and the set until then. Three products share
// one serial multiplier. A decrease is remembered; an increase is applied only if it comes from the
// `same_point`. The rate stays between minimum rate and line rate. Products are rounded towards
// zero; a product saturates below 128 bytes per cycle.
//
// Part of: asm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme asm --out DIR

`default_nettype none

module tidegate_step_asm (
    input  wire        clock,                  // Clock, rising edge
    input  wire        reset,                  // Synchronous reset, active high
    input  wire        feedback_valid,         // The feedback fields are valid; hold them until `feedback_ready`
    output reg         feedback_ready,         // High for one cycle: the feedback is taken in this cycle
    // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_offset_units,
    input  wire [15:0] q_delta_units,          // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    // The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`
    output reg         remember,
    input  wire [24:0] line_rate,              // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,               // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [5:0]  weight,                 // w, weight of the queue change
    // Approach set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_alpha_between,
    // Approach set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_beta_between,
    // Approach set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_alpha_outside,
    // Approach set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] approach_beta_outside,
    // Sliding set: alpha between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_alpha_between,
    // Sliding set: beta between the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_beta_between,
    // Sliding set: alpha outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_alpha_outside,
    // Sliding set: beta outside the lines, 2^-18 bytes per cycle for each 64 octets, 12 fraction bits
    input  wire [31:0] sliding_beta_outside,
    input  wire [21:0] b_sigma_units,          // B_sigma, bound of |Fb| below which sliding begins, units of 64 octets
    input  wire [16:0] b_zero_units,           // B_0, bound of |Qf| + |dQ| below which sliding ends, units of 64 octets
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    input  wire [24:0] rate,                   // Current rate r, bytes per cycle, 18 fraction bits
    output reg         changes,                // Rate and set change; valid with `feedback_ready`
    output wire [24:0] new_rate,               // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
    input  wire        slides,                 // The sliding set is in use
    output wire        will_slide              // New value of `slides`; valid with `changes`
);
    localparam [3:0] ASM_PHASE_IDLE = 4'd0;
    localparam [3:0] ASM_PHASE_WEIGH = 4'd1;
    localparam [3:0] ASM_PHASE_MEASURE = 4'd2;
    localparam [3:0] ASM_PHASE_CHOOSE = 4'd3;
    localparam [3:0] ASM_PHASE_OFFSET_BEGINS = 4'd4;
    localparam [3:0] ASM_PHASE_OFFSET = 4'd5;
    localparam [3:0] ASM_PHASE_DELTA_BEGINS = 4'd6;
    localparam [3:0] ASM_PHASE_DELTA = 4'd7;
    localparam [3:0] ASM_PHASE_ADD = 4'd8;
    localparam [3:0] ASM_PHASE_SUBTRACT = 4'd9;
    localparam [3:0] ASM_PHASE_APPLY = 4'd10;

    reg [3:0] phase; // State of the sequence of steps
    reg sliding; // The sliding set will be in use, if the current feedback is applied
    // Qf + w*dQ in units of 64 octets, then the amount to subtract, then the new rate before its limits; two's
    // complement
    reg [27:0] total;
    reg [21:0] distance; // |Qf + w*dQ|, units of 64 octets
    reg [16:0] spread; // |Qf| + |dQ|, units of 64 octets
    reg between; // Qf and Qf + w*dQ differ in sign: the point is between the lines
    reg product_large; // The product is 2^25 or more: too large for a rate
    reg increase; // The feedback increases the rate

    initial begin
        phase = 4'd0;
        sliding = 1'd0;
        total = 28'd0;
        distance = 22'd0;
        spread = 17'd0;
        between = 1'd0;
        product_large = 1'd0;
        increase = 1'd0;
    end

    wire scaled_product_done;
    wire [31:0] scaled_product_product;
    wire scaled_product_overflow;

    // Magnitudes of QOffset and QDelta; QOffset with its sign
    reg [15:0] offset_magnitude;
    reg [27:0] offset_extended;
    always @* begin
        offset_magnitude = q_offset_units;
        offset_extended = {12'd0, q_offset_units};
        if (q_offset_units[15]) begin
            offset_magnitude = -q_offset_units;
            offset_extended = {12'hfff, q_offset_units};
        end
    end

    wire [15:0] delta_magnitude = q_delta_units[15] ? -q_delta_units : q_delta_units;

    // Coefficients: approach or sliding set, between or outside the lines
    reg [31:0] alpha;
    reg [31:0] beta;
    always @* begin
        alpha = approach_alpha_outside;
        beta = approach_beta_outside;
        if (between && sliding) begin
            alpha = sliding_alpha_between;
            beta = sliding_beta_between;
        end else if (between) begin
            alpha = approach_alpha_between;
            beta = approach_beta_between;
        end else if (sliding) begin
            alpha = sliding_alpha_outside;
            beta = sliding_beta_outside;
        end
    end

    // Numbers to multiply, by state
    reg scaled_product_start;
    reg [31:0] scaled_product_operand;
    reg [31:0] scaled_product_factor;
    always @* begin
        scaled_product_start = 1'd0;
        scaled_product_operand = {12'd0, delta_magnitude, 4'd0};
        scaled_product_factor = beta;
        if ((phase == ASM_PHASE_IDLE) || (phase == ASM_PHASE_WEIGH)) begin
            scaled_product_start = (phase == ASM_PHASE_IDLE) && feedback_valid;
            scaled_product_operand = {16'd0, delta_magnitude};
            scaled_product_factor = {10'd0, weight, 16'd0};
        end else if ((phase == ASM_PHASE_OFFSET_BEGINS) || (phase == ASM_PHASE_OFFSET)) begin
            scaled_product_start = phase == ASM_PHASE_OFFSET_BEGINS;
            scaled_product_operand = {12'd0, offset_magnitude, 4'd0};
            scaled_product_factor = alpha;
        end else if (phase == ASM_PHASE_DELTA_BEGINS) begin
            scaled_product_start = 1'd1;
        end
    end

    // The product gets its sign and is added to the base: Qf, 0 or alpha*Qf
    wire [27:0] size = product_large ? 28'h1ffffff : {3'd0, scaled_product_product[24:0]};

    reg [27:0] base;
    reg [27:0] term;
    reg negative;
    always @* begin
        base = total;
        term = size;
        negative = q_delta_units[15];
        if (phase == ASM_PHASE_WEIGH) begin
            base = offset_extended;
        end else if (phase == ASM_PHASE_DELTA_BEGINS) begin
            base = 28'd0;
            negative = q_offset_units[15];
        end else if (phase == ASM_PHASE_SUBTRACT) begin
            base = {3'd0, rate};
            term = total;
            negative = 1'd1;
        end
    end

    wire [28:0] addend = negative ? {term ^ 28'hfffffff, 1'd1} : {term, 1'd0};
    wire [28:0] addition = {base, 1'd1} + addend;

    // Magnitude of the sum
    wire [27:0] distance_wide = total[27] ? -total : total;

    // The new rate
    wire [24:0] bounded =
        (total[27] || (total < {3'd0, min_rate})) ? min_rate :
        (total > {3'd0, line_rate}) ? line_rate :
        total[24:0];

    // What is below a level is cut off
    assign new_rate = bounded & (rate_cut ^ 25'h1ffffff);
    assign will_slide = sliding;

    always @* begin
        changes = 1'd0;
        feedback_ready = 1'd0;
        remember = 1'd0;
        if (phase == ASM_PHASE_APPLY) begin
            feedback_ready = 1'd1;
            changes = !increase || same_point;
            remember = !increase;
        end
    end

    tidegate_scaled_product scaled_product (
        .clock(clock),
        .reset(reset),
        .start(scaled_product_start),
        .operand(scaled_product_operand),
        .negate(1'd0),
        .factor(scaled_product_factor),
        .done(scaled_product_done),
        .product(scaled_product_product),
        .overflow(scaled_product_overflow)
    );

    always @(posedge clock) begin
        product_large <= scaled_product_done && (scaled_product_overflow || |scaled_product_product[31:25]);

        // State machine
        case (phase)
            ASM_PHASE_IDLE: begin
                if (feedback_valid) begin
                    phase <= ASM_PHASE_WEIGH;
                end
            end
            ASM_PHASE_WEIGH: begin
                if (scaled_product_done) begin
                    total <= addition[28:1];
                    phase <= ASM_PHASE_MEASURE;
                end
            end
            ASM_PHASE_MEASURE: begin
                distance <= distance_wide[21:0];
                spread <= {1'd0, offset_magnitude} + {1'd0, delta_magnitude};
                between <= q_offset_units[15] ^ total[27];
                phase <= ASM_PHASE_CHOOSE;
            end
            ASM_PHASE_CHOOSE: begin
                sliding <= (spread >= b_zero_units) && (slides || (distance < b_sigma_units));
                phase <= ASM_PHASE_OFFSET_BEGINS;
            end
            ASM_PHASE_OFFSET_BEGINS: phase <= ASM_PHASE_OFFSET;
            ASM_PHASE_OFFSET: begin
                if (scaled_product_done) begin
                    phase <= ASM_PHASE_DELTA_BEGINS;
                end
            end
            ASM_PHASE_DELTA_BEGINS: begin
                total <= addition[28:1];
                phase <= ASM_PHASE_DELTA;
            end
            ASM_PHASE_DELTA: begin
                if (scaled_product_done) begin
                    phase <= ASM_PHASE_ADD;
                end
            end
            ASM_PHASE_ADD: begin
                total <= addition[28:1];
                phase <= ASM_PHASE_SUBTRACT;
            end
            ASM_PHASE_SUBTRACT: begin
                increase <= total[27];
                total <= addition[28:1];
                phase <= ASM_PHASE_APPLY;
            end
            ASM_PHASE_APPLY: phase <= ASM_PHASE_IDLE;
            default: phase <= ASM_PHASE_IDLE;
        endcase
        if (reset) begin
            phase <= ASM_PHASE_IDLE;
        end
    end

    wire unused = &{1'b0, addition[0], distance_wide[27:22]};
endmodule

`default_nettype wire
