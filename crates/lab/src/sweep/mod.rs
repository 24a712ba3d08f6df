// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sweeps: a scenario run with many values of its parameters, as a grid or with values that are drawn.
//!
//! A [`plan`] names a scenario and what varies. A **point** has one value of each swept key; a **run** is a point, a variant
//! and a seed, with a fixed number, so that a shard knows its runs without the others. What a run measures goes into a
//! [`journal`], a line each; when all runs are there, they become a [`table`], always in the order of their numbers.

pub mod axis;
pub(crate) mod digest;
pub mod job_files;
pub mod journal;
pub(crate) mod meaning;
pub mod plan;
pub mod statistic;
pub(crate) mod swept;
pub mod table;

use self::axis::{Axis, Values};
use self::digest::digest;
use self::journal::Header;
use self::meaning::{words_of_data, words_of_toml};
use self::plan::Plan;
use crate::experiment::case::{Case, Clock, World};
use crate::experiment::catalogue;
use crate::experiment::metric::Metric;
use crate::experiment::run::{Looks, run};
use crate::experiment::scenario::{Ablation, File, Measure, Names, Source, Variant, without_data};
use crate::experiment::spanned::Spanned;
use crate::experiment::target::Target;
use anyhow::{Context, Result, anyhow, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tidegate_schemes::scheme::parameters::Parameters;

/// Most runs of a sweep.
const RUNS_MAX: u64 = 1_000_000;
/// Columns of the results that are no parameters.
const OWN_COLUMNS: [&str; 4] = ["run", "variant", "scheme", "seed"];

/// A checked plan.
pub struct Sweep {
    /// The scenario; errors in values of the plan have their place in the plan.
    pub file: File,
    /// Name of the plan file, without its folder.
    pub name: String,
    /// The swept keys.
    pub axes: Vec<Axis>,
    /// The columns that are measured.
    pub columns: Vec<Column>,
    /// Seeds of each variant at each point.
    pub seeds: u64,
    /// Points.
    pub points: u64,
    draws: u64,
    variants: Vec<usize>,
    sources: [Source; 2],
    digest: u64,
}

/// Reads a data file that a scenario names.
type ReadData = Box<dyn Fn(&str) -> Result<Source>>;

/// A column that is measured.
pub struct Column {
    /// Its name.
    pub name: Spanned<String>,
    /// Its unit.
    pub unit: &'static str,
    measure: Measure,
}

impl Column {
    /// Whether it is a time that a run has only if its queue settles.
    pub(crate) fn settles(&self) -> bool {
        self.measure.metric.as_ref().is_some_and(|metric| *metric.get_ref() == Metric::SettleMs)
    }
}

/// A part of the runs: those whose number has this remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// The remainder, from 0.
    pub index: u64,
    /// By what the number is divided.
    pub count: u64,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if index < count => Ok(Shard { index, count }),
            _ => Err("expected I/N with I from 0 to N - 1, such as 0/4".into()),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    /// The numbers of its runs.
    pub(crate) fn runs(self, all: u64) -> impl Iterator<Item = u64> {
        (self.index..all).step_by(usize::try_from(self.count).unwrap_or(usize::MAX))
    }
}

/// What a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of the point.
    pub point: u64,
    /// Number among the variants that run.
    pub variant: usize,
    /// Its seed, from 1.
    pub seed: u32,
}

