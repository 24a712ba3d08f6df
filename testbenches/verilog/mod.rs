// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emitted Verilog has the same outputs in outside simulators as the circuit in Rust, in every cycle, for both parts of
//! every scheme, and for every block in the long tests. `tidegate verify` does the same with more cycles.

use crate::common::simulators::VERILATOR;
use std::collections::BTreeMap;
use tidegate::bench::vectors::Recording;
use tidegate::registry::{Family, SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::icarus::Icarus;
use tidegate::toolchain::verilator::Effort;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;

/// Cycles recorded for each module.
const CYCLES: u64 = 40_000;
/// Number of them that Icarus replays: more than to the first change of the parameters.
const ICARUS_CYCLES: u64 = 6_000;

/// What is replayed.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    /// The whole parts of all schemes, also the congestion points for many queues.
    Parts,
    /// Their blocks. One that several schemes share is built once, and replayed with the stimulus of each.
    Blocks,
}

/// Replays in each simulator.
fn agrees(part: Part, of: Of) {
    let verilator = Simulator::Verilator(VERILATOR.clone());
    let icarus = Icarus::find().ok().map(Simulator::Icarus);
    if icarus.is_none() {
        eprintln!("skipped: Icarus is not there");
    }
    let mut by_verilog: BTreeMap<String, Vec<(&'static Scheme, Circuit)>> = BTreeMap::new();
    for scheme in SCHEMES {
        let circuits = match (of, part) {
            (Of::Blocks, _) => scheme.blocks(part),
            (Of::Parts, Part::CongestionPoint) => [vec![scheme.circuit(part)], many_queues(scheme)].concat(),
            (Of::Parts, Part::ReactionPoint) => vec![scheme.circuit(part)],
        };
        for circuit in circuits {
            by_verilog.entry(verilog::text(&circuit.netlist)).or_default().push((scheme, circuit));
        }
    }
    for circuits in by_verilog.values() {
        let build = |simulator| Replay::new(simulator, &circuits[0].1, Effort::Quick).unwrap();
        let verilator = build(&verilator);
        let icarus = icarus.as_ref().map(build);
        for (scheme, circuit) in circuits {
            let recording = record(scheme, circuit);
            let at = format!("{} of {}", circuit.module, scheme.name);
            if let Some(mismatch) = verilator.compare(&recording, CYCLES, &[]).unwrap() {
                panic!("{at} in Verilator: {mismatch}");
            }
            let Some(icarus) = &icarus else { continue };
            if let Some(mismatch) = icarus.compare(&recording, ICARUS_CYCLES, &[]).unwrap() {
                panic!("{at} in Icarus: {mismatch}");
            }
        }
    }
}

/// The congestion point of an Ethernet scheme for four queues.
fn many_queues(scheme: &Scheme) -> Vec<Circuit> {
    match scheme.family {
        Family::Ethernet(_) => vec![scheme.circuits_of(Part::CongestionPoint, &[("cp_queues", "4")]).1],
        Family::InfiniBand => Vec::new(),
    }
}

fn record(scheme: &'static Scheme, circuit: &Circuit) -> Recording {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Raw);
    let recording = Recording::make(circuit, CYCLES, &mut |cycle, row| stimulus.drive(cycle, row)).unwrap();
    every_output_moves(circuit, &recording);
    recording
}

/// Every output must change, otherwise it is not tested.
fn every_output_moves(circuit: &Circuit, recording: &Recording) {
    /// Outputs that are constant in one scheme so that its blocks fit where another's do.
    const CONSTANT: [(&str, &str); 4] = [
        ("feedback_smcc", "quantized_feedback"),
        ("feedback_asm", "quantized_feedback"),
        ("feedback_bcn", "quantized_feedback"),
        ("feedback_dsm", "quantized_feedback"),
    ];
    let still: Vec<&str> = recording.still().iter().map(|&column| circuit.ports[column].name.as_str()).collect();
    let constant: Vec<&str> =
        CONSTANT.iter().filter(|(module, _)| *module == circuit.module).map(|&(_, output)| output).collect();
    assert_eq!(still, constant, "{}: outputs that keep one value", circuit.module);
}

#[test]
fn congestion_points_agree() {
    agrees(Part::CongestionPoint, Of::Parts);
}

#[test]
fn reaction_points_agree() {
    agrees(Part::ReactionPoint, Of::Parts);
}

#[test]
#[ignore = "long: compiles each block in Verilator"]
fn each_block_agrees() {
    [Part::CongestionPoint, Part::ReactionPoint].into_iter().for_each(|part| agrees(part, Of::Blocks));
}

/// Every warning of `-Wall` counts, none is switched off.
#[test]
fn every_emitted_module_passes_lint() {
    let queues = |queues: &str| vec![("cp_queues".to_string(), queues.to_string())];
    let ethernet = |scheme: &&Scheme| matches!(scheme.family, Family::Ethernet(_));
    let many = SCHEMES.iter().filter(ethernet).flat_map(|scheme| [(scheme, queues("4")), (scheme, queues("64"))]);
    for (scheme, settings) in SCHEMES.iter().map(|scheme| (scheme, Vec::new())).chain(many) {
        let parameters = scheme.parameters(&settings).unwrap();
        let parts = [Part::CongestionPoint, Part::ReactionPoint];
        let files = tidegate::emit::files(scheme, &parameters, &settings, &parts, tidegate::emit::PREFIX);
        let files: Vec<_> = files.iter().filter(|file| file.name.ends_with(".v")).collect();
        for file in &files {
            let top = file.name.trim_end_matches(".v");
            let needed =
                needed(top, &|name| files.iter().find(|file| file.name == format!("{name}.v")).unwrap().text.as_str());
            VERILATOR.lint_only(&needed, top, true).unwrap_or_else(|messages| panic!("{top}: {messages}"));
        }
    }
}

/// The files of a module and of all that it instantiates.
fn needed<'a>(top: &str, text: &dyn Fn(&str) -> &'a str) -> Vec<(String, &'a str)> {
    let mut files = vec![(format!("{top}.v"), text(top))];
    let instance = regex::Regex::new(r"(?m)^    (\w+) \w+ \($").unwrap();
    let mut next = 0;
    while let Some((_, source)) = files.get(next).cloned() {
        for inner in instance.captures_iter(source) {
            let name = format!("{}.v", &inner[1]);
            if files.iter().all(|(known, _)| *known != name) {
                files.push((name, text(&inner[1])));
            }
        }
        next += 1;
    }
    files
}
