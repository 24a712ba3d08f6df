// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures of an experiment.

use crate::number::{grouped, short};
use crate::plot::{
    HeatMap, HeatPanel, PhasePlane, Picture as Drawn, SPREADS_MAX, Series, Strip, Strips, TimeSeries, heat_map,
    phase_plane, strips, time_series, with_detail, with_swings,
};
use anyhow::Result;
use tidegate_lab::experiment::grid::{Grid, combinations};
use tidegate_lab::experiment::metric::{KB, Metric, Scope, measure};
use tidegate_lab::experiment::run::{HISTOGRAM_BYTES, Histogram, Outcome};
use tidegate_lab::experiment::scenario::{Flow, Picture};
use tidegate_lab::experiment::{Experiment, Median, Results, Runs};

/// More curves than this are drawn as their least, mean and greatest, or in several pictures.
const CURVES_MAX: usize = 6;
/// Curves of each of several pictures whose names tell no groups.
const PANEL_CURVES: usize = 4;
/// A flow with less than this share of the mean is starved.
const STARVED_PERCENT: f64 = 10.0;

/// A picture with its name and its caption.
pub type Named = (String, String, Drawn);

/// Name, caption and drawing of each picture.
pub fn all(experiment: &Experiment, results: &Results) -> Result<Vec<Named>> {
    let mut pictures = Vec::new();
    for picture in &experiment.file.scenario.pictures {
        match picture {
            Picture::Distribution => pictures.extend(distributions(experiment, results)?),
            Picture::Grid => pictures.extend(grids(experiment, results)?),
            Picture::Queue => {
                pictures.extend(of_each(results, "queue", |number, runs| queue(experiment, runs, number))?)
            }
            Picture::Rates => {
                pictures.extend(of_each(results, "rates", |_, runs| rates(experiment, runs))?);
                pictures.extend(shares(experiment, results)?);
            }
            Picture::Plane => pictures.extend(of_each(results, "plane", |_, runs| plane(experiment, runs))?),
        }
    }
    Ok(pictures)
}

/// The picture of each variant; `draw` gives what its caption says of it.
fn of_each(
    results: &Results,
    name: &str,
    draw: impl Fn(usize, &Runs) -> Result<(String, Drawn)>,
) -> Result<Vec<Named>> {
    let many = results.runs.len() > 1;
    let one = |(number, runs): (usize, &Runs)| {
        let (caption, drawn) = draw(number, runs)?;
        let name = if many { format!("{name}-{}", number + 1) } else { name.to_string() };
        Ok((name, format!("{}. {caption} {}", runs.name, seed(runs)), drawn))
    };
    (0..).zip(&results.runs).map(one).collect()
}

/// Which seed a picture shows, and how far the seeds are apart.
fn seed(runs: &Runs) -> String {
    let Median { number, deviations_kb } = &runs.median;
    let count = deviations_kb.len();
    if count == 1 {
        return "The only seed.".into();
    }
    let ends = deviations_kb.iter().fold([f64::INFINITY, 0.0f64], |[low, high], kb| [low.min(*kb), high.max(*kb)]);
    format!(
        "Seed {} of {count}, the median one by the standard deviation of the queue: {} KB; over all seeds {} to {} KB.",
        number + 1,
        short(deviations_kb[*number]),
        short(ends[0]),
        short(ends[1])
    )
}

/// The middle of each look in seconds, for the looks that are shown.
fn times<'a>(experiment: &Experiment, outcome: &'a Outcome) -> impl Iterator<Item = (usize, f64)> + use<'a> {
    let [from, to] = experiment.shown;
    (from..to).map(|look| (look, (look as f64 + 0.5) * outcome.look_ms() / 1e3))
}