impl Sweep {
    /// Reads and checks a plan file, and all of its points. `progress` hears how many checks are done, of how many.
    ///
    /// # Errors
    /// With file, line, column, and what was expected.
    pub fn read(path: &Path, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Sweep> {
        let source = Source::read(path)?;
        let sweep = Sweep::new(source.clone(), |plan| match (&plan.scenario, &plan.experiment) {
            (Some(scenario), None) => {
                let beside = path.parent().unwrap_or(Path::new("")).join(scenario.get_ref());
                let read = Source::read(&beside).map_err(|error| source.error(scenario, format!("{error:#}")))?;
                Ok((read, Box::new(Source::beside(&beside))))
            }
            (None, Some(id)) => {
                let read = catalogue::source(id.get_ref()).map_err(|error| source.error(id, error))?;
                Ok((read, Box::new(without_data)))
            }
            (Some(both), Some(_)) => {
                Err(source.error(both, "`scenario` and `experiment` are given: expected one of them"))
            }
            (None, None) => {
                Err(anyhow!("{}: expected `scenario = \"FILE.toml\"` or `experiment = \"ID\"`", source.name))
            }
        })?;
        sweep.check(progress)?;
        Ok(sweep)
    }

    /// The sweep of a journal.
    ///
    /// # Errors
    /// Another version of tidegate has written it.
    pub(crate) fn of_header(header: &Header) -> Result<Sweep> {
        let data = header.data.clone();
        let of_journal = move |name: &str| match data.get(name) {
            Some(text) => Ok(text.clone().into()),
            None => Err(anyhow!("the journal has no data file {name}: expected all that its scenario names")),
        };
        let scenario = header.scenario.clone().into();
        let sweep = Sweep::new(header.plan.clone().into(), |_| Ok((scenario, Box::new(of_journal))))?;
        let here = env!("CARGO_PKG_VERSION");
        ensure!(
            header.version == here,
            "written by tidegate {}, this is {here}: take the version that ran it",
            header.version
        );
        Ok(sweep)
    }

    fn new(source: Source, scenario: impl FnOnce(&Plan) -> Result<(Source, ReadData)>) -> Result<Sweep> {
        let plan: Plan = source.parse()?;
        let (scenario, read) = scenario(&plan)?;
        let sources = [source.clone(), scenario.clone()];
        let name = Path::new(&source.name).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut file = File::behind(source, "scenario", scenario, &*read)?;
        file.check_names()?;
        file.scenario.duration_s = plan.duration_s.clone().unwrap_or(file.scenario.duration_s);
        let seeds = plan.seeds.clone().unwrap_or(file.scenario.seeds.clone());
        ensure!((1..=65_535).contains(seeds.get_ref()), file.error(&seeds, "expected 1 to 65535 seeds"));
        let variants = chosen(&plan, &file)?;
        let of_scenario: Vec<&Variant> = variants.iter().map(|at| &file.scenario.variant[*at]).collect();
        let axes = Axis::all(&plan, &file, &of_scenario)?;
        let columns = columns(&plan, &file, &of_scenario, &axes)?;
        let draws = plan.random.as_ref().and_then(|drawn| drawn.points.clone());
        if let Some(draws) = &draws {
            ensure!(*draws.get_ref() > 0, file.error(draws, "expected at least one point"));
            let ranges = plan.random.as_ref().is_some_and(|drawn| !drawn.ranges.is_empty());
            ensure!(ranges, file.error(draws, "expected a range beside it, such as w = { from = 0, to = 8 }"));
        }
        let draws = draws.map_or(1, Spanned::into_inner);
        let seeds = u64::from(*seeds.get_ref());
        let runs = axes.iter().map(Axis::listed).chain([draws, variants.len() as u64, seeds]);
        let runs = runs.fold(1u64, |product, factor| product.saturating_mul(factor));
        ensure!(runs <= RUNS_MAX, "{name}: {runs} runs or more: expected at most {RUNS_MAX}");
        let points = runs / seeds / variants.len() as u64;
        let mut sweep = Sweep { file, name, axes, columns, seeds, points, draws, variants, sources, digest: 0 };
        sweep.digest = sweep.digest();
        Ok(sweep)
    }

    /// Stands for the version of tidegate and for what plan, scenario and data files say.
    fn digest(&self) -> u64 {
        let texts = self.sources.iter().map(|source| words_of_toml(&source.text));
        let data = self.file.data().values().map(|data| words_of_data(&data.source.text));
        // A word has no control character, so this one ends a text.
        let words = texts.chain(data).flat_map(|words| words.into_iter().map(|(_, word)| word).chain(["\0"]));
        digest(words.chain([env!("CARGO_PKG_VERSION")]))
    }

    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        self.points * self.variants.len() as u64 * self.seeds
    }

