//! A token bucket that is looked at now and then: one of many flows behind one rate limiter.

use crate::units::{RATE_FRACTION_BITS, Rate};

/// Fraction bits of a level: quarters of a byte.
const LEVEL_FRACTION_BITS: u32 = 2;

/// The longest time for which a flow waits before it is looked at again, ticks.
pub const LONGEST_WAIT: u32 = 12 * 256;

/// Ticks of a number of 12 bits: the time since the last visit is counted modulo this.
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
pub struct FlowBucket {
    /// Quarters of a byte.
    level: i32,
    /// Tick of the last visit, modulo 2^12.
    visited: u32,
    /// A frame is announced.
    pub waits: bool,
}

impl FlowBucket {
    /// Ticks since the last visit, modulo 2^12.
    pub fn elapsed(&self, tick: u32) -> u32 {
        tick.wrapping_sub(self.visited) % TICKS
    }

    /// Adds what `rate` has brought since the last visit, rounded down to quarters of a byte, at most up to the depth of
    /// the bucket without the frames that are still in it, `reserved_bytes`. If this is nothing, the time goes on to
    /// count from the last visit, unless the rate changes.
    pub fn visit(
        &mut self,
        tick: u32,
        rate: Rate,
        parameters: &FlowBucketParameters,
        reserved_bytes: u32,
        changes: bool,
    ) {
        let gained = (u64::from(self.elapsed(tick)) * u64::from(rate.0)) << parameters.tick_bits;
        let quarters = (gained >> (RATE_FRACTION_BITS - LEVEL_FRACTION_BITS)).min(1 << 30) as i32;
        let room = parameters.bucket_bytes.saturating_sub(reserved_bytes);
        self.level = (self.level + quarters).min((room << LEVEL_FRACTION_BITS) as i32);
        if quarters > 0 || changes {
            self.visited = tick % TICKS;
        }
    }

    /// Subtracts a frame that is announced, with its overhead.
    pub fn announce(&mut self, cost_bytes: u32) {
        self.level -= (cost_bytes << LEVEL_FRACTION_BITS) as i32;
        self.waits = true;
    }

    /// Ticks, rounded down, until the frame that is announced may go at this rate, if it may not go yet; at most 2^12 -
    /// 1.
    pub fn missing_ticks(&self, rate: Rate, parameters: &FlowBucketParameters) -> Option<u32> {
        let missing = u64::try_from(-i64::from(self.level)).ok().filter(|&missing| missing > 0)?;
        let of_a_tick = u64::from(rate.0) << parameters.tick_bits;
        let ticks = (missing << (RATE_FRACTION_BITS - LEVEL_FRACTION_BITS)).checked_div(of_a_tick);
        Some(ticks.map_or(TICKS - 1, |ticks| ticks.min(u64::from(TICKS) - 1) as u32))
    }
}

/// The ticks for which a flow is put into a list: one more than are missing, so that its frame may go then. Between 240
/// and 256 ticks it waits 240, because a list of 256 ticks could come to its turn at once.
pub fn waiting_ticks(missing_ticks: u32) -> u32 {
    match missing_ticks + 1 {
        241..=255 => 240,
        wait => wait.min(LONGEST_WAIT),
    }
}
