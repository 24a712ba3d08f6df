// The step of QCN's calculator for a reaction point of many flows: a rate between minimum rate and line rate leads to one
// between them.

module `PROPERTIES (
    input clock,
    input reset,
    input start_decrease,
    input start_byte,
    input start_time,
    input [24:0] rate,
    input [24:0] target,
    input [5:0] byte_stage,
    input [5:0] time_stage
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate, min_rate;
    wire changes;
    wire [24:0] new_rate;

    `PART device (
        .clock(clock), .reset(reset), .start_decrease(start_decrease), .start_byte(start_byte), .start_time(start_time),
        .rate(rate), .target(target), .byte_stage(byte_stage), .time_stage(time_stage),
        `OTHER_CONNECTIONS
        .line_rate(line_rate), .min_rate(min_rate), .changes(changes),
        .new_rate(new_rate)
    );

    // The rate and the stages are held while an operation is done, and the operations come one after the other.
    reg started = 0, held = 0;
    reg [36:0] before;
    wire starts = start_decrease || start_byte || start_time;
    always @(posedge clock) begin
        started <= 1;
        held <= (starts || held) && !changes && !reset;
        before <= {rate, byte_stage, time_stage};
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate && rate >= min_rate && rate <= line_rate);
        assume(start_decrease + start_byte + start_time <= 1);
        if (held) assume(!starts);
        if (held) assume({rate, byte_stage, time_stage} == before);
    end

    // The calculator rests while no operation is done: its state is 0.
    (* keep *) wire [3:0] guess_idle = 0;
    (* keep *) wire guess_idle_if = started && !held;

    always @(*) if (started) begin
        new_rate_in_bounds: assert(new_rate >= min_rate && new_rate <= line_rate);
        never_less_than_half: assert(!changes || new_rate >= rate >> 1);
    end
endmodule
