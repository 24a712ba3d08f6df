//! For all time and all traffic: what goes through the receive path.

use crate::proofs::proved;
use tidegate::rtl::bus::netfpga1g::receive_filter::ReceiveFilter;
use tidegate::rtl::bus::{feedback_finder::FeedbackFinder, hold_queue::HoldQueue};
use tidegate::rtl::circuit::Circuit;

#[test]
fn words_wait_and_go_on_unchanged_or_are_removed() {
    let broken = [
        ("in_order_and_unchanged", "highs[highs_write_address] <= in_high", "highs[highs_write_address] <= in_low"),
        ("in_order_and_unchanged", "read_place <= read_place + 5'd1", "read_place <= read_place + 5'd2"),
        ("what_is_released_and_nothing_else", "held_place <= write_place", "held_place <= write_place + 5'd1"),
        ("what_is_released_and_nothing_else", "write_place <= held_place", "write_place <= read_place"),
        ("held_until_taken", "if (pop) begin", "if (1'd1) begin"),
        ("one_place_is_left", "used >= 5'd13", "used >= 5'd15"),
        ("nothing_lost_of_a_sender_that_waits", "(used >= 5'd13) || ", "1'd0 && "),
        ("lost_tells", "lost <= in_wr && full", "lost <= in_wr && crowded"),
        ("takes_tells", "discards || !full", "!full"),
    ];
    proved(&Circuit::of::<HoldQueue>("hold_queue", &[]), include_str!("../common/hold_queue.sv"), &broken);
}

#[test]
fn feedback_is_removed_whole_and_all_else_passes() {
    let broken = [
        ("removes_feedback_and_nothing_else", "(high_upper == 16'h22e7)", "(high_upper == 16'h22e9)"),
        ("releases_all_that_passes", "open && !ends", "open"),
        ("removes_feedback_and_nothing_else", "seen_high[15:0] !=", "seen_high[31:16] !="),
        ("releases_all_that_passes", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("a_released_frame_goes_on", "open = !passes && !removing", "open = !removing"),
        ("decided_with_the_third_word", "waits = !ends && (((place == 2'd0)", "waits = !ends && (((place != 2'd1)"),
        ("removed_tells", "seen && ends && removing", "seen && ends"),
    ];
    proved(
        &Circuit::of::<FeedbackFinder>("feedback_finder", &[]),
        include_str!("../common/feedback_finder.sv"),
        &broken,
    );
}

#[test]
fn the_receive_path_is_never_stopped() {
    let broken = [
        ("never_stopped", "(headers == 3'd7)", "(headers == 3'd7) && in_ctrl[0]"),
        ("nothing_lost_while_it_flows", "(headers == 3'd7)", "(headers == 3'd7) && in_ctrl[0]"),
        ("everything_leaves", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("nothing_without_room", "hold_queue_word_valid && out_rdy", "hold_queue_word_valid"),
        ("boundary_is_between_packets", "begun <= !ends", "begun <= is_data"),
    ];
    proved(&Circuit::of::<ReceiveFilter>("receive_filter", &[]), include_str!("receive_filter.sv"), &broken);
}
