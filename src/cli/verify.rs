// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate verify`.

use super::{Force, completions, folder, print_json, say, with_bar};
use anyhow::{Result, bail};
use clap_complete::ArgValueCandidates;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tidegate_core::error::Usage;
use tidegate_core::output::folder::ResultFolder;
use tidegate_report::{fill::fill, number::grouped, table};
use tidegate_schemes::registry::{self, SCHEMES};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::MissingTool;
use tidegate_verify::model::SEED;
use tidegate_verify::run::{Judge, Request};
use tidegate_verify::{Check, Verdict};

/// Check that model, circuit and emitted Verilog of a scheme agree, and prove its properties
///
/// Every block and each whole part is simulated with random inputs, and all outputs are compared in every cycle.
/// Properties are proved for all inputs. One part of one scheme takes some minutes, all schemes take longer.
///
/// A missing outside tool is an error (exit code 3) before anything is checked, unless --allow-missing is given.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this scheme [default: all]
    #[arg(long, value_name = "SCHEME", add = ArgValueCandidates::new(completions::schemes))]
    scheme: Option<String>,

    /// Only the congestion point or only the reaction point [default: both]
    #[arg(long, value_name = "PART", value_parser = ["cp", "rp"])]
    part: Option<String>,

    /// Run only the checks of this tool; repeat it for several [default: all]
    #[arg(long, value_name = "TOOL", value_enum)]
    tool: Vec<Judge>,

    /// Skip the checks whose outside tool is missing
    #[arg(long)]
    allow_missing: bool,

    /// Cycles to simulate of each whole part; a tenth of them of each block, and in Icarus, which is slow. Parts with long
    /// timers also run until these have expired twice, unless N is less than the default [default: 1000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    cycles: Option<u64>,

    /// Seed of the random inputs [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=SEED_MAX))]
    seed: Option<u64>,

    /// Folder for waveforms that show differences; made if there is one [default: tidegate-differences]
    #[arg(long, value_name = "DIR", value_parser = folder("--json prints the checks"))]
    out: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    format_version: u32,
    /// Of the random inputs; `null` where nothing was simulated.
    seed: Option<u64>,
    passed: usize,
    failed: usize,
    skipped: usize,
    checks: Vec<Check>,
    seconds: f64,
}

/// Default folder for waveforms.
const OUT: &str = "tidegate-differences";
/// Default number of cycles of a whole part.
const CYCLES: u64 = 1_000_000;
/// The largest seed.
const SEED_MAX: u64 = u32::MAX as u64;

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let schemes = match &arguments.scheme {
        Some(name) => vec![registry::find(name).map_err(Usage)?],
        None => SCHEMES.iter().collect(),
    };
    let cycles = arguments.cycles.unwrap_or(CYCLES);
    let mut request = Request {
        schemes,
        parts: [Part::CongestionPoint, Part::ReactionPoint]
            .into_iter()
            .filter(|part| arguments.part.as_deref().is_none_or(|wanted| wanted == part.name()))
            .collect(),
        judges: Judge::ALL
            .into_iter()
            .filter(|judge| arguments.tool.is_empty() || arguments.tool.contains(judge))
            .collect(),
        cycles,
        long: cycles >= CYCLES,
        seed: arguments.seed.unwrap_or(SEED),
        out: arguments.out.clone().unwrap_or(PathBuf::from(OUT)),
        waveforms: None,
    };
    let simulates = request.judges != [Judge::Formal];
    if !simulates {
        let options = [
            ("--cycles", arguments.cycles.is_some()),
            ("--seed", arguments.seed.is_some()),
            ("--out", arguments.out.is_some()),
            ("--force", arguments.force.force),
        ];
        for (option, given) in options {
            if given {
                return Err(Usage(format!("{option} has no effect: --tool formal proves, it simulates nothing")).into());
            }
        }
    }
    // A difference may be found after an hour, so the folder is checked now.
    if simulates {
        request.waveforms = Some(Mutex::new(ResultFolder::open(&request.out, arguments.force.claim("verify", &[]))?));
    }
    if !arguments.allow_missing {
        all_tools(&request.judges)?;
    }
    let started = Instant::now();
    let checks = with_bar("circuits", |progress| Ok(request.run(progress)))?;
    let waveforms = request.waveforms.map(|folder| folder.into_inner().unwrap_or_else(PoisonError::into_inner));
    // Without a difference, there is no folder, but those of an earlier run go.
    let waveforms = waveforms.filter(|folder| !folder.is_empty() || folder.has_earlier());
    // What was found in an hour is said, also if the folder cannot be written.
    let written = waveforms.map_or(Ok(()), ResultFolder::commit);
    let count = |verdict: Verdict| checks.iter().filter(|check| check.verdict == verdict).count();
    let [passed, failed, skipped] = [Verdict::Passed, Verdict::Failed, Verdict::Skipped].map(count);
    let seed = simulates.then_some(request.seed);
    let report =
        Report { format_version: 1, seed, passed, failed, skipped, checks, seconds: started.elapsed().as_secs_f64() };
    if arguments.json {
        print_json(&report)?;
    } else {
        say(&render(&report))?;
    }
    written?;
    match (report.failed, report.checks.len()) {
        (_, 0) => bail!("nothing was checked: no check belongs to what was asked for"),
        (0, _) => Ok(()),
        (failed, all) => bail!("{failed} of {all} checks failed"),
    }
}

