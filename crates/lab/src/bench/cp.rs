// SPDX-License-Identifier: MIT OR Apache-2.0
//! A congestion point alone, driven by events from a file or by the packets of a capture.

use super::circuit::{CONGESTION_POINT_PROBES, CircuitCongestionPoint};
use super::machine::{InRustHdl, Maker, Native, Shown};
use super::trace::{Cell, Event, Trace, read_events, required};
use super::waveform::Waveform;
use super::{Engine, Reports, Steps};
use anyhow::{Result, bail};
use std::path::Path;
use tidegate_core::error::quoted;
use tidegate_core::input;
use tidegate_core::units::Cycles;
use tidegate_schemes::model::codec::Frame;
use tidegate_schemes::model::congestion_point::ModelCongestionPoint;
use tidegate_schemes::model::device::CongestionPoint;
use tidegate_schemes::model::packet::Packet;
use tidegate_schemes::model::wire;
use tidegate_schemes::model::{AnyFeedback, Fields, Models};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// What happens to a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// A packet of so many bytes of a flow enters.
    Enqueue {
        /// Length.
        bytes: u32,
        /// Which flow.
        flow: u32,
    },
    /// So many bytes leave.
    Dequeue(u32),
}

/// Most that one event can move: what 24 bits hold.
const BYTES_MAX: i64 = (1 << 24) - 1;
/// Largest flow number of an event file.
const FLOW_MAX: i64 = 65_535;

/// Reads `enqueue` (a = bytes, b = flow) and `dequeue` (a = bytes); a queue that would hold less than nothing or more
/// than 24 bits count is an error with its line.
pub fn read(path: &Path) -> Result<Vec<Event<Stimulus>>> {
    let events = read_events(path, |event, a, b| match event {
        "enqueue" => Ok(Stimulus::Enqueue {
            bytes: required("a", a, 1, BYTES_MAX)? as u32,
            flow: required("b", b.or(Some(0)), 0, FLOW_MAX)? as u32,
        }),
        "dequeue" => Ok(Stimulus::Dequeue(required("a", a, 1, BYTES_MAX)? as u32)),
        other => Err(format!("unknown event {}: expected enqueue or dequeue", quoted(other))),
    })?;
    let mut queue = 0i64;
    for event in &events {
        match event.kind {
            Stimulus::Enqueue { bytes, .. } => queue += i64::from(bytes),
            Stimulus::Dequeue(bytes) => {
                if i64::from(bytes) > queue {
                    bail!("{}:{}: {bytes} bytes leave a queue that holds {queue}", input::name(path), event.line);
                }
                queue -= i64::from(bytes);
            }
        }
        if queue > BYTES_MAX {
            bail!(
                "{}:{}: the queue would hold {queue} bytes: expected at most {BYTES_MAX}",
                input::name(path),
                event.line
            );
        }
    }
    Ok(events)
}

/// What a run of the bench came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Packets that entered.
    pub packets: u64,
    /// Samples taken.
    pub samples: u64,
    /// Feedback frames begun.
    pub feedback_sent: u64,
    /// Longest queue, in bytes.
    pub longest_queue_bytes: u32,
}

/// Header of the trace.
pub const HEADER: &str = "cycle,flow,qntz_fb,q_offset,q_delta";

/// A congestion point of any engine, through a pointer: files and captures are far slower than the call.
pub(crate) fn device(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    waveform: Option<&Waveform>,
) -> Box<dyn CongestionPoint> {
    match (engine, waveform) {
        (Engine::Model, _) => Box::new(model(&scheme.models(), parameters)),
        (Engine::Rtl, None) => circuit::<Native>(scheme, parameters, waveform),
        (Engine::Rtl, Some(_)) => circuit::<Shown>(scheme, parameters, waveform),
        (Engine::RustHdl, _) => circuit::<InRustHdl>(scheme, parameters, waveform),
    }
}

fn model(models: &Models, parameters: &Parameters) -> ModelCongestionPoint<AnyFeedback> {
    ModelCongestionPoint::new((models.feedback)(parameters), models.codec, parameters)
}

fn circuit<'a, K: Maker<'a, Machine: 'static>>(
    scheme: &Scheme,
    parameters: &Parameters,
    waveform: Option<&'a Waveform>,
) -> Box<dyn CongestionPoint> {
    let ports = registry::part_ports(scheme, parameters, Part::CongestionPoint);
    let maker = K::of((scheme.circuit)(Part::CongestionPoint, parameters), CONGESTION_POINT_PROBES, waveform);
    let machine = maker.make("congestion_point", &|name| ports[name]);
    Box::new(CircuitCongestionPoint::new(machine))
}

/// The packet of a flow of an event file.
pub(crate) fn packet(flow: u32, bytes: u32) -> Packet {
    Packet::of_source(wire::rp_mac(flow), bytes, true)
}

