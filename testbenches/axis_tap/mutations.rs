// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench sees a mistake: each statement around the congestion point is left out once.

use super::{EACH, FLUSHED, SMCC, level_events};
use crate::axis_tap::path_frames::Lengths;
use crate::axis_tap::world::{Case, World, made};
use tidegate::bus::axis_tap::CongestionPoint;
use tidegate::bus::axis_tap::level_events::WAY;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate_testing::broken::{each_statement_is_needed, fails};
use tidegate_testing::stimulus::Pattern;

/// A feedback frame behind two tags is rare, so there are many frames, with time for a sample of each.
const CASES: [Case; 4] = [
    Case {
        settings: EACH,
        frames: 1_500,
        lengths: Lengths::Only(60),
        source: Pattern::Random(15),
        drains: 20,
        queues: 0x1f,
        ..SMCC
    },
    Case { settings: EACH, frames: 600, sink: Pattern::Random(80), drains: 5, ..SMCC },
    Case { settings: EACH, frames: 1_500, lengths: Lengths::Only(40), drains: 5, ..SMCC },
    // Frames of one beat.
    Case { settings: EACH, frames: 300, lengths: Lengths::Only(8), sink: Pattern::Bursts(60), drains: 5, ..SMCC },
];

#[test]
#[ignore = "long: a run of the bench for each statement"]
fn a_path_without_one_of_its_statements_is_found() {
    let width = Width::W128;
    let CongestionPoint { netlist, registers } = made("smcc", EACH, width, QueueInput::Events);
    let modules = [
        "axis_path_128",
        "axis_frame_events",
        "axis_event_store",
        "axis_event_turns",
        "queue_account",
        "queue_accounts",
    ];
    each_statement_is_needed(&netlist, &modules, 20, &[], |netlist| {
        let point = CongestionPoint { netlist: netlist.clone(), registers: registers.clone() };
        let (program, registers) = World::compiled(&point);
        CASES.iter().any(|&case| fails(|| World::with(Case { width, ..case }, &program, registers.clone()).run()))
    });
}

#[test]
#[ignore = "long: a run of the bench for each statement"]
fn levels_without_one_of_their_statements_are_found() {
    let width = Width::W64;
    let CongestionPoint { netlist, registers } = made("smcc", EACH, width, QueueInput::Level);
    each_statement_is_needed(&netlist, &["axis_level_events_64"], 20, &[], |netlist| {
        let point = CongestionPoint { netlist: netlist.clone(), registers: registers.clone() };
        let (program, registers) = World::compiled(&point);
        let ways = [1, WAY as u64 + 1].map(Some);
        let all = CASES.iter().flat_map(|&case| ways.map(|way| Case { width, way, ..case }));
        let mut cases = all.chain([Case { width, settings: EACH, frames: 2_000, flushes: 1, ..FLUSHED }]);
        !level_events::is_right(netlist)
            || cases.any(|case| fails(|| World::with(case, &program, registers.clone()).run()))
    });
}
