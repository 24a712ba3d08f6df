//! Claims of a paper, and verdicts about them.

use super::case::{Case, Clock};
use super::metric::{Metric, Scope, measure};
use super::run::{HISTOGRAM_BYTES, Looks, Outcome};
use super::scenario::{Claim, File, Measure};
use anyhow::{Result, ensure};
use serde::Serialize;
use toml::Spanned;

/// What becomes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The measured value is within the bound.
    Reproduced,
    /// It is within the wider bound.
    Partly,
    /// It is outside.
    NotReproduced,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::Partly => "partly",
            Verdict::NotReproduced => "not reproduced",
        }
    }
}

/// A value, over the seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Of each seed.
    pub values: Vec<f64>,
}

impl Measured {
    /// Mean over the seeds.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// Standard deviation over the seeds.
    pub fn spread(&self) -> f64 {
        let mean = self.mean();
        (self.values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / self.values.len() as f64).sqrt()
    }
}

/// A metric of a case, with all that it needs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Number of the variant.
    pub case: usize,
    metric: Metric,
    scope: Scope,
}

/// A claim with its targets.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// What the file says.
    pub claim: &'a Claim,
    /// What is measured.
    pub target: Target,
    /// By what it is divided.
    pub ratio_to: Option<Target>,
    /// Number of the claim that says the same of another reading.
    pub other_reading: Option<usize>,
}

impl<'a> Question<'a> {
    /// Finds what a claim names.
    ///
    /// # Errors
    /// With the place in the file.
    pub fn new(file: &File, cases: &[Case], looks: &Looks, clock: Clock, claim: &'a Claim) -> Result<Question<'a>> {
        let [low, high] = *claim.expect.get_ref();
        ensure!(low <= high, file.error(&claim.expect, "expected the smaller number first"));
        let target = Target::new(file, cases, looks, clock, &claim.id, &claim.measure)?;
        let ratio_to = claim
            .ratio_to
            .as_ref()
            .map(|other| Target::new(file, cases, looks, clock, &claim.id, &claim.measure.over(other)))
            .transpose()?;
        let ids = file.scenario.claim.iter().map(|claim| claim.id.get_ref().as_str());
        let other_reading =
            claim.other_reading.as_ref().map(|other| file.find_name("claim", other, ids)).transpose()?;
        Ok(Question { claim, target, ratio_to, other_reading })
    }

    /// The looks at which its windows begin and end.
    pub fn cuts(&self) -> impl Iterator<Item = usize> {
        [Some(self.target), self.ratio_to].into_iter().flatten().flat_map(Target::cuts)
    }

    /// The value for the runs of each case.
    pub fn answer<'o>(&self, outcomes: impl Fn(usize) -> &'o [Outcome]) -> Measured {
        let of = |target: &Target| -> Vec<f64> {
            outcomes(target.case).iter().map(|outcome| target.value(outcome)).collect()
        };
        let mut values = of(&self.target);
        if let Some(ratio_to) = &self.ratio_to {
            values.iter_mut().zip(of(ratio_to)).for_each(|(value, other)| *value /= other);
        }
        Measured { values }
    }

    /// The verdict about a value; no number is outside of every bound.
    pub fn judge(&self, value: f64) -> Verdict {
        let within = |[low, high]: [f64; 2]| (low..=high).contains(&value);
        if within(*self.claim.expect.get_ref()) {
            Verdict::Reproduced
        } else if self.claim.partly.is_some_and(within) {
            Verdict::Partly
        } else {
            Verdict::NotReproduced
        }
    }

    /// What is measured, in words.
    pub fn quantity(&self) -> String {
        let name = self.target.metric.name();
        let name = ["_percent", "_kb", "_ms", "_mbps", "_packets", "_per_s"]
            .iter()
            .find_map(|unit| name.strip_suffix(unit))
            .unwrap_or(&name)
            .replace('_', " ");
        if self.ratio_to.is_some() { format!("{name}, ratio") } else { name }
    }

    /// Its unit.
    pub fn unit(&self) -> &'static str {
        if self.ratio_to.is_some() { "" } else { self.target.metric.unit() }
    }
}

impl Target {
    /// Finds what a measure names; `owner` is the name of what it belongs to.
    ///
    /// # Errors
    /// With the place in the file.
    pub fn new(
        file: &File,
        cases: &[Case],
        looks: &Looks,
        clock: Clock,
        owner: &Spanned<String>,
        measure: &Measure,
    ) -> Result<Target> {
        let named = |kind: &str, name: &Option<Spanned<String>>, known: Vec<String>| match name {
            None => Ok(0),
            Some(name) => file.find_name(kind, name, known.iter().map(String::as_str)),
        };
        let case = named("variant", &measure.variant, cases.iter().map(|case| case.name.clone()).collect())?;
        let Some(metric) = &measure.metric else {
            return Err(file.error(owner, "its measure has no metric"));
        };
        let kind = *metric.get_ref();
        ensure!(
            kind.of_flow() == measure.flow.is_some(),
            file.error(
                metric,
                if kind.of_flow() { "expected `flow` beside it" } else { "it is not of one flow: leave out `flow`" }
            )
        );
        ensure!(
            kind.needs_range() == measure.between_bytes.is_some(),
            file.error(
                metric,
                if kind.needs_range() { "expected `between_bytes` beside it" } else { "leave out `between_bytes`" }
            )
        );
        if let Some(between) = &measure.between_bytes {
            let [low, high] = *between.get_ref();
            let steps = low % HISTOGRAM_BYTES == 0 && high % HISTOGRAM_BYTES == 0;
            ensure!(steps && low < high, file.error(between, "expected two multiples of 64, the smaller one first"));
        }
        let [from, to] = match &measure.window_s {
            None => [0, looks.count],
            Some(window) => window_looks(file, window, looks, clock)?,
        };
        let scope = Scope {
            output: named("output", &measure.output, cases[case].output_names())?,
            flow: match &measure.flow {
                None => 0,
                group if kind.of_group() => {
                    let groups = cases[case].world(1)?.groups;
                    named("group of flows", group, groups.into_iter().map(|(name, _)| name).collect())?
                }
                flow => named("flow", flow, cases[case].world(1)?.flow_names)?,
            },
            from,
            to,
            between: measure.between_bytes.as_ref().map_or([0, 0], |between| *between.get_ref()),
        };
        Ok(Target { case, metric: kind, scope })
    }

    /// The looks at which its window begins and ends.
    pub fn cuts(self) -> [usize; 2] {
        [self.scope.from, self.scope.to]
    }

    /// Its value for a run.
    pub fn value(&self, outcome: &Outcome) -> f64 {
        measure(outcome, self.metric, self.scope)
    }
}

/// The looks of a window.
///
/// # Errors
/// It does not begin and end at looks of the run.
pub fn window_looks(file: &File, window: &Spanned<[f64; 2]>, looks: &Looks, clock: Clock) -> Result<[usize; 2]> {
    let within = |time: f64| (0.0..1e9).contains(&time);
    let times = *window.get_ref();
    ensure!(times.into_iter().all(within), file.error(window, "expected times in the run, in seconds"));
    let cycles = times.map(|time| clock.cycles(time * 1e6));
    let whole = cycles.iter().all(|cycles| cycles % looks.cycles == 0);
    let [from, to] = cycles.map(|cycles| (cycles / looks.cycles) as usize);
    ensure!(
        whole && from < to && to <= looks.count,
        file.error(window, "expected a window in the run, the smaller time first, both multiples of look_ms")
    );
    Ok([from, to])
}
