// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verb `verify`: its errors, its JSON, and missing tools.

use assert_cmd::Command;
use std::collections::BTreeSet;
use std::path::Path;

/// What `verify` checks of an Ethernet reaction point: each block, and the whole part.
const BLOCKS: [&str; 6] =
    ["parser", "frame_counters", "calculator", "rate_limiter", "calculator_at_once", "reaction_point"];
/// The same of one for many flows, as far as it is not the same.
const OF_FLOWS: [&str; 5] = ["feedback_flow", "flow_points", "calculator", "flow_limiter", "reaction_point"];

fn verify(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).arg("verify").args(arguments);
    command
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, expected) in [
        (&["--scheme", "qcm"][..], "qcn, bcn, smcc, asm, dsm, infiniband"),
        (&["--part", "both"], "cp, rp"),
        (&["--tool", "modelsim"], "verilator, icarus"),
        (&["--cycles", "0"], "--cycles"),
        (&["--seed", "0"], "--seed"),
        (&["--seed", "4294967296"], "4294967295"),
    ] {
        let run = verify(folder.path(), arguments).assert().code(2).stdout("");
        let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn missing_tools_are_an_error_before_the_work_and_all_of_them_are_named() {
    let (folder, no_tools) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // A billion cycles would take hours.
    for (arguments, expected) in [
        (&["--tool", "verilator", "--cycles", "1000000000"][..], &["verilator was not found"][..]),
        (&["--tool", "formal"], &["yosys was not found", "z3 was not found"]),
        (&["--cycles", "1000000000"], &["verilator was not found", "yosys was not found", "z3 was not found"]),
    ] {
        let run = verify(folder.path(), &[&["--scheme", "smcc", "--json"], arguments].concat())
            .env("TIDEGATE_TOOLS", no_tools.path())
            .assert()
            .code(3)
            .stdout("");
        let message = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        for piece in expected.iter().chain(&["scripts/setup-tools", "--allow-missing"]) {
            assert!(message.contains(piece), "{arguments:?}: no `{piece}` in {message}");
        }
        // Icarus comes from the system, not from that folder, and may be missing too.
        let icarus = usize::from(message.contains("iverilog was not found"));
        assert_eq!(message.matches("was not found").count(), expected.len() + icarus, "{message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn missing_tools_may_be_allowed_and_their_checks_are_skipped() {
    let (folder, no_tools) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |arguments: &[&str]| {
        let common = ["--scheme", "smcc", "--part", "rp", "--cycles", "100", "--allow-missing"];
        let run = verify(folder.path(), &[&common, arguments].concat())
            .env("TIDEGATE_TOOLS", no_tools.path())
            .assert()
            .success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let report: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let of = |tool: &'static str| checks.iter().filter(move |check| check["tool"] == tool);
    assert_eq!(of("verilator").count(), BLOCKS.len() + OF_FLOWS.len());
    let proved: BTreeSet<_> = of("formal").map(|check| check["block"].as_str().unwrap()).collect();
    assert!(proved.is_superset(&BTreeSet::from(BLOCKS)), "{proved:?}");
    for check in of("verilator").chain(of("formal")) {
        assert_eq!(check["verdict"], "skipped");
        assert!(["cycles", "depth", "unbounded"].iter().all(|key| check[key].is_null()), "{check}");
        assert!(check["reason"].as_str().unwrap().contains("scripts/setup-tools"), "{check}");
    }
    let skipped = of("verilator").count() + of("formal").count();
    assert_eq!((&report["failed"], &report["skipped"]), (&0.into(), &skipped.into()));
    assert_eq!(report["passed"].as_u64().unwrap() as usize, checks.len() - skipped);

    let text = run(&["--tool", "rtl", "--tool", "verilator"]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("11 passed, 0 failed, 11 skipped in "), "{last}");
    assert!(last.ends_with("no outside tool has checked anything"), "{last}");
    assert!(text.lines().any(|line| line.trim() == "smcc rp calculator:"), "{text}");
    assert!(run(&["--tool", "rtl"]).trim_end().ends_with(" s"), "no outside tool was asked for");
}

#[test]
fn json_has_a_check_for_each_block_and_the_whole_part() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--scheme", "smcc", "--part", "rp", "--tool", "verilator", "--cycles", "5000", "--json"];
    let run = verify(folder.path(), &arguments).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(report["format_version"], 1);
    assert_eq!(["passed", "failed", "skipped"].map(|key| report[key].as_u64()), [Some(11), Some(0), Some(0)]);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    let checks = report["checks"].as_array().unwrap();
    let blocks: Vec<_> =
        checks.iter().map(|check| (check["block"].as_str().unwrap(), check["cycles"].as_u64().unwrap())).collect();
    let cycles = |whole| move |block| (block, if block == "reaction_point" { whole } else { 500 });
    assert_eq!(blocks, [&BLOCKS.map(cycles(5000))[..], &OF_FLOWS.map(cycles(1250))[..]].concat());
    let of_flows = |check: &&serde_json::Value| check["property"].as_str().unwrap().ends_with(", rp_flows = 4");
    assert_eq!(checks.iter().filter(of_flows).count(), OF_FLOWS.len());
    for check in checks {
        let [scheme, part, tool, verdict] =
            ["scheme", "part", "tool", "verdict"].map(|key| check[key].as_str().unwrap());
        assert_eq!((scheme, part, tool, verdict), ("smcc", "rp", "verilator", "passed"));
        assert!(check["depth"].is_null() && check["unbounded"].is_null() && check.get("reason").is_none(), "{check}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no waveform where nothing differs");
}

/// The seed is stated, and the random inputs are its own: of a scheme without long timers, so that it is quick.
#[test]
fn the_seed_is_stated() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let common = ["--scheme", "smcc", "--part", "rp", "--tool", "rtl", "--cycles", "1000"];
        let run = verify(folder.path(), &[&common, arguments].concat()).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    for (arguments, seed) in [(&[][..], 1), (&["--seed", "4294967295"], 4_294_967_295u64)] {
        let text = run(arguments);
        assert!(text.lines().any(|line| line.ends_with(&format!(" seed {seed}"))), "{text}");
        let report: serde_json::Value = serde_json::from_str(&run(&[arguments, &["--json"]].concat())).unwrap();
        assert_eq!(report["seed"], seed);
    }
}

#[test]
fn proofs_say_what_they_claim_and_how_far_they_reach() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--scheme", "infiniband", "--part", "rp", "--tool", "formal", "--json"];
    let run = verify(folder.path(), &arguments).assert().success();
    let report: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert!(report["seed"].is_null(), "nothing random is in a proof");
    let checks = report["checks"].as_array().unwrap();
    for claim in
        ["falls only after an ACK whose packet was marked", "outstanding rises with a grant", "each ACK of a packet"]
    {
        assert!(checks.iter().any(|check| check["property"].as_str().unwrap().contains(claim)), "{claim}");
    }
    for check in checks {
        assert_eq!((&check["verdict"], &check["unbounded"]), (&"passed".into(), &true.into()), "{check}");
        assert!(check["depth"].as_u64().unwrap() >= 1 && check["cycles"].is_null(), "{check}");
    }
}
