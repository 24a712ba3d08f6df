// SPDX-License-Identifier: MIT OR Apache-2.0
//! What belongs to a release: one version everywhere, and a script that refuses to make an archive of something else.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The rest of the first line that begins with a text.
fn after<'a>(text: &'a str, start: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(start)).unwrap_or_else(|| panic!("no line begins with {start}"))
}

#[test]
fn the_version_is_the_same_everywhere() {
    let manifest: toml::Value = toml::from_str(&read("Cargo.toml")).unwrap();
    assert_eq!(manifest["workspace"]["package"]["version"].as_str(), Some(VERSION), "Cargo.toml");
    let crates = manifest["workspace"]["dependencies"]
        .as_table()
        .unwrap()
        .iter()
        .filter(|(name, _)| name.starts_with("tidegate-"));
    for (name, asked) in crates {
        assert_eq!(asked["version"].as_str(), Some(VERSION), "Cargo.toml asks for another {name}");
        let own = read(&format!("{}/Cargo.toml", asked["path"].as_str().unwrap()));
        assert!(
            own.contains("\nversion.workspace = true\nedition.workspace = true\nrust-version.workspace = true\n"),
            "{name}"
        );
    }
    let (citation, changelog) = (read("CITATION.cff"), read("CHANGELOG.md"));
    assert_eq!(after(&citation, "version: "), VERSION, "CITATION.cff");
    // The newest version in the changelog, below what is not released.
    let released = changelog.lines().filter_map(|line| line.strip_prefix("## [")).nth(1).unwrap();
    let date = after(&citation, "date-released: ").trim_matches('"');
    assert_eq!(released, format!("{VERSION}] - {date}"), "CHANGELOG.md, with the date of CITATION.cff");
}

/// Files that name the oldest compiler say the same as Cargo.toml.
#[test]
fn the_compiler_is_the_same_everywhere() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    for (name, text) in [
        ("Containerfile", format!("/rust:{oldest}-")),
        ("CONTRIBUTING.md", format!("Rust {oldest} or later")),
        ("README.md", format!("Rust {oldest}")),
        (".github/workflows/ci.yml", format!("rustup default {oldest}\n")),
        (".github/workflows/nightly.yml", format!("rustup default {oldest}\n")),
    ] {
        assert!(read(name).contains(&text), "{name} does not say `{text}`");
    }
}

/// A folder with git, the script, and the files that it reads first.
fn repository(changelog: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"tidegate\"\nversion = \"1.2.3\"\n");
    write("CHANGELOG.md", changelog);
    fs::create_dir(folder.path().join("scripts")).unwrap();
    write("scripts/release", &read("scripts/release"));
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "."],
        &["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "a"],
    ] {
        let run = Command::new("git").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    }
    folder
}

fn release(folder: &Path) -> Output {
    Command::new("bash").arg("scripts/release").current_dir(folder).output().unwrap()
}

#[test]
fn an_archive_is_made_of_a_commit_that_the_changelog_describes() {
    if !Command::new("git").arg("--version").output().is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: git is not there");
        return;
    }
    let refused = |folder: &Path, expected: &[&str]| {
        let run = release(folder);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{said}");
        expected.iter().for_each(|piece| assert!(said.contains(piece), "no `{piece}` in: {said}"));
        assert!(!folder.join("dist").exists(), "something is left");
    };
    let described = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n";
    let folder = repository(described);
    fs::write(folder.path().join("Cargo.toml.new"), "").unwrap();
    refused(folder.path(), &["uncommitted", "Cargo.toml.new"]);
    fs::remove_file(folder.path().join("Cargo.toml.new")).unwrap();
    fs::write(folder.path().join("CHANGELOG.md"), "changed").unwrap();
    refused(folder.path(), &["uncommitted", "CHANGELOG.md"]);
    for other in ["# Changelog\n\n## [Unreleased]\n", "# Changelog\n\n## [1.2.3]\n", "## [1.2.30] - 2026-01-02\n"] {
        refused(repository(other).path(), &["CHANGELOG.md has no entry for 1.2.3", "## [1.2.3] - 20"]);
    }
}
