// SPDX-License-Identifier: MIT OR Apache-2.0
// Feedback for this reaction point is removed whole, all other frames pass whole.

module feedback_finder_properties (
    input clock,
    input reset,
    input seen,
    input [63:0] data,
    input ends,
    input give_up,
    input [47:0] rp_mac,
    input [11:0] flow_mask,
    input flow_from_tag,
    input pass_feedback
);
    wire releases, removes, removed_frame;
    feedback_finder device (
        .clock(clock), .reset(reset), .seen(seen), .seen_high(data[63:32]), .seen_low(data[31:0]), .ends(ends),
        .give_up(give_up), .rp_mac_high(rp_mac[47:32]), .rp_mac_low(rp_mac[31:0]), .flow_mask(flow_mask),
        .flow_from_tag(flow_from_tag), .pass_feedback(pass_feedback), .releases(releases), .removes(removes),
        .removed_frame(removed_frame)
    );

    reg started = 0;
    always @(posedge clock) started <= 1;

    // What is known of the frame: nothing, that it passes, that it is removed.
    localparam OPEN = 0, PASSES = 1, REMOVED = 2;
    reg [1:0] fate = OPEN, words = 0;
    reg vlan = 0, foreign = 0, released = 0, gone = 0;
    wire [47:0] free = flow_from_tag ? 48'd0 : {36'd0, flow_mask};
    wire ours = ((data[63:16] ^ rp_mac) & ~free) == 0;
    wire [15:0] early = data[63:48], late = data[31:16];
    reg [1:0] next;
    always @(*) begin
        next = fate;
        // The address is compared in the cycle after the first word.
        if (fate == OPEN && words == 1 && foreign) next = PASSES;
        else if (fate == OPEN && seen) begin
            if (ends) next = PASSES;
            else if (words == 0) next = pass_feedback ? PASSES : OPEN;
            else if (words == 1) next = late == 16'h22e7 ? REMOVED : late == 16'h8100 || late == 16'h22e9 ? OPEN : PASSES;
            else next = early == 16'h22e7 || (vlan && early == 16'h22e9 && late == 16'h22e7) ? REMOVED : PASSES;
        end
        if (give_up) next = PASSES;
    end
    always @(*) begin
        if (!started) assume(reset);
        assume(!give_up || (!seen && fate != REMOVED));
    end
    always @(posedge clock) begin
        fate <= next;
        released <= next == PASSES;
        gone <= seen && ends && fate == REMOVED;
        if (seen) begin
            if (words == 0) foreign <= !ours;
            if (words == 1) vlan <= late == 16'h8100;
            if (words != 3) words <= words + 1;
            if (ends) begin
                fate <= OPEN;
                words <= 0;
            end
        end
        if (reset) begin
            fate <= OPEN;
            words <= 0;
            released <= 0;
            gone <= 0;
        end
    end

    (* anyseq *) wire [1:0] inner_place;
    (* anyseq *) wire inner_passes, inner_removing, inner_has_tag, inner_elsewhere;
    always @(*) if (started) begin
        removes_feedback_and_nothing_else: assert(removes == (fate == REMOVED));
        releases_all_that_passes: assert(releases == released);
        a_released_frame_goes_on: assert(!(releases && removes));
        decided_with_the_third_word: assert(words != 3 || releases || removes);
        helper_third: assert(words != 3 || fate != OPEN);
        removed_tells: assert(removed_frame == gone);
        helper_place: assert(inner_place == words && inner_passes == (fate == PASSES));
        helper_tag: assert(words < 2 || inner_has_tag == vlan);
        helper_address: assert(words == 0 || inner_elsewhere == foreign);
        helper_open: assert(words != 0 || fate != REMOVED);
        helper_released: assert(!released || fate != REMOVED);
        helper_fate: assert(fate != 3);
        helper_second: assert(words != 1 || fate != REMOVED);
    end
endmodule
