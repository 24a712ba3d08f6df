// SPDX-License-Identifier: MIT OR Apache-2.0
// The rates of all flows of a reaction point stay within their bounds.

module `PROPERTIES (
    input clock,
    input reset
);
    // Parameters: any values that do not change.
    `OTHER_INPUTS
    (* anyconst *) wire [24:0] line_rate, min_rate;
    wire clearing;

    `PART device (
        .clock(clock), .reset(reset), .flow_mask(12'd3),
        `OTHER_CONNECTIONS
        .line_rate(line_rate), .min_rate(min_rate), .clearing(clearing)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) begin
        if (!started) assume(reset);
        assume(min_rate <= line_rate);
`ifndef WITHOUT_LEVELS
        // A level of the rate is a power of two, and both bounds are levels.
        assume((rate_cut & (rate_cut + 1)) == 0 && ((line_rate | min_rate) & rate_cut) == 0);
`endif
    end

    (* anyseq *) wire [27:0] inner_rate_memory__rates_read_data, inner_rate_memory__old_rate;
    (* anyseq *) wire [24:0] inner_rate_exchange__rate_read, inner_rate_memory__least;
    (* anyseq *) wire [11:0] inner_flow_visit__flow;
    (* anyseq *) wire [4:0] inner_flow_sequencer__phase;
    (* anyseq *) wire [2:0] inner_flow_visit__task_;
    (* anyseq *) wire inner_flow_sequencer__turns, inner_flow_sequencer__checks, inner_flow_sequencer__settles,
        inner_flow_sequencer__caps, inner_flow_sequencer__deducts, inner_flow_sequencer__writes;
    (* anyseq *) wire inner_flow_turns__asks_change, inner_rate_exchange__rate_known, inner_rate_exchange__change_due;
    function fits(input [24:0] rate);
`ifdef STOPS
        fits = (rate >= min_rate || rate == 0) && rate <= line_rate;
`else
        fits = rate >= min_rate && rate <= line_rate;
`endif
    endfunction

    // A word of the memory; with bit 25 it is the line rate.
    function word_fits(input [25:0] word);
        word_fits = word[25] || fits(word[24:0]);
    endfunction

    // The words of the memory; while it is being cleared, those before this one.
    wire [3:0] words_fit, words_cleared;
    genvar i;
    generate for (i = 0; i < 4; i = i + 1) begin : flows
        (* anyseq *) wire [25:0] inner_rate_memory__rates;
        (* keep *) wire [1:0] inner_rate_memory__rates_at = i;
        assign words_fit[i] = word_fits(inner_rate_memory__rates);
        assign words_cleared[i] = inner_flow_visit__flow <= i || words_fit[i];
    end endgenerate

    // A rate was read, or a new one is to be stored.
    wire given = inner_rate_exchange__rate_known || inner_rate_exchange__change_due || inner_flow_turns__asks_change
        || inner_flow_sequencer__phase >= `FlowPhase_Fetch && inner_flow_visit__task_ == `FlowTask_Change;
`ifdef SMCC
    // The bound that a change must not pass, by its direction.
    (* anyseq *) wire inner_calculator__increase;
    (* anyseq *) wire [26:0] inner_calculator__less_bound;
    always @(*) if (started)
        helper_bound: assert(inner_calculator__less_bound == -{2'd0, inner_calculator__increase ? line_rate : min_rate});
`endif
    // The calculator rests while there is no rate: its state is 0.
    (* keep *) wire [1:0] guess_idle_2 = 0;
    (* keep *) wire [3:0] guess_idle_4 = 0;
    (* keep *) wire guess_idle_2_if = started && !inner_rate_exchange__rate_known,
        guess_idle_4_if = started && !inner_rate_exchange__rate_known;
    (* keep *) wire guess_rest_1 = 0;
    (* keep *) wire [3:0] guess_rest_4 = 0;
    (* keep *) wire guess_rest_1_if = started && clearing, guess_rest_4_if = started && clearing;

    always @(*) if (started) begin
`ifdef STOPS
        all_rates_in_bounds_or_stopped: assert(clearing || words_fit == 15);
`else
        all_rates_in_bounds: assert(clearing || words_fit == 15);
`endif
        helper_cleared: assert(!clearing || words_cleared == 15);
        helper_read: assert(clearing && inner_flow_visit__flow <= 5 || word_fits(inner_rate_memory__rates_read_data[25:0]));
        helper_old: assert(clearing && inner_flow_visit__flow <= 6 || word_fits(inner_rate_memory__old_rate[25:0]));
        helper_least: assert(inner_rate_memory__least == min_rate);
        helper_phase: assert(inner_flow_sequencer__phase <= `FlowPhase_Push);
        // Phases that are known without decoding them.
        helper_phases: assert({inner_flow_sequencer__turns, inner_flow_sequencer__checks, inner_flow_sequencer__settles,
            inner_flow_sequencer__caps, inner_flow_sequencer__deducts, inner_flow_sequencer__writes}
            == {inner_flow_sequencer__phase == `FlowPhase_Turn, inner_flow_sequencer__phase == `FlowPhase_Check,
                inner_flow_sequencer__phase == `FlowPhase_Settle, inner_flow_sequencer__phase == `FlowPhase_Cap,
                inner_flow_sequencer__phase == `FlowPhase_Deduct, inner_flow_sequencer__phase == `FlowPhase_Write});
        helper_none: assert(!clearing || !inner_rate_exchange__rate_known && !inner_rate_exchange__change_due);
        helper_given: assert(clearing || !given || fits(inner_rate_exchange__rate_read[24:0]));
    end
endmodule
