//! Parameter keys: names with units, defaults by profile, ranges, and what does not go together.

use crate::units::{Cycles, Micro, Rate, BYTES_BITS, OVERHEAD_BYTES, RATE_FRACTION_BITS};
use std::collections::BTreeMap;

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A whole number between two bounds.
    Integer(u64, u64),
    /// A decimal between two bounds, given in millionths, at most six digits after the point.
    Decimal(u64, u64),
    /// `true` or `false`.
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// Four shares of a whole, as `1/8,1/64,1/16,1/2`.
    Shares,
}

/// A share of a whole: numerator and denominator.
pub type Share = (u16, u16);

fn parse_shares(text: &str) -> Option<[Share; 4]> {
    let share = |text: &str| {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let share: Share = (numerator.parse().ok()?, denominator.parse().ok()?);
        (share.1 > 0 && share.0 <= share.1).then_some(share)
    };
    text.split(',').map(share).collect::<Option<Vec<_>>>()?.try_into().ok()
}

impl Kind {
    fn expected(&self) -> String {
        match self {
            Kind::Integer(least, most) => format!("a whole number from {least} to {most}"),
            Kind::Decimal(least, most) => {
                format!("a number from {} to {} with at most six decimals", Micro(*least), Micro(*most))
            }
            Kind::Flag => "true or false".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Shares => "four shares between 0 and 1, as 1/8,1/64,1/16,1/2".into(),
        }
    }

    fn parse(&self, text: &str) -> Option<Value> {
        match *self {
            Kind::Integer(least, most) => {
                text.parse().ok().filter(|value| (least..=most).contains(value)).map(Value::Integer)
            }
            Kind::Decimal(least, most) => {
                Micro::parse(text).filter(|value| (least..=most).contains(&value.0)).map(Value::Decimal)
            }
            Kind::Flag => text.parse().ok().map(Value::Flag),
            Kind::Choice(words) => words.iter().find(|&&word| word == text).map(|&word| Value::Choice(word)),
            Kind::Shares => parse_shares(text).map(Value::Shares),
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// Its name, with its unit.
    pub key: &'static str,
    /// What it may be.
    pub kind: Kind,
    /// Default of the papers' profile.
    pub default: &'static str,
    /// Default of the 802.1Q profile, where it differs.
    pub default_8021q: Option<&'static str>,
    /// What it means, one line.
    pub meaning: &'static str,
    /// Values with which much happens in few cycles, for random stimulus; none: those of its range.
    pub lively: &'static [&'static str],
    /// Another value makes other modules, and not only other values at their ports.
    pub makes_modules: bool,
}

impl Specification {
    /// One whose value makes other modules.
    pub const fn making_modules(mut self) -> Self {
        self.makes_modules = true;
        self
    }

    /// With these lively values.
    pub const fn lively(mut self, values: &'static [&'static str]) -> Self {
        self.lively = values;
        self
    }
}

