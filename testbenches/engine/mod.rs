// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine against the simulation of `rust-hdl`: all circuits of all schemes, at all ports, in every cycle.

mod door;
mod wide;

use crate::common::circuits::all;
use tidegate::bench::vectors;
use tidegate::registry::{Scheme, ethernet};
use tidegate::rtl::circuit::{Circuit, Port};
use tidegate::scheme::Part;
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};

/// Runs the simulation of `rust-hdl` under the stimulus, then the engine with the same inputs.
fn agree(scheme: &'static Scheme, circuit: &Circuit, cycles: u64) {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Raw);
    let mut rows: Vec<u32> = Vec::new();
    vectors::run_reference(circuit, &mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
        rows.extend(row);
        cycle + 1 < cycles
    });
    let columns = circuit.ports.len();
    let inputs: Vec<usize> = (0..columns).filter(|&column| circuit.ports[column].input).collect();
    let (settled, mut compared) = (circuit.settled(), 0);
    vectors::run(
        circuit,
        &mut |cycle, row| {
            let expected = &rows[cycle as usize * columns..][..columns];
            inputs.iter().for_each(|&column| row[column] = expected[column]);
        },
        &mut |cycle, row| {
            let expected = &rows[cycle as usize * columns..][..columns];
            let known = |port: &Port| !port.input && cycle >= settled;
            for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| known(port)) {
                let (found, wanted) = (row[column], expected[column]);
                let (module, name) = (circuit.module, &port.name);
                assert_eq!(found, wanted, "{module}, cycle {cycle}: `{name}` in the engine (left) and in rust-hdl");
            }
            compared += 1;
            cycle + 1 < cycles
        },
    );
    assert_eq!(compared, cycles);
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
