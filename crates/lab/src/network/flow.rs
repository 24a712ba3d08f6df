// SPDX-License-Identifier: MIT OR Apache-2.0
//! A flow: its source, with a reaction point or without, and the source's link.

use super::topology::{FlowSpec, OnOff};
use tidegate_core::units::{Cycles, FineTime, Rate};
use tidegate_schemes::model::AnyCalculator;
use tidegate_schemes::model::codec::Payload;
use tidegate_schemes::model::device::ReactionPoint;
use tidegate_schemes::model::packet::Packet as Frame;
use tidegate_schemes::model::random::Random;
use tidegate_schemes::model::reaction_point::ModelReactionPoint;
use tidegate_schemes::scheme::parameters::Parameters;

/// How a flow sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// As much as its reaction point lets go.
    Controlled,
    /// A packet at regular times, at this rate; no reaction point.
    Fixed(Rate),
}

/// What a flow does in one cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FlowCycle {
    /// A packet starts, and arrives at the first switch in this cycle.
    pub arrives: Option<Cycles>,
    /// Its calculator takes this feedback.
    pub feedback: Option<Payload>,
    /// It has a new rate.
    pub rate: Option<Rate>,
}

/// The packet of a flow for which an event of its first switch is in the wheel, with the cycle of its arrival there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// There is none.
    Nothing,
    /// It starts if nothing comes between.
    Planned(Cycles),
    /// It has started.
    Started(Cycles),
}

/// The reaction point of a flow.
pub(super) type Point = ModelReactionPoint<AnyCalculator>;

#[allow(clippy::large_enum_variant, reason = "most flows of a run have a reaction point")]
enum Source {
    Controlled {
        reaction_point: Point,
        /// The cycle in which the link is free for the next packet.
        free: Cycles,
    },
    Fixed {
        /// Time of the next packet and between two.
        at: FineTime,
        period: FineTime,
        /// The cycle of the last one.
        last: Cycles,
    },
}

/// When a flow has packets.
struct OnTime {
    /// This ON time, or the next one: from its first cycle to before the second.
    from: Cycles,
    to: Cycles,
    /// Where others follow it.
    others: Option<(OnOff, Random)>,
    /// No ON time goes beyond this cycle.
    stop: Cycles,
}

impl OnTime {
    fn new(flow: &FlowSpec) -> Self {
        let others = flow.on_off.map(|on_off| (on_off, Random::new(on_off.seed)));
        let mut on = OnTime { from: flow.start, to: flow.stop, others, stop: flow.stop };
        on.set_end();
        on
    }

    /// The end of an ON time from its beginning.
    fn set_end(&mut self) {
        if let Some((on_off, random)) = &mut self.others {
            let length = random.exponential(on_off.on) as Cycles;
            self.to = self.from.saturating_add(length).min(self.stop);
        }
    }

    /// Whether this ON time is over in cycle `now` and another one follows, which is the ON time from now on.
    fn is_next(&mut self, now: Cycles) -> bool {
        let Some((on_off, random)) = self.others.as_mut().filter(|_| self.to <= now && now < self.stop) else {
            return false;
        };
        self.from = self.to.saturating_add(random.exponential(on_off.off) as Cycles);
        self.set_end();
        true
    }

    /// The cycle, not before `now`, in which [`is_next`](Self::is_next) must be called.
    #[inline]
    fn ends(&self, now: Cycles) -> Cycles {
        if self.others.is_some() && self.to < self.stop { self.to.max(now) } else { Cycles::MAX }
    }
}

