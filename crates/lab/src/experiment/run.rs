// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run: a case with a seed, looked at at regular times.

use super::case::{Clock, Wiring, World};
use super::infiniband;
use super::scenario::File;
use crate::network::flow::Traffic;
use crate::network::topology::Topology;
use crate::network::{Event, Network, Observer, Place};
use anyhow::{Result, ensure};
use std::collections::BTreeMap;
use tidegate_core::units::{Cycles, RATE_FRACTION_BITS, Rate};
use tidegate_schemes::registry::Scheme;

/// What happened at an output between two looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// Sum of queue length × cycles.
    pub bytes: u64,
    /// Sum of queue length² × cycles.
    pub squares: u128,
    /// Shortest queue.
    pub least: u32,
    /// Longest queue.
    pub most: u32,
    /// Cycles with an empty queue.
    pub empty: u64,
    /// Cycles with at most a packet.
    pub near_empty: u64,
    /// Sum of the length that a congestion point counts × cycles.
    pub register_bytes: u64,
    /// Cycles in which that is 0.
    pub register_empty: u64,
    /// Bytes that left.
    pub bytes_out: u64,
    /// Packets that entered.
    pub enqueued: u64,
    /// Packets that found no room.
    pub dropped: u64,
    /// Feedback frames sent.
    pub feedback: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Tally {
            bytes: 0,
            squares: 0,
            least: u32::MAX,
            most: 0,
            empty: 0,
            near_empty: 0,
            register_bytes: 0,
            register_empty: 0,
            bytes_out: 0,
            enqueued: 0,
            dropped: 0,
            feedback: 0,
        }
    }
}

impl Tally {
    /// Of both spans of time.
    pub(crate) fn plus(self, other: &Tally) -> Tally {
        Tally {
            bytes: self.bytes + other.bytes,
            squares: self.squares + other.squares,
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            empty: self.empty + other.empty,
            near_empty: self.near_empty + other.near_empty,
            register_bytes: self.register_bytes + other.register_bytes,
            register_empty: self.register_empty + other.register_empty,
            bytes_out: self.bytes_out + other.bytes_out,
            enqueued: self.enqueued + other.enqueued,
            dropped: self.dropped + other.dropped,
            feedback: self.feedback + other.feedback,
        }
    }
}

/// Bytes of a step of a [`Histogram`].
pub const HISTOGRAM_BYTES: u32 = 64;

/// Cycles for each queue length, in steps of 64 bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram(pub Vec<u64>);

impl Histogram {
    fn add(&mut self, bytes: u32, cycles: Cycles) {
        let step = (bytes / HISTOGRAM_BYTES) as usize;
        if self.0.len() <= step {
            self.0.resize(step + 1, 0);
        }
        self.0[step] += cycles;
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Histogram) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(sum, cycles)| *sum += cycles);
    }

    /// Cycles with a queue from `low` to below `high` bytes, both multiples of 64.
    pub(crate) fn between(&self, low: u32, high: u32) -> u64 {
        let [low, high] = [low, high].map(|bytes| ((bytes / HISTOGRAM_BYTES) as usize).min(self.0.len()));
        self.0[low..high.max(low)].iter().sum()
    }
}

/// What a run leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Looks of each output.
    pub looks: Vec<Vec<Tally>>,
    /// Length of the queue of each output in bytes, at the end of each look.
    pub lengths: Vec<Vec<u32>>,
    /// Between two cuts, for each output: the first look, and the lengths until the next cut.
    pub histograms: Vec<(usize, Vec<Histogram>)>,
    /// Packets that each flow has delivered, before the look of each cut.
    pub delivered: BTreeMap<usize, Vec<u64>>,
    /// Rate of each flow at each look; empty where nobody asked for it.
    pub rates: Vec<Vec<Rate>>,
    /// Names of the flows.
    pub flow_names: Vec<String>,
    /// Numbers of the flows of each group.
    pub groups: Vec<Vec<usize>>,
    /// Numbers of those with a reaction point.
    pub controlled: Vec<usize>,
    /// Cycles of a look.
    pub look_cycles: Cycles,
    /// Cycles a second.
    pub clock_hz: f64,
    /// Rate of each output.
    pub bytes_per_cycle: Vec<f64>,
    /// Bytes of a packet.
    pub packet_bytes: u32,
    /// Packets sent.
    pub sent: u64,
}

