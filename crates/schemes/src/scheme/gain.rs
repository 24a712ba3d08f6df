// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gains: quotients of keys at a port of a few bits.

use super::parameters::{MEGA, Parameters};
use tidegate_core::units::RATE_FRACTION_BITS;

/// By what a decimal, in millionths, is shifted for a change of the rate: 2^-18 bytes a cycle with 16 fraction bits.
const SHIFT: u32 = RATE_FRACTION_BITS + 16;

/// A quotient, rounded to the nearest, in so many bits.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// What is divided.
    pub numerator: u128,
    /// By what; not 0.
    pub denominator: u128,
    /// Bits of the quotient, at most 32.
    pub bits: u32,
}

impl Gain {
    /// The change of the rate that a decimal key makes, in 2^-34 bytes a cycle.
    pub fn of_key(keys: &Parameters, key: &str, denominator: u128, bits: u32) -> Self {
        Gain { numerator: u128::from(keys.decimal(key).0) << SHIFT, denominator, bits }
    }

    /// The largest whole number of this key, in its unit, that surely fits.
    pub fn most_of_key(self) -> u128 {
        (self.most() >> SHIFT) / u128::from(MEGA)
    }

    fn exact(self) -> u128 {
        (self.numerator + self.denominator / 2) / self.denominator
    }

    fn largest(self) -> u128 {
        (1 << self.bits) - 1
    }

    /// Whether it fits.
    pub fn fits(self) -> bool {
        self.exact() <= self.largest()
    }

    /// The largest numerator that surely fits.
    fn most(self) -> u128 {
        self.largest() * self.denominator
    }

    /// The quotient; the largest number where it does not fit.
    pub fn value(self) -> u32 {
        self.exact().min(self.largest()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_is_rounded_and_stays_in_its_bits() {
        let gain = |numerator| Gain { numerator, denominator: 10, bits: 4 };
        for (numerator, value, fits) in [(0, 0, true), (4, 0, true), (5, 1, true), (154, 15, true), (155, 15, false)] {
            assert_eq!((gain(numerator).value(), gain(numerator).fits()), (value, fits), "{numerator}");
        }
        assert!(gain(0).most() == 150 && gain(150).fits());
        assert_eq!(Gain { numerator: u128::MAX / 2, denominator: 1, bits: 32 }.value(), u32::MAX);
    }
}
