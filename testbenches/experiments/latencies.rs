// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latencies of feedback frames and delays that change in scenarios. `testbenches/network` checks what they do.

use super::text;
use tidegate::experiment::Experiment;
use tidegate::experiment::case::World;
use tidegate::experiment::scenario::File;
use tidegate::network::topology::{DelayChange, Link, OutputSpec};

const FLOW: &str =
    "[[flow]]\nname = \"T\"\nstart_within_s = [0, 0.01]\ndelay_within_us = [10, 90]\npath = [\"a\", \"b\"]\n";

/// What runs with a seed, where two outputs have these fields and the second variant changes the first output.
fn worlds(fields: &str, changed: &str, seed: u32) -> [World; 2] {
    let output = |name: &str| format!("[[output]]\nname = \"{name}\"\n{fields}\n");
    let more = format!("[variant.output.a]\n{changed}\n{}{}{FLOW}", output("a"), output("b"));
    let text = text(&more).replace("count = 3", "count = 3\npath = [\"a\"]");
    let file = File::parse("t", "t", &text).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    [0, 1].map(|case| experiment.cases[case].world(seed).unwrap())
}

/// Shortest and longest latency, and the seed, of each output.
fn latencies(world: &World) -> Vec<Option<(u64, u64, u64)>> {
    let latency = |output: &OutputSpec| output.latency.map(|latency| (latency.least, latency.most, latency.seed));
    world.ethernet().outputs.iter().map(latency).collect()
}

#[test]
fn a_latency_changes_no_other_draw() {
    let flows = |world: &World| format!("{:?}", world.ethernet().flows);
    let mut seeds = Vec::new();
    for seed in 1..4 {
        let [without, changed] = worlds("", "feedback_us = 2", seed);
        let [with, narrower] = worlds("feedback_within_us = [12, 20.4]", "feedback_within_us = [13, 13]", seed);
        assert_eq!(latencies(&without), [None, None]);
        // At 125 MHz.
        let found = latencies(&with);
        let [Some(a), Some(b)] = found[..] else { panic!("{found:?}") };
        assert_eq!(([a.0, a.1], [b.0, b.1]), ([1500, 2550], [1500, 2550]));
        assert_eq!(latencies(&changed), [Some((250, 250, a.2)), None]);
        assert_eq!(latencies(&narrower), [Some((1625, 1625, a.2)), Some(b)]);
        seeds.extend([a.2, b.2]);
        for other in [&changed, &with, &narrower] {
            assert_eq!(flows(other), flows(&without), "seed {seed}");
        }
    }
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 6, "each output and each seed of a run has draws of its own");
}

#[test]
fn delays_change_for_all_flows_of_a_name() {
    let changes = "[[variant.change]]\nat_s = 0.004\n[variant.change.flow.T]\ndelay_us = 2\n\
                   [[change]]\nat_s = 0.012\n[change.flow.S]\ndelay_us = 3.2\n[change.output.bottleneck]\ndelay_us = 0\n\
                   [[change]]\nat_s = 0.003\nparameters = { sample_packets = 20 }\n[change.flow.S]\ndelay_us = 40\n\
                   [[flow]]\nname = \"short\"\narrivals_per_s = 1000\nsize_bytes = 5000\n\
                   [[flow]]\nname = \"T\"\n\
                   [[change]]\nat_s = 0.005\n[change.flow.short]\ndelay_us = 1\n";
    let file = File::parse("t", "t", &text(changes)).unwrap();
    let experiment = Experiment::new(&file).unwrap_or_else(|error| panic!("{error:#}"));
    let [common, own] = [0, 1].map(|case| experiment.cases[case].world(3).unwrap());
    let found = |world: &World| {
        let triple = |change: &DelayChange| (change.at, change.link, change.delay);
        world.ethernet().delay_changes.iter().map(triple).collect::<Vec<_>>()
    };
    // At 125 MHz. S1, S2, S3 and T have the numbers 0 to 3, and those that arrive the next ones.
    let flows = common.ethernet().flows.len() as u32;
    assert!(flows > 8, "{flows} flows");
    let of_s = |at, delay| (0..3).map(move |flow| (at, Link::Flow(flow), delay));
    let later = (4..flows).map(|flow| (625_000, Link::Flow(flow), 125));
    let last = [(1_500_000, Link::Output(0), 0)].into_iter().chain(of_s(1_500_000, 400));
    let expected: Vec<_> = of_s(375_000, 5000).chain(later.clone()).chain(last.clone()).collect();
    assert_eq!(found(&common), expected);
    let in_second = [(500_000, Link::Flow(3), 250)];
    let expected: Vec<_> = of_s(375_000, 5000).chain(in_second).chain(later).chain(last).collect();
    assert_eq!(found(&own), expected);
    let at: Vec<_> = own.changes.iter().map(|(at, _)| *at).collect();
    assert_eq!(at, [375_000], "parameters change once");
    // Nothing is different before the first change.
    let outcomes = [changes, &changes.replace("delay_us = 40\n", "delay_us = 900\n")].map(|changes| {
        let file = File::parse("t", "t", &text(changes)).unwrap();
        let experiment = Experiment::new(&file).unwrap();
        experiment.run(&|_, _| ()).unwrap().runs.remove(0).outcomes.remove(0)
    });
    let [one, other] = outcomes.map(|outcome| outcome.looks.into_iter().next().unwrap());
    assert_eq!(one[..6], other[..6]);
    assert_ne!(one[6..], other[6..]);
}
