// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what goes through the tap.

use tidegate::rtl::bus::netfpga1g::{
    out_buffer::OutBuffer, packet_events::PacketEvents, packet_sequencer::PacketSequencer, queue_level::QueueLevel,
    tap::Tap, word_queue::WordQueue,
};
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::proofs::Proof;

const WORD_QUEUE: &str = include_str!("word_queue.sv");
const PACKET_SEQUENCER: &str = include_str!("packet_sequencer.sv");
const PACKET_EVENTS: &str = include_str!("packet_events.sv");
const OUT_BUFFER: &str = include_str!("out_buffer.sv");
const TAP: &str = include_str!("tap.sv");
const QUEUE_LEVEL: &str = include_str!("queue_level.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![queue(), sequencer(), buffer(), level(), events(), tap()]
}

fn queue() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "highs[write_place] <= in_high", "highs[write_place] <= in_low"),
        ("in_order_and_unchanged", "read_place <= read_place + 4'd1", "read_place <= read_place + 4'd2"),
        ("a_length_says_whether_four_more_octets_fit", "in_low[2] && |in_low[1:0]", "in_low[2] && |in_low[2:1]"),
        ("none_lost_none_twice", "filled <= count != 5'd1", "filled <= 1'd1"),
        ("one_place_is_left", "roomy <= count < 5'd12", "roomy <= count < 5'd15"),
        ("nothing_lost_of_a_sender_that_waits", "roomy <= count < 5'd13", "roomy <= 1'd1"),
        ("lost_tells", "lost <= in_wr && full", "lost <= in_wr && roomy"),
    ];
    Proof::new(Circuit::of::<WordQueue>("word_queue", &[]).netlist, WORD_QUEUE, broken)
}

fn sequencer() -> Proof {
    let broken = &[
        ("each_word_goes_once_and_unchanged", "low <= word_low;", "low <= word_high;"),
        ("only_a_word_that_waits_is_taken", "next_rdy && word_valid &&", "next_rdy &&"),
        ("frame_words_go_unchanged", "ctrl <= 8'd16", "ctrl <= 8'd8"),
        ("frame_words_go_unchanged", "frame_low <= data_low;", "frame_low <= data_high;"),
        ("frame_words_go_unchanged", "loads = header_goes || frame_goes", "loads = frame_goes"),
        ("last_word_goes_when_it_is_taken", "loads && !last", "loads"),
        ("frame_is_whole", "between = !started && !heading && !framing", "between = !started && !heading"),
        ("packet_is_whole", "may_begin = between && valid", "may_begin = valid"),
        ("header_says_where", "32'h10000 << port_now", "32'h20000 << port_now"),
        ("no_packet_begins_while_held", "between && !hold &&", "between &&"),
        ("no_frame_begins_while_held", "valid && !hold_frame", "valid"),
        ("only_a_chosen_frame_begins", "next_rdy && heading", "next_rdy && frame_turn"),
        ("nothing_without_room", "header_goes = next_rdy && heading", "header_goes = heading"),
        ("a_word_waits_for_one_frame_only", "(frame_before || !may_begin)", "!may_begin"),
        ("a_frame_waits_for_one_packet_only", "(frame_before || !may_begin)", "1'b1"),
        ("a_frame_waits_for_one_packet_only", "frame_before <= 1'd0;", "frame_before <= 1'd1;"),
        ("a_word_waits_for_one_frame_only", "frame_before <= 1'd1;", "frame_before <= 1'd0;"),
        ("boundary_tells", "was_between <= between;", "was_between <= !started;"),
    ];
    Proof::new(Circuit::of::<PacketSequencer>("packet_sequencer", &[]).netlist, PACKET_SEQUENCER, broken)
}

