// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wrong input and outputs that are not writable, for each verb: exit code, a message with the fault, no incomplete
//! file. Also: the same bytes in each run, JSON with a version, the table of verbs.

use crate::common::{files_below, refused, tidegate};
use std::path::{Path, PathBuf};
use tidegate::registry::ethernet;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

fn copy_folder(from: &Path, to: &Path) {
    for (path, bytes) in files_below(from) {
        std::fs::create_dir_all(to.join(&path).parent().unwrap()).unwrap();
        std::fs::write(to.join(path), bytes).unwrap();
    }
}

#[test]
fn an_unknown_scheme_is_refused_with_those_there_are() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["emit", "--scheme", "qcm", "--out", "out"][..],
        &["sim", "dumbbell", "--scheme", "qcm", "--trace", "out.csv"],
        &["compare", "qcn", "qcm", "--report", "out"],
        &["schemes", "qcm"],
    ] {
        refused(folder.path(), arguments, 2, &["qcm", "qcn, bcn, smcc, asm, dsm, infiniband"]);
    }
    assert!(files_below(folder.path()).is_empty());
}

#[test]
fn a_parameter_that_cannot_be_is_refused_with_its_range() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["emit", "--scheme", "qcn", "--set", "w=64", "--out", "out"][..],
        &["sim", "dumbbell", "--scheme", "qcn", "--set", "w=64", "--trace", "out.csv"],
        &["compare", "qcn", "smcc", "--set", "qcn.w=64", "--report", "out"],
    ] {
        refused(folder.path(), arguments, 2, &["`w`", "0 to 63"]);
    }
    refused(
        folder.path(),
        &["emit", "--scheme", "smcc", "--set", "timer_us=0", "--out", "out"],
        2,
        &["no such parameter"],
    );
    let message = ["compare", "qcn", "smcc", "--set", "timer_us=0"];
    refused(folder.path(), &message, 2, &["smcc has no such parameter", "SCHEME.KEY=VALUE"]);
    refused(folder.path(), &["compare", "smcc", "--set", "profile=8021q"], 2, &["`profile`", "paper"]);
    assert!(files_below(folder.path()).is_empty());
}

/// InfiniBand has its own keys and benches; a key or a bench of other schemes is an error with the valid ones.
#[test]
fn infiniband_has_its_own_keys_and_benches() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.csv"), "cycle,event,a,b\n1,enter,0,0\n2,leave,1,0\n").unwrap();
    let run = |arguments: &[&str], code, expected: &[&str]| {
        refused(folder.path(), arguments, code, expected);
        assert_eq!(files_below(folder.path()).len(), 1, "{arguments:?}: nothing but the events");
    };
    for bench in ["dumbbell", "cp"] {
        run(&["sim", bench, "--scheme", "infiniband", "--trace", "t.csv"], 2, &["no bench", "rp, marking"]);
    }
    run(&["sim", "marking", "--scheme", "qcn", "--events", "e.csv"], 2, &["no bench", "dumbbell, rp, cp, switch"]);
    run(&["sim", "marking", "--scheme", "infiniband"], 2, &["needs --events"]);
    run(
        &["sim", "rp", "--scheme", "infiniband", "--events", "e.csv", "--seed", "2"],
        2,
        &["no such parameter", "`tidegate schemes infiniband` lists"],
    );
    let events = ["sim", "marking", "--scheme", "infiniband", "--events", "e.csv", "--trace", "t.csv"];
    run(&events, 1, &["e.csv:3: no packet for output 1 waits in the buffer of input 0"]);
    for (setting, expected) in [
        ("ports=3", "2, 4, 8"),
        ("q0_bytes=1000", "no such parameter"),
        ("flows=3", "no such parameter"),
        ("decrease_factor=1", "2 to 256"),
        ("packet_bytes=16384", "expected 2 to 65535"),
    ] {
        let slow = "line_rate_mbps=1";
        run(&["emit", "--scheme", "infiniband", "--set", slow, "--set", setting, "--out", "out"], 2, &[expected]);
    }
    run(&["compare", "qcn", "infiniband", "--report", "page"], 2, &["--report", "infiniband has no closed loop"]);
    run(
        &["compare", "qcn", "infiniband", "--set", "w=3"],
        2,
        &["infiniband has no such parameter", "SCHEME.KEY=VALUE"],
    );
}

