// SPDX-License-Identifier: MIT OR Apache-2.0
// Frames go out unchanged and whole, with the destination that was offered first; feedback frames whole and only between them; and
// each frame is made known once.

module axis_path_64_properties (
    input clock,
    input reset,
    input [63:0] s_axis_tdata,
    input [7:0] s_axis_tkeep,
    input [127:0] s_axis_tuser,
    input s_axis_tlast,
    input s_axis_tvalid,
    input [63:0] m_axis_cnm_tdata,
    input [7:0] m_axis_cnm_tkeep,
    input m_axis_cnm_tlast,
    input m_axis_cnm_tvalid,
    input valid,
    input data_ready,
    input [2:0] frame_port,
    input next_tready,
    input taken
);
    wire s_axis_tready, m_axis_cnm_tready, next_tlast, next_tvalid;
    wire [63:0] next_tdata;
    wire [7:0] next_tkeep;
    wire [127:0] next_tuser;
    wire frame_enqueue, frame_has_source, inserted, boundary;
    wire [23:0] frame_enqueue_bytes;
    wire [15:0] frame_octets;
    wire [4:0] frame_queues, inserted_queue;
    wire [2:0] frame_source_port;
    wire [31:0] header_0, header_1, header_2, header_3, header_4, header_5;
    axis_path_64 device (
        .clock(clock), .reset(reset), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tuser(s_axis_tuser), .s_axis_tlast(s_axis_tlast), .s_axis_tvalid(s_axis_tvalid),
        .m_axis_cnm_tdata(m_axis_cnm_tdata), .m_axis_cnm_tkeep(m_axis_cnm_tkeep), .m_axis_cnm_tlast(m_axis_cnm_tlast),
        .m_axis_cnm_tvalid(m_axis_cnm_tvalid), .valid(valid), .data_ready(data_ready), .frame_port(frame_port),
        .next_tready(next_tready), .taken(taken), .header_0(header_0), .header_1(header_1), .header_2(header_2),
        .header_3(header_3), .header_4(header_4), .header_5(header_5), .s_axis_tready(s_axis_tready),
        .m_axis_cnm_tready(m_axis_cnm_tready), .next_tdata(next_tdata), .next_tkeep(next_tkeep),
        .next_tuser(next_tuser), .next_tlast(next_tlast), .next_tvalid(next_tvalid),
        .frame_enqueue(frame_enqueue), .frame_enqueue_bytes(frame_enqueue_bytes), .frame_octets(frame_octets),
        .frame_queues(frame_queues), .frame_source_port(frame_source_port), .frame_has_source(frame_has_source),
        .inserted(inserted), .inserted_queue(inserted_queue), .boundary(boundary)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire takes = s_axis_tvalid && s_axis_tready;
    wire inserts = m_axis_cnm_tvalid && m_axis_cnm_tready;
    // What was taken in the cycle before, what is at the output and was not taken, and the port of the word taken last.
    reg took = 0, inserted_one = 0, held = 0;
    // A first beat was offered and not taken, and its destination in its first cycle.
    reg within = 0, waited = 0;
    reg [7:0] first_ports = 0;
    wire [7:0] ports = waited ? first_ports : s_axis_tuser[31:24];
    wire [127:0] its_user = {s_axis_tuser[127:32], ports, s_axis_tuser[23:0]};
    always @(posedge clock) begin
        waited <= s_axis_tvalid && !within && !takes && !reset;
        first_ports <= ports;
    end
    reg [72:0] beat = 0, frame_beat = 0;
    reg [127:0] user = 0;
    reg [200:0] held_beat = 0;
    reg [2:0] port = 0, port_before = 0;
    always @(posedge clock) begin
        took <= takes && !reset;
        inserted_one <= inserts && !reset;
        held <= next_tvalid && !next_tready && !reset;
        beat <= {s_axis_tlast, s_axis_tkeep, s_axis_tdata};
        user <= its_user;
        frame_beat <= {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata};
        held_beat <= {next_tlast, next_tkeep, next_tuser, next_tdata};
        if (valid && data_ready) port <= frame_port;
        port_before <= port;
        if (reset) port <= 0;
    end

    // What is in progress, its first TUSER, its beats, and whether they had all octets of the header.
    reg framing = 0, frame_last = 0, whole = 0, due = 0;
    reg [127:0] first_user = 0;
    reg [1:0] beats = 0;
    wire full = s_axis_tkeep == 8'hff;
    always @(posedge clock) begin
        if (takes) begin
            within <= !s_axis_tlast;
            frame_last <= 0;
            if (!within) first_user <= its_user;
            beats <= s_axis_tlast ? 0 : beats == 3 ? 3 : beats + 1;
            whole <= beats == 0 ? full : beats == 1 ? whole && full : beats == 2 ? whole && &s_axis_tkeep[5:0] : whole;
        end
        if (inserts) begin
            framing <= !m_axis_cnm_tlast;
            frame_last <= 1;
        end
        // The beat that was taken makes its frame known: the third one, or the last one before.
        due <= takes && (beats == 2 || (s_axis_tlast && beats < 2));
        if (reset) {within, framing, frame_last, beats, whole, due} <= 0;
    end
    // The beat before the stage is the first one of a frame or feedback frame; such a beat was shown in the cycle before, and not
    // earlier; the last one that was shown was not taken in its first cycle.
    reg out_first = 0, shown_first = 0, pauses = 1;
    wire room = !next_tvalid || next_tready;
    always @(posedge clock) begin
        if (room) out_first <= takes && !within || inserts && !framing;
        shown_first <= out_first && next_tready;
        if (shown_first) pauses <= !taken;
        if (reset) {out_first, shown_first, pauses} <= 1;
    end
    wire too_early = !within && s_axis_tlast && !waited && pauses;
    reg complete = 0;
    always @(posedge clock) complete <= takes && beats == 2 && whole && &s_axis_tkeep[5:0];

    (* anyseq *) wire inner_waited, inner_out_first, inner_shown_first, inner_pauses;
    (* anyseq *) wire [7:0] inner_first_ports;
    (* anyseq *) wire inner_started, inner_framing, inner_frame_before, inner_holds, inner_intact;
    (* anyseq *) wire [1:0] inner_place;
    (* anyseq *) wire [2:0] inner_port, inner_inserted_port, inner_source_port;
    (* anyseq *) wire [15:0] inner_length;
    (* anyseq *) wire inner_has_source;
    (* anyseq *) wire [4:0] inner_queues;
    wire [7:0] to = first_user[31:24], from = first_user[23:16];
    wire [4:0] queues = {|(to & 8'haa), to[6], to[4], to[2], to[0]};
    wire one_source = from != 0 && (from & (from - 8'd1)) == 0;

    always @(*) if (started) begin
        each_beat_goes_once_and_unchanged: assert(!took
            || (next_tvalid && {next_tlast, next_tkeep, next_tdata} == beat
                && {next_tuser[127:32], next_tuser[23:0]} == {user[127:32], user[23:0]}));
        with_the_destination_that_was_offered_first: assert(!took || next_tuser[31:24] == user[31:24]);
        one_beat_is_not_taken_too_early: assert(!(takes && too_early));
        feedback_goes_unchanged: assert(!inserted_one
            || (next_tvalid && {next_tlast, next_tkeep, next_tdata} == frame_beat));
        feedback_says_where: assert(!inserted_one
            || next_tuser == {96'd0, 8'd1 << port_before, 8'd0, 16'd60});
        nothing_else_goes: assert(!next_tvalid || took || inserted_one || held);
        held_until_ready: assert(!held
            || (next_tvalid && {next_tlast, next_tkeep, next_tuser, next_tdata} == held_beat));
        one_at_a_time: assert(!(s_axis_tready && m_axis_cnm_tready));
        a_frame_is_whole: assert(!within || !m_axis_cnm_tready);
        feedback_is_whole: assert(!framing || !s_axis_tready);
        a_frame_waits_for_one_feedback_only: assert(!s_axis_tvalid || !room || framing || s_axis_tready || too_early
            || (!within && !frame_last && m_axis_cnm_tvalid));
        feedback_waits_for_one_frame_only: assert(!m_axis_cnm_tvalid || !room || within || m_axis_cnm_tready
            || (frame_last && s_axis_tvalid));
        each_frame_is_known_once: assert(frame_enqueue == due);
        its_fields_are_known: assert(!frame_enqueue || (frame_octets == first_user[15:0]
            && frame_queues == queues && frame_has_source == one_source
            && (!frame_has_source || from == 8'd1 << frame_source_port)));
        its_header_is_whole: assert(!frame_enqueue || frame_enqueue_bytes == (complete ? 24'd22 : 24'd0));
        inserted_tells: assert(!inserted || inserted_queue
            == (port_before[0] ? 5'd16 : 5'd1 << port_before[2:1]));
        inserted_apart: assert(!(inserted && frame_enqueue));
        boundary_tells: assert(boundary == (!within && !framing));
        helper_started: assert(inner_started == within && inner_framing == framing);
        helper_before: assert(inner_frame_before == frame_last);
        helper_waited: assert(inner_waited == waited && (!waited || inner_first_ports == first_ports));
        helper_pauses: assert(inner_out_first == out_first && inner_shown_first == shown_first
            && inner_pauses == pauses);
        helper_place: assert(inner_place == beats);
        helper_within: assert(within == (beats != 0));
        helper_fields: assert(!within && !due || (inner_length == first_user[15:0] && inner_queues == queues
            && inner_has_source == one_source && (!one_source || from == 8'd1 << inner_source_port)));
        helper_whole: assert(beats == 0 ? inner_intact : beats == 3 || inner_intact == whole);
        helper_inserted: assert(!inserted || inner_inserted_port == port_before);
        helper_port: assert(inner_port == port && !(within && framing));
    end
endmodule
