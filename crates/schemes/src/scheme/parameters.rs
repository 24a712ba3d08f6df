// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameter keys: names with units, defaults by profile, ranges, and combinations that are refused.

use super::rate_levels;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tidegate_core::error::{quoted, suggestion};
use tidegate_core::units::{BYTES_BITS, Cycles, Micro, OVERHEAD_BYTES, RATE_FRACTION_BITS, RATE_MAX, Rate};

/// The kind of a value.
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
    /// An individual MAC address, as `02:00:00:00:01:00`.
    Mac,
    /// A congestion point identifier of 64 bits, as `0x0200000001000001`, or `auto`: computed from `cp_mac`.
    Cpid,
}

/// A share of a whole: numerator and denominator.
pub(crate) type Share = (u16, u16);

fn parse_shares(text: &str) -> Option<[Share; 4]> {
    let share = |text: &str| {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let share: Share = (numerator.parse().ok()?, denominator.parse().ok()?);
        (share.1 > 0 && share.0 <= share.1).then_some(share)
    };
    text.split(',').map(share).collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// Octets in hexadecimal with a colon or a hyphen between two of them.
fn parse_octets(text: &str, count: usize) -> Option<u64> {
    let separator = if text.contains('-') { '-' } else { ':' };
    let octets: Vec<&str> = text.split(separator).collect();
    let hexadecimal = |octet: &&str| octet.len() == 2 && octet.bytes().all(|digit| digit.is_ascii_hexdigit());
    if octets.len() != count || !octets.iter().all(hexadecimal) {
        return None;
    }
    octets.iter().try_fold(0, |value, octet| Some(value << 8 | u64::from_str_radix(octet, 16).ok()?))
}

fn parse_cpid(text: &str) -> Option<Option<u64>> {
    if text == "auto" {
        return Some(None);
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = Some(digits).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        return u64::from_str_radix(digits, 16).ok().map(Some);
    }
    parse_octets(text, 8).map(Some)
}

/// This bit of the first octet is set in a group address.
const GROUP_ADDRESS: u64 = 1 << 40;

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
            Kind::Mac => "the address of one station, as 02:00:00:00:01:00".into(),
            Kind::Cpid => "64 bits, as 0x0200000001000001 or 02:00:00:00:01:00:00:01, or auto".into(),
        }
    }

    /// The reason why a text is refused.
    fn refuse(&self, text: &str) -> String {
        let text_shown = quoted(text);
        match self {
            Kind::Choice(words) => {
                let hint = suggestion(text, words.iter().copied());
                format!("{text_shown} is not one of its values: expected {}{hint}", self.expected())
            }
            Kind::Integer(..) if text.parse::<i128>().is_ok() => {
                format!("{text_shown} is out of range: expected {}", self.expected())
            }
            Kind::Decimal(..) if text.parse::<f64>().is_ok_and(f64::is_finite) => {
                format!("{text_shown} is out of range: expected {}", self.expected())
            }
            _ => format!("{text_shown} cannot be read: expected {}", self.expected()),
        }
    }

    /// Reads a value; `None` if the text is refused.
    pub fn parse(&self, text: &str) -> Option<Value> {
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
            Kind::Mac => parse_octets(text, 6).filter(|mac| mac & GROUP_ADDRESS == 0 && *mac != 0).map(Value::Mac),
            Kind::Cpid => parse_cpid(text).map(Value::Cpid),
        }
    }
}

/// One key.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    /// Its name, with its unit.
    pub key: &'static str,
    /// The kind of its values.
    pub kind: Kind,
    /// Default in the profile of the papers.
    pub default: &'static str,
    /// Default in the 802.1Q profile, if that differs.
    pub default_8021q: Option<&'static str>,
    /// Its meaning, in one line.
    pub meaning: &'static str,
    /// Values for random stimulus with which many events occur in few cycles; if empty, values of its whole range.
    pub lively: &'static [&'static str],
    /// The same for a circuit of many flows; if empty, those of one flow.
    pub lively_of_flows: &'static [&'static str],
    /// The circuits themselves depend on its value, not only the values at their ports.
    pub makes_modules: bool,
    /// Where the default comes from, for an experiment that does not state the key: of a key that no paper has.
    pub default_from: Option<&'static str>,
}

