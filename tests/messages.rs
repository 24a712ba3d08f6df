// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts of the program: length, contents, and suggested names.

use crate::common::{files_below, refused, tidegate};
use std::path::Path;

fn stdout(folder: &Path, arguments: &[&str]) -> String {
    let run = tidegate(folder, arguments).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&stdout(folder, arguments)).unwrap()
}

#[test]
fn what_a_file_holds_is_quoted_short_and_printable() {
    let folder = tempfile::tempdir().unwrap();
    let events = folder.path().join("e.csv");
    let arguments = ["sim", "cp", "--events", "e.csv", "--trace", "t.csv"];
    for text in [
        "a".repeat(20_000_000),
        format!("cycle,event,a,b\n{}", "a".repeat(20_000_000)),
        format!("cycle,event,a,b\n1,{},5\n", "a".repeat(3000)),
        "cycle,event,a,b\n1,\x1b[2J\x1b]0;title\x07,5\n".into(),
        "cycle,event,a,b\n\x1b[31m1,enqueue,5\n".into(),
        "\x1b[31mcycle\n".into(),
    ] {
        std::fs::write(&events, text).unwrap();
        let message = refused(folder.path(), &arguments, 1, &["e.csv:"]);
        assert!(message.len() < 400, "{} octets: {}", message.len(), &message[..400]);
        assert!(message.trim_end().chars().all(|character| !character.is_control()), "{message:?}");
    }
    assert_eq!(files_below(folder.path()).len(), 1);
    let message = refused(folder.path(), &["sim", "dumbbell", "--scheme", "\x1b[31mqcn"], 2, &["unknown scheme"]);
    assert!(!message.contains('\x1b'), "{message:?}");
    let message = refused(folder.path(), &["sim", "\x1b[31mdumbbell"], 2, &["dumbbell"]);
    assert!(!message.contains('\x1b'), "{message:?}");
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.csv"), "\u{feff}cycle,event,a,b\r\n1,enqueue,1500,0\r\n").unwrap();
    assert!(stdout(folder.path(), &["sim", "cp", "--events", "e.csv"]).contains("packets                  1\n"));
}

#[test]
fn times_out_of_range_and_endless_runs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = |text: &str, more: &[&str], code: i32, expected: &[&str]| {
        std::fs::write(folder.path().join("e.csv"), format!("cycle,event,a,b\n{text}")).unwrap();
        refused(folder.path(), &[&["sim"], more, &["--events", "e.csv", "--trace", "t.csv"]].concat(), code, expected);
        assert_eq!(files_below(folder.path()).len(), 1, "{more:?}");
    };
    let last = "18446744073709551615,cnm,5,3\n";
    run(last, &["rp"], 1, &["e.csv:2", "column `cycle`", "0 to 4611686018427387904"]);
    run("18446744073709551615,enter,0,0\n", &["marking", "--scheme", "infiniband"], 1, &["e.csv:2", "column `cycle`"]);
    for (bench, scheme, event) in [
        ("cp", "qcn", "1000000000000000000,enqueue,1500,0\n"),
        ("rp", "qcn", "1000000000000000000,cnm,5\n"),
        ("rp", "infiniband", "1000000000000000000,ack,1\n"),
        ("marking", "infiniband", "1000000000000000000,enter,0,0\n"),
    ] {
        run(event, &[bench, "--scheme", scheme, "--engine", "rtl"], 2, &["years", "--engine model"]);
    }
    // The model jumps there.
    std::fs::write(folder.path().join("e.csv"), "cycle,event,a,b\n4611686018427387904,enqueue,1500,0\n").unwrap();
    for settings in [&[][..], &["--set", "sample_mode=time"]] {
        let arguments = [&["sim", "cp", "--events", "e.csv", "--json"], settings].concat();
        assert_eq!(json(folder.path(), &arguments)["results"]["packets"], 1);
    }
    refused(folder.path(), &["sim", "dumbbell", "--cycles", "4611686018427387905"], 2, &["--cycles"]);
    refused(
        folder.path(),
        &["sim", "dumbbell", "--cycles", "4611686018427387904", "--engine", "rtl"],
        2,
        &["expected at most 1000000000000", "--engine model"],
    );
}

