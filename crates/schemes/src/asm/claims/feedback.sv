// SPDX-License-Identifier: MIT OR Apache-2.0
// ASM's feedback block sends each sample of a controlled flow once, with quantised fields.

module feedback_asm_properties (
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
    (* anyconst *) wire [15:0] limit, mask;
    wire feedback_valid, pop;
    wire signed [15:0] q_offset_units, q_delta_units;
    wire [5:0] quantized_feedback;

    feedback_asm device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .quantiser_limit(limit), .quantiser_mask(mask)
    );

    feedback_specification specification (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .limit(limit), .mask(mask)
    );

    // The sample was at the head in the cycle before, and in the two cycles before, and was not popped.
    reg started = 0, there = 0, ready = 0;
    always @(posedge clock) begin
        started <= 1;
        there <= sample_valid && !pop && !reset;
        ready <= there && !pop && !reset;
    end
    // The limit is positive: its top bit is 0.
    always @(*) assume(!limit[15]);
    (* keep *) wire guess_there = there, guess_ready = ready;
    always @(*) if (started) begin
        helper_ready: assert(!ready || there);
        every_sample_is_sent: assert(feedback_valid == (ready && controlled));
        popped_at_once_or_when_sent: assert(pop == (ready && (frame_done || !controlled)));
    end
endmodule
