// SPDX-License-Identifier: MIT OR Apache-2.0
//! A folder that a verb writes is one result: replaced as a whole, refused if it is of others, and old or new after a kill.

use crate::common::{files_below, refused, tidegate};
use assert_cmd::cargo::cargo_bin;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MANIFEST: &str = "tidegate-manifest.json";
const SCENARIO: &str =
    "title = \"t\"\nduration_s = 0.003\n[[flow]]\nname = \"S\"\n[[variant]]\nname = \"V\"\nscheme = \"smcc\"\n";
const PLAN: &str = "scenario = \"my.toml\"\n[grid]\nw = [1, 2]\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("my.toml"), SCENARIO).unwrap();
    std::fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    folder
}

/// The names of the files of a folder, and those in its list.
fn names(folder: &Path) -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(folder.join(MANIFEST)).unwrap();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&list["format_version"], &list["complete"]), (&1.into(), &true.into()));
    let results = list["results"].as_object().unwrap().values();
    let mut listed: Vec<String> =
        results.flat_map(|files| files.as_array().unwrap()).map(|file| file.as_str().unwrap().to_string()).collect();
    listed.sort();
    let found = files_below(folder).into_iter().map(|(path, _)| path.display().to_string());
    (found.filter(|name| name != MANIFEST).collect(), listed)
}

#[test]
fn each_verb_lists_what_it_writes_and_the_next_one_replaces_it() {
    let folder = folder();
    let out = folder.path().join("out");
    for arguments in [
        &["emit", "--scheme", "qcn", "--part", "rp", "--bus", "axis", "--width", "64"][..],
        &["emit", "--scheme", "smcc", "--part", "cp", "--bus", "axis", "--width", "512"],
        &["run", "my.toml", "--pcap", "bottleneck"],
        &["run", "my.toml"],
        &["reproduce", "phase-theorem1"],
        &["man"],
        &["emit", "--board", "ecp5_versa"],
        &["sweep", "jobs", "plan.toml", "--shards", "1"],
        &["sweep", "plan.toml"],
    ] {
        tidegate(folder.path(), arguments).args(["--out", "out"]).assert().success();
        let (found, listed) = names(&out);
        assert_eq!(found, listed, "{arguments:?}");
    }
    // Job files and journal of the sweep are still there, and no file of the others.
    let (found, _) = names(&out);
    for name in ["shards.txt", "shard-0-of-1.journal", "results.csv"] {
        assert!(found.iter().any(|found| found == name), "{found:?}");
    }
    assert_eq!(found.len(), 5 + 1 + 5, "{found:?}");
    for arguments in [&["run", "my.toml", "--out", "out"][..], &["man", "--out", "out", "--force"]] {
        refused(folder.path(), arguments, 2, &["shard-0-of-1.journal", "finished runs"]);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "temporary folders are left");
}

#[test]
fn a_folder_of_others_is_refused_by_each_verb_before_any_work() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("mine")).unwrap();
    std::fs::write(folder.path().join("mine/notes.txt"), "mine").unwrap();
    let before = files_below(folder.path());
    for arguments in [
        &["emit", "--scheme", "qcn", "--out", "mine"][..],
        &["emit", "--board", "ecp5_versa", "--out", "mine"],
        &["run", "my.toml", "--out", "mine"],
        &["reproduce", "--all", "--out", "mine"],
        &["sweep", "plan.toml", "--out", "mine"],
        &["sweep", "plan.toml", "--shard", "0/2", "--out", "mine"],
        &["sweep", "jobs", "plan.toml", "--shards", "2", "--out", "mine"],
        &["verify", "--tool", "rtl", "--out", "mine"],
        &["man", "--out", "mine"],
    ] {
        refused(folder.path(), arguments, 2, &["mine has files", "notes.txt", "--force"]);
        assert_eq!(files_below(folder.path()), before, "{arguments:?}");
    }
    for arguments in [&["emit", "--check", "--force"][..], &["compare", "qcn", "--force"]] {
        refused(folder.path(), arguments, 2, &["--force has no effect"]);
    }
    tidegate(folder.path(), &["emit", "--board", "ecp5_versa", "--out", "mine", "--force"]).assert().success();
    let (found, listed) = names(&folder.path().join("mine"));
    assert!(found.contains(&"notes.txt".to_string()) && found.len() == listed.len() + 1, "{found:?}");
}

