// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate build`: from a scheme to a bitstream.

use super::{Force, completions, folder, load_board, print_json, refuse_repeats, say, setting, shown, with_bar};
use anyhow::{Result, anyhow};
use clap_complete::{ArgValueCandidates, ArgValueCompleter};
use std::path::{Path, PathBuf};
use tidegate_core::error::Usage;
use tidegate_core::output::folder::ResultFolder;
use tidegate_core::output::{create_folder, write_file};
use tidegate_package::board::{Board, constraints};
use tidegate_package::build::Design;
use tidegate_package::build::outcome::{Summary, build};
use tidegate_package::build::part;
use tidegate_package::build::steps::{StepFailed, Tools};
use tidegate_package::build::switch;
use tidegate_report::build as report;
use tidegate_report::{fill::fill, table};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;

/// Build a design for a board: Verilog, constraints, netlist, bitstream, report
///
/// For boards with an ECP5, open tools make the bitstream: Yosys, nextpnr and ecppack. For those with an FPGA of Xilinx,
/// Yosys counts what each block takes, and a script for Vivado or ISE makes the bitstream.
#[derive(clap::Args)]
pub struct Arguments {
    /// The board: a name from `tidegate boards`, or the path of a board file
    #[arg(long, value_name = "BOARD", add = ArgValueCompleter::new(completions::boards))]
    board: String,
    /// The scheme; `tidegate schemes` lists them
    #[arg(long, value_name = "SCHEME", add = ArgValueCandidates::new(completions::schemes))]
    scheme: String,
    /// What to build
    #[arg(long, value_enum, value_name = "DESIGN", default_value = "switch")]
    design: Kind,
    /// Set a parameter of the scheme; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings))]
    settings: Vec<(String, String)>,
    /// Place and route with the seeds 1 to N, and keep the best result
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    seeds: u32,
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints what is in build.json"))]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Print what was built as a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Kind {
    /// A whole switch with the Ethernet ports of the board
    Switch,
    /// The congestion point alone, between AXI4-Streams, with flip-flops at its ports: how much it takes, how fast it is
    Cp,
    /// The reaction point alone, in the same way
    Rp,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Switch => "switch",
            Kind::Cp => "cp",
            Kind::Rp => "rp",
        }
    }

    fn design(self, board: &Board, scheme: &'static Scheme, arguments: &Arguments) -> Result<Design> {
        let command = command(arguments);
        match self {
            Kind::Switch => switch::design(board, scheme, &arguments.settings, command),
            Kind::Cp => part::design(board, scheme, Part::CongestionPoint, &arguments.settings, command),
            Kind::Rp => part::design(board, scheme, Part::ReactionPoint, &arguments.settings, command),
        }
    }
}

/// The command that makes the same design again: without the folder and the seeds, on which no file that the tools read depends.
fn command(arguments: &Arguments) -> String {
    let Arguments { board, scheme, design, settings, .. } = arguments;
    // The same file has other paths in other folders.
    let board = Path::new(board).file_name().map_or(board.clone(), |name| name.to_string_lossy().into_owned());
    let mut command = format!("tidegate build --board {board} --scheme {scheme} --design {}", design.name());
    settings.iter().for_each(|(key, value)| command += &format!(" --set {key}={value}"));
    command
}

pub fn run(arguments: Arguments) -> Result<()> {
    refuse_repeats(&arguments.settings)?;
    let scheme = registry::find(&arguments.scheme).map_err(Usage)?;
    let board = load_board(&arguments.board)?;
    constraints::constraints(&board)?;
    let design = arguments.design.design(&board, scheme, &arguments)?;
    // Wrong input is reported even if a tool is missing.
    constraints::of_design(&board, &design.top, "")?;
    let tools = Tools::find(&board)?;
    let mut folder = ResultFolder::open(&arguments.out, arguments.force.claim("build", &[]))?;
    let built = with_bar("steps", |progress| build(&board, &design, &tools, arguments.seeds, progress));
    let log = failed_log(&arguments.out);
    let mut outcome = match built {
        Ok(outcome) => outcome,
        Err(error) => return Err(with_log(error, &log)),
    };
    outcome.summary.files.extend(["build.json", "report.html"].map(str::to_string));
    let page = report::page(&outcome)?;
    let summary = &outcome.summary;
    for (name, contents) in &outcome.files {
        folder.write(name, contents)?;
    }
    folder.write("build.json", serde_json::to_string_pretty(summary)? + "\n")?;
    folder.write("report.html", page)?;
    folder.commit()?;
    forget(&log);
    if arguments.json { print_json(summary) } else { say(&text(summary, &arguments.out)) }
}

/// Where the log of a step that failed is kept: beside the folder, because what is in it stays.
fn failed_log(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_os_string();
    name.push(".failed.log");
    out.with_file_name(name)
}

/// The first line of such a log.
const LOG: &str = "The log of a step of `tidegate build` that failed.\n";

/// The error of a step, with the place of its log.
fn with_log(error: anyhow::Error, log: &Path) -> anyhow::Error {
    let Some(failed) = error.downcast_ref::<StepFailed>() else { return error };
    let folder = log.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or(Ok(()), create_folder);
    match folder.and_then(|()| write_file(log, format!("{LOG}{}", failed.log))) {
        Ok(()) => anyhow!("{}; its log: {}", failed.message, shown(log)),
        Err(reason) => anyhow!("{}; its log was not kept: {reason:#}", failed.message),
    }
}

/// Removes the log of an earlier failure.
fn forget(log: &Path) {
    if std::fs::read_to_string(log).is_ok_and(|text| text.starts_with(LOG)) {
        let _ = std::fs::remove_file(log);
    }
}

/// What was built, for the terminal.
fn text(summary: &Summary, out: &Path) -> String {
    let rendered = |table: &report::Table| table::render(&table.headers, &table.rows, &table.numbers);
    let title = format!("{}, on {} ({})", summary.title, summary.board, summary.part);
    let mut text = fill(&title, 2) + "\n";
    text += &rendered(&report::blocks(summary));
    if !summary.resources.is_empty() {
        text += &format!("\n{}", rendered(&report::resources(summary)));
    }
    if !summary.clocks.is_empty() {
        text += &format!("\n{}", rendered(&report::clocks(summary)));
    }
    if let Some(path) = summary.paths.first() {
        text += &format!("\n{}", fill(&format!("slowest path: {}", report::path(path)), 2));
    }
    if let Some(reason) = report::by_vendor(summary) {
        text += &format!("\n{}", fill(&reason, 0));
    }
    let folder = |name: &str| shown(&out.join(name));
    text.push('\n');
    if let Some(bitstream) = summary.files.iter().find(|name| name.ends_with(".bit")) {
        text += &format!("bitstream: {}\n", folder(bitstream));
    }
    text + &format!("report: {}\n", folder("report.html"))
}
