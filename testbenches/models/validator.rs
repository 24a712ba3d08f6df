// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings that the validator accepts, and its messages for others.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tidegate::registry::{self, Scheme};
use tidegate::scheme::Part;
use tidegate::scheme::parameters::{Kind, OF_MANY};
use tidegate::units::Micro;
use tidegate_testing::settings::{config, in_range, scheme, sets, settings};

/// The key and the words of an error; its text must contain both.
fn rejection(scheme: &Scheme, pairs: &[(&str, &str)]) -> (String, String) {
    let error = match scheme.parameters(&settings(pairs)) {
        Ok(_) => panic!("{} takes {pairs:?}", scheme.name),
        Err(error) => error,
    };
    assert_eq!(error.to_string(), format!("parameter `{}`: {}", error.key, error.reason));
    (error.key, error.reason)
}

#[test]
fn values_outside_their_range_or_of_another_kind() {
    for scheme in registry::ethernet() {
        for known in scheme.specifications() {
            let (bad, expected): (Vec<String>, Vec<String>) = match known.kind {
                Kind::Integer(least, most) => (
                    vec![least.wrapping_sub(1).to_string(), (most + 1).to_string(), "1.5".into(), "0x10".into()],
                    vec![format!("a whole number from {least} to {most}")],
                ),
                Kind::Decimal(least, most) => (
                    vec![Micro(most + 1).to_string(), "1e3".into(), "0.0000001".into(), "1 Mb/s".into()],
                    vec![format!("a number from {} to {} with at most six decimals", Micro(least), Micro(most))],
                ),
                Kind::Flag => (vec!["yes".into(), "1".into(), "True".into()], vec!["true or false".into()]),
                Kind::Choice(words) => {
                    let other = match words[0].to_uppercase() {
                        upper if upper != words[0] => upper,
                        digits => digits + "0",
                    };
                    (vec!["nonsense".into(), other], vec![words.join(", ")])
                }
                Kind::Shares => (
                    ["1/2", "1/2,1/2,1/2,3/2", "1/2,1/2,1/2,1/0", "0.5,1,1,1", "1,1,1,1,1"].map(String::from).to_vec(),
                    vec!["four shares between 0 and 1, as 1/8,1/64,1/16,1/2".into()],
                ),
                Kind::Mac => (
                    ["01:00:00:00:00:01", "00:00:00:00:00:00", "2:0:0:0:0:1", "02:00-00:00:00:01", "020000000001"]
                        .map(String::from)
                        .to_vec(),
                    vec!["the address of one station, as 02:00:00:00:01:00".into()],
                ),
                Kind::Cpid => (
                    ["1", "0x", "0x12345678901234567", "02:00:00:00:01:00", "Auto"].map(String::from).to_vec(),
                    vec!["64 bits, as 0x0200000001000001 or 02:00:00:00:01:00:00:01, or auto".into()],
                ),
            };
            let below = match known.kind {
                Kind::Decimal(least, _) if least > 0 => Some(Micro(least - 1).to_string()),
                _ => None,
            };
            for text in bad.into_iter().chain(below).chain(["".into(), "-1".into(), "NaN".into(), " ".into()]) {
                let (key, reason) = rejection(scheme, &[(known.key, &text)]);
                assert_eq!(key, known.key, "`{text}`");
                assert!(reason.contains(&format!("`{text}`")), "{key}: {reason} does not repeat `{text}`");
                for words in &expected {
                    assert!(reason.contains(words), "{key}: {reason} does not say `{words}`");
                }
            }
        }
    }
}

