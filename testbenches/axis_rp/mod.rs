// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point on AXI4-Stream, whole, at each width: frames of all kinds with pauses on both sides.

mod costs;
mod full_rate;
mod mutations;
mod proof;
mod world;

use tidegate::bus::width::Width;
use tidegate_testing::feedback_frames::Nature;
use tidegate_testing::lanes::in_lanes;
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern};
use world::{Case, World, made};

const RULE: Rule = Rule { cpid_mask: u64::MAX, flow_mask: 0, pass_feedback: false };
const SMCC: Case = Case {
    scheme: "smcc",
    width: Width::W64,
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

/// The same at the other widths, where the parser sees only the feedback frames, and not all of them at full rate.
#[test]
fn frames_go_through_wide_streams_and_feedback_is_taken_out() {
    for (width, seed) in [(Width::W128, 2), (Width::W256, 3), (Width::W512, 4)] {
        let world = run(Case { width, frames: 50_000, valid: 10, seed, ..SMCC });
        let (removed, passed, overruns) = (world.removed, world.passed, world.overruns);
        assert!(removed > 10_000 && passed > 25_000, "{width:?}: {removed} removed, {passed} passed");
        assert!(world.told.len() == 4 && world.changes > 500, "{width:?}: {:?}, {} changes", world.told, world.changes);
        assert!(overruns > 0 || width == Width::W128, "{width:?}: {overruns} overruns");
        assert_eq!(world.stops, 0, "{width:?}: the receive path was stopped");
    }
}

#[test]
#[ignore = "long: millions of fuzzed frames"]
fn a_million_frames_go_through() {
    for width in Width::ALL {
        for (flows, seed) in [(1, 7), (4, 8)] {
            let rule = Rule { flow_mask: flows - 1, ..RULE };
            let world = run(Case { width, frames: 1_000_000, valid: 3, flows, rule, seed, ..SMCC });
            assert_eq!(world.stops, 0, "{width:?}: the receive path was stopped");
        }
    }
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    for width in Width::ALL {
        let mut case = Case { width, frames: 200, departures: 30, ..SMCC };
        let compiled = [1, 4].map(|flows| {
            let case = Case { flows, rule: Rule { flow_mask: flows - 1, ..RULE }, ..case };
            World::compiled(&case, &made(&case))
        });
        for source in PATTERNS {
            for sink in PATTERNS {
                case = Case { source, sink, tx_source: sink, tx_sink: source, seed: case.seed + 1, ..case };
                case.flows = [1, 4][case.seed as usize % 2];
                case.controlled = !case.seed.is_multiple_of(7);
                case.rule = Rule { flow_mask: case.flows - 1, pass_feedback: case.seed.is_multiple_of(5), ..RULE };
                let (program, registers) = &compiled[case.seed as usize % 2];
                let mut world = World::with(case, program, registers.clone());
                world.run();
                assert!(world.removed > 40 || case.rule.pass_feedback, "{width:?}: {} removed", world.removed);
            }
        }
    }
}

/// Feedback in every word of the receive path drives the rate to its minimum; when it stops, the rate recovers.
#[test]
fn a_flood_of_feedback_drives_the_rate_down_and_it_recovers() {
    for width in Width::ALL {
        let mut world = World::new(Case { scheme: "qcn", width, frames: 0, ..SMCC });
        world.set_up();
        let line_rate = world.rate();
        world.flood(2_000);
        assert_eq!(world.overruns > 500, width != Width::W64, "{width:?}: {} overruns", world.overruns);
        let floor = world.read("rpgMinRate");
        assert_eq!(world.rate(), floor, "{width:?}");
        // Traffic in small and in large frames: stages end by bytes and by time.
        world.send_until(line_rate, 60_000_000);
    }
}

/// At 256 bits a frame of 60 octets takes two cycles, at 512 bits one. Feedback between them has time for the parser.
#[test]
fn smallest_frames_at_full_rate_pass_and_no_feedback_is_lost() {
    for (width, beats) in [(Width::W64, 8), (Width::W128, 4), (Width::W256, 2), (Width::W512, 1)] {
        let mut world = World::new(Case { width, frames: 0, ..SMCC });
        world.set_up();
        let (frames, begin) = (8_000, world.pins.cycle);
        for place in 0..frames {
            // A feedback frame every 20 frames, with up to 14 words.
            let nature = if place % 20 == 0 { Nature::Notification } else { Nature::Data };
            let mut frame = Frame::of(&mut world.random, &RULE, nature, 60);
            if nature == Nature::Data {
                frame.octets.truncate(60);
                frame.octets[12..14].copy_from_slice(&[8, 0]);
            }
            world.enter(Frame::good(frame.octets, &RULE));
        }
        world.pass_all();
        let cycles = world.pins.cycle - begin;
        assert!(cycles < frames * beats + frames / 20 * 8 + 600, "{width:?}: {cycles} cycles");
        assert_eq!((world.stops, world.overruns, world.removed), (0, 0, frames / 20), "{width:?}");
    }
}

/// The stimulus of the bench in outside simulators, at the ports of the whole.
fn agrees_outside(case: Case) {
    let rule = Rule { flow_mask: case.flows - 1, ..RULE };
    let case = Case { departures: 20, sink: Pattern::Random(80), rule, ..case };
    let made = made(&case);
    Design::of(&made.netlist).lint(&[]);
    let design = Design::of(&in_lanes(&made.netlist));
    let (program, registers) = World::compiled(&case, &made);
    let mut world = World::with(case, &program, registers);
    world.pins.record();
    world.run();
    world.pins.compare(&design, 5_000);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    agrees_outside(Case { frames: 400, flows: 4, ..SMCC });
}

#[test]
fn the_verilog_of_wide_streams_agrees_in_outside_simulators() {
    agrees_outside(Case { width: Width::W128, frames: 300, ..SMCC });
}

#[test]
#[ignore = "long: compiles two wide models in Verilator"]
fn the_verilog_of_the_widest_streams_agrees_in_outside_simulators() {
    for (width, flows) in [(Width::W256, 4), (Width::W512, 1)] {
        agrees_outside(Case { width, flows, frames: 300, ..SMCC });
    }
}

#[test]
#[ignore = "long: another design for the outside simulators"]
fn the_verilog_for_one_flow_agrees_in_outside_simulators() {
    agrees_outside(Case { scheme: "qcn", frames: 400, ..SMCC });
}
