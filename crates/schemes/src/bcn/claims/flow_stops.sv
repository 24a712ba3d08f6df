// SPDX-License-Identifier: MIT OR Apache-2.0
// Stops of four flows of BCN: the stop of a flow begins and ends only by its own events. The proof follows one arbitrary
// flow.

module flow_stops_properties (
    input clock,
    input reset,
    input feedback_valid,
    input [11:0] feedback_flow,
    input rate_valid,
    input feedback_ready,
    input changes,
    input [24:0] new_rate,
    input stops,
    input [24:0] wait_cycles
);
    `OTHER_INPUTS
    // Parameters: any values that do not change.
    (* anyconst *) wire [24:0] min_rate;
    wire rate_wanted, rate_taken, change, works, stopped;
    wire [11:0] flow;
    wire [24:0] change_rate;

    flow_stops device (
        `OTHER_CONNECTIONS
        .clock(clock), .reset(reset), .min_rate(min_rate), .feedback_valid(feedback_valid),
        .feedback_flow(feedback_flow), .rate_wanted(rate_wanted), .flow(flow), .rate_valid(rate_valid),
        .rate_taken(rate_taken), .change(change), .change_rate(change_rate), .works(works), .stopped(stopped),
        .feedback_ready(feedback_ready), .changes(changes), .new_rate(new_rate), .stops(stops), .wait_cycles(wait_cycles)
    );

    (* anyseq *) wire [2:0] inner_phase;
    (* anyseq *) wire [25:0] inner_time_;
    (* anyseq *) wire inner_sweeps;
    (* anyseq *) wire [26:0] inner_old_end, inner_ends_read_data, inner_ends;
    (* anyseq *) wire [11:0] inner_sweep_flow;
    (* anyconst *) wire [1:0] followed;
    (* keep *) wire [1:0] inner_ends_at = followed;

    reg started = 0, offered = 0, wanted_before = 0;
    reg [11:0] offered_flow, flow_before;
    reg [24:0] waits_before;
    always @(posedge clock) begin
        started <= 1;
        offered <= feedback_valid && !feedback_ready && !reset;
        offered_flow <= feedback_flow;
        wanted_before <= rate_wanted && !rate_taken && !reset;
        flow_before <= flow;
        waits_before <= wait_cycles;
    end
    // The calculator takes a feedback only when it works on it; the waiting time stays for one cycle.
    always @(*) begin
        if (!started) assume(reset);
        assume(feedback_flow < 4);
        if (offered) assume(feedback_valid && feedback_flow == offered_flow);
        if (feedback_ready) assume(works);
        if (changes) assume(feedback_ready);
    end

    // Whether the followed flow is stopped, as its events at the ports say, and the last cycle of the stop.
    wire own = flow == {10'd0, followed};
    wire begins = changes && stops && own;
    wire ends = change && !changes && own;
    reg is_stopped = 0, just_stopped = 0;
    reg [25:0] stopped_at;
    always @(posedge clock) begin
        just_stopped <= begins && !reset;
        if (begins) is_stopped <= 1;
        if (begins) stopped_at <= inner_time_ + 1;
        if (ends) is_stopped <= 0;
        if (reset) is_stopped <= 0;
    end
    wire in_clear = inner_phase == `StopsPhase_Clear;
    wire visits = inner_phase >= `StopsPhase_Fetch;
    reg [25:0] last_cycle;
    always @(posedge clock) if (just_stopped) last_cycle <= stopped_at + wait_cycles;
    // The time was over when the flow was looked at.
    reg was_over = 0;
    always @(posedge clock) if (inner_phase == `StopsPhase_Check && own) was_over <= last_cycle - inner_time_ >= 26'h2000000;
    wire [26:0] expected = is_stopped && !just_stopped ? {1'b1, last_cycle} : inner_ends;

    always @(*) if (started) begin
        stopped_by_own_events: assert(!works || !own || stopped == is_stopped);
        restarts_at_minimum: assert(!change || changes || change_rate == min_rate);
        restarts_when_over: assert(!ends || is_stopped && was_over);
        asks_for_one_flow: assert(!wanted_before || rate_wanted && flow == flow_before);
        feedback_has_its_flow: assert(!works || flow == feedback_flow && feedback_valid);
        helper_feedback: assert(!visits || inner_sweeps || inner_phase == `StopsPhase_Stop || feedback_valid && flow == feedback_flow);
        helper_over: assert(!(inner_phase == `StopsPhase_Work && inner_sweeps && own) || is_stopped && was_over);
        helper_old: assert(in_clear || !own || inner_phase < `StopsPhase_Check || inner_phase > `StopsPhase_Work || inner_old_end == inner_ends);
        helper_read: assert(in_clear || !own || inner_phase < `StopsPhase_Load || inner_phase > `StopsPhase_Work || inner_ends_read_data == inner_ends);
        helper_stored: assert(in_clear || (just_stopped || inner_ends[26] == is_stopped) && inner_ends == expected);
        helper_cleared: assert(!in_clear || !is_stopped && !just_stopped && flow < 4 && (flow <= followed || inner_ends == 0));
        helper_just: assert(just_stopped == (inner_phase == `StopsPhase_Stop && own));
        helper_just_at: assert(!just_stopped || is_stopped && stopped_at == inner_time_);
        helper_phase: assert(inner_phase <= `StopsPhase_Stop);
        helper_flow: assert((flow < 4 || !visits) && inner_sweep_flow < 4);
    end
endmodule
