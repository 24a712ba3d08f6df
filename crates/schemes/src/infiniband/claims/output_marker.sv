// SPDX-License-Identifier: MIT OR Apache-2.0
// The counters of an output, compared with counters that are wider than any count. The inputs satisfy the claims of
// `input_buffer.sv`: a packet leaves only if one waits, at most 15 wait in a buffer, an output is congested only if one
// then waits.

module `TOP (
    input clock,
    input reset,
    input [`PORTS-1:0] entering,
    input [`PORTS-1:0] leaving,
    input [`PORTS-1:0] congested
);
    wire marking;

    `MODULE device (.clock(clock), .reset(reset), .marking(marking), `HEARD);

    // Packets that wait, for each input, one bit wider than needed, and at all inputs below each input. Each of these
    // sums is counted by itself: a prover compares neighbours then, and no two sums of eight terms. The last is cnt1.
    reg [5*`PORTS-1:0] counts = 0;
    reg [8*`PORTS+7:0] sums = 0;
    wire [7:0] cnt1 = sums[8*`PORTS +: 8];
    // cnt1 in the cycle before; the change since, as packets that came minus 1, plus 1 if none left.
    reg [7:0] before = 0;
    reg [4:0] change = 0;
    reg [3:0] came_less_one = 0;
    reg none_left = 0;
    // Whether cnt2 equals cnt1; cnt2 if it does not, as cnt2 of the cycle before and whether a packet was marked then;
    // packets counted when the output was last congested, and packets marked since.
    reg triggered = 0, gave = 0;
    reg [7:0] rest = 0, owed = 0, counted = 0, given = 0;

    reg [5*`PORTS-1:0] next;
    reg [8*`PORTS+7:0] next_sums;
    reg [4:0] came;
    reg leaves;
    reg [`PORTS-1:0] stays, overfull, unreal, wrong;
    integer i;
    always @(*) begin
        came = 0;
        leaves = 0;
        next_sums[7:0] = 0;
        for (i = 0; i < `PORTS; i = i + 1) begin
            came = came + {4'd0, entering[i]};
            leaves = leaves || leaving[i];
            next[5*i +: 5] = counts[5*i +: 5] + {4'd0, entering[i]} - {4'd0, leaving[i]};
            next_sums[8*i + 8 +: 8] = sums[8*i + 8 +: 8] + {3'd0, came} - {7'd0, leaves};
            overfull[i] = next[5*i +: 5] > 15;
            stays[i] = next[5*i +: 5] != 0;
            unreal[i] = counts[5*i +: 5] > 15;
            wrong[i] = sums[8*i + 8 +: 8] != sums[8*i +: 8] + {3'd0, counts[5*i +: 5]} || sums[8*i +: 8] > 15 * i;
        end
    end
    wire [4:0] came_now = came - {4'd0, leaves};
    wire [7:0] next_cnt1 = next_sums[8*`PORTS +: 8];
    wire [7:0] cnt2 = triggered ? cnt1 : rest;
    wire gives = leaves && marking;

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        counts <= next;
        sums <= next_sums;
        before <= cnt1;
        change <= came_now;
        came_less_one <= came[3:0] - 4'd1;
        none_left <= !leaves;
        triggered <= congested != 0;
        rest <= cnt2 - {7'd0, leaves && cnt2 != 0};
        owed <= cnt2;
        gave <= leaves && cnt2 != 0;
        given <= congested != 0 ? 8'd0 : given + {7'd0, gives};
        if (congested != 0) counted <= next_cnt1;
        if (reset) begin
            counts <= 0;
            sums <= 0;
            before <= 0;
            change <= 0;
            came_less_one <= 0;
            none_left <= 0;
            triggered <= 0;
            rest <= 0;
            owed <= 0;
            gave <= 0;
            counted <= 0;
            given <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        // An output sends one packet at a time; and the claims of the buffers.
        assume((leaving & (leaving - `PORTS'd1)) == 0);
        for (i = 0; i < `PORTS; i = i + 1) assume(!leaving[i] || counts[5*i +: 5] != 0);
        assume(overfull == 0 && (congested & ~stays) == 0);
    end

    (* keep *) wire [6:0] guess_waiting = before[6:0], guess_to_mark = owed[6:0];
    (* keep *) wire [3:0] guess_came = came_less_one;
    (* keep *) wire guess_none_left = none_left, guess_marked = gave;
    (* keep *) wire guess_triggered = triggered, guess_any = rest != 0;

    always @(*) if (started) begin
        helper_counts: assert(unreal == 0);
        helper_sums: assert(sums[7:0] == 0 && wrong == 0);
        helper_change: assert(cnt1 == before + {{3{change[4]}}, change});
        helper_came: assert(change == {came_less_one[3], came_less_one} + {4'd0, none_left});
        helper_rest: assert(rest == owed - {7'd0, gave} && owed <= 15 * `PORTS);
        helper_triggered: assert(!triggered || cnt1 != 0);
        helper_range: assert(before <= 15 * `PORTS && cnt1 <= 15 * `PORTS);
        marks_what_is_owed: assert(marking == (cnt2 != 0));
        marks_as_many_as_counted: assert(given + cnt2 == counted);
        to_mark_are_there: assert(counted - given <= cnt1);
    end
endmodule
