// SPDX-License-Identifier: MIT OR Apache-2.0
// Each word of a feedback frame goes once, in its place of a beat, and a frame ends with its last word. For beats of `WORDS words,
// 2, 4 or 8, in the module `DEVICE.

module `TOP (
    input clock,
    input reset,
    input [31:0] data_high,
    input [31:0] data_low,
    input valid,
    input m_axis_cnm_tready
);
    wire data_ready, m_axis_cnm_tvalid, m_axis_cnm_tlast;
    localparam words_of_beat = `WORDS;
    // A beat, and two words behind it.
    localparam most = words_of_beat + 2;
    wire [64*words_of_beat-1:0] m_axis_cnm_tdata;
    wire [8*words_of_beat-1:0] m_axis_cnm_tkeep;
    // A frame has eight words (stream_specification).
    reg [2:0] words = 0;
    wire last = words == 7;
    `DEVICE device (
        .clock(clock), .reset(reset), .data_high(data_high), .data_low(data_low), .last(last), .valid(valid),
        .data_ready(data_ready), .m_axis_cnm_tdata(m_axis_cnm_tdata), .m_axis_cnm_tkeep(m_axis_cnm_tkeep),
        .m_axis_cnm_tlast(m_axis_cnm_tlast), .m_axis_cnm_tvalid(m_axis_cnm_tvalid), .m_axis_cnm_tready(m_axis_cnm_tready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Octets in the order of the bus: the first one in bits 7 to 0.
    wire [63:0] word = {data_low[7:0], data_low[15:8], data_low[23:16], data_low[31:24], data_high[7:0], data_high[15:8],
        data_high[23:16], data_high[31:24]};
    // The words that were taken and have not gone. The oldest is in the lowest bits, and `ends` tells which one is the last one of
    // its frame.
    reg [64*most-1:0] waiting = 0;
    reg [most-1:0] ends = 0;
    reg [3:0] count = 0;
    reg held = 0, late = 0;
    reg [72*words_of_beat:0] held_beat = 0;
    wire takes = valid && data_ready;
    wire goes = m_axis_cnm_tvalid && m_axis_cnm_tready;
    wire [3:0] kept = goes ? count - words_of_beat : count;
    wire [64*most-1:0] kept_words = goes ? waiting >> 64 * words_of_beat : waiting;
    wire [most-1:0] kept_ends = goes ? ends >> words_of_beat : ends;
    wire [64*most-1:0] newest_word = word;
    wire [most-1:0] newest_ends = last;
    always @(posedge clock) begin
        count <= takes ? kept + 1 : kept;
        waiting <= kept_words;
        ends <= kept_ends;
        if (takes) begin
            words <= words + 1;
            waiting <= kept_words | newest_word << 64 * kept;
            ends <= kept_ends | newest_ends << kept;
        end
        held <= m_axis_cnm_tvalid && !m_axis_cnm_tready;
        held_beat <= {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata};
        late <= count >= words_of_beat && !m_axis_cnm_tvalid;
        if (reset) begin
            words <= 0;
            count <= 0;
            waiting <= 0;
            ends <= 0;
            held <= 0;
            late <= 0;
        end
    end

    (* anyseq *) wire inner_whole, inner_is_last;
    (* anyseq *) wire [$clog2(words_of_beat)-1:0] inner_place;
    (* anyseq *) wire inner_waits, inner_two_wait, inner_ended, inner_is_end, inner_write, inner_read;
    (* anyseq *) wire [63:0] inner_slot_0, inner_slot_1;
    wire [64*words_of_beat-1:0] lanes;
    (* anyseq *) wire [63:0] inner_lane_0, inner_lane_1;
    assign lanes[127:0] = {inner_lane_1, inner_lane_0};
`ifdef FOUR
    (* anyseq *) wire [63:0] inner_lane_2, inner_lane_3;
    assign lanes[255:128] = {inner_lane_3, inner_lane_2};
`endif
`ifdef EIGHT
    (* anyseq *) wire [63:0] inner_lane_4, inner_lane_5, inner_lane_6, inner_lane_7;
    assign lanes[511:256] = {inner_lane_7, inner_lane_6, inner_lane_5, inner_lane_4};
`endif
    // Words in the beat; those that are not in it have no meaning there. The oldest of the words behind it, and the newest.
    wire [3:0] in_beat = inner_whole ? words_of_beat : inner_place;
    wire [64*words_of_beat-1:0] in_no_beat = {64*words_of_beat{1'd1}} << 64 * in_beat;
    wire [63:0] oldest = inner_read ? inner_slot_1 : inner_slot_0;
    wire [63:0] newest = inner_write ? inner_slot_0 : inner_slot_1;
    always @(*) if (started) begin
        a_beat_has_its_words: assert(!m_axis_cnm_tvalid || (count >= words_of_beat
            && m_axis_cnm_tdata == waiting[64*words_of_beat-1:0]));
        a_beat_comes_in_time: assert(!late || count < words_of_beat || m_axis_cnm_tvalid);
        the_last_beat_ends_the_frame: assert(!m_axis_cnm_tvalid || (m_axis_cnm_tlast == ends[words_of_beat-1]
            && m_axis_cnm_tkeep == {{4{!ends[words_of_beat-1]}}, {8*words_of_beat-4{1'd1}}}));
        held_until_ready: assert(!held || (m_axis_cnm_tvalid
            && {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata} == held_beat));
        takes_when_there_is_room: assert(data_ready || count == most || ends != 0);
        frames_come_one_by_one: assert(!takes || ends == 0);
        helper_count: assert(count == in_beat + (inner_two_wait ? 2 : inner_waits) && inner_two_wait == (count == most)
            && (!inner_two_wait || inner_waits) && (!inner_whole || inner_place == 0));
        helper_late: assert(!late || inner_whole || inner_place != 0);
        helper_ready: assert(data_ready == (count != most && ends == 0));
        helper_lanes: assert((lanes | in_no_beat) == (waiting[64*words_of_beat-1:0] | in_no_beat));
        helper_slots: assert((inner_write == inner_read) == (inner_two_wait || !inner_waits)
            && (!inner_waits || oldest == waiting[64 * in_beat +: 64])
            && (!inner_two_wait || newest == waiting[64*most-1 -: 64]));
        helper_empty: assert((waiting >> (64 * count)) == 0);
        // A frame has eight words: it ends with a beat.
        helper_ends: assert((ends == 0 || (count % words_of_beat == 0 && ends == 1 << (count - 1)))
            && inner_is_last == (inner_whole && ends[words_of_beat-1]) && inner_ended == (inner_waits && ends != 0)
            && inner_is_end == (inner_ended && !inner_two_wait));
        helper_words: assert(words % words_of_beat == count % words_of_beat && (ends == 0 || words == 0));
    end
endmodule
