// SPDX-License-Identifier: MIT OR Apache-2.0
// The parser takes the feedback of each good frame once, unless another one waits, with its fields, and tells what became of each
// frame of feedback. It knows the congestion point of the feedback that was remembered last.

module parser_properties (
    input clock,
    input reset,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input bad_frame,
    input valid,
    input feedback_ready,
    input remember
);
    (* anyconst *) wire [47:0] rp_mac;
    (* anyconst *) wire [11:0] flow_mask;
    (* anyconst *) wire [63:0] allowed_cpid;
    (* anyconst *) wire [63:0] allowed_cpid_mask;
    (* anyconst *) wire cpid_any, cpid_digest;
    wire feedback_valid;
    wire [5:0] quantized_feedback;
    wire [15:0] q_offset_units, q_delta_units;
    wire has_flow_id, same_point;
    wire [15:0] flow_id;
    wire frame_taken, frame_malformed, frame_refused, frame_elsewhere, frame_dropped;

    parser device (
        .clock(clock), .reset(reset), .data_high(data[63:32]), .data_low(data[31:0]), .octets(octets), .last(last),
        .bad_frame(bad_frame), .valid(valid), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]), .flow_mask(flow_mask),
        .allowed_cpid_high(allowed_cpid[63:32]), .allowed_cpid_low(allowed_cpid[31:0]),
        .allowed_cpid_mask_high(allowed_cpid_mask[63:32]), .allowed_cpid_mask_low(allowed_cpid_mask[31:0]),
        .cpid_any(cpid_any), .cpid_digest(cpid_digest), .feedback_valid(feedback_valid),
        .feedback_ready(feedback_ready), .remember(remember), .quantized_feedback(quantized_feedback),
        .q_offset_units(q_offset_units), .q_delta_units(q_delta_units), .has_flow_id(has_flow_id),
        .flow_id(flow_id), .same_point(same_point), .frame_taken(frame_taken),
        .frame_malformed(frame_malformed), .frame_refused(frame_refused), .frame_elsewhere(frame_elsewhere), .frame_dropped(frame_dropped)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        // A word has one to eight octets.
        assume(octets >= 1 && octets <= 8);
    end

    wire [4:0] words, come, position;
    wire good, later, was_elsewhere, was_malformed, was_refused, was_good;
    wire [118:0] fields, fields_so_far;
    parser_specification specification (
        .clock(clock), .reset(reset), .started(started), .data(data), .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid),
        .rp_mac(rp_mac), .flow_mask(flow_mask), .allowed_cpid(allowed_cpid), .allowed_cpid_mask(allowed_cpid_mask), .words(words), .good(good),
        .fields(fields), .come(come), .fields_so_far(fields_so_far), .position(position), .later(later),
        .was_elsewhere(was_elsewhere), .was_malformed(was_malformed), .was_refused(was_refused), .was_good(was_good)
    );

    // What is stored of a CPID: all of it, or each of its bits in one bit of a digest.
    function [63:0] stored_of(input [63:0] cpid);
        stored_of = cpid_digest ? {48'd0, cpid[63:48] ^ cpid[47:32] ^ cpid[31:16] ^ {cpid[3:0], cpid[7:4], cpid[11:8], cpid[15:12]}}
            : cpid;
    endfunction

    // The feedback that waits for the calculator, with its fields, and the congestion point that is remembered.
    reg pending = 0, busy_frame = 0, was_busy = 0, known = 0, held = 0;
    reg [118:0] waiting;
    reg [55:0] fields_before;
    reg [63:0] remembered;
    wire busy = pending && !feedback_ready;
    wire [55:0] shown = {has_flow_id, flow_id, quantized_feedback, q_offset_units, q_delta_units, same_point};
    // Frames are counted at the input and at the output.
    reg [31:0] good_in = 0, handed_over = 0, dropped = 0;
    always @(posedge clock) begin
        pending <= (good && !busy_frame) || busy;
        if (good && !busy_frame) waiting <= fields;
        if (valid && words == 0) busy_frame <= 0;
        if (valid && words == 1) busy_frame <= busy;
        was_busy <= busy_frame;
        if (pending && feedback_ready && remember) {known, remembered} <= {1'b1, stored_of(waiting[63:0])};
        held <= feedback_valid && !feedback_ready && !reset;
        fields_before <= shown;
        if (was_good) good_in <= good_in + 1;
        if (feedback_valid && feedback_ready) handed_over <= handed_over + 1;
        if (frame_dropped) dropped <= dropped + 1;
        if (reset) begin
            {pending, busy_frame, was_busy, known} <= 0;
            good_in <= 0;
            handed_over <= 0;
            dropped <= 0;
        end
    end
    wire same = known && stored_of(waiting[63:0]) == remembered;

    // Guesses: the fields of the frame that comes, or that waits; the CPID is in the word of the memory that is not the
    // remembered one.
    wire open = !busy_frame;
    (* keep *) wire guess_pending = pending, guess_known = known;
    (* keep *) wire guess_dropped = busy_frame, guess_dropped_if = come >= 1;
    (* keep *) wire guess_was_taken = was_good && !was_busy;
    wire [118:0] held_fields = pending ? waiting : fields_so_far;
    wire typed = position >= 3 || (position == 2 && !later);
    (* keep *) wire [5:0] guess_feedback = held_fields[101:96];
    (* keep *) wire guess_feedback_if = pending || (open && typed);
    (* keep *) wire [15:0] guess_offset = held_fields[95:80], guess_delta = held_fields[79:64];
    (* keep *) wire guess_offset_if = pending || (open && position >= 4), guess_delta_if = pending || (open && position >= 4);
    (* keep *) wire guess_has_flow = held_fields[118];
    (* keep *) wire [15:0] guess_flow = held_fields[117:102];
    (* keep *) wire guess_has_flow_if = pending || (open && come >= 2), guess_flow_if = pending || (open && come >= 2);
    // The place of the remembered CPID changes with each one.
    reg place = 0;
    always @(posedge clock) place <= !reset && (place ^ (pending && feedback_ready && remember));
    (* keep *) wire guess_place = place;
    wire high_here = open && position >= 3, low_here = open && (position >= 4 || (position == 3 && !later));
    wire [63:0] here = pending ? stored_of(waiting[63:0])
        : cpid_digest && !low_here ? 64'd0 : stored_of(fields_so_far[63:0]);
    (* keep *) wire [31:0] guess_high_here = here[63:32], guess_low_here = here[31:0];
    (* keep *) wire guess_high_here_if = pending || high_here, guess_low_here_if = pending || low_here;
    (* keep *) wire guess_high_here_at = !place, guess_low_here_at = !place;
    (* keep *) wire [31:0] guess_high_known = remembered[63:32], guess_low_known = remembered[31:0];
    (* keep *) wire guess_high_known_if = known, guess_low_known_if = known;
    (* keep *) wire guess_high_known_at = place, guess_low_known_at = place;
    (* keep *) wire [15:0] guess_half = fields_so_far[63:48] ^ fields_so_far[47:32];
    (* keep *) wire guess_half_if = open && position >= 3;
    (* keep *) wire guess_same_high = known && here[63:32] == remembered[63:32];
    (* keep *) wire guess_same_high_if = pending || high_here;
    (* keep *) wire guess_same_low = here[31:0] == remembered[31:0];
    (* keep *) wire guess_same_low_if = known && (pending || low_here);

    always @(*) if (started) begin
        helper_open: assert(!(pending && come >= 2 && !busy_frame));
        helper_busy: assert(!busy_frame || words != 1);
        helper_good: assert(!was_good || words <= 1);
        once_each: assert(feedback_valid == pending);
        fields_are_the_frames: assert(!feedback_valid || shown == {waiting[118:64], same || cpid_any});
        held_until_ready: assert(!held || (feedback_valid && shown == fields_before));
        elsewhere_told: assert(frame_elsewhere == was_elsewhere);
        malformed_told: assert(frame_malformed == was_malformed);
        refused_told: assert(frame_refused == was_refused);
        taken_or_dropped: assert(frame_taken == (was_good && !was_busy) && frame_dropped == (was_good && was_busy));
        all_accounted_for: assert(good_in + {31'd0, was_good}
            == handed_over + dropped + {31'd0, feedback_valid} + {31'd0, frame_dropped});
    end
endmodule
