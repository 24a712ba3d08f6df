// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures of an experiment.

use crate::number::grouped;
use crate::plot::{
    HeatMap, HeatPanel, PhasePlane, Picture as Drawn, Series, TimeSeries, heat_map, phase_plane, time_series,
};
use anyhow::Result;
use tidegate_lab::experiment::grid::{Grid, combinations};
use tidegate_lab::experiment::metric::{KB, Metric, Scope, measure};
use tidegate_lab::experiment::run::{HISTOGRAM_BYTES, Histogram, Outcome};
use tidegate_lab::experiment::scenario::Picture;
use tidegate_lab::experiment::{Experiment, Results, Runs};

/// More curves than this are drawn as their least, mean and greatest.
const CURVES_MAX: usize = 8;

/// Name, caption and drawing of each picture.
pub fn all(experiment: &Experiment, results: &Results) -> Result<Vec<(String, String, Drawn)>> {
    let mut pictures = Vec::new();
    for picture in &experiment.file.scenario.pictures {
        if *picture == Picture::Distribution {
            let caption = "Share of time in which the queue is not longer, over all seeds.".to_string();
            pictures.push(("distribution".to_string(), caption, distribution(experiment, results)?));
            continue;
        }
        if *picture == Picture::Grid {
            pictures.extend(grids(experiment, results)?);
            continue;
        }
        for (number, runs) in (1..).zip(&results.runs) {
            let (name, caption, drawn) = match picture {
                Picture::Queue => (
                    "queue",
                    "Queue length, mean over each interval of `look_ms`.",
                    queue(experiment, runs, number - 1)?,
                ),
                Picture::Rates => ("rates", "Rates of the reaction points.", rates(experiment, runs)?),
                Picture::Plane => (
                    "plane",
                    "The path of the control loop, a point for each interval of `look_ms`.",
                    plane(experiment, runs)?,
                ),
                Picture::Distribution | Picture::Grid => continue,
            };
            let name = if results.runs.len() > 1 { format!("{name}-{number}") } else { name.to_string() };
            pictures.push((name, format!("{}. {caption}", runs.name), drawn));
        }
    }
    Ok(pictures)
}

/// The middle of each look in seconds, for the looks that are shown.
fn times<'a>(experiment: &Experiment, outcome: &'a Outcome) -> impl Iterator<Item = (usize, f64)> + use<'a> {
    let [from, to] = experiment.shown;
    (from..to).map(|look| (look, (look as f64 + 0.5) * outcome.look_ms() / 1e3))
}

fn queue_at(outcome: &Outcome, output: usize, look: usize) -> f64 {
    outcome.looks[output][look].bytes as f64 / outcome.look_cycles as f64 / KB
}

/// q0, where the scheme has one.
fn target(runs: &Runs) -> Option<f64> {
    runs.parameters.has("q0_bytes").then(|| runs.parameters.integer("q0_bytes") as f64 / KB)
}

fn queue(experiment: &Experiment, runs: &Runs, case: usize) -> Result<Drawn> {
    let outcome = &runs.outcomes[0];
    let mut chart = TimeSeries::new(format!("{}: queue length", runs.name), "time (s)", "queue length (KB)");
    for (output, name) in experiment.cases[case].output_names().iter().enumerate() {
        // Queues that never hold more than two packets are not drawn beside others.
        let longest = outcome.looks[output].iter().map(|look| look.most).max().unwrap_or(0);
        if output == 0 || longest > 2 * outcome.packet_bytes {
            let points =
                times(experiment, outcome).map(|(look, time)| (time, queue_at(outcome, output, look))).collect();
            chart = chart.series(Series::new(name, points));
        }
    }
    if let Some(target) = target(runs) {
        chart = chart.reference(target, format!("q0 = {} KB", grouped(target, 1)));
    }
    time_series(&chart)
}

fn rates(experiment: &Experiment, runs: &Runs) -> Result<Drawn> {
    let outcome = &runs.outcomes[0];
    let clock = runs.parameters.decimal("clock_mhz");
    let mbps = |look: usize, flow: usize| outcome.rates[look][flow].to_mbps(clock).to_f64();
    let mut chart = TimeSeries::new(format!("{}: rates", runs.name), "time (s)", "rate (Mb/s)");
    if outcome.controlled.len() <= CURVES_MAX {
        for &flow in &outcome.controlled {
            let points = times(experiment, outcome).map(|(look, time)| (time, mbps(look, flow))).collect();
            chart = chart.series(Series::new(&outcome.flow_names[flow], points));
        }
        return time_series(&chart);
    }
    let flows = outcome.controlled.len() as f64;
    type Merge = fn(f64, f64) -> f64;
    let kinds: [(&str, Merge, f64); 3] =
        [("greatest", f64::max, 1.0), ("mean", |sum, rate| sum + rate, flows), ("least", f64::min, 1.0)];
    for (name, merge, divisor) in kinds {
        let value =
            |look| outcome.controlled.iter().map(|&flow| mbps(look, flow)).reduce(merge).unwrap_or(0.0) / divisor;
        let points = times(experiment, outcome).map(|(look, time)| (time, value(look))).collect();
        chart = chart.series(Series::new(format!("{name} of {flows} flows"), points));
    }
    time_series(&chart)
}

