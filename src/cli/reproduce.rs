// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate reproduce`: the experiments of the papers.

use super::run::{Job, run_all};
use super::{Force, completions, folder};
use anyhow::Result;
use clap_complete::ArgValueCandidates;
use std::path::PathBuf;
use tidegate_core::error::Usage;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::experiment::catalogue;

/// Run experiments of the papers, and judge what the papers claim
///
/// Writes a folder for each experiment, with the queue and the rates over time as CSV, pictures, metrics and
/// `verdict.json`, an overview, `index.html`, and a page for each paper, such as `smcc.html`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The experiments; `tidegate experiments` lists them
    #[arg(value_name = "ID", add = ArgValueCandidates::new(completions::experiments), required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<String>,
    /// All of them
    #[arg(long)]
    all: bool,
    /// The folder for the results
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints the verdicts"))]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Print the verdicts as a JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { ids, all, out, force, json } = arguments;
    let ids: Vec<&str> = if all { catalogue::ids().collect() } else { ids.iter().map(String::as_str).collect() };
    if let Some(twice) = ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id)) {
        return Err(Usage(format!("{} is named twice: expected each experiment once", twice.1)).into());
    }
    let files = ids
        .iter()
        .map(|id| catalogue::find(id).map_err(|error| Usage(error.to_string())))
        .collect::<Result<Vec<_>, _>>()?;
    let words = if all { "--all".to_string() } else { ids.join(" ") };
    let folder = ResultFolder::open(&out, force.claim("reproduce", &[]))?;
    run_all(&files, &out, folder, Job { command: format!("tidegate reproduce {words} --out DIR"), json })
}
