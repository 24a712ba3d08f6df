// Reaction point, for the traffic source; parameters are ports.
// Scheme: Quantized congestion notification (qcn). smcc.txt 2.2, qcn-phase-plane.txt II; IEEE 802.1Q
// Made by tidegate 0.1.0 with: tidegate emit --scheme qcn --out DIR
// Parameters of the scheme are inputs: drive them from registers or with constants.

module qcn_reaction_point(clock,reset,data_high,data_low,octets,last,valid,ready,request,request_bytes,source_empty,rp_mac_high,rp_mac_low,allowed_cpid_high,allowed_cpid_low,allowed_cpid_mask_high,allowed_cpid_mask_low,bucket_bytes,overhead_bytes,line_rate,min_rate,ai_rate,hai_rate,gd_shift,byte_cycle_low,byte_cycle_ratio,timer_low,timer_ratio,seed,increase_stage,half_stage,target_reduction,extra_fast_recovery,grant,oversize,current_rate,ignored_frames);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [31:0] data_high;
    input wire  [31:0] data_low;
    input wire  [3:0] octets;
    input wire  last;
    input wire  valid;
    output reg  ready;
    input wire  request;
    input wire  [13:0] request_bytes;
    input wire  source_empty;
    input wire  [15:0] rp_mac_high;
    input wire  [31:0] rp_mac_low;
    input wire  [31:0] allowed_cpid_high;
    input wire  [31:0] allowed_cpid_low;
    input wire  [31:0] allowed_cpid_mask_high;
    input wire  [31:0] allowed_cpid_mask_low;
    input wire  [13:0] bucket_bytes;
    input wire  [4:0] overhead_bytes;
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
    output reg  grant;
    output reg  oversize;
    output reg  [24:0] current_rate;
    output reg  [31:0] ignored_frames;

    // Stub signals
    reg  parser$reset;
    reg  [31:0] parser$data_high;
    reg  [31:0] parser$data_low;
    reg  [3:0] parser$octets;
    reg  parser$last;
    reg  parser$valid;
    wire  parser$ready;
    reg  [15:0] parser$rp_mac_high;
    reg  [31:0] parser$rp_mac_low;
    reg  [31:0] parser$allowed_cpid_high;
    reg  [31:0] parser$allowed_cpid_low;
    reg  [31:0] parser$allowed_cpid_mask_high;
    reg  [31:0] parser$allowed_cpid_mask_low;
    wire  parser$feedback_valid;
    reg  parser$feedback_ready;
    wire  [5:0] parser$quantized_feedback;
    wire  [15:0] parser$q_offset_units;
    wire  [15:0] parser$q_delta_units;
    wire  [31:0] parser$cpid_high;
    wire  [31:0] parser$cpid_low;
    wire  [31:0] parser$ignored_frames;
    reg  calculator$reset;
    reg  calculator$feedback_valid;
    wire  calculator$feedback_ready;
    reg  [5:0] calculator$quantized_feedback;
    reg  calculator$sent;
    reg  [23:0] calculator$sent_bytes;
    reg  calculator$source_empty;
    reg  [24:0] calculator$line_rate;
    reg  [24:0] calculator$min_rate;
    reg  [24:0] calculator$ai_rate;
    reg  [24:0] calculator$hai_rate;
    reg  [3:0] calculator$gd_shift;
    reg  [23:0] calculator$byte_cycle_low;
    reg  [15:0] calculator$byte_cycle_ratio;
    reg  [23:0] calculator$timer_low;
    reg  [15:0] calculator$timer_ratio;
    reg  [15:0] calculator$seed;
    reg  [5:0] calculator$increase_stage;
    reg  [5:0] calculator$half_stage;
    reg  calculator$target_reduction;
    reg  calculator$extra_fast_recovery;
    wire  [24:0] calculator$current_rate;
    wire  [24:0] calculator$target_rate;
    wire  [5:0] calculator$byte_stage;
    wire  [5:0] calculator$time_stage;
    reg  rate_limiter$reset;
    reg  [24:0] rate_limiter$rate;
    reg  [13:0] rate_limiter$bucket_bytes;
    reg  [4:0] rate_limiter$overhead_bytes;
    reg  rate_limiter$request;
    reg  [13:0] rate_limiter$request_bytes;
    wire  rate_limiter$grant;
    wire  rate_limiter$oversize;
    wire  rate_limiter$sent;
    wire  [13:0] rate_limiter$sent_bytes;

    // Sub module instances
    qcn_reaction_point$parser parser(
        .clock(clock),
        .reset(parser$reset),
        .data_high(parser$data_high),
        .data_low(parser$data_low),
        .octets(parser$octets),
        .last(parser$last),
        .valid(parser$valid),
        .ready(parser$ready),
        .rp_mac_high(parser$rp_mac_high),
        .rp_mac_low(parser$rp_mac_low),
        .allowed_cpid_high(parser$allowed_cpid_high),
        .allowed_cpid_low(parser$allowed_cpid_low),
        .allowed_cpid_mask_high(parser$allowed_cpid_mask_high),
        .allowed_cpid_mask_low(parser$allowed_cpid_mask_low),
        .feedback_valid(parser$feedback_valid),
        .feedback_ready(parser$feedback_ready),
        .quantized_feedback(parser$quantized_feedback),
        .q_offset_units(parser$q_offset_units),
        .q_delta_units(parser$q_delta_units),
        .cpid_high(parser$cpid_high),
        .cpid_low(parser$cpid_low),
        .ignored_frames(parser$ignored_frames)
    );
    qcn_reaction_point$calculator calculator(
        .clock(clock),
        .reset(calculator$reset),
        .feedback_valid(calculator$feedback_valid),
        .feedback_ready(calculator$feedback_ready),
        .quantized_feedback(calculator$quantized_feedback),
        .sent(calculator$sent),
        .sent_bytes(calculator$sent_bytes),
        .source_empty(calculator$source_empty),
        .line_rate(calculator$line_rate),
        .min_rate(calculator$min_rate),
        .ai_rate(calculator$ai_rate),
        .hai_rate(calculator$hai_rate),
        .gd_shift(calculator$gd_shift),
        .byte_cycle_low(calculator$byte_cycle_low),
        .byte_cycle_ratio(calculator$byte_cycle_ratio),
        .timer_low(calculator$timer_low),
        .timer_ratio(calculator$timer_ratio),
        .seed(calculator$seed),
        .increase_stage(calculator$increase_stage),
        .half_stage(calculator$half_stage),
        .target_reduction(calculator$target_reduction),
        .extra_fast_recovery(calculator$extra_fast_recovery),
        .current_rate(calculator$current_rate),
        .target_rate(calculator$target_rate),
        .byte_stage(calculator$byte_stage),
        .time_stage(calculator$time_stage)
    );
    qcn_reaction_point$rate_limiter rate_limiter(
        .clock(clock),
        .reset(rate_limiter$reset),
        .rate(rate_limiter$rate),
        .bucket_bytes(rate_limiter$bucket_bytes),
        .overhead_bytes(rate_limiter$overhead_bytes),
        .request(rate_limiter$request),
        .request_bytes(rate_limiter$request_bytes),
        .grant(rate_limiter$grant),
        .oversize(rate_limiter$oversize),
        .sent(rate_limiter$sent),
        .sent_bytes(rate_limiter$sent_bytes)
    );

    // Update code
    always @(*) begin
        parser$reset = reset;
        calculator$reset = reset;
        rate_limiter$reset = reset;
        parser$data_high = data_high;
        parser$data_low = data_low;
        parser$octets = octets;
        parser$last = last;
        parser$valid = valid;
        ready = parser$ready;
        parser$rp_mac_high = rp_mac_high;
        parser$rp_mac_low = rp_mac_low;
        parser$allowed_cpid_high = allowed_cpid_high;
        parser$allowed_cpid_low = allowed_cpid_low;
        parser$allowed_cpid_mask_high = allowed_cpid_mask_high;
        parser$allowed_cpid_mask_low = allowed_cpid_mask_low;
        ignored_frames = parser$ignored_frames;
        calculator$feedback_valid = parser$feedback_valid;
        parser$feedback_ready = calculator$feedback_ready;
        calculator$quantized_feedback = parser$quantized_feedback;
        calculator$line_rate = line_rate;
        calculator$min_rate = min_rate;
        calculator$ai_rate = ai_rate;
        calculator$hai_rate = hai_rate;
        calculator$gd_shift = gd_shift;
        calculator$byte_cycle_low = byte_cycle_low;
        calculator$byte_cycle_ratio = byte_cycle_ratio;
        calculator$timer_low = timer_low;
        calculator$timer_ratio = timer_ratio;
        calculator$seed = seed;
        calculator$increase_stage = increase_stage;
        calculator$half_stage = half_stage;
        calculator$target_reduction = target_reduction;
        calculator$extra_fast_recovery = extra_fast_recovery;
        calculator$sent = rate_limiter$sent;
        calculator$sent_bytes = ((rate_limiter$sent_bytes) & 24'hffffff);
        calculator$source_empty = source_empty;
        current_rate = calculator$current_rate;
        rate_limiter$rate = calculator$current_rate;
        rate_limiter$bucket_bytes = bucket_bytes;
        rate_limiter$overhead_bytes = overhead_bytes;
        rate_limiter$request = request;
        rate_limiter$request_bytes = request_bytes;
        grant = rate_limiter$grant;
        oversize = rate_limiter$oversize;
    end

endmodule // qcn_reaction_point


module qcn_reaction_point$calculator(clock,reset,feedback_valid,feedback_ready,quantized_feedback,sent,sent_bytes,source_empty,line_rate,min_rate,ai_rate,hai_rate,gd_shift,byte_cycle_low,byte_cycle_ratio,timer_low,timer_ratio,seed,increase_stage,half_stage,target_reduction,extra_fast_recovery,current_rate,target_rate,byte_stage,time_stage);

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
    qcn_reaction_point$calculator$byte_jitter byte_jitter(
        .clock(clock),
        .reset(byte_jitter$reset),
        .low(byte_jitter$low),
        .ratio(byte_jitter$ratio),
        .seed(byte_jitter$seed),
        .draw(byte_jitter$draw),
        .interval(byte_jitter$interval)
    );
    qcn_reaction_point$calculator$time_jitter time_jitter(
        .clock(clock),
        .reset(time_jitter$reset),
        .low(time_jitter$low),
        .ratio(time_jitter$ratio),
        .seed(time_jitter$seed),
        .draw(time_jitter$draw),
        .interval(time_jitter$interval)
    );
    qcn_reaction_point$calculator$active active(
        .d(active$d),
        .q(active$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$rate rate(
        .d(rate$d),
        .q(rate$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$target target(
        .d(target$d),
        .q(target$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$stage_of_bytes stage_of_bytes(
        .d(stage_of_bytes$d),
        .q(stage_of_bytes$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$stage_of_time stage_of_time(
        .d(stage_of_time$d),
        .q(stage_of_time$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_half byte_half(
        .d(byte_half$d),
        .q(byte_half$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_half time_half(
        .d(time_half$d),
        .q(time_half$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$elapsed_bytes elapsed_bytes(
        .d(elapsed_bytes$d),
        .q(elapsed_bytes$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$elapsed_cycles elapsed_cycles(
        .d(elapsed_cycles$d),
        .q(elapsed_cycles$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_due byte_due(
        .d(byte_due$d),
        .q(byte_due$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_due time_due(
        .d(time_due$d),
        .q(time_due$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$step step(
        .d(step$d),
        .q(step$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$decrease decrease(
        .d(decrease$d),
        .q(decrease$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$of_time of_time(
        .d(of_time$d),
        .q(of_time$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$hyper hyper(
        .d(hyper$d),
        .q(hyper$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$reduce reduce(
        .d(reduce$d),
        .q(reduce$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$retarget retarget(
        .d(retarget$d),
        .q(retarget$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$multiplier multiplier(
        .d(multiplier$d),
        .q(multiplier$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$product product(
        .d(product$d),
        .q(product$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$change change(
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

endmodule // qcn_reaction_point$calculator


module qcn_reaction_point$calculator$active(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$active


module qcn_reaction_point$calculator$byte_due(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_due


module qcn_reaction_point$calculator$byte_half(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_half


module qcn_reaction_point$calculator$byte_jitter(clock,reset,low,ratio,seed,draw,interval);

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
    qcn_reaction_point$calculator$byte_jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$byte_jitter$total total(
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

endmodule // qcn_reaction_point$calculator$byte_jitter


module qcn_reaction_point$calculator$byte_jitter$extra_high(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_jitter$extra_high


module qcn_reaction_point$calculator$byte_jitter$extra_low(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_jitter$extra_low


module qcn_reaction_point$calculator$byte_jitter$fraction(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_jitter$fraction


module qcn_reaction_point$calculator$byte_jitter$state(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_jitter$state


module qcn_reaction_point$calculator$byte_jitter$total(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$byte_jitter$total


module qcn_reaction_point$calculator$change(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$change


module qcn_reaction_point$calculator$decrease(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$decrease


module qcn_reaction_point$calculator$elapsed_bytes(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$elapsed_bytes


module qcn_reaction_point$calculator$elapsed_cycles(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$elapsed_cycles


module qcn_reaction_point$calculator$hyper(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$hyper


module qcn_reaction_point$calculator$multiplier(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$multiplier


module qcn_reaction_point$calculator$of_time(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$of_time


module qcn_reaction_point$calculator$product(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$product


module qcn_reaction_point$calculator$rate(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$rate


module qcn_reaction_point$calculator$reduce(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$reduce


module qcn_reaction_point$calculator$retarget(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$retarget


module qcn_reaction_point$calculator$stage_of_bytes(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$stage_of_bytes


module qcn_reaction_point$calculator$stage_of_time(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$stage_of_time


module qcn_reaction_point$calculator$step(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$step


module qcn_reaction_point$calculator$target(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$target


module qcn_reaction_point$calculator$time_due(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_due


module qcn_reaction_point$calculator$time_half(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_half


module qcn_reaction_point$calculator$time_jitter(clock,reset,low,ratio,seed,draw,interval);

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
    qcn_reaction_point$calculator$time_jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    qcn_reaction_point$calculator$time_jitter$total total(
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

endmodule // qcn_reaction_point$calculator$time_jitter


module qcn_reaction_point$calculator$time_jitter$extra_high(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_jitter$extra_high


module qcn_reaction_point$calculator$time_jitter$extra_low(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_jitter$extra_low


module qcn_reaction_point$calculator$time_jitter$fraction(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_jitter$fraction


module qcn_reaction_point$calculator$time_jitter$state(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_jitter$state


module qcn_reaction_point$calculator$time_jitter$total(d,q,clock);

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

endmodule // qcn_reaction_point$calculator$time_jitter$total


module qcn_reaction_point$parser(clock,reset,data_high,data_low,octets,last,valid,ready,rp_mac_high,rp_mac_low,allowed_cpid_high,allowed_cpid_low,allowed_cpid_mask_high,allowed_cpid_mask_low,feedback_valid,feedback_ready,quantized_feedback,q_offset_units,q_delta_units,cpid_high,cpid_low,ignored_frames);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [31:0] data_high;
    input wire  [31:0] data_low;
    input wire  [3:0] octets;
    input wire  last;
    input wire  valid;
    output reg  ready;
    input wire  [15:0] rp_mac_high;
    input wire  [31:0] rp_mac_low;
    input wire  [31:0] allowed_cpid_high;
    input wire  [31:0] allowed_cpid_low;
    input wire  [31:0] allowed_cpid_mask_high;
    input wire  [31:0] allowed_cpid_mask_low;
    output reg  feedback_valid;
    input wire  feedback_ready;
    output reg  [5:0] quantized_feedback;
    output reg  [15:0] q_offset_units;
    output reg  [15:0] q_delta_units;
    output reg  [31:0] cpid_high;
    output reg  [31:0] cpid_low;
    output reg  [31:0] ignored_frames;

    // Stub signals
    reg  [3:0] word$d;
    wire  [3:0] word$q;
    reg  rejected$d;
    wire  rejected$q;
    reg  tagged$d;
    wire  tagged$q;
    reg  pending$d;
    wire  pending$q;
    reg  [5:0] feedback$d;
    wire  [5:0] feedback$q;
    reg  [15:0] offset$d;
    wire  [15:0] offset$q;
    reg  [15:0] delta$d;
    wire  [15:0] delta$q;
    reg  [31:0] identifier_high$d;
    wire  [31:0] identifier_high$q;
    reg  [31:0] identifier_low$d;
    wire  [31:0] identifier_low$q;
    reg  [6:0] needed_less_one$d;
    wire  [6:0] needed_less_one$q;
    reg  [31:0] ignored$d;
    wire  [31:0] ignored$q;

    // Local signals
    reg  take;
    reg  reject;
    reg  [15:0] high_upper;
    reg  [15:0] high_lower;
    reg  [15:0] low_upper;
    reg  [15:0] low_lower;
    reg  [31:0] wrong_high;
    reg  [31:0] wrong_low;
    reg  [31:0] identifier_in_high;
    reg  [31:0] identifier_in_low;
    reg  [31:0] expected_high;
    reg  [15:0] expected_low;
    reg  [15:0] unit_length_field;
    reg  [6:0] unit_length_in;
    reg  [3:0] octets_less_one;
    reg  [6:0] length_less_one;
    reg  [6:0] most_less_one;
    reg  accept;

    // Sub module instances
    qcn_reaction_point$parser$word word(
        .d(word$d),
        .q(word$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$rejected rejected(
        .d(rejected$d),
        .q(rejected$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$tagged tagged(
        .d(tagged$d),
        .q(tagged$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$pending pending(
        .d(pending$d),
        .q(pending$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$feedback feedback(
        .d(feedback$d),
        .q(feedback$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$offset offset(
        .d(offset$d),
        .q(offset$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$delta delta(
        .d(delta$d),
        .q(delta$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$identifier_high identifier_high(
        .d(identifier_high$d),
        .q(identifier_high$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$identifier_low identifier_low(
        .d(identifier_low$d),
        .q(identifier_low$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$needed_less_one needed_less_one(
        .d(needed_less_one$d),
        .q(needed_less_one$q),
        .clock(clock)
    );
    qcn_reaction_point$parser$ignored ignored(
        .d(ignored$d),
        .q(ignored$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        word$d = word$q;
        rejected$d = rejected$q;
        tagged$d = tagged$q;
        pending$d = pending$q;
        feedback$d = feedback$q;
        offset$d = offset$q;
        delta$d = delta$q;
        identifier_high$d = identifier_high$q;
        identifier_low$d = identifier_low$q;
        needed_less_one$d = needed_less_one$q;
        ignored$d = ignored$q;
        ready = ~pending$q | feedback_ready;
        take = valid & (~pending$q | feedback_ready);
        if (feedback_ready) begin
            pending$d = 1'b0;
        end
        high_upper = data_high[(32'h10)+:(16)];
        high_lower = data_high[(32'h0)+:(16)];
        low_upper = data_low[(32'h10)+:(16)];
        low_lower = data_low[(32'h0)+:(16)];
        expected_high = (((rp_mac_high) & 32'hffffffff) << 32'h10) | ((rp_mac_low[(32'h10)+:(16)]) & 32'hffffffff);
        expected_low = rp_mac_low[(32'h0)+:(16)];
        identifier_in_high = data_high;
        identifier_in_low = data_low;
        unit_length_field = low_upper;
        if (tagged$q) begin
            identifier_in_high = data_low;
            identifier_in_low = data_high;
            unit_length_field = high_upper;
        end
        unit_length_in = unit_length_field[(32'h0)+:(7)];
        wrong_high = (identifier_in_high ^ allowed_cpid_high) & allowed_cpid_mask_high;
        wrong_low = (identifier_in_low ^ allowed_cpid_low) & allowed_cpid_mask_low;
        reject = rejected$q;
        if (word$q == 32'h0) begin
            reject = (data_high != expected_high) | (low_upper != expected_low);
        end
        else if (word$q == 32'h1) begin
            if (low_upper == 32'h22e7) begin
                reject = rejected$q | |low_lower[(32'hc)+:(4)];
            end
            else if (low_upper != 32'h8100) begin
                reject = 1'b1;
            end
        end
        else if (word$q == 32'h2) begin
            if (tagged$q) begin
                reject = rejected$q | (high_upper != 32'h22e7) | |high_lower[(32'hc)+:(4)] | |wrong_high;
            end
            else begin
                reject = rejected$q | |wrong_high | |wrong_low;
            end
        end
        else if (word$q == 32'h3) begin
            if (tagged$q) begin
                reject = rejected$q | |wrong_low;
            end
        end
        else if (((word$q == 32'h4) & ~tagged$q) | ((word$q == 32'h5) & tagged$q)) begin
            reject = rejected$q | (unit_length_field > 32'h40);
        end
        octets_less_one = octets - 32'h1;
        length_less_one = (((word$q) & 7'h7f) << 32'h3) | ((octets_less_one[(32'h0)+:(3)]) & 7'h7f);
        most_less_one = 32'h65;
        if (tagged$q) begin
            most_less_one = 32'h69;
        end
        accept = ~reject & (length_less_one >= 32'h3b) & (length_less_one <= most_less_one) & (length_less_one >= needed_less_one$q);
        if (take) begin
            rejected$d = reject;
            if (word$q != 32'hf) begin
                word$d = word$q + 32'h1;
            end
            if (word$q == 32'h1) begin
                tagged$d = low_upper == 32'h8100;
                feedback$d = data_low[(32'h0)+:(6)];
            end
            else if (word$q == 32'h2) begin
                identifier_high$d = identifier_in_high;
                if (tagged$q) begin
                    feedback$d = data_high[(32'h0)+:(6)];
                end
                else begin
                    identifier_low$d = identifier_in_low;
                end
            end
            else if (word$q == 32'h3) begin
                offset$d = high_upper;
                delta$d = high_lower;
                if (tagged$q) begin
                    identifier_low$d = identifier_in_low;
                    offset$d = low_upper;
                    delta$d = low_lower;
                end
            end
            else if (((word$q == 32'h4) & ~tagged$q) | ((word$q == 32'h5) & tagged$q)) begin
                needed_less_one$d = unit_length_in + 32'h25;
                if (tagged$q) begin
                    needed_less_one$d = unit_length_in + 32'h29;
                end
            end
            if (last) begin
                word$d = 32'h0;
                rejected$d = 1'b0;
                tagged$d = 1'b0;
                if (accept) begin
                    pending$d = 1'b1;
                end
                else begin
                    ignored$d = ignored$q + 32'h1;
                end
            end
        end
        if (reset) begin
            word$d = 32'h0;
            rejected$d = 1'b0;
            tagged$d = 1'b0;
            pending$d = 1'b0;
            ignored$d = 32'h0;
        end
        feedback_valid = pending$q;
        quantized_feedback = feedback$q;
        q_offset_units = offset$q;
        q_delta_units = delta$q;
        cpid_high = identifier_high$q;
        cpid_low = identifier_low$q;
        ignored_frames = ignored$q;
    end

endmodule // qcn_reaction_point$parser


module qcn_reaction_point$parser$delta(d,q,clock);

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

endmodule // qcn_reaction_point$parser$delta


module qcn_reaction_point$parser$feedback(d,q,clock);

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

endmodule // qcn_reaction_point$parser$feedback


module qcn_reaction_point$parser$identifier_high(d,q,clock);

    // Module arguments
    input wire  [31:0] d;
    output reg  [31:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 32'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$parser$identifier_high


module qcn_reaction_point$parser$identifier_low(d,q,clock);

    // Module arguments
    input wire  [31:0] d;
    output reg  [31:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 32'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$parser$identifier_low


module qcn_reaction_point$parser$ignored(d,q,clock);

    // Module arguments
    input wire  [31:0] d;
    output reg  [31:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 32'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$parser$ignored


module qcn_reaction_point$parser$needed_less_one(d,q,clock);

    // Module arguments
    input wire  [6:0] d;
    output reg  [6:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 7'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$parser$needed_less_one


module qcn_reaction_point$parser$offset(d,q,clock);

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

endmodule // qcn_reaction_point$parser$offset


module qcn_reaction_point$parser$pending(d,q,clock);

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

endmodule // qcn_reaction_point$parser$pending


module qcn_reaction_point$parser$rejected(d,q,clock);

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

endmodule // qcn_reaction_point$parser$rejected


module qcn_reaction_point$parser$tagged(d,q,clock);

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

endmodule // qcn_reaction_point$parser$tagged


module qcn_reaction_point$parser$word(d,q,clock);

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

endmodule // qcn_reaction_point$parser$word


module qcn_reaction_point$rate_limiter(clock,reset,rate,bucket_bytes,overhead_bytes,request,request_bytes,grant,oversize,sent,sent_bytes);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  [24:0] rate;
    input wire  [13:0] bucket_bytes;
    input wire  [4:0] overhead_bytes;
    input wire  request;
    input wire  [13:0] request_bytes;
    output reg  grant;
    output reg  oversize;
    output reg  sent;
    output reg  [13:0] sent_bytes;

    // Stub signals
    reg  granted$d;
    wire  granted$q;
    reg  [13:0] granted_bytes$d;
    wire  [13:0] granted_bytes$q;
    reg  [31:0] tokens$d;
    wire  [31:0] tokens$q;

    // Local signals
    reg  [31:0] depth;
    reg  [14:0] cost;
    reg  [31:0] cost_tokens;
    reg  affordable;
    reg  allowed;
    reg  [31:0] rate_tokens;
    reg  [31:0] nearly_full;
    reg  [31:0] net_cost;

    // Sub module instances
    qcn_reaction_point$rate_limiter$granted granted(
        .d(granted$d),
        .q(granted$q),
        .clock(clock)
    );
    qcn_reaction_point$rate_limiter$granted_bytes granted_bytes(
        .d(granted_bytes$d),
        .q(granted_bytes$q),
        .clock(clock)
    );
    qcn_reaction_point$rate_limiter$tokens tokens(
        .d(tokens$d),
        .q(tokens$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        tokens$d = tokens$q;
        granted$d = granted$q;
        granted_bytes$d = granted_bytes$q;
        granted_bytes$d = request_bytes;
        sent = granted$q;
        sent_bytes = granted_bytes$q;
        depth = ((bucket_bytes) & 32'hffffffff) << 32'h12;
        cost = ((request_bytes) & 15'h7fff) + ((overhead_bytes) & 15'h7fff);
        allowed = cost <= ((bucket_bytes) & 15'h7fff);
        oversize = request & ~allowed;
        cost_tokens = ((cost) & 32'hffffffff) << 32'h12;
        affordable = request & allowed & (tokens$q >= cost_tokens);
        grant = affordable;
        granted$d = affordable & ~reset;
        rate_tokens = ((rate) & 32'hffffffff);
        nearly_full = depth - rate_tokens;
        net_cost = cost_tokens - rate_tokens;
        if (affordable) begin
            if (cost_tokens > rate_tokens) begin
                tokens$d = tokens$q - net_cost;
            end
        end
        else if (tokens$q >= nearly_full) begin
            tokens$d = depth;
        end
        else begin
            tokens$d = tokens$q + rate_tokens;
        end
        if (reset) begin
            tokens$d = 32'h0;
        end
    end

endmodule // qcn_reaction_point$rate_limiter


module qcn_reaction_point$rate_limiter$granted(d,q,clock);

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

endmodule // qcn_reaction_point$rate_limiter$granted


module qcn_reaction_point$rate_limiter$granted_bytes(d,q,clock);

    // Module arguments
    input wire  [13:0] d;
    output reg  [13:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 14'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$rate_limiter$granted_bytes


module qcn_reaction_point$rate_limiter$tokens(d,q,clock);

    // Module arguments
    input wire  [31:0] d;
    output reg  [31:0] q;
    input wire  clock;

    // Update code (custom)
    initial begin
       q = 32'h0;
    end

    always @(posedge clock) begin
       q <= d;
    end

endmodule // qcn_reaction_point$rate_limiter$tokens
