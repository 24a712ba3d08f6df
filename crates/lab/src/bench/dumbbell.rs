// SPDX-License-Identifier: MIT OR Apache-2.0
//! The dumbbell: sources with reaction points, one bottleneck queue with a congestion point, and the way back.
//!
//! Each source always has a packet; its rate limiter lets it go, its own link carries it into the switch at line rate.
//! With `rp_flows` the sources are the flows of one reaction point, and one link at line rate carries the packets of all.
//! The switch takes as many packets a cycle as arrive: one that the buffer has no room for is dropped at once, in front
//! of the congestion point; the others enter the queue one a cycle, in the order of arrival, then of flow. A sample
//! that finds the queue of samples full is lost, as in the circuit; no packet waits for it. The queue drains at the rate
//! of the bottleneck; a packet leaves it when its last byte is out, or with `tx_fifo_bytes` when it moves into the FIFO
//! behind the queue ([`TxFifo`]). A feedback frame is stored, forwarded and read by the parser of
//! its source. Sources start within the second packet time, spread by the seed: in the first, all buckets fill alike.

use super::card::Card;
use super::circuit::{CONGESTION_POINT_PROBES, CircuitCongestionPoint, CircuitReactionPoint, REACTION_POINT_PROBES};
use super::circuit_flows::{CircuitFlowReactionPoint, FLOW_REACTION_POINT_PROBES};
use super::machine::{InRustHdl, Maker, Native, Shown};
use super::sender::{Link, Sender};
use super::sources::{SeparateSources, SourceEvent, Sources};
use super::trace::Cell;
use super::{Engine, Reports};
use crate::tx_fifo::TxFifo;
use anyhow::Result;
use std::collections::VecDeque;
use tidegate_circuits::rtl::reaction_point::flow_numbers::tick_bits;
use tidegate_core::error::Usage;
use tidegate_core::units::{Cycles, FineTime, Micro, Rate, SixDecimals};
use tidegate_schemes::model::congestion_point::ModelCongestionPoint;
use tidegate_schemes::model::device::{CongestionPoint, FlowReactionPoint, ReactionPoint};
use tidegate_schemes::model::flow_reaction_point::ModelFlowReactionPoint;
use tidegate_schemes::model::packet::Packet;
use tidegate_schemes::model::reaction_point::ModelReactionPoint;
use tidegate_schemes::model::starts::{Starts, packet_cycles};
use tidegate_schemes::model::wire::{Address, mac_value};
use tidegate_schemes::model::{AnyCalculator, Fields};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_schemes::scheme::{Part, to_units};

/// Header of the trace.
pub const HEADER: &str = "cycle,event,flow,bytes,queue_bytes,q_offset,q_delta,current_rate";

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Cycles run.
    pub cycles: Cycles,
    /// Packets that sources sent, the uncontrolled one among them.
    pub sent: u64,
    /// Packets that entered the queue.
    pub enqueued: u64,
    /// Packets that left it.
    pub dequeued: u64,
    /// Packets that did not fit.
    pub dropped: u64,
    /// Samples taken.
    pub samples: u64,
    /// Feedback frames sent.
    pub feedback_sent: u64,
    /// Feedback frames taken by a calculator.
    pub feedback_received: u64,
    /// Bytes that left the queue.
    pub bytes_out: u64,
    /// Queue length in bytes at regular times.
    pub queue: Vec<(Cycles, u32)>,
    /// Rate of each flow at the same times.
    pub rates: Vec<Vec<Rate>>,
}

/// Takes stock of queue and rates each so many cycles; 0: never.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// Cycles between two looks.
    pub period: Cycles,
}

/// Most rates of flows that a [`Summary`] keeps.
const RATES_MAX: u64 = 1 << 24;

impl Observation {
    /// A look each so many cycles (0: each cycle), or less often in a run in which looks times flows would be more than
    /// 2²⁴.
    pub fn every(period: Cycles, cycles: Cycles, parameters: &Parameters) -> Self {
        let looks = RATES_MAX / parameters.sources();
        Observation { period: period.max(cycles.div_ceil(looks)).max(1) }
    }
}

