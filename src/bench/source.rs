//! An InfiniBand source alone, driven by ACKs from a file. It always has a packet to send.

use super::circuit::Clocked;
use super::model::infiniband::SourceModel;
use super::native::Compiled;
use super::rp::Summary;
use super::trace::{read_events, required, Event};
use super::vcd::Waveform;
use super::{Engine, Reports, Steps};
use crate::engine::{Input, Output, Simulation};
use crate::error::quoted;
use crate::registry::{self, Scheme};
use crate::rtl::reaction_point::source_infiniband::InfiniBandSource;
use crate::rtl::ParameterInputs;
use crate::scheme::infiniband::{table_of, Source};
use crate::scheme::parameters::Parameters;
use crate::scheme::Part;
use crate::units::{Cycles, Micro, SixDecimals};
use anyhow::Result;
use rust_hdl::prelude::Bits;
use std::path::Path;

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

/// The circuit as machine code.
struct NativeSource {
    simulation: Simulation,
    ack: Input,
    ack_marked: Input,
    flow_start: Input,
    stray: Output,
    ipd: Output,
}

/// A source of any engine that always has a packet.
enum Device {
    Rtl(Box<NativeSource>),
    RustHdl(Box<Clocked<InfiniBandSource>>),
    Model(SourceModel),
}

impl Device {
    fn new(scheme: &Scheme, parameters: &Parameters, engine: Engine, waveform: Option<&Waveform>) -> Self {
        let ports = registry::part_ports(scheme, parameters, Part::ReactionPoint);
        match engine {
            Engine::Rtl => {
                let compiled = Compiled::new(&(scheme.circuit)(Part::ReactionPoint, parameters), &[]);
                let mut simulation = compiled.start(&|name| ports[name]);
                simulation.set(compiled.input("request"), 1);
                let (input, output) = (|name| compiled.input(name), |name| compiled.output(name));
                Device::Rtl(Box::new(NativeSource {
                    ack: input("ack"),
                    ack_marked: input("ack_marked"),
                    flow_start: input("flow_start"),
                    stray: output("stray"),
                    ipd: output("ipd"),
                    simulation,
                }))
            }
            Engine::RustHdl => {
                let (factor, steps) = table_of(parameters);
                let scope = waveform.map(|waveform| waveform.scope("source"));
                let circuit = InfiniBandSource::new(factor, steps);
                let mut clocked = Clocked::reset(circuit, &|name| ports[name], scope);
                clocked.circuit.set("request", 1);
                Device::RustHdl(Box::new(clocked))
            }
            Engine::Model => {
                let persistent = parameters.flag("persistent");
                Device::Model(SourceModel::new(Source::of(parameters), persistent, ports["packet_cycles"] as u32))
            }
        }
    }

    fn next(&self, now: Cycles) -> Cycles {
        match self {
            Device::Rtl(_) | Device::RustHdl(_) => now,
            Device::Model(model) => model.next(now),
        }
    }

    /// Whether the ACK belongs to a packet, and the delay in this cycle.
    fn cycle(&mut self, now: Cycles, ack: Option<bool>, flow_start: bool) -> (bool, u32) {
        match self {
            Device::Model(model) => model.cycle(now, ack, flow_start),
            Device::Rtl(circuit) => {
                let simulation = &mut circuit.simulation;
                simulation.set(circuit.ack, u64::from(ack.is_some()));
                simulation.set(circuit.ack_marked, u64::from(ack == Some(true)));
                simulation.set(circuit.flow_start, u64::from(flow_start));
                simulation.step();
                let taken = ack.is_some() && simulation.get(circuit.stray) == 0;
                (taken, simulation.get(circuit.ipd) as u32)
            }
            Device::RustHdl(clocked) => {
                clocked.circuit.ack.next = ack.is_some();
                clocked.circuit.ack_marked.next = ack == Some(true);
                clocked.circuit.flow_start.next = flow_start;
                clocked.settle();
                let taken = ack.is_some() && !clocked.circuit.stray.val();
                let ipd: Bits<8> = clocked.circuit.ipd.val();
                clocked.end_cycle(now);
                (taken, u64::from(ipd) as u32)
            }
        }
    }
}

/// R_max / (1 + ipd) in Mb/s, to the nearest millionth.
pub fn rate(line_rate: Micro, ipd: u32) -> Micro {
    let packet_times = u64::from(1 + ipd);
    Micro((line_rate.0 + packet_times / 2) / packet_times)
}

/// Cycles that it runs on after the last event was taken, unless told otherwise.
const CYCLES_AFTER_EVENTS: Cycles = 1000;

/// Runs the events until `cycles`, or until some time after the last one was taken, one a cycle, and writes a row for each change of the rate, under the header of
/// [`super::rp::HEADER`]. An ACK that comes while no packet is out waits for the next packet, and the events behind it wait with it.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    events: &[Event<Stimulus>],
    cycles: Option<Cycles>,
    reports: Reports,
) -> Result<Summary> {
    let mut steps = Steps::new(reports.progress);
    let line_rate = parameters.decimal("line_rate_mbps");
    let mut device = Device::new(scheme, parameters, engine, reports.waveform);
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
