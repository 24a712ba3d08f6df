// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole switch with naive marking: the connections of its blocks. The registers below do the same as those of the
// blocks. The meaning of the registers is claimed for the blocks alone (`input_buffer.sv`, `naive_marker.sv`).

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

    // For each input and output: whether a packet waits. Four bits for each: packets that wait, and packets to mark if the buffer did not become full in
    // the cycle before. Four bits for each input: slots in use, and slots of packets that are being sent. Also whether
    // all slots are taken, and whether a last byte is still to come.
    reg [4*`PORTS*`PORTS-1:0] waiting = 0, rest = 0;
    reg [`PORTS*`PORTS-1:0] any_waits = 0;
    reg [4*`PORTS-1:0] used = 0, sending = 0;
    reg [`PORTS-1:0] triggered = 0, is_full = 0, coming = 0;

    reg [4*`PORTS*`PORTS-1:0] next, were_there, next_rest;
    reg [`PORTS-1:0] enters, next_coming, leaves, frees, fills, marks, owed, next_triggered;
    reg [`PORTS*`PORTS-1:0] next_waits;
    reg comes, goes;
    integer i, o;
    always @(*) begin
        owed = 0;
        leaves = 0;
        for (i = 0; i < `PORTS; i = i + 1) begin
            enters[i] = enter[i] && !is_full[i] && (!full_when_whole || !coming[i] || complete[i]);
            next_coming[i] = complete[i] ? coming[i] && enters[i] : coming[i] || enters[i];
            for (o = 0; o < `PORTS; o = o + 1) begin
                were_there[4*(`PORTS*i + o) +: 4] =
                    triggered[i] ? waiting[4*(`PORTS*i + o) +: 4] : rest[4*(`PORTS*i + o) +: 4];
                if (leave[i] && leave_output[`BITS*i +: `BITS] == o) begin
                    leaves[i] = any_waits[`PORTS*i + o];
                    owed[i] = leaves[i] && were_there[4*(`PORTS*i + o) +: 4] != 0;
                end
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            fills[i] = enters[i] && !frees[i] && used[4*i +: 4] + 4'd1 >= buffer_packets;
            marks[i] = full_when_whole && coming[i] ? complete[i] && is_full[i] && !frees[i]
                : fills[i] && (complete[i] || !full_when_whole);
            for (o = 0; o < `PORTS; o = o + 1) begin
                comes = enters[i] && enter_output[`BITS*i +: `BITS] == o;
                goes = leaves[i] && leave_output[`BITS*i +: `BITS] == o;
                next_waits[`PORTS*i + o] = comes || waiting[4*(`PORTS*i + o) +: 4] > 1 || (any_waits[`PORTS*i + o] && !goes);
                next[4*(`PORTS*i + o) +: 4] = waiting[4*(`PORTS*i + o) +: 4] + {3'd0, comes} - {3'd0, goes};
                next_rest[4*(`PORTS*i + o) +: 4] = were_there[4*(`PORTS*i + o) +: 4]
                    - {3'd0, goes && were_there[4*(`PORTS*i + o) +: 4] != 0};
            end
            next_triggered[i] = marks[i] && next_waits[`PORTS*i +: `PORTS] != 0;
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        any_waits <= next_waits;
        rest <= next_rest;
        is_full <= fills | (is_full & ~frees);
        coming <= next_coming;
        triggered <= next_triggered;
        for (i = 0; i < `PORTS; i = i + 1) begin
            used[4*i +: 4] <= used[4*i +: 4] + {3'd0, enters[i]} - {3'd0, frees[i]};
            sending[4*i +: 4] <= sending[4*i +: 4] + {3'd0, leaves[i]} - {3'd0, frees[i]};
        end
        if (reset) begin
            waiting <= 0;
            any_waits <= 0;
            is_full <= 0;
            coming <= 0;
            rest <= 0;
            triggered <= 0;
            used <= 0;
            sending <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
    end

    // Guesses: contents of the registers inside.
    `GUESSES_OF_BUFFERS
    `GUESSES_OF_MARKERS

    always @(*) if (started) begin
        marks_by_input: assert(mark == owed);
        full_by_input: assert(full == is_full);
        impossible_by_input: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)
            | (full_when_whole ? complete & ~coming & ~enters : `PORTS'd0)));
    end
endmodule
