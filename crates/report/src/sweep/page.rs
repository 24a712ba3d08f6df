// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of a sweep.

use super::pictures::{Quantity, pictures};
use crate::number::{grouped, short, short_or_sign};
use crate::page::{Page, Section};
use anyhow::Result;
use tidegate_lab::sweep::Sweep;
use tidegate_lab::sweep::axis::{Axis, Values};
use tidegate_lab::sweep::plan::Scale;
use tidegate_lab::sweep::statistic::{Sample, Statistic};

/// Most values of a list that the page names.
const NAMED_MAX: usize = 24;

/// One file without anything outside.
///
/// # Errors
/// See [`pictures`].
pub fn page(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<String> {
    let count =
        |number: u64, word: &str| format!("{} {word}{}", grouped(number as f64, 0), if number == 1 { "" } else { "s" });
    let variants = sweep.variants().count() as u64;
    let lead = format!(
        "{}: {}, {}, {}.",
        count(sweep.runs(), "run"),
        count(sweep.points, "point"),
        count(variants, "variant"),
        count(sweep.seeds, "seed")
    );
    let mut page = Page::new(format!("Sweep: {}", sweep.file.scenario.title)).lead(lead);
    if !sweep.axes.is_empty() {
        let rows: Vec<_> = sweep.axes.iter().map(|axis| vec![axis.swept.key.get_ref().clone(), values(axis)]).collect();
        page = page.section(Section::new("What varies").table(&["key", "values"], &rows, &[]));
    }
    page = page.section(all_runs(sweep, measured));
    let pictures = pictures(sweep, measured)?;
    for (title, pictures) in pictures.of_measures.iter().filter(|(_, pictures)| !pictures.is_empty()) {
        let section = Section::new(title);
        page =
            page.section(pictures.iter().fold(section, |section, (picture, caption)| section.figure(picture, caption)));
    }
    if !pictures.left_out.is_empty() {
        let text = format!("This page has no pictures of {}. results.csv has their values.", pictures.left_out);
        page = page.section(Section::new("What is left out").paragraph(text));
    }
    let remark = format!(
        "tidegate {}. results.csv and results.parquet have a row for each run, with all parameters. What nothing defines in \
         a run does not count in a mean. points.csv and points.parquet have a row for each point with each variant. Of a time to \
         settle they have, as this page, the share of the runs that settle, and the median, for which a run that does not settle \
         counts as longer than all others. KB are 1024 bytes.",
        env!("CARGO_PKG_VERSION")
    );
    Ok(page.made_by(remark, &[format!("tidegate sweep {} --out DIR", sweep.name)]).render())
}

/// The values of a key, in words.
fn values(axis: &Axis) -> String {
    match &axis.values {
        Values::List(list) => {
            let named: Vec<_> = list.iter().take(NAMED_MAX).map(|value| value.get_ref().as_str()).collect();
            let more = list.len().saturating_sub(NAMED_MAX);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("{}{more}", named.join(", "))
        }
        Values::Range(range, seed) => {
            let range = range.get_ref();
            let scale = if range.scale == Scale::Log { ", equally in its logarithm" } else { "" };
            let whole = if range.integer { ", whole numbers" } else { "" };
            format!("drawn from {} to {}{scale}{whole}, seed {seed}", short(range.from), short(range.to))
        }
    }
}

/// Each measure over all runs of each variant.
fn all_runs(sweep: &Sweep, measured: &[Vec<f64>]) -> Section {
    let mut rows = Vec::new();
    for quantity in Quantity::all(sweep) {
        for (variant, of) in sweep.variants().enumerate() {
            let mut sample = Sample::default();
            let runs = (0..).zip(measured).filter(|(run, _)| sweep.run_of(*run).variant == variant);
            runs.for_each(|(_, values)| sample.add(quantity.of(values)));
            // A share has no range.
            let [least, most] = match quantity.statistic {
                Statistic::SettledPercent => [f64::NAN; 2],
                _ => sample.range(),
            };
            rows.push(vec![
                quantity.title(),
                of.name.get_ref().clone(),
                short_or_sign(sample.value(quantity.statistic)),
                short_or_sign(least),
                short_or_sign(most),
                quantity.unit().into(),
            ]);
        }
    }
    Section::new("All runs").table(
        &["measure", "variant", "mean, or as named", "least", "largest", "unit"],
        &rows,
        &[2, 3, 4],
    )
}
