// SPDX-License-Identifier: MIT OR Apache-2.0
//! Seeded random numbers, and patterns for `valid` and `ready` of a stream.

use tidegate_schemes::model::random;

/// Random values of ports.
#[derive(Clone, Debug)]
pub struct Random(random::Random);

impl Random {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Random(random::Random::new(seed))
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0.number()
    }

    /// Uniform in 0 to `bound` − 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// Uniform between two bounds, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        match (most - least).checked_add(1) {
            Some(span) => least + self.below(span),
            None => self.word(),
        }
    }

    /// True with this probability in percent.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of some values.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// A bus of 1 to 32 bits at an edge: all zeros, all ones, the most negative, the most positive value, 1.
    pub fn edge(&mut self, bits: usize) -> u32 {
        let ones = u32::MAX >> (32 - bits);
        self.pick(&[0, ones, 1 << (bits - 1), ones >> 1, 1 & ones])
    }

    /// Any number of any length on a bus of 1 to 32 bits.
    pub fn bus(&mut self, bits: usize) -> u32 {
        let ones = u32::MAX >> (32 - bits);
        (self.word() as u32 & ones) >> self.below(bits as u64)
    }

    /// A value in a range: one of its ends, a uniform value, or a value on a logarithmic scale from its lower end.
    pub fn in_range(&mut self, least: u64, most: u64) -> u64 {
        match self.below(8) {
            0 => least,
            1 => most,
            2 | 3 => self.between(least, most),
            _ => {
                let shift = self.below(64);
                let above = self.word() >> shift;
                least + (most - least).checked_add(1).map_or(above, |span| above % span)
            }
        }
    }
}

/// The cycles in which one side of a stream is active (`valid` or `ready` high).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// In every cycle.
    Always,
    /// In no cycle.
    Never,
    /// Active for some cycles, then inactive for some cycles; at most this number each.
    Bursts(u64),
    /// In each cycle with this probability in percent.
    Random(u64),
}

/// The patterns of idle and of back-pressure that a phase draws from.
pub const PATTERNS: [Pattern; 7] = [
    Pattern::Always,
    Pattern::Always,
    Pattern::Bursts(5),
    Pattern::Bursts(60),
    Pattern::Random(2),
    Pattern::Random(15),
    Pattern::Random(80),
];

/// A running pattern.
#[derive(Clone, Debug)]
pub struct Willing {
    pattern: Pattern,
    left: u64,
    now: bool,
}

impl Willing {
    /// At the beginning of a pattern.
    pub fn new(pattern: Pattern) -> Self {
        Willing { pattern, left: 0, now: false }
    }

    /// Whether the pattern is active in the next cycle.
    pub fn next(&mut self, random: &mut Random) -> bool {
        match self.pattern {
            Pattern::Always => true,
            Pattern::Never => false,
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
