// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values for the parameter ports: of the profiles, of random settings that the validator accepts, and of short
//! periods.

use super::random::Random;
use std::collections::BTreeMap;
use tidegate_core::units::Micro;
use tidegate_schemes::registry::{self, Family, Scheme};
use tidegate_schemes::scheme::parameters::{Kind, OF_MANY, Parameters, Specification, Value};
use tidegate_schemes::scheme::ports::Ports as _;

/// Value of each parameter port by its name.
pub type Ports = BTreeMap<String, u64>;

/// Number of random settings to try; if the validator rejects all, the defaults are used.
const TRIES: u32 = 200;

/// How often a key gets a value with which many events happen in few cycles, in percent. With the defaults there is one sample in 100
/// packets, and a timer of 15 ms.
const LIVELY_PERCENT: u64 = 80;

/// A choice of values for a key.
type Choice = (&'static str, &'static [&'static str]);

/// The modes of the sampler, which take turns.
const MODES: [&str; 3] = ["packets", "bytes", "time"];
/// Mode `time`: short periods; the validator accepts those of at least 16 cycles.
const LIVELY_BY_TIME: &[Choice] = &[
    ("sample_packets", &["1", "1", "2"]),
    ("packet_bytes", &["60", "128", "300"]),
    ("line_rate_mbps", &["1000", "2000"]),
    ("sample_jitter_percent", &["0", "1", "15", "50"]),
];
/// The settings of a circuit for so many flows.
pub fn of_flows(flows: u64) -> Vec<(String, String)> {
    if flows == 1 { Vec::new() } else { vec![("rp_flows".to_string(), flows.to_string())] }
}

fn text_of(kind: Kind, random: &mut Random) -> String {
    match kind {
        Kind::Integer(least, most) => random.in_range(least, most).to_string(),
        Kind::Decimal(least, most) => Micro(random.in_range(least, most)).to_string(),
        Kind::Flag => random.chance(50).to_string(),
        Kind::Choice(words) => random.pick(words).to_string(),
        Kind::Mac => Value::Mac(random.word() >> 16 & !(1 << 40)).to_string(),
        Kind::Cpid => format!("{:#x}", random.word()),
        Kind::Shares => [(); 4].map(|()| format!("{}/{}", random.below(9), random.pick(&[8, 16, 128]))).join(","),
    }
}

/// Random values in the ranges of some keys; the combination may be invalid. The numbers of queues and flows are those of
/// the circuit. A rate of the bottleneck is no port, and would be above the line rate in most combinations.
fn in_range(specifications: impl Iterator<Item = Specification>, random: &mut Random) -> Vec<(String, String)> {
    let mut settings = Vec::new();
    for specification in specifications.filter(|key| !OF_MANY.contains(&key.key) && key.key != "bottleneck_mbps") {
        if random.chance(30) {
            settings.push((specification.key.to_string(), text_of(specification.kind, random)));
        }
    }
    settings
}

fn lively(scheme: &Scheme, epoch: u64, flows: u64, random: &mut Random) -> Vec<(String, String)> {
    let has = |key: &str| scheme.specifications().any(|specification| specification.key == key);
    let mut settings = Vec::new();
    if has("seed") {
        settings.push(("seed".to_string(), random.between(1, 65535).to_string()));
    }
    for known in scheme.specifications() {
        let values = if flows > 1 && !known.lively_of_flows.is_empty() { known.lively_of_flows } else { known.lively };
        if !values.is_empty() && random.chance(LIVELY_PERCENT) {
            settings.push((known.key.to_string(), random.pick(values).to_string()));
        }
    }
    let turn = epoch as usize;
    // Not always: a scheme may refuse the mode.
    if has("sample_mode") && random.chance(90) {
        settings.push(("sample_mode".to_string(), MODES[turn % MODES.len()].to_string()));
    }
    if settings.iter().any(|(_, value)| value == "time") {
        // A later setting of a key overrides an earlier one.
        for (key, values) in LIVELY_BY_TIME {
            settings.push((key.to_string(), random.pick(values).to_string()));
        }
    }
    if has("sample_jitter_percent") && (turn / MODES.len()).is_multiple_of(2) {
        settings.push(("sample_jitter_percent".to_string(), "0".to_string()));
    }
    settings
}

fn accepted(scheme: &Scheme, flows: u64, mut draw: impl FnMut() -> Vec<(String, String)>) -> Parameters {
    (0..TRIES)
        .find_map(|_| scheme.parameters(&[draw(), of_flows(flows)].concat()).ok())
        .unwrap_or_else(|| scheme.parameters(&of_flows(flows)).expect("the defaults are accepted"))
}

/// The values of epoch `epoch` for a circuit of so many flows: first the defaults of each profile, then random sets.
pub fn of_epoch(scheme: &'static Scheme, epoch: u64, flows: u64, random: &mut Random) -> Ports {
    let parameters = match (scheme.profiles.get(epoch as usize), random.below(10)) {
        (Some(profile), _) => {
            let profile = vec![("profile".into(), profile.to_string())];
            scheme.parameters(&[profile, of_flows(flows)].concat()).expect("the defaults are accepted")
        }
        (None, 0..=6) => accepted(scheme, flows, || lively(scheme, epoch, flows, random)),
        (None, _) => accepted(scheme, flows, || in_range(scheme.specifications(), random)),
    };
    let mut ports = registry::ports(scheme, &parameters);
    if matches!(scheme.family, Family::Ethernet(_)) && epoch > 0 && random.chance(60) {
        identities(&mut ports, random);
    }
    if flows > 1 {
        ports.insert("flow_mask".to_string(), flows - 1);
    }
    ports
}

/// Random addresses, identifiers and allowed congestion points; there are no keys for them.
fn identities(ports: &mut Ports, random: &mut Random) {
    for (name, bits) in [
        ("cp_mac_high", 16),
        ("cp_mac_low", 32),
        ("rp_mac_high", 16),
        ("rp_mac_low", 32),
        ("cpid_high", 32),
        ("cpid_low", 32),
        ("allowed_cpid_high", 32),
        ("allowed_cpid_low", 32),
    ] {
        ports.insert(name.to_string(), random.word() >> (64 - bits));
    }
    let mask = random.pick(&[0, u64::MAX, 0xffff, 0xffff_0000_0000_0000, 0x8000_0001_8000_0001]);
    ports.extend(mask.values("allowed_cpid_mask"));
    // Not a number of its own: those that follow would be others.
    ports.insert("flow_mask".to_string(), [0, 1, 0xff, 0xfff][(ports["cp_mac_high"] % 4) as usize]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_sets_are_mostly_not_the_defaults() {
        for scheme in registry::SCHEMES {
            let defaults = registry::ports(scheme, &scheme.parameters(&[]).unwrap());
            let mut random = Random::new(1);
            let others = (2..202).filter(|&epoch| of_epoch(scheme, epoch, 1, &mut random) != defaults).count();
            assert!(others > 180, "{}: {others} of 200", scheme.name);
        }
    }
}
