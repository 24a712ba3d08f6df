// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is measured in a window of time.

use super::fairness::jain_index;
use super::run::{Outcome, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A quantity of an output, of a flow, or of all flows, in a window of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Mean queue length over time, KB of 1024 bytes.
    QueueMeanKb,
    /// Standard deviation of the queue length over time, KB.
    QueueDeviationKb,
    /// Shortest queue, KB.
    QueueMinKb,
    /// Longest queue, KB.
    QueueMaxKb,
    /// Share of time with an empty queue: the packet that is being sent counts as part of it, so the link is idle.
    EmptyPercent,
    /// Share of time with at most one packet.
    NearEmptyPercent,
    /// Mean length over time that the register of a congestion point shows, KB: without a FIFO behind the queue (`tx_fifo_bytes`)
    /// that of the queue.
    RegisterMeanKb,
    /// Share of time in which that register shows 0.
    RegisterEmptyPercent,
    /// Share of time with a queue in the range `between_bytes`: from the first to the second, without the second.
    WithinPercent,
    /// Time from the start of the window until the queue has left the range `between_bytes` for the last time.
    SettleMs,
    /// Bytes sent in relation to what the link can carry.
    UtilisationPercent,
    /// Packets dropped.
    DroppedPackets,
    /// Packets dropped in relation to those that arrived.
    DroppedPercent,
    /// Feedback frames a second.
    FeedbackPerS,
    /// What a flow delivers, without overhead.
    ThroughputMbps,
    /// What the flows of a group deliver, in relation to what the link of the output can carry.
    SharePercent,
    /// Jain's index of what the controlled flows deliver: 1 if all deliver the same (Jain 1984).
    JainIndex,
}

impl Metric {
    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::QueueMeanKb
            | Metric::QueueDeviationKb
            | Metric::QueueMinKb
            | Metric::QueueMaxKb
            | Metric::RegisterMeanKb => "KB",
            Metric::EmptyPercent
            | Metric::RegisterEmptyPercent
            | Metric::NearEmptyPercent
            | Metric::WithinPercent
            | Metric::UtilisationPercent
            | Metric::SharePercent
            | Metric::DroppedPercent => "%",
            Metric::SettleMs => "ms",
            Metric::DroppedPackets => "packets",
            Metric::FeedbackPerS => "1/s",
            Metric::ThroughputMbps => "Mb/s",
            Metric::JainIndex => "",
        }
    }

    /// The name in a scenario file.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(String::from)).unwrap_or_default()
    }

    /// Whether it needs `between_bytes`.
    pub(crate) fn needs_range(self) -> bool {
        matches!(self, Metric::WithinPercent | Metric::SettleMs)
    }

    /// Whether it is of one flow, or of a group.
    pub(crate) fn of_flow(self) -> bool {
        self == Metric::ThroughputMbps || self.of_group()
    }

    /// Whether it is of a group of flows.
    pub(crate) fn of_group(self) -> bool {
        self == Metric::SharePercent
    }

    /// The metrics of an output that the table of all runs shows.
    pub const SHOWN: [Metric; 9] = [
        Metric::QueueMeanKb,
        Metric::QueueDeviationKb,
        Metric::QueueMinKb,
        Metric::QueueMaxKb,
        Metric::EmptyPercent,
        Metric::NearEmptyPercent,
        Metric::UtilisationPercent,
        Metric::DroppedPackets,
        Metric::FeedbackPerS,
    ];
}

/// Where and when: an output, a flow, looks from the first to before the second, a range of queue lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    /// Number of the output.
    pub output: usize,
    /// Number of the flow, or of the group.
    pub flow: usize,
    /// The first look.
    pub from: usize,
    /// The look after the last.
    pub to: usize,
    /// Range of queue lengths in bytes.
    pub between: [u32; 2],
}

/// Bytes of a KB: the papers' packets of "1 KB" have 1024 bytes.
pub const KB: f64 = 1024.0;

/// The value of a metric; no number if nothing defines it.
pub fn measure(outcome: &Outcome, metric: Metric, scope: Scope) -> f64 {
    let looks = &outcome.looks[scope.output][scope.from..scope.to];
    let sum = looks.iter().fold(Tally::default(), |sum, look| sum.plus(look));
    let cycles = (scope.to - scope.from) as f64 * outcome.look_cycles as f64;
    let mean = sum.bytes as f64 / cycles;
    let delivered = || {
        let [before, after] = [scope.from, scope.to].map(|look| &outcome.delivered[&look]);
        after.iter().zip(before).map(|(after, before)| (after - before) as f64).collect::<Vec<_>>()
    };
    let percent = |part: u64| 100.0 * part as f64 / cycles;
    match metric {
        Metric::QueueMeanKb => mean / KB,
        Metric::QueueDeviationKb => (sum.squares as f64 / cycles - mean * mean).max(0.0).sqrt() / KB,
        Metric::QueueMinKb => f64::from(sum.least) / KB,
        Metric::QueueMaxKb => f64::from(sum.most) / KB,
        Metric::EmptyPercent => percent(sum.empty),
        Metric::NearEmptyPercent => percent(sum.near_empty),
        Metric::RegisterMeanKb => sum.register_bytes as f64 / cycles / KB,
        Metric::RegisterEmptyPercent => percent(sum.register_empty),
        Metric::WithinPercent => {
            let [low, high] = scope.between;
            percent(outcome.histogram(scope.output, scope.from, scope.to).between(low, high))
        }
        Metric::SettleMs => {
            let [low, high] = scope.between;
            let outside = looks.iter().rposition(|look| look.least < low || look.most >= high);
            match outside {
                Some(last) if last + 1 == looks.len() => f64::INFINITY,
                last => last.map_or(0.0, |last| (last + 1) as f64 * outcome.look_ms()),
            }
        }
        Metric::UtilisationPercent => 100.0 * sum.bytes_out as f64 / (cycles * outcome.bytes_per_cycle[scope.output]),
        Metric::DroppedPackets => sum.dropped as f64,
        Metric::DroppedPercent => 100.0 * sum.dropped as f64 / (sum.dropped + sum.enqueued) as f64,
        Metric::FeedbackPerS => sum.feedback as f64 / (cycles / outcome.clock_hz),
        Metric::ThroughputMbps => {
            let bits = delivered()[scope.flow] * 8.0 * f64::from(outcome.packet_bytes);
            bits / (cycles / outcome.clock_hz) / 1e6
        }
        Metric::SharePercent => {
            let all = delivered();
            let packets: f64 = outcome.groups[scope.flow].iter().map(|&flow| all[flow]).sum();
            let bytes = packets * f64::from(outcome.packet_bytes);
            100.0 * bytes / (cycles * outcome.bytes_per_cycle[scope.output])
        }
        Metric::JainIndex => {
            let all = delivered();
            let shares: Vec<f64> = outcome.controlled.iter().map(|&flow| all[flow]).collect();
            // Flows that deliver nothing share nothing.
            if shares.iter().all(|&share| share == 0.0) { f64::NAN } else { jain_index(&shares) }
        }
    }
}
