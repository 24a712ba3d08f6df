// SPDX-License-Identifier: MIT OR Apache-2.0
// What a parser must tell of each frame, from its ports: for the block alone, and for the parser inside a reaction point.

module parser_specification (
    input clock,
    input reset,
    input started,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input bad_frame,
    input valid,
    input [47:0] rp_mac,
    input [11:0] flow_mask,
    input [63:0] allowed_cpid,
    input [63:0] allowed_cpid_mask,
    // Number of the word at the input, in its frame; it stops at 16: such a frame is too long.
    output reg [4:0] words,
    // In the cycle before, a frame ended whose feedback must be taken if no other one waits.
    output good,
    // The fields of that frame: whether it has a CN-TAG, the flow identifier of that or 0, QntzFb, QOffset, QDelta,
    // CPID.
    output [118:0] fields,
    // The words that have come of a frame, also in the cycle after its last one; 0 between frames.
    output [4:0] come,
    // The same fields of these words.
    output [118:0] fields_so_far,
    // The words that have come, one less behind two tags; whether the fields are half a word later.
    output [4:0] position,
    output later,
    // Two cycles before, a frame ended that must be told of: for another address, not valid, not allowed, good.
    output reg was_elsewhere,
    output reg was_malformed,
    output reg was_refused,
    output reg was_good
);
    // The first six words of this frame, as far as they have come.
    reg [63:0] word_0, word_1, word_2, word_3, word_4, word_5;
    // In the cycle before, a frame ended: the number of its last word, the octets of that, whether it was bad.
    reg ended = 0, last_bad;
    reg [4:0] last_word;
    reg [3:0] last_octets;
    assign come = ended ? last_word + 5'd1 : words;

    // The frame as octets. A VLAN tag makes all fields four octets later, and so does a CN-TAG behind it.
    wire [383:0] frame = {word_0, word_1, word_2, word_3, word_4, word_5};
    wire has_vlan = frame[287:272] == 16'h8100;
    wire [287:0] behind_vlan = has_vlan ? frame[287:0] << 32 : frame[287:0];
    wire has_flow = behind_vlan[287:272] == 16'h22e9;
    wire [287:0] behind_tags = has_flow ? behind_vlan << 32 : behind_vlan;
    // EtherType, version and reserved bits and QntzFb, CPID, QOffset, QDelta, priority, address, length of the data
    // unit.
    wire [15:0] ether_type = behind_tags[287:272];
    wire [3:0] version = behind_tags[271:268];
    wire [63:0] frame_cpid = behind_tags[255:192];
    wire [15:0] unit_length = behind_tags[95:80];
    wire [15:0] flow_id = has_flow ? behind_vlan[271:256] : 16'd0;
    assign fields = {has_flow, flow_id, behind_tags[261:256], behind_tags[191:160], frame_cpid};

    wire [7:0] length = {last_word, 3'd0} + last_octets;
    wire [7:0] tag_length = (has_vlan ? 4 : 0) + (has_flow ? 4 : 0);
    // A frame that ends with the word of its EtherType is too short to be told.
    wire told = ended && ether_type == 16'h22e7 && last_word >= (has_vlan || has_flow ? 3 : 2);
    wire elsewhere = ((frame[383:336] ^ rp_mac) & ~{36'd0, flow_mask}) != 0;
    wire malformed = last_bad || version != 0 || length < 60 || length > 102 + tag_length
        || unit_length > 64 || 38 + tag_length + unit_length > length;
    wire refused = ((frame_cpid ^ allowed_cpid) & allowed_cpid_mask) != 0;
    assign good = told && !elsewhere && !malformed && !refused;

    initial words = 0;
    initial {was_elsewhere, was_malformed, was_refused, was_good} = 0;
    always @(posedge clock) begin
        if (valid) begin
            words <= last ? 0 : words >= 16 ? 16 : words + 1;
            case (words)
                0: word_0 <= data;
                1: word_1 <= data;
                2: word_2 <= data;
                3: word_3 <= data;
                4: word_4 <= data;
                5: word_5 <= data;
            endcase
        end
        ended <= valid && last && !reset;
        {last_word, last_octets, last_bad} <= {words, octets, bad_frame};
        was_elsewhere <= told && elsewhere;
        was_malformed <= told && !elsewhere && malformed;
        was_refused <= told && !elsewhere && !malformed && refused;
        was_good <= good;
        if (reset) begin
            words <= 0;
            {was_elsewhere, was_malformed, was_refused, was_good} <= 0;
        end
    end

    // Guesses: results of the block from the words so far.
    wire vlan_before = word_1[31:16] == 16'h8100;
    wire [287:0] before_vlan = {word_1[31:0], word_2, word_3, word_4, word_5};
    wire [287:0] before_flow = vlan_before ? before_vlan << 32 : before_vlan;
    // A CN-TAG behind a VLAN tag is in the third word.
    wire flow_before = before_flow[287:272] == 16'h22e9 && (!vlan_before || come >= 3);
    wire [287:0] before = flow_before ? before_flow << 32 : before_flow;
    assign fields_so_far = {flow_before, flow_before ? before_flow[271:256] : 16'd0, before[261:256], before[191:160],
        before[255:192]};
    assign position = vlan_before && flow_before && come >= 3 ? come - 1 : come;
    assign later = come >= 2 && vlan_before != flow_before;
    wire [63:0] wrong = (before[255:192] ^ allowed_cpid) & allowed_cpid_mask;
    wire typed = position >= 3 || (position == 2 && !later);
    wire unit_known = position >= 6 || (position == 5 && !later);
    wire wrong_address = come >= 1 && ((word_0[63:16] ^ rp_mac) & ~{36'd0, flow_mask}) != 0;
    wire wrong_type = typed && before[287:272] != 16'h22e7;
    (* keep *) wire [3:0] guess_words = ended ? 0 : position >= 15 ? 15 : position;
    // What the block knows of a frame is there until the first word of the next one has come.
    (* keep *) wire guess_tagged = vlan_before, guess_later = later;
    (* keep *) wire guess_tagged_if = come >= 2, guess_later_if = come >= 2;
    (* keep *) wire guess_typed = !ended && typed && !wrong_type;
    (* keep *) wire guess_elsewhere = wrong_address, guess_version = before[271:268] != 0,
        guess_unit = before[95:80] > 64, guess_high = wrong[63:32] != 0, guess_low = wrong[31:0] != 0;
    (* keep *) wire guess_elsewhere_if = come >= 1, guess_version_if = typed, guess_unit_if = unit_known,
        guess_high_if = position >= 3, guess_low_if = position >= 4 || (position == 3 && !later);
    wire [4:0] last_position = has_vlan && has_flow && last_word >= 3 ? last_word - 5'd1 : last_word;
    (* keep *) wire [6:0] guess_length = {last_position >= 15 ? 4'd15 : last_position[3:0], last_octets[2:0] - 3'd1};
    (* keep *) wire guess_length_if = ended, guess_bad = last_bad, guess_told = told;
    (* keep *) wire guess_size = length >= 60 && length <= 102 + tag_length, guess_size_if = told;
    (* keep *) wire [6:0] guess_needed = before[86:80] + (later ? 7'd41 : 7'd37);
    (* keep *) wire guess_needed_if = unit_known;
    (* keep *) wire guess_was_elsewhere = was_elsewhere, guess_was_malformed = was_malformed, guess_was_refused = was_refused,
        guess_was_good = was_good;
    (* keep *) wire guess_not_taken = 0, guess_not_taken_if = !was_good;

    always @(*) if (started) helper_ended: assert(words <= 16
        && (!ended || words == 0 && last_word <= 16 && last_octets >= 1 && last_octets <= 8));
endmodule
