// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line: one file for each verb. Errors are written to stderr with their cause; exit code 1 for a failure,
//! 2 for wrong usage, 3 if an outside tool is missing.

mod analyze;
mod boards;
mod build;
mod compare;
mod completions;
mod control;
mod doctor;
mod emit;
mod experiments;
mod joint;
mod man;
mod program;
mod progress;
mod reproduce;
mod run;
mod schemes;
mod sim;
mod sweep;
mod verify;

use anstream::ColorChoice;
use anyhow::{Error, Result};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use tidegate_core::error::{Usage, printable};
use tidegate_core::output::STANDARD;
use tidegate_core::output::folder::Claim;
use tidegate_package::board::{self, Board, UnknownBoard};
use tidegate_schemes::scheme::parameters::{ParameterError, Value};
use tidegate_toolchain::MissingTool;

/// Options of all verbs are listed behind those of the verb.
const LAST: usize = 900;

/// Congestion control for FPGA switches and NICs: describe, simulate, emit, compare.
#[derive(Parser)]
#[command(name = "tidegate", version, max_term_width = 80)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
    /// Print only errors, JSON, and outputs that are named `-`, the standard output
    #[arg(long, global = true, display_order = LAST)]
    quiet: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", display_order = LAST)]
    color: Color,
}

#[derive(Clone, Copy, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Also in a file or a pipe
    Always,
    /// Nowhere
    Never,
}

