//! `tidegate analyze`.

use super::setting;
use crate::analysis::{Analysis, Line};
use crate::error::Usage;
use crate::output::OutputFile;
use crate::registry::{self, Family, Scheme};
use crate::report::plot::{phase_plane, time_series, PhasePlane, Series, TimeSeries};
use crate::report::{number, table};
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the theory in the papers says of a scheme with these parameters.
///
/// Each line names the equation that it comes from. Of an Ethernet scheme the sources are those of the parameter `flows`, the
/// buffer is `buffer_bytes`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scheme
    #[arg(long, value_name = "SCHEME")]
    scheme: String,

    /// A parameter
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,

    /// Draw the path of the loop in its phase plane as SVG; of infiniband the rates over time from R_min to R_max
    #[arg(long, value_name = "FILE.svg")]
    portrait: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    format_version: u32,
    scheme: &'static str,
    lines: &'a [Line],
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let scheme = registry::find(&arguments.scheme).map_err(Usage)?;
    let parameters = scheme.parameters(&arguments.settings).map_err(|error| Usage(error.to_string()))?;
    let analysis = (scheme.analyze)(&parameters);
    if let Some(path) = &arguments.portrait {
        draw(scheme, &analysis, path)?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let report = Report { format_version: 1, scheme: scheme.name, lines: &analysis.lines };
        serde_json::to_writer_pretty(&mut out, &report).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        let rows: Vec<Vec<String>> = analysis.lines.iter().map(row).collect();
        out.write_all(table::render(&["quantity", "value", "equation"], &rows, &[]).as_bytes())?;
    }
    Ok(())
}

fn row(line: &Line) -> Vec<String> {
    let value = match (line.value, &line.verdict) {
        (Some(value), _) => format!("{} {}", number::short(value), line.unit).trim_end().to_string(),
        (None, verdict) => verdict.clone().unwrap_or_default(),
    };
    vec![line.quantity.clone(), value, line.equation.to_string()]
}

fn draw(scheme: &Scheme, analysis: &Analysis, path: &Path) -> Result<()> {
    const BITS_A_KILOBYTE: f64 = 8192.0;
    const MEGA: f64 = 1e6;
    let scaled = |points: &[(f64, f64)]| points.iter().map(|(x, y)| (x / BITS_A_KILOBYTE, y / MEGA)).collect();
    let portrait = &analysis.portrait;
    let svg = match scheme.family {
        Family::Ethernet(_) => phase_plane(&PhasePlane {
            title: format!("{}: path from the first overshoot on", scheme.title),
            x_label: "queue length − q0 (KB)".into(),
            y_label: "incoming rate − line rate (Mb/s)".into(),
            pieces: portrait.pieces.iter().map(|(rule, points)| (rule.to_string(), scaled(points))).collect(),
            switching_slope: portrait.switching_slope.map(|slope| slope * BITS_A_KILOBYTE / MEGA),
        }),
        Family::InfiniBand => {
            let title = "InfiniBand source: from R_min to R_max without a mark";
            let chart = TimeSeries::new(title, "time (ms)", "rate (Mb/s)");
            let curve = |(name, points): &(&str, Vec<(f64, f64)>)| {
                Series::new(*name, points.iter().map(|(time, rate)| (time * 1e3, rate / MEGA)).collect()).steps()
            };
            time_series(&portrait.pieces.iter().map(curve).fold(chart, TimeSeries::series))
        }
    }?;
    let mut file = OutputFile::create(path)?;
    file.write_all(svg.as_bytes())?;
    file.commit()
}
