// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verb `compare`: the errors before the work.

use assert_cmd::Command;
use std::path::Path;

fn compare(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).arg("compare").args(arguments);
    command
}

/// The message of a refusal with this exit code; nothing may have been written.
fn refused(arguments: &[&str], code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let run = compare(folder.path(), arguments).assert().code(code).stdout("");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{arguments:?}");
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

#[test]
fn a_setting_without_effect_is_refused() {
    for (arguments, expected) in [
        // Of a scheme that is not compared, known or not, and a value out of its range.
        (&["qcn", "--set", "bcn.w=3"][..], &["`bcn.w`", "bcn is not compared", "expected one of qcn"][..]),
        (&["qcn", "smcc", "--set", "bcn.w=99999"], &["bcn is not compared", "qcn, smcc"]),
        (&["qcn", "--set", "qnc.w=3"], &["unknown scheme `qnc`", "did you mean `qcn`?"]),
        (&["qcn", "--set", "qcn.w=99999"], &["`w`", "0 to 63"]),
        (&["qcn", "--set", "qcn.ww=3"], &["qcn has no such parameter", "did you mean `w`?"]),
        // Of the closed loop, which only the page has; of the other part; of what another setting switches off.
        (&["qcn", "--set", "flows=5"], &["`flows`", "no effect", "without --report"]),
        (&["qcn", "--part", "cp", "--set", "timer_us=0"], &["`timer_us`", "no effect"]),
        (&["qcn", "smcc", "--set", "smcc.sample_bytes=5000"], &["`smcc.sample_bytes`", "no effect"]),
        (&["qcn", "--parameters", "inputs", "--set", "w=3"], &["`w`", "no effect"]),
        (&["qcn", "--set", "w=3", "--set", "w=4"], &["`w` is set twice"]),
        (&["qcn", "--cycles", "1000"], &["--report"]),
        (&["qcn", "--report", ".", "--chart", "index.html"], &["--chart and --report both write"]),
        (&["qcn", "--chart", "-", "--json"], &["--chart and --json both write"]),
    ] {
        let message = refused(arguments, 2);
        for piece in expected {
            assert!(message.contains(piece), "{arguments:?}: no `{piece}` in: {message}");
        }
    }
}

#[test]
fn what_says_twice_how_many_are_served_is_refused() {
    for (arguments, expected) in [
        (&["--ports", "4"][..], &["--count with --ports", "leave out --ports"][..]),
        (&["--fmax"], &["--count with --fmax", "set cp_queues=64 or rp_flows=64"]),
        (&["--set", "rp_flows=4"], &["--count with --set `rp_flows`", "leave out this --set"]),
        (&["--set", "smcc.cp_queues=4"], &["--count with --set `smcc.cp_queues`", "leave out this --set"]),
        // A setting that one part for four refuses, and the part for one does not.
        (&["--set", "cpid=0x11"], &["--count 4", "`cpid`", "expected a multiple of 4"]),
        (&["--set", "rp_mac=02:00:00:00:10:01"], &["--count 4", "`rp_mac`", "low 2 bits are 0"]),
    ] {
        let message = refused(&[&["smcc", "--count", "4"], arguments].concat(), 2);
        for piece in expected {
            assert!(message.contains(piece), "{arguments:?}: no `{piece}` in: {message}");
        }
    }
    // A number that only the other part can serve is no error: the work begins.
    let no_tools = tempfile::tempdir().unwrap();
    let arguments = ["smcc", "infiniband", "--part", "cp", "--count", "4096"];
    compare(no_tools.path(), &arguments).env("TIDEGATE_TOOLS", no_tools.path()).assert().code(3).stdout("");
}

/// With a key that any of the schemes reads, or that the place and route reads, the work begins: the missing tool stops
/// it.
#[test]
fn a_setting_with_an_effect_is_not_refused() {
    let no_tools = tempfile::tempdir().unwrap();
    for arguments in [
        // The 802.1Q profile of QCN samples by bytes.
        &["qcn", "smcc", "--set", "sample_bytes=5000"][..],
        &["qcn", "bcn", "--set", "bcn.w=3"],
        &["qcn", "--set", "flows=5", "--report", "page"],
        &["qcn", "--parameters", "inputs", "--fmax", "--set", "w=3"],
        &["infiniband", "--parameters", "inputs", "--set", "ports=2"],
    ] {
        compare(no_tools.path(), arguments).env("TIDEGATE_TOOLS", no_tools.path()).assert().code(3).stdout("");
    }
    assert_eq!(std::fs::read_dir(no_tools.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_found_out_before_the_work() {
    for (arguments, named) in [
        (&["qcn", "smcc", "--chart", "no_folder/chart.svg"][..], "no_folder/chart.svg"),
        (&["qcn", "smcc", "--report", "/dev/null/page"], "/dev/null/page"),
    ] {
        let started = std::time::Instant::now();
        let message = refused(arguments, 1);
        assert!(message.contains(named), "{message}");
        assert!(started.elapsed() < std::time::Duration::from_secs(20), "before the syntheses");
    }
}