fn buffer() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "highs[write_place] <= next_high", "highs[write_place] <= next_low"),
        ("in_order_and_unchanged", "read_place <= read_place + 2'd1", "read_place <= read_place + 2'd2"),
        ("goes_if_there_was_room", "filled <= count != 3'd1", "filled <= 1'd1"),
        ("goes_if_there_was_room", "may_go <= out_rdy", "may_go <= 1'd1"),
        ("nothing_lost", "roomy <= count < 3'd2", "roomy <= count < 3'd3"),
        ("room_while_the_receiver_has_room", "roomy <= count < 3'd4", "roomy <= count < 3'd2"),
        ("buffered_tells", "buffered = filled || holds", "buffered = filled"),
    ];
    Proof::new(Circuit::of::<OutBuffer>("out_buffer", &[]).netlist, OUT_BUFFER, broken)
}

fn level() -> Proof {
    let broken = &[
        ("full_is_not_empty", "upper <= seen[10]", "upper <= seen[9]"),
        ("full_is_not_empty", "? 12'h800 :", "? 12'h0 :"),
    ];
    Proof::new(Circuit::of::<QueueLevel>("queue_level", &[]).netlist, QUEUE_LEVEL, broken)
}

fn events() -> Proof {
    let broken = &[
        ("no_queue_is_told_twice", "? (waiting & (waiting - 8'd1)) :", "? waiting :"),
        ("no_queue_is_forgotten", "holds = known || waits;", "holds = known;"),
        ("no_queue_is_forgotten", "known ? targets :", "known ? (targets & 8'h7f) :"),
        ("no_queue_is_told_twice", "lowest = 3'd6;", "lowest = 3'd5;"),
        ("no_queue_is_told_twice", "(!single || (destination_ports == 8'd0))", "!single"),
        ("a_packet_says_its_words", "packet_words + 8'd1", "packet_words + 8'd2"),
        ("no_queue_is_forgotten", "taken && !frame_waits", "taken"),
        ("a_frame_is_told_first", "holds_frame = frame_ended || frame_waits;", "holds_frame = frame_ended;"),
        ("a_frame_is_told_first", "24'd72", "24'd64"),
        ("a_cycle_between_two_events", "(packet_told || frame_waits) && !taken", "packet_told || frame_waits"),
        ("held_for_eight_events", "? (waiting & (waiting - 8'd1)) :", "? waiting :"),
        ("held_only_while_an_event_waits", "holds = known || waits;", "holds = known || waits || packet_words[0];"),
    ];
    Proof::new(Circuit::of::<PacketEvents>("packet_events", &[]).netlist, PACKET_EVENTS, broken)
}

fn tap() -> Proof {
    let broken = &[
        ("each_word_leaves_once_in_order_unchanged", "low <= word_low;", "low <= word_low ^ 32'd1;"),
        ("nothing_leaves_that_did_not_come", "next_rdy && word_valid &&", "next_rdy &&"),
        ("the_events_of_a_packet_come_after_those_before", "between && !hold &&", "between &&"),
        ("the_event_of_a_frame_comes_after_that_before", "valid && !hold_frame", "valid"),
        ("a_word_waits_for_66_cycles_at_most", "(frame_before || !may_begin)", "!may_begin"),
        ("a_word_waits_for_66_cycles_at_most", "holds = known || waits;", "holds = known || waits || packet_words[0];"),
    ];
    Proof::new(Circuit::of::<Tap>("netfpga1g_tap", &[]).netlist, TAP, broken)
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn the_queue_before_the_tap_loses_and_changes_nothing() {
    queue().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_queue_sees_a_mistake() {
    queue().sees_mistakes();
}

#[test]
fn packets_and_frames_go_out_whole() {
    sequencer().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_sequence_sees_a_mistake() {
    sequencer().sees_mistakes();
}

#[test]
fn the_buffer_behind_the_tap_loses_and_changes_nothing() {
    buffer().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_buffer_sees_a_mistake() {
    buffer().sees_mistakes();
}

#[test]
fn a_full_queue_is_never_taken_for_an_empty_one() {
    level().sees_mistakes();
}

#[test]
fn each_queue_is_told_of_a_packet_once() {
    events().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_events_sees_a_mistake() {
    events().sees_mistakes();
}

/// What the proofs of its modules assume of each other is proved here.
#[test]
fn the_tap_passes_each_word_and_none_waits_for_ever() {
    tap().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_tap_sees_a_mistake() {
    tap().sees_mistakes();
}
