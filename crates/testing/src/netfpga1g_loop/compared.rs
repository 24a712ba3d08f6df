// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run through the buses and a run of the native dumbbell, with the same parameters.

use super::bus::{self, Outcome};
use tidegate_core::units::{Cycles, Rate};
use tidegate_lab::bench::dumbbell::{self, HEADER, Observation};
use tidegate_lab::bench::trace::Trace;
use tidegate_lab::bench::{Engine, Reports};
use tidegate_report::steps::StepFunction;
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::parameters::Parameters;

/// 20 ms at 125 MHz.
pub const CYCLES: Cycles = 2_500_000;
/// Cycles between two looks.
const LOOK: Cycles = 4_000;

/// Enough samples and byte cycles for 20 ms.
const SETTINGS: [(&str, &str); 3] = [("line_rate_mbps", "1000"), ("sample_packets", "5"), ("min_rate_mbps", "5")];
const OF_QCN: [(&str, &str); 2] = [("byte_cycle_bytes", "15000"), ("ai_rate_mbps", "10")];

/// A run, and the means of its second half.
pub struct Run {
    pub parameters: Parameters,
    pub outcome: Outcome,
    pub queue_bytes: f64,
    deviation_bytes: f64,
    /// Of all sources together, Mb/s.
    pub rates_mbps: f64,
}

impl Run {
    fn new(parameters: Parameters, outcome: Outcome) -> Run {
        let queue: Vec<_> = outcome.queue.iter().map(|&(at, bytes)| (at, f64::from(bytes))).collect();
        let queue = StepFunction::new(&queue, CYCLES).unwrap().starting_at(CYCLES / 2).unwrap();
        let clock = parameters.decimal("clock_mhz");
        let half = &outcome.rates[outcome.rates.len() / 2..];
        let sum = half.iter().flatten().map(|rate: &Rate| rate.to_mbps(clock).to_f64()).sum::<f64>();
        Run {
            queue_bytes: queue.time_weighted_mean(),
            deviation_bytes: queue.time_weighted_deviation(),
            rates_mbps: sum / half.len() as f64,
            parameters,
            outcome,
        }
    }

    /// In one line.
    pub fn line(&self) -> String {
        let Outcome { dropped, feedback_sent, latencies, .. } = &self.outcome;
        let latency = match latencies.len() {
            0 => String::new(),
            count => format!(", {:.0} cycles to a new rate", latencies.iter().sum::<Cycles>() as f64 / count as f64),
        };
        format!(
            "queue {:.0} ± {:.0} bytes, rates {:.1} Mb/s, {dropped} dropped, {feedback_sent} frames{latency}",
            self.queue_bytes, self.deviation_bytes, self.rates_mbps
        )
    }
}

fn settings(scheme: &str, seed: u64) -> (&'static Scheme, Vec<(String, String)>, Parameters) {
    let of_scheme: &[(&str, &str)] = if scheme == "qcn" { &OF_QCN } else { &[] };
    let all = SETTINGS.iter().chain(of_scheme).map(|(key, value)| (key.to_string(), value.to_string()));
    let all: Vec<_> = all.chain([("seed".to_string(), seed.to_string())]).collect();
    let row = registry::find(scheme).unwrap();
    let parameters = row.parameters(&all).unwrap();
    (row, all, parameters)
}

/// The native dumbbell.
pub fn native(scheme: &str, seed: u64) -> Run {
    let (row, _, parameters) = settings(scheme, seed);
    let mut trace = Trace::create(None, HEADER).unwrap();
    let reports = Reports::trace(&mut trace);
    let observation = Observation { period: LOOK };
    let summary = dumbbell::run(row, &parameters, Engine::Model, CYCLES, observation, reports).unwrap();
    let outcome = Outcome {
        queue: summary.queue,
        rates: summary.rates,
        bytes_out: summary.bytes_out,
        dropped: summary.dropped,
        feedback_sent: summary.feedback_sent,
        latencies: Vec::new(),
    };
    Run::new(parameters, outcome)
}

/// Through the buses; with `tags` feedback names a flow by its CN-TAG.
pub fn on_buses(scheme: &str, seed: u64, tags: bool) -> Run {
    let (row, settings, parameters) = settings(scheme, seed);
    let outcome = bus::run(row, &settings, &parameters, CYCLES, LOOK, tags);
    Run::new(parameters, outcome)
}
