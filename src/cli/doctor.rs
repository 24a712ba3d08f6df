//! `tidegate doctor`.

use crate::report::table;
use crate::toolchain::find::{Places, Program, Tool};
use anyhow::Result;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Which outside tools are found, in which version, and how to get those that are missing.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One tool, found or not.
#[derive(Serialize)]
struct Finding {
    tool: &'static str,
    purpose: &'static str,
    optional: bool,
    found: bool,
    version: Option<String>,
    path: Option<PathBuf>,
    /// How to get it, where it is missing.
    remedy: Option<String>,
}

#[derive(Serialize)]
struct Diagnosis {
    format_version: u32,
    tools: Vec<Finding>,
    /// The folders that were searched before `PATH`.
    folders: Vec<PathBuf>,
    /// False where `TIDEGATE_TOOLS` keeps the packaged tools from being taken from `PATH`.
    path_searched: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let places = Places::of_process();
    let tools = Tool::ALL.map(|tool| finding(tool, tool.find_in(&places))).into();
    let diagnosis =
        Diagnosis { format_version: 1, tools, folders: places.folders, path_searched: !places.only_folders };
    let mut out = std::io::stdout().lock();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &diagnosis).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        out.write_all(render(&diagnosis).as_bytes())?;
    }
    Ok(())
}

fn finding(tool: Tool, program: Option<Program>) -> Finding {
    let found = program.is_some();
    let (version, path) = program.map(|program| (program.version, program.path)).unzip();
    Finding {
        tool: tool.name(),
        purpose: tool.purpose(),
        optional: tool.is_optional(),
        found,
        version,
        path,
        remedy: (!found).then(|| tool.remedy()),
    }
}

fn render(diagnosis: &Diagnosis) -> String {
    let rows: Vec<Vec<String>> = diagnosis
        .tools
        .iter()
        .map(|finding| {
            let missing = if finding.optional { "missing (optional)" } else { "missing" };
            vec![
                finding.tool.to_string(),
                finding.version.clone().unwrap_or("–".to_string()),
                finding.purpose.to_string(),
                finding.path.as_ref().map_or(missing.to_string(), |path| path.display().to_string()),
            ]
        })
        .collect();
    let mut text = table::render(&["tool", "version", "for", "where"], &rows, &[]);
    for finding in &diagnosis.tools {
        if let Some(remedy) = &finding.remedy {
            text += &format!("\n{}: {remedy}", finding.tool);
        }
    }
    if diagnosis.tools.iter().any(|finding| !finding.found) {
        text.push('\n');
    }
    text
}
