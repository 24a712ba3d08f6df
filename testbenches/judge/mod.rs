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

use generate::Circuit;
use outside::{Batch, Said};
use record::{Record, Verdict};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use tidegate::toolchain::icarus::Icarus;
use tidegate_testing::simulators::VERILATOR;

/// Circuits of the library that are equal: of 116. Refused are those with a bidirectional port, and one whose logic has no
/// description in `rust-hdl` (`Accum`).
const LIBRARY: usize = 109;
/// Circuits of the tests that are equal: of 63. Refused are those with a bidirectional port, and those whose test bench
/// drives an output or reads an input.
const TESTS: usize = 44;

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
        command
            .arg(folder)
            .args([stimulus.seed, stimulus.runs as u64, stimulus.cycles as u64].map(|number| number.to_string()));
        let mut child =
            command.arg(records.len().to_string()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert_eq!(
            lines.next(),
            Some(compile::identity()),
            "the program has another library: `cargo clean` and try again"
        );
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
        if let Ok(icarus) = &icarus {
            let compiled = icarus.compile(folder, &record.alone, "judged");
            refused(record, "Icarus refuses the Verilog", compiled.map(|_| ()).map_err(|error| format!("{error:#}")));
        }
    }
    let has_rows = |record: &&mut Record| matches!(record.verdict, Verdict::Equal) && !record.alone.is_empty();
    let mut judged: Vec<&mut Record> = records.iter_mut().filter(has_rows).collect();
    if judged.is_empty() {
        return;
    }
    let of = |judged: &[&mut Record], judge: &dyn Fn(&Batch) -> Said| {
        judge(&Batch::of(judged.iter().map(|record| &**record).collect()))
    };
    // If a judge refuses the whole, it is asked about each alone, and those that it takes stay.
    let mut found = of(&judged, &|batch| batch.verilator(folder)).unwrap_or_else(|_| {
        judged.retain_mut(|record| {
            let lint = VERILATOR.lint(&[("alone.v", record.alone.as_str())], "judged", false);
            refused(record, "Verilator refuses the Verilog", lint)
        });
        of(&judged, &|batch| batch.verilator(folder))
            .unwrap_or_else(|said| panic!("Verilator takes each alone: {said}"))
    });
    if let Ok(icarus) = &icarus {
        match of(&judged, &|batch| batch.icarus(icarus, folder)) {
            Ok(more) => found.extend(more),
            Err(_) => {
                for (index, record) in judged.iter_mut().enumerate() {
                    match Batch::of(vec![record]).icarus(icarus, folder) {
                        Ok(more) => found.extend(more.into_iter().map(|(_, difference)| (index, difference))),
                        Err(said) => _ = refused(record, "Icarus", Err(said)),
                    }
                }
            }
        }
    }
    for (index, difference) in found {
        judged[index].differences.push(difference);
    }
}

