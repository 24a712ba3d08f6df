// SPDX-License-Identifier: MIT OR Apache-2.0
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
    (* anyconst *) wire [3:0] gd_shift;
    wire changes;
    wire [24:0] new_rate;

    `PART device (
        .clock(clock), .reset(reset), .start_decrease(start_decrease), .start_byte(start_byte), .start_time(start_time),
        .rate(rate), .target(target), .byte_stage(byte_stage), .time_stage(time_stage),
        `OTHER_CONNECTIONS
        .line_rate(line_rate), .min_rate(min_rate), .gd_shift(gd_shift), .changes(changes),
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

    (* anyseq *) wire [3:0] inner_phase;
    (* anyseq *) wire inner_multiplies, inner_decrease, inner_halves, inner_ends;
    (* anyseq *) wire [5:0] inner_factor;
    (* anyseq *) wire [30:0] inner_product;
    // If the cut is not half of the rate: QntzFb is below 2^(gd_shift - 1), and so is the product of the rate and what has
    // been taken of it. `taken` is the number of bits that have been taken.
    wire [3:0] taken = inner_phase - `QcnPhase_Multiply1;
    wire [4:0] beyond = {1'b0, taken} + 1 - gd_shift;
    wire [30:0] most = {6'd0, rate} << 6;
    wire multiplies = inner_decrease && inner_phase >= `QcnPhase_Multiply1 && inner_phase <= `QcnPhase_Change;

    always @(*) if (started) begin
        helper_multiplies: assert(inner_multiplies == (inner_phase >= `QcnPhase_Multiply1 && inner_phase < `QcnPhase_Change));
        helper_ends: assert(inner_ends == (inner_phase == `QcnPhase_Apply));
        helper_factor: assert(!multiplies || inner_halves || inner_factor >> (taken + 1 > gd_shift ? 4'd0 : gd_shift - 4'd1 - taken) == 0);
        helper_product: assert(!multiplies || inner_halves || inner_product <= most >> (taken + 1 > gd_shift ? beyond : 5'd0));
        helper_cut: assert(!inner_decrease || inner_phase != `QcnPhase_Limit || inner_product <= rate >> 1);
        helper_inverse: assert(!inner_decrease || inner_phase != `QcnPhase_Average
            || inner_product[0] && ~inner_product >> 1 <= rate >> 1);
        helper_target: assert(inner_decrease || inner_phase != `QcnPhase_Average || inner_product >> 25 == 0);
        new_rate_in_bounds: assert(new_rate >= min_rate && new_rate <= line_rate);
        never_less_than_half: assert(!changes || new_rate >= rate >> 1);
    end
endmodule
