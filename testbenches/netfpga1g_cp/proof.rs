//! For all time and all traffic: what goes through the tap.

use crate::proofs::proved;
use tidegate::rtl::bus::netfpga1g::{
    packet_sequencer::PacketSequencer, queue_level::QueueLevel, word_queue::WordQueue,
};
use tidegate::rtl::circuit::Circuit;

const WORD_QUEUE: &str = include_str!("word_queue.sv");
const PACKET_SEQUENCER: &str = include_str!("packet_sequencer.sv");
const QUEUE_LEVEL: &str = include_str!("queue_level.sv");

#[test]
fn the_queue_before_the_tap_loses_and_changes_nothing() {
    let broken = [
        ("in_order_and_unchanged", "highs[write_place] <= in_high", "highs[write_place] <= in_low"),
        ("in_order_and_unchanged", "read_place <= read_place + 4'd1", "read_place <= read_place + 4'd2"),
        ("none_lost_none_twice", "filled <= count != 5'd1", "filled <= 1'd1"),
        ("one_place_is_left", "roomy <= count < 5'd12", "roomy <= count < 5'd15"),
        ("nothing_lost_of_a_sender_that_waits", "roomy <= count < 5'd13", "roomy <= 1'd1"),
        ("lost_tells", "lost <= in_wr && full", "lost <= in_wr && roomy"),
    ];
    proved(&Circuit::of::<WordQueue>("word_queue", &[]), WORD_QUEUE, &broken);
}

#[test]
fn packets_and_frames_go_out_whole() {
    let broken = [
        ("each_word_goes_once_and_unchanged", "low <= word_low;", "low <= word_high;"),
        ("only_a_word_that_waits_is_taken", "out_rdy && word_valid &&", "out_rdy &&"),
        ("frame_words_go_unchanged", "ctrl <= 8'd16", "ctrl <= 8'd8"),
        ("frame_is_whole", "between = !started && !framing", "between = !started"),
        ("packet_is_whole", "may_begin = between && valid", "may_begin = valid"),
        ("header_says_where", "32'h10000 << frame_port", "32'h20000 << frame_port"),
        ("no_packet_begins_while_held", "between && !hold &&", "between &&"),
        ("no_frame_begins_while_held", "valid && !hold_frame", "valid"),
        ("nothing_without_room", "header_goes = out_rdy && frame_turn", "header_goes = frame_turn"),
        ("a_word_waits_for_one_frame_only", "(frame_before || !may_begin)", "!may_begin"),
        ("a_frame_waits_for_one_packet_only", "(frame_before || !may_begin)", "1'b1"),
        ("a_frame_waits_for_one_packet_only", "frame_before <= 1'd0;", "frame_before <= 1'd1;"),
        ("a_word_waits_for_one_frame_only", "frame_before <= 1'd1;", "frame_before <= 1'd0;"),
        ("boundary_tells", "assign boundary = between;", "assign boundary = !started;"),
    ];
    proved(&Circuit::of::<PacketSequencer>("packet_sequencer", &[]), PACKET_SEQUENCER, &broken);
}

#[test]
fn a_full_queue_is_never_taken_for_an_empty_one() {
    let broken = [
        ("full_is_not_empty", "upper <= seen[10]", "upper <= seen[9]"),
        ("full_is_not_empty", "level = 12'h800", "level = 12'h0"),
    ];
    proved(&Circuit::of::<QueueLevel>("queue_level", &[]), QUEUE_LEVEL, &broken);
}
