// A source that answers marks: a window of one packet, and a rate that each ACK adjusts (infiniband.txt section IV-B
// and V).
// Scheme: End-to-end congestion control for InfiniBand (infiniband). infiniband.txt IV, V; older than the standard's own (threshold, marking rate, CCT)
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme infiniband --out DIR

module source_infiniband (
    input  wire        clock,         // Rising edge counts
    input  wire        reset,         // Synchronous, active high
    input  wire [15:0] packet_cycles, // Cycles that one packet takes at R_max, 2 or more
    input  wire [1:0]  response,      // 0 = LIPD, 1 = FIMD, 2 = AIMD
    input  wire        persistent,    // A new flow goes on at the rate of the one before
    input  wire        request,       // A packet waits; hold until `grant`
    output wire        grant,         // It may start in this cycle
    output wire        outstanding,   // A packet is out whose ACK was not handed over yet
    input  wire        ack,           // An ACK comes
    input  wire        ack_marked,    // Its packet was marked
    output wire        stray,         // It belongs to no packet
    input  wire        flow_start,    // A new flow to the same destination begins
    output wire [7:0]  ipd            // Idle packet times between two packets
);
    wire calculator_feedback_ready;
    wire inter_packet_delay_feedback_valid;
    wire inter_packet_delay_feedback_marked;
    calculator_infiniband calculator (
        .clock(clock),
        .reset(reset),
        .feedback_valid(inter_packet_delay_feedback_valid),
        .feedback_ready(calculator_feedback_ready),
        .feedback_marked(inter_packet_delay_feedback_marked),
        .flow_start(flow_start),
        .response(response),
        .persistent(persistent),
        .ipd(ipd)
    );
    inter_packet_delay inter_packet_delay (
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
