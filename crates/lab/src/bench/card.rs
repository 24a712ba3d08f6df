// SPDX-License-Identifier: MIT OR Apache-2.0
//! A card: sources that always have a packet, behind one reaction point of many flows and one link at line rate.

use super::sender::Link;
use super::sources::{SourceEvent, Sources};
use std::collections::VecDeque;
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::device::FlowReactionPoint;

/// A reaction point of many flows with its link. A source announces its next packet in the cycle after the last one
/// started. One announcement is made at a time, in their order.
pub struct Card<P> {
    reaction_point: P,
    link: Link,
    link_free: Cycles,
    /// Sources that have not announced their next packet, each with the cycle from which on it may; the first one announces.
    announcing: VecDeque<(Cycles, u16)>,
    rates: Vec<Rate>,
}

impl<P: FlowReactionPoint> Card<P> {
    /// Each source sends from a cycle on, at a rate at first.
    pub fn new(reaction_point: P, rate: Rate, starts: impl Iterator<Item = Cycles>, link: Link) -> Self {
        let mut announcing: Vec<_> = starts.zip(0u16..).collect();
        announcing.sort_unstable();
        let rates = vec![rate; announcing.len()];
        Card { reaction_point, link, link_free: 0, announcing: announcing.into(), rates }
    }
}

impl<P: FlowReactionPoint> Sources for Card<P> {
    fn count(&self) -> usize {
        self.rates.len()
    }

    fn rate(&self, source: usize) -> Rate {
        self.rates[source]
    }

    fn deliver(&mut self, _now: Cycles, _source: usize, at: Cycles, frame: &[u8]) {
        self.reaction_point.deliver(at, frame);
    }

    /// In each cycle: the rate limiter always looks for something to do.
    fn due(&self) -> Cycles {
        0
    }

    fn cycle(&mut self, now: Cycles, events: &mut Vec<(usize, SourceEvent)>) {
        let bytes = self.link.packet_bytes;
        let announcement = self.announcing.front().filter(|&&(from, _)| from <= now).map(|&(_, flow)| (flow, bytes));
        let link = (self.link_free <= now).then_some(bytes);
        let outcome = self.reaction_point.cycle(now, announcement, link);
        if outcome.announced {
            self.announcing.pop_front();
        }
        if let Some(flow) = outcome.sent {
            self.link_free = now + self.link.packet_cycles;
            // Before those that have not begun.
            let place = self.announcing.partition_point(|&(from, _)| from <= now + 1);
            self.announcing.insert(place, (now + 1, flow));
            events.push((flow.into(), SourceEvent::Sent));
        }
        if let Some((flow, feedback)) = outcome.feedback {
            events.push((flow.into(), SourceEvent::Feedback(feedback.into())));
        }
        if let Some((flow, rate)) = outcome.rate {
            let flow = usize::from(flow);
            if std::mem::replace(&mut self.rates[flow], rate) != rate {
                events.push((flow, SourceEvent::Rate(rate)));
            }
        }
    }
}