/// A key that changes modules changes them and their tables, and is in their header.
#[test]
fn infiniband_emits_every_variant() {
    let folder = tempfile::tempdir().unwrap();
    let emit = |out: &str, settings: &[&str]| {
        let mut arguments = vec!["emit", "--scheme", "infiniband", "--out", out];
        settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
        tidegate(folder.path(), &arguments).assert().success();
        files_below(&folder.path().join(out))
    };
    let text = |files: &[(PathBuf, Vec<u8>)], name: &str| {
        let file = files.iter().find(|(path, _)| path == Path::new(name)).unwrap_or_else(|| panic!("no {name}"));
        String::from_utf8(file.1.clone()).unwrap()
    };
    let header = text(&emit("header", &["full_when=header"]), "tidegate_marking_4_fixed.v");
    assert!(header.contains("//   full_when = header") && header.contains(".full_when_whole(1'd0)"));
    for ports in ["2", "4", "8"] {
        for (marking, prefix) in [("counters", ""), ("naive", "naive_")] {
            let files = emit(&format!("{marking}{ports}"), &[&format!("ports={ports}"), &format!("marking={marking}")]);
            let top = text(&files, &format!("tidegate_{prefix}marking_{ports}_fixed.v"));
            assert!(top.contains(&format!("//   marking = {marking}")) && top.contains("//   packet_bytes = 2048"));
            assert!(top.contains("//   full_when = whole") && top.contains(".full_when_whole(1'd1)"));
            assert!(text(&files, "infiniband.f").contains(&format!("tidegate_input_buffer_{ports}.v")));
        }
    }
    // LIPD has no table; a division by a power of two has a table of costs, any other division also one of delays.
    let three = ["response=fimd", "decrease_factor=3", "rate_steps=100"];
    let tables = [
        ("lipd", &["response=lipd"][..], "lipd", ""),
        ("fimd", &["response=fimd"], "shift", "16'h"),
        ("aimd", &["response=aimd"], "shift", "16'h"),
        ("three", &three, "table", "25'h"),
    ]
    .map(|(out, settings, response, word)| {
        let files = emit(out, settings);
        let module = text(&files, &format!("tidegate_response_{response}.v"));
        assert!(module.contains(&format!("--set {} --out", settings.join(" --set "))), "{module}");
        let modules = files.iter().filter(|(path, _)| path.to_string_lossy().contains("_response_")).count();
        assert_eq!(modules, 1, "{out} pays for one response");
        let words = module.split(']').filter_map(|rest| rest.trim_start().strip_prefix("= "));
        words.filter(|rest| !word.is_empty() && rest.starts_with(word)).count()
    });
    assert_eq!(tables, [0, 256, 256, 256]);
    assert_ne!(
        text(&emit("fimd", &["response=fimd"]), "tidegate_response_shift.v"),
        text(&emit("aimd", &["response=aimd"]), "tidegate_response_shift.v")
    );
    // A parameter port does not change the module.
    assert_eq!(
        text(&emit("persistent", &["persistent=true"]), "tidegate_calculator_infiniband.v"),
        text(&emit("default", &[]), "tidegate_calculator_infiniband.v")
    );
}

#[test]
fn a_board_file_with_a_fault_is_refused_by_the_name_of_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(Path::new(REPOSITORY).join("boards/ecp5_versa.toml")).unwrap();
    for (old, new, expected) in [
        ("rxc = \"J19\"", "rxc = \"L20\"", &["my.toml", "L20", "rgmii_0", "rgmii_1"][..]),
        ("rxc = \"J19\"\n", "", &["my.toml", "rxc"]),
    ] {
        assert!(good.contains(old));
        std::fs::write(folder.path().join("my.toml"), good.replace(old, new)).unwrap();
        refused(folder.path(), &["emit", "--board", "my.toml", "--out", "out"], 1, expected);
        assert_eq!(files_below(folder.path()).len(), 1, "only the board file is there");
    }
    refused(
        folder.path(),
        &["emit", "--board", "no_such_board", "--out", "out"],
        2,
        &["no_such_board", "tidegate boards"],
    );
}

#[test]
fn registers_are_written_beside_the_parts() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["emit", "--scheme", "qcn", "--part", "rp", "--set", "rp_flows=4", "--registers", "--out", "out"];
    tidegate(folder.path(), &arguments).assert().success();
    let list = std::fs::read_to_string(folder.path().join("out/qcn.f")).unwrap();
    for file in ["registers", "with_registers"] {
        assert!(list.contains(&format!("tidegate_qcn_flows_{file}.v\n")), "{list}");
    }
    for ending in ["v", "h", "rs", "py", "rdl", "md"] {
        let file = folder.path().join(format!("out/tidegate_qcn_flows_registers.{ending}"));
        let text = std::fs::read_to_string(file).unwrap();
        let made = "tidegate emit --scheme qcn --part rp --registers --set rp_flows=4";
        let joined = text.split_whitespace().filter(|word| *word != "//").collect::<Vec<_>>().join(" ");
        assert!(joined.contains(made), "{ending}: {text}");
    }
    refused(folder.path(), &["emit", "--registers", "--board", "ecp5_versa", "--out", "none"], 2, &["--scheme"]);
    refused(folder.path(), &["emit", "--registers", "--check"], 2, &["--scheme"]);
    let wrong = ["emit", "--scheme", "qcn", "--registers", "--set", "q0_bytes=63", "--out", "none"];
    refused(folder.path(), &wrong, 2, &["q0_bytes"]);
    assert!(!folder.path().join("none").exists());
}

