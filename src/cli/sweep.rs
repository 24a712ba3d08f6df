// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate sweep`: grids and Monte-Carlo over the parameters of a scenario.

use super::progress::{Progress, with_bar};
use super::{Force, folder, print_json, say, shown};
use anyhow::{Context, Result};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tidegate_core::error::Usage;
use tidegate_core::input::is_standard;
use tidegate_core::output::folder::{Claim, register, write_folder};
use tidegate_core::output::manifest::JOURNAL;
use tidegate_lab::sweep::job_files::job_files;
use tidegate_lab::sweep::journal::file_name;
use tidegate_lab::sweep::table::gather;
use tidegate_lab::sweep::{Shard, Sweep, run_shard};
use tidegate_report::sweep::files;

/// The verbs of the three things that a folder of a sweep has: journals, results, job files.
const RESULTS: &str = "sweep";
const JOBS: &str = "sweep jobs";

/// What the standard output can have in place of a folder.
const JSON: &str = "--json prints what was done";

/// Run a scenario with many values of its parameters
///
/// FILE.toml is a plan: docs/scenarios.md explains it. Each finished run is a line in a journal in DIR. The same command
/// again goes on where the last one was stopped. When all runs are there, DIR gets results.csv, results.parquet, points.csv,
/// points.parquet and index.html; with shards, `sweep merge` writes them.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// The plan
    #[arg(value_name = "FILE.toml", required = true)]
    file: Option<PathBuf>,
    /// The folder for the journal and the results
    #[arg(long, value_name = "DIR", required = true, value_parser = folder(JSON))]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Run only the runs whose number modulo N is I
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Print what was done as a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Put the runs of all shards together
    ///
    /// It is an error if a run is missing, or there twice.
    Merge {
        /// Folders with journals
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// The folder for the results
        #[arg(long, value_name = "DIR", value_parser = folder(JSON))]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
        /// Print what was done as a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write job files for Slurm and GNU parallel
    ///
    /// `sh DIR/submit.sh` puts the shards into the queue of Slurm, and `sweep merge` after them; `sh DIR/parallel.sh` runs
    /// them with GNU parallel. Journals and results come into DIR.
    Jobs {
        /// The plan
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        /// The folder for job files, journals and results
        #[arg(long, value_name = "DIR", value_parser = folder(JSON))]
        out: PathBuf,
        #[command(flatten)]
        force: Force,
        /// Number of shards; each is a job
        #[arg(long, value_name = "N")]
        shards: u64,
        /// Print what was done as a JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    match (arguments.verb, arguments.file, arguments.out) {
        (Some(Verb::Merge { folders, out, force, json }), ..) => merge(&folders, &out, force, json),
        (Some(Verb::Jobs { file, out, force, shards, json }), ..) => jobs(&file, &out, force, shards, json),
        (None, Some(file), Some(out)) => sweep(&file, &out, arguments.force, arguments.shard, arguments.json),
        (None, ..) => Err(Usage("expected FILE.toml and --out DIR".into()).into()),
    }
}

/// Runs a shard; if it is the only one, writes the results.
fn sweep(file: &Path, out: &Path, force: Force, shard: Shard, json: bool) -> Result<()> {
    let started = Instant::now();
    let sweep = read(file)?;
    let folder = register(out, force.claim(JOURNAL, &[JOURNAL, JOBS, RESULTS]), &file_name(shard))?;
    let (before, now) = with_bar("runs", |progress| run_shard(&sweep, shard, out, progress))?;
    folder.keep();
    let files = if shard.count == 1 { write_results(&[out.to_path_buf()], out, results(force))? } else { Vec::new() };
    let seconds = started.elapsed().as_secs_f64();
    if json {
        return print_json(&json!({
            "format_version": 1,
            "runs": sweep.runs(),
            "shard": shard.to_string(),
            "runs_before": before,
            "runs_now": now,
            "files": files,
            "seconds": seconds,
        }));
    }
    let runs = |number: usize| format!("{number} run{}", if number == 1 { "" } else { "s" });
    let mut text = format!("{} in {seconds:.1} s", runs(now));
    if before > 0 {
        text += &format!(", {} were there before", runs(before));
    }
    text += &match files.last() {
        Some(page) => format!(". Page: {page}\n"),
        None => format!(". Shard {shard} is complete: `tidegate sweep merge` puts all shards together\n"),
    };
    say(&text)
}

/// What the results of a sweep may do in its folder.
fn results(force: Force) -> Claim {
    force.claim(RESULTS, &[JOURNAL, JOBS])
}

/// Reads a plan and checks all of its points, which takes minutes if they are many.
fn read(file: &Path) -> Result<Sweep> {
    with_bar("checks of the plan", |progress| Sweep::read(file, progress))
}

fn merge(folders: &[PathBuf], out: &Path, force: Force, json: bool) -> Result<()> {
    let files = write_results(folders, out, results(force))?;
    if json {
        return print_json(&json!({ "format_version": 1, "files": files }));
    }
    say(&format!("All runs are there. Page: {}\n", files.last().map_or("", String::as_str)))
}

/// Writes the results of the journals of folders. Returns the paths of the files.
fn write_results(folders: &[PathBuf], out: &Path, claim: Claim) -> Result<Vec<String>> {
    // A million runs take minutes to read and to write.
    let _progress = Progress::new("results");
    let (sweep, measured) = gather(folders)?;
    let files = files(&sweep, &measured)?;
    let names = files.iter().map(|(name, _)| shown(&out.join(name))).collect();
    write_folder(out, claim, files).with_context(|| format!("no results of {} are written", out.display()))?;
    Ok(names)
}

fn jobs(file: &Path, out: &Path, force: Force, shards: u64, json: bool) -> Result<()> {
    if is_standard(file) {
        let reason = "FILE.toml: each shard reads the plan: expected a file, not the standard input";
        return Err(Usage(reason.into()).into());
    }
    let sweep = read(file)?;
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    let [file, out] = [file, out].map(std::path::absolute);
    let (file, out) = (file?, out?);
    let files = job_files(&program, &file, &out, shards).map_err(|error| Usage(error.to_string()))?;
    let names: Vec<_> = files.iter().map(|(name, _)| shown(&out.join(name))).collect();
    let claim = force.claim(JOBS, &[JOURNAL, RESULTS]);
    write_folder(&out, claim, files).with_context(|| format!("nothing of {} is written", out.display()))?;
    if json {
        return print_json(&json!({ "format_version": 1, "runs": sweep.runs(), "shards": shards, "files": names }));
    }
    say(&format!(
        "{} runs in {shards} shards. Slurm: sh {}; GNU parallel: sh {}\n",
        sweep.runs(),
        shown(&out.join("submit.sh")),
        shown(&out.join("parallel.sh"))
    ))
}
