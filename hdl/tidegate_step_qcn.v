// SPDX-License-Identifier: MIT OR Apache-2.0
// One operation on a rate of QCN: rate decrease, fast recovery, active and hyper-active increase,
// target reduction (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clause 32).
// Rates and stages are stored outside.
//
// An operation chooses what to multiply, multiplies for six cycles (rate * QntzFb, or R_AI or R_HAI
// * its count, which is added to the target), computes the cut or reduces the target, limits it,
// computes the new rate, and applies it. The target may be above the line rate, the current rate
// not. The target saturates below 128 bytes per cycle, stages at 63.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_step_qcn (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    // A decrease starts in this cycle; not while `busy`, and only one of the three starts
    input  wire        start_decrease,
    input  wire        start_byte,         // The increase at the end of a byte cycle starts
    input  wire        start_time,         // The increase at the end of a timer period starts
    input  wire [5:0]  quantized_feedback, // QntzFb, quantised feedback, 0 to 63; valid with `start_decrease`
    // The decrease sets the target to the rate before it; valid with `start_decrease`
    input  wire        moves_target,
    input  wire [24:0] line_rate,          // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,           // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] ai_rate,            // R_AI, bytes per cycle, 18 fraction bits
    input  wire [24:0] hai_rate,           // R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase
    input  wire [3:0]  gd_shift,           // G_d = 2^-`gd_shift`
    input  wire [5:0]  increase_stage,     // First stage of active increase
    // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire        target_reduction,
    // Current rate r, bytes per cycle, 18 fraction bits. Hold it from the start to `changes`, and the stages too
    input  wire [24:0] rate,
    // Target rate R, bytes per cycle, 18 fraction bits. Hold it until `target_changes`
    input  wire [24:0] target,
    input  wire [5:0]  byte_stage,         // Byte stage: byte cycles since the last feedback, at most 63
    input  wire [5:0]  time_stage,         // Time stage: timer periods since the last feedback, at most 63
    output wire        busy,               // An operation is done
    output wire        target_changes,     // The target changes: in the tenth cycle after the start
    // New target rate, bytes per cycle, 18 fraction bits; valid with `target_changes`
    output wire [24:0] new_target,
    // Rate and stages change, and the operation ends: in the eleventh cycle after the start
    output wire        changes,
    output reg  [24:0] new_rate,           // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
    output reg         reaches_line_rate,  // `new_rate` is the line rate
    // New byte stage; valid with `changes`, and in the cycle after if the old stages are
    output reg  [5:0]  new_byte_stage,
    // New time stage; valid with `changes`, and in the cycle after if the old stages are
    output reg  [5:0]  new_time_stage
);
    localparam [3:0] QCN_PHASE_IDLE = 4'd0;
    localparam [3:0] QCN_PHASE_CHOOSE = 4'd1;
    localparam [3:0] QCN_PHASE_MULTIPLY1 = 4'd2;
    localparam [3:0] QCN_PHASE_MULTIPLY2 = 4'd3;
    localparam [3:0] QCN_PHASE_MULTIPLY3 = 4'd4;
    localparam [3:0] QCN_PHASE_MULTIPLY4 = 4'd5;
    localparam [3:0] QCN_PHASE_MULTIPLY5 = 4'd6;
    localparam [3:0] QCN_PHASE_MULTIPLY6 = 4'd7;
    localparam [3:0] QCN_PHASE_CHANGE = 4'd8;
    localparam [3:0] QCN_PHASE_LIMIT = 4'd9;
    localparam [3:0] QCN_PHASE_AVERAGE = 4'd10;
    localparam [3:0] QCN_PHASE_APPLY = 4'd11;

    reg [3:0] phase; // What the current operation does in this cycle
    reg works; // The phase is not `Idle`. Much depends on this: a register saves the comparison
    reg multiplies; // The phase is one of the multiplication: the same for the product, whose sum comes late
    reg decrease; // The current operation is a decrease
    reg of_time; // The current operation is the increase at the end of a timer period
    // R_HAI if the current operation is a hyper-active increase, R_AI otherwise; valid with `multiplies`. Bytes per
    // cycle, 18 fraction bits
    reg [24:0] increment;
    reg reduce; // The current operation, if it is an increase, reduces the target to 1/8
    reg retarget; // The current operation, if it is a decrease, sets the target to the rate before the decrease
    reg halves; // The current operation, if it is a decrease, cuts the rate to its half
    reg byte_stage_lower; // The byte stage is smaller than the time stage
    reg stages_equal; // The stages are equal
    reg ends_target; // The target changes in this cycle, unless the decrease does not set it; known a cycle before
    reg ends; // Rate and stages change in this cycle; known a cycle before
    // First factor of the serial multiplier: QntzFb, or how often R_AI or R_HAI is added. Moves out to the right
    reg [5:0] factor;
    // The product, and the target if it is an increase, which move to the right, too. Then the cut or the new target,
    // the inverse of twice the cut or the new target, and the new rate before its limits: bytes per cycle, 18 fraction
    // bits
    reg [30:0] product;
    // `increase_stage` - 1 of the cycle before. What depends on parameters only comes from registers, which constants
    // remove
    reg [5:0] before_increase;
    reg byte_past; // In the cycle before, the byte stage was `increase_stage` or more
    reg byte_before; // It was one less
    reg time_past; // In the cycle before, the time stage was `increase_stage` or more
    reg time_before; // It was one less
    reg [6:0] less_offset; // 2 * (1 - `increase_stage`) + 1 of the cycle before
    reg has_hyper; // `hai_rate` was not 0 in the cycle before

    initial begin
        phase = 4'd0;
        works = 1'd0;
        multiplies = 1'd0;
        decrease = 1'd0;
        of_time = 1'd0;
        increment = 25'd0;
        reduce = 1'd0;
        retarget = 1'd0;
        halves = 1'd0;
        byte_stage_lower = 1'd0;
        stages_equal = 1'd0;
        ends_target = 1'd0;
        ends = 1'd0;
        factor = 6'd0;
        product = 31'd0;
        byte_past = 1'd0;
        byte_before = 1'd0;
        time_past = 1'd0;
        time_before = 1'd0;
    end

    wire byte_increases = byte_past || (!of_time && byte_before);
    wire time_increases = time_past || (of_time && time_before);
    wire hyper_active = byte_increases && time_increases && has_hyper;

    // Count of hyper-active increase: the smaller stage - `increase_stage` + 1
    wire [6:0] stage_difference = {1'd0, byte_stage} - {1'd0, time_stage};
    wire [5:0] least_stage = byte_stage_lower ? byte_stage : time_stage;
    wire least_ended = !stages_equal && (byte_stage_lower ^ of_time);
    wire [6:0] least_doubled = {least_stage, least_ended};
    wire [6:0] least_count = least_doubled + less_offset;
    wire [5:0] hyper_count = least_count[6:1];

    // Target reduction: bit 29 is 1 if 8 * rate + 2 * rate - target is negative
    wire [29:0] eight_rates = {2'd0, rate, 3'd0};
    wire [29:0] two_rates = {4'd0, rate, 1'd0};
    wire [29:0] less_target = {5'd0, target} ^ 30'h3fffffff;
    wire [29:0] excess_sums = eight_rates ^ two_rates ^ less_target;
    wire [29:0] excess_carries = (eight_rates & two_rates) | (eight_rates & less_target) | (two_rates & less_target);
    wire [29:0] excess = excess_sums + {excess_carries[28:0], 1'd1};
    wire first_cycle = of_time ? ((byte_stage == 6'd1) || !(|time_stage)) : ((time_stage == 6'd1) || !(|byte_stage));

    // Serial multiplier, least significant bit of the first factor first
    wire [30:0] first_product = decrease ? 31'd0 : {target, 6'd0};
    wire [24:0] multiplicand = decrease ? rate : increment;
    wire [25:0] addend = factor[0] ? {1'd0, multiplicand} : 26'd0;
    wire [25:0] product_high = {1'd0, product[30:6]} + addend;
    wire [30:0] product_sum = {product_high, 5'd0};
    wire [30:0] product_low = {26'd0, product[5:1]};

    // Cut, new target and new rate
    wire [6:0] halved = {factor, 1'd0};
    wire [30:0] cut = product >> gd_shift;
    wire [30:0] half_rate = {6'd0, rate} >> 1;
    wire [24:0] changed = product[24:0];
    wire [25:0] rates = decrease ? {rate, 1'd1} : {1'd0, rate};
    wire [25:0] sum = rates + product[25:0];

    // The new rate and the new stages
    always @* begin
        new_rate = changed;
        reaches_line_rate = 1'd0;
        if (changed >= line_rate) begin
            new_rate = line_rate;
            reaches_line_rate = 1'd1;
        end else if (changed < min_rate) begin
            new_rate = min_rate;
            reaches_line_rate = min_rate == line_rate;
        end
    end

    always @* begin
        new_byte_stage = byte_stage;
        new_time_stage = time_stage;
        if (decrease) begin
            new_byte_stage = 6'd0;
            new_time_stage = 6'd0;
        end else if (of_time) begin
            if (time_stage != 6'd63) begin
                new_time_stage = time_stage + 6'd1;
            end
        end else if (byte_stage != 6'd63) begin
            new_byte_stage = byte_stage + 6'd1;
        end
    end

    assign target_changes = ends_target;
    assign new_target = decrease ? rate : changed;
    assign changes = ends;
    assign busy = works;

    always @(posedge clock) begin
        // Kind of increase, from the stages; the one that has just ended counts one more
        before_increase <= increase_stage - 6'd1;
        byte_past <= byte_stage > before_increase;
        byte_before <= byte_stage == before_increase;
        time_past <= time_stage > before_increase;
        time_before <= time_stage == before_increase;
        has_hyper <= |hai_rate;
        byte_stage_lower <= stage_difference[6];
        stages_equal <= byte_stage == time_stage;
        less_offset <= {6'd1 - increase_stage, 1'd1};
        reduce <= target_reduction && first_cycle && excess[29];
        increment <= ai_rate;
        if (hyper_active) begin
            increment <= hai_rate;
        end
        halves <= halves;
        if (phase == QCN_PHASE_CHOOSE) begin
            halves <= |(halved >> gd_shift);
        end

        // Phases of an operation
        factor <= factor >> 1;
        product <= first_product;
        ends_target <= (phase == QCN_PHASE_LIMIT) && (!decrease || retarget);
        ends <= phase == QCN_PHASE_AVERAGE;
        case (phase)
            QCN_PHASE_IDLE: begin
                factor <= quantized_feedback;
                decrease <= start_decrease;
                of_time <= start_time;
                retarget <= moves_target;
                if (start_decrease || start_byte || start_time) begin
                    phase <= QCN_PHASE_CHOOSE;
                    works <= 1'd1;
                end
            end
            QCN_PHASE_CHOOSE: begin
                multiplies <= 1'd1;
                if (decrease) begin
                    factor <= factor;
                end else if (hyper_active) begin
                    factor <= hyper_count;
                end else begin
                    factor <= {5'd0, byte_increases || time_increases};
                end
                phase <= QCN_PHASE_MULTIPLY1;
            end
            QCN_PHASE_MULTIPLY1: phase <= QCN_PHASE_MULTIPLY2;
            QCN_PHASE_MULTIPLY2: phase <= QCN_PHASE_MULTIPLY3;
            QCN_PHASE_MULTIPLY3: phase <= QCN_PHASE_MULTIPLY4;
            QCN_PHASE_MULTIPLY4: phase <= QCN_PHASE_MULTIPLY5;
            QCN_PHASE_MULTIPLY5: phase <= QCN_PHASE_MULTIPLY6;
            QCN_PHASE_MULTIPLY6: begin
                phase <= QCN_PHASE_CHANGE;
                multiplies <= 1'd0;
            end
            QCN_PHASE_CHANGE: begin
                phase <= QCN_PHASE_LIMIT;
                if (decrease && halves) begin
                    product <= half_rate;
                end else if (decrease) begin
                    product <= cut;
                end else if (reduce) begin
                    product <= {6'd0, target} >> 3;
                end else begin
                    product <= product;
                end
            end
            QCN_PHASE_LIMIT: begin
                phase <= QCN_PHASE_AVERAGE;
                product <= {6'd0, changed};
                if (decrease) begin
                    product <= (product << 1) ^ 31'h7fffffff;
                end else if (|product[30:25]) begin
                    product <= 31'h1ffffff;
                end
            end
            QCN_PHASE_AVERAGE: begin
                phase <= QCN_PHASE_APPLY;
                product <= {6'd0, sum[25:1]};
            end
            QCN_PHASE_APPLY: begin
                phase <= QCN_PHASE_IDLE;
                product <= {6'd0, sum[25:1]};
                works <= 1'd0;
            end
            default: phase <= QCN_PHASE_IDLE;
        endcase
        if (multiplies) begin
            product <= product_sum | product_low;
        end
        if (reset) begin
            phase <= QCN_PHASE_IDLE;
            works <= 1'd0;
            multiplies <= 1'd0;
            ends_target <= 1'd0;
            ends <= 1'd0;
        end
    end

    wire unused = &{1'b0, stage_difference[5:0], least_count[0], excess_carries[29], excess[28:0], sum[0]};
endmodule

`default_nettype wire