impl Specification {
    /// Sets another default for the 802.1Q profile.
    pub(crate) const fn in_8021q(mut self, default: &'static str) -> Self {
        self.default_8021q = Some(default);
        self
    }

    /// Its default in a profile. QCN's pseudo code v2.3, as Jiang 2014 and Cheng simulate it, has the reaction point of
    /// 802.1Q, and the rest as in the papers.
    pub fn default_in(&self, profile: &str) -> &'static str {
        let follows_8021q = match profile {
            "8021q" => true,
            "pseudo_code" => ETHERNET.iter().all(|shared| shared.key != self.key),
            _ => false,
        };
        self.default_8021q.filter(|_| follows_8021q).unwrap_or(self.default)
    }

    /// Marks a key on whose value the circuits depend.
    pub(crate) const fn making_modules(mut self) -> Self {
        self.makes_modules = true;
        self
    }

    /// Says where the default comes from, as a scenario file does.
    pub(crate) const fn from(mut self, from: &'static str) -> Self {
        self.default_from = Some(from);
        self
    }

    /// Its unit, from the end of its name; empty if it has none.
    pub fn unit(&self) -> &'static str {
        const UNITS: [(&str, &str); 9] = [
            ("_mhz", "MHz"),
            ("_mbps", "Mb/s"),
            ("_khz", "kHz"),
            ("_us", "µs"),
            ("_bytes", "bytes"),
            ("_packets", "packets"),
            ("_percent", "%"),
            ("_bits", "bits"),
            ("_cycles", "cycles"),
        ];
        if self.key == "fast_recovery_cycles" {
            return ""; // a count of byte cycles and timer periods, not of clock cycles
        }
        UNITS.iter().find(|(ending, _)| self.key.ends_with(ending)).map_or("", |(_, unit)| unit)
    }

    /// Sets the values for random stimulus.
    pub(crate) const fn lively(mut self, values: &'static [&'static str]) -> Self {
        self.lively = values;
        self
    }

    /// Sets those for a circuit of many flows.
    pub(crate) const fn lively_of_flows(mut self, values: &'static [&'static str]) -> Self {
        self.lively_of_flows = values;
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
    /// Of [`Kind::Mac`].
    Mac(u64),
    /// Of [`Kind::Cpid`]; `None` is `auto`.
    Cpid(Option<u64>),
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
            Value::Mac(address) => {
                let [_, _, octets @ ..] = address.to_be_bytes();
                octets.map(|octet| format!("{octet:02x}")).join(":").fmt(formatter)
            }
            Value::Cpid(Some(cpid)) => write!(formatter, "{cpid:#018x}"),
            Value::Cpid(None) => formatter.write_str("auto"),
        }
    }
}

/// A key: its name, the kind of its values, its default in all profiles, its meaning.
pub const fn key(key: &'static str, kind: Kind, default: &'static str, meaning: &'static str) -> Specification {
    Specification {
        key,
        kind,
        default,
        default_8021q: None,
        meaning,
        lively: &[],
        lively_of_flows: &[],
        makes_modules: false,
        default_from: None,
    }
}

/// Where a default comes from of which nothing else is said.
pub const DEFAULT: &str = "default of the scheme";

/// A million: decimals are given in millionths.
pub(crate) const MEGA: u64 = 1_000_000;
/// Largest value for which the interval with 50 % of jitter fits 24 bits.
pub(crate) const INTERVAL_MAX: u64 = 1 << (BYTES_BITS - 1);

/// Least number of cycles between samples by time: much longer than the pipeline that computes the next interval.
const PERIOD_MIN: u64 = 16;

