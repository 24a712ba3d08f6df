// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed-point rates, bytes and cycles: the types that all rooms share.
//!
//! A rate is unsigned fixed point in bytes per clock cycle, so that a token bucket adds it each cycle: 7 integer bits
//! (100 Gb/s at 125 MHz is 100) and 18 fraction bits (one step is 3.8 kb/s at 125 MHz).

/// A point in time or a span, in clock cycles.
pub type Cycles = u64;

/// The latest cycle that a bench accepts, so that no sum of a cycle and a latency wraps: 1169 years at 125 MHz.
pub const CYCLES_MAX: Cycles = 1 << 62;

/// Fraction bits of a [`Rate`].
pub const RATE_FRACTION_BITS: u32 = 18;
/// Width of a rate in hardware.
pub const RATE_BITS: u32 = 25;
/// The largest rate that fits: just under 128 bytes per cycle.
pub const RATE_MAX: u32 = (1 << RATE_BITS) - 1;
/// Width of a queue length and of what is counted in bytes or cycles between two samples.
pub const BYTES_BITS: u32 = 24;
/// Octets in one unit of the offset and delta fields of a congestion notification message.
pub const OCTETS_PER_UNIT: i32 = 64;
/// Preamble, start delimiter and inter-frame gap of one Ethernet frame, in octets.
pub const OVERHEAD_BYTES: u32 = 20;

/// A decimal number given by the user, in millionths. It is exact, so no result depends on the rounding of a decimal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Micro(pub u64);

impl Micro {
    /// A whole number.
    pub const fn whole(value: u64) -> Self {
        Micro(value * 1_000_000)
    }

    /// Reads `123`, `0.5` or `12.000001`: digits with at most six after the point.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || fraction.len() > 6 || !digits(whole) || !digits(fraction) {
            return None;
        }
        let fraction: u64 = format!("{fraction:0<6}").parse().ok()?;
        whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(fraction).map(Micro)
    }

    /// As floating point, for pictures and summaries only.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl std::fmt::Display for Micro {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, fraction) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if fraction == 0 {
            write!(formatter, "{whole}")
        } else {
            write!(formatter, "{whole}.{}", format!("{fraction:06}").trim_end_matches('0'))
        }
    }
}

/// A rate in bytes per cycle, with [`RATE_FRACTION_BITS`] fraction bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Rate(pub u32);

impl Rate {
    /// The nearest step to a rate in Mb/s at a clock in MHz; `None` where it does not fit.
    pub fn from_mbps(mbps: Micro, clock_mhz: Micro) -> Option<Rate> {
        let numerator = u128::from(mbps.0) << RATE_FRACTION_BITS;
        let denominator = 8 * u128::from(clock_mhz.0);
        if denominator == 0 {
            return None;
        }
        let steps = (numerator + denominator / 2) / denominator;
        (steps <= u128::from(RATE_MAX)).then_some(Rate(steps as u32))
    }

    /// The rate in Mb/s at a clock in MHz, to the nearest millionth.
    pub fn to_mbps(self, clock_mhz: Micro) -> Micro {
        let scaled = u128::from(self.0) * 8 * u128::from(clock_mhz.0);
        Micro(((scaled + (1 << (RATE_FRACTION_BITS - 1))) >> RATE_FRACTION_BITS) as u64)
    }
}

/// A point in time or a span in cycles, with [`RATE_FRACTION_BITS`] fraction bits: a sum of transmission times. It can
/// hold any cycle up to [`CYCLES_MAX`] and much later ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FineTime {
    whole: Cycles,
    fraction: u32,
}

/// The fraction bits of a [`FineTime`].
const FRACTION: u32 = (1 << RATE_FRACTION_BITS) - 1;

impl FineTime {
    /// The start of a cycle.
    pub fn at(cycle: Cycles) -> Self {
        FineTime { whole: cycle, fraction: 0 }
    }

    /// The time that `bytes` take at a rate, which is not 0; rounded down.
    pub fn of_bytes(bytes: u32, rate: Rate) -> Self {
        let time = (u128::from(bytes) << (2 * RATE_FRACTION_BITS)) / u128::from(rate.0);
        FineTime { whole: (time >> RATE_FRACTION_BITS) as Cycles, fraction: time as u32 & FRACTION }
    }

    /// The number of complete cycles.
    pub fn whole(self) -> Cycles {
        self.whole
    }

    /// The first cycle that begins at this time or later.
    #[inline]
    pub fn reached(self) -> Cycles {
        self.whole + Cycles::from(self.fraction > 0)
    }
}

impl std::ops::Add for FineTime {
    type Output = FineTime;

    #[inline]
    fn add(self, span: FineTime) -> FineTime {
        let fraction = self.fraction + span.fraction;
        FineTime { whole: self.whole + span.whole + Cycles::from(fraction > FRACTION), fraction: fraction & FRACTION }
    }
}

/// Writes a rate in Mb/s with exactly six decimals, as in traces.
pub struct SixDecimals(pub Micro);

impl std::fmt::Display for SixDecimals {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{:06}", self.0.0 / 1_000_000, self.0.0 % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_gigabit_at_125_mhz_is_one_byte_a_cycle() {
        let clock = Micro::whole(125);
        assert_eq!(Rate::from_mbps(Micro::whole(1000), clock), Some(Rate(1 << 18)));
        assert_eq!(Rate::from_mbps(Micro::whole(100_000), clock), Some(Rate(100 << 18)));
        assert_eq!(Rate::from_mbps(Micro::whole(128_000), clock), None);
        assert_eq!(SixDecimals(Rate(1).to_mbps(clock)).to_string(), "0.003815");
    }

    #[test]
    fn fine_time_does_not_wrap() {
        let third = FineTime::of_bytes(100, Rate(300 << RATE_FRACTION_BITS));
        assert_eq!((third.whole(), third.reached()), (0, 1));
        for cycle in [0, (1 << 46) - 1, 1 << 46, CYCLES_MAX] {
            let time = FineTime::at(cycle);
            assert_eq!((time.whole(), time.reached()), (cycle, cycle));
            assert_eq!(((time + third).whole(), (time + third).reached()), (cycle, cycle + 1));
            assert_eq!((time + FineTime::of_bytes(1500, Rate(1 << RATE_FRACTION_BITS))).whole(), cycle + 1500);
        }
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(Micro::parse("0.5"), Some(Micro(500_000)));
        assert_eq!(Micro::parse("12.000001").unwrap().to_string(), "12.000001");
        for wrong in ["", ".5", "-1", "1e3", "1.0000001", "99999999999999999999"] {
            assert_eq!(Micro::parse(wrong), None, "{wrong}");
        }
    }
}
