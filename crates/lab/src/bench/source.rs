// SPDX-License-Identifier: MIT OR Apache-2.0
//! An InfiniBand source alone, driven by ACKs from a file. It always has a packet to send.

use super::machine::{InRustHdl, Machine, Maker, Native, Shown};
use super::rp::Summary;
use super::trace::{Event, read_events, required};
use super::{Engine, Reports, Steps};
use anyhow::Result;
use std::path::Path;
use tidegate_core::error::quoted;
use tidegate_core::units::{Cycles, Micro, SixDecimals};
use tidegate_schemes::infiniband::model::SourceModel;
use tidegate_schemes::infiniband::rule::Source;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// What happens to a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// The ACK of the packet that is out.
    Ack {
        /// Whether that packet was marked.
        marked: bool,
    },
    /// A new flow to the same destination begins.
    Flow,
}

/// Reads `ack` (a = 1 where its packet was marked, 0 where not) and `flow`.
pub fn read(path: &Path) -> Result<Vec<Event<Stimulus>>> {
    read_events(path, |event, a, _| match event {
        "ack" => Ok(Stimulus::Ack { marked: required("a", a, 0, 1)? == 1 }),
        "flow" => Ok(Stimulus::Flow),
        other => Err(format!("unknown event {}: expected ack or flow", quoted(other))),
    })
}

/// A source that always has a packet.
trait Device {
    /// The next cycle, not before `now`, in which it must be called even if nothing happens to it.
    fn next(&self, now: Cycles) -> Cycles;
    /// Whether the ACK belongs to a packet, and the delay in this cycle.
    fn cycle(&mut self, now: Cycles, ack: Option<bool>, flow_start: bool) -> (bool, u32);
}

impl Device for SourceModel {
    fn next(&self, now: Cycles) -> Cycles {
        SourceModel::next(self, now, true)
    }

    fn cycle(&mut self, now: Cycles, ack: Option<bool>, flow_start: bool) -> (bool, u32) {
        let outcome = SourceModel::cycle(self, now, true, ack, flow_start);
        (outcome.acknowledged, outcome.ipd)
    }
}

/// A circuit.
struct Circuit<M: Machine> {
    ack: M::Input,
    ack_marked: M::Input,
    flow_start: M::Input,
    stray: M::Output,
    ipd: M::Output,
    machine: M,
}

impl<M: Machine> Circuit<M> {
    /// A circuit after reset.
    fn new(mut machine: M) -> Self {
        let request = machine.input("request");
        machine.set(request, 1);
        Circuit {
            ack: machine.input("ack"),
            ack_marked: machine.input("ack_marked"),
            flow_start: machine.input("flow_start"),
            stray: machine.output("stray"),
            ipd: machine.output("ipd"),
            machine,
        }
    }
}

impl<M: Machine> Device for Circuit<M> {
    fn next(&self, now: Cycles) -> Cycles {
        now
    }

    fn cycle(&mut self, now: Cycles, ack: Option<bool>, flow_start: bool) -> (bool, u32) {
        let machine = &mut self.machine;
        machine.set(self.ack, u64::from(ack.is_some()));
        machine.set(self.ack_marked, u64::from(ack == Some(true)));
        machine.set(self.flow_start, u64::from(flow_start));
        machine.step(now);
        (ack.is_some() && machine.get(self.stray) == 0, machine.get(self.ipd) as u32)
    }
}

/// R_max / (1 + ipd) in Mb/s, to the nearest millionth.
pub(crate) fn rate(line_rate: Micro, ipd: u32) -> Micro {
    let packet_times = u64::from(1 + ipd);
    Micro((line_rate.0 + packet_times / 2) / packet_times)
}

/// Cycles that it runs on after the last event was taken, unless told otherwise.
const CYCLES_AFTER_EVENTS: Cycles = 1000;

/// Runs the events until `cycles`, or until some time after the last one was taken, one a cycle, and writes a row for
/// each change of the rate, under the header of [`super::rp::HEADER`]. An ACK that comes while no packet is out waits
/// for the next packet, and the events behind it wait with it.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    events: &[Event<Stimulus>],
    cycles: Option<Cycles>,
    reports: Reports,
) -> Result<Summary> {
    match (engine, reports.waveform) {
        (Engine::Model, _) => {
            let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
            let model = SourceModel::new(Source::of(parameters), ports["packet_cycles"] as u32);
            run_on(model, parameters, events, cycles, reports)
        }
        (Engine::Rtl, None) => run_circuit::<Native>(scheme, parameters, events, cycles, reports),
        (Engine::Rtl, Some(_)) => run_circuit::<Shown>(scheme, parameters, events, cycles, reports),
        (Engine::RustHdl, _) => run_circuit::<InRustHdl>(scheme, parameters, events, cycles, reports),
    }
}

fn run_circuit<'a, K: Maker<'a>>(
    scheme: &Scheme,
    parameters: &Parameters,
    events: &[Event<Stimulus>],
    cycles: Option<Cycles>,
    reports: Reports<'a>,
) -> Result<Summary> {
    let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
    let maker = K::of((scheme.circuit)(Part::ReactionPoint, parameters), &[], reports.waveform);
    let machine = maker.make("source", &|name| ports[name]);
    run_on(Circuit::new(machine), parameters, events, cycles, reports)
}

fn run_on<D: Device>(
    mut device: D,
    parameters: &Parameters,
    events: &[Event<Stimulus>],
    cycles: Option<Cycles>,
    reports: Reports,
) -> Result<Summary> {
    let mut steps = Steps::new(reports.progress);
    let line_rate = parameters.decimal("line_rate_mbps");
    reports.begin()?;
    let trace = reports.trace;
    let mut events = events.iter().peekable();
    let (mut before, mut changes, mut now) = (0, 0, 0);
    let mut end = cycles.unwrap_or(if events.peek().is_some() { Cycles::MAX } else { CYCLES_AFTER_EVENTS });
    while now < end {
        let event = events.peek().filter(|event| event.cycle <= now).map(|event| event.kind);
        let ack = match event {
            Some(Stimulus::Ack { marked }) => Some(marked),
            _ => None,
        };
        let flow_start = event == Some(Stimulus::Flow);
        let (taken, ipd) = device.cycle(now, ack, flow_start);
        if taken || flow_start {
            events.next();
            if events.peek().is_none() && cycles.is_none() {
                end = now + CYCLES_AFTER_EVENTS;
            }
        }
        if ipd != before {
            changes += 1;
            trace.row(format_args!("{now},{},,,", SixDecimals(rate(line_rate, ipd))))?;
            before = ipd;
        }
        let after = now + 1;
        // One that waits can be taken only where the source does something by itself first.
        let wanted = events.peek().map_or(Cycles::MAX, |event| if event.cycle <= now { after } else { event.cycle });
        now = device.next(after).min(wanted).max(after);
        steps.step(now);
    }
    Ok(Summary { cycles: end, changes, final_rate_mbps: rate(line_rate, before).to_f64() })
}
