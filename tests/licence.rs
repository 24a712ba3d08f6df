// SPDX-License-Identifier: MIT OR Apache-2.0
//! The licence line: at the head of each source, and of each file that tidegate writes into designs and programs.

mod common;

use common::{files_below, tidegate};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tidegate::licence::LINE;

/// Ends of the names of files without the line: they hold no comment, are made by a tool, are data, or are prose.
const WITHOUT: [&str; 9] = [".gitignore", ".json", ".lock", ".md", ".pcapng", ".png", ".svg", ".txt", ".vcd"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files that git tracks; without git, as in an archive, all but those in folders that `.gitignore` names.
fn sources() -> Vec<PathBuf> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.ok().filter(|run| run.status.success()).map(|run| String::from_utf8(run.stdout).unwrap());
    let tracked: Vec<PathBuf> = listed.iter().flat_map(|names| names.split_terminator('\0')).map(Into::into).collect();
    // A file that is tracked may have been deleted.
    let mut files: Vec<PathBuf> = tracked.into_iter().filter(|file| root().join(file).is_file()).collect();
    if files.is_empty() {
        let ignored = fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
        let ignored: Vec<PathBuf> = ignored.lines().filter_map(|line| line.strip_prefix('/')).map(Into::into).collect();
        let is_ignored =
            |file: &Path| file.starts_with(".git") || ignored.iter().any(|folder| file.starts_with(folder));
        files = below(root(), &is_ignored);
    }
    files
}

/// The files below a folder without those that are ignored.
fn below(folder: &Path, is_ignored: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let entries = entries.filter(|path| !is_ignored(path.strip_prefix(root()).unwrap()));
    entries.flat_map(|path| if path.is_dir() { below(&path, is_ignored) } else { vec![path] }).collect()
}

/// Whether one of the first lines has the licence.
fn has_line(text: &[u8], lines: usize) -> bool {
    let text = String::from_utf8_lossy(text);
    text.lines().take(lines).any(|line| line.contains(LINE))
}

#[test]
fn each_source_has_the_line() {
    let without = |file: &Path| {
        let name = file.file_name().unwrap().to_str().unwrap();
        WITHOUT.iter().any(|end| name.ends_with(end)) || name.starts_with("LICENSE")
    };
    let sources = sources();
    let has = |file: &&PathBuf| has_line(&fs::read(root().join(file)).unwrap(), 2);
    let checked: Vec<&PathBuf> = sources.iter().filter(|file| !without(file)).collect();
    let missing: Vec<String> =
        checked.iter().filter(|file| !has(file)).map(|file| file.display().to_string()).collect();
    assert!(checked.len() > 500, "only {} files were found", checked.len());
    assert!(
        missing.is_empty(),
        "the first line of a source, or the second one after `#!`, is a comment with {LINE}. It is missing in\n  {}",
        missing.join("\n  ")
    );
}

/// Each kind of file that `emit` and `sweep jobs` write.
#[test]
fn each_emitted_file_has_the_line() {
    let axi = ["--registers", "--register-bus", "axi4-lite"];
    let ring = ["--registers", "--register-bus", "ring"];
    let mut outputs: Vec<Vec<&str>> = vec![
        vec!["--board", "netfpga_1g"],
        vec!["--scheme", "qcn", "--registers", "--prefix", "my_"],
        [&["--scheme", "infiniband"], &axi[..]].concat(),
        [&["--scheme", "smcc", "--set", "cp_queues=4", "--set", "rp_flows=4"], &ring[..]].concat(),
        vec!["--scheme", "qcn", "--part", "cp", "--bus", "axis", "--tuser", "netfpga"],
    ];
    for scheme in ["qcn", "bcn", "smcc", "asm", "dsm"] {
        outputs.push(vec!["--scheme", scheme, "--board", "ecp5_versa"]);
    }
    for bus in ["netfpga1g", "axis"] {
        outputs.extend(["cp", "rp"].map(|part| vec!["--scheme", "qcn", "--part", part, "--bus", bus]));
    }
    let folder = tempfile::tempdir().unwrap();
    for (number, arguments) in outputs.iter().enumerate() {
        let out = number.to_string();
        tidegate(folder.path(), &[&["emit"], &arguments[..], &["--out", &out]].concat()).assert().success();
    }
    let plan = root().join("examples/sweep.toml");
    let jobs = ["sweep", "jobs", plan.to_str().unwrap(), "--shards", "3", "--out", "jobs"];
    tidegate(folder.path(), &jobs).assert().success();
    let files = files_below(folder.path());
    // Each line of it is a command.
    let missing = files.iter().filter(|(name, text)| !name.ends_with("shards.txt") && !has_line(text, 5));
    let missing: Vec<String> = missing.map(|(name, _)| name.display().to_string()).collect();
    assert_eq!(missing, [""; 0], "emitted files without {LINE}");
    for ending in ["v", "sv", "f", "h", "rs", "py", "rdl", "md", "core", "xml", "lpf", "ucf", "slurm", "sh"] {
        let found = files.iter().any(|(name, _)| name.extension().is_some_and(|known| known == ending));
        assert!(found, "no file with the ending {ending} was emitted");
    }
}

#[test]
fn both_crates_have_the_same_licences() {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let text = |path: &str| fs::read_to_string(root().join(path).join(name)).unwrap();
        assert_eq!(text("."), text("circuits"), "{name}");
    }
}
