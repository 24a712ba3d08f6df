//! For all time and all traffic: what goes through the receive path, and through the memory of the gate.

use crate::proofs::proved;
use tidegate::rtl::bus::axis64::{axis_receive_filter::AxisReceiveFilter, frame_store::FrameStore};
use tidegate::rtl::circuit::Circuit;

#[test]
fn the_receive_path_is_never_stopped() {
    let broken = [
        ("never_stopped", "waits = !ends && (((place == 2'd0)", "waits = !ends && (((place != 2'd1)"),
        ("everything_leaves", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("held_until_taken", "if (pop) begin", "if (1'd1) begin"),
        ("boundary_is_between_frames", "begun <= ", "begun <= !"),
        ("a_gap_is_told", "gaps <= ", "gaps <= 1'd0 && "),
    ];
    proved(&Circuit::of::<AxisReceiveFilter>("receive_filter", &[]), include_str!("receive_filter.sv"), &broken);
}

#[test]
#[ignore = "long: a proof about 2,048 words"]
fn the_memory_of_the_gate_loses_and_changes_nothing() {
    let broken = [
        ("in_order_and_unchanged", "read_place <= next_place", "read_place <= next_place + 12'd1"),
        ("in_order_and_unchanged", "<= in_high", "<= in_low"),
        ("shown_in_two_cycles", "shown <= next_place != write_place", "shown <= 1'd0"),
        ("nothing_that_never_came", "shown <= next_place != write_place", "shown <= 1'd1"),
        ("never_overfull", "in_ready = !used[11]", "in_ready = 1'd1"),
    ];
    proved(&Circuit::of::<FrameStore>("frame_store", &[]), include_str!("frame_store.sv"), &broken);
}
