// SPDX-License-Identifier: MIT OR Apache-2.0
// The limiter of four flows: which announcement is refused, which frame is granted, and that no flow is lost or mixed up
// with another. The proof follows the lists of waiting flows and the queue of those whose frames may go.

module flow_limiter_properties (
    input clock,
    input reset,
    input announce,
    input [11:0] announce_flow,
    input [13:0] announce_bytes,
    input send_ready,
    input [13:0] send_bytes,
    input feedback_valid,
    input [11:0] feedback_flow,
    input feedback_taken,
    input change,
    input [24:0] new_rate,
    input [1:0] new_mode
);
    // Parameters: any values in their ranges that do not change.
    (* anyconst *) wire [24:0] line_rate, min_rate;
    (* anyconst *) wire [13:0] bucket_bytes;
    (* anyconst *) wire [4:0] overhead_bytes;
    wire clearing, announce_ready, refused, grant, sent, rate_valid, rate_waits;
    wire [11:0] grant_flow;
    wire [24:0] rate;
    wire [1:0] mode;

    flow_limiter device (
        .clock(clock), .reset(reset), .line_rate(line_rate), .min_rate(min_rate), .bucket_bytes(bucket_bytes),
        .overhead_bytes(overhead_bytes), .clearing(clearing), .announce(announce), .announce_flow(announce_flow),
        .announce_bytes(announce_bytes), .announce_ready(announce_ready), .refused(refused), .grant(grant),
        .grant_flow(grant_flow), .send_ready(send_ready), .send_bytes(send_bytes), .sent(sent),
        .feedback_valid(feedback_valid), .feedback_flow(feedback_flow), .rate_valid(rate_valid), .rate(rate), .mode(mode),
        .rate_waits(rate_waits), .feedback_taken(feedback_taken), .change(change), .new_rate(new_rate),
        .new_mode(new_mode)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(bucket_bytes >= 128 && bucket_bytes <= 16224);
        assume(feedback_flow < 4);
        assume(min_rate <= line_rate);
        // As the calculators keep it. A source of BCN that is stopped has the rate 0.
        if (change) assume(feedback_taken && new_rate <= line_rate && (new_rate >= min_rate || new_rate == 0));
        if (feedback_taken) assume(rate_valid);
    end

    // What is inside.
    (* anyseq *) wire [4:0] inner_phase;
    (* anyseq *) wire [2:0] inner_task_;
    (* anyseq *) wire [11:0] inner_flow, inner_ready_first, inner_ready_last, inner_reader, inner_asked_flow,
        inner_sweep_flow, inner_follower, inner_followers_read_data;
    (* anyseq *) wire [21:0] inner_level;
    (* anyseq *) wire [14:0] inner_cost, inner_highest;
    (* anyseq *) wire [5:0] inner_list;
    (* anyseq *) wire [12:0] inner_list_head;
    (* anyseq *) wire [29:0] inner_old_state, inner_states_read_data;
    (* anyseq *) wire [2:0] inner_turn;
    (* anyseq *) wire [6:0] inner_cycle;
    (* anyseq *) wire [11:0] inner_now, inner_next_now;
    (* anyseq *) wire [3:0] inner_reached_fine, inner_reached_middle, inner_reached_coarse;
    (* anyseq *) wire inner_ready, inner_waits, inner_looks, inner_change_due, inner_rate_known, inner_asks,
        inner_too_long, inner_late, inner_idle, inner_turns, inner_writes_head,
        inner_checks, inner_settles, inner_caps, inner_deducts, inner_writes, inner_descends, inner_avoids,
        inner_places_fine, inner_places_middle, inner_places_coarse, inner_cycle_ends;
    wire in_clear = inner_phase == `FlowPhase_Clear;
    wire in_turn = inner_phase == `FlowPhase_Turn;
    wire in_check = inner_phase == `FlowPhase_Check;
    wire in_write = inner_phase == `FlowPhase_Write;
    wire in_release = inner_phase == `FlowPhase_Release;
    wire in_push = inner_phase == `FlowPhase_Push;
    // The flow and the task of a visit are known; the task goes on behind `Check`; the state has been written.
    wire visits = inner_phase >= `FlowPhase_Fetch;
    wire works = inner_phase > `FlowPhase_Check;
    wire computes = works && inner_phase <= `FlowPhase_Write;
    wire places = inner_phase > `FlowPhase_Write;
    wire looks = inner_task_ == `FlowTask_Look, sends = inner_task_ == `FlowTask_Send;
    wire announces = inner_task_ == `FlowTask_Announce, changes = inner_task_ == `FlowTask_Change;
    wire sweeps = inner_task_ == `FlowTask_Sweep, reads = inner_task_ == `FlowTask_Read;

    // Ghost: where a flow is: in no list, in a list of waiting flows with its number and rank, or in the queue with its
    // place. The rank is the number of flows behind it.
    localparam [1:0] NOWHERE = 0, LISTED = 1, QUEUED = 2;
    reg [1:0] where [0:3];
    reg [5:0] list [0:3];
    reg [1:0] rank [0:3];
    wire [1:0] own = inner_flow[1:0];
    wire [1:0] head = inner_list_head[1:0];
    wire head_valid = inner_list_head[12];
    wire [1:0] last_place = rank[inner_ready_last[1:0]];
    // A frame was sent, and `grant` has not fallen yet.
    wire sending = visits && sends && inner_phase <= `FlowPhase_Check;
    wire removes = in_check && looks, takes = in_check && sends;

    // Ghost of the ports: a frame of the flow is announced and not sent; the announcement that is being looked at.
    reg [3:0] announced = 0;
    reg [2:0] taken = 0;
    reg [11:0] taken_flow;
    reg [13:0] taken_bytes;
    wire [14:0] taken_cost = {1'b0, taken_bytes} + overhead_bytes;
    wire must_refuse = taken_flow > 3 || taken_cost > bucket_bytes || announced[taken_flow[1:0]];
    reg grant_before = 0;
    reg [11:0] grant_flow_before;
    integer g;
    always @(posedge clock) begin
        taken <= {taken[1:0], announce && announce_ready};
        if (announce && announce_ready) begin
            taken_flow <= announce_flow;
            taken_bytes <= announce_bytes;
        end
        if (taken[2] && !must_refuse) announced[taken_flow[1:0]] <= 1;
        if (sent) announced[grant_flow[1:0]] <= 0;
        grant_before <= grant && !sent && !sending && !reset;
        grant_flow_before <= grant_flow;
        if (reset) begin
            taken <= 0;
            announced <= 0;
        end
        for (g = 0; g < 4; g = g + 1) begin
            if (removes && own == g) where[g] <= NOWHERE;
            if (takes && own == g) where[g] <= NOWHERE;
            if (takes && own != g && where[g] == QUEUED) rank[g] <= rank[g] - 1;
            if (in_release && own == g) begin
                where[g] <= QUEUED;
                rank[g] <= inner_ready ? last_place + 1 : 0;
            end
            if (in_push && own == g) begin
                where[g] <= LISTED;
                list[g] <= inner_list;
                rank[g] <= head_valid ? rank[head] + 1 : 0;
            end
            if (reset || in_clear) where[g] <= NOWHERE;
        end
    end

    // Which lists have a first flow; and while the lists are being cleared, whether those before this one have none.
    genvar i;
    wire [63:0] not_empty, cleared;
    generate for (i = 0; i < 64; i = i + 1) begin : lists
        (* anyseq *) wire [12:0] inner_heads;
        (* keep *) wire [5:0] inner_heads_at = i;
        assign not_empty[i] = inner_heads[12];
        assign cleared[i] = !inner_heads[12] || inner_flow <= i;
    end endgenerate
    wire [63:0] occupied = (where[0] == LISTED ? 64'd1 << list[0] : 0) | (where[1] == LISTED ? 64'd1 << list[1] : 0)
        | (where[2] == LISTED ? 64'd1 << list[2] : 0) | (where[3] == LISTED ? 64'd1 << list[3] : 0);

    // Ghost: the lists that are not empty.
    reg [63:0] filled = 0;
    always @(posedge clock) begin
        if (in_check && looks) filled[inner_list] <= inner_follower != inner_flow;
        if (in_push) filled[inner_list] <= 1;
        if (reset || in_clear) filled <= 0;
    end

    // Every flow.
    wire [3:0] followed, headed, queue_followed, at_rest, level_fits, ranks_differ, queue_bounded, in_queue, in_list,
        state_cleared, rests_in_place, reads_state, holds_state, reads_next, holds_next,
        written;
    wire signed [22:0] lowest = -$signed({7'd0, bucket_bytes, 2'd0}), highest = {7'd0, bucket_bytes, 2'd0};
    generate for (i = 0; i < 4; i = i + 1) begin : flows
        (* anyseq *) wire [1:0] inner_followers;
        (* keep *) wire [1:0] inner_followers_at = i;
        (* anyseq *) wire [12:0] inner_heads;
        (* keep *) wire [5:0] inner_heads_at = list[i];
        (* anyseq *) wire [29:0] inner_states;
        (* keep *) wire [1:0] inner_states_at = i;
        wire [1:0] next = inner_followers, first = inner_heads[1:0];
        wire signed [22:0] level = $signed(inner_states[16:0]);
        wire waits = inner_states[29];
        wire visited = visits && inner_flow == i;
        // It is on the way from one place to another.
        wire moves = inner_flow == i && works && (looks || sends || announces);
        assign in_list[i] = where[i] == LISTED;
        assign in_queue[i] = where[i] == QUEUED;
        assign headed[i] = !in_list[i] || (inner_heads[12] && inner_heads[11:2] == 0 && where[first] == LISTED
            && list[first] == list[i] && rank[first] >= rank[i]);
        assign followed[i] = !in_list[i] || (rank[i] == 0 ? next == i
            : where[next] == LISTED && list[next] == list[i] && rank[next] + 2'd1 == rank[i] && next != i);
        assign queue_followed[i] = !in_queue[i] || inner_ready_last == i || (where[next] == QUEUED
            && rank[next] == rank[i] + 2'd1 && rank[i] != 3 && next != i);
        assign queue_bounded[i] = !in_queue[i] || (inner_ready && rank[i] <= last_place);
        // A frame waits exactly if the flow is somewhere.
        assign at_rest[i] = in_clear || moves || waits == (where[i] != NOWHERE);
        assign level_fits[i] = in_clear || (level >= lowest && level <= highest
            && (level >= 0 || in_list[i] || (waits && inner_flow == i && works && (looks || announces))));
        assign state_cleared[i] = !in_clear || inner_flow <= i || inner_states == 0;
        assign rests_in_place[i] = !in_clear || where[i] == NOWHERE;
        // What was read is what is stored.
        assign reads_state[i] = !visited || inner_phase < `FlowPhase_Load || inner_phase > `FlowPhase_Write
            || inner_states_read_data == inner_states;
        assign holds_state[i] = !visited || inner_phase < `FlowPhase_Check || inner_phase > `FlowPhase_Write
            || inner_old_state == inner_states;
        assign reads_next[i] = !visited || inner_phase < `FlowPhase_Load || inner_phase > `FlowPhase_Write
            || inner_followers_read_data == inner_followers;
        assign holds_next[i] = !visited || inner_phase < `FlowPhase_Check || inner_phase > `FlowPhase_Write
            || inner_follower == inner_followers;
        assign written[i] = !visited || inner_phase <= `FlowPhase_Write || inner_states[29] && level == $signed(inner_level);
    end endgenerate
    function differ(input [1:0] a, input [1:0] b);
        differ = where[a] == NOWHERE || where[a] != where[b] || (where[a] == LISTED && list[a] != list[b])
            || rank[a] != rank[b];
    endfunction
    wire all_differ = differ(0, 1) && differ(0, 2) && differ(0, 3) && differ(1, 2) && differ(1, 3) && differ(2, 3);
    (* anyseq *) wire [12:0] inner_heads;
    (* keep *) wire [5:0] inner_heads_at = inner_list;
    wire signed [22:0] level_now = $signed(inner_level);
    wire signed [22:0] cost_now = {5'd0, inner_cost, 2'd0};
    wire [14:0] room = inner_cost > bucket_bytes ? 15'd0 : bucket_bytes - inner_cost;

    always @(*) if (started) begin
        helper_phase: `KNOWN(inner_phase <= `FlowPhase_Push && inner_task_ <= `FlowTask_Sweep || !visits && inner_phase <= `FlowPhase_Turn);
        helper_small: `KNOWN(in_clear || (inner_flow < 4 || visits && announces && inner_phase <= `FlowPhase_Check || !visits));
        helper_flow: `KNOWN(!visits || inner_flow < 4 || announces && inner_phase <= `FlowPhase_Check);
        helper_clear_flow: `KNOWN(!in_clear || inner_flow <= 63);
        helper_asked: `KNOWN(in_clear || !inner_asks || inner_asked_flow < 4);
        helper_sweep: `KNOWN(inner_sweep_flow < 4);
        helper_reader: `KNOWN(!inner_rate_known && !inner_change_due || inner_reader < 4);
        helper_read: `KNOWN(reads_state == 15 && reads_next == 15);
        helper_held: `KNOWN(holds_state == 15 && holds_next == 15);
        helper_written: `KNOWN(written == 15);
        helper_lists: `KNOWN(in_clear || not_empty == filled);
        helper_filled: `KNOWN(in_clear || filled == occupied);
        helper_cleared: `KNOWN(!in_clear || cleared == 64'hffffffffffffffff);
        helper_clear: `KNOWN(rests_in_place == 15 && (!in_clear || !inner_ready));
        helper_state_cleared: `KNOWN(state_cleared == 15);
        helper_headed_0: `KNOWN(headed[0]);
        helper_headed_1: `KNOWN(headed[1]);
        helper_headed_2: `KNOWN(headed[2]);
        helper_headed_3: `KNOWN(headed[3]);
        helper_followed_0: `KNOWN(followed[0]);
        helper_followed_1: `KNOWN(followed[1]);
        helper_followed_2: `KNOWN(followed[2]);
        helper_followed_3: `KNOWN(followed[3]);
        helper_differ: `KNOWN(all_differ);
        helper_queue: `KNOWN(inner_ready == (in_queue != 0));
        helper_queue_first: `KNOWN(!inner_ready || (inner_ready_first < 4 && in_queue[inner_ready_first[1:0]]
            && rank[inner_ready_first[1:0]] == 0));
        helper_queue_last: `KNOWN(!inner_ready || (inner_ready_last < 4 && in_queue[inner_ready_last[1:0]]));
        helper_queue_followed_0: `KNOWN(queue_followed[0]);
        helper_queue_followed_1: `KNOWN(queue_followed[1]);
        helper_queue_followed_2: `KNOWN(queue_followed[2]);
        helper_queue_followed_3: `KNOWN(queue_followed[3]);
        helper_queue_bounded: `KNOWN(queue_bounded == 15);
        // The list that is looked into is that of the turn, and stays until its flow is taken out. Then it is that of the next turn,
        // which follows at once where the visit puts its flow into no list.
        helper_list: `KNOWN(in_clear || visits && !computes && !in_release || inner_list == (inner_turn == 2 ? {2'd1, inner_reached_middle}
            : inner_turn == 4 ? {2'd2, inner_reached_coarse} : {2'd0, inner_reached_fine}));
        helper_where: `KNOWN(where[0] <= QUEUED && where[1] <= QUEUED && where[2] <= QUEUED && where[3] <= QUEUED);
        helper_looks: `KNOWN(!in_turn || inner_looks == (inner_turn == 0 || inner_turn == 2 || inner_turn == 4));
        // What is known a cycle before.
        helper_turns: `KNOWN(inner_turns == in_turn);
        helper_phases: `KNOWN({inner_checks, inner_settles, inner_caps, inner_deducts, inner_writes, inner_descends, inner_avoids}
            == {in_check, inner_phase == `FlowPhase_Settle, inner_phase == `FlowPhase_Cap, inner_phase == `FlowPhase_Deduct,
                in_write, inner_phase == `FlowPhase_Descend, inner_phase == `FlowPhase_Avoid});
        helper_places: `KNOWN(inner_places_fine + inner_places_middle + inner_places_coarse == {1'd0, inner_phase == `FlowPhase_Place});
        helper_time: `KNOWN(inner_cycle <= 31 && inner_cycle_ends == (inner_cycle == 31)
            && (!in_clear || inner_cycle == 0 && inner_now == 0)
            && (inner_next_now == inner_now + 12'd1 || in_clear && inner_flow == 0));
        helper_idle: `KNOWN(!in_turn || inner_idle == !(inner_asks || inner_looks && (head_valid || inner_late)));
        helper_writes: `KNOWN(inner_writes_head == (in_clear || removes || in_push));
        helper_turn_list: `KNOWN(!in_turn || inner_list_head == inner_heads);
        helper_held_list: `KNOWN(!(visits && looks && inner_phase <= `FlowPhase_Check) || inner_heads == {1'b1, inner_flow});
        helper_push_list: `KNOWN(!in_push || inner_list_head == inner_heads);
        helper_looked: `KNOWN(!(visits && looks && inner_phase <= `FlowPhase_Check) || where[own] == LISTED && list[own] == inner_list);
        helper_sending: `KNOWN(!(sending)
            || inner_ready && inner_flow == inner_ready_first && where[own] == QUEUED);
        helper_moving: `KNOWN(!(works && (looks || sends || announces)) || where[own] == NOWHERE);
        helper_placing: `KNOWN(!places || looks || announces);
        helper_working: `KNOWN(!(computes && sweeps) || where[own] == NOWHERE);
        helper_no_read: `KNOWN(!works || !reads);
        helper_waits: `KNOWN(!computes || (looks || announces ? inner_waits : sends || sweeps ? !inner_waits : inner_waits == (where[own] != NOWHERE)));
        helper_at_rest: `KNOWN(at_rest == 15);
        helper_cost: `KNOWN(!works || !announces || inner_cost <= bucket_bytes);
        helper_too_long: `KNOWN(!visits || inner_phase < `FlowPhase_Check || inner_too_long == (inner_cost > bucket_bytes));
        helper_bound: `KNOWN(!(inner_phase == `FlowPhase_Cap) || inner_highest == (sends ? room : bucket_bytes));
        helper_level: `KNOWN(!computes || level_now >= lowest && (inner_phase <= `FlowPhase_Cap || level_now <= highest)
            && (inner_phase > `FlowPhase_Settle || level_now <= highest)
            && (level_now <= highest + 23'sd1048575)
            && (level_now >= 0 || looks || changes && where[own] == LISTED || announces && in_write)
            && (inner_phase != `FlowPhase_Deduct || announces || sends));
        helper_release: `KNOWN(!in_release || level_now >= 0);
        helper_level_fits_0: `KNOWN(level_fits[0]);
        helper_level_fits_1: `KNOWN(level_fits[1]);
        helper_level_fits_2: `KNOWN(level_fits[2]);
        helper_level_fits_3: `KNOWN(level_fits[3]);

        // What was announced at the ports waits inside.
        helper_taken: `KNOWN(taken[0] + taken[1] + taken[2] <= 1
            && taken[0] == (announces && inner_phase == `FlowPhase_Fetch)
            && taken[1] == (announces && inner_phase == `FlowPhase_Load)
            && taken[2] == (announces && inner_phase == `FlowPhase_Check));
        helper_taken_flow: `KNOWN(!(visits && announces && inner_phase <= `FlowPhase_Check) || inner_flow == taken_flow
            && (inner_phase == `FlowPhase_Fetch ? inner_cost == taken_bytes : inner_cost == taken_cost));
        helper_announced: `KNOWN(in_clear ? announced == 0 : visits && (looks || announces) && works
            ? announced == (in_list | in_queue | (4'd1 << own))
            : sending ? announced == ((in_list | in_queue) & ~(4'd1 << own))
            : announced == (in_list | in_queue));
    end
