//! The speed of circuits as machine code, in the simulation of `rust-hdl`, and in Verilator, on the same inputs in the same
//! run: every input is driven and every output compared in every cycle. Writes `benches/engine.json`. Run it with
//! `scripts/bench`.

mod closed_loop;

use anyhow::{anyhow, ensure, Context, Result};
use serde_json::json;
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::vectors;
use tidegate::bench::vectors::Recording;
use tidegate::bench::{Engine, Reports};
use tidegate::engine::Program;
use tidegate::registry::{Scheme, SCHEMES};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verify::model::{seed_of, SEED};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;

/// Cycles recorded, and how often the engine and Verilator replay them.
const RECORDED: u64 = 100_000;
const REPEATS: u64 = 50;
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

/// The time of the second to the last of `REPEATS` runs, as cycles per second: what a start takes cancels.
fn speed(mut run: impl FnMut(u64) -> Result<()>) -> Result<f64> {
    let mut timed = |repeats| -> Result<f64> {
        let started = Instant::now();
        run(repeats)?;
        Ok(started.elapsed().as_secs_f64())
    };
    let once = timed(1)?;
    Ok((RECORDED * (REPEATS - 1)) as f64 / (timed(REPEATS)? - once))
}

fn measure(scheme: &'static Scheme, circuit: &Circuit, verilator: &Verilator) -> Result<Speeds> {
    let mut stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, SEED), Values::Accepted);
    let recording = Recording::make(circuit, RECORDED, &mut |cycle, row| stimulus.drive(cycle, row))?;
    let rows: Vec<u32> = recording.rows(0..RECORDED)?.concat();
    let columns = circuit.ports.len();

    let started = Instant::now();
    let program = Program::compile(&circuit.netlist)?;
    let compile = started.elapsed().as_secs_f64();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| port.name != "clock") {
        match port.input {
            true => inputs.push((column, program.input(&port.name)?)),
            false => outputs.push((column, program.output(&port.name)?)),
        }
    }
    let engine = speed(|repeats| {
        let mut simulation = program.start(1);
        for repeat in 0..repeats {
            for (cycle, row) in rows.chunks_exact(columns).enumerate() {
                for &(column, input) in &inputs {
                    simulation.set(input, u64::from(row[column]));
                }
                simulation.step();
                let same = outputs
                    .iter()
                    .fold(true, |same, &(column, output)| same & (simulation.get(output) == u64::from(row[column])));
                // Row 0 resets; before that, a repeat starts from the state of the last one.
                if !same && (repeat == 0 || cycle > 0) {
                    return Err(anyhow!("{}: an output differs in cycle {cycle}", circuit.module));
                }
            }
        }
        Ok(())
    })?;

    let started = Instant::now();
    vectors::run_reference(
        circuit,
        &mut |cycle, row| row.copy_from_slice(&rows[cycle as usize * columns..][..columns]),
        &mut |cycle, _| cycle + 1 < REFERENCE,
    );
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();

    let replay = Replay::new(&Simulator::Verilator(verilator.clone()), circuit, Effort::Fast)?;
    let verilator = speed(|repeats| replay.repeat(&recording, repeats))?;
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
fn measure_loop(scheme: &'static Scheme, verilator: &Verilator) -> Result<(String, Speeds)> {
    let netlist = closed_loop::of(scheme);
    let name = netlist.top().name.clone();
    let started = Instant::now();
    let program = Program::compile(&netlist)?;
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
    let engine = speed(|repeats| {
        std::hint::black_box(sum_of(RECORDED * repeats));
        Ok(())
    })?;

    let folder = tempfile::tempdir()?;
    let main = LOOP_MAIN.replace("@TOP@", &name);
    let model = verilator.build_model(folder.path(), &verilog::text(&netlist), &name, &main, Effort::Fast)?;
    let run = |cycles: u64| -> Result<String> {
        Ok(String::from_utf8(std::process::Command::new(&model).arg(cycles.to_string()).output()?.stdout)?)
    };
    let (said, sum) = (run(RECORDED)?, sum_of(RECORDED).to_string());
    ensure!(said.trim() == sum, "{name}: Verilator says {}, the engine {sum}", said.trim());
    let verilator = speed(|repeats| run(RECORDED * repeats).map(drop))?;

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
        for variant in scheme.variants() {
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
    let mut rows = Vec::new();
    println!(
        "{:<28} {:>12} {:>12} {:>12} {:>8} {:>10}",
        "cycles/s", "engine", "rust-hdl", "Verilator", "ratio", "compile ms"
    );
    let parts = designs().into_iter().map(|(scheme, name, circuit)| Ok((name, measure(scheme, &circuit, &verilator)?)));
    let loops = SCHEMES.iter().filter(|scheme| ["qcn", "smcc"].contains(&scheme.name));
    let loops = loops.map(|scheme| measure_loop(scheme, &verilator));
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
    let report = json!({ "format_version": 1, "bench": "engine", "made_by": "scripts/bench", "rows": rows });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine.json");
    std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n").context("cannot write benches/engine.json")?;
    println!("wrote {path}");
    Ok(())
}
