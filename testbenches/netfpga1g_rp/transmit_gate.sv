// SPDX-License-Identifier: MIT OR Apache-2.0
// Each word leaves once and in order, a packet leaves only when it may, and nothing waits for ever. The words of a packet that
// gets no CN-TAG are followed to the output; what the others become is proved of the tag inserter.

module transmit_gate_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [7:0] in_ctrl,
    input in_wr,
    input out_rdy,
    input [1:0] gate,
    input controlled,
    input [1:0] flow_source,
    input [11:0] flow_mask,
    input insert_cn_tag,
    input [13:0] bucket_bytes,
    input [4:0] overhead_bytes,
    input grant,
    input refuse
);
    wire in_rdy, out_wr, request, rejected, lost_word;
    wire [63:0] out_data;
    wire [7:0] out_ctrl;
    wire [11:0] request_flow;
    wire [13:0] request_bytes;
    transmit_gate device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_ctrl(in_ctrl), .in_wr(in_wr),
        .in_rdy(in_rdy), .out_high(out_data[63:32]), .out_low(out_data[31:0]), .out_ctrl(out_ctrl), .out_wr(out_wr),
        .out_rdy(out_rdy), .gate(gate), .controlled(controlled), .flow_source(flow_source), .flow_mask(flow_mask),
        .insert_cn_tag(insert_cn_tag), .bucket_bytes(bucket_bytes), .overhead_bytes(overhead_bytes), .request(request),
        .request_flow(request_flow), .request_bytes(request_bytes), .grant(grant), .refuse(refuse), .rejected(rejected),
        .lost_word(lost_word)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(!(grant && refuse) && (request || !(grant || refuse)));
    end

    (* anyseq *) wire [4:0] inner_word_queue__count;
    (* anyseq *) wire [3:0] inner_word_queue__write_place, inner_word_queue__read_place, inner_known_place, inner_next_place;
    (* anyseq *) wire inner_word_queue__filled, inner_word_queue__roomy, inner_started, inner_within_, inner_goes, inner_waits,
        inner_packet_payment__is_paid, inner_next_known, inner_tag_inserter__rest, inner_tag_inserter__tags_now, inner_tag_inserter__holds, inner_tag_inserter__may_go, inner_opens, inner_outgoing_fields__within_,
        inner_outgoing_fields__told, inner_outgoing_fields__is_known;
    (* anyseq *) wire [1:0] inner_outgoing_fields__place, inner_tag_inserter__place;
    (* anyseq *) wire [2:0] inner_outgoing_fields__headers;
    // One bit for each word of the queue: its ctrl is 0.
    (* anyseq *) wire [15:0] inner_word_queue__kinds;

    // Words that were taken and that have left; numbers count modulo 32.
    reg [4:0] taken = 0, left = 0;
    // Begins and ends of packets, with their module headers, that were taken and that have left, modulo 64: an odd number is
    // within a packet.
    reg [5:0] edges_in = 0, edges_out = 0;
    wire begun = edges_in[0];
    wire begun_then = !inner_outgoing_fields__within_ || in_ctrl == 0;
    wire started_then = !inner_within_ || inner_word_queue__kinds[left[3:0]];
    wire [4:0] held = taken - left;
    wire take = in_wr && held != 16, leave = inner_goes;
    wire known = inner_known_place != inner_next_place;
    wire may_go = inner_started || (inner_next_known && (!inner_waits || inner_packet_payment__is_paid));
    reg was_known = 0;
    always @(posedge clock) was_known <= known && !(leave && !inner_started) && !reset;
    reg was_reset = 1, could = 0, room = 0, could_rest = 0;
    // A word that may go waits for room only, and the next one behind it.
    wire advances = !(could || could_rest) || room;
    always @(posedge clock) begin
        if (take) begin
            taken <= taken + 1;
            edges_in <= edges_in + {5'd0, begun_then != begun};
        end
        if (leave) begin
            left <= left + 1;
            edges_out <= edges_out + {5'd0, started_then != edges_out[0]};
        end
        was_reset <= reset;
        if (advances) begin
            could <= may_go && held != 0 && !inner_tag_inserter__rest;
            could_rest <= inner_tag_inserter__rest;
        end
        room <= out_rdy;
        if (reset) begin
            taken <= 0;
            left <= 0;
            edges_in <= 0;
            edges_out <= 0;
            could <= 0;
            could_rest <= 0;
            room <= 0;
        end
    end

    // One arbitrary word.
    (* anyseq *) wire choose;
    reg following = 0, arrived = 0;
    reg [4:0] number = 0;
    reg [71:0] word = 0;
    always @(posedge clock) begin
        if (choose && take && !following) begin
            following <= 1;
            number <= taken;
            word <= {in_ctrl, in_data};
        end
        if (advances) arrived <= following && leave && left == number && !inner_tag_inserter__tags_now;
        if (following && leave && left == number) following <= 0;
        if (reset) begin
            following <= 0;
            arrived <= 0;
        end
    end
    reg [71:0] word_before = 0;
    always @(posedge clock) if (advances) word_before <= word;
    wire [4:0] ahead = number - left;
    (* anyseq *) wire [31:0] inner_word_queue__highs, inner_word_queue__lows;
    (* anyseq *) wire [7:0] inner_word_queue__ctrls;
    (* anyseq *) wire [1:0] inner_word_queue__lengths;
    wire [3:0] inner_word_queue__highs_at = number[3:0], inner_word_queue__lows_at = number[3:0],
        inner_word_queue__ctrls_at = number[3:0], inner_word_queue__lengths_at = number[3:0];

    // The first word of the packet that comes in: its number, the edges before it, and whether it has not left.
    reg [4:0] first = 0;
    reg [5:0] edges_first = 0;
    reg first_waits = 0;
    wire [4:0] before_first = first - left;
    always @(posedge clock) begin
        if (take && !begun) begin
            first <= taken;
            edges_first <= edges_in;
            first_waits <= 1;
        end else if (leave && left == first) first_waits <= 0;
    end

    // For each place of the queue, what was counted before its word, and whether the word before was one of a packet. From this
    // and from its word follows the same for the next place. So what came in is what goes out, word by word.
    wire [6:0] state_in = {edges_in, inner_outgoing_fields__within_}, state_out = {edges_out, inner_within_};
    wire [16*7-1:0] states;
    wire [15:0] oldest_fits, next_fits, newest_fits, few_edges, few_edges_to_first, first_fits;
    genvar i;
    generate for (i = 0; i < 16; i = i + 1) begin : places
        reg [5:0] edges = 0;
        reg within_before = 0;
        always @(posedge clock) if (take && taken[3:0] == i) {edges, within_before} <= state_in;
        assign states[7*i +: 7] = {edges, within_before};
        wire [3:0] ahead_of = i - left[3:0];
        wire [4:0] place_of = {1'b0, ahead_of};
        wire here = place_of < held;
        wire is_data = inner_word_queue__kinds[i];
        wire goes_on = !within_before || is_data;
        wire [6:0] state_behind = {edges + {5'd0, goes_on != edges[0]}, is_data};
        assign oldest_fits[i] = !(here && ahead_of == 0) || states[7*i +: 7] == state_out;
        assign next_fits[i] = !(place_of + 5'd1 < held) || states[7*((i + 1) % 16) +: 7] == state_behind;
        assign newest_fits[i] = place_of + 5'd1 != held || state_behind == state_in;
        // A word has one edge at most.
        wire [5:0] edges_since = edges_in - edges, edges_to_first = edges_first - edges;
        wire [4:0] words_since = held - place_of, words_to_first = before_first - place_of;
        assign few_edges[i] = !here || edges_since <= {1'b0, words_since};
        assign few_edges_to_first[i] = !(begun && first_waits && place_of < before_first)
            || edges_to_first <= {1'b0, words_to_first};
        assign first_fits[i] = !(begun && first_waits && first[3:0] == i) || edges == edges_first;
    end endgenerate

    // Packets that have begun to come in and not to go out. The one that comes in is not known.
    wire [5:0] edges_in_up = edges_in + 6'd1, edges_out_up = edges_out + 6'd1;
    wire [4:0] packets = edges_in_up[5:1] - edges_out_up[5:1];
    wire open = begun && !inner_outgoing_fields__told;
    wire [3:0] stored_packets = inner_known_place - inner_next_place;
    wire [3:0] known_packets = stored_packets + inner_outgoing_fields__is_known;
    wire [4:0] since = taken - first;
    wire [4:0] coming = {2'd0, inner_outgoing_fields__headers} + {3'd0, inner_outgoing_fields__place};

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!arrived || (out_wr == room && {out_ctrl, out_data} == word_before));
        what_may_go_goes: assert(!could || !room || out_wr);
        nothing_else_goes: assert(!out_wr || could || could_rest);
        each_pays_for_itself: assert(!inner_opens || (inner_started && could));
        nothing_goes_unpaid: assert(!leave || inner_started || (inner_next_known && (!inner_waits || inner_packet_payment__is_paid)));
        nothing_without_room: assert(!out_wr || room);
        a_known_packet_is_next: assert(inner_next_known == was_known);
        a_known_packet_is_there: assert(!known || inner_started || held != 0);
        never_stuck: assert(was_reset || in_rdy || inner_started || known_packets != 0);
        a_rest_waits_for_room_only: assert(!could_rest || !inner_tag_inserter__rest);
        helper_room: assert(inner_tag_inserter__holds == (could || could_rest) && inner_tag_inserter__may_go == room);
        helper_count: assert(inner_word_queue__count == held && held <= 16);
        helper_places: assert(inner_word_queue__write_place == taken[3:0] && inner_word_queue__read_place == left[3:0]);
        helper_filled: assert(inner_word_queue__filled == (held != 0));
        helper_roomy: assert(was_reset || inner_word_queue__roomy || held >= 11);
        // uses helper_count helper_places helper_filled
        helper_ahead: assert(!following || ahead < held);
        // uses helper_count helper_places helper_filled helper_ahead
        helper_word: assert(!following || ({inner_word_queue__ctrls, inner_word_queue__highs, inner_word_queue__lows} == word
            && inner_word_queue__lengths == {word[71:64] == 8'hff, word[2:0] == 0 || word[2:0] > 4}
            && inner_word_queue__kinds[number[3:0]] == (word[71:64] == 0)));
        helper_begun: assert(inner_started == edges_out[0]);
        helper_oldest: assert(&oldest_fits);
        helper_words_between: assert(&next_fits);
        helper_newest: assert(&newest_fits);
        helper_empty: assert(held != 0 || state_in == state_out);
        helper_edges: assert(&few_edges);
        helper_first: assert(!begun || edges_in == edges_first + 6'd1);
        helper_first_waits: assert(!(begun && first_waits) || before_first < held);
        helper_first_place: assert(&first_fits);
        helper_edges_to_first: assert(&few_edges_to_first);
        helper_first_left: assert(!(begun && !first_waits) || edges_out == edges_in);
        helper_known: assert(packets == known_packets + open && packets <= 9 && stored_packets <= 9);
        helper_open: assert(!open || since == coming);
        helper_coming: assert(inner_outgoing_fields__within_ == (inner_outgoing_fields__place != 0)
            && (!open || inner_outgoing_fields__place != 3)
            && (begun || (inner_outgoing_fields__headers == 0 && inner_outgoing_fields__place == 0
            && !inner_outgoing_fields__told)));
        helper_next: assert(!inner_next_known || known);
        helper_within: assert(inner_started || !inner_within_);
        helper_tag_place: assert(inner_within_ || inner_tag_inserter__place == 0);
    end
endmodule
