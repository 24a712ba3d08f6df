// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point on AXI4-Stream, whole: frames of all kinds go through its output queue, and feedback frames come
//! out beside it.

pub mod beats;
mod cocotb;
mod costs;
mod model;
mod mutations;
mod proof;
mod world;

use beats::Lengths;
use tidegate::bus::width::Width;
use tidegate_testing::lanes::in_lanes;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern};
use world::{Case, World, made};

/// A queue that is often longer than q0, and sometimes full.
const QCN: Case = Case {
    scheme: "qcn",
    settings: &[("sample_packets", "5"), ("q0_bytes", "8000"), ("buffer_bytes", "32768")],
    width: Width::W64,
    frames: 3_000,
    lengths: Lengths::All,
    faults: 5,
    source: Pattern::Always,
    sink: Pattern::Random(80),
    cnm_sink: Pattern::Always,
    seed: 1,
};
const SMCC: Case = Case { scheme: "smcc", ..QCN };

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

#[test]
fn frames_go_through_unchanged_and_feedback_says_how_long_the_queue_is() {
    for width in Width::ALL {
        for case in [QCN, SMCC] {
            let world = run(Case { width, frames: 5_000, ..case });
            let [gone, bad, dropped, short] = world.outcomes();
            let counts = (gone, bad, dropped, short, world.frames.len());
            assert!(gone > 2_000 && bad > 100 && dropped > 100 && short > 30, "{width:?}: {counts:?}");
            assert!(world.frames.len() > 200, "{width:?}: {counts:?}");
        }
    }
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    for (seed, width) in Width::ALL.into_iter().enumerate() {
        let (program, registers) = World::compiled(&made(SMCC.scheme, SMCC.settings, width));
        for source in PATTERNS {
            for (place, sink) in PATTERNS.into_iter().enumerate() {
                let cnm_sink = PATTERNS[(place + seed) % PATTERNS.len()];
                let case = Case { width, source, sink, cnm_sink, frames: 150, seed: seed as u64, ..SMCC };
                World::with(case, &program, registers.clone()).run();
            }
        }
    }
}

#[test]
fn frames_of_each_length_go_through() {
    for width in Width::ALL {
        let case = Case { width, lengths: Lengths::Each, faults: 0, sink: Pattern::Always, ..SMCC };
        assert_eq!(run(Case { frames: 420, ..case }).outcomes(), [420, 0, 0, 42], "{width:?}");
    }
}

/// At 64 bits a frame of 60 octets takes eight cycles, at 512 bits one: as many events reach the congestion point.
#[test]
fn smallest_frames_at_full_rate_are_all_counted() {
    for (width, beats) in [(Width::W64, 8), (Width::W128, 4), (Width::W256, 2), (Width::W512, 1)] {
        let case = Case { lengths: Lengths::Only(60), faults: 0, sink: Pattern::Always, frames: 4_000, width, ..SMCC };
        let world = run(case);
        assert_eq!(world.outcomes(), [4_000, 0, 0, 0], "{width:?}");
        assert_eq!(world.samples, 4_000 / 5, "{width:?}");
        assert!(world.cycle < 4_000 * beats + 2_500, "{width:?}: {} cycles", world.cycle);
    }
}

/// Each frame a sample: most are lost when a feedback frame takes longer than a frame, and they are counted.
#[test]
fn samples_that_find_no_place_are_counted() {
    const SETTINGS: &[(&str, &str)] = &[("sample_packets", "1"), ("q0_bytes", "1000"), ("buffer_bytes", "32768")];
    for width in Width::ALL {
        let lengths = Lengths::Only(60);
        let world = run(Case { settings: SETTINGS, lengths, width, cnm_sink: Pattern::Bursts(60), ..SMCC });
        assert!(world.lost_samples > 500, "{width:?}: {}", world.lost_samples);
    }
}

