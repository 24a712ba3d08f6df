// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which values a parameter takes at its port, in which unit, and its name in IEEE 802.1Q: the row that stands with a parameter
//! in the tables of the schemes ([`ports`](super::ports)).

use super::parameters::{INTERVAL_MAX, Parameters, cycles_of};
use tidegate_core::units::{BYTES_BITS, Micro, RATE_MAX, Rate};

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest.
    pub least: u64,
    /// The largest.
    pub most: u64,
    /// 0 is taken too: it switches something off.
    pub zero: bool,
    /// Bits that must be 0.
    pub clear: u64,
}

impl Bounds {
    /// The values from one to another.
    pub const fn of(least: u64, most: u64) -> Self {
        Bounds { least, most, zero: false, clear: 0 }
    }

    /// Those that fit so many bits.
    pub const fn bits(bits: usize) -> Self {
        Bounds::of(0, u64::MAX >> (64 - bits))
    }

    /// 0 is taken too.
    pub(crate) const fn or_zero(self) -> Self {
        Bounds { zero: true, ..self }
    }

    /// These bits must be 0.
    pub(crate) const fn clear(self, clear: u64) -> Self {
        Bounds { clear, ..self }
    }

    /// Whether a value is taken.
    pub fn take(self, value: u64) -> bool {
        value & self.clear == 0 && ((self.least..=self.most).contains(&value) || self.zero && value == 0)
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.zero {
            write!(formatter, "0 or ")?;
        }
        match (self.least, self.most) {
            (least, most) if least == most => write!(formatter, "{least}")?,
            (least, most) if most > u64::from(u32::MAX) => write!(formatter, "{least} to {most:#x}")?,
            (least, most) => write!(formatter, "{least} to {most}")?,
        }
        if self.clear != 0 {
            write!(formatter, "; bits {:#x} are 0", self.clear)?;
        }
        Ok(())
    }
}

/// A term of a rule: a factor, a port, and whether its lowest bit is left out, which halves it in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Factor.
    pub factor: u64,
    /// Port.
    pub port: &'static str,
    /// Without bit 0.
    pub even: bool,
}

/// A condition between parameters: the sum on the left is at most the sum on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The sum that must not be larger.
    pub left: &'static [Term],
    /// The other sum.
    pub right: &'static [Term],
    /// A number that is added to it.
    pub more: u64,
    /// The rule in words.
    pub meaning: &'static str,
}

impl Rule {
    /// Whether these values of the ports agree with it.
    pub fn holds(&self, value: &dyn Fn(&str) -> u64) -> bool {
        let sum = |terms: &[Term]| -> u64 {
            terms.iter().map(|term| term.factor * (value(term.port) & if term.even { !1 } else { !0 })).sum()
        };
        sum(self.left) <= sum(self.right) + self.more
    }

    /// The ports of both sides.
    pub fn ports(&self) -> impl Iterator<Item = &'static str> {
        self.left.iter().chain(self.right).map(|term| term.port)
    }
}

/// One time a port.
pub(crate) const fn one(port: &'static str) -> Term {
    Term { factor: 1, port, even: false }
}

/// The largest number of bytes, packets or cycles at a port.
pub(crate) const LONGEST: u64 = (1 << BYTES_BITS) - 1;

/// The rule that the longest interval fits.
macro_rules! fits {
    ($low:literal, $span:literal) => {
        $crate::scheme::bounds::Rule {
            left: &[$crate::scheme::bounds::one($low), $crate::scheme::bounds::one($span)],
            right: &[],
            more: $crate::scheme::bounds::LONGEST,
            meaning: concat!($low, " + ", $span, " fits 24 bits"),
        }
    };
}
pub(crate) use fits;

/// Unit of a rate.
pub(crate) const RATE: &str = "2^-18 bytes a cycle";

