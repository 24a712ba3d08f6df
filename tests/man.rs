// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manual pages: without a warning of `groff` and `man`, no wider than a terminal of 80 columns, tables line by line.

use crate::common::{files_below, refused, tidegate};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// All pages, by file name.
fn pages(folder: &Path) -> Vec<String> {
    tidegate(folder, &["man", "--out", "man1"]).assert().success();
    let files = files_below(&folder.join("man1"));
    let names = files.into_iter().map(|(name, _)| name.into_os_string().into_string().unwrap());
    names.filter(|name| name.ends_with(".1")).collect()
}

/// Runs a program on a page; `None` and a word to the reader if it is not there.
fn run(program: &str, arguments: &[&str], page: &Path) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).arg(page).env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8");
    match command.output() {
        Ok(output) => Some(output),
        Err(_) => {
            eprintln!("skipped: {program} is not there");
            None
        }
    }
}

/// Whether a program has nothing to say about a page.
fn silent(program: &str, arguments: &[&str], page: &Path) {
    if let Some(run) = run(program, arguments, page) {
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && said.is_empty(), "{program} about {}: {said}", page.display());
    }
}

#[test]
fn no_page_has_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(folder.path());
    assert!(pages.iter().any(|name| name == "tidegate-sweep-jobs.1"), "{pages:?}");
    for name in pages {
        let page = folder.path().join("man1").join(name);
        silent("groff", &["-man", "-ww", "-z", "-Tutf8"], &page);
        silent("man", &["--warnings=w", "--local-file"], &page);
    }
}

/// Each line of the help that is indented in a description is a line of the page too, and no line is too long.
#[test]
fn tables_hold_in_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = 0;
    for name in pages(folder.path()) {
        let page: PathBuf = folder.path().join("man1").join(&name);
        let Some(run) = run("man", &["--local-file"], &page) else { return };
        let text = String::from_utf8(run.stdout).unwrap();
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{name} has a line of more than 80 columns");
        let words: Vec<&str> = name.trim_end_matches(".1").split('-').skip(1).collect();
        let help = tidegate(folder.path(), &words).arg("--help").assert().success();
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        let description = help.split("\nUsage: ").next().unwrap();
        for row in description.lines().filter(|line| line.starts_with("  ")) {
            assert!(text.lines().any(|line| line.trim() == row.trim()), "{name}: no line `{}` in {text}", row.trim());
            rows += 1;
        }
        for (see, _) in text.match_indices("(1)\n") {
            let named = text[..see].rsplit(char::is_whitespace).next().unwrap();
            let there = folder.path().join(format!("man1/{named}.1")).exists();
            assert!(there, "{name} names {named}(1), which has no page");
        }
    }
    assert!(rows > 20, "only {rows} rows of tables were found");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    refused(folder.path(), &["man", "--out", "file"], 1, &["cannot", "file"]);
    assert_eq!(files_below(folder.path()), [(PathBuf::from("file"), b"mine".to_vec())]);
}