/// Runs the dumbbell for `cycles` and reports what happens.
///
/// # Errors
/// The trace cannot be written, or (as [`Usage`], before the run) so many flows do not fit in memory, or there is no
/// model of a reaction point of many flows.
pub fn run(
    scheme: &Scheme,
    parameters: &Parameters,
    engine: Engine,
    cycles: Cycles,
    observation: Observation,
    reports: Reports,
) -> Result<Summary> {
    match (engine, reports.waveform) {
        (Engine::Model, _) => run_models(scheme, parameters, cycles, observation, reports),
        (Engine::Rtl, None) => run_circuits::<Native>(scheme, parameters, cycles, observation, reports),
        (Engine::Rtl, Some(_)) => run_circuits::<Shown>(scheme, parameters, cycles, observation, reports),
        (Engine::RustHdl, _) => run_circuits::<InRustHdl>(scheme, parameters, cycles, observation, reports),
    }
}

fn run_models(
    scheme: &Scheme,
    parameters: &Parameters,
    cycles: Cycles,
    observation: Observation,
    reports: Reports,
) -> Result<Summary> {
    let models = scheme.models();
    let cp = ModelCongestionPoint::new((models.feedback)(parameters), models.codec, parameters);
    let calculator = |flow: u32| (models.calculator)(parameters, parameters.seed_of(flow + 1));
    let flows = parameters.sources() as u32;
    if parameters.rp_flows() > 1 {
        let calculator = (models.flows)(parameters);
        let ticks = tick_bits(flows.ilog2() as usize);
        let rp = ModelFlowReactionPoint::new(calculator, models.codec, parameters, ticks);
        return on_a_card(parameters, cp, rp, reports).run(cycles, observation);
    }
    check_memory::<ModelReactionPoint<AnyCalculator>>(parameters, 0)?;
    let rps = (0..flows)
        .map(|flow| ModelReactionPoint::new(calculator(flow), models.codec, parameters, Address::of(parameters, flow)));
    apart(parameters, cp, rps, reports).run(cycles, observation)
}

fn run_circuits<'a, K: Maker<'a>>(
    scheme: &Scheme,
    parameters: &Parameters,
    cycles: Cycles,
    observation: Observation,
    reports: Reports<'a>,
) -> Result<Summary> {
    let base = registry::ports(scheme, parameters);
    let maker = |part, probes| K::of((scheme.circuit)(part, parameters), probes, reports.waveform);
    let of_cp = maker(Part::CongestionPoint, CONGESTION_POINT_PROBES);
    if parameters.rp_flows() > 1 {
        let of_rp = maker(Part::ReactionPoint, FLOW_REACTION_POINT_PROBES);
        let cp = CircuitCongestionPoint::new(of_cp.make("cp", &|name| base[name]));
        let rp = CircuitFlowReactionPoint::new(of_rp.make("rp", &|name| base[name]));
        return on_a_card(parameters, cp, rp, reports).run(cycles, observation);
    }
    let of_rp = maker(Part::ReactionPoint, REACTION_POINT_PROBES);
    check_memory::<CircuitReactionPoint<K::Machine>>(parameters, of_rp.state_bytes())?;
    let cp = CircuitCongestionPoint::new(of_cp.make("cp", &|name| base[name]));
    let rps = (0..parameters.sources() as u32).map(|flow| {
        // Each reaction point has its own address and its own randomness.
        let rp_mac = parameters.rp_mac(flow);
        let machine = of_rp.make(&format!("rp{flow}"), &|name| match name {
            "rp_mac_high" => rp_mac >> 32,
            "rp_mac_low" => rp_mac & 0xffff_ffff,
            "seed" => u64::from(parameters.seed_of(flow + 1)),
            _ => base[name],
        });
        CircuitReactionPoint::new(machine)
    });
    apart(parameters, cp, rps, reports).run(cycles, observation)
}

/// Each source has a reaction point and a link of its own.
fn apart<'a, C: CongestionPoint, R: ReactionPoint>(
    parameters: &Parameters,
    cp: C,
    rps: impl Iterator<Item = R>,
    reports: Reports<'a>,
) -> World<'a, C, SeparateSources<R>> {
    let (rate, link) = (parameters.rate("line_rate_mbps"), Link::of(parameters));
    World::new(parameters, cp, |starts| SeparateSources::new(rps, rate, starts, link), reports)
}

