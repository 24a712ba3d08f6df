// SPDX-License-Identifier: MIT OR Apache-2.0
// Reads frames from a 64-bit stream and passes on the fields of each congestion notification for
// this reaction point. It takes a word in every cycle: it can listen to a stream that nothing may
// stop.
//
// A frame is accepted if all of this is true: its destination is `rp_mac`; its EtherType is 0x22E7,
// after at most one VLAN tag and then at most one CN-TAG; its version is 0; its length is 60 to 102
// octets, and 4 more for each tag; its encapsulated data unit has at most 64 octets and is not
// longer than the rest of the frame; `bad_frame` is low at its last word; its CPID equals
// `allowed_cpid` in the bits that are set in `allowed_cpid_mask` (a mask of 0 allows any CPID); no
// feedback waits when its second word comes. The fields are valid from the second cycle after the
// last word on, in which the second word of the next frame may come, and are held until
// `feedback_ready`. `same_point` belongs to them: whether their CPID is that of the last feedback
// that was taken with `remember`. Layout of the frame: docs/frames.md.
//
// Five outputs tell, two cycles after the last word, what became of a frame with the EtherType
// 0x22E7; the first that applies: `frame_elsewhere`, `frame_malformed`, `frame_refused`,
// `frame_dropped`, `frame_taken`. A frame that ends with the word of its EtherType is too short to
// be told.
//
// Part of: qcn, bcn, smcc, asm, dsm.
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme qcn|bcn|smcc|asm|dsm --out DIR

