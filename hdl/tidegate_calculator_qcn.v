// Computes QCN's rate: rate decrease, fast recovery, active and hyper-active increase, target
// reduction, extra fast recovery (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE
// 802.1Q, clause 32).
//
// It does one operation at a time: a decrease, or the increase at the end of a byte cycle or timer
// period. The operation starts in state 0, multiplies for six cycles (rate * QntzFb, or R_HAI * its
// count), computes the cut or the new target, computes the new rate, and applies both: rate, target
// and stages change together ten cycles after the start. Meanwhile `feedback_ready` is low. The end
// of a byte cycle or timer period waits in `byte_due` or `time_due`; it is served before a feedback
// that waits, the byte cycle first. In the cycle in which a feedback is taken it restarts the timer
// and, if it moves the target, the byte counter; bytes sent in that cycle count in the new byte
// cycle but cannot end it. One `sent` ends at most one byte cycle. The target rate may be above the
// line rate, the current rate not. The target saturates below 128 bytes per cycle, stages at 63.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module tidegate_calculator_qcn (
    input  wire        clock,               // Clock, rising edge
    input  wire        reset,               // Synchronous reset, active high
    input  wire        feedback_valid,      // The feedback field is valid; hold it until `feedback_ready`
    output wire        feedback_ready,      // The feedback is taken in this cycle, if `feedback_valid`
    input  wire [5:0]  quantized_feedback,  // QntzFb, quantised feedback, 0 to 63
    input  wire        sent,                // A frame is sent: its grant is in this cycle
    input  wire [23:0] sent_bytes,          // Length of the frame that is sent, bytes; valid with `sent`
    input  wire        source_empty,        // The source has no frame to send. If the rate is the line rate, the reaction point then becomes inactive
    input  wire [24:0] line_rate,           // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,            // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] ai_rate,             // R_AI, bytes per cycle, 18 fraction bits
    input  wire [24:0] hai_rate,            // R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase
    input  wire [3:0]  gd_shift,            // G_d = 2^-`gd_shift`
    input  wire [23:0] byte_cycle_low,      // Smallest byte cycle, bytes
    input  wire [15:0] byte_cycle_ratio,    // Jitter of the byte cycle: (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter
    input  wire [23:0] timer_low,           // Smallest timer period, cycles; 0 = no timer
    input  wire [15:0] timer_ratio,         // Jitter of the timer period: (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter
    input  wire [15:0] seed,                // Value of the random sources after reset, not 0
    input  wire [5:0]  increase_stage,      // First stage of active increase
    input  wire [5:0]  half_stage,          // First stage in which byte cycle and timer period are halved
    input  wire        target_reduction,    // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire        extra_fast_recovery, // 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte counter
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
    reg byte_half; // The byte stage is `half_stage` or more. A register, so that this comparison is not in the path of `byte_period`
    reg time_half; // The time stage is `half_stage` or more. A register, so that this comparison is not in the path of `time_period`
    reg [23:0] elapsed_bytes; // Bytes sent in the current byte cycle
    reg [23:0] elapsed_cycles; // Cycles of the current timer period, with the current one; not 0 while the timer runs
    reg byte_due; // A byte cycle has ended; its increase waits
    reg time_due; // A timer period has ended; its increase waits
    reg [3:0] step; // State: 0 = idle, 1 to 6 = multiply, 7 = compute the cut or the new target, 8 = compute the new rate, 9 = apply
    reg decrease; // The current operation is a decrease
    reg of_time; // The current operation is the increase at the end of a timer period
    reg hyper; // The current operation is a hyper-active increase
    reg reduce; // The current operation, if it is an increase, reduces the target to 1/8
    reg retarget; // The current operation, if it is a decrease, sets the target to the rate before the decrease
    reg [5:0] multiplier; // Second factor of the serial multiplier; its next bit is bit 5
    reg [30:0] product; // The product, from state 9 on the new rate before its limits
    reg [24:0] change; // The cut of a decrease, or the new target of an increase, bytes per cycle, 18 fraction bits

    initial begin
        active = 1'd0;
        rate = 25'd0;
        target = 25'd0;
        stage_of_bytes = 6'd0;
        stage_of_time = 6'd0;
        byte_half = 1'd0;
        time_half = 1'd0;
        elapsed_bytes = 24'd0;
        elapsed_cycles = 24'd0;
        byte_due = 1'd0;
        time_due = 1'd0;
        step = 4'd0;
        decrease = 1'd0;
        of_time = 1'd0;
        hyper = 1'd0;
        reduce = 1'd0;
        retarget = 1'd0;
        multiplier = 6'd0;
        product = 31'd0;
        change = 25'd0;
    end

    wire [23:0] byte_jitter_interval;
    wire [23:0] time_jitter_interval;
    wire byte_cycle_reached_reached;

    wire [15:0] time_jitter_seed = {seed[7:0], seed[15:8]};

    // The operation that starts: end of a byte cycle, end of a timer period, or a decrease
    wire free = (step == 4'd0) && !byte_due && !time_due;
    wire start_byte = (step == 4'd0) && byte_due;
    wire start_time = (step == 4'd0) && !byte_due && time_due;
    wire start_decrease = free && feedback_valid;
    assign feedback_ready = free;
    wire moves_target = !active || |stage_of_bytes || !extra_fast_recovery;

    // Kind of increase, from the stages; the one that has just ended counts one more
    wire byte_stage_lower = stage_of_bytes < stage_of_time;
    wire time_stage_lower = stage_of_time < stage_of_bytes;
    wire byte_past = stage_of_bytes >= increase_stage;
    wire time_past = stage_of_time >= increase_stage;
    wire [5:0] last_stage = increase_stage - 6'd1;
    wire byte_at_last = stage_of_bytes == last_stage;
    wire time_at_last = stage_of_time == last_stage;
    wire byte_increases = byte_past || (byte_due && byte_at_last);
    wire time_increases = time_past || (!byte_due && time_at_last);

    // Count of hyper-active increase: the smaller stage - `increase_stage` + 1
    wire [6:0] less_offset = {6'd1 - increase_stage, 1'd1};

    reg [6:0] byte_doubled;
    reg [6:0] time_doubled;
    reg byte_is_least;
    always @* begin
        byte_doubled = {stage_of_bytes, 1'd0};
        time_doubled = {stage_of_time, 1'd1};
        byte_is_least = !time_stage_lower;
        if (byte_due) begin
            byte_doubled = {stage_of_bytes, 1'd1};
            time_doubled = {stage_of_time, 1'd0};
            byte_is_least = byte_stage_lower;
        end
    end

    wire [6:0] byte_count = byte_doubled + less_offset;
    wire [6:0] time_count = time_doubled + less_offset;

    reg [5:0] hyper_count;
    always @* begin
        hyper_count = time_count[6:1];
        if (byte_is_least) begin
            hyper_count = byte_count[6:1];
        end
    end

    // Target reduction: bit 29 is 1 if 8 * rate + 2 * rate - target is negative
    wire [29:0] eight_rates = {2'd0, rate, 3'd0};
    wire [29:0] two_rates = {4'd0, rate, 1'd0};
    wire [29:0] less_target = {5'd0, target} ^ 30'h3fffffff;
    wire [29:0] excess_sums = eight_rates ^ two_rates ^ less_target;
    wire [29:0] excess_carries = (eight_rates & two_rates) | (eight_rates & less_target) | (two_rates & less_target);
    wire [29:0] excess = excess_sums + {excess_carries[28:0], 1'd1};

    reg first_cycle;
    always @* begin
        first_cycle = (stage_of_time == 6'd1) || !(|stage_of_bytes);
        if (of_time) begin
            first_cycle = (stage_of_bytes == 6'd1) || !(|stage_of_time);
        end
    end

    // Serial multiplier, most significant bit of `multiplier` first
    reg [24:0] multiplicand;
    always @* begin
        multiplicand = ai_rate;
        if (decrease) begin
            multiplicand = rate;
        end else if (hyper) begin
            multiplicand = hai_rate;
        end
    end

    reg [30:0] addend;
    always @* begin
        addend = 31'd0;
        if (multiplier[5]) begin
            addend = {6'd0, multiplicand};
        end
    end

    wire [30:0] product_doubled = product << 1;
    wire [5:0] byte_stage_after = stage_of_bytes + 6'd1;
    wire [5:0] time_stage_after = stage_of_time + 6'd1;

    // Cut, new target and new rate
    wire [30:0] cut = product >> gd_shift;
    wire [30:0] half_rate = {6'd0, rate} >> 1;
    wire [31:0] raised_target = {7'd0, target} + {1'd0, product};
    wire [24:0] cut_rate = rate - change;
    wire [24:0] new_rate = product[24:0];
    wire [25:0] sum = {1'd0, rate} + {1'd0, change};
    wire [24:0] mean = sum[25:1];

    // Byte cycle: its length, and whether it ends in this cycle
    reg [23:0] byte_period;
    always @* begin
        byte_period = byte_jitter_interval;
        if (byte_half) begin
            byte_period = byte_jitter_interval >> 1;
        end
    end

    wire restart = start_decrease && moves_target;
    wire counting = sent && active && !restart;
    wire byte_full = counting && byte_cycle_reached_reached;

    // Timer: its period, and whether it ends in this cycle
    reg [23:0] time_period;
    always @* begin
        time_period = time_jitter_interval;
        if (time_half) begin
            time_period = time_jitter_interval >> 1;
        end
    end

    wire timing = active && |timer_low && !start_decrease;
    wire time_full = timing && (elapsed_cycles >= time_period);
    assign current_rate = rate;
    assign target_rate = target;
    assign byte_stage = stage_of_bytes;
    assign time_stage = stage_of_time;

    tidegate_jitter byte_jitter (
        .clock(clock),
        .reset(reset),
        .low(byte_cycle_low),
        .ratio(byte_cycle_ratio),
        .seed(seed),
        .draw(byte_full),
        .interval(byte_jitter_interval)
    );

    tidegate_jitter time_jitter (
        .clock(clock),
        .reset(reset),
        .low(timer_low),
        .ratio(timer_ratio),
        .seed(time_jitter_seed),
        .draw(time_full),
        .interval(time_jitter_interval)
    );

    tidegate_sum_reaches byte_cycle_reached (
        .count(elapsed_bytes),
        .amount(sent_bytes),
        .bound(byte_period),
        .reached(byte_cycle_reached_reached)
    );

    always @(posedge clock) begin
        reduce <= target_reduction && first_cycle && excess[29];

        // State machine: select, multiply, compute, apply
        if (step == 4'd0) begin
            product <= 31'd0;
            decrease <= start_decrease;
            of_time <= start_time;
            retarget <= moves_target;
            hyper <= 1'd0;
            multiplier <= 6'd0;
            if (start_decrease) begin
                multiplier <= quantized_feedback;
            end else if (byte_increases && time_increases && |hai_rate) begin
                hyper <= 1'd1;
                multiplier <= hyper_count;
            end else if (byte_increases || time_increases) begin
                multiplier <= 6'd1;
            end
            if (start_decrease || start_byte || start_time) begin
                step <= 4'd1;
            end
            if (start_decrease) begin
                active <= 1'd1;
            end
        end else if (step == 4'd7) begin
            step <= 4'd8;
            if (decrease) begin
                change <= cut[24:0];
                if (cut > half_rate) begin
                    change <= half_rate[24:0];
                end
            end else if (reduce) begin
                change <= target >> 3;
            end else begin
                change <= raised_target[24:0];
                if (|raised_target[31:25]) begin
                    change <= 25'h1ffffff;
                end
            end
        end else if (step == 4'd8) begin
            step <= 4'd9;
            product <= {6'd0, mean};
            if (decrease) begin
                product <= {6'd0, cut_rate};
            end
        end else if (step == 4'd9) begin
            step <= 4'd0;
            rate <= new_rate;
            if (new_rate > line_rate) begin
                rate <= line_rate;
            end else if (new_rate < min_rate) begin
                rate <= min_rate;
            end
            if (decrease) begin
                if (retarget) begin
                    target <= rate;
                end
                stage_of_bytes <= 6'd0;
                stage_of_time <= 6'd0;
                byte_half <= 1'd0;
                time_half <= 1'd0;
            end else begin
                target <= change;
                if (of_time) begin
                    if (stage_of_time != 6'd63) begin
                        stage_of_time <= stage_of_time + 6'd1;
                        time_half <= time_stage_after >= half_stage;
                    end
                end else if (stage_of_bytes != 6'd63) begin
                    stage_of_bytes <= stage_of_bytes + 6'd1;
                    byte_half <= byte_stage_after >= half_stage;
                end
            end
        end else begin
            product <= product_doubled + addend;
            multiplier <= multiplier << 1;
            step <= step + 4'd1;
        end

        // Byte cycle: bytes so far, and whether it has ended
        if (restart) begin
            elapsed_bytes <= 24'd0;
            if (sent) begin
                elapsed_bytes <= sent_bytes;
            end
        end else if (byte_full) begin
            elapsed_bytes <= 24'd0;
        end else if (counting) begin
            elapsed_bytes <= elapsed_bytes + sent_bytes;
        end
        byte_due <= byte_full || (byte_due && !start_byte);

        // Timer: cycles so far, and whether the period has ended
        elapsed_cycles <= 24'd1;
        if (timing && !time_full) begin
            elapsed_cycles <= elapsed_cycles + 24'd1;
        end
        time_due <= time_full || (time_due && !start_time);

        // While inactive, both rates are the line rate
        if (reset || !active) begin
            rate <= line_rate;
            target <= line_rate;
        end

        // At line rate and without a frame to send, the reaction point becomes inactive
        if (free && !feedback_valid && active && source_empty && (rate == line_rate)) begin
            active <= 1'd0;
            target <= line_rate;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_half <= 1'd0;
            time_half <= 1'd0;
            elapsed_bytes <= 24'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
        end
        if (reset) begin
            active <= 1'd0;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_half <= 1'd0;
            time_half <= 1'd0;
            elapsed_bytes <= 24'd0;
            elapsed_cycles <= 24'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
            step <= 4'd0;
        end
    end

    wire unused = &{1'b0, byte_count[0], time_count[0], excess_carries[29], excess[28:0], sum[0]};
endmodule
