//! The token bucket of the rate limiter.

use crate::units::{Cycles, Rate, RATE_FRACTION_BITS};

/// Tokens in bytes with 18 fraction bits, exact for any jump in time at a constant rate. The bucket starts empty.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    tokens: u32,
    depth: u32,
    at: Cycles,
}

impl TokenBucket {
    /// An empty bucket of `depth_bytes` (at most 16255) at the start of cycle 0.
    pub fn new(depth_bytes: u32) -> Self {
        TokenBucket { tokens: 0, depth: depth_bytes << RATE_FRACTION_BITS, at: 0 }
    }

    /// Moves to the start of cycle `now`, the rate having been `rate` since the last call.
    pub fn advance(&mut self, now: Cycles, rate: Rate) {
        let gained = u128::from(now - self.at) * u128::from(rate.0);
        self.tokens = (u128::from(self.tokens) + gained).min(u128::from(self.depth)) as u32;
        self.at = now;
    }

    /// The first cycle from now on in which `bytes` can go at `rate`; `None` if they are more than the bucket holds.
    pub fn ready_at(&self, bytes: u32, rate: Rate) -> Option<Cycles> {
        let cost = bytes.checked_mul(1 << RATE_FRACTION_BITS).filter(|&cost| cost <= self.depth)?;
        let missing = cost.saturating_sub(self.tokens);
        Some(self.at + Cycles::from(missing.div_ceil(rate.0.max(1))))
    }

    /// Takes `bytes` out in the cycle of the last [`advance`](Self::advance); they must be there.
    pub fn take(&mut self, bytes: u32) {
        self.tokens -= bytes << RATE_FRACTION_BITS;
    }
}
