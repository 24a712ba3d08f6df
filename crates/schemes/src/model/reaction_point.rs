// SPDX-License-Identifier: MIT OR Apache-2.0
//! A reaction point of any Ethernet scheme: what stands around its calculator.

use super::codec::Codec;
use super::device::{Calculator, ReactionPoint, ReactionPointCycle};
use super::parser::ParserModel;
use super::wire::{Address, Verdict};
use super::{AnyCalculator, NEVER};
use crate::scheme::parameters::Parameters;
use crate::scheme::token_bucket::{Frames, TokenBucket};
use tidegate_core::units::{Cycles, Rate};

/// A reaction point around a calculator.
pub struct ModelReactionPoint<C> {
    calculator: C,
    bucket: TokenBucket,
    overhead: u32,
    parser: ParserModel,
    rate: Rate,
    /// The frame whose length was there in the last cycle: it is granted in this one, and the calculator counts it.
    granted: Option<u32>,
    /// The next cycle in which it must be called while no frame waits; it may be one that is over: then at once.
    alone: Cycles,
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// At cycle 0, with an empty bucket.
    pub fn new(calculator: C, codec: Codec, parameters: &Parameters, address: Address) -> Self {
        let mut reaction_point = ModelReactionPoint {
            calculator,
            bucket: TokenBucket::new(parameters.integer("bucket_bytes") as u32),
            overhead: parameters.overhead(),
            parser: ParserModel::new(codec, address),
            rate: parameters.rate("line_rate_mbps"),
            granted: None,
            alone: 0,
        };
        reaction_point.plan();
        reaction_point
    }
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// Finds the next cycle in which it must be called while no frame waits: the same until it is called or something
    /// reaches it.
    fn plan(&mut self) {
        let alone = self.calculator.next(0).min(self.parser.next(0).unwrap_or(NEVER));
        self.alone = if self.granted.is_some() { 0 } else { alone };
    }

    /// The next cycle, not before `now`, in which it must be called, while a frame of `bytes` waits from cycle `from`
    /// on, not before `now`. Also whether [`grant`](ModelReactionPoint::grant) can do that cycle and the next one,
    /// unless a frame is delivered before.
    #[inline]
    pub fn next_before(&self, now: Cycles, from: Cycles, bytes: u32) -> (Cycles, bool) {
        if self.alone <= from {
            return (self.alone.max(now), false);
        }
        match self.bucket.ready_at(bytes + self.overhead, self.rate).map(|ready| ready.max(from)) {
            Some(ready) => (self.alone.min(ready), ready + 1 < self.alone),
            None => (self.alone, false),
        }
    }
}

impl ModelReactionPoint<AnyCalculator> {
    /// Grants a frame of `bytes`, for which the bucket is ready in cycle `now`, in cycle `now` + 1: these two cycles
    /// are then done. Nothing but this happens in them.
    #[inline]
    pub fn grant(&mut self, now: Cycles, bytes: u32) {
        if self.calculator.sent(now + 1, bytes) {
            self.plan();
        }
        self.bucket.advance(now + 1, self.rate);
        self.bucket.take(bytes + self.overhead, self.rate);
    }

    /// Starts at another rate than line rate: before cycle 0.
    pub fn start_at(&mut self, rate: Rate) {
        self.calculator.set_rate(rate);
        self.rate = rate;
        self.plan();
    }

    /// Other values of the [`CHANGEABLE`](super::CHANGEABLE) keys from cycle `now` on.
    pub fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        self.calculator.change_parameters(now, parameters);
        self.plan();
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.parser.deliver(at, frame);
        self.plan();
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        request.map_or_else(|| self.alone.max(now), |bytes| self.next_before(now, now, bytes).0)
    }

    fn cycle(&mut self, now: Cycles, request: Option<u32>) -> ReactionPointCycle {
        self.bucket.advance(now, self.rate);
        let offered = self.parser.offered(now).map(|parsed| parsed.feedback);
        let granted = self.granted.take();
        let (taken, state) = self.calculator.cycle(now, offered.as_ref(), granted, false);
        self.rate = state.current_rate;
        match granted {
            Some(bytes) => self.bucket.take(bytes + self.overhead, self.rate),
            None => {
                let goes = |bytes: &u32| self.bucket.holds(bytes + self.overhead);
                self.granted = request.filter(goes);
            }
        }
        let frame_judged = self.parser.cycle(now, taken);
        self.plan();
        ReactionPointCycle {
            granted: granted.is_some(),
            frame_judged,
            feedback: offered.filter(|_| taken),
            rate: state.current_rate,
        }
    }

    fn verdict(&mut self) -> Option<Verdict> {
        self.parser.verdict()
    }

    fn grant_many(&mut self, frames: &Frames) -> (u64, Cycles) {
        if self.alone <= frames.from {
            return (0, 0);
        }
        let bytes = frames.bytes;
        let frames = Frames {
            bytes: bytes + self.overhead,
            before: frames.before.min(self.alone),
            most: frames.most.min(self.calculator.uneventful(bytes)),
            ..*frames
        };
        let (granted, last) = self.bucket.grant_many(&frames, self.rate);
        self.calculator.count(granted, bytes);
        (granted, last)
    }
}
