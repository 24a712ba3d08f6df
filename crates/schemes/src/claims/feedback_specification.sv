// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of a feedback block at its ports to the sample queue and to the packet generator.

module feedback_specification (
    input clock,
    input reset,
    input sample_valid,
    input controlled,
    input signed [24:0] q_offset,
    input signed [24:0] q_delta,
    input frame_done,
    input feedback_valid,
    input [5:0] quantized_feedback,
    input signed [15:0] q_offset_units,
    input signed [15:0] q_delta_units,
    input pop,
    // A number in units of 64 octets is saturated to -limit - 1 ... limit; then the bits that are 0 in mask are
    // cleared.
    input signed [15:0] limit,
    input [15:0] mask
);
    reg started = 0;
    always @(posedge clock) started <= 1;

    // The head of the sample queue is held until it is popped, and a frame is done only if there is one. This is proved
    // for the sample queue and the packet generator.
    reg head_held = 0;
    reg [50:0] head_before;
    always @(posedge clock) begin
        head_held <= sample_valid && !pop && !reset;
        head_before <= {controlled, q_offset, q_delta};
    end
    always @(*) begin
        if (!started) assume(reset);
        if (head_held) assume(sample_valid && {controlled, q_offset, q_delta} == head_before);
        assume(!frame_done || feedback_valid);
    end

    reg held = 0;
    reg [37:0] fields_before;
    always @(posedge clock) begin
        held <= feedback_valid && !frame_done && !reset;
        fields_before <= {quantized_feedback, q_offset_units, q_delta_units};
    end

    // Rounded towards minus infinity and saturated to 16 bits.
    function signed [15:0] units(input signed [24:0] bytes);
        reg signed [24:0] rounded;
        begin
            rounded = bytes >>> 6;
            units = (rounded > limit ? limit : rounded < ~limit ? ~limit : rounded[15:0]) & mask;
        end
    endfunction

    always @(*) if (started) begin
        fields_held: assert(!held || (feedback_valid && {quantized_feedback, q_offset_units, q_delta_units} == fields_before));
        popped_when_sent: assert(!feedback_valid || pop == frame_done);
        only_samples: assert((!feedback_valid || (sample_valid && controlled)) && (!pop || sample_valid));
`ifndef NO_UNITS
        units_exact: assert(!feedback_valid || (q_offset_units == units(q_offset) && q_delta_units == units(q_delta)));
`endif
    end
endmodule
