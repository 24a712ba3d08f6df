// SPDX-License-Identifier: MIT OR Apache-2.0
//! A congestion point fed by real traffic: each frame of a capture enters the queue at its own time.

use super::cp::{Driver, Output, device, feedback_row};
use super::trace::Trace;
use super::{Engine, Reports, cp};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use tidegate_core::frame::capture::{CaptureReader, CaptureSummary, CaptureWriter, CapturedFrame};
use tidegate_core::frame::cnm::Tags;
use tidegate_core::input;
use tidegate_core::units::{CYCLES_MAX, Cycles, FineTime, Micro, Rate};
use tidegate_schemes::model::packet::Packet;
use tidegate_schemes::model::wire::mac_value;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// What a run came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Frames that entered the queue.
    pub packets: u64,
    /// Frames that did not fit the buffer.
    pub dropped: u64,
    /// Sources, by address.
    pub flows: usize,
    /// Samples taken.
    pub samples: u64,
    /// Feedback frames sent.
    pub feedback_sent: u64,
    /// Longest queue, in bytes.
    pub longest_queue_bytes: u32,
    /// What became of the records of the capture.
    pub capture: CaptureSummary,
}

/// How to play a capture.
pub struct Playback<'a> {
    /// The capture: pcap or pcapng.
    pub input: &'a Path,
    /// Where the frames that pass and the feedback frames go, as nanosecond pcap.
    pub output: Option<&'a mut CaptureWriter>,
    /// How many times faster than it was recorded.
    pub speedup: u64,
}

/// Cycles that the last sample needs until its frame is out, with the queue of samples full before it.
const DRAIN_CYCLES: Cycles = 17 * 20;

/// Plays a capture through a congestion point: flows are source addresses, the queue drains at line rate, what does not
/// fit
/// `buffer_bytes` is dropped. The trace has a row for each feedback, its flow counted in the order of first appearance.
///
/// # Errors
/// The capture is damaged, or a frame of it comes too late: after [`CYCLES_MAX`], or after what the pcap file that is
/// written can say.
pub fn run(
    scheme: &'static Scheme,
    parameters: &Parameters,
    engine: Engine,
    playback: Playback,
    reports: Reports,
) -> Result<Summary> {
    let mut reader = CaptureReader::open(playback.input)?;
    let device = device(scheme, parameters, engine, reports.waveform);
    let line_rate = parameters.rate("line_rate_mbps");
    let overhead = parameters.overhead();
    let buffer_bytes = parameters.integer("buffer_bytes") as u32;
    reports.begin()?;
    let mut port = Port {
        driver: Driver::new(device, reports.progress),
        sink: Sink {
            writer: playback.output,
            trace: reports.trace,
            scheme,
            flows: HashMap::new(),
            clock: parameters.decimal("clock_mhz"),
        },
        queue: VecDeque::new(),
        queue_bytes: 0,
        departure: None,
        line_rate,
        overhead,
    };
    let mut dropped = 0;
    while let Some(frame) = reader.next() {
        let frame = frame?;
        let at = port.sink.cycle_of(frame.time_ns / playback.speedup);
        let at = at.with_context(|| format!("{}: frame {}", input::name(playback.input), reader.number()))?;
        port.depart_until(at)?;
        if frame.original_length > buffer_bytes - port.queue_bytes {
            dropped += 1;
        } else {
            port.enqueue(at, frame)?;
        }
    }
    port.depart_until(Cycles::MAX)?;
    let end = port.driver.summary.cycles + DRAIN_CYCLES;
    port.driver.advance(end, &mut |output| port.sink.take(output))?;
    let flows = port.sink.flows.len();
    let cp::Summary { cycles, packets, samples, feedback_sent, longest_queue_bytes } = port.driver.summary;
    let capture = reader.summary().clone();
    Ok(Summary { cycles, packets, dropped, flows, samples, feedback_sent, longest_queue_bytes, capture })
}

/// The cycle of a time at a clock.
///
/// # Errors
/// It is beyond [`CYCLES_MAX`].
pub(crate) fn cycle_of(time_ns: u64, clock: Micro) -> Result<Cycles> {
    let cycle = u128::from(time_ns) * u128::from(clock.0) / 1_000_000_000;
    if cycle > u128::from(CYCLES_MAX) {
        bail!(
            "it comes in cycle {cycle}, {} s after the first one: expected at most cycle {CYCLES_MAX}; are its time stamps right? \
             --speedup plays it faster",
            time_ns / 1_000_000_000
        );
    }
    Ok(cycle as Cycles)
}

