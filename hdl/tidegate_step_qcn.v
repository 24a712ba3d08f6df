// One operation on a rate of QCN: rate decrease, fast recovery, active and hyper-active increase,
// target reduction (Jiang 2015b, section 2.2; Jiang 2015a, section III.A; IEEE 802.1Q, clause 32).
// Rates and stages are stored outside.
//
// An operation chooses what to multiply, multiplies for six cycles (rate * QntzFb, or R_HAI * its
// count), computes the cut or the new target, limits it, computes the new rate, and applies it. The
// target may be above the line rate, the current rate not. The target saturates below 128 bytes per
// cycle, stages at 63.
//
// Scheme: Quantized congestion notification (qcn). Jiang 2015b: Sliding Mode Congestion Control for
//   Data Center Ethernet Networks, section 2.2; Jiang 2015a: Phase Plane Analysis of Quantized
//   Congestion Notification for Data Center Ethernet, section III.A; IEEE 802.1Q, clauses 30 to 33.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module tidegate_step_qcn (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        start_decrease,     // A decrease starts in this cycle; not while `busy`, and only one of the three starts
    input  wire        start_byte,         // The increase at the end of a byte cycle starts
    input  wire        start_time,         // The increase at the end of a timer period starts
    input  wire [5:0]  quantized_feedback, // QntzFb, quantised feedback, 0 to 63; valid with `start_decrease`
    input  wire        moves_target,       // The decrease sets the target to the rate before it; valid with `start_decrease`
    input  wire [24:0] line_rate,          // Line rate, the largest rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] min_rate,           // Minimum rate, bytes per cycle, 18 fraction bits
    input  wire [24:0] ai_rate,            // R_AI, bytes per cycle, 18 fraction bits
    input  wire [24:0] hai_rate,           // R_HAI, bytes per cycle, 18 fraction bits; 0 = no hyper-active increase
    input  wire [3:0]  gd_shift,           // G_d = 2^-`gd_shift`
    input  wire [5:0]  increase_stage,     // First stage of active increase
    input  wire        target_reduction,   // 1: target reduction. In the first byte cycle or timer period, a target above 10 times the rate is reduced to 1/8
    input  wire [24:0] rate,               // Current rate r, bytes per cycle, 18 fraction bits. Hold it from the start to `changes`, and the stages too
    input  wire [24:0] target,             // Target rate R, bytes per cycle, 18 fraction bits. Hold it until `target_changes`
    input  wire [5:0]  byte_stage,         // Byte stage: byte cycles since the last feedback, at most 63
    input  wire [5:0]  time_stage,         // Time stage: timer periods since the last feedback, at most 63
    output wire        busy,               // An operation is done
    output reg         target_changes,     // The target changes: in the tenth cycle after the start
    output reg  [24:0] new_target,         // New target rate, bytes per cycle, 18 fraction bits; valid with `target_changes`
    output reg         changes,            // Rate and stages change, and the operation ends: in the eleventh cycle after the start
    output reg  [24:0] new_rate,           // New rate, bytes per cycle, 18 fraction bits; valid with `changes`
    output reg         reaches_line_rate,  // `new_rate` is the line rate
    output reg  [5:0]  new_byte_stage,     // New byte stage; valid with `changes`
    output reg  [5:0]  new_time_stage      // New time stage; valid with `changes`
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
    reg decrease; // The current operation is a decrease
    reg of_time; // The current operation is the increase at the end of a timer period
    reg hyper; // The current operation is a hyper-active increase
    reg reduce; // The current operation, if it is an increase, reduces the target to 1/8
    reg retarget; // The current operation, if it is a decrease, sets the target to the rate before the decrease
    reg [30:0] product; // The first factor of the serial multiplier moves out to the right while the product moves in from the left. Then the cut or the new target, and then the new rate before its limits: bytes per cycle, 18 fraction bits

    initial begin
        phase = 4'd0;
        works = 1'd0;
        decrease = 1'd0;
        of_time = 1'd0;
        hyper = 1'd0;
        reduce = 1'd0;
        retarget = 1'd0;
        product = 31'd0;
    end

    // Kind of increase, from the stages; the one that has just ended counts one more
    wire byte_stage_lower = byte_stage < time_stage;
    wire time_stage_lower = time_stage < byte_stage;
    wire byte_past = byte_stage >= increase_stage;
    wire time_past = time_stage >= increase_stage;
    wire [5:0] last_stage = increase_stage - 6'd1;
    wire byte_at_last = byte_stage == last_stage;
    wire time_at_last = time_stage == last_stage;
    wire byte_increases = byte_past || (!of_time && byte_at_last);
    wire time_increases = time_past || (of_time && time_at_last);

    // Count of hyper-active increase: the smaller stage - `increase_stage` + 1
    wire [6:0] less_offset = {6'd1 - increase_stage, 1'd1};

    reg [6:0] byte_doubled;
    reg [6:0] time_doubled;
    reg byte_is_least;
    always @* begin
        byte_doubled = {byte_stage, 1'd0};
        time_doubled = {time_stage, 1'd1};
        byte_is_least = !time_stage_lower;
        if (!of_time) begin
            byte_doubled = {byte_stage, 1'd1};
            time_doubled = {time_stage, 1'd0};
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
        first_cycle = (time_stage == 6'd1) || !(|byte_stage);
        if (of_time) begin
            first_cycle = (byte_stage == 6'd1) || !(|time_stage);
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

    always @* begin
        target_changes = 1'd0;
        new_target = changed;
        changes = 1'd0;
        case (phase)
            QCN_PHASE_AVERAGE: begin
                if (decrease) begin
                    target_changes = retarget;
                    new_target = rate;
                end else begin
                    target_changes = 1'd1;
                end
            end
            QCN_PHASE_APPLY: begin
                changes = 1'd1;
            end
            default: ;
        endcase
    end

    assign busy = works;

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
                end
                if (start_decrease || start_byte || start_time) begin
                    phase <= QCN_PHASE_CHOOSE;
                    works <= 1'd1;
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
                end else begin
                    product <= {6'd0, sum[26:2]};
                end
            end
            QCN_PHASE_APPLY: begin
                phase <= QCN_PHASE_IDLE;
                works <= 1'd0;
            end
            default: begin
                phase <= QCN_PHASE_IDLE;
            end
        endcase
        if (reset) begin
            phase <= QCN_PHASE_IDLE;
            works <= 1'd0;
        end
    end

    wire unused = &{1'b0, byte_count[0], time_count[0], excess_carries[29], excess[28:0], sum[0]};
endmodule
