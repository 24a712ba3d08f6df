// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate reproduce`: the experiments of the papers.

use super::run::{Job, Options, run_all};
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
/// `verdict.json`, and one page over all, `index.html`.
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
    #[command(flatten)]
    options: Options,
    /// Print the verdicts as a JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { ids, all, out, force, options, json } = arguments;
    let ids: Vec<&str> = if all { catalogue::ids().collect() } else { ids.iter().map(String::as_str).collect() };
    if let Some(twice) = ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id)) {
        return Err(Usage(format!("{} is named twice: expected each experiment once", twice.1)).into());
    }
    let mut files = ids
        .iter()
        .map(|id| catalogue::find(id).map_err(|error| Usage(error.to_string())))
        .collect::<Result<Vec<_>, _>>()?;
    let named: &[&str] = if all { &["--all"] } else { &ids };
    let words = ["reproduce"].iter().chain(named).map(|word| word.to_string()).collect();
    let job = Job::new(words, options, json, &mut files)?;
    let folder = ResultFolder::open(&out, force.claim("reproduce", &[]))?;
    run_all(&files, &out, folder, job)
}
