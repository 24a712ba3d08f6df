// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `cargo build --release` builds is what the tests use: no crate has other features because a test asks for them.

use std::collections::BTreeSet;
use std::process::Command;

/// Each crate that is built for these kinds of dependencies, with its version and its features.
fn crates(kinds: &str) -> BTreeSet<String> {
    let arguments = ["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} [{f}]", "--edges", kinds];
    let output = Command::new(env!("CARGO")).current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end_matches(" (*)").to_string()).collect()
}

#[test]
fn tests_build_no_crate_of_the_program_anew() {
    let (program, tests) = (crates("normal,build"), crates("normal,build,dev"));
    assert!(program.len() > 100 && program.len() < tests.len(), "{} and {}", program.len(), tests.len());
    let anew: Vec<&String> = program.difference(&tests).collect();
    assert!(
        anew.is_empty(),
        "the tests ask for other features of {anew:?}: choose a crate for tests, or features of it, that does not; or name the \
         features in [dependencies] of Cargo.toml, as it does for regex-automata"
    );
}
