// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point as a module of the NetFPGA-1G user data path, whole: packets between an arbiter that sees
//! `in_rdy` late and output queues in SRAM that store, remove and drop.

mod costs;
mod level;
mod levels;
mod mutations;
pub mod packets;
mod proof;
mod readers;
mod world;

use tidegate::bus::queue_input::QueueInput;
use tidegate::model::congestion_point::POP_LATENCY;
use tidegate::model::wire::FRAME_WORDS;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern};
use world::{Case, INPUTS, World, made};

/// Queues that are often longer than q0, and sometimes full.
const QCN: Case = Case {
    scheme: "qcn",
    settings: &[("sample_packets", "5"), ("q0_bytes", "8000")],
    packets: 10_000,
    late: 1,
    source: Pattern::Always,
    sink: Pattern::Always,
    once: true,
    ports: 0x55,
    drains: 10,
    capacity: 40_000,
    level: None,
    seed: 1,
};
const SMCC: Case = Case { scheme: "smcc", ..QCN };

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

#[test]
fn a_hundred_thousand_packets_go_through_and_frames_come_between() {
    let world = run(Case { packets: 100_000, ..QCN });
    assert!(world.frames > 2_000 && world.dropped > 1_000, "{} frames, {} dropped", world.frames, world.dropped);
    assert!(world.passed > 100_000, "{} requests for other blocks", world.passed);
}

/// All patterns of pauses of the module before and of the module behind.
fn any_pattern(packets: u32) {
    for (seed, sink) in PATTERNS.into_iter().enumerate() {
        for source in PATTERNS {
            for (late, once, ports) in [(1, true, 0x55), (2, false, 0xff)] {
                // Queues fill in a time that depends on the pauses.
                let case = Case { source, sink, late, once, ports, packets, drains: 2, seed: seed as u64, ..SMCC };
                let world = run(case);
                assert!(world.frames > u64::from(packets / 20), "{source:?}, {sink:?}: {} frames", world.frames);
            }
        }
    }
}

#[test]
fn any_pattern_of_pauses_changes_nothing() {
    any_pattern(1_000);
}

#[test]
#[ignore = "long: a hundred thousand packets for each of 50 combinations"]
fn any_pattern_of_pauses_changes_nothing_of_many_packets() {
    any_pattern(100_000);
}

/// As many samples as can be: the sample queue is often full, and events wait for frames.
const FULL: Case = Case {
    settings: &[("sample_packets", "1"), ("q0_bytes", "1000")],
    once: false,
    packets: 3_000,
    drains: 12,
    ..SMCC
};

#[test]
fn frames_for_every_packet_never_stop_the_path() {
    for (seed, sink) in [Pattern::Always, Pattern::Bursts(60), Pattern::Random(15)].into_iter().enumerate() {
        let every_second = Case { settings: &[("sample_packets", "2"), ("q0_bytes", "1000")], ..FULL };
        for case in [FULL, Case { ports: 0xff, ..FULL }, every_second] {
            let world = run(Case { sink, seed: seed as u64, ..case });
            assert!(world.frames > 1_000, "{} frames", world.frames);
            if matches!(sink, Pattern::Always) {
                never_refuses_for_long("smcc", &world);
            }
        }
    }
}

#[test]
fn each_scheme_gives_its_frames() {
    for scheme in tidegate::registry::ethernet().map(|scheme| scheme.name) {
        let settings: &[(&str, &str)] = match scheme {
            "bcn" => &[("sample_packets", "5"), ("q0_bytes", "8000"), ("q_severe_bytes", "30000")],
            // It looks at a sample for 213 cycles. Four queues are controlled: each gives one in the time of two packets at
            // 1 Gb/s, 2,048 cycles.
            "dsm" => &[("sample_packets", "2"), ("q0_bytes", "8000")],
            _ => QCN.settings,
        };
        let world = run(Case { scheme, settings, ..QCN });
        assert!(world.frames > 200, "{scheme}: {} frames", world.frames);
        never_refuses_for_long(scheme, &world);
    }
}

