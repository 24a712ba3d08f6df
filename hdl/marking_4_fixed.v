// The congestion point of End-to-end congestion control for InfiniBand with fixed parameters.
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

module marking_4_fixed (
    input  wire       clock,        // Rising edge counts
    input  wire       reset,        // Synchronous, active high
    input  wire [3:0] enter,        // A packet enters at this input: not while its bit of `full` is set
    input  wire [7:0] enter_output, // The output that it is for
    input  wire [3:0] leave,        // A packet from this input begins to leave
    input  wire [7:0] leave_output, // The output that it leaves on
    input  wire [3:0] free,         // A packet from this input is gone: its slot is free
    output wire [3:0] mark,         // The packet that begins to leave from this input is marked
    output wire [3:0] full,         // The buffer of this input has no free slot
    output wire [3:0] impossible    // An event at this input counts for nothing, because it cannot be
);
    marking_4 congestion_point (
        .clock(clock),
        .reset(reset),
        .buffer_packets(4'd4),
        .enter(enter),
        .enter_output(enter_output),
        .leave(leave),
        .leave_output(leave_output),
        .free(free),
        .mark(mark),
        .full(full),
        .impossible(impossible)
    );
endmodule
