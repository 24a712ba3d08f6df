// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate analyze`.

use super::{completions, print_json, refuse_repeats, say_beside, setting};
use anyhow::Result;
use clap_complete::{ArgValueCandidates, ArgValueCompleter};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use tidegate_core::error::Usage;
use tidegate_core::output::{OutputFile, STANDARD, refuse_collisions};
use tidegate_report::fill::fill;
use tidegate_report::portrait::{draw, title};
use tidegate_report::{number, table};
use tidegate_schemes::analysis::{Line, SOURCES};
use tidegate_schemes::registry;

/// What the theory in the papers says about a scheme with these parameters
///
/// Each line names the equation that it comes from. For an Ethernet scheme, `flows` is the number of sources and
/// `buffer_bytes` the length of the buffer.
#[derive(clap::Args)]
pub struct Arguments {
    /// The scheme; `tidegate schemes` lists them
    #[arg(long, value_name = "SCHEME", add = ArgValueCandidates::new(completions::schemes))]
    scheme: String,

    /// Set a parameter; `tidegate schemes SCHEME` lists them. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting, add = ArgValueCompleter::new(completions::settings))]
    settings: Vec<(String, String)>,

    /// Draw the path of the control loop in its phase plane as SVG; for infiniband the rates over time from R_min to
    /// R_max
    #[arg(long, value_name = "FILE.svg")]
    portrait: Option<PathBuf>,

    /// Print a JSON object instead of a table
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
    refuse_repeats(&arguments.settings)?;
    let parameters = scheme.parameters(&arguments.settings)?;
    refuse_collisions(
        &[],
        &[("--portrait", arguments.portrait.as_deref()), ("--json", arguments.json.then_some(Path::new(STANDARD)))],
    )?;
    let analysis = (scheme.analyze)(&parameters);
    let mut name = format!("analyze --scheme {}", scheme.name);
    let mut file = None;
    if let Some(path) = &arguments.portrait {
        name += " --portrait";
        let output = OutputFile::create(path)?;
        let portrait = (analysis.portrait)(&parameters).map_err(|reason| Usage(format!("--portrait: {reason}")))?;
        file = Some((output, draw(scheme, &title(scheme), &portrait)?));
    }
    parameters.refuse_unread(&name)?;
    if let Some((mut file, picture)) = file {
        file.write_all(picture.svg().as_bytes())?;
        file.commit()?;
    }
    if arguments.json {
        return print_json(&Report { format_version: 1, scheme: scheme.name, lines: &analysis.lines });
    }
    let rows: Vec<Vec<String>> = analysis.lines.iter().map(row).collect();
    let cited = |name: &str| analysis.lines.iter().any(|line| line.equation.starts_with(name));
    let sources: String = SOURCES
        .iter()
        .filter(|(name, _)| cited(name))
        .map(|(name, title)| fill(&format!("{name}: {title}"), 2))
        .collect();
    let table = table::render(&["quantity", "value", "equation"], &rows, &[]);
    say_beside(&[&arguments.portrait], &format!("{table}\n{sources}"))
}

fn row(line: &Line) -> Vec<String> {
    let value = match (line.value, &line.verdict) {
        (Some(value), _) => format!("{} {}", number::short(value), line.unit).trim_end().to_string(),
        (None, verdict) => verdict.clone().unwrap_or_default(),
    };
    vec![line.quantity.clone(), value, line.equation.to_string()]
}
