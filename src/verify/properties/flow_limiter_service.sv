// How long a frame that is granted waits for the limiter while it can be sent in every cycle; and that flows do not
// change each other.

    (* anyseq *) wire [6:0] inner_cycle;
    (* anyseq *) wire [11:0] inner_now, inner_ticks;
    (* anyseq *) wire [3:0] inner_place;
    localparam LONGEST = 306;

    // Ghost: cycles in which the granted frame could be sent, and was not.
    reg [9:0] waited = 0;
    reg [3:0] bits_done = 0;
    always @(posedge clock) begin
        waited <= grant && send_ready && !sent && !sending && !reset ? waited + 10'd1 : 10'd0;
        bits_done <= inner_phase == `FlowPhase_Multiply ? bits_done + 4'd1 : 4'd0;
    end

    // What is stored of each flow now and in the cycle before, and the flow whose visit ended then: 4 = memories were
    // cleared, 5 = no visit ended.
    wire [3:0] kept;
    reg [2:0] wrote = 4;
    always @(posedge clock) wrote <= in_clear || reset ? 3'd4 : in_write ? {1'b0, own} : 3'd5;
    generate for (i = 0; i < 4; i = i + 1) begin : stored
        (* anyseq *) wire [29:0] inner_states;
        (* keep *) wire [1:0] inner_states_at = i;
        (* anyseq *) wire [24:0] inner_rates;
        (* keep *) wire [1:0] inner_rates_at = i;
        reg [29:0] state_before;
        reg [24:0] rate_before;
        always @(posedge clock) {state_before, rate_before} <= {inner_states, inner_rates};
        assign kept[i] = wrote == 4 || wrote == i || {inner_states, inner_rates} == {state_before, rate_before};
    end endgenerate

    // At most so many cycles to the end of the visit.
    reg [6:0] of_visit;
    always @(*) case (inner_phase)
        `FlowPhase_Fetch: of_visit = 64;
        `FlowPhase_Load: of_visit = 63;
        `FlowPhase_Check: of_visit = 62;
        `FlowPhase_Multiply: of_visit = 61 - bits_done;
        `FlowPhase_Settle: of_visit = 47;
        `FlowPhase_Cap: of_visit = 46;
        `FlowPhase_Deduct: of_visit = 45;
        `FlowPhase_Write: of_visit = 44;
        `FlowPhase_Climb: of_visit = 43 - inner_place;
        `FlowPhase_Descend: of_visit = 6 + 2 * inner_place;
        `FlowPhase_Reduce: of_visit = 7 + 2 * inner_place;
        `FlowPhase_Round: of_visit = 5;
        `FlowPhase_Place: of_visit = 4;
        `FlowPhase_Avoid: of_visit = 3;
        `FlowPhase_Follow: of_visit = 2;
        `FlowPhase_Push: of_visit = 1;
        `FlowPhase_Release: of_visit = 1;
        default: of_visit = 0;
    endcase

    // Empty lists whose time is over are passed, two cycles each; a tick may add one. Unit: a fifteenth of a cycle.
    wire [3:0] reached = inner_turn == 2 ? inner_reached_middle : inner_turn == 4 ? inner_reached_coarse : inner_reached_fine;
    wire [3:0] digit = inner_turn == 2 ? inner_now[7:4] : inner_turn == 4 ? inner_now[11:8] : inner_now[3:0];
    wire [3:0] late_lists = digit - reached;
    wire [4:0] lists_left = in_turn && inner_late && late_lists == 0 ? 5'd16 : {1'b0, late_lists};
    wire [9:0] passing = 32 * lists_left + inner_cycle;
    localparam PASSING = 32 * 16 + 32;
    // From the begin of a turn, in the same unit: visits of this turn and the next ones until one that may send.
    wire looks_turn = inner_turn == 0 || inner_turn == 2 || inner_turn == 4;
    wire turn_rests = in_turn || inner_phase == `FlowPhase_Aim;
    wire [12:0] of_turns = inner_turn == 7 ? 15 * (67 + 69) + PASSING : inner_turn == 6 ? 15 * (67 + 67 + 69) + PASSING
        : looks_turn ? 15 * 69 + (turn_rests ? passing : PASSING) : 15 * 2;
    wire [13:0] left = 15 * of_visit + of_turns + (in_turn ? 0 : 16);

    always @(*) if (started) begin
        helper_asks: assert(!in_turn || !inner_asks || inner_turn == 7 || inner_turn == 6);
        helper_in_tick: assert(inner_cycle <= 31);
        helper_bits: assert(inner_phase != `FlowPhase_Multiply || bits_done <= 12 && inner_ticks >> (4'd12 - bits_done) == 0);
        helper_place: assert(!places || inner_place <= 12 || inner_phase > `FlowPhase_Reduce);
        helper_left: assert(waited == 0 || 15 * waited + left <= 15 * LONGEST);

        sent_in_time: assert(waited < LONGEST);
        kept_by_other_flows: assert(kept == 15);
    end
endmodule
