// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the sample at the head of the queue into the fields of a frame: Qoff and dQ, from which the
// reaction point computes Fb (Jiang 2015b, equation (1)). If the queue is longer than Q_sc, both
// fields are 0: this is BCN(0,0), which stops the source. Any other sample with two fields of 0 is
// not sent. A frame can begin one cycle after its sample is at the head of the queue; a sample that
// is not sent is dropped in that cycle.
//
// Part of: bcn.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme bcn --out DIR

`default_nettype none

module tidegate_feedback_bcn (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        sample_valid,       // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,         // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,           // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,            // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,         // The last word of the frame is transferred in this cycle
    input  wire [23:0] severe_offset,      // Q_sc - q0, bytes: a larger queue offset is severe congestion
    output wire        feedback_valid,     // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: 0, this scheme does not use it
    output reg  [15:0] q_offset_units,     // QOffset, units of 64 octets, two's complement
    output reg  [15:0] q_delta_units,      // QDelta, units of 64 octets, two's complement
    output wire        pop                 // Remove this sample from the sample queue
);
    reg held; // `severe`, `offset_nonzero` and `delta_nonzero` belong to the sample at the head of the queue
    reg severe; // The queue is longer than Q_sc
    reg offset_nonzero; // The queue offset of the sample is not 0 units
    reg delta_nonzero; // The queue change of the sample is not 0 units

    initial begin
        held = 1'd0;
        severe = 1'd0;
        offset_nonzero = 1'd0;
        delta_nonzero = 1'd0;
    end

    wire offset_below;
    wire offset_above;
    wire [15:0] offset_units;
    wire delta_below;
    wire delta_above;
    wire [15:0] delta_units;

    wire sends = controlled && (severe || offset_nonzero || delta_nonzero);
    wire done = held && (frame_done || !sends);
    assign feedback_valid = held && sends;
    assign pop = done;

    always @* begin
        q_offset_units = offset_units;
        q_delta_units = delta_units;
        if (severe) begin
            q_offset_units = 16'd0;
            q_delta_units = 16'd0;
        end
    end

    assign quantized_feedback = 6'd0;

    tidegate_frame_units offset (
        .bytes(q_offset),
        .below(offset_below),
        .above(offset_above),
        .is_below(offset_below),
        .is_above(offset_above),
        .units(offset_units)
    );

    tidegate_frame_units delta (
        .bytes(q_delta),
        .below(delta_below),
        .above(delta_above),
        .is_below(delta_below),
        .is_above(delta_above),
        .units(delta_units)
    );

    always @(posedge clock) begin
        if (!held) begin
            severe <= !q_offset[24] && (q_offset > {1'd0, severe_offset});
            offset_nonzero <= |offset_units;
            delta_nonzero <= |delta_units;
        end
        held <= sample_valid && !done;
        if (reset) begin
            held <= 1'd0;
        end
    end
endmodule

`default_nettype wire
