// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of the bench `rp` with a calculator, and of Verilator with the Verilog of the same block, in the same run.
//! Writes `benches/rp.json`. Run it with `scripts/bench`.

use anyhow::{Context, Result};
use serde_json::json;
use std::time::Instant;
use tidegate::bench::rp::{self, Stimulus};
use tidegate::bench::trace::{Event, Trace};
use tidegate::bench::vectors::Recording;
use tidegate::bench::{Engine, Reports};
use tidegate::model::wire::CPID;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::{Feedback, Part};
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verify::replay::{Replay, Simulator};

/// Cycles of the bench with the circuit.
const CYCLES: u64 = 2_000_000;
/// Cycles recorded for Verilator, and how often it replays them.
const RECORDED: u64 = 200_000;
const REPEATS: u64 = 50;
/// Cycles between two frames, and between two feedbacks: a 1 Gb/s port with one sample in 100 packets.
const SENT_PERIOD: u64 = 1024;
const FEEDBACK_PERIOD: u64 = 102_400;

/// The same traffic for all: a frame of 1024 bytes each 1024 cycles, a feedback each 102400.
fn events(cycles: u64) -> Vec<Event<Stimulus>> {
    let feedback = Feedback { quantized_feedback: 9, q_offset: 100, q_delta: 40, cpid: CPID };
    (1..cycles / SENT_PERIOD)
        .map(|index| {
            let cycle = index * SENT_PERIOD;
            let kind =
                if cycle.is_multiple_of(FEEDBACK_PERIOD) { Stimulus::Feedback(feedback) } else { Stimulus::Sent(1024) };
            Event { line: 0, cycle, kind }
        })
        .collect()
}

fn bench_rate(scheme: &Scheme, engine: Engine, cycles: u64) -> Result<f64> {
    let parameters = scheme.parameters(&[])?;
    let events = events(cycles);
    let started = Instant::now();
    rp::run(scheme, &parameters, engine, &events, cycles, Reports::trace(&mut Trace::create(None, rp::HEADER)?))?;
    Ok(cycles as f64 / started.elapsed().as_secs_f64())
}

fn verilator_rate(scheme: &Scheme, verilator: &Verilator) -> Result<f64> {
    let parameters = scheme.parameters(&[])?;
    let ports = registry::ports(scheme, &parameters);
    let stimulus = |cycle: u64, name: &str| match name {
        "feedback_valid" => u64::from(cycle > 0 && cycle.is_multiple_of(FEEDBACK_PERIOD)),
        "sent" => u64::from(cycle.is_multiple_of(SENT_PERIOD)),
        "sent_bytes" => 1024,
        "source_empty" => 0,
        "quantized_feedback" => 9,
        "q_offset_units" => 100,
        "q_delta_units" => 40,
        "same_point" => 1,
        parameter => ports[parameter],
    };
    let mut blocks = scheme.blocks(Part::ReactionPoint).into_iter();
    let circuit = blocks.find(|block| block.block == "calculator").context("a reaction point without a calculator")?;
    let mut drive = |cycle: u64, row: &mut [u32]| {
        for (value, port) in row.iter_mut().zip(&circuit.ports).filter(|(_, port)| port.input && port.name != "clock") {
            *value = match port.name.as_str() {
                "reset" => u32::from(cycle == 0),
                name => stimulus(cycle, name) as u32,
            };
        }
    };
    let recording = Recording::make(&circuit, RECORDED, &mut drive)?;
    let replay = Replay::new(&Simulator::Verilator(verilator.clone()), &circuit, Effort::Fast)?;
    let run = |repeats: u64| -> Result<f64> {
        let started = Instant::now();
        replay.repeat(&recording, repeats)?;
        Ok(started.elapsed().as_secs_f64())
    };
    // The time to start and to read the rows is in both measurements and cancels.
    let once = run(1)?;
    Ok((RECORDED * (REPEATS - 1)) as f64 / (run(REPEATS)? - once))
}

fn main() -> Result<()> {
    let verilator = Verilator::find()?;
    let mut rows = Vec::new();
    println!("{:<6} {:>12} {:>12} {:>14} {:>16}", "scheme", "rtl", "Verilator", "ratio", "model");
    for scheme in registry::ethernet() {
        let name = scheme.name;
        let rtl = bench_rate(scheme, Engine::Rtl, CYCLES)?;
        let model = bench_rate(scheme, Engine::Model, 50 * CYCLES)?;
        let peer = verilator_rate(scheme, &verilator)?;
        println!("{name:<6} {rtl:>12.0} {peer:>12.0} {:>14.4} {model:>16.0}", rtl / peer);
        rows.push(json!({
            "scheme": name,
            "block": "calculator",
            "rtl_cycles_per_second": rtl.round(),
            "verilator_cycles_per_second": peer.round(),
            "rtl_to_verilator": (rtl / peer * 1e4).round() / 1e4,
            "model_cycles_per_second": model.round(),
        }));
    }
    let report = json!({
        "format_version": 1,
        "bench": "rp",
        "made_by": "scripts/bench",
        "verilator": verilator.version(),
        "rows": rows,
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/rp.json");
    std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n").context("cannot write benches/rp.json")?;
    println!("wrote {path}");
    Ok(())
}
