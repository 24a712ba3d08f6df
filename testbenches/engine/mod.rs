// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine against the simulation of `rust-hdl`: all circuits of all schemes, at all ports, in every cycle, with each optimisation
//! alone, with all and with none.

mod door;
mod wide;

use tidegate::bench::vectors;
use tidegate::engine::{Optimisations, Output, Program, Simulation};
use tidegate::registry::{Scheme, ethernet};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate_testing::circuits::all;

/// None, each alone, all. What rests sleeps after some 1,600 cycles.
const OPTIMISATIONS: [Optimisations; 4] = [
    Optimisations { branches: false, sleep_after: None },
    Optimisations { branches: true, sleep_after: None },
    Optimisations { branches: false, sleep_after: Some(64) },
    Optimisations { branches: true, sleep_after: Some(64) },
];

/// Runs the simulation of `rust-hdl` under the stimulus, then the engine with the same inputs.
fn agree(scheme: &'static Scheme, circuit: &Circuit, cycles: u64) {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Raw);
    let mut rows: Vec<u32> = Vec::new();
    vectors::run_reference(circuit, &mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
        rows.extend(row);
        cycle + 1 < cycles
    });
    assert_eq!(rows.len() as u64, cycles * circuit.ports.len() as u64);
    OPTIMISATIONS.into_iter().for_each(|optimisations| compare(circuit, optimisations, &rows));
}

/// Compares the engine with rows of port values. Between the cycles, inputs take other values for a while.
fn compare(circuit: &Circuit, optimisations: Optimisations, rows: &[u32]) {
    let program = Program::with_optimisations(&circuit.netlist, &[], optimisations).unwrap();
    let columns = |input: bool| {
        let ports =
            circuit.ports.iter().enumerate().filter(move |(_, port)| port.name != "clock" && port.input == input);
        ports.map(|(column, port)| (column, &port.name))
    };
    let inputs: Vec<_> = columns(true).map(|(column, name)| (column, program.input(name).unwrap())).collect();
    let outputs: Vec<_> = columns(false).map(|(column, name)| (column, name, program.output(name).unwrap())).collect();
    let mut simulation = program.start(1);
    let mut random = 1u64;
    for (cycle, row) in (0..).zip(rows.chunks_exact(circuit.ports.len())) {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        if random >> 62 == 0 {
            for &(_, input) in inputs.iter().filter(|(column, _)| random >> (column % 61) & 1 == 1) {
                simulation.set(input, random >> 20);
            }
            simulation.settle();
        }
        inputs.iter().for_each(|&(column, input)| simulation.set(input, u64::from(row[column])));
        simulation.step();
        for &(column, name, output) in outputs.iter().filter(|_| cycle >= circuit.settled()) {
            let (found, wanted, module) = (simulation.get(output), u64::from(row[column]), circuit.module);
            assert_eq!(
                found, wanted,
                "{module}, {optimisations:?}, cycle {cycle}: `{name}` in the engine (left) and in rust-hdl"
            );
        }
    }
}

/// Runs a circuit from change to change of some outputs, beside a run step by step.
fn same_changes(circuit: &Circuit, optimisations: Optimisations) {
    let program = Program::with_optimisations(&circuit.netlist, &[], optimisations).unwrap();
    let ports = |input: bool| program.ports().iter().filter(move |port| port.input == input);
    let inputs: Vec<_> = ports(true).map(|port| program.input(&port.name).unwrap()).collect();
    let outputs: Vec<_> = ports(false).map(|port| program.output(&port.name).unwrap()).collect();
    let (mut jumps, mut steps) = (program.start(1), program.start(1));
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        random >> 33
    };
    for _ in 0..100 {
        for &input in &inputs {
            if next() % 4 == 0 {
                let value = next();
                [&mut jumps, &mut steps].into_iter().for_each(|simulation| simulation.set(input, value));
            }
        }
        let watched: Vec<Output> = outputs.iter().copied().filter(|_| next() % 4 == 0).collect();
        let values =
            |simulation: &Simulation| watched.iter().map(|&output| simulation.get(output)).collect::<Vec<u64>>();
        let (most, before, mut made) = (next() % 400, values(&steps), 0);
        while made < most && values(&steps) == before {
            steps.step();
            made += 1;
        }
        assert_eq!(jumps.step_until(&watched, most), made, "{}, {optimisations:?}", circuit.module);
        assert_eq!(jumps.get_all(), steps.get_all(), "{}, {optimisations:?}", circuit.module);
    }
}

#[test]
fn a_run_from_change_to_change_is_that_step_by_step() {
    let [plain, .., all_of_them] = OPTIMISATIONS;
    for (_, _, circuit) in all() {
        [plain, all_of_them].into_iter().for_each(|optimisations| same_changes(&circuit, optimisations));
    }
}

#[test]
fn every_circuit_is_that_of_rust_hdl() {
    all().iter().for_each(|(scheme, _, circuit)| agree(scheme, circuit, 5_000));
}

#[test]
fn congestion_points_for_many_queues_are_those_of_rust_hdl() {
    for scheme in ethernet() {
        let (_, whole) = scheme.circuits_of(Part::CongestionPoint, &[("cp_queues", "4")]);
        agree(scheme, &whole, 5_000);
    }
}

#[test]
#[ignore = "long: a million cycles of each circuit"]
fn every_circuit_is_that_of_rust_hdl_for_a_million_cycles() {
    let all = all();
    std::thread::scope(|scope| {
        let (odd, even): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(|(index, _)| index % 2 == 1);
        for half in [odd, even] {
            scope.spawn(move || half.iter().for_each(|(_, (scheme, _, circuit))| agree(scheme, circuit, 1_000_000)));
        }
    });
}