    /// What the run with a number is.
    pub fn run_of(&self, number: u64) -> Run {
        let (rest, seed) = (number / self.seeds, number % self.seeds);
        let variants = self.variants.len() as u64;
        Run { point: rest / variants, variant: (rest % variants) as usize, seed: seed as u32 + 1 }
    }

    /// The variants that run.
    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.variants.iter().map(|at| &self.file.scenario.variant[*at])
    }

    /// The header of the journal of a shard.
    pub(crate) fn header(&self, shard: Shard) -> Header {
        let [plan, scenario] = self.sources.clone().map(Into::into);
        let data = self.file.data().iter().map(|(name, data)| (name.clone(), data.source.clone().into())).collect();
        Header { version: env!("CARGO_PKG_VERSION").into(), digest: self.digest, shard, plan, scenario, data }
    }

    /// For each axis, the number of a value in its list, or of its draw.
    pub fn numbers(&self, point: u64) -> Vec<u64> {
        let (mut rest, draw) = (point / self.draws, point % self.draws);
        let mut numbers = vec![draw; self.axes.len()];
        // The last key of the grid changes first.
        for (axis, number) in self.axes.iter().zip(&mut numbers).rev() {
            if let Values::List(list) = &axis.values {
                *number = rest % list.len() as u64;
                rest /= list.len() as u64;
            }
        }
        numbers
    }

    /// The value of each axis at a point.
    pub(crate) fn values(&self, point: u64) -> Vec<Spanned<String>> {
        let numbers = self.numbers(point).into_iter();
        self.axes.iter().zip(numbers).map(|(axis, number)| axis.value(number, number)).collect()
    }

    /// Runs the run with a number: the value of each column.
    ///
    /// # Errors
    /// None after [`read`](Self::read), which has checked all points.
    pub(crate) fn run(&self, number: u64) -> Result<Vec<f64>> {
        let Run { point, variant, seed } = self.run_of(number);
        self.at(point, variant, |case| {
            let (world, looks, targets) = self.set_up(case, seed)?;
            let outcome = run(case.scheme, &world, &looks, &|| ());
            Ok(targets.iter().map(|target| target.value(&outcome)).collect())
        })
    }

    /// The parameters of a variant at a point.
    ///
    /// # Errors
    /// See [`run`](Self::run).
    pub(crate) fn parameters(&self, point: u64, variant: usize) -> Result<Parameters> {
        self.at(point, variant, |case| Ok(case.world(1)?.parameters))
    }

    /// Checks all points with all variants.
    fn check(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<()> {
        let variants = self.variants.len() as u64;
        let (all, checked) = (self.points * variants, AtomicUsize::new(0));
        let failed = (0..all).into_par_iter().find_map_first(|number| {
            let (point, variant) = (number / variants, (number % variants) as usize);
            let failed = self.at(point, variant, |case| self.set_up(case, 1).map(drop)).err();
            progress(checked.fetch_add(1, Ordering::Relaxed) + 1, all as usize);
            failed
        });
        failed.map_or(Ok(()), Err)
    }

    /// What is needed to run a case with a seed.
    fn set_up(&self, case: &Case, seed: u32) -> Result<(World, Looks, Vec<Target>)> {
        let world = case.world(seed)?;
        let clock = Clock(world.parameters.decimal("clock_mhz"));
        let looks = Looks::of(&self.file, clock)?;
        let of = |column: &Column| {
            Target::new(&self.file, std::slice::from_ref(case), &looks, clock, &column.name, &column.measure)
        };
        let targets: Vec<_> = self.columns.iter().map(of).collect::<Result<_>>()?;
        let cuts: Vec<usize> = targets.iter().flat_map(|target| target.cuts()).collect();
        Ok((world, looks.cut(cuts), targets))
    }

    /// Does work with a variant at a point.
    fn at<T>(&self, point: u64, variant: usize, work: impl FnOnce(&Case) -> Result<T>) -> Result<T> {
        let of = &self.file.scenario.variant[self.variants[variant]];
        let name = of.name.clone();
        let (parameters, output, flow) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut ablation = Ablation { name, of: Names::default(), only: Vec::new(), parameters, output, flow };
        let values = self.values(point);
        for (axis, value) in self.axes.iter().zip(&values) {
            axis.swept.put(&self.file, value, &mut ablation)?;
        }
        Case::new(&self.file, of, Some(&ablation)).and_then(|case| work(&case)).map_err(|error| {
            let values = self.axes.iter().zip(&values).map(|(axis, value)| format!(", {} = {value}", axis.swept.key));
            anyhow!("{error:#} (at the point: variant {}{})", of.name, values.collect::<String>())
        })
    }
}

