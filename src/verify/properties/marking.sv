// A switch as a whole. What is claimed of its sums is claimed of the blocks (`input_buffer.sv`, `output_marker.sv`), which it only
// wires: here, that each packet meets the counters of its output.

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

    // Packets that wait, four bits for each input and output; slots in use and those of packets on their way out, four bits for each
    // input; eight bits for each output: packets that wait in the switch, that many a cycle ago, and what is left of those to mark.
    reg [4*`PORTS*`PORTS-1:0] waiting = 0;
    reg [4*`PORTS-1:0] used = 0, sending = 0;
    reg [8*`PORTS-1:0] cnt1 = 0, before = 0, rest = 0;
    reg [5*`PORTS-1:0] change = 0;
    reg [`PORTS-1:0] triggered = 0;

    reg [4*`PORTS*`PORTS-1:0] next;
    reg [8*`PORTS-1:0] next_cnt1, next_rest, cnt2;
    reg [5*`PORTS-1:0] next_change;
    reg [`PORTS-1:0] enters, leaves, frees, fills, is_full, congested, owes, sends, collides, owed, overfull, misplaced, apart;
    reg [7:0] sum;
    reg comes;
    integer i, o;
    always @(*) begin
        congested = 0;
        sends = 0;
        collides = 0;
        owed = 0;
        leaves = 0;
        next_change = 0;
        for (o = 0; o < `PORTS; o = o + 1) begin
            owes[o] = triggered[o] || rest[8*o +: 8] != 0;
            cnt2[8*o +: 8] = triggered[o] ? cnt1[8*o +: 8] : rest[8*o +: 8];
            apart[o] = cnt1[8*o +: 8] != before[8*o +: 8] + {{3{change[5*o + 4]}}, change[5*o +: 5]};
        end
        for (i = 0; i < `PORTS; i = i + 1) begin
            is_full[i] = used[4*i +: 4] == buffer_packets;
            enters[i] = enter[i] && !is_full[i];
            sum = {4'd0, sending[4*i +: 4]};
            for (o = 0; o < `PORTS; o = o + 1) begin
                sum = sum + {4'd0, waiting[4*(`PORTS*i + o) +: 4]};
                if (leave[i] && leave_output[`BITS*i +: `BITS] == o) begin
                    leaves[i] = waiting[4*(`PORTS*i + o) +: 4] != 0;
                    owed[i] = leaves[i] && owes[o];
                    collides[i] = collides[i] || (leaves[i] && sends[o]);
                    sends[o] = sends[o] || leaves[i];
                end
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            fills[i] = enters[i] && !frees[i] && {1'b0, used[4*i +: 4]} + 5'd1 == {1'b0, buffer_packets};
            overfull[i] = used[4*i +: 4] > buffer_packets;
            misplaced[i] = {4'd0, used[4*i +: 4]} != sum;
            for (o = 0; o < `PORTS; o = o + 1) begin
                comes = enters[i] && enter_output[`BITS*i +: `BITS] == o;
                next[4*(`PORTS*i + o) +: 4] = waiting[4*(`PORTS*i + o) +: 4] + {3'd0, comes}
                    - {3'd0, leaves[i] && leave_output[`BITS*i +: `BITS] == o};
                next_change[5*o +: 5] = next_change[5*o +: 5] + {4'd0, comes};
                if (fills[i] && next[4*(`PORTS*i + o) +: 4] != 0) congested[o] = 1;
            end
        end
        for (o = 0; o < `PORTS; o = o + 1) begin
            next_change[5*o +: 5] = next_change[5*o +: 5] - {4'd0, sends[o]};
            next_cnt1[8*o +: 8] = cnt1[8*o +: 8] + {{3{next_change[5*o + 4]}}, next_change[5*o +: 5]};
            next_rest[8*o +: 8] = cnt2[8*o +: 8] - {7'd0, sends[o] && owes[o]};
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        cnt1 <= next_cnt1;
        before <= cnt1;
        rest <= next_rest;
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
            cnt1 <= 0;
            before <= 0;
            rest <= 0;
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

    // What the registers inside hold.
    `GUESSES_OF_BUFFERS
    `GUESSES_OF_COUNTERS

    always @(*) if (started) begin
        helper_overfull: assert(overfull == 0);
        helper_places: assert(misplaced == 0);
        helper_apart: assert(apart == 0);
        marks_what_is_owed: assert(mark == owed);
        full_tells: assert(full == is_full);
        impossible_tells: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)));
    end
endmodule
