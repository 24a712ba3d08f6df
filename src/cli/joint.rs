// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate reproduce --joint`: what a paper leaves open, in all combinations over all of its experiments.

use super::progress::Progress;
use super::{print_json, say, shown};
use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;
use tidegate_core::output::folder::ResultFolder;
use tidegate_lab::experiment::joint::Joint;
use tidegate_report::experiment::joint::{csv, headers, json as as_json, page, rows, summary};
use tidegate_report::table;

/// Tries all combinations and writes one page.
pub fn run(joint: &Joint, out: &Path, mut folder: ResultFolder, command: &str, json: bool) -> Result<()> {
    let started = Instant::now();
    let progress = Progress::new("runs of variants");
    let search = joint.search(&|done, of| progress.set(done as u64, Some(of as u64)))?;
    drop(progress);
    let value = as_json(joint, &search);
    let mut write = || -> Result<()> {
        folder.write("index.html", page(joint, &search, command))?;
        folder.write("joint.csv", csv(joint, &search))?;
        folder.write("joint.json", serde_json::to_string_pretty(&value)? + "\n")
    };
    write().and_then(|()| folder.commit()).with_context(|| format!("nothing of {} is written", out.display()))?;
    if json {
        return print_json(&value);
    }
    let headers = headers(&search);
    let headers: Vec<_> = headers.iter().map(String::as_str).collect();
    let table = table::render(&headers, &rows(joint, &search), &[]);
    let (page, seconds) = (shown(&out.join("index.html")), started.elapsed().as_secs_f64());
    say(&format!("{table}\n{} {seconds:.1} s. Page: {page}\n", summary(joint, &search)))
}
