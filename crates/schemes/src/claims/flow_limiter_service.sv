// SPDX-License-Identifier: MIT OR Apache-2.0
// How long a frame that is granted waits for the limiter while it can be sent in every cycle; and that flows do not
// change each other.

    localparam LONGEST = 306;

    // Ghost: cycles in which the granted frame could be sent, and was not.
    reg [9:0] waited = 0;
    always @(posedge clock) waited <= grant && send_ready && !sent && !sending && !reset ? waited + 10'd1 : 10'd0;

    // Ghost: a visit has found that the level of a flow whose frame waits is not negative.
    reg found = 0;
    always @(posedge clock) found <= in_write && (looks || announces) && level_now >= 0 && !reset;

    // What is stored of each flow now and in the cycle before, and the flow whose visit ended then: 4 = memories were
    // cleared, 5 = no visit ended.
    wire [3:0] kept;
    reg [2:0] wrote = 4;
    always @(posedge clock) wrote <= in_clear || reset ? 3'd4 : in_write ? {1'b0, own} : 3'd5;
    generate for (i = 0; i < 4; i = i + 1) begin : stored
        (* anyseq *) wire [29:0] inner_states;
        (* keep *) wire [1:0] inner_states_at = i;
        (* anyseq *) wire [25:0] inner_rates;
        (* keep *) wire [1:0] inner_rates_at = i;
        reg [29:0] state_before;
        reg [25:0] rate_before;
        always @(posedge clock) {state_before, rate_before} <= {inner_states, inner_rates};
        assign kept[i] = wrote == 4 || wrote == i || {inner_states, inner_rates} == {state_before, rate_before};
    end endgenerate

    // From the begin of a turn: visits of this turn and the next ones until one that may send.
    wire [23:0] of_turns = inner_turn == 7 ? VISIT + TURN + PASSING : inner_turn == 6 ? 2 * VISIT + TURN + PASSING
        : turn_looks ? TURN + passing : 24'd30;
    wire [23:0] left = 15 * of_visit + of_turns + (in_turn ? 24'd0 : 24'd16);

    always @(*) if (started) begin
        helper_left: assert(waited == 0 || 15 * waited + left <= 15 * LONGEST);

        sent_in_time: assert(waited < LONGEST);
        granted_if_it_has_enough: assert(!found || in_release);
        kept_by_other_flows: assert(kept == 15);
    end
endmodule