/// The least and the greatest queue of an output in each look that is shown, over some outcomes: points (s, KB, KB).
fn range(experiment: &Experiment, outcomes: &[Outcome], output: usize) -> Vec<(f64, f64, f64)> {
    let of_look = |(look, time): (usize, f64)| {
        let tallies = outcomes.iter().map(|outcome| &outcome.looks[output][look]);
        let ends = tallies.fold((u32::MAX, 0), |(low, high), tally| (low.min(tally.least), high.max(tally.most)));
        (time, f64::from(ends.0.min(ends.1)) / KB, f64::from(ends.1) / KB)
    };
    times(experiment, &outcomes[0]).map(of_look).collect()
}

fn queue_at(outcome: &Outcome, output: usize, look: usize) -> f64 {
    outcome.looks[output][look].bytes as f64 / outcome.look_cycles as f64 / KB
}

/// q0, where the scheme has one.
fn target(runs: &Runs) -> Option<f64> {
    runs.parameters.has("q0_bytes").then(|| runs.parameters.integer("q0_bytes") as f64 / KB)
}

fn queue(experiment: &Experiment, runs: &Runs, case: usize) -> Result<(String, Drawn)> {
    let outcome = runs.outcome();
    let mut chart = TimeSeries::new(format!("{}: queue", runs.name), "time (s)", "queue length (KB)").narrow();
    let look = short(outcome.look_ms());
    // Queues that never hold more than two packets are not drawn beside others.
    let longest = |output: usize| outcome.looks[output].iter().map(|look| look.most).max().unwrap_or(0);
    let names = experiment.cases[case].output_names();
    let drawn: Vec<_> =
        (0..names.len()).filter(|output| *output == 0 || longest(*output) > 2 * outcome.packet_bytes).collect();
    // The papers read the queue at times, so a mean would be calmer than what they show.
    let mut caption = format!("Queue length at the end of each {look} ms");
    if drawn.len() == 1 {
        // What it does between two such times.
        let ends = range(experiment, std::slice::from_ref(outcome), 0);
        chart = chart.band(format!("least to greatest in {look} ms"), ends);
        caption += "; the area goes from the least to the greatest length in it";
    }
    let spreads = runs.outcomes.len() > 1 && drawn.len() <= SPREADS_MAX;
    if spreads {
        let seeds = runs.outcomes.len();
        caption += &match drawn.len() {
            1 => format!(", the light one over all {seeds} seeds"),
            _ => format!("; the light areas go from the least to the greatest length in it over all {seeds} seeds"),
        };
    }
    for output in drawn {
        let lengths = &outcome.lengths[output];
        let half = outcome.look_ms() / 2e3;
        let points = times(experiment, outcome).map(|(look, time)| (time + half, f64::from(lengths[look]) / KB));
        let series = Series::new(&names[output], points.collect());
        let others = if spreads { range(experiment, &runs.outcomes, output) } else { Vec::new() };
        chart = chart.series(series.spread(others));
    }
    if let Some(target) = target(runs) {
        chart = chart.reference(target, format!("q0 = {} KB", grouped(target, 1)));
    }
    Ok((caption + ".", with_detail(&chart)?))
}

