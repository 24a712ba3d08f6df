//! A flow: its source, with a reaction point or without, and the source's link.

use super::topology::FlowSpec;
use crate::model::device::ReactionPoint;
use crate::model::packet::Packet as Frame;
use crate::model::reaction_point::ModelReactionPoint;
use crate::model::wire::RECEIVER_MAC;
use crate::model::{AnyCalculator, Fields};
use crate::scheme::parameters::Parameters;
use crate::units::{Cycles, FineTime, Rate};

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
    pub feedback: Option<Fields>,
    /// It has a new rate.
    pub rate: Option<Rate>,
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
    },
}

/// A flow. Its fields that others read are those of each packet.
pub(super) struct Flow {
    source: Source,
    /// The first cycle in which it has not worked yet.
    open: Cycles,
    rate: Rate,
    /// Cycles from the start of a packet to its last byte at the first switch.
    link_cycles: Cycles,
    packet_cycles: Cycles,
    stop: Cycles,
    packets: u64,
    /// Its packets as a congestion point sees them.
    pub frame: Frame,
    /// The outputs that its packets pass.
    pub path: Vec<u32>,
    /// Cycles from the congestion point of each of these outputs back to the source.
    pub back: Vec<Cycles>,
    /// Packets sent.
    pub sent: u64,
    /// Packets that have left the last output of the path.
    pub delivered: u64,
}

impl Flow {
    /// At cycle 0. `back` is how long feedback takes from each output of the path.
    pub fn new(
        parameters: &Parameters,
        number: u32,
        flow: &FlowSpec,
        back: Vec<Cycles>,
        reaction_point: impl FnOnce() -> Point,
    ) -> Self {
        let bytes = flow.packet_bytes + parameters.overhead();
        let packet_cycles = FineTime::of_bytes(bytes, parameters.rate("line_rate_mbps")).reached();
        let (source, rate, link_cycles) = match flow.traffic {
            Traffic::Controlled => {
                let source = Source::Controlled { reaction_point: reaction_point(), free: flow.start };
                (source, parameters.rate("line_rate_mbps"), packet_cycles)
            }
            Traffic::Fixed(rate) => {
                let period = FineTime::of_bytes(bytes, rate);
                // Its first packet is complete after a period, and arrives in the cycle after.
                (Source::Fixed { at: FineTime::at(flow.start) + period, period }, rate, 1)
            }
        };
        Flow {
            source,
            open: 0,
            rate,
            link_cycles: link_cycles + flow.delay,
            packet_cycles,
            stop: flow.stop,
            packets: flow.packets,
            frame: Frame {
                bytes: flow.packet_bytes,
                source: parameters.rp_mac(number),
                destination: RECEIVER_MAC,
                tag: None,
                flow_id: None,
                controlled: flow.traffic == Traffic::Controlled,
            },
            path: flow.path.clone(),
            back,
            sent: 0,
            delivered: 0,
        }
    }

    /// Its rate now.
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// A feedback frame will arrive: its first word in cycle `at`.
    pub fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        if let Source::Controlled { reaction_point, .. } = &mut self.source {
            reaction_point.deliver(at, frame);
        }
    }

    /// Its reaction point.
    pub fn reaction_point(&mut self) -> Option<&mut Point> {
        match &mut self.source {
            Source::Controlled { reaction_point, .. } => Some(reaction_point),
            Source::Fixed { .. } => None,
        }
    }

    /// Whether it has a packet in cycle `at`.
    fn has_packet(&self, at: Cycles) -> bool {
        at < self.stop && self.sent < self.packets
    }

    /// The next cycle, not before `now`, in which it works.
    #[inline]
    pub fn next(&self, now: Cycles) -> Cycles {
        let now = now.max(self.open);
        match &self.source {
            Source::Controlled { reaction_point, free } => {
                // While the link is taken only the reaction point works. After that a packet waits.
                let from = now.max(*free);
                if self.has_packet(from) {
                    reaction_point.next_before(now, from, self.frame.bytes)
                } else {
                    reaction_point.next(now, None)
                }
            }
            Source::Fixed { at, .. } if self.has_packet(at.reached()) => at.reached().max(now),
            Source::Fixed { .. } => Cycles::MAX,
        }
    }

    /// Cycle `now`. Where the next cycle, before `end`, does nothing but to start the packet, it works in that one, too.
    #[inline]
    pub fn cycle(&mut self, now: Cycles, end: Cycles) -> FlowCycle {
        let has_packet = self.has_packet(now);
        self.open = now + 1;
        match &mut self.source {
            Source::Controlled { reaction_point, free } => {
                let request = (*free <= now && has_packet).then_some(self.frame.bytes);
                let outcome = reaction_point.cycle(now, request);
                let mut starts = outcome.granted.then_some(now);
                if starts.is_none() && now + 1 < end && reaction_point.only_grants(now + 1) {
                    let ahead = reaction_point.cycle(now + 1, request);
                    debug_assert!(ahead.granted && ahead.rate == outcome.rate && ahead.feedback.is_none());
                    starts = Some(now + 1);
                    self.open = now + 2;
                }
                if let Some(start) = starts {
                    *free = start + self.packet_cycles;
                    self.sent += 1;
                }
                let changed = std::mem::replace(&mut self.rate, outcome.rate) != outcome.rate;
                FlowCycle {
                    arrives: starts.map(|start| start + self.link_cycles),
                    feedback: outcome.feedback,
                    rate: changed.then_some(outcome.rate),
                }
            }
            Source::Fixed { at, period } => {
                *at = *at + *period;
                self.sent += 1;
                FlowCycle { arrives: Some(now + self.link_cycles), ..FlowCycle::default() }
            }
        }
    }
}
