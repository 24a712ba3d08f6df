// The sampling intervals stay within the bounds of their jitter. Mode, smallest interval and jitter are constants, the
// defaults of the scheme in one mode, because products with constants are cheap for the solver. The seed is free.

module sampler_properties (
    input clock,
    input reset,
    input enqueue,
    input [23:0] enqueue_bytes
);
    localparam [1:0] MODE = `PARAMETER_sample_mode;
    localparam [23:0] LOW = `PARAMETER_interval_low_0;
    localparam [15:0] RATIO = `PARAMETER_jitter_ratio;
    // The largest fraction that can be drawn, in 2^-13, and the interval that it makes.
    localparam [15:0] LARGEST_FRACTION = (RATIO * 64'd255) >> 8;
    localparam [24:0] HIGH = LOW + ((LOW * {48'd0, LARGEST_FRACTION}) >> 13);

    (* anyconst *) wire [15:0] seed;
    wire sample;

    sampler device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_bytes(enqueue_bytes), .interval_low(LOW),
        .sample_mode(MODE), .jitter_ratio(RATIO), .seed(seed), .sample(sample)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Packets or bytes since the interval began, with the packet of this cycle.
    wire [24:0] amount = MODE == 1 ? {1'b0, enqueue_bytes} : 25'd1;
    reg [24:0] since = 0;
    wire [24:0] total = since + amount;

    // An interval as the description of the block defines it, register by register. The proof shows the bounds for this
    // model, and that the block agrees with it.
    reg [15:0] state = 0, fraction = 0;
    reg [23:0] multiplicand = 0, extra_low = 0, extra_high = 0, interval_register = 0, elapsed = 0;
    reg due = 0;
    wire [23:0] interval = RATIO == 0 ? LOW : interval_register;
    wire counts = enqueue || MODE == 2;
    wire [24:0] elapsed_now = elapsed + amount;
    wire full = counts && elapsed_now >= {1'b0, interval};
    wire [15:0] next_state = {state[7:0], state[15:8] ^ (state[13:6]) ^ (state[12:5]) ^ (state[10:3])};
    wire [31:0] scaled = RATIO * {24'd0, state[7:0]};
    wire [31:0] low_product = multiplicand[15:0] * {16'd0, fraction};
    wire [31:0] high_product = multiplicand[23:16] * {16'd0, fraction};

    // Cycles since the last sample and since the sample before it; both counters stop at their largest value.
    reg [25:0] since_sample = 0, since_other = 0;
    always @(posedge clock) begin
        if (enqueue) since <= sample ? 0 : total;
        if (full) state <= next_state;
        fraction <= scaled[23:8];
        multiplicand <= LOW;
        extra_low <= {5'd0, low_product[31:13]};
        extra_high <= {high_product[20:0], 3'd0};
        interval_register <= LOW + extra_low + extra_high;
        if (counts) elapsed <= full ? 0 : elapsed_now[23:0];
        due <= MODE == 2 && (full || (due && !enqueue));
        since_sample <= sample ? 1 : since_sample[25] ? since_sample : since_sample + 1;
        if (sample) since_other <= since_sample[25] ? since_sample : since_sample + 1;
        else if (!since_other[25]) since_other <= since_other + 1;
        if (reset) begin
            since <= 0;
            state <= seed;
            fraction <= 0;
            extra_low <= 0;
            extra_high <= 0;
            interval_register <= LOW;
            elapsed <= 0;
            due <= 0;
            since_sample <= 1;
            since_other <= 26'h2000000;
        end
    end
    (* keep *) wire [15:0] guess_state = state, guess_fraction = fraction;
    (* keep *) wire [23:0] guess_multiplicand = multiplicand, guess_extra_low = extra_low, guess_extra_high = extra_high,
        guess_interval = interval_register, guess_elapsed = elapsed;
    (* keep *) wire guess_due = due;

    localparam [31:0] LARGEST_LOW = (LOW[15:0] * {16'd0, LARGEST_FRACTION}) >> 13;
    localparam [31:0] LARGEST_HIGH = (LOW[23:16] * {16'd0, LARGEST_FRACTION}) << 3;
    always @(*) if (started) begin
        helper_multiplicand: assert(multiplicand == LOW);
        helper_fraction: assert(fraction <= LARGEST_FRACTION);
        helper_extra_low: assert(extra_low <= LARGEST_LOW);
        helper_extra_high: assert(extra_high <= LARGEST_HIGH);
        helper_interval: assert(interval >= LOW && interval <= HIGH);
        helper_elapsed: assert(elapsed < HIGH);
        as_described: assert(sample == (MODE == 2 ? enqueue && due : full));
        only_packets: assert(!sample || enqueue);
    end
    generate
        if (MODE != 2) begin
            always @(*) if (started) begin
                helper_since: assert(since == {1'b0, elapsed});
                // If the total had been enough before this packet, the packet before would have been the sample.
                not_too_early: assert(!sample || total >= LOW);
                not_too_late: assert(!enqueue || since < HIGH);
            end
        end else begin
            always @(*) if (started) begin
                // The last sample came after the last end of an interval, unless a sample is due. The sample before it
                // came before that end; if a sample is due, before the end of the interval before.
                helper_not_due: assert(due || since_sample <= elapsed + 1);
                helper_due: assert(!due || since_sample[25] || since_sample >= elapsed + 1);
                helper_two: assert(since_other[25] || since_other >= elapsed + 1 + (due ? {2'd0, LOW} : 26'd0));
                // Between two samples there is the end of an interval, between three samples a whole interval.
                not_too_early: assert(!sample || since_other >= LOW);
                // A packet that comes after an interval has passed since the last sample is a sample.
                not_too_late: assert(!enqueue || sample || since_sample <= HIGH);
            end
        end
    endgenerate
endmodule
