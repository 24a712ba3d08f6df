//! The speed of circuits as machine code, in the simulation of `rust-hdl`, and in Verilator, on the same inputs in the same
//! run: every input is driven and every output compared in every cycle. Writes `benches/engine.json`. Run it with
//! `scripts/bench`.

mod closed_loop;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::vectors;
use tidegate::bench::vectors::Recording;
use tidegate::bench::{Engine, Reports};
use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate::registry::{SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;

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
    rust_hdl: f64,
    verilator: f64,
    /// Seconds to compile for the engine.
    compile: f64,
}

/// Something that replays the recorded cycles as often as it is told.
type Run<'a> = &'a dyn Fn(u64) -> Result<()>;

/// The cycles per second of each of some simulators: the time of the second to the last replay, so that what a start takes
/// cancels.
fn speeds<const N: usize>(simulators: [Run; N]) -> Result<[f64; N]> {
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
    Ok(std::array::from_fn(|at| (RECORDED * (REPEATS - 1)) as f64 / (all[at] - first[at])))
}

fn measure(scheme: &'static Scheme, circuit: &Circuit, verilator: &Verilator) -> Result<Speeds> {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Accepted);
    let recording = Recording::make(circuit, RECORDED, &mut |cycle, row| stimulus.drive(cycle, row))?;
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
    let run = |repeats| {
        for _ in 0..repeats {
            let mut simulation = program.start(1);
            for (driven, expected) in driven.chunks_exact(inputs.len()).zip(expected.chunks_exact(outputs.len())) {
                simulation.set_all(driven);
                simulation.step();
                ensure!(simulation.get_all() == expected, "{}: an output differs", circuit.module);
            }
        }
        Ok(())
    };

    let started = Instant::now();
    vectors::run_reference(
        circuit,
        &mut |cycle, row| row.copy_from_slice(&rows[(cycle % RECORDED) as usize]),
        &mut |cycle, _| cycle + 1 < REFERENCE,
    );
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();

    let replay = Replay::new(&Simulator::Verilator(verilator.clone()), circuit, Effort::Fast)?;
    let [engine, verilator] = speeds([&run, &|repeats| replay.repeat(&recording, repeats)])?;
    Ok(Speeds { engine, rust_hdl, verilator, compile })
}

/// The C++ program that clocks the Verilog of a closed loop, and prints a sum of its outputs.
const LOOP_MAIN: &str = r#"#include "V@TOP@.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
double sc_time_stamp() { return 0; }
int main(int argc, char** argv) {
    V@TOP@ top;
    uint64_t sum = 0;
    for (uint64_t cycle = 0, cycles = std::strtoull(argv[1], 0, 10); cycle < cycles; ++cycle) {
        top.reset = cycle == 0;
        top.clock = 0;
        top.eval();
        sum = sum * 31 + top.queue_bytes + top.rate_0 + top.rate_1 + top.rate_2;
        top.clock = 1;
        top.eval();
    }
    std::printf("%llu\n", (unsigned long long)sum);
}
"#;

/// A closed loop without any input but the clock. In `rust-hdl` the bench `dumbbell` stands in: the same circuits.
fn measure_loop(scheme: &'static Scheme, netlist: &Netlist, verilator: &Verilator) -> Result<(String, Speeds)> {
    let name = netlist.top().name.clone();
    let started = Instant::now();
    let program = Program::compile(netlist)?;
    let compile = started.elapsed().as_secs_f64();
    let reset = program.input("reset")?;
    let queue = program.output("queue_bytes")?;
    let rates = [program.output("rate_0")?, program.output("rate_1")?, program.output("rate_2")?];
    let sum_of = |cycles: u64| {
        let mut simulation = program.start(1);
        let mut sum = 0u64;
        for cycle in 0..cycles {
            simulation.set(reset, u64::from(cycle == 0));
            simulation.step();
            let rates = rates.iter().map(|&rate| simulation.get(rate)).sum::<u64>();
            sum = sum.wrapping_mul(31).wrapping_add(simulation.get(queue)).wrapping_add(rates);
        }
        sum
    };
    let folder = tempfile::tempdir()?;
    let main = LOOP_MAIN.replace("@TOP@", &name);
    let model = verilator.build_model(folder.path(), &verilog::text(netlist), &name, &main, Effort::Fast)?;
    let run = |cycles: u64| -> Result<String> {
        Ok(String::from_utf8(std::process::Command::new(&model).arg(cycles.to_string()).output()?.stdout)?)
    };
    let (said, sum) = (run(RECORDED)?, sum_of(RECORDED).to_string());
    ensure!(said.trim() == sum, "{name}: Verilator says {}, the engine {sum}", said.trim());
    let [engine, verilator] = speeds([
        &|repeats| {
            std::hint::black_box(sum_of(RECORDED * repeats));
            Ok(())
        },
        &|repeats| run(RECORDED * repeats).map(drop),
    ])?;

    let parameters = scheme.parameters(&[])?;
    let mut trace = Trace::create(None, dumbbell::HEADER)?;
    let observation = Observation { period: 0 };
    let started = Instant::now();
    dumbbell::run(scheme, &parameters, Engine::RustHdl, REFERENCE, observation, Reports::trace(&mut trace))?;
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();
    Ok((name, Speeds { engine, rust_hdl, verilator, compile }))
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

fn main() -> Result<()> {
    let verilator = Verilator::find()?;
    let peer = format!("Verilator {} -O3", verilator.version());
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(wanted.as_str()));
    let mut rows = Vec::new();
    println!(
        "{:<28} {:>12} {:>12} {:>12} {:>8} {:>10}",
        "cycles/s", "engine", "rust-hdl", "Verilator", "ratio", "compile ms"
    );
    let parts = designs()
        .into_iter()
        .filter(|(_, name, _)| is_wanted(name))
        .map(|(scheme, name, circuit)| Ok((name, measure(scheme, &circuit, &verilator)?)));
    let loops = SCHEMES.iter().filter(|scheme| ["qcn", "smcc"].contains(&scheme.name));
    let loops = loops.map(|scheme| (scheme, closed_loop::of(scheme)));
    let loops = loops.filter(|(_, netlist)| is_wanted(&netlist.top().name));
    let loops = loops.map(|(scheme, netlist)| measure_loop(scheme, &netlist, &verilator));
    for measured in parts.chain(loops) {
        let (name, speeds) = measured?;
        let ratio = speeds.engine / speeds.verilator;
        let milliseconds = 1e3 * speeds.compile;
        println!(
            "{name:<28} {:>12.0} {:>12.0} {:>12.0} {ratio:>8.2} {milliseconds:>10.0}",
            speeds.engine, speeds.rust_hdl, speeds.verilator
        );
        rows.push(json!({
            "name": name,
            "peer": peer,
            "cycles_per_second": speeds.engine.round(),
            "rust_hdl_cycles_per_second": speeds.rust_hdl.round(),
            "peer_cycles_per_second": speeds.verilator.round(),
            "ratio": (ratio * 1e3).round() / 1e3,
            "compile_milliseconds": milliseconds.round(),
        }));
    }
    if wanted.is_some() {
        return Ok(());
    }
    let report = json!({ "format_version": 1, "bench": "engine", "made_by": "scripts/bench", "rows": rows });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine.json");
    std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n").context("cannot write benches/engine.json")?;
    println!("wrote {path}");
    Ok(())
}
