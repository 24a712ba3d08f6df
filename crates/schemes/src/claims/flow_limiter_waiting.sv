// SPDX-License-Identifier: MIT OR Apache-2.0
// How long a flow waits in a list until it is looked at, whatever the others do: one list after the other is emptied, at
// most four flows in each.

    // Time from the turn of a list to its next turn.
    localparam [23:0] ROUND = 8 * TURN + 3 * PASSING;

    // The flow. Its list is one of those of one tick, of 16 or of 256; the turn that looks into these.
    (* anyconst *) wire [1:0] one;
    wire listed = where[one] == LISTED;
    wire [1:0] kind = list[one][5:4];
    wire [2:0] own_turn = {kind, 1'b0};
    wire [3:0] list_reached = kind == 0 ? inner_reached_fine : kind == 1 ? inner_reached_middle : inner_reached_coarse;
    wire [3:0] list_digit = kind == 0 ? inner_now[3:0] : kind == 1 ? inner_now[7:4] : inner_now[11:8];
    // Lists from the one that is being emptied to its own.
    wire [3:0] distance = list[one][3:0] - list_reached;
    wire here = distance == 0;
    // The other flows in the list that is being emptied; of its own list, those before it.
    wire [3:0] before_it;
    generate for (i = 0; i < 4; i = i + 1) begin : others
        assign before_it[i] = i != one && where[i] == LISTED && list[i] == {kind, list_reached}
            && (!here || rank[i] > rank[one]);
    end endgenerate
    wire [1:0] others_left = {1'b0, before_it[0]} + before_it[1] + before_it[2] + before_it[3];

    // The list that is being emptied is late. Time to the next tick, or to the next 16 or 256 ticks; the most of it.
    wire late = list_reached != list_digit || kind == 0 && inner_fine_late;
    wire [13:0] period = kind == 0 ? 14'd32 : kind == 1 ? 14'd512 : 14'd8192;
    wire [12:0] of_period = {inner_now[7:0], inner_cycle[4:0]} & (period - 14'd1);
    wire [23:0] longest_tick = 15 * {10'd0, period};
    wire [23:0] to_tick = longest_tick - 15 * {11'd0, of_period};
    // Time to the turn of these lists; the turns before it that look into lists.
    wire [2:0] turns_left = own_turn - inner_turn;
    wire [7:0] turns_before = inner_turn <= own_turn ? (8'hff << inner_turn) & ~(8'hff << own_turn)
        : (8'hff << inner_turn) | ~(8'hff << own_turn);
    wire [1:0] looks_before = {1'b0, turns_before[0]} + turns_before[2] + turns_before[4];
    wire [23:0] to_turn = TURN * turns_left + PASSING * looks_before
        - (turns_left != 0 && turn_looks ? PASSING - passing : 24'd0) + (in_turn ? 24'd60 : 24'd76);
    // Time to the cycle in which the next flow is taken out of these lists, or an empty one that is late is passed.
    wire takes_out = visits && looks && inner_phase <= `FlowPhase_Check && inner_list[5:4] == kind;
    wire misses_tick = in_turn && inner_turn == own_turn && !inner_late && others_left == 0 && !here;
    wire [23:0] to_take = takes_out ? 15 * (`FlowPhase_Check + 1 - inner_phase)
        : misses_tick ? ROUND : 15 * of_visit + to_turn;
    // Lists of 16 and 256 ticks that are late do not count as late any more when they are late by 16 lists.
    wire [3:0] lag = list_digit - list_reached;
    wire [23:0] to_lap = to_tick + longest_tick * (4'd15 - lag);
    wire laps = kind != 0 && to_lap <= to_take;
    // Time to the look at the flow if it is in the list that is being emptied, else to the next list.
    wire [23:0] left = here ? ROUND * others_left + to_take
        : others_left != 0 ? longest_tick + ROUND + ROUND * others_left + to_take
        : late ? to_take + (laps ? longest_tick + ROUND : 24'd0)
        : to_tick + ROUND;
    // The most that a list takes: its tick, a turn that misses the tick, three flows; the first list a round more.
    wire [23:0] of_list = longest_tick + 4 * ROUND + 76;

    // Ghost: time since the flow was put into its list, and of this the time of the list that is being emptied.
    reg [23:0] stay = 0, of_this_list = 0;
    reg listed_before = 0, first = 1;
    reg [3:0] distance_before = 0;
    wire passed = distance != distance_before;
    wire [23:0] spent = listed_before && !passed ? of_this_list : 24'd0;
    wire is_first = !listed_before || first && !passed;
    wire [23:0] most = of_list + (is_first ? ROUND : 24'd0);
    wire in_time = left <= most && spent <= most - left;
    // Of the cycle before: `to_take`, and whether it ended.
    reg [23:0] to_take_before = 0;
    reg taken_out_before = 0;
    always @(posedge clock) begin
        listed_before <= listed && !reset && !in_clear;
        distance_before <= distance;
        to_take_before <= to_take;
        taken_out_before <= takes_out ? in_check : in_turn && inner_turn == own_turn && !head_valid;
        first <= is_first;
        of_this_list <= spent + 24'd15;
        stay <= listed && !reset && !in_clear ? stay + 24'd15 : 24'd0;
    end

    // The list of the visit, and the list of its kind that is being emptied.
    wire placed = inner_phase == `FlowPhase_Follow || in_push;
    wire [3:0] visit_reached = inner_list[5:4] == 0 ? inner_reached_fine : inner_list[5:4] == 1 ? inner_reached_middle
        : inner_reached_coarse;

    always @(*) if (started) begin
        helper_kind: assert(in_clear || inner_list < 48 || places && inner_phase < `FlowPhase_Avoid);
        helper_kinds: assert(!listed || list[one] < 48);
        helper_placed: assert(!placed || inner_list[3:0] != visit_reached);
        helper_looked_list: assert(!(visits && looks && inner_phase <= `FlowPhase_Check)
            || inner_list[3:0] == visit_reached && inner_turn == {inner_list[5:4], 1'b1});
        helper_late: assert(!in_turn || !inner_late || late_lists != 0 || inner_turn != 0 || inner_fine_late);
        helper_distance: assert(!(listed && listed_before) || distance == distance_before
            || distance + 4'd1 == distance_before && distance_before != 0);
        // uses helper_to_take helper_asks helper_bits helper_place helper_kind* helper_looked*
        // uses helper_late
        helper_most_to_take: assert(!listed || to_take <= ROUND);
        // uses helper_to_take helper_most_to_take helper_asks helper_bits helper_place helper_kind*
        // uses helper_looked* helper_late
        helper_to_take: assert(!(listed && listed_before) || misses_tick || taken_out_before
            || to_take_before >= to_take && to_take_before - to_take >= 15);
        // uses helper_left_* helper_to_take helper_most_to_take helper_kind* helper_placed
        // uses helper_looked* helper_distance helper_asks helper_late
        helper_left_late: assert(!(listed && !here && others_left == 0 && late) || in_time);
        // uses helper_left_* helper_to_take helper_most_to_take helper_kind* helper_placed
        // uses helper_looked* helper_distance helper_asks helper_late
        helper_left_early: assert(!(listed && !here && others_left == 0 && !late) || in_time);
        // uses helper_left_* helper_to_take helper_most_to_take helper_kind* helper_placed
        // uses helper_looked* helper_distance helper_asks helper_late
        helper_left_here: assert(!(listed && here) || in_time);
        // uses helper_left_* helper_to_take helper_most_to_take helper_kind* helper_placed
        // uses helper_looked* helper_distance helper_asks helper_late
        helper_left_others: assert(!(listed && !here && others_left != 0) || in_time);
        // uses helper_left_* helper_distance helper_stay helper_kinds
        helper_stay: assert(!listed || stay <= of_list * (4'd15 - distance) + spent + (is_first ? 24'd0 : ROUND));

        // uses helper_left_* helper_stay helper_kinds
        looked_at_in_time: assert(stay < 15 * (kind == 0 ? 43546 : kind == 1 ? 51226 : 174106));
    end
endmodule
