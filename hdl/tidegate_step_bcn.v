// SPDX-License-Identifier: MIT OR Apache-2.0
// r <- r*(1 - G_d*|Fb|) if Fb < 0; r <- r + G_i*R_u*Fb if Fb > 0 (Jiang 2015b, equation (2)). |Fb|
// is |Qoff + w*dQ| quantised to six bits, 63 at q0*(2w + 1) and above. Fb = 0 changes nothing. If
// QOffset and QDelta are both 0, the message is BCN(0,0): the rate is 0 for a random part of
// `stop_cycles`, then it is the minimum rate; meanwhile feedback is taken and ignored. Rate and
// stop are stored outside.
//
// Feedback that is valid from cycle t is taken in cycle t + 104, with the new rate: three products
// share one serial multiplier. A decrease or a stop is remembered; an increase is applied only if
// it comes from the `same_point`. Products are rounded towards zero.
//
// Part of: bcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn --out DIR

`default_nettype none

module tidegate_step_bcn (
    input  wire        clock,          // Clock, rising edge
    input  wire        reset,          // Synchronous reset, active high
    input  wire        feedback_valid, // The feedback fields are valid; hold them until `feedback_ready`
    output reg         feedback_ready, // High for one cycle: the feedback is taken in this cycle
    input  wire [15:0] q_offset_units, // QOffset, units of 64 octets, two's complement; positive means congestion
    input  wire [15:0] q_delta_units,  // QDelta, units of 64 octets, two's complement
    // The feedback comes from the congestion point of the last one that was taken with `remember`
    input  wire        same_point,
    // The feedback lowers the rate: remember its congestion point; valid with `feedback_ready`
    output reg         remember,
    input  wire [24:0] line_rate,      // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,       // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [5:0]  weight,         // w, weight of the queue change
    input  wire [29:0] feedback_gain,  // |Fb| for each 64 octets of |Qoff + w*dQ|, 24 fraction bits
    input  wire [3:0]  gd_shift,       // G_d = 2^-`gd_shift`
    input  wire [24:0] increase_unit,  // G_i * R_u, bytes per cycle, 18 fraction bits
    input  wire [24:0] stop_cycles,    // T_max, upper bound of the random waiting time after a stop, cycles
    input  wire [15:0] seed,           // Value of the random source after reset, not 0
    // Bits that are cut off the rate after each step: one less than a power of two, and 0 in `line_rate` and `min_rate`
    input  wire [24:0] rate_cut,
    // Current rate r, bytes per cycle, 18 fraction bits; 0 while the source is stopped. Hold it until `feedback_ready`
    input  wire [24:0] rate,
    input  wire        stopped,        // The source is stopped
    output wire        idle,           // No feedback is worked on
    output reg         changes,        // The rate changes; valid with `feedback_ready`
    output wire [24:0] new_rate,       // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
    output wire        stops,          // The source stops; valid with `changes`
    // Cycles until it starts again; valid with `stops`, and held until the next feedback
    output wire [24:0] wait_cycles
);
    localparam [3:0] BCN_PHASE_IDLE = 4'd0;
    localparam [3:0] BCN_PHASE_WEIGH = 4'd1;
    localparam [3:0] BCN_PHASE_MEASURE = 4'd2;
    localparam [3:0] BCN_PHASE_QUANTISE = 4'd3;
    localparam [3:0] BCN_PHASE_CUT = 4'd4;
    localparam [3:0] BCN_PHASE_SCALE_BEGINS = 4'd5;
    localparam [3:0] BCN_PHASE_SCALE = 4'd6;
    localparam [3:0] BCN_PHASE_ADD = 4'd7;
    localparam [3:0] BCN_PHASE_APPLY = 4'd8;

    reg [3:0] phase; // State of the sequence of steps
    reg [15:0] random; // Linear-feedback shift register, the source of random numbers
    reg [27:0] total; // Qoff + w*dQ in units of 64 octets, then the new rate before its limits; two's complement
    reg no_change; // Fb is 0: the rate does not change
    reg stop; // The feedback is BCN(0,0), a stop
    reg increase; // The feedback increases the rate
    reg [5:0] feedback; // |Fb|, 0 to 63
    reg product_large; // The product is 2^25 or more: too large for a rate

    initial begin
        phase = 4'd0;
        random = 16'd0;
        total = 28'd0;
        no_change = 1'd0;
        stop = 1'd0;
        increase = 1'd0;
        feedback = 6'd0;
        product_large = 1'd0;
    end

    wire scaled_product_done;
    wire [31:0] scaled_product_product;
    wire scaled_product_overflow;

    // QOffset and QDelta with their signs
    wire [27:0] offset_extended = q_offset_units[15] ? {12'hfff, q_offset_units} : {12'd0, q_offset_units};
    wire [31:0] delta_extended = q_delta_units[15] ? {16'hffff, q_delta_units} : {16'd0, q_delta_units};
    wire [31:0] total_extended = total[27] ? {4'hf, total} : {4'd0, total};
    wire [31:0] feedback_shifted = {10'd0, feedback, 16'd0};

    // Numbers to multiply, by state
    reg scaled_product_start;
    reg [31:0] scaled_product_operand;
    reg scaled_product_negate;
    reg [31:0] scaled_product_factor;
    always @* begin
        scaled_product_start = 1'd0;
        scaled_product_operand = {7'd0, rate};
        scaled_product_factor = feedback_shifted >> gd_shift;
        if (stop) begin
            scaled_product_operand = {7'd0, stop_cycles};
            scaled_product_factor = {16'd0, random};
        end else if (increase) begin
            scaled_product_operand = {7'd0, increase_unit};
            scaled_product_factor = feedback_shifted;
        end
        scaled_product_negate = 1'd0;
        if ((phase == BCN_PHASE_IDLE) || (phase == BCN_PHASE_WEIGH)) begin
            scaled_product_start = (phase == BCN_PHASE_IDLE) && feedback_valid;
            scaled_product_operand = delta_extended;
            scaled_product_negate = q_delta_units[15];
            scaled_product_factor = {10'd0, weight, 16'd0};
        end else if ((phase == BCN_PHASE_MEASURE) || (phase == BCN_PHASE_QUANTISE)) begin
            scaled_product_start = phase == BCN_PHASE_MEASURE;
            scaled_product_operand = total_extended;
            scaled_product_negate = total[27];
            scaled_product_factor = {2'd0, feedback_gain};
        end else if (phase == BCN_PHASE_SCALE_BEGINS) begin
            scaled_product_start = 1'd1;
        end
    end

    // The product gets its sign and is added to the base: Qoff, or the rate
    wire [27:0] size = product_large ? 28'h1ffffff : {3'd0, scaled_product_product[24:0]};

    reg [27:0] base;
    reg negative;
    always @* begin
        base = {3'd0, rate};
        negative = !increase;
        if (phase == BCN_PHASE_WEIGH) begin
            base = offset_extended;
            negative = q_delta_units[15];
        end
    end

    wire [28:0] addend = negative ? {size ^ 28'hfffffff, 1'd1} : {size, 1'd0};
    wire [28:0] addition = {base, 1'd1} + addend;

    // Next random number: eight steps of the shift register
    wire [15:0] next_random = {random[7:0], random[15:8] ^ random[13:6] ^ random[12:5] ^ random[10:3]};

    // The new rate
    wire [24:0] bounded =
        stop ? 25'd0 :
        (total[27] || (total < {3'd0, min_rate})) ? min_rate :
        (total > {3'd0, line_rate}) ? line_rate :
        total[24:0];

    // What is below a level is cut off
    assign new_rate = bounded & (rate_cut ^ 25'h1ffffff);
    assign stops = stop;
    assign wait_cycles = scaled_product_product[24:0];
    assign idle = phase == BCN_PHASE_IDLE;

    always @* begin
        changes = 1'd0;
        feedback_ready = 1'd0;
        remember = 1'd0;
        if (phase == BCN_PHASE_APPLY) begin
            feedback_ready = 1'd1;
            if (!stopped) begin
                changes = stop || (!no_change && (!increase || same_point));
                remember = stop || (!no_change && !increase);
            end
        end
    end

    tidegate_scaled_product scaled_product (
        .clock(clock),
        .reset(reset),
        .start(scaled_product_start),
        .operand(scaled_product_operand),
        .negate(scaled_product_negate),
        .factor(scaled_product_factor),
        .done(scaled_product_done),
        .product(scaled_product_product),
        .overflow(scaled_product_overflow)
    );

    always @(posedge clock) begin
        product_large <= scaled_product_done && (scaled_product_overflow || |scaled_product_product[31:25]);

        // State machine
        case (phase)
            BCN_PHASE_IDLE: begin
                if (feedback_valid) begin
                    phase <= BCN_PHASE_WEIGH;
                end
            end
            BCN_PHASE_WEIGH: begin
                if (scaled_product_done) begin
                    total <= addition[28:1];
                    phase <= BCN_PHASE_MEASURE;
                end
            end
            BCN_PHASE_MEASURE: begin
                no_change <= !(|total);
                stop <= !(|q_offset_units) && !(|q_delta_units);
                increase <= total[27];
                phase <= BCN_PHASE_QUANTISE;
            end
            BCN_PHASE_QUANTISE: begin
                if (scaled_product_done) begin
                    phase <= BCN_PHASE_CUT;
                end
            end
            BCN_PHASE_CUT: begin
                feedback <= scaled_product_product[13:8];
                if (product_large || |scaled_product_product[24:14]) begin
                    feedback <= 6'd63;
                end
                phase <= BCN_PHASE_SCALE_BEGINS;
            end
            BCN_PHASE_SCALE_BEGINS: phase <= BCN_PHASE_SCALE;
            BCN_PHASE_SCALE: begin
                if (scaled_product_done) begin
                    phase <= BCN_PHASE_ADD;
                end
            end
            BCN_PHASE_ADD: begin
                total <= addition[28:1];
                phase <= BCN_PHASE_APPLY;
            end
            BCN_PHASE_APPLY: begin
                if (!stopped && stop) begin
                    random <= next_random;
                end
                phase <= BCN_PHASE_IDLE;
            end
            default: phase <= BCN_PHASE_IDLE;
        endcase
        if (reset) begin
            phase <= BCN_PHASE_IDLE;
            random <= seed;
        end
    end

    wire unused = &{1'b0, addition[0]};
endmodule

`default_nettype wire