/// What connects the register files of both parts to a bus is there once, and each file is in the list.
#[test]
fn registers_are_connected_to_a_bus() {
    let folder = tempfile::tempdir().unwrap();
    let buses = [
        ("axi4-lite", "axi4_lite", ["s_axi_awaddr", "s_axi_rdata", "boundary", "q0"]),
        ("ring", "register_ring", ["reg_req_in", "reg_src_out", "_BLOCK_ADDR", "q0"]),
    ];
    for (bus, adapter, pieces) in buses {
        let arguments = ["emit", "--scheme", "qcn", "--registers", "--register-bus", bus, "--out", bus];
        tidegate(folder.path(), &arguments).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(bus).join(name)).unwrap();
        let listed = read("qcn.f");
        assert_eq!(listed.matches(&format!("tidegate_{adapter}.v\n")).count(), 1, "{listed}");
        let ending = adapter.trim_start_matches("register_");
        for part in ["congestion", "reaction"] {
            let name = format!("tidegate_qcn_{part}_point_registers_{ending}.v");
            assert!(listed.contains(&format!("{name}\n")), "no {name} in {listed}");
            let text = read(&name);
            for piece in &pieces[..if part == "congestion" { 4 } else { 3 }] {
                assert!(text.contains(piece), "{name}: no `{piece}` in {text}");
            }
        }
        assert!(read("tidegate_qcn_reaction_point_registers.h").contains("RPG_MAX_RATE"));
    }
    let emit = ["emit", "--scheme", "qcn", "--out", "none"];
    let cases: [(&[&str], &[&str]); 3] = [
        (&["--register-bus", "ring"], &["--registers"]),
        (&["--registers", "--register-bus", "wishbone"], &["wishbone", "axi4-lite", "ring"]),
        (
            &["--part", "cp", "--bus", "netfpga1g", "--registers", "--register-bus", "axi4-lite"],
            &["register ring", "leave --register-bus out"],
        ),
    ];
    for (arguments, expected) in cases {
        refused(folder.path(), &[&emit, arguments].concat(), 2, expected);
    }
    assert!(!folder.path().join("none").exists());
}

#[test]
fn a_place_that_cannot_be_written_is_named_and_nothing_is_left() {
    // A file in place of a folder is an error for root too.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    // A folder where the last of the files is wanted.
    std::fs::create_dir_all(folder.path().join("half/qcn.f")).unwrap();
    std::fs::write(folder.path().join("half/qcn.f/file"), "mine").unwrap();
    let before = files_below(folder.path());
    for arguments in [
        &["emit", "--scheme", "qcn", "--out", "file"][..],
        &["compare", "qcn", "--report", "file"],
        &["compare", "qcn", "--chart", "file/chart.svg"],
        &["compare", "qcn", "--chart", "no_such_folder/chart.svg"],
        &["sim", "dumbbell", "--cycles", "1000", "--trace", "file/trace.csv"],
    ] {
        let place = arguments[arguments.len() - 1];
        refused(folder.path(), arguments, 1, &["cannot", place]);
        assert_eq!(files_below(folder.path()), before, "{arguments:?}");
    }
    refused(folder.path(), &["emit", "--scheme", "qcn", "--out", "half", "--force"], 2, &["cannot", "half/qcn.f"]);
    assert_eq!(files_below(folder.path()), before);
}

#[test]
fn without_yosys_a_report_is_not_begun() {
    let (folder, no_tools) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    tidegate(folder.path(), &["compare", "qcn", "smcc", "--report", "report", "--chart", "chart.svg"])
        .env("TIDEGATE_TOOLS", no_tools.path())
        .assert()
        .code(3)
        .stdout("");
    assert!(files_below(folder.path()).is_empty());
}

#[test]
fn emitting_twice_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["qcn", "smcc", "infiniband"] {
        for out in ["first", "second"] {
            let out = format!("{out}/{scheme}");
            tidegate(folder.path(), &["emit", "--scheme", scheme, "--out", &out]).assert().success();
        }
    }
    let first = files_below(&folder.path().join("first"));
    assert!(first.iter().any(|(path, _)| path.ends_with("tidegate_qcn_reaction_point.v")) && first.len() > 10);
    assert_eq!(first, files_below(&folder.path().join("second")));
}

