// Block sampler alone, as it stands in the cp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module sampler(clock,reset,enqueue,enqueue_bytes,interval_low,sample_mode,jitter_ratio,seed,sample);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  enqueue;
    input wire  [23:0] enqueue_bytes;
    input wire  [23:0] interval_low;
    input wire  [1:0] sample_mode;
    input wire  [15:0] jitter_ratio;
    input wire  [15:0] seed;
    output reg  sample;

    // Stub signals
    reg  jitter$reset;
    reg  [23:0] jitter$low;
    reg  [15:0] jitter$ratio;
    reg  [15:0] jitter$seed;
    reg  jitter$draw;
    wire  [23:0] jitter$interval;
    reg  [23:0] elapsed$d;
    wire  [23:0] elapsed$q;
    reg  due$d;
    wire  due$q;

    // Local signals
    reg  by_bytes;
    reg  by_time;
    reg  [24:0] amount;
    reg  [24:0] total;
    reg  [24:0] interval;
    reg  counts;
    reg  full;

    // Sub module instances
    sampler$jitter jitter(
        .clock(clock),
        .reset(jitter$reset),
        .low(jitter$low),
        .ratio(jitter$ratio),
        .seed(jitter$seed),
        .draw(jitter$draw),
        .interval(jitter$interval)
    );
    sampler$elapsed elapsed(
        .d(elapsed$d),
        .q(elapsed$q),
        .clock(clock)
    );
    sampler$due due(
        .d(due$d),
        .q(due$q),
        .clock(clock)
    );

    // Update code
    always @(*) begin
        elapsed$d = elapsed$q;
        due$d = due$q;
        jitter$reset = reset;
        jitter$low = interval_low;
        jitter$ratio = jitter_ratio;
        jitter$seed = seed;
        by_bytes = sample_mode == 32'h1;
        by_time = sample_mode == 32'h2;
        amount = 32'h1;
        if (by_bytes) begin
            amount = ((enqueue_bytes) & 25'h1ffffff);
        end
        counts = enqueue | by_time;
        total = ((elapsed$q) & 25'h1ffffff) + amount;
        interval = ((jitter$interval) & 25'h1ffffff);
        full = counts & (total >= interval);
        if (counts) begin
            elapsed$d = total[(32'h0)+:(24)];
        end
        if (full) begin
            elapsed$d = 32'h0;
        end
        jitter$draw = full;
        sample = full;
        due$d = 1'b0;
        if (by_time) begin
            sample = enqueue & due$q;
            due$d = full | (due$q & ~enqueue);
        end
        if (reset) begin
            elapsed$d = 32'h0;
            due$d = 1'b0;
        end
    end

endmodule // sampler


module sampler$due(d,q,clock);

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

endmodule // sampler$due


module sampler$elapsed(d,q,clock);

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

endmodule // sampler$elapsed


module sampler$jitter(clock,reset,low,ratio,seed,draw,interval);

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
    sampler$jitter$state state(
        .d(state$d),
        .q(state$q),
        .clock(clock)
    );
    sampler$jitter$fraction fraction(
        .d(fraction$d),
        .q(fraction$q),
        .clock(clock)
    );
    sampler$jitter$extra_low extra_low(
        .d(extra_low$d),
        .q(extra_low$q),
        .clock(clock)
    );
    sampler$jitter$extra_high extra_high(
        .d(extra_high$d),
        .q(extra_high$q),
        .clock(clock)
    );
    sampler$jitter$total total(
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

endmodule // sampler$jitter


module sampler$jitter$extra_high(d,q,clock);

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

endmodule // sampler$jitter$extra_high


module sampler$jitter$extra_low(d,q,clock);

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

endmodule // sampler$jitter$extra_low


module sampler$jitter$fraction(d,q,clock);

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

endmodule // sampler$jitter$fraction


module sampler$jitter$state(d,q,clock);

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

endmodule // sampler$jitter$state


module sampler$jitter$total(d,q,clock);

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

endmodule // sampler$jitter$total