`default_nettype none

module tidegate_parser (
    input  wire        clock,                  // Clock, rising edge
    input  wire        reset,                  // Synchronous reset, active high
    input  wire [31:0] data_high,              // Octets 0 to 3 of the stream word; octet 0 in bits 31 to 24
    input  wire [31:0] data_low,               // Octets 4 to 7 of the stream word; octet 4 in bits 31 to 24
    input  wire [3:0]  octets,                 // Number of valid octets in the last word, 1 to 8
    input  wire        last,                   // The word is the last one of a frame
    // The frame was received with an error, such as a wrong check sequence; valid with its last word
    input  wire        bad_frame,
    input  wire        valid,                  // The stream word is valid
    input  wire [15:0] rp_mac_high,            // Address of this reaction point, bits 47 to 32
    input  wire [31:0] rp_mac_low,             // Address of this reaction point, bits 31 to 0
    // Low bits of the address that are not compared: they number the flow. 0 for a reaction point of one flow
    input  wire [11:0] flow_mask,
    input  wire [31:0] allowed_cpid_high,      // Allowed congestion point identifier (CPID), bits 63 to 32
    input  wire [31:0] allowed_cpid_low,       // Allowed congestion point identifier, bits 31 to 0
    // Bits of the allowed identifier that are compared, bits 63 to 32; all 64 bits 0: any identifier is allowed
    input  wire [31:0] allowed_cpid_mask_high,
    input  wire [31:0] allowed_cpid_mask_low,  // Bits of the allowed identifier that are compared, bits 31 to 0
    input  wire        cpid_any,               // All congestion points are the same
    input  wire        cpid_digest,            // Compare digests of 16 bits, not whole identifiers
    output wire        feedback_valid,         // The feedback fields are valid; they are held until `feedback_ready`
    input  wire        feedback_ready,         // The calculator takes the feedback in this cycle, if `feedback_valid`
    // The calculator takes the feedback and wants its CPID to be remembered; valid with `feedback_ready`
    input  wire        remember,
    output wire [5:0]  quantized_feedback,     // QntzFb, quantised feedback, 0 to 63
    output wire [15:0] q_offset_units,         // QOffset, units of 64 octets, two's complement
    output wire [15:0] q_delta_units,          // QDelta, units of 64 octets, two's complement
    output wire        has_flow_id,            // The frame has a CN-TAG; valid with `feedback_valid`
    // Flow identifier of its CN-TAG, 0 without one; valid with `feedback_valid`
    output wire [15:0] flow_id,
    // The CPID is that of the last feedback that was taken with `remember`; valid with `feedback_valid`
    output wire        same_point,
    output wire        frame_start,            // The first word of a frame is read
    // Low bits of the destination address of this frame; valid with `frame_start`
    output wire [11:0] frame_flow,
    output wire [31:0] frame_cpid_high,        // If the frame that is read is feedback: its CPID, bits 63 to 32
    output wire [31:0] frame_cpid_low,         // Its CPID, bits 31 to 0
    // `frame_cpid_high` is valid. If the word has a CN-TAG behind a VLAN tag, the one after it tells again
    output wire        frame_cpid_high_valid,
    output wire        frame_cpid_low_valid,   // `frame_cpid_low` is valid
    output wire        frame_taken,            // A feedback frame ended: its feedback was taken
    output wire        frame_malformed,        // A feedback frame ended: it is not valid, or was received with an error
    output wire        frame_refused,          // A feedback frame ended: its CPID is not allowed
    output wire        frame_elsewhere,        // A feedback frame ended: it is for another address
    // A feedback frame ended: another feedback waited when its second word came
    output wire        frame_dropped
);
    // Index of the word in the frame, one less behind two tags; stops at 15, as an accepted frame has at most 14 words
    reg [3:0] word;
    // Another feedback waited when the second word of the frame came. This and what else is known of a frame is held in
    // the cycle after its last word, in which the first word of the next frame may come
    reg dropped;
    reg has_tag; // The frame has a VLAN tag; valid from its third word on
    // The fields are half a word later: behind one tag, or behind the first of two; valid from its third word on
    reg later;
    reg is_feedback; // The frame has the EtherType of feedback
    reg elsewhere; // The destination is another address
    // The version is not 0. What the fields of a frame say is read if the frame is long enough to have all of them
    reg wrong_version;
    reg unit_too_long; // The data unit has more than 64 octets
    reg wrong_high; // Bits 63 to 32 of the CPID are not allowed
    reg wrong_low; // Bits 31 to 0 of the CPID are not allowed
    reg ended; // The last word of a frame came in the cycle before, behind that of the EtherType of feedback
    reg [6:0] length_less_one; // Octets of that frame minus one, eight less behind two tags
    reg good_size; // That frame has neither too few nor too many octets
    reg damaged; // That frame was received with an error
    reg pending; // The feedback fields wait for `feedback_ready`
    reg [5:0] feedback; // QntzFb, quantised feedback, 0 to 63
    reg [15:0] offset; // QOffset of the frame
    reg [15:0] delta; // QDelta of the frame
    reg has_flow; // The frame has a CN-TAG
    reg [15:0] flow; // Flow identifier of its CN-TAG, or 0
    reg [6:0] needed_less_one; // Octets of the frame up to the end of the encapsulated data unit, minus one
    reg taken_told; // A feedback was taken from the frame that ended
    reg malformed_told; // The feedback frame that ended is not valid
    reg refused_told; // The feedback frame that ended is not allowed
    reg elsewhere_told; // The feedback frame that ended is for another address
    reg good_told; // The feedback frame that ended is valid and allowed: its feedback was taken, or dropped

    initial begin
        word = 4'd0;
        dropped = 1'd0;
        has_tag = 1'd0;
        later = 1'd0;
        is_feedback = 1'd0;
        elsewhere = 1'd0;
        wrong_version = 1'd0;
        unit_too_long = 1'd0;
        wrong_high = 1'd0;
        wrong_low = 1'd0;
        ended = 1'd0;
        pending = 1'd0;
        feedback = 6'd0;
        offset = 16'd0;
        delta = 16'd0;
        has_flow = 1'd0;
        flow = 16'd0;
        needed_less_one = 7'd0;
        taken_told = 1'd0;
        malformed_told = 1'd0;
        refused_told = 1'd0;
        elsewhere_told = 1'd0;
        good_told = 1'd0;
    end

    // What a word is: a CN-TAG behind a VLAN tag makes it the second word again
    wire [15:0] high_upper = data_high[31:16];
    wire [15:0] high_lower = data_high[15:0];
    wire [15:0] low_upper = data_low[31:16];
    wire [15:0] low_lower = data_low[15:0];
    wire low_is_vlan = low_upper == 16'h8100;
    wire low_is_cn_tag = low_upper == 16'h22e9;
    wire low_is_feedback = low_upper == 16'h22e7;
    wire high_is_feedback = high_upper == 16'h22e7;
    wire first_type = word == 4'd1;
    wire later_type = (word == 4'd2) && later;
    wire second_tag = later_type && has_tag && (high_upper == 16'h22e9);
    wire fields_in_low = first_type || second_tag;
    wire type_in_low = fields_in_low && low_is_feedback;
    wire type_in_high = later_type && high_is_feedback;

    // Where the fields are: after one tag each is half a word later
    reg low_word;
    reg unit_word;
    reg [31:0] identifier_in_high;
    reg [31:0] identifier_in_low;
    reg [15:0] unit_length_field;
    always @* begin
        identifier_in_high = data_high;
        identifier_in_low = data_low;
        low_word = word == 4'd2;
        unit_length_field = low_upper;
        unit_word = word == 4'd4;
        if (later) begin
            identifier_in_high = data_low;
            identifier_in_low = data_high;
            low_word = word == 4'd3;
            unit_length_field = high_upper;
            unit_word = word == 4'd5;
        end
    end

    wire high_word = word == 4'd2;

    // What is wrong in a word
    wire [31:0] expected_high = {rp_mac_high, rp_mac_low[31:16]};
    wire [15:0] expected_low = rp_mac_low[15:0];
    wire [15:0] compared = {4'd0, flow_mask} ^ 16'hffff;
    wire wrong_destination = (data_high != expected_high) || |((low_upper ^ expected_low) & compared);
    wire [6:0] unit_length_in = unit_length_field[6:0];

    // The end of a frame
    wire [3:0] octets_less_one = octets - 4'd1;
    wire four_octets = |octets[3:2];
    wire three_octets = four_octets || (octets[1] && octets[0]);
    wire seven_octets = octets[3] || &octets[2:0];
    wire too_short =
        !word[3] && !((word == 4'd7) && four_octets) && !(has_tag && !later && ((word == 4'd7) || ((word == 4'd6)
            && four_octets)));
    wire too_long =
        &word[3:1] || ((word == 4'd13) && (!later || three_octets)) || ((word == 4'd12) && !later && seven_octets);

    // A frame is accepted or told of in the cycle after its last word, from registers only
    wire malformed = damaged || !good_size || wrong_version || unit_too_long || (length_less_one < needed_less_one);
    wire refused = wrong_high || wrong_low;
    wire told = ended && !elsewhere;
    wire accept = told && !refused && !dropped && !malformed;

    // The fields: of every frame, but of none whose second word came while a feedback waited
    wire busy = pending && !feedback_ready;
    wire capture = valid && !busy && !dropped;
    wire type_word = first_type || later_type;
    wire next_place = (word != 4'd15) && !second_tag;
    wire cpid_memory_high_valid = capture && high_word;
    wire cpid_memory_low_valid = capture && low_word;
    wire cpid_memory_remember = pending && feedback_ready && remember;
    assign frame_start = valid && (word == 4'd0);
    assign frame_flow = data_low[27:16];
    assign frame_cpid_high = identifier_in_high;
    assign frame_cpid_low = identifier_in_low;
    assign frame_cpid_high_valid = valid && high_word;
    assign frame_cpid_low_valid = valid && low_word;
    assign feedback_valid = pending;
    assign quantized_feedback = feedback;
    assign q_offset_units = offset;
    assign q_delta_units = delta;
    assign has_flow_id = has_flow;
    assign flow_id = flow;
    assign frame_taken = taken_told;
    assign frame_malformed = malformed_told;
    assign frame_refused = refused_told;
    assign frame_elsewhere = elsewhere_told;
    assign frame_dropped = good_told && !taken_told;

    tidegate_cpid_memory cpid_memory (
        .clock(clock),
        .reset(reset),
        .high(identifier_in_high),
        .low(identifier_in_low),
        .high_valid(cpid_memory_high_valid),
        .low_valid(cpid_memory_low_valid),
        .remember(cpid_memory_remember),
        .cpid_any(cpid_any),
        .cpid_digest(cpid_digest),
        .same_point(same_point)
    );

    always @(posedge clock) begin
        length_less_one <= {word, octets_less_one[2:0]};
        good_size <= !too_short && !too_long;
        damaged <= bad_frame;
        ended <= valid && last && is_feedback;
        taken_told <= accept;
        elsewhere_told <= ended && elsewhere;
        malformed_told <= told && malformed;
        refused_told <= told && refused && !malformed;
        good_told <= told && !refused && !malformed;
        pending <= accept || busy;
        if (valid) begin
            if (first_type) begin
                has_tag <= low_is_vlan;
            end
            word <= word + {3'd0, next_place};
            later <= (first_type && (low_is_vlan || low_is_cn_tag)) || (!first_type && later && !second_tag);
            is_feedback <= !last && (is_feedback || type_in_low || type_in_high);
            if (unit_word) begin
                unit_too_long <= |unit_length_field[15:7] || (unit_length_field[6] && |unit_length_field[5:0]);
                needed_less_one <= unit_length_in + 7'd37;
                if (later) begin
                    needed_less_one <= unit_length_in + 7'd41;
                end
            end
            if (word == 4'd0) begin
                elsewhere <= wrong_destination;
                dropped <= 1'd0;
            end
            if (first_type) begin
                dropped <= busy;
            end
            if (type_word) begin
                wrong_version <= |high_lower[15:12];
                if (fields_in_low) begin
                    wrong_version <= |low_lower[15:12];
                end
            end
            if (high_word) begin
                wrong_high <= |((identifier_in_high ^ allowed_cpid_high) & allowed_cpid_mask_high);
            end
            if (low_word) begin
                wrong_low <= |((identifier_in_low ^ allowed_cpid_low) & allowed_cpid_mask_low);
            end
            if (last) begin
                word <= 4'd0;
            end
        end
        if (capture) begin
            if (type_word) begin
                has_flow <= has_flow || second_tag;
                feedback <= data_high[5:0];
                if (fields_in_low) begin
                    feedback <= data_low[5:0];
                end
                if (second_tag) begin
                    flow <= high_lower;
                end
                if (first_type) begin
                    has_flow <= low_is_cn_tag;
                    flow <= 16'd0;
                    if (low_is_cn_tag) begin
                        flow <= low_lower;
                    end
                end
            end
            if (word == 4'd3) begin
                offset <= high_upper;
                delta <= high_lower;
                if (later) begin
                    offset <= low_upper;
                    delta <= low_lower;
                end
            end
        end
        if (reset) begin
            word <= 4'd0;
            is_feedback <= 1'd0;
            ended <= 1'd0;
            pending <= 1'd0;
            taken_told <= 1'd0;
            malformed_told <= 1'd0;
            refused_told <= 1'd0;
            elsewhere_told <= 1'd0;
            good_told <= 1'd0;
        end
    end

    wire unused = &{1'b0, octets_less_one[3]};
endmodule

`default_nettype wire