/// The keys that every Ethernet scheme has.
pub const ETHERNET: &[Specification] = &[
    key("clock_mhz", Kind::Decimal(MEGA, 1000 * MEGA), "125", "core clock"),
    key("line_rate_mbps", Kind::Decimal(MEGA, 400_000 * MEGA), "1000", "rate of the link")
        .lively(&["1000", "10000", "40000", "127999"]),
    key("min_rate_mbps", Kind::Decimal(1, 400_000 * MEGA), "10", "smallest rate of a reaction point")
        .in_8021q("5")
        .lively(&["0.004", "10", "100", "500", "990"]),
    key("q0_bytes", Kind::Integer(64, 1 << 23), "65536", "target queue length")
        .in_8021q("26000")
        .lively(&["64", "1000", "26000", "65536", "500000"]),
    key("w", Kind::Integer(0, 63), "2", "weight of the change of the queue length")
        .lively(&["0", "1", "2", "8", "63"]),
    key("sample_mode", Kind::Choice(&["packets", "bytes", "time"]), "packets", "what a sampling interval counts")
        .in_8021q("bytes"),
    key(
        "sample_packets",
        Kind::Integer(1, INTERVAL_MAX),
        "100",
        "packets between two samples, 1/p; with sample_mode=time, the time of so many packets at line rate",
    )
    .lively(&["1", "1", "2", "3", "5", "20"]),
    key("sample_bytes", Kind::Integer(64, INTERVAL_MAX), "150000", "bytes between two samples at the lowest congestion")
        .lively(&["64", "200", "1500", "5000", "20000"]),
    key(
        "sample_jitter_percent",
        Kind::Integer(0, 50),
        "15",
        "each sampling interval is random: its mean, plus or minus at most this share",
    )
    .lively(&["0", "1", "15", "50"]),
    key("seed", Kind::Integer(1, 65535), "1", "seed of every random choice"),
    key("include_overhead", Kind::Flag, "false", "preamble and gap, 20 bytes a frame, count towards a rate")
        .in_8021q("true")
        .lively(&["true", "false"]),
    key(
        "cp_queues",
        Kind::Choice(&["1", "2", "4", "8", "16", "32", "64"]),
        "1",
        "output queues that one congestion point serves, each with a CPID of its own: cpid plus the number of the queue",
    )
    .making_modules(),
    // A frame of 1,514 octets, its overhead, two ticks of a reaction point for several flows at 1 Gb/s and 125 MHz, and 20 octets for
    // the time of its visits: the least with which one of its flows reaches the line rate on each bus.
    // The level below the depth has 14 bits without a sign, of which the highest 128 values mean a full bucket. A frame may cost 31
    // bytes more than the bucket holds, if `overhead_bytes` rises in the cycle of its grant.
    key("bucket_bytes", Kind::Integer(128, 16224), "1618", "depth of the token bucket of the rate limiter")
        .lively(&["1618", "9022", "16224"]),
    key("cp_mac", Kind::Mac, "02:00:00:00:01:00", "address of the congestion point: source of its frames"),
    key(
        "cpid",
        Kind::Cpid,
        "auto",
        "identifier of the congestion point, each of a network has its own; auto: cp_mac followed by 0001, or by 0000 if \
         cp_queues is not 1",
    ),
    key(
        "rp_mac",
        Kind::Mac,
        "02:00:00:00:10:00",
        "address of the reaction point; in sim dumbbell of the first one, and the others follow it",
    ),
    key(
        "allowed_cpid",
        Kind::Cpid,
        "auto",
        "the congestion point whose feedback a reaction point obeys; auto: that of any",
    ),
    key(
        "allowed_cpid_mask",
        Kind::Cpid,
        "auto",
        "bits of allowed_cpid that are compared; auto: all, or none with allowed_cpid=auto",
    ),
    key(
        "cpid_bits",
        Kind::Choice(&["0", "16", "64"]),
        "64",
        "how much of the CPID a reaction point stores and compares: nothing, a digest of 16 bits, all of it",
    )
    .lively(&["0", "16", "16", "64", "64"]),
    key(
        "rp_flows",
        Kind::Choice(&["1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096"]),
        "1",
        "flows that one reaction point serves",
    )
    .making_modules(),
    key(
        "flow_from",
        Kind::Choice(&["address", "tag"]),
        "address",
        "with rp_flows: where a feedback frame has the number of its flow, in the low bits of its destination address, or in \
         its CN-TAG",
    ),
];

/// The keys of parts that serve many queues or flows.
pub const OF_MANY: [&str; 3] = ["cp_queues", "rp_flows", "flow_from"];

