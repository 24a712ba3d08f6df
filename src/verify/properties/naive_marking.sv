// A switch that marks what is in the full buffer. Of the packets in a buffer for one output the oldest leaves first: those that were
// there when it became full are the first ones to leave.

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

    // Four bits for each input and output: packets that wait, those of them that were there when the buffer last became full, and
    // the same as it would be if it had not just become full. Four bits for each input: slots in use, and those of packets on their
    // way out.
    reg [4*`PORTS*`PORTS-1:0] waiting = 0, were_there = 0, rest = 0;
    reg [4*`PORTS-1:0] used = 0, sending = 0;
    reg [`PORTS-1:0] triggered = 0;

    reg [4*`PORTS*`PORTS-1:0] next, next_there, next_rest;
    reg [`PORTS-1:0] enters, leaves, frees, fills, is_full, owed, overfull, misplaced, apart;
    reg [7:0] sum;
    reg comes, goes;
    integer i, o;
    always @(*) begin
        owed = 0;
        leaves = 0;
        apart = 0;
        for (i = 0; i < `PORTS; i = i + 1) begin
            is_full[i] = used[4*i +: 4] == buffer_packets;
            enters[i] = enter[i] && !is_full[i];
            sum = {4'd0, sending[4*i +: 4]};
            for (o = 0; o < `PORTS; o = o + 1) begin
                sum = sum + {4'd0, waiting[4*(`PORTS*i + o) +: 4]};
                if (leave[i] && leave_output[`BITS*i +: `BITS] == o) begin
                    leaves[i] = waiting[4*(`PORTS*i + o) +: 4] != 0;
                    owed[i] = leaves[i] && were_there[4*(`PORTS*i + o) +: 4] != 0;
                end
                if (were_there[4*(`PORTS*i + o) +: 4]
                    != (triggered[i] ? waiting[4*(`PORTS*i + o) +: 4] : rest[4*(`PORTS*i + o) +: 4])) apart[i] = 1;
            end
            frees[i] = free[i] && (leaves[i] || sending[4*i +: 4] != 0);
            fills[i] = enters[i] && !frees[i] && {1'b0, used[4*i +: 4]} + 5'd1 == {1'b0, buffer_packets};
            overfull[i] = used[4*i +: 4] > buffer_packets;
            misplaced[i] = {4'd0, used[4*i +: 4]} != sum;
            for (o = 0; o < `PORTS; o = o + 1) begin
                comes = enters[i] && enter_output[`BITS*i +: `BITS] == o;
                goes = leaves[i] && leave_output[`BITS*i +: `BITS] == o;
                next[4*(`PORTS*i + o) +: 4] = waiting[4*(`PORTS*i + o) +: 4] + {3'd0, comes} - {3'd0, goes};
                next_rest[4*(`PORTS*i + o) +: 4] = were_there[4*(`PORTS*i + o) +: 4]
                    - {3'd0, goes && were_there[4*(`PORTS*i + o) +: 4] != 0};
                next_there[4*(`PORTS*i + o) +: 4] = fills[i] ? next[4*(`PORTS*i + o) +: 4] : next_rest[4*(`PORTS*i + o) +: 4];
            end
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        waiting <= next;
        were_there <= next_there;
        rest <= next_rest;
        triggered <= fills;
        for (i = 0; i < `PORTS; i = i + 1) begin
            used[4*i +: 4] <= used[4*i +: 4] + {3'd0, enters[i]} - {3'd0, frees[i]};
            sending[4*i +: 4] <= sending[4*i +: 4] + {3'd0, leaves[i]} - {3'd0, frees[i]};
        end
        if (reset) begin
            waiting <= 0;
            were_there <= 0;
            rest <= 0;
            triggered <= 0;
            used <= 0;
            sending <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(buffer_packets != 0);
    end

    // What the registers inside hold.
    `GUESSES_OF_BUFFERS
    `GUESSES_OF_MARKERS

    always @(*) if (started) begin
        helper_overfull: assert(overfull == 0);
        helper_places: assert(misplaced == 0);
        helper_apart: assert(apart == 0);
        marks_what_was_there: assert(mark == owed);
        full_tells: assert(full == is_full);
        impossible_tells: assert(impossible == ((enter & ~enters) | (leave & ~leaves) | (free & ~frees)));
    end
endmodule
