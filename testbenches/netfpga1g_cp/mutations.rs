// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench sees a mistake: each statement of the tap is left out once.

use super::{FULL, overflow};
use crate::netfpga1g_cp::level::{LEVEL, a_reset_forgets_counts};
use crate::netfpga1g_cp::world::{Case, Level, Way, World, made};
use tidegate::bus::netfpga1g::CongestionPoint;
use tidegate::bus::queue_input::QueueInput;
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate_testing::broken::{each_operator_and_number_is_needed, each_statement_is_needed, fails};
use tidegate_testing::stimulus::Pattern;

const MODULES: [&str; 8] = [
    "word_queue",
    "packet_sequencer",
    "packet_fields",
    "packet_events",
    "netfpga1g_tap",
    "netfpga1g_out_buffer",
    "event_queue",
    "queue_events",
];

const CASES: [Case; 3] = [
    Case { packets: 1_500, once: true, sink: Pattern::Bursts(60), drains: 5, ..FULL },
    Case { packets: 1_500, late: 2, once: false, ports: 0xff, sink: Pattern::Random(80), drains: 5, ..FULL },
    Case { packets: 1_000, drains: 100, ..FULL },
];

/// Whether a run with this circuit fails.
fn found(netlist: &Netlist, registers: &Registers, overflows: bool) -> bool {
    let world = |case| World::with(case, CongestionPoint { netlist: netlist.clone(), registers: registers.clone() });
    CASES.iter().any(|&case| fails(|| world(case).run()))
        || overflows && fails(|| overflow(world(Case { packets: 0, ..FULL })))
}

#[test]
fn a_tap_without_one_of_its_statements_is_found() {
    let CongestionPoint { netlist, registers } = made("smcc", FULL.settings, QueueInput::Events);
    each_statement_is_needed(&netlist, &MODULES, 30, &[], |netlist| found(netlist, &registers, true));
}

#[test]
#[ignore = "long: a run of the bench for each operator and number"]
fn another_operator_or_number_in_the_tap_is_found() {
    let CongestionPoint { netlist, registers } = made("smcc", FULL.settings, QueueInput::Events);
    each_operator_and_number_is_needed(&netlist, &MODULES, &super::proof::proofs(), &[], |netlist| {
        found(netlist, &registers, true)
    });
}

const LEVEL_MODULES: [&str; 4] = ["queue_level", "queue_levels", "words_in_flight", "level_events"];

#[test]
fn levels_without_one_of_their_statements_are_found() {
    let exact = Case { packets: 700, ports: 0xff, drains: 40, ..LEVEL };
    let cases = [
        exact,
        Case { level: Some(Level { way: Way::InputFifo, exact: true }), sink: Pattern::Bursts(60), ..exact },
        Case { level: Some(Level { way: Way::Cycles(16), exact: false }), packets: 300, ..exact },
    ];
    let CongestionPoint { netlist, registers } = made("smcc", LEVEL.settings, QueueInput::Level);
    let world = |netlist: &Netlist, case| {
        World::with(case, CongestionPoint { netlist: netlist.clone(), registers: registers.clone() })
    };
    each_statement_is_needed(&netlist, &LEVEL_MODULES, 14, &[], |netlist| {
        cases.iter().any(|&case| fails(|| world(netlist, case).run())) || fails(|| a_reset_forgets_counts(netlist))
    });
}