fn rates(experiment: &Experiment, runs: &Runs) -> Result<(String, Drawn)> {
    let outcome = runs.outcome();
    let clock = runs.parameters.decimal("clock_mhz");
    let mbps = |look: usize, flow: usize| outcome.rates[look][flow].to_mbps(clock).to_f64();
    let mut chart = TimeSeries::new(format!("{}: rates", runs.name), "time (s)", "rate (Mb/s)").narrow();
    if outcome.controlled.len() <= CURVES_MAX {
        for &flow in &outcome.controlled {
            let points = times(experiment, outcome).map(|(look, time)| (time, mbps(look, flow))).collect();
            chart = chart.series(Series::new(&outcome.flow_names[flow], points));
        }
        return Ok(("Rates of the reaction points.".into(), with_swings(&chart)?));
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
    Ok(("Rates of the reaction points.".into(), with_swings(&chart)?))
}

fn plane(experiment: &Experiment, runs: &Runs) -> Result<(String, Drawn)> {
    let outcome = runs.outcome();
    let clock = runs.parameters.decimal("clock_mhz");
    let sum = |look: usize| outcome.rates[look].iter().map(|rate| rate.to_mbps(clock).to_f64()).sum::<f64>();
    let line_rate = runs.parameters.decimal("line_rate_mbps").to_f64();
    let point =
        |(look, _): (usize, f64)| (queue_at(outcome, 0, look) - target(runs).unwrap_or(0.0), sum(look) - line_rate);
    let drawn = phase_plane(&PhasePlane {
        title: format!("{}: queue and rate", runs.name),
        x_label: "queue length − q0 (KB)".into(),
        y_label: "sum of rates − C (Mb/s)".into(),
        pieces: vec![("path".into(), times(experiment, outcome).map(point).collect())],
        switching_slope: None,
    })?;
    let look = short(outcome.look_ms());
    Ok((format!("The path of the control loop, a point for each {look} ms."), drawn))
}

/// What each flow delivers with each seed, if all flows are there from the beginning to the end.
fn shares(experiment: &Experiment, results: &Results) -> Result<Option<Named>> {
    let controlled = |flow: &&Flow| flow.rate_mbps.is_none();
    let lasting = |flow: &Flow| {
        let starts = flow.start_s.is_none() && flow.start_within_s.is_none() && flow.arrivals_per_s.is_none();
        let ends = flow.stop_s.is_none() && flow.last_s.is_none();
        let sized = flow.size_bytes.is_some() || flow.size_within_bytes.is_some() || flow.size_distribution.is_some();
        starts && ends && !sized && flow.sizes_file.is_none() && flow.on_ms.is_none() && flow.control.is_none()
    };
    let scenario = &experiment.file.scenario;
    let patches = scenario.variant.iter().flat_map(|variant| variant.flow.values());
    let all_last = scenario.flow.iter().filter(controlled).all(lasting) && patches.into_iter().all(lasting);
    if !all_last || results.runs.iter().any(|runs| runs.outcome().controlled.len() < 2) {
        return Ok(None);
    }
    let [from, to] = experiment.shown;
    let strip = |runs: &Runs| {
        let value = |outcome: &Outcome, metric, flow| {
            measure(outcome, metric, Scope { output: 0, flow, from, to, between: [0, 0] })
        };
        let of_seed = |outcome: &Outcome| {
            let all: Vec<f64> =
                outcome.controlled.iter().map(|&flow| value(outcome, Metric::ThroughputMbps, flow)).collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            all.iter().map(|rate| if mean > 0.0 { 100.0 * rate / mean } else { 0.0 }).collect()
        };
        let jain = runs.outcomes.iter().map(|outcome| value(outcome, Metric::JainIndex, 0));
        let [low, high] = jain.fold([f64::INFINITY, 0.0f64], |[low, high], one| [low.min(one), high.max(one)]);
        Strip {
            // Flows that deliver nothing have no index.
            name: if low <= high { format!("{}: Jain {low:.2} to {high:.2}", runs.name) } else { runs.name.clone() },
            runs: runs.outcomes.iter().map(of_seed).collect(),
            marked: runs.median.number,
        }
    };
    let drawn = strips(&Strips {
        title: "What each flow got with each seed".into(),
        x_label: "throughput, % of the mean of the flows".into(),
        even: 100.0,
        starved: STARVED_PERCENT,
        strips: results.runs.iter().map(strip).collect(),
    })?;
    let caption = format!(
        "Throughput of each flow in the time that is shown: a line for each seed, a dot for each flow, filled for the seed of \
         the pictures over time. Grey: less than {STARVED_PERCENT} % of the mean. Jain's index over the seeds, least and greatest."
    );
    Ok(Some(("shares".into(), caption, drawn)))
}

/// Some variants: the name of all, then number and name of each.
type Group = (String, Vec<(usize, String)>);

/// The variants in groups of a few, each with a name: of those that share the end of their names, or in their order.
fn groups(names: &[&str]) -> Vec<Group> {
    let whole = |at: usize| (at, names[at].to_string());
    if names.len() <= CURVES_MAX {
        return vec![(String::new(), (0..names.len()).map(whole).collect())];
    }
    for words in 1..4 {
        let mut groups: Vec<Group> = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let all: Vec<&str> = name.split(' ').collect();
            let (start, end) = all.split_at(all.len().saturating_sub(words));
            let (start, end) = (start.join(" "), end.join(" "));
            match groups.iter_mut().find(|(known, _)| *known == end) {
                Some((_, members)) => members.push((at, start)),
                None => groups.push((end, vec![(at, start)])),
            }
        }
        let fits = |(_, members): &Group| {
            (2..=CURVES_MAX).contains(&members.len()) && members.iter().all(|(_, start)| !start.is_empty())
        };
        if groups.iter().all(fits) {
            return groups;
        }
    }
    let in_order = |from: usize| {
        let to = (from + PANEL_CURVES).min(names.len());
        (format!("{} to {to} of {}", from + 1, names.len()), (from..to).map(whole).collect())
    };
    (0..names.len()).step_by(PANEL_CURVES).map(in_order).collect()
}

