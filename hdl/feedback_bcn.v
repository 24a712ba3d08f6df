// Turns the sample at the head of the queue into the fields of a frame: Qoff and dQ, of which the reaction point makes
// Fb (smcc.txt equation (1)). A queue that is longer than Q_sc sends two zeros, BCN(0,0), which stop the source; a
// sample that would look the same is not sent. A frame can begin one cycle after its sample is there; a sample that is
// not sent is dropped then.
// Scheme: Backward congestion notification (bcn). smcc.txt 2.2
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme bcn --out DIR

module feedback_bcn (
    input  wire        clock,              // Rising edge counts
    input  wire        reset,              // Synchronous, active high
    input  wire        sample_valid,       // A sample waits: the fields below are its
    input  wire        controlled,         // A reaction point governs its flow
    input  wire [24:0] q_offset,           // Its queue offset, bytes, two's complement
    input  wire [24:0] q_delta,            // Its change of the queue, bytes, two's complement
    input  wire        frame_done,         // The packet generator sends its last word
    input  wire [23:0] severe_offset,      // Q_sc less q0, bytes: a larger offset is severe congestion
    input  wire [23:0] interval_low_0,     // Smallest sampling interval, in what the sampler counts
    output wire        feedback_valid,     // The fields below make a frame; they hold until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: not used by this scheme, 0
    output reg  [15:0] q_offset_units,     // QOffset, 64 octets, two's complement
    output reg  [15:0] q_delta_units,      // QDelta, 64 octets, two's complement
    output wire        pop,                // Done with this sample
    output wire [23:0] interval_low        // Smallest sampling interval from now on
);
    reg held; // What is below is of the sample that waits
    reg severe; // The queue is longer than Q_sc
    reg some_offset; // Its offset is not 0
    reg some_delta; // Its change is not 0

    initial begin
        held = 1'd0;
        severe = 1'd0;
        some_offset = 1'd0;
        some_delta = 1'd0;
    end
    wire [15:0] offset_units;
    wire [15:0] delta_units;
    wire sends = controlled && (severe || some_offset || some_delta);
    wire done = held && (frame_done || !sends);
    assign feedback_valid = held && sends;
    assign pop = done;
    always @* begin
        q_offset_units = offset_units;
        q_delta_units = delta_units;
        if (severe) begin
            q_offset_units = 16'd0;
            q_delta_units = 16'd0;
        end
    end
    assign quantized_feedback = 6'd0;
    assign interval_low = interval_low_0;
    frame_units offset (
        .bytes(q_offset),
        .units(offset_units)
    );
    frame_units delta (
        .bytes(q_delta),
        .units(delta_units)
    );
    always @(posedge clock) begin
        if (!held) begin
            severe <= !q_offset[24] && (q_offset > {1'd0, severe_offset});
            some_offset <= |offset_units;
            some_delta <= |delta_units;
        end
        held <= sample_valid && !done;
        if (reset) begin
            held <= 1'd0;
        end
    end
endmodule
