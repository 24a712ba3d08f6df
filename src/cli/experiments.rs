// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate experiments`: lists the experiments in the binary, and prints their scenario files.

use super::{completions, print_json, say};
use anyhow::Result;
use clap_complete::ArgValueCandidates;
use serde_json::{Value, json};
use std::io::Write;
use tidegate_core::error::Usage;
use tidegate_lab::experiment::catalogue;
use tidegate_lab::experiment::kind::AnyFile;
use tidegate_lab::experiment::schema::schema;
use tidegate_report::table;

/// List the experiments of the papers that `reproduce` runs
#[derive(clap::Args)]
pub struct Arguments {
    /// Only this one
    #[arg(value_name = "ID", add = ArgValueCandidates::new(completions::experiments))]
    id: Option<String>,
    /// Print a JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print the scenario file of the experiment, as `tidegate run` takes it
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    /// Print the JSON schema of scenario files, with which an editor completes and checks them
    #[arg(long, conflicts_with_all = ["json", "toml", "id"])]
    schema: bool,
}

/// Runs the verb.
pub fn run(arguments: Arguments) -> Result<()> {
    let Arguments { id, json, toml, schema: of_files } = arguments;
    if of_files {
        return print_json(&schema()?);
    }
    let found = |id: &str| catalogue::source(id).map_err(|error| Usage(error.to_string()));
    if toml {
        let Some(id) = &id else {
            let reason = "--toml: expected an experiment, such as `tidegate experiments smcc-fig20 --toml`; \
                          `tidegate experiments` lists them";
            return Err(Usage(reason.into()).into());
        };
        std::io::stdout().write_all(found(id)?.text.as_bytes())?;
        return Ok(());
    }
    let ids: Vec<&str> = match &id {
        Some(id) => found(id).map(|_| vec![id.as_str()])?,
        None => catalogue::ids().collect(),
    };
    let files = ids.into_iter().map(catalogue::find).collect::<Result<Vec<_>>>()?;
    if json {
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