#[test]
fn the_prefix_of_the_modules_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    for (prefix, out) in [(None, "usual"), (Some(""), "none"), (Some("tg_"), "other")] {
        let mut arguments = vec!["emit", "--scheme", "dsm", "--part", "rp", "--out", out];
        prefix.iter().for_each(|prefix| arguments.extend(["--prefix", prefix]));
        tidegate(folder.path(), &arguments).assert().success();
        let prefix = prefix.unwrap_or("tidegate_");
        let read = |name: &str| std::fs::read_to_string(folder.path().join(out).join(name)).unwrap();
        let top = read(&format!("{prefix}dsm_reaction_point.v"));
        assert!(top.contains(&format!("\nmodule {prefix}dsm_reaction_point (")), "{top}");
        assert!(top.contains(&format!("\n    {prefix}parser parser (")), "{top}");
        let fixed = read(&format!("{prefix}dsm_reaction_point_fixed.v"));
        assert!(fixed.contains(&format!("\n    {prefix}dsm_reaction_point reaction_point (")), "{fixed}");
        assert!(read("dsm.f").lines().skip(1).all(|line| line.starts_with(prefix)));
        let option = match prefix {
            "tidegate_" => String::new(),
            "" => " --prefix \"\"".to_string(),
            other => format!(" --prefix {other}"),
        };
        assert!(top.contains(&format!("emit --scheme dsm{option} --out DIR")), "{top}");
        assert!(fixed.contains(&format!("emit --scheme dsm --part rp{option} --out DIR")), "{fixed}");
    }
    let wrong = ["emit", "--scheme", "dsm", "--out", "wrong", "--prefix", "2-"];
    refused(folder.path(), &wrong, 2, &["--prefix", "letters, digits and underscores"]);
}

#[test]
fn check_passes_here_and_names_a_file_in_which_one_byte_is_changed() {
    tidegate(Path::new(REPOSITORY), &["emit", "--check"]).assert().success();
    let copy = tempfile::tempdir().unwrap();
    for room in ["hdl", "constraints"] {
        copy_folder(&Path::new(REPOSITORY).join(room), &copy.path().join(room));
    }
    tidegate(copy.path(), &["emit", "--check"]).assert().success();
    let name = "hdl/tidegate_calculator_smcc.v";
    let path = copy.path().join(name);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    refused(copy.path(), &["emit", "--check"], 1, &[name, "differs", "emit --update"]);
}

#[test]
fn json_is_json_with_a_version() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["schemes", "--json"][..],
        &["schemes", "qcn", "--json"],
        &["boards", "--json"],
        &["doctor", "--json"],
        &["sim", "dumbbell", "--cycles", "20000", "--engine", "model", "--json"],
    ] {
        let run = tidegate(folder.path(), arguments).assert().success();
        let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
        assert!(report["format_version"].is_u64(), "{arguments:?}: {report}");
    }
}

/// One family, so that it takes seconds: the registers of blocks as one counts them in their source, and a page from
/// it.
#[test]
fn compare_counts_registers_and_writes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "qcn", "smcc", "--family", "ecp5", "--parameters", "inputs", "--json"];
    let run = tidegate(Path::new(REPOSITORY), &arguments)
        .args(["--cycles", "2500000", "--report"])
        .arg(folder.path().join("report"))
        .assert()
        .success();
    let outcome: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!((&outcome["format_version"], &outcome["parameters"]), (&3.into(), &"inputs".into()));
    let flip_flops = |scheme: &str, block: &str, ports: u64| {
        let rows = outcome["rows"].as_array().unwrap();
        let wanted = |row: &&serde_json::Value| {
            row["scheme"] == scheme && row["profile"] == "paper" && row["block"] == block && row["ports"] == ports
        };
        rows.iter().find(wanted).unwrap()["flip_flops"].as_u64().unwrap()
    };
    for scheme in ["qcn", "smcc"] {
        assert_eq!(flip_flops(scheme, "queue_monitor", 1), 26 + 24 + 1); // length now and at the last sample, and that one was taken
        assert_eq!(flip_flops(scheme, "rate_limiter", 1), 32 + 1 + 14 + 15); // tokens, a grant, the longest frame, the cost of the request
        assert_eq!(flip_flops(scheme, "rate_limiter", 4), 4 * (32 + 1 + 14 + 15));
    }
    // word, thirteen flags, lengths of the data unit and of the frame; then the fields that the scheme reads, and four flags of the
    // CPID, which is in LUT RAM
    assert_eq!(flip_flops("qcn", "parser", 1), 4 + 13 + 7 + 7 + 6);
    assert_eq!(flip_flops("smcc", "parser", 1), 4 + 13 + 7 + 7 + 16 + 16 + 4);

    let files = files_below(&folder.path().join("report"));
    let octets =
        |name: &str| &files.iter().find(|(path, _)| path.to_str() == Some(name)).unwrap_or_else(|| panic!("{name}")).1;
    // Each picture of the page is beside it in both forms.
    for name in [
        "area",
        "queue",
        "fairness",
        "area-ecp5-cp-luts",
        "area-ecp5-rp-flip-flops",
        "queue-qcn-8021q",
        "rates-smcc-paper",
    ] {
        assert!(
            octets(&format!("{name}.svg")).starts_with(b"<svg")
                && octets(&format!("{name}.png")).starts_with(b"\x89PNG")
        );
    }
    let page = String::from_utf8(octets("index.html").clone()).unwrap();
    assert_eq!(
        files.len(),
        // The page and the list, and each picture twice.
        2 + 2 * page.matches("<figure>").count(),
        "{:?}",
        files.iter().map(|file| &file.0).collect::<Vec<_>>()
    );
    for wanted in [
        "qcn 8021q",
        "The published figure",
        "Which scheme when",
        "the median by Jain&#39;s index",
        "Closed loop: all seeds",
        "sample_jitter_percent",
        "<svg",
        "share of the part",
        "LUTs, 1 port",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    let repeated =
        "tidegate sim dumbbell --scheme smcc --cycles 2500000 --engine model --set profile=paper --set seed=";
    assert!(page.contains(repeated));
}