/// Finds every outside tool that the checks need, so that a missing one is reported before the work.
fn all_tools(judges: &[Judge]) -> Result<()> {
    let missing: Vec<String> = judges
        .iter()
        .flat_map(|judge| judge.tools().iter().map(move |tool| (judge, tool)))
        .filter_map(|(judge, tool)| Some(format!("--tool {}: {}", judge.name(), tool.find().err()?)))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let listed = missing.join("\n  ");
    bail!(MissingTool(format!(
        "nothing was checked, because tools are missing:\n  {listed}\n  --allow-missing skips their checks"
    )))
}

/// Rows for the table: the checks of a circuit below its name.
fn rows(checks: &[Check]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut circuit = None;
    for check in checks {
        let this = (check.scheme, check.part, check.block);
        if circuit.replace(this) != Some(this) {
            let heading = format!("{} {} {}:", check.scheme, check.part, check.block);
            rows.push([[(); 4].map(|()| String::new()).to_vec(), vec![heading]].concat());
        }
        let extent = match (check.cycles, check.depth, check.unbounded) {
            (Some(cycles), ..) => format!("{} cycles", grouped(cycles as f64, 0)),
            (None, Some(depth), Some(true)) => format!("all time, depth {depth}"),
            (None, Some(depth), _) => format!("depth {depth}"),
            (None, None, _) => "–".to_string(),
        };
        let verdict = match check.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Skipped => "skipped",
        };
        let seconds = format!("{:.1}", check.seconds);
        rows.push(vec![verdict.to_string(), check.tool.to_string(), extent, seconds, check.property.clone()]);
    }
    rows
}

fn render(report: &Report) -> String {
    let headers = ["result", "tool", "for", "s", "checked"];
    let mut text = table::render(&headers, &rows(&report.checks), &[2, 3]);
    text.push('\n');
    let of = |verdict: Verdict| report.checks.iter().filter(move |check| check.verdict == verdict);
    for check in of(Verdict::Failed) {
        let reason = check.reason.as_deref().unwrap_or("no reason was given");
        text += &format!("FAILED {} {} {}, {}: {reason}\n", check.scheme, check.part, check.block, check.tool);
    }
    let mut missing: Vec<&str> = of(Verdict::Skipped).filter_map(|check| check.reason.as_deref()).collect();
    missing.sort_unstable();
    missing.dedup();
    for reason in missing {
        text += &fill(&format!("skipped: {reason}"), 2);
    }
    if let Some(seed) = report.seed {
        text += &format!("random inputs of seed {seed}\n");
    }
    let Report { passed, failed, skipped, seconds, .. } = report;
    text += &format!("{passed} passed, {failed} failed, {skipped} skipped in {seconds:.1} s");
    let by_outside_tools = |check: &&Check| check.verdict != Verdict::Skipped && check.tool != Judge::Rtl.name();
    if *skipped > 0 && !report.checks.iter().any(|check| by_outside_tools(&check)) {
        text += "; no outside tool has checked anything";
    }
    text.push('\n');
    text
}
