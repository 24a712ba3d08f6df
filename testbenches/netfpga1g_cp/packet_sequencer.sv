// SPDX-License-Identifier: MIT OR Apache-2.0
// Packets go out unchanged and whole, frames whole and only between them.

module packet_sequencer_properties (
    input clock,
    input reset,
    input word_valid,
    input [63:0] word_data,
    input [7:0] word_ctrl,
    input hold,
    input hold_frame,
    input [63:0] data,
    input last,
    input valid,
    input [2:0] frame_port,
    input out_rdy
);
    wire pop, data_ready, out_wr, out_of_packet, boundary, frame_ended;
    wire [63:0] out_data;
    wire [7:0] out_ctrl;
    wire [2:0] ended_port;
    packet_sequencer device (
        .clock(clock), .reset(reset), .word_valid(word_valid), .word_high(word_data[63:32]), .word_low(word_data[31:0]),
        .word_ctrl(word_ctrl), .word_is_data(word_ctrl == 0), .pop(pop), .hold(hold), .hold_frame(hold_frame),
        .data_high(data[63:32]), .data_low(data[31:0]), .last(last), .valid(valid), .data_ready(data_ready),
        .frame_port(frame_port), .next_rdy(out_rdy), .next_high(out_data[63:32]), .next_low(out_data[31:0]),
        .next_ctrl(out_ctrl), .next_wr(out_wr), .out_of_packet(out_of_packet), .boundary(boundary),
        .frame_ended(frame_ended), .ended_port(ended_port)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;

    // A congestion point: `valid` stays high from the first word of a frame to the eighth, which is the last one, a word
    // stays until it is taken (no_gap_in_a_frame, held_until_ready, eight_words), and the port stays.
    reg [2:0] sent = 0;
    reg frame_waited = 0, word_waited = 0;
    reg [2:0] port_before = 0;
    reg [63:0] data_before = 0;
    always @(posedge clock) begin
        data_before <= data;
        if (valid && data_ready) sent <= sent + 1;
        frame_waited <= valid && !(data_ready && last);
        word_waited <= valid && !data_ready;
        port_before <= frame_port;
        if (reset) begin
            sent <= 0;
            frame_waited <= 0;
            word_waited <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(last == (sent == 7));
        assume(!frame_waited || (valid && frame_port == port_before));
        assume(!word_waited || data == data_before);
    end

    // What was taken in the cycle before, at the inputs.
    reg popped = 0, took = 0, took_last = 0, rdy = 0, held_frame = 0, chosen = 0, between = 0;
    reg [71:0] word = 0;
    // Of each frame one word, an arbitrary one, is followed.
    (* anyconst *) wire [2:0] followed;
    reg [63:0] frame_word = 0;
    always @(posedge clock) begin
        popped <= pop && word_valid && !reset;
        took <= data_ready && valid && !reset;
        rdy <= out_rdy && !reset;
        held_frame <= hold_frame;
        chosen <= inner_heading && !reset;
        between <= !packet_now && left_now == 0 && !inner_heading && !reset;
        word <= {word_ctrl, word_data};
        took_last <= data_ready && valid && last && !reset;
        if (valid && data_ready && sent == followed) frame_word <= data;
    end

    // What is in progress at the outputs: words of a frame that are to come, or a packet, and whether its payload began.
    wire header = out_wr && !out_of_packet && left == 0;
    wire goes_of_frame = out_wr && !out_of_packet && left != 0;
    reg [3:0] left = 0;
    reg packet = 0, payload = 0;
    reg [2:0] port = 0;
    always @(posedge clock) begin
        if (out_wr && out_of_packet) begin
            packet <= !(payload && out_ctrl != 0);
            payload <= out_ctrl == 0;
        end
        if (header) left <= 8;
        else if (out_wr && !out_of_packet) left <= left - 1;
        if (header) port <= frame_port;
        if (reset) begin
            packet <= 0;
            payload <= 0;
            left <= 0;
        end
    end

    // What was taken last was a frame.
    reg frame_last = 0;
    always @(posedge clock) begin
        if (pop) frame_last <= 0;
        if (valid && data_ready && last) frame_last <= 1;
        if (reset) frame_last <= 0;
    end

    // Cycles in a row in which a word waited although the receiver had room and no packet was held.
    reg [3:0] waited = 0;
    always @(posedge clock)
        waited <= word_valid && out_rdy && !hold && !pop && !reset ? waited + 1 : 0;

    (* anyseq *) wire inner_started, inner_within_, inner_heading, inner_framing, inner_frame_before, inner_write;
    (* anyseq *) wire inner_of_packet, inner_frame_last;
    (* anyseq *) wire [31:0] inner_frame_high, inner_frame_low;
    (* anyseq *) wire [2:0] inner_port_now;
    wire packet_now = out_wr && out_of_packet ? !(payload && out_ctrl != 0) : packet;
    wire payload_now = out_wr && out_of_packet ? out_ctrl == 0 : payload;
    wire [3:0] left_now = header ? 8 : out_wr && !out_of_packet ? left - 1 : left;

    always @(*) if (started) begin
        each_word_goes_once_and_unchanged: assert(out_of_packet == popped && (!popped || (out_wr && {out_ctrl, out_data} == word)));
        only_a_word_that_waits_is_taken: assert(!pop || word_valid);
        frame_words_go_unchanged: assert(!goes_of_frame || ((8 - left != followed || out_data == frame_word)
            && out_ctrl == (left == 1 ? 8'h10 : 8'h00)));
        frame_is_whole: assert(left == 0 || !out_wr || !out_of_packet);
        last_word_goes_when_it_is_taken: assert(took_last == (goes_of_frame && left == 1));
        packet_is_whole: assert(!packet || !out_wr || out_of_packet);
        header_says_where: assert(!header || {out_ctrl, out_data}
            == {8'hff, 16'd1 << port_before, 16'd8, 16'd0, 16'd60});
        no_packet_begins_while_held: assert(!hold || !pop || packet_now);
        no_frame_begins_while_held: assert(!inner_heading || chosen || !held_frame);
        only_a_chosen_frame_begins: assert(!header || chosen);
        nothing_without_room: assert(!out_wr || rdy);
        a_word_waits_for_one_frame_only: assert(waited <= 10);
        a_frame_waits_for_one_packet_only: assert(!pop || packet_now || !valid || hold_frame || frame_last);
        boundary_tells: assert(boundary == between);
        helper_last: assert(inner_frame_before == frame_last);
        helper_started: assert(inner_started == packet_now && inner_within_ == payload_now);
        helper_payload: assert(!payload_now || packet_now);
        helper_framing: assert(inner_framing == (left_now != 0) && left_now <= 8);
        helper_left: assert(left_now == 0 ? sent == 0 : left_now == 1 ? sent == 7 : left_now == 9 - {1'b0, sent});
        helper_stored: assert(left_now == 0 || (inner_frame_last == (left_now == 1) && (left_now == 1
            ? {inner_frame_high, inner_frame_low} == data && word_waited
            : 8 - left_now != followed || {inner_frame_high, inner_frame_low} == frame_word)));
        helper_valid: assert(left_now == 0 || frame_waited);
        helper_one: assert(!(packet_now && left_now != 0));
        helper_write: assert(inner_write == out_wr && inner_of_packet == out_of_packet);
        helper_took: assert(!(took && popped) && (!took || left != 0 || header) && (!header || frame_waited));
        helper_heading: assert(!inner_heading || (frame_waited && left_now == 0 && !packet_now
            && inner_port_now == port_before));
        helper_waited: assert(waited == 0 || (!inner_started && (left_now != 0 ? waited <= 10 - left_now
            : inner_heading ? waited == 1 : inner_frame_before)));
    end
endmodule