/// Which values a port takes.
#[derive(Clone, Copy)]
enum Legal {
    /// Nobody has said it.
    Unsaid,
    /// The part was made for one value.
    Made,
    /// The same ones with all keys.
    Within(Bounds),
    /// Those of a key that is a whole number.
    Key(&'static str),
    /// Those of a key in Mb/s, at least so many steps.
    Rate(&'static str, u64),
    /// Those of a key in µs, at most so many cycles.
    Cycles(&'static str, u64),
    /// Those of a key that is a switch.
    Flag(&'static str),
    /// What follows from the keys.
    Of(fn(&Parameters) -> Bounds),
}

/// What there is to say of a parameter at its port, besides its value.
#[derive(Clone, Copy)]
pub struct Row {
    legal: Legal,
    /// Unit; empty if it has none.
    pub unit: &'static str,
    /// The names in IEEE 802.1Q of its ports, if they hold what the standard calls so, perhaps in another unit: those of the objects of
    /// IEEE8021-CN-MIB without `ieee8021Cn`.
    names: &'static [&'static str],
    /// How many times so many cycles the circuit measures at most, with these keys; 0 if it is no time.
    pub timer: fn(&Parameters) -> u64,
}

impl Row {
    const fn new(legal: Legal, unit: &'static str) -> Row {
        Row { legal, unit, names: &[], timer: |_| 0 }
    }

    /// Of a field that is a struct with rows of its own.
    pub(crate) const OF_FIELDS: Row = Row::new(Legal::Unsaid, "");

    /// The part is made for one value, so that it cannot be written.
    pub(crate) const MADE: Row = Row::new(Legal::Made, "");

    /// Of one bit.
    pub(crate) const BIT: Row = Row::within(Bounds::bits(1));

    /// The switch of a key.
    pub(crate) const fn flag(key: &'static str) -> Row {
        Row::new(Legal::Flag(key), "")
    }

    /// A number within bounds.
    pub(crate) const fn within(bounds: Bounds) -> Row {
        Row::new(Legal::Within(bounds), "")
    }

    /// A number from `least` to `most`.
    pub(crate) const fn between(least: u64, most: u64) -> Row {
        Row::within(Bounds::of(least, most))
    }

    /// The whole number of a key.
    pub(crate) const fn key(key: &'static str) -> Row {
        Row::new(Legal::Key(key), "")
    }

    /// The rate of a key in Mb/s, at least so many steps. A rate that a port cannot hold is refused for every clock.
    pub(crate) const fn rate(key: &'static str, least: u64) -> Row {
        Row::new(Legal::Rate(key, least), RATE)
    }

    /// The time of a key in µs as cycles, at most so many.
    pub(crate) const fn cycles(key: &'static str, most: u64) -> Row {
        Row::new(Legal::Cycles(key, most), "cycles")
    }

    /// A number whose bounds follow from the keys.
    pub(crate) const fn of(bounds: fn(&Parameters) -> Bounds) -> Row {
        Row::new(Legal::Of(bounds), "")
    }

    /// In a unit.
    pub(crate) const fn unit(self, unit: &'static str) -> Row {
        Row { unit, ..self }
    }

    /// With the names of its ports in IEEE 802.1Q: of a random interval, of the shortest one and of the difference to the longest.
    pub(crate) const fn named(self, names: &'static [&'static str]) -> Row {
        Row { names, ..self }
    }

    /// The circuit measures so many times this time, in cycles.
    pub(crate) const fn timer(self, times: fn(&Parameters) -> u64) -> Row {
        Row { timer: times, ..self }
    }

    /// The row of the shortest of a random interval, and of the difference to the longest.
    pub(crate) fn of_interval(self) -> (Row, Row) {
        let (low, span) = self.names.split_at(self.names.len() / 2);
        (self.named(low), Row::between(0, INTERVAL_MAX).unit(self.unit).named(span).timer(self.timer))
    }

    /// Whether its value is that of one key, so that nothing else computes it.
    pub(crate) const fn follows_from_a_key(&self) -> bool {
        matches!(self.legal, Legal::Key(_) | Legal::Rate(..) | Legal::Cycles(..) | Legal::Flag(_))
    }

    /// The value that follows from its key.
    ///
    /// # Panics
    /// It does [not](Self::follows_from_a_key) follow from one.
    pub(crate) fn number(self, keys: &Parameters) -> u64 {
        match self.legal {
            Legal::Key(key) => keys.integer(key),
            Legal::Rate(key, _) => keys.rate(key).0.into(),
            Legal::Cycles(key, most) => keys.cycles(key).min(most),
            Legal::Flag(key) => keys.flag(key).into(),
            Legal::Unsaid | Legal::Made | Legal::Within(_) | Legal::Of(_) => panic!("a parameter without a key"),
        }
    }

    /// Its name in IEEE 802.1Q.
    pub fn name_8021q(self) -> Option<&'static str> {
        self.names.first().copied()
    }

    /// The values that it takes with these keys; `None`: it cannot be written.
    ///
    /// # Panics
    /// The field has no row: a mistake in its table.
    pub fn bounds(self, parameters: &Parameters) -> Option<Bounds> {
        let clock = || parameters.decimal("clock_mhz");
        Some(match self.legal {
            Legal::Unsaid => panic!("a parameter without a row in its table"),
            Legal::Made => return None,
            Legal::Within(bounds) => bounds,
            Legal::Flag(_) => Bounds::bits(1),
            Legal::Key(key) => {
                let (least, most) = parameters.range(key);
                Bounds::of(least, most)
            }
            Legal::Rate(key, smallest) => {
                let (least, most) = parameters.range(key);
                let steps =
                    |mbps| Rate::from_mbps(Micro(mbps), clock()).map_or(u64::from(RATE_MAX), |rate| rate.0.into());
                Bounds::of(steps(least).max(smallest), steps(most))
            }
            Legal::Cycles(key, longest) => {
                let (least, most) = parameters.range(key);
                let cycles = |time: u64| cycles_of(Micro(time), clock());
                Bounds::of(cycles(least), cycles(most).min(longest))
            }
            Legal::Of(bounds) => bounds(parameters),
        })
    }
}