/// Whether a tool takes a circuit; if not, that is its verdict.
fn refused(record: &mut Record, what: &str, outcome: Result<(), String>) -> bool {
    match outcome {
        Ok(()) => true,
        Err(said) => {
            record.verdict = Verdict::Different(format!("{what}: {}", one_line(&said)));
            false
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The judges of a test.
#[derive(Clone, Copy, PartialEq)]
enum Judges {
    /// The simulation of `rust-hdl` and the engine.
    Inside,
    /// Verilator and Icarus, too.
    All,
}

/// The whole way of a program: compiled, run, judged.
fn judge(source: &Path, variables: &[(&str, &Path)], stimulus: &Stimulus, judges: Judges) -> Vec<Record> {
    let scratch = tempfile::tempdir().unwrap();
    let program = scratch.path().join("program");
    compile::compile(source, &program, variables);
    let mut records = run(&program, scratch.path(), stimulus);
    if judges == Judges::All {
        judge_outside(&mut records, scratch.path());
    }
    records.iter_mut().for_each(Record::conclude);
    records
}

/// Judges random circuits.
fn judge_sources(circuits: &[Circuit], stimulus: &Stimulus) -> Vec<Record> {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("circuits.rs");
    let judge_rs = compile::here().join("program/judge.rs");
    std::fs::write(&source, generate::program(&judge_rs.to_string_lossy(), circuits)).unwrap();
    judge(&source, &[], stimulus, Judges::All)
}

/// The seed of random circuits: of the environment, or a fresh one.
fn seed() -> u64 {
    let given = std::env::var("TIDEGATE_JUDGE_SEED").ok();
    let seed = given.map(|seed| seed.parse().expect("TIDEGATE_JUDGE_SEED is a number"));
    let now = || {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64 % 1_000_000_000
    };
    seed.unwrap_or_else(now)
}

/// Judges so many random circuits, in programs of 50: circuit number n has the seed plus n.
fn judge_random(count: usize) {
    const PROGRAM: usize = 50;
    let seed = seed();
    println!("random circuits from seed {seed}: TIDEGATE_JUDGE_SEED={seed} repeats them");
    let (mut faults, mut equal, mut rows) = (Vec::new(), 0, 0);
    for first in (0..count).step_by(PROGRAM) {
        let circuits: Vec<Circuit> = (first..count.min(first + PROGRAM))
            .map(|number| Circuit::random(&format!("c{number}"), seed.wrapping_add(number as u64)))
            .collect();
        let stimulus = Stimulus { seed: seed.wrapping_add(first as u64), runs: 2, cycles: 120 };
        for (record, circuit) in judge_sources(&circuits, &stimulus).iter().zip(&circuits) {
            match &record.verdict {
                Verdict::Equal => {
                    equal += 1;
                    rows += record.runs.iter().map(Vec::len).sum::<usize>();
                }
                Verdict::NoReference(reason) => println!("{}: {reason}", record.name),
                verdict => faults.push(format!("{}{}: {verdict:?}", circuit.source, record.name)),
            }
        }
    }
    let judges = if Icarus::find().is_ok() { "four" } else { "three" };
    println!("{equal} of {count} circuits are equal before {judges} judges, in {rows} cycles");
    assert!(faults.is_empty(), "seed {seed}: {} circuits\n\n{}", faults.len(), faults.join("\n\n"));
    // rust-hdl itself stops at some: a sum that does not fit its signed type, a loop.
    assert!(
        10 * equal >= 9 * count && rows >= 200 * equal,
        "seed {seed}: {equal} of {count} were judged, in {rows} cycles"
    );
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

/// Judges a fixed list of circuits: prints the verdict of each that is not equal, and the counts.
///
/// # Panics
/// Fewer are equal than were once, or one is different or panics.
fn judge_list(source: &str, variables: &[(&str, &Path)], judges: Judges, least: usize) {
    let stimulus = Stimulus { seed: 1, runs: 2, cycles: 200 };
    let records = judge(&compile::here().join("program").join(source), variables, &stimulus, judges);
    let (mut counts, mut faults) = ([0; 5], Vec::new());
    for Record { name, verdict, .. } in &records {
        let place = match verdict {
            Verdict::Equal => 0,
            Verdict::Refused(_) => 1,
            Verdict::Different(_) => 2,
            Verdict::Panic(_) => 3,
            Verdict::NoReference(_) => 4,
        };
        counts[place] += 1;
        if place > 0 {
            println!("{name}: {verdict:?}");
        }
        if place == 2 || place == 3 {
            faults.push(format!("{name}: {verdict:?}"));
        }
    }
    let [equal, refused, different, panics, none] = counts;
    println!(
        "{source}: of {} circuits {equal} equal, {refused} refused, {different} different, {panics} panics, {none} that rust-hdl cannot run",
        records.len()
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(equal >= least, "{equal} are equal, {least} were");
}

fn judge_library(judges: Judges) {
    judge_list("library.rs", &[], judges, LIBRARY);
}

fn judge_tests(judges: Judges) {
    judge_list("tests.rs", &[("RUST_HDL", &compile::rust_hdl())], judges, TESTS);
}

#[test]
fn the_engine_does_what_rust_hdls_library_does() {
    judge_library(Judges::Inside);
}

#[test]
fn the_engine_does_what_rust_hdls_tests_do() {
    judge_tests(Judges::Inside);
}

#[test]
#[ignore = "long: a model of 109 circuits"]
fn rust_hdls_library_is_equal_before_four_judges() {
    judge_library(Judges::All);
}

#[test]
#[ignore = "long: a model of all these circuits"]
fn rust_hdls_tests_are_equal_before_four_judges() {
    judge_tests(Judges::All);
}