/// A flow. Its fields that others read are those of each packet.
pub(super) struct Flow {
    pub number: u32,
    source: Source,
    /// The first cycle in which it has not worked yet.
    open: Cycles,
    /// If the next cycle in which it works, and with a reaction point the one after that, only start a packet: the
    /// cycle in which this arrives at the first switch. Otherwise [`Cycles::MAX`].
    pub arrival: Cycles,
    /// What the network waits for.
    pub expected: Expected,
    rate: Rate,
    /// Cycles of its link from one end to the other.
    pub delay: Cycles,
    /// Cycles from the start of a packet to its last byte at the first switch.
    link_cycles: Cycles,
    packet_cycles: Cycles,
    /// No packet arrives there before this cycle, so that none overtakes those that were sent with a longer delay.
    earliest: Cycles,
    on: OnTime,
    /// Its link is stopped.
    stopped: bool,
    packets: u64,
    /// Its packets as a congestion point sees them.
    pub frame: Frame,
    /// The first output that its packets pass.
    pub first_output: u32,
    /// All of them.
    pub path: Vec<u32>,
    /// Packets sent.
    pub sent: u64,
    /// Packets that have left the last output of the path.
    pub delivered: u64,
}

impl Flow {
    /// At cycle 0.
    pub(crate) fn new(
        parameters: &Parameters,
        number: u32,
        flow: &FlowSpec,
        reaction_point: impl FnOnce() -> Point,
    ) -> Self {
        let bytes = flow.packet_bytes + parameters.overhead();
        let packet_cycles = FineTime::of_bytes(bytes, parameters.rate("line_rate_mbps")).reached();
        let (source, rate, link_cycles) = match flow.traffic {
            Traffic::Controlled => {
                let source = Source::Controlled { reaction_point: reaction_point(), free: 0 };
                (source, parameters.rate("line_rate_mbps"), packet_cycles)
            }
            Traffic::Fixed(rate) => {
                let period = FineTime::of_bytes(bytes, rate);
                // Its first packet is complete after a period, and arrives in the cycle after.
                (Source::Fixed { at: FineTime::at(flow.start) + period, period, last: 0 }, rate, 1)
            }
        };
        Flow {
            number,
            source,
            open: 0,
            arrival: Cycles::MAX,
            expected: Expected::Nothing,
            rate,
            delay: flow.delay,
            link_cycles: link_cycles + flow.delay,
            packet_cycles,
            earliest: 0,
            on: OnTime::new(flow),
            stopped: false,
            packets: flow.packets,
            frame: Frame::of_source(parameters.rp_mac(number), flow.packet_bytes, flow.traffic == Traffic::Controlled),
            first_output: flow.path[0],
            path: flow.path.clone(),
            sent: 0,
            delivered: 0,
        }
    }

    /// Its rate now.
    pub(crate) fn rate(&self) -> Rate {
        self.rate
    }

