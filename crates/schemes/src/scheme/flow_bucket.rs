// SPDX-License-Identifier: MIT OR Apache-2.0
//! A token bucket that is looked at now and then: one of many flows behind one rate limiter.

use tidegate_core::units::{RATE_FRACTION_BITS, Rate};

/// Fraction bits of a level: quarters of a byte.
const LEVEL_FRACTION_BITS: u32 = 2;

/// Why a bucket is visited, as far as it matters for its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// A frame of so many bytes, with its overhead, is sent.
    Send(u32),
    /// The rate changes after this visit.
    Change,
    /// Anything else.
    Other,
}

/// The longest time for which a flow waits before it is looked at again, ticks.
pub(crate) const LONGEST_WAIT: u32 = 12 * 256;

/// Ticks of a number of 12 bits: time is counted modulo this.
const TICKS: u32 = 1 << 12;

/// What it has in common with all flows.
#[derive(Clone, Copy, Debug)]
pub struct FlowBucketParameters {
    /// Depth of the bucket, bytes.
    pub bucket_bytes: u32,
    /// Bytes added to the length of each frame.
    pub overhead_bytes: u32,
    /// Binary logarithm of the cycles of a tick.
    pub tick_bits: u32,
}

/// The bucket of a flow, without the frame that is announced: below 0, this frame waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FlowBucket {
    /// Quarters of a byte.
    level: i32,
    /// The tick from which on time counts, modulo 2^12: that of the last visit, or the next one.
    since: u32,
    /// A frame is announced.
    pub waits: bool,
}

impl FlowBucket {
    /// Ticks that count in a visit: none before the tick from which on time counts.
    pub(crate) fn elapsed(&self, tick: u32) -> u32 {
        if self.rests(tick) { 0 } else { tick.wrapping_sub(self.since) % TICKS }
    }

    /// Time counts from the next tick on.
    fn rests(&self, tick: u32) -> bool {
        self.since == (tick + 1) % TICKS
    }

    /// Adds what `rate` has brought in the ticks that count, rounded down to quarters of a byte, at most up to the depth
    /// of the bucket, less the frame that is sent. Then time counts from the begin of this tick; if the visit brings
    /// nothing, and no frame is sent, from where it did before. It counts from the next tick if the rate changes, so that
    /// no time counts at a rate that came after it; and if the bucket may have been full when its frame was sent, so that
    /// no time counts in which it was full.
    pub(crate) fn visit(&mut self, tick: u32, rate: Rate, parameters: &FlowBucketParameters, visit: Visit) {
        let quarters = |ticks: u32| {
            let gained = (u64::from(ticks) * u64::from(rate.0)) << parameters.tick_bits;
            (gained >> (RATE_FRACTION_BITS - LEVEL_FRACTION_BITS)).min(1 << 30) as i32
        };
        let gained = quarters(self.elapsed(tick));
        let sent_bytes = if let Visit::Send(bytes) = visit { bytes } else { 0 };
        let room = (parameters.bucket_bytes.saturating_sub(sent_bytes) << LEVEL_FRACTION_BITS) as i32;
        self.level = (self.level + gained).min(room);
        let next = (tick + 1) % TICKS;
        self.since = match visit {
            _ if self.rests(tick) => next,
            Visit::Change => next,
            Visit::Send(_) if self.level + quarters(1) >= room => next,
            Visit::Other if gained == 0 => self.since,
            _ => tick % TICKS,
        };
    }

    /// Subtracts a frame that is announced, with its overhead.
    pub(crate) fn announce(&mut self, cost_bytes: u32) {
        self.level -= (cost_bytes << LEVEL_FRACTION_BITS) as i32;
        self.waits = true;
    }

    /// Ticks, rounded down, until the frame that is announced may go at this rate, if it may not go yet; at most 2^12 -
    /// 1.
    pub(crate) fn missing_ticks(&self, rate: Rate, parameters: &FlowBucketParameters) -> Option<u32> {
        let missing = u64::try_from(-i64::from(self.level)).ok().filter(|&missing| missing > 0)?;
        let of_a_tick = u64::from(rate.0) << parameters.tick_bits;
        let ticks = (missing << (RATE_FRACTION_BITS - LEVEL_FRACTION_BITS)).checked_div(of_a_tick);
        Some(ticks.map_or(TICKS - 1, |ticks| ticks.min(u64::from(TICKS) - 1) as u32))
    }
}

/// The ticks for which a flow is put into a list: one more than are missing, so that its frame may go then. Between 240
/// and 256 ticks it waits 240, because a list of 256 ticks could come to its turn at once.
pub(crate) fn waiting_ticks(missing_ticks: u32) -> u32 {
    match missing_ticks + 1 {
        241..=255 => 240,
        wait => wait.min(LONGEST_WAIT),
    }
}
