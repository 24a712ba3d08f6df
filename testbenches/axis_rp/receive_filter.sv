// SPDX-License-Identifier: MIT OR Apache-2.0
// The receive path is never stopped by what stands in it, and everything that came in leaves.

module axis_receive_filter_properties (
    input clock,
    input reset,
    input [63:0] in_data,
    input [7:0] keep,
    input in_last,
    input in_user,
    input in_valid,
    input out_ready,
    input [47:0] rp_mac,
    input [11:0] flow_mask,
    input flow_from_tag,
    input pass_feedback
);
    wire in_ready, out_last, out_user, out_valid, last, bad_frame, valid, boundary, removed_frame;
    wire [63:0] out_data, data;
    wire [7:0] out_keep;
    wire [3:0] octets;
    axis_receive_filter device (
        .clock(clock), .reset(reset), .rx_in_high(in_data[63:32]), .rx_in_low(in_data[31:0]), .s_axis_rx_tkeep(keep),
        .s_axis_rx_tlast(in_last), .s_axis_rx_tuser(in_user), .s_axis_rx_tvalid(in_valid), .s_axis_rx_tready(in_ready),
        .next_high(out_data[63:32]), .next_low(out_data[31:0]), .next_tkeep(out_keep),
        .next_tlast(out_last), .next_tuser(out_user), .next_tvalid(out_valid),
        .next_tready(out_ready), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]), .flow_mask(flow_mask),
        .flow_from_tag(flow_from_tag), .pass_feedback(pass_feedback), .data_high(data[63:32]), .data_low(data[31:0]),
        .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid), .boundary(boundary),
        .removed_frame(removed_frame)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // The receiver has had room since the reset. Cycles in a row with room, and without a frame that is half in.
    reg free = 1, half = 0, gap = 0, held = 0;
    reg [73:0] shown = 0;
    reg [4:0] rest = 0;
    wire comes = in_valid && in_ready;
    always @(posedge clock) begin
        free <= free && out_ready;
        rest <= !out_ready || in_valid || !boundary ? 0 : rest == 31 ? 31 : rest + 1;
        held <= out_valid && !out_ready;
        shown <= {out_user, out_last, out_keep, out_data};
        if (comes) begin
            half <= !in_last;
            gap <= !in_last && (gap || keep != 8'hff);
        end
        if (reset) begin
            free <= 1;
            half <= 0;
            gap <= 0;
            held <= 0;
            rest <= 0;
        end
    end
    wire freely = free && out_ready;

    (* anyseq *) wire [4:0] inner_hold_queue__write_place, inner_hold_queue__held_place, inner_hold_queue__read_place;
    (* anyseq *) wire inner_hold_queue__crowded, inner_hold_queue__full, inner_feedback_finder__passes, inner_feedback_finder__removing,
        inner_feedback_finder__releasing, inner_begun, inner_gaps;
    (* anyseq *) wire [1:0] inner_feedback_finder__place;
    wire [4:0] used = inner_hold_queue__write_place - inner_hold_queue__read_place;
    wire [4:0] waiting = inner_hold_queue__write_place - inner_hold_queue__held_place;
    wire open = !inner_feedback_finder__passes && !inner_feedback_finder__removing;

    always @(*) if (started) begin
        never_stopped: assert(!freely || in_ready);
        everything_leaves: assert(rest < 20 || (used == 0 && !out_valid));
        held_until_taken: assert(!held || (out_valid && {out_user, out_last, out_keep, out_data} == shown));
        boundary_is_between_frames: assert(boundary == !half);
        a_gap_is_told: assert(!gap || bad_frame);
        helper_gap: assert(inner_gaps == gap && inner_begun == half);
        helper_full: assert(inner_hold_queue__full == (used == 16));
        helper_used: assert(used <= 14 && waiting <= used && waiting <= 3);
        helper_waiting: assert(!open || inner_feedback_finder__releasing
            || waiting == {3'd0, inner_feedback_finder__place});
        helper_place: assert(!open || inner_feedback_finder__place != 3);
        helper_half: assert(half == (inner_feedback_finder__place != 0));
        helper_idle: assert(half || open);
        helper_fresh: assert(!(open && inner_feedback_finder__releasing) || inner_feedback_finder__place == 0);
        helper_removing: assert(!inner_feedback_finder__removing || (!inner_feedback_finder__releasing
            && !inner_feedback_finder__passes && inner_feedback_finder__place >= 2));
        helper_crowded: assert(inner_hold_queue__crowded || used <= 12);
        helper_free: assert(!free || (used <= 4 && !inner_hold_queue__crowded));
        helper_holds: assert(rest < 18 || !out_valid);
        helper_rest: assert(rest == 0 || (!half && (rest < 2 || waiting == 0)
            && (rest < 3 || (rest >= 17 ? used == 0 : used <= 17 - rest))));
    end
endmodule