#[test]
fn unknown_keys_are_answered_with_a_close_one_and_where_all_are_listed() {
    for scheme in registry::ethernet() {
        for (name, close) in [
            ("", None),
            ("q0", None),
            ("Q0_bytes", Some("q0_bytes")),
            ("q0_bytes ", Some("q0_bytes")),
            ("flow", Some("flows")),
            ("nothing_like_it", None),
        ] {
            let (key, reason) = rejection(scheme, &[("q0_bytes", "3000"), (name, "1")]);
            assert_eq!(key, name);
            let hint = close.map_or(String::new(), |close| format!("; did you mean `{close}`?"));
            let scheme = scheme.name;
            let expected =
                format!("{scheme} has no such parameter{hint}; `tidegate schemes {scheme}` lists what it has");
            assert_eq!(reason, expected);
        }
    }
    assert_eq!(rejection(scheme("smcc"), &[("gd_shift", "7")]).0, "gd_shift", "a key of qcn is none of smcc");
    assert_eq!(rejection(scheme("qcn"), &[("two_stage", "true")]).0, "two_stage", "a key of smcc is none of qcn");
}

/// Scheme, settings, wrong key, words of the reason.
type Bad = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

/// Each value is in its range, but not the combination.
const BAD: &[Bad] = &[
    // 128 bytes a cycle at 125 MHz is 128 Gb/s
    ("qcn", &[("line_rate_mbps", "128000")], "line_rate_mbps", "less than 128000 Mb/s"),
    ("qcn", &[("line_rate_mbps", "400000")], "line_rate_mbps", "125 MHz"),
    ("smcc", &[("clock_mhz", "1"), ("line_rate_mbps", "1024")], "line_rate_mbps", "less than 1024 Mb/s"),
    ("qcn", &[("min_rate_mbps", "128000")], "min_rate_mbps", "less than 128000 Mb/s"),
    ("qcn", &[("min_rate_mbps", "1001")], "min_rate_mbps", "at most the line rate, 1000 Mb/s"),
    ("smcc", &[("line_rate_mbps", "5")], "min_rate_mbps", "at most the line rate, 5 Mb/s"),
    // 1 Gb/s at 100 MHz is 1.25 bytes a cycle
    (
        "smcc",
        &[("rate_levels", "64"), ("clock_mhz", "100")],
        "rate_levels",
        "line_rate_mbps=800 or 1600, or clock_mhz=62.5 or 125",
    ),
    ("bcn", &[("rate_levels", "2"), ("line_rate_mbps", "3000")], "rate_levels", "line_rate_mbps=2000 or 4000"),
    // one step is 125 MHz · 8 / 2^18 = 0.003815 Mb/s, and less than half of one is 0
    ("smcc", &[("min_rate_mbps", "0.0019")], "min_rate_mbps", "at least 0.003815 Mb/s"),
    ("qcn", &[("clock_mhz", "50"), ("ai_rate_mbps", "60000")], "ai_rate_mbps", "less than 51200 Mb/s"),
    ("qcn", &[("clock_mhz", "50"), ("hai_rate_mbps", "51200")], "hai_rate_mbps", "less than 51200 Mb/s"),
    // 2^23 · 9 = 75497472
    ("qcn", &[("q0_bytes", "8388608"), ("w", "4")], "q0_bytes", "75497472: expected less than 67108864"),
    ("qcn", &[("q0_bytes", "8388608"), ("w", "63")], "q0_bytes", "26 bits"),
    // 2^23 cycles at 125 MHz are 67108.864 µs
    ("qcn", &[("timer_us", "67109")], "timer_us", "at most 67108 µs"),
    // half a period must be 26 cycles: (51, 52] of 8 ns; with 30 % of jitter 85 % of it: 51 / 0.85 = 60
    ("qcn", &[("timer_us", "0.003")], "timer_us", "0 (off) or at least 0.416 µs"),
    ("qcn", &[("timer_us", "0.411")], "timer_us", "0 (off) or at least 0.416 µs"),
    ("qcn", &[("timer_us", "0.4"), ("cycle_jitter_percent", "30")], "timer_us", "at least 0.488 µs"),
    // 10 Gb/s: 10 bytes a cycle, 260 in 26 cycles; 519 / 0.5 = 1038
    ("qcn", &[("line_rate_mbps", "10000"), ("byte_cycle_bytes", "519")], "byte_cycle_bytes", "at least 520 bytes"),
    (
        "qcn",
        &[("line_rate_mbps", "10000"), ("byte_cycle_bytes", "1038"), ("cycle_jitter_percent", "100")],
        "byte_cycle_bytes",
        "at least 1039 bytes",
    ),
    ("smcc", &[("sample_mode", "time"), ("sample_packets", "8388608")], "sample_packets", "expected 16 to 8388608"),
    // 1024 bytes at 100 Gb/s, 100 bytes a cycle
    (
        "smcc",
        &[("sample_mode", "time"), ("sample_packets", "1"), ("line_rate_mbps", "100000")],
        "sample_packets",
        "period is 10 cycles: expected 16",
    ),
    ("qcn", &[("packet_bytes", "1619")], "bucket_bytes", "one frame with its overhead, 1619 bytes"),
    ("qcn", &[("packet_bytes", "1599"), ("include_overhead", "true")], "bucket_bytes", "1619 bytes"),
    ("smcc", &[("bucket_bytes", "1023")], "bucket_bytes", "1024 bytes"),
    (
        "qcn",
        &[("packet_bytes", "2000"), ("bucket_bytes", "2000"), ("buffer_bytes", "1999")],
        "buffer_bytes",
        "one packet, 2000 bytes",
    ),
    ("qcn", &[("background_mbps", "1001")], "background_mbps", "at most the line rate"),
    ("qcn", &[("background_mbps", "200000")], "background_mbps", "less than 128000 Mb/s"),
    // 2^32 gains per unit of 64 octets: 250 Mb/s
    ("smcc", &[("q0_bytes", "64")], "ra_mbps", "at most 249 Mb/s at q0 = 64 bytes"),
    ("smcc", &[("q0_bytes", "64"), ("ra_mbps", "1"), ("rb_mbps", "251")], "rb_mbps", "at most 249 Mb/s"),
    (
        "smcc",
        &[("q0_bytes", "64"), ("ra_mbps", "1"), ("ra_small_mbps", "251"), ("two_stage", "true")],
        "ra_small_mbps",
        "at most 249 Mb/s",
    ),
];

