// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole switch: the connections of its blocks. The registers below do the same as those of the blocks, so nothing
// needs to be known about sums. The meaning of the registers is claimed for the blocks alone (`input_buffer.sv`,
// `output_marker.sv`).

module `TOP (
    input clock,
    input reset,
    input [`PORTS-1:0] enter,
    input [`PORTS*`BITS-1:0] enter_output,
    input [`PORTS-1:0] complete,
    // Of any value in each cycle.
    input full_when_whole,
    input [3:0] buffer_packets,
    input [`PORTS-1:0] leave,
    input [`PORTS*`BITS-1:0] leave_output,
    input [`PORTS-1:0] free
);
    wire [`PORTS-1:0] mark, full, impossible;

    `MODULE device (
        .clock(clock), .reset(reset), .buffer_packets(buffer_packets), .full_when_whole(full_when_whole),
        .enter(enter), .enter_output(enter_output), .complete(complete), .leave(leave), .leave_output(leave_output),
        .free(free), .mark(mark), .full(full), .impossible(impossible)
    );

    // Packets that wait, four bits for each input and output, and whether there is one. For each input: slots in use and slots of packets that
    // are being sent, four bits each, whether all slots are taken, and whether a last byte is still to come. For each output: packets that waited in the
    // switch in the cycle before, packets that came since minus 1, whether none left, whether the output became
    // congested; packets to mark if it did not, as those of the cycle before and whether one of them was marked since.
    reg [4*`PORTS*`PORTS-1:0] waiting = 0;
    reg [`PORTS*`PORTS-1:0] any_waits = 0;
    reg [4*`PORTS-1:0] used = 0, sending = 0;
    reg [7*`PORTS-1:0] before = 0, to_mark = 0;
    reg [4*`PORTS-1:0] came_less_one = 0;
    reg [`PORTS-1:0] triggered = 0, any = 0, is_full = 0, coming = 0, none_left = 0, marked = 0;

    reg [4*`PORTS*`PORTS-1:0] next;
    reg [7*`PORTS-1:0] cnt1, cnt2;
    reg [4*`PORTS-1:0] next_came;
    reg [`PORTS*`PORTS-1:0] next_waits;
    reg [`PORTS-1:0] enters, next_coming, leaves, frees, fills, marks, congested, owes, sends, collides, owed, next_any;
    reg comes, goes;
    integer i, o;
    always @(*) begin
        congested = 0;
        sends = 0;
        collides = 0;
        owed = 0;
        leaves = 0;
        next_came = {`PORTS{4'd15}};
        for (o = 0; o < `PORTS; o = o + 1) begin
            owes[o] = triggered[o] || any[o];
            cnt1[7*o +: 7] = before[7*o +: 7] + {{3{came_less_one[4*o + 3]}}, came_less_one[4*o +: 4]}
                + {6'd0, none_left[o]};
            cnt2[7*o +: 7] = triggered[o] ? cnt1[7*o +: 7] : to_mark[7*o +: 7] - {6'd0, marked[o]};
        end
        for (i = 0; i < `PORTS; i = i + 1) begin
            enters[i] = enter[i] && !is_full[i] && (!full_when_whole || !coming[i] || complete[i]);
            next_coming[i] = complete[i] ? coming[i] && enters[i] : coming[i] || enters[i];
            for (o = 0; o < `PORTS; o = o + 1) begin
                if (leave[i] && leave_output[`BITS*i +: `BITS] == o) begin
                    leaves[i] = any_waits[`PORTS*i + o];
                    owed[i] = leaves[i] && owes[o];
                    collides[i] = collides[i] || (leaves[i] && sends[o]);
                    sends[o] = sends[o] || leaves[i];
                end
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            fills[i] = enters[i] && !frees[i] && used[4*i +: 4] + 4'd1 >= buffer_packets;
            marks[i] = full_when_whole && coming[i] ? complete[i] && is_full[i] && !frees[i]
                : fills[i] && (complete[i] || !full_when_whole);
            for (o = 0; o < `PORTS; o = o + 1) begin
                comes = enters[i] && enter_output[`BITS*i +: `BITS] == o;
                goes = leaves[i] && leave_output[`BITS*i +: `BITS] == o;
                next[4*(`PORTS*i + o) +: 4] = waiting[4*(`PORTS*i + o) +: 4] + {3'd0, comes}
                    - {3'd0, goes};
                next_came[4*o +: 4] = next_came[4*o +: 4] + {3'd0, comes};
                next_waits[`PORTS*i + o] = comes || waiting[4*(`PORTS*i + o) +: 4] > 1 || (any_waits[`PORTS*i + o] && !goes);
                if (marks[i] && next_waits[`PORTS*i + o]) congested[o] = 1;
            end
        end
        for (o = 0; o < `PORTS; o = o + 1) begin
            next_any[o] = sends[o] && owes[o] ? cnt2[7*o +: 7] != 1 : owes[o];
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        any_waits <= next_waits;
        before <= cnt1;
        to_mark <= cnt2;
        marked <= sends & owes;
        any <= next_any;
        is_full <= fills | (is_full & ~frees);
        coming <= next_coming;
        came_less_one <= next_came;
        none_left <= ~sends;
        triggered <= congested;
        for (i = 0; i < `PORTS; i = i + 1) begin
            used[4*i +: 4] <= used[4*i +: 4] + {3'd0, enters[i]} - {3'd0, frees[i]};
            sending[4*i +: 4] <= sending[4*i +: 4] + {3'd0, leaves[i]} - {3'd0, frees[i]};
        end
        if (reset) begin
            waiting <= 0;
            any_waits <= 0;
            used <= 0;
            sending <= 0;
            before <= 0;
            to_mark <= 0;
            marked <= 0;
            any <= 0;
            is_full <= 0;
            coming <= 0;
            came_less_one <= 0;
            none_left <= 0;
            triggered <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        // An output sends one packet at a time.
        assume(collides == 0);
    end

    // Guesses: contents of the registers inside.
    `GUESSES_OF_BUFFERS
    `GUESSES_OF_COUNTERS

    always @(*) if (started) begin
        marks_by_output: assert(mark == owed);
        full_by_input: assert(full == is_full);
        impossible_by_input: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)
            | (full_when_whole ? complete & ~coming & ~enters : `PORTS'd0)));
    end
endmodule
