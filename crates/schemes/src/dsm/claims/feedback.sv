// SPDX-License-Identifier: MIT OR Apache-2.0
// DSM's feedback block sends one step within its limit for each sample of a controlled flow.

module feedback_dsm_properties (
    input clock,
    input reset,
    input sample_valid,
    input controlled,
    input signed [24:0] q_offset,
    input signed [24:0] q_delta,
    input frame_done
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] step_max;
    wire feedback_valid, pop;
    wire signed [15:0] q_offset_units, q_delta_units;
    wire [5:0] quantized_feedback;

    feedback_dsm device (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        `OTHER_CONNECTIONS
        .step_max(step_max)
    );

    feedback_specification specification (
        .clock(clock), .reset(reset), .sample_valid(sample_valid), .controlled(controlled), .q_offset(q_offset),
        .q_delta(q_delta), .frame_done(frame_done), .feedback_valid(feedback_valid),
        .quantized_feedback(quantized_feedback), .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .pop(pop),
        .limit(16'h7fff), .mask(16'hffff)
    );

    // Cycles since the sample came to the head. The state of the block and of its multiplier follows from it.
    reg started = 0;
    reg [7:0] waited = 0;
    always @(posedge clock) begin
        started <= 1;
        waited <= reset || pop || !sample_valid ? 0 : waited == 213 ? 213 : waited + 1;
    end
    // The cycles of a state with a product, from 0 on; there are 35.
    wire [5:0] since = waited >= 177 ? waited - 177 : (waited - 1) % 35;
    wire works = (waited >= 1 && waited <= 175) || (waited >= 177 && waited <= 211);
    (* keep *) wire [3:0] guess_phase = waited == 0 ? 0 : waited <= 175 ? 1 + (waited - 1) / 35 : waited == 176 ? 6
        : waited <= 211 ? 7 : waited == 212 ? 8 : 9;
    (* keep *) wire guess_sends = waited == 213 && controlled;
    (* keep *) wire guess_selects = works && since >= 1;
    (* keep *) wire guess_begun = works && since >= 2;
    (* keep *) wire [5:0] guess_left = works && since >= 2 ? 35 - since : 0;
    (* keep *) wire guess_runs = guess_left > 1;
    wire signed [31:0] step = {q_offset_units, q_delta_units};
    wire within = step <= $signed({1'b0, step_max}) && -step <= $signed({1'b0, step_max});

    always @(*) if (started) begin
        helper_waited: assert(waited <= 213);
        answered_in_time: assert(feedback_valid == (waited == 213 && controlled));
        dropped_in_time: assert(pop == (waited == 213 && (frame_done || !controlled)));
        helper_step: assert(waited < 177 || within);
        step_within_limit: assert(!feedback_valid || within);
    end
endmodule