#[test]
fn a_misspelt_word_gets_a_suggestion() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["emitt"][..], "'emit'"),
        (&["sim", "dumbell"], "'dumbbell'"),
        (&["sim", "dumbbell", "--cycle", "5"], "'--cycles'"),
        (&["schemes", "scmm"], "did you mean `smcc`?"),
        (&["sim", "dumbbell", "--set", "flow=2"], "did you mean `flows`?"),
        (&["analyze", "--scheme", "qcn", "--set", "sample_mode=packet"], "did you mean `packets`?"),
    ] {
        let message = refused(folder.path(), arguments, 2, &[expected]);
        assert!(message.len() < 400, "{message}");
    }
}

/// Texts for the terminal: in a pipe, no line is longer than 80 columns.
#[test]
fn tables_and_help_fit_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let verbs = [
        "schemes",
        "boards",
        "emit",
        "sim",
        "sweep",
        "verify",
        "compare",
        "build",
        "program",
        "analyze",
        "doctor",
        "completions",
        "man",
    ];
    let mut texts: Vec<Vec<&str>> = verbs.iter().map(|verb| vec![*verb, "--help"]).collect();
    texts.extend([vec!["sweep", "merge", "--help"], vec!["sweep", "jobs", "--help"]]);
    texts.extend([vec!["--help"], vec!["schemes"], vec!["boards"]]);
    texts.extend(tidegate::registry::SCHEMES.iter().flat_map(|scheme| {
        [
            vec!["schemes", scheme.name],
            vec!["analyze", "--scheme", scheme.name],
            vec!["emit", "--scheme", scheme.name, "--out", "o"],
        ]
    }));
    texts.push(vec!["sim", "dumbbell", "--cycles", "200000", "--set", "flows=64"]);
    for arguments in texts {
        let text = stdout(folder.path(), &arguments);
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{arguments:?}: {} columns: {line}", line.chars().count());
        }
    }
}

#[test]
fn json_has_numbers_as_numbers_with_kind_bounds_and_unit() {
    let folder = tempfile::tempdir().unwrap();
    let schemes = json(folder.path(), &["schemes", "qcn", "--json"]);
    let parameters = schemes["schemes"][0]["parameters"].as_array().unwrap();
    let of = |key: &str| parameters.iter().find(|parameter| parameter["key"] == key).unwrap();
    let clock = of("clock_mhz");
    assert_eq!((&clock["kind"], &clock["default"], &clock["min"]), (&"decimal".into(), &125.into(), &1.into()));
    assert_eq!((&clock["max"], &clock["unit"]), (&1000.into(), &"MHz".into()));
    let weight = of("w");
    assert_eq!((&weight["kind"], &weight["max"]), (&"integer".into(), &63.into()));
    assert!(weight.get("unit").is_none());
    assert_eq!(of("sample_mode")["values"], serde_json::json!(["packets", "bytes", "time"]));
    assert_eq!(of("include_overhead")["default"], false);
    assert_eq!(of("cp_mac")["default"], "02:00:00:00:01:00");
    let run = json(folder.path(), &["sim", "dumbbell", "--cycles", "20000", "--json", "--set", "min_rate_mbps=2.5"]);
    assert_eq!((&run["parameters"]["flows"], &run["parameters"]["min_rate_mbps"]), (&3.into(), &2.5.into()));
    assert_eq!(run["engine"], "model");
}

#[test]
fn emit_says_which_file_is_the_top() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["emit", "--scheme", "smcc", "--out", "out"];
    let text = stdout(folder.path(), &arguments);
    let said = |file: &str| text.lines().find_map(|line| line.strip_prefix(file)).map(str::trim);
    assert_eq!(said("out/tidegate_smcc_reaction_point.v "), Some("top, parameters as inputs"), "{text}");
    assert_eq!(said("out/tidegate_smcc_reaction_point_fixed.v "), Some("top, parameters fixed"), "{text}");
    let report = json(folder.path(), &[&arguments[..], &["--json"]].concat());
    let files = report["files"].as_array().unwrap();
    let with = |role: &str| files.iter().filter(|file| file["role"] == role).collect::<Vec<_>>();
    let tops: Vec<_> = with("top").iter().map(|file| (file["module"].clone(), file["part"].clone())).collect();
    assert_eq!(
        tops,
        [("tidegate_smcc_congestion_point".into(), "cp".into()), ("tidegate_smcc_reaction_point".into(), "rp".into())]
    );
    assert_eq!((with("fixed_top").len(), with("file_list").len(), with("constraints").len()), (2, 1, 0));
    for file in files {
        assert!(folder.path().join(file["path"].as_str().unwrap()).is_file(), "{file}");
    }
}