/// Writes the row of a feedback.
pub(crate) fn feedback_row(
    trace: &mut Trace,
    scheme: &Scheme,
    now: Cycles,
    flow: u64,
    feedback: &Fields,
) -> Result<()> {
    let quantized = scheme.sends_quantized_feedback.then_some(feedback.quantized_feedback);
    trace.row(format_args!("{now},{flow},{},{},{}", Cell(quantized), feedback.q_offset, feedback.q_delta))
}

/// Drives a congestion point by arrivals and departures that come in the order of time. A packet that comes while the
/// queue of samples is full waits, and what is behind it waits with it.
pub(crate) struct Driver<'a> {
    device: Box<dyn CongestionPoint>,
    now: Cycles,
    /// What is to happen in cycle `now` and was not done yet.
    enqueue: Option<Packet>,
    dequeued: u32,
    steps: Steps<'a>,
    /// Counts so far.
    pub summary: Summary,
}

impl<'a> Driver<'a> {
    /// At cycle 0; `progress` is called now and then with the cycle reached.
    pub(crate) fn new(device: Box<dyn CongestionPoint>, progress: &'a dyn Fn(Cycles)) -> Self {
        let steps = Steps::new(progress);
        Driver { device, now: 0, enqueue: None, dequeued: 0, steps, summary: Summary::default() }
    }

    /// A packet enters in cycle `at`, or as soon after as it can. Returns the cycle.
    pub(crate) fn enqueue(
        &mut self,
        at: Cycles,
        packet: Packet,
        on_output: &mut dyn FnMut(Output) -> Result<()>,
    ) -> Result<Cycles> {
        self.advance(at, on_output)?;
        while self.enqueue.is_some() || !self.device.ready(self.now) {
            self.advance(self.now + 1, on_output)?;
        }
        self.enqueue = Some(packet);
        Ok(self.now)
    }

    /// Bytes leave in cycle `at`, or as soon after as they can. Returns the cycle.
    pub(crate) fn dequeue(
        &mut self,
        at: Cycles,
        bytes: u32,
        on_output: &mut dyn FnMut(Output) -> Result<()>,
    ) -> Result<Cycles> {
        self.advance(at, on_output)?;
        if self.dequeued > 0 {
            self.advance(self.now + 1, on_output)?;
        }
        self.dequeued = bytes;
        Ok(self.now)
    }

    /// Runs up to the start of cycle `to`.
    pub(crate) fn advance(&mut self, to: Cycles, on_output: &mut dyn FnMut(Output) -> Result<()>) -> Result<()> {
        while self.now < to {
            let enqueue = self.enqueue.take();
            let outcome = self.device.cycle(self.now, enqueue.as_ref(), std::mem::take(&mut self.dequeued));
            self.summary.packets += u64::from(enqueue.is_some());
            self.summary.samples += u64::from(outcome.sample.is_some());
            self.summary.longest_queue_bytes = self.summary.longest_queue_bytes.max(self.device.queue_bytes());
            if let Some((destination, feedback)) = outcome.feedback_sent {
                self.summary.feedback_sent += 1;
                on_output(Output::Feedback(self.now, destination, feedback.into()))?;
            }
            if let Some(frame) = outcome.frame {
                on_output(Output::Frame(self.now, frame))?;
            }
            self.now = self.device.next(self.now + 1).min(to).max(self.now + 1);
            self.summary.cycles = self.now;
            self.steps.step(self.now);
        }
        Ok(())
    }
}

/// What comes out of a congestion point.
pub(crate) enum Output {
    /// The first word of a frame leaves: cycle, destination address, fields.
    Feedback(Cycles, u64, Fields),
    /// The last word leaves: cycle, the frame.
    Frame(Cycles, Frame),
}

/// Runs the events, then until `cycles`, and writes a row for each feedback sent.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    events: &[Event<Stimulus>],
    cycles: Cycles,
    reports: Reports,
) -> Result<Summary> {
    let mut driver = Driver::new(device(scheme, parameters, engine, reports.waveform), reports.progress);
    reports.begin()?;
    let trace = reports.trace;
    let mut on_output = |output: Output| match output {
        Output::Feedback(now, destination, feedback) => {
            feedback_row(trace, scheme, now, destination - wire::rp_mac(0), &feedback)
        }
        Output::Frame(..) => Ok(()),
    };
    for event in events {
        match event.kind {
            Stimulus::Enqueue { bytes, flow } => driver.enqueue(event.cycle, packet(flow, bytes), &mut on_output)?,
            Stimulus::Dequeue(bytes) => driver.dequeue(event.cycle, bytes, &mut on_output)?,
        };
    }
    driver.advance(cycles, &mut on_output)?;
    Ok(driver.summary)
}
