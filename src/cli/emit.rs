//! `tidegate emit`: Verilog, file lists and constraints.

use super::setting;
use crate::board::{self, UnknownBoard};
use crate::emit::{self, File};
use crate::error::Usage;
use crate::output::{create_folder, OutputFile};
use crate::registry::{self, SCHEMES};
use crate::scheme::Part;
use anyhow::{bail, Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write the Verilog of a scheme, a file list for tools and, for a board, its constraint file.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").args(["scheme", "board", "check", "update"]).required(true).multiple(true))]
pub struct Arguments {
    /// Which scheme; `tidegate schemes` lists them.
    #[arg(long, value_name = "SCHEME", conflicts_with_all = ["check", "update"])]
    scheme: Option<String>,
    /// Which end of the loop.
    #[arg(long, value_enum, default_value = "both", requires = "scheme")]
    part: Parts,
    /// Write the constraint file of this board too: a name from `tidegate boards`, or the path of a board file.
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["check", "update"])]
    board: Option<String>,
    /// Set a parameter of the scheme; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, requires = "scheme")]
    settings: Vec<(String, String)>,
    /// Folder to write to; made if it is not there.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["check", "update"])]
    out: Option<PathBuf>,
    /// Compare hdl/ and constraints/ of this folder with what would be emitted; exit 1 if anything differs.
    #[arg(long)]
    check: bool,
    /// Write hdl/ and constraints/ of this folder anew.
    #[arg(long, conflicts_with = "check")]
    update: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Parts {
    Cp,
    Rp,
    Both,
}

impl Parts {
    fn list(self) -> &'static [Part] {
        match self {
            Parts::Cp => &[Part::CongestionPoint],
            Parts::Rp => &[Part::ReactionPoint],
            Parts::Both => &[Part::CongestionPoint, Part::ReactionPoint],
        }
    }
}

pub fn run(arguments: Arguments) -> Result<()> {
    if arguments.check {
        return check(Path::new("."));
    }
    if arguments.update {
        return write_all(Path::new("."), &committed());
    }
    let mut files = Vec::new();
    if let Some(name) = &arguments.scheme {
        let scheme = registry::find(name).map_err(Usage)?;
        let parameters = scheme.parameters(&arguments.settings).map_err(|error| Usage(error.to_string()))?;
        files = emit::files(scheme, &parameters, &arguments.settings, arguments.part.list());
    }
    if let Some(name) = &arguments.board {
        let board = board::load(name).map_err(|error| match error.downcast::<UnknownBoard>() {
            Ok(unknown) => Usage(unknown.to_string()).into(),
            Err(error) => error,
        })?;
        let (name, text) = board::constraints::constraints(&board);
        files.push(File { name, text });
    }
    let folder = arguments.out.expect("clap asks for it");
    write_all(&folder, &files)?;
    let mut out = std::io::stdout();
    for file in &files {
        writeln!(out, "{}", folder.join(&file.name).display())?;
    }
    Ok(())
}

/// Writes every file beside its place first, so that either all of them appear or none.
fn write_all(folder: &Path, files: &[File]) -> Result<()> {
    let mut written = Vec::with_capacity(files.len());
    for file in files {
        let path = folder.join(&file.name);
        create_folder(path.parent().unwrap_or(folder))?;
        let mut output = OutputFile::create(&path)?;
        output.write_all(file.text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        written.push(output);
    }
    written.into_iter().try_for_each(OutputFile::commit)
}

/// What stands in hdl/ and constraints/ of the repository: every scheme with its defaults, every board.
fn committed() -> Vec<File> {
    let mut files = Vec::new();
    for scheme in SCHEMES {
        let parameters = scheme.parameters(&[]).expect("defaults are good");
        for file in emit::files(scheme, &parameters, &[], Parts::Both.list()) {
            let name = format!("hdl/{}", file.name);
            // Schemes share modules, and their files are the same.
            match files.iter().find(|known: &&File| known.name == name) {
                Some(known) => assert_eq!(known.text, file.text, "{name} must not hang on the scheme"),
                None => files.push(File { name, text: file.text }),
            }
        }
    }
    for board in board::all() {
        let (name, text) = board::constraints::constraints(&board);
        files.push(File { name: format!("constraints/{name}"), text });
    }
    files
}

fn check(folder: &Path) -> Result<()> {
    let expected = committed();
    let mut faults = Vec::new();
    for file in &expected {
        match std::fs::read_to_string(folder.join(&file.name)) {
            Ok(text) if text == file.text => {}
            Ok(_) => faults.push(format!("{} differs", file.name)),
            Err(error) => faults.push(format!("{}: {error}", file.name)),
        }
    }
    for stray in strays(folder, &expected)? {
        faults.push(format!("{stray} is not emitted any more"));
    }
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{}; `tidegate emit --update` writes them anew", faults.join("; "))
}

/// Files below hdl/ and constraints/ that nothing emits.
fn strays(folder: &Path, expected: &[File]) -> Result<Vec<String>> {
    let mut folders = vec![PathBuf::from("hdl"), PathBuf::from("constraints")];
    let mut strays = Vec::new();
    while let Some(below) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder.join(&below)) else { continue };
        for entry in entries {
            let entry = entry?;
            let path = below.join(entry.file_name());
            let name = path.to_string_lossy().replace('\\', "/");
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if !name.ends_with("README.md") && !expected.iter().any(|file| file.name == name) {
                strays.push(name);
            }
        }
    }
    strays.sort();
    Ok(strays)
}
