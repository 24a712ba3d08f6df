// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sources of the dumbbell: each with a reaction point and a link of its own, or all behind one of both.

use super::due::Due;
use super::sender::{Link, Sender};
use tidegate_core::units::{Cycles, Rate};
use tidegate_schemes::model::Fields;
use tidegate_schemes::model::device::ReactionPoint;

/// What happens at a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceEvent {
    /// A packet starts on its link.
    Sent,
    /// Its calculator takes this feedback.
    Feedback(Fields),
    /// It has a new rate.
    Rate(Rate),
}

/// Sources that always have a packet, and their links into the switch. They are numbered.
pub trait Sources {
    /// How many.
    fn count(&self) -> usize;
    /// The rate of a source.
    fn rate(&self, source: usize) -> Rate;
    /// In cycle `now`: the first word of a feedback frame for a source will arrive in cycle `at`.
    fn deliver(&mut self, now: Cycles, source: usize, at: Cycles, frame: &[u8]);
    /// The first cycle in which [`cycle`](Self::cycle) must be called.
    fn due(&self) -> Cycles;
    /// Cycle `now`: appends what happens, and at which source. Packets that start in one cycle come in the order of
    /// their sources.
    fn cycle(&mut self, now: Cycles, events: &mut Vec<(usize, SourceEvent)>);
}

/// Each with a reaction point and a link of its own.
pub struct SeparateSources<R> {
    senders: Vec<Sender<R>>,
    due: Due,
    link: Link,
}

impl<R: ReactionPoint> SeparateSources<R> {
    /// Sources with these reaction points; each sends from a cycle on, at a rate at first.
    pub fn new(
        reaction_points: impl Iterator<Item = R>,
        rate: Rate,
        starts: impl Iterator<Item = Cycles>,
        link: Link,
    ) -> Self {
        let senders: Vec<_> = reaction_points
            .zip(starts)
            .map(|(reaction_point, start)| Sender::new(reaction_point, rate, start))
            .collect();
        SeparateSources { due: Due::new(senders.len()), senders, link }
    }
}

impl<R: ReactionPoint> Sources for SeparateSources<R> {
    fn count(&self) -> usize {
        self.senders.len()
    }

    fn rate(&self, source: usize) -> Rate {
        self.senders[source].rate
    }

    fn deliver(&mut self, now: Cycles, source: usize, at: Cycles, frame: &[u8]) {
        let sender = &mut self.senders[source];
        sender.reaction_point.deliver(at, frame);
        self.due.set(source, self.due.of(source).min(sender.next(now, &self.link)));
    }

    fn due(&self) -> Cycles {
        self.due.first()
    }

    fn cycle(&mut self, now: Cycles, events: &mut Vec<(usize, SourceEvent)>) {
        let mut from = 0;
        while let Some(source) = self.due.due_from(from, now) {
            from = source + 1;
            let sender = &mut self.senders[source];
            let (outcome, rate_changed) = sender.cycle(now, &self.link);
            self.due.set(source, sender.next(now + 1, &self.link));
            if outcome.granted {
                events.push((source, SourceEvent::Sent));
            }
            if let Some(feedback) = outcome.feedback {
                events.push((source, SourceEvent::Feedback(feedback.into())));
            }
            if rate_changed {
                events.push((source, SourceEvent::Rate(outcome.rate)));
            }
        }
    }
}