fn plane(experiment: &Experiment, runs: &Runs) -> Result<Drawn> {
    let outcome = &runs.outcomes[0];
    let clock = runs.parameters.decimal("clock_mhz");
    let sum = |look: usize| outcome.rates[look].iter().map(|rate| rate.to_mbps(clock).to_f64()).sum::<f64>();
    let line_rate = runs.parameters.decimal("line_rate_mbps").to_f64();
    let point =
        |(look, _): (usize, f64)| (queue_at(outcome, 0, look) - target(runs).unwrap_or(0.0), sum(look) - line_rate);
    phase_plane(&PhasePlane {
        title: format!("{}: queue and rate", runs.name),
        x_label: "queue length − q0 (KB)".into(),
        y_label: "sum of rates − C (Mb/s)".into(),
        pieces: vec![("path".into(), times(experiment, outcome).map(point).collect())],
        switching_slope: None,
    })
}

fn distribution(experiment: &Experiment, results: &Results) -> Result<Drawn> {
    let [from, to] = experiment.distribution;
    let mut chart = TimeSeries::new("Distribution of the queue length", "queue length (KB)", "share of time (%)");
    for runs in &results.runs {
        let mut sum = Histogram::default();
        runs.outcomes.iter().for_each(|outcome| sum.merge(&outcome.histogram(0, from, to)));
        let all: u64 = sum.0.iter().sum();
        let mut below = 0;
        let points = (0u32..).zip(&sum.0).map(|(step, cycles)| {
            below += cycles;
            (f64::from(step * HISTOGRAM_BYTES) / KB, 100.0 * below as f64 / all as f64)
        });
        chart = chart.series(Series::new(&runs.name, points.collect()).steps());
    }
    time_series(&chart)
}

/// Two pictures of each grid: mean and standard deviation of the queue.
fn grids(experiment: &Experiment, results: &Results) -> Result<Vec<(String, String, Drawn)>> {
    let grids = &experiment.file.scenario.grid;
    let mut pictures = Vec::new();
    for (number, grid) in (1..).zip(grids) {
        for (name, title, metric) in [
            ("grid", "mean of the queue length", Metric::QueueMeanKb),
            ("grid-deviation", "standard deviation of the queue length", Metric::QueueDeviationKb),
        ] {
            let name = if grids.len() > 1 { format!("{name}-{number}") } else { name.to_string() };
            let caption =
                format!("{}: {title} for each {}, over all seeds.", grid.of.get_ref(), grid.parameter.get_ref());
            pictures.push((name, caption, grid_map(experiment, results, grid, title, metric)?));
        }
    }
    Ok(pictures)
}

/// A cell for each combination: the first half of the parts goes from bottom to top, the others from left to right.
fn grid_map(experiment: &Experiment, results: &Results, grid: &Grid, title: &str, metric: Metric) -> Result<Drawn> {
    let parts = grid.values.get_ref();
    let (y, x) = parts.split_at(parts.len() / 2);
    let label = |from: usize, parts: usize| match parts {
        0 => String::new(),
        1 => format!("{}, value {}", grid.parameter.get_ref(), from + 1),
        _ => format!("{}, values {} to {}", grid.parameter.get_ref(), from + 1, from + parts),
    };
    let [from, to] = experiment.distribution;
    let value = |name: &String| {
        let name = grid.variant_name(name);
        let runs = results.runs.iter().find(|runs| runs.name == name)?;
        let scope = Scope { output: 0, flow: 0, from, to, between: [0, 0] };
        let sum: f64 = runs.outcomes.iter().map(|outcome| measure(outcome, metric, scope)).sum();
        Some(sum / runs.outcomes.len() as f64)
    };
    let values: Vec<_> = grid.combinations().iter().map(|name| value(name).unwrap_or(f64::NAN)).collect();
    let x_names = combinations(x);
    heat_map(&HeatMap {
        title: format!("{}: {title}", grid.of.get_ref()),
        unit: metric.unit().into(),
        x_label: label(y.len(), x.len()),
        y_label: label(0, y.len()),
        y: combinations(y),
        panels: vec![HeatPanel {
            name: String::new(),
            rows: values.chunks(x_names.len()).map(<[f64]>::to_vec).collect(),
        }],
        x: x_names,
    })
}
