// SPDX-License-Identifier: MIT OR Apache-2.0
//! Joint readings: what a paper leaves open, tried in all combinations over all of its experiments, so that one set of
//! values is judged by every figure, and not each figure with values of its own.

use super::claims::Quantity;
use super::control::put;
use super::kind::AnyFile;
use super::overrides::keys_of;
use super::scenario::{File, Plain, Source, Stated};
use super::spanned::Spanned;
use super::target::Target;
use super::{Experiment, catalogue};
use anyhow::{Result, ensure};
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use tidegate_schemes::registry::{self, Scheme};

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        /// The papers with open readings, by the prefix of their experiments, and the files that list them.
        const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("../../experiments/readings/", $id, ".toml")))),*];
    };
}

files!["smcc", "phase", "asm", "dsm", "ib"];

/// Most combinations of a paper.
const COMBINATIONS_MAX: usize = 4096;

/// What a paper leaves open.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Readings {
    /// Author and year.
    pub paper: String,
    /// The experiments that are judged.
    pub experiments: Vec<Spanned<String>>,
    /// What is tried.
    pub reading: Vec<Reading>,
}

/// Something open, with what the paper allows.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { name = \"sign of 0\", others = [{ zero_sign = \"state_a\" }], from = \"section 5.1\" }"
)]
pub struct Reading {
    /// What it is, in words.
    pub name: String,
    /// The scheme whose variants it concerns; all that know the keys if absent.
    pub scheme: Option<Spanned<String>>,
    /// The experiments that it concerns; all if absent.
    #[serde(default)]
    pub only: Vec<Spanned<String>>,
    /// The values beside those of the scenario file: number 1 and on.
    pub others: Vec<BTreeMap<String, Plain>>,
    /// The number of the one that the joint reading has; 0 is what the scenario file has.
    #[serde(default = "of_the_file")]
    pub chosen: Spanned<usize>,
    /// Why the paper allows them.
    pub from: String,
}

fn of_the_file() -> Spanned<usize> {
    Spanned::new(0..0, 0)
}

impl Reading {
    /// The values with a number, in words.
    pub fn words(&self, number: usize) -> String {
        let Some(other) = number.checked_sub(1) else { return "as in the file".into() };
        let pairs = self.others[other].iter().map(|(key, Plain(value))| format!("{key} = {value}"));
        pairs.collect::<Vec<_>>().join(", ")
    }

    /// Whether it concerns the variants of a scheme in an experiment.
    fn concerns(&self, experiment: &str, scheme: &'static Scheme) -> bool {
        let knows = |key: &String| keys_of(scheme).any(|known| known == key);
        self.scheme.as_ref().is_none_or(|own| own.get_ref() == scheme.name)
            && (self.only.is_empty() || self.only.iter().any(|only| only.get_ref() == experiment))
            && self.others.iter().all(|other| other.keys().all(knows))
    }
}

/// The checked readings of a paper.
pub struct Joint {
    /// Prefix of its experiments.
    pub id: &'static str,
    /// What the file says.
    pub readings: Readings,
    /// Numbers of the chosen values.
    pub chosen: Vec<usize>,
}

/// The prefixes of the papers.
pub fn ids() -> impl Iterator<Item = &'static str> + Clone {
    FILES.iter().map(|(id, _)| *id)
}

impl Joint {
    /// The readings of a paper, by the prefix of its experiments.
    ///
    /// # Errors
    /// With file, line and column. `None`: there is no such paper.
    pub fn find(id: &str) -> Result<Option<Joint>> {
        let Some((id, text)) = FILES.iter().find(|(known, _)| *known == id) else { return Ok(None) };
        let source = Source { name: format!("readings/{id}.toml"), text: text.to_string() };
        let readings: Readings = source.parse()?;
        let mut chosen = Vec::new();
        let mut combinations = 1usize;
        for reading in &readings.reading {
            combinations = combinations.saturating_mul(1 + reading.others.len());
            if let Some(scheme) = &reading.scheme {
                registry::find(scheme.get_ref()).map_err(|reason| source.error(scheme, reason))?;
            }
            let number = *reading.chosen.get_ref();
            let most = reading.others.len();
            ensure!(number <= most, source.error(&reading.chosen, format!("expected a number from 0 to {most}")));
            chosen.push(number);
        }
        ensure!(combinations <= COMBINATIONS_MAX, "{}: more than {COMBINATIONS_MAX} combinations", source.name);
        Ok(Some(Joint { id, readings, chosen }))
    }

    /// The paper's readings of which an experiment is.
    ///
    /// # Errors
    /// See [`find`](Self::find).
    pub fn of(experiment: &str) -> Result<Option<Joint>> {
        Joint::find(experiment.split('-').next().unwrap_or(experiment))
    }

