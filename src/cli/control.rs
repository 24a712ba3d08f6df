// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate reproduce --control`: which claims turn where the congestion control is taken away.

use super::progress::Progress;
use super::run::Job;
use super::{print_json, say, shown};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::time::Instant;
use tidegate_core::error::Usage;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::experiment::Experiment;
use tidegate_lab::experiment::control::{Control, compare};
use tidegate_lab::experiment::kind::AnyFile;
use tidegate_lab::experiment::scenario::File;
use tidegate_report::experiment::control::{HEADERS, Row, json, page, rows, summary};
use tidegate_report::table;

/// Runs experiments with and without a control and writes one page. The lists in the files are those of what the files say:
/// they count if nothing else runs in its place.
pub fn run(files: &[AnyFile], control: Control, out: &Path, mut folder: ResultFolder, job: Job) -> Result<()> {
    let started = Instant::now();
    let files: Vec<&File> = files
        .iter()
        .filter_map(|file| match file {
            AnyFile::Network(file) => Some(&**file),
            AnyFile::Calculation(_) => None,
        })
        .collect();
    if files.is_empty() {
        return Err(Usage("--control: none of the experiments has a network".into()).into());
    }
    let progress = Progress::new("intervals");
    let mut all = Vec::new();
    let (mut done, mut of) = (0, 0);
    let plain: Vec<_> = files.iter().map(|file| file.without_ablations()).collect();
    let under = files.iter().map(|file| file.under(control)).collect::<Result<Vec<_>>>()?;
    let experiments = plain.iter().chain(&under).map(Experiment::new).collect::<Result<Vec<_>>>()?;
    experiments.iter().for_each(|experiment| of += experiment.looks());
    let (before, after) = experiments.split_at(files.len());
    for ((file, before), after) in files.iter().zip(before).zip(after) {
        let mut results = Vec::new();
        for experiment in [before, after] {
            results.push(experiment.run(&|now, _| progress.set((done + now) as u64, Some(of as u64)))?);
            done += experiment.looks();
        }
        let mut turns = compare(file, control, &results[0], &results[1]);
        if job.overridden {
            turns.iter_mut().for_each(|turn| turn.must = turn.turns);
        }
        let pairs = results[0].judged.iter().zip(&results[1].judged).zip(turns);
        all.extend(pairs.map(|((before, after), turn)| Row::new(&file.id, before, after, turn)));
    }
    drop(progress);
    let value = json(&all, control);
    let mut write = || -> Result<()> {
        folder.write("index.html", page(&all, control, &job.command))?;
        folder.write("control.json", serde_json::to_string_pretty(&value)? + "\n")
    };
    write().and_then(|()| folder.commit()).with_context(|| format!("nothing of {} is written", out.display()))?;
    if job.json {
        print_json(&value)?;
    } else {
        let page = shown(&out.join("index.html"));
        let seconds = started.elapsed().as_secs_f64();
        let table = table::render(&HEADERS, &rows(&all), &[]);
        say(&format!("{table}\n{} {seconds:.1} s. Page: {page}\n", summary(&all, control)))?;
    }
    let wrong = all.iter().filter(|row| row.is_wrong()).count();
    if wrong > 0 {
        bail!("{wrong} claims turn, or do not, otherwise than `controls` of their scenario files say");
    }
    Ok(())
}
