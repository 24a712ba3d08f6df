// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate doctor`.

use super::{print_json, say};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::PathBuf;
use tidegate_report::{fill::fill, table};
use tidegate_toolchain::MissingTool;
use tidegate_toolchain::find::{Places, Program, Reason, Tool, Unusable};

/// List outside tools: found or missing, version, how to get them
///
/// Exit code 3 if a tool that is not optional is missing.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// The report on one tool.
#[derive(Serialize)]
struct Finding {
    tool: &'static str,
    purpose: &'static str,
    optional: bool,
    found: bool,
    /// `found`, `missing` or `unusable`.
    state: &'static str,
    version: Option<String>,
    path: Option<PathBuf>,
    /// The reason why it is not usable.
    reason: Option<String>,
    /// What to do about it.
    remedy: Option<String>,
}

#[derive(Serialize)]
struct Diagnosis {
    format_version: u32,
    tools: Vec<Finding>,
    /// The folders that were searched before `PATH`.
    folders: Vec<PathBuf>,
    /// `false` if `TIDEGATE_TOOLS` is set: then packaged tools on `PATH` are not used.
    path_searched: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let places = Places::of_process();
    let tools = Tool::ALL.map(|tool| finding(tool, tool.find_in(&places))).into();
    let diagnosis =
        Diagnosis { format_version: 1, tools, folders: places.folders, path_searched: !places.only_folders };
    if arguments.json {
        print_json(&diagnosis)?;
    } else {
        say(&render(&diagnosis))?;
    }
    let missing: Vec<&str> =
        diagnosis.tools.iter().filter(|tool| !tool.found && !tool.optional).map(|tool| tool.tool).collect();
    if missing.is_empty() {
        return Ok(());
    }
    bail!(MissingTool(format!("these tools are needed and cannot be used: {}", missing.join(", "))))
}

fn finding(tool: Tool, program: Result<Program, Unusable>) -> Finding {
    let found = program.is_ok();
    let unusable = program.as_ref().err().map(|unusable| (unusable.reason.to_string(), unusable.remedy.clone()));
    let state = match &program {
        Ok(_) => "found",
        Err(Unusable { reason: Reason::NotFound, .. }) => "missing",
        Err(_) => "unusable",
    };
    let (reason, remedy) = unusable.unzip();
    let (version, path) = program.ok().map(|program| (program.version, program.path)).unzip();
    Finding {
        tool: tool.name(),
        purpose: tool.purpose(),
        optional: tool.is_optional(),
        found,
        state,
        version,
        path,
        reason,
        remedy,
    }
}

/// Paths are below the table, because they may be long and are to be copied.
fn render(diagnosis: &Diagnosis) -> String {
    let row = |finding: &Finding| {
        let needed = if finding.optional { "optional" } else { "needed" };
        let version = finding.version.as_deref().unwrap_or("–");
        [finding.tool, version, finding.state, needed, finding.purpose].map(str::to_string).to_vec()
    };
    let rows: Vec<Vec<String>> = diagnosis.tools.iter().map(row).collect();
    let mut text = table::render(&["tool", "version", "state", "", "for"], &rows, &[]);
    text.push('\n');
    for Finding { tool, path, reason, remedy, .. } in &diagnosis.tools {
        text += &match (path, reason, remedy) {
            (Some(path), ..) => format!("{tool}: {}\n", path.display()),
            (None, Some(reason), Some(remedy)) => fill(&format!("{tool} {reason}: {remedy}"), 2),
            _ => String::new(),
        };
    }
    text
}
