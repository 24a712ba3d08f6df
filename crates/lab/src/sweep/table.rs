// SPDX-License-Identifier: MIT OR Apache-2.0
//! The results of all runs, in columns: the rows are in the order of the numbers of the runs.

use super::axis::{Axis, Values};
use super::journal::{self, Header, file_name};
use super::statistic::{Sample, Statistic};
use super::{Run, Shard, Sweep};
use crate::experiment::case::SAID_ELSEWHERE;
use anyhow::{Result, anyhow, bail, ensure};
use std::collections::BTreeMap;
use std::path::PathBuf;
use tidegate_schemes::registry;
use tidegate_schemes::scheme::parameters::{Kind, Parameters, Value};

/// A column with its name.
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its cells, one for each run.
    pub cells: Cells,
}

/// The cells of a column; a run without a value has none.
pub enum Cells {
    /// Whole numbers.
    Integers(Vec<Option<i64>>),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// True or false.
    Flags(Vec<Option<bool>>),
    /// Words.
    Words(Vec<Option<String>>),
}

/// Gathers the journals of folders: all runs, each of them once.
///
/// # Errors
/// Journals of different sweeps; runs that are missing or there twice. The message names their shards.
pub fn gather(folders: &[PathBuf]) -> Result<(Sweep, Vec<Vec<f64>>)> {
    let mut whole: Option<(Sweep, Header, PathBuf)> = None;
    let mut seen: BTreeMap<Shard, PathBuf> = BTreeMap::new();
    let mut runs: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for folder in folders {
        let found = journal::find(folder)?;
        ensure!(!found.is_empty(), "{} has no journal: expected a folder that `sweep` wrote", folder.display());
        for (_, path) in found {
            let (header, sweep, values) = journal::read(&path)?;
            let (_, first, first_path) = whole.get_or_insert_with(|| (sweep, header.clone(), path.clone()));
            ensure!(
                first.digest == header.digest,
                "{} and {} are of different plans or scenarios: in the second, {}: expected journals of one sweep",
                first_path.display(),
                path.display(),
                header.difference(first)
            );
            ensure!(
                first.shard.count == header.shard.count,
                "{} is one of {} shards, {} one of {}: expected shards of one division",
                first_path.display(),
                first.shard.count,
                path.display(),
                header.shard.count
            );
            if let Some(other) = seen.insert(header.shard, path.clone()) {
                bail!(
                    "{} and {} are both of shard {}: leave one of them out",
                    other.display(),
                    path.display(),
                    header.shard
                );
            }
            runs.extend(values);
        }
    }
    let (sweep, Header { shard: Shard { count, .. }, .. }, _) =
        whole.ok_or_else(|| anyhow!("expected a folder with journals"))?;
    let all = sweep.runs();
    let mut missing: BTreeMap<u64, u64> = BTreeMap::new();
    for number in (0..all).filter(|number| !runs.contains_key(number)) {
        *missing.entry(number % count).or_default() += 1;
    }
    if !missing.is_empty() {
        let total: u64 = missing.values().sum();
        let shards = missing.iter().take(20).map(|(index, number)| {
            let shard = Shard { index: *index, count };
            let state = if seen.contains_key(&shard) { "" } else { ", without a journal" };
            format!("shard {shard} ({number} runs{state}: {})", file_name(shard))
        });
        let shards = shards.collect::<Vec<_>>().join(", ");
        let more = if missing.len() > 20 { format!(", and {} more shards", missing.len() - 20) } else { String::new() };
        bail!("{total} of {all} runs are missing: {shards}{more}. Run these shards to their end, with the same plan");
    }
    Ok((sweep, runs.into_values().collect()))
}

