// SPDX-License-Identifier: MIT OR Apache-2.0
// The sampling interval of a level of congestion, from a table (IEEE 802.1Q). Combinational.
//
// Part of: qcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn --out DIR

`default_nettype none

module tidegate_sampling_table (
    input  wire [2:0]  level,           // QntzFb / 8 of the last sample
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
    // Smallest sampling interval for the sampler: packets, bytes or cycles, by `sample_mode`
    output reg  [23:0] interval_low,
    // Largest minus smallest sampling interval for the sampler, in the same unit; 0 = no jitter
    output reg  [23:0] interval_span
);
    reg [23:0] low_01;
    reg [23:0] low_23;
    reg [23:0] low_45;
    reg [23:0] low_67;
    reg [23:0] span_01;
    reg [23:0] span_23;
    reg [23:0] span_45;
    reg [23:0] span_67;
    always @* begin
        low_01 = interval_low_0;
        low_23 = interval_low_2;
        low_45 = interval_low_4;
        low_67 = interval_low_6;
        span_01 = interval_span_0;
        span_23 = interval_span_2;
        span_45 = interval_span_4;
        span_67 = interval_span_6;
        if (level[0]) begin
            low_01 = interval_low_1;
            low_23 = interval_low_3;
            low_45 = interval_low_5;
            low_67 = interval_low_7;
            span_01 = interval_span_1;
            span_23 = interval_span_3;
            span_45 = interval_span_5;
            span_67 = interval_span_7;
        end
    end

    reg [23:0] low_0123;
    reg [23:0] low_4567;
    reg [23:0] span_0123;
    reg [23:0] span_4567;
    always @* begin
        low_0123 = low_01;
        low_4567 = low_45;
        span_0123 = span_01;
        span_4567 = span_45;
        if (level[1]) begin
            low_0123 = low_23;
            low_4567 = low_67;
            span_0123 = span_23;
            span_4567 = span_67;
        end
    end

    always @* begin
        interval_low = low_0123;
        interval_span = span_0123;
        if (level[2]) begin
            interval_low = low_4567;
            interval_span = span_4567;
        end
    end
endmodule

`default_nettype wire
