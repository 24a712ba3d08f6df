// SPDX-License-Identifier: MIT OR Apache-2.0
// The receive path is never stopped by what stands in it, and everything that came in leaves.

module netfpga1g_receive_filter_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [7:0] in_ctrl,
    input in_wr,
    input out_rdy,
    input [47:0] rp_mac,
    input [11:0] flow_mask,
    input flow_from_tag,
    input pass_feedback
);
    wire in_rdy, out_wr, last, bad_frame, valid, boundary, removed_frame, lost_word;
    wire [63:0] out_data, data;
    wire [7:0] out_ctrl;
    wire [3:0] octets;
    netfpga1g_receive_filter device (
        .clock(clock), .reset(reset), .in_high(in_data[63:32]), .in_low(in_data[31:0]), .in_ctrl(in_ctrl), .in_wr(in_wr),
        .in_rdy(in_rdy), .out_high(out_data[63:32]), .out_low(out_data[31:0]), .out_ctrl(out_ctrl), .out_wr(out_wr),
        .out_rdy(out_rdy), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]), .flow_mask(flow_mask),
        .flow_from_tag(flow_from_tag), .pass_feedback(pass_feedback), .data_high(data[63:32]), .data_low(data[31:0]),
        .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid), .boundary(boundary),
        .removed_frame(removed_frame), .lost_word(lost_word)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The receiver has had room since the reset. Cycles in a row with room, and without a packet that is half in.
    reg free = 1, rdy = 0, half = 0, payload = 0;
    reg [4:0] rest = 0;
    always @(posedge clock) begin
        free <= free && out_rdy;
        rdy <= out_rdy && !reset;
        rest <= !out_rdy || in_wr || !boundary ? 0 : rest == 31 ? 31 : rest + 1;
        if (in_wr) begin
            payload <= in_ctrl == 0;
            half <= !payload || in_ctrl == 0;
        end
        if (reset) begin
            free <= 1;
            half <= 0;
            payload <= 0;
            rest <= 0;
        end
    end
    wire freely = free && out_rdy;

    (* anyseq *) wire [4:0] inner_hold_queue__write_place, inner_hold_queue__held_place, inner_hold_queue__read_place;
    (* anyseq *) wire inner_hold_queue__crowded, inner_hold_queue__full, inner_feedback_finder__passes, inner_feedback_finder__removing,
        inner_feedback_finder__releasing, inner_within_, inner_begun, inner_holds, inner_may_go;
    (* anyseq *) wire [1:0] inner_feedback_finder__place;
    (* anyseq *) wire [2:0] inner_headers;
    wire [4:0] used = inner_hold_queue__write_place - inner_hold_queue__read_place;
    wire [4:0] waiting = inner_hold_queue__write_place - inner_hold_queue__held_place;
    wire open = !inner_feedback_finder__passes && !inner_feedback_finder__removing;

    always @(*) if (started) begin
        never_stopped: assert(!freely || in_rdy);
        nothing_lost_while_it_flows: assert(!free || !lost_word);
        everything_leaves: assert(rest < 21 || (used == 0 && !out_wr));
        nothing_without_room: assert(!out_wr || rdy);
        boundary_is_between_packets: assert(!free || boundary == !half);
        helper_full: assert(inner_hold_queue__full == (used == 16));
        helper_used: assert(used <= 16 && waiting <= used && waiting <= 10);
        helper_waiting: assert(!open || inner_feedback_finder__releasing
            || waiting == {2'd0, inner_headers} + {3'd0, inner_feedback_finder__place});
        helper_place: assert(!open || inner_feedback_finder__place != 3);
        helper_within: assert(inner_within_ == (inner_feedback_finder__place != 0));
        helper_half: assert(!free || (inner_begun == half && inner_within_ == payload));
        helper_idle: assert(inner_begun || (open && inner_headers == 0 && inner_feedback_finder__place == 0));
        helper_fresh: assert(!(open && inner_feedback_finder__releasing)
            || (inner_headers == 0 && inner_feedback_finder__place == 0));
        helper_removing: assert(!inner_feedback_finder__removing || (!inner_feedback_finder__releasing
            && !inner_feedback_finder__passes && inner_feedback_finder__place >= 2));
        helper_may_go: assert(inner_may_go == rdy && (rest == 0 || rdy));
        helper_fresh_room: assert(!free || rdy || (used == 0 && !inner_holds));
        helper_holds: assert(rest < 20 || !inner_holds);
        helper_free: assert(!free || (used <= 11 && !inner_hold_queue__crowded));
        helper_rest: assert(rest == 0 || (!inner_begun && (rest < 2 || waiting == 0)
            && (rest < 3 || (rest >= 19 ? used == 0 : used <= 19 - rest))));
    end
endmodule
