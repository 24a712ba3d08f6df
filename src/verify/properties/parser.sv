// The parser accepts each frame for this reaction point once, with its fields, and tells of each other frame that it ignores it.

module parser_properties (
    input clock,
    input reset,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input valid,
    input feedback_ready
);
    (* anyconst *) wire [47:0] rp_mac;
    (* anyconst *) wire [63:0] allowed_cpid;
    (* anyconst *) wire [63:0] allowed_cpid_mask;
    wire ready, feedback_valid;
    wire [5:0] quantized_feedback;
    wire [15:0] q_offset_units, q_delta_units;
    wire [63:0] cpid;
    wire frame_ignored;

    parser device (
        .clock(clock), .reset(reset), .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last),
        .valid(valid), .ready(ready), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]),
        .allowed_cpid_high(allowed_cpid[63:32]), .allowed_cpid_low(allowed_cpid[31:0]),
        .allowed_cpid_mask_high(allowed_cpid_mask[63:32]), .allowed_cpid_mask_low(allowed_cpid_mask[31:0]),
        .feedback_valid(feedback_valid), .feedback_ready(feedback_ready), .quantized_feedback(quantized_feedback),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .cpid_high(cpid[63:32]), .cpid_low(cpid[31:0]),
        .frame_ignored(frame_ignored)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // A word has one to eight octets.
        assume(octets >= 1 && octets <= 8);
    end

    wire frame_taken;
    wire [5:0] true_feedback;
    wire [15:0] true_offset, true_delta;
    wire [63:0] true_cpid;
    parser_specification specification (
        .clock(clock), .reset(reset), .started(started), .data(data), .octets(octets), .last(last), .valid(valid),
        .ready(ready), .rp_mac(rp_mac), .allowed_cpid(allowed_cpid), .allowed_cpid_mask(allowed_cpid_mask),
        .frame_ignored(frame_ignored), .frame_taken(frame_taken),
        .quantized_feedback(true_feedback), .q_offset_units(true_offset), .q_delta_units(true_delta), .cpid(true_cpid)
    );

    // An accepted frame waits for the calculator. Frames are counted at the input and at the output.
    reg pending = 0;
    reg [31:0] frames_in = 0, handed_over = 0, ignored = 0;
    reg held = 0;
    reg [101:0] fields_before;
    wire [101:0] fields = {quantized_feedback, q_offset_units, q_delta_units, cpid};
    always @(posedge clock) begin
        pending <= frame_taken || (pending && !feedback_ready);
        if (valid && ready && last) frames_in <= frames_in + 1;
        if (feedback_valid && feedback_ready) handed_over <= handed_over + 1;
        if (frame_ignored) ignored <= ignored + 1;
        held <= feedback_valid && !feedback_ready && !reset;
        fields_before <= fields;
        if (reset) begin
            pending <= 0;
            frames_in <= 0;
            handed_over <= 0;
            ignored <= 0;
        end
    end
    (* keep *) wire guess_pending = pending;

    always @(*) if (started) begin
        once_each: assert(feedback_valid == pending);
        fields_are_the_frames: assert(!feedback_valid || fields == {true_feedback, true_offset, true_delta, true_cpid});
        held_until_ready: assert(!held || (feedback_valid && fields == fields_before));
        all_accounted_for: assert(frames_in == handed_over + ignored + {31'd0, feedback_valid} + {31'd0, frame_ignored});
        waits_only_while_pending: assert(ready == (!feedback_valid || feedback_ready));
    end
endmodule
