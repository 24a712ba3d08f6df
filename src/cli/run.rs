// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate run`: an experiment from a scenario file.

use super::progress::Progress;
use super::{Force, completions, folder, print_json, refuse_repeats, say, setting, shown};
use anyhow::{Context, Result, anyhow};
use clap_complete::ArgValueCompleter;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tidegate_core::error::Usage;
use tidegate_core::frame::capture::CaptureWriter;
use tidegate_core::output::folder::ResultFolder;
use tidegate_core::shell::word;
use tidegate_lab::experiment::capture::{capture, link};
use tidegate_lab::experiment::claims::Verdict;
use tidegate_lab::experiment::kind::{AnyExperiment, AnyFile, AnyResults};
use tidegate_lab::experiment::overrides::Overrides;
use tidegate_lab::experiment::{Experiment, Results};
use tidegate_lab::network::topology::Link;
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
    /// Also write the frames on a link as pcap, for each variant with the seed of its pictures and for the time that `shown_s` shows.
    /// LINK is the name of an output, for the link behind it, or of a flow, for the link from its host to the first switch
    #[arg(long, value_name = "LINK")]
    pcap: Option<String>,
    #[command(flatten)]
    options: Options,
    /// Print the verdicts as a JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { file, out, force, pcap, options, json } = arguments;
    let mut words = vec!["run".to_string(), word(&shown(&file))];
    words.extend(pcap.iter().flat_map(|link| ["--pcap".to_string(), word(link)]));
    let mut files = [AnyFile::read(&file)?];
    let mut job = Job::new(words, options, json, &mut files)?;
    if let Some(name) = pcap {
        let AnyExperiment::Network(experiment) = AnyExperiment::new(&files[0])? else {
            return Err(Usage("--pcap: the scenario has no network, so there are no frames".into()).into());
        };
        job.links = experiment.cases.iter().map(|case| link(case, &name)).collect::<Result<_>>()?;
    }
    run_all(&files, &out, ResultFolder::open(&out, force.claim("run", &[]))?, job)
}

/// What `run` and `reproduce` take.
#[derive(clap::Args)]
pub struct Options {
    /// Set a parameter in each variant whose scheme has it, in place of what the scenario states; `tidegate schemes SCHEME`
    /// lists them. An ablation and a change of the same parameter keep their values. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings))]
    settings: Vec<(String, String)>,
    /// Run each variant with the seeds 1 to N, in place of the number in the scenario
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    seeds: Option<u32>,
    /// Exit with status 1 if a claim is not reproduced, after all is written. A claim that is reproduced partly, or not
    /// measured, is no failure
    #[arg(long)]
    fail: bool,
}

/// How experiments are reported.
pub struct Job {
    /// The command that repeats them.
    pub command: String,
    /// Print JSON.
    pub json: bool,
    /// Whether options put something in place of what the files say.
    pub overridden: bool,
    /// Fail if a claim is not reproduced.
    fail: bool,
    /// The link of each variant of the only experiment of which the frames are written; none if nobody asks for frames.
    links: Vec<Link>,
}

impl Job {
    /// Puts what the options say into files; `words` begin the command that repeats them.
    pub fn new(mut words: Vec<String>, options: Options, json: bool, files: &mut [AnyFile]) -> Result<Job> {
        let Options { settings, seeds, fail } = options;
        refuse_repeats(&settings)?;
        words.extend(settings.iter().flat_map(|(key, value)| ["--set".to_string(), word(&format!("{key}={value}"))]));
        words.extend(seeds.iter().flat_map(|seeds| ["--seeds".to_string(), seeds.to_string()]));
        let overridden = !settings.is_empty() || seeds.is_some();
        Overrides { settings, seeds }.put(files)?;
        Ok(Job {
            command: format!("tidegate {} --out DIR", words.join(" ")),
            json,
            overridden,
            fail,
            links: Vec::new(),
        })
    }
}

/// Writes the frames of a link of each variant, with the seed that its pictures show.
fn write_captures(experiment: &Experiment, results: &Results, links: &[Link], folder: &mut ResultFolder) -> Result<()> {
    let progress = Progress::new("captures");
    let own = Path::new(&experiment.file.id);
    for (variant, ((case, runs), link)) in (1..).zip(experiment.cases.iter().zip(&results.runs).zip(links)) {
        let mut writer = CaptureWriter::new(folder.file(own.join(format!("frames-{variant}.pcap")))?)?;
        capture(case, runs.shown_seed(), *link, experiment.shown_cycles(), &mut writer)?;
        writer.finish().commit()?;
        progress.set(variant, Some(links.len() as u64));
    }
    Ok(())
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
    if !job.links.is_empty()
        && let [AnyResults::Network(experiment, results)] = &results[..]
    {
        write_captures(experiment, results, &job.links, &mut folder)?;
    }
    let shown = results.iter().map(|results| Shown::new(results, &job.command)).collect::<Result<Vec<_>>>()?;
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
    let verdicts: Vec<_> = results.iter().flat_map(AnyResults::judged).map(|judged| judged.verdict).collect();
    let failed = verdicts.iter().filter(|verdict| **verdict == Verdict::NotReproduced).count();
    let outcome = match job.fail && failed > 0 {
        true => Err(anyhow!("--fail: {failed} of {} claims not reproduced", verdicts.len())),
        false => Ok(()),
    };
    if job.json {
        let verdicts: Vec<_> = shown.iter().map(Shown::verdict).collect();
        print_json(&json!({ "format_version": 1, "experiments": verdicts, "seconds": seconds }))?;
        return outcome;
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
    say(&text)?;
    outcome
}
