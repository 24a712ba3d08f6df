// SPDX-License-Identifier: MIT OR Apache-2.0
//! The marking of an InfiniBand switch alone, driven by packets that enter and leave, from a file. A packet that leaves
//! frees its slot at once.

use super::machine::{InRustHdl, Machine, Maker, Native, Shown};
use super::trace::{Cell, Event, read_events, required};
use super::waveform::Waveform;
use super::{Engine, Reports, Steps};
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use tidegate_core::error::quoted;
use tidegate_core::input;
use tidegate_core::units::Cycles;
use tidegate_schemes::infiniband::rule::{self as infiniband, Counters, Events, Impossible, Marking, MarkingMode};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// What happens to a switch: output and input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// The header of a packet for this output comes at this input.
    Enter(usize, usize),
    /// The last byte of the packet that is coming in at this input is in.
    Complete(usize),
    /// The oldest packet for this output in the buffer of this input leaves.
    Leave(usize, usize),
}

/// Header of the trace.
pub const HEADER: &str = "cycle,output,input,marked,cnt1,cnt2";

/// Reads `enter` and `leave` (a = output, b = input) and `complete` (b = input); an impossible one is an error that
/// names its line.
pub fn read(path: &Path, parameters: &Parameters) -> Result<Vec<Event<Stimulus>>> {
    let last = infiniband::ports(parameters) as i64 - 1;
    let events = read_events(path, |event, a, b| {
        let port = |column, value| required(column, value, 0, last).map(|port| port as usize);
        match event {
            "enter" => Ok(Stimulus::Enter(port("a", a)?, port("b", b)?)),
            "complete" => Ok(Stimulus::Complete(port("b", b)?)),
            "leave" => Ok(Stimulus::Leave(port("a", a)?, port("b", b)?)),
            other => Err(format!("unknown event {}: expected enter, complete or leave", quoted(other))),
        }
    })?;
    let slots = parameters.integer("buffer_packets");
    let mut switch = Marking::of(parameters);
    for event in &events {
        let at = || format!("{}:{}", input::name(path), event.line);
        match (event.kind, step(&mut switch, event.kind)) {
            (_, Ok(_)) => {}
            (Stimulus::Enter(_, input), Err(Impossible::NotComplete)) => bail!(
                "{}: the last byte of the packet before is not in at input {input}: expected complete,,{input} first \
                 (full_when=header does without it)",
                at()
            ),
            (Stimulus::Enter(_, input), Err(_)) => bail!(
                "{}: the buffer of input {input} is full with {slots} packets: expected one of them to leave first \
                 (buffer_packets says how many it holds)",
                at()
            ),
            (Stimulus::Complete(input), Err(_)) => {
                bail!("{}: no packet is coming in at input {input}: expected one to enter first", at())
            }
            (Stimulus::Leave(output, input), Err(_)) => bail!(
                "{}: no packet for output {output} waits in the buffer of input {input}: expected one to enter first",
                at()
            ),
        }
    }
    Ok(events)
}

/// One event by itself; of a packet that leaves, whether it is marked.
fn step(switch: &mut Marking, event: Stimulus) -> Result<Option<bool>, Impossible> {
    match event {
        Stimulus::Enter(output, input) => switch.enter(output, input).map(|()| None),
        Stimulus::Complete(input) => switch.complete(input).map(|()| None),
        Stimulus::Leave(output, input) => {
            let marked = switch.leave(output, input)?;
            switch.free(input)?;
            Ok(Some(marked))
        }
    }
}

/// Puts an event behind those of a cycle; whether the cycle has room for it: each input and output at most once of each
/// kind.
fn add(events: &mut Events, event: Stimulus) -> bool {
    match event {
        Stimulus::Enter(output, input) => {
            events.enter.push((output, input));
            events.enter[..events.enter.len() - 1].iter().all(|other| other.1 != input)
        }
        Stimulus::Complete(input) => {
            events.complete.push(input);
            !events.complete[..events.complete.len() - 1].contains(&input)
        }
        Stimulus::Leave(output, input) => {
            events.leave.push((output, input));
            events.free.push(input);
            events.leave[..events.leave.len() - 1].iter().all(|other| other.0 != output && other.1 != input)
        }
    }
}

/// Marks of the packets that leave, and the counters of their outputs then; the switch after it.
type Outcome = (Vec<(bool, Counters)>, Marking);

