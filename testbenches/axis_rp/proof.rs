// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what goes through the receive path, and through the gate.

use tidegate::bus::axis_rp::{feedback_words, gate_of, receive_filter};
use tidegate::bus::width::Width;
use tidegate::rtl::bus::axis_rp::receive_filter::AxisReceiveFilter;
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::proofs::Proof;

const RECEIVE: &str = include_str!("wide_receive.sv");
const WORDS: &str = include_str!("feedback_words.sv");
const GATE: &str = include_str!("gate.sv");
const RECEIVE_64: &str = include_str!("receive_filter.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![narrow_receive_path(), receive_path(), words(), gate(), gate_in_time()]
}

fn narrow_receive_path() -> Proof {
    let broken = &[
        ("never_stopped", "waits = !ends && (((place == 2'd0)", "waits = !ends && (((place != 2'd1)"),
        ("everything_leaves", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("held_until_taken", "room = !holds || next_tready", "room = 1'd1"),
        ("boundary_is_between_frames", "begun <= ", "begun <= !"),
        ("a_gap_is_told", "gaps <= ", "gaps <= 1'd0 && "),
    ];
    Proof::new(Circuit::of::<AxisReceiveFilter>("receive_filter", &[]).netlist, RECEIVE_64, broken)
}

fn receive_path() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "out_keep <= held_keep", "out_keep <= {held_keep[14:0], held_keep[15]}"),
        ("nothing_goes_undecided", "there = held_valid && !waits", "there = held_valid"),
        ("never_stopped", "room = !out_valid || next_tready", "room = !out_valid"),
        ("held_until_taken", "room = !out_valid || next_tready", "room = 1'd1"),
        ("everything_leaves", "waits = ", "waits = held_valid && !came_valid || "),
        ("removed_is_told_once", "removed <= beat_moves && beat_last", "removed <= beat_moves"),
        ("removed_is_told", "removed <= beat_moves && beat_last", "removed <= 1'd0 && beat_last"),
    ];
    Proof::new(receive_filter(Width::W128), RECEIVE, broken)
}

fn words() -> Proof {
    let broken = &[
        ("each_word_is_that_of_the_frame", "? shown[127:64]", "? shown[63:0]"),
        ("the_last_word_is_told", "cuts_last = after_this == ", "cuts_last = cut == "),
        ("its_octets_are_told", "shown_octets <= known_read_data[3:0]", "shown_octets <= known_read_data[7:4]"),
        ("its_fault_is_told", "bad = spoiled || beat_faulty", "bad = spoiled ^ beat_faulty"),
        ("left_out_only_if_four_wait", "roomy = !used[2]", "roomy = !used[1]"),
        ("a_word_in_every_cycle", "cuts = write_place != read_place", "cuts = write_place[1:0] != read_place[1:0]"),
        ("boundary_is_between_frames", "begun <= !shown_last", "begun <= shown_last"),
    ];
    Proof::new(feedback_words(Width::W128), WORDS, broken)
}

fn gate() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "place_behind = read_place + 3'd1", "place_behind = read_place + 3'd2"),
        ("in_order_and_unchanged", "if (fetches)", "if (1'd1)"),
        ("nothing_that_never_came", "there <= shown ||", "there <= 1'd1 ||"),
        ("held_until_taken", "may_go = there", "may_go = there && !in_valid"),
        ("nothing_begins_unpaid", "there && may_pass", "there && (may_pass || is_next)"),
        ("a_request_is_held", "request_bytes = next_known", "request_bytes = in_valid ? 14'd0 : next_known"),
    ];
    Proof::new(gate_of(Width::W128, 3), GATE, broken)
}

/// With what the proof above has shown.
fn gate_in_time() -> Proof {
    let broken = &[
        ("what_may_go_goes", "known_place != following_place", "known_place[0] != following_place[0]"),
        ("no_frame_waits_is_told", "source_empty = !waiting", "source_empty = waiting"),
        ("a_full_memory_goes", "told <= 1'd0", "told <= told"),
    ];
    Proof::new(gate_of(Width::W128, 3), format!("`define PROGRESS\n{GATE}"), broken)
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn the_receive_path_is_never_stopped() {
    narrow_receive_path().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_receive_path_sees_a_mistake() {
    narrow_receive_path().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn the_wide_receive_path_is_never_stopped_and_loses_only_feedback() {
    receive_path().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_wide_receive_path_sees_a_mistake() {
    receive_path().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn feedback_frames_reach_the_parser_or_are_left_out() {
    words().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_words_of_feedback_sees_a_mistake() {
    words().sees_mistakes();
}

#[test]
fn the_gate_loses_nothing_and_waits_for_the_limiter() {
    gate().holds();
}

#[test]
#[ignore = "long: minutes of z3"]
fn what_may_go_through_the_gate_goes() {
    gate_in_time().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_gate_sees_a_mistake() {
    gate().sees_mistakes();
    gate_in_time().sees_mistakes();
}
