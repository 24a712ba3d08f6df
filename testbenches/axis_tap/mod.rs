// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point in the data path of a NetFPGA-SUME, whole: frames go through unchanged, feedback frames come between
//! them, and the lengths are those of the output queues.

mod cocotb;
mod costs;
mod level_events;
mod lookup;
mod mutations;
mod output_queues;
mod path_frames;
mod pipeline;
mod proof;
mod reference_switch;
mod world;

use path_frames::Lengths;
use tidegate::bus::axis_tap::level_events::WAY;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate_testing::axis_device::Registered;
use tidegate_testing::broken::fails;
use tidegate_testing::lanes::in_lanes;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern};
use world::{Case, World, made};

/// Queues that are often longer than q0, and sometimes full.
const QCN: Case = Case {
    scheme: "qcn",
    settings: &[("sample_packets", "5"), ("q0_bytes", "8000")],
    width: Width::W256,
    frames: 2_000,
    lengths: Lengths::All,
    faults: 10,
    source: Pattern::Always,
    sink: Pattern::Always,
    drains: 10,
    queues: 0x0f,
    capacity: 40_000,
    way: None,
    flushes: 0,
    seed: 1,
};
const SMCC: Case = Case { scheme: "smcc", ..QCN };
/// Each frame is a sample.
const EACH: &[(&str, &str)] = &[("sample_packets", "1"), ("q0_bytes", "1000")];
/// No queue is as long, so none gets feedback.
const NEVER: &[(&str, &str)] = &[("sample_packets", "5"), ("q0_bytes", "40000"), ("w", "0")];

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

/// Frames that a queue gives in 1000 cycles, so that queues of this width are filled sometimes.
fn drains(width: Width) -> u64 {
    width.bits() as u64 / 25
}

#[test]
fn frames_go_through_unchanged_and_feedback_comes_between() {
    for width in Width::ALL {
        for case in [QCN, SMCC] {
            let world = run(Case { width, drains: drains(width), ..case });
            let counts = (world.frames, world.dropped, world.rejected);
            assert!(world.frames > 50 && world.dropped > 50 && world.rejected > 100, "{width:?}: {counts:?}");
        }
    }
}

/// The ways to a level that are allowed, the shortest and the longest one too.
const WAYS: [u64; 4] = [WAY as u64 + 1, 1, 7, WAY as u64];

#[test]
fn levels_say_what_has_left() {
    for (width, way) in Width::ALL.into_iter().zip(WAYS) {
        for case in [QCN, SMCC] {
            let world = run(Case { width, way: Some(way), drains: drains(width), ..case });
            let counts = (world.frames, world.dropped, world.rejected);
            assert!(world.frames > 50 && world.dropped > 50 && world.rejected > 100, "{width:?}: {counts:?}");
        }
    }
}

#[test]
fn levels_say_what_has_left_with_any_pattern_of_pauses() {
    for (way, width) in WAYS.into_iter().zip(Width::ALL) {
        let (program, registers) = World::compiled(&made(SMCC.scheme, SMCC.settings, width, QueueInput::Level));
        for source in PATTERNS {
            for sink in PATTERNS {
                let case = Case { width, source, sink, queues: 0x1f, frames: 60, drains: 2, way: Some(way), ..SMCC };
                World::with(case, &program, registers.clone()).run();
            }
        }
    }
}

/// More than one look can tell leaves a queue in one cycle.
const FLUSHED: Case = Case { queues: 0x1f, capacity: 300_000, drains: 1, way: Some(3), flushes: 5, ..SMCC };

#[test]
fn queues_that_are_emptied_at_once_are_told_in_parts() {
    let world = run(Case { frames: 4_000, ..FLUSHED });
    assert!(world.largest_flush > 0xffff, "{} octets", world.largest_flush);
}

/// A beat that comes later to its level than allowed is taken for one that has left.
#[test]
fn a_level_that_is_too_late_is_noticed() {
    let late = |way| fails(|| run(Case { width: Width::W64, way: Some(way), drains: drains(Width::W64), ..SMCC }));
    assert_eq!([WAYS[0], WAYS[0] + 1].map(late), [false, true]);
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    for (seed, width) in Width::ALL.into_iter().enumerate() {
        let (program, registers) = World::compiled(&made(SMCC.scheme, SMCC.settings, width, QueueInput::Events));
        for source in PATTERNS {
            for sink in PATTERNS {
                let (seed, queues) = (seed as u64, if seed % 2 == 1 { 0x1f } else { 0x0f });
                let case = Case { width, source, sink, queues, frames: 60, drains: 2, seed, ..SMCC };
                World::with(case, &program, registers.clone()).run();
            }
        }
    }
}

#[test]
fn frames_of_each_length_go_through() {
    for width in Width::ALL {
        let world = run(Case { width, lengths: Lengths::Each, faults: 0, frames: 420, ..SMCC });
        assert_eq!(world.rejected, 42, "{width:?}: those of 1 to 21 octets");
    }
}

