// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the sample at the head of the queue into the fields of a frame: Qoff and dQ in fields of
// their own, both signs (Jiang 2015b, section 4.2). Combinational. A sample of a flow that no
// reaction point controls is dropped in one cycle.
//
// Part of: smcc.
// Made by tidegate 0.2.0 with: tidegate emit --scheme smcc --out DIR

`default_nettype none

module tidegate_feedback_smcc (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        sample_valid,       // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,         // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,           // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,            // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,         // The last word of the frame is transferred in this cycle
    output wire        feedback_valid,     // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: 0, this scheme does not use it
    output wire [15:0] q_offset_units,     // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,      // QDelta, units of 64 octets, two's complement
    output wire        pop                 // Remove this sample from the sample queue
);
    wire offset_below;
    wire offset_above;
    wire delta_below;
    wire delta_above;

    assign quantized_feedback = 6'd0;
    assign feedback_valid = sample_valid && controlled;
    assign pop = sample_valid && (frame_done || !controlled);

    tidegate_frame_units offset (
        .bytes(q_offset),
        .below(offset_below),
        .above(offset_above),
        .is_below(offset_below),
        .is_above(offset_above),
        .units(q_offset_units)
    );

    tidegate_frame_units delta (
        .bytes(q_delta),
        .below(delta_below),
        .above(delta_above),
        .is_below(delta_below),
        .is_above(delta_above),
        .units(q_delta_units)
    );

    wire unused = &{1'b0, clock, reset};
endmodule

`default_nettype wire