/// One part of one scheme for one family, so that it takes seconds: copies are multiples of the part for one, in the
/// table, in JSON and on the page.
#[test]
fn compare_counts_copies_and_one_part_for_many() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["compare", "smcc", "--part", "rp", "--family", "ecp5", "--count", "1", "--count", "4"];
    let run = tidegate(folder.path(), &arguments).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let cells = |label: &str| -> Vec<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(label)).unwrap_or_else(|| panic!("{label}: {text}"));
        line.replace(',', "").split_whitespace().map(|cell| cell.parse().unwrap()).collect()
    };
    let (one, copies, many) = (cells("1 copy"), cells("4 copies"), cells("4 in one"));
    assert_eq!(cells("1 in one"), one);
    assert_eq!(copies[..4], one[..4].iter().map(|count| 4 * count).collect::<Vec<_>>());
    assert_eq!(copies[4], one[4], "bits of each");
    assert!(many[1] < copies[1] && many[4] == 25 + 1 + 2 + 64 + 30 + 2, "{text}");

    let run = tidegate(folder.path(), &arguments)
        .args(["--json", "--cycles", "2500000", "--report", "report"])
        .assert()
        .success();
    let outcome: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let rows = outcome["counts"]["rows"].as_array().unwrap();
    let flip_flops: Vec<_> = rows.iter().map(|row| row["flip_flops"].as_u64().unwrap()).collect();
    assert_eq!(flip_flops, [one[0], one[0], copies[0], many[0]]);
    let page = std::fs::read_to_string(folder.path().join("report/index.html")).unwrap();
    for wanted in ["Copies or one part: ecp5, reaction point", "smcc paper, one part", "number of flows", "4 in one"] {
        assert!(page.contains(wanted), "{wanted}");
    }
}

#[test]
fn the_page_of_commands_has_the_verbs_of_the_help() {
    let run = tidegate(Path::new("."), &["--help"]).assert().success();
    let help = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let verbs: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .collect();
    let page = std::fs::read_to_string(Path::new(REPOSITORY).join("docs/commands.md")).unwrap();
    let listed: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")).filter_map(|line| line.split('`').next()).collect();
    assert_eq!(listed, verbs, "the table of verbs in docs/commands.md");
}

/// The table of docs/latencies.md, row by row, against the constants of the models.
#[test]
fn the_page_of_latencies_has_those_of_the_models() {
    let read = |name: &str| std::fs::read_to_string(Path::new(REPOSITORY).join(name)).unwrap();
    let page = read("docs/latencies.md");
    let one = regex::Regex::new(r"\| (\d+) \| `(\w+)::(\w+_LATENCY)` \|").unwrap();
    let step = regex::Regex::new(r"\| (\d+) \+ (\d+) \| `(\w+)::(\w+)` \|").unwrap();
    let shared = Path::new("crates/schemes/src/model/congestion_point.rs");
    let of = |module: &str| match module {
        "congestion_point" => read(shared.to_str().unwrap()),
        scheme => read(&format!("crates/schemes/src/{scheme}/model.rs")),
    };
    let mut rows = 0;
    for found in one.captures_iter(&page) {
        let constant = format!("const {}: Cycles = {};", &found[3], &found[1]);
        assert!(
            of(&found[2]).contains(&constant),
            "docs/latencies.md: {}::{} is not {}",
            &found[2],
            &found[3],
            &found[1]
        );
        rows += 1;
    }
    for found in step.captures_iter(&page) {
        let value = format!("StepLatency {{ taken: {}, shown: {} }};", &found[1], &found[2]);
        let constant = format!("const {}: StepLatency = {value}", &found[4]);
        assert!(of(&found[3]).contains(&constant), "docs/latencies.md: {}::{} is not {value}", &found[3], &found[4]);
        rows += 1;
    }
    assert_eq!(rows, 14);
}

