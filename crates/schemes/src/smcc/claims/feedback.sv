// SPDX-License-Identifier: MIT OR Apache-2.0
// SMCC's feedback block sends each sample of a controlled flow once, with its fields in the units of the frame.

module feedback_smcc_properties (
    input clock,
    input reset,
    input sample_valid,
    input controlled,
    input signed [24:0] q_offset,
    input signed [24:0] q_delta,
    input frame_done
);
    `OTHER_INPUTS
    wire feedback_valid, pop;
    wire signed [15:0] q_offset_units, q_delta_units;
    wire [5:0] quantized_feedback;

    feedback_smcc device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop)
    );

    feedback_specification specification (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .limit(16'h7fff), .mask(16'hffff)
    );

    always @(*) begin
        every_sample_is_sent: assert(feedback_valid == (sample_valid && controlled));
        popped_at_once_or_when_sent: assert(pop == (sample_valid && (frame_done || !controlled)));
    end
endmodule
