// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parser of a reaction point: which feedback waits for the calculator, and since when.

use super::codec::{Codec, Payload};
use super::wire::{Address, Verdict, mac_value};
use std::collections::VecDeque;
use tidegate_core::units::Cycles;

/// The frames on their way to a reaction point, and its parser.
pub struct ParserModel {
    codec: Codec,
    address: Address,
    /// Frames on their way.
    frames: VecDeque<Incoming>,
    /// The output register: from which cycle, what.
    parsed: Option<(Cycles, Parsed)>,
    /// The cycle in which the calculator took the last feedback.
    taken: Option<Cycles>,
    /// The first cycle behind the last word of the last frame.
    free: Cycles,
    /// The cycles of the first and of the last word of the frame that is being read.
    reads: Option<(Cycles, Cycles)>,
    /// The frame that ended in the last cycle and is judged in this one, with the cycle of its first word.
    ended: Option<(Cycles, Incoming)>,
    /// Of the frame that was judged in the last cycle.
    verdict: Option<Verdict>,
}

/// What a frame holds.
#[derive(Clone, Copy, Debug)]
pub struct Parsed {
    /// Number of the flow; 0 if there is one flow only.
    pub flow: u16,
    /// The feedback.
    pub feedback: Payload,
}

/// A frame on its way to a reaction point.
struct Incoming {
    /// Arrival of its first word.
    arrival: Cycles,
    /// Words of 64 bits.
    words: Cycles,
    /// What is in it, if the parser takes it.
    parsed: Option<Parsed>,
    /// What the parser tells of it, unless it drops it.
    verdict: Option<Verdict>,
}

impl ParserModel {
    /// After a reset, of a scheme with such frames.
    pub fn new(codec: Codec, address: Address) -> Self {
        ParserModel {
            codec,
            address,
            // Of a million reaction points few have a frame on its way.
            frames: VecDeque::new(),
            parsed: None,
            taken: None,
            free: 0,
            reads: None,
            ended: None,
            verdict: None,
        }
    }

    /// The first word of `frame` arrives in cycle `at`; see
    /// [`ReactionPoint::deliver`](super::device::ReactionPoint::deliver). A frame that arrives earlier than others that were
    /// delivered before it is read before them.
    pub fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        let of = |feedback| {
            let destination = mac_value(frame[..6].try_into().expect("a frame that holds feedback has an address"));
            Parsed { flow: (destination & self.address.flow_mask) as u16, feedback }
        };
        let incoming = Incoming {
            arrival: at,
            words: frame.len().div_ceil(8) as Cycles,
            parsed: (self.codec.read)(frame, &self.address).ok().map(of),
            verdict: (self.codec.verdict)(frame, &self.address, false),
        };
        let place = self.frames.partition_point(|other| other.arrival <= at);
        self.frames.insert(place, incoming);
        if place == 0 {
            // The one that was the first has not begun: it arrives later.
            self.reads = None;
        }
        self.begin_frame();
    }

    /// Begins the next frame.
    fn begin_frame(&mut self) {
        if self.reads.is_none()
            && let Some(frame) = self.frames.front()
        {
            let first = frame.arrival.max(self.free);
            self.reads = Some((first, first + frame.words - 1));
        }
    }

    /// The next cycle, not before `now`, in which something happens without the calculator.
    #[inline]
    pub fn next(&self, now: Cycles) -> Option<Cycles> {
        let frame_ends = self.reads.map(|(_, last_word)| last_word.max(now));
        if self.parsed.is_some() || self.ended.is_some() { Some(now) } else { frame_ends }
    }

    /// What waits in cycle `now`.
    #[inline]
    pub fn offered(&self, now: Cycles) -> Option<Parsed> {
        self.parsed.filter(|&(from, _)| from <= now).map(|(_, parsed)| parsed)
    }

    /// Whether a feedback waited in a cycle, and was not taken in it. Since then, no frame has been judged.
    #[inline]
    fn waited(&self, cycle: Cycles) -> bool {
        self.parsed.is_some() || self.taken.is_some_and(|taken| taken > cycle)
    }

    /// Cycle `now`, in which the calculator takes what waits or not. Whether a frame is judged, in the cycle after its
    /// last word.
    #[inline]
    pub fn cycle(&mut self, now: Cycles, taken: bool) -> bool {
        if taken {
            (self.parsed, self.taken) = (None, Some(now));
        }
        self.verdict = None;
        let judged = self.ended.take();
        if let Some((first_word, frame)) = &judged {
            self.verdict = frame.verdict;
            match frame.parsed {
                Some(_) if self.waited(first_word + 1) => self.verdict = Some(Verdict::Dropped),
                Some(parsed) => self.parsed = Some((now + 1, parsed)),
                None => {}
            }
        }
        if let Some((first_word, _)) = self.reads.take_if(|&mut (_, last_word)| last_word == now) {
            self.ended = Some((first_word, self.frames.pop_front().expect("a frame is read")));
            self.free = now + 1;
            self.begin_frame();
        }
        judged.is_some()
    }

    /// What is told of the frame that was judged in the last cycle.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}