impl Outcome {
    /// The queue lengths of an output from a look to before another; both are cuts.
    pub fn histogram(&self, output: usize, from: usize, to: usize) -> Histogram {
        let mut sum = Histogram::default();
        self.histograms
            .iter()
            .filter(|(look, _)| (from..to).contains(look))
            .for_each(|(_, all)| sum.merge(&all[output]));
        sum
    }

    /// Length of a look in ms.
    pub fn look_ms(&self) -> f64 {
        self.look_cycles as f64 / self.clock_hz * 1e3
    }
}

/// The queue of an output.
#[derive(Clone, Default)]
pub(super) struct Gauge {
    since: Cycles,
    pub bytes: u32,
    /// What a congestion point counts of it.
    pub register_bytes: u32,
    pub tally: Tally,
    pub histogram: Histogram,
}

impl Gauge {
    #[inline]
    pub(crate) fn advance(&mut self, now: Cycles, packet_bytes: u32) {
        let cycles = now - self.since;
        if cycles == 0 {
            return;
        }
        self.since = now;
        let bytes = u64::from(self.bytes);
        self.tally.bytes += bytes * cycles;
        self.tally.register_bytes += u64::from(self.register_bytes) * cycles;
        self.tally.register_empty += if self.register_bytes == 0 { cycles } else { 0 };
        self.tally.squares += u128::from(bytes * bytes) * u128::from(cycles);
        self.tally.least = self.tally.least.min(self.bytes);
        self.tally.most = self.tally.most.max(self.bytes);
        if self.bytes <= packet_bytes {
            self.tally.near_empty += cycles;
            if self.bytes == 0 {
                self.tally.empty += cycles;
            }
        }
        self.histogram.add(self.bytes, cycles);
    }
}

pub(super) struct Gauges {
    pub outputs: Vec<Gauge>,
    pub packet_bytes: u32,
}

impl Observer for Gauges {
    /// Each output has a gauge of its own.
    const IN_ORDER: bool = false;

    #[inline]
    fn event(&mut self, now: Cycles, place: Place, _event: Event) {
        if let Some(output) = place.output {
            let gauge = &mut self.outputs[output as usize];
            // A packet that is dropped, a sample and a feedback frame change nothing.
            if gauge.bytes != place.queue_bytes {
                gauge.advance(now, self.packet_bytes);
                gauge.bytes = place.queue_bytes;
                gauge.register_bytes = place.register_bytes;
            }
        }
    }
}

/// When a run is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    /// Cycles between two looks.
    pub cycles: Cycles,
    /// How many.
    pub count: usize,
    /// The looks at which windows begin or end, in their order, with 0 and `count`.
    pub cuts: Vec<usize>,
    /// Whether to keep the rates of the flows.
    pub rates: bool,
}

/// Most looks of a run.
const LOOKS_MAX: f64 = 1e6;

impl Looks {
    /// The looks of a scenario at a clock, without rates and without windows.
    ///
    /// # Errors
    /// With the place in the file.
    pub(crate) fn of(file: &File, clock: Clock) -> Result<Looks> {
        let scenario = &file.scenario;
        let look = *scenario.look_ms.get_ref() * 1e3;
        ensure!((0.008..1e12).contains(&look), file.error(&scenario.look_ms, "expected a time above 0, in ms"));
        let cycles = clock.cycles(look).max(1);
        let duration = *scenario.duration_s.get_ref() * 1e6;
        let count = if (0.0..1e15).contains(&duration) { clock.cycles(duration) / cycles } else { 0 };
        ensure!(
            count > 0 && count as f64 <= LOOKS_MAX && clock.cycles(duration).is_multiple_of(cycles),
            file.error(&scenario.duration_s, "expected a multiple of look_ms, at most a million of them")
        );
        Ok(Looks { cycles, count: count as usize, cuts: vec![0, count as usize], rates: false })
    }

    /// With windows that begin or end at these looks.
    pub(crate) fn cut(mut self, cuts: impl IntoIterator<Item = usize>) -> Looks {
        self.cuts.extend(cuts);
        self.cuts.sort_unstable();
        self.cuts.dedup();
        self
    }
}

impl Outcome {
    /// Before the first look.
    pub(super) fn new(world: &World, looks: &Looks, bytes_per_cycle: Vec<f64>, controlled: Vec<usize>) -> Outcome {
        Outcome {
            looks: vec![Vec::with_capacity(looks.count); bytes_per_cycle.len()],
            lengths: vec![Vec::with_capacity(looks.count); bytes_per_cycle.len()],
            histograms: Vec::new(),
            delivered: BTreeMap::new(),
            rates: Vec::new(),
            flow_names: world.flow_names.clone(),
            groups: world.groups.iter().map(|(_, flows)| flows.clone()).collect(),
            controlled,
            look_cycles: looks.cycles,
            clock_hz: Clock(world.parameters.decimal("clock_mhz")).cycles(1e6) as f64,
            bytes_per_cycle,
            packet_bytes: world.parameters.integer("packet_bytes") as u32,
            sent: 0,
        }
    }
}

