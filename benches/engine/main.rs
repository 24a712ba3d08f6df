// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of circuits as machine code, in the simulation of `rust-hdl`, and in Verilator, on the same inputs in the same
//! run: every input is driven and every output compared in every cycle. A closed loop runs in the network simulator,
//! too: packets, feedback frames, queue and rates must be those of the circuits. Writes `benches/engine.json`; with a
//! part of a name as argument only the rows of these circuits, the others stay; `many` is the gain of many runs at once. Run it
//! with `scripts/bench`.

mod closed_loop;
mod library;
mod load;
mod loops;

use anyhow::{Context, Result, ensure};
use load::Load;
use serde_json::{Value, json};
use std::time::Instant;
use tidegate::bench::vectors;
use tidegate::bench::vectors::Recording;
use tidegate::engine::{Program, Simulation};
use tidegate::registry::{self, SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verify::replay::{Replay, Simulator};

/// Cycles recorded, and how often a run replays them.
const RECORDED: u64 = 5_000;
const REPEATS: u64 = 200;
/// Runs of the engine and of Verilator, one after the other in turn; the fastest of each counts, since the machine may
/// be busy with other work in the others.
const RUNS: usize = 15;
/// Cycles in `rust-hdl`.
const REFERENCE: u64 = 10_000;

/// Cycles per second.
struct Speeds {
    engine: f64,
    verilator: f64,
    /// Seconds to compile for the engine.
    compile: f64,
    rust_hdl: Option<f64>,
    /// The engine, of a closed loop that is looked at where an output changes.
    until_changes: Option<f64>,
    /// The network simulator with the same traffic, of a closed loop.
    network: Option<f64>,
}

impl Speeds {
    fn new(engine: f64, verilator: f64, compile: f64) -> Self {
        Speeds { engine, verilator, compile, rust_hdl: None, until_changes: None, network: None }
    }

    /// The row of a circuit.
    fn row(&self, name: &str, peer: &str) -> Value {
        let mut row = json!({
            "name": name,
            "peer": peer,
            "cycles_per_second": self.engine.round(),
            "peer_cycles_per_second": self.verilator.round(),
            "ratio": self.ratio(self.engine),
            "compile_milliseconds": (1e3 * self.compile).round(),
        });
        if let Some(speed) = self.rust_hdl {
            row["rust_hdl_cycles_per_second"] = json!(speed.round());
        }
        if let Some(speed) = self.until_changes {
            row["until_changes_cycles_per_second"] = json!(speed.round());
            row["until_changes_ratio"] = json!(self.ratio(speed));
        }
        if let Some(speed) = self.network {
            row["network_cycles_per_second"] = json!(speed.round());
            row["network_ratio"] = json!((speed / self.verilator).round());
        }
        row
    }

    /// How many times as fast as Verilator, to three places.
    fn ratio(&self, speed: f64) -> f64 {
        (speed / self.verilator * 1e3).round() / 1e3
    }
}

/// Something that replays the recorded cycles as often as it is told.
type Run<'a> = &'a dyn Fn(u64) -> Result<()>;

/// The cycles per second of each of some simulators that replay so many cycles: the time of the second to the last
/// replay, so that what a start takes cancels.
fn speeds<const N: usize>(cycles: u64, simulators: [Run; N]) -> Result<[f64; N]> {
    let timed = |run: Run, repeats| -> Result<f64> {
        let started = Instant::now();
        run(repeats)?;
        Ok(started.elapsed().as_secs_f64())
    };
    let (mut first, mut all) = ([f64::INFINITY; N], [f64::INFINITY; N]);
    for _ in 0..RUNS {
        for (at, run) in simulators.into_iter().enumerate() {
            first[at] = first[at].min(timed(run, 1)?);
            all[at] = all[at].min(timed(run, REPEATS)?);
        }
    }
    Ok(std::array::from_fn(|at| (cycles * (REPEATS - 1)) as f64 / (all[at] - first[at])))
}

/// Replays words in the engine: those of all inputs, cycle by cycle, and those that all outputs must show, with how many a cycle
/// has of each.
fn in_engine(program: &Program, name: &str, [driven, expected]: [(&[u64], usize); 2], repeats: u64) -> Result<()> {
    for _ in 0..repeats {
        let mut simulation = program.start(1);
        for (driven, expected) in driven.0.chunks_exact(driven.1).zip(expected.0.chunks_exact(expected.1)) {
            simulation.set_all(driven);
            simulation.step();
            ensure!(simulation.get_all() == expected, "{name}: an output differs");
        }
    }
    Ok(())
}

/// A circuit of ours.
fn measure(scheme: &'static Scheme, circuit: &Circuit, load: Load, verilator: &Verilator) -> Result<Speeds> {
    let recording = Recording::make(circuit, RECORDED, &mut *load.drive(scheme, circuit))?;
    let rows = recording.rows(0..RECORDED)?;

    let started = Instant::now();
    let program = Program::compile(&circuit.netlist)?;
    let compile = started.elapsed().as_secs_f64();
    // The words of all inputs, cycle by cycle, and those of all outputs; a port of a circuit is one word.
    let columns = |input: bool| {
        let column =
            |name: &str| circuit.ports.iter().position(|port| port.name == name).expect("a port of the circuit");
        program.ports().iter().filter(|port| port.input == input).map(|port| column(&port.name)).collect::<Vec<_>>()
    };
    let words = |columns: &[usize]| -> Vec<u64> {
        rows.iter().flat_map(|row| columns.iter().map(|&column| u64::from(row[column]))).collect()
    };
    let (inputs, outputs) = (columns(true), columns(false));
    let (driven, expected) = (words(&inputs), words(&outputs));
    let rows_of = [(&driven[..], inputs.len()), (&expected[..], outputs.len())];
    let run = |repeats| in_engine(&program, circuit.module, rows_of, repeats);

    let started = Instant::now();
    vectors::run_reference(
        circuit,
        &mut |cycle, row| row.copy_from_slice(&rows[(cycle % RECORDED) as usize]),
        &mut |cycle, _| cycle + 1 < REFERENCE,
    );
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();

    let replay = Replay::new(&Simulator::Verilator(verilator.clone()), circuit, Effort::Fast)?;
    let [engine, verilator] = speeds(RECORDED, [&run, &|repeats| replay.repeat(&recording, repeats)])?;
    Ok(Speeds { rust_hdl: Some(rust_hdl), ..Speeds::new(engine, verilator, compile) })
}

/// The calculator and the whole parts of each scheme, and the switches of 4 and 8 ports.
fn designs() -> Vec<(&'static Scheme, String, Circuit)> {
    let mut designs = Vec::new();
    for scheme in SCHEMES {
        let calculator = scheme.blocks(Part::ReactionPoint).into_iter().find(|block| block.block == "calculator");
        let parts = [Part::ReactionPoint, Part::CongestionPoint].map(|part| scheme.circuit(part));
        for circuit in calculator.into_iter().chain(parts) {
            designs.push((scheme, circuit.module.to_string(), circuit));
        }
        // Not a variant: `verify` simulates the switch of four ports.
        let largest: &[&[_]] = if scheme.name == "infiniband" { &[&[("ports", "8")]] } else { &[] };
        for variant in scheme.variants().iter().chain(largest) {
            let (_, whole) = scheme.circuits_of(Part::CongestionPoint, variant);
            if designs.iter().all(|(_, name, _)| name != whole.module) {
                designs.push((scheme, whole.module.to_string(), whole));
            }
        }
    }
    designs
}

/// A seed for each run of [`many`].
const SEEDS: u64 = 64;

/// Many runs of one circuit, each with a stimulus of its own: one by one, and all together on all cores.
fn many(scheme: &'static Scheme) -> Result<Value> {
    let circuit = scheme.circuit(Part::ReactionPoint);
    let program = Program::compile(&circuit.netlist)?;
    let inputs = program.ports().iter().filter(|port| port.input).count();
    let run = |seed: u64, mut simulation: Simulation| {
        let (mut random, mut words, mut sum) = (seed, vec![0; inputs], 0u64);
        for _ in 0..RECORDED * REPEATS / 10 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            words[(random >> 33) as usize % inputs] = random;
            simulation.set_all(&words);
            simulation.step();
            sum = simulation.get_all().iter().fold(sum, |sum, &word| sum.rotate_left(1) ^ word);
        }
        sum
    };
    let seeds: Vec<u64> = (1..=SEEDS).collect();
    let timed = |run: &dyn Fn() -> Vec<u64>| {
        let started = Instant::now();
        (run(), started.elapsed().as_secs_f64())
    };
    let (mut one_by_one, mut together) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..RUNS / 5 {
        let (alone, seconds) = timed(&|| seeds.iter().map(|&seed| run(seed, program.start(seed))).collect());
        one_by_one = one_by_one.min(seconds);
        let (sums, seconds) = timed(&|| program.start_many(&seeds, run));
        together = together.min(seconds);
        ensure!(sums == alone, "{}: runs differ when they run together", circuit.module);
    }
    let gain = (one_by_one / together * 1e3).round() / 1e3;
    let cores = std::thread::available_parallelism()?.get();
    println!("{} with {SEEDS} seeds on {cores} cores: {gain:.2} times as fast as one by one", circuit.module);
    Ok(json!({ "name": circuit.module, "runs": SEEDS, "cores": cores, "gain": gain }))
}