/// The numbers of the variants that a plan names.
fn chosen(plan: &Plan, file: &File) -> Result<Vec<usize>> {
    let all = &file.scenario.variant;
    let Some(named) = &plan.variants else { return Ok((0..all.len()).collect()) };
    ensure!(!named.get_ref().is_empty(), file.error(named, "expected at least one variant"));
    let mut chosen = Vec::new();
    for name in named.get_ref() {
        let at = file.find_name("variant", name, all.iter().map(|variant| variant.name.get_ref().as_str()))?;
        ensure!(!chosen.contains(&at), file.error(name, format!("`{name}` stands twice in the list")));
        chosen.push(at);
    }
    Ok(chosen)
}

/// The columns that a plan measures.
fn columns(plan: &Plan, file: &File, variants: &[&Variant], axes: &[Axis]) -> Result<Vec<Column>> {
    let mut columns: Vec<Column> = Vec::new();
    if plan.measure.is_empty() {
        let outputs = Case::new(file, variants[0], None)?.output_names();
        for output in &outputs {
            for metric in Metric::SHOWN {
                let name = if outputs.len() > 1 { format!("{output}.{}", metric.name()) } else { metric.name() };
                let unplaced = |text: &str| Spanned::new(0..0, text.to_string());
                let measure = Measure {
                    metric: Some(Spanned::new(0..0, metric)),
                    output: Some(unplaced(output)),
                    ..Measure::default()
                };
                columns.push(Column { name: unplaced(&name), unit: metric.unit(), measure });
            }
        }
        return Ok(columns);
    }
    let mut taken: Vec<&str> = OWN_COLUMNS.into_iter().collect();
    for variant in variants {
        let scheme = tidegate_schemes::registry::find(variant.scheme.get_ref())
            .map_err(|why| file.error(&variant.scheme, why))?;
        taken.extend(scheme.specifications().map(|known| known.key));
    }
    taken.extend(axes.iter().map(|axis| axis.swept.key.get_ref().as_str()));
    for column in &plan.measure {
        let name: &str = column.name.get_ref();
        let reason = format!("`{name}` is no name for a measure: expected one that no other column has");
        ensure!(!name.is_empty() && !taken.contains(&name), file.error(&column.name, reason));
        taken.push(name);
        let (name, unit) = (column.name.clone(), column.metric.get_ref().unit());
        columns.push(Column { name, unit, measure: column.measure() });
    }
    Ok(columns)
}

/// Runs what a shard has still to do, spread over the processors. `progress` hears how many runs are done, of how many.
///
/// # Errors
/// The journal is not written, or not readable, or of another plan.
pub fn run_shard(
    sweep: &Sweep,
    shard: Shard,
    folder: &Path,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(usize, usize)> {
    let (journal, done) = journal::open(folder, &sweep.header(shard), sweep)?;
    let rest: Vec<u64> = shard.runs(sweep.runs()).filter(|number| !done.contains_key(number)).collect();
    let finished = AtomicUsize::new(0);
    rest.par_iter().try_for_each(|number| -> Result<()> {
        let values = sweep.run(*number)?;
        journal.append(*number, &values)?;
        progress(finished.fetch_add(1, Ordering::Relaxed) + 1, rest.len());
        Ok(())
    })?;
    journal.finish().with_context(|| format!("cannot finish the journal of shard {shard}"))?;
    Ok((done.len(), rest.len()))
}