/// A feedback frame behind two tags is rare, so there are many frames, with time for a sample of each.
#[test]
fn the_tags_of_each_frame_are_read() {
    const SETTINGS: &[(&str, &str)] = &[("sample_packets", "1"), ("q0_bytes", "1000"), ("buffer_bytes", "32768")];
    for width in Width::ALL {
        let source = if width == Width::W64 { Pattern::Random(80) } else { Pattern::Random(15) };
        let case = Case { settings: SETTINGS, lengths: Lengths::Only(60), source, faults: 0, width, ..SMCC };
        let world = run(case);
        assert!(world.frames.len() > 1_000, "{width:?}: {} frames", world.frames.len());
    }
}

#[test]
fn each_scheme_gives_its_frames() {
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let settings: &[(&str, &str)] = match scheme {
            "bcn" => {
                &[("sample_packets", "5"), ("q0_bytes", "8000"), ("q_severe_bytes", "30000"), ("buffer_bytes", "32768")]
            }
            _ => QCN.settings,
        };
        let world = run(Case { scheme, settings, width: Width::W128, ..QCN });
        assert!(world.frames.len() > 20, "{scheme}: {} frames", world.frames.len());
    }
}

/// A frame that is longer than the memory is dropped, and does not stop the queue.
#[test]
fn a_frame_longer_than_the_queue_is_dropped() {
    const SETTINGS: &[(&str, &str)] = &[("q0_bytes", "1000"), ("buffer_bytes", "2048")];
    for width in Width::ALL {
        let case = Case { settings: SETTINGS, width, faults: 0, frames: 400, sink: Pattern::Always, ..SMCC };
        for lengths in [Lengths::Only(2_049), Lengths::All] {
            let [gone, _, dropped, _] = run(Case { lengths, ..case }).outcomes();
            assert!(dropped >= 10, "{width:?}: {dropped}");
            assert_eq!(gone > 0, matches!(lengths, Lengths::All), "{width:?}");
        }
        let most = Case { lengths: Lengths::Only(2_048), frames: 1, ..case };
        assert_eq!(run(most).outcomes(), [1, 0, 0, 0], "{width:?}");
    }
}

#[test]
fn the_registers_tell_who_it_is_and_set_the_address_of_the_frames() {
    let mut world = World::new(Case { width: Width::W256, ..SMCC });
    world.reset();
    assert_eq!(world.read("id"), u64::from(u32::from_be_bytes(*b"TDGT")));
    assert_eq!(world.read("count"), 1);
    world.write("cpMacAddress_low", 0x1234_5678);
    world.write("cpMacAddress_high", 0x0200);
    assert_eq!((world.read("cpMacAddress_low"), world.read("pending")), (0x1234_5678, 0));
    world.compares = false;
    let mut sources = Vec::new();
    for _ in 0..20_000 {
        world.traffic();
        sources.extend(world.feedback_source());
    }
    assert!(sources.len() > 20 && sources.iter().all(|&source| source == 0x0200_1234_5678), "{sources:x?}");
}

/// The stimulus of the bench in outside simulators, at the ports of the whole.
fn agrees_outside(case: Case, icarus_cycles: usize) {
    let netlist = made(case.scheme, case.settings, case.width).netlist;
    Design::of(&netlist).lint(&[]);
    let design = Design::of(&in_lanes(&netlist));
    let mut world = World::new(case);
    world.record = Some(Default::default());
    world.run();
    let (recorded, expected) = world.record.take().unwrap();
    let places: Vec<_> = design.inputs.iter().map(|(name, _)| world.input_place(name)).collect();
    let row = |row: &[u64], clk| places.iter().map(|place| place.map_or(clk, |place| row[place])).collect::<Vec<_>>();
    let rows: Vec<_> = recorded.iter().flat_map(|one| [row(one, 0), row(one, 1)]).collect();
    assert!(world.frames.len() > 10, "{} frames", world.frames.len());
    design.compare(&rows, &expected, 2 * icarus_cycles);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    agrees_outside(Case { frames: 200, ..QCN }, 3_000);
}

#[test]
#[ignore = "long: compiles three models in Verilator"]
fn the_verilog_of_the_other_widths_agrees_too() {
    for (width, scheme) in [(Width::W256, "qcn"), (Width::W128, "smcc"), (Width::W512, "smcc")] {
        agrees_outside(Case { scheme, width, frames: 200, ..QCN }, 3_000);
    }
}
