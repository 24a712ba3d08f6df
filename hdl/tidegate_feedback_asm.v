// SPDX-License-Identifier: MIT OR Apache-2.0
// Turns the sample at the head of the queue into the fields of a frame: Qf and dQ, both signs, each
// quantised (Jiang 2014, sections 4.1 and 5.1). A frame can begin two cycles after its sample is at
// the head of the queue; a sample of a flow that no reaction point controls is dropped in that
// cycle.
//
// Part of: asm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme asm --out DIR

`default_nettype none

module tidegate_feedback_asm (
    input  wire        clock,              // Clock, rising edge
    input  wire        reset,              // Synchronous reset, active high
    input  wire        sample_valid,       // A sample is at the head of the sample queue; its fields below are valid
    input  wire        controlled,         // A reaction point controls the flow of this sample
    input  wire [24:0] q_offset,           // Queue offset of this sample, bytes, two's complement
    input  wire [24:0] q_delta,            // Change of the queue since the sample before, bytes, two's complement
    input  wire        frame_done,         // The last word of the frame is transferred in this cycle
    input  wire [15:0] quantiser_limit,    // Largest quantised value, units of 64 octets
    input  wire [15:0] quantiser_mask,     // Bits of QOffset and QDelta that the quantiser keeps
    output wire        feedback_valid,     // The frame fields below are valid; they are held until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: 0, this scheme does not use it
    output wire [15:0] q_offset_units,     // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,      // QDelta, units of 64 octets, two's complement
    output wire        pop                 // Remove this sample from the sample queue
);
    reg held; // `held_offset` and `held_delta` belong to the sample at the head of the queue
    reg quantised; // They are quantised
    reg [15:0] held_offset; // Queue offset of the sample, units of 64 octets
    reg [15:0] held_delta; // Queue change of the sample, units of 64 octets

    initial begin
        held = 1'd0;
        quantised = 1'd0;
        held_offset = 16'd0;
        held_delta = 16'd0;
    end

    wire offset_below;
    wire offset_above;
    wire [15:0] offset_units;
    wire delta_below;
    wire delta_above;
    wire [15:0] delta_units;
    wire [15:0] offset_quantiser_quantised;
    wire [15:0] delta_quantiser_quantised;

    wire done = quantised && (frame_done || !controlled);
    assign feedback_valid = quantised && controlled;
    assign pop = done;
    assign q_offset_units = held_offset;
    assign q_delta_units = held_delta;
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

    tidegate_quantiser offset_quantiser (
        .units(held_offset),
        .limit(quantiser_limit),
        .mask(quantiser_mask),
        .quantised(offset_quantiser_quantised)
    );

    tidegate_quantiser delta_quantiser (
        .units(held_delta),
        .limit(quantiser_limit),
        .mask(quantiser_mask),
        .quantised(delta_quantiser_quantised)
    );

    always @(posedge clock) begin
        if (!held) begin
            held_offset <= offset_units;
            held_delta <= delta_units;
        end else if (!quantised) begin
            held_offset <= offset_quantiser_quantised;
            held_delta <= delta_quantiser_quantised;
        end
        held <= sample_valid && !done;
        quantised <= held && !done;
        if (reset) begin
            held <= 1'd0;
            quantised <= 1'd0;
        end
    end
endmodule

`default_nettype wire