/// The columns of a sweep: run, variant, scheme, seed, all parameters, swept fields, what was measured.
///
/// # Errors
/// See [`Sweep::run`].
pub fn columns(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Vec<Column>> {
    let runs: Vec<Run> = (0..sweep.runs()).map(|number| sweep.run_of(number)).collect();
    let seeds = Cells::Integers(runs.iter().map(|run| Some(run.seed.into())).collect());
    let mut columns = settings(sweep, &runs, "run", column("seed", seeds))?;
    for (number, measure) in sweep.columns.iter().enumerate() {
        let cells = measured.iter().map(|values| Some(values[number])).collect();
        columns.push(column(measure.name.get_ref(), Cells::Numbers(cells)));
    }
    Ok(columns)
}

/// The columns of the points: point, variant, scheme, number of seeds, all parameters, swept fields, and of each measure two
/// statistics over the seeds. A row is a point with a variant.
///
/// # Errors
/// See [`Sweep::run`].
pub fn point_columns(sweep: &Sweep, measured: &[Vec<f64>]) -> Result<Vec<Column>> {
    let seeds = usize::try_from(sweep.seeds)?;
    let runs: Vec<Run> = (0..sweep.runs()).step_by(seeds).map(|number| sweep.run_of(number)).collect();
    let count = Cells::Integers(vec![i64::try_from(seeds).ok(); runs.len()]);
    let mut columns = settings(sweep, &runs, "row", column("seeds", count))?;
    for (number, measure) in sweep.columns.iter().enumerate() {
        let samples = measured.chunks(seeds).map(|runs| {
            let mut sample = Sample::default();
            runs.iter().for_each(|values| sample.add(values[number]));
            sample
        });
        let samples: Vec<Sample> = samples.collect();
        for statistic in Statistic::of(measure) {
            let cells = samples.iter().map(|sample| Some(sample.value(statistic))).collect();
            columns.push(column(&format!("{} {}", measure.name.get_ref(), statistic.name()), Cells::Numbers(cells)));
        }
    }
    Ok(columns)
}

fn column(name: &str, cells: Cells) -> Column {
    Column { name: name.into(), cells }
}

/// The columns that say what the rows are, which are numbered under `number`: variant, scheme, `seed`, all parameters, swept
/// fields.
fn settings(sweep: &Sweep, runs: &[Run], number: &str, seed: Column) -> Result<Vec<Column>> {
    let variants: Vec<_> = sweep.variants().collect();
    let words = |text: &dyn Fn(&Run) -> String| Cells::Words(runs.iter().map(|run| Some(text(run))).collect());
    let mut columns = vec![
        column(number, Cells::Integers((0..).map(Some).take(runs.len()).collect())),
        column("variant", words(&|run| variants[run.variant].name.get_ref().clone())),
        column("scheme", words(&|run| variants[run.variant].scheme.get_ref().clone())),
        seed,
    ];
    columns.extend(parameters(sweep, runs)?);
    for (place, axis) in sweep.axes.iter().enumerate().filter(|(_, axis)| !axis.swept.is_parameter()) {
        let mut cells = empty_cells(axis);
        for run in runs {
            let listed = sweep.numbers(run.point)[place];
            push_text(&mut cells, axis.value(listed, listed).get_ref());
        }
        columns.push(column(axis.swept.key.get_ref(), cells));
    }
    Ok(columns)
}

/// The columns of the parameters of all variants.
fn parameters(sweep: &Sweep, runs: &[Run]) -> Result<Vec<Column>> {
    let mut columns: BTreeMap<&'static str, Cells> = BTreeMap::new();
    for variant in sweep.variants() {
        let scheme = registry::find(variant.scheme.get_ref()).map_err(|reason| anyhow!(reason))?;
        let ours = scheme.specifications().filter(|known| SAID_ELSEWHERE.iter().all(|(said, _)| *said != known.key));
        for known in ours {
            let cells = match known.kind {
                Kind::Integer(..) => Cells::Integers(Vec::new()),
                Kind::Decimal(..) => Cells::Numbers(Vec::new()),
                Kind::Flag => Cells::Flags(Vec::new()),
                Kind::Choice(words) if words.iter().all(|word| is_whole(word)) => Cells::Integers(Vec::new()),
                _ => Cells::Words(Vec::new()),
            };
            let same = |there: &Cells| std::mem::discriminant(there) == std::mem::discriminant(&cells);
            // A key that two schemes read in different ways.
            let fits = columns.get(known.key).is_none_or(same);
            columns.insert(known.key, if fits { cells } else { Cells::Words(Vec::new()) });
        }
    }
    let mut last: Option<((u64, usize), Parameters)> = None;
    for run in runs {
        let here = (run.point, run.variant);
        // Runs that differ only in their seed follow each other.
        if last.as_ref().is_none_or(|(there, _)| *there != here) {
            last = Some((here, sweep.parameters(run.point, run.variant)?));
        }
        let values: BTreeMap<_, _> = last.iter().flat_map(|(_, parameters)| parameters.iter()).collect();
        for (key, cells) in &mut columns {
            push_value(cells, values.get(key).copied());
        }
    }
    Ok(columns.into_iter().map(|(name, cells)| Column { name: name.into(), cells }).collect())
}

fn push_value(cells: &mut Cells, value: Option<Value>) {
    match (cells, value) {
        (Cells::Integers(cells), Some(Value::Integer(value))) => cells.push(i64::try_from(value).ok()),
        (Cells::Integers(cells), Some(Value::Choice(word))) => cells.push(word.parse().ok()),
        (Cells::Numbers(cells), Some(Value::Decimal(value))) => cells.push(Some(value.to_f64())),
        (Cells::Flags(cells), Some(Value::Flag(value))) => cells.push(Some(value)),
        (Cells::Words(cells), value) => cells.push(value.map(|value| value.to_string())),
        (Cells::Integers(cells), _) => cells.push(None),
        (Cells::Numbers(cells), _) => cells.push(None),
        (Cells::Flags(cells), _) => cells.push(None),
    }
}

/// Whether a text is a whole number that a column of them can hold.
fn is_whole(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

/// Cells of the type that all values of an axis have.
fn empty_cells(axis: &Axis) -> Cells {
    let list = match &axis.values {
        Values::Range(range, _) if range.get_ref().integer => return Cells::Integers(Vec::new()),
        Values::Range(..) => return Cells::Numbers(Vec::new()),
        Values::List(list) => list,
    };
    let all = |is: fn(&str) -> bool| list.iter().all(|value| is(value.get_ref()));
    if all(is_whole) {
        Cells::Integers(Vec::new())
    } else if all(|text| text.parse::<f64>().is_ok()) {
        Cells::Numbers(Vec::new())
    } else if all(|text| text.parse::<bool>().is_ok()) {
        Cells::Flags(Vec::new())
    } else {
        Cells::Words(Vec::new())
    }
}

fn push_text(cells: &mut Cells, text: &str) {
    match cells {
        Cells::Integers(cells) => cells.push(text.parse().ok()),
        Cells::Numbers(cells) => cells.push(text.parse().ok()),
        Cells::Flags(cells) => cells.push(text.parse().ok()),
        Cells::Words(cells) => cells.push(Some(text.into())),
    }
}