/// The congestion point for the NetFPGA-1G: what it is made of, and what cannot be made.
#[test]
fn a_congestion_point_for_the_netfpga_1g_is_emitted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bus = ["--bus", "netfpga1g"];
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let arguments = [&["emit", "--scheme", scheme, "--part", "cp", "--out", scheme][..], &bus].concat();
        tidegate(folder.path(), &arguments).assert().success();
        let written = files_below(&folder.path().join(scheme));
        let text = |name: &str| {
            let found = written.iter().find(|(path, _)| path == Path::new(name));
            String::from_utf8(found.unwrap_or_else(|| panic!("{scheme}: no {name}")).1.clone()).unwrap()
        };
        let whole = text("tidegate_cp.v");
        for piece in
            ["module tidegate_cp #(", "parameter DATA_WIDTH = 64", "[DATA_WIDTH - 1:0]", "in_rdy", "pkt_removed"]
        {
            assert!(whole.contains(piece), "{scheme}: no `{piece}` in {whole}");
        }
        assert!(text("tidegate_cp_registers.h").contains("CONTROLLED_PORTS"), "{scheme}");
        // The list has each file, and inner modules come first.
        let listed = text(&format!("{scheme}.f"));
        for (path, _) in written.iter().filter(|(path, _)| path.extension().is_some_and(|ending| ending == "v")) {
            assert!(listed.lines().any(|line| Path::new(line) == path), "{scheme}: {} is not listed", path.display());
        }
    }
    let level = ["emit", "--scheme", "qcn", "--part", "cp", "--queue-input", "level", "--out", "level"];
    tidegate(folder.path(), &[&level[..], &bus].concat()).assert().success();
    let read = |name: &str| std::fs::read_to_string(folder.path().join("level").join(name)).unwrap();
    let whole = read("tidegate_cp.v");
    assert!(whole.contains("[87:0]") && whole.contains("queue_words") && !whole.contains("pkt_removed"), "{whole}");
    assert!(whole.contains("--queue-input level"), "how to make it again: {whole}");
    assert!(!read("tidegate_cp_registers.h").contains("LOST_EVENTS"));
    let without_bus = ["emit", "--scheme", "qcn", "--queue-input", "level", "--out", "no"];
    refused(folder.path(), &without_bus, 2, &["--bus"]);
    let native = ["emit", "--scheme", "qcn", "--queue-input", "level", "--bus", "native", "--out", "no"];
    refused(folder.path(), &native, 2, &["--queue-input", "--bus netfpga1g", "--tuser netfpga"]);
    let out = ["--out", "no"];
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--scheme", "infiniband", "--part", "cp"], &["infiniband", "qcn, bcn, smcc, asm, dsm"]),
        (&["--scheme", "qcn", "--part", "rp", "--set", "rp_flows=2"], &["`rp_flows` = 2", "four MAC ports"]),
        (&["--scheme", "qcn"], &["--part cp", "--part rp"]),
        (&["--scheme", "qcn", "--part", "cp", "--board", "NetFPGA-1G"], &["--board", "no pins"]),
        (&["--scheme", "qcn", "--part", "cp", "--set", "cp_queues=4"], &["`cp_queues` = 4", "8 output queues"]),
        (&["--scheme", "qcn", "--part", "cp", "--set", "w=64"], &["`w`", "0 to 63"]),
    ];
    for (arguments, expected) in cases {
        refused(folder.path(), &[&["emit"], arguments, &bus, &out].concat(), 2, expected);
    }
    assert!(!folder.path().join("no").exists());
}

/// The reaction point for the NetFPGA-1G: what it is made of.
#[test]
fn a_reaction_point_for_the_netfpga_1g_is_emitted() {
    let folder = tempfile::tempdir().unwrap();
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let arguments = ["emit", "--scheme", scheme, "--part", "rp", "--bus", "netfpga1g", "--out", scheme];
        tidegate(folder.path(), &arguments).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(scheme).join(name)).unwrap();
        let whole = read("tidegate_rp.v");
        for piece in ["module tidegate_rp #(", "RP_BLOCK_ADDR = 13'd3", "[DATA_WIDTH - 1:0]", "tx_out_data_3", "in_rdy"]
        {
            assert!(whole.contains(piece), "{scheme}: no `{piece}` in {whole}");
        }
        for name in ["PASS_FEEDBACK", "FLOW_SOURCE", "REMOVED_FRAMES"] {
            assert!(read("tidegate_rp_registers.h").contains(name), "{scheme}: {name}");
        }
        let listed = read(&format!("{scheme}.f"));
        assert!(listed.contains("tidegate_transmit_gates.v") && listed.contains("tidegate_rp.v"), "{listed}");
    }
}

