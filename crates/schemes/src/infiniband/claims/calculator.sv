// SPDX-License-Identifier: MIT OR Apache-2.0
// The rate of a source. If its response has a table, the words of the table are free.

module calculator_infiniband_properties (
    input clock,
    input reset,
    input feedback_valid,
    input feedback_marked,
    input flow_start
);
    // Any value that does not change.
    (* anyconst *) wire persistent;
    wire feedback_ready;
    wire [7:0] ipd;

    calculator_infiniband device (
        .clock(clock), .reset(reset), .feedback_valid(feedback_valid), .feedback_ready(feedback_ready),
        .feedback_marked(feedback_marked), .flow_start(flow_start), .persistent(persistent), .ipd(ipd)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Values of the cycle before.
    reg [7:0] was = 0;
    reg was_reset = 0, restarted = 0, mark_taken = 0, taken = 0, was_ready = 0;
    wire restarts = flow_start && !persistent;
    always @(posedge clock) begin
        was <= ipd;
        was_reset <= reset;
        restarted <= restarts;
        taken <= feedback_valid && feedback_ready;
        mark_taken <= feedback_valid && feedback_ready && feedback_marked;
        was_ready <= feedback_ready;
    end

    always @(*) if (started) begin
        reset_is_r_max: assert(!was_reset || ipd == 0);
        new_flow_is_r_max: assert(!restarted || ipd == 0);
        falls_by_marks_only: assert(ipd <= was || mark_taken);
        rises_by_one_rate: assert(was_reset || restarted || mark_taken || ipd >= was || was - ipd == 1);
        rises_while_busy: assert(was_reset || restarted || mark_taken || ipd == was || !was_ready);
        busy_behind_an_ack: assert(!taken || !feedback_ready);
    end
endmodule
