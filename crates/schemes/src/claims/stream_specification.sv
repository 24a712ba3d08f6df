// SPDX-License-Identifier: MIT OR Apache-2.0
// Properties of the stream of feedback frames: the handshake, and eight words per frame.

module stream_specification (
    input clock,
    input reset,
    input started,
    input valid,
    input ready,
    input [63:0] data,
    input [3:0] octets,
    input last,
    // Number of words of this frame that were taken.
    output reg [2:0] word
);
    initial word = 0;
    (* keep *) wire [2:0] guess_word = word;
    // In the cycle before, a word waited, or a frame had begun and not ended.
    reg waited = 0;
    reg within = 0;
    reg [68:0] before;
    always @(posedge clock) begin
        if (valid && ready) word <= word + 1;
        waited <= valid && !ready && !reset;
        within <= (valid && ready ? word != 7 : word != 0) && !reset;
        before <= {data, octets, last};
        if (reset) word <= 0;
    end
    always @(*) if (started) begin
        held_until_ready: assert(!waited || (valid && {data, octets, last} == before));
        no_gap_in_a_frame: assert(!within || valid);
        eight_words: assert(!valid || (last == (word == 7) && octets == (word == 7 ? 4 : 8)));
        helper_within: assert(within == (word != 0));
    end
endmodule

// The field in the high half of a word, as the packet generator numbers them.
module field_of_word (
    input [2:0] word,
    input has_tag,
    input has_cn_tag,
    output [3:0] field
);
    wire [3:0] untagged = {word, 1'b0};
    assign field = word == 2 && has_tag && has_cn_tag ? 15
        : word == 0 ? 0
        : word > 2 && has_tag && has_cn_tag ? untagged - 2
        : has_tag || has_cn_tag ? untagged - 1
        : untagged;
endmodule
