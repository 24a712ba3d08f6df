// SPDX-License-Identifier: MIT OR Apache-2.0
//! The bench sees a mistake: each statement around the congestion point is left out once.

use super::SMCC;
use crate::axis_cp::beats::Lengths;
use crate::axis_cp::world::{Case, World, made};
use tidegate::bus::axis_cp::CongestionPoint;
use tidegate::bus::width::Width;
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate_testing::broken::{each_operator_and_number_is_needed, each_statement_is_needed, fails};
use tidegate_testing::stimulus::Pattern;

/// Each frame is a sample.
const SETTINGS: &[(&str, &str)] = &[("sample_packets", "1"), ("q0_bytes", "1000"), ("buffer_bytes", "2048")];

/// A feedback frame behind two tags is rare, so there are many frames, with time for a sample of each.
const CASES: [Case; 4] = [
    Case { settings: SETTINGS, frames: 1_500, lengths: Lengths::Only(60), source: Pattern::Random(15), ..SMCC },
    Case { settings: SETTINGS, frames: 150, sink: Pattern::Random(80), cnm_sink: Pattern::Bursts(5), ..SMCC },
    Case { settings: SETTINGS, frames: 220, lengths: Lengths::Each, sink: Pattern::Always, ..SMCC },
    // The shortest frames that have all fields; feedback frames wait long.
    Case { settings: SETTINGS, frames: 300, lengths: Lengths::Only(22), cnm_sink: Pattern::Random(15), ..SMCC },
];

fn modules(width: Width) -> Vec<String> {
    let of_width =
        ["axis_input", "axis_memory", "axis_cnm", "axis_stage"].map(|name| format!("{name}_{}", width.bits()));
    of_width
        .into_iter()
        .chain(["axis_frame_queue", "axis_frame_fields", "axis_cnm_stage"].map(str::to_string))
        .collect()
}

/// Whether a run with this circuit fails.
fn found(netlist: &Netlist, registers: &Registers, width: Width) -> bool {
    let point = CongestionPoint { netlist: netlist.clone(), registers: registers.clone() };
    let (program, registers) = World::compiled(&point);
    CASES.iter().any(|&case| fails(|| World::with(Case { width, ..case }, &program, registers.clone()).run()))
}

#[test]
fn a_stream_without_one_of_its_statements_is_found() {
    let width = Width::W128;
    let CongestionPoint { netlist, registers } = made("smcc", SETTINGS, width);
    let modules = modules(width);
    let names: Vec<&str> = modules.iter().map(String::as_str).collect();
    each_statement_is_needed(&netlist, &names, 20, &[], |netlist| found(netlist, &registers, width));
}

/// Changes that are no mistakes, with beats of 256 bits.
const UNSEEN: [(&str, &str, &str); 3] = [
    (
        "axis_input_256",
        "place <= place - 2'd1;",
        "behind the first beat, which has the whole header, any place but 0 will do",
    ),
    (
        "axis_cnm_256",
        "wire end_waits = (comes && last) || (ended && two_wait && !free);",
        "the last word of a frame is the last one of its beat, so it waits alone, and for one cycle",
    ),
    ("axis_cnm_256", "if (free || (place == 2'd3)) begin", "with three words or less the beat is free"),
];

#[test]
#[ignore = "long: a run of the bench for each operator and number"]
fn another_operator_or_number_is_found() {
    for (width, unseen) in [(Width::W64, &[][..]), (Width::W256, &UNSEEN)] {
        let CongestionPoint { netlist, registers } = made("smcc", SETTINGS, width);
        let modules = modules(width);
        let names: Vec<&str> = modules.iter().map(String::as_str).collect();
        each_operator_and_number_is_needed(&netlist, &names, &super::proof::proofs(), unseen, |netlist| {
            found(netlist, &registers, width)
        });
    }
}
