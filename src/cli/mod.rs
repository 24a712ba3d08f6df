//! The command line: one file a verb. Errors go to stderr with their cause; exit code 1 for a failure, 2 for wrong usage,
//! 3 where an outside tool is missing.

mod analyze;
mod boards;
mod compare;
mod doctor;
mod emit;
mod schemes;
mod sim;
mod verify;

use crate::error::{printable, Usage};
use crate::scheme::parameters::{ParameterError, Value};
use crate::toolchain::MissingTool;
use anyhow::Result;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;

/// Congestion control for FPGA switches and NICs: describe, simulate, emit, compare.
#[derive(Parser)]
#[command(name = "tidegate", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Schemes(schemes::Arguments),
    Boards(boards::Arguments),
    Emit(emit::Arguments),
    Sim(sim::Arguments),
    Verify(verify::Arguments),
    Compare(compare::Arguments),
    Analyze(analyze::Arguments),
    Doctor(doctor::Arguments),
}

/// Parses the command line, runs the verb and turns its outcome into an exit code.
pub fn main() -> ExitCode {
    // Without it everything works, but a signal leaves temporary files.
    let _ = crate::interrupt::install();
    let outcome = match Arguments::parse().verb {
        Verb::Schemes(arguments) => schemes::run(arguments),
        Verb::Boards(arguments) => boards::run(arguments),
        Verb::Emit(arguments) => emit::run(arguments),
        Verb::Sim(arguments) => sim::run(arguments),
        Verb::Verify(arguments) => verify::run(arguments),
        Verb::Compare(arguments) => compare::run(arguments),
        Verb::Analyze(arguments) => analyze::run(arguments),
        Verb::Doctor(arguments) => doctor::run(arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(cause) = error.downcast_ref::<std::io::Error>() {
                if cause.kind() == std::io::ErrorKind::BrokenPipe {
                    return ExitCode::SUCCESS; // the reader of our pipe has seen enough
                }
            }
            eprintln!("tidegate: {}", printable(&format!("{error:#}")));
            if error.chain().any(|cause| cause.is::<MissingTool>()) {
                ExitCode::from(3)
            } else if error.chain().any(|cause| cause.is::<Usage>() || cause.is::<ParameterError>()) {
                ExitCode::from(2)
            } else {
                ExitCode::from(1)
            }
        }
    }
}

/// Reads `key=value`.
fn setting(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err("expected KEY=VALUE".to_string()),
    }
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

/// Work with a progress bar, which draws on a terminal only.
fn with_bar<T>(unit: &str, work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> Result<T>) -> Result<T> {
    let bar = ProgressBar::no_length();
    let template = format!("{{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{elapsed}}");
    bar.set_style(ProgressStyle::with_template(&template)?);
    let outcome = work(&|finished, all| {
        bar.set_length(all as u64);
        bar.set_position(finished as u64);
    });
    bar.finish_and_clear();
    outcome
}
