// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `cargo build --release` builds is what the tests use: no crate has other features because a test asks for them.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).args(["--locked", "--offline"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Each crate that is built for these packages and kinds of dependencies, with its version and its features.
fn crates(packages: &[&str], kinds: &str) -> BTreeSet<String> {
    let tree = ["tree", "--prefix", "none", "--format", "{p} [{f}]", "--edges", kinds];
    let said = cargo(&[&tree[..], packages].concat());
    // An empty line stands between two packages.
    said.lines().filter(|line| !line.is_empty()).map(|line| line.trim_end_matches(" (*)").to_string()).collect()
}

#[test]
fn tests_build_no_crate_of_the_program_anew() {
    // Without a package: those of `default-members`.
    let mut program = crates(&[], "normal,build");
    program.retain(|line| !line.starts_with("tidegate-testbenches "));
    assert!(program.len() > 100, "{}", program.len());
    for packages in [&[][..], &["-p", "tidegate"], &["-p", "tidegate-testbenches"]] {
        let tests = crates(packages, "normal,build,dev");
        assert!(program.len() < tests.len(), "{packages:?}: {} and {}", program.len(), tests.len());
        let anew: Vec<&String> = program.difference(&tests).collect();
        assert!(
            anew.is_empty(),
            "the tests {packages:?} ask for other features of {anew:?}: choose a crate for tests, or features of it, that \
             does not; or name the features in [dependencies] of Cargo.toml, as it does for regex-automata"
        );
    }
}

/// `cargo test` runs the tests of each crate, and `cargo build` builds no support of tests.
#[test]
fn default_members_are_all_but_the_support_of_tests() {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap();
    let members = |key: &str| -> BTreeSet<String> {
        metadata[key].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_string()).collect()
    };
    let (all, default) = (members("workspace_members"), members("workspace_default_members"));
    let others: Vec<&String> = all.difference(&default).collect();
    assert!(others.len() == 1 && others[0].contains("/crates/testing#"), "not in default-members: {others:?}");
}