/// Runs a world to the last look. `progress` hears of each look.
///
/// # Panics
/// If packets are lost or made: sent = delivered + dropped + in queues + on links. InfiniBand drops none, and its credits
/// are counted too.
pub(crate) fn run(scheme: &Scheme, world: &World, looks: &Looks, progress: &dyn Fn()) -> Outcome {
    match &world.wiring {
        Wiring::Ethernet(topology) => ethernet(scheme, world, topology, looks, progress),
        Wiring::InfiniBand(topology) => infiniband::run(world, topology, looks, progress),
    }
}

fn ethernet(scheme: &Scheme, world: &World, topology: &Topology, looks: &Looks, progress: &dyn Fn()) -> Outcome {
    let World { parameters, changes, .. } = world;
    let mut network = Network::new(&scheme.models(), parameters, topology);
    let packet_bytes = parameters.integer("packet_bytes") as u32;
    let flows = topology.flows.len();
    let mut gauges = Gauges { outputs: vec![Gauge::default(); topology.outputs.len()], packet_bytes };
    let named = world.flow_names.len();
    let controlled = (0..named).filter(|&flow| topology.flows[flow].traffic == Traffic::Controlled).collect();
    let bytes_per_cycle = topology.outputs.iter().map(|output| bytes_per_cycle(output.rate)).collect();
    let mut outcome = Outcome::new(world, looks, bytes_per_cycle, controlled);
    let mut before = vec![Tally::default(); topology.outputs.len()];
    let mut changes = changes.iter().peekable();
    let mut cut = 0;
    for look in 0..looks.count {
        if looks.cuts.contains(&look) {
            outcome.delivered.insert(look, (0..flows).map(|flow| network.packets_of(flow).1).collect());
            cut = look;
        }
        let end = (look + 1) as Cycles * looks.cycles;
        while let Some((at, parameters)) = changes.next_if(|(at, _)| *at < end) {
            network.run(*at, &mut gauges);
            network.set_parameters(*at, parameters);
        }
        network.run(end, &mut gauges);
        for (number, (gauge, output)) in gauges.outputs.iter_mut().zip(network.outputs()).enumerate() {
            gauge.advance(end, packet_bytes);
            let total = Tally {
                bytes_out: output.bytes_out,
                enqueued: output.enqueued,
                dropped: output.dropped,
                feedback: output.feedback_sent,
                ..Tally::default()
            };
            let before = std::mem::replace(&mut before[number], total);
            outcome.lengths[number].push(gauge.bytes);
            outcome.looks[number].push(Tally {
                bytes_out: total.bytes_out - before.bytes_out,
                enqueued: total.enqueued - before.enqueued,
                dropped: total.dropped - before.dropped,
                feedback: total.feedback - before.feedback,
                ..std::mem::take(&mut gauge.tally)
            });
        }
        if looks.rates {
            outcome.rates.push((0..named).map(|flow| network.rate(flow)).collect());
        }
        if looks.cuts.contains(&(look + 1)) {
            let histograms = gauges.outputs.iter_mut().map(|gauge| std::mem::take(&mut gauge.histogram)).collect();
            outcome.histograms.push((cut, histograms));
        }
        progress();
    }
    outcome.delivered.insert(looks.count, (0..flows).map(|flow| network.packets_of(flow).1).collect());
    outcome.sent = conserved(&network, flows);
    outcome
}

/// A rate as a number.
pub(super) fn bytes_per_cycle(rate: Rate) -> f64 {
    f64::from(rate.0) / f64::from(1u32 << RATE_FRACTION_BITS)
}

/// Checks that no packet is lost or made. Returns how many were sent.
fn conserved(network: &Network, flows: usize) -> u64 {
    let all = (0..flows).map(|flow| network.packets_of(flow));
    let (sent, delivered) = all.fold((0, 0), |sum, flow| (sum.0 + flow.0, sum.1 + flow.1));
    let dropped: u64 = network.outputs().iter().map(|output| output.dropped).sum();
    let waiting: u64 = network.outputs().iter().map(|output| output.waiting()).sum();
    assert_eq!(sent, delivered + dropped + waiting + network.packets_on_links(), "packets are lost or made");
    sent
}
