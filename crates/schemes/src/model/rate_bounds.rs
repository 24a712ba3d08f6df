// SPDX-License-Identifier: MIT OR Apache-2.0
//! A rate between bounds that change.

use tidegate_core::units::{Cycles, Rate};

/// Says when a rate becomes the line rate or the minimum rate because these have changed.
///
/// A rate that is the line rate stays the line rate, whatever that becomes; a rate above it becomes the line rate, and one
/// below the minimum rate becomes that. The rate was compared in the cycle before.
#[derive(Clone, Copy, Debug)]
pub struct RateBounds {
    /// In the cycle before, the rate was the line rate or above it.
    high: bool,
    /// In the cycle before, the rate was below the minimum rate.
    low: bool,
    /// The cycle after the last one that was told.
    next: Cycles,
}

impl Default for RateBounds {
    /// After a reset: the rate is the line rate.
    fn default() -> Self {
        RateBounds { high: true, low: false, next: 0 }
    }
}

impl RateBounds {
    /// Before cycle 0, of a rate that need not be the line rate.
    pub fn of_any_rate() -> Self {
        RateBounds { high: false, ..RateBounds::default() }
    }

    /// Whether the rate is the line rate in cycle `now`, and has not just changed.
    pub fn at_line_rate(&self, now: Cycles, rate: Rate, line_rate: Rate) -> bool {
        // In cycles that were not told, nothing changed.
        if now == self.next { self.high } else { rate >= line_rate }
    }

    /// Cycle `now`, with the rate and the bounds, minimum and line rate, that are there. `free`: the rate changes at its
    /// end, or is that of a stopped source. Returns what the rate becomes, if nothing else changes it.
    pub fn cycle(&mut self, now: Cycles, rate: Rate, (min_rate, line_rate): (Rate, Rate), free: bool) -> Option<Rate> {
        let high = self.at_line_rate(now, rate, line_rate);
        let low = if now == self.next { self.low } else { rate < min_rate };
        *self = RateBounds { high: rate >= line_rate && !free, low: rate < min_rate && !free, next: now + 1 };
        match (low, high) {
            (true, _) => Some(min_rate),
            (false, true) => Some(line_rate),
            (false, false) => None,
        }
    }
}