#[test]
fn the_summary_names_the_engine_and_what_the_numbers_mean() {
    let folder = tempfile::tempdir().unwrap();
    let short = stdout(folder.path(), &["sim", "dumbbell", "--cycles", "250000", "--set", "flows=8"]);
    assert!(short.starts_with("qcn on dumbbell: model (--engine model), seed 1\n"), "{short}");
    assert!(short.contains("Heavy loss: ") && short.contains("The loop has not settled"), "{short}");
    let arguments = ["sim", "dumbbell", "--scheme", "smcc", "--cycles", "500000000", "--set", "min_rate_mbps=600"];
    let overload = stdout(folder.path(), &arguments);
    assert!(overload.contains("Overload: even at the smallest rate the sources send 1800 Mb/s"), "{overload}");
    let settled = stdout(folder.path(), &["sim", "dumbbell", "--scheme", "smcc", "--cycles", "500000000"]);
    assert!(settled.contains("The queue is near its target of 65536 bytes."), "{settled}");
    assert!(!settled.contains("Heavy") && !settled.contains("not settled"), "{settled}");
    let circuits = stdout(folder.path(), &["sim", "dumbbell", "--cycles", "3000", "--engine", "rtl"]);
    assert!(circuits.starts_with("qcn on dumbbell: circuits (--engine rtl)"), "{circuits}");
    let waveform = stdout(folder.path(), &["sim", "dumbbell", "--cycles", "3000", "--vcd", "w.vcd"]);
    assert!(waveform.starts_with("qcn on dumbbell: circuits (--engine rtl)"), "{waveform}");
}

#[test]
fn quiet_prints_nothing_and_colours_are_for_terminals() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stdout(folder.path(), &["sim", "dumbbell", "--cycles", "20000", "--quiet"]), "");
    assert_eq!(stdout(folder.path(), &["--quiet", "emit", "--scheme", "qcn", "--out", "o"]), "");
    assert!(json(folder.path(), &["sim", "dumbbell", "--cycles", "20000", "--quiet", "--json"]).is_object());
    let error = |arguments: &[&str]| {
        let run = tidegate(folder.path(), arguments).assert().code(2);
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    };
    for verb in [&["schemes", "x"][..], &["nonsense"]] {
        let with = |color: &str| error(&[&["--color", color], verb].concat());
        assert!(with("always").contains("\x1b[") && !with("never").contains('\x1b') && !error(verb).contains('\x1b'));
    }
}

#[test]
fn completions_and_manual_pages_name_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(folder.path(), &["completions", shell]);
        // They ask the program itself: tests/terminal.rs asks in the same way.
        assert!(script.contains("TIDEGATE_COMPLETE") && script.contains("tidegate"), "{shell}");
    }
    stdout(folder.path(), &["man", "--out", "pages"]);
    let pages = files_below(&folder.path().join("pages"));
    let names: Vec<String> = pages.iter().map(|(path, _)| path.display().to_string()).collect();
    assert!(names.contains(&"tidegate.1".into()) && names.contains(&"tidegate-sim.1".into()), "{names:?}");
    assert!(names.contains(&"tidegate-sweep-merge.1".into()), "{names:?}");
    let (_, page) = pages.iter().find(|(path, _)| path == Path::new("tidegate-sim.1")).unwrap();
    let page = String::from_utf8_lossy(page);
    assert!(page.contains(".TH tidegate-sim 1") && page.contains("QntzFb"), "{page}");
}

