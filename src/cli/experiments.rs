//! `tidegate experiments`: lists the experiments in the binary.

use super::{print_json, say};
use crate::experiment::catalogue;
use crate::report::table;
use anyhow::Result;
use serde_json::json;

/// List the experiments of the papers that `reproduce` runs
#[derive(clap::Args)]
pub struct Arguments {
    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let files = catalogue::ids().map(catalogue::find).collect::<Result<Vec<_>>>()?;
    if arguments.json {
        let rows: Vec<_> = files
            .iter()
            .map(|file| {
                json!({
                    "id": file.id,
                    "title": file.scenario.title,
                    "paper": file.scenario.paper,
                    "duration_s": file.scenario.duration_s.get_ref(),
                    "seeds": file.scenario.seeds.get_ref(),
                    "variants": file.scenario.variant.iter().map(|variant| variant.name.get_ref()).collect::<Vec<_>>(),
                    "claims": file.scenario.claim.len(),
                })
            })
            .collect();
        return print_json(&json!({ "format_version": 1, "experiments": rows }));
    }
    let rows: Vec<Vec<String>> = files
        .iter()
        .map(|file| {
            let scenario = &file.scenario;
            vec![
                file.id.clone(),
                scenario.title.clone(),
                scenario.paper.clone(),
                scenario.variant.len().to_string(),
                scenario.claim.len().to_string(),
            ]
        })
        .collect();
    say(&table::render(&["experiment", "title", "paper", "variants", "claims"], &rows, &[3, 4]))
}
