// SPDX-License-Identifier: MIT OR Apache-2.0
// The congestion point of End-to-end congestion control for InfiniBand with fixed parameters.
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR
// Parameters:
//   buffer_packets = 4
//   clock_mhz = 125
//   decrease_factor = 2
//   full_when = whole
//   line_rate_mbps = 8000
//   marking = counters
//   packet_bytes = 2048
//   persistent = false
//   ports = 4
//   profile = paper
//   rate_steps = 256
//   response = lipd

`default_nettype none

module tidegate_marking_4_fixed (
    input  wire       clock,        // Clock, rising edge
    input  wire       reset,        // Synchronous reset, active high
    // For each input: the header of a packet is in. Not allowed while the bit of `full` is set; with `full_when_whole`
    // not before `complete` of the packet in front
    input  wire [3:0] enter,
    input  wire [7:0] enter_output, // For each input: output to which the packet goes; valid with `enter`
    // For each input: the last byte of a packet is in: of the one that is coming in, or if none is, of the one that
    // enters in this cycle. Once for each packet, also if it has begun to leave. May stay low if `full_when_whole` is
    // always 0
    input  wire [3:0] complete,
    input  wire [3:0] leave,        // For each input: a packet that waits begins to leave
    input  wire [7:0] leave_output, // For each input: output on which the packet leaves; valid with `leave`
    // For each input: the last byte of a packet that began to leave, in this cycle or before, has left; free its slot
    input  wire [3:0] free,
    output wire [3:0] mark,         // For each input: mark the packet that begins to leave in this cycle
    output wire [3:0] full,         // For each input: the buffer has no free slot, so no packet may enter
    output wire [3:0] impossible    // For each input: an event of this cycle is impossible and is ignored
);
    tidegate_marking_4 congestion_point (
        .clock(clock),
        .reset(reset),
        .buffer_packets(4'd4),
        .full_when_whole(1'd1),
        .enter(enter),
        .enter_output(enter_output),
        .complete(complete),
        .leave(leave),
        .leave_output(leave_output),
        .free(free),
        .mark(mark),
        .full(full),
        .impossible(impossible)
    );
endmodule

`default_nettype wire
