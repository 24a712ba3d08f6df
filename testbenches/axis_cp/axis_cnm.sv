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
    reg [127:0] beat = 0;
    reg whole = 0, ends = 0, held = 0;
    reg [144:0] held_beat = 0;
    wire takes = valid && data_ready;
    always @(posedge clock) begin
        if (m_axis_cnm_tready) whole <= 0;
        if (takes) begin
            words <= words + 1;
            if (words[0]) beat[127:64] <= word; else beat[63:0] <= word;
            whole <= words[0];
            ends <= last;
        end
        held <= m_axis_cnm_tvalid && !m_axis_cnm_tready;
        held_beat <= {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata};
        if (reset) begin
            words <= 0;
            whole <= 0;
            held <= 0;
        end
    end

    (* anyseq *) wire inner_place;
    (* anyseq *) wire [63:0] inner_lane_0, inner_lane_1;
    always @(*) if (started) begin
        a_beat_is_two_words: assert(m_axis_cnm_tvalid == whole && (!whole || m_axis_cnm_tdata == beat));
        the_last_beat_ends_the_frame: assert(!whole || (m_axis_cnm_tlast == ends
            && m_axis_cnm_tkeep == (ends ? 16'h0fff : 16'hffff)));
        held_until_ready: assert(!held || (m_axis_cnm_tvalid
            && {m_axis_cnm_tlast, m_axis_cnm_tkeep, m_axis_cnm_tdata} == held_beat));
        takes_when_there_is_room: assert(data_ready == (!m_axis_cnm_tvalid || m_axis_cnm_tready));
        helper_place: assert(inner_place == words[0]);
        helper_lanes: assert((!words[0] && !whole || inner_lane_0 == beat[63:0]) && (!whole || inner_lane_1 == beat[127:64]));
        helper_ends: assert(!whole || words[0] == 0);
    end
endmodule
