// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verb `analyze`: its results, its pictures, and the errors.

use assert_cmd::Command;
use std::path::Path;
use std::time::{Duration, Instant};
use tidegate::analysis::SOURCES;
use tidegate::registry::SCHEMES;
use tidegate_testing::settings;

fn analyze(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).arg("analyze").args(arguments);
    command
}

#[test]
fn every_scheme_has_an_analysis_whose_lines_name_their_equations() {
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["qcn", "smcc", "infiniband"] {
        let run = analyze(folder.path(), &["--scheme", scheme, "--json"]).assert().success();
        let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        assert_eq!((&report["format_version"], &report["scheme"]), (&1.into(), &scheme.into()));
        let lines = report["lines"].as_array().unwrap();
        assert!(lines.len() >= 8);
        for line in lines {
            let equation = line["equation"].as_str().unwrap();
            assert!(SOURCES.iter().any(|(name, _)| equation.starts_with(name)), "{line}");
            assert!(line.get("value").is_some() != line.get("verdict").is_some(), "{line}");
        }
        let table = analyze(folder.path(), &["--scheme", scheme]).assert().success();
        let table = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
        assert!(table.lines().count() >= lines.len() + 2);
        assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_delay_at_ten_gigabits_stands_in_both_readings_and_by_its_phase() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["--scheme", "qcn"];
    for setting in ["line_rate_mbps=10000", "flows=1", "ai_rate_mbps=5", "packet_bytes=1500"] {
        arguments.extend(["--set", setting]);
    }
    let run = analyze(folder.path(), &arguments).assert().success();
    let table = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    for delay in ["245.1 µs", "267.7 µs", "143.7 µs"] {
        assert!(table.contains(delay), "{delay}: {table}");
    }
}

#[test]
fn a_portrait_is_drawn_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, axis) in [("qcn", "queue length"), ("smcc", "queue length"), ("infiniband", "rate (Mb/s)")] {
        let name = format!("{scheme}.svg");
        analyze(folder.path(), &["--scheme", scheme, "--portrait", &name]).assert().success();
        let svg = std::fs::read_to_string(folder.path().join(&name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
        assert!(svg.contains(axis) && svg.contains("<path"), "{name}");
    }
    analyze(folder.path(), &["--scheme", "qcn", "--portrait", "absent/qcn.svg"]).assert().code(1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["--scheme", "qcm"][..], "qcn, bcn, smcc, asm, dsm, infiniband"),
        (&["--scheme", "smcc", "--set", "gd_shift=7"], "smcc has no such parameter"),
        (&["--scheme", "qcn", "--set", "w"], "KEY=VALUE"),
        (&[], "--scheme"),
    ] {
        let run = analyze(folder.path(), arguments).assert().code(2).stdout("");
        let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

/// Random parameters that the validator accepts: a third of the keys set, often to an end of their range. No panic,
/// every number is finite, every picture is drawn or the reason is given, and nothing takes long.
#[test]
fn every_valid_set_of_parameters_has_an_analysis() {
    const SETS: usize = 600;
    for scheme in SCHEMES {
        let (mut undefined, mut refused, mut slowest) = (0, 0, Duration::ZERO);
        for settings::Accepted { settings, parameters } in settings::sets(scheme.name, SETS) {
            let started = Instant::now();
            let analysis = (scheme.analyze)(&parameters);
            for line in &analysis.lines {
                assert!(line.value.is_some() != line.verdict.is_some(), "{settings:?}: {line:?}");
                assert!(line.value.is_none_or(f64::is_finite), "{settings:?}: {line:?}");
                let words = line.verdict.as_deref().unwrap_or_default();
                assert!(!words.contains("NaN") && !words.contains("inf"), "{settings:?}: {line:?}");
                undefined += usize::from(words.starts_with("not defined for these parameters"));
            }
            match (analysis.portrait)(&parameters) {
                Ok(portrait) => {
                    let points = || portrait.pieces.iter().flat_map(|(_, points)| points);
                    let count = points().count();
                    assert!((2..200_000).contains(&count), "{settings:?}: {count} points");
                    assert!(points().all(|(x, y)| x.is_finite() && y.is_finite()), "{settings:?}");
                    assert!(portrait.switching_slope.is_none_or(f64::is_finite), "{settings:?}");
                }
                Err(reason) => {
                    assert!(reason.contains("million steps"), "{settings:?}: {reason}");
                    refused += 1;
                }
            }
            slowest = slowest.max(started.elapsed());
            assert!(started.elapsed() < Duration::from_secs(5), "{settings:?}: {:?}", started.elapsed());
        }
        println!(
            "{}: {SETS} sets, {undefined} values not defined, {refused} portraits refused, {slowest:?} at most",
            scheme.name
        );
        assert!(refused < SETS / 2, "{}: {refused} portraits refused", scheme.name);
    }
}

#[test]
fn parameters_at_their_ends_neither_panic_nor_take_the_memory_of_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let json = |settings: &[&str]| {
        let settings = settings.iter().flat_map(|setting| ["--set", setting]);
        let arguments: Vec<_> = ["--scheme", "qcn", "--json"].into_iter().chain(settings).collect();
        let run = analyze(folder.path(), &arguments).assert().success();
        serde_json::from_slice::<serde_json::Value>(&run.get_output().stdout).unwrap()
    };
    for settings in [&["w=0"][..], &["byte_cycle_bytes=64", "sample_packets=8388608"], &["sample_packets=8388608"]] {
        for line in json(settings)["lines"].as_array().unwrap() {
            assert!(line["value"].is_number() || line["verdict"].is_string(), "{settings:?}: {line}");
        }
    }
    let rare = json(&["sample_packets=8388608"]);
    let of_bound = |line: &&serde_json::Value| line["equation"] == "Jiang 2014, (17)";
    let undefined = rare["lines"].as_array().unwrap().iter().find(of_bound).unwrap();
    assert!(undefined["verdict"].as_str().unwrap().starts_with("not defined for these parameters: "), "{undefined}");
    let all_taken = analyze(folder.path(), &["--scheme", "smcc", "--set", "background_mbps=1000"]).assert().success();
    assert!(
        String::from_utf8_lossy(&all_taken.get_output().stdout).contains("not defined"),
        "nothing is left for sources"
    );
    // The switching line is an axis, and the path is there.
    analyze(folder.path(), &["--scheme", "qcn", "--set", "w=0", "--portrait", "w0.svg"]).assert().success();
    assert!(std::fs::read_to_string(folder.path().join("w0.svg")).unwrap().contains("<path"));

    // A setting that only the picture reads has no effect without it.
    let flows = ["--scheme", "bcn", "--set", "flows=5"];
    let run = analyze(folder.path(), &flows).assert().code(2).stdout("");
    let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(message.contains("`flows`: it has no effect"), "{message}");
    analyze(folder.path(), &[&flows[..], &["--portrait", "bcn.svg"]].concat()).assert().success();
}
