// SPDX-License-Identifier: MIT OR Apache-2.0
// Stages, targets, byte counters and timers of four flows of QCN: those of a flow change only in visits to it. The proof
// follows one arbitrary flow.

module flow_stages_properties (
    input clock,
    input reset,
    input sent,
    input [11:0] sent_flow,
    input [13:0] sent_bytes,
    input feedback_valid,
    input [11:0] feedback_flow,
    input rate_valid,
    input rate_waits,
    input target_changes,
    input [24:0] new_target,
    input changes,
    input reaches_line_rate,
    input [5:0] new_byte_stage,
    input [5:0] new_time_stage
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    wire sent_ready, feedback_ready, rate_wanted, rate_taken, start_decrease, start_byte, start_time, moves_target;
    wire [11:0] flow;
    wire [24:0] target;
    wire [5:0] byte_stage, time_stage;

    `PART device (
        .clock(clock), .reset(reset), .sent(sent), .sent_flow(sent_flow), .sent_bytes(sent_bytes),
        .sent_ready(sent_ready), .feedback_valid(feedback_valid), .feedback_flow(feedback_flow),
        .feedback_ready(feedback_ready), .rate_wanted(rate_wanted), .flow(flow), .rate_valid(rate_valid),
        .rate_waits(rate_waits), .rate_taken(rate_taken), .start_decrease(start_decrease), .start_byte(start_byte),
        .start_time(start_time), .moves_target(moves_target), .target(target), .byte_stage(byte_stage),
        `OTHER_CONNECTIONS
        .time_stage(time_stage), .target_changes(target_changes), .new_target(new_target), .changes(changes),
        .reaches_line_rate(reaches_line_rate), .new_byte_stage(new_byte_stage), .new_time_stage(new_time_stage)
    );

    (* anyseq *) wire [3:0] inner_phase;
    (* anyseq *) wire inner_for_frame, inner_for_feedback, inner_for_timer, inner_asks, inner_stores_length, inner_inactivates,
        inner_stores_stages;
    (* anyseq *) wire inner_count_due;
    (* anyseq *) wire [11:0] inner_count_flow, inner_sweep_flow;
    (* anyseq *) wire [13:0] inner_count_bytes, inner_stages, inner_stages_read_data, inner_old_stages;
    (* anyseq *) wire [24:0] inner_targets, inner_counts, inner_expiries, inner_targets_read_data, inner_old_target;
    (* anyconst *) wire [1:0] followed;
    (* keep *) wire [1:0] inner_stages_at = followed, inner_targets_at = followed, inner_counts_at = followed,
        inner_expiries_at = followed;

    reg started = 0, offered = 0, works = 0;
    reg [11:0] offered_flow;
    always @(posedge clock) begin
        started <= 1;
        offered <= feedback_valid && !feedback_ready && !reset;
        offered_flow <= feedback_flow;
        works <= (works && !changes || start_decrease || start_byte || start_time) && !reset;
    end
    // A frame is sent when it may be; a feedback is held; the calculator changes something only while it works.
    always @(*) begin
        if (!started) assume(reset);
        assume(feedback_flow < 4 && sent_flow < 4);
        if (sent) assume(sent_ready);
        if (offered) assume(feedback_valid && feedback_flow == offered_flow);
        if (changes || target_changes) assume(works);
    end

    wire own = flow == {10'd0, followed};
    wire in_clear = inner_phase == `StagesPhase_Clear;
    wire starts = start_decrease || start_byte || start_time;
    wire [88:0] state = {inner_stages, inner_targets, inner_counts, inner_expiries};
    reg own_before = 0, wanted_before = 0;
    reg [88:0] state_before;
    reg [11:0] flow_before;
    // The frame that was sent and is not counted.
    reg waits = 0;
    reg [11:0] waiting_flow;
    reg [13:0] waiting_bytes;
    wire counts = inner_phase == `StagesPhase_Check && inner_for_frame;
    always @(posedge clock) begin
        own_before <= own || reset;
        state_before <= state;
        wanted_before <= rate_wanted && !rate_taken && !reset;
        flow_before <= flow;
        if (sent) begin
            waiting_flow <= sent_flow;
            waiting_bytes <= sent_bytes;
        end
        waits <= (sent || waits && !counts) && !reset;
    end
    wire from_load = inner_phase >= `StagesPhase_Load, from_check = inner_phase >= `StagesPhase_Check;
    // Until the calculator changes them.
    wire unchanged = inner_phase < `StagesPhase_Work;

    always @(*) if (started) begin
        own_visits_only: assert(own_before || state == state_before);
        one_start: assert(start_decrease + start_byte + start_time <= 1 && feedback_ready == start_decrease);
        starts_with_own_state: assert(!starts || !own || target == inner_targets && {byte_stage, time_stage} == inner_stages[11:0]);
        decrease_for_its_flow: assert(!start_decrease || feedback_valid && flow == feedback_flow);
        asks_for_one_flow: assert(!wanted_before || rate_wanted && flow == flow_before);
        sent_is_counted: assert(sent_ready == !waits && (!counts || waits && flow == waiting_flow
            && inner_count_bytes == waiting_bytes));
        helper_works: assert(works == (inner_phase == `StagesPhase_Work));
        helper_feedback: assert(in_clear || inner_phase < `StagesPhase_Fetch || !inner_for_feedback || works
            || feedback_valid && flow == feedback_flow);
        helper_task: assert(in_clear || inner_phase < `StagesPhase_Fetch
            || inner_for_frame + inner_for_feedback + inner_for_timer == 2'd1);
        helper_look: assert(inner_phase != `StagesPhase_Look && inner_phase != `StagesPhase_Judge || inner_for_timer);
        helper_asks: assert(inner_asks == (inner_phase == `StagesPhase_Ask));
        helper_stores_length: assert(in_clear || !inner_stores_length || inner_phase == `StagesPhase_RestartTimer || inner_asks);
        helper_stores_stages: assert(!inner_stores_stages || inner_phase == `StagesPhase_Idle && flow < 4);
        helper_inactivates: assert(in_clear || !inner_inactivates || inner_phase == `StagesPhase_Judge);
        helper_count: assert(inner_count_due == waits && (!waits || waiting_flow < 4 && inner_count_flow == waiting_flow
            && inner_count_bytes == waiting_bytes));
        helper_counting: assert(!(inner_phase >= `StagesPhase_Fetch && inner_phase <= `StagesPhase_Check
            && inner_for_frame) || waits && flow == waiting_flow);
        helper_old: assert(in_clear || !own || !from_check || !unchanged
            || inner_old_stages == inner_stages && inner_old_target == inner_targets);
        helper_read: assert(in_clear || !own || !from_load || !unchanged
            || inner_stages_read_data == inner_stages && inner_targets_read_data == inner_targets);
        helper_phase: assert(inner_phase <= `StagesPhase_Judge);
        helper_flow: assert(!in_clear && inner_phase < `StagesPhase_Fetch || flow < 4);
        helper_sweep: assert(inner_sweep_flow < 4);
    end
endmodule
