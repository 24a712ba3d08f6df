// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit with a small change: the check must report where it differs.

use super::all;
use tidegate::bench::vectors;
use tidegate::registry::Scheme;
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::schemes::reference;
use tidegate::verify::model::{SEED, WINDOW, check, check_run, seed_of};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verify::{Check, Difference, Verdict};

/// The fault of a run.
#[derive(Clone, Copy)]
enum Fault {
    /// These bits of this output are inverted in this cycle.
    Output { cycle: u64, column: usize, bits: u32 },
    /// These bits of this parameter differ from those of the reference.
    Parameter { column: usize, bits: u32 },
}

/// Checks the circuit with a fault.
fn check_with(
    (scheme, part, circuit): (&'static Scheme, Part, &Circuit),
    cycles: u64,
    fault: Fault,
) -> (Check, Option<Difference>) {
    check_run(scheme, part, circuit, cycles, SEED, &|drive, see| {
        let mut seen = Vec::new();
        match fault {
            Fault::Output { cycle: at, column, bits } => vectors::run(circuit, drive, &mut |cycle, row| {
                seen.clear();
                seen.extend_from_slice(row);
                if cycle == at {
                    seen[column] ^= bits;
                }
                see(cycle, &seen)
            }),
            Fault::Parameter { column, bits } => {
                let mut drive = |cycle: u64, row: &mut [u32]| {
                    row[column] ^= if cycle > 0 { bits } else { 0 };
                    drive(cycle, row);
                    row[column] ^= bits;
                };
                vectors::run(circuit, &mut drive, &mut |cycle, row| {
                    seen.clear();
                    seen.extend_from_slice(row);
                    seen[column] ^= bits;
                    see(cycle, &seen)
                })
            }
        }
    })
}

/// One bit of each output, in a cycle in which it counts.
#[test]
fn a_flipped_bit_is_found_in_its_cycle() {
    for (scheme, part, circuit) in all() {
        let column = |name: &str| circuit.ports.iter().position(|port| port.name == name);
        let reset = column("reset").unwrap();
        let reference = reference::of(scheme, part, &circuit).unwrap();
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let mut stimulus = Stimulus::new(scheme, &circuit, seed_of(circuit.module, SEED), Values::Accepted);
        vectors::run(&circuit, &mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
            rows.push(row.to_vec());
            cycle < 30_000
        });
        for (at, port) in circuit.ports.iter().enumerate().filter(|(_, port)| !port.input) {
            // An output that says whether another one is valid may itself be valid only at times.
            let valid_of = |name: &str| reference.only_while(name).and_then(column);
            let chain = std::iter::successors(valid_of(&port.name), |&valid| valid_of(&circuit.ports[valid].name));
            let valid: Vec<usize> = chain.collect();
            let counts = |row: &Vec<u32>| row[reset] == 0 && valid.iter().all(|&valid| row[valid] != 0);
            let cycle = rows.iter().rposition(counts);
            let cycle = cycle.unwrap_or_else(|| panic!("{}: {} never counts", circuit.module, port.name)) as u64;
            let bits = 1 << (port.bits - 1);
            let fault = Fault::Output { cycle, column: at, bits };
            let (check, difference) = check_with((scheme, part, &circuit), 100_000, fault);
            let difference = difference.unwrap_or_else(|| panic!("{}: {} not found", circuit.module, port.name));
            assert_eq!((difference.cycle, &difference.port), (cycle, &port.name), "{}", circuit.module);
            assert_eq!(difference.expected ^ difference.found, bits);
            assert_eq!((check.verdict, check.cycles), (Verdict::Failed, Some(cycle + 1)));
            let start = cycle.saturating_sub(WINDOW);
            assert_eq!(difference.window_start, start);
            assert_eq!(difference.rows.len() as u64, cycle - start + 1 + WINDOW);
            let around = &rows[start as usize..=cycle as usize];
            for (index, (row, expected)) in difference.rows.iter().zip(around).enumerate() {
                let differs = row != expected;
                assert_eq!(differs, start + index as u64 == cycle, "the rows are those of the run");
            }
            let here = (cycle - start) as usize;
            assert_eq!(difference.other[here][at], difference.expected);
            assert_eq!(difference.rows[here][at], difference.found);
        }
    }
}

/// Each parameter of each circuit: a difference from the model is found.
#[test]
#[ignore = "long: each parameter of each circuit"]
fn another_parameter_is_found() {
    let mut unseen = Vec::new();
    for (scheme, part, circuit) in all() {
        for name in &circuit.parameters {
            let column = circuit.ports.iter().position(|port| port.name == *name).unwrap();
            // A small change of a threshold seldom changes a decision, and the last bit of a ratio or a gain seldom
            // changes a product.
            let bits = match *name {
                "severe_offset" => 1 << 12,
                "feedback_gain" => 1 << 8,
                // One byte matters only where a byte cycle ends with it. The calculator alone shows it.
                "byte_cycle_low" if circuit.module == "qcn_reaction_point" => 1 << 6,
                "gain_a" | "gain_b" | "gain_c" | "period_cycles" if scheme.name == "dsm" => 1 << 8,
                "feedback_full_scale" => 1 << 12,
                name if name.ends_with("_ratio") => 1 << 7,
                // A part of many flows shows no rate, only the cycle in which a frame may go. Its blocks show the last bits.
                _ if circuit.module.ends_with("_flows") && circuit.ports[column].bits >= 16 => {
                    1 << (circuit.ports[column].bits / 2)
                }
                _ => 1,
            };
            let fault = Fault::Parameter { column, bits };
            let (check, difference) = check_with((scheme, part, &circuit), 5_000_000, fault);
            println!("{} {name}: {}", circuit.module, check.reason.as_deref().unwrap_or("not found"));
            if difference.is_none() {
                unseen.push((circuit.module, *name));
            }
        }
    }
    assert!(unseen.is_empty(), "circuits and parameters of which another value makes no difference: {unseen:?}");
}

/// A module without a reference is a failure.
#[test]
fn without_a_reference_it_fails() {
    let (scheme, part, mut circuit) = all().remove(0);
    circuit.module = "unheard_of";
    let (check, difference) = check(scheme, part, &circuit, 10, SEED);
    assert_eq!((check.verdict, difference), (Verdict::Failed, None));
    assert!(check.reason.is_some_and(|reason| reason.contains("unheard_of")));
}