    /// An experiment under a combination of values.
    pub fn apply(&self, file: &File, values: &[usize]) -> File {
        let mut file = file.clone();
        for variant in &mut file.scenario.variant {
            let Ok(scheme) = registry::find(variant.scheme.get_ref()) else { continue };
            for (reading, &number) in self.readings.reading.iter().zip(values) {
                if number == 0 || !reading.concerns(&file.id, scheme) {
                    continue;
                }
                for (key, Plain(value)) in &reading.others[number - 1] {
                    let from = format!("joint reading: {}", reading.from);
                    put(&mut variant.parameters, key, Stated { value: value.clone(), from });
                }
            }
        }
        file
    }

    /// All combinations: the values of the last reading change first.
    fn combinations(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for reading in &self.readings.reading {
            let longer = |start: &Vec<usize>| {
                (0..=reading.others.len()).map(|value| [start.as_slice(), &[value]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// Of a combination, what concerns one scheme in an experiment: the rest is as in the file.
    fn only(&self, values: &[usize], experiment: &str, scheme: &'static Scheme) -> Vec<usize> {
        let pairs = self.readings.reading.iter().zip(values);
        pairs.map(|(reading, &value)| if reading.concerns(experiment, scheme) { value } else { 0 }).collect()
    }

    /// Tries all combinations. `progress` hears how many runs of variants are done, of how many.
    ///
    /// # Errors
    /// An experiment that there is not, or a value that its variants refuse.
    pub fn search(&self, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Search> {
        let mut files = Vec::new();
        for id in &self.readings.experiments {
            if let AnyFile::Network(file) = catalogue::find(id.get_ref())? {
                files.push(file.without_ablations());
            }
        }
        let combinations = self.combinations();
        // Each variant runs once for each combination of what concerns its scheme.
        let schemes = files.iter().map(|file| file.schemes()).collect::<Result<Vec<_>>>()?;
        let mut jobs = BTreeSet::new();
        for (number, schemes) in schemes.iter().enumerate() {
            for (case, scheme) in schemes.iter().enumerate() {
                jobs.extend(
                    combinations.iter().map(|values| (number, case, self.only(values, &files[number].id, scheme))),
                );
            }
        }
        let jobs: Vec<_> = jobs.into_iter().collect();
        let done = AtomicUsize::new(0);
        let run = |job: &(usize, usize, Vec<usize>)| -> Result<Vec<(Target, Vec<f64>)>> {
            let (number, case, values) = job;
            let file = self.apply(&files[*number], values);
            let measured = Experiment::new(&file)?.measure_case(*case)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
            Ok(measured)
        };
        let measured: Vec<_> = jobs.par_iter().map(run).collect::<Result<_>>()?;
        let measured: BTreeMap<_, _> = jobs.iter().zip(measured).collect();
        let experiments = files.iter().map(Experiment::new).collect::<Result<Vec<_>>>()?;
        let scores = combinations.iter().map(|values| {
            let of_file = |(number, experiment): (usize, &Experiment)| {
                let judged = experiment.judge(|target| {
                    let scheme = schemes[number][target.case()];
                    let all = &measured[&(number, target.case(), self.only(values, &files[number].id, scheme))];
                    all.iter().find(|(known, _)| known == target).map(|(_, values)| values.clone()).unwrap_or_default()
                });
                Score::of(&judged)
            };
            experiments.iter().enumerate().map(of_file).collect()
        });
        let scores = scores.collect();
        Ok(Search { experiments: files.iter().map(|file| file.id.clone()).collect(), combinations, scores })
    }
}

/// How many claims of an experiment are reproduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// Reproduced.
    pub reproduced: usize,
    /// Partly.
    pub partly: usize,
}

impl Score {
    fn of(judged: &[super::claims::Judged]) -> Score {
        use super::claims::Verdict::{Partly, Reproduced};
        let count = |verdict| judged.iter().filter(|judged| judged.counts() && judged.verdict == verdict).count();
        Score { reproduced: count(Reproduced), partly: count(Partly) }
    }

    fn plus(self, other: Score) -> Score {
        Score { reproduced: self.reproduced + other.reproduced, partly: self.partly + other.partly }
    }
}

/// What became of all combinations.
pub struct Search {
    /// The experiments.
    pub experiments: Vec<String>,
    /// Numbers of the values, for each combination.
    pub combinations: Vec<Vec<usize>>,
    /// For each combination, the score of each experiment.
    pub scores: Vec<Vec<Score>>,
}

impl Search {
    /// The score of a combination over all experiments, but for one.
    pub fn total(&self, combination: usize, without: Option<usize>) -> Score {
        let scores = self.scores[combination].iter().enumerate().filter(|(number, _)| Some(*number) != without);
        scores.fold(Score::default(), |sum, (_, score)| sum.plus(*score))
    }

    /// The combinations, the best first; equal ones as they come, so that those nearest to the files are first.
    pub fn ranked(&self, without: Option<usize>) -> Vec<usize> {
        let mut all: Vec<_> = (0..self.combinations.len()).collect();
        all.sort_by_key(|&number| std::cmp::Reverse(self.total(number, without)));
        all
    }

    /// The combination with which one experiment scores best.
    pub fn ranked_for(&self, experiment: usize) -> usize {
        let all = 0..self.combinations.len();
        all.rev().max_by_key(|&number| self.scores[number][experiment]).unwrap_or(0)
    }
}
