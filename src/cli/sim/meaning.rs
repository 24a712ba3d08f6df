// SPDX-License-Identifier: MIT OR Apache-2.0
//! The meaning of the results of the dumbbell, in words.

use serde_json::{Value, json};
use tidegate_lab::bench::dumbbell::Summary;
use tidegate_lab::experiment::fairness::jain_index;
use tidegate_schemes::scheme::parameters::Parameters;
use tidegate_schemes::scheme::rate_levels;

/// With less feedback for each source, the rates have not settled.
const FEEDBACK_TO_SETTLE: f64 = 50.0;
/// A larger share of lost packets is called heavy.
const HEAVY_LOSS: f64 = 0.05;
/// A smaller utilisation is called idle.
const FULL_LINK: f64 = 0.95;
/// A queue within this share of its target is called near.
const NEAR: f64 = 0.25;

/// Counts, queue and rates in the second half, and one or two sentences.
pub fn of_dumbbell(summary: &Summary, parameters: &Parameters) -> Value {
    let clock = parameters.decimal("clock_mhz");
    let half = summary.queue.len() / 2;
    let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count.max(1) as f64;
    let queue = mean(&mut summary.queue[half..].iter().map(|&(_, bytes)| f64::from(bytes)), summary.queue.len() - half);
    let flows = summary.rates.first().map_or(0, Vec::len);
    let rates: Vec<f64> = (0..flows)
        .map(|flow| {
            let rates = &summary.rates[half..];
            mean(&mut rates.iter().map(|rates| rates[flow].to_mbps(clock).to_f64()), rates.len())
        })
        .collect();
    let overhead = f64::from(parameters.overhead()) * summary.dequeued as f64;
    let capacity = parameters.bottleneck().to_mbps(clock).to_f64() / 8.0 / clock.to_f64();
    let utilisation = (summary.bytes_out as f64 + overhead) / capacity / summary.cycles as f64;
    json!({
        "meaning": meaning(summary, parameters, utilisation, queue),
        "cycles": summary.cycles,
        "sent": summary.sent,
        "enqueued": summary.enqueued,
        "dequeued": summary.dequeued,
        "dropped": summary.dropped,
        "samples": summary.samples,
        "feedback_sent": summary.feedback_sent,
        "feedback_received": summary.feedback_received,
        "utilisation": utilisation,
        "second_half": {
            "mean_queue_bytes": queue,
            "mean_rates_mbps": rates,
            "sum_of_rates_mbps": rates.iter().sum::<f64>(),
            "jain_index": jain_index(&rates),
        },
    })
}

fn meaning(summary: &Summary, parameters: &Parameters, utilisation: f64, queue: f64) -> String {
    let mut sentences = Vec::new();
    let offered = summary.enqueued + summary.dropped;
    if offered == 0 {
        return "No packet has reached the switch: the run is too short. Run more --cycles.".into();
    }
    let flows = parameters.sources() as f64;
    let lost = summary.dropped as f64 / offered as f64;
    let bottleneck = parameters.bottleneck().to_mbps(parameters.decimal("clock_mhz")).to_f64();
    let least = rate_levels::min_rate(parameters).to_mbps(parameters.decimal("clock_mhz")).to_f64();
    let background = parameters.decimal("background_mbps").to_f64();
    let settled = summary.feedback_received as f64 >= FEEDBACK_TO_SETTLE * flows;
    sentences.push(match lost {
        0.0 => "No packet was dropped.".to_string(),
        lost if lost < HEAVY_LOSS => format!("{:.1} % of the packets were dropped.", 100.0 * lost),
        lost => format!("Heavy loss: {:.1} % of the packets were dropped.", 100.0 * lost),
    });
    let floor = flows * least + background;
    if floor > bottleneck {
        sentences.push(format!(
            "Overload: even at the smallest rate the sources send {floor:.0} Mb/s into a link of {bottleneck:.0} Mb/s."
        ));
    } else if !settled {
        sentences.push(format!(
            "The loop has not settled: {:.1} feedback frames for each source. Run more --cycles.",
            summary.feedback_received as f64 / flows
        ));
    }
    if utilisation < FULL_LINK && summary.dequeued > 0 {
        sentences.push(format!("The link was idle for {:.1} % of the time.", 100.0 * (1.0 - utilisation)));
    }
    let target = parameters.integer("q0_bytes") as f64;
    if settled {
        let place = if (queue / target - 1.0).abs() <= NEAR {
            "near"
        } else if queue < target {
            "below"
        } else {
            "above"
        };
        sentences.push(format!("The queue is {place} its target of {target:.0} bytes."));
    }
    sentences.join(" ")
}
