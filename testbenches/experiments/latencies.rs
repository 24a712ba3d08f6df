//! Latencies of feedback frames in scenarios. `testbenches/network` checks what they do.

use super::text;
use tidegate::experiment::Experiment;
use tidegate::experiment::case::World;
use tidegate::experiment::scenario::File;

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
    let latency = |output: &tidegate::network::topology::OutputSpec| {
        output.latency.map(|latency| (latency.least, latency.most, latency.seed))
    };
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
