// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seeded stimulus, and the patterns of idle cycles and back-pressure that every bench of a stream runs through.

use tidegate_hdl::prelude::Bits;

/// splitmix64: the same sequence for a seed on every machine.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in 0 to `bound` − 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// Uniform between two bounds, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// `true` in so many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these, each as often as the others.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// A bus of `bits`: every fourth time all zeros, all ones, the most negative, the most positive value or 1; else
    /// any number of any length.
    pub fn bus(&mut self, bits: u32) -> u64 {
        let ones = u64::MAX >> (64 - bits);
        if self.chance(25) {
            self.pick(&[0, ones, 1 << (bits - 1), ones >> 1, 1])
        } else {
            (self.word() & ones) >> self.below(u64::from(bits))
        }
    }
}

/// The cycles in which one side of a stream is active (`valid` or `ready` high).
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// In every cycle.
    Always,
    /// Active for some cycles, then inactive for some cycles; at most this number each.
    Bursts(u64),
    /// In a cycle with this probability in percent.
    Random(u64),
}

/// The patterns that every bench of a stream uses, on both sides.
pub const PATTERNS: [Pattern; 5] =
    [Pattern::Always, Pattern::Bursts(5), Pattern::Bursts(60), Pattern::Random(15), Pattern::Random(80)];

/// A running pattern.
pub struct Willing {
    pattern: Pattern,
    left: u64,
    now: bool,
}

impl Willing {
    /// In the first cycle of a pattern.
    pub fn new(pattern: Pattern) -> Self {
        Willing { pattern, left: 0, now: false }
    }

    /// Whether the pattern is active in the next cycle.
    pub fn next(&mut self, random: &mut Random) -> bool {
        match self.pattern {
            Pattern::Always => true,
            Pattern::Random(percent) => random.chance(percent),
            Pattern::Bursts(longest) => {
                if self.left == 0 {
                    self.now = !self.now;
                    self.left = random.between(1, longest);
                }
                self.left -= 1;
                self.now
            }
        }
    }
}

/// A bus as a number.
pub fn value<const N: usize>(bits: Bits<N>) -> u64 {
    bits.into()
}

/// A signed number as a bus of `bits`.
pub fn twos_complement(number: i32, bits: u32) -> u64 {
    number as u64 & (u64::MAX >> (64 - bits))
}
