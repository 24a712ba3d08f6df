// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host: the source of one flow, and its link to the first switch.

use super::device::ReactionPoint;
use super::pace::{Functions, Pace};
use super::topology::{Fabric, FlowSpec, Traffic};
use crate::network::topology::OnOff;
use tidegate_core::units::Cycles;
use tidegate_schemes::model::random::Random;
use tidegate_schemes::scheme::parameters::Parameters;

/// What lets packets go.
enum Sender<R> {
    Controlled { point: R, ipd: u32 },
    Paced(Pace),
    Window { packets: u32, outstanding: u32 },
}

/// ON and OFF times.
struct Times {
    means: OnOff,
    random: Random,
}

impl Times {
    fn new(means: OnOff) -> Self {
        Times { means, random: Random::new(means.seed) }
    }

    /// The next one.
    fn time(&mut self, on: bool) -> Cycles {
        let mean = if on { self.means.on } else { self.means.off };
        (self.random.exponential(mean).ceil() as Cycles).max(1)
    }

    /// The cycles before the first ON time. Exponential times do not remember: it may have begun before the start, or an
    /// OFF time has.
    fn first(&mut self) -> Cycles {
        let OnOff { on, off, .. } = self.means;
        if self.random.fraction() < on / (on + off) { 0 } else { self.time(false) }
    }
}

/// What a host does in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HostCycle {
    /// A packet starts.
    pub starts: bool,
    /// Its reaction point has this inter-packet delay from this cycle on.
    pub delay: Option<u32>,
}

/// A host.
pub(super) struct Host<R> {
    sender: Sender<R>,
    /// The outputs that its packets pass.
    pub path: Vec<u32>,
    /// Cycles from the last byte of a packet at the receiver to the last byte of its ACK here.
    pub ack: Cycles,
    on_off: Option<Times>,
    /// Whether it has packets.
    on: bool,
    /// When that changes.
    change: Cycles,
    stop: Cycles,
    /// Free slots of the first buffer, as far as known.
    pub credits: u32,
    link_free: Cycles,
    packet: Cycles,
    /// Packets sent, delivered, acknowledged.
    pub sent: u64,
    pub delivered: u64,
    pub acknowledged: u64,
}

impl<R: ReactionPoint> Host<R> {
    /// At cycle 0. All parameters are those of its reaction point, if it has one.
    pub fn new(parameters: &Parameters, fabric: &Fabric, flow: &FlowSpec, point: impl FnOnce() -> R) -> Self {
        let sender = match flow.traffic {
            Traffic::Controlled => Sender::Controlled { point: point(), ipd: 0 },
            Traffic::Continuous => Sender::Paced(Pace::new(fabric.packet, 1.0, Some(Functions::new(parameters)))),
            Traffic::Fixed(packet_times) => Sender::Paced(Pace::new(fabric.packet, 1.0 / packet_times, None)),
            Traffic::Window(packets) => Sender::Window { packets, outstanding: 0 },
        };
        let hops = flow.path.len() as Cycles;
        let mut on_off = flow.on_off.map(Times::new);
        let first = on_off.as_mut().map_or(0, Times::first);
        Host {
            sender,
            path: flow.path.clone(),
            ack: fabric.ack + (hops + 1) * fabric.link + hops * fabric.forwarding,
            on_off,
            on: false,
            change: flow.start + first,
            stop: flow.stop,
            credits: fabric.buffer_packets,
            link_free: 0,
            packet: fabric.packet,
            sent: 0,
            delivered: 0,
            acknowledged: 0,
        }
    }

    /// The rate that it may have, in units of R_max.
    pub fn rate(&self) -> f64 {
        match &self.sender {
            Sender::Controlled { ipd, .. } => 1.0 / f64::from(1 + ipd),
            Sender::Paced(pace) => pace.rate,
            Sender::Window { .. } => 1.0,
        }
    }

    /// Whether a packet waits that the link could take in cycle `now`.
    fn request(&self, now: Cycles) -> bool {
        self.on && self.credits > 0 && self.link_free <= now
    }

    /// The next cycle, not before `now`, in which it works without an ACK or a credit.
    pub fn next(&self, now: Cycles) -> Cycles {
        let may = self.on && self.credits > 0;
        let from = now.max(self.link_free);
        let own = match &self.sender {
            Sender::Controlled { point, .. } if may && self.link_free > now => point.next(now, false).min(from),
            Sender::Controlled { point, .. } => point.next(now, may),
            Sender::Paced(pace) if may => pace.due().max(from),
            Sender::Window { packets, outstanding } if may && outstanding < packets => from,
            _ => Cycles::MAX,
        };
        own.min(self.change.max(now))
    }

    /// Begins or ends a flow in cycle `now`. Whether a flow begins.
    fn turn(&mut self, now: Cycles) -> bool {
        if now >= self.stop {
            (self.on, self.change) = (false, Cycles::MAX);
            return false;
        }
        match &mut self.on_off {
            None => (self.on, self.change) = (true, self.stop),
            Some(on_off) => {
                self.on = !self.on;
                self.change = (now + on_off.time(self.on)).min(self.stop);
            }
        }
        self.on
    }

    /// Cycle `now`, with the ACK of a packet, marked or not, or none.
    pub fn cycle(&mut self, now: Cycles, ack: Option<bool>) -> HostCycle {
        let begins = self.change <= now && self.turn(now);
        let request = self.request(now);
        self.acknowledged += u64::from(ack.is_some());
        let mut outcome = HostCycle::default();
        match &mut self.sender {
            Sender::Controlled { point, ipd } => {
                let cycle = point.cycle(now, request, ack, begins);
                assert_eq!(cycle.acknowledged, ack.is_some(), "a reaction point does not expect an ACK");
                outcome.starts = cycle.granted;
                outcome.delay = (std::mem::replace(ipd, cycle.ipd) != cycle.ipd).then_some(cycle.ipd);
            }
            Sender::Paced(pace) => {
                if begins {
                    pace.flow_start();
                }
                if let Some(marked) = ack {
                    pace.acknowledge(now, marked);
                }
                outcome.starts = request && pace.due() <= now;
                if outcome.starts {
                    pace.grant(now);
                }
            }
            Sender::Window { packets, outstanding } => {
                *outstanding -= u32::from(ack.is_some());
                outcome.starts = request && *outstanding < *packets;
                *outstanding += u32::from(outcome.starts);
            }
        }
        if outcome.starts {
            self.link_free = now + self.packet;
            self.credits -= 1;
            self.sent += 1;
        }
        outcome
    }
}
