// SPDX-License-Identifier: MIT OR Apache-2.0
//! A standing judge: circuits of `rust-hdl` before four judges in every cycle: the simulation of `rust-hdl`, which is
//! right by definition, the engine, and the Verilog in Verilator and in Icarus.
//!
//! The circuits are compiled when the test runs, as a program that is linked with the crates of the test (`compile.rs`).
//! That program runs the first two judges (`program/judge.rs`); the others run all circuits of a program as one design
//! (`outside.rs`).

mod compile;
mod generate;
mod outside;
mod record;

use crate::common::simulators::VERILATOR;
use generate::Circuit;
use outside::Batch;
use record::{Difference, Record, Verdict};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tidegate::toolchain::icarus::Icarus;

/// The stimulus of a program.
struct Stimulus {
    /// Of the first run; each run has the next one.
    seed: u64,
    runs: usize,
    /// Of each run.
    cycles: usize,
}

/// Runs a compiled program: the first two judges. A circuit that ends the process is a verdict, and the rest go on.
fn run(program: &Path, folder: &Path, stimulus: &Stimulus) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    loop {
        let mut command = Command::new(program);
        command.arg(folder).args([stimulus.seed, stimulus.runs as u64, stimulus.cycles as u64].map(|number| number.to_string()));
        let mut child = command.arg(records.len().to_string()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert_eq!(lines.next(), Some(compile::identity()), "the program has another library: `cargo clean` and try again");
        let names: Vec<String> = lines.collect();
        let output = child.wait_with_output().unwrap();
        let (last, before) = names.split_last().expect("a program says what it begins");
        records.extend(before.iter().map(|name| Record::read(name, &folder.join(name))));
        if last == "done" {
            return records;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing").to_string();
        records.push(Record::lost(last, &format!("{}, {said}", output.status)));
    }
}

/// Takes the circuits before the judges outside, all at once.
fn judge_outside(records: &mut [Record], folder: &Path) {
    let icarus = Icarus::find();
    if icarus.is_err() {
        eprintln!("skipped: Icarus is not there");
    }
    // Names of modules are others in the batch.
    for record in records.iter_mut().filter(|record| !record.alone.is_empty()) {
        if let Ok(icarus) = &icarus
            && let Err(said) = icarus.compile(folder, &record.alone, "judged")
        {
            record.verdict = Verdict::Different(format!("Icarus refuses the Verilog: {}", one_line(&format!("{said:#}"))));
        }
    }
    let has_rows = |record: &&mut Record| matches!(record.verdict, Verdict::Equal) && !record.alone.is_empty();
    let mut judged: Vec<&mut Record> = records.iter_mut().filter(has_rows).collect();
    if judged.is_empty() {
        return;
    }
    let of = |judged: &[&mut Record], judge: &dyn Fn(&Batch) -> Result<Vec<(usize, Difference)>, String>| {
        judge(&Batch::of(judged.iter().map(|record| &**record).collect()))
    };
    let mut verilator = of(&judged, &|batch| batch.verilator(folder));
    if verilator.is_err() {
        // One of them is refused: which, and the others once more.
        for record in &mut judged {
            if let Err(said) = VERILATOR.lint_only(&[("alone.v", record.alone.as_str())], "judged", false) {
                record.verdict = Verdict::Different(format!("Verilator refuses the Verilog: {}", one_line(&said)));
            }
        }
        judged.retain(|record| record.verdict == Verdict::Equal);
        verilator = of(&judged, &|batch| batch.verilator(folder));
    }
    let mut found = verilator.unwrap_or_else(|said| panic!("Verilator refuses circuits that it takes alone: {said}"));
    if let Ok(icarus) = &icarus {
        found.extend(of(&judged, &|batch| batch.icarus(icarus, folder)).unwrap_or_else(|said| panic!("Icarus: {said}")));
    }
    for (index, difference) in found {
        judged[index].differences.push(difference);
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The whole way of a program: compiled, run, judged.
fn judge(source: &Path, variables: &[(&str, &Path)], stimulus: &Stimulus) -> Vec<Record> {
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("program");
    compile::compile(source, &program, variables);
    let mut records = run(&program, scratch.path(), stimulus);
    judge_outside(&mut records, scratch.path());
    records.iter_mut().for_each(Record::conclude);
    records
}

/// Judges circuits by name and Rust source.
fn judge_sources(circuits: &[(String, String)], stimulus: &Stimulus) -> Vec<Record> {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("circuits.rs");
    let judge_rs = compile::here().join("program/judge.rs");
    std::fs::write(&source, generate::program(&judge_rs.to_string_lossy(), circuits)).unwrap();
    judge(&source, &[], stimulus)
}

/// The seed of random circuits: of the environment, or a fresh one.
fn seed() -> u64 {
    let given = std::env::var("TIDEGATE_JUDGE_SEED").ok();
    let seed = given.map(|seed| seed.parse().expect("TIDEGATE_JUDGE_SEED is a number"));
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64 % 1_000_000_000;
    seed.unwrap_or_else(now)
}

/// Judges so many random circuits, in programs of 50: circuit number n has the seed plus n.
fn judge_random(count: usize) {
    const PROGRAM: usize = 50;
    let seed = seed();
    println!("random circuits from seed {seed}: TIDEGATE_JUDGE_SEED={seed} repeats them");
    let (mut faults, mut equal) = (Vec::new(), 0);
    for first in (0..count).step_by(PROGRAM) {
        let circuits: Vec<Circuit> = (first..count.min(first + PROGRAM))
            .map(|number| Circuit::random(&format!("c{number}"), seed.wrapping_add(number as u64)))
            .collect();
        let sources: Vec<_> = circuits.iter().map(|circuit| (circuit.name.clone(), circuit.source(&circuit.name, &Default::default()))).collect();
        let stimulus = Stimulus { seed: seed.wrapping_add(first as u64), runs: 3, cycles: 150 };
        for (record, (_, source)) in judge_sources(&sources, &stimulus).iter().zip(&sources) {
            match &record.verdict {
                Verdict::Equal => equal += 1,
                verdict => faults.push(format!("{source}{}: {verdict:?}", record.name)),
            }
        }
    }
    println!("{equal} of {count} circuits are equal before four judges");
    assert!(faults.is_empty(), "seed {seed}: {} circuits\n\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn random_circuits_are_what_rust_hdl_says() {
    judge_random(30);
}

#[test]
#[ignore = "long: 1,000 circuits in 20 programs"]
fn a_thousand_random_circuits_are_what_rust_hdl_says() {
    judge_random(1_000);
}

#[test]
fn rust_hdls_library() {
    let stimulus = Stimulus { seed: 1, runs: 2, cycles: 300 };
    let records = judge(&compile::here().join("program/library.rs"), &[], &stimulus);
    for record in &records {
        println!("{}: {:?}", record.name, record.verdict);
    }
}
