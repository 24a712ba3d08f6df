// What feedback blocks promise the packet generator and the sample queue between which they stand.

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
    // What a number of 64 octets becomes in a frame: saturated at limit and below -limit - 1, then cut to the bits of mask.
    input signed [15:0] limit,
    input [15:0] mask
);
    reg started = 0;
    always @(posedge clock) started <= 1;

    // The head of the sample queue stays until it is popped, and a frame is done only where there is one: what the sample queue
    // and the packet generator are proved to do.
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

    // Rounded towards minus infinity, and held between the ends of 16 bits.
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
        units_exact: assert(!feedback_valid || (q_offset_units == units(q_offset) && q_delta_units == units(q_delta)));
    end
endmodule
