// SPDX-License-Identifier: MIT OR Apache-2.0
// BCN's feedback block sends each sample of a controlled flow once, except a sample with two zeros. If the queue is too
// long it sends two zeros.

module feedback_bcn_properties (
    input clock,
    input reset,
    input sample_valid,
    input controlled,
    input signed [24:0] q_offset,
    input signed [24:0] q_delta,
    input frame_done
);
    `OTHER_INPUTS
    // Parameters: any values that do not change.
    (* anyconst *) wire [23:0] severe_offset;
    wire feedback_valid, pop;
    wire signed [15:0] q_offset_units, q_delta_units;
    wire [5:0] quantized_feedback;

    feedback_bcn device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .severe_offset(severe_offset)
    );

    wire severe = q_offset > $signed({1'b0, severe_offset});
    feedback_specification specification (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .limit(16'h7fff), .mask(severe ? 16'd0 : 16'hffff)
    );

    // The sample was at the head in the cycle before, and was not popped.
    reg started = 0, there = 0;
    reg [49:0] numbers_before;
    always @(posedge clock) begin
        started <= 1;
        there <= sample_valid && !pop && !reset;
        numbers_before <= {q_offset, q_delta};
    end
    // Both are 0 in units of 64 octets exactly if they are from 0 to 63 bytes.
    wire zeros = q_offset[24:6] == 0 && q_delta[24:6] == 0;
    wire sends = controlled && (severe || !zeros);
    (* keep *) wire guess_there = there, guess_severe = severe;
    (* keep *) wire guess_severe_if = there;
    (* keep *) wire guess_offset = q_offset[24:6] != 0, guess_delta = q_delta[24:6] != 0;
    (* keep *) wire guess_offset_if = there, guess_delta_if = there;
    always @(*) if (started) begin
        every_sample_is_sent: assert(feedback_valid == (there && sends));
        popped_at_once_or_when_sent: assert(pop == (there && (frame_done || !sends)));
        zeros_only_to_stop: assert(!feedback_valid || severe || q_offset_units != 0 || q_delta_units != 0);
    end
endmodule
