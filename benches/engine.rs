//! The speed of circuits as machine code, in the simulation of `rust-hdl`, and in Verilator, on the same inputs in the same
//! run: every input is driven and every output compared in every cycle. Writes `benches/engine.json`. Run it with
//! `scripts/bench`.

use anyhow::{anyhow, Context, Result};
use serde_json::json;
use std::time::Instant;
use tidegate::bench::vectors::Recording;
use tidegate::emit::Circuit;
use tidegate::engine::Program;
use tidegate::registry::{Scheme, SCHEMES};
use tidegate::scheme::Part;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verify::model::{seed_of, SEED};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};

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
                let same = outputs.iter().fold(true, |same, &(column, output)| {
                    same & (simulation.get(output) == u64::from(row[column]))
                });
                // Row 0 resets; before that, a repeat is where the last one ended.
                if !same && (repeat == 0 || cycle > 0) {
                    return Err(anyhow!("{}: an output differs in cycle {cycle}", circuit.module));
                }
            }
        }
        Ok(())
    })?;

    let started = Instant::now();
    (circuit.reference)(
        &mut |cycle, row| row.copy_from_slice(&rows[cycle as usize * columns..][..columns]),
        &mut |cycle, _| cycle + 1 < REFERENCE,
    );
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();

    let replay = Replay::new(&Simulator::Verilator(verilator.clone()), circuit, Effort::Fast)?;
    let verilator = speed(|repeats| replay.repeat(&recording, repeats))?;
    Ok(Speeds { engine, rust_hdl, verilator, compile })
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
    println!("{:<28} {:>12} {:>12} {:>12} {:>8} {:>10}", "cycles/s", "engine", "rust-hdl", "Verilator", "ratio", "compile ms");
    for (scheme, name, circuit) in designs() {
        let speeds = measure(scheme, &circuit, &verilator)?;
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
