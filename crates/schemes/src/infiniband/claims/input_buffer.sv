// SPDX-License-Identifier: MIT OR Apache-2.0
// The buffer of an input, compared with counters that are wider than any count: a counter that agrees with them has not
// wrapped.

module `TOP (
    input clock,
    input reset,
    input enter,
    input [`BITS-1:0] enter_output,
    input complete,
    // Of any value in each cycle.
    input full_when_whole,
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
        .clock(clock), .reset(reset), .buffer_packets(buffer_packets), .full_when_whole(full_when_whole),
        .enter(enter), .enter_output(enter_output), .complete(complete), .leave(leave), .leave_output(leave_output),
        .free(free), .marking(marking), .mark(mark), .full(full), .impossible(impossible), .entering(entering),
        .leaving(leaving), .congested(congested), `WAITING
    );

    // Packets that wait, for each output; slots in use; slots of packets that are being sent; packets in
    // the buffer whose last byte is in.
    reg [8*`PORTS-1:0] counts = 0;
    reg [7:0] used = 0, sending = 0, whole = 0;

    wire is_full = used == {4'd0, buffer_packets};
    // A packet whose last byte is still to come.
    wire coming = used != whole;
    wire enters = enter && !is_full && (!full_when_whole || !coming || complete);
    wire completes = complete && (coming || enters);
    wire leaves = leave && counts[8*leave_output +: 8] != 0;
    wire frees = free && (leaves || sending != 0);
    wire [7:0] next_used = used + {7'd0, enters} - {7'd0, frees};
    // Packets come one after the other, so a header also says that the packet in front is whole.
    wire [7:0] next_whole = whole + {7'd0, completes || (enters && coming)} - {7'd0, frees};
    // A last byte comes, and then all slots hold packets with their last bytes; or a packet enters, and then all slots are
    // taken.
    wire fills = full_when_whole ? completes && next_whole == {4'd0, buffer_packets}
        : enters && next_used == {4'd0, buffer_packets};
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
        used <= next_used;
        whole <= next_whole;
        sending <= sending + {7'd0, leaves} - {7'd0, frees};
        if (reset) begin
            counts <= 0;
            used <= 0;
            sending <= 0;
            whole <= 0;
        end
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(buffer_packets != 0);
    end

    (* keep *) wire [3:0] guess_used = used[3:0], guess_sending = sending[3:0];
    (* keep *) wire guess_full = is_full, guess_coming = coming;
    reg [`PORTS-1:0] waits;
    always @(*) for (o = 0; o < `PORTS; o = o + 1) waits[o] = counts[8*o +: 8] != 0;
    (* keep *) wire [`PORTS-1:0] guess_waits = waits;

    always @(*) if (started) begin
        helper_parts: assert(too_many == 0 && sending <= used);
        helper_sum: assert(used == sum);
        helper_whole: assert(used == whole || used == whole + 8'd1);
        helper_bound: assert(used <= {4'd0, buffer_packets});
        waiting_exact: assert(differs == 0);
        full_tells: assert(full == is_full);
        impossible_tells: assert(impossible == ((enter && !enters) || (leave && !leaves) || (free && !frees)
            || (full_when_whole && complete && !completes)));
        events_tell: assert(entering == enters_for && leaving == leaves_on);
        congested_tells: assert(congested == (fills ? stays : `PORTS'd0));
        some_is_congested: assert(!(fills && enters) || congested != 0);
        mark_tells: assert(mark == |(leaving & marking));
    end
endmodule
