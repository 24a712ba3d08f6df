// SPDX-License-Identifier: MIT OR Apache-2.0
//! Emitted files in cocotb and Icarus, with drivers that no one here wrote.

use crate::REPOSITORY;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tidegate_package::emit::File;
use tidegate_toolchain::find::Tool;

/// The Python with the pinned packages.
pub fn python() -> PathBuf {
    Tool::Yosys.needed().unwrap().path.with_file_name("python")
}

/// Each text stands in one of the files.
///
/// # Panics
/// If one does not.
pub fn has_places<'a>(files: &[File], texts: impl IntoIterator<Item = &'a str>) {
    let lost: Vec<&str> = texts.into_iter().filter(|text| !files.iter().any(|file| file.text.contains(text))).collect();
    assert!(lost.is_empty(), "no file has {lost:#?}");
}

/// The files with another text at each place of `from`, which must have one. An empty text: as they are.
pub fn replaced(mut files: Vec<File>, [from, to]: [&str; 2]) -> Vec<File> {
    has_places(&files, [from]);
    if !from.is_empty() {
        files.iter_mut().for_each(|file| file.text = file.text.replace(from, to));
    }
    files
}

/// Runs a script of this project with a folder of emitted files, in which a text is replaced (an empty one: none), and more
/// arguments; `None` if a tool is not there.
pub fn run(script: &str, files: Vec<File>, change: [&str; 2], arguments: &[&str]) -> Option<Output> {
    let files = replaced(files, change);
    if Tool::Icarus.needed().is_err() {
        eprintln!("skipped: Icarus is not there");
        return None;
    }
    let python = python();
    let library = "import find_libpython, sys; sys.exit(find_libpython.find_libpython() is None)";
    if !Command::new(&python).args(["-c", library]).status().unwrap().success() {
        eprintln!("skipped: Python has no shared library, which cocotb needs (on Debian: the package libpython3-dev)");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for file in files {
        std::fs::write(folder.join(file.name), file.text).unwrap();
    }
    let script = Path::new(REPOSITORY).join(script);
    let mut command = Command::new(python);
    command.arg(script).arg(folder).args(arguments);
    // The script is imported from there: it leaves nothing in the folder of the sources.
    Some(command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(folder).output().unwrap())
}

/// What a run said.
pub fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}
