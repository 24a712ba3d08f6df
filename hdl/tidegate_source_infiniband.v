// SPDX-License-Identifier: MIT OR Apache-2.0
// An InfiniBand source that reacts to marks: a window of one packet, and a rate that each ACK
// adjusts (Santos 2002, sections IV.B and V).
//
// To send a packet, drive `request` and hold it until `grant`; the ACK of the packet arrives with
// `ack`. From an ACK to the next grant there are at least seven cycles, and four more for each
// higher rate that the ACK buys.
//
// Scheme: End-to-end congestion control for InfiniBand (infiniband). Santos 2002: End-to-End
//   Congestion Control for InfiniBand, sections IV and V; older than the congestion control of the
//   InfiniBand standard (threshold, marking rate, CCT).
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.2.0 with: tidegate emit --scheme infiniband --out DIR

`default_nettype none

module tidegate_source_infiniband (
    input  wire        clock,         // Clock, rising edge
    input  wire        reset,         // Synchronous reset, active high
    input  wire [15:0] packet_cycles, // Packet time: cycles that one packet takes at R_max, 2 or more
    input  wire        persistent,    // 1: a new flow starts at the rate of the flow before; 0: at R_max
    input  wire        request,       // A packet waits to be sent; hold until `grant`
    output wire        grant,         // The requested packet may start in this cycle
    output wire        outstanding,   // A packet is outstanding: the calculator has not yet taken its ACK
    input  wire        ack,           // An ACK arrives in this cycle
    input  wire        ack_marked,    // The packet of this ACK was marked; valid with `ack`
    output wire        stray,         // The ACK of this cycle belongs to no outstanding packet and is ignored
    input  wire        flow_start,    // A new flow to the same destination begins in this cycle
    output wire [7:0]  ipd            // Inter-packet delay: idle packet times between two packets, 0 to 255
);
    wire calculator_feedback_ready;
    wire inter_packet_delay_feedback_valid;
    wire inter_packet_delay_feedback_marked;

    tidegate_calculator_infiniband calculator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(inter_packet_delay_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .feedback_marked(inter_packet_delay_feedback_marked),
        .flow_start(flow_start),
        .persistent(persistent),
        .ipd(ipd)
    );

    tidegate_inter_packet_delay inter_packet_delay (
        .clock(clock),
        .reset(reset),
        .packet_cycles(packet_cycles),
        .ipd(ipd),
        .request(request),
        .grant(grant),
        .outstanding(outstanding),
        .ack(ack),
        .ack_marked(ack_marked),
        .stray(stray),
        .feedback_valid(inter_packet_delay_feedback_valid),
        .feedback_marked(inter_packet_delay_feedback_marked),
        .feedback_ready(calculator_feedback_ready)
    );
endmodule

`default_nettype wire
