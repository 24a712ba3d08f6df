// SPDX-License-Identifier: MIT OR Apache-2.0
// The sampling intervals stay within the bounds of their jitter. Mode, smallest interval and jitter are constants, the
// defaults of the scheme in one mode, because products with constants are cheap for the solver. The seed is free.

module sampler_properties (
    input clock,
    input reset,
    input enqueue,
    input [23:0] enqueue_bytes
);
    localparam [1:0] MODE = `PARAMETER_sample_mode;
    localparam [23:0] LOW = `PARAMETER_interval_low;
    localparam [23:0] SPAN = `PARAMETER_interval_span;
    localparam [24:0] HIGH = LOW + SPAN;
    // As many low bits as the span has.
    localparam [23:0] MASK = (1 << $clog2(SPAN + 1)) - 1;

    (* anyconst *) wire [15:0] seed;
    wire sample;

    sampler device (
        .clock(clock), .reset(reset), .enqueue(enqueue), .enqueue_bytes(enqueue_bytes), .interval_low(LOW),
        .interval_span(SPAN), .sample_mode(MODE), .seed(seed), .sample(sample)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Packets or bytes since the interval began, with the packet of this cycle.
    wire [24:0] amount = MODE == 1 ? {1'b0, enqueue_bytes} : 25'd1;
    reg [24:0] since = 0;
    wire [24:0] total = since + amount;

    // The intervals as the description of the block defines them, register by register. The proof shows the bounds for this
    // model, and that the block agrees with it.
    reg [23:0] random = 0, elapsed = 0, interval = 0;
    reg starts = 0, judged = 0, settled = 0, due = 0;
    wire fits = (random & MASK) <= SPAN;
    wire counts = enqueue || MODE == 2;
    wire [24:0] elapsed_now = elapsed + amount;
    wire full = counts && elapsed_now >= interval;
    wire draw = full || (judged && !settled);
    // Sixteen steps of the shift register.
    wire [15:0] fresh = random[23:8] ^ random[22:7] ^ random[21:6] ^ random[16:1];

    // Cycles since the last sample and since the sample before it; both counters stop at their largest value.
    reg [25:0] since_sample = 0, since_other = 0;
    always @(posedge clock) begin
        if (enqueue) since <= sample ? 0 : total;
        if (draw) random <= {random[7:0], fresh};
        judged <= !draw;
        settled <= fits && !draw;
        interval <= LOW + (random & (settled ? MASK : MASK >> 1));
        if (counts) elapsed <= full ? 0 : elapsed_now[23:0];
        due <= MODE == 2 && (full || (due && !enqueue));
        since_sample <= sample ? 1 : since_sample[25] ? since_sample : since_sample + 1;
        if (sample) since_other <= since_sample[25] ? since_sample : since_sample + 1;
        else if (!since_other[25]) since_other <= since_other + 1;
        // The first number stays for a cycle after the reset, and is not judged in it.
        starts <= reset;
        if (reset || starts) begin
            random <= {seed, seed[15:8]};
            judged <= 0;
            settled <= 0;
            interval <= LOW;
        end
        if (reset) begin
            since <= 0;
            elapsed <= 0;
            due <= 0;
            since_sample <= 1;
            since_other <= 26'h2000000;
        end
    end
    (* keep *) wire [23:0] guess_random = random, guess_elapsed = elapsed, guess_interval = interval;
    // From the second cycle on: these are registers of what is constant here.
    (* keep *) wire guess_compares_bytes = MODE == 1, guess_compares_bytes_if = started;
    (* keep *) wire [23:0] guess_span = SPAN, guess_mask = MASK;
    (* keep *) wire guess_span_if = started, guess_mask_if = started;
    (* keep *) wire guess_replaces = judged && !settled, guess_settled = settled, guess_due = due, guess_starts = starts;

    always @(*) if (started) begin
        helper_settled: assert(!settled || fits);
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
