// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of circuits as machine code, in the simulation of `rust-hdl`, and in Verilator, on the same inputs in the same
//! run: every input is driven and every output compared in every cycle. A closed loop runs in the network simulator,
//! too: packets, feedback frames, queue and rates must be those of the circuits. Writes `benches/engine.json`; with a
//! part of a name as argument only the rows of these circuits, the others stay. Run it with `scripts/bench`.

mod closed_loop;

use anyhow::{Context, Result, ensure};
use closed_loop::SOURCES;
use serde_json::{Value, json};
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::vectors;
use tidegate::bench::vectors::Recording;
use tidegate::bench::{Engine, Reports};
use tidegate::engine::Program;
use tidegate::model::wire::FRAME_WORDS;
use tidegate::network::topology::Topology;
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::registry::{SCHEMES, Scheme};
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::scheme::parameters::Parameters;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::units::{Cycles, Rate};
use tidegate::verify::model::{SEED, seed_of};
use tidegate::verify::replay::{Replay, Simulator};
use tidegate::verify::stimulus::{Stimulus, Values};
use tidegate::verilog;

/// Cycles recorded, and how often a run replays them.
const RECORDED: u64 = 5_000;
const REPEATS: u64 = 200;
/// Cycles of a closed loop, half a millisecond, as often: 100 ms.
const LOOP: u64 = 62_500;
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
    /// Cycles per second of the network simulator with the same traffic, if it is a closed loop.
    network: Option<f64>,
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
    let [engine, verilator] = speeds(RECORDED, [&run, &|repeats| replay.repeat(&recording, repeats)])?;
    Ok(Speeds { engine, rust_hdl, verilator, compile, network: None })
}

/// The C++ program that clocks the Verilog of a closed loop after a cycle of reset, and prints a [`Seen`].
const LOOP_MAIN: &str = r#"#include "V@TOP@.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
double sc_time_stamp() { return 0; }
int main(int argc, char** argv) {
    V@TOP@ top;
    uint64_t enqueued = 0, dequeued = 0, frames = 0, queue = 0, rates = 0, first = 0, second = 0, third = 0;
    top.reset = 1;
    top.clock = 0;
    top.eval();
    top.clock = 1;
    top.eval();
    top.reset = 0;
    for (uint64_t cycle = 0, cycles = std::strtoull(argv[1], 0, 10); cycle < cycles; ++cycle) {
        top.clock = 0;
        top.eval();
        enqueued += top.enqueue;
        dequeued += top.dequeue;
        frames += top.valid & top.last;
        queue += top.queue_bytes;
        first = top.rate_0;
        second = top.rate_1;
        third = top.rate_2;
        rates += first + second + third;
        top.clock = 1;
        top.eval();
    }
    for (uint64_t value : {enqueued, dequeued, frames, queue, rates, first, second, third})
        std::printf("%llu\n", (unsigned long long)value);
}
"#;

/// What happened in a closed loop until a cycle, as the network simulator tells it.
struct Traffic {
    end: Cycles,
    enqueued: u64,
    dequeued: u64,
    frames: u64,
    /// Sums over all cycles.
    queue: u64,
    rates: u64,
    /// Queue and rates, each since a cycle.
    queue_since: (Cycles, u32),
    rate_since: [(Cycles, Rate); SOURCES],
}

impl Traffic {
    fn new(end: Cycles, rate: Rate) -> Self {
        let (queue_since, rate_since) = ((0, 0), [(0, rate); SOURCES]);
        Traffic { end, enqueued: 0, dequeued: 0, frames: 0, queue: 0, rates: 0, queue_since, rate_since }
    }

    /// The queue has another length from cycle `from` on.
    fn queue(&mut self, from: Cycles, bytes: u32) {
        let (since, before) = std::mem::replace(&mut self.queue_since, (from, bytes));
        self.queue += (from - since) * u64::from(before);
    }