/// All sources are behind one reaction point and one link.
fn on_a_card<'a, C: CongestionPoint, P: FlowReactionPoint>(
    parameters: &Parameters,
    cp: C,
    rp: P,
    reports: Reports<'a>,
) -> World<'a, C, Card<P>> {
    let (rate, link) = (parameters.rate("line_rate_mbps"), Link::of(parameters));
    World::new(parameters, cp, |starts| Card::new(rp, rate, starts, link), reports)
}

/// Most memory that the sources may take, bytes.
const MEMORY_MAX: u64 = 8 << 30;
/// What a reaction point has on the heap beside its state, bytes, rounded up: measured as 1.0 to 1.2 KB for every
/// circuit, less for models.
const HEAP_BYTES: u64 = 1200;

/// Whether so many sources fit in memory, with the packets on their way to the switch. The circuit of a source has so
/// many bytes of state on the heap.
fn check_memory<R>(parameters: &Parameters, state_bytes: usize) -> Result<(), Usage> {
    let flows = parameters.integer("flows");
    // A queue that grows has room for at most twice what it holds.
    let packet = 2 * size_of::<(Cycles, u32)>() as u64;
    let on_the_way = 1 + parameters.integer("propagation_cycles") / packet_cycles(parameters);
    let each = size_of::<Sender<R>>() as u64 + state_bytes as u64 + HEAP_BYTES + packet * on_the_way;
    if flows.saturating_mul(each) <= MEMORY_MAX {
        return Ok(());
    }
    Err(Usage(format!(
        "parameter `flows`: {flows} flows need about {} GiB of memory, {each} bytes each with this engine and these links: \
         expected at most {} flows ({} GiB); models take less than circuits, short links less than long ones",
        (flows * each).div_ceil(1 << 30),
        MEMORY_MAX / each,
        MEMORY_MAX >> 30,
    )))
}

/// How long a packet takes on a link at a rate.
fn time_at(parameters: &Parameters, rate: Rate) -> FineTime {
    FineTime::of_bytes(parameters.integer("packet_bytes") as u32 + parameters.overhead(), rate)
}

/// Cycles of a source between two reports of progress, for all sources together: some tenths of a second of circuits.
const REPORT_WORK: Cycles = 1_000_000;

struct World<'a, C, S> {
    congestion_point: C,
    sources: S,
    /// What happened at the sources in the last cycle in which one was due.
    events: Vec<(usize, SourceEvent)>,
    reports: Reports<'a>,
    /// Address of the first reaction point; those of the others follow it.
    rp_mac: u64,
    clock: Micro,
    packet_bytes: u32,
    link: Link,
    buffer_bytes: u32,
    propagation: Cycles,
    /// How long a packet takes to leave the queue.
    packet_time: FineTime,
    /// Packets of the sources on their way to the switch: arrival, flow. In the order of arrival, then of flow, because
    /// links have one length.
    arrivals: VecDeque<(Cycles, u32)>,
    /// Arrivals of the uncontrolled source.
    background_arrivals: VecDeque<Cycles>,
    /// Flows of packets that have their place in the buffer: one a cycle enters the queue.
    entering: VecDeque<u32>,
    /// Flows of packets that wait for the link: those in the FIFO, then those in the queue.
    queue: VecDeque<u32>,
    /// Bytes in the queue alone.
    queue_bytes: u32,
    fifo: TxFifo,
    /// When the packet at the head of the queue is out.
    departure: Option<FineTime>,
    /// The uncontrolled source: time of its next packet and between two.
    background: Option<(FineTime, FineTime)>,
    summary: Summary,
}

