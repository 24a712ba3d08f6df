// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output queues of the reference designs, in beats: those that take every beat at once, and those that first look at it.

use crate::axis_tap::path_frames::queues_of;
use std::collections::VecDeque;
use tidegate::bus::axis_tap::QUEUES;

/// Octets that a queue holds, and those of the longest frame: one that has less room than this takes no frame.
const OCTETS: usize = 4_096;
const LONGEST: usize = 1_600;

/// When they take the first beat of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// In the cycle in which it is there, as those of the NetFPGA-PLUS: they are always ready.
    AtOnce,
    /// Not before the next cycle, as those of the NetFPGA-10G and SUME: in the first one they read its destination only.
    AfterALook,
}

/// What they see of a beat.
#[derive(Clone, Copy)]
pub struct Seen {
    /// Octets of its frame, and destination ports; valid with the first beat.
    pub octets: u16,
    pub ports: u8,
    pub last: bool,
}

/// Whether a frame is stored or dropped.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Looks,
    Stores(u8),
    Drops,
}

/// What happened in a cycle.
#[derive(Default)]
pub struct Told {
    /// A frame was seen first, with these destination ports, and dropped, if `drops`.
    pub arrives: Option<u8>,
    pub drops: bool,
}

pub struct OutputQueues {
    takes: Takes,
    width: usize,
    /// Octets that leave in 100 cycles.
    rate: u64,
    state: State,
    is_first: bool,
    /// Beats of each queue: the octets of their frame, with the first one.
    beats: [VecDeque<Option<u16>>; QUEUES],
    credit: [u64; QUEUES],
    /// What was dropped in the cycle before: queues, octets.
    pub dropped: (u8, u16),
}

impl OutputQueues {
    pub fn new(takes: Takes, width: usize, rate: u64) -> Self {
        let (beats, credit) = (Default::default(), [0; QUEUES]);
        OutputQueues { takes, width, rate, state: State::Looks, is_first: true, beats, credit, dropped: (0, 0) }
    }

    pub fn ready(&self) -> bool {
        self.takes == Takes::AtOnce || self.state != State::Looks
    }

    /// Octets in a queue, in whole beats.
    pub fn level(&self, queue: usize) -> usize {
        self.beats[queue].len() * self.width
    }

    pub fn are_empty(&self) -> bool {
        self.beats.iter().all(|beats| beats.is_empty())
    }

    /// A beat leaves a queue in this cycle, if it is time; returns the octets of its frame with the first one.
    pub fn leaves(&mut self, queue: usize) -> Option<u16> {
        self.credit[queue] = (self.credit[queue] + self.rate).min(100 * self.width as u64);
        if self.credit[queue] < 100 * self.width as u64 {
            return None;
        }
        let beat = self.beats[queue].pop_front()?;
        self.credit[queue] = 0;
        beat
    }

    /// A clock edge, at which this beat is there, and taken if they are ready.
    pub fn step(&mut self, seen: Option<Seen>) -> Told {
        self.dropped = (0, 0);
        let mut told = Told::default();
        let Some(seen) = seen else { return told };
        let taken = self.ready();
        if self.state == State::Looks {
            let queues = queues_of(seen.ports);
            let is_full = |queue: usize| self.level(queue) + LONGEST >= OCTETS;
            let drops = (0..QUEUES).any(|queue| queues >> queue & 1 == 1 && is_full(queue));
            self.state = if drops { State::Drops } else { State::Stores(queues) };
            self.is_first = true;
            if drops {
                self.dropped = (queues, seen.octets);
            }
            told = Told { arrives: Some(seen.ports), drops };
        }
        if taken {
            if let State::Stores(queues) = self.state {
                let beat = self.is_first.then_some(seen.octets);
                (0..QUEUES)
                    .filter(|queue| queues >> queue & 1 == 1)
                    .for_each(|queue| self.beats[queue].push_back(beat));
            }
            self.is_first = false;
            if seen.last {
                self.state = State::Looks;
            }
        }
        told
    }
}
