// SPDX-License-Identifier: MIT OR Apache-2.0
// Packets get a CN-TAG and keep all their octets in order; the others pass unchanged. The proof follows one arbitrary octet.

module tag_inserter_properties (
    input clock,
    input reset,
    input [63:0] word,
    input [7:0] ctrl,
    input goes,
    input tag,
    input behind_vlan,
    input [11:0] flow,
    input out_rdy
);
    // The packet on its way in: it has begun, its module headers are over, words of it so far, at most 3.
    reg begun = 0, within = 0;
    reg [1:0] words = 0;
    wire of_packet = within || ctrl == 0;
    wire begins = goes && !begun;
    wire ends = goes && within && ctrl != 0;

    wire ready, out_wr;
    wire [63:0] out;
    wire [7:0] out_ctrl;
    tag_inserter device (
        .clock(clock), .reset(reset), .word_high(word[63:32]), .word_low(word[31:0]), .word_ctrl(ctrl), .goes(goes),
        .first(!begun), .tag(tag), .behind_vlan(behind_vlan), .flow(flow), .is_length(!of_packet && ctrl == 8'hff), .fills(word[2:0] == 0 || word[2:0] > 4),
        .of_packet(of_packet), .ends(within && ctrl != 0), .ready(ready),
        .out_rdy(out_rdy), .out_high(out[63:32]), .out_low(out[31:0]), .out_ctrl(out_ctrl), .out_wr(out_wr)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    reg is_tagged = 0, vlan = 0;
    reg [11:0] identifier = 0;
    wire tagged = begins ? tag : is_tagged;
    always @(*) begin
        if (!started) assume(reset);
        assume(!goes || ready);
        // What gets a tag has a module header and four words or more.
        assume(!begins || !tag || !of_packet);
        assume(!ends || !is_tagged || words == 3);
    end

    // The octet that is followed: of a word that goes, and where it must come out: the second half of a word of a tagged
    // packet comes with the next word. No octets are behind the end.
    (* anyseq *) wire choose;
    (* anyseq *) wire [2:0] lane;
    reg following = 0, later = 0;
    reg [7:0] octet = 0;
    reg [2:0] out_lane = 0;
    // Words of this packet before its CN-TAG: in the second one, or the third one, octets begin to move.
    wire moves = is_tagged && (words >= 2 || (words == 1 && !vlan && lane >= 4));
    wire there = (ctrl & (8'hff >> lane)) != 0 || ctrl == 0;
    // A word went in the cycle before; with it, or with the rest, this must come.
    reg went = 0, went_header = 0, went_tagged = 0, went_last = 0, went_second = 0, went_third = 0, was_vlan = 0, resting = 0;
    reg [63:0] went_word = 0;
    reg [7:0] went_ctrl = 0;
    reg [11:0] went_flow = 0;
    reg room = 0, rested = 0;
    // A word that waits for room stays, and nothing comes behind it.
    wire advances = !(went || rested) || room;
    // The octet is in this word; before, it waits for the next word, or for the rest.
    reg placed = 0;
    wire follows = choose && goes && of_packet && there && !following;
    wire arrives = following && out_wr && !later;
    always @(posedge clock) begin
        if (goes) begin
            begun <= !ends;
            within <= ctrl == 0;
            if (of_packet) words <= ends ? 0 : words == 3 ? 3 : words + 1;
            if (begins) begin
                is_tagged <= tag;
                vlan <= behind_vlan;
                identifier <= flow;
            end
        end
        if (follows) begin
            following <= 1;
            octet <= word >> (56 - 8 * lane);
            out_lane <= moves ? lane + 4 : lane;
            later <= moves && lane >= 4;
        end else if (following && out_wr) begin
            if (later) later <= 0;
            else following <= 0;
        end
        if (follows) placed <= !(moves && lane >= 4);
        else if (advances) placed <= following && !placed && (goes || resting);
        if (advances) begin
            went <= goes;
            went_word <= word;
            went_ctrl <= ctrl;
            went_header <= !of_packet;
            went_tagged <= tagged;
            went_last <= ends;
            went_second <= of_packet && words == 1;
            went_third <= of_packet && words == 2;
            was_vlan <= vlan;
            went_flow <= identifier;
            // The word that waits after the last one of a tagged packet.
            resting <= ends && is_tagged && ctrl[3:0] != 0;
            rested <= resting;
        end
        room <= out_rdy;
        if (reset) begin
            begun <= 0;
            within <= 0;
            words <= 0;
            following <= 0;
            went <= 0;
            placed <= 0;
            resting <= 0;
            rested <= 0;
            room <= 0;
        end
    end

    wire [15:0] length = went_word[15:0], words_before = (length + 16'd7) >> 3, words_after = (length + 16'd11) >> 3;
    wire [63:0] longer = {went_word[63:48], went_word[47:32] + words_after - words_before, went_word[31:16], length + 16'd4};
    // Packets so long get no tag.
    wire overlong = length > 16'h3ffb || went_word[47:32] > 16'h7ff;
    // The ctrl of the last word of the packet that went last.
    reg [7:0] last_ctrl = 0;
    always @(posedge clock) if (ends) last_ctrl <= ctrl;
    wire [7:0] moved = {last_ctrl[3:0], last_ctrl[7:4]};

    (* anyseq *) wire [31:0] inner_carry;
    (* anyseq *) wire [1:0] inner_place;
    (* anyseq *) wire [11:0] inner_identifier;
    (* anyseq *) wire [7:0] inner_rest_ctrl;
    (* anyseq *) wire inner_tags, inner_later, inner_rest, inner_holds, inner_may_go;

    // The octet waits for the next word, or for the rest.
    wire carried = is_tagged && out_lane < 4
        && (resting ? (moved & (8'hff >> out_lane)) != 0 : begun && within && words >= 2)
        && inner_carry[31 - 8 * out_lane -: 8] == octet;

    always @(*) if (started) begin
        each_octet_comes_out_in_its_place: assert(!arrives || octet == (out >> (56 - 8 * out_lane)) % 256);
        each_octet_is_in_the_packet: assert(!arrives || out_ctrl == 0 || (out_ctrl & (8'hff >> out_lane)) != 0);
        a_word_for_each_and_one_for_a_rest: assert(out_wr == ((went || rested) && room));
        module_headers_say_the_length: assert(!went || !went_header || (out_ctrl == went_ctrl
            && (went_tagged && went_ctrl == 8'hff ? out == longer || overlong : out == went_word)));
        the_tag_is_behind_the_addresses: assert(!went || !went_tagged || !went_second || was_vlan
            || out[31:0] == {16'h22e9, 4'd0, went_flow});
        the_tag_is_behind_the_vlan: assert(!went || !went_tagged || !went_third || !was_vlan
            || out[63:32] == {16'h22e9, 4'd0, went_flow});
        no_tag_no_change: assert(!went || went_tagged || (out == went_word && out_ctrl == went_ctrl));
        the_last_word_ends: assert(!went || !went_tagged || went_header
            || out_ctrl == (went_last && went_ctrl[3:0] == 0 ? moved : 8'd0));
        the_rest_ends: assert(!rested || out_ctrl == moved);
        nothing_is_behind_the_rest: assert(!rested || out[31:0] == 0);
        ready_but_for_a_rest: assert(ready == (advances && !resting));
        nothing_without_room: assert(!out_wr || room);
        helper_place: assert(inner_place == (words == 3 ? 2 : words));
        helper_tags: assert(!begun || (inner_tags == is_tagged && inner_later == vlan && inner_identifier == identifier));
        helper_rest: assert(inner_rest == resting && inner_holds == (went || rested) && inner_may_go == room && !(went && rested));
        helper_rest_ctrl: assert(!resting || inner_rest_ctrl == moved);
        helper_begun: assert((begun || (!within && words == 0)) && (within == (words != 0)));
        helper_resting: assert(!resting || (!begun && is_tagged));
        helper_carry: assert(words != 2 || !is_tagged || !vlan || inner_carry == {16'h22e9, 4'd0, identifier});
        helper_later: assert(!following || !later || (went && carried && !placed));
        helper_now: assert(!following || placed || carried);
        helper_alone: assert(!following || later || placed || !(went || rested));
        helper_placed: assert(!placed || (following && !later && (went || rested)
            && octet == (out >> (56 - 8 * out_lane)) % 256 && (out_ctrl == 0 || (out_ctrl & (8'hff >> out_lane)) != 0)));
    end
endmodule
