// SPDX-License-Identifier: MIT OR Apache-2.0
// A beat is shown until it is taken, and not in the next cycle, in which the register before is told.

module axis_cnm_stage_properties (
    input clock,
    input reset,
    input next_tvalid,
    input tready
);
    wire tvalid, next_tready;
    axis_cnm_stage device (
        .clock(clock), .reset(reset), .m_axis_cnm_tready(tready), .next_m_axis_cnm_tvalid(next_tvalid),
        .m_axis_cnm_tvalid(tvalid), .next_m_axis_cnm_tready(next_tready)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The register before keeps its beat until it is told that it was taken.
    reg waits = 0, went = 0, held = 0;
    always @(posedge clock) begin
        waits <= next_tvalid && !next_tready && !reset;
        went <= tvalid && tready && !reset;
        held <= tvalid && !tready && !reset;
    end
    always @(*) if (started && waits) assume(next_tvalid);

    (* anyseq *) wire inner_shown, inner_was_ready;
    always @(*) if (started) begin
        none_goes_twice: assert(!went || !tvalid);
        there_is_a_beat_if_one_waits: assert(went || tvalid == next_tvalid);
        held_until_ready: assert(!held || tvalid);
        taken_tells: assert(next_tready == went);
        helper_shown: assert(inner_shown == (went || held) && (!inner_shown || inner_was_ready == went));
        helper_waits: assert(!(went || held) || waits);
    end
endmodule
