// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source that always has a packet: its reaction point lets it go, its link carries it at line rate.

use tidegate_core::units::{Cycles, FineTime, Rate};
use tidegate_schemes::model::device::{ReactionPoint, ReactionPointCycle};
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_schemes::scheme::token_bucket::Frames;

/// The packets of a source, and its link.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Length of every packet, bytes.
    pub packet_bytes: u32,
    /// Cycles after its grant in which a packet is out and the link free.
    pub packet_cycles: Cycles,
}

impl Link {
    /// At line rate.
    pub fn of(parameters: &Parameters) -> Self {
        let packet_bytes = parameters.integer("packet_bytes") as u32;
        let time = FineTime::of_bytes(packet_bytes + parameters.overhead(), parameters.rate("line_rate_mbps"));
        Link { packet_bytes, packet_cycles: time.reached() }
    }
}

/// A reaction point with its link.
pub struct Sender<R> {
    /// Parser, calculator, rate limiter.
    pub reaction_point: R,
    /// The rate in the last cycle.
    pub rate: Rate,
    link_free: Cycles,
}

impl<R: ReactionPoint> Sender<R> {
    /// Sends from a cycle on, at a rate at first.
    pub fn new(reaction_point: R, rate: Rate, from: Cycles) -> Self {
        Sender { reaction_point, rate, link_free: from }
    }

    fn request(&self, now: Cycles, link: &Link) -> Option<u32> {
        (self.link_free <= now).then_some(link.packet_bytes)
    }

    /// The next cycle, not before `now`, in which it must be called.
    pub fn next(&self, now: Cycles, link: &Link) -> Cycles {
        let next = self.reaction_point.next(now, self.request(now, link));
        if self.link_free > now { next.min(self.link_free) } else { next }
    }

    /// Lets packets go before cycle `before`, as long as nothing else happens; `now` is the next cycle that is not done.
    /// Returns how many, and the next cycle that is not done then.
    pub fn skip(&mut self, now: Cycles, before: Cycles, link: &Link) -> (u64, Cycles) {
        let frames = Frames {
            bytes: link.packet_bytes,
            from: self.link_free.max(now),
            busy: link.packet_cycles,
            before,
            most: u64::MAX,
        };
        let (granted, last) = self.reaction_point.grant_many(&frames);
        if granted == 0 {
            return (0, now);
        }
        self.link_free = last + link.packet_cycles;
        (granted, last + 1)
    }

    /// Cycle `now`; whether the rate changed with it.
    pub fn cycle(&mut self, now: Cycles, link: &Link) -> (ReactionPointCycle, bool) {
        let outcome = self.reaction_point.cycle(now, self.request(now, link));
        if outcome.granted {
            self.link_free = now + link.packet_cycles;
        }
        (outcome, std::mem::replace(&mut self.rate, outcome.rate) != outcome.rate)
    }
}
