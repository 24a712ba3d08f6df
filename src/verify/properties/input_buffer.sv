// SPDX-License-Identifier: MIT OR Apache-2.0
// The buffer of an input, compared with counters that are wider than any count: a counter that agrees with them has not
// wrapped.

module `TOP (
    input clock,
    input reset,
    input enter,
    input [`BITS-1:0] enter_output,
    input leave,
    input [`BITS-1:0] leave_output,
    input free,
    input [`PORTS-1:0] marking
);
    // Any size that does not change.
    (* anyconst *) wire [3:0] buffer_packets;
    wire mark, full, impossible;
    wire [`PORTS-1:0] entering, leaving, congested;
    wire [4*`PORTS-1:0] waiting;

    `MODULE device (
        .clock(clock), .reset(reset), .buffer_packets(buffer_packets), .enter(enter), .enter_output(enter_output),
        .leave(leave), .leave_output(leave_output), .free(free), .marking(marking), .mark(mark), .full(full),
        .impossible(impossible), .entering(entering), .leaving(leaving), .congested(congested), `WAITING
    );

    // Packets that wait, for each output; slots in use; slots of packets that are being sent.
    reg [8*`PORTS-1:0] counts = 0;
    reg [7:0] used = 0, sending = 0;

    wire is_full = used == {4'd0, buffer_packets};
    wire enters = enter && !is_full;
    wire leaves = leave && counts[8*leave_output +: 8] != 0;
    wire frees = free && (leaves || sending != 0);
    wire fills = enters && !frees && used + 8'd1 == {4'd0, buffer_packets};
    reg [8*`PORTS-1:0] next;
    reg [`PORTS-1:0] enters_for, leaves_on, stays, differs, too_many;
    reg [7:0] sum;
    integer o;
    always @(*) begin
        sum = sending;
        for (o = 0; o < `PORTS; o = o + 1) begin
            enters_for[o] = enters && enter_output == o;
            leaves_on[o] = leaves && leave_output == o;
            next[8*o +: 8] = counts[8*o +: 8] + {7'd0, enters_for[o]} - {7'd0, leaves_on[o]};
            stays[o] = next[8*o +: 8] != 0;
            differs[o] = {4'd0, waiting[4*o +: 4]} != counts[8*o +: 8];
            too_many[o] = counts[8*o +: 8] > used;
            sum = sum + counts[8*o +: 8];
        end
    end

    reg started = 0;
    always @(posedge clock) begin
        started <= 1;
        counts <= next;
        used <= used + {7'd0, enters} - {7'd0, frees};
        sending <= sending + {7'd0, leaves} - {7'd0, frees};
        if (reset) begin
            counts <= 0;
            used <= 0;
            sending <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(buffer_packets != 0);
    end

    (* keep *) wire [3:0] guess_used = used[3:0], guess_sending = sending[3:0];
    (* keep *) wire guess_full = is_full;
    reg [`PORTS-1:0] waits;
    always @(*) for (o = 0; o < `PORTS; o = o + 1) waits[o] = counts[8*o +: 8] != 0;
    (* keep *) wire [`PORTS-1:0] guess_waits = waits;

    always @(*) if (started) begin
        helper_parts: assert(too_many == 0 && sending <= used);
        helper_sum: assert(used == sum);
        helper_bound: assert(used <= {4'd0, buffer_packets});
        waiting_exact: assert(differs == 0);
        full_tells: assert(full == is_full);
        impossible_tells: assert(impossible == ((enter && !enters) || (leave && !leaves) || (free && !frees)));
        events_tell: assert(entering == enters_for && leaving == leaves_on);
        congested_tells: assert(congested == (fills ? stays : `PORTS'd0));
        some_is_congested: assert(!fills || congested != 0);
        mark_tells: assert(mark == |(leaving & marking));
    end
endmodule
