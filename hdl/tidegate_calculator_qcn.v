// Computes QCN's rate: rate decrease, fast recovery, active and hyper-active increase, target
// reduction, extra fast recovery (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE
// 802.1Q, clause 32).
//
// It does one operation at a time: a decrease, or the increase at the end of a byte cycle or timer
// period. The operation chooses what to multiply, multiplies for six cycles (rate * QntzFb, or
// R_HAI * its count), computes the cut or the new target, limits it, computes the new rate, and
// applies it: the target changes eleven cycles after the start, rate and stages twelve. Meanwhile
// `feedback_ready` is low. The end of a byte cycle or timer period waits in `byte_due` or
// `time_due`; it is served before a feedback that waits, the byte cycle first. The target rate may
// be above the line rate, the current rate not. The target saturates below 128 bytes per cycle,
// stages at 63.
//
// The byte counter and the timer count down. A feedback that is taken restarts the timer and, if it
// moves the target, the byte counter; bytes sent in that cycle do not count. One `sent` ends at
// most one byte cycle. When a counter restarts, its length is drawn from both bounds, and the next
// random number is taken: one that does not fit both spans is replaced in the next cycle. A cycle
// that begins when its own stage becomes `half_stage` or more is half as long, rounded up.
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
    input  wire [23:0] byte_cycle_span,     // Largest minus smallest byte cycle, bytes; 0 = no jitter
    input  wire [23:0] timer_low,           // Smallest timer period, cycles; 0 = no timer
    input  wire [23:0] timer_span,          // Largest minus smallest timer period, cycles; 0 = no jitter
    input  wire [15:0] seed,                // The random source starts with this, not 0
    input  wire [5:0]  increase_stage,      // First stage of active increase
    input  wire [5:0]  half_stage,          // First stage in which byte cycle and timer period are halved
    input  wire        target_reduction,    // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire        extra_fast_recovery, // 1: extra fast recovery. A decrease before the end of the first byte cycle keeps the target and the byte counter
    output wire [24:0] current_rate,        // Current rate r, bytes per cycle, 18 fraction bits
    output wire [24:0] target_rate,         // Target rate R, bytes per cycle, 18 fraction bits
    output wire [5:0]  byte_stage,          // Byte stage: byte cycles since the last feedback, at most 63
    output wire [5:0]  time_stage           // Time stage: timer periods since the last feedback, at most 63
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

    reg active; // The reaction point limits the rate: it has had feedback and has not become inactive since
    reg [24:0] rate; // Current rate r, bytes per cycle, 18 fraction bits
    reg at_line_rate; // The current rate is the line rate
    reg [24:0] target; // Target rate R, bytes per cycle, 18 fraction bits
    reg [5:0] stage_of_bytes; // Byte stage: byte cycles since the last feedback, at most 63
    reg [5:0] stage_of_time; // Time stage: timer periods since the last feedback, at most 63
    reg [23:0] bytes_left; // Bytes to the end of the byte cycle, minus one
    reg [23:0] cycles_left; // Cycles to the end of the timer period, minus one
    reg byte_due; // A byte cycle has ended; its increase waits
    reg time_due; // A timer period has ended; its increase waits
    reg [3:0] phase; // What the current operation does in this cycle
    reg busy; // The phase is not `Idle`. Much depends on this: a register saves the comparison
    reg decrease; // The current operation is a decrease
    reg of_time; // The current operation is the increase at the end of a timer period
    reg hyper; // The current operation is a hyper-active increase
    reg reduce; // The current operation, if it is an increase, reduces the target to 1/8
    reg retarget; // The current operation, if it is a decrease, sets the target to the rate before the decrease
    reg [30:0] product; // The first factor of the serial multiplier moves out to the right while the product moves in from the left. Then the cut or the new target, and then the new rate before its limits: bytes per cycle, 18 fraction bits

    initial begin
        active = 1'd0;
        rate = 25'd0;
        at_line_rate = 1'd0;
        target = 25'd0;
        stage_of_bytes = 6'd0;
        stage_of_time = 6'd0;
        bytes_left = 24'd0;
        cycles_left = 24'd0;
        byte_due = 1'd0;
        time_due = 1'd0;
        phase = 4'd0;
        busy = 1'd0;
        decrease = 1'd0;
        of_time = 1'd0;
        hyper = 1'd0;
        reduce = 1'd0;
        retarget = 1'd0;
        product = 31'd0;
    end

    wire [23:0] random_source_random;
    wire random_source_settled;
    wire byte_share_fits;
    wire [23:0] byte_share_share;
    wire time_share_fits;
    wire [23:0] time_share_share;

    // The operation that starts: end of a byte cycle, end of a timer period, or a decrease
    wire free = !busy && !byte_due && !time_due;
    wire start_byte = !busy && byte_due;
    wire start_time = !busy && !byte_due && time_due;
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
    wire byte_increases = byte_past || (!of_time && byte_at_last);
    wire time_increases = time_past || (of_time && time_at_last);

    // Count of hyper-active increase: the smaller stage - `increase_stage` + 1
    wire [6:0] less_offset = {6'd1 - increase_stage, 1'd1};

    reg [6:0] byte_doubled;
    reg [6:0] time_doubled;
    reg byte_is_least;
    always @* begin
        byte_doubled = {stage_of_bytes, 1'd0};
        time_doubled = {stage_of_time, 1'd1};
        byte_is_least = !time_stage_lower;
        if (!of_time) begin
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

    // Serial multiplier, least significant bit of the first factor first
    reg [24:0] multiplicand;
    always @* begin
        multiplicand = ai_rate;
        if (decrease) begin
            multiplicand = rate;
        end else if (hyper) begin
            multiplicand = hai_rate;
        end
    end

    reg [25:0] addend;
    always @* begin
        addend = 26'd0;
        if (product[0]) begin
            addend = {1'd0, multiplicand};
        end
    end

    wire [25:0] product_high = {1'd0, product[30:6]} + addend;
    wire [30:0] product_sum = {product_high, 5'd0};
    wire [30:0] product_low = {26'd0, product[5:1]};

    // Cut, new target and new rate
    wire [30:0] cut = product >> gd_shift;
    wire [30:0] half_rate = {6'd0, rate} >> 1;
    wire [30:0] raised_target = {6'd0, target} + product;
    wire [24:0] changed = product[24:0];

    reg [26:0] sum;
    always @* begin
        sum = {1'd0, rate, 1'd0} + {1'd0, changed, 1'd0};
        if (decrease) begin
            sum = {1'd0, rate, 1'd1} + {1'd0, changed ^ 25'h1ffffff, 1'd1};
        end
    end

    wire [23:0] time_share_random = {random_source_random[11:0], random_source_random[23:12]};
    wire random_source_fits = byte_share_fits && time_share_fits;

    // Byte cycle: the length of the next one, and whether the current one ends in this cycle
    wire restart = start_decrease && moves_target;
    wire [5:0] before_half = half_stage - 6'd1;
    wire byte_half = stage_of_bytes >= before_half;
    wire [23:0] byte_length = (byte_cycle_low - 24'd1) + byte_share_share;

    reg [23:0] byte_load;
    always @* begin
        byte_load = byte_length;
        if (byte_half) begin
            byte_load = byte_length >> 1;
        end
    end

    wire [24:0] bytes_extended = {1'd0, bytes_left};
    wire [24:0] sent_extended = {1'd0, sent_bytes};
    wire [24:0] bytes_after = bytes_extended - sent_extended;
    wire counting = sent && active && !restart;
    wire byte_end = sent && active && bytes_after[24];
    wire byte_full = byte_end && !restart;

    // Timer: the length of the next period, and whether the current one ends in this cycle
    wire time_half = stage_of_time >= before_half;
    wire [23:0] time_length = (timer_low - 24'd1) + time_share_share;

    reg [23:0] time_load;
    always @* begin
        time_load = time_length;
        if (time_half) begin
            time_load = time_length >> 1;
        end
    end

    wire time_end = active && |timer_low && !(|cycles_left);
    wire time_full = time_end && !start_decrease;

    // The next random number
    wire random_source_draw = byte_end || time_end || start_decrease;
    assign current_rate = rate;
    assign target_rate = target;
    assign byte_stage = stage_of_bytes;
    assign time_stage = stage_of_time;

    tidegate_random_source random_source (
        .clock(clock),
        .reset(reset),
        .seed(seed),
        .draw(random_source_draw),
        .fits(random_source_fits),
        .random(random_source_random),
        .settled(random_source_settled)
    );

    tidegate_random_share byte_share (
        .random(random_source_random),
        .span(byte_cycle_span),
        .settled(random_source_settled),
        .fits(byte_share_fits),
        .share(byte_share_share)
    );

    tidegate_random_share time_share (
        .random(time_share_random),
        .span(timer_span),
        .settled(random_source_settled),
        .fits(time_share_fits),
        .share(time_share_share)
    );

    always @(posedge clock) begin
        reduce <= target_reduction && first_cycle && excess[29];

        // Phases of an operation
        product <= product_sum | product_low;
        case (phase)
            QCN_PHASE_IDLE: begin
                product <= 31'd0;
                decrease <= start_decrease;
                of_time <= start_time;
                retarget <= moves_target;
                hyper <= 1'd0;
                if (start_decrease) begin
                    product <= {25'd0, quantized_feedback};
                    active <= 1'd1;
                end
                if (start_decrease || start_byte || start_time) begin
                    phase <= QCN_PHASE_CHOOSE;
                    busy <= 1'd1;
                end
            end
            QCN_PHASE_CHOOSE: begin
                product <= product;
                if (!decrease) begin
                    if (byte_increases && time_increases && |hai_rate) begin
                        hyper <= 1'd1;
                        product <= {25'd0, hyper_count};
                    end else if (byte_increases || time_increases) begin
                        product <= 31'd1;
                    end
                end
                phase <= QCN_PHASE_MULTIPLY1;
            end
            QCN_PHASE_MULTIPLY1: begin
                phase <= QCN_PHASE_MULTIPLY2;
            end
            QCN_PHASE_MULTIPLY2: begin
                phase <= QCN_PHASE_MULTIPLY3;
            end
            QCN_PHASE_MULTIPLY3: begin
                phase <= QCN_PHASE_MULTIPLY4;
            end
            QCN_PHASE_MULTIPLY4: begin
                phase <= QCN_PHASE_MULTIPLY5;
            end
            QCN_PHASE_MULTIPLY5: begin
                phase <= QCN_PHASE_MULTIPLY6;
            end
            QCN_PHASE_MULTIPLY6: begin
                phase <= QCN_PHASE_CHANGE;
            end
            QCN_PHASE_CHANGE: begin
                phase <= QCN_PHASE_LIMIT;
                if (decrease) begin
                    product <= cut;
                end else if (reduce) begin
                    product <= {6'd0, target} >> 3;
                end else begin
                    product <= raised_target;
                end
            end
            QCN_PHASE_LIMIT: begin
                phase <= QCN_PHASE_AVERAGE;
                product <= product;
                if (decrease) begin
                    if (product > half_rate) begin
                        product <= half_rate;
                    end
                end else if (|product[30:25]) begin
                    product <= 31'h1ffffff;
                end
            end
            QCN_PHASE_AVERAGE: begin
                phase <= QCN_PHASE_APPLY;
                if (decrease) begin
                    product <= {6'd0, sum[25:1]};
                    if (retarget) begin
                        target <= rate;
                    end
                end else begin
                    product <= {6'd0, sum[26:2]};
                    target <= changed;
                end
            end
            QCN_PHASE_APPLY: begin
                phase <= QCN_PHASE_IDLE;
                busy <= 1'd0;
                rate <= changed;
                at_line_rate <= 1'd0;
                if (changed >= line_rate) begin
                    rate <= line_rate;
                    at_line_rate <= 1'd1;
                end else if (changed < min_rate) begin
                    rate <= min_rate;
                    at_line_rate <= min_rate == line_rate;
                end
                if (decrease) begin
                    stage_of_bytes <= 6'd0;
                    stage_of_time <= 6'd0;
                end else if (of_time) begin
                    if (stage_of_time != 6'd63) begin
                        stage_of_time <= stage_of_time + 6'd1;
                    end
                end else if (stage_of_bytes != 6'd63) begin
                    stage_of_bytes <= stage_of_bytes + 6'd1;
                end
            end
            default: begin
                phase <= QCN_PHASE_IDLE;
            end
        endcase
        if (restart) begin
            bytes_left <= byte_length;
        end else if (byte_full) begin
            bytes_left <= byte_load;
        end else if (counting) begin
            bytes_left <= bytes_after[23:0];
        end
        byte_due <= byte_full || (byte_due && !start_byte);
        cycles_left <= cycles_left - 24'd1;
        if (start_decrease) begin
            cycles_left <= time_length;
        end else if (time_full) begin
            cycles_left <= time_load;
        end
        time_due <= |timer_low && (time_full || (time_due && !start_time));

        // While inactive, both rates are the line rate
        if (reset || !active) begin
            rate <= line_rate;
            at_line_rate <= 1'd1;
            target <= line_rate;
        end

        // At line rate and without a frame to send, the reaction point becomes inactive
        if (free && !feedback_valid && active && source_empty && at_line_rate) begin
            active <= 1'd0;
            target <= line_rate;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
        end
        if (reset) begin
            phase <= QCN_PHASE_IDLE;
            active <= 1'd0;
            stage_of_bytes <= 6'd0;
            stage_of_time <= 6'd0;
            byte_due <= 1'd0;
            time_due <= 1'd0;
            busy <= 1'd0;
        end
    end

    wire unused = &{1'b0, byte_count[0], time_count[0], excess_carries[29], excess[28:0], sum[0]};
endmodule
