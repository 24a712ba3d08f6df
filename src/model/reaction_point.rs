//! A reaction point of any Ethernet scheme: what stands around its calculator.

use super::device::{Calculator, ReactionPoint, ReactionPointCycle};
use super::wire::{Address, read_frame};
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
    /// The first cycle in which the parser can take a word.
    parser_free: Cycles,
    /// The cycle of the last word of the frame that the parser is reading.
    last_word: Option<Cycles>,
    /// A frame that ended in the last cycle was ignored.
    ignored: bool,
}

/// A frame on its way to a reaction point.
struct Incoming {
    /// Arrival of its first word.
    arrival: Cycles,
    /// Words of 64 bits.
    words: Cycles,
    /// What is in it, if the parser will take it.
    feedback: Option<Feedback>,
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
            parser_free: 0,
            last_word: None,
            ignored: false,
        }
    }

    /// Lets the parser begin the next frame, if it can before its output register is empty again.
    fn begin_frame(&mut self) {
        if self.last_word.is_none()
            && self.parsed.is_none()
            && let Some(frame) = self.frames.front()
        {
            self.last_word = Some(frame.arrival.max(self.parser_free) + frame.words - 1);
        }
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        let feedback = read_frame(frame, &self.address).ok();
        self.frames.push_back(Incoming { arrival: at, words: frame.len().div_ceil(8) as Cycles, feedback });
        self.begin_frame();
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        let mut next = self.calculator.next(now);
        if let Some(last_word) = self.last_word {
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
            self.parsed = None;
            self.parser_free = now;
            self.begin_frame();
        }
        let frame = if self.last_word == Some(now) { self.frames.pop_front() } else { None };
        self.ignored = frame.as_ref().is_some_and(|frame| frame.feedback.is_none());
        if let Some(frame) = &frame {
            self.last_word = None;
            self.parser_free = now + 1;
            if let Some(feedback) = frame.feedback {
                self.parsed = Some((now + 1, feedback));
            }
            self.begin_frame();
        }
        ReactionPointCycle {
            granted: granted.is_some(),
            frame_read: frame.is_some(),
            feedback: offered.filter(|_| taken),
            rate: state.current_rate,
        }
    }

    fn ignored_frame(&mut self) -> bool {
        self.ignored
    }
}
