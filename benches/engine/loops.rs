// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of closed loops.

use super::closed_loop::{self, SOURCES};
use super::{REFERENCE, REPEATS, Speeds, speeds};
use anyhow::{Result, ensure};
use std::time::Instant;
use tidegate::bench::dumbbell::{self, Observation};
use tidegate::bench::trace::Trace;
use tidegate::bench::{Engine, Reports};
use tidegate::engine::{Output, Program, Simulation};
use tidegate::model::wire::FRAME_WORDS;
use tidegate::netlist::Netlist;
use tidegate::network::topology::Topology;
use tidegate::network::{Event, Network, Observer, Place};
use tidegate::registry::Scheme;
use tidegate::scheme::parameters::Parameters;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::units::{Cycles, Rate};
use tidegate::verilog;

/// Cycles of a closed loop, half a millisecond, that a run repeats: 100 ms.
const LOOP: u64 = 62_500;

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

/// In a loop whose sources have no packet.
fn no_traffic(parameters: &Parameters, end: Cycles) -> Seen {
    let rate = u64::from(parameters.rate("line_rate_mbps").0);
    [0, 0, 0, 0, SOURCES as u64 * rate * end, rate, rate, rate]
}

/// A closed loop in the engine.
struct InEngine {
    program: Program,
    /// `enqueue`, `dequeue`, `valid`, `last`, `queue_bytes`, and the rates.
    outputs: [Output; 5 + SOURCES],
}

impl InEngine {
    fn new(netlist: &Netlist) -> Result<Self> {
        let program = Program::compile(netlist)?;
        let output = |name| program.output(name);
        let [enqueue, dequeue, valid] = [output("enqueue")?, output("dequeue")?, output("valid")?];
        let [first, second, third] = [output("rate_0")?, output("rate_1")?, output("rate_2")?];
        let outputs = [enqueue, dequeue, valid, output("last")?, output("queue_bytes")?, first, second, third];
        Ok(InEngine { program, outputs })
    }

    /// After its reset.
    fn start(&self) -> Result<Simulation> {
        let mut simulation = self.program.start(1);
        let reset = self.program.input("reset")?;
        simulation.set(reset, 1);
        simulation.step();
        simulation.set(reset, 0);
        Ok(simulation)
    }

    /// Adds what a cycle shows, so many times.
    fn see(&self, seen: &mut Seen, simulation: &Simulation, times: u64) {
        let [enqueue, dequeue, valid, last, queue, first, second, third] =
            self.outputs.map(|output| simulation.get(output));
        let sums = [enqueue, dequeue, valid & last, queue, first + second + third];
        seen.iter_mut().zip(sums).for_each(|(sum, value)| *sum += times * value);
        seen[5..].copy_from_slice(&[first, second, third]);
    }

    /// Looks at each cycle.
    fn run(&self, cycles: u64) -> Result<Seen> {
        let (mut simulation, mut seen) = (self.start()?, Seen::default());
        for _ in 0..cycles {
            simulation.step();
            self.see(&mut seen, &simulation, 1);
        }
        Ok(seen)
    }

    /// Looks when an output has another value.
    fn run_until_changes(&self, cycles: u64) -> Result<Seen> {
        let (mut simulation, mut seen) = (self.start()?, Seen::default());
        simulation.step();
        self.see(&mut seen, &simulation, 1);
        let mut left = cycles - 1;
        while left > 0 {
            let mut before = Seen::default();
            self.see(&mut before, &simulation, 1);
            let steps = simulation.step_until(&self.outputs, left);
            left -= steps;
            // All steps but the last show what was there before.
            seen.iter_mut().zip(before).for_each(|(sum, value)| *sum += (steps - 1) * value);
            self.see(&mut seen, &simulation, 1);
        }
        Ok(seen)
    }
}

/// A closed loop without any input but the clock, in the engine, in Verilator and in the network simulator, which must
/// see the same traffic. In `rust-hdl` the bench `dumbbell` stands in: the same circuits. An idle loop is not simulated in the
/// last two.
pub fn measure(scheme: &'static Scheme, verilator: &Verilator, idle: bool) -> Result<Speeds> {
    let parameters = scheme.parameters(&[])?;
    let netlist = closed_loop::of(scheme, &parameters, idle);
    let name = netlist.top().name.clone();
    let started = Instant::now();
    let engine = InEngine::new(&netlist)?;
    let compile = started.elapsed().as_secs_f64();
    let folder = tempfile::tempdir()?;
    let main = LOOP_MAIN.replace("@TOP@", &name);
    let model = verilator.build_model(folder.path(), &verilog::text(&netlist), &name, &main, Effort::Fast)?;
    // What the network simulator says of the first and of all replays is what the others must say.
    let network = |cycles| match idle {
        true => no_traffic(&parameters, cycles),
        false => network_traffic(scheme, &parameters, cycles),
    };
    let expected = [1, REPEATS].map(|repeats| network(LOOP * repeats));
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
    let [each, changes, verilator, network] = speeds(
        LOOP,
        [
            &|repeats| check("the engine", repeats, engine.run(LOOP * repeats)?),
            &|repeats| check("the engine, where outputs change,", repeats, engine.run_until_changes(LOOP * repeats)?),
            &in_verilator,
            &|repeats| check("it again", repeats, network(LOOP * repeats)),
        ],
    )?;
    let mut measured = Speeds { until_changes: Some(changes), ..Speeds::new(each, verilator, compile) };
    if !idle {
        let mut trace = Trace::create(None, dumbbell::HEADER)?;
        let observation = Observation { period: 0 };
        let started = Instant::now();
        dumbbell::run(scheme, &parameters, Engine::RustHdl, REFERENCE, observation, Reports::trace(&mut trace))?;
        measured.rust_hdl = Some(REFERENCE as f64 / started.elapsed().as_secs_f64());
        measured.network = Some(network);
    }
    Ok(measured)
}
