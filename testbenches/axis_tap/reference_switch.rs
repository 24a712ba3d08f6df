// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of frames in the reference switches, whose lookups show the destination of a frame for one cycle: none is lost
//! beside a feedback frame. The numbers of docs/integrate.md: `cargo test --release --locked --test testbenches --
//! --nocapture axis_tap::reference_switch`.

use crate::axis_tap::lookup::Kind;
use crate::axis_tap::output_queues::Takes;
use crate::axis_tap::pipeline::{Outcome, Pipeline, Setup};
use crate::axis_tap::world::{World, made};
use tidegate::bus::axis_tap::CongestionPoint;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate_testing::broken::never_written;

/// Feedback for each frame that finds room, as soon as a queue has a frame.
const EACH: &[(&str, &str)] = &[("sample_packets", "1"), ("q0_bytes", "600")];
/// Lookups, output queues and widths that lose no frame without the module, if the destinations have places enough. A
/// lookup of the SUME before queues that take each beat at once is not among them at 512 bits: it loses frames of one beat itself.
const SWITCHES: [(Kind, Takes, Width); 6] = [
    (Kind::Sume, Takes::AfterALook, Width::W256),
    (Kind::Sume, Takes::AtOnce, Width::W256),
    (Kind::Plus, Takes::AtOnce, Width::W256),
    (Kind::Sume, Takes::AfterALook, Width::W512),
    (Kind::Plus, Takes::AfterALook, Width::W512),
    (Kind::Plus, Takes::AtOnce, Width::W512),
];
/// Of 100 frames how many have 60 octets, which are one beat at 512 bits, and the octets that leave a queue in 100 cycles: 10
/// Gb/s at 200 MHz, or so few that a queue of short frames gets long.
const MIXED: (u64, u64) = (60, 625);
const SHORT: (u64, u64) = (100, 200);
const SETUP: Setup = Setup {
    scheme: "smcc",
    settings: EACH,
    input: QueueInput::Events,
    width: Width::W256,
    lookup: Kind::Sume,
    places: 16,
    takes: Takes::AfterALook,
    // 122 with each gap.
    frames: 5_002,
    shortest: MIXED.0,
    gaps: (0, 40),
    rate: MIXED.1,
    seed: 1,
};
const LOADED: Setup = Setup { gaps: (0, 0), ..SETUP };
/// How many times as many frames there are without gaps in the long test. At 512 bits a frame of 60 octets is then there in each
/// cycle; QCN takes a sample in 17 cycles, and sends feedback for 32 of 319 samples: 5,002 frames are over before there is enough
/// feedback beside them.
const LONGER: u32 = 5;

/// With the module, and without it.
fn both(setup: Setup) -> [Outcome; 2] {
    let module = setup.compiled();
    [Some(&module), None].map(|module| Pipeline::new(setup, module).run())
}

/// Each frame comes to the output queues with its destination, with the module and without it.
fn loses_nothing(setup: Setup) {
    let [with, without] = both(setup);
    let Setup { scheme, input, width, lookup, takes, shortest, .. } = setup;
    let context = format!("{scheme}, {input:?}, {width:?}, {lookup:?}, {takes:?}, {shortest} % of 60 octets");
    println!("{context}: {} feedback frames, {} frames dropped by full queues", with.feedback, with.dropped);
    for (what, outcome) in [("with the module", &with), ("without it", &without)] {
        let misdirected = (outcome.misdirected, outcome.of_one_beat);
        assert_eq!(misdirected, (0, 0), "{context}: frames lost {what}, and those of them with one beat");
    }
    assert!(with.feedback > 100, "{context}: {} feedback frames", with.feedback);
}

#[test]
fn no_frame_is_lost_beside_a_feedback_frame() {
    use QueueInput::{Events, Level};
    let [sume, plus, queues_of_plus] = [SWITCHES[0], SWITCHES[4], SWITCHES[5]];
    let runs = [
        (sume, "smcc", Events, MIXED),
        (sume, "qcn", Level, MIXED),
        (sume, "smcc", Level, SHORT),
        (queues_of_plus, "qcn", Events, MIXED),
        (queues_of_plus, "smcc", Level, SHORT),
        (plus, "qcn", Events, SHORT),
    ];
    for ((lookup, takes, width), scheme, input, (shortest, rate)) in runs {
        loses_nothing(Setup { scheme, input, width, lookup, takes, shortest, rate, ..SETUP });
    }
}

#[test]
#[ignore = "long: each scheme, input, kind of frames and load in each switch"]
fn no_frame_is_lost_in_any_of_them() {
    for (lookup, takes, width) in SWITCHES {
        for scheme in ["smcc", "qcn"] {
            for input in [QueueInput::Level, QueueInput::Events] {
                for (shortest, rate) in [MIXED, SHORT] {
                    let setup = Setup { scheme, input, width, lookup, takes, shortest, rate, ..SETUP };
                    loses_nothing(setup);
                    loses_nothing(Setup { gaps: (0, 0), frames: LONGER * setup.frames, seed: 2, ..setup });
                }
            }
        }
    }
}

/// The bench sees it if the module does not keep the destination that it saw first.
#[test]
fn without_a_memory_of_the_destination_frames_are_lost() {
    for (lookup, takes, width) in SWITCHES {
        let setup = Setup { width, lookup, takes, frames: 410, shortest: 100, ..SETUP };
        let CongestionPoint { netlist, registers } = made(setup.scheme, setup.settings, width, setup.input);
        let netlist = never_written(&netlist, &format!("axis_path_{}", width.bits()), "first_ports");
        let module = World::compiled(&CongestionPoint { netlist, registers });
        let outcome = Pipeline::new(setup, Some(&module)).run();
        println!("{lookup:?}, {takes:?}, {width:?}: {} of 410 frames lost", outcome.misdirected);
        assert!(outcome.misdirected > 0, "{lookup:?}, {takes:?}, {width:?}");
    }
}

/// The queue of destinations of the reference has four places, and nothing looks whether one is free.
#[test]
fn the_queue_of_destinations_overflows_with_and_without_the_module() {
    for shortest in [60, 100] {
        let setup = Setup { places: 4, frames: 1_500, shortest, ..LOADED };
        let [with, without] = both(setup).map(|outcome| outcome.misdirected);
        println!("{shortest} % of 60 octets: of 1,500 frames {with} are misdirected, without the module {without}");
        assert!(with > 0 && without > 0);
        let deeper = both(Setup { places: 16, ..setup }).map(|outcome| outcome.misdirected);
        assert_eq!(deeper, [0, 0], "with 16 places");
    }
}

/// How late the congestion point knows what entered a queue of 4 KB or left it, while frames come in every cycle.
#[test]
fn lengths_are_late_under_full_load() {
    for (settings, late, difference) in
        [(&[("q0_bytes", "2000")][..], [131, 145], [2_931, 2_971]), (EACH, [752, 746], [3_823, 3_656])]
    {
        for (place, scheme) in ["smcc", "qcn"].into_iter().enumerate() {
            let setup = Setup { scheme, settings, frames: 2_000, ..LOADED };
            let outcome = Pipeline::new(setup, Some(&setup.compiled())).run();
            println!("{scheme}, {settings:?}: at most {} cycles, {} octets", outcome.late, outcome.difference);
            assert!(
                outcome.late <= late[place] && outcome.difference <= difference[place],
                "say so in docs/integrate.md"
            );
        }
    }
}
