// SPDX-License-Identifier: MIT OR Apache-2.0
// Computes F, the rate step, of the sample at the head of the queue, from it and from the last m
// values of F (Cheng, equations (24) and (25), section IV.D).
//
// A frame can begin 213 cycles after its sample is at the head of the queue; a sample of a flow
// that no reaction point controls is dropped in that cycle. A new m counts from the next sample on,
// and empties the history: the sums are those of m values.
//
// Part of: dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme dsm --out DIR

`default_nettype none

module tidegate_feedback_dsm (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        sample_valid,       // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,         // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,           // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,            // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,         // The last word of the frame is transferred in this cycle
    input  wire [5:0]  loop_delay,         // m, delay of the loop in sampling periods, not 0
    input  wire [5:0]  omega,              // omega, weight of the queue change in the sliding line
    input  wire [23:0] period_cycles,      // T, sampling period, cycles
    input  wire [27:0] gain_a,             // Gain a, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [27:0] gain_b,             // Gain b, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [27:0] gain_c,             // Gain c, 2^-18 bytes per cycle for each byte, 16 fraction bits
    input  wire [24:0] step_max,           // Largest |F|, 2^-18 bytes per cycle
    output wire        feedback_valid,     // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: 0, this scheme does not use it
    output wire [15:0] q_offset_units,     // F, 2^-18 bytes per cycle, two's complement, bits 31 to 16
    output wire [15:0] q_delta_units,      // F, bits 15 to 0
    output wire        pop                 // Remove this sample from the sample queue
);
    reg [5:0] delay; // The m of the history and of the sample that is worked on
    reg [5:0] place; // Address of the next F in the history
    reg [5:0] filled; // Number of values of F in the history, at most m
    reg [31:0] s1; // S1, sum of F(k-i) over i from 1 to m
    reg [31:0] s2; // S2, sum of i*F(k-i) over i from 1 to m
    // The last values of F, 2^-18 bytes per cycle, two's complement, bits 25 to 13. With 26 bits in one memory,
    // synthesis takes a block RAM, whose read takes most of a cycle
    (* lut_ram *) reg [12:0] high_history [0:63];
    wire [12:0] high_history_read_data;
    (* lut_ram *) reg [12:0] low_history [0:63]; // Bits 12 to 0 of the last values of F
    wire [12:0] low_history_read_data;
    integer word;

    initial begin
        place = 6'd0;
        filled = 6'd0;
        s1 = 32'd0;
        s2 = 32'd0;
        for (word = 0; word < 64; word = word + 1) high_history[word] = 13'd0;
        for (word = 0; word < 64; word = word + 1) low_history[word] = 13'd0;
    end

    wire prediction_idle;
    wire prediction_decided;
    wire [5:0] prediction_next_place;
    wire [5:0] prediction_next_filled;
    wire [31:0] prediction_next_s1;
    wire [31:0] prediction_next_s2;
    wire [5:0] prediction_oldest_place;
    wire prediction_remember;
    wire [25:0] prediction_rate_step;

    wire empties = prediction_idle && (delay != loop_delay);
    wire filled_reset = reset || empties;
    wire s1_reset = reset || empties;
    wire s2_reset = reset || empties;
    wire [12:0] high_history_write_data = prediction_rate_step[25:13];
    wire [12:0] low_history_write_data = prediction_rate_step[12:0];
    wire [25:0] prediction_oldest_word = {high_history_read_data, low_history_read_data};

    tidegate_prediction_dsm prediction (
        .clock(clock),
        .reset(reset),
        .sample_valid(sample_valid),
        .controlled(controlled),
        .q_offset(q_offset),
        .q_delta(q_delta),
        .frame_done(frame_done),
        .loop_delay(delay),
        .omega(omega),
        .period_cycles(period_cycles),
        .gain_a(gain_a),
        .gain_b(gain_b),
        .gain_c(gain_c),
        .step_max(step_max),
        .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback),
        .q_offset_units(q_offset_units),
        .q_delta_units(q_delta_units),
        .pop(pop),
        .idle(prediction_idle),
        .decided(prediction_decided),
        .place(place),
        .filled(filled),
        .s1(s1),
        .s2(s2),
        .next_place(prediction_next_place),
        .next_filled(prediction_next_filled),
        .next_s1(prediction_next_s1),
        .next_s2(prediction_next_s2),
        .oldest_place(prediction_oldest_place),
        .oldest_word(prediction_oldest_word),
        .remember(prediction_remember),
        .rate_step(prediction_rate_step)
    );

    always @(posedge clock) begin
        delay <= delay;
        if (prediction_idle) begin
            delay <= loop_delay;
        end
        place <= prediction_next_place;
        filled <= prediction_next_filled;
        s1 <= prediction_next_s1;
        s2 <= prediction_next_s2;
        if (reset) begin
            place <= 6'd0;
        end
        if (filled_reset) begin
            filled <= 6'd0;
        end
        if (s1_reset) begin
            s1 <= 32'd0;
        end
        if (s2_reset) begin
            s2 <= 32'd0;
        end
    end

    assign high_history_read_data = high_history[prediction_oldest_place];

    always @(posedge clock) if (prediction_remember) high_history[place] <= high_history_write_data;

    assign low_history_read_data = low_history[prediction_oldest_place];

    always @(posedge clock) if (prediction_remember) low_history[place] <= low_history_write_data;

    wire unused = &{1'b0, prediction_decided};
endmodule

`default_nettype wire
