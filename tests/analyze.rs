//! The verb `analyze`: what it says, what it draws, what it refuses.

use assert_cmd::Command;
use std::path::Path;

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
            assert!(line["equation"].as_str().unwrap().contains(".txt"), "{line}");
            assert!(line.get("value").is_some() != line.get("verdict").is_some(), "{line}");
        }
        let table = analyze(folder.path(), &["--scheme", scheme]).assert().success();
        assert_eq!(String::from_utf8_lossy(&table.get_output().stdout).lines().count(), lines.len() + 2);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_delay_bound_at_ten_gigabits_stands_in_both_readings() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["--scheme", "qcn"];
    for setting in ["line_rate_mbps=10000", "flows=1", "ai_rate_mbps=5"] {
        arguments.extend(["--set", setting]);
    }
    let run = analyze(folder.path(), &arguments).assert().success();
    let table = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(table.contains("245.1 µs") && table.contains("267.7 µs"), "{table}");
}

#[test]
fn a_portrait_is_drawn_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, axis) in [("qcn", "queue length"), ("smcc", "queue length"), ("infiniband", "rate (Mb/s)")] {
        let name = format!("{scheme}.svg");
        analyze(folder.path(), &["--scheme", scheme, "--portrait", &name]).assert().success();
        let svg = std::fs::read_to_string(folder.path().join(&name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
        assert!(svg.contains(axis) && svg.contains("polyline"), "{name}");
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