/// A value of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of [`Kind::Integer`].
    Integer(u64),
    /// Of [`Kind::Decimal`].
    Decimal(Micro),
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Choice`].
    Choice(&'static str),
    /// Of [`Kind::Shares`].
    Shares([Share; 4]),
}

impl std::fmt::Display for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Integer(value) => value.fmt(formatter),
            Value::Decimal(value) => value.fmt(formatter),
            Value::Flag(value) => value.fmt(formatter),
            Value::Choice(value) => value.fmt(formatter),
            Value::Shares(shares) => {
                shares.map(|(numerator, denominator)| format!("{numerator}/{denominator}")).join(",").fmt(formatter)
            }
        }
    }
}

/// A key: its name, what it may be, its default, that of the 802.1Q profile where it differs, its meaning.
pub const fn key(
    key: &'static str,
    kind: Kind,
    default: &'static str,
    default_8021q: Option<&'static str>,
    meaning: &'static str,
) -> Specification {
    Specification { key, kind, default, default_8021q, meaning, lively: &[], makes_modules: false }
}

/// A million: decimals are given in millionths.
pub const MEGA: u64 = 1_000_000;
/// Most that 24 bits hold with 50 % of jitter on top.
pub const INTERVAL_MAX: u64 = 1 << (BYTES_BITS - 1);

/// Least cycles between samples by time: far more than the pipeline that draws the next interval.
const PERIOD_MIN: u64 = 16;

/// The keys that every Ethernet scheme has.
pub const ETHERNET: &[Specification] = &[
    key("clock_mhz", Kind::Decimal(MEGA, 1000 * MEGA), "125", None, "core clock"),
    key("line_rate_mbps", Kind::Decimal(MEGA, 400_000 * MEGA), "1000", None, "rate of the link"),
    key("min_rate_mbps", Kind::Decimal(1, 400_000 * MEGA), "10", Some("5"), "smallest rate of a reaction point"),
    key("q0_bytes", Kind::Integer(64, 1 << 23), "65536", Some("26000"), "target queue length"),
    key("w", Kind::Integer(0, 63), "2", None, "weight of the queue's change"),
    key(
        "sample_mode",
        Kind::Choice(&["packets", "bytes", "time"]),
        "packets",
        Some("bytes"),
        "what sampling intervals count",
    ),
    key(
        "sample_packets",
        Kind::Integer(1, INTERVAL_MAX),
        "100",
        None,
        "packets between samples, 1/p; in mode time: that many at line rate",
    ),
    key(
        "sample_bytes",
        Kind::Integer(64, INTERVAL_MAX),
        "150000",
        None,
        "bytes between samples at the lowest congestion",
    ),
    key("sample_jitter_percent", Kind::Integer(0, 50), "15", None, "interval drawn uniformly within ± this"),
    key("seed", Kind::Integer(1, 65535), "1", None, "of every random choice"),
    key(
        "include_overhead",
        Kind::Flag,
        "false",
        Some("true"),
        "preamble and gap, 20 bytes a frame, count towards a rate",
    ),
    key("bucket_bytes", Kind::Integer(128, 16255), "1542", None, "depth of the rate limiter's bucket"),
    key("cpid_bits", Kind::Integer(0, 64), "64", None, "how much of the CPID a reaction point stores and compares"),
];

/// The keys of the benches.
pub const BENCH: &[Specification] = &[
    key("flows", Kind::Integer(1, 1_000_000), "3", None, "sources with a reaction point"),
    key("packet_bytes", Kind::Integer(60, 16255), "1024", None, "length of every data frame"),
    key("buffer_bytes", Kind::Integer(1024, 1 << 23), "131072", None, "what the output queue holds; more is dropped"),
    key("background_mbps", Kind::Decimal(0, 400_000 * MEGA), "0", None, "rate of a source that nobody controls"),
    key("propagation_cycles", Kind::Integer(0, 10_000_000), "0", None, "delay of each link"),
];

/// A setting that cannot be: which key, and why, with what to do.
#[derive(Debug, PartialEq)]
pub struct ParameterError {
    /// The key at fault.
    pub key: String,
    /// What was expected.
    pub reason: String,
}

impl ParameterError {
    /// A key, and what was expected of it.
    pub fn new(key: &str, reason: impl Into<String>) -> Self {
        ParameterError { key: key.into(), reason: reason.into() }
    }
}

impl std::fmt::Display for ParameterError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "parameter `{}`: {}", self.key, self.reason)
    }
}

impl std::error::Error for ParameterError {}

/// A complete, checked set of parameters of one scheme.
#[derive(Clone, Debug)]
pub struct Parameters {
    values: BTreeMap<&'static str, Value>,
    changed: Vec<&'static str>,
}

impl Parameters {
    /// The defaults of the chosen profile, then the settings in order; all of it checked, but for what only the scheme knows.
    pub fn new(
        scheme: &str,
        specifications: impl Iterator<Item = Specification> + Clone,
        settings: &[(String, String)],
    ) -> Result<Self, ParameterError> {
        let find = |name: &str| specifications.clone().find(|specification| specification.key == name);
        let mut chosen = BTreeMap::new();
        let mut changed = Vec::new();
        for (name, text) in settings {
            let specification = find(name).ok_or_else(|| ParameterError {
                key: name.clone(),
                reason: format!(
                    "{scheme} has no such parameter; it has {}",
                    specifications.clone().map(|known| known.key).collect::<Vec<_>>().join(", ")
                ),
            })?;
            let value = specification.kind.parse(text).ok_or_else(|| ParameterError {
                key: name.clone(),
                reason: format!("`{text}` will not do: expected {}", specification.kind.expected()),
            })?;
            chosen.insert(specification.key, value);
            changed.push(specification.key);
        }
        let follows_8021q = chosen.get("profile") == Some(&Value::Choice("8021q"));
        let values = specifications
            .map(|specification| {
                let default = specification.default_8021q.filter(|_| follows_8021q).unwrap_or(specification.default);
                let value = chosen.get(specification.key).copied();
                let value =
                    value.unwrap_or_else(|| specification.kind.parse(default).expect("a default is in its range"));
                (specification.key, value)
            })
            .collect();
        let parameters = Parameters { values, changed };
        parameters.check()?;
        Ok(parameters)
    }

    /// What no single range can say.
    fn check(&self) -> Result<(), ParameterError> {
        if !self.has("min_rate_mbps") {
            return Ok(()); // no rates in bytes a cycle, no dumbbell
        }
        let fail = |key: &str, reason: String| Err(ParameterError::new(key, reason));
        let clock = self.decimal("clock_mhz");
        let line_rate = self.fitting_rate("line_rate_mbps")?;
        let min_rate = self.fitting_rate("min_rate_mbps")?;
        if line_rate.0 == 0 {
            return fail("line_rate_mbps", format!("expected at least {} Mb/s at this clock", Rate(1).to_mbps(clock)));
        }
        if min_rate.0 == 0 {
            return fail(
                "min_rate_mbps",
                format!("expected at least {} Mb/s: a smaller rate is 0 in hardware", Rate(1).to_mbps(clock)),
            );
        }
        if min_rate > line_rate {
            return fail(
                "min_rate_mbps",
                format!("expected at most the line rate, {} Mb/s", self.decimal("line_rate_mbps")),
            );
        }
        if self.has("flows") {
            if self.choice("sample_mode") == "time" && !(PERIOD_MIN..=INTERVAL_MAX).contains(&self.sample_period()) {
                return fail(
                    "sample_packets",
                    format!(
                        "the sampling period is {} cycles: expected {PERIOD_MIN} to {INTERVAL_MAX}",
                        self.sample_period()
                    ),
                );
            }
            let frame = self.integer("packet_bytes") + u64::from(self.overhead());
            if frame > self.integer("bucket_bytes") {
                return fail("bucket_bytes", format!("expected at least one frame with its overhead, {frame} bytes"));
            }
            if self.integer("packet_bytes") > self.integer("buffer_bytes") {
                return fail(
                    "buffer_bytes",
                    format!("expected at least one packet, {} bytes", self.integer("packet_bytes")),
                );
            }
            if self.fitting_rate("background_mbps")? > line_rate {
                return fail("background_mbps", "expected at most the line rate".into());
            }
        }
        Ok(())
    }

    /// A key in Mb/s as a rate at the core clock, if it fits.
    pub fn fitting_rate(&self, key: &'static str) -> Result<Rate, ParameterError> {
        let clock = self.decimal("clock_mhz");
        Rate::from_mbps(self.decimal(key), clock).ok_or_else(|| {
            let most = clock.0 as u128 * 1024 / 1_000_000;
            ParameterError::new(key, format!("expected less than {most} Mb/s: 128 bytes a cycle at {clock} MHz"))
        })
    }

    /// Whether the scheme has this key.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// Every key with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.values.iter().map(|(&key, &value)| (key, value))
    }

    /// The keys that were set, in their order.
    pub fn changed(&self) -> &[&'static str] {
        &self.changed
    }

    fn value(&self, key: &str) -> Value {
        *self.values.get(key).unwrap_or_else(|| panic!("no parameter `{key}` here: a mistake of the caller"))
    }

    /// The value of a whole number.
    pub fn integer(&self, key: &str) -> u64 {
        match self.value(key) {
            Value::Integer(value) => value,
            other => panic!("`{key}` is not a whole number but {other}"),
        }
    }

    /// The value of a decimal.
    pub fn decimal(&self, key: &str) -> Micro {
        match self.value(key) {
            Value::Decimal(value) => value,
            other => panic!("`{key}` is not a decimal but {other}"),
        }
    }

    /// The value of a switch.
    pub fn flag(&self, key: &str) -> bool {
        match self.value(key) {
            Value::Flag(value) => value,
            other => panic!("`{key}` is not a flag but {other}"),
        }
    }

    /// The value of a choice.
    pub fn choice(&self, key: &str) -> &'static str {
        match self.value(key) {
            Value::Choice(value) => value,
            other => panic!("`{key}` is not a choice but {other}"),
        }
    }

    /// The value of four shares.
    pub fn shares(&self, key: &str) -> [Share; 4] {
        match self.value(key) {
            Value::Shares(value) => value,
            other => panic!("`{key}` is not a list of shares but {other}"),
        }
    }

    /// A key in Mb/s as a rate at the core clock; checked to fit.
    pub fn rate(&self, key: &str) -> Rate {
        Rate::from_mbps(self.decimal(key), self.decimal("clock_mhz")).expect("checked when the parameters were made")
    }

    /// A key in µs as clock cycles, rounded to the nearest.
    pub fn cycles(&self, key: &str) -> Cycles {
        let product = u128::from(self.decimal(key).0) * u128::from(self.decimal("clock_mhz").0);
        ((product + 500_000_000_000) / 1_000_000_000_000) as Cycles
    }

    /// q0·(2w + 1) in bytes, which QCN and BCN quantise to 63.
    pub fn feedback_full_scale(&self) -> u64 {
        self.integer("q0_bytes") * (2 * self.integer("w") + 1)
    }

    /// The bits of the CPID that a reaction point stores and compares.
    pub fn cpid_mask(&self) -> u64 {
        match self.integer("cpid_bits") {
            0 => 0,
            bits => u64::MAX >> (64 - bits),
        }
    }

    /// What a frame costs on top of its length.
    pub fn overhead(&self) -> u32 {
        if self.flag("include_overhead") {
            OVERHEAD_BYTES
        } else {
            0
        }
    }

    /// Sampling period of mode `time` in cycles: `sample_packets` packets at line rate.
    pub fn sample_period(&self) -> Cycles {
        let packet = self.integer("packet_bytes") + u64::from(self.overhead());
        let bytes = u128::from(self.integer("sample_packets") * packet) << RATE_FRACTION_BITS;
        (bytes / u128::from(self.rate("line_rate_mbps").0)).min(u128::from(u64::MAX)) as Cycles
    }
}
