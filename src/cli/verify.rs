//! `tidegate verify`.

use super::with_bar;
use crate::error::Usage;
use crate::registry::{self, SCHEMES};
use crate::report::table;
use crate::scheme::Part;
use crate::verify::run::{Judge, Request};
use crate::verify::{Check, Verdict};
use anyhow::{bail, Result};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Prove that model, RTL and emitted Verilog of a scheme agree.
///
/// Every block and each whole part is run under random stimulus and compared output by output, cycle by cycle. What cannot
/// run because its tool is missing is skipped, and said to be.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this scheme [default: all]
    #[arg(long, value_name = "SCHEME")]
    scheme: Option<String>,

    /// Only the congestion point or only the reaction point [default: both]
    #[arg(long, value_name = "PART", value_parser = ["cp", "rp"])]
    part: Option<String>,

    /// Only what this tool judges; repeat it for several. A tool that is named must be there [default: all]
    #[arg(long, value_name = "TOOL", value_enum)]
    tool: Vec<Judge>,

    /// Cycles of a whole part; a block gets a tenth, and Icarus, which is slow, a tenth of either
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    cycles: u64,

    /// Where the waveform of a difference goes
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    format_version: u32,
    checks: Vec<Check>,
    seconds: f64,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let schemes = match &arguments.scheme {
        Some(name) => vec![registry::find(name).map_err(Usage)?],
        None => SCHEMES.iter().collect(),
    };
    for judge in &arguments.tool {
        judge.find()?;
    }
    let request = Request {
        schemes,
        parts: [Part::CongestionPoint, Part::ReactionPoint]
            .into_iter()
            .filter(|part| arguments.part.as_deref().is_none_or(|wanted| wanted == part.name()))
            .collect(),
        judges: Judge::ALL
            .into_iter()
            .filter(|judge| arguments.tool.is_empty() || arguments.tool.contains(judge))
            .collect(),
        cycles: arguments.cycles,
        out: arguments.out,
    };
    let started = Instant::now();
    let checks = with_bar("circuits", |progress| Ok(request.run(progress)))?;
    let report = Report { format_version: 1, checks, seconds: started.elapsed().as_secs_f64() };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(render(&report).as_bytes())?;
    }
    out.flush()?;
    match (count(&report, Verdict::Failed), report.checks.len()) {
        (_, 0) => bail!("nothing was checked: no check belongs to what was asked for"),
        (0, _) => Ok(()),
        (failed, all) => bail!("{failed} of {all} checks failed"),
    }
}

fn count(report: &Report, verdict: Verdict) -> usize {
    report.checks.iter().filter(|check| check.verdict == verdict).count()
}

fn render(report: &Report) -> String {
    let row = |check: &Check| {
        let extent = match (check.cycles, check.depth, check.unbounded) {
            (Some(cycles), ..) => format!("{cycles} cycles"),
            (None, Some(depth), Some(true)) => format!("for all time, depth {depth}"),
            (None, Some(depth), _) => format!("depth {depth}"),
            (None, None, _) => "–".to_string(),
        };
        let verdict = match check.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Skipped => "skipped",
        };
        let [scheme, part, block, tool] = [check.scheme, check.part, check.block, check.tool].map(str::to_string);
        let seconds = format!("{:.1}", check.seconds);
        vec![scheme, part, block, tool, check.property.clone(), extent, seconds, verdict.to_string()]
    };
    let rows: Vec<Vec<String>> = report.checks.iter().map(row).collect();
    let mut text = table::render(&["scheme", "part", "block", "tool", "checked", "for", "s", "result"], &rows, &[6]);
    text.push('\n');
    let of = |verdict: Verdict| report.checks.iter().filter(move |check| check.verdict == verdict);
    for check in of(Verdict::Failed) {
        let reason = check.reason.as_deref().unwrap_or("no reason was given");
        writeln!(text, "FAILED {} {} {}, {}: {reason}", check.scheme, check.part, check.block, check.tool)
            .expect("text grows");
    }
    let mut missing: Vec<&str> = of(Verdict::Skipped).filter_map(|check| check.reason.as_deref()).collect();
    missing.sort_unstable();
    missing.dedup();
    for reason in missing {
        writeln!(text, "skipped: {reason}").expect("text grows");
    }
    let [passed, failed, skipped] =
        [Verdict::Passed, Verdict::Failed, Verdict::Skipped].map(|verdict| count(report, verdict));
    writeln!(text, "{passed} passed, {failed} failed, {skipped} skipped in {:.1} s", report.seconds)
        .expect("text grows");
    text
}
