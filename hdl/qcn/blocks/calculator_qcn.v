// Block calculator alone, as it stands in the rp.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR

module calculator_qcn(clock,reset,feedback_valid,feedback_ready,quantized_feedback,sent,sent_bytes,source_empty,line_rate,min_rate,ai_rate,hai_rate,gd_shift,byte_cycle_low,byte_cycle_ratio,timer_low,timer_ratio,seed,increase_stage,half_stage,target_reduction,extra_fast_recovery,current_rate,target_rate,byte_stage,time_stage);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  feedback_valid;
    output reg  feedback_ready;
    input wire  [5:0] quantized_feedback;
    input wire  sent;
    input wire  [23:0] sent_bytes;
    input wire  source_empty;
    input wire  [24:0] line_rate;
    input wire  [24:0] min_rate;
    input wire  [24:0] ai_rate;
    input wire  [24:0] hai_rate;
    input wire  [3:0] gd_shift;
    input wire  [23:0] byte_cycle_low;
    input wire  [15:0] byte_cycle_ratio;
    input wire  [23:0] timer_low;
    input wire  [15:0] timer_ratio;
    input wire  [15:0] seed;
    input wire  [5:0] increase_stage;
    input wire  [5:0] half_stage;
    input wire  target_reduction;
    input wire  extra_fast_recovery;
    output reg  [24:0] current_rate;
    output reg  [24:0] target_rate;
    output reg  [5:0] byte_stage;
    output reg  [5:0] time_stage;

    // Stub signals
    reg  byte_jitter$reset;
    reg  [23:0] byte_jitter$low;
    reg  [15:0] byte_jitter$ratio;
    reg  [15:0] byte_jitter$seed;
    reg  byte_jitter$draw;
    wire  [23:0] byte_jitter$interval;
    reg  time_jitter$reset;
    reg  [23:0] time_jitter$low;
    reg  [15:0] time_jitter$ratio;
    reg  [15:0] time_jitter$seed;
    reg  time_jitter$draw;
    wire  [23:0] time_jitter$interval;
    reg  active$d;
    wire  active$q;
    reg  [24:0] rate$d;
    wire  [24:0] rate$q;
    reg  [24:0] target$d;
    wire  [24:0] target$q;
    reg  [5:0] stage_of_bytes$d;
    wire  [5:0] stage_of_bytes$q;
    reg  [5:0] stage_of_time$d;
    wire  [5:0] stage_of_time$q;
    reg  byte_half$d;
    wire  byte_half$q;
    reg  time_half$d;
    wire  time_half$q;
    reg  [23:0] elapsed_bytes$d;
    wire  [23:0] elapsed_bytes$q;
    reg  [23:0] elapsed_cycles$d;
    wire  [23:0] elapsed_cycles$q;
    reg  byte_due$d;
    wire  byte_due$q;
    reg  time_due$d;
    wire  time_due$q;
    reg  [3:0] step$d;
    wire  [3:0] step$q;
    reg  decrease$d;
    wire  decrease$q;
    reg  of_time$d;
    wire  of_time$q;
    reg  hyper$d;
    wire  hyper$q;
    reg  reduce$d;
    wire  reduce$q;
    reg  retarget$d;
    wire  retarget$q;
    reg  [5:0] multiplier$d;
    wire  [5:0] multiplier$q;
    reg  [30:0] product$d;
    wire  [30:0] product$q;
    reg  [24:0] change$d;
    wire  [24:0] change$q;

    // Local signals
    reg  free;
    reg  start_byte;
    reg  start_time;
    reg  start_decrease;
    reg  moves_target;
    reg  [5:0] byte_stage_after;
    reg  [5:0] time_stage_after;
    reg  [5:0] next_byte_stage;
    reg  [5:0] next_time_stage;
    reg  [5:0] least_stage;
    reg  byte_increases;
    reg  time_increases;
    reg  [5:0] hyper_count;
    reg  [28:0] ten_times_rate;
    reg  [23:0] byte_period;
    reg  [23:0] time_period;
    reg  restart;
    reg  [24:0] bytes_total;
    reg  counting;
    reg  byte_full;
    reg  [24:0] cycles_total;
    reg  timing;
    reg  time_full;
    reg  [24:0] multiplicand;
    reg  [30:0] addend;
    reg  [30:0] product_doubled;
    reg  [30:0] cut;
    reg  [30:0] half_rate;
    reg  [31:0] raised_target;
    reg  [24:0] cut_rate;
    reg  [24:0] new_rate;
    reg  [25:0] sum;
    reg  [24:0] mean;

    // Sub module instances
    calculator_qcn$byte_jitter byte_jitter(
        .clock(clock),
        .reset(byte_jitter$reset),
        .low(byte_jitter$low),
        .ratio(byte_jitter$ratio),
        .seed(byte_jitter$seed),
        .draw(byte_jitter$draw),
        .interval(byte_jitter$interval)
    );
    calculator_qcn$time_jitter time_jitter(
        .clock(clock),
        .reset(time_jitter$reset),
        .low(time_jitter$low),
        .ratio(time_jitter$ratio),
        .seed(time_jitter$seed),
        .draw(time_jitter$draw),
        .interval(time_jitter$interval)
    );
    calculator_qcn$active active(
        .d(active$d),
        .q(active$q),
        .clock(clock)
    );
    calculator_qcn$rate rate(
        .d(rate$d),
        .q(rate$q),
        .clock(clock)
    );
    calculator_qcn$target target(
        .d(target$d),
        .q(target$q),
        .clock(clock)
    );
    calculator_qcn$stage_of_bytes stage_of_bytes(
        .d(stage_of_bytes$d),
        .q(stage_of_bytes$q),
        .clock(clock)
    );
    calculator_qcn$stage_of_time stage_of_time(
        .d(stage_of_time$d),
        .q(stage_of_time$q),
        .clock(clock)
    );
    calculator_qcn$byte_half byte_half(
        .d(byte_half$d),
        .q(byte_half$q),
        .clock(clock)
    );
    calculator_qcn$time_half time_half(
        .d(time_half$d),
        .q(time_half$q),
        .clock(clock)
    );
    calculator_qcn$elapsed_bytes elapsed_bytes(
        .d(elapsed_bytes$d),
        .q(elapsed_bytes$q),
        .clock(clock)
    );
    calculator_qcn$elapsed_cycles elapsed_cycles(
        .d(elapsed_cycles$d),
        .q(elapsed_cycles$q),
        .clock(clock)
    );
    calculator_qcn$byte_due byte_due(
        .d(byte_due$d),
        .q(byte_due$q),
        .clock(clock)
    );
    calculator_qcn$time_due time_due(
        .d(time_due$d),
        .q(time_due$q),
        .clock(clock)
    );
    calculator_qcn$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    calculator_qcn$decrease decrease(
        .d(decrease$d),
        .q(decrease$q),
        .clock(clock)
    );
    calculator_qcn$of_time of_time(
        .d(of_time$d),
        .q(of_time$q),
        .clock(clock)
    );
    calculator_qcn$hyper hyper(
        .d(hyper$d),
        .q(hyper$q),
        .clock(clock)
    );
    calculator_qcn$reduce reduce(
        .d(reduce$d),
        .q(reduce$q),
        .clock(clock)
    );
    calculator_qcn$retarget retarget(
        .d(retarget$d),
        .q(retarget$q),
        .clock(clock)
    );
    calculator_qcn$multiplier multiplier(
        .d(multiplier$d),
        .q(multiplier$q),
        .clock(clock)
    );
    calculator_qcn$product product(
        .d(product$d),
        .q(product$q),
        .clock(clock)
    );
    calculator_qcn$change change(
        .d(change$d),
        .q(change$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        active$d = active$q;
        rate$d = rate$q;
        target$d = target$q;
        stage_of_bytes$d = stage_of_bytes$q;
        stage_of_time$d = stage_of_time$q;
        byte_half$d = byte_half$q;
        time_half$d = time_half$q;
        elapsed_bytes$d = elapsed_bytes$q;
        elapsed_cycles$d = elapsed_cycles$q;
        byte_due$d = byte_due$q;
        time_due$d = time_due$q;
        step$d = step$q;
        decrease$d = decrease$q;
        of_time$d = of_time$q;
        hyper$d = hyper$q;
        reduce$d = reduce$q;
        retarget$d = retarget$q;
        multiplier$d = multiplier$q;
        product$d = product$q;
        change$d = change$q;
        byte_jitter$reset = reset;
        byte_jitter$low = byte_cycle_low;
        byte_jitter$ratio = byte_cycle_ratio;
        byte_jitter$seed = seed;
        time_jitter$reset = reset;
        time_jitter$low = timer_low;
        time_jitter$ratio = timer_ratio;
        time_jitter$seed = (seed >> 32'h8) | (seed << 32'h8);
        free = (step$q == 32'h0) & ~byte_due$q & ~time_due$q;
        start_byte = (step$q == 32'h0) & byte_due$q;
        start_time = (step$q == 32'h0) & ~byte_due$q & time_due$q;
        start_decrease = free & feedback_valid;
        feedback_ready = free;
        moves_target = ~active$q | |stage_of_bytes$q | ~extra_fast_recovery;
        next_byte_stage = stage_of_bytes$q;
        if (byte_due$q & (stage_of_bytes$q != 32'h3f)) begin
            next_byte_stage = stage_of_bytes$q + 32'h1;
        end
        next_time_stage = stage_of_time$q;
        if (~byte_due$q & (stage_of_time$q != 32'h3f)) begin
            next_time_stage = stage_of_time$q + 32'h1;
        end
        least_stage = next_byte_stage;
        if (next_time_stage < next_byte_stage) begin
            least_stage = next_time_stage;
        end
        byte_increases = next_byte_stage >= increase_stage;
        time_increases = next_time_stage >= increase_stage;
        hyper_count = least_stage - increase_stage + 32'h1;
        ten_times_rate = (((rate$q) & 29'h1fffffff) << 32'h3) + (((rate$q) & 29'h1fffffff) << 32'h1);
        multiplicand = ai_rate;
        if (decrease$q) begin
            multiplicand = rate$q;
        end
        else if (hyper$q) begin
            multiplicand = hai_rate;
        end
        addend = 32'h0;
        if (multiplier$q[32'h5]) begin
            addend = ((multiplicand) & 31'h7fffffff);
        end
        product_doubled = product$q << 32'h1;
        byte_stage_after = stage_of_bytes$q + 32'h1;
        time_stage_after = stage_of_time$q + 32'h1;
        cut = product$q >> gd_shift;
        half_rate = ((rate$q) & 31'h7fffffff) >> 32'h1;
        raised_target = ((target$q) & 32'hffffffff) + ((product$q) & 32'hffffffff);
        cut_rate = rate$q - change$q;
        new_rate = ((product$q) & 25'h1ffffff);
        sum = ((rate$q) & 26'h3ffffff) + ((change$q) & 26'h3ffffff);
        mean = sum[(32'h1)+:(25)];
        if (step$q == 32'h0) begin
            product$d = 32'h0;
            decrease$d = start_decrease;
            of_time$d = start_time;
            retarget$d = moves_target;
            reduce$d = target_reduction & ((next_byte_stage == 32'h1) | (next_time_stage == 32'h1)) & (((target$q) & 29'h1fffffff) > ten_times_rate);
            hyper$d = 1'b0;
            multiplier$d = 32'h0;
            if (start_decrease) begin
                multiplier$d = quantized_feedback;
            end
            else if (byte_increases & time_increases & |hai_rate) begin
                hyper$d = 1'b1;
                multiplier$d = hyper_count;
            end
            else if (byte_increases | time_increases) begin
                multiplier$d = 32'h1;
            end
            if (start_decrease | start_byte | start_time) begin
                step$d = 32'h1;
            end
            if (start_decrease) begin
                active$d = 1'b1;
            end
        end
        else if (step$q == 32'h7) begin
            step$d = 32'h8;
            if (decrease$q) begin
                change$d = cut[(32'h0)+:(25)];
                if (cut > half_rate) begin
                    change$d = half_rate[(32'h0)+:(25)];
                end
            end
            else if (reduce$q) begin
                change$d = target$q >> 32'h3;
            end
            else begin
                change$d = raised_target[(32'h0)+:(25)];
                if (|raised_target[(32'h19)+:(7)]) begin
                    change$d = 32'h1ffffff;
                end
            end
        end
        else if (step$q == 32'h8) begin
            step$d = 32'h9;
            product$d = ((mean) & 31'h7fffffff);
            if (decrease$q) begin
                product$d = ((cut_rate) & 31'h7fffffff);
            end
        end
        else if (step$q == 32'h9) begin
            step$d = 32'h0;
            rate$d = new_rate;
            if (new_rate > line_rate) begin
                rate$d = line_rate;
            end
            else if (new_rate < min_rate) begin
                rate$d = min_rate;
            end
            if (decrease$q) begin
                if (retarget$q) begin
                    target$d = rate$q;
                end
                stage_of_bytes$d = 32'h0;
                stage_of_time$d = 32'h0;
                byte_half$d = 1'b0;
                time_half$d = 1'b0;
            end
            else begin
                target$d = change$q;
                if (of_time$q) begin
                    if (stage_of_time$q != 32'h3f) begin
                        stage_of_time$d = stage_of_time$q + 32'h1;
                        time_half$d = time_stage_after >= half_stage;
                    end
                end
                else if (stage_of_bytes$q != 32'h3f) begin
                    stage_of_bytes$d = stage_of_bytes$q + 32'h1;
                    byte_half$d = byte_stage_after >= half_stage;
                end
            end
        end
        else begin
            product$d = product_doubled + addend;
            multiplier$d = multiplier$q << 32'h1;
            step$d = step$q + 32'h1;
        end
        byte_period = byte_jitter$interval;
        if (byte_half$q) begin
            byte_period = byte_jitter$interval >> 32'h1;
        end
        restart = start_decrease & moves_target;
        bytes_total = ((elapsed_bytes$q) & 25'h1ffffff) + ((sent_bytes) & 25'h1ffffff);
        counting = sent & active$q & ~restart;
        byte_full = counting & (bytes_total >= ((byte_period) & 25'h1ffffff));
        byte_jitter$draw = byte_full;
        if (restart) begin
            elapsed_bytes$d = 32'h0;
            if (sent) begin
                elapsed_bytes$d = sent_bytes;
            end
        end
        else if (byte_full) begin
            elapsed_bytes$d = 32'h0;
        end
        else if (counting) begin
            elapsed_bytes$d = bytes_total[(32'h0)+:(24)];
        end
        byte_due$d = byte_full | (byte_due$q & ~start_byte);
        time_period = time_jitter$interval;
        if (time_half$q) begin
            time_period = time_jitter$interval >> 32'h1;
        end
        cycles_total = ((elapsed_cycles$q) & 25'h1ffffff) + 32'h1;
        timing = active$q & |timer_low & ~start_decrease;
        time_full = timing & (cycles_total >= ((time_period) & 25'h1ffffff));
        time_jitter$draw = time_full;
        elapsed_cycles$d = 32'h0;
        if (timing & ~time_full) begin
            elapsed_cycles$d = cycles_total[(32'h0)+:(24)];
        end
        time_due$d = time_full | (time_due$q & ~start_time);
        if (reset | ~active$q) begin
            rate$d = line_rate;
            target$d = line_rate;
        end
        if (free & ~feedback_valid & active$q & source_empty & (rate$q == line_rate)) begin
            active$d = 1'b0;
            target$d = line_rate;
            stage_of_bytes$d = 32'h0;
            stage_of_time$d = 32'h0;
            byte_half$d = 1'b0;
            time_half$d = 1'b0;
            elapsed_bytes$d = 32'h0;
            elapsed_cycles$d = 32'h0;
            byte_due$d = 1'b0;
            time_due$d = 1'b0;
        end
        if (reset) begin
            active$d = 1'b0;
            stage_of_bytes$d = 32'h0;
            stage_of_time$d = 32'h0;
            byte_half$d = 1'b0;
            time_half$d = 1'b0;
            elapsed_bytes$d = 32'h0;
            elapsed_cycles$d = 32'h0;
            byte_due$d = 1'b0;
            time_due$d = 1'b0;
            step$d = 32'h0;
        end
        current_rate = rate$q;
        target_rate = target$q;
        byte_stage = stage_of_bytes$q;
        time_stage = stage_of_time$q;
    end

endmodule // calculator_qcn


module calculator_qcn$active(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$active


module calculator_qcn$byte_due(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_due


module calculator_qcn$byte_half(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_half


module calculator_qcn$byte_jitter(clock,reset,low,ratio,seed,draw,interval);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [23:0] low;
    input wire  [15:0] ratio;
    input wire  [15:0] seed;
    input wire  draw;
    output reg  [23:0] interval;

    // Stub signals
    reg  [15:0] state$d;
    wire  [15:0] state$q;
    reg  [15:0] fraction$d;
    wire  [15:0] fraction$q;
    reg  [23:0] extra_low$d;
    wire  [23:0] extra_low$q;
    reg  [23:0] extra_high$d;
    wire  [23:0] extra_high$q;
    reg  [23:0] total$d;
    wire  [23:0] total$q;

    // Local signals
    reg  [15:0] next_state;
    reg  [15:0] uniform;
    reg  [31:0] scaled;
    reg  [15:0] low_half;
    reg  [15:0] high_half;
    reg  [31:0] low_product;
    reg  [31:0] high_product;

    // Sub module instances
    calculator_qcn$byte_jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    calculator_qcn$byte_jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    calculator_qcn$byte_jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    calculator_qcn$byte_jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    calculator_qcn$byte_jitter$total total(
        .d(total$d),
        .q(total$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        state$d = state$q;
        fraction$d = fraction$q;
        extra_low$d = extra_low$q;
        extra_high$d = extra_high$q;
        total$d = total$q;
        next_state = (state$q << 32'h8) | ((state$q >> 32'h8) ^ ((state$q >> 32'h6) & 32'hff) ^ ((state$q >> 32'h5) & 32'hff) ^ ((state$q >> 32'h3) & 32'hff));
        if (reset) begin
            next_state = seed;
        end
        if (draw | reset) begin
            state$d = next_state;
        end
        uniform = state$q & 32'hff;
        scaled = ratio * uniform;
        fraction$d = scaled[(32'h8)+:(16)];
        low_half = low[(32'h0)+:(16)];
        high_half = ((low[(32'h10)+:(8)]) & 16'hffff);
        low_product = low_half * fraction$q;
        high_product = high_half * fraction$q;
        extra_low$d = ((low_product[(32'hd)+:(19)]) & 24'hffffff);
        extra_high$d = ((high_product) & 24'hffffff) << 32'h3;
        total$d = low + extra_low$q + extra_high$q;
        if (reset) begin
            fraction$d = 32'h0;
            extra_low$d = 32'h0;
            extra_high$d = 32'h0;
            total$d = low;
        end
        interval = low;
        if (|ratio) begin
            interval = total$q;
        end
    end

endmodule // calculator_qcn$byte_jitter


module calculator_qcn$byte_jitter$extra_high(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_jitter$extra_high


module calculator_qcn$byte_jitter$extra_low(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_jitter$extra_low


module calculator_qcn$byte_jitter$fraction(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_jitter$fraction


module calculator_qcn$byte_jitter$state(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_jitter$state


module calculator_qcn$byte_jitter$total(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$byte_jitter$total


module calculator_qcn$change(d,q,clock);

    // Module arguments
    input wire  [24:0] d;
    output reg  [24:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 25'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$change


module calculator_qcn$decrease(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$decrease


module calculator_qcn$elapsed_bytes(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$elapsed_bytes


module calculator_qcn$elapsed_cycles(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$elapsed_cycles


module calculator_qcn$hyper(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$hyper


module calculator_qcn$multiplier(d,q,clock);

    // Module arguments
    input wire  [5:0] d;
    output reg  [5:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 6'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$multiplier


module calculator_qcn$of_time(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$of_time


module calculator_qcn$product(d,q,clock);

    // Module arguments
    input wire  [30:0] d;
    output reg  [30:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 31'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$product


module calculator_qcn$rate(d,q,clock);

    // Module arguments
    input wire  [24:0] d;
    output reg  [24:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 25'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$rate


module calculator_qcn$reduce(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$reduce


module calculator_qcn$retarget(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$retarget


module calculator_qcn$stage_of_bytes(d,q,clock);

    // Module arguments
    input wire  [5:0] d;
    output reg  [5:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 6'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$stage_of_bytes


module calculator_qcn$stage_of_time(d,q,clock);

    // Module arguments
    input wire  [5:0] d;
    output reg  [5:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 6'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$stage_of_time


module calculator_qcn$step(d,q,clock);

    // Module arguments
    input wire  [3:0] d;
    output reg  [3:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 4'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$step


module calculator_qcn$target(d,q,clock);

    // Module arguments
    input wire  [24:0] d;
    output reg  [24:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 25'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$target


module calculator_qcn$time_due(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_due


module calculator_qcn$time_half(d,q,clock);

    // Module arguments
    input wire  d;
    output reg  q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 1'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_half


module calculator_qcn$time_jitter(clock,reset,low,ratio,seed,draw,interval);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [23:0] low;
    input wire  [15:0] ratio;
    input wire  [15:0] seed;
    input wire  draw;
    output reg  [23:0] interval;

    // Stub signals
    reg  [15:0] state$d;
    wire  [15:0] state$q;
    reg  [15:0] fraction$d;
    wire  [15:0] fraction$q;
    reg  [23:0] extra_low$d;
    wire  [23:0] extra_low$q;
    reg  [23:0] extra_high$d;
    wire  [23:0] extra_high$q;
    reg  [23:0] total$d;
    wire  [23:0] total$q;

    // Local signals
    reg  [15:0] next_state;
    reg  [15:0] uniform;
    reg  [31:0] scaled;
    reg  [15:0] low_half;
    reg  [15:0] high_half;
    reg  [31:0] low_product;
    reg  [31:0] high_product;

    // Sub module instances
    calculator_qcn$time_jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    calculator_qcn$time_jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    calculator_qcn$time_jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    calculator_qcn$time_jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    calculator_qcn$time_jitter$total total(
        .d(total$d),
        .q(total$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        state$d = state$q;
        fraction$d = fraction$q;
        extra_low$d = extra_low$q;
        extra_high$d = extra_high$q;
        total$d = total$q;
        next_state = (state$q << 32'h8) | ((state$q >> 32'h8) ^ ((state$q >> 32'h6) & 32'hff) ^ ((state$q >> 32'h5) & 32'hff) ^ ((state$q >> 32'h3) & 32'hff));
        if (reset) begin
            next_state = seed;
        end
        if (draw | reset) begin
            state$d = next_state;
        end
        uniform = state$q & 32'hff;
        scaled = ratio * uniform;
        fraction$d = scaled[(32'h8)+:(16)];
        low_half = low[(32'h0)+:(16)];
        high_half = ((low[(32'h10)+:(8)]) & 16'hffff);
        low_product = low_half * fraction$q;
        high_product = high_half * fraction$q;
        extra_low$d = ((low_product[(32'hd)+:(19)]) & 24'hffffff);
        extra_high$d = ((high_product) & 24'hffffff) << 32'h3;
        total$d = low + extra_low$q + extra_high$q;
        if (reset) begin
            fraction$d = 32'h0;
            extra_low$d = 32'h0;
            extra_high$d = 32'h0;
            total$d = low;
        end
        interval = low;
        if (|ratio) begin
            interval = total$q;
        end
    end

endmodule // calculator_qcn$time_jitter


module calculator_qcn$time_jitter$extra_high(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_jitter$extra_high


module calculator_qcn$time_jitter$extra_low(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_jitter$extra_low


module calculator_qcn$time_jitter$fraction(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_jitter$fraction


module calculator_qcn$time_jitter$state(d,q,clock);

    // Module arguments
    input wire  [15:0] d;
    output reg  [15:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 16'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_jitter$state


module calculator_qcn$time_jitter$total(d,q,clock);

    // Module arguments
    input wire  [23:0] d;
    output reg  [23:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 24'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // calculator_qcn$time_jitter$total