#[test]
fn settings_that_do_not_go_together() {
    for &(name, pairs, key, words) in BAD {
        let (found, reason) = rejection(scheme(name), pairs);
        assert_eq!(found, key, "{name} {pairs:?}: {reason}");
        assert!(reason.contains(words), "{name} {pairs:?}: `{reason}` does not say `{words}`");
        assert!(reason.contains("expected"), "{name} {pairs:?}: `{reason}` does not say what was expected");
    }
}

/// One step inside of each limit of the table above.
#[test]
fn settings_that_just_go_together() {
    let good: &[(&str, &[(&str, &str)])] = &[
        ("qcn", &[("line_rate_mbps", "127999")]),
        ("qcn", &[("min_rate_mbps", "1000")]),
        ("smcc", &[("min_rate_mbps", "0.002")]),
        ("dsm", &[("rate_levels", "4096"), ("line_rate_mbps", "10000"), ("clock_mhz", "156.25")]),
        ("qcn", &[("q0_bytes", "8388608"), ("w", "3")]),
        ("qcn", &[("timer_us", "67108")]),
        ("qcn", &[("timer_us", "0.416")]),
        ("qcn", &[("timer_us", "0.488"), ("cycle_jitter_percent", "30")]),
        ("qcn", &[("line_rate_mbps", "10000"), ("byte_cycle_bytes", "520")]),
        ("qcn", &[("line_rate_mbps", "10000"), ("byte_cycle_bytes", "1039"), ("cycle_jitter_percent", "100")]),
        ("qcn", &[("packet_bytes", "1618")]),
        ("qcn", &[("packet_bytes", "1598"), ("include_overhead", "true")]),
        ("qcn", &[("packet_bytes", "2000"), ("bucket_bytes", "2000"), ("buffer_bytes", "2000")]),
        ("qcn", &[("background_mbps", "1000")]),
        ("smcc", &[("q0_bytes", "64"), ("ra_mbps", "249"), ("rb_mbps", "249")]),
        ("smcc", &[("q0_bytes", "64"), ("ra_mbps", "1"), ("rb_mbps", "1"), ("ra_small_mbps", "400000")]),
    ];
    for (name, pairs) in good {
        scheme(name).parameters(&settings(pairs)).unwrap_or_else(|error| panic!("{name} {pairs:?}: {error}"));
    }
}

