// SPDX-License-Identifier: MIT OR Apache-2.0
// Quantises the feedback of the sample at the head of the queue, and stores its level, QntzFb / 8,
// which selects the sampling interval (`interval_low`, `interval_span`) from a table.
//
// A frame can begin 13 cycles after its sample is at the head; a sample with Fb >= 0 is dropped 6
// cycles after that. `interval_low` changes in the cycle after either, `interval_span` in the next
// one.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_feedback_qcn (
    input  wire        clock,               // Clock, rising edge
    input  wire        reset,               // Synchronous reset, active high
    input  wire        sample_valid,        // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,          // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,            // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,             // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,          // The last word of the frame is transferred in this cycle
    input  wire [5:0]  weight,              // w, weight of the queue change
    input  wire [25:0] feedback_full_scale, // q0 * (2 * w + 1), the |Fb| that makes QntzFb 63, bytes
    input  wire        send_zero_feedback,  // Send a frame for Fb < 0 even if QntzFb is 0
    // Smallest sampling interval while the last QntzFb / 8 was 0: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_0,
    // Smallest sampling interval while the last QntzFb / 8 was 1: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_1,
    // Smallest sampling interval while the last QntzFb / 8 was 2: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_2,
    // Smallest sampling interval while the last QntzFb / 8 was 3: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_3,
    // Smallest sampling interval while the last QntzFb / 8 was 4: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_4,
    // Smallest sampling interval while the last QntzFb / 8 was 5: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_5,
    // Smallest sampling interval while the last QntzFb / 8 was 6: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_6,
    // Smallest sampling interval while the last QntzFb / 8 was 7: packets, bytes or cycles, by `sample_mode`
    input  wire [23:0] interval_low_7,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 0, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_0,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 1, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_1,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 2, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_2,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 3, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_3,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 4, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_4,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 5, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_5,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 6, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_6,
    // Largest minus smallest sampling interval while the last QntzFb / 8 was 7, in the same unit; 0 = no jitter
    input  wire [23:0] interval_span_7,
    output wire        feedback_valid,      // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback,  // QntzFb, quantised feedback, 0 to 63
    output wire [15:0] q_offset_units,      // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,       // QDelta, units of 64 octets, two's complement
    output wire        pop,                 // Remove this sample from the sample queue
    // Smallest sampling interval for the sampler: packets, bytes or cycles, by `sample_mode`
    output wire [23:0] interval_low,
    // Largest minus smallest sampling interval for the sampler, in the same unit; 0 = no jitter
    output wire [23:0] interval_span
);
    reg [2:0] level; // QntzFb / 8 of the last sample: selects the sampling interval
    reg [23:0] span; // `interval_span`. The table and what the sampler makes of the span are too long for one cycle

    initial begin
        level = 3'd0;
    end

    wire quantisation_level_known;
    wire [2:0] quantisation_level;
    wire [23:0] sampling_table_interval_span;

    assign interval_span = span;

    tidegate_quantisation_qcn quantisation (
        .clock(clock),
        .reset(reset),
        .sample_valid(sample_valid),
        .controlled(controlled),
        .q_offset(q_offset),
        .q_delta(q_delta),
        .frame_done(frame_done),
        .weight(weight),
        .feedback_full_scale(feedback_full_scale),
        .send_zero_feedback(send_zero_feedback),
        .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback),
        .q_offset_units(q_offset_units),
        .q_delta_units(q_delta_units),
        .pop(pop),
        .level_known(quantisation_level_known),
        .level(quantisation_level)
    );

    tidegate_sampling_table sampling_table (
        .level(level),
        .interval_low_0(interval_low_0),
        .interval_low_1(interval_low_1),
        .interval_low_2(interval_low_2),
        .interval_low_3(interval_low_3),
        .interval_low_4(interval_low_4),
        .interval_low_5(interval_low_5),
        .interval_low_6(interval_low_6),
        .interval_low_7(interval_low_7),
        .interval_span_0(interval_span_0),
        .interval_span_1(interval_span_1),
        .interval_span_2(interval_span_2),
        .interval_span_3(interval_span_3),
        .interval_span_4(interval_span_4),
        .interval_span_5(interval_span_5),
        .interval_span_6(interval_span_6),
        .interval_span_7(interval_span_7),
        .interval_low(interval_low),
        .interval_span(sampling_table_interval_span)
    );

    always @(posedge clock) begin
        if (quantisation_level_known) begin
            level <= quantisation_level;
        end
        span <= sampling_table_interval_span;
        if (reset) begin
            span <= interval_span_0;
            level <= 3'd0;
        end
    end
endmodule

`default_nettype wire
