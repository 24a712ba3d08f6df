// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of an experiment with a network.

use super::super::csv::cell;
use std::fmt::Write;
use tidegate_core::units::SixDecimals;
use tidegate_lab::experiment::metric::{Metric, Scope, measure};
use tidegate_lab::experiment::{Experiment, Results};

/// Metrics of the whole run of each variant, seed and output.
pub fn metrics(experiment: &Experiment, results: &Results) -> String {
    let mut text = String::from("variant,seed,output,metric,value,unit\n");
    for (case, runs) in experiment.cases.iter().zip(&results.runs) {
        for (seed, outcome) in (1..).zip(&runs.outcomes) {
            for (output, name) in case.output_names().iter().enumerate() {
                let scope = Scope { output, flow: 0, from: 0, to: outcome.looks[output].len(), between: [0, 0] };
                for metric in Metric::SHOWN {
                    let (value, unit) = (measure(outcome, metric, scope), metric.unit());
                    let (variant, name) = (cell(&runs.name), cell(name));
                    let _ = writeln!(text, "{variant},{seed},{name},{},{value},{unit}", metric.name());
                }
            }
        }
    }
    text
}

/// The queues of the median seed of each variant, look by look, with all that the metrics of a queue are made of.
pub fn queues(experiment: &Experiment, results: &Results) -> String {
    let mut text = String::from(
        "time_s,variant,seed,output,queue_mean_bytes,queue_rms_bytes,queue_min_bytes,queue_max_bytes,empty_percent,\
         near_empty_percent,register_empty_percent,bytes_out,enqueued,dropped,feedback,queue_end_bytes\n",
    );
    for (case, runs) in experiment.cases.iter().zip(&results.runs) {
        let (outcome, seed) = (runs.outcome(), runs.shown_seed());
        for ((looks, lengths), name) in outcome.looks.iter().zip(&outcome.lengths).zip(case.output_names()) {
            for (number, (look, length)) in looks.iter().zip(lengths).enumerate() {
                let cycles = outcome.look_cycles as f64;
                let (mean, rms) = (look.bytes as f64 / cycles, (look.squares as f64 / cycles).sqrt());
                let [empty, near_empty, register_empty] =
                    [look.empty, look.near_empty, look.register_empty].map(|part| 100.0 * part as f64 / cycles);
                let time = (number + 1) as f64 * outcome.look_ms() / 1e3;
                let _ = writeln!(
                    text,
                    "{time:.9},{},{seed},{},{mean:.3},{rms:.3},{},{},{empty:.4},{near_empty:.4},{register_empty:.4},{},{},{},{},{length}",
                    cell(&runs.name),
                    cell(&name),
                    look.least,
                    look.most,
                    look.bytes_out,
                    look.enqueued,
                    look.dropped,
                    look.feedback
                );
            }
        }
    }
    text
}

/// The rates of the controlled flows with that seed, look by look.
pub fn rates(results: &Results) -> String {
    let mut text = String::from("time_s,variant,seed,flow,rate_mbps\n");
    for runs in &results.runs {
        let (outcome, seed) = (runs.outcome(), runs.shown_seed());
        let clock = runs.parameters.decimal("clock_mhz");
        for (number, rates) in outcome.rates.iter().enumerate() {
            let time = (number + 1) as f64 * outcome.look_ms() / 1e3;
            for &flow in &outcome.controlled {
                let (variant, name) = (cell(&runs.name), cell(&outcome.flow_names[flow]));
                let _ = writeln!(text, "{time:.9},{variant},{seed},{name},{}", SixDecimals(rates[flow].to_mbps(clock)));
            }
        }
    }
    text
}
