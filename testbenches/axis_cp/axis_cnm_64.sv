// SPDX-License-Identifier: MIT OR Apache-2.0
// Each word of a feedback frame goes once, and a frame ends with its last word. For beats of 64 bits, which are one word.

module axis_cnm_64_properties (
    input clock,
    input reset,
    input [31:0] data_high,
    input [31:0] data_low,
    input valid,
    input m_axis_cnm_tready
);
    wire data_ready, m_axis_cnm_tvalid, m_axis_cnm_tlast;
    wire [63:0] m_axis_cnm_tdata;
    wire [7:0] m_axis_cnm_tkeep;
    // A frame has eight words (stream_specification).
    reg [2:0] words = 0;
    wire last = words == 7;
    axis_cnm_64 device (
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
    // The words that were taken and have not gone: at most two, the oldest first. `end_taken` tells that the newest one is the
    // last one of its frame.
    reg [63:0] oldest = 0, newest = 0;
    reg [1:0] count = 0;
    reg end_taken = 0, held = 0;
    reg [72:0] held_beat = 0;
    wire takes = valid && data_ready;
    wire goes = m_axis_cnm_tvalid && m_axis_cnm_tready;
    wire [1:0] kept = count - goes;
    always @(posedge clock) begin
        count <= kept + takes;
        if (goes) oldest <= newest;
        if (takes && kept == 0) oldest <= word;
        if (takes && kept == 1) newest <= word;
        if (takes) words <= words + 1;
        end_taken <= takes ? last : end_taken && kept != 0;
        held <= m_axis_cnm_tvalid && !m_axis_cnm_tready;
        held_beat <= {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata};
        if (reset) begin
            words <= 0;
            count <= 0;
            end_taken <= 0;
            held <= 0;
        end
    end

    (* anyseq *) wire inner_two_wait, inner_ended, inner_is_end, inner_write, inner_read;
    (* anyseq *) wire [63:0] inner_slot_0, inner_slot_1;
    always @(*) if (started) begin
        a_beat_is_a_word: assert(m_axis_cnm_tvalid == (count != 0) && (count == 0 || m_axis_cnm_tdata == oldest));
        the_last_beat_ends_the_frame: assert(count == 0 || (m_axis_cnm_tlast == (end_taken && count == 1)
            && m_axis_cnm_tkeep == (m_axis_cnm_tlast ? 8'h0f : 8'hff)));
        held_until_ready: assert(!held || (m_axis_cnm_tvalid
            && {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata} == held_beat));
        takes_when_there_is_room: assert(data_ready || count == 2 || end_taken);
        frames_come_one_by_one: assert(!takes || !end_taken);
        helper_count: assert(count <= 2 && inner_two_wait == (count == 2) && (inner_write == inner_read) == (count != 1));
        helper_ready: assert(data_ready == (count != 2 && !end_taken));
        helper_second: assert(count != 2 || newest == (inner_read ? inner_slot_0 : inner_slot_1));
        helper_end: assert(inner_ended == end_taken && inner_is_end == (end_taken && count == 1)
            && (!end_taken || (count != 0 && words == 0)));
    end
endmodule
