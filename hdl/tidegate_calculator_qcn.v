// SPDX-License-Identifier: MIT OR Apache-2.0
// Computes QCN's rate: rate decrease, fast recovery, active and hyper-active increase, target
// reduction, extra fast recovery (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE
// 802.1Q, clause 32).
//
// It does one operation at a time: a decrease, or the increase at the end of a byte cycle or timer
// period. The target changes eleven cycles after the start, rate and stages twelve. Meanwhile
// `feedback_ready` is low. The end of a byte cycle or timer period waits in `byte_due` or
// `time_due`; it is served before a feedback that waits, the byte cycle first.
//
// The byte counter and the timer count down. A feedback that is taken restarts the timer and, if it
// moves the target, the byte counter; bytes sent in that cycle do not count. One `sent` ends at
// most one byte cycle. When a counter restarts, the next random number is taken.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_calculator_qcn (
    input  wire        clock,               // Clock, rising edge
    input  wire        reset,               // Synchronous reset, active high
    input  wire        feedback_valid,      // The feedback field is valid; hold it until `feedback_ready`
    output wire        feedback_ready,      // The feedback is taken in this cycle, if `feedback_valid`
    input  wire [5:0]  quantized_feedback,  // QntzFb, quantised feedback, 0 to 63
    input  wire        sent,                // A frame is sent: its grant is in this cycle
    input  wire [23:0] sent_bytes,          // Length of the frame that is sent, bytes; valid with `sent`
    // The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive
    input  wire        source_empty,
    input  wire [24:0] line_rate,           // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,            // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] ai_rate,             // R_AI, bytes per cycle, 18 fraction bits
    input  wire [24:0] hai_rate,            // R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase
    input  wire [3:0]  gd_shift,            // G_d = 2^-`gd_shift`
    input  wire [23:0] byte_cycle_low,      // Smallest byte cycle, bytes
    input  wire [23:0] byte_cycle_span,     // Largest minus smallest byte cycle, bytes; 0 = no jitter
    input  wire [23:0] timer_low,           // Smallest timer period, cycles; 0 = no timer
    input  wire [23:0] timer_span,          // Largest minus smallest timer period, cycles; 0 = no jitter
    input  wire [15:0] seed,                // The random source starts with this, not 0
    input  wire [5:0]  increase_stage,      // First stage of active increase
    input  wire [5:0]  half_stage,          // First stage in which byte cycle and timer period are halved
    // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire        target_reduction,
    // 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte counter
    input  wire        extra_fast_recovery,
    output wire [24:0] current_rate,        // Current rate r, bytes per cycle, 18 fraction bits
    output wire [24:0] target_rate,         // Target rate R, bytes per cycle, 18 fraction bits
    output wire [5:0]  byte_stage,          // Byte stage: byte cycles since the last feedback, at most 63
    output wire [5:0]  time_stage           // Time stage: timer periods since the last feedback, at most 63
);
    reg active; // The reaction point limits the rate: it has had feedback and has not become inactive since
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg [24:0] target; // Target rate R, bytes per cycle, 18 fraction bits
    reg [5:0] stage_of_bytes; // Byte stage: byte cycles since the last feedback, at most 63
    reg [5:0] stage_of_time; // Time stage: timer periods since the last feedback, at most 63
    reg [23:0] bytes_left; // Bytes to the end of the byte cycle, minus one
    reg [23:0] cycles_left; // Cycles to the end of the timer period, minus one
    reg byte_due; // A byte cycle has ended; its increase waits
    reg time_due; // A timer period has ended; its increase waits
    reg has_timer; // `timer_low` was not 0 in the cycle before
    // `has_timer` of the cycle before. Until then a period begins in each cycle, so that a timer that was off begins
    // one
    reg had_timer;

    initial begin
        active = 1'd0;
        rate = 25'd0;
        target = 25'd0;
        stage_of_bytes = 6'd0;
        stage_of_time = 6'd0;
        bytes_left = 24'd0;
        cycles_left = 24'd0;
        byte_due = 1'd0;
        time_due = 1'd0;
    end

    wire rule_busy;
    wire rule_target_changes;
    wire [24:0] rule_new_target;
    wire rule_changes;
    wire [24:0] rule_new_rate;
    wire rule_reaches_line_rate;
    wire [5:0] rule_new_byte_stage;
    wire [5:0] rule_new_time_stage;
    wire rate_bounds_binds;
    wire [24:0] rate_bounds_bound;
    wire rate_bounds_at_line_rate;
    wire [23:0] cycle_lengths_first_bytes;
    wire [23:0] cycle_lengths_next_bytes;
    wire [23:0] cycle_lengths_first_cycles;
    wire [23:0] cycle_lengths_next_cycles;

    // The operation that starts: end of a byte cycle, end of a timer period, or a decrease
    wire free = !rule_busy && !byte_due && !time_due;
    wire start_byte = !rule_busy && byte_due;
    wire start_time = !rule_busy && !byte_due && time_due;

    // What an operation changes
    wire start_decrease = free && feedback_valid;
    assign feedback_ready = free;
    wire moves_target = !active || |stage_of_bytes || !extra_fast_recovery;

    reg [5:0] cycle_lengths_byte_stage;
    reg [5:0] cycle_lengths_time_stage;
    always @* begin
        cycle_lengths_byte_stage = stage_of_bytes;
        cycle_lengths_time_stage = stage_of_time;
        if (rule_changes) begin
            cycle_lengths_byte_stage = rule_new_byte_stage;
            cycle_lengths_time_stage = rule_new_time_stage;
        end
    end

    // Byte cycle: whether the current one ends in this cycle
    wire restart = start_decrease && moves_target;
    wire [24:0] bytes_extended = {1'd0, bytes_left};
    wire [24:0] sent_extended = {1'd0, sent_bytes};
    wire [24:0] bytes_after = bytes_extended - sent_extended;
    wire counting = sent && active;
    wire byte_end = counting && bytes_after[24];
    wire byte_full = byte_end && !restart;
    wire [23:0] bytes_counted = bytes_after[24] ? cycle_lengths_next_bytes : bytes_after[23:0];

    // Timer: whether the current period ends in this cycle
    wire [24:0] cycles_after = {1'd0, cycles_left} - 25'd1;
    wire period_over = cycles_after[24];
    wire time_end = active && has_timer && had_timer && period_over;
    wire time_full = time_end && !start_decrease;

    // The next random number
    wire cycle_lengths_draw = byte_end || time_end || start_decrease;
    assign current_rate = rate;
    assign target_rate = target;
    assign byte_stage = stage_of_bytes;
    assign time_stage = stage_of_time;

    tidegate_step_qcn rule (
        .clock(clock),
        .reset(reset),
        .start_decrease(start_decrease),
        .start_byte(start_byte),
        .start_time(start_time),
        .quantized_feedback(quantized_feedback),
        .moves_target(moves_target),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .ai_rate(ai_rate),
        .hai_rate(hai_rate),
        .gd_shift(gd_shift),
        .increase_stage(increase_stage),
        .target_reduction(target_reduction),
        .rate(rate),
        .target(target),
        .byte_stage(stage_of_bytes),
        .time_stage(stage_of_time),
        .busy(rule_busy),
        .target_changes(rule_target_changes),
        .new_target(rule_new_target),
        .changes(rule_changes),
        .new_rate(rule_new_rate),
        .reaches_line_rate(rule_reaches_line_rate),
        .new_byte_stage(rule_new_byte_stage),
        .new_time_stage(rule_new_time_stage)
    );

    tidegate_rate_bounds rate_bounds (
        .clock(clock),
        .reset(reset),
        .rate(rate),
        .free(rule_changes),
        .line_rate(line_rate),
        .min_rate(min_rate),
        .binds(rate_bounds_binds),
        .bound(rate_bounds_bound),
        .at_line_rate(rate_bounds_at_line_rate)
    );

    tidegate_cycle_lengths cycle_lengths (
        .clock(clock),
        .reset(reset),
        .byte_cycle_low(byte_cycle_low),
        .byte_cycle_span(byte_cycle_span),
        .timer_low(timer_low),
        .timer_span(timer_span),
        .seed(seed),
        .half_stage(half_stage),
        .draw(cycle_lengths_draw),
        .byte_stage(cycle_lengths_byte_stage),
        .time_stage(cycle_lengths_time_stage),
        .first_bytes(cycle_lengths_first_bytes),
        .next_bytes(cycle_lengths_next_bytes),
        .first_cycles(cycle_lengths_first_cycles),
        .next_cycles(cycle_lengths_next_cycles)
    );

    always @(posedge clock) begin
        if (start_decrease) begin
            active <= 1'd1;
        end
        if (rule_target_changes) begin
            target <= rule_new_target;
        end
        if (rate_bounds_binds) begin
            rate <= rate_bounds_bound;
        end
        if (rule_changes) begin
            rate <= rule_new_rate;
            stage_of_bytes <= rule_new_byte_stage;
            stage_of_time <= rule_new_time_stage;
        end
        if (restart) begin
            bytes_left <= cycle_lengths_first_bytes;
        end else if (counting) begin
            bytes_left <= bytes_counted;
        end
        byte_due <= byte_full || (byte_due && !start_byte);
        has_timer <= |timer_low;
        had_timer <= has_timer;
        cycles_left <= cycles_after[23:0];
        if (start_decrease) begin
            cycles_left <= cycle_lengths_first_cycles;
        end else if (period_over || !had_timer) begin
            cycles_left <= cycle_lengths_next_cycles;
        end
        time_due <= has_timer && (time_full || (time_due && !start_time));

        // While inactive, both rates are the line rate
        if (reset || !active) begin
            rate <= line_rate;
            target <= line_rate;
        end

        // At line rate and without a frame to send, the reaction point becomes inactive
        if (free && !feedback_valid && active && source_empty && rate_bounds_at_line_rate) begin
            active <= 1'd0;
            target <= line_rate;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
        end
        if (reset) begin
            active <= 1'd0;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
        end
    end

    wire unused = &{1'b0, rule_reaches_line_rate};
endmodule

`default_nettype wire
