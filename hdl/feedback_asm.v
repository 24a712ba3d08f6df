// Turns the sample at the head of the queue into the fields of a frame: Qf and dQ, both signs, each quantised (asm.txt
// sections 4.1 and 5.1). A frame can begin one cycle after its sample is there, and a sample of a flow that no reaction
// point governs is dropped then.
// Scheme: Adaptive sliding mode congestion control (asm). asm.txt 4
// Parameters of the scheme are inputs: drive them from registers or with constants.
// Made by tidegate 0.1.0 with: tidegate emit --scheme asm --out DIR

module feedback_asm (
    input  wire        clock,              // Rising edge counts
    input  wire        reset,              // Synchronous, active high
    input  wire        sample_valid,       // A sample waits: the fields below are its
    input  wire        controlled,         // A reaction point governs its flow
    input  wire [24:0] q_offset,           // Its queue offset, bytes, two's complement
    input  wire [24:0] q_delta,            // Its change of the queue, bytes, two's complement
    input  wire        frame_done,         // The packet generator sends its last word
    input  wire [15:0] quantiser_limit,    // Largest quantised value, 64 octets
    input  wire [15:0] quantiser_mask,     // Bits that the quantiser keeps
    input  wire [23:0] interval_low_0,     // Smallest sampling interval, in what the sampler counts
    output wire        feedback_valid,     // The fields below make a frame; they hold until `frame_done`
    output wire [5:0]  quantized_feedback, // QntzFb: not used by this scheme, 0
    output wire [15:0] q_offset_units,     // QOffset, 64 octets, two's complement
    output wire [15:0] q_delta_units,      // QDelta, 64 octets, two's complement
    output wire        pop,                // Done with this sample
    output wire [23:0] interval_low        // Smallest sampling interval from now on
);
    reg held; // The sample that waits is quantised
    reg [15:0] held_offset; // Its offset
    reg [15:0] held_delta; // Its change of the queue

    initial begin
        held = 1'd0;
        held_offset = 16'd0;
        held_delta = 16'd0;
    end
    wire [15:0] offset_units;
    wire [15:0] delta_units;
    wire [15:0] offset_quantiser_quantised;
    wire [15:0] delta_quantiser_quantised;
    wire done = held && (frame_done || !controlled);
    assign feedback_valid = held && controlled;
    assign pop = done;
    assign q_offset_units = held_offset;
    assign q_delta_units = held_delta;
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
    quantiser offset_quantiser (
        .units(offset_units),
        .limit(quantiser_limit),
        .mask(quantiser_mask),
        .quantised(offset_quantiser_quantised)
    );
    quantiser delta_quantiser (
        .units(delta_units),
        .limit(quantiser_limit),
        .mask(quantiser_mask),
        .quantised(delta_quantiser_quantised)
    );
    always @(posedge clock) begin
        if (!held) begin
            held_offset <= offset_quantiser_quantised;
            held_delta <= delta_quantiser_quantised;
        end
        held <= sample_valid && !done;
        if (reset) begin
            held <= 1'd0;
        end
    end
endmodule
