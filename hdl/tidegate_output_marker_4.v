// The two counters of one output: cnt1, the packets in the switch that wait for it, and cnt2, the
// packets to mark.
//
// `marking` depends on registers only: it says whether a packet that leaves in this cycle is
// marked. When a buffer with a packet for this output becomes full, cnt2 takes the new value of
// cnt1: packets that enter in that cycle count, a packet that leaves does not. Packets are counted
// in one cycle, and the count is added to cnt1 and copied to cnt2 in the next. The outputs do not
// show this delay, because until then the sum is used in place of both counters; so no path leads
// through an input buffer and an adder. An output sends one packet at a time: it counts one packet,
// even if several bits of `leaving` are set.
//
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme infiniband --out DIR

module tidegate_output_marker_4 (
    input  wire clock,       // Clock, rising edge
    input  wire reset,       // Synchronous reset, active high
    input  wire entering_0,  // A packet for this output enters at this input in this cycle
    input  wire entering_1,  // A packet for this output enters at this input in this cycle
    input  wire entering_2,  // A packet for this output enters at this input in this cycle
    input  wire entering_3,  // A packet for this output enters at this input in this cycle
    input  wire leaving_0,   // A packet from this input begins to leave on this output in this cycle
    input  wire leaving_1,   // A packet from this input begins to leave on this output in this cycle
    input  wire leaving_2,   // A packet from this input begins to leave on this output in this cycle
    input  wire leaving_3,   // A packet from this input begins to leave on this output in this cycle
    input  wire congested_0, // The buffer of this input becomes full in this cycle, with a packet for this output in it
    input  wire congested_1, // The buffer of this input becomes full in this cycle, with a packet for this output in it
    input  wire congested_2, // The buffer of this input becomes full in this cycle, with a packet for this output in it
    input  wire congested_3, // The buffer of this input becomes full in this cycle, with a packet for this output in it
    output wire marking      // Mark a packet that leaves in this cycle
);
    reg [6:0] waiting; // cnt1 of the cycle before, packets
    reg [4:0] change; // Change of cnt1 since: packets that entered minus the packet that left, two's complement
    reg triggered; // In the cycle before, a buffer with a packet for this output became full: cnt2 = cnt1
    reg [6:0] to_mark; // cnt2, packets; valid if `triggered` is low
    reg any_to_mark; // `to_mark` is not 0

    initial begin
        waiting = 7'd0;
        change = 5'd0;
        triggered = 1'd0;
        to_mark = 7'd0;
        any_to_mark = 1'd0;
    end

    reg [4:0] entered_0;
    always @* begin
        entered_0 = 5'd0;
        if (entering_0) begin
            entered_0 = 5'd1;
        end
    end

    reg [4:0] entered_1;
    always @* begin
        entered_1 = 5'd0;
        if (entering_1) begin
            entered_1 = 5'd1;
        end
    end

    reg [4:0] entered_2;
    always @* begin
        entered_2 = 5'd0;
        if (entering_2) begin
            entered_2 = 5'd1;
        end
    end

    reg [4:0] entered_3;
    always @* begin
        entered_3 = 5'd0;
        if (entering_3) begin
            entered_3 = 5'd1;
        end
    end

    wire leaves = leaving_0 || leaving_1 || leaving_2 || leaving_3;

    reg [4:0] minus_leaving;
    always @* begin
        minus_leaving = 5'd0;
        if (leaves) begin
            minus_leaving = 5'd31;
        end
    end

    reg [6:0] sign;
    always @* begin
        sign = 7'd0;
        if (change[4]) begin
            sign = 7'd96;
        end
    end

    wire [6:0] now_waiting = waiting + (sign | {2'd0, change});
    wire owes = triggered || any_to_mark;

    reg [6:0] owed;
    reg owes_one;
    always @* begin
        owed = to_mark;
        owes_one = to_mark == 7'd1;
        if (triggered) begin
            owed = now_waiting;
            owes_one = now_waiting == 7'd1;
        end
    end

    assign marking = owes;

    always @(posedge clock) begin
        triggered <= congested_0 || congested_1 || congested_2 || congested_3;
        change <= minus_leaving + entered_0 + entered_1 + entered_2 + entered_3;
        waiting <= now_waiting;
        to_mark <= owed;
        any_to_mark <= owes;
        if (leaves && owes) begin
            to_mark <= owed - 7'd1;
            any_to_mark <= !owes_one;
        end
        if (reset) begin
            waiting <= 7'd0;
            change <= 5'd0;
            triggered <= 1'd0;
            to_mark <= 7'd0;
            any_to_mark <= 1'd0;
        end
    end
endmodule