    /// A source has another rate from cycle `from` on.
    fn rate(&mut self, from: Cycles, source: usize, rate: Rate) {
        let (since, Rate(before)) = std::mem::replace(&mut self.rate_since[source], (from, rate));
        self.rates += (from - since) * u64::from(before);
    }
}

impl Observer for Traffic {
    fn event(&mut self, now: Cycles, place: Place, event: Event) {
        // What enters or leaves in a cycle is in the register of the queue in the next one.
        match event {
            Event::Enqueued => self.enqueued += 1,
            Event::Dequeued => self.dequeued += 1,
            // The last word.
            Event::FeedbackSent(_) => self.frames += u64::from(now + (FRAME_WORDS as Cycles) - 1 < self.end),
            Event::Rate(rate) => self.rate(now, place.flow as usize, rate),
            _ => {}
        }
        if let Event::Enqueued | Event::Dequeued = event {
            self.queue(now + 1, place.queue_bytes);
        }
    }
}

/// What is seen of the traffic of a closed loop.
type Seen = [u64; 8];
const SEEN: &str = "packets that entered and left the queue, feedback frames, sums over all cycles of the length of the \
                    queue and of the rates, and the last rate of each source";

/// In the network simulator.
fn network_traffic(scheme: &Scheme, parameters: &Parameters, end: Cycles) -> Seen {
    let mut network = Network::new(&scheme.models(), parameters, &Topology::dumbbell(parameters));
    let mut traffic = Traffic::new(end, parameters.rate("line_rate_mbps"));
    network.run(end, &mut traffic);
    let (_, bytes) = traffic.queue_since;
    traffic.queue(end, bytes);
    let rates = traffic.rate_since.map(|(_, rate)| rate);
    (0..SOURCES).for_each(|source| traffic.rate(end, source, rates[source]));
    let Traffic { enqueued, dequeued, frames, queue, rates: sum, .. } = traffic;
    let [first, second, third] = rates.map(|Rate(rate)| rate);
    [enqueued, dequeued, frames, queue, sum, first.into(), second.into(), third.into()]
}

