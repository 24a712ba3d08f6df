// The reaction point of End-to-end congestion control for InfiniBand with fixed parameters.
// Scheme: End-to-end congestion control for InfiniBand (infiniband). infiniband.txt IV, V; older than the standard's own (threshold, marking rate, CCT)
// Made by tidegate 0.1.0 with: tidegate emit --scheme infiniband --out DIR
// Parameters:
//   buffer_packets = 4
//   clock_mhz = 125
//   decrease_factor = 2
//   line_rate_mbps = 8000
//   marking = counters
//   packet_bytes = 2048
//   persistent = false
//   ports = 4
//   profile = paper
//   rate_steps = 256
//   response = lipd

module source_infiniband_fixed (
    input  wire       clock,       // Rising edge counts
    input  wire       reset,       // Synchronous, active high
    input  wire       request,     // A packet waits; hold until `grant`
    output wire       grant,       // It may start in this cycle
    output wire       outstanding, // A packet is out whose ACK was not handed over yet
    input  wire       ack,         // An ACK comes
    input  wire       ack_marked,  // Its packet was marked
    output wire       stray,       // It belongs to no packet
    input  wire       flow_start,  // A new flow to the same destination begins
    output wire [7:0] ipd          // Idle packet times between two packets
);
    source_infiniband reaction_point (
        .clock(clock),
        .reset(reset),
        .packet_cycles(16'h100),
        .response(2'd0),
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
