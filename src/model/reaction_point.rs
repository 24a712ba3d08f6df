//! A reaction point of any Ethernet scheme: what stands around its calculator.

use super::Fields;
use super::device::{Calculator, ReactionPoint, ReactionPointCycle};
use super::wire::{Address, Verdict, read_frame, verdict};
use crate::scheme::Feedback;
use crate::scheme::parameters::Parameters;
use crate::scheme::token_bucket::TokenBucket;
use crate::units::{Cycles, Rate};
use std::collections::VecDeque;

/// A reaction point around a calculator.
pub struct ModelReactionPoint<C> {
    calculator: C,
    bucket: TokenBucket,
    overhead: u32,
    address: Address,
    rate: Rate,
    /// The frame whose length was there in the last cycle: it is granted in this one, and the calculator counts it.
    granted: Option<u32>,
    /// Frames on their way.
    frames: VecDeque<Incoming>,
    /// The parser's output register: from which cycle, what.
    parsed: Option<(Cycles, Feedback)>,
    /// The cycle in which the calculator took the last feedback.
    taken: Option<Cycles>,
    /// The first cycle behind the last word of the last frame.
    parser_free: Cycles,
    /// The cycles of the first and of the last word of the frame that the parser is reading.
    reads: Option<(Cycles, Cycles)>,
    /// Of the frame that ended in the last cycle.
    verdict: Option<Verdict>,
}

/// A frame on its way to a reaction point.
struct Incoming {
    /// Arrival of its first word.
    arrival: Cycles,
    /// Words of 64 bits.
    words: Cycles,
    /// What is in it, if the parser takes it.
    feedback: Option<Feedback>,
    /// What the parser tells of it, unless it drops it.
    verdict: Option<Verdict>,
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// At cycle 0, with an empty bucket.
    pub fn new(calculator: C, parameters: &Parameters, address: Address) -> Self {
        ModelReactionPoint {
            calculator,
            bucket: TokenBucket::new(parameters.integer("bucket_bytes") as u32),
            overhead: parameters.overhead(),
            address,
            rate: parameters.rate("line_rate_mbps"),
            granted: None,
            // Of a million reaction points few have a frame on its way.
            frames: VecDeque::new(),
            parsed: None,
            taken: None,
            parser_free: 0,
            reads: None,
            verdict: None,
        }
    }

    /// Lets the parser begin the next frame.
    fn begin_frame(&mut self) {
        if self.reads.is_none()
            && let Some(frame) = self.frames.front()
        {
            let first = frame.arrival.max(self.parser_free);
            self.reads = Some((first, first + frame.words - 1));
        }
    }

    /// Whether a feedback waited in a cycle, and was not taken in it. Since then, no frame has ended.
    fn waited(&self, cycle: Cycles) -> bool {
        self.parsed.is_some() || self.taken.is_some_and(|taken| taken > cycle)
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.frames.push_back(Incoming {
            arrival: at,
            words: frame.len().div_ceil(8) as Cycles,
            feedback: read_frame(frame, &self.address).ok(),
            verdict: verdict(frame, &self.address, false),
        });
        self.begin_frame();
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        let mut next = self.calculator.next(now);
        if let Some((_, last_word)) = self.reads {
            next = next.min(last_word.max(now));
        }
        if self.parsed.is_some() || self.granted.is_some() {
            next = next.min(now);
        }
        if let Some(bytes) = request
            && let Some(ready) = self.bucket.ready_at(bytes + self.overhead, self.rate)
        {
            next = next.min(ready.max(now));
        }
        next
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        self.bucket.advance(now, self.rate);
        let offered = self.parsed.filter(|&(from, _)| from <= now).map(|(_, feedback)| feedback);
        let granted = self.granted.take();
        let (taken, state) = self.calculator.cycle(now, offered.as_ref(), granted, false);
        self.rate = state.current_rate;
        match granted {
            Some(bytes) => self.bucket.take(bytes + self.overhead, self.rate),
            None => {
                let goes = |bytes: &u32| self.bucket.ready_at(bytes + self.overhead, self.rate) == Some(now);
                self.granted = request.filter(goes);
            }
        }
        if taken {
            (self.parsed, self.taken) = (None, Some(now));
        }
        self.verdict = None;
        let ended = self.reads.filter(|&(_, last_word)| last_word == now);
        if let Some((first_word, _)) = ended {
            let frame = self.frames.pop_front().expect("a frame is read");
            self.verdict = frame.verdict;
            match frame.feedback {
                Some(_) if self.waited(first_word + 1) => self.verdict = Some(Verdict::Dropped),
                Some(feedback) => self.parsed = Some((now + 1, feedback)),
                None => {}
            }
            (self.reads, self.parser_free) = (None, now + 1);
            self.begin_frame();
        }
        ReactionPointCycle {
            granted: granted.is_some(),
            frame_read: ended.is_some(),
            feedback: offered.as_ref().filter(|_| taken).map(Fields::of),
            rate: state.current_rate,
        }
    }

    fn verdict(&mut self) -> Option<Verdict> {
        self.verdict
    }
}
