// Properties of a parser at its ports: for the block alone, and for the parser inside a reaction point, where its
// outputs cannot be seen.

module parser_specification (
    input clock,
    input reset,
    input started,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input valid,
    input ready,
    input [47:0] rp_mac,
    input [63:0] allowed_cpid,
    input [63:0] allowed_cpid_mask,
    input frame_ignored,
    // A frame has ended that must be accepted.
    output frame_taken,
    // The fields of the last frame, if it must be accepted.
    output [5:0] quantized_feedback,
    output [15:0] q_offset_units,
    output [15:0] q_delta_units,
    output [63:0] cpid
);
    // The words of this frame so far; the first six are stored. Their number stops at 15: such a frame is too long.
    reg [3:0] words = 0;
    reg [63:0] word_0, word_1, word_2, word_3, word_4, word_5;
    wire take = valid && ready;
    // The same with the word of this cycle.
    wire [63:0] now_0 = words == 0 ? data : word_0;
    wire [63:0] now_1 = words == 1 ? data : word_1;
    wire [63:0] now_2 = words == 2 ? data : word_2;
    wire [63:0] now_3 = words == 3 ? data : word_3;
    wire [63:0] now_4 = words == 4 ? data : word_4;
    wire [63:0] now_5 = words == 5 ? data : word_5;

    // The frame as octets; after a tag all fields are four octets later.
    wire [383:0] frame = {now_0, now_1, now_2, now_3, now_4, now_5};
    wire has_tag = now_1[31:16] == 16'h8100;
    wire [287:0] behind_addresses = has_tag ? frame[255:0] << 32 : frame[287:0];
    // EtherType, version and reserved bits and QntzFb, CPID, QOffset, QDelta, priority, address, length of the data
    // unit.
    wire [15:0] ether_type = behind_addresses[287:272];
    wire [3:0] version = behind_addresses[271:268];
    wire [63:0] frame_cpid = behind_addresses[255:192];
    wire [15:0] unit_length = behind_addresses[95:80];

    wire [7:0] length = {1'b0, words, 3'd0} + octets;
    wire [7:0] tag_length = has_tag ? 4 : 0;
    wire good = frame[383:336] == rp_mac && ether_type == 16'h22e7 && version == 0
        && ((frame_cpid ^ allowed_cpid) & allowed_cpid_mask) == 0
        && words != 15 && length >= 60 && length <= 102 + tag_length
        && unit_length <= 64 && 38 + tag_length + unit_length <= length;
    assign frame_taken = take && last && good;

    // The fields of the frame that ended.
    reg [383:0] ended;
    wire ended_tagged = ended[287:272] == 16'h8100;
    wire [287:0] fields = ended_tagged ? ended[255:0] << 32 : ended[287:0];
    assign quantized_feedback = fields[261:256];
    assign cpid = fields[255:192];
    assign q_offset_units = fields[191:176];
    assign q_delta_units = fields[175:160];

    // The frame that ended in the cycle before must be ignored.
    reg ignored = 0;
    always @(posedge clock) begin
        if (take) begin
            words <= last ? 0 : words == 15 ? 15 : words + 1;
            {word_0, word_1, word_2, word_3, word_4, word_5} <= frame;
            if (last) ended <= frame;
        end
        ignored <= take && last && !good;
        if (reset) begin
            words <= 0;
            ignored <= 0;
        end
    end

    // Guesses: results of the block from the words so far.
    wire tag_before = word_1[31:16] == 16'h8100;
    wire [287:0] before = tag_before ? {word_2, word_3, word_4, word_5, 32'd0} : {word_1[31:0], word_2, word_3, word_4, word_5};
    wire [63:0] wrong = (before[255:192] ^ allowed_cpid) & allowed_cpid_mask;
    (* keep *) wire [3:0] guess_words = words;
    (* keep *) wire guess_tagged = words >= 2 && tag_before;
    (* keep *) wire guess_rejected = (words >= 1 && word_0[63:16] != rp_mac)
        || (words >= 2 && !tag_before && (before[287:272] != 16'h22e7 || before[271:268] != 0))
        || (words >= 3 && tag_before && (before[287:272] != 16'h22e7 || before[271:268] != 0 || wrong[63:32] != 0))
        || (words >= 3 && !tag_before && wrong != 0)
        || (words >= 4 && tag_before && wrong[31:0] != 0)
        || (words >= 5 && !tag_before && before[95:80] > 64)
        || (words >= 6 && tag_before && before[95:80] > 64);
    (* keep *) wire [6:0] guess_needed = before[86:80] + (tag_before ? 7'd41 : 7'd37);
    (* keep *) wire guess_needed_if = words >= 6 || (words == 5 && !tag_before);
    (* keep *) wire guess_ignored = ignored;
    // Guesses: fields of the current frame, then of the last one.
    wire past_fields = words >= 5 || (words == 4 && !tag_before);
    (* keep *) wire [5:0] guess_feedback = words <= 1 ? quantized_feedback : before[261:256];
    (* keep *) wire guess_feedback_if = words <= 1 ? good_ended : (words >= 3 || !tag_before);
    (* keep *) wire [31:0] guess_cpid_high = words <= 2 ? cpid[63:32] : before[255:224];
    (* keep *) wire guess_cpid_high_if = words <= 2 ? good_ended : 1'b1;
    (* keep *) wire [31:0] guess_cpid_low = words <= 2 ? cpid[31:0] : before[223:192];
    (* keep *) wire guess_cpid_low_if = words <= 2 ? good_ended : (words >= 4 || !tag_before);
    (* keep *) wire [15:0] guess_offset = words <= 3 ? q_offset_units : before[191:176];
    (* keep *) wire guess_offset_if = words <= 3 ? good_ended : 1'b1;
    (* keep *) wire [15:0] guess_delta = words <= 3 ? q_delta_units : before[175:160];
    (* keep *) wire guess_delta_if = words <= 3 ? good_ended : 1'b1;
    // The last frame that ended was accepted.
    reg good_ended = 0;
    always @(posedge clock) if (reset) good_ended <= 0; else if (take && last) good_ended <= good;

    always @(*) if (started) begin
        ignored_told: assert(frame_ignored == ignored);
    end
endmodule
