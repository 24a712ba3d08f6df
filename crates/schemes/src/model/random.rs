// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers of a run or of a stimulus. The same seed gives the same numbers on every machine.

/// A random source: splitmix64 (Steele 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source with this seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below 1.
    pub fn fraction(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number above 0 with an exponential distribution of this mean.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -libm::log(1.0 - self.fraction()) * mean
    }
}
