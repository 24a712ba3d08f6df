// SPDX-License-Identifier: MIT OR Apache-2.0
// Beats of 128 bits leave the receive path in order and unchanged, but for those of feedback frames for this reaction point. The
// specification is a queue of the beats that came and must leave; a first beat is in it until the second one says what it is.

module axis_receive_filter_128_properties (
    input clock,
    input reset,
    input [127:0] in_data,
    input [15:0] in_keep,
    input in_last,
    input in_user,
    input in_valid,
    input out_ready
);
    // The parameters do not change; the parser is another proof.
    (* anyconst *) wire [47:0] rp_mac;
    (* anyconst *) wire [11:0] flow_mask;
    (* anyconst *) wire flow_from_tag, pass_feedback;
    wire in_ready, out_last, out_user, out_valid, removed_frame, last, bad_frame, valid, boundary, overrun_frame;
    wire [127:0] out_data;
    wire [15:0] out_keep;
    wire [31:0] data_high, data_low;
    wire [3:0] octets;
    axis_receive_filter_128 device (
        .clock(clock), .reset(reset), .s_axis_rx_tdata(in_data), .s_axis_rx_tkeep(in_keep), .s_axis_rx_tlast(in_last),
        .s_axis_rx_tuser(in_user), .s_axis_rx_tvalid(in_valid), .s_axis_rx_tready(in_ready), .next_tdata(out_data),
        .next_tkeep(out_keep), .next_tlast(out_last), .next_tuser(out_user), .next_tvalid(out_valid),
        .next_tready(out_ready), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]), .flow_mask(flow_mask),
        .flow_from_tag(flow_from_tag), .pass_feedback(pass_feedback), .removed_frame(removed_frame), .data_high(data_high),
        .data_low(data_low), .octets(octets), .last(last), .bad_frame(bad_frame), .valid(valid), .boundary(boundary),
        .overrun_frame(overrun_frame)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;
    always @(*) if (!started) assume(reset);

    // Whether a frame with these first two beats is removed; a beat is {user, last, keep, data}.
    function is_removed(input [145:0] one, input [145:0] two);
        reg [47:0] mac;
        reg [15:0] first_type, second_type, third_type;
        reg vlan, tag, more;
        begin
            mac = {one[7:0], one[15:8], one[23:16], one[31:24], one[39:32], one[47:40]} ^ rp_mac;
            if (!flow_from_tag) mac[11:0] = mac[11:0] & ~flow_mask;
            first_type = {one[103:96], one[111:104]};
            second_type = {two[7:0], two[15:8]};
            third_type = {two[39:32], two[47:40]};
            vlan = first_type == 16'h8100;
            tag = (vlan || first_type == 16'h22e9) && second_type == 16'h22e7
                || vlan && second_type == 16'h22e9 && third_type == 16'h22e7;
            more = !two[144] || two[143:136] != 0;
            is_removed = !pass_feedback && mac == 0 && !one[144] && (first_type == 16'h22e7 || tag && more);
        end
    endfunction

    wire comes = in_valid && in_ready, leaves = out_valid && out_ready;
    wire [145:0] beat = {in_user, in_last, in_keep, in_data}, out_beat = {out_user, out_last, out_keep, out_data};
    // The queue, and its length; what is known of the frame that comes in.
    reg [145:0] queue_0 = 0, queue_1 = 0, queue_2 = 0, first_beat = 0, held_beat = 0;
    reg [1:0] length = 0;
    reg within = 0, undecided = 0, removing = 0, held = 0;
    reg [2:0] rest = 0;
    reg [1:0] untold = 0;
    wire removes = within && (undecided ? is_removed(first_beat, beat) : removing);
    wire [1:0] kept = length - leaves;
    wire pushes = comes && !removes;
    always @(posedge clock) begin
        length <= kept + pushes - (comes && removes && undecided);
        if (leaves) begin
            queue_0 <= queue_1;
            queue_1 <= queue_2;
        end
        if (pushes && kept == 0) queue_0 <= beat;
        if (pushes && kept == 1) queue_1 <= beat;
        if (pushes && kept == 2) queue_2 <= beat;
        if (comes) begin
            within <= !in_last;
            undecided <= !within && !in_last;
            removing <= removes && !in_last;
            if (!within) first_beat <= beat;
        end
        held <= out_valid && !out_ready;
        held_beat <= out_beat;
        rest <= !out_ready || comes || within ? 0 : rest == 7 ? 7 : rest + 1;
        untold <= untold + (comes && removes && in_last) - removed_frame;
        if (reset) {length, within, undecided, removing, held, rest, untold} <= 0;
    end

    (* anyseq *) wire inner_receive_path__came_valid, inner_receive_path__came_last, inner_receive_path__came_user,
        inner_receive_path__held_valid, inner_receive_path__held_last, inner_receive_path__held_user,
        inner_receive_path__begun, inner_frame_finder__removing;
    (* anyseq *) wire [127:0] inner_receive_path__came_data, inner_receive_path__held_data;
    (* anyseq *) wire [15:0] inner_receive_path__came_keep, inner_receive_path__held_keep;
    (* anyseq *) wire [3:0] inner_receive_path__came_octet;
    wire came = inner_receive_path__came_valid, waits = inner_receive_path__held_valid;
    wire [145:0] came_beat = {inner_receive_path__came_user, inner_receive_path__came_last, inner_receive_path__came_keep,
        inner_receive_path__came_data};
    wire [145:0] waits_beat = {inner_receive_path__held_user, inner_receive_path__held_last,
        inner_receive_path__held_keep, inner_receive_path__held_data};
    wire waits_first = !inner_receive_path__begun;
    wire waits_removed = waits_first ? came && is_removed(waits_beat, came_beat) : inner_frame_finder__removing;
    wire came_continues = waits ? !waits_beat[144] : inner_receive_path__begun;
    wire came_removed = came_continues && (waits ? waits_removed : inner_frame_finder__removing);
    wire waits_kept = waits && !waits_removed, came_kept = came && !came_removed;
    // The beat that came last: is it a first one, and does its frame go on.
    wire goes_on = came ? !came_beat[144] : waits ? !waits_beat[144] : inner_receive_path__begun;
    wire only_first = came ? !came_continues : waits && waits_first;

    always @(*) if (started) begin
        in_order_and_unchanged: assert(!out_valid || (length != 0 && out_beat == queue_0));
        nothing_goes_undecided: assert(!out_valid || length != 1 || !undecided);
        never_stopped: assert(!out_ready || in_ready);
        held_until_taken: assert(!held || (out_valid && out_beat == held_beat));
        everything_leaves: assert(rest < 3 || length == 0);
        removed_is_told_once: assert(!removed_frame || untold != 0);
        removed_is_told: assert(rest < 3 || untold == 0);
        helper_length: assert(length == out_valid + waits_kept + came_kept);
        helper_first: assert(length < 1 || queue_0 == (out_valid ? out_beat : waits_kept ? waits_beat : came_beat));
        helper_second: assert(length < 2 || queue_1 == (out_valid && waits_kept ? waits_beat : came_beat));
        helper_third: assert(length < 3 || queue_2 == came_beat);
        helper_within: assert(within == goes_on && undecided == (goes_on && only_first));
        helper_removing: assert(!within || undecided || removing
            == (came ? came_removed : waits ? waits_removed : inner_frame_finder__removing));
        helper_not_removing: assert(within && !undecided || !removing);
        helper_first_beat: assert(!undecided || first_beat == (came ? came_beat : waits_beat));
        helper_octet: assert(!came || inner_receive_path__came_octet[3] == (!came_beat[144] || came_beat[143:136] != 0));
        helper_untold: assert(untold == removed_frame + (waits && waits_removed && waits_beat[144])
            + (came && came_removed && came_beat[144]));
        helper_rest: assert(rest == 0 || (!within && !undecided && (rest < 1 || !came) && (rest < 2 || !waits)));
    end
endmodule