/// The path never waits for the congestion point: what comes too fast is counted, and the lengths miss nothing.
#[test]
fn smallest_frames_at_full_rate_wait_for_nothing() {
    for width in Width::ALL {
        let case = Case { settings: NEVER, lengths: Lengths::Only(60), faults: 0, drains: 400, width, ..QCN };
        let world = run(case);
        let counts = (world.stalls, world.frames, world.unsampled);
        assert_eq!((world.stalls, world.frames), (0, 0), "{width:?}");
        // Until it is known that the output queues take a first beat at once.
        assert!(world.looks <= 2, "{width:?}: {} frames of one beat waited", world.looks);
        // The congestion point takes a frame in each seven cycles, at 64 bits one comes in each eight.
        assert_eq!(world.unsampled > 0, width != Width::W64, "{width:?}: {counts:?}");
    }
}

/// Feedback for each frame that finds room: the sample queue is full, and frames wait for it as sums.
#[test]
fn feedback_for_every_frame_stops_nothing() {
    for (seed, sink) in [Pattern::Always, Pattern::Bursts(60), Pattern::Random(15)].into_iter().enumerate() {
        for width in [Width::W64, Width::W256] {
            let case =
                Case { settings: EACH, sink, width, frames: 400, drains: drains(width), seed: seed as u64, ..SMCC };
            let world = run(Case { queues: 0x1f, ..case });
            assert!(world.frames > 80, "{width:?}: {} feedback frames", world.frames);
        }
    }
}

#[test]
fn each_scheme_gives_its_frames() {
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let settings: &[(&str, &str)] = match scheme {
            "bcn" => &[("sample_packets", "5"), ("q0_bytes", "8000"), ("q_severe_bytes", "30000")],
            // It looks at a sample for 213 cycles.
            "dsm" => &[("sample_packets", "20"), ("q0_bytes", "8000")],
            _ => QCN.settings,
        };
        let world = run(Case { scheme, settings, ..QCN });
        assert!(world.frames > 20, "{scheme}: {} feedback frames", world.frames);
    }
}

#[test]
fn the_registers_tell_who_it_is_and_hold_their_values() {
    let mut world = World::new(Case { frames: 0, ..QCN });
    // The block of a NetFPGA-SUME begins with these.
    let first = ["id", "version", "reset", "flip", "debug"].map(|name| world.address(name));
    assert_eq!(first, [0x0, 0x4, 0x8, 0xc, 0x10]);
    world.run();
    assert_eq!(world.read("id"), u64::from(u32::from_be_bytes(*b"TDGT")));
    assert_eq!((world.read("count"), world.read("controlled_queues")), (8, 0x0f));
    assert_eq!((world.write("flip", 0x1234_5678), world.read("flip")), (0, 0xedcb_a987));
    let refused = world.read("refused_writes");
    world.write("controlled_queues", 0x20);
    assert_eq!((world.read("controlled_queues"), world.read("refused_writes")), (0x0f, refused + 1));
}

/// The stimulus of the bench in outside simulators, at the ports of the whole.
fn agrees_outside(case: Case, icarus_cycles: usize) {
    let netlist = made(case.scheme, case.settings, case.width, case.queue_input()).netlist;
    Design::of(&netlist).lint(&[]);
    let design = Design::of(&in_lanes(&netlist));
    let mut world = World::new(case);
    world.device.record = Some(Default::default());
    world.run();
    let (recorded, expected) = world.device.record.take().unwrap();
    let places: Vec<_> = design.inputs.iter().map(|(name, _)| world.device.input_place(name)).collect();
    let row = |row: &[u64], clk| places.iter().map(|place| place.map_or(clk, |place| row[place])).collect::<Vec<_>>();
    let rows: Vec<_> = recorded.iter().flat_map(|one| [row(one, 0), row(one, 1)]).collect();
    assert!(world.frames > 10, "{} feedback frames", world.frames);
    design.compare(&rows, &expected, 2 * icarus_cycles);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    // All modules of the one with events are in it.
    agrees_outside(Case { frames: 300, settings: EACH, way: Some(5), ..SMCC }, 3_000);
}

#[test]
#[ignore = "long: compiles four models in Verilator"]
fn the_verilog_of_the_other_widths_agrees_too() {
    let others = [
        (Width::W64, "smcc", None),
        (Width::W128, "qcn", Some(9)),
        (Width::W256, "smcc", None),
        (Width::W512, "smcc", None),
    ];
    for (width, scheme, way) in others {
        agrees_outside(Case { scheme, width, way, frames: 400, settings: EACH, ..QCN }, 3_000);
    }
}

#[test]
fn the_verilog_of_all_schemes_passes_lint() {
    use QueueInput::{Events, Level};
    for (scheme, width, queues) in
        [("bcn", Width::W64, Level), ("asm", Width::W128, Events), ("dsm", Width::W512, Level)]
    {
        Design::of(&made(scheme, &[], width, queues).netlist).lint(&[]);
    }
}