/// The current folder keeps its place, because a shell is in it.
#[test]
fn the_current_folder_stays_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let script = "set -e
        \"$tidegate\" emit --board ecp5_versa --out .
        \"$tidegate\" emit --board netfpga_1g --out ../out
        mkdir below; cd below; \"$tidegate\" emit --board netfpga_1g --out ..
        test -e ../netfpga_1g.ucf && test ! -e ../ecp5_versa.lpf";
    let run =
        Command::new("bash").args(["-c", script]).env("tidegate", cargo_bin("tidegate")).current_dir(&out).output();
    let run = run.unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(names(&out).0, ["netfpga_1g.ucf"]);
    assert_eq!((std::fs::read_dir(&out).unwrap().count(), std::fs::read_dir(folder.path()).unwrap().count()), (3, 1));
}

/// `--update` removes what is not emitted any more, and leaves what it never wrote.
#[test]
fn hdl_is_one_result() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["hdl", "constraints"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("README.md"), "mine").unwrap();
    }
    tidegate(folder.path(), &["emit", "--update"]).assert().success();
    tidegate(folder.path(), &["emit", "--check"]).assert().success();
    let hdl = folder.path().join("hdl");
    let list = std::fs::read_to_string(hdl.join(MANIFEST)).unwrap().replace("\"asm.f\"", "\"asm.f\", \"old.v\"");
    std::fs::write(hdl.join(MANIFEST), list).unwrap();
    std::fs::write(hdl.join("old.v"), "old").unwrap();
    refused(folder.path(), &["emit", "--check"], 1, &[MANIFEST, "old.v is not emitted", "emit --update"]);
    tidegate(folder.path(), &["emit", "--update"]).assert().success();
    tidegate(folder.path(), &["emit", "--check"]).assert().success();
    assert!(!hdl.join("old.v").exists() && hdl.join("README.md").exists());
}

/// Arguments, and the files that a folder has afterwards.
type Emitted = (Vec<&'static str>, Vec<(PathBuf, Vec<u8>)>);

/// Two results that a folder can have, of many files, and their contents with a file of others.
fn two_results(folder: &Path) -> [Emitted; 2] {
    let emit = |scheme, width| vec!["emit", "--scheme", scheme, "--part", "rp", "--bus", "axis", "--width", width];
    [emit("qcn", "64"), emit("smcc", "256")].map(|arguments| {
        let out = folder.join(format!("alone-{}", arguments[2]));
        tidegate(folder, &arguments).arg("--out").arg(&out).assert().success();
        std::fs::write(out.join("notes.txt"), "mine").unwrap();
        (arguments, files_below(&out))
    })
}

/// Kills `emit` at random moments: half of them within the whole run, half of them when it is about to put the files in place.
fn killed(times: u64) {
    let folder = tempfile::tempdir().unwrap();
    let results = two_results(folder.path());
    let out = folder.path().join("out");
    let mut random = random_shares(times);
    let (mut old, mut new, mut ended) = (0, 0, 0);
    let mut at = 0;
    let run = |which: usize| {
        let mut command = Command::new(cargo_bin("tidegate"));
        command.args(&results[which].0).arg("--out").arg(&out).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(run(0).status().unwrap().success());
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    let started = Instant::now();
    assert!(run(0).status().unwrap().success());
    let whole = started.elapsed();
    for number in 0..times {
        let mut child = run(1 - at).spawn().unwrap();
        let started = Instant::now();
        if number % 2 == 0 {
            std::thread::sleep(whole.mul_f64(random()));
        } else {
            // The list is the last file before the exchange.
            let is_ready =
                |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().path().join("new").join(MANIFEST).exists();
            while !std::fs::read_dir(folder.path()).unwrap().any(is_ready) && child.try_wait().unwrap().is_none() {
                assert!(started.elapsed() < Duration::from_secs(60), "it does not come to its end");
            }
            std::thread::sleep(Duration::from_micros((random() * 3000.0) as u64));
        }
        child.kill().unwrap();
        ended += u32::from(child.wait().unwrap().success());
        let found = files_below(&out);
        let is = results.iter().position(|(_, files)| *files == found);
        let is = is.unwrap_or_else(|| panic!("kill {number}: the folder is of two results: {:?}", names(&out)));
        old += u32::from(is == at);
        new += u32::from(is != at);
        at = is;
    }
    println!("{old} old, {new} new, of which {ended} had ended");
    assert!(run(1 - at).status().unwrap().success());
    assert_eq!(files_below(&out), results[1 - at].1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3, "what was killed is not cleared away");
}

/// Numbers from 0 to 1, other ones at each start, which are printed by their seed.
fn random_shares(kills: u64) -> impl FnMut() -> f64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let mut state = now.as_nanos() as u64 | 1;
    println!("seed {state}, {kills} kills");
    move || {
        // Xorshift (Marsaglia: Xorshift RNGs, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn a_killed_run_leaves_the_folder_old_or_new() {
    killed(8);
}

#[test]
#[ignore = "long: 100 kills take a minute"]
fn a_killed_run_leaves_the_folder_old_or_new_each_time() {
    killed(100);
}
