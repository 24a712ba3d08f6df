// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which values the parameters take: the bounds with which `--set` refuses a key, as bounds of its port.

use crate::registry::Scheme;
use crate::scheme::Part;
use crate::scheme::bcn::feedback_gain;
use crate::scheme::parameters::{INTERVAL_MAX, Kind, Parameters, cycles_of};
use crate::scheme::qcn::{FULL_SCALE_BITS, OPERATIONS_CYCLES, half_period_cycles};
use crate::units::{BYTES_BITS, Micro, OCTETS_PER_UNIT, OVERHEAD_BYTES, RATE_FRACTION_BITS, RATE_MAX, Rate};

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

    const fn or_zero(self) -> Self {
        Bounds { zero: true, ..self }
    }

    const fn clear(self, clear: u64) -> Self {
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
const fn one(port: &'static str) -> Term {
    Term { factor: 1, port, even: false }
}

/// The largest interval in a port.
const LONGEST: u64 = (1 << BYTES_BITS) - 1;

macro_rules! fits {
    ($low:literal, $span:literal) => {
        Rule {
            left: &[one($low), one($span)],
            right: &[],
            more: LONGEST,
            meaning: concat!($low, " + ", $span, " fits 24 bits"),
        }
    };
}

/// The rules of all schemes. A part has those for which it has the ports.
pub const RULES: &[Rule] = &[
    Rule { left: &[one("min_rate")], right: &[one("line_rate")], more: 0, meaning: "min_rate is at most line_rate" },
    // Half of the shortest byte cycle, low >> 1, takes as long as the operations that it must leave time for.
    Rule {
        left: &[Term { factor: OPERATIONS_CYCLES, port: "line_rate", even: false }],
        right: &[Term { factor: 1 << (RATE_FRACTION_BITS - 1), port: "byte_cycle_low", even: true }],
        more: 0,
        meaning: "half of byte_cycle_low, rounded down, takes 26 cycles or more at line_rate",
    },
    fits!("byte_cycle_low", "byte_cycle_span"),
    fits!("timer_low", "timer_span"),
    fits!("interval_low", "interval_span"),
    fits!("interval_low_0", "interval_span_0"),
    fits!("interval_low_1", "interval_span_1"),
    fits!("interval_low_2", "interval_span_2"),
    fits!("interval_low_3", "interval_span_3"),
    fits!("interval_low_4", "interval_span_4"),
    fits!("interval_low_5", "interval_span_5"),
    fits!("interval_low_6", "interval_span_6"),
    fits!("interval_low_7", "interval_span_7"),
];

/// The low bit of the first octet of an address: set in a group address.
const GROUP: u64 = 1 << 40;
const MAC_MAX: u64 = (1 << 48) - 1;

/// The keys of a scheme as bounds of ports.
struct Keys<'a> {
    scheme: &'a Scheme,
    parameters: &'a Parameters,
}

impl Keys<'_> {
    /// The bounds of a key: a whole number, or a decimal in millionths.
    fn of(&self, key: &str) -> (u64, u64) {
        let kind = self.scheme.specifications().find(|specification| specification.key == key);
        match kind.map(|specification| specification.kind) {
            Some(Kind::Integer(least, most) | Kind::Decimal(least, most)) => (least, most),
            other => panic!("`{key}` has no bounds in {}: {other:?}", self.scheme.name),
        }
    }

    fn whole(&self, key: &str) -> Bounds {
        let (least, most) = self.of(key);
        Bounds::of(least, most)
    }

    /// A rate at the clock of these parameters. A rate that a port cannot hold is refused for every clock.
    fn rate(&self, key: &str, smallest: u64) -> Bounds {
        let (least, most) = self.of(key);
        let clock = self.parameters.decimal("clock_mhz");
        let steps = |mbps| Rate::from_mbps(Micro(mbps), clock).map_or(u64::from(RATE_MAX), |rate| rate.0.into());
        Bounds::of(steps(least).max(smallest), steps(most))
    }

    /// A time in cycles at the clock of these parameters.
    fn cycles(&self, key: &str, longest: u64) -> Bounds {
        let (least, most) = self.of(key);
        let clock = self.parameters.decimal("clock_mhz");
        let cycles = |time: u64| cycles_of(Micro(time), clock);
        Bounds::of(cycles(least), cycles(most).min(longest))
    }
}

