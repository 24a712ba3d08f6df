// What a parser must tell of each frame, from its ports: for the block alone, and for the parser inside a reaction point.

module parser_specification (
    input clock,
    input reset,
    input [63:0] data,
    input [3:0] octets,
    input last,
    input bad_frame,
    input valid,
    input [47:0] rp_mac,
    input [11:0] flow_mask,
    input [63:0] allowed_cpid,
    input [63:0] allowed_cpid_mask,
    // Number of the word at the input, in its frame; it stops at 15: such a frame is too long.
    output reg [3:0] words,
    // A frame ends whose feedback must be taken if no other one waits.
    output good,
    // The fields of that frame: QntzFb, QOffset, QDelta, CPID.
    output [101:0] fields,
    // The same of the words before this one.
    output [101:0] fields_so_far,
    // The words before this one have a tag; they show that the frame is not good.
    output tag_before,
    output wrong_before,
    // In the cycle before, a frame ended that must be told of: for another address, not valid, not allowed, good.
    output reg was_elsewhere,
    output reg was_malformed,
    output reg was_refused,
    output reg was_good
);
    // The first six words of this frame, as far as they have come.
    reg [63:0] word_0, word_1, word_2, word_3, word_4, word_5;
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
    assign fields = {behind_addresses[261:256], behind_addresses[191:160], frame_cpid};

    wire [7:0] length = {1'b0, words, 3'd0} + octets;
    wire [7:0] tag_length = has_tag ? 4 : 0;
    wire end_of_frame = valid && last;
    // A frame that ends with the word of its EtherType is too short to be told.
    wire told = end_of_frame && ether_type == 16'h22e7 && words >= (has_tag ? 3 : 2);
    wire elsewhere = ((frame[383:336] ^ rp_mac) & ~{36'd0, flow_mask}) != 0;
    wire malformed = bad_frame || version != 0 || words == 15 || length < 60 || length > 102 + tag_length
        || unit_length > 64 || 38 + tag_length + unit_length > length;
    wire refused = ((frame_cpid ^ allowed_cpid) & allowed_cpid_mask) != 0;
    assign good = told && !elsewhere && !malformed && !refused;

    initial words = 0;
    initial {was_elsewhere, was_malformed, was_refused, was_good} = 0;
    always @(posedge clock) begin
        if (valid) begin
            words <= last ? 0 : words == 15 ? 15 : words + 1;
            {word_0, word_1, word_2, word_3, word_4, word_5} <= frame;
        end
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
    assign tag_before = word_1[31:16] == 16'h8100;
    wire [287:0] before = tag_before ? {word_2, word_3, word_4, word_5, 32'd0} : {word_1[31:0], word_2, word_3, word_4, word_5};
    assign fields_so_far = {before[261:256], before[191:160], before[255:192]};
    wire [63:0] wrong = (before[255:192] ^ allowed_cpid) & allowed_cpid_mask;
    wire typed = words >= 3 || (words == 2 && !tag_before);
    wire unit_known = words >= 6 || (words == 5 && !tag_before);
    wire wrong_address = words >= 1 && ((word_0[63:16] ^ rp_mac) & ~{36'd0, flow_mask}) != 0;
    wire wrong_type = typed && before[287:272] != 16'h22e7;
    wire wrong_version = typed && before[287:272] == 16'h22e7 && before[271:268] != 0;
    wire wrong_cpid = (words >= 3 && wrong[63:32] != 0) || ((words >= 4 || (words == 3 && !tag_before)) && wrong[31:0] != 0);
    wire wrong_unit = unit_known && before[95:80] > 64;
    assign wrong_before = wrong_address || wrong_type || wrong_version || wrong_cpid || wrong_unit;
    (* keep *) wire [3:0] guess_words = words;
    (* keep *) wire guess_tagged = words >= 2 && tag_before;
    (* keep *) wire guess_typed = typed && !wrong_type;
    (* keep *) wire guess_elsewhere = wrong_address, guess_malformed = wrong_version || wrong_unit, guess_refused = wrong_cpid;
    (* keep *) wire guess_rejected = 1, guess_rejected_if = wrong_before;
    (* keep *) wire [6:0] guess_needed = before[86:80] + (tag_before ? 7'd41 : 7'd37);
    (* keep *) wire guess_needed_if = unit_known;
    (* keep *) wire guess_was_elsewhere = was_elsewhere, guess_was_malformed = was_malformed, guess_was_refused = was_refused,
        guess_was_good = was_good;
    (* keep *) wire guess_not_taken = 0, guess_not_taken_if = !was_good;
endmodule