/// The distributions of the queue of all variants, a picture for each group of them.
fn distributions(experiment: &Experiment, results: &Results) -> Result<Vec<Named>> {
    let [from, to] = experiment.distribution;
    let names: Vec<_> = results.runs.iter().map(|runs| runs.name.as_str()).collect();
    let groups = groups(&names);
    let many = groups.len() > 1;
    let one = |(number, (group, members)): (usize, &Group)| {
        let of = if many { format!(": {group}") } else { String::new() };
        let title = format!("Distribution of the queue{of}");
        let mut chart = TimeSeries::new(title, "queue length (KB)", "share of time (%)").narrow();
        for (at, name) in members {
            let mut sum = Histogram::default();
            results.runs[*at].outcomes.iter().for_each(|outcome| sum.merge(&outcome.histogram(0, from, to)));
            let all: u64 = sum.0.iter().sum();
            let mut below = 0;
            let points = (0u32..).zip(&sum.0).map(|(step, cycles)| {
                below += cycles;
                (f64::from(step * HISTOGRAM_BYTES) / KB, 100.0 * below as f64 / all as f64)
            });
            chart = chart.series(Series::new(name, points.collect()).steps());
        }
        let name = if many { format!("distribution-{number}") } else { "distribution".into() };
        let of = if many { format!("{group}. ") } else { String::new() };
        let caption = format!("{of}Share of time in which the queue is not longer, over all seeds.");
        Ok((name, caption, time_series(&chart)?))
    };
    (1..).zip(&groups).map(one).collect()
}

/// Two pictures of each grid: mean and standard deviation of the queue.
fn grids(experiment: &Experiment, results: &Results) -> Result<Vec<Named>> {
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

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn many_variants_are_drawn_in_groups_of_a_few() {
        let shown = |names: &[String]| {
            let groups = groups(&names.iter().map(String::as_str).collect::<Vec<_>>());
            let joined = groups.into_iter().map(|(group, members)| {
                let members: Vec<_> = members.into_iter().map(|(at, name)| format!("{at} {name}")).collect();
                format!("{group}: {}", members.join(", "))
            });
            joined.collect::<Vec<_>>()
        };
        let of = |schemes: &[&str], delays: &[&str]| -> Vec<String> {
            delays.iter().flat_map(|delay| schemes.iter().map(move |scheme| format!("{scheme} {delay}"))).collect()
        };
        assert_eq!(
            shown(&of(&["DSM", "QCN"], &["80 us", "160 us"])),
            [": 0 DSM 80 us, 1 QCN 80 us, 2 DSM 160 us, 3 QCN 160 us"]
        );
        let twelve = of(&["DSM", "DSM limited", "QCN"], &["80 us", "160 us", "320 us", "640 us"]);
        let grouped = shown(&twelve);
        assert_eq!(grouped[1], "160 us: 3 DSM, 4 DSM limited, 5 QCN");
        assert_eq!(grouped.len(), 4);
        let alike: Vec<String> = (1..10).map(|number| format!("w={number}")).collect();
        assert_eq!(shown(&alike)[2], "9 to 9 of 9: 8 w=9");
    }
}
