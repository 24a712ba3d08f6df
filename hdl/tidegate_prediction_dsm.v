// SPDX-License-Identifier: MIT OR Apache-2.0
// Computes F, the rate step, of the sample at the head of the queue (Cheng, equations (24) and
// (25)). The sums S1 and S2 over the last m values of F are updated by recurrences (section IV.D).
//
// The frame carries F in 2^-18 bytes per cycle as 32-bit two's complement: bits 31 to 16 in
// QOffset, bits 15 to 0 in QDelta. Six products share one serial multiplier: a frame can begin 213
// cycles after its sample is at the head of the queue. A sample of a flow that no reaction point
// controls is dropped in that cycle; its F is 0. Zero counts as positive; Qf and Qv saturate at 2
// MiB; products are rounded towards zero; |F| is at most `step_max`.
//
// The sums, the last values of F and their number stand outside: they change at the end of each
// cycle to `next_s1`, `next_s2`, `next_place` and `next_filled`, and the word at `place` to `step`
// if `remember` is high.
//
// Part of: dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme dsm --out DIR

`default_nettype none

module tidegate_prediction_dsm (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        sample_valid,       // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,         // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,           // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,            // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,         // The last word of the frame is transferred in this cycle
    input  wire [5:0]  loop_delay,         // m, delay of the loop in sampling periods, not 0; that of the history
    input  wire [5:0]  omega,              // omega, weight of the queue change in the sliding line
    input  wire [23:0] period_cycles,      // T, sampling period, cycles
    input  wire [27:0] gain_a,             // Gain a, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [27:0] gain_b,             // Gain b, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [27:0] gain_c,             // Gain c, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [24:0] step_max,           // Largest |F|, 2^-18 bytes per cycle
    output wire        feedback_valid,     // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: 0, this scheme does not use it
    output wire [15:0] q_offset_units,     // F, 2^-18 bytes per cycle, two's complement, bits 31 to 16
    output wire [15:0] q_delta_units,      // F, bits 15 to 0
    output reg         pop,                // Remove this sample from the sample queue
    output wire        idle,               // No sample is worked on: m may change in this cycle, and the sums with it
    // The sums, the place and the number stay as they are until the sample is removed
    output wire        decided,
    input  wire [5:0]  place,              // Address of the next F in the history
    input  wire [5:0]  filled,             // Number of values of F in the history, at most m
    input  wire [31:0] s1,                 // S1, sum of F(k-i) over i from 1 to m
    input  wire [31:0] s2,                 // S2, sum of i*F(k-i) over i from 1 to m
    output reg  [5:0]  next_place,         // `place` in the next cycle
    output reg  [5:0]  next_filled,        // `filled` in the next cycle
    output reg  [31:0] next_s1,            // `s1` in the next cycle
    output reg  [31:0] next_s2,            // `s2` in the next cycle
    output wire [5:0]  oldest_place,       // Address of F(k-m) in the history
    // The word of the history at `oldest_place`, 2^-18 bytes per cycle, two's complement
    input  wire [25:0] oldest_word,
    output wire        remember,           // Write F to the history
    output wire [25:0] rate_step           // F, 2^-18 bytes per cycle, two's complement; valid with `remember`
);
    localparam [3:0] DSM_PHASE_IDLE = 4'd0;
    localparam [3:0] DSM_PHASE_OFFSET_OF_HISTORY = 4'd1;
    localparam [3:0] DSM_PHASE_OFFSET_OF_CHANGE = 4'd2;
    localparam [3:0] DSM_PHASE_CHANGE_OF_HISTORY = 4'd3;
    localparam [3:0] DSM_PHASE_WEIGH = 4'd4;
    localparam [3:0] DSM_PHASE_SCALE = 4'd5;
    localparam [3:0] DSM_PHASE_LIMIT = 4'd6;
    localparam [3:0] DSM_PHASE_FORGET = 4'd7;
    localparam [3:0] DSM_PHASE_SUM = 4'd8;
    localparam [3:0] DSM_PHASE_SEND = 4'd9;
    localparam [2:0] DSM_PRODUCT_PERIOD_OF_SECOND = 3'd0;
    localparam [2:0] DSM_PRODUCT_DELAY_OF_CHANGE = 3'd1;
    localparam [2:0] DSM_PRODUCT_PERIOD_OF_FIRST = 3'd2;
    localparam [2:0] DSM_PRODUCT_WEIGHT_OF_CHANGE = 3'd3;
    localparam [2:0] DSM_PRODUCT_GAIN_A = 3'd4;
    localparam [2:0] DSM_PRODUCT_GAIN_B = 3'd5;
    localparam [2:0] DSM_PRODUCT_GAIN_C = 3'd6;
    localparam [2:0] DSM_PRODUCT_DELAY_OF_OLDEST = 3'd7;

    reg [3:0] phase; // State of the sequence of steps
    // The state is `Send`, and the sample is of a flow that is controlled. The frame and the end of the state depend on
    // it: a register saves the comparison
    reg sends;
    reg selects; // `source` tells the product of this state
    reg begun; // The product of this state has started
    reg [2:0] source; // The product of this state
    // What the number is multiplied by, from the cycle after its start on: the additions of the product wait for no
    // choice
    reg [31:0] factor;
    reg of_history; // It is T*S1 or T*S2: shift the product right by two to get bytes
    reg negative; // The number to multiply is negative
    reg [31:0] offset; // Queue offset of the sample, then the predicted offset, bytes, two's complement
    reg [31:0] change; // Queue change of the sample, then the predicted change, bytes, two's complement
    reg delta_negative; // offset + omega*change of the predictions is negative
    reg too_large; // |F| is above `step_max`
    reg [25:0] step; // F, 2^-18 bytes per cycle, two's complement
    reg [25:0] oldest; // F(k-m), the oldest F of the history; 0 while the history has less than m values

    initial begin
        phase = 4'd0;
        sends = 1'd0;
        selects = 1'd0;
        begun = 1'd0;
        source = 3'd0;
        factor = 32'd0;
        of_history = 1'd0;
        negative = 1'd0;
        offset = 32'd0;
        change = 32'd0;
        delta_negative = 1'd0;
        too_large = 1'd0;
        step = 26'd0;
        oldest = 26'd0;
    end

    wire done;
    wire [31:0] product;
    wire scaled_product_overflow;

    assign remember = phase == DSM_PHASE_SUM;
    assign oldest_place = place - loop_delay;
    assign rate_step = step;
    wire [3:0] offset_top = q_offset[24:21];

    reg [31:0] q_offset_extended;
    always @* begin
        q_offset_extended = {11'd0, q_offset[20:0]};
        if (q_offset[24]) begin
            q_offset_extended = {11'h7ff, q_offset[20:0]};
            if (offset_top != 4'd15) begin
                q_offset_extended = 32'hffe00000;
            end
        end else if (|offset_top) begin
            q_offset_extended = 32'h1fffff;
        end
    end

    wire [3:0] delta_top = q_delta[24:21];

    reg [31:0] q_delta_extended;
    always @* begin
        q_delta_extended = {11'd0, q_delta[20:0]};
        if (q_delta[24]) begin
            q_delta_extended = {11'h7ff, q_delta[20:0]};
            if (delta_top != 4'd15) begin
                q_delta_extended = 32'hffe00000;
            end
        end else if (|delta_top) begin
            q_delta_extended = 32'h1fffff;
        end
    end

    wire [31:0] oldest_extended = oldest[25] ? {6'h3f, oldest} : {6'd0, oldest};
    wire start = selects && !begun;
    wire by_change = (offset[31] ^ change[31]) && (change[31] == delta_negative);
    wire [31:0] bytes = product >> 2;

    reg [31:0] selected;
    always @* begin
        selected = offset;
        case (source)
            DSM_PRODUCT_PERIOD_OF_SECOND: selected = s2;
            DSM_PRODUCT_DELAY_OF_CHANGE: selected = change;
            DSM_PRODUCT_PERIOD_OF_FIRST: selected = s1;
            DSM_PRODUCT_WEIGHT_OF_CHANGE, DSM_PRODUCT_GAIN_B: selected = change;
            DSM_PRODUCT_DELAY_OF_OLDEST: selected = oldest_extended;
            default: ;
        endcase
    end

    wire [31:0] term = of_history ? bytes : product;
    wire [32:0] addend = negative ? {term ^ 32'hffffffff, 1'd1} : {term, 1'd0};
    wire [32:0] offset_total = {offset, 1'd1} + addend;
    wire [32:0] change_total = {change, 1'd1} + addend;
    wire [25:0] magnitude = too_large ? {1'd0, step_max} : {1'd0, product[24:0]};
    wire [31:0] step_extended = step[25] ? {6'h3f, step} : {6'd0, step};

    reg works;
    always @* begin
        next_place = place;
        next_filled = filled;
        next_s1 = s1;
        next_s2 = s2;
        works = 1'd0;
        pop = sends && frame_done;
        case (phase)
            DSM_PHASE_OFFSET_OF_HISTORY, DSM_PHASE_OFFSET_OF_CHANGE, DSM_PHASE_CHANGE_OF_HISTORY, DSM_PHASE_WEIGH,
                DSM_PHASE_SCALE: works = 1'd1;
            DSM_PHASE_FORGET: begin
                works = 1'd1;
                if (start) begin
                    next_s1 = s1 + step_extended;
                end
                if (done) begin
                    next_s1 = s1 - oldest_extended;
                    next_s2 = s2 - product;
                    if (negative) begin
                        next_s2 = s2 + product;
                    end
                end
            end
            DSM_PHASE_SUM: begin
                next_s2 = s2 + s1;
                next_place = place + 6'd1;
                if (filled != loop_delay) begin
                    next_filled = filled + 6'd1;
                end
            end
            DSM_PHASE_SEND: begin
                if (frame_done || !sends) begin
                    pop = 1'd1;
                end
            end
            default: ;
        endcase
    end

    assign idle = phase == DSM_PHASE_IDLE;
    assign decided = phase == DSM_PHASE_SEND;
    assign feedback_valid = sends;
    assign q_offset_units = step_extended[31:16];
    assign q_delta_units = step_extended[15:0];
    assign quantized_feedback = 6'd0;

    tidegate_scaled_product scaled_product (
        .clock(clock),
        .reset(reset),
        .start(start),
        .operand(selected),
        .negate(negative),
        .factor(factor),
        .done(done),
        .product(product),
        .overflow(scaled_product_overflow)
    );

    always @(posedge clock) begin
        oldest <= 26'd0;
        if (filled == loop_delay) begin
            oldest <= oldest_word;
        end
        if (!selects) begin
            of_history <= (phase == DSM_PHASE_CHANGE_OF_HISTORY) || (phase == DSM_PHASE_OFFSET_OF_HISTORY);
            source <= DSM_PRODUCT_GAIN_C;
            case (phase)
                DSM_PHASE_OFFSET_OF_HISTORY: source <= DSM_PRODUCT_PERIOD_OF_SECOND;
                DSM_PHASE_OFFSET_OF_CHANGE: source <= DSM_PRODUCT_DELAY_OF_CHANGE;
                DSM_PHASE_CHANGE_OF_HISTORY: source <= DSM_PRODUCT_PERIOD_OF_FIRST;
                DSM_PHASE_WEIGH: source <= DSM_PRODUCT_WEIGHT_OF_CHANGE;
                DSM_PHASE_FORGET: source <= DSM_PRODUCT_DELAY_OF_OLDEST;
                default: begin
                    if (by_change) begin
                        source <= DSM_PRODUCT_GAIN_B;
                    end else if (offset[31] ^ change[31]) begin
                        source <= DSM_PRODUCT_GAIN_A;
                    end
                end
            endcase
        end
        factor <= {4'd0, gain_c};
        case (source)
            DSM_PRODUCT_PERIOD_OF_SECOND: factor <= {8'd0, period_cycles};
            DSM_PRODUCT_DELAY_OF_CHANGE: factor <= {10'd0, loop_delay, 16'd0};
            DSM_PRODUCT_PERIOD_OF_FIRST: factor <= {8'd0, period_cycles};
            DSM_PRODUCT_WEIGHT_OF_CHANGE: factor <= {10'd0, omega, 16'd0};
            DSM_PRODUCT_GAIN_A: factor <= {4'd0, gain_a};
            DSM_PRODUCT_GAIN_B: factor <= {4'd0, gain_b};
            DSM_PRODUCT_DELAY_OF_OLDEST: factor <= {10'd0, loop_delay, 16'd0};
            default: ;
        endcase
        if (start) begin
            negative <= selected[31];
        end
        case (phase)
            DSM_PHASE_IDLE: begin
                offset <= q_offset_extended;
                change <= q_delta_extended;
                if (sample_valid) begin
                    phase <= DSM_PHASE_OFFSET_OF_HISTORY;
                end
            end
            DSM_PHASE_OFFSET_OF_HISTORY: begin
                if (done) begin
                    offset <= offset_total[32:1];
                    phase <= DSM_PHASE_OFFSET_OF_CHANGE;
                end
            end
            DSM_PHASE_OFFSET_OF_CHANGE: begin
                if (done) begin
                    offset <= offset_total[32:1];
                    phase <= DSM_PHASE_CHANGE_OF_HISTORY;
                end
            end
            DSM_PHASE_CHANGE_OF_HISTORY: begin
                if (done) begin
                    change <= change_total[32:1];
                    phase <= DSM_PHASE_WEIGH;
                end
            end
            DSM_PHASE_WEIGH: begin
                if (done) begin
                    delta_negative <= offset_total[32];
                    phase <= DSM_PHASE_SCALE;
                end
            end
            DSM_PHASE_SCALE: begin
                if (done) begin
                    too_large <= scaled_product_overflow || (product > {7'd0, step_max});
                    phase <= DSM_PHASE_LIMIT;
                end
            end
            DSM_PHASE_LIMIT: begin
                step <= -magnitude;
                if (negative) begin
                    step <= magnitude;
                end
                if (!controlled) begin
                    step <= 26'd0;
                end
                phase <= DSM_PHASE_FORGET;
            end
            DSM_PHASE_FORGET: begin
                if (done) begin
                    phase <= DSM_PHASE_SUM;
                end
            end
            DSM_PHASE_SUM: begin
                sends <= controlled;
                phase <= DSM_PHASE_SEND;
            end
            DSM_PHASE_SEND: begin
                if (frame_done || !sends) begin
                    sends <= 1'd0;
                    phase <= DSM_PHASE_IDLE;
                end
            end
            default: phase <= DSM_PHASE_IDLE;
        endcase
        selects <= works && !done;
        begun <= selects && !done;
        if (reset) begin
            phase <= DSM_PHASE_IDLE;
            sends <= 1'd0;
            selects <= 1'd0;
            begun <= 1'd0;
        end
    end

    wire unused = &{1'b0, offset_total[0], change_total[0]};
endmodule

`default_nettype wire