/// The generator of these benches must reach every key at both ends of its range, and all its words.
#[test]
fn random_settings_reach_every_corner_that_is_accepted() {
    for name in registry::ethernet().map(|scheme| scheme.name) {
        let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for set in sets(name, 6000) {
            for (key, value) in set.parameters.iter() {
                seen.entry(key).or_default().insert(value.to_string());
            }
        }
        for known in scheme(name).specifications().filter(|known| !OF_MANY.contains(&known.key)) {
            // The upper end of these is not possible with any clock and line rate, or with the other defaults.
            let corners: Vec<String> = match (known.key, known.kind) {
                // The period of DSM is a time in all sampling modes: on the slowest link it is too long for its
                // defaults.
                ("line_rate_mbps" | "sample_packets", _) if name == "dsm" => vec![],
                ("line_rate_mbps" | "min_rate_mbps" | "background_mbps", Kind::Decimal(least, _)) => {
                    vec![Micro(least).to_string()]
                }
                ("timer_us" | "ra_mbps" | "rb_mbps" | "gi" | "ru_mbps" | "t_max_us", Kind::Decimal(least, _)) => {
                    vec![Micro(least).to_string()]
                }
                ("packet_bytes", Kind::Integer(least, _)) => vec![least.to_string()],
                (_, Kind::Integer(least, most)) => vec![least.to_string(), most.to_string()],
                (_, Kind::Decimal(least, most)) => vec![Micro(least).to_string(), Micro(most).to_string()],
                (_, Kind::Flag) => vec!["true".into(), "false".into()],
                (_, Kind::Shares) => vec!["0/1,0/1,0/1,0/1".into(), "1/1,1/1,1/1,1/1".into()],
                (_, Kind::Mac) => vec!["00:00:00:00:00:01".into()],
                (_, Kind::Cpid) => vec!["auto".into(), "0xffffffffffffffff".into()],
                (_, Kind::Choice(words)) => words.iter().map(|word| word.to_string()).collect(),
            };
            for corner in corners {
                if (known.key, corner.as_str()) == ("min_rate_mbps", "0.000001") {
                    continue; // less than a step at every clock but the slowest
                }
                assert!(seen[known.key].contains(&corner), "{name}: {} = {corner} never came up", known.key);
            }
        }
    }
}

fn any_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(registry::ethernet().map(|scheme| scheme.name).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn a_rejection_names_a_key_and_what_was_expected(
        name in any_name(),
        settings in any_name().prop_flat_map(|name| in_range(scheme(name))),
    ) {
        let scheme = scheme(name);
        if let Err(error) = scheme.parameters(&settings) {
            let known = scheme.specifications().any(|known| known.key == error.key);
            prop_assert!(known || error.reason.contains("has no such parameter"), "{error}");
            prop_assert!(!known || error.reason.contains("expected "), "{error}");
        }
    }
}

/// A port panics if a value is too wide for it, so every accepted value must fit.
#[test]
fn what_is_accepted_fits_the_ports() {
    for scheme in registry::ethernet() {
        let parts = [Part::CongestionPoint, Part::ReactionPoint].map(|part| (part, scheme.circuit(part)));
        for set in sets(scheme.name, 300) {
            for (part, circuit) in &parts {
                let values = registry::part_ports(scheme, &set.parameters, *part);
                for port in circuit.ports.iter().filter(|port| circuit.parameters.contains(&&port.name[..])) {
                    let (value, bits) = (values[&port.name], port.bits);
                    assert!(value >> bits == 0, "{}, {}, {bits} bits: {value}, {set:?}", scheme.name, port.name);
                }
            }
        }
    }
}
