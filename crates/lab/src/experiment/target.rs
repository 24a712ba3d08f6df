// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a claim measures of a variant of a network.

use super::case::{Case, Clock};
use super::claims::Quantity;
use super::metric::{Metric, Scope, measure};
use super::run::{HISTOGRAM_BYTES, Looks, Outcome};
use super::scenario::{File, Measure};
use super::spanned::Spanned;
use anyhow::{Result, ensure};

/// A metric of a case, with all that it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    case: usize,
    metric: Metric,
    scope: Scope,
}

impl Quantity for Target {
    fn case(&self) -> usize {
        self.case
    }

    fn name(&self) -> String {
        let name = self.metric.name();
        let units = ["_percent", "_kb", "_ms", "_mbps", "_packets", "_per_s"];
        units.iter().find_map(|unit| name.strip_suffix(unit)).unwrap_or(&name).replace('_', " ")
    }

    fn unit(&self) -> &'static str {
        self.metric.unit()
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
        let case = file.find_variant(&measure.variant, cases.iter().map(|case| case.name.as_str()))?;
        if let Some(quantity) = &measure.quantity {
            return Err(file.error(quantity, "a scenario with a network has no `quantity`: expected `metric`"));
        }
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