/// Some events one after the other.
fn in_order(switch: &Marking, events: &[Stimulus]) -> Result<Outcome, Impossible> {
    let (mut switch, mut left) = (switch.clone(), Vec::new());
    for &event in events {
        let marked = step(&mut switch, event)?;
        if let (Some(marked), Stimulus::Leave(output, _)) = (marked, event) {
            left.push((marked, switch.counters(output)));
        }
    }
    Ok((left, switch))
}

/// The same events in one cycle.
fn in_one_cycle(switch: &Marking, events: &Events) -> Result<Outcome, Impossible> {
    let mut switch = switch.clone();
    let marks = switch.cycle(events)?;
    let left = marks.into_iter().zip(&events.leave).map(|(marked, leave)| (marked, switch.counters(leave.0))).collect();
    Ok((left, switch))
}

/// Which events happen in which cycle. What the file has in one cycle happens in one where that is the same as one
/// after the other, and else goes on in the next cycle, and what is behind it with it.
fn schedule(parameters: &Parameters, events: &[Event<Stimulus>]) -> BTreeMap<Cycles, Events> {
    let mut schedule: BTreeMap<Cycles, Events> = BTreeMap::new();
    let mut switch = Marking::of(parameters);
    let (mut now, mut together, mut before) = (0, Vec::new(), switch.clone());
    for event in events {
        if event.cycle > now {
            (now, before) = (event.cycle, switch.clone());
            together.clear();
        }
        together.push(event.kind);
        let mut merged = schedule.get(&now).cloned().unwrap_or_default();
        let fits = add(&mut merged, event.kind) && in_one_cycle(&before, &merged) == in_order(&before, &together);
        if !fits {
            now += 1;
            before = switch.clone();
            together = vec![event.kind];
            merged = Events::default();
            add(&mut merged, event.kind);
        }
        schedule.insert(now, merged);
        step(&mut switch, event.kind).expect("the reader has seen that it can be");
    }
    schedule
}

/// The cycle in which the last event happens.
pub fn last_cycle(parameters: &Parameters, events: &[Event<Stimulus>]) -> Option<Cycles> {
    schedule(parameters, events).last_key_value().map(|(&cycle, _)| cycle)
}

/// A switch of either engine.
trait Switch {
    /// Cycle `now`: for each packet that leaves, whether it is marked.
    fn cycle(&mut self, now: Cycles, events: &Events) -> Vec<bool>;
    /// cnt1 and cnt2 of an output after the last cycle; `None` in naive mode.
    fn counters(&mut self, output: usize) -> Option<(u32, u32)>;
    /// Whether nothing happens in a cycle without events, so that it need not be called.
    fn can_skip(&self) -> bool;
}

impl Switch for Marking {
    fn cycle(&mut self, _now: Cycles, events: &Events) -> Vec<bool> {
        Marking::cycle(self, events).expect("the reader has seen that they can be")
    }

    fn counters(&mut self, output: usize) -> Option<(u32, u32)> {
        let counters = Marking::counters(self, output);
        (self.mode() == MarkingMode::Counters).then_some((counters.waiting, counters.to_mark))
    }

    fn can_skip(&self) -> bool {
        true
    }
}

/// What happens in a cycle, as the [`PINS`] of a switch whose number of a port has so many bits.
pub fn pins(events: &Events, bits: u32) -> [u64; 6] {
    let flags = |inputs: &mut dyn Iterator<Item = usize>| inputs.fold(0u64, |all, input| all | 1 << input);
    let numbers = |packets: &[(usize, usize)]| {
        packets.iter().fold(0, |all, &(output, input)| all | (output as u64) << (input as u32 * bits))
    };
    let inputs = |packets: &[(usize, usize)]| flags(&mut packets.iter().map(|packet| packet.1));
    let [complete, free] = [&events.complete, &events.free].map(|inputs| flags(&mut inputs.iter().copied()));
    let [enter, leave] = [&events.enter, &events.leave];
    [inputs(enter), numbers(enter), complete, inputs(leave), numbers(leave), free]
}

/// The ports of a switch at which it learns what happens.
pub const PINS: [&str; 6] = ["enter", "enter_output", "complete", "leave", "leave_output", "free"];

/// The marks of the packets that leave.
fn marks_of(events: &Events, marks: u64) -> Vec<bool> {
    events.leave.iter().map(|&(_, input)| marks >> input & 1 != 0).collect()
}

/// A circuit, and how many bits the number of an output has.
struct Circuit<M: Machine> {
    bits: u32,
    pins: [M::Input; 6],
    mark: M::Output,
    /// cnt1 and cnt2 of each output; none in naive mode.
    counters: Vec<(M::Output, M::Output)>,
    machine: M,
}

