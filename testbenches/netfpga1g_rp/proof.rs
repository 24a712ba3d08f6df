// SPDX-License-Identifier: MIT OR Apache-2.0
//! For all time and all traffic: what goes through the receive path and through the gates.

use tidegate::rtl::bus::netfpga1g::{
    gate_turns::GateTurns, packet_payment::PacketPayment, receive_filter::ReceiveFilter, tag_inserter::TagInserter,
    transmit_gate::TransmitGate,
};
use tidegate::rtl::bus::{feedback_finder::FeedbackFinder, hold_queue::HoldQueue};
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::proofs::Proof;

const HOLD_QUEUE: &str = include_str!("hold_queue.sv");
const FEEDBACK_FINDER: &str = include_str!("feedback_finder.sv");
const RECEIVE_FILTER: &str = include_str!("receive_filter.sv");
const GATE_TURNS: &str = include_str!("gate_turns.sv");
const PACKET_PAYMENT: &str = include_str!("packet_payment.sv");
const TAG_INSERTER: &str = include_str!("tag_inserter.sv");
const TRANSMIT_GATE: &str = include_str!("transmit_gate.sv");

/// All of them.
pub fn proofs() -> Vec<Proof> {
    vec![hold_queue(), finder(), receive_path(), payment(), inserter(), turns(), gate()]
}