/// Each device has its own addresses: emitted files for a switch or a card do not have those of the benches.
#[test]
fn addresses_and_identifiers_reach_the_verilog_and_the_benches() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ["cp_mac=02:00:5e:00:77:01", "rp_mac=02:00:5e:00:78:0a", "cpid=0x123456789abcdef0", "seed=77"];
    let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    stdout(folder.path(), &[&["emit", "--scheme", "smcc", "--out", "o"], &set[..]].concat());
    let read = |name: &str| std::fs::read_to_string(folder.path().join("o").join(name)).unwrap();
    let (congestion_point, reaction_point) =
        (read("tidegate_smcc_congestion_point_fixed.v"), read("tidegate_smcc_reaction_point_fixed.v"));
    for piece in
        ["16'h200", "32'h5e007701", "32'h12345678", "32'h9abcdef0", "16'd77", "//   cp_mac = 02:00:5e:00:77:01"]
    {
        assert!(congestion_point.contains(piece), "no {piece} in {congestion_point}");
    }
    assert!(reaction_point.contains("32'h5e00780a"), "{reaction_point}");
    let trace = |engine: &str| {
        let run =
            ["sim", "dumbbell", "--cycles", "150000", "--set", "sample_packets=5", "--engine", engine, "--trace", "-"];
        stdout(folder.path(), &[&run[..], &set[..]].concat())
    };
    let (circuits, model) = (trace("rtl"), trace("model"));
    assert_eq!(circuits, model);
    assert!(circuits.contains("feedback_received"), "feedback finds its source");
}

#[test]
fn numbers_of_queues_and_flows_are_refused_where_they_do_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let refuses = |arguments: &str, expected: &[&str]| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        refused(folder.path(), &arguments, 2, expected);
    };
    for engine in ["rtl", "model"] {
        let run = |bench: &str, setting: &str| format!("sim {bench} --scheme smcc --engine {engine} --set {setting}");
        refuses(&run("dumbbell", "cp_queues=4"), &["cp_queues", "expected 1"]);
        refuses(&run("cp --events e.csv", "cp_queues=4"), &["cp_queues", "expected 1"]);
        refuses(&run("rp --events e.csv", "rp_flows=4"), &["rp_flows", "expected 1", "`sim dumbbell`"]);
        refuses(&run("rp --pcap e.pcap", "rp_flows=4"), &["rp_flows", "expected 1", "`sim dumbbell`"]);
        refuses(&run("dumbbell", "rp_flows=4 --set flows=4"), &["`flows`", "no effect"]);
        refuses(&run("dumbbell", "rp_flows=4 --set rp_mac=02:00:00:00:10:02"), &["rp_mac", "low 2 bits are 0"]);
        // The addresses of the flows must not reach that of the congestion point.
        let near = "rp_flows=4096 --set rp_mac=02:00:00:00:00:00";
        refuses(&run("dumbbell", near), &["rp_mac", "not cp_mac among them"]);
        for bottleneck in ["1000", "1001"] {
            let slow = format!("rp_flows=4 --set bottleneck_mbps={bottleneck}");
            refuses(&run("dumbbell", &slow), &["bottleneck_mbps", "the line rate"]);
        }
        refuses(&run("dumbbell", "bottleneck_mbps=0.000001"), &["bottleneck_mbps", "expected at least"]);
        let endless = run("dumbbell", "rp_flows=4 --cycles 4611686018427387904");
        refuses(&endless, &["expected at most 1000000000000"]);
    }
    for key in ["cp_queues", "rp_flows"] {
        refuses(&format!("emit --scheme smcc --out o --set {key}=5"), &[key, "expected one of 1, 2, 4"]);
    }
    let short = "emit --scheme qcn --out o --set rp_flows=1024 --set timer_us=100";
    refuses(short, &["timer_us", "expected 0 (off) or at least", "131072 cycles"]);
    refuses("emit --scheme qcn --out o --set flow_from=tag", &["flow_from", "expected `address`", "rp_flows=1"]);
    refuses("emit --scheme qcn --out o --set flow_from=both", &["flow_from", "expected one of address, tag"]);
    refuses("sim dumbbell --scheme qcn --set rp_flows=4 --set flow_from=tag", &["flow_from", "no CN-TAG"]);
    refuses(
        "emit --scheme smcc --out o --set rp_flows=64 --set rp_mac=02:00:00:00:10:01",
        &["rp_mac", "low 6 bits are 0"],
    );
    refuses("emit --scheme smcc --out o --set cp_queues=4 --set cpid=0x11", &["cpid", "multiple of 4"]);
    assert_eq!(files_below(folder.path()).len(), 0);
}