/// The congestion point takes an event that waits as soon as a sample has left the full sample queue: its feedback block
/// works, the packet in progress ends, and its frame goes; and the visits to the queues of two events end.
fn never_refuses_for_long(scheme: &str, world: &World) {
    let feedback = match scheme {
        "qcn" => tidegate::schemes::qcn::model::FEEDBACK_LATENCY,
        "bcn" => tidegate::schemes::bcn::model::FEEDBACK_LATENCY,
        "asm" => tidegate::schemes::asm::model::FEEDBACK_LATENCY,
        "dsm" => tidegate::schemes::dsm::model::FEEDBACK_LATENCY + 1,
        _ => 0,
    };
    let packet = 4 + 2000 / 8;
    let bound = feedback + POP_LATENCY + packet + 1 + FRAME_WORDS as u64 + 2 * 8;
    println!("{scheme}: an event waited for {} cycles at most, the bound is {bound}", world.longest_refusal);
    assert!(world.longest_refusal <= bound, "{scheme}: {} cycles, the bound is {bound}", world.longest_refusal);
}

/// With w = 0 the feedback of QCN is negative only above q0.
#[test]
fn queues_below_their_target_give_no_frames() {
    let settings = &[("sample_packets", "5"), ("q0_bytes", "40000"), ("w", "0")];
    let world = run(Case { settings, drains: 500, ..QCN });
    assert_eq!(world.frames, 0);
    assert!(world.all_samples > 1_000);
}

/// Drives inputs for some cycles, and nothing afterwards.
fn drive(world: &mut World, cycles: u64, inputs: &[(&str, u64)]) {
    let idle = world.row;
    for (name, value) in inputs {
        world.row[INPUTS.iter().position(|known| known == name).unwrap()] = *value;
    }
    (0..cycles).for_each(|_| drop(world.unwatched()));
    world.row = idle;
    (0..300).for_each(|_| drop(world.unwatched()));
}

/// The delay that docs/integrate.md states: of each word of a packet, with both kinds of output queues.
#[test]
fn a_word_goes_out_four_cycles_after_it_came_in() {
    for case in [QCN, level::LEVEL] {
        let mut world = World::new(Case { packets: 0, ..case });
        world.run();
        // 64 octets from port 0 to port 2, with its module header.
        let words =
            [(0xff, 4u64 << 48 | 8 << 32 | 64)].into_iter().chain([(0, 0x0102_0304_0506_0708); 7]).chain([(1, 9)]);
        let (mut came, mut went) = (Vec::new(), Vec::new());
        let place = |name: &str| INPUTS.iter().position(|known| *known == name).unwrap();
        world.row[place("out_rdy")] = 1;
        let idle = world.row;
        let mut words = words.fuse();
        for cycle in 0..60 {
            world.row = idle;
            if let Some((ctrl, data)) = words.next() {
                world.row[place("in_wr")] = 1;
                (world.row[place("in_ctrl")], world.row[place("in_data")]) = (ctrl, data);
                came.push(cycle);
            }
            world.unwatched();
            if world.writes() {
                went.push(cycle);
            }
        }
        let delays: Vec<i32> = went.iter().zip(&came).map(|(out, into)| out - into).collect();
        println!("{:?}: cycles from in_wr to out_wr, word by word: {delays:?}", case.queue_input());
        assert_eq!(delays, [4; 9]);
    }
}