/// The bounds of a parameter of a part, by its port or, if it has two, by their name without `_low`; and its unit. `None`
/// as bounds: the part was made for one value.
///
/// # Panics
/// For a parameter that has no row here: a mistake in this room.
pub fn bounds(scheme: &Scheme, part: Part, parameters: &Parameters, name: &str) -> (Option<Bounds>, &'static str) {
    let keys = Keys { scheme, parameters };
    // Not every scheme has the key.
    let flows = || parameters.rp_flows();
    let row = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let full_scale = || (keys.of("q0_bytes").0, (1 << FULL_SCALE_BITS) - 1);
    let (bounds, unit) = match row {
        "sample_mode" => (Bounds::of(0, 2), ""),
        "seed" => (keys.whole("seed"), ""),
        "q0_bytes" => (keys.whole("q0_bytes"), "bytes"),
        "weight" | "store_weight" => (keys.whole("w"), ""),
        "interval_low" | "interval_low_" => (Bounds::of(1, INTERVAL_MAX), "packets, bytes or cycles"),
        "interval_span" | "interval_span_" => (Bounds::of(0, INTERVAL_MAX), "packets, bytes or cycles"),
        "cpid" => (Bounds::bits(64).clear(parameters.cp_queues() - 1), ""),
        "cp_mac" => (Bounds::of(1, MAC_MAX).clear(GROUP), ""),
        "rp_mac" => {
            let low = if parameters.flow_from_tag() { 0 } else { flows() - 1 };
            (Bounds::of(1, MAC_MAX).clear(GROUP | low), "")
        }
        "allowed_cpid" | "allowed_cpid_mask" => (Bounds::bits(64), ""),
        // What is stored with a flow depends on them, and the number of flows is that of the memories.
        "cpid_any" | "cpid_digest" | "flow_mask" | "flow_from_tag" => return (None, ""),
        "bucket_bytes" => (keys.whole("bucket_bytes"), "bytes"),
        "overhead_bytes" => (Bounds::of(OVERHEAD_BYTES.into(), OVERHEAD_BYTES.into()).or_zero(), "bytes"),
        "line_rate" => (keys.rate("line_rate_mbps", 1), RATE),
        "min_rate" => (keys.rate("min_rate_mbps", 1), RATE),
        "feedback_full_scale" => (Bounds::of(full_scale().0, full_scale().1), "bytes"),
        "send_zero_feedback"
        | "target_reduction"
        | "extra_fast_recovery"
        | "persistent"
        | "zero_in_state_a"
        | "full_when_whole"
        | "store_any"
        | "exception_waits" => (Bounds::bits(1), ""),
        "ai_rate" => (keys.rate("ai_rate_mbps", 0), RATE),
        "hai_rate" => (keys.rate("hai_rate_mbps", 0), RATE),
        "gd_shift" => (keys.whole("gd_shift"), ""),
        "byte_cycle_low" => (Bounds::of(keys.of("byte_cycle_bytes").0.div_ceil(2), INTERVAL_MAX), "bytes"),
        "byte_cycle_span" => (Bounds::of(0, INTERVAL_MAX), "bytes"),
        "timer_low" => (Bounds::of(2 * half_period_cycles(flows()), INTERVAL_MAX).or_zero(), "cycles"),
        "timer_span" => (Bounds::of(0, INTERVAL_MAX), "cycles"),
        "half_stage" => (keys.whole("fast_recovery_cycles"), ""),
        "increase_stage" => {
            let (least, most) = keys.of("fast_recovery_cycles");
            (Bounds::of(least, most + 1), "")
        }
        // Never is the longest queue that there can be.
        "severe_offset" => (Bounds::of(1, LONGEST), "bytes"),
        "feedback_gain" => (Bounds::of(feedback_gain(full_scale().1), feedback_gain(full_scale().0)), "2^-24"),
        "increase_unit" => (Bounds::of(0, RATE_MAX.into()), RATE),
        "stop_cycles" => (keys.cycles("t_max_us", RATE_MAX.into()), "cycles"),
        "gain_a" | "gain_b" | "gain_c" if part == Part::CongestionPoint => (Bounds::bits(28), "2^-34 bytes a cycle"),
        "gain_a" | "gain_b" | "gain_a_small" => (Bounds::bits(32), "2^-34 bytes a cycle"),
        "t1_units" => (Bounds::of(0, keys.of("t1_bytes").1 / OCTETS_PER_UNIT as u64), "64 octets"),
        "quantiser_limit" => (Bounds::of(1, 0x7fff), "64 octets"),
        "quantiser_mask" => (Bounds::of(0xc000, 0xffff), ""),
        "approach_alpha_between"
        | "approach_beta_between"
        | "approach_alpha_outside"
        | "approach_beta_outside"
        | "sliding_alpha_between"
        | "sliding_beta_between"
        | "sliding_alpha_outside"
        | "sliding_beta_outside" => (Bounds::bits(32), "2^-30 bytes a cycle"),
        "b_sigma_units" => (Bounds::bits(22), "64 octets"),
        "b_zero_units" => (Bounds::bits(17), "64 octets"),
        "loop_delay" => (keys.whole("m"), "periods"),
        "omega" => (keys.whole("omega"), ""),
        "period_cycles" => (Bounds::of(0, LONGEST), "cycles"),
        "step_max" => (Bounds::of(1, RATE_MAX.into()), RATE),
        "buffer_packets" => (keys.whole("buffer_packets"), "packets"),
        "packet_cycles" => (Bounds::of(2, 65_535), "cycles"),
        _ => panic!("the parameter `{name}` of {} has no bounds", scheme.name),
    };
    (Some(bounds), unit)
}

const RATE: &str = "2^-18 bytes a cycle";

/// The name of a parameter in IEEE 802.1Q, if the register holds what the standard calls so, perhaps in another unit. The
/// names are those of the objects of IEEE8021-CN-MIB without `ieee8021Cn`. Of the jittered periods of 802.1Q, a register
/// holds the shortest, and one the difference to the longest.
pub fn name_8021q(scheme: &str, port: &str) -> Option<&'static str> {
    Some(match (port, scheme) {
        ("cp_mac", _) => "cpMacAddress",
        ("cpid", _) => "cpIdentifier",
        ("q0_bytes", _) => "cpQueueSizeSetPoint",
        ("line_rate", "qcn") => "rpgMaxRate",
        ("min_rate", "qcn") => "rpgMinRate",
        ("ai_rate", _) => "rpgAiRate",
        ("hai_rate", _) => "rpgHaiRate",
        ("gd_shift", "qcn") => "rpgGd",
        ("half_stage", _) => "rpgThreshold",
        ("byte_cycle_low", _) => "rpgByteResetLow",
        ("byte_cycle_span", _) => "rpgByteResetSpan",
        ("timer_low", _) => "rpgTimeResetLow",
        ("timer_span", _) => "rpgTimeResetSpan",
        _ => return None,
    })
}
