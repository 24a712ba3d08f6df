// SPDX-License-Identifier: MIT OR Apache-2.0
// Marks the packets that contend for a congested output of an InfiniBand switch (Santos 2002,
// section IV.A).
//
// A bus has one bit, or one output number, for each input; input 0 is lowest. When an input buffer
// becomes full, every output for which a packet waits in this buffer is congested. If n packets
// wait for that output in the whole switch, the next n packets that leave on it are marked, from
// the next cycle on. `mark` is high in the cycle in which a packet begins to leave. Order of the
// events of one cycle: packets leave, slots become free, packets enter and last bytes come, then
// full buffers start the marking. In one cycle at most one packet may leave on each output.
//
// A switch drives four events for each packet, each for one cycle: `enter` when its header is in
// and its output is known, `complete` when its last byte is in, `leave` when it begins to leave, at
// the earliest in the cycle after `enter`, and `free` when its last byte has left. A packet that
// cuts through begins to leave before its last byte is in: then `complete` comes after `leave`, and
// before `free` or with it. A packet whose last byte comes with its header has `complete` in the
// cycle of `enter`. At an input packets come in one after the other, so `complete` needs no number.
//
// A packet that cuts through waits from `enter` to `leave` as any other: it counts, and `mark` can
// be high for it. A switch whose header has gone by then ignores `mark`: the packet counts as
// marked all the same. So does the network simulator with `marks_cut_through = false`.
//
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_marking_4 (
    input  wire       clock,           // Clock, rising edge
    input  wire       reset,           // Synchronous reset, active high
    input  wire [3:0] buffer_packets,  // Number of packets that the buffer of an input holds, 1 to 15
    // When a buffer becomes full and starts the marking. 1: when all its slots hold packets whose last byte is in; 0:
    // when all its slots are taken
    input  wire       full_when_whole,
    // For each input: the header of a packet is in. Not allowed while the bit of `full` is set; with `full_when_whole`
    // not before `complete` of the packet in front
    input  wire [3:0] enter,
    input  wire [7:0] enter_output,    // For each input: output to which the packet goes; valid with `enter`
    // For each input: the last byte of a packet is in: of the one that is coming in, or if none is, of the one that
    // enters in this cycle. Once for each packet, also if it has begun to leave. May stay low if `full_when_whole` is
    // always 0
    input  wire [3:0] complete,
    input  wire [3:0] leave,           // For each input: a packet that waits begins to leave
    input  wire [7:0] leave_output,    // For each input: output on which the packet leaves; valid with `leave`
    // For each input: the last byte of a packet that began to leave, in this cycle or before, has left; free its slot
    input  wire [3:0] free,
    output wire [3:0] mark,            // For each input: mark the packet that begins to leave in this cycle
    output wire [3:0] full,            // For each input: the buffer has no free slot, so no packet may enter
    output wire [3:0] impossible       // For each input: an event of this cycle is impossible and is ignored
);
    wire buffers_0_mark;
    wire buffers_0_full;
    wire buffers_0_impossible;
    wire [3:0] buffers_0_entering;
    wire [3:0] buffers_0_leaving;
    wire [3:0] buffers_0_congested;
    wire [3:0] buffers_0_waiting_0;
    wire [3:0] buffers_0_waiting_1;
    wire [3:0] buffers_0_waiting_2;
    wire [3:0] buffers_0_waiting_3;
    wire buffers_1_mark;
    wire buffers_1_full;
    wire buffers_1_impossible;
    wire [3:0] buffers_1_entering;
    wire [3:0] buffers_1_leaving;
    wire [3:0] buffers_1_congested;
    wire [3:0] buffers_1_waiting_0;
    wire [3:0] buffers_1_waiting_1;
    wire [3:0] buffers_1_waiting_2;
    wire [3:0] buffers_1_waiting_3;
    wire buffers_2_mark;
    wire buffers_2_full;
    wire buffers_2_impossible;
    wire [3:0] buffers_2_entering;
    wire [3:0] buffers_2_leaving;
    wire [3:0] buffers_2_congested;
    wire [3:0] buffers_2_waiting_0;
    wire [3:0] buffers_2_waiting_1;
    wire [3:0] buffers_2_waiting_2;
    wire [3:0] buffers_2_waiting_3;
    wire buffers_3_mark;
    wire buffers_3_full;
    wire buffers_3_impossible;
    wire [3:0] buffers_3_entering;
    wire [3:0] buffers_3_leaving;
    wire [3:0] buffers_3_congested;
    wire [3:0] buffers_3_waiting_0;
    wire [3:0] buffers_3_waiting_1;
    wire [3:0] buffers_3_waiting_2;
    wire [3:0] buffers_3_waiting_3;
    wire outputs_0_marking;
    wire outputs_1_marking;
    wire outputs_2_marking;
    wire outputs_3_marking;

    wire buffers_0_enter = enter[0];
    wire [1:0] buffers_0_enter_output = enter_output[1:0];
    wire buffers_0_complete = complete[0];
    wire buffers_0_leave = leave[0];
    wire [1:0] buffers_0_leave_output = leave_output[1:0];
    wire buffers_0_free = free[0];
    wire buffers_1_enter = enter[1];
    wire [1:0] buffers_1_enter_output = enter_output[3:2];
    wire buffers_1_complete = complete[1];
    wire buffers_1_leave = leave[1];
    wire [1:0] buffers_1_leave_output = leave_output[3:2];
    wire buffers_1_free = free[1];
    wire buffers_2_enter = enter[2];
    wire [1:0] buffers_2_enter_output = enter_output[5:4];
    wire buffers_2_complete = complete[2];
    wire buffers_2_leave = leave[2];
    wire [1:0] buffers_2_leave_output = leave_output[5:4];
    wire buffers_2_free = free[2];
    wire buffers_3_enter = enter[3];
    wire [1:0] buffers_3_enter_output = enter_output[7:6];
    wire buffers_3_complete = complete[3];
    wire buffers_3_leave = leave[3];
    wire [1:0] buffers_3_leave_output = leave_output[7:6];
    wire buffers_3_free = free[3];
    wire outputs_0_entering_0 = buffers_0_entering[0];
    wire outputs_0_leaving_0 = buffers_0_leaving[0];
    wire outputs_0_congested_0 = buffers_0_congested[0];
    wire outputs_1_entering_0 = buffers_0_entering[1];
    wire outputs_1_leaving_0 = buffers_0_leaving[1];
    wire outputs_1_congested_0 = buffers_0_congested[1];
    wire outputs_2_entering_0 = buffers_0_entering[2];
    wire outputs_2_leaving_0 = buffers_0_leaving[2];
    wire outputs_2_congested_0 = buffers_0_congested[2];
    wire outputs_3_entering_0 = buffers_0_entering[3];
    wire outputs_3_leaving_0 = buffers_0_leaving[3];
    wire outputs_3_congested_0 = buffers_0_congested[3];
    wire outputs_0_entering_1 = buffers_1_entering[0];
    wire outputs_0_leaving_1 = buffers_1_leaving[0];
    wire outputs_0_congested_1 = buffers_1_congested[0];
    wire outputs_1_entering_1 = buffers_1_entering[1];
    wire outputs_1_leaving_1 = buffers_1_leaving[1];
    wire outputs_1_congested_1 = buffers_1_congested[1];
    wire outputs_2_entering_1 = buffers_1_entering[2];
    wire outputs_2_leaving_1 = buffers_1_leaving[2];
    wire outputs_2_congested_1 = buffers_1_congested[2];
    wire outputs_3_entering_1 = buffers_1_entering[3];
    wire outputs_3_leaving_1 = buffers_1_leaving[3];
    wire outputs_3_congested_1 = buffers_1_congested[3];
    wire outputs_0_entering_2 = buffers_2_entering[0];
    wire outputs_0_leaving_2 = buffers_2_leaving[0];
    wire outputs_0_congested_2 = buffers_2_congested[0];
    wire outputs_1_entering_2 = buffers_2_entering[1];
    wire outputs_1_leaving_2 = buffers_2_leaving[1];
    wire outputs_1_congested_2 = buffers_2_congested[1];
    wire outputs_2_entering_2 = buffers_2_entering[2];
    wire outputs_2_leaving_2 = buffers_2_leaving[2];
    wire outputs_2_congested_2 = buffers_2_congested[2];
    wire outputs_3_entering_2 = buffers_2_entering[3];
    wire outputs_3_leaving_2 = buffers_2_leaving[3];
    wire outputs_3_congested_2 = buffers_2_congested[3];
    wire outputs_0_entering_3 = buffers_3_entering[0];
    wire outputs_0_leaving_3 = buffers_3_leaving[0];
    wire outputs_0_congested_3 = buffers_3_congested[0];
    wire outputs_1_entering_3 = buffers_3_entering[1];
    wire outputs_1_leaving_3 = buffers_3_leaving[1];
    wire outputs_1_congested_3 = buffers_3_congested[1];
    wire outputs_2_entering_3 = buffers_3_entering[2];
    wire outputs_2_leaving_3 = buffers_3_leaving[2];
    wire outputs_2_congested_3 = buffers_3_congested[2];
    wire outputs_3_entering_3 = buffers_3_entering[3];
    wire outputs_3_leaving_3 = buffers_3_leaving[3];
    wire outputs_3_congested_3 = buffers_3_congested[3];
    wire [3:0] marking_bit_0 = outputs_0_marking ? 4'd1 : 4'd0;
    wire [3:0] marking_bit_1 = outputs_1_marking ? 4'd2 : 4'd0;
    wire [3:0] marking_bit_2 = outputs_2_marking ? 4'd4 : 4'd0;
    wire [3:0] marking_bit_3 = outputs_3_marking ? 4'd8 : 4'd0;
    wire [3:0] marking = marking_bit_0 | marking_bit_1 | marking_bit_2 | marking_bit_3;
    wire [3:0] mark_bit_0 = buffers_0_mark ? 4'd1 : 4'd0;
    wire [3:0] full_bit_0 = buffers_0_full ? 4'd1 : 4'd0;
    wire [3:0] impossible_bit_0 = buffers_0_impossible ? 4'd1 : 4'd0;
    wire [3:0] mark_bit_1 = buffers_1_mark ? 4'd2 : 4'd0;
    wire [3:0] full_bit_1 = buffers_1_full ? 4'd2 : 4'd0;
    wire [3:0] impossible_bit_1 = buffers_1_impossible ? 4'd2 : 4'd0;
    wire [3:0] mark_bit_2 = buffers_2_mark ? 4'd4 : 4'd0;
    wire [3:0] full_bit_2 = buffers_2_full ? 4'd4 : 4'd0;
    wire [3:0] impossible_bit_2 = buffers_2_impossible ? 4'd4 : 4'd0;
    wire [3:0] mark_bit_3 = buffers_3_mark ? 4'd8 : 4'd0;
    wire [3:0] full_bit_3 = buffers_3_full ? 4'd8 : 4'd0;
    wire [3:0] impossible_bit_3 = buffers_3_impossible ? 4'd8 : 4'd0;
    assign mark = mark_bit_0 | mark_bit_1 | mark_bit_2 | mark_bit_3;
    assign full = full_bit_0 | full_bit_1 | full_bit_2 | full_bit_3;
    assign impossible = impossible_bit_0 | impossible_bit_1 | impossible_bit_2 | impossible_bit_3;

    tidegate_input_buffer_4 buffers_0 (
        .clock(clock),
        .reset(reset),
        .buffer_packets(buffer_packets),
        .full_when_whole(full_when_whole),
        .enter(buffers_0_enter),
        .enter_output(buffers_0_enter_output),
        .complete(buffers_0_complete),
        .leave(buffers_0_leave),
        .leave_output(buffers_0_leave_output),
        .free(buffers_0_free),
        .marking(marking),
        .mark(buffers_0_mark),
        .full(buffers_0_full),
        .impossible(buffers_0_impossible),
        .entering(buffers_0_entering),
        .leaving(buffers_0_leaving),
        .congested(buffers_0_congested),
        .waiting_0(buffers_0_waiting_0),
        .waiting_1(buffers_0_waiting_1),
        .waiting_2(buffers_0_waiting_2),
        .waiting_3(buffers_0_waiting_3)
    );

    tidegate_input_buffer_4 buffers_1 (
        .clock(clock),
        .reset(reset),
        .buffer_packets(buffer_packets),
        .full_when_whole(full_when_whole),
        .enter(buffers_1_enter),
        .enter_output(buffers_1_enter_output),
        .complete(buffers_1_complete),
        .leave(buffers_1_leave),
        .leave_output(buffers_1_leave_output),
        .free(buffers_1_free),
        .marking(marking),
        .mark(buffers_1_mark),
        .full(buffers_1_full),
        .impossible(buffers_1_impossible),
        .entering(buffers_1_entering),
        .leaving(buffers_1_leaving),
        .congested(buffers_1_congested),
        .waiting_0(buffers_1_waiting_0),
        .waiting_1(buffers_1_waiting_1),
        .waiting_2(buffers_1_waiting_2),
        .waiting_3(buffers_1_waiting_3)
    );

    tidegate_input_buffer_4 buffers_2 (
        .clock(clock),
        .reset(reset),
        .buffer_packets(buffer_packets),
        .full_when_whole(full_when_whole),
        .enter(buffers_2_enter),
        .enter_output(buffers_2_enter_output),
        .complete(buffers_2_complete),
        .leave(buffers_2_leave),
        .leave_output(buffers_2_leave_output),
        .free(buffers_2_free),
        .marking(marking),
        .mark(buffers_2_mark),
        .full(buffers_2_full),
        .impossible(buffers_2_impossible),
        .entering(buffers_2_entering),
        .leaving(buffers_2_leaving),
        .congested(buffers_2_congested),
        .waiting_0(buffers_2_waiting_0),
        .waiting_1(buffers_2_waiting_1),
        .waiting_2(buffers_2_waiting_2),
        .waiting_3(buffers_2_waiting_3)
    );

    tidegate_input_buffer_4 buffers_3 (
        .clock(clock),
        .reset(reset),
        .buffer_packets(buffer_packets),
        .full_when_whole(full_when_whole),
        .enter(buffers_3_enter),
        .enter_output(buffers_3_enter_output),
        .complete(buffers_3_complete),
        .leave(buffers_3_leave),
        .leave_output(buffers_3_leave_output),
        .free(buffers_3_free),
        .marking(marking),
        .mark(buffers_3_mark),
        .full(buffers_3_full),
        .impossible(buffers_3_impossible),
        .entering(buffers_3_entering),
        .leaving(buffers_3_leaving),
        .congested(buffers_3_congested),
        .waiting_0(buffers_3_waiting_0),
        .waiting_1(buffers_3_waiting_1),
        .waiting_2(buffers_3_waiting_2),
        .waiting_3(buffers_3_waiting_3)
    );

    tidegate_output_marker_4 outputs_0 (
        .clock(clock),
        .reset(reset),
        .entering_0(outputs_0_entering_0),
        .entering_1(outputs_0_entering_1),
        .entering_2(outputs_0_entering_2),
        .entering_3(outputs_0_entering_3),
        .leaving_0(outputs_0_leaving_0),
        .leaving_1(outputs_0_leaving_1),
        .leaving_2(outputs_0_leaving_2),
        .leaving_3(outputs_0_leaving_3),
        .congested_0(outputs_0_congested_0),
        .congested_1(outputs_0_congested_1),
        .congested_2(outputs_0_congested_2),
        .congested_3(outputs_0_congested_3),
        .marking(outputs_0_marking)
    );

    tidegate_output_marker_4 outputs_1 (
        .clock(clock),
        .reset(reset),
        .entering_0(outputs_1_entering_0),
        .entering_1(outputs_1_entering_1),
        .entering_2(outputs_1_entering_2),
        .entering_3(outputs_1_entering_3),
        .leaving_0(outputs_1_leaving_0),
        .leaving_1(outputs_1_leaving_1),
        .leaving_2(outputs_1_leaving_2),
        .leaving_3(outputs_1_leaving_3),
        .congested_0(outputs_1_congested_0),
        .congested_1(outputs_1_congested_1),
        .congested_2(outputs_1_congested_2),
        .congested_3(outputs_1_congested_3),
        .marking(outputs_1_marking)
    );

    tidegate_output_marker_4 outputs_2 (
        .clock(clock),
        .reset(reset),
        .entering_0(outputs_2_entering_0),
        .entering_1(outputs_2_entering_1),
        .entering_2(outputs_2_entering_2),
        .entering_3(outputs_2_entering_3),
        .leaving_0(outputs_2_leaving_0),
        .leaving_1(outputs_2_leaving_1),
        .leaving_2(outputs_2_leaving_2),
        .leaving_3(outputs_2_leaving_3),
        .congested_0(outputs_2_congested_0),
        .congested_1(outputs_2_congested_1),
        .congested_2(outputs_2_congested_2),
        .congested_3(outputs_2_congested_3),
        .marking(outputs_2_marking)
    );

    tidegate_output_marker_4 outputs_3 (
        .clock(clock),
        .reset(reset),
        .entering_0(outputs_3_entering_0),
        .entering_1(outputs_3_entering_1),
        .entering_2(outputs_3_entering_2),
        .entering_3(outputs_3_entering_3),
        .leaving_0(outputs_3_leaving_0),
        .leaving_1(outputs_3_leaving_1),
        .leaving_2(outputs_3_leaving_2),
        .leaving_3(outputs_3_leaving_3),
        .congested_0(outputs_3_congested_0),
        .congested_1(outputs_3_congested_1),
        .congested_2(outputs_3_congested_2),
        .congested_3(outputs_3_congested_3),
        .marking(outputs_3_marking)
    );

    wire unused = &{1'b0, buffers_0_waiting_0, buffers_0_waiting_1, buffers_0_waiting_2, buffers_0_waiting_3,
        buffers_1_waiting_0, buffers_1_waiting_1, buffers_1_waiting_2, buffers_1_waiting_3, buffers_2_waiting_0,
        buffers_2_waiting_1, buffers_2_waiting_2, buffers_2_waiting_3, buffers_3_waiting_0, buffers_3_waiting_1,
        buffers_3_waiting_2, buffers_3_waiting_3};
endmodule

`default_nettype wire
