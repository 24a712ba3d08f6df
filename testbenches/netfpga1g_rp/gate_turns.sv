// SPDX-License-Identifier: MIT OR Apache-2.0
// Each gate is told once of each packet that it requests, and the limiter has at most one packet of a flow.

module gate_turns_properties (
    input clock,
    input reset,
    input [3:0] request,
    input [47:0] flows,
    input [55:0] bytes,
    input announce_ready,
    input refused,
    input grant,
    input [11:0] grant_flow,
    input sent
);
    wire [3:0] paid, refuse;
    wire announce, send_ready;
    wire [11:0] announce_flow;
    wire [13:0] announce_bytes, send_bytes;
    gate_turns device (
        .clock(clock), .reset(reset), .request_0(request[0]), .request_1(request[1]), .request_2(request[2]),
        .request_3(request[3]), .request_flow_0(flows[11:0]), .request_flow_1(flows[23:12]),
        .request_flow_2(flows[35:24]), .request_flow_3(flows[47:36]), .request_bytes_0(bytes[13:0]),
        .request_bytes_1(bytes[27:14]), .request_bytes_2(bytes[41:28]), .request_bytes_3(bytes[55:42]),
        .paid_0(paid[0]), .paid_1(paid[1]), .paid_2(paid[2]), .paid_3(paid[3]), .refuse_0(refuse[0]),
        .refuse_1(refuse[1]), .refuse_2(refuse[2]), .refuse_3(refuse[3]), .announce(announce),
        .announce_flow(announce_flow), .announce_bytes(announce_bytes), .announce_ready(announce_ready),
        .refused(refused), .grant(grant), .grant_flow(grant_flow), .send_ready(send_ready), .send_bytes(send_bytes),
        .sent(sent)
    );

    function [11:0] flow(input [1:0] gate);
        flow = flows >> (12 * gate);
    endfunction
    function [13:0] length(input [1:0] gate);
        length = bytes >> (14 * gate);
    endfunction

    reg started = 0;
    always @(posedge clock) started <= 1;

    // The gates whose packets the limiter has, and the gate that announced last.
    (* anyseq *) wire [1:0] inner_turn;
    (* anyseq *) wire [13:0] inner_bytes;
    (* anyseq *) wire [11:0] inner_flow;
    (* anyseq *) wire inner_wants, inner_next_turn, inner_sendable, inner_was_sent;
    (* anyseq *) wire [1:0] inner_since, inner_step;
    (* anyseq *) wire inner_announced_0, inner_announced_1, inner_announced_2, inner_announced_3;
    (* anyseq *) wire inner_granted_0, inner_granted_1, inner_granted_2, inner_granted_3;
    (* anyseq *) wire inner_same_0, inner_same_1, inner_same_2, inner_same_3, inner_same_4, inner_same_5;
    reg [3:0] there = 0, requested = 0, told = 0;
    reg [47:0] flows_before = 0;
    reg [55:0] bytes_before = 0;
    reg [3:0] taken = 0;
    reg was_refused = 0;
    reg announced = 0, granted = 0, was_granted = 0, was_sent = 0;
    // What is paid in this cycle; its gate is told in the next one.
    wire [3:0] of_sent;
    reg [3:0] paid_next = 0;
    reg [25:0] announced_before = 0;
    reg [11:0] granted_flow = 0;
    wire takes = announce && announce_ready;
    wire [3:0] turn = 4'd1 << inner_turn;
    localparam LOOK = 0, COMPARE = 1, ANNOUNCE = 2, ANSWER = 3;
    always @(posedge clock) begin
        there <= (there | (takes ? turn : 4'd0)) & ~of_sent & ~refuse;
        paid_next <= of_sent;
        was_refused <= refused;
        requested <= request;
        told <= paid | refuse;
        flows_before <= flows;
        bytes_before <= bytes;
        taken <= {taken[2:0], takes};
        announced <= announce && !announce_ready;
        announced_before <= {announce_flow, announce_bytes};
        granted <= grant && !sent;
        was_granted <= grant;
        was_sent <= sent;
        granted_flow <= grant_flow;
        if (reset) begin
            there <= 0;
            requested <= 0;
            taken <= 0;
            paid_next <= 0;
            announced <= 0;
            {granted, was_granted, was_sent} <= 0;
        end
    end

    // A gate holds its request with flow and length until it is told; the limiter refuses three cycles after it took an
    // announcement, and nothing that it grants or has sent, and sends what it grants when this can be sent.
    genvar gate;
    generate
        for (gate = 0; gate < 4; gate = gate + 1) begin : gates
            always @(*) assume(!requested[gate] || told[gate]
                || (request[gate] && flow(gate) == flows_before[12 * gate +: 12]
                && length(gate) == bytes_before[14 * gate +: 14]));
        end
    endgenerate
    always @(*) begin
        if (!started) assume(reset);
        assume(!refused || (taken[2] && |(there & turn) && !(grant && grant_flow == flow(inner_turn))));
        assume(!was_refused || !taken[3] || !(grant && grant_flow == flow(inner_turn)));
        assume(!sent || (grant && send_ready));
        assume(!granted || (grant && grant_flow == granted_flow));
    end

    wire [3:0] of_grant = {there[3] && flow(3) == grant_flow, there[2] && flow(2) == grant_flow,
        there[1] && flow(1) == grant_flow, there[0] && flow(0) == grant_flow};
    assign of_sent = sent ? of_grant : 4'd0;
    reg [3:0] of_grant_before = 0;
    always @(posedge clock) of_grant_before <= reset ? 0 : of_grant;
    reg twice;
    integer one, other;
    always @(*) begin
        twice = 0;
        for (one = 0; one < 4; one = one + 1)
            for (other = 0; other < one; other = other + 1)
                if (there[one] && there[other] && flow(one) == flow(other)) twice = 1;
    end


    // What was paid in the cycle before counts, too.
    wire [3:0] known = there | paid;
    wire clash = known[0] && flow(0) == announce_flow || known[1] && flow(1) == announce_flow
        || known[2] && flow(2) == announce_flow || known[3] && flow(3) == announce_flow;

    // Cycles of a turn in which the limiter has not to answer first; the turn before.
    reg [3:0] cycles = 0;
    reg [1:0] turn_before = 0;
    reg looked = 0, may_announce = 0;
    reg was_reset = 1;
    // It was the turn of a gate with a packet that is not announced; then no packet of its flow was.
    wire looks = inner_step == LOOK && |(turn & request & ~there & ~paid);
    always @(posedge clock) begin
        was_reset <= reset;
        turn_before <= inner_turn;
        if (!(announce && !announce_ready)) cycles <= inner_next_turn ? 0 : cycles + 1;
        looked <= looks && !reset;
        may_announce <= looked && inner_step == COMPARE && !clash && !reset;
        if (reset) cycles <= 0;
    end

    always @(*) if (started) begin
        one_gate_is_paid_at_most: assert((paid & (paid - 4'd1)) == 0);
        turns_go_round: assert(was_reset || inner_turn == turn_before || inner_turn == turn_before + 2'd1);
        a_turn_has_eight_cycles_at_most: assert(cycles <= 7);
        whose_turn_it_is_announces: assert(!may_announce || announce);
        helper_cycles: assert(cycles == (inner_step == LOOK ? 0 : inner_step == COMPARE ? 1 : inner_step == ANNOUNCE ? 2
            : 3 + inner_since));
        helper_looked: assert(!looked || (inner_step == COMPARE && inner_wants));
        announces_what_is_requested: assert(!announce || (|(turn & request & ~there)
            && announce_flow == flow(inner_turn) && announce_bytes == length(inner_turn)));
        announcement_is_held: assert(!announced || (announce && {announce_flow, announce_bytes} == announced_before));
        no_flow_twice: assert(!twice);
        paid_is_what_was_granted: assert(paid == paid_next && (paid & ~request) == 0);
        one_is_paid: assert(!sent || of_sent != 0);
        length_of_what_is_paid: assert((!of_sent[0] || send_bytes == length(0)) && (!of_sent[1] || send_bytes == length(1))
            && (!of_sent[2] || send_bytes == length(2)) && (!of_sent[3] || send_bytes == length(3)));
        refused_is_what_was_announced: assert(refuse == (was_refused && taken[3] ? turn : 4'd0) && (refuse & ~there) == 0);
        a_grant_is_used_at_once: assert(!granted || of_grant_before == 0 || send_ready);
        helper_there: assert({inner_announced_3, inner_announced_2, inner_announced_1, inner_announced_0} == known);
        helper_sendable: assert(inner_was_sent == was_sent && inner_sendable
            == (inner_granted_3 || inner_granted_2 || inner_granted_1 || inner_granted_0));
        helper_told: assert((paid & there) == 0);
        helper_same: assert({inner_same_5, inner_same_4, inner_same_3, inner_same_2, inner_same_1, inner_same_0}
            == {flows_before[47:36] == flows_before[35:24], flows_before[47:36] == flows_before[23:12],
            flows_before[47:36] == flows_before[11:0], flows_before[35:24] == flows_before[23:12],
            flows_before[35:24] == flows_before[11:0], flows_before[23:12] == flows_before[11:0]});
        helper_granted: assert({inner_granted_3, inner_granted_2, inner_granted_1, inner_granted_0}
            == (was_granted ? of_grant_before : 4'd0) && (!granted || of_grant_before == (of_grant_before & of_grant)));
        helper_requested: assert((there & ~request) == 0);
        helper_compare: assert(inner_step != COMPARE || !inner_wants || (|(turn & request & ~there)
            && inner_flow == flow(inner_turn) && inner_bytes == length(inner_turn)));
        helper_announce: assert(announce == (inner_step == ANNOUNCE) && (!announce || !clash));
        helper_answer: assert(inner_step == ANSWER ? taken == 4'd1 << inner_since : taken == 0);
    end
endmodule
