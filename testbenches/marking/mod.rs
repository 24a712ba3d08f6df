// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packet marking: the circuits of 2, 4 and 8 ports, with counters and naive, and their blocks, against the model, and
//! against their Verilog.

use rayon::prelude::*;
use std::collections::HashSet;
use tidegate::registry::find;
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::verilog;
use tidegate_testing::blocks;

fn circuits(numbers_of_ports: &[&'static str]) -> Vec<Circuit> {
    let mut circuits = Vec::new();
    for marking in ["counters", "naive"] {
        for &ports in numbers_of_ports {
            let settings = [("marking", marking), ("ports", ports)];
            let (blocks, whole) = find("infiniband").unwrap().circuits_of(Part::CongestionPoint, &settings);
            circuits.extend(blocks.into_iter().chain([whole]));
        }
    }
    circuits
}

#[test]
fn marks_what_the_model_marks() {
    for circuit in circuits(&["2", "4", "8"]) {
        blocks::agrees_with_its_reference(&circuit, 100_000);
    }
}

#[test]
fn verilog_does_the_same() {
    verilog_agrees(&["4"]);
}

#[test]
#[ignore = "long: a compiler needs minutes for the C++ of eight ports"]
fn verilog_of_two_and_eight_ports_does_the_same() {
    verilog_agrees(&["2", "8"]);
}

fn verilog_agrees(numbers_of_ports: &[&'static str]) {
    // Both kinds of marking have the same buffers.
    let mut seen = HashSet::new();
    let all: Vec<_> =
        circuits(numbers_of_ports).into_iter().filter(|circuit| seen.insert(verilog::text(&circuit.netlist))).collect();
    all.par_iter().for_each(|circuit| blocks::agrees_with_its_verilog(circuit, 20_000));
}

#[test]
fn verilog_passes_lint() {
    for circuit in circuits(&["2", "4", "8"]) {
        blocks::passes_lint(&circuit);
    }
}
