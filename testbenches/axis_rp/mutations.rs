// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench sees a mistake: each statement of what stands in wide streams is left out once.

use crate::axis_rp::world::{Case, World, made};
use crate::axis_rp::{RULE, SMCC};
use tidegate::bus::rp::ReactionPoint;
use tidegate::bus::width::Width;
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate_testing::broken::{each_operator_and_number_is_needed, each_statement_is_needed, fails};
use tidegate_testing::feedback_frames::Nature;
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::stimulus::Pattern;

const FLOWS: Case = Case { flows: 4, rule: Rule { flow_mask: 3, ..RULE }, valid: 30, ..SMCC };
const PAUSES: Case = Case { sink: Pattern::Random(80), tx_sink: Pattern::Random(80), ..FLOWS };
const CASES: [Case; 3] = [
    Case { frames: 300, departures: 40, source: Pattern::Random(60), tx_source: Pattern::Random(60), ..PAUSES },
    Case { frames: 1_500, departures: 40, seed: 5, ..FLOWS },
    Case {
        frames: 100,
        rule: Rule { pass_feedback: true, ..FLOWS.rule },
        controlled: false,
        departures: 600,
        ..PAUSES
    },
];

fn modules(width: Width) -> Vec<String> {
    let of_width =
        ["axis_receive_path", "axis_cut_memory", "axis_gate_memory", "axis_receive_stage", "axis_transmit_stage"];
    let of_width = of_width.map(|name| format!("{name}_{}", width.bits()));
    let of_all = ["axis_frame_finder", "axis_frame_cutter", "axis_frame_gate"].map(str::to_string);
    of_width.into_iter().chain(of_all).collect()
}

/// Feedback that ends within the octets that tell what it is, or behind them.
fn cut_short(mut world: World) {
    for length in (14..34).cycle().take(400) {
        let mut frame = Frame::of(&mut world.random, &FLOWS.rule, Nature::Notification, 60);
        frame.octets.truncate(length);
        world.enter(Frame::good(frame.octets, &FLOWS.rule));
    }
    world.run();
}

/// Whether a run with this circuit fails.
fn found(netlist: &Netlist, registers: &Registers, width: Width) -> bool {
    let point = ReactionPoint { netlist: netlist.clone(), registers: registers.clone() };
    let (program, registers) = World::compiled(&Case { width, ..FLOWS }, &point);
    let world = |case| {
        let mut world = World::with(Case { width, ..case }, &program, registers.clone());
        world.patience = 200_000;
        world
    };
    CASES.iter().any(|&case| fails(|| world(case).run())) || fails(|| cut_short(world(Case { frames: 0, ..FLOWS })))
}

#[test]
fn a_wide_stream_without_one_of_its_statements_is_found() {
    let width = Width::W128;
    let ReactionPoint { netlist, registers } = made(&Case { width, ..FLOWS });
    let modules = modules(width);
    let names: Vec<&str> = modules.iter().map(String::as_str).collect();
    each_statement_is_needed(&netlist, &names, 40, &[], |netlist| found(netlist, &registers, width));
}

/// Changes that are no mistakes.
const UNSEEN: [[(&str, &str, &str); 1]; 2] = [
    [(
        "axis_receive_path_128",
        "wire [3:0] last_octet = s_axis_rx_tlast ? {in_upper_8, in_upper_4, in_upper_2, in_upper_1} : 4'd14;",
        LOW_BIT,
    )],
    [(
        "axis_receive_path_256",
        "wire [4:0] last_octet = s_axis_rx_tlast ? {in_upper_16, in_upper_8, in_upper_4, in_upper_2, in_upper_1} : 5'd30;",
        LOW_BIT,
    )],
];
const LOW_BIT: &str = "of a beat that is not the last one, only its words are counted";

#[test]
#[ignore = "long: a run of the bench for each operator and number"]
fn another_operator_or_number_is_found() {
    for (width, unseen) in [Width::W128, Width::W256].into_iter().zip(UNSEEN) {
        let ReactionPoint { netlist, registers } = made(&Case { width, ..FLOWS });
        let modules = modules(width);
        let names: Vec<&str> = modules.iter().map(String::as_str).collect();
        each_operator_and_number_is_needed(&netlist, &names, &super::proof::proofs(), &unseen, |netlist| {
            found(netlist, &registers, width)
        });
    }
}
