// SPDX-License-Identifier: MIT OR Apache-2.0
// Each word of a feedback frame goes once, in its place of a beat, and a frame ends with its last word. For beats of 128 bits.

module axis_cnm_128_properties (
    input clock,
    input reset,
    input [31:0] data_high,
    input [31:0] data_low,
    input valid,
    input m_axis_cnm_tready
);
    wire data_ready, m_axis_cnm_tvalid, m_axis_cnm_tlast;
    wire [127:0] m_axis_cnm_tdata;
    wire [15:0] m_axis_cnm_tkeep;
    // A frame has eight words (stream_specification).
    reg [2:0] words = 0;
    wire last = words == 7;
    axis_cnm_128 device (
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
    // The words that were taken and have not gone: at most four. The oldest is in the lowest bits, and `ends` tells which one
    // is the last one of its frame.
    reg [255:0] waiting = 0;
    reg [3:0] ends = 0;
    reg [2:0] count = 0;
    reg held = 0, late = 0;
    reg [144:0] held_beat = 0;
    wire takes = valid && data_ready;
    wire goes = m_axis_cnm_tvalid && m_axis_cnm_tready;
    wire [2:0] kept = goes ? count - 2 : count;
    wire [255:0] kept_words = goes ? {128'd0, waiting[255:128]} : waiting;
    wire [3:0] kept_ends = goes ? {2'd0, ends[3:2]} : ends;
    always @(posedge clock) begin
        count <= takes ? kept + 1 : kept;
        waiting <= kept_words;
        ends <= kept_ends;
        if (takes) begin
            words <= words + 1;
            waiting <= kept_words | {192'd0, word} << (64 * kept);
            ends <= kept_ends | {3'd0, last} << kept;
        end
        held <= m_axis_cnm_tvalid && !m_axis_cnm_tready;
        held_beat <= {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata};
        late <= count >= 2 && !m_axis_cnm_tvalid;
        if (reset) begin
            words <= 0;
            count <= 0;
            waiting <= 0;
            ends <= 0;
            held <= 0;
            late <= 0;
        end
    end

    (* anyseq *) wire inner_place, inner_whole, inner_is_last;
    (* anyseq *) wire inner_waits, inner_two_wait, inner_ended, inner_is_end, inner_write, inner_read;
    (* anyseq *) wire [63:0] inner_lane_0, inner_lane_1, inner_slot_0, inner_slot_1;
    // Words in the beat; the oldest of the words behind it, and the newest.
    wire [2:0] in_beat = inner_whole ? 2 : inner_place;
    wire [63:0] oldest = inner_read ? inner_slot_1 : inner_slot_0;
    wire [63:0] newest = inner_write ? inner_slot_0 : inner_slot_1;
    always @(*) if (started) begin
        a_beat_is_two_words: assert(!m_axis_cnm_tvalid || (count >= 2 && m_axis_cnm_tdata == waiting[127:0]));
        a_beat_comes_in_time: assert(!late || count < 2 || m_axis_cnm_tvalid);
        the_last_beat_ends_the_frame: assert(!m_axis_cnm_tvalid || (m_axis_cnm_tlast == ends[1]
            && m_axis_cnm_tkeep == (ends[1] ? 16'h0fff : 16'hffff)));
        held_until_ready: assert(!held || (m_axis_cnm_tvalid
            && {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata} == held_beat));
        takes_when_there_is_room: assert(data_ready || count == 4 || ends != 0);
        frames_come_one_by_one: assert(!takes || ends == 0);
        helper_count: assert(count == in_beat + (inner_two_wait ? 2 : inner_waits) && inner_two_wait == (count == 4)
            && (!inner_two_wait || inner_waits) && (!inner_whole || !inner_place));
        helper_late: assert(!late || inner_whole || inner_place);
        helper_ready: assert(data_ready == (count != 4 && ends == 0));
        helper_lanes: assert((in_beat == 0 || inner_lane_0 == waiting[63:0]) && (in_beat < 2 || inner_lane_1 == waiting[127:64]));
        helper_slots: assert((inner_write == inner_read) == (inner_two_wait || !inner_waits)
            && (!inner_waits || oldest == waiting[64 * in_beat +: 64]) && (!inner_two_wait || newest == waiting[255:192]));
        helper_empty: assert((waiting >> (64 * count)) == 0);
        helper_ends: assert((ends == 0 || (ends == 2 && count == 2) || (ends == 8 && count == 4))
            && inner_is_last == (inner_whole && ends[1]) && inner_ended == (inner_waits && ends != 0)
            && inner_is_end == (inner_ended && !inner_two_wait));
        helper_words: assert(words[0] == count[0] && (ends == 0 || words == 0));
    end
endmodule
