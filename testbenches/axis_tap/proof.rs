// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what goes through the data path, and what the accounts of the queues tell.

use tidegate::bus::axis_tap::frame_path::frame_path;
use tidegate::bus::axis_tap::level_events::level_events;
use tidegate::bus::width::Width;
use tidegate::rtl::bus::axis_tap::{event_store::EventStore, event_turns::EventTurns, queue_account::QueueAccount};
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::proofs::Proof;

const PATH: &str = include_str!("axis_path.sv");
const LEVELS: &str = include_str!("level_events.sv");
const ACCOUNT: &str = include_str!("queue_account.sv");
const STORE: &str = include_str!("event_store.sv");
const TURNS: &str = include_str!("event_turns.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![levels(), path(), account(), store(), turns()]
}

fn levels() -> Proof {
    let broken = &[
        ("never_more_than_has_left", "recent[13:0], taken", "1'd0, recent[13:1], taken"),
        ("all_that_has_left_is_told", "told <= few", "told <= few + 16'd1"),
        ("each_queue_is_looked_at", "turn[3:0], turn[4]", "turn[2:0], turn[4:3]"),
        ("nothing_is_dropped", "assign pkt_dropped = 5'd0", "assign pkt_dropped = 5'd1"),
    ];
    Proof::new(level_events(Width::W64), LEVELS, broken)
}

fn path() -> Proof {
    let broken = &[
        ("each_beat_goes_once_and_unchanged", "out_keep <= s_axis_tkeep", "out_keep <= m_axis_cnm_tkeep"),
        ("with_the_destination_that_was_offered_first", "if (!waited)", "if (1'd1)"),
        ("one_beat_is_not_taken_too_early", "pauses && !waited", "pauses && waited"),
        ("feedback_goes_unchanged", "out_last <= m_axis_cnm_tlast", "out_last <= s_axis_tlast"),
        ("feedback_says_where", "port <= frame_port", "port <= 3'd0"),
        ("nothing_else_goes", "holds <= takes || takes_frame", "holds <= 1'd1"),
        ("held_until_ready", "room = !holds || next_tready", "room = 1'd1"),
        ("one_at_a_time", "m_axis_cnm_tready = room && frame_turn", "m_axis_cnm_tready = room"),
        ("a_frame_is_whole", "started <= !s_axis_tlast", "started <= 1'd0"),
        ("feedback_is_whole", "frame_turn = framing ||", "frame_turn ="),
        ("a_frame_waits_for_one_feedback_only", "frame_before <= 1'd1", "frame_before <= 1'd0"),
        ("feedback_waits_for_one_frame_only", "frame_before <= 1'd0;", "frame_before <= 1'd1;"),
        ("each_frame_is_known_once", "(completes ||", "(1'd1 ||"),
        ("its_fields_are_known", "length <= user[15:0]", "length <= user[16:1]"),
        ("its_header_is_whole", "intact && !(|(~s_axis_tkeep))", "!(|(~s_axis_tkeep))"),
        ("inserted_tells", "inserted_port == 3'd4", "inserted_port == 3'd2"),
        ("inserted_apart", "is_known <= takes &&", "is_known <= "),
        ("boundary_tells", "assign boundary = between;", "assign boundary = !started;"),
    ];
    Proof::new(frame_path(Width::W64), PATH, broken)
}

fn account() -> Proof {
    let broken = &[
        ("no_octet_enters_twice_or_never", "told = sum_taken ?", "told = 1'd0 ?"),
        ("no_octet_leaves_twice_or_never", "by_removal + by_drop", "by_removal"),
        ("never_more_than_was_counted", "leaves <= present;", "leaves <= present + 24'd1;"),
        ("never_more_than_has_left", "leaves <= gone;", "leaves <= gone + 24'd1;"),
        ("leaves_in_time", "gone < present", "present < gone"),
        ("sums_are_never_empty", "has_sum <= |sum", "has_sum <= 1'd1"),
        ("waits_tell", "has_left <= |gone && |present", "has_left <= |gone"),
    ];
    Proof::new(Circuit::of::<QueueAccount>("queue_account", &[]).netlist, ACCOUNT, broken)
}

fn store() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "frame_vlan_tci;", "frame_flow_id;"),
        (
            "a_frame_waits_until_it_is_removed",
            "read_pointer <= read_pointer + 5'd1",
            "read_pointer <= read_pointer + 5'd2",
        ),
        ("full_tells", "stores = comes && room", "stores = comes"),
    ];
    Proof::new(Circuit::of::<EventStore>("event_store", &[]).netlist, STORE, broken)
}

fn turns() -> Proof {
    let broken = &[
        ("a_sum_is_told_at_once", "bytes <= sum_octets", "bytes <= 24'd0"),
        ("nothing_else_is_told", "!told && frame_waits && !sum_goes", "!told && !sum_goes"),
        ("held_until_taken", "told <= !ready", "told <= 1'd0"),
        ("no_queue_is_told_twice", "remaining[3] ? 3'd3", "remaining[3] ? 3'd2"),
        ("no_queue_is_forgotten", "is_last <= frame_goes && !(|after)", "is_last <= frame_goes"),
        ("a_frame_is_removed_at_once", "frame_waits = waits && !ended", "frame_waits = waits"),
        ("a_sum_waits_for_one_frame_only", "sum_first <= 1'd1", "sum_first <= feedback"),
        (
            "a_frame_waits_for_one_sum_only",
            "sum_goes) begin\n            sum_first <= 1'd0;",
            "sum_goes) begin\n            sum_first <= 1'd1;",
        ),
        ("all_queues_are_looked_at", "sum_turn <= sum_turn << 1", "sum_turn <= sum_turn << 2"),
        ("counted_once", "if (counting && ready)", "if (counting)"),
        ("what_leaves_is_told_at_once", "leave_bytes <= leave_octets", "leave_bytes <= 24'd0"),
        ("nothing_else_leaves", "leaves <= !dequeue_ready", "leaves <= 1'd1"),
    ];
    Proof::new(Circuit::of::<EventTurns>("event_turns", &[]).netlist, TURNS, broken)
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn frames_and_feedback_go_out_whole_and_unchanged() {
    path().holds();
}

#[test]
#[ignore = "long: minutes of z3"]
fn what_a_level_says_to_have_left_has_left() {
    levels().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_levels_sees_a_mistake() {
    levels().sees_mistakes();
}

#[test]
#[ignore = "long: sums of 24 bits"]
fn an_account_loses_nothing_and_gives_only_what_was_counted() {
    account().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_path_sees_a_mistake() {
    path().sees_mistakes();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_an_account_sees_a_mistake() {
    account().sees_mistakes();
}

#[test]
#[ignore = "long: ten memories"]
fn frames_that_wait_stay_in_their_order() {
    store().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_frames_that_wait_sees_a_mistake() {
    store().sees_mistakes();
}

#[test]
fn each_queue_is_told_of_a_frame_once() {
    turns().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_turns_sees_a_mistake() {
    turns().sees_mistakes();
}
