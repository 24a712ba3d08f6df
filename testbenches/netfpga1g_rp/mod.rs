// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point as a module of the NetFPGA-1G user data path, whole: packets of all kinds between an arbiter that
//! sees `in_rdy` late and a receiver that pauses.

mod costs;
mod full_rate;
mod lanes;
mod mutations;
mod packets;
mod proof;
mod rates;
mod tokens;
mod world;

use lanes::Departures;
use packets::Packet;
use tidegate::model::wire::Verdict;
use tidegate_testing::feedback_frames::{NATURES, Nature};
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern};
use world::{Case, World, made};

const RULE: Rule = Rule { cpid_mask: u64::MAX, flow_mask: 3, pass_feedback: false };
const RULES: Departures = Departures {
    flow_source: 0,
    controlled: 0xf,
    tags: false,
    bucket: 1542,
    source: Pattern::Always,
    sink: Pattern::Always,
};
const SMCC: Case = Case {
    scheme: "smcc",
    flows: 4,
    settings: &[],
    packets: 10_000,
    late: 1,
    source: Pattern::Always,
    sink: Pattern::Always,
    rule: RULE,
    valid: 20,
    departures: 0,
    rules: RULES,
    seed: 1,
};

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

#[test]
fn a_hundred_thousand_packets_go_through_and_feedback_is_taken_out() {
    let world = run(Case { packets: 100_000, valid: 10, ..SMCC });
    assert!(world.removed > 20_000 && world.passed > 50_000, "{} removed, {} passed", world.removed, world.passed);
    assert!(world.changes > 500, "{} changes", world.changes);
    assert_eq!(world.stops, 0, "the receive path was stopped");
    assert!(world.told.len() == 4, "{:?}", world.told);
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    let mut case = SMCC;
    for source in PATTERNS {
        for sink in PATTERNS {
            for late in [1, 2] {
                case = Case { source, sink, late, packets: 300, seed: case.seed + 1, ..case };
                case.rule.pass_feedback = case.seed.is_multiple_of(5);
                case.rule.cpid_mask = [0, u64::MAX, 0xffff, 0x8000_0001_8000_0001][case.seed as usize % 4];
                let world = run(case);
                assert!(world.removed > 40 || case.rule.pass_feedback, "{} removed", world.removed);
            }
        }
    }
}

/// With one receiver that never pauses, whatever comes: the receive path goes on.
#[test]
fn nothing_here_stops_the_receive_path() {
    for (seed, source) in PATTERNS.into_iter().enumerate() {
        let world = run(Case { source, valid: 80, packets: 3_000, seed: seed as u64, ..SMCC });
        assert_eq!(world.stops, 0);
    }
}

/// Feedback that is not valid, or not for this reaction point, changes no rate and raises its counter.
#[test]
fn what_is_malformed_or_spoofed_changes_no_rate() {
    let mut world = World::new(SMCC);
    world.set_up();
    let mut kinds = std::collections::BTreeSet::new();
    for round in 0..40 {
        for nature in NATURES {
            let frame = Frame::of(&mut world.random, &RULE, nature, 9);
            if frame.verdict == Some(Verdict::Taken) {
                continue;
            }
            kinds.insert((frame.verdict, nature, frame.bad));
            let packet = Packet::of(&mut world.random, &RULE, frame);
            world.enter(packet);
        }
        world.rest();
        assert_eq!(world.changes, 0, "round {round}");
    }
    world.compare_counters();
    let kind = |verdict, nature, bad| kinds.contains(&(Some(verdict), nature, bad));
    // Another type is no feedback: it goes on, and no counter counts it.
    assert!(kinds.contains(&(None, Nature::OtherType, false)));
    assert!(kind(Verdict::Malformed, Nature::Notification, true));
    assert!(kind(Verdict::Refused, Nature::OtherCpid, false) && kind(Verdict::Elsewhere, Nature::OtherMac, false));
    for nature in [Nature::Version, Nature::UnitLength, Nature::Runt, Nature::Giant] {
        assert!(kind(Verdict::Malformed, nature, false), "{nature:?}");
    }
}

/// Packets before all four transmit queues, with every pattern of pauses: all go out in order, unchanged or with a
/// CN-TAG, and those that must wait pay, also if they are longer than the bucket; none is faster than line rate.
#[test]
fn gates_pass_every_packet_unchanged_or_with_a_tag() {
    let mut case = Case { packets: 0, departures: 60, ..SMCC };
    let (mut tagged, mut oversize) = (0, 0);
    for source in PATTERNS {
        for sink in PATTERNS {
            let rules = Departures { source, sink, flow_source: case.seed % 4, tags: case.seed % 8 > 2, ..RULES };
            let flows = [4, 64][case.seed as usize / 4 % 2];
            let controlled = [0xf, 0x5][case.seed as usize % 3 / 2];
            let rule = Rule { flow_mask: flows - 1, ..RULE };
            case = Case {
                rule,
                rules: Departures { controlled, ..rules },
                flows,
                late: 1 + case.seed as usize % 2,
                ..case
            };
            let world = run(case);
            assert!(world.announced.len() > 80, "{} announcements", world.announced.len());
            tagged += world.lanes.iter().map(|lane| lane.tagged).sum::<u64>();
            oversize += world.lanes.iter().map(|lane| lane.oversize).sum::<u64>();
            case.seed += 1;
        }
    }
    assert!(tagged > 500 && oversize > 20, "{tagged} packets with a new CN-TAG, {oversize} longer than the bucket");
}

/// 10^6 fuzzed packets against the model of what the parser tells.
#[test]
#[ignore = "long: a million fuzzed packets"]
fn a_million_packets_go_through() {
    let world = run(Case { packets: 1_000_000, valid: 3, seed: 5, ..SMCC });
    assert_eq!(world.stops, 0, "the receive path was stopped");
}

/// The receive path and the gates do not disturb each other.
#[test]
fn both_ways_at_the_same_time() {
    let world = run(Case { packets: 10_000, departures: 60, scheme: "qcn", ..SMCC });
    assert!(world.stops == 0 && world.changes > 100, "{} stops, {} changes", world.stops, world.changes);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    let rules = Departures { tags: true, ..RULES };
    // At the least rate of the defaults, packets would wait for millions of cycles.
    let settings = &[("min_rate_mbps", "100")];
    let case = Case { packets: 1_500, departures: 20, sink: Pattern::Random(80), rules, settings, ..SMCC };
    let made = made(&case);
    let design = Design::of(&made.netlist);
    design.lint(&[]);
    let mut world = World::with(case, made);
    world.pins.record();
    world.run();
    world.pins.compare(&design, 10_000);
}
