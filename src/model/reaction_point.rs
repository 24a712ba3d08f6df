//! A reaction point of any Ethernet scheme: what stands around its calculator.

use super::device::{Calculator, ReactionPoint, ReactionPointCycle};
use super::parser::ParserModel;
use super::wire::{Address, Verdict};
use super::{AnyCalculator, Fields};
use crate::scheme::parameters::Parameters;
use crate::scheme::token_bucket::TokenBucket;
use crate::units::{Cycles, Rate};

/// A reaction point around a calculator.
pub struct ModelReactionPoint<C> {
    calculator: C,
    bucket: TokenBucket,
    overhead: u32,
    parser: ParserModel,
    rate: Rate,
    /// The frame whose length was there in the last cycle: it is granted in this one, and the calculator counts it.
    granted: Option<u32>,
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// At cycle 0, with an empty bucket.
    pub fn new(calculator: C, parameters: &Parameters, address: Address) -> Self {
        ModelReactionPoint {
            calculator,
            bucket: TokenBucket::new(parameters.integer("bucket_bytes") as u32),
            overhead: parameters.overhead(),
            parser: ParserModel::new(address),
            rate: parameters.rate("line_rate_mbps"),
            granted: None,
        }
    }
}

impl<C: Calculator> ModelReactionPoint<C> {
    /// The next cycle, not before `now`, in which it must be called while no frame waits.
    #[inline]
    fn next_alone(&self, now: Cycles) -> Cycles {
        let mut next = self.calculator.next(now);
        if let Some(parser) = self.parser.next(now) {
            next = next.min(parser);
        }
        if self.granted.is_some() {
            next = next.min(now);
        }
        next
    }

    /// The same where a frame of `bytes` waits from cycle `from` on. Also whether [`grant`](Self::grant) can do that
    /// cycle and the next one, unless a frame is delivered before.
    #[inline]
    pub fn next_before(&self, now: Cycles, from: Cycles, bytes: u32) -> (Cycles, bool) {
        let alone = self.next_alone(now);
        if alone <= from {
            return (alone, false);
        }
        match self.bucket.ready_at(bytes + self.overhead, self.rate) {
            Some(ready) => (alone.min(ready.max(from)), ready.max(from) + 1 < alone),
            None => (alone, false),
        }
    }

    /// Grants a frame of `bytes`, for which the bucket is ready in cycle `now`, in cycle `now` + 1: these two cycles
    /// are then done. Nothing but this happens in them.
    #[inline]
    pub fn grant(&mut self, now: Cycles, bytes: u32) {
        self.calculator.sent(now + 1, bytes);
        self.bucket.advance(now + 1, self.rate);
        self.bucket.take(bytes + self.overhead, self.rate);
    }
}

impl ModelReactionPoint<AnyCalculator> {
    /// Starts at another rate than line rate: before cycle 0.
    pub fn start_at(&mut self, rate: Rate) {
        self.calculator.set_rate(rate);
        self.rate = rate;
    }

    /// Other values of the [`CHANGEABLE`](super::CHANGEABLE) keys from cycle `now` on.
    pub fn set_parameters(&mut self, now: Cycles, parameters: &Parameters) {
        self.calculator.set_parameters(now, parameters);
    }
}

impl<C: Calculator> ReactionPoint for ModelReactionPoint<C> {
    fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.parser.deliver(at, frame);
    }

    fn next(&self, now: Cycles, request: Option<u32>) -> Cycles {
        request.map_or_else(|| self.next_alone(now), |bytes| self.next_before(now, now, bytes).0)
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
        ReactionPointCycle {
            granted: granted.is_some(),
            frame_judged: self.parser.cycle(now, taken),
            feedback: offered.as_ref().filter(|_| taken).map(Fields::of),
            rate: state.current_rate,
        }
    }

    fn verdict(&mut self) -> Option<Verdict> {
        self.parser.verdict()
    }
}
