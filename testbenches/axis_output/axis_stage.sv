// SPDX-License-Identifier: MIT OR Apache-2.0
// Each beat goes out once, unchanged and in order, in the cycle in which it comes if none is before it. For 64 bits, with tuser.

module axis_stage_64_properties (
    input clock,
    input reset,
    input next_tvalid,
    input [63:0] next_tdata,
    input [7:0] next_tkeep,
    input next_tuser,
    input next_tlast,
    input m_axis_tready
);
    wire next_tready, m_axis_tvalid, m_axis_tuser, m_axis_tlast, taken;
    wire [63:0] m_axis_tdata;
    wire [7:0] m_axis_tkeep;
    axis_stage_64 device (
        .clock(clock), .reset(reset), .m_axis_tready(m_axis_tready), .next_tvalid(next_tvalid), .next_tdata(next_tdata),
        .next_tkeep(next_tkeep), .next_tuser(next_tuser), .next_tlast(next_tlast), .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep), .m_axis_tuser(m_axis_tuser), .m_axis_tlast(m_axis_tlast), .m_axis_tvalid(m_axis_tvalid),
        .next_tready(next_tready), .taken(taken)
    );
    wire [73:0] next = {next_tuser, next_tlast, next_tkeep, next_tdata};
    wire [73:0] out = {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata};

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    wire comes = next_tvalid && next_tready;
    wire goes = m_axis_tvalid && m_axis_tready;
    // A beat that has come and not gone, as of the cycle before: at most one.
    reg waits = 0, held = 0, went = 0, was_next = 0;
    reg [73:0] waiting = 0, held_beat = 0, next_before = 0;
    always @(posedge clock) begin
        waits <= (waits || comes) && !goes;
        if (comes) waiting <= next;
        held <= m_axis_tvalid && !m_axis_tready;
        held_beat <= out;
        went <= goes;
        was_next <= next_tvalid && !next_tready;
        next_before <= next;
        if (reset) {waits, held, went, was_next} <= 0;
    end
    // The register before it keeps its beat.
    always @(*) if (started && was_next) assume(next_tvalid && next == next_before);

    (* anyseq *) wire inner_shown, inner_was_ready;
    (* anyseq *) wire [63:0] inner_kept_tdata;
    (* anyseq *) wire [7:0] inner_kept_tkeep;
    (* anyseq *) wire inner_kept_tuser, inner_kept_tlast;
    always @(*) if (started) begin
        in_order_and_unchanged: assert(!m_axis_tvalid || out == (waits ? waiting : next));
        none_goes_twice: assert(!comes || !waits);
        there_is_a_beat_if_one_waits: assert(m_axis_tvalid == (waits || next_tvalid));
        held_until_ready: assert(!held || (m_axis_tvalid && out == held_beat));
        room_in_time: assert(next_tready == !waits);
        taken_tells: assert(taken == went);
        helper_shown: assert(inner_shown == (waits || went) && (!inner_shown || inner_was_ready == !waits));
        helper_kept: assert(!waits || {inner_kept_tuser, inner_kept_tlast, inner_kept_tkeep, inner_kept_tdata} == waiting);
    end
endmodule