/// Something that gives a row.
type Measure<'a> = Box<dyn Fn(&Verilator) -> Result<Speeds> + 'a>;

/// All rows: the name of each, and what measures it.
fn rows() -> Vec<(String, Measure<'static>)> {
    let mut rows: Vec<(String, Measure)> = Vec::new();
    for (scheme, name, circuit) in designs() {
        for &load in Load::of(&circuit) {
            let circuit = circuit.clone();
            let name = format!("{name}{}", load.suffix());
            rows.push((name, Box::new(move |verilator| measure(scheme, &circuit, load, verilator))));
        }
    }
    for (name, netlist) in library::all() {
        rows.push((name.to_string(), Box::new(move |verilator| library::measure(name, &netlist, verilator))));
    }
    for scheme in SCHEMES.iter().filter(|scheme| ["qcn", "smcc"].contains(&scheme.name)) {
        for idle in [false, true] {
            let name = closed_loop::name(scheme, idle);
            rows.push((name, Box::new(move |verilator| loops::measure(scheme, verilator, idle))));
        }
    }
    rows
}

fn main() -> Result<()> {
    let verilator = Verilator::find()?;
    let peer = format!("Verilator {} -O3", verilator.version());
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(wanted.as_str()));
    let mut measured = Vec::new();
    println!(
        "{:<32} {:>12} {:>12} {:>12} {:>8} {:>10}",
        "cycles/s", "engine", "rust-hdl", "Verilator", "ratio", "compile ms"
    );
    for (name, measure) in rows().into_iter().filter(|(name, _)| is_wanted(name)) {
        let speeds = measure(&verilator)?;
        println!(
            "{name:<32} {:>12.0} {:>12} {:>12.0} {:>8.2} {:>10.0}",
            speeds.engine,
            speeds.rust_hdl.map_or("-".to_string(), |speed| format!("{speed:.0}")),
            speeds.verilator,
            speeds.ratio(speeds.engine),
            1e3 * speeds.compile
        );
        if let Some(speed) = speeds.until_changes {
            println!("  where an output changes {speed:.0} cycles/s, {:.2} times Verilator", speeds.ratio(speed));
        }
        if let Some(speed) = speeds.network {
            println!("  network simulator {speed:.0} cycles/s, {:.0} times Verilator", speeds.ratio(speed));
        }
        measured.push(speeds.row(&name, &peer));
    }
    let qcn = registry::find("qcn").map_err(anyhow::Error::msg)?;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine.json");
    if let Some(wanted) = wanted {
        let before = std::fs::read_to_string(path).context("cannot read benches/engine.json")?;
        let mut report: Value = serde_json::from_str(&before).context("benches/engine.json")?;
        let all = report["rows"].as_array_mut().context("benches/engine.json: no rows")?;
        for row in measured {
            match all.iter_mut().find(|other| other["name"] == row["name"]) {
                Some(other) => *other = row,
                None => all.push(row),
            }
        }
        if wanted == "many" {
            report["many"] = many(qcn)?;
        }
        return write(path, &report);
    }
    let many = many(qcn)?;
    write(
        path,
        &json!({ "format_version": 1, "bench": "engine", "made_by": "scripts/bench", "rows": measured, "many": many }),
    )
}

fn write(path: &str, report: &Value) -> Result<()> {
    std::fs::write(path, serde_json::to_string_pretty(report)? + "\n").context("cannot write benches/engine.json")?;
    println!("wrote {path}");
    Ok(())
}