/// The congestion point for AXI4-Stream: what it is made of, and what cannot be made.
#[test]
fn a_congestion_point_for_axi4_stream_is_emitted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bus = ["--bus", "axis"];
    let widths = ["64", "128", "256", "512"].into_iter().cycle();
    for (scheme, width) in ethernet().map(|scheme| scheme.name).zip(widths) {
        let emit = ["emit", "--scheme", scheme, "--part", "cp", "--width", width, "--out", scheme];
        tidegate(folder.path(), &[&emit[..], &bus].concat()).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(scheme).join(name)).unwrap();
        let whole = read("tidegate_cp.v");
        let data = format!("[{}:0] s_axis_tdata", width.parse::<u32>().unwrap() - 1);
        for piece in ["module tidegate_cp (", &data, "m_axis_cnm_tready", "s_axi_awaddr", "aresetn"] {
            assert!(whole.contains(piece), "{scheme}: no `{piece}` in {whole}");
        }
        assert!(read("tidegate_cp_registers.h").contains("DROPPED_FRAMES"), "{scheme}");
        assert!(read(&format!("{scheme}.f")).contains(&format!("tidegate_axis_input_{width}.v\n")), "{scheme}");
    }
    let out = ["--out", "no"];
    let qcn = ["--scheme", "qcn", "--part", "cp"];
    let cases: [(&[&str], &[&str]); 7] = [
        (&["--scheme", "infiniband", "--part", "cp", "--bus", "axis"], &["infiniband", "qcn, bcn, smcc, asm, dsm"]),
        (&["--bus", "axis", "--board", "NetFPGA-1G"], &["--board", "no pins"]),
        (&["--bus", "axis", "--set", "cp_queues=8"], &["`cp_queues` = 8", "one output queue"]),
        (&["--bus", "axis", "--width", "32"], &["32", "64, 128, 256 or 512 bits"]),
        (&["--bus", "netfpga1g", "--width", "64"], &["--width", "add --bus axis"]),
        (&["--width", "64"], &["--width", "add --bus axis"]),
        (&["--bus", "axis", "--registers", "--register-bus", "ring"], &["AXI4-Lite", "leave --register-bus out"]),
    ];
    for (arguments, expected) in cases {
        let scheme: &[&str] = if arguments[0] == "--scheme" { &[] } else { &qcn };
        refused(folder.path(), &[&["emit"], scheme, arguments, &out].concat(), 2, expected);
    }
    assert!(!folder.path().join("no").exists());
}

/// The congestion point in the data path of a NetFPGA-SUME: what it is made of, and what cannot be made.
#[test]
fn a_congestion_point_for_a_netfpga_sume_is_emitted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let netfpga = ["--bus", "axis", "--tuser", "netfpga"];
    for (scheme, width) in [("qcn", None), ("smcc", Some("512"))] {
        let emit = ["emit", "--scheme", scheme, "--part", "cp", "--out", scheme];
        let widths = width.map_or(vec![], |width| vec!["--width", width]);
        tidegate(folder.path(), &[&emit[..], &netfpga, &widths].concat()).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(scheme).join(name)).unwrap();
        let whole = read("tidegate_cp.v");
        let last = width.unwrap_or("256").parse::<u32>().unwrap() - 1;
        let data = format!("[{last}:0] s_axis_tdata");
        for piece in
            ["module tidegate_cp (", &data, "[127:0] m_axis_tuser", "pkt_removed_4", "s_axi_awaddr", "--tuser netfpga"]
        {
            assert!(whole.contains(piece), "{scheme}: no `{piece}` in {whole}");
        }
        let header = read("tidegate_cp_registers.h");
        for (name, address) in
            [("ID", "0x000"), ("VERSION", "0x004"), ("RESET", "0x008"), ("FLIP", "0x00c"), ("DEBUG", "0x010")]
        {
            assert!(header.contains(&format!("_{name} {address}u\n")), "{scheme}: {name} in {header}");
        }
        assert!(header.contains("UNSAMPLED_FRAMES"), "{scheme}");
    }
    let level = ["emit", "--scheme", "qcn", "--part", "cp", "--queue-input", "level", "--out", "level"];
    tidegate(folder.path(), &[&level[..], &netfpga].concat()).assert().success();
    let whole = std::fs::read_to_string(folder.path().join("level/tidegate_cp.v")).unwrap();
    let inputs = whole.lines().filter(|line| line.contains("input"));
    let [levels, events] =
        ["queue_octets_", "pkt_removed_"].map(|port| inputs.clone().filter(|line| line.contains(port)).count());
    assert_eq!((levels, events), (5, 0), "{whole}");
    assert!(whole.contains("--tuser netfpga --queue-input level"), "how to make it again: {whole}");
    let out = ["--scheme", "qcn", "--out", "no"];
    let cases: [(&[&str], &[&str]); 6] = [
        (&["--part", "cp", "--bus", "axis", "--queue-input", "level"], &["--queue-input", "--tuser netfpga"]),
        (&["--part", "rp", "--bus", "axis", "--queue-input", "level"], &["--queue-input", "--part cp"]),
        (
            &["--part", "cp", "--bus", "axis", "--tuser", "netfpga", "--set", "cp_queues=4"],
            &["`cp_queues` = 4", "leave it out"],
        ),
        (&["--part", "rp", "--bus", "axis", "--tuser", "netfpga"], &["--tuser", "--part cp"]),
        (&["--part", "cp", "--bus", "netfpga1g", "--tuser", "netfpga"], &["--tuser", "add --bus axis"]),
        (&["--part", "cp", "--bus", "axis", "--tuser", "sume"], &["sume", "mac, netfpga"]),
    ];
    for (arguments, expected) in cases {
        refused(folder.path(), &[&["emit"], arguments, &out].concat(), 2, expected);
    }
    assert!(!folder.path().join("no").exists());
}