/// The keys of the benches.
pub const BENCH: &[Specification] = &[
    key(
        "flows",
        Kind::Integer(1, 1_000_000),
        "3",
        "sources, each with a reaction point and a link of its own; with rp_flows that many, behind one reaction point and \
         one link",
    ),
    key(
        "bottleneck_mbps",
        Kind::Decimal(0, 400_000 * MEGA),
        "0",
        "rate at which the output queue drains; 0: line rate, with rp_flows three quarters of it, because one link fills no \
         queue that drains as fast",
    ),
    key("packet_bytes", Kind::Integer(60, 16224), "1024", "length of every data frame").lively(&["60", "300", "1024"]),
    key(
        "buffer_bytes",
        Kind::Integer(1024, 1 << 23),
        "131072",
        "capacity of the output queue; a packet that does not fit is dropped",
    ),
    key(
        "tx_fifo_bytes",
        Kind::Integer(0, 1 << 20),
        "0",
        "FIFO behind the output queue, whose packets the length of the queue does not count; 0 = none; 4096 as in a NetFPGA-1G \
         (tx_queue), because no paper says where the length is read",
    )
    .from("choice: no paper says where the length of the queue is read"),
    key("background_mbps", Kind::Decimal(0, 400_000 * MEGA), "0", "rate of a source without a reaction point"),
    key("propagation_cycles", Kind::Integer(0, 10_000_000), "0", "delay of each link"),
];

/// A setting that is refused: the key, the reason, and what to do.
#[derive(Debug, PartialEq)]
pub struct ParameterError {
    /// The key.
    pub key: String,
    /// What was expected.
    pub reason: String,
}

impl ParameterError {
    /// An error about a key, with what was expected.
    pub(crate) fn new(key: &str, reason: impl Into<String>) -> Self {
        ParameterError { key: key.into(), reason: reason.into() }
    }
}

impl std::fmt::Display for ParameterError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "parameter `{}`: {}", self.key, self.reason)
    }
}

impl std::error::Error for ParameterError {}

/// A complete, checked set of parameters of one scheme. It remembers which keys were read.
#[derive(Clone, Debug)]
pub struct Parameters {
    values: BTreeMap<&'static str, Entry>,
    changed: Vec<&'static str>,
}

#[derive(Debug)]
struct Entry {
    kind: Kind,
    value: Value,
    default_from: Option<&'static str>,
    read: AtomicBool,
}

impl Clone for Entry {
    fn clone(&self) -> Self {
        Entry {
            kind: self.kind,
            value: self.value,
            default_from: self.default_from,
            read: AtomicBool::new(self.read.load(Ordering::Relaxed)),
        }
    }
}

/// A time in µs as clock cycles, rounded to the nearest.
pub fn cycles_of(time_us: Micro, clock_mhz: Micro) -> Cycles {
    let product = u128::from(time_us.0) * u128::from(clock_mhz.0);
    ((product + 500_000_000_000) / 1_000_000_000_000) as Cycles
}

