// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate experiments`: lists the experiments in the binary.

use super::{print_json, say};
use anyhow::Result;
use serde_json::{Value, json};
use tidegate_lab::experiment::catalogue;
use tidegate_lab::experiment::kind::AnyFile;
use tidegate_report::table;

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
                let heading = file.heading();
                // What is calculated takes no time and has no seeds.
                let (duration, seeds) = match file {
                    AnyFile::Network(file) => {
                        (json!(file.scenario.duration_s.get_ref()), json!(file.scenario.seeds.get_ref()))
                    }
                    AnyFile::Calculation(_) => (Value::Null, Value::Null),
                };
                json!({
                    "id": heading.id,
                    "title": heading.title,
                    "paper": heading.paper,
                    "duration_s": duration,
                    "seeds": seeds,
                    "variants": heading.variants,
                    "claims": heading.claims.len(),
                })
            })
            .collect();
        return print_json(&json!({ "format_version": 1, "experiments": rows }));
    }
    let rows: Vec<Vec<String>> = files
        .iter()
        .map(|file| {
            let heading = file.heading();
            let [variants, claims] = [heading.variants.len(), heading.claims.len()].map(|count| count.to_string());
            vec![heading.id.into(), heading.title.into(), heading.paper.into(), variants, claims]
        })
        .collect();
    say(&table::render(&["experiment", "title", "paper", "variants", "claims"], &rows, &[3, 4]))
}
