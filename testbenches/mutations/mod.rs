// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `verify` itself: small mistakes are put into the emitted Verilog, and the replay of `verify` must find each of
//! them.

mod list;
mod wrapper;

use list::SHARED;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use tidegate::bench::vectors::Recording;
use tidegate::claims::Mutation;
use tidegate::registry::{self, SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::Effort;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;
use tidegate_testing::simulators::VERILATOR;

/// Cycles recorded for each block, and for each whole part of many flows, of which `verify` replays some more.
const CYCLES: u64 = 200_000;
/// Cycles recorded for each whole Ethernet part: as many as `verify` replays. A bit that only long frames have shows in
/// the rate after 60,000 cycles on average. The same source before and after a reset, at one of several queues, is rarer.
/// So is a frame of one of many flows that ends its byte cycle to the byte, and in the calculator of QCN a byte cycle that ends in
/// the one cycle behind a change of its stage to half the length or back: seeds 1 to 4 show it after 90,000 to 200,000 cycles or more.
/// In the parser, so are frames that end within a certain word and whose other octets would be accepted. In the calculator of
/// InfiniBand, so are the many ACKs without a mark after which one word of its table shows: seeds 1 to 4 do so after 10,000 to
/// 350,000 cycles.
const PART_CYCLES: u64 = 1_000_000;

/// Cycles recorded for a module.
fn cycles(module: &str) -> u64 {
    let ends = [
        "_congestion_point",
        "_congestion_point_array",
        "_reaction_point",
        "flow_stages",
        "calculator_qcn",
        "calculator_infiniband",
        "parser",
    ];
    if ends.iter().any(|end| module.ends_with(end)) { PART_CYCLES } else { CYCLES }
}

/// All mutations, each with the scheme whose circuit it changes.
fn all() -> impl Iterator<Item = (&'static Scheme, &'static Mutation)> {
    let shared = SHARED.iter().map(|&(name, mutations)| (registry::find(name).unwrap(), mutations));
    let own = SCHEMES.iter().map(|scheme| (scheme, scheme.mutations));
    own.chain(shared).flat_map(|(scheme, mutations)| mutations.iter().map(move |mutation| (scheme, mutation)))
}

/// The circuits of each scheme: with the defaults, then those of its variants.
static CIRCUITS: LazyLock<BTreeMap<&str, Vec<Circuit>>> = LazyLock::new(|| {
    let of_part = |scheme: &Scheme, part, settings| {
        let (blocks, whole) = scheme.circuits_of(part, settings);
        blocks.into_iter().chain([whole])
    };
    let of_scheme = |scheme: &'static Scheme| {
        let settings = std::iter::once(&[][..]).chain(scheme.variants().iter().copied());
        let parts = settings.flat_map(|settings| {
            [Part::CongestionPoint, Part::ReactionPoint].map(|part| of_part(scheme, part, settings))
        });
        (scheme.name, parts.flatten().collect())
    };
    SCHEMES.iter().map(of_scheme).collect()
});

/// The number of the first circuit of a scheme that has the module of this mutation.
fn place(scheme: &Scheme, mutation: &Mutation) -> usize {
    let has = |circuit: &Circuit| {
        circuit.module == mutation.circuit
            && circuit.netlist.modules.iter().any(|module| module.name == mutation.module)
    };
    let place = CIRCUITS[scheme.name].iter().position(has);
    place.unwrap_or_else(|| panic!("{} has no {} with {}", scheme.name, mutation.circuit, mutation.module))
}

/// Replays every mutant of one circuit, all built at once; returns the mutants that were not found.
fn survivors(
    simulator: &Simulator,
    scheme: &'static Scheme,
    circuit: &Circuit,
    mutations: &[&Mutation],
) -> Vec<String> {
    let module = circuit.module;
    let (mut copies, mut named, mut wrong) = (vec![verilog::text(&circuit.netlist)], vec![None], Vec::new());
    for mutation in mutations {
        match wrapper::mutate(&verilog::text(&circuit.netlist), mutation) {
            Ok(text) => {
                copies.push(text);
                named.push(Some(mutation));
            }
            Err(reason) => wrong.push(format!("{module}, {}: {reason}", mutation.kind)),
        }
    }
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(module, SEED), Values::Raw);
    let cycles = cycles(module);
    let recording = Recording::make(circuit, cycles, &mut |cycle, row| stimulus.drive(cycle, row)).unwrap();
    let replay = Replay::of_verilog(simulator, circuit, &wrapper::wrap(circuit, &copies), Effort::Quick).unwrap();
    for (copy, mutation) in named.iter().enumerate() {
        let outcome = replay.compare(&recording, cycles, &[format!("mutant={copy}")]).unwrap();
        match (mutation, outcome) {
            (None, None) => {}
            (None, Some(mismatch)) => wrong.push(format!("{module} without a mutation: {mismatch}")),
            (Some(mutation), None) => {
                wrong.push(format!("{module}, {}: `{}` is not caught", mutation.kind, mutation.replace));
            }
            (Some(mutation), Some(mismatch)) => println!("{module}, {}: {mismatch}", mutation.kind),
        }
    }
    wrong
}

/// A change of the emitter can move the text that a mutation looks for.
#[test]
fn every_module_has_a_mutation_and_every_mutation_has_its_place() {
    let wrong = all().filter_map(|(scheme, mutation)| {
        let circuit = &CIRCUITS[scheme.name][place(scheme, mutation)];
        wrapper::mutate(&verilog::text(&circuit.netlist), mutation).err()
    });
    assert_eq!(wrong.collect::<Vec<_>>(), [""; 0]);

    let mutated: BTreeSet<&str> = all().map(|(_, mutation)| mutation.module).collect();
    let modules = CIRCUITS.values().flatten().flat_map(|circuit| &circuit.netlist.modules);
    let without: BTreeSet<&str> =
        modules.map(|module| &module.name[..]).filter(|name| !mutated.contains(name)).collect();
    assert!(without.is_empty(), "modules without a mutation: {without:?}");
}

#[test]
fn every_twentieth_mutation_of_a_block_is_caught() {
    let blocks = all().filter(|(_, mutation)| cycles(mutation.circuit) == CYCLES);
    all_are_caught(blocks.step_by(20));
}

#[test]
#[ignore = "long: the C++ of hundreds of mutants, and a million cycles of each of the parts"]
fn every_mutation_is_caught() {
    all_are_caught(all());
}

fn all_are_caught(mutations: impl Iterator<Item = (&'static Scheme, &'static Mutation)>) {
    let simulator = Simulator::Verilator(VERILATOR.clone());
    let mut groups: BTreeMap<(&str, usize), (&Scheme, Vec<&Mutation>)> = BTreeMap::new();
    for (scheme, mutation) in mutations {
        let group = groups.entry((scheme.name, place(scheme, mutation)));
        group.or_insert_with(|| (scheme, Vec::new())).1.push(mutation);
    }
    assert!(groups.len() > 5, "mutations of {} circuits", groups.len());
    // Those that take longest begin first: otherwise one thread waits for the other at the end.
    let mut groups: Vec<_> = groups
        .into_iter()
        .map(|((name, place), (scheme, mutations))| (scheme, &CIRCUITS[name][place], mutations))
        .collect();
    groups.sort_by_key(|(_, circuit, mutations)| Reverse(cycles(circuit.module) * (1 + mutations.len() as u64)));
    // A bridge hands out one after the other.
    let survivors = |(scheme, circuit, mutations): (_, _, Vec<_>)| survivors(&simulator, scheme, circuit, &mutations);
    let wrong: Vec<String> = groups.into_iter().par_bridge().flat_map_iter(survivors).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
