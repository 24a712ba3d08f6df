// SPDX-License-Identifier: MIT OR Apache-2.0
// How long the next byte cycle and the next timer period are, each minus one, drawn from both
// bounds (IEEE 802.1Q, clause 32; Jiang 2015b, section 2.2). Both come from the same random number;
// `draw` takes the next one. One that does not fit both spans is replaced in the next cycle.
//
// A cycle that begins when its own stage becomes `half_stage` or more is half as long, rounded up.
// The first one after a feedback is never halved. New bounds count one cycle later, and a new
// `half_stage` two cycles: what depends on parameters only comes from registers, which constants
// remove.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_cycle_lengths (
    input  wire        clock,           // Clock, rising edge
    input  wire        reset,           // Synchronous reset, active high
    input  wire [23:0] byte_cycle_low,  // Smallest byte cycle, bytes
    input  wire [23:0] byte_cycle_span, // Largest minus smallest byte cycle, bytes; 0 = no jitter
    input  wire [23:0] timer_low,       // Smallest timer period, cycles; 0 = no timer
    input  wire [23:0] timer_span,      // Largest minus smallest timer period, cycles; 0 = no jitter
    input  wire [15:0] seed,            // The random source starts with this, not 0
    input  wire [5:0]  half_stage,      // First stage in which byte cycle and timer period are halved
    input  wire        draw,            // Take the next random number
    // Byte stage in the next cycle: before the byte cycle that ends then, if one ends
    input  wire [5:0]  byte_stage,
    // Time stage in the next cycle: before the timer period that ends then, if one ends
    input  wire [5:0]  time_stage,
    output wire [23:0] first_bytes,     // Length of the byte cycle after a feedback, bytes, minus one
    output wire [23:0] next_bytes,      // Length of the byte cycle after another one, bytes, minus one
    output wire [23:0] first_cycles,    // Length of the timer period after a feedback, cycles, minus one
    output wire [23:0] next_cycles      // Length of the timer period after another one, cycles, minus one
);
    reg [5:0] before_half; // `half_stage` of the cycle before, less one
    reg half_bytes; // A byte cycle that ends in this cycle is followed by one of half the length
    reg half_cycles; // The same of a timer period
    reg [23:0] before_bytes; // `byte_cycle_low` of the cycle before, less one
    reg [23:0] byte_span;
    reg [23:0] byte_ones; // As many ones as `byte_span` has bits
    reg [23:0] before_cycles; // `timer_low` of the cycle before, less one
    reg [23:0] time_span;
    reg [23:0] time_ones; // As many ones as `time_span` has bits

    initial begin
        half_bytes = 1'd0;
        half_cycles = 1'd0;
    end

    wire [23:0] random_source_random;
    wire random_source_settled;
    wire [23:0] byte_mask_mask;
    wire byte_share_fits;
    wire [23:0] byte_share_share;
    wire [23:0] time_mask_mask;
    wire time_share_fits;
    wire [23:0] time_share_share;

    wire [23:0] time_share_random = {random_source_random[11:0], random_source_random[23:12]};
    wire random_source_fits = byte_share_fits && time_share_fits;
    wire [23:0] byte_length = before_bytes + byte_share_share;
    assign first_bytes = byte_length;
    assign next_bytes = half_bytes ? (byte_length >> 1) : byte_length;
    wire [23:0] time_length = before_cycles + time_share_share;
    assign first_cycles = time_length;
    assign next_cycles = half_cycles ? (time_length >> 1) : time_length;

    tidegate_random_source random_source (
        .clock(clock),
        .reset(reset),
        .seed(seed),
        .draw(draw),
        .fits(random_source_fits),
        .random(random_source_random),
        .settled(random_source_settled)
    );

    tidegate_span_mask byte_mask (
        .span(byte_cycle_span),
        .mask(byte_mask_mask)
    );

    tidegate_random_share byte_share (
        .random(random_source_random),
        .span(byte_span),
        .mask(byte_ones),
        .settled(random_source_settled),
        .fits(byte_share_fits),
        .share(byte_share_share)
    );

    tidegate_span_mask time_mask (
        .span(timer_span),
        .mask(time_mask_mask)
    );

    tidegate_random_share time_share (
        .random(time_share_random),
        .span(time_span),
        .mask(time_ones),
        .settled(random_source_settled),
        .fits(time_share_fits),
        .share(time_share_share)
    );

    always @(posedge clock) begin
        byte_ones <= byte_mask_mask;
        byte_span <= byte_cycle_span;
        time_ones <= time_mask_mask;
        time_span <= timer_span;
        before_half <= half_stage - 6'd1;
        half_bytes <= byte_stage >= before_half;
        half_cycles <= time_stage >= before_half;
        before_bytes <= byte_cycle_low - 24'd1;
        before_cycles <= timer_low - 24'd1;
    end
endmodule

`default_nettype wire
