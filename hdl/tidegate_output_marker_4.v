// SPDX-License-Identifier: MIT OR Apache-2.0
// The two counters of one output: cnt1, the packets in the switch that wait for it, and cnt2, the
// packets to mark.
//
// `marking` depends on registers only: it says whether a packet that leaves in this cycle is
// marked. When a buffer with a packet for this output becomes full, cnt2 takes the new value of
// cnt1: packets that enter in that cycle count, a packet that leaves does not. Packets are counted
// in one cycle; in the next the count is added to cnt1, and cnt2 takes the sum or loses a packet
// that was marked. The outputs do not show this delay, so no path leads through an input buffer and
// an adder of both counters. An output sends one packet at a time: it counts one packet, even if
// several bits of `leaving` are set.
//
// Part of: infiniband.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

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
    reg [3:0] entered_less_one; // Packets that entered in the cycle before, minus 1, two's complement
    reg none_left; // No packet left in the cycle before: 1 is added again
    reg triggered; // In the cycle before, a buffer with a packet for this output became full: cnt2 = cnt1
    reg [6:0] to_mark; // cnt2 of the cycle before, packets; valid if `triggered` is low
    reg marked; // A packet that left in the cycle before was marked: cnt2 is one less
    reg any_to_mark; // cnt2 is not 0; valid if `triggered` is low

    initial begin
        waiting = 7'd0;
        entered_less_one = 4'd0;
        none_left = 1'd0;
        triggered = 1'd0;
        to_mark = 7'd0;
        marked = 1'd0;
        any_to_mark = 1'd0;
    end

    wire [2:0] fours_0_count;
    wire [3:0] fours_0_less_one;

    wire leaves = leaving_0 || leaving_1 || leaving_2 || leaving_3;
    wire [7:0] sign = entered_less_one[3] ? 8'd224 : 8'd0;
    wire [7:0] sum = {waiting, 1'd1} + (sign | {3'd0, entered_less_one, 1'd0} | {7'd0, none_left});
    wire [6:0] now_waiting = sum[7:1];
    wire owes = triggered || any_to_mark;

    reg [6:0] owed;
    reg owes_one;
    always @* begin
        owed = to_mark;
        owes_one = to_mark == 7'd1;
        if (marked) begin
            owed = to_mark - 7'd1;
            owes_one = to_mark == 7'd2;
        end
        if (triggered) begin
            owed = now_waiting;
            owes_one = now_waiting == 7'd1;
        end
    end

    assign marking = owes;

    tidegate_entered_of_four fours_0 (
        .entering_0(entering_0),
        .entering_1(entering_1),
        .entering_2(entering_2),
        .entering_3(entering_3),
        .count(fours_0_count),
        .less_one(fours_0_less_one)
    );

    always @(posedge clock) begin
        triggered <= congested_0 || congested_1 || congested_2 || congested_3;
        none_left <= !leaves;
        entered_less_one <= fours_0_less_one;
        waiting <= now_waiting;
        to_mark <= owed;
        marked <= leaves && owes;
        any_to_mark <= owes && !(leaves && owes_one);
        if (reset) begin
            waiting <= 7'd0;
            entered_less_one <= 4'd0;
            none_left <= 1'd0;
            triggered <= 1'd0;
            to_mark <= 7'd0;
            marked <= 1'd0;
            any_to_mark <= 1'd0;
        end
    end

    wire unused = &{1'b0, sum[0], fours_0_count};
endmodule

`default_nettype wire
