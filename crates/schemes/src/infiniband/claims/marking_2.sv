// SPDX-License-Identifier: MIT OR Apache-2.0
// Packet marking in a switch of two ports, compared with a switch that scans all of its buffers whenever one becomes
// full.

module marking_2_properties (
    input clock,
    input reset,
    input [1:0] enter,
    input [1:0] enter_output,
    input [1:0] complete,
    // Of any value in each cycle.
    input full_when_whole,
    input [1:0] leave,
    input [1:0] leave_output,
    input [1:0] free
);
    // Any size of the buffers that does not change.
    (* anyconst *) wire [3:0] buffer_packets;
    wire [1:0] mark, full, impossible;

    marking_2 device (
        .clock(clock), .reset(reset), .buffer_packets(buffer_packets), .full_when_whole(full_when_whole),
        .enter(enter), .enter_output(enter_output), .complete(complete), .leave(leave), .leave_output(leave_output),
        .free(free), .mark(mark), .full(full), .impossible(impossible)
    );

    // Packets that wait, four bits for each input and output. Slots in use and slots of packets that are being sent,
    // four bits for each input, and packets whose last byte is in, five bits. Eight bits for each output: packets that wait for it, packets still to mark, packets
    // counted when it was last congested, and packets marked since.
    reg [15:0] waiting = 0;
    reg [7:0] used = 0, sending = 0;
    reg [9:0] whole = 0;
    reg [15:0] cnt1 = 0, cnt2 = 0, counted = 0, given = 0;

    reg [15:0] next_waiting;
    reg [15:0] next_cnt1, next_cnt2, next_counted, next_given;
    reg [7:0] next_used;
    reg [9:0] next_whole;
    reg [1:0] completes, coming, torn;
    reg [1:0] enters, leaves, frees, fills, owed, is_full, collides, congested, out, marked;
    reg [1:0] enters_for, leaves_on, more_than_wait, miscounted, overfull, misplaced;
    integer i, o;
    always @(*) begin
        next_waiting = waiting;
        owed = 0;
        leaves = 0;
        out = 0;
        marked = 0;
        collides = 0;
        for (i = 0; i < 2; i = i + 1) begin
            is_full[i] = used[4*i +: 4] == buffer_packets;
            // A packet whose last byte is still to come.
            coming[i] = whole[5*i +: 5] != {1'b0, used[4*i +: 4]};
            enters[i] = enter[i] && !is_full[i] && (!full_when_whole || !coming[i] || complete[i]);
            completes[i] = complete[i] && (coming[i] || enters[i]);
            for (o = 0; o < 2; o = o + 1) begin
                if (leave[i] && leave_output[i] == o) begin
                    leaves[i] = waiting[8*i + 4*o +: 4] != 0;
                    owed[i] = leaves[i] && cnt2[8*o +: 8] != 0;
                    collides[i] = collides[i] || out[o];
                    out[o] = 1;
                    marked[o] = mark[i];
                end
                enters_for[o] = enters[i] && enter_output[i] == o;
                leaves_on[o] = leave[i] && leave_output[i] == o && leaves[i];
                next_waiting[8*i + 4*o +: 4] = waiting[8*i + 4*o +: 4] + {3'd0, enters_for[o]} - {3'd0, leaves_on[o]};
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            next_used[4*i +: 4] = used[4*i +: 4] + {3'd0, enters[i]} - {3'd0, frees[i]};
            // A header also says that the packet in front is whole.
            next_whole[5*i +: 5] = whole[5*i +: 5] + {4'd0, completes[i] || (enters[i] && coming[i])}
                - {4'd0, frees[i]};
            fills[i] = full_when_whole ? completes[i] && next_whole[5*i +: 5] == {1'b0, buffer_packets}
                : enters[i] && next_used[4*i +: 4] == buffer_packets;
            torn[i] = coming[i] && whole[5*i +: 5] + 5'd1 != {1'b0, used[4*i +: 4]};
            overfull[i] = used[4*i +: 4] > buffer_packets;
            misplaced[i] = {4'd0, used[4*i +: 4]} != {4'd0, sending[4*i +: 4]} + {4'd0, waiting[8*i +: 4]}
                + {4'd0, waiting[8*i + 4 +: 4]};
        end
        for (o = 0; o < 2; o = o + 1) begin
            next_cnt1[8*o +: 8] = {4'd0, next_waiting[4*o +: 4]} + {4'd0, next_waiting[8 + 4*o +: 4]};
            congested[o] = (fills[0] && next_waiting[4*o +: 4] != 0) || (fills[1] && next_waiting[8 + 4*o +: 4] != 0);
            next_cnt2[8*o +: 8] = cnt2[8*o +: 8];
            next_counted[8*o +: 8] = counted[8*o +: 8];
            next_given[8*o +: 8] = given[8*o +: 8] + {7'd0, marked[o]};
            if (congested[o]) begin
                next_cnt2[8*o +: 8] = next_cnt1[8*o +: 8];
                next_counted[8*o +: 8] = next_cnt1[8*o +: 8];
                next_given[8*o +: 8] = 0;
            end else if (cnt2[8*o +: 8] != 0) begin
                // A packet leaves only if one waits.
                for (i = 0; i < 2; i = i + 1)
                    if (leaves[i] && leave_output[i] == o) next_cnt2[8*o +: 8] = cnt2[8*o +: 8] - 8'd1;
            end
            more_than_wait[o] = counted[8*o +: 8] - given[8*o +: 8] > cnt1[8*o +: 8];
            miscounted[o] = given[8*o +: 8] + cnt2[8*o +: 8] != counted[8*o +: 8];
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next_waiting;
        whole <= next_whole;
        cnt1 <= next_cnt1;
        cnt2 <= next_cnt2;
        counted <= next_counted;
        given <= next_given;
        for (i = 0; i < 2; i = i + 1) begin
            used[4*i +: 4] <= next_used[4*i +: 4];
            sending[4*i +: 4] <= sending[4*i +: 4] + {3'd0, leaves[i]} - {3'd0, frees[i]};
        end
        if (reset) begin
            waiting <= 0;
            used <= 0;
            sending <= 0;
            whole <= 0;
            cnt1 <= 0;
            cnt2 <= 0;
            counted <= 0;
            given <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        // An output sends one packet at a time.
        assume(collides == 0);
        assume(buffer_packets != 0);
    end

    // Guesses: contents of the counters inside.
    (* keep *) wire [3:0] guess_waiting_0_0 = waiting[3:0];
    (* keep *) wire [3:0] guess_waiting_0_1 = waiting[7:4];
    (* keep *) wire [3:0] guess_waiting_1_0 = waiting[11:8];
    (* keep *) wire [3:0] guess_waiting_1_1 = waiting[15:12];
    (* keep *) wire guess_full_0 = is_full[0], guess_full_1 = is_full[1];
    (* keep *) wire guess_coming_0 = coming[0], guess_coming_1 = coming[1];
    (* keep *) wire [3:0] guess_used_0 = used[3:0], guess_sending_0 = sending[3:0];
    (* keep *) wire [3:0] guess_used_1 = used[7:4], guess_sending_1 = sending[7:4];
    (* keep *) wire [1:0] guess_waits_0 = {waiting[7:4] != 0, waiting[3:0] != 0};
    (* keep *) wire [1:0] guess_waits_1 = {waiting[15:12] != 0, waiting[11:8] != 0};
    // Sums are computed one cycle later, when cnt2 is copied too: cnt1 of the cycle before; its change since, as packets
    // that came minus 1, plus 1 if none left; cnt2 if not copied, as cnt2 of the cycle before and whether a packet was
    // marked then.
    reg [15:0] before = 0, rest = 0, owed_before = 0;
    reg [9:0] change = 0;
    reg [7:0] came_less_one = 0;
    reg [1:0] triggered = 0, none_left = 0, gave = 0, leaves_now;
    always @(*) begin
        leaves_now = 0;
        for (o = 0; o < 2; o = o + 1)
            for (i = 0; i < 2; i = i + 1)
                if (leaves[i] && leave_output[i] == o) leaves_now[o] = 1;
    end
    always @(posedge clock) begin
        before <= cnt1;
        triggered <= congested;
        none_left <= ~leaves_now;
        owed_before <= cnt2;
        for (o = 0; o < 2; o = o + 1) begin
            change[5*o +: 5] <= next_cnt1[8*o +: 5] - cnt1[8*o +: 5];
            came_less_one[4*o +: 4] <= next_cnt1[8*o +: 4] - cnt1[8*o +: 4] - {3'd0, !leaves_now[o]};
            gave[o] <= leaves_now[o] && cnt2[8*o +: 8] != 0;
            rest[8*o +: 8] <= cnt2[8*o +: 8] - {7'd0, leaves_now[o] && cnt2[8*o +: 8] != 0};
        end
        if (reset) begin
            before <= 0;
            change <= 0;
            triggered <= 0;
            rest <= 0;
            came_less_one <= 0;
            none_left <= 0;
            owed_before <= 0;
            gave <= 0;
        end
    end
    wire [15:0] moved;
    assign moved[7:0] = before[7:0] + {{3{change[4]}}, change[4:0]};
    assign moved[15:8] = before[15:8] + {{3{change[9]}}, change[9:5]};
    wire [1:0] miscopied;
    assign miscopied[0] = cnt2[7:0] != (triggered[0] ? cnt1[7:0] : rest[7:0]) || (triggered[0] && cnt1[7:0] == 0);
    assign miscopied[1] = cnt2[15:8] != (triggered[1] ? cnt1[15:8] : rest[15:8]) || (triggered[1] && cnt1[15:8] == 0);
    wire [1:0] misparted;
    assign misparted[0] = change[4:0] != {came_less_one[3], came_less_one[3:0]} + {4'd0, none_left[0]}
        || rest[7:0] != owed_before[7:0] - {7'd0, gave[0]} || owed_before[7:0] > 30;
    assign misparted[1] = change[9:5] != {came_less_one[7], came_less_one[7:4]} + {4'd0, none_left[1]}
        || rest[15:8] != owed_before[15:8] - {7'd0, gave[1]} || owed_before[15:8] > 30;
    (* keep *) wire [6:0] guess_before_0 = before[6:0], guess_owed_0 = owed_before[6:0];
    (* keep *) wire [6:0] guess_before_1 = before[14:8], guess_owed_1 = owed_before[14:8];
    (* keep *) wire [3:0] guess_came_0 = came_less_one[3:0], guess_came_1 = came_less_one[7:4];
    (* keep *) wire guess_none_left_0 = none_left[0], guess_none_left_1 = none_left[1];
    (* keep *) wire guess_gave_0 = gave[0], guess_gave_1 = gave[1];
    (* keep *) wire guess_triggered_0 = triggered[0], guess_triggered_1 = triggered[1];
    (* keep *) wire guess_any_0 = rest[7:0] != 0, guess_any_1 = rest[15:8] != 0;

    wire [15:0] sums;
    assign sums[7:0] = {4'd0, waiting[3:0]} + {4'd0, waiting[11:8]};
    assign sums[15:8] = {4'd0, waiting[7:4]} + {4'd0, waiting[15:12]};

    always @(*) if (started) begin
        marks_what_is_owed: assert(mark == owed);
        marks_as_many_as_counted: assert(miscounted == 0);
        to_mark_are_there: assert(more_than_wait == 0);
        helper_torn: assert(torn == 0);
        helper_overfull: assert(overfull == 0);
        full_tells: assert(full == is_full);
        impossible_tells: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)
            | (full_when_whole ? complete & ~completes : 2'd0)));
        helper_places: assert(misplaced == 0);
        helper_sums: assert(cnt1 == sums);
        helper_moved: assert(cnt1 == moved);
        helper_copied: assert(miscopied == 0);
        helper_parted: assert(misparted == 0);
    end
endmodule
