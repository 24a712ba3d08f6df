// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate reproduce`: the experiments of the papers.

use super::run::{Job, Options, run_all};
use super::{Force, completions, control, folder, joint};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap_complete::ArgValueCandidates;
use std::path::PathBuf;
use tidegate_core::error::Usage;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::experiment::catalogue;
use tidegate_lab::experiment::control::Control;
use tidegate_lab::experiment::joint::{Joint, ids as joint_papers};
use tidegate_lab::experiment::kind::AnyFile;

/// Run experiments of the papers, and judge what the papers claim
///
/// Writes a folder for each experiment, with the queue and the rates over time as CSV, pictures, metrics and
/// `verdict.json`, an overview, `index.html`, and a page for each paper, such as `smcc.html`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The experiments; `tidegate experiments` lists them
    #[arg(value_name = "ID", add = ArgValueCandidates::new(completions::experiments), required_unless_present_any = ["all", "joint"], conflicts_with_all = ["all", "joint"])]
    ids: Vec<String>,
    /// All of them
    #[arg(long)]
    all: bool,
    /// The folder for the results
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints the verdicts"))]
    out: PathBuf,
    /// Also run them without congestion control (none), or with another scheme in the place of each (swap), and say which
    /// claims turn. Exit status 1 if these are others than the scenario files list (not with --set, --seeds and --reading joint).
    /// Experiments without a network are left out
    #[arg(long, value_name = "CONTROL", value_parser = ["none", "swap"], conflicts_with = "fail")]
    control: Option<String>,
    /// Try what a paper leaves open in all combinations over all of its experiments, and say what each scores. PAPER is the
    /// prefix of its experiments
    #[arg(long, value_name = "PAPER", value_parser = joint_ids(), conflicts_with_all = ["all", "control", "reading", "settings", "seeds", "fail"])]
    joint: Option<String>,
    /// Under which values the experiments run: those of the scenario files, in which the printed ones are (printed), or the
    /// joint reading of each paper, which --joint has found (joint)
    #[arg(long, value_name = "READING", value_parser = ["printed", "joint"], default_value = "printed")]
    reading: String,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    options: Options,
    /// Print the verdicts as a JSON object
    #[arg(long)]
    json: bool,
}

/// The papers whose readings are listed.
fn joint_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(joint_papers())
}

/// An experiment under the joint reading of its paper, if that has one.
fn joint_reading(file: AnyFile) -> Result<AnyFile> {
    match file {
        AnyFile::Network(file) => Ok(AnyFile::Network(match Joint::of(&file.id)? {
            Some(joint) => Box::new(joint.apply(&file, &joint.chosen)),
            None => file,
        })),
        calculation => Ok(calculation),
    }
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { ids, all, out, control, joint, reading, force, options, json } = arguments;
    if let Some(paper) = joint {
        let joint = Joint::find(&paper)?.expect("clap knows the papers");
        let folder = ResultFolder::open(&out, force.claim("reproduce", &[]))?;
        return joint::run(&joint, &out, folder, &format!("tidegate reproduce --joint {paper} --out DIR"), json);
    }
    let ids: Vec<&str> = if all { catalogue::ids().collect() } else { ids.iter().map(String::as_str).collect() };
    if let Some(twice) = ids.iter().enumerate().find(|(at, id)| ids[..*at].contains(id)) {
        return Err(Usage(format!("{} is named twice: expected each experiment once", twice.1)).into());
    }
    let mut files = ids
        .iter()
        .map(|id| catalogue::find(id).map_err(|error| Usage(error.to_string())))
        .collect::<Result<Vec<_>, _>>()?;
    let joint_readings = reading == "joint";
    if joint_readings {
        files = files.into_iter().map(joint_reading).collect::<Result<_>>()?;
    }
    let mut words = vec!["reproduce".to_string()];
    words.extend(if all { vec!["--all".to_string()] } else { ids.iter().map(|id| id.to_string()).collect() });
    words.extend(control.iter().flat_map(|name| ["--control".to_string(), name.clone()]));
    if joint_readings {
        words.extend(["--reading".to_string(), reading]);
    }
    let mut job = Job::new(words, options, json, &mut files)?;
    job.overridden |= joint_readings;
    let folder = ResultFolder::open(&out, force.claim("reproduce", &[]))?;
    if let Some(name) = control {
        let control = Control::ALL.into_iter().find(|control| control.name() == name).expect("clap knows the names");
        return control::run(&files, control, &out, folder, job);
    }
    run_all(&files, &out, folder, job)
}
