// SPDX-License-Identifier: MIT OR Apache-2.0
//! The token bucket of the rate limiter.

use crate::units::{Cycles, RATE_FRACTION_BITS, Rate};

/// Tokens in bytes with 18 fraction bits, exact for any jump in time at a constant rate. The bucket starts empty.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    /// Below 0 between [`take`](Self::take) and the next cycle, and after a change of the depth.
    tokens: i64,
    depth: i64,
    at: Cycles,
}

impl TokenBucket {
    /// An empty bucket of `depth_bytes` (at most 16255) at the start of cycle 0.
    pub fn new(depth_bytes: u32) -> Self {
        TokenBucket { tokens: 0, depth: i64::from(depth_bytes) << RATE_FRACTION_BITS, at: 0 }
    }

    /// Another depth: what is missing in the bucket stays. A new depth that is smaller may leave less than nothing in it.
    pub fn set_depth(&mut self, depth_bytes: u32) {
        let depth = i64::from(depth_bytes) << RATE_FRACTION_BITS;
        self.tokens += depth - std::mem::replace(&mut self.depth, depth);
    }

    /// Whether the bucket holds `bytes` in the current cycle.
    #[inline]
    pub fn holds(&self, bytes: u32) -> bool {
        self.tokens >= i64::from(bytes) << RATE_FRACTION_BITS
    }

    /// Moves to the start of cycle `now`. The rate was `rate` since the last call.
    #[inline]
    pub fn advance(&mut self, now: Cycles, rate: Rate) {
        // From the lowest level, the depth is reached in fewer cycles than this at any rate above 0.
        let gained = ((now - self.at).min(1 << 34) * u64::from(rate.0)) as i64;
        self.tokens = (self.tokens + gained).min(self.depth);
        self.at = now;
    }

    /// The first cycle, not before the current one, in which the bucket holds `bytes` at this rate; `None` if its depth
    /// is less.
    #[inline]
    pub fn ready_at(&self, bytes: u32, rate: Rate) -> Option<Cycles> {
        let cost = Some(i64::from(bytes) << RATE_FRACTION_BITS).filter(|&cost| cost <= self.depth)?;
        let missing = (cost - self.tokens).max(0) as u64;
        Some(self.at + missing.div_ceil(u64::from(rate.0.max(1))))
    }

    /// Removes `bytes` in the cycle of the last [`advance`](Self::advance), in which the rate is `rate`. The bucket
    /// must hold them. A frame costs at least the rate of one cycle, so the level never rises in that cycle.
    #[inline]
    pub fn take(&mut self, bytes: u32, rate: Rate) {
        self.tokens -= (i64::from(bytes) << RATE_FRACTION_BITS).max(i64::from(rate.0));
    }
}