/// A closed loop without any input but the clock, in the engine, in Verilator and in the network simulator, which must
/// see the same traffic. In `rust-hdl` the bench `dumbbell` stands in: the same circuits.
fn measure_loop(scheme: &'static Scheme, verilator: &Verilator) -> Result<(String, Speeds)> {
    let parameters = scheme.parameters(&[])?;
    let netlist = closed_loop::of(scheme, &parameters);
    let name = netlist.top().name.clone();
    let started = Instant::now();
    let program = Program::compile(&netlist)?;
    let compile = started.elapsed().as_secs_f64();
    let reset = program.input("reset")?;
    let output = |name| program.output(name);
    let (enqueue, dequeue) = (output("enqueue")?, output("dequeue")?);
    let (valid, last, queue_bytes) = (output("valid")?, output("last")?, output("queue_bytes")?);
    let rates = [output("rate_0")?, output("rate_1")?, output("rate_2")?];
    let engine_traffic = |cycles: u64| -> Seen {
        let mut simulation = program.start(1);
        simulation.set(reset, 1);
        simulation.step();
        simulation.set(reset, 0);
        let mut sums = [0; 5];
        for _ in 0..cycles {
            simulation.step();
            sums[0] += simulation.get(enqueue);
            sums[1] += simulation.get(dequeue);
            sums[2] += simulation.get(valid) & simulation.get(last);
            sums[3] += simulation.get(queue_bytes);
            sums[4] += rates.iter().map(|&rate| simulation.get(rate)).sum::<u64>();
        }
        let [enqueued, dequeued, frames, queue, sum] = sums;
        let [first, second, third] = rates.map(|rate| simulation.get(rate));
        [enqueued, dequeued, frames, queue, sum, first, second, third]
    };
    let folder = tempfile::tempdir()?;
    let main = LOOP_MAIN.replace("@TOP@", &name);
    let model = verilator.build_model(folder.path(), &verilog::text(&netlist), &name, &main, Effort::Fast)?;
    // What the network simulator says of the first and of all replays is what the others must say.
    let expected = [1, REPEATS].map(|repeats| network_traffic(scheme, &parameters, LOOP * repeats));
    println!("{name}, {} cycles: {:?}: {SEEN}", LOOP * REPEATS, expected[1]);
    let check = |simulator: &str, repeats: u64, seen: Seen| -> Result<()> {
        let expected = expected[usize::from(repeats > 1)];
        ensure!(seen == expected, "{name}: {simulator} saw {seen:?}, the network simulator {expected:?}: {SEEN}");
        Ok(())
    };
    let in_verilator = |repeats: u64| -> Result<()> {
        let output = std::process::Command::new(&model).arg((LOOP * repeats).to_string()).output()?;
        let numbers = String::from_utf8(output.stdout)?.lines().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
        check("Verilator", repeats, numbers.try_into().map_err(|_| anyhow::anyhow!("{name}: not eight numbers"))?)
    };
    let [engine, verilator, network] = speeds(
        LOOP,
        [&|repeats| check("the engine", repeats, engine_traffic(LOOP * repeats)), &in_verilator, &|repeats| {
            check("it again", repeats, network_traffic(scheme, &parameters, LOOP * repeats))
        }],
    )?;

    let mut trace = Trace::create(None, dumbbell::HEADER)?;
    let observation = Observation { period: 0 };
    let started = Instant::now();
    dumbbell::run(scheme, &parameters, Engine::RustHdl, REFERENCE, observation, Reports::trace(&mut trace))?;
    let rust_hdl = REFERENCE as f64 / started.elapsed().as_secs_f64();
    Ok((name, Speeds { engine, rust_hdl, verilator, compile, network: Some(network) }))
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
    let loops = loops.filter(|scheme| is_wanted(&closed_loop::name(scheme)));
    let loops = loops.map(|scheme| measure_loop(scheme, &verilator));
    for measured in parts.chain(loops) {
        let (name, speeds) = measured?;
        let ratio = speeds.engine / speeds.verilator;
        let milliseconds = 1e3 * speeds.compile;
        println!(
            "{name:<28} {:>12.0} {:>12.0} {:>12.0} {ratio:>8.2} {milliseconds:>10.0}",
            speeds.engine, speeds.rust_hdl, speeds.verilator
        );
        let network_ratio = speeds.network.map(|network| network / speeds.verilator);
        if let (Some(network), Some(ratio)) = (speeds.network, network_ratio) {
            println!("  network simulator {network:.0} cycles/s, {ratio:.0} times Verilator");
        }
        let mut row = json!({
            "name": name,
            "peer": peer,
            "cycles_per_second": speeds.engine.round(),
            "rust_hdl_cycles_per_second": speeds.rust_hdl.round(),
            "peer_cycles_per_second": speeds.verilator.round(),
            "ratio": (ratio * 1e3).round() / 1e3,
            "compile_milliseconds": milliseconds.round(),
        });
        if let (Some(network), Some(ratio)) = (speeds.network, network_ratio) {
            row["network_cycles_per_second"] = json!(network.round());
            row["network_ratio"] = json!(ratio.round());
        }
        rows.push(row);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/engine.json");
    if wanted.is_some() {
        let before = std::fs::read_to_string(path).context("cannot read benches/engine.json")?;
        let before: Value = serde_json::from_str(&before).context("benches/engine.json")?;
        let mut all = before["rows"].as_array().context("benches/engine.json: no rows")?.clone();
        for row in rows {
            match all.iter_mut().find(|other| other["name"] == row["name"]) {
                Some(other) => *other = row,
                None => all.push(row),
            }
        }
        rows = all;
    }
    let report = json!({ "format_version": 1, "bench": "engine", "made_by": "scripts/bench", "rows": rows });
    std::fs::write(path, serde_json::to_string_pretty(&report)? + "\n").context("cannot write benches/engine.json")?;
    println!("wrote {path}");
    Ok(())
}
