// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random settings over the whole ranges of the keys.

use crate::stimulus::Random;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use tidegate_core::units::Micro;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::parameters::{Kind, OF_MANY, Parameters, Value};

/// Keys and values, as `--set` takes them.
pub type Settings = Vec<(String, String)>;

/// Settings of literals.
pub fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// The scheme of this name.
pub fn scheme(name: &str) -> &'static Scheme {
    registry::find(name).unwrap()
}

/// The parameters of a scheme with these settings.
pub fn parameters(name: &str, pairs: &[(&str, &str)]) -> Parameters {
    scheme(name).parameters(&settings(pairs)).unwrap()
}

/// A number of cases, the same in every run unless `PROPTEST_RNG_SEED` sets another seed.
pub fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    if matches!(config.rng_seed, RngSeed::Random) {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// Both ends of a range, anything in it, and anything on a logarithmic scale from its lower end.
fn number(least: u64, most: u64) -> impl Strategy<Value = u64> {
    let span = most - least + 1;
    prop_oneof![
        1 => Just(least),
        1 => Just(most),
        2 => least..=most,
        4 => (any::<u64>(), 0u32..64).prop_map(move |(any, shift)| least + (any >> shift) % span),
    ]
}

fn text_of(kind: Kind) -> BoxedStrategy<String> {
    match kind {
        Kind::Integer(least, most) => number(least, most).prop_map(|value| value.to_string()).boxed(),
        Kind::Decimal(least, most) => number(least, most).prop_map(|value| Micro(value).to_string()).boxed(),
        Kind::Flag => any::<bool>().prop_map(|value| value.to_string()).boxed(),
        Kind::Shares => prop_oneof![
            prop::sample::select(vec!["0,0,0,0", "1,1,1,1"]).prop_map(String::from),
            prop::array::uniform4((0u16..=128, 128u16..)).prop_map(|shares| {
                shares.map(|(numerator, denominator)| format!("{numerator}/{denominator}")).join(",")
            }),
        ]
        .boxed(),
        Kind::Choice(words) => prop::sample::select(words).prop_map(String::from).boxed(),
        Kind::Mac => prop_oneof![
            prop::sample::select(vec!["00:00:00:00:00:01", "fe-ff-ff-ff-ff-ff"]).prop_map(String::from),
            any::<u64>().prop_map(|word| Value::Mac((word >> 16 & !(1 << 40)).max(1)).to_string()),
        ]
        .boxed(),
        Kind::Cpid => prop_oneof![
            prop::sample::select(vec!["auto", "0x0", "0xffffffffffffffff"]).prop_map(String::from),
            any::<u64>().prop_map(|cpid| Value::Cpid(Some(cpid)).to_string()),
        ]
        .boxed(),
    }
}

/// Settings with each value in its range, without the keys of parts for many queues or flows, which these benches do not
/// have; the combination may be invalid.
pub fn in_range(scheme: &'static Scheme) -> impl Strategy<Value = Settings> {
    let choices: Vec<_> = scheme
        .specifications()
        .filter(|known| !OF_MANY.contains(&known.key))
        .map(|known| {
            prop::option::weighted(0.3, text_of(known.kind)).prop_map(|text| text.map(|text| (known.key.into(), text)))
        })
        .collect();
    choices.prop_map(|chosen| {
        let mut settings: Settings = chosen.into_iter().flatten().collect();
        // A mask alone is always refused: too few settings would be left to reach every corner.
        if !settings.iter().any(|(key, text)| key == "allowed_cpid" && text != "auto") {
            settings.retain(|(key, _)| key != "allowed_cpid_mask");
        }
        // Levels of the rate need a line rate that is a power of two: most random ones are refused.
        if settings.iter().any(|(key, text)| key == "rate_levels" && text != "0") {
            settings.retain(|(key, _)| !["clock_mhz", "line_rate_mbps"].contains(&key.as_str()));
            settings.push(("line_rate_mbps".into(), "1000".into()));
        }
        settings
    })
}

/// Settings that the validator accepts, with the parameters.
pub fn accepted(name: &str) -> impl Strategy<Value = Accepted> {
    let scheme = scheme(name);
    in_range(scheme).prop_filter_map("the validator rejects them", |settings| {
        scheme.parameters(&settings).ok().map(|parameters| Accepted { settings, parameters })
    })
}

/// An accepted set; prints as its settings.
#[derive(Clone)]
pub struct Accepted {
    pub settings: Settings,
    pub parameters: Parameters,
}

impl std::fmt::Debug for Accepted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(formatter)
    }
}

/// This number of accepted sets.
pub fn sets(name: &str, count: usize) -> Vec<Accepted> {
    let mut runner = TestRunner::new(config(1));
    let strategy = accepted(name);
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// A random profile, and random values of keys of the scheme itself with which many events happen in few cycles; the
/// combination may be invalid.
pub fn lively(scheme: &'static Scheme, random: &mut Random) -> Vec<(&'static str, &'static str)> {
    // The profile first, so that the settings after it have priority.
    let profile = match scheme.profile_names() {
        [] => None,
        names => Some(("profile", random.pick(names))),
    };
    let mut chosen: Vec<_> = profile.into_iter().collect();
    for known in scheme.parameters.iter().filter(|known| !known.lively.is_empty()) {
        if random.chance(70) {
            chosen.push((known.key, random.pick(known.lively)));
        }
    }
    chosen
}

/// The first of some random settings that the scheme accepts.
///
/// # Panics
/// If it refuses a thousand of them.
pub fn first_accepted(scheme: &Scheme, mut draw: impl FnMut() -> Settings) -> Settings {
    (0..1000)
        .map(|_| draw())
        .find(|settings| scheme.parameters(settings).is_ok())
        .unwrap_or_else(|| panic!("{} refuses a thousand random settings", scheme.name))
}
