// A whole switch: the connections of its blocks. The registers below do the same as those of the blocks, so nothing
// needs to be known about sums. The meaning of the registers is claimed for the blocks alone (`input_buffer.sv`,
// `output_marker.sv`).

module `TOP (
    input clock,
    input reset,
    input [`PORTS-1:0] enter,
    input [`PORTS*`BITS-1:0] enter_output,
    input [`PORTS-1:0] leave,
    input [`PORTS*`BITS-1:0] leave_output,
    input [`PORTS-1:0] free
);
    (* anyconst *) wire [3:0] buffer_packets;
    wire [`PORTS-1:0] mark, full, impossible;

    `MODULE device (
        .clock(clock), .reset(reset), .buffer_packets(buffer_packets), .enter(enter), .enter_output(enter_output),
        .leave(leave), .leave_output(leave_output), .free(free), .mark(mark), .full(full), .impossible(impossible)
    );

    // Packets that wait, four bits for each input and output. For each input: slots in use and slots of packets that
    // are being sent, four bits each, and whether the buffer is full. For each output: packets that waited in the
    // switch in the cycle before, their change since, whether the output became congested, and packets to mark if it
    // did not.
    reg [4*`PORTS*`PORTS-1:0] waiting = 0;
    reg [4*`PORTS-1:0] used = 0, sending = 0;
    reg [7*`PORTS-1:0] before = 0, rest = 0;
    reg [5*`PORTS-1:0] change = 0;
    reg [`PORTS-1:0] triggered = 0, any = 0, is_full = 0;

    reg [4*`PORTS*`PORTS-1:0] next;
    reg [7*`PORTS-1:0] cnt1, cnt2, next_rest;
    reg [5*`PORTS-1:0] next_change;
    reg [`PORTS-1:0] enters, leaves, frees, fills, congested, owes, sends, collides, owed, next_any;
    reg comes, waits;
    integer i, o;
    always @(*) begin
        congested = 0;
        sends = 0;
        collides = 0;
        owed = 0;
        leaves = 0;
        next_change = 0;
        for (o = 0; o < `PORTS; o = o + 1) begin
            owes[o] = triggered[o] || any[o];
            cnt1[7*o +: 7] = before[7*o +: 7] + {{2{change[5*o + 4]}}, change[5*o +: 5]};
            cnt2[7*o +: 7] = triggered[o] ? cnt1[7*o +: 7] : rest[7*o +: 7];
        end
        for (i = 0; i < `PORTS; i = i + 1) begin
            enters[i] = enter[i] && !is_full[i];
            for (o = 0; o < `PORTS; o = o + 1) begin
                if (leave[i] && leave_output[`BITS*i +: `BITS] == o) begin
                    leaves[i] = waiting[4*(`PORTS*i + o) +: 4] != 0;
                    owed[i] = leaves[i] && owes[o];
                    collides[i] = collides[i] || (leaves[i] && sends[o]);
                    sends[o] = sends[o] || leaves[i];
                end
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            fills[i] = enters[i] && !frees[i] && used[4*i +: 4] + 4'd1 == buffer_packets;
            for (o = 0; o < `PORTS; o = o + 1) begin
                comes = enters[i] && enter_output[`BITS*i +: `BITS] == o;
                next[4*(`PORTS*i + o) +: 4] = waiting[4*(`PORTS*i + o) +: 4] + {3'd0, comes}
                    - {3'd0, leaves[i] && leave_output[`BITS*i +: `BITS] == o};
                next_change[5*o +: 5] = next_change[5*o +: 5] + {4'd0, comes};
                waits = comes || waiting[4*(`PORTS*i + o) +: 4] > 1
                    || (waiting[4*(`PORTS*i + o) +: 4] == 1 && !(leaves[i] && leave_output[`BITS*i +: `BITS] == o));
                if (fills[i] && waits) congested[o] = 1;
            end
        end
        for (o = 0; o < `PORTS; o = o + 1) begin
            next_change[5*o +: 5] = next_change[5*o +: 5] - {4'd0, sends[o]};
            next_rest[7*o +: 7] = cnt2[7*o +: 7] - {6'd0, sends[o] && owes[o]};
            next_any[o] = sends[o] && owes[o] ? cnt2[7*o +: 7] != 1 : owes[o];
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        before <= cnt1;
        rest <= next_rest;
        any <= next_any;
        is_full <= fills | (is_full & ~frees);
        change <= next_change;
        triggered <= congested;
        for (i = 0; i < `PORTS; i = i + 1) begin
            used[4*i +: 4] <= used[4*i +: 4] + {3'd0, enters[i]} - {3'd0, frees[i]};
            sending[4*i +: 4] <= sending[4*i +: 4] + {3'd0, leaves[i]} - {3'd0, frees[i]};
        end
        if (reset) begin
            waiting <= 0;
            used <= 0;
            sending <= 0;
            before <= 0;
            rest <= 0;
            any <= 0;
            is_full <= 0;
            change <= 0;
            triggered <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        // An output sends one packet at a time.
        assume(collides == 0);
        assume(buffer_packets != 0);
    end

    // Guesses: contents of the registers inside.
    `GUESSES_OF_BUFFERS
    `GUESSES_OF_COUNTERS

    always @(*) if (started) begin
        marks_by_output: assert(mark == owed);
        full_by_input: assert(full == is_full);
        impossible_by_input: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)));
    end
endmodule
