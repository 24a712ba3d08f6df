//! The reaction point on AXI4-Stream of 64 bits, whole: frames of all kinds with pauses on both sides.

#[path = "../common/areas.rs"]
mod areas;
#[path = "../common/cost.rs"]
mod cost;
mod costs;
#[path = "../common/feedback_frames.rs"]
mod feedback_frames;
#[path = "../common/pins.rs"]
mod pins;
mod proof;
#[path = "../common/proofs.rs"]
mod proofs;
#[path = "../common/receive_frames.rs"]
mod receive_frames;
#[path = "../expressions/simulators.rs"]
mod simulators;
#[path = "../common/stimulus.rs"]
mod stimulus;
mod world;

use receive_frames::Rule;
use simulators::Design;
use stimulus::{PATTERNS, Pattern};
use world::{Case, World, made};

const RULE: Rule = Rule { cpid_mask: u64::MAX, flow_mask: 0, pass_feedback: false };
const SMCC: Case = Case {
    scheme: "smcc",
    flows: 1,
    frames: 10_000,
    source: Pattern::Always,
    sink: Pattern::Always,
    rule: RULE,
    valid: 20,
    departures: 0,
    tx_source: Pattern::Always,
    tx_sink: Pattern::Always,
    controlled: true,
    seed: 1,
};

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

/// 10^5 fuzzed frames against the model of what the parser tells.
#[test]
fn a_hundred_thousand_frames_go_through_and_feedback_is_taken_out() {
    let world = run(Case { frames: 100_000, valid: 10, ..SMCC });
    assert!(world.removed > 20_000 && world.passed > 50_000, "{} removed, {} passed", world.removed, world.passed);
    assert!(world.told.len() == 4 && world.changes > 1_000, "{:?}, {} changes", world.told, world.changes);
    assert_eq!(world.stops, 0, "the receive path was stopped");
}

#[test]
#[ignore = "long: a million fuzzed frames"]
fn a_million_frames_go_through() {
    for (flows, seed) in [(1, 7), (4, 8)] {
        let rule = Rule { flow_mask: flows - 1, ..RULE };
        let world = run(Case { frames: 1_000_000, valid: 3, flows, rule, seed, ..SMCC });
        assert_eq!(world.stops, 0, "the receive path was stopped");
    }
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    let mut case = Case { frames: 300, departures: 40, ..SMCC };
    for source in PATTERNS {
        for sink in PATTERNS {
            case = Case { source, sink, tx_source: sink, tx_sink: source, seed: case.seed + 1, ..case };
            case.flows = [1, 4][case.seed as usize % 2];
            case.controlled = !case.seed.is_multiple_of(7);
            case.rule = Rule { flow_mask: case.flows - 1, pass_feedback: case.seed.is_multiple_of(5), ..RULE };
            let world = run(case);
            assert!(world.removed > 40 || case.rule.pass_feedback, "{} removed", world.removed);
        }
    }
}

/// Feedback in every word of the receive path drives the rate to its minimum; when it stops, the rate recovers.
#[test]
fn a_flood_of_feedback_drives_the_rate_down_and_it_recovers() {
    let mut world = World::new(Case { scheme: "qcn", frames: 0, ..SMCC });
    world.set_up();
    let line_rate = world.rate();
    world.flood(2_000);
    let floor = world.read("rpgMinRate");
    assert_eq!(world.rate(), floor);
    // Traffic in small and in large frames: stages end by bytes and by time.
    world.send_until(line_rate, 60_000_000);
}

/// The stimulus of the bench in outside simulators, at the ports of the whole.
fn agrees_outside(scheme: &'static str, flows: u64) {
    let rule = Rule { flow_mask: flows - 1, ..RULE };
    let case = Case { frames: 400, departures: 20, sink: Pattern::Random(80), scheme, flows, rule, ..SMCC };
    let made = made(&case);
    let design = Design::of(&made.netlist);
    design.lint(&[]);
    let mut world = World::with(case, made);
    world.pins.record();
    world.run();
    world.pins.compare(&design, 5_000);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    agrees_outside("smcc", 4);
}

#[test]
#[ignore = "long: another design for the outside simulators"]
fn the_verilog_for_one_flow_agrees_in_outside_simulators() {
    agrees_outside("qcn", 1);
}