impl Parameters {
    /// The defaults of the chosen profile, then the settings in their order. All is checked, except the rules of the
    /// scheme itself.
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
                    "{scheme} has no such parameter{}; `tidegate schemes {scheme}` lists what it has",
                    suggestion(name, specifications.clone().map(|known| known.key))
                ),
            })?;
            let value = specification
                .kind
                .parse(text)
                .ok_or_else(|| ParameterError { key: name.clone(), reason: specification.kind.refuse(text) })?;
            chosen.insert(specification.key, value);
            changed.push(specification.key);
        }
        let profile = match chosen.get("profile") {
            Some(Value::Choice(profile)) => profile,
            _ => "",
        };
        let values = specifications
            .map(|specification| {
                let default = specification.default_in(profile);
                let value = chosen.get(specification.key).copied();
                let value =
                    value.unwrap_or_else(|| specification.kind.parse(default).expect("a default is in its range"));
                let Specification { kind, default_from, .. } = specification;
                (specification.key, Entry { kind, value, default_from, read: AtomicBool::new(false) })
            })
            .collect();
        let parameters = Parameters { values, changed };
        parameters.check()?;
        Ok(parameters)
    }

    /// Checks the rules that concern more than one key.
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
        rate_levels::check(self)?;
        if self.flow_from_tag() && self.rp_flows() == 1 {
            return fail("flow_from", "expected `address`: with rp_flows=1 there is one flow".into());
        }
        if !self.flow_from_tag() && self.mac("rp_mac") & (self.rp_flows() - 1) != 0 {
            let bits = self.rp_flows().ilog2();
            return fail("rp_mac", format!("expected an address whose low {bits} bits are 0: they number the flow"));
        }
        if let (None, Some(1..)) = (self.cpid_value("allowed_cpid"), self.cpid_value("allowed_cpid_mask")) {
            return fail("allowed_cpid_mask", "expected allowed_cpid too: its bits are compared with it".into());
        }
        let queues = self.cp_queues();
        if self.cpid() & (queues - 1) != 0 {
            return fail("cpid", format!("expected a multiple of {queues}: queue i has the identifier cpid + i"));
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
            // The uncontrolled source has the address after those of the flows.
            let last = self.mac("rp_mac") + self.sources();
            if last & GROUP_ADDRESS != 0 || (self.mac("rp_mac")..=last).contains(&self.mac("cp_mac")) {
                return fail(
                    "rp_mac",
                    "the addresses of the flows follow it: expected no group address and not cp_mac among them".into(),
                );
            }
            let background = self.fitting_rate("background_mbps")?;
            if background > line_rate {
                return fail("background_mbps", "expected at most the line rate".into());
            }
            self.fitting_rate("bottleneck_mbps")?;
            let bottleneck = self.bottleneck();
            if bottleneck > line_rate {
                return fail("bottleneck_mbps", "expected at most the line rate".into());
            }
            if bottleneck.0 == 0 {
                return fail("bottleneck_mbps", format!("expected at least {} Mb/s, or 0", Rate(1).to_mbps(clock)));
            }
            if self.rp_flows() > 1 && bottleneck == line_rate && background.0 == 0 {
                return fail(
                    "bottleneck_mbps",
                    "the one link of a reaction point of many flows fills no queue that drains as fast: expected less than \
                     the line rate, or a background_mbps"
                        .into(),
                );
            }
        }
        Ok(())
    }

    /// A key in Mb/s as a rate at the core clock; an error if it does not fit.
    pub(crate) fn fitting_rate(&self, key: &'static str) -> Result<Rate, ParameterError> {
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

    /// Every key with its value. This does not count as a read.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        self.values.iter().map(|(&key, entry)| (key, entry.value))
    }

    /// Where the default of a key comes from. This does not count as a read.
    pub fn default_from(&self, key: &str) -> &'static str {
        self.values.get(key).and_then(|entry| entry.default_from).unwrap_or(DEFAULT)
    }

    /// The smallest and the largest value of a key: of a whole number, or of a decimal in millionths. This does not count as
    /// a read.
    pub(crate) fn range(&self, key: &str) -> (u64, u64) {
        match self.values.get(key).map(|entry| entry.kind) {
            Some(Kind::Integer(least, most) | Kind::Decimal(least, most)) => (least, most),
            other => panic!("`{key}` has no bounds: {other:?}"),
        }
    }

    /// Clears the marks of the keys that were read, because the checks of a new set read all of them.
    pub fn forget_reads(&mut self) {
        self.values.values_mut().for_each(|entry| *entry.read.get_mut() = false);
    }

    /// An error if a key was set but not read since then: the setting would have no effect. Call it after all keys were
    /// read and before the work; `reader` is the command, for example `sim cp`.
    ///
    /// # Errors
    /// The first key that was set and not read.
    pub fn refuse_unread(&self, reader: &str) -> Result<(), ParameterError> {
        match self.unread().next() {
            None => Ok(()),
            Some(key) => Err(ParameterError::new(
                key,
                format!("it has no effect: `{reader}` does not read it with these settings; leave it out"),
            )),
        }
    }

    /// The keys that were set but not read since then, in their order.
    pub fn unread(&self) -> impl Iterator<Item = &'static str> + '_ {
        // The profile always has an effect: it selects the defaults.
        let unread = |key: &&str| *key != "profile" && !self.values[*key].read.load(Ordering::Relaxed);
        self.changed.iter().copied().filter(unread)
    }

    /// Whether a key was read since then.
    pub fn was_read(&self, key: &str) -> bool {
        self.values.get(key).is_some_and(|value| value.read.load(Ordering::Relaxed))
    }

    fn value(&self, key: &str) -> Value {
        let entry =
            self.values.get(key).unwrap_or_else(|| panic!("no parameter `{key}` here: a mistake of the caller"));
        entry.read.store(true, Ordering::Relaxed);
        entry.value
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
    pub(crate) fn shares(&self, key: &str) -> [Share; 4] {
        match self.value(key) {
            Value::Shares(value) => value,
            other => panic!("`{key}` is not a list of shares but {other}"),
        }
    }

    /// The value of an address.
    pub fn mac(&self, key: &str) -> u64 {
        match self.value(key) {
            Value::Mac(address) => address,
            other => panic!("`{key}` is not an address but {other}"),
        }
    }

    /// The identifier of the congestion point; `auto` is its address and, in the low 16 bits, 1, as 802.1Q builds it
    /// from an address and the index of a port. Of many queues that of queue 0: its low bits are 0.
    pub fn cpid(&self) -> u64 {
        match self.cpid_value("cpid") {
            Some(cpid) => cpid,
            // This does not count as a read: only a circuit depends on the number of queues.
            None if self.values["cp_queues"].value != Value::Choice("1") => self.mac("cp_mac") << 16,
            None => self.mac("cp_mac") << 16 | 1,
        }
    }

    /// The value of an identifier; `None` is `auto`.
    fn cpid_value(&self, key: &str) -> Option<u64> {
        match self.value(key) {
            Value::Cpid(value) => value,
            other => panic!("`{key}` is not an identifier but {other}"),
        }
    }

    /// The congestion point that a reaction point obeys, and the bits of it that are compared.
    pub(crate) fn allowed_cpid(&self) -> (u64, u64) {
        let (cpid, mask) = (self.cpid_value("allowed_cpid"), self.cpid_value("allowed_cpid_mask"));
        (cpid.unwrap_or(0), mask.unwrap_or(if cpid.is_some() { u64::MAX } else { 0 }))
    }

    /// Number of output queues of one congestion point: a power of two.
    pub(crate) fn cp_queues(&self) -> u64 {
        self.choice("cp_queues").parse().expect("one of the choices")
    }

    /// Address of the reaction point of a flow.
    pub fn rp_mac(&self, flow: u32) -> u64 {
        self.mac("rp_mac") + u64::from(flow)
    }

    /// How many flows a reaction point serves.
    pub fn rp_flows(&self) -> u64 {
        self.choice("rp_flows").parse().expect("a number")
    }

    /// Whether the CN-TAG of a feedback numbers its flow, and not its destination address.
    pub fn flow_from_tag(&self) -> bool {
        self.choice("flow_from") == "tag"
    }

    /// The seed of one of several random sources: spread over 1 to 65535. Distinct for up to 65535 indices; those that
    /// are 65535 apart share a seed. With so many flows some therefore jitter alike; that does not make them move
    /// together, because they start at other times and get other feedback.
    pub fn seed_of(&self, index: u32) -> u16 {
        ((self.integer("seed") - 1 + 7919 * u64::from(index)) % 65535 + 1) as u16
    }

    /// How many sources with a reaction point the dumbbell has: all flows of one that serves many, or `flows`.
    pub fn sources(&self) -> u64 {
        match self.rp_flows() {
            1 => self.integer("flows"),
            flows => flows,
        }
    }

    /// The rate at which the queue of the dumbbell drains.
    pub fn bottleneck(&self) -> Rate {
        let Micro(line_rate) = self.decimal("line_rate_mbps");
        let mbps = match (self.decimal("bottleneck_mbps"), self.rp_flows()) {
            (Micro(0), 1) => Micro(line_rate),
            (Micro(0), _) => Micro(line_rate - line_rate / 4),
            (set, _) => set,
        };
        self.nearest_rate(mbps)
    }

    /// A key in Mb/s as a rate at the core clock: the largest one where it does not fit, which [`fitting_rate`](Self::fitting_rate)
    /// refuses.
    pub fn rate(&self, key: &str) -> Rate {
        self.nearest_rate(self.decimal(key))
    }

    fn nearest_rate(&self, mbps: Micro) -> Rate {
        Rate::from_mbps(mbps, self.decimal("clock_mhz")).unwrap_or(Rate(RATE_MAX))
    }

    /// A key in µs as clock cycles, rounded to the nearest.
    pub(crate) fn cycles(&self, key: &str) -> Cycles {
        cycles_of(self.decimal(key), self.decimal("clock_mhz"))
    }

    /// q0·(2w + 1) in bytes, which QCN and BCN quantise to 63.
    pub fn feedback_full_scale(&self) -> u64 {
        self.integer("q0_bytes") * (2 * self.integer("w") + 1)
    }

    /// The bytes that a frame costs in addition to its length.
    pub fn overhead(&self) -> u32 {
        if self.flag("include_overhead") { OVERHEAD_BYTES } else { 0 }
    }

    /// Sampling period of mode `time` in cycles: `sample_packets` packets at line rate.
    pub fn sample_period(&self) -> Cycles {
        let packet = self.integer("packet_bytes") + u64::from(self.overhead());
        let bytes = u128::from(self.integer("sample_packets") * packet) << RATE_FRACTION_BITS;
        (bytes / u128::from(self.rate("line_rate_mbps").0)).min(u128::from(u64::MAX)) as Cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(settings: &[(&str, &str)]) -> Result<Parameters, ParameterError> {
        let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let mut parameters = Parameters::new("test", ETHERNET.iter().chain(BENCH).copied(), &settings)?;
        parameters.forget_reads();
        Ok(parameters)
    }

    #[test]
    fn a_setting_that_nobody_reads_is_refused() {
        let set = parameters(&[("flows", "9"), ("q0_bytes", "30000")]).unwrap();
        assert_eq!(set.integer("q0_bytes"), 30_000);
        let error = set.refuse_unread("sim cp").unwrap_err();
        assert_eq!(error.key, "flows");
        assert!(error.to_string().contains("`sim cp` does not read it"), "{error}");
        set.integer("flows");
        assert_eq!(set.refuse_unread("sim cp"), Ok(()));
    }

    #[test]
    fn addresses_and_identifiers_are_read_in_the_forms_that_tools_print() {
        let set = parameters(&[("cp_mac", "02-00-5e-AB-01-ff"), ("rp_mac", "02:00:00:00:20:00")]).unwrap();
        assert_eq!(set.mac("cp_mac"), 0x0200_5eab_01ff);
        assert_eq!(set.rp_mac(2), 0x0200_0000_2002);
        assert_eq!(set.cpid(), 0x0200_5eab_01ff_0001, "auto follows cp_mac");
        for cpid in ["0x0123456789abcdef", "01:23:45:67:89:ab:cd:ef"] {
            assert_eq!(parameters(&[("cpid", cpid)]).unwrap().cpid(), 0x0123_4567_89ab_cdef);
        }
        for (key, value) in [
            ("cp_mac", "01:00:00:00:00:01"), // a group address
            ("cp_mac", "00:00:00:00:00:00"),
            ("cp_mac", "2:0:0:0:1:0"),
            ("cp_mac", "02:00:00:00:01"),
            ("cp_mac", "+2:00:00:00:01:00"),
            ("cpid", "0x"),
            ("cpid", "0x12345678901234567"),
            ("cpid", "0x+1"),
            ("cpid", "7"),
        ] {
            let error = parameters(&[(key, value)]).unwrap_err();
            assert_eq!(error.key, key);
            assert!(error.reason.contains("expected"), "{error}");
        }
        // The second flow would have the address of the congestion point.
        let error = parameters(&[("rp_mac", "02:00:00:00:00:ff"), ("flows", "2")]).unwrap_err();
        assert_eq!(error.key, "rp_mac");
        // The second flow would have the address of a group.
        let error = parameters(&[("rp_mac", "fe:ff:ff:ff:ff:ff"), ("flows", "2")]).unwrap_err();
        assert_eq!(error.key, "rp_mac");
    }

    #[test]
    fn a_wrong_value_is_named_with_what_was_expected() {
        for (key, value, expected) in [
            ("w", "64", "`64` is out of range: expected a whole number from 0 to 63"),
            ("w", "two", "`two` cannot be read: expected a whole number from 0 to 63"),
            ("sample_mode", "packet", "did you mean `packets`?"),
            ("flow", "2", "did you mean `flows`?"),
        ] {
            let error = parameters(&[(key, value)]).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
