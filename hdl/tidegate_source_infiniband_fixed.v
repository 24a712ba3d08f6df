// SPDX-License-Identifier: MIT OR Apache-2.0
// The reaction point of End-to-end congestion control for InfiniBand with fixed parameters.
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

module tidegate_source_infiniband_fixed (
    input  wire       clock,       // Clock, rising edge
    input  wire       reset,       // Synchronous reset, active high
    input  wire       request,     // A packet waits to be sent; hold until `grant`
    output wire       grant,       // The requested packet may start in this cycle
    output wire       outstanding, // A packet is outstanding: the calculator has not yet taken its ACK
    input  wire       ack,         // An ACK arrives in this cycle
    input  wire       ack_marked,  // The packet of this ACK was marked; valid with `ack`
    output wire       stray,       // The ACK of this cycle belongs to no outstanding packet and is ignored
    input  wire       flow_start,  // A new flow to the same destination begins in this cycle
    output wire [7:0] ipd          // Inter-packet delay: idle packet times between two packets, 0 to 255
);
    tidegate_source_infiniband reaction_point (
        .clock(clock),
        .reset(reset),
        .packet_cycles(16'h100),
        .persistent(1'd0),
        .request(request),
        .grant(grant),
        .outstanding(outstanding),
        .ack(ack),
        .ack_marked(ack_marked),
        .stray(stray),
        .flow_start(flow_start),
        .ipd(ipd)
    );
endmodule

`default_nettype wire