impl<M: Machine> Switch for Circuit<M> {
    fn cycle(&mut self, now: Cycles, events: &Events) -> Vec<bool> {
        for (pin, value) in self.pins.into_iter().zip(pins(events, self.bits)) {
            self.machine.set(pin, value);
        }
        self.machine.step(now);
        marks_of(events, self.machine.get(self.mark))
    }

    fn counters(&mut self, output: usize) -> Option<(u32, u32)> {
        let &(waiting, to_mark) = self.counters.get(output)?;
        self.machine.settle();
        Some((self.machine.get(waiting) as u32, self.machine.get(to_mark) as u32))
    }

    fn can_skip(&self) -> bool {
        false
    }
}

fn device(scheme: &Scheme, parameters: &Parameters, engine: Engine, waveform: Option<&Waveform>) -> Box<dyn Switch> {
    match (engine, waveform) {
        (Engine::Model, _) => Box::new(Marking::of(parameters)),
        (Engine::Rtl, None) => circuit::<Native>(scheme, parameters, waveform),
        (Engine::Rtl, Some(_)) => circuit::<Shown>(scheme, parameters, waveform),
        (Engine::RustHdl, _) => circuit::<InRustHdl>(scheme, parameters, waveform),
    }
}

/// Paths of cnt1 and cnt2 of each output, in packets.
const COUNTERS: [[&str; 2]; 8] = [
    ["outputs_0.now_waiting", "outputs_0.owed"],
    ["outputs_1.now_waiting", "outputs_1.owed"],
    ["outputs_2.now_waiting", "outputs_2.owed"],
    ["outputs_3.now_waiting", "outputs_3.owed"],
    ["outputs_4.now_waiting", "outputs_4.owed"],
    ["outputs_5.now_waiting", "outputs_5.owed"],
    ["outputs_6.now_waiting", "outputs_6.owed"],
    ["outputs_7.now_waiting", "outputs_7.owed"],
];

fn circuit<'a, K: Maker<'a, Machine: 'static>>(
    scheme: &Scheme,
    parameters: &Parameters,
    waveform: Option<&'a Waveform>,
) -> Box<dyn Switch> {
    let ports = registry::part_ports(scheme, parameters, Part::CongestionPoint);
    let count = infiniband::ports(parameters);
    let counters = match infiniband::marking(parameters) {
        MarkingMode::Counters => &COUNTERS[..count],
        MarkingMode::Naive => &[],
    };
    let maker = K::of((scheme.circuit)(Part::CongestionPoint, parameters), counters.as_flattened(), waveform);
    let machine = maker.make("marking", &|name| ports[name]);
    Box::new(Circuit {
        bits: count.ilog2(),
        pins: PINS.map(|name| machine.input(name)),
        mark: machine.output("mark"),
        counters: counters.iter().map(|[waiting, owed]| (machine.output(waiting), machine.output(owed))).collect(),
        machine,
    })
}

/// What a run of the bench came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Packets that entered.
    pub entered: u64,
    /// Packets that left.
    pub left: u64,
    /// Those of them that are marked.
    pub marked: u64,
}

/// Runs the events until `cycles`, and writes a row for each packet that leaves: with the counters of its output after
/// that, empty in naive mode.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    events: &[Event<Stimulus>],
    cycles: Cycles,
    reports: Reports,
) -> Result<Summary> {
    let mut steps = Steps::new(reports.progress);
    let schedule = schedule(parameters, events);
    let mut switch = device(scheme, parameters, engine, reports.waveform);
    reports.begin()?;
    let trace = reports.trace;
    let mut summary = Summary { cycles, ..Summary::default() };
    let nothing = Events::default();
    let mut now = 0;
    for (&at, events) in schedule.range(..cycles) {
        while now < at && !switch.can_skip() {
            switch.cycle(now, &nothing);
            now += 1;
            steps.step(now);
        }
        let marks = switch.cycle(at, events);
        summary.entered += events.enter.len() as u64;
        for (marked, &(output, input)) in marks.into_iter().zip(&events.leave) {
            summary.left += 1;
            summary.marked += u64::from(marked);
            let counters = switch.counters(output);
            let (waiting, to_mark) =
                (Cell(counters.map(|counters| counters.0)), Cell(counters.map(|counters| counters.1)));
            trace.row(format_args!("{at},{output},{input},{},{waiting},{to_mark}", u8::from(marked)))?;
        }
        now = at + 1;
        steps.step(now);
    }
    while now < cycles && !switch.can_skip() {
        switch.cycle(now, &nothing);
        now += 1;
        steps.step(now);
    }
    Ok(summary)
}