/// What finds no room is counted.
fn overflow(mut world: World) {
    world.run();
    let removed = [("pkt_removed", 1), ("removed_oq", 2), ("removed_pkt_total_word_length", 9)];
    drive(&mut world, 200, &removed);
    // One in four cycles is taken while they come, and 64 wait.
    let lost = world.counter("lost_events");
    assert!((200 - 200 / 4 - 66..=200 - 200 / 4 - 62).contains(&lost), "{lost} events");
    assert_eq!(world.counter("clamps"), 200 - lost);
    let dropped = [("pkt_dropped", 1), ("dst_oq", 1)];
    drive(&mut world, 100, &dropped);
    assert_eq!(world.counter("lost_events"), lost, "events of a queue that is not controlled");
    let place = |name: &str| INPUTS.iter().position(|known| *known == name).unwrap();
    let mut cycle = |write: u64, out_rdy: u64| {
        world.row[place("in_ctrl")] = 2;
        world.row[place("in_wr")] = write;
        world.row[place("out_rdy")] = out_rdy;
        world.unwatched();
        world.in_rdy()
    };
    // `in_rdy` tells of the words of the cycles before. Five words are in the buffer behind the tap, four in its memory and one
    // in its register: `in_rdy` falls after 18 words, when 13 wait before the tap.
    let fills: Vec<bool> = (0..18).map(|_| cycle(1, 0)).collect();
    assert_eq!((fills, cycle(0, 0), cycle(0, 0)), (vec![true; 18], false, false));
    let overflows: Vec<bool> = (0..7).map(|_| cycle(1, 0)).collect();
    assert_eq!(overflows, [false; 7]);
    // 16 words wait, and four are lost. After three cycles there is room in the buffer.
    let empties: Vec<bool> = (0..11).map(|_| cycle(0, 1)).collect();
    assert_eq!(empties, (0..11).map(|gone| 16 + 3 - gone < 13).collect::<Vec<_>>());
    // One word in, one word out: 12 wait then, and three have gone into the buffer.
    let fills: Vec<bool> = (0..7).map(|_| cycle(1, 0)).collect();
    assert_eq!((fills, [cycle(0, 1), cycle(0, 1), cycle(0, 1)]), (vec![true; 7], [true; 3]));
    assert_eq!([cycle(1, 1), cycle(1, 1), cycle(1, 1), cycle(0, 1), cycle(1, 1)], [true, true, true, true, true]);
    for _ in 0..100 {
        cycle(0, 1);
    }
    assert_eq!(world.counter("lost_words"), 4);
}

#[test]
fn events_and_words_that_find_no_room_are_counted() {
    overflow(World::new(Case { packets: 0, ..QCN }));
}

#[test]
fn the_registers_tell_who_it_is_and_hold_their_values() {
    let mut world = World::new(Case { packets: 0, ..QCN });
    world.run();
    assert_eq!(world.read("id"), u64::from(u32::from_be_bytes(*b"TDGT")));
    assert_eq!(world.read("count"), 8);
    assert_eq!(world.read("controlled_ports"), 0x55);
    world.write("cpMacAddress_low", 0x1234_5678);
    world.write("cpMacAddress_high", 0x0200);
    assert_eq!((world.read("cpMacAddress_low"), world.read("pending")), (0x1234_5678, 0));
    let refused = world.read("refused_writes");
    world.write("controlled_ports", 0x100);
    assert_eq!((world.read("controlled_ports"), world.read("refused_writes")), (0x55, refused + 1));
    assert_eq!(world.counter("unanswered_requests"), 0);
}

/// The stimulus of the bench in outside simulators, at the ports of the whole.
fn agrees_outside(case: Case, icarus_cycles: usize) {
    let design = Design::of(&made(case.scheme, case.settings, QueueInput::Events).netlist);
    design.lint(&[]);
    let mut world = World::new(case);
    world.record = Some(Default::default());
    world.run();
    let (recorded, expected) = world.record.take().unwrap();
    let place = |name: &str| INPUTS.iter().position(|known| *known == name);
    let places: Vec<_> = design.inputs.iter().map(|(name, _)| place(name)).collect();
    assert!(design.inputs.iter().zip(&places).all(|((name, _), place)| place.is_some() || name == "clk"));
    let row = |row: &[u64], clk| places.iter().map(|place| place.map_or(clk, |place| row[place])).collect::<Vec<_>>();
    let rows: Vec<_> = recorded.iter().flat_map(|one| [row(one, 0), row(one, 1)]).collect();
    assert!(world.frames > 10, "{} frames", world.frames);
    design.compare(&rows, &expected, 2 * icarus_cycles);
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    agrees_outside(Case { packets: 1_500, sink: Pattern::Random(80), ..QCN }, 20_000);
    agrees_outside(Case { packets: 500, sink: Pattern::Bursts(60), drains: 5, ..SMCC }, 5_000);
}
