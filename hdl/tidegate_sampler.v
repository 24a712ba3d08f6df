// SPDX-License-Identifier: MIT OR Apache-2.0
// Counts packets, bytes or cycles, and selects the arriving packet that completes a sampling
// interval as a sample.
//
// `sample` is combinational: it is high in the cycle of the selected packet. In the modes `packets`
// and `bytes` the packet that completes the interval is the sample, and the next interval starts at
// 0. In the mode `time` intervals follow each other whether packets arrive or not, and the first
// packet after the end of an interval is the sample.
//
// An interval is `interval_low` plus a random share of 0 to `interval_span`, drawn when the
// interval before it ends. A random number that does not fit is replaced in the next cycle; one
// that fits counts from the cycle after. Until then the share is a random number without its most
// significant bit. A new interval, also one because `interval_low` changes, is compared one cycle
// later, one because `interval_span` changes two cycles later; after reset it is `interval_low` for
// two cycles, and a sample in the first one draws no number. `interval_low` must be valid in the
// last cycle of the reset, `interval_span` in the next one.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_sampler (
    input  wire        clock,         // Clock, rising edge
    input  wire        reset,         // Synchronous reset, active high
    input  wire        enqueue,       // A packet enters the queue in this cycle
    input  wire [23:0] enqueue_bytes, // Length of that packet, bytes; valid with `enqueue`
    input  wire [23:0] interval_low,  // Smallest sampling interval: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_span, // Largest minus smallest sampling interval, in the same unit; 0 = no jitter
    input  wire [1:0]  sample_mode,   // What the sampling interval counts: 0 = packets, 1 = bytes, 2 = cycles; never 3
    input  wire [15:0] seed,          // Value of the random source after reset, not 0
    output wire        sample         // The packet that enters in this cycle is a sample
);
    // The cycle before was one of reset. Span and mask may not be valid yet, so numbers are judged from the next one on
    reg starts;
    reg [23:0] span; // `interval_span` of the cycle before
    // As many ones as `span` has bits. Mask and share are too long for one cycle where the bounds are registers
    reg [23:0] mask;
    // `by_bytes` of the cycle before, for the comparison: synthesis then does not take the gates of the addition for
    // both, which would be one more in the longest path. It is a constant where the mode is one
    reg compares_bytes;
    reg [23:0] elapsed; // Packets, bytes or cycles since the last interval ended
    reg due; // Mode `time`: an interval has ended and the next packet is its sample
    reg [23:0] interval; // Sampling interval

    initial begin
        elapsed = 24'd0;
        due = 1'd0;
        interval = 24'd0;
    end

    wire [23:0] random_source_random;
    wire random_source_settled;
    wire [23:0] span_mask_mask;
    wire random_share_fits;
    wire [23:0] random_share_share;
    wire interval_reached_reached;

    wire begins = reset || starts;
    wire by_bytes = sample_mode[0];
    wire by_time = sample_mode[1];
    wire [23:0] amount = by_bytes ? enqueue_bytes : 24'd1;
    wire [23:0] compared = compares_bytes ? enqueue_bytes : 24'd1;
    wire counts = enqueue || by_time;
    wire [24:0] interval_reached_amount = {1'd0, compared};
    wire [23:0] share = begins ? 24'd0 : random_share_share;
    wire full = counts && interval_reached_reached;
    assign sample = by_time ? (enqueue && due) : full;

    tidegate_random_source random_source (
        .clock(clock),
        .reset(begins),
        .seed(seed),
        .draw(full),
        .fits(random_share_fits),
        .random(random_source_random),
        .settled(random_source_settled)
    );

    tidegate_span_mask span_mask (
        .span(interval_span),
        .mask(span_mask_mask)
    );

    tidegate_random_share random_share (
        .random(random_source_random),
        .span(span),
        .mask(mask),
        .settled(random_source_settled),
        .fits(random_share_fits),
        .share(random_share_share)
    );

    tidegate_sum_reaches interval_reached (
        .count(elapsed),
        .amount(interval_reached_amount),
        .bound(interval),
        .reached(interval_reached_reached)
    );

    always @(posedge clock) begin
        starts <= reset;
        span <= interval_span;
        mask <= span_mask_mask;
        compares_bytes <= by_bytes;
        interval <= interval_low + share;
        if (counts) begin
            elapsed <= elapsed + amount;
        end
        if (full) begin
            elapsed <= 24'd0;
        end
        due <= 1'd0;
        if (by_time) begin
            due <= full || (due && !enqueue);
        end
        if (reset) begin
            elapsed <= 24'd0;
            due <= 1'd0;
        end
    end
endmodule

`default_nettype wire
