// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs of the program in a folder of their own.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// tidegate in a folder.
pub fn tidegate(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tidegate").unwrap();
    command.current_dir(folder).args(arguments);
    command
}

/// Runs with wrong input: nothing on stdout, the exit code, every expected piece in the message; returns the message.
pub fn refused(folder: &Path, arguments: &[&str], code: i32, expected: &[&str]) -> String {
    let run = tidegate(folder, arguments).assert().code(code).stdout("");
    let message = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    for piece in expected {
        assert!(message.contains(piece), "{arguments:?}: no `{piece}` in: {message}");
    }
    message
}

/// Every file below a folder, with its contents.
pub fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push((path.strip_prefix(folder).unwrap().to_path_buf(), std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}
