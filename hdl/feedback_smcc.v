// Turns the sample at the head of the queue into the fields of a frame (smcc.txt section 4.2: Qoff and dQ travel apart,
// both signs). Combinational; a sample of a flow that no reaction point governs is dropped in one cycle.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module feedback_smcc (
    input  wire        clock,              // Rising edge counts
    input  wire        reset,              // Synchronous, active high
    input  wire        sample_valid,       // A sample waits: the fields below are its
    input  wire        controlled,         // A reaction point governs its flow
    input  wire [24:0] q_offset,           // Its queue offset, bytes, two's complement
    input  wire [24:0] q_delta,            // Its change of the queue, bytes, two's complement
    input  wire        frame_done,         // The packet generator sends its last word
    output wire        feedback_valid,     // The fields below make a frame; they hold until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: not used by this scheme, 0
    output wire [15:0] q_offset_units,     // QOffset, 64 octets, two's complement
    output wire [15:0] q_delta_units,      // QDelta, 64 octets, two's complement
    output wire        pop,                // Done with this sample
    output wire [23:0] interval_low,       // Smallest sampling interval from now on
    input  wire [23:0] interval_low_0      // Smallest sampling interval, in what the sampler counts
);
    assign quantized_feedback = 6'd0;
    assign interval_low = interval_low_0;
    assign feedback_valid = sample_valid && controlled;
    assign pop = sample_valid && (frame_done || !controlled);
    frame_units offset (
        .bytes(q_offset),
        .units(q_offset_units)
    );
    frame_units delta (
        .bytes(q_delta),
        .units(q_delta_units)
    );
    wire unused = &{1'b0, clock, reset};
endmodule