impl<'a, C: CongestionPoint, S: Sources> World<'a, C, S> {
    /// `sources` makes the sources, with the cycle in which each starts.
    fn new(
        parameters: &Parameters,
        congestion_point: C,
        sources: impl FnOnce(&mut dyn Iterator<Item = Cycles>) -> S,
        reports: Reports<'a>,
    ) -> Self {
        let packet_bytes = parameters.integer("packet_bytes") as u32;
        let mut starts = Starts::new(parameters);
        let sources = sources(&mut (&mut starts).take(parameters.sources() as usize));
        let background_rate = parameters.rate("background_mbps");
        let background = (background_rate.0 > 0).then(|| {
            let period = time_at(parameters, background_rate);
            (FineTime::at(starts.start()) + period, period)
        });
        World {
            congestion_point,
            sources,
            events: Vec::new(),
            reports,
            rp_mac: parameters.rp_mac(0),
            clock: parameters.decimal("clock_mhz"),
            packet_bytes,
            link: Link::of(parameters),
            buffer_bytes: parameters.integer("buffer_bytes") as u32,
            propagation: parameters.integer("propagation_cycles"),
            packet_time: time_at(parameters, parameters.bottleneck()),
            arrivals: VecDeque::new(),
            background_arrivals: VecDeque::new(),
            entering: VecDeque::new(),
            queue: VecDeque::with_capacity(parameters.integer("buffer_bytes") as usize / packet_bytes as usize),
            queue_bytes: 0,
            fifo: TxFifo::new(parameters.integer("tx_fifo_bytes") as u32),
            departure: None,
            background,
            summary: Summary::default(),
        }
    }

    fn row(
        &mut self,
        now: Cycles,
        event: &str,
        flow: u32,
        bytes: Option<u32>,
        offsets: Option<(i16, i16)>,
        rate: Option<Rate>,
    ) -> Result<()> {
        self.reports.trace.row(format_args!(
            "{now},{event},{flow},{},{},{},{},{}",
            Cell(bytes),
            self.queue_bytes,
            Cell(offsets.map(|(offset, _)| offset)),
            Cell(offsets.map(|(_, delta)| delta)),
            Cell(rate.map(|rate| SixDecimals(rate.to_mbps(self.clock)))),
        ))
    }

    fn run(mut self, cycles: Cycles, observation: Observation) -> Result<Summary> {
        self.reports.begin()?;
        let mut now = 0;
        let mut observe_at = if observation.period > 0 { 0 } else { Cycles::MAX };
        let mut report_at = 0;
        while now < cycles {
            while observe_at <= now {
                self.observe(observe_at);
                observe_at += observation.period;
            }
            if now >= report_at {
                (self.reports.progress)(now);
                report_at = now + (cycles / 200).min(REPORT_WORK / self.sources.count() as Cycles) + 1;
            }
            self.cycle(now)?;
            now = self.next(now + 1).min(cycles);
        }
        // The model may have jumped over the last looks.
        while observe_at < cycles {
            self.observe(observe_at);
            observe_at += observation.period;
        }
        (self.reports.progress)(cycles);
        self.summary.cycles = cycles;
        Ok(self.summary)
    }

    fn observe(&mut self, at: Cycles) {
        self.summary.queue.push((at, self.queue_bytes));
        self.summary.rates.push((0..self.sources.count()).map(|flow| self.sources.rate(flow)).collect());
    }

    /// The next cycle, not before `now`, in which something can happen.
    fn next(&self, now: Cycles) -> Cycles {
        if !self.entering.is_empty() {
            return now;
        }
        let mut next = self.congestion_point.next(now).min(self.sources.due());
        if let Some(&(arrival, _)) = self.arrivals.front() {
            next = next.min(arrival);
        }
        if let Some(&arrival) = self.background_arrivals.front() {
            next = next.min(arrival);
        }
        if let Some(departure) = self.departure {
            next = next.min(departure.reached());
        }
        if let Some((at, _)) = self.background {
            next = next.min(at.reached());
        }
        next.max(now)
    }

