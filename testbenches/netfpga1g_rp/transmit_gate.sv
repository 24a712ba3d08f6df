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
        inner_packet_payment__is_paid, inner_next_known, inner_tag_inserter__rest, inner_tag_inserter__tags_now, inner_outgoing_fields__within_,
        inner_outgoing_fields__told, inner_outgoing_fields__is_known;
    (* anyseq *) wire [1:0] inner_outgoing_fields__place;
    (* anyseq *) wire [2:0] inner_outgoing_fields__headers;
    // One bit for each word of the queue: its ctrl is 0.
    (* anyseq *) wire [15:0] inner_word_queue__kinds;

    // Words that were taken and that have left; numbers count modulo 32. A packet has begun to come in.
    reg [4:0] taken = 0, left = 0;
    reg begun = 0;
    wire [4:0] held = taken - left;
    wire take = in_wr && held != 16, leave = inner_goes;
    wire known = inner_known_place != inner_next_place;
    wire may_go = inner_started || (inner_next_known && (!inner_waits || inner_packet_payment__is_paid));
    reg was_known = 0;
    always @(posedge clock) was_known <= known && !(leave && !inner_started) && !reset;
    reg was_reset = 1, could = 0, room = 0, rested = 0, could_rest = 0;
    always @(posedge clock) begin
        if (take) begin
            taken <= taken + 1;
            begun <= !(inner_outgoing_fields__within_ && in_ctrl != 0);
        end
        if (leave) left <= left + 1;
        was_reset <= reset;
        could <= may_go && held != 0 && out_rdy && !inner_tag_inserter__rest;
        could_rest <= inner_tag_inserter__rest && out_rdy;
        room <= out_rdy;
        if (reset) begin
            taken <= 0;
            left <= 0;
            begun <= 0;
            could <= 0;
            could_rest <= 0;
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
        arrived <= following && leave && left == number && !inner_tag_inserter__tags_now;
        if (following && leave && left == number) following <= 0;
        if (reset) begin
            following <= 0;
            arrived <= 0;
        end
    end
    reg [71:0] word_before = 0;
    always @(posedge clock) word_before <= word;
    wire [4:0] ahead = number - left;
    (* anyseq *) wire [31:0] inner_word_queue__highs, inner_word_queue__lows;
    (* anyseq *) wire [7:0] inner_word_queue__ctrls;
    (* anyseq *) wire [1:0] inner_word_queue__lengths;
    wire [3:0] inner_word_queue__highs_at = number[3:0], inner_word_queue__lows_at = number[3:0],
        inner_word_queue__ctrls_at = number[3:0], inner_word_queue__lengths_at = number[3:0];

    // The words in the queue, read as packets: what the last one leaves behind, how many are the first of a packet or of its
    // module headers, and how many there are from the last of these on.
    reg at_packet, at_payload, is_data;
    reg [4:0] packets, since;
    wire [15:0] in_order = {inner_word_queue__kinds, inner_word_queue__kinds} >> inner_word_queue__read_place;
    integer i;
    always @(*) begin
        at_packet = inner_started;
        at_payload = inner_within_;
        packets = 0;
        since = 0;
        for (i = 0; i < 16; i = i + 1) begin
            is_data = in_order[i];
            if (i < held) begin
                if (!at_packet) begin
                    packets = packets + 1;
                    since = 0;
                end
                since = since + 1;
                at_packet = !at_payload || is_data;
                at_payload = is_data;
            end
        end
    end
    // The packet that comes in is not known.
    wire open = begun && !inner_outgoing_fields__told;
    wire [3:0] known_packets = inner_known_place - inner_next_place + inner_outgoing_fields__is_known;
    wire [4:0] coming = {2'd0, inner_outgoing_fields__headers} + {3'd0, inner_outgoing_fields__place};

    always @(*) if (started) begin
        // uses helper_count helper_places helper_filled helper_ahead helper_word
        in_order_and_unchanged: assert(!arrived || (out_wr && {out_ctrl, out_data} == word_before));
        what_may_go_goes: assert(!could || out_wr);
        nothing_else_goes: assert(!out_wr || could || could_rest);
        nothing_goes_unpaid: assert(!leave || inner_started || (inner_next_known && (!inner_waits || inner_packet_payment__is_paid)));
        nothing_without_room: assert(!out_wr || room);
        a_known_packet_is_next: assert(inner_next_known == was_known);
        // uses helper_count helper_places helper_filled helper_known helper_open helper_read_as_packets helper_next
        a_known_packet_is_there: assert(!known || inner_started || held != 0);
        // uses helper_count helper_places helper_filled helper_roomy helper_known helper_open helper_coming helper_read_as_packets helper_within helper_next
        never_stuck: assert(was_reset || in_rdy || inner_started || known_packets != 0);
        a_rest_waits_for_room_only: assert(!could_rest || !inner_tag_inserter__rest);
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
        // uses helper_count helper_places helper_filled helper_coming helper_within
        helper_read_as_packets: assert(at_packet == begun && at_payload == inner_outgoing_fields__within_);
        // uses helper_count helper_places helper_filled helper_read_as_packets helper_coming helper_within helper_open helper_next
        helper_known: assert(packets == known_packets + open && packets <= 9);
        // uses helper_count helper_places helper_filled helper_read_as_packets helper_coming helper_within helper_known helper_next
        helper_open: assert(!open || since == coming);
        helper_coming: assert(inner_outgoing_fields__within_ == (inner_outgoing_fields__place != 0)
            && (!open || inner_outgoing_fields__place != 3)
            && (begun || (inner_outgoing_fields__headers == 0 && inner_outgoing_fields__place == 0
            && !inner_outgoing_fields__told)));
        helper_next: assert(!inner_next_known || known);
        helper_within: assert(inner_started || !inner_within_);
    end
endmodule