    /// A feedback frame will arrive: its first word in cycle `at`.
    pub(crate) fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        if let Source::Controlled { reaction_point, .. } = &mut self.source {
            reaction_point.deliver(at, frame);
        }
    }

    /// Another delay of its link. It must then look ahead again.
    pub(crate) fn set_delay(&mut self, delay: Cycles) {
        if self.sent > 0 {
            let last = match &self.source {
                Source::Controlled { free, .. } => *free - self.packet_cycles,
                Source::Fixed { last, .. } => *last,
            };
            self.earliest = self.earliest.max(last + self.link_cycles + self.packet_cycles);
        }
        self.link_cycles = self.link_cycles - self.delay + delay;
        self.delay = delay;
    }

    /// When a packet that starts in cycle `now` arrives at the first switch.
    #[inline]
    fn arrives(&self, now: Cycles) -> Cycles {
        (now + self.link_cycles).max(self.earliest)
    }

    /// A packet starts in cycle `now`. Returns when it arrives at the first switch.
    #[inline]
    fn start(&mut self, now: Cycles) -> Cycles {
        self.sent += 1;
        let arrives = self.arrives(now);
        if arrives == self.earliest {
            self.earliest += self.packet_cycles;
        }
        arrives
    }

    /// A pause frame arrives in cycle `now`, before which it has worked: its link is stopped, or not any more.
    pub(crate) fn stop(&mut self, now: Cycles, stops: bool) {
        self.open = self.open.max(now);
        self.stopped = stops;
        if let Source::Fixed { at, period, .. } = &mut self.source
            && !stops
        {
            *at = (*at).max(FineTime::at(now) + *period);
        }
    }

    /// Whether it starts no packet from cycle `now` on.
    pub(crate) fn is_over(&self, now: Cycles) -> bool {
        self.sent >= self.packets || self.on.stop <= now
    }

    /// Its reaction point.
    pub(crate) fn reaction_point(&mut self) -> Option<&mut Point> {
        match &mut self.source {
            Source::Controlled { reaction_point, .. } => Some(reaction_point),
            Source::Fixed { .. } => None,
        }
    }

    /// Whether it has a packet that can start in cycle `at`.
    #[inline]
    fn has_packet(&self, at: Cycles) -> bool {
        !self.stopped && at < self.on.to && self.sent < self.packets
    }

    /// The next cycle in which it works, if nothing reaches it before; `Cycles::MAX` if it need not.
    #[inline(always)]
    pub(crate) fn look_ahead(&mut self) -> Cycles {
        let open = self.open;
        // Also in which cycle a packet starts, if nothing else happens.
        let (next, starts) = match &self.source {
            Source::Controlled { reaction_point, free } => {
                // While the link is taken only the reaction point works. After that a packet waits.
                let from = open.max(*free).max(self.on.from);
                if self.has_packet(from) {
                    let (next, starts) = reaction_point.next_before(open, from, self.frame.bytes);
                    (next, starts.then_some(next + 1))
                } else {
                    (reaction_point.next(open, None), None)
                }
            }
            Source::Fixed { at, .. } if self.has_packet(at.reached()) => {
                let next = at.reached().max(open);
                (next, Some(next))
            }
            Source::Fixed { .. } => (Cycles::MAX, None),
        };
        let starts = starts.filter(|_| self.on.from <= next && next < self.on.to);
        self.arrival = starts.map_or(Cycles::MAX, |starts| self.arrives(starts));
        next.min(self.on.ends(open))
    }

    /// If it only starts a packet in cycle `now`, the one that it [looked ahead](Self::look_ahead) to, and in the next
    /// one, in which this is granted and which is before `end`: does both. Returns when the packet arrives at the first
    /// switch.
    #[inline(always)]
    pub(crate) fn grant(&mut self, now: Cycles, end: Cycles) -> Option<Cycles> {
        if self.arrival == Cycles::MAX || now + 1 >= end {
            return None;
        }
        let Source::Controlled { reaction_point, free } = &mut self.source else { return None };
        reaction_point.grant(now, self.frame.bytes);
        self.open = now + 2;
        *free = now + 1 + self.packet_cycles;
        Some(self.start(now + 1))
    }

    /// Cycle `now`, the one that it [looked ahead](Self::look_ahead) to.
    pub(crate) fn cycle(&mut self, now: Cycles) -> FlowCycle {
        while self.on.is_next(now) {
            if let Source::Fixed { at, period, .. } = &mut self.source {
                *at = FineTime::at(self.on.from) + *period;
            }
        }
        let has_packet = self.on.from <= now && self.has_packet(now);
        self.open = now + 1;
        match &mut self.source {
            Source::Controlled { reaction_point, free } => {
                let request = (*free <= now && has_packet).then_some(self.frame.bytes);
                let outcome = reaction_point.cycle(now, request);
                let mut arrives = None;
                if outcome.granted {
                    *free = now + self.packet_cycles;
                    arrives = Some(self.start(now));
                }
                let changed = std::mem::replace(&mut self.rate, outcome.rate) != outcome.rate;
                FlowCycle { arrives, feedback: outcome.feedback, rate: changed.then_some(outcome.rate) }
            }
            Source::Fixed { at, .. } if at.reached() > now || !has_packet => FlowCycle::default(),
            Source::Fixed { at, period, last } => {
                (*at, *last) = (*at + *period, now);
                FlowCycle { arrives: Some(self.start(now)), ..FlowCycle::default() }
            }
        }
    }
}
