// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate run`: an experiment from a scenario file.

use super::progress::Progress;
use super::{Force, folder, print_json, say, shown};
use anyhow::{Context, Result};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tidegate_core::error::Usage;
use tidegate_core::frame::capture::CaptureWriter;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::experiment::capture::{capture, link};
use tidegate_lab::experiment::kind::{AnyExperiment, AnyFile, AnyResults};
use tidegate_report::experiment::{HEADERS, Shown, pages, summary};
use tidegate_report::table;

/// Run an experiment from a scenario file
///
/// Writes what `tidegate reproduce` writes. docs/scenarios.md explains the file.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scenario
    #[arg(value_name = "FILE.toml")]
    file: PathBuf,
    /// The folder for the results
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints the verdicts"))]
    out: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Also write the frames on a link as pcap, for each variant with the first seed and for the time that `shown_s` shows.
    /// LINK is the name of an output, for the link behind it, or of a flow, for the link from its host to the first switch
    #[arg(long, value_name = "LINK")]
    pcap: Option<String>,
    /// Print the verdicts as a JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { file, out, force, pcap, json } = arguments;
    let command = format!("tidegate run {} --out DIR", shown(&file));
    let file = AnyFile::read(&file)?;
    let job = Job { command, json };
    let claim = force.claim("run", &[]);
    let Some(name) = pcap else { return run_all(&[file], &out, ResultFolder::open(&out, claim)?, job) };
    let AnyExperiment::Network(experiment) = AnyExperiment::new(&file)? else {
        return Err(Usage("--pcap: the scenario has no network, so there are no frames".into()).into());
    };
    let links = experiment.cases.iter().map(|case| link(case, &name)).collect::<Result<Vec<_>>>()?;
    let own = Path::new(file.heading().id);
    let mut folder = ResultFolder::open(&out, claim)?;
    let progress = Progress::new("captures");
    for (variant, (case, link)) in (1..).zip(experiment.cases.iter().zip(links)) {
        let mut writer = CaptureWriter::new(folder.file(own.join(format!("frames-{variant}.pcap")))?)?;
        capture(case, link, experiment.shown_cycles(), &mut writer)?;
        writer.finish().commit()?;
        progress.set(variant, Some(experiment.cases.len() as u64));
    }
    drop(progress);
    run_all(std::slice::from_ref(&file), &out, folder, job)
}

/// How experiments are reported.
pub struct Job {
    /// The command that repeats them.
    pub command: String,
    /// Print JSON.
    pub json: bool,
}

/// Runs experiments and writes their folders and the pages, beside what is in the result already.
pub fn run_all(files: &[AnyFile], out: &Path, mut folder: ResultFolder, job: Job) -> Result<()> {
    let started = Instant::now();
    let experiments = files.iter().map(AnyExperiment::new).collect::<Result<Vec<_>>>()?;
    let progress = Progress::new("intervals");
    let all: usize = experiments.iter().map(AnyExperiment::looks).sum();
    let (mut before, mut results): (usize, Vec<AnyResults>) = (0, Vec::new());
    for experiment in &experiments {
        let rest = all - experiments[..=results.len()].iter().map(AnyExperiment::looks).sum::<usize>();
        let of_this = std::sync::atomic::AtomicUsize::new(experiment.looks());
        results.push(experiment.run(&|done, of| {
            of_this.store(of, std::sync::atomic::Ordering::Relaxed);
            progress.set((before + done) as u64, Some((before + of + rest) as u64));
        })?);
        before += of_this.into_inner();
    }
    drop(progress);
    let shown = results.iter().map(Shown::new).collect::<Result<Vec<_>>>()?;
    let write = || -> Result<()> {
        for (name, text) in pages(&shown, &job.command) {
            folder.write(&name, text)?;
        }
        for (file, shown) in files.iter().zip(&shown) {
            for (name, text) in shown.files()? {
                folder.write(Path::new(file.heading().id).join(name), text)?;
            }
        }
        folder.commit()
    };
    write().with_context(|| format!("nothing of {} is written", out.display()))?;
    let packets: u64 = results.iter().map(AnyResults::packets).sum();
    let seconds = started.elapsed().as_secs_f64();
    if job.json {
        let verdicts: Vec<_> = shown.iter().map(Shown::verdict).collect();
        return print_json(&json!({ "format_version": 1, "experiments": verdicts, "seconds": seconds }));
    }
    let mut text = String::new();
    for (file, shown) in files.iter().zip(&shown) {
        let heading = file.heading();
        text += &format!("{}: {}\n", heading.id, heading.title);
        if !heading.claims.is_empty() {
            text += &table::render(&HEADERS, &shown.rows(), &[]);
        }
        text.push('\n');
    }
    let page = self::shown(&out.join("index.html"));
    text += &format!("{} {packets} packets in {seconds:.1} s. Page: {page}\n", summary(&shown));
    say(&text)
}