/// The reaction point on AXI4-Stream: what it is made of, and what cannot be made.
#[test]
fn a_reaction_point_for_axi4_stream_is_emitted_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let bus = ["--bus", "axis"];
    let sizes = [("1", "64"), ("4", "128"), ("64", "256"), ("1", "512"), ("4", "64")].into_iter().cycle();
    for (scheme, (flows, width)) in ethernet().map(|scheme| scheme.name).zip(sizes) {
        let flows = format!("rp_flows={flows}");
        let arguments =
            ["emit", "--scheme", scheme, "--part", "rp", "--set", &flows, "--width", width, "--out", scheme];
        tidegate(folder.path(), &[&arguments[..], &bus].concat()).assert().success();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(scheme).join(name)).unwrap();
        let whole = read("tidegate_rp.v");
        let bits = width.parse::<u32>().unwrap();
        let data = format!("[{}:0] s_axis_rx_tdata", bits - 1);
        let option = format!("--bus axis --width {width}");
        for piece in ["aresetn", &data, "m_axis_tx_tkeep", "s_axi_awaddr", &option] {
            assert!(whole.contains(piece), "{scheme}: no `{piece}` in {whole}");
        }
        let registers = read("tidegate_rp_registers.h");
        assert!(registers.contains("PASS_FEEDBACK"), "{scheme}");
        assert_eq!(registers.contains("OVERRUN_FRAMES"), width != "64", "{scheme}");
        let filter = format!("tidegate_axis_receive_filter_{width}.v\n");
        assert_eq!(read(&format!("{scheme}.f")).contains(&filter), width != "64", "{scheme}");
    }
    let qcn = ["emit", "--scheme", "qcn", "--out", "no"];
    let cases: [(&[&str], &[&str]); 4] = [
        (&["--bus", "axis"], &["one part at a time", "--part rp"]),
        (&["--bus", "axis", "--part", "rp", "--width", "65"], &["65", "64"]),
        (&["--bus", "axis", "--part", "rp", "--board", "NetFPGA-1G"], &["--board", "no pins"]),
        (&["--part", "rp", "--width", "64"], &["--bus"]),
    ];
    for (arguments, expected) in cases {
        refused(folder.path(), &[&qcn, arguments].concat(), 2, expected);
    }
    assert!(!folder.path().join("no").exists());
}

#[test]
fn a_whole_switch_sends_feedback_to_the_port_that_causes_it() {
    let folder = tempfile::tempdir().unwrap();
    for scheme in ["qcn", "smcc"] {
        let arguments = [
            &["sim", "switch", "--scheme", scheme, "--ports", "3", "--cycles", "600000"][..],
            &["--set", "sample_packets=20", "--trace", "t.csv", "--pcap-out", "p.pcap", "--json"],
        ]
        .concat();
        let output = tidegate(folder.path(), &arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let results = &said["results"];
        let feedback: Vec<u64> = serde_json::from_value(results["feedback_sent"].clone()).unwrap();
        assert!(feedback[1] > 0 && feedback[0] + feedback[2] == 0, "{scheme}: {feedback:?}");
        assert!(results["feedback_received"].as_u64().unwrap() > 0, "{scheme}: {results}");
        assert!(results["utilisation"].as_f64().unwrap() > 0.9, "{scheme}: {results}");
        let rate = results["second_half"]["mean_rate_mbps"].as_f64().unwrap();
        assert!((400.0..1200.0).contains(&rate), "{scheme}: of 2,000 Mb/s, {rate}");
        let trace = std::fs::read_to_string(folder.path().join("t.csv")).unwrap();
        assert!(trace.starts_with("cycle,queue_bytes,rate_mbps\n0,0,2000.000\n"), "{}", &trace[..80]);
        assert!(folder.path().join("p.pcap").metadata().unwrap().len() > 24 + feedback[1] * 76);
    }
}

#[test]
fn what_has_no_effect_on_a_switch_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (["--engine", "model"], "leave out --engine"),
        (["--events", "e.csv"], "--events has no effect"),
        (["--vcd", "x.vcd"], "--vcd or --fst has no effect"),
        (["--ports", "5"], "2..=4"),
        (["--set", "bottleneck_mbps=500"], "`bottleneck_mbps`: it has no effect on a switch"),
        (["--set", "q0_bytes=20000"], "16384"),
    ] {
        let all = [&["sim", "switch", "--scheme", "qcn", "--trace", "t.csv"][..], &arguments].concat();
        refused(folder.path(), &all, 2, &[expected]);
        assert!(files_below(folder.path()).is_empty(), "{arguments:?}");
    }
    refused(
        folder.path(),
        &["sim", "cp", "--ports", "2", "--events", "e.csv"],
        2,
        &["--ports has no effect", "sim switch"],
    );
}