#[derive(Subcommand)]
enum Verb {
    Schemes(schemes::Arguments),
    Boards(boards::Arguments),
    Emit(emit::Arguments),
    Sim(sim::Arguments),
    Experiments(experiments::Arguments),
    Reproduce(reproduce::Arguments),
    Run(run::Arguments),
    Sweep(sweep::Arguments),
    Verify(verify::Arguments),
    Compare(compare::Arguments),
    Build(build::Arguments),
    Program(program::Arguments),
    Analyze(analyze::Arguments),
    Doctor(doctor::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Whether `--quiet` was given.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Parses the command line, runs the verb and turns its outcome into an exit code.
pub fn main() -> ExitCode {
    // If this fails, everything works, but after a signal temporary files are left.
    let _ = tidegate_core::interrupt::install();
    completions::answer();
    color_choice().write_global();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error),
    };
    QUIET.store(arguments.quiet, Ordering::Relaxed);
    let outcome = match arguments.verb {
        Verb::Schemes(arguments) => schemes::run(arguments),
        Verb::Boards(arguments) => boards::run(arguments),
        Verb::Emit(arguments) => emit::run(arguments),
        Verb::Sim(arguments) => sim::run(arguments),
        Verb::Experiments(arguments) => experiments::run(arguments),
        Verb::Run(arguments) => run::run(arguments),
        Verb::Sweep(arguments) => sweep::run(arguments),
        Verb::Reproduce(arguments) => reproduce::run(arguments),
        Verb::Verify(arguments) => verify::run(arguments),
        Verb::Compare(arguments) => compare::run(arguments),
        Verb::Build(arguments) => build::run(arguments),
        Verb::Program(arguments) => program::run(arguments),
        Verb::Analyze(arguments) => analyze::run(arguments),
        Verb::Doctor(arguments) => doctor::run(arguments),
        Verb::Completions(arguments) => completions::run(arguments),
        Verb::Man(arguments) => man::run(arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// The value of `--color` before the command line is parsed, because an error of the parser has colours too.
fn color_choice() -> ColorChoice {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let after = words.iter().position(|word| word == "--color").and_then(|index| words.get(index + 1));
    match words.iter().find_map(|word| word.strip_prefix("--color=")).or(after.map(String::as_str)) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// Prints the help, the version or an error of the parser. An error may contain any text from the command line.
fn refused(error: &clap::Error) -> ExitCode {
    let plain = error.render().to_string();
    if printable(&plain) == plain.trim_end() || !error.use_stderr() {
        let styled = error.render().ansi().to_string();
        if error.use_stderr() {
            anstream::eprint!("{styled}");
        } else {
            // A reader that closes the pipe is not a failure.
            let _ = write!(anstream::stdout(), "{styled}");
        }
    } else {
        eprintln!("{}", printable(&plain));
    }
    ExitCode::from(error.exit_code() as u8)
}

/// Prints the reason of a failure. Returns its exit code.
fn failed(error: &Error) -> ExitCode {
    let is_closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS; // the reader has closed the pipe
    }
    let style = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}tidegate:{style:#} {}", printable(&format!("{error:#}")));
    if error.chain().any(|cause| cause.is::<MissingTool>()) {
        ExitCode::from(3)
    } else if error.chain().any(|cause| cause.is::<Usage>() || cause.is::<ParameterError>()) {
        ExitCode::from(2)
    } else {
        ExitCode::from(1)
    }
}

/// Prints a text for a person; nothing with `--quiet`.
fn say(text: &str) -> Result<()> {
    if !QUIET.load(Ordering::Relaxed) {
        anstream::stdout().write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The same; to the standard error if one of these outputs is the standard output.
fn say_beside(outputs: &[&Option<PathBuf>], text: &str) -> Result<()> {
    if !outputs.iter().any(|output| output.as_ref().is_some_and(|path| path.as_os_str() == STANDARD)) {
        return say(text);
    }
    if !QUIET.load(Ordering::Relaxed) {
        anstream::stderr().write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Says something beside the results, on the standard error; nothing with `--quiet`.
fn hint(text: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        anstream::eprintln!("tidegate: {}", printable(text));
    }
}

/// Prints a JSON object.
fn print_json(report: &impl serde::Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, report).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Reads `key=value`.
fn setting(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err("expected KEY=VALUE, such as w=2".to_string()),
    }
}

/// Reads the name of a folder; `instead` is what the standard output can have.
fn folder(instead: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| match path.as_os_str() == STANDARD {
        false => Ok(path),
        true => Err(format!(
            "it names a folder for several files, and - is the standard output: expected a folder, such as results; {instead}"
        )),
    })
}

/// The option of all verbs that write into a folder.
#[derive(clap::Args, Clone, Copy)]
struct Force {
    /// Write into a folder that has files of others. They stay, but for those that have the name of a new file
    #[arg(long)]
    force: bool,
}

impl Force {
    /// What a verb may do in a folder; files of the verbs `keeps` stay there.
    fn claim(self, verb: &'static str, keeps: &'static [&'static str]) -> Claim {
        Claim { verb, keeps, force: self.force }
    }
}

/// The board of an option `--board`.
fn load_board(name: &str) -> Result<Board> {
    board::load(name).map_err(|error| match error.downcast::<UnknownBoard>() {
        Ok(unknown) => Usage(unknown.to_string()).into(),
        Err(error) => error,
    })
}

/// Refuses a key that is set twice: one of the two settings would have no effect.
fn refuse_repeats(settings: &[(String, String)]) -> Result<()> {
    for (index, (key, value)) in settings.iter().enumerate() {
        if let Some((_, before)) = settings[..index].iter().find(|(known, _)| known == key) {
            let [key, before, value] = [key, before, value].map(|text| tidegate_core::error::quoted(text));
            return Err(Usage(format!("{key} is set twice, to {before} and to {value}: expected one value")).into());
        }
    }
    Ok(())
}

/// A value of a parameter in JSON: numbers as numbers, a share as numerator and denominator.
fn json_value(value: Value) -> serde_json::Value {
    match value {
        Value::Integer(value) => value.into(),
        Value::Decimal(value) if value.0 % 1_000_000 == 0 => (value.0 / 1_000_000).into(),
        Value::Decimal(value) => value.to_f64().into(),
        Value::Flag(value) => value.into(),
        Value::Shares(shares) => shares.map(|(numerator, denominator)| [numerator, denominator]).to_vec().into(),
        Value::Choice(_) | Value::Mac(_) | Value::Cpid(_) => value.to_string().into(),
    }
}

/// A path for a message.
fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// The definition of the command line, for completions, manual pages, and the test of the commands in the docs.
pub fn command() -> clap::Command {
    Arguments::command()
}

pub(crate) use progress::with_bar;
