// SPDX-License-Identifier: MIT OR Apache-2.0
//! The token bucket of the rate limiter.

use tidegate_core::units::{Cycles, RATE_FRACTION_BITS, Rate};

/// Tokens in bytes with 18 fraction bits, exact for any jump in time at a constant rate. The bucket starts empty.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    /// Below 0 between [`take`](Self::take) and the next cycle, and after a change of the depth.
    tokens: i64,
    depth: i64,
    at: Cycles,
}

/// Frames that wait, each as soon as the link is free.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// Length of each, with its overhead.
    pub bytes: u32,
    /// The cycle from which on the first one waits.
    pub from: Cycles,
    /// Cycles from a grant to the cycle in which the link is free again.
    pub busy: Cycles,
    /// Frames are granted before this cycle.
    pub before: Cycles,
    /// Most frames.
    pub most: u64,
}

impl TokenBucket {
    /// An empty bucket of `depth_bytes` (at most 16224) at the start of cycle 0.
    pub fn new(depth_bytes: u32) -> Self {
        TokenBucket { tokens: 0, depth: i64::from(depth_bytes) << RATE_FRACTION_BITS, at: 0 }
    }

    /// Another depth: what is missing in the bucket stays. A new depth that is smaller may leave less than nothing in it.
    pub(crate) fn set_depth(&mut self, depth_bytes: u32) {
        let depth = i64::from(depth_bytes) << RATE_FRACTION_BITS;
        self.tokens += depth - std::mem::replace(&mut self.depth, depth);
    }