    fn cycle(&mut self, now: Cycles) -> Result<()> {
        let mut left = self.dequeue(now)?;
        if let Some((at, period)) = self.background
            && at.reached() <= now
        {
            self.background = Some((at + period, period));
            self.summary.sent += 1;
            self.background_arrivals.push_back(now + 1 + self.propagation);
        }
        self.arrive(now)?;
        let packet = self.enqueue(now, &mut left)?;
        let outcome = self.congestion_point.cycle(now, packet.as_ref(), left);
        debug_assert_eq!(self.congestion_point.queue_bytes(), self.queue_bytes);
        if let (Some((q_offset, q_delta)), Some(packet)) = (outcome.sample, packet) {
            self.summary.samples += 1;
            let flow = (packet.source - self.rp_mac) as u32;
            self.row(now, "sample", flow, Some(packet.bytes), Some((to_units(q_offset), to_units(q_delta))), None)?;
        }
        if let Some((destination, feedback)) = outcome.feedback_sent {
            self.summary.feedback_sent += 1;
            let (flow, feedback) = ((destination - self.rp_mac) as u32, Fields::from(feedback));
            self.row(now, "feedback_sent", flow, None, Some((feedback.q_offset, feedback.q_delta)), None)?;
        }
        if let Some(frame) = outcome.frame {
            let destination = mac_value(frame[..6].try_into().expect("six octets"));
            let flow = (destination - self.rp_mac) as usize;
            self.sources.deliver(now, flow, now + 1 + self.propagation, &frame);
        }
        if self.sources.due() <= now {
            self.events.clear();
            self.sources.cycle(now, &mut self.events);
            for index in 0..self.events.len() {
                let (flow, event) = self.events[index];
                self.source(now, flow as u32, event)?;
            }
        }
        Ok(())
    }

    /// What happens at a source in cycle `now`.
    fn source(&mut self, now: Cycles, flow: u32, event: SourceEvent) -> Result<()> {
        match event {
            SourceEvent::Sent => {
                self.summary.sent += 1;
                self.arrivals.push_back((now + self.link.packet_cycles + self.propagation, flow));
                Ok(())
            }
            SourceEvent::Feedback(feedback) => {
                self.summary.feedback_received += 1;
                self.row(now, "feedback_received", flow, None, Some((feedback.q_offset, feedback.q_delta)), None)
            }
            SourceEvent::Rate(rate) => self.row(now, "rate", flow, None, None, Some(rate)),
        }
    }

    /// What arrives in this cycle gets its place in the buffer, or is dropped.
    fn arrive(&mut self, now: Cycles) -> Result<()> {
        while let Some(&(_, flow)) = self.arrivals.front().filter(|&&(arrival, _)| arrival <= now) {
            self.arrivals.pop_front();
            self.place(now, flow)?;
        }
        while self.background_arrivals.front().is_some_and(|&arrival| arrival <= now) {
            self.background_arrivals.pop_front();
            self.place(now, self.sources.count() as u32)?;
        }
        Ok(())
    }

    fn place(&mut self, now: Cycles, flow: u32) -> Result<()> {
        let taken = self.queue_bytes + self.entering.len() as u32 * self.packet_bytes;
        if taken + self.packet_bytes <= self.buffer_bytes {
            self.entering.push_back(flow);
            return Ok(());
        }
        self.summary.dropped += 1;
        self.row(now, "drop", flow, Some(self.packet_bytes), None, None)
    }

    /// A packet may be out in this cycle. Returns the bytes that leave the queue.
    fn dequeue(&mut self, now: Cycles) -> Result<u32> {
        let Some(departure) = self.departure.filter(|&departure| departure.reached() <= now) else { return Ok(0) };
        let flow = self.queue.pop_front().expect("a packet departs from a queue that has one");
        let left = self.fifo.sent(self.packet_bytes, &self.queue, |_| self.packet_bytes);
        self.queue_bytes -= left;
        self.departure = (!self.queue.is_empty()).then_some(departure + self.packet_time);
        self.summary.dequeued += 1;
        self.summary.bytes_out += u64::from(self.packet_bytes);
        self.row(now, "dequeue", flow, Some(self.packet_bytes), None, None)?;
        Ok(left)
    }

    /// The packet whose turn it is enters the queue. Adds the bytes that leave the queue to `left`.
    fn enqueue(&mut self, now: Cycles, left: &mut u32) -> Result<Option<Packet>> {
        let Some(flow) = self.entering.pop_front() else { return Ok(None) };
        if self.queue.is_empty() {
            self.departure = Some(FineTime::at(now) + self.packet_time);
        }
        self.queue.push_back(flow);
        let moved = self.fifo.entered(&self.queue, |_| self.packet_bytes);
        self.queue_bytes += self.packet_bytes - moved;
        *left += moved;
        self.summary.enqueued += 1;
        self.row(now, "enqueue", flow, Some(self.packet_bytes), None, None)?;
        let source = self.rp_mac + u64::from(flow);
        Ok(Some(Packet::of_source(source, self.packet_bytes, (flow as usize) < self.sources.count())))
    }
}