fn hold_queue() -> Proof {
    let broken = &[
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
    Proof::new(Circuit::of::<HoldQueue>("hold_queue", &[]).netlist, HOLD_QUEUE, broken)
}

fn finder() -> Proof {
    let broken = &[
        ("removes_feedback_and_nothing_else", "(high_upper == 16'h22e7)", "(high_upper == 16'h22e9)"),
        ("releases_all_that_passes", "open && !ends", "open"),
        ("removes_feedback_and_nothing_else", "seen_high[15:0] !=", "seen_high[31:16] !="),
        ("releases_all_that_passes", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("a_released_frame_goes_on", "open = !passes && !removing", "open = !removing"),
        ("decided_with_the_third_word", "waits = !ends && (((place == 2'd0)", "waits = !ends && (((place != 2'd1)"),
        ("removed_tells", "seen && ends && removing", "seen && ends"),
    ];
    Proof::new(Circuit::of::<FeedbackFinder>("feedback_finder", &[]).netlist, FEEDBACK_FINDER, broken)
}

fn receive_path() -> Proof {
    let broken = &[
        ("never_stopped", "(headers == 3'd7)", "(headers == 3'd7) && in_ctrl[0]"),
        ("nothing_lost_while_it_flows", "(headers == 3'd7)", "(headers == 3'd7) && in_ctrl[0]"),
        ("everything_leaves", "releasing <= passes || lets_pass", "releasing <= lets_pass"),
        ("nothing_without_room", "out_wr = holds && may_go", "out_wr = holds"),
        ("boundary_is_between_packets", "begun <= !ends", "begun <= is_data"),
    ];
    Proof::new(Circuit::of::<ReceiveFilter>("receive_filter", &[]).netlist, RECEIVE_FILTER, broken)
}

fn payment() -> Proof {
    let broken = &[
        ("pays_all_and_no_more", "is_paid <= last", "is_paid <= last || left[0]"),
        ("pays_all_and_no_more", "left <= left - part", "left <= left"),
        ("pays_all_and_no_more", "left <= bytes", "left <= bytes + 14'd1"),
        ("a_part_fits_the_bucket", "left <= largest", "left[12:0] <= largest[12:0]"),
        ("a_part_fits_the_bucket", "largest <= bucket_bytes - ", "largest <= bucket_bytes + "),
        ("held_until_told", "!is_paid && !asks && !sized", "!is_paid && !sized"),
        ("refused_is_not_requested_again", "if (refuse) begin", "if (refuse && last) begin"),
        ("asks_after_three_cycles", "if (sized) begin", "if (sized && fits) begin"),
        ("asks_for_what_waits_and_is_not_paid", "begun && !is_paid && !asks", "begun && !asks"),
        ("parts_are_not_small", "largest >> 1", "largest >> 2"),
    ];
    Proof::new(Circuit::of::<PacketPayment>("packet_payment", &[]).netlist, PACKET_PAYMENT, broken)
}

fn inserter() -> Proof {
    let broken = &[
        ("each_octet_comes_out_in_its_place", "carry <= word_low", "carry <= word_high"),
        ("each_octet_is_in_the_packet", "{word_ctrl[3:0], word_ctrl[7:4]}", "word_ctrl"),
        ("a_word_for_each_and_one_for_a_rest", "holds <= goes || rest", "holds <= goes"),
        ("module_headers_say_the_length", "one_more = lengthens && fills", "one_more = fills"),
        ("module_headers_say_the_length", "lengthens, 2'd0}", "lengthens, 3'd0}"),
        ("module_headers_say_the_length", "lengthens = tags_now && is_length", "lengthens = tags_now && !of_packet"),
        ("the_tag_is_behind_the_addresses", "20'h22e90", "20'h22e70"),
        ("the_tag_is_behind_the_addresses", "identifier <= flow", "identifier <= flow + 12'd1"),
        (
            "the_tag_is_behind_the_vlan",
            "if (in_tag && later && goes) begin",
            "if (in_tag && later && goes && !flow[0]) begin",
        ),
        ("no_tag_no_change", "in_tag = tags && (place == 2'd1)", "in_tag = place == 2'd1"),
        ("the_last_word_ends", "if (|word_ctrl[3:0]) begin", "if (|word_ctrl[2:0]) begin"),
        ("nothing_is_behind_the_rest", "place <= 2'd0", "place <= place"),
        ("the_rest_ends", "rest_ctrl <= turned", "rest_ctrl <= word_ctrl"),
        ("ready_but_for_a_rest", "ready = room && !rest", "ready = room"),
        ("ready_but_for_a_rest", "rest <= goes", "rest <= goes && word_ctrl[0]"),
        ("nothing_without_room", "out_wr = holds && may_go", "out_wr = holds"),
    ];
    Proof::new(Circuit::of::<TagInserter>("tag_inserter", &[]).netlist, TAG_INSERTER, broken)
}

fn turns() -> Proof {
    let broken = &[
        ("one_gate_is_paid_at_most", "if (wants && !clash) begin", "if (wants) begin"),
        ("turns_go_round", "turn <= turn + 2'd1", "turn <= turn + 2'd2"),
        ("a_turn_has_eight_cycles_at_most", "if (since == 2'd3) begin", "if (since == 2'd3 && refused) begin"),
        ("whose_turn_it_is_announces", "if (wants && !clash) begin", "if (wants && !clash && !grant) begin"),
        ("announces_what_is_requested", "wants <= request_2 && !announced_2", "wants <= request_2"),
        ("announces_what_is_requested", "if (told_1) begin", "if (told_1 || granted_1 && sent) begin"),
        ("announces_what_is_requested", "bytes <= request_bytes_3", "bytes <= request_bytes_2"),
        ("announcement_is_held", "assign announce_flow = flow", "assign announce_flow = flow ^ request_flow_0"),
        ("no_flow_twice", "if (wants && !clash) begin", "if (wants) begin"),
        ("paid_is_what_was_granted", "(request_flow_2 == grant_flow)", "(request_flow_1 == grant_flow)"),
        ("one_is_paid", "grants_3 = grant && announced_3", "grants_3 = grant"),
        ("one_is_paid", "was_sent <= sent;", "was_sent <= sent && granted_0;"),
        ("length_of_what_is_paid", "granted_3 ? request_bytes_3", "granted_3 ? request_bytes_2"),
        (
            "refused_is_what_was_announced",
            "refuse_1 = answers && was_refused && chosen[1]",
            "refuse_1 = answers && was_refused",
        ),
        ("a_grant_is_used_at_once", "grants_0 || grants_1", "grants_1"),
    ];
    Proof::new(Circuit::of::<GateTurns>("gate_turns", &[]).netlist, GATE_TURNS, broken)
}

/// Of the queue of words, what says whether they are octets is a memory of one bit a word. For z3 it is one register.
fn gate() -> Proof {
    let broken = &[
        ("in_order_and_unchanged", "read_place <= read_place + 4'd1", "read_place <= read_place + 4'd2"),
        ("what_may_go_goes", "holds <= goes || rest", "holds <= goes && !ends || rest"),
        ("nothing_else_goes", "tag_inserter_ready && word_queue_word_valid", "tag_inserter_ready"),
        (
            "each_pays_for_itself",
            "opens <= (begins && waits) || (opens && !",
            "opens <= (begins && waits) || (opens && ",
        ),
        ("nothing_goes_unpaid", "(!waits || packet_payment_paid)", "1'd1"),
        ("nothing_without_room", "out_wr = holds && may_go", "out_wr = holds"),
        ("a_known_packet_is_next", "next_known <= is_known", "next_known <= is_known && !started"),
        ("a_known_packet_is_there", "known_place <= known_place + 4'd1", "known_place <= known_place + 4'd2"),
        ("never_stuck", "(headers == 3'd7)", "(headers == 3'd7) && seen_ctrl[0]"),
        ("a_rest_waits_for_room_only", "rest <= 1'd0", "rest <= rest"),
    ];
    Proof::new(Circuit::of::<TransmitGate>("transmit_gate", &[]).netlist, TRANSMIT_GATE, broken)
        .with_the_same("reg kinds [0:15]", "reg [15:0] kinds")
}

#[test]
fn mistakes_have_their_places() {
    proofs().iter().for_each(Proof::mistakes_have_their_places);
}

#[test]
fn words_wait_and_go_on_unchanged_or_are_removed() {
    hold_queue().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_words_that_wait_sees_a_mistake() {
    hold_queue().sees_mistakes();
}

#[test]
fn feedback_is_removed_whole_and_all_else_passes() {
    finder().sees_mistakes();
}

#[test]
fn the_receive_path_is_never_stopped() {
    receive_path().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_receive_path_sees_a_mistake() {
    receive_path().sees_mistakes();
}

#[test]
fn packets_pay_what_they_owe_and_tags_change_nothing_else() {
    payment().holds();
    inserter().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn a_packet_pays_its_octets_in_parts_that_fit_the_bucket() {
    payment().sees_mistakes();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn a_tag_goes_in_and_all_octets_stay_in_order() {
    inserter().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn each_gate_has_its_turn_and_each_payment_its_packet() {
    turns().sees_mistakes();
}

#[test]
#[ignore = "long: minutes of z3"]
fn each_packet_leaves_when_it_may_and_none_waits_for_ever() {
    gate().holds();
}

#[test]
#[ignore = "long: a proof for each mistake"]
fn each_claim_about_the_gate_sees_a_mistake() {
    gate().sees_mistakes();
}
