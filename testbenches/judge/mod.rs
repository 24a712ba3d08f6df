// SPDX-License-Identifier: MIT OR Apache-2.0
//! A standing judge: circuits of `rust-hdl` before four judges in every cycle: the simulation of `rust-hdl`, which is
//! right by definition, the engine, and the Verilog in Verilator and in Icarus.
//!
//! The circuits are compiled when the test runs, as a program that is linked with the crates of the test (`compile.rs`).
//! That program runs the first two judges (`program/judge.rs`); the others run all circuits of a program as one design
//! (`outside.rs`).

mod compile;
mod outside;
mod record;

use crate::common::simulators::VERILATOR;
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

#[test]
fn rust_hdls_library() {
    let stimulus = Stimulus { seed: 1, runs: 2, cycles: 300 };
    let records = judge(&compile::here().join("program/library.rs"), &[], &stimulus);
    for record in &records {
        println!("{}: {:?}", record.name, record.verdict);
    }
}