/// Seconds of the last frame that may enter where a pcap file is written: its times have 32 bits of seconds, and the
/// longest queue at the smallest rate holds a frame less than 100 s.
const PCAP_SECONDS_MAX: u64 = (1 << 32) - 100;

/// The output port: its queue of frames, and the congestion point that watches it.
struct Port<'a> {
    driver: Driver<'a>,
    sink: Sink<'a>,
    queue: VecDeque<CapturedFrame>,
    queue_bytes: u32,
    /// When the frame at the head is out.
    departure: Option<FineTime>,
    line_rate: Rate,
    overhead: u32,
}

impl Port<'_> {
    fn time_on_link(&self, frame: &CapturedFrame) -> FineTime {
        FineTime::of_bytes(frame.original_length + self.overhead, self.line_rate)
    }

    fn enqueue(&mut self, at: Cycles, frame: CapturedFrame) -> Result<()> {
        let packet = packet(&frame);
        let count = self.sink.flows.len() as u32;
        self.sink.flows.entry(packet.source).or_insert(count);
        let entered = self.driver.enqueue(at, packet, &mut |output| self.sink.take(output))?;
        if self.queue.is_empty() {
            self.departure = Some(FineTime::at(entered) + self.time_on_link(&frame));
        }
        self.queue_bytes += frame.original_length;
        self.queue.push_back(frame);
        Ok(())
    }

    /// Lets every frame go that is out by cycle `until`.
    fn depart_until(&mut self, until: Cycles) -> Result<()> {
        while let Some(departure) = self.departure {
            let out = departure.reached();
            if out > until {
                break;
            }
            let mut frame = self.queue.pop_front().expect("a frame departs from a queue that has one");
            let left = self.driver.dequeue(out, frame.original_length, &mut |output| self.sink.take(output))?;
            self.queue_bytes -= frame.original_length;
            self.departure = self.queue.front().map(|next| departure + self.time_on_link(next));
            frame.time_ns = self.sink.time_of(left);
            self.sink.write(&frame)?;
        }
        Ok(())
    }
}

/// Where the results go.
struct Sink<'a> {
    writer: Option<&'a mut CaptureWriter>,
    trace: &'a mut Trace,
    scheme: &'static Scheme,
    flows: HashMap<u64, u32>,
    clock: Micro,
}

impl Sink<'_> {
    /// The cycle of a frame that enters so long after the first, if it can be counted and written.
    fn cycle_of(&self, time_ns: u64) -> Result<Cycles> {
        let seconds = time_ns / 1_000_000_000;
        if self.writer.is_some() && seconds >= PCAP_SECONDS_MAX {
            bail!(
                "it comes {seconds} s after the first one, and the pcap file that is written can say times before \
                 {PCAP_SECONDS_MAX} s only: leave out --pcap-out, or play it faster with --speedup"
            );
        }
        cycle_of(time_ns, self.clock)
    }

    fn time_of(&self, cycle: Cycles) -> u64 {
        (u128::from(cycle) * 1_000_000_000 / u128::from(self.clock.0)) as u64
    }

    fn write(&mut self, frame: &CapturedFrame) -> Result<()> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(frame))
    }

    fn take(&mut self, output: Output) -> Result<()> {
        match output {
            Output::Feedback(now, destination, feedback) => {
                let flow = self.flows[&destination];
                feedback_row(self.trace, self.scheme, now, u64::from(flow), &feedback)
            }
            Output::Frame(now, frame) => {
                let (time_ns, original_length) = (self.time_of(now), frame.len() as u32);
                self.write(&CapturedFrame { time_ns, bytes: frame.to_vec(), original_length })
            }
        }
    }
}

/// A captured frame as the congestion point sees it.
fn packet(frame: &CapturedFrame) -> Packet {
    let address = |at: usize| mac_value(frame.bytes[at..at + 6].try_into().expect("six octets"));
    let Tags { vlan: tag, flow_id, .. } = Tags::of(&frame.bytes);
    Packet { bytes: frame.original_length, source: address(6), destination: address(0), tag, flow_id, controlled: true }
}
