// SPDX-License-Identifier: MIT OR Apache-2.0
// The tap as a whole: each word of a packet leaves once, in order and unchanged, and none waits for ever. The proof
// follows one arbitrary word.

module netfpga1g_tap_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [7:0] in_ctrl,
    input in_wr,
    input out_rdy,
    input ready,
    input [63:0] data,
    input valid,
    input [2:0] frame_port
);
    (* anyconst *) wire [7:0] controlled_ports;
    (* anyconst *) wire multicast_once;
    wire enqueue, controlled, may_leave, packet_known, out_of_packet, data_ready, boundary, out_wr;
    wire [63:0] out_data;
    wire [7:0] out_ctrl;
    reg [2:0] frame_word = 0;
    wire last = frame_word == 7;
    netfpga1g_tap device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_ctrl(in_ctrl), .in_wr(in_wr),
        .next_high(out_data[63:32]), .next_low(out_data[31:0]), .next_ctrl(out_ctrl), .next_wr(out_wr), .next_rdy(out_rdy),
        .controlled_ports(controlled_ports), .multicast_once(multicast_once), .enqueue(enqueue),
        .controlled(controlled), .ready(ready), .may_leave(may_leave), .packet_known(packet_known),
        .out_of_packet(out_of_packet), .data_high(data[63:32]), .data_low(data[31:0]), .last(last), .valid(valid),
        .data_ready(data_ready), .frame_port(frame_port), .boundary(boundary)
    );

    (* anyseq *) wire [4:0] inner_word_queue__count;
    (* anyseq *) wire [3:0] inner_word_queue__write_place, inner_word_queue__read_place;
    (* anyseq *) wire inner_word_queue__filled, inner_packet_sequencer__pop;
    (* anyseq *) wire inner_packet_sequencer__started, inner_packet_sequencer__within_, inner_packet_sequencer__heading,
        inner_packet_sequencer__framing, inner_packet_sequencer__frame_last, inner_packet_sequencer__frame_before, inner_packet_sequencer__ended, inner_packet_sequencer__of_packet;
    (* anyseq *) wire inner_packet_fields__within_, inner_packet_fields__is_known;
    (* anyseq *) wire [1:0] inner_packet_fields__place;
    (* anyseq *) wire [7:0] inner_packet_events__waiting;
    (* anyseq *) wire inner_packet_events__waits, inner_packet_events__frame_waits, inner_packet_events__taken;
    (* anyseq *) wire inner_packet_sequencer__word_is_data;
    (* anyseq *) wire [7:0] inner_packet_sequencer__word_ctrl;
    wire pop = inner_packet_sequencer__pop;
    wire started_ = inner_packet_sequencer__started;
    wire framing = inner_packet_sequencer__framing;
    wire heading = inner_packet_sequencer__heading;
    wire frame_last = inner_packet_sequencer__frame_last;
    wire known = inner_packet_fields__is_known;
    wire waits = inner_packet_events__waits;
    wire frame_waits = inner_packet_events__frame_waits;
    wire hold = known || waits;

    reg begun = 0;
    always @(posedge clock) begun <= 1;
    always @(*) if (!begun) assume(reset);

    // A congestion point. `valid` stays high from the first word of a frame to the eighth, the last one. A frame is that
    // of a sample. A sample is an event that was taken, of a flow that is controlled; at most four wait, and while four
    // wait no event is taken (no_gap_in_a_frame, held_until_ready, eight_words, only_packets, none_lost).
    reg frame_goes_on = 0;
    reg [2:0] samples = 0;
    (* anyseq *) wire is_sample;
    wire sampled = enqueue && ready && controlled && is_sample;
    wire frame_ends = valid && data_ready && last;
    always @(posedge clock) begin
        if (valid && data_ready) frame_word <= frame_word + 1;
        frame_goes_on <= valid && !frame_ends;
        samples <= samples + {2'd0, sampled} - {2'd0, frame_ends};
        if (reset) begin
            frame_word <= 0;
            frame_goes_on <= 0;
            samples <= 0;
        end
    end
    always @(*) begin
        assume(!frame_goes_on || valid);
        assume(!valid || samples != 0);
        assume(!ready || samples < 4);
        // The queue of words says so of any word (in_order_and_unchanged).
        assume(!inner_word_queue__filled
            || inner_packet_sequencer__word_is_data == (inner_packet_sequencer__word_ctrl == 0));
    end

    // Words that were taken, that have left the queue and that have gone out; numbers count modulo 64.
    reg [5:0] taken = 0, left = 0, gone = 0;
    wire [5:0] held = taken - left;
    wire take = in_wr && held != 16;
    always @(posedge clock) begin
        if (take) taken <= taken + 1;
        if (pop) left <= left + 1;
        if (out_of_packet) gone <= gone + 1;
        if (reset) begin
            taken <= 0;
            left <= 0;
            gone <= 0;
        end
    end
    (* anyseq *) wire choose;
    reg following = 0;
    reg [5:0] number = 0;
    reg [71:0] word = 0;
    always @(posedge clock) begin
        if (choose && take && !following) begin
            following <= 1;
            number <= taken;
            word <= {in_ctrl, in_data};
        end
        if (following && out_of_packet && gone == number) following <= 0;
        if (reset) following <= 0;
    end
    wire [5:0] ahead = number - left;
    wire goes_out = following && out_of_packet && gone == number;
    (* anyseq *) wire [31:0] inner_word_queue__highs, inner_word_queue__lows;
    (* anyseq *) wire [7:0] inner_word_queue__ctrls;
    (* anyseq *) wire inner_word_queue__kinds;
    (* keep *) wire [3:0] inner_word_queue__highs_at = number[3:0], inner_word_queue__lows_at = number[3:0],
        inner_word_queue__ctrls_at = number[3:0], inner_word_queue__kinds_at = number[3:0];

    // Cycles in which the word at the head waited although the receiver had room, and the congestion point would have
    // taken an event or there was none.
    reg [6:0] waited = 0;
    always @(posedge clock) begin
        if (pop || !inner_word_queue__filled || reset) waited <= 0;
        else if (out_rdy && (ready || !enqueue)) waited <= waited + 1;
    end
    // The most such cycles that are to come: a frame that goes on or comes first; the events of the packet, two cycles for
    // each, which can be a sample; the events of frames, with the cycle after their end three cycles for each.
    wire [3:0] events = inner_packet_events__waiting[0] + inner_packet_events__waiting[1]
        + inner_packet_events__waiting[2] + inner_packet_events__waiting[3] + inner_packet_events__waiting[4]
        + inner_packet_events__waiting[5] + inner_packet_events__waiting[6] + inner_packet_events__waiting[7];
    // A word of a frame waits in a register: one more is to come than the congestion point has, but for the last one.
    wire [3:0] frame_left = framing ? 4'd9 - {1'b0, frame_word} - {3'd0, frame_last} : heading ? 4'd9
        : inner_packet_sequencer__frame_before ? 4'd0 : 4'd10;
    wire told = inner_packet_events__taken;
    wire [6:0] of_packet_events = known ? 7'd41 : 7'd5 * {3'd0, events} - (told && !frame_waits ? 7'd4 : 7'd0);
    wire [1:0] of_frame_event = inner_packet_sequencer__ended ? 2'd3 : frame_waits ? (told ? 2'd1 : 2'd2) : 2'd0;
    wire [6:0] to_come = !hold ? {3'd0, frame_left}
        : 7'd10 + of_packet_events + 7'd3 * {4'd0, samples} + {5'd0, of_frame_event};

    // What the packet fields will know of the packet after the word that goes out in this cycle.
    wire word_is_data = out_ctrl == 0;
    wire packet_end = inner_packet_fields__within_ && out_of_packet && !word_is_data;

    always @(*) if (begun) begin
        each_word_leaves_once_in_order_unchanged: assert(!goes_out || (out_wr && {out_ctrl, out_data} == word));
        nothing_leaves_that_did_not_come: assert(!out_of_packet || gone != taken);
        the_events_of_a_packet_come_after_those_before: assert(!known || !waits);
        the_event_of_a_frame_comes_after_that_before: assert(!inner_packet_sequencer__ended || !frame_waits);
        a_word_waits_for_66_cycles_at_most: assert(waited <= 66);
        helper_count: assert(inner_word_queue__count == held && held <= 16 && inner_word_queue__filled == (held != 0));
        helper_places: assert(inner_word_queue__write_place == taken[3:0] && inner_word_queue__read_place == left[3:0]);
        helper_gone: assert(left - gone == {5'd0, out_of_packet} && inner_packet_sequencer__of_packet == out_of_packet);
        helper_waits_inside: assert(!following || (ahead < held
            ? {inner_word_queue__ctrls, inner_word_queue__highs, inner_word_queue__lows, inner_word_queue__kinds}
                == {word, word[71:64] == 0}
            : goes_out && {out_ctrl, out_data} == word));
        helper_pop: assert(!pop || inner_word_queue__filled);
        helper_packet: assert(inner_packet_sequencer__within_
            == (out_of_packet ? word_is_data : inner_packet_fields__within_));
        helper_started: assert(out_of_packet ? started_ == !packet_end : started_ || !inner_packet_fields__within_);
        helper_place: assert(inner_packet_fields__place == 0 || inner_packet_fields__within_);
        helper_place_within: assert(inner_packet_fields__place != 0 || !inner_packet_fields__within_);
        helper_hold: assert(!hold || inner_packet_fields__place == 3
            || (inner_packet_fields__place == 0 && !out_of_packet && !started_));
        helper_framing: assert((framing ? frame_word != 0 : frame_word == 0) && (!framing || frame_goes_on)
            && !(framing && started_));
        helper_frame_last: assert(!framing || !frame_last || last);
        helper_heading: assert(!heading || (frame_goes_on && !framing && !started_));
        helper_ended: assert(!inner_packet_sequencer__ended || (!framing && !heading && inner_packet_sequencer__frame_before));
        helper_frame: assert(!(framing || heading) || (!frame_waits && !inner_packet_sequencer__ended));
        helper_samples: assert(samples <= 4);
        helper_told: assert(!told || waits || frame_waits);
        helper_waits: assert(waits == (inner_packet_events__waiting != 0));
        helper_waited: assert(waited == 0 || (!started_ && waited + to_come <= 66));
    end
endmodule
