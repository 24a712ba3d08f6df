// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what comes in, what goes through the queue, and the feedback frames.

use tidegate::bus::axis_cp::beat_input::beat_input;
use tidegate::bus::axis_cp::frame_output::frame_output;
use tidegate::bus::axis_cp::output_queue::output_queue;
use tidegate::bus::width::Width;
use tidegate_testing::proofs::Proof;

const INPUT: &str = include_str!("axis_input.sv");
const QUEUE: &str = include_str!("axis_queue.sv");
const OUTPUT: &str = include_str!("axis_cnm.sv");
const OUTPUT_64: &str = include_str!("axis_cnm_64.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![input(), queue(), output_64(), output(Width::W128), output(Width::W256), output(Width::W512)]
}

/// The claims about beats of several words.
fn harness_of(width: Width) -> String {
    let (bits, words) = (width.bits(), width.bits() / 64);
    let lanes = ["FOUR", "EIGHT"].map(|lanes| format!("`define {lanes}\n"));
    let lanes = &lanes[..words.ilog2() as usize - 1].concat();
    let names = format!("`define DEVICE axis_cnm_{bits}\n`define TOP axis_cnm_{bits}_properties\n");
    format!("`define WORDS {words}\n{names}{lanes}{OUTPUT}")
}

fn input() -> Proof {
    let broken = &[
        ("a_beat_comes_unchanged", "data <= s_axis_tdata", "data <= {s_axis_tdata[62:0], s_axis_tdata[63]}"),
        ("a_fault_is_seen", "!s_axis_tlast && !s_axis_tkeep[7]", "1'd0"),
        ("octets_are_counted", "keep_last & 8'haa", "keep_last & 8'ha8"),
        ("the_header_is_that_of_the_frame", "place != 2'd3", "1'd1"),
    ];
    Proof::new(beat_input(Width::W64), INPUT, broken)
}

fn queue() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "following_place + 5'd1", "following_place + 5'd2"),
        ("in_order_and_unchanged", "following_place != whole_place", "following_place != frame_place"),
        ("none_goes_that_has_not_entered", "read_place != whole_place", "read_place != write_place"),
        ("held_until_ready", "(!holds || next_tready)", "1'd1"),
        ("leaves_in_time", "holds <= shows ||", "holds <= shows && next_tready ||"),
        ("a_frame_that_begins_ends", "frame_place <= after_this", "frame_place <= write_place"),
        ("each_frame_has_one_outcome", "is_dropped <= ends && !bad && no_room", "is_dropped <= ends && no_room"),
        ("each_frame_has_one_outcome", "keeps = ends && !no_room && !bad", "keeps = ends && !no_room"),
        ("in_order_and_unchanged", "no_room = full || overflowed", "no_room = (full && in_last) || overflowed"),
        ("enqueue_tells_the_length", "octets <= 24'd0", "octets <= 24'd1"),
        ("dequeue_tells_what_left", "left_octets <= out_octets", "left_octets <= in_octets"),
        ("boundary_tells", "begun <= 1'd0", "begun <= 1'd1"),
    ];
    Proof::new(output_queue(Width::W64, 4), QUEUE, broken)
}

fn output(width: Width) -> Proof {
    let broken = &[
        ("a_beat_has_its_words", "lane_1 <= oldest", "lane_1 <= slot_0"),
        ("a_beat_has_its_words", "word_ready && write", "word_ready && !write"),
        ("a_beat_comes_in_time", "whole <= place ==", "whole <= 1'd0 && place =="),
        ("the_last_beat_ends_the_frame", "is_last <= ends", "is_last <= 1'd0"),
        ("held_until_ready", "free = !whole || m_axis_cnm_tready", "free = 1'd1"),
        ("takes_when_there_is_room", "word_ready <= !(two || end_waits", "word_ready <= !(two || waits"),
        ("frames_come_one_by_one", "word_ready <= !(two || end_waits || ends)", "word_ready <= !two"),
    ];
    Proof::new(frame_output(width), harness_of(width), broken)
}

fn output_64() -> Proof {
    let broken = &[
        ("a_beat_is_a_word", "read <= !read", "read <= 1'd0"),
        ("a_beat_is_a_word", "waits <= comes || two_wait", "waits <= comes"),
        ("the_last_beat_ends_the_frame", "is_end <= end_waits && !two", "is_end <= end_waits"),
        ("held_until_ready", "word_ready && !write", "word_ready"),
        ("takes_when_there_is_room", "word_ready <= !(two || end_waits)", "word_ready <= !(two || waits)"),
        ("frames_come_one_by_one", "word_ready <= !(two || end_waits)", "word_ready <= !two"),
    ];
    Proof::new(frame_output(Width::W64), OUTPUT_64, broken)
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn beats_come_in_with_their_octets_and_faults() {
    input().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn whole_good_frames_go_through_the_queue() {
    queue().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_queue_sees_a_mistake() {
    queue().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn words_of_feedback_frames_become_beats() {
    [Width::W128, Width::W256, Width::W512].into_iter().for_each(|width| output(width).sees_mistakes());
}

#[test]
fn words_of_feedback_frames_are_beats_of_64_bits() {
    output_64().sees_mistakes();
}
