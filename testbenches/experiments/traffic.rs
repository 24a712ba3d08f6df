// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows that arrive at random.

use super::text;
use tidegate::experiment::Experiment;
use tidegate::experiment::scenario::File;
use tidegate::network::topology::FlowSpec;
use tidegate::units::Cycles;

/// The flows that arrive in a run of 400 s.
fn arrivals(size: &str, seed: u32) -> Vec<FlowSpec> {
    let more = format!("[[flow]]\nname = \"short\"\narrivals_per_s = 50\nstart_s = 100\nstop_s = 300\n{size}\n");
    let text = text(&more).replace("duration_s = 0.02", "duration_s = 400").replace("look_ms = 0.5", "look_ms = 1000");
    let file = File::parse("poisson.toml", "poisson", &text).unwrap();
    let experiment = Experiment::new(&file).unwrap();
    let world = experiment.cases[0].world(seed).unwrap();
    assert_eq!(world.flow_names, ["S1", "S2", "S3"]);
    world.ethernet().flows[3..].to_vec()
}

#[test]
fn flows_arrive_as_a_poisson_process_with_sizes_of_their_distribution() {
    let second = 125_000_000.0;
    let flows = arrivals("size_distribution = \"web_search\"\nsize_mean_bytes = 1.25e6", 1);
    // The deviation of their number is its root: 100 of 10,000.
    assert!(flows.len().abs_diff(10_000) < 400, "{} flows", flows.len());
    let starts: Vec<Cycles> = flows.iter().map(|flow| flow.start).collect();
    assert!(
        starts.is_sorted() && starts[0] as f64 >= 100.0 * second && (starts[starts.len() - 1] as f64) < 300.0 * second
    );
    let gaps: Vec<f64> = starts.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / second).collect();
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let deviation = (gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64).sqrt();
    assert!((mean * 50.0 - 1.0).abs() < 0.04 && (deviation / mean - 1.0).abs() < 0.06, "{mean} {deviation}");
    let longer = gaps.iter().filter(|&&gap| gap > mean).count() as f64 / gaps.len() as f64;
    assert!((longer - (-1.0f64).exp()).abs() < 0.02, "{longer} of the gaps are longer than the mean");
    // Packets of 1000 bytes; the deviation of a size is about twice the mean.
    let bytes = flows.iter().map(|flow| flow.packets as f64 * 1e3).sum::<f64>() / flows.len() as f64;
    assert!((bytes / 1.25e6 - 1.0).abs() < 0.08, "a mean size of {bytes} bytes");
    let small =
        flows.iter().filter(|flow| flow.packets <= flows.iter().map(|flow| flow.packets).min().unwrap()).count();
    assert!((small as f64 / flows.len() as f64 - 0.15).abs() < 0.02, "{small} flows of the smallest size");
}

#[test]
fn the_seed_chooses_the_arrivals() {
    let starts = |seed| arrivals("size_bytes = 1e5", seed).iter().map(|flow| flow.start).collect::<Vec<_>>();
    assert_eq!(starts(1), starts(1));
    assert_ne!(starts(1), starts(2));
    assert!(arrivals("size_bytes = 1e5", 1).iter().all(|flow| flow.packets == 100));
}

#[test]
fn a_run_with_arrivals_and_on_times_keeps_the_named_flows_apart() {
    let more = "[[flow]]\nname = \"short\"\narrivals_per_s = 2000\nsize_within_bytes = [1e3, 2e4]\n\
                [[flow]]\nname = \"web\"\non_ms = 0.2\noff_ms = 0.3\n";
    let text = text(more);
    let file = File::parse("mixed.toml", "mixed", &text).unwrap();
    let experiment = Experiment::new(&file).unwrap();
    let results = experiment.run(&|_, _| {}).unwrap();
    for runs in &results.runs {
        for outcome in &runs.outcomes {
            assert_eq!(outcome.flow_names, ["S1", "S2", "S3", "web"]);
            assert_eq!(outcome.controlled, [0, 1, 2, 3]);
            let delivered = outcome.delivered.last_key_value().unwrap().1;
            let arrivals = delivered[4..].iter().filter(|&&packets| packets > 0).count();
            assert!((20..70).contains(&arrivals), "{arrivals} of about 40 flows");
            assert!(delivered[4..].iter().all(|&packets| packets <= 20), "{delivered:?}");
        }
    }
}