    /// Whether the bucket holds `bytes` in the current cycle.
    #[inline]
    pub(crate) fn holds(&self, bytes: u32) -> bool {
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

    /// Grants frames of one length, one after the other, at a constant rate, as if each of them were granted by itself: the
    /// bucket must be ready, and the frame is taken in the cycle after it. Returns how many were granted, and the cycle in
    /// which the last one was taken.
    pub(crate) fn grant_many(&mut self, frames: &Frames, rate: Rate) -> (u64, Cycles) {
        let (rate_, busy) = (i128::from(rate.0), i128::from(frames.busy));
        let cost = i128::from(frames.bytes) << RATE_FRACTION_BITS;
        // What a frame removes.
        let removed = cost.max(rate_);
        let (mut granted, depth) = (0, i128::from(self.depth));
        let first = self.ready_at(frames.bytes, rate).map(|ready| ready.max(frames.from) + 1);
        let Some(first) = first.filter(|first| *first < frames.before && frames.most > 0 && rate.0 > 0) else {
            return (0, self.at);
        };
        self.advance(first, rate);
        self.take(frames.bytes, rate);
        granted += 1;
        // From here on, all frames are alike: `level` is what is left after a frame, and `room` the cycles that there still are.
        let mut level = i128::from(self.tokens);
        let mut room = i128::from(frames.before - 1 - first);
        // What the level changes with a frame that waits for the link only, and the last time that the bucket was full.
        let change = rate_ * (busy + 1) - removed;
        let mut full: Option<(u64, i128)> = None;
        while granted < frames.most {
            let most = i128::from(frames.most - granted);
            let wait = ((cost - level).max(0) + rate_ - 1) / rate_;
            let gap = wait.max(busy) + 1;
            if gap > room {
                break;
            }
            let overflows = level + rate_ * gap > depth;
            let (count, cycles);
            if wait <= busy && !overflows {
                // Frames that wait for the link only, until the bucket is full or has too little.
                let further = match change {
                    0 => most,
                    1.. => (depth - rate_ * (busy + 1) - level) / change,
                    _ => (level - (cost - rate_ * busy)) / -change,
                };
                count = (further + 1).min(most).min(room / gap);
                cycles = count * gap;
                level += count * change;
            } else if change <= 0 && removed == cost && depth >= cost + 2 * rate_ {
                // Frames that wait for the bucket: it never fills, and after a frame less than two cycles are left in it.
                count = (((room - 1) * rate_ + level) / cost).min(most);
                cycles = (count * cost - level + rate_ - 1) / rate_ + 1;
                level += rate_ * cycles - count * cost;
            } else {
                let before = level;
                level = (level + rate_ * gap).min(depth) - removed;
                let mut times = 1;
                if level == before {
                    // It stays so.
                    times = most.min(room / gap);
                }
                (count, cycles) = (times, times * gap);
            }
            granted += count as u64;
            room -= cycles;
            if overflows {
                // From one full bucket to the next, all comes again.
                if let Some((then, left)) = full.replace((granted, room)) {
                    let (period, length) = (granted - then, left - room);
                    let times = ((frames.most - granted) / period).min((room / length) as u64);
                    granted += times * period;
                    room -= i128::from(times) * length;
                    full = None;
                }
            }
        }
        self.tokens = level as i64;
        self.at = frames.before - 1 - room as u64;
        (granted, self.at)
    }

    /// Removes `bytes` in the cycle of the last [`advance`](Self::advance), in which the rate is `rate`. The bucket
    /// must hold them. A frame costs at least the rate of one cycle, so the level never rises in that cycle.
    #[inline]
    pub fn take(&mut self, bytes: u32, rate: Rate) {
        self.tokens -= (i64::from(bytes) << RATE_FRACTION_BITS).max(i64::from(rate.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, frame by frame.
    fn one_by_one(bucket: &mut TokenBucket, frames: &Frames, rate: Rate) -> (u64, Cycles) {
        let (mut granted, mut free) = (0, frames.from);
        while granted < frames.most {
            let Some(ready) = bucket.ready_at(frames.bytes, rate).map(|ready| ready.max(free)) else { break };
            if ready + 1 >= frames.before || rate.0 == 0 {
                break;
            }
            bucket.advance(ready + 1, rate);
            bucket.take(frames.bytes, rate);
            free = ready + 1 + frames.busy;
            granted += 1;
        }
        (granted, bucket.at)
    }

    /// Rates from the least to more than a frame a cycle, buckets from one frame to many, links that are faster or slower.
    #[test]
    fn many_grants_at_once_are_the_same_as_one_by_one() {
        let mut state = 1u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let (mut all, mut longest) = (0, 0);
        for _ in 0..20_000 {
            let bytes = 1 + random(1600) as u32;
            let cost = u64::from(bytes) << RATE_FRACTION_BITS;
            let room = [0, 1, 2, random(40) as u32, random(3000) as u32];
            let depth = bytes + room[random(5) as usize];
            let mut bucket = TokenBucket::new(depth);
            let busy = 1 + random(3000);
            let rate = match random(6) {
                0 => 1 + random(1 << 25),
                1 => 1 + random(1 << 14),
                // A frame in about as many cycles as the link needs.
                2 => (cost / (busy + 1)).saturating_sub(1) + random(3),
                3 => (cost / (busy + 1)).saturating_sub(100) + random(200),
                4 => cost + random(9),
                _ => (1 << 18) + random(3),
            };
            let rate = Rate(rate.clamp(1, (1 << 25) - 1) as u32);
            bucket.advance(random(5000), rate);
            let (times, wait) = (random(4), random(5000));
            let from = bucket.at + times * wait;
            let most = if random(2) == 0 { u64::MAX } else { random(300) };
            let bits = random(22);
            let frames = Frames { bytes, from, busy, before: from + random(1 << bits), most };
            let mut other = bucket.clone();
            let expected = one_by_one(&mut other, &frames, rate);
            let found = bucket.grant_many(&frames, rate);
            assert_eq!((found, bucket.tokens), (expected, other.tokens), "{frames:?}, {rate:?}, depth {depth}");
            all += found.0;
            longest = longest.max(found.0);
        }
        assert!(all > 1_000_000 && longest > 1000, "only {all} frames, at most {longest} at once");
    }

    /// Years in no time.
    #[test]
    fn a_long_pause_takes_few_steps() {
        for (rate, depth) in [(1 << 18, 1542), (1, 16224), ((1 << 18) - 1, 1044), (100_003, 1024), (262_143, 1025)] {
            let mut bucket = TokenBucket::new(depth);
            let frames = Frames { bytes: 1024, from: 0, busy: 1024, before: 1 << 58, most: u64::MAX };
            let (granted, last) = bucket.grant_many(&frames, Rate(rate));
            assert!(granted > 1 << 28 && last >= (1 << 58) - (2 << 28), "{granted} {last}");
        }
    }
}
