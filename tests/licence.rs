// SPDX-License-Identifier: MIT OR Apache-2.0
//! The licence line: at the head of each source, and of each file that tidegate writes into designs and programs.

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
    let tracked: Vec<&str> = listed.iter().flat_map(|names| names.split_terminator('\0')).collect();
    // A file that is tracked may have been deleted.
    let mut files: Vec<PathBuf> = tracked.iter().map(|file| root().join(file)).filter(|file| file.is_file()).collect();
    if files.is_empty() {
        let ignored = fs::read_to_string(root().join(".gitignore")).unwrap_or_default();
        let ignored: Vec<PathBuf> = ignored.lines().filter_map(|line| line.strip_prefix('/')).map(Into::into).collect();
        let is_ignored = |path: &Path| {
            let file = path.strip_prefix(root()).unwrap();
            file.starts_with(".git") || ignored.iter().any(|folder| file.starts_with(folder))
        };
        files = below(root(), &is_ignored);
    }
    files
}

/// The files below a folder, with its path, without those that are ignored.
fn below(folder: &Path, is_ignored: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| !is_ignored(path));
    entries.flat_map(|path| if path.is_dir() { below(&path, is_ignored) } else { vec![path] }).collect()
}

/// Whether one of the first lines of a file has the licence.
fn has_line(file: &Path, lines: usize) -> bool {
    let text = fs::read(file).unwrap();
    String::from_utf8_lossy(&text).lines().take(lines).any(|line| line.contains(LINE))
}

#[test]
fn each_source_has_the_line() {
    let without = |file: &Path| {
        let name = file.file_name().unwrap().to_str().unwrap();
        WITHOUT.iter().any(|end| name.ends_with(end)) || name.starts_with("LICENSE")
    };
    let sources = sources();
    let checked: Vec<&PathBuf> = sources.iter().filter(|file| !without(file)).collect();
    let missing: Vec<String> =
        checked.iter().filter(|file| !has_line(file, 2)).map(|file| file.display().to_string()).collect();
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
        vec!["--board", "ecp5_versa"],
        vec!["--scheme", "qcn", "--registers", "--prefix", "my_"],
        [&["--scheme", "infiniband"], &axi[..]].concat(),
        [&["--scheme", "smcc", "--set", "cp_queues=4", "--set", "rp_flows=4"], &ring[..]].concat(),
        vec!["--scheme", "qcn", "--part", "cp", "--bus", "axis", "--tuser", "netfpga"],
    ];
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        outputs.push(vec!["--scheme", scheme]);
    }
    for bus in ["netfpga1g", "axis"] {
        outputs.extend(["cp", "rp"].map(|part| vec!["--scheme", "qcn", "--part", part, "--bus", bus]));
    }
    let folder = tempfile::tempdir().unwrap();
    let tidegate = |arguments: &[&str], out: &str| {
        let mut command = assert_cmd::Command::cargo_bin("tidegate").unwrap();
        command.current_dir(folder.path()).args(arguments).args(["--out", out]).assert().success();
    };
    for (number, arguments) in outputs.iter().enumerate() {
        tidegate(&[&["emit"], &arguments[..]].concat(), &number.to_string());
    }
    let plan = root().join("examples/sweep.toml");
    tidegate(&["sweep", "jobs", plan.to_str().unwrap(), "--shards", "3"], "jobs");
    let files = below(folder.path(), &|_| false);
    // Each line of the first is a command, and JSON has no comments.
    let cannot = |file: &Path| file.ends_with("shards.txt") || file.ends_with("tidegate-manifest.json");
    let missing = files.iter().filter(|file| !cannot(file) && !has_line(file, 5));
    let missing: Vec<String> = missing.map(|file| file.display().to_string()).collect();
    assert_eq!(missing, [""; 0], "emitted files without {LINE}");
    for ending in ["v", "sv", "f", "h", "rs", "py", "rdl", "md", "core", "xml", "lpf", "ucf", "slurm", "sh"] {
        let found = files.iter().any(|file| file.extension().is_some_and(|known| known == ending));
        assert!(found, "no file with the ending {ending} was emitted");
    }
}

#[test]
fn all_crates_have_the_same_licences() {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    for own in crates {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let text = |folder: &Path| {
                fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{own:?}: {error}"))
            };
            assert_eq!(text(root()), text(&own), "{name} of {}", own.display());
        }
    }
}
