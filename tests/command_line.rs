// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line with missing tools or wrong input: exit codes, messages, and no files left.

use assert_cmd::Command;

/// tidegate in an empty folder, which the caller keeps and checks afterwards.
fn tidegate(folder: &std::path::Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).args(arguments);
    command
}

#[test]
fn compare_without_yosys_exits_with_3_and_says_what_to_do() {
    let (folder, no_tools) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for extra in [&[][..], &["--json"]] {
        let run = tidegate(folder.path(), &["compare", "qcn", "smcc"])
            .args(extra)
            .env("TIDEGATE_TOOLS", no_tools.path())
            .assert()
            .code(3)
            .stdout("");
        let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(message.contains("yosys was not found") && message.contains("scripts/setup-tools"), "{message}");
        assert!(message.contains(&*no_tools.path().to_string_lossy()), "names the folder it looked in: {message}");
    }
    for untouched in [&folder, &no_tools] {
        assert_eq!(std::fs::read_dir(untouched.path()).unwrap().count(), 0);
    }
}

#[test]
fn wrong_usage_of_compare_exits_with_2_and_says_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["compare"][..], "SCHEME"),
        (&["compare", "qcn", "--family", "xc9"], "xc2vp"),
        (&["compare", "qcn", "--part", "both"], "cp"),
        (&["compare", "qcn", "--ports", "0"], "1..=64"),
        (&["compare", "qcn", "--count", "0"], "expected a power of two from 1 to 4096"),
        (&["compare", "qcn", "--count", "3"], "invalid value '3' for '--count <N>': expected a power of two"),
        (&["compare", "qcn", "--count", "8192"], "expected a power of two from 1 to 4096"),
        (&["compare", "qcn", "--count", "x"], "invalid value 'x' for '--count <N>'"),
        (&["compare", "qcn", "--count", "4", "--count", "5"], "invalid value '5' for '--count <N>'"),
        (&["compare", "qcn", "--fmax", "--seeds", "0"], "1..=100"),
        (&["compare", "qcn", "--fmax", "--seeds", "101"], "1..=100"),
        (&["compare", "qcn", "--fmax", "--seeds", "x"], "invalid value 'x' for '--seeds"),
        (&["compare", "qcn", "--seeds", "3"], "--fmax"),
        (&["compare", "qcn", "--parameters", "ports"], "inputs"),
        (&["compare", "qcn", "--set", "w"], "expected KEY=VALUE"),
        (&["compare", "qcn", "--set", "=2"], "expected KEY=VALUE"),
    ] {
        let run = tidegate(folder.path(), arguments).assert().code(2).stdout("");
        let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn doctor_finds_the_installed_tools() {
    let run = tidegate(std::path::Path::new("."), &["doctor", "--json"]).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(report["format_version"], 1);
    let names: Vec<_> = report["tools"].as_array().unwrap().iter().map(|tool| tool["tool"].as_str().unwrap()).collect();
    let needed = ["yosys", "verilator", "g++", "make"];
    let optional = ["z3", "iverilog", "nextpnr-ecp5", "ecppack", "openFPGALoader", "tshark"];
    assert_eq!(names, [&needed[..], &optional].concat());
    for tool in report["tools"].as_array().unwrap().iter().filter(|tool| tool["optional"] == false) {
        assert_eq!(tool["found"], true, "{tool}: run scripts/setup-tools first");
        assert!(tool["version"].as_str().unwrap().contains('.'), "{tool}");
        assert!(std::path::Path::new(tool["path"].as_str().unwrap()).is_file(), "{tool}");
    }
}

#[test]
fn doctor_lists_what_is_missing_and_exits_with_3_where_it_is_needed() {
    let no_tools = tempfile::tempdir().unwrap();
    let doctor = |arguments: &[&str]| {
        let run = tidegate(no_tools.path(), arguments).env("TIDEGATE_TOOLS", no_tools.path()).assert().code(3);
        let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(error.contains("cannot be used: yosys, verilator\n"), "nothing optional is counted: {error}");
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let report: serde_json::Value = serde_json::from_str(&doctor(&["doctor", "--json"])).unwrap();
    assert_eq!(report["path_searched"], false);
    let yosys = &report["tools"][0];
    assert_eq!((&yosys["tool"], &yosys["found"]), (&"yosys".into(), &false.into()));
    assert!(yosys["remedy"].as_str().unwrap().contains("scripts/setup-tools"), "{yosys}");

    let text = doctor(&["doctor"]);
    let state = |tool: &str| text.lines().find(|line| line.starts_with(tool)).unwrap().split_whitespace().nth(2);
    assert_eq!((state("yosys "), state("make ")), (Some("missing"), Some("found")), "{text}");
    assert!(text.contains("\nyosys was not found: TIDEGATE_TOOLS names"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("make: /")), "{text}");
}

#[test]
fn the_page_from_rust_to_verilog_shows_the_files_as_they_are() {
    let read = |name: &str| std::fs::read_to_string(format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let page = read("docs/rust-to-verilog.md");
    let source = read("crates/circuits/src/rtl/congestion_point/queue_monitor.rs");
    let (_, module) = source.split_once("\nmodule! {").expect("the file has a module");
    assert!(page.contains(module.trim_end()), "the Rust of docs/rust-to-verilog.md is not that of queue_monitor.rs");
    // The head names the schemes that use the module.
    let of_schemes = |line: &&str| !line.starts_with("// Part of: ") && !line.starts_with("// Made by ");
    let plain = |text: &str| text.lines().filter(of_schemes).collect::<Vec<_>>().join("\n");
    let verilog = plain(&read("hdl/tidegate_queue_monitor.v"));
    assert!(plain(&page).contains(&verilog), "its Verilog is not hdl/tidegate_queue_monitor.v");
}

#[test]
fn emitted_verilog_is_plain_ascii_and_defines_each_module_once() {
    let mut modules = Vec::new();
    for entry in std::fs::read_dir(format!("{}/hdl", env!("CARGO_MANIFEST_DIR"))).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        // A sign that has no form in ASCII is a question mark.
        let mut comments = text.lines().filter_map(|line| line.split_once("//")).map(|(_, comment)| comment);
        assert!(text.is_ascii() && !comments.any(|comment| comment.contains('?')), "{}", path.display());
        modules.extend(text.lines().filter_map(|line| line.strip_prefix("module ")).map(str::to_string));
    }
    let all = modules.len();
    modules.sort();
    modules.dedup();
    assert!(all > 10 && modules.len() == all, "a module is defined twice: {modules:?}");
}
