// SPDX-License-Identifier: MIT OR Apache-2.0
// How long a visit may last, and the passing of empty lists: what bounds every waiting time.

    (* anyseq *) wire [11:0] inner_ticks;
    (* anyseq *) wire [3:0] inner_place;
    (* anyseq *) wire inner_fine_late;
    reg [3:0] bits_done = 0;
    always @(posedge clock) bits_done <= inner_phase == `FlowPhase_Multiply ? bits_done + 4'd1 : 4'd0;

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

    // Time is counted in fifteenths of a cycle here. Empty lists whose time is over are passed, two cycles each: 32 units,
    // with those that the ticks add meanwhile.
    localparam [23:0] VISIT = 15 * 67, TURN = VISIT + 30, PASSING = 32 * 16 + 32;
    wire turn_looks = inner_turn == 0 || inner_turn == 2 || inner_turn == 4;
    wire turn_rests = in_turn || inner_phase == `FlowPhase_Aim;
    wire [3:0] reached = inner_turn == 2 ? inner_reached_middle : inner_turn == 4 ? inner_reached_coarse
        : inner_reached_fine;
    wire [3:0] digit = inner_turn == 2 ? inner_now[7:4] : inner_turn == 4 ? inner_now[11:8] : inner_now[3:0];
    wire [3:0] late_lists = digit - reached;
    wire late_again = in_turn && inner_late || inner_turn == 0 && inner_fine_late;
    wire [4:0] lists_left = late_again && late_lists == 0 ? 5'd16 : {1'b0, late_lists};
    wire [23:0] passing = turn_rests ? 32 * lists_left + inner_cycle : PASSING;

    always @(*) if (started) begin
        helper_asks: assert(!in_turn || !inner_asks || inner_turn == 7 || inner_turn == 6);
        helper_bits: assert(inner_phase != `FlowPhase_Multiply
            || bits_done <= 12 && inner_ticks >> (4'd12 - bits_done) == 0);
        helper_place: assert(!places || inner_place <= 12 || inner_phase > `FlowPhase_Reduce);
    end
