// SPDX-License-Identifier: MIT OR Apache-2.0
// The account of an output queue loses and invents nothing, and nothing leaves that was not counted.

module queue_account_properties (
    input clock,
    input reset,
    input stores,
    input [15:0] stored_octets,
    input sum_taken,
    input [23:0] told_octets,
    input counted,
    input [23:0] counted_octets,
    input removed,
    input [15:0] removed_octets,
    input dropped,
    input [15:0] dropped_octets,
    input leave_taken,
    input [23:0] left_octets
);
    (* anyconst *) wire is_controlled;
    wire [23:0] sum_octets, leave_octets;
    wire sum_waits, leave_waits;
    queue_account device (
        .clock(clock), .reset(reset), .is_controlled(is_controlled), .stores(stores), .stored_octets(stored_octets),
        .sum_octets(sum_octets), .sum_waits(sum_waits), .sum_taken(sum_taken), .told_octets(told_octets),
        .counted(counted), .counted_octets(counted_octets),
        .removed(removed), .removed_octets(removed_octets), .dropped(dropped), .dropped_octets(dropped_octets),
        .leave_octets(leave_octets), .leave_waits(leave_waits), .leave_taken(leave_taken), .left_octets(left_octets)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // All octets since the reset, in the width of the account: entered and told in sums, left and told, counted.
    reg [23:0] entered = 0, told = 0, departed = 0, left = 0, present = 0;
    // Octets that have left, exactly: no more than 2^24 may wait.
    reg [1:0] idle = 0, idle_sums = 0;
    reg [23:0] sum_before = 0, leave_before = 0;
    reg waited = 0, leave_waited = 0;
    always @(posedge clock) begin
        if (stores) entered <= entered + stored_octets;
        if (sum_taken) told <= told + told_octets;
        departed <= departed + (is_controlled && removed ? removed_octets : 24'd0)
            + (is_controlled && dropped ? dropped_octets : 24'd0);
        if (leave_taken) left <= left + left_octets;
        present <= present + (counted ? counted_octets : 24'd0) - (leave_taken ? left_octets : 24'd0);
        idle <= leave_taken ? 0 : idle == 2 ? 2 : idle + 1;
        idle_sums <= sum_taken ? 0 : idle_sums == 2 ? 2 : idle_sums + 1;
        {sum_before, leave_before, waited, leave_waited} <= {sum_octets, leave_octets, sum_waits, leave_waits};
        if (reset) begin
            {entered, told, departed, left, present, idle, idle_sums} <= 0;
            {sum_before, leave_before, waited, leave_waited} <= 0;
        end
    end

    (* anyseq *) wire [23:0] inner_sum, inner_gone, inner_present, inner_leaves;
    (* anyseq *) wire [16:0] inner_departed;
    // No queue holds 16 MB, nor has counted or told so much.
    wire [24:0] next_present = present + (counted ? counted_octets : 24'd0);
    wire [24:0] next_gone = inner_gone + inner_departed;
    wire [24:0] next_sum = inner_sum + (stores ? stored_octets : 25'd0);
    always @(*) assume(!next_present[24] && !next_gone[24] && !next_sum[24]);
    // The other queues are looked at before this one again (all_queues_are_looked_at in event_turns.sv).
    // What is told is what was shown in the cycle before (a_sum_is_told_at_once and what_leaves_is_told_at_once there).
    always @(*) begin
        assume(!leave_taken || (idle == 2 && leave_waited && left_octets == leave_before));
        assume(!sum_taken || (idle_sums == 2 && waited && told_octets == sum_before));
    end
    reg [23:0] gone_before = 0, present_before = 0;
    always @(posedge clock) {gone_before, present_before} <= {inner_gone, inner_present};

    always @(*) if (started) begin
        no_octet_enters_twice_or_never: assert(sum_octets == entered - told);
        no_octet_leaves_twice_or_never: assert(inner_gone + inner_departed == departed - left);
        never_more_than_was_counted: assert(idle == 0 || leave_octets <= present);
        never_more_than_has_left: assert(idle == 0 || leave_octets <= inner_gone);
        sums_are_never_empty: assert(!sum_taken || told_octets != 0);
        waits_tell: assert(leave_waits == (leave_octets != 0) && sum_waits == (sum_before != 0));
        leaves_in_time: assert(idle == 0 || leave_octets
            == (gone_before < present_before ? gone_before : present_before));
        helper_before: assert(idle != 2 || (leave_before <= present && leave_before <= inner_gone));
        helper_present: assert(inner_present == present && inner_sum == sum_octets && inner_leaves == leave_octets);
    end
endmodule
