// Block feedback alone, as it stands in the cp.
// Scheme: Sliding mode congestion control (smcc). smcc.txt 4
// Made by tidegate 0.1.0 with: tidegate emit --scheme smcc --out DIR

module feedback_smcc(clock,reset,sample_valid,controlled,q_offset,q_delta,frame_done,feedback_valid,quantized_feedback,q_offset_units,q_delta_units,pop,interval_low,interval_low_0);

    // Module arguments
    input wire  clock;
    input wire  reset;
    input wire  sample_valid;
    input wire  controlled;
    input wire  [24:0] q_offset;
    input wire  [24:0] q_delta;
    input wire  frame_done;
    output reg  feedback_valid;
    output reg  [5:0] quantized_feedback;
    output reg  [15:0] q_offset_units;
    output reg  [15:0] q_delta_units;
    output reg  pop;
    output reg  [23:0] interval_low;
    input wire  [23:0] interval_low_0;

    // Stub signals
    reg  [24:0] offset$bytes;
    wire  [15:0] offset$units;
    reg  [24:0] delta$bytes;
    wire  [15:0] delta$units;

    // Sub module instances
    feedback_smcc$offset offset(
        .bytes(offset$bytes),
        .units(offset$units)
    );
    feedback_smcc$delta delta(
        .bytes(delta$bytes),
        .units(delta$units)
    );

    // Update code
    always @(*) begin
        offset$bytes = q_offset;
        delta$bytes = q_delta;
        q_offset_units = offset$units;
        q_delta_units = delta$units;
        quantized_feedback = 32'h0;
        interval_low = interval_low_0;
        feedback_valid = sample_valid & controlled;
        pop = sample_valid & (frame_done | ~controlled);
    end

endmodule // feedback_smcc


module feedback_smcc$delta(bytes,units);

    // Module arguments
    input wire  [24:0] bytes;
    output reg  [15:0] units;

    // Local signals
    reg  [3:0] top;

    // Update code
    always @(*) begin
        top = bytes[(32'h15)+:(4)];
        units = bytes[(32'h6)+:(16)];
        if (bytes[32'h18] & (top != 32'hf)) begin
            units = 32'h8000;
        end
        else if (~bytes[32'h18] & |top) begin
            units = 32'h7fff;
        end
    end

endmodule // feedback_smcc$delta


module feedback_smcc$offset(bytes,units);

    // Module arguments
    input wire  [24:0] bytes;
    output reg  [15:0] units;

    // Local signals
    reg  [3:0] top;

    // Update code
    always @(*) begin
        top = bytes[(32'h15)+:(4)];
        units = bytes[(32'h6)+:(16)];
        if (bytes[32'h18] & (top != 32'hf)) begin
            units = 32'h8000;
        end
        else if (~bytes[32'h18] & |top) begin
            units = 32'h7fff;
        end
    end

endmodule // feedback_smcc$offset
