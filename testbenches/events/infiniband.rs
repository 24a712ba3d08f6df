// SPDX-License-Identifier: MIT OR Apache-2.0
//! The benches of InfiniBand: both engines write the same trace, and the marking agrees with the events one after the
//! other.

use crate::events::{REFERENCE_CYCLES, agree, next_cycle, rows};
use std::path::Path;
use tidegate::bench::trace::Event;
use tidegate::bench::{Reports, marking, rp, source};
use tidegate::scheme::parameters::Parameters;
use tidegate::schemes::infiniband::rule::{Marking, MarkingMode, ports};
use tidegate_testing::settings::{parameters, scheme};
use tidegate_testing::stimulus::Random;

/// Possible events, and the rows that they produce, without the cycle.
fn packets(random: &mut Random, set: &Parameters, count: usize) -> (Vec<Event<marking::Stimulus>>, Vec<String>) {
    let (density, entering) = (random.pick(&[1, 3, 40]), random.pick(&[55, 70, 90]));
    let (ports, mut switch) = (ports(set), Marking::of(set));
    let (mut cycle, mut events, mut left) = (0, Vec::new(), Vec::new());
    while events.len() < count {
        let (output, input) = (random.below(ports as u64).min(random.below(ports as u64)), random.below(ports as u64));
        let (output, input) = (output as usize, input as usize);
        let kind = if random.chance(entering) {
            // A header, or the last byte of the packet that is coming in.
            let entered = match random.chance(50) {
                true => switch.enter(output, input).map(|()| marking::Stimulus::Enter(output, input)),
                false => switch.complete(input).map(|()| marking::Stimulus::Complete(input)),
            };
            let Ok(kind) = entered else { continue };
            kind
        } else {
            let Ok(marked) = switch.leave(output, input) else { continue };
            switch.free(input).unwrap();
            let counters = switch.counters(output);
            left.push(match switch.mode() {
                MarkingMode::Naive => format!("{output},{input},{},,", u8::from(marked)),
                MarkingMode::Counters => {
                    format!("{output},{input},{},{},{}", u8::from(marked), counters.waiting, counters.to_mark)
                }
            });
            marking::Stimulus::Leave(output, input)
        };
        cycle += next_cycle(random, density);
        events.push(Event { line: events.len() + 2, cycle, kind });
    }
    (events, left)
}

#[test]
fn markings_agree() {
    let mut random = Random::new(4);
    let (mut left, mut marked) = (0, 0);
    for (mode, full_when) in [("counters", "whole"), ("naive", "whole"), ("counters", "header"), ("naive", "header")] {
        for ports in ["2", "4", "8"] {
            for slots in ["1", "2", "4", "15"] {
                let settings =
                    [("marking", mode), ("full_when", full_when), ("ports", ports), ("buffer_packets", slots)];
                let set = parameters("infiniband", &settings);
                for _ in 0..2 {
                    let what = format!("{mode}, {full_when}, {ports} ports, {slots} packets");
                    let (events, expected) = packets(&mut random, &set, 400);
                    let cycles = marking::last_cycle(&set, &events).unwrap() + 10;
                    let trace =
                        agree(&what, marking::HEADER, cycles <= REFERENCE_CYCLES && slots == "2", |engine, trace| {
                            marking::run(scheme("infiniband"), &set, engine, &events, cycles, Reports::trace(trace))
                        });
                    let found: Vec<&str> =
                        trace.lines().skip(1).map(|row| row.split_once(',').expect("a cycle").1).collect();
                    assert_eq!(found, expected, "{what}");
                    left += found.len();
                    marked += expected.iter().filter(|row| row.split(',').nth(2) == Some("1")).count();
                }
            }
        }
    }
    assert!(left > 5000 && marked > 1000 && marked < left, "{marked} of {left}");
}

/// Events of one cycle that conflict are moved to the next cycle; the others stay in it.
#[test]
fn events_of_one_cycle_are_in_the_order_of_the_file() {
    let run_with = |full_when: &str, lines: &str| {
        let set = parameters("infiniband", &[("buffer_packets", "2"), ("full_when", full_when)]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("events.csv");
        std::fs::write(&path, format!("cycle,event,a,b\n{lines}")).unwrap();
        let events = marking::read(&path, &set).unwrap();
        agree(lines, marking::HEADER, true, |engine, trace| {
            marking::run(scheme("infiniband"), &set, engine, &events, 100, Reports::trace(trace))
        })
    };
    let run = |lines: &str| run_with("header", lines);
    let header = marking::HEADER;
    // Two packets leave together on two outputs from two inputs; the third is from an input that is already sending.
    let lines = "1,enter,0,0\n1,enter,1,1\n2,enter,2,0\n9,leave,0,0\n9,leave,1,1\n9,leave,2,0\n";
    assert_eq!(run(lines), format!("{header}\n9,0,0,1,0,0\n9,1,1,0,0,0\n10,2,0,1,0,0\n"));
    // The packet that fills the buffer comes first: packets that leave after it are marked.
    let lines = "1,enter,0,0\n1,enter,0,1\n9,enter,0,0\n9,leave,0,1\n";
    assert_eq!(run(lines), format!("{header}\n10,0,1,1,2,2\n"));
    // The packet that fills the buffer comes last: packets that leave before it are not marked.
    let lines = "1,enter,0,0\n1,enter,0,1\n9,leave,0,1\n9,enter,0,0\n10,leave,0,0\n";
    assert_eq!(run(lines), format!("{header}\n9,0,1,0,1,0\n11,0,0,1,1,1\n"));
    // The second packet cuts through: its last byte is in when its slot is free, so the buffer is never full.
    let lines = "1,enter,0,0\n1,complete,,0\n5,enter,1,0\n7,leave,1,0\n9,complete,,0\n12,leave,0,0\n";
    assert_eq!(run_with("whole", lines), format!("{header}\n7,1,0,0,0,0\n12,0,0,0,0,0\n"));
    assert_eq!(run_with("header", lines), format!("{header}\n7,1,0,1,0,0\n12,0,0,1,0,0\n"));
    // Header and last byte of one packet in one cycle; then the last byte that fills the buffer with a packet that
    // leaves after it.
    let lines = "1,enter,0,0\n1,complete,,0\n5,enter,1,0\n9,complete,,0\n9,leave,0,0\n";
    assert_eq!(run_with("whole", lines), format!("{header}\n10,0,0,1,0,0\n"));
}

#[test]
fn sources_agree() {
    let mut random = Random::new(5);
    let mut changes = 0;
    for response in ["lipd", "fimd", "aimd"] {
        for (factor, steps, persistent) in [("2", "256", "false"), ("3", "100", "true"), ("256", "2", "false")] {
            for (rate, bytes) in [("8000", "2048"), ("32000", "64"), ("100", "64")] {
                let set = parameters(
                    "infiniband",
                    &[
                        ("response", response),
                        ("decrease_factor", factor),
                        ("rate_steps", steps),
                        ("persistent", persistent),
                        ("line_rate_mbps", rate),
                        ("packet_bytes", bytes),
                    ],
                );
                let marks = random.pick(&[10, 50, 90]);
                let mut cycle = 0;
                let events: Vec<_> = (0..80)
                    .map(|index| {
                        cycle += next_cycle(&mut random, 30);
                        let kind = match random.below(40) {
                            0 => source::Stimulus::Flow,
                            _ => source::Stimulus::Ack { marked: random.chance(marks) },
                        };
                        Event { line: index + 2, cycle, kind }
                    })
                    .collect();
                for cycles in [None, Some(20_000)] {
                    let what = format!("{response}, m = {factor}, {steps} rates");
                    let trace = agree(&what, rp::HEADER, cycles.is_some(), |engine, trace| {
                        source::run(scheme("infiniband"), &set, engine, &events, cycles, Reports::trace(trace))
                    });
                    changes += rows(&trace);
                }
            }
        }
    }
    assert!(changes > 1000, "only {changes} changes");
}

/// An ACK that arrives while no packet is outstanding waits for the next packet.
#[test]
fn acks_wait_for_their_packets() {
    let set = parameters("infiniband", &[("response", "fimd")]);
    let ack = |cycle| Event { line: 2, cycle, kind: source::Stimulus::Ack { marked: true } };
    let trace = agree("acks", rp::HEADER, true, |engine, trace| {
        source::run(scheme("infiniband"), &set, engine, &[ack(0), ack(1)], None, Reports::trace(trace))
    });
    // Reset to ready: 4 cycles; then grant, ACK, and the calculator takes it. The second packet is granted 2 packet
    // times of 256 cycles later.
    assert_eq!(trace, format!("{}\n7,4000.000000,,,\n519,2000.000000,,,\n", rp::HEADER));
}

/// Reads a file of events.
type Read<'a> = &'a dyn Fn(&Path) -> anyhow::Result<()>;

#[test]
fn mistakes_are_told_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.csv");
    let set = parameters("infiniband", &[("buffer_packets", "2"), ("ports", "2")]);
    let read_marking = |path: &Path| marking::read(path, &set).map(|_| ());
    let read_source = |path: &Path| source::read(path).map(|_| ());
    let cases: &[(&str, Read, usize, &str)] = &[
        ("1,leave,0,0\n", &read_marking, 2, "no packet for output 0 waits in the buffer of input 0"),
        ("1,enter,0,0\n2,leave,1,0\n", &read_marking, 3, "no packet for output 1"),
        (
            "1,enter,0,1\n1,complete,,1\n2,enter,0,1\n\n3,enter,1,1\n",
            &read_marking,
            6,
            "the buffer of input 1 is full with 2 packets",
        ),
        ("1,enter,2,0\n", &read_marking, 2, "column `a`: 2 is out of range: expected 0 to 1"),
        ("1,enter,0,2\n", &read_marking, 2, "column `b`: 2 is out of range: expected 0 to 1"),
        ("1,enter,0\n", &read_marking, 2, "column `b` is empty"),
        ("1,ack,1\n", &read_marking, 2, "unknown event `ack`: expected enter, complete or leave"),
        ("1,complete,,0\n", &read_marking, 2, "no packet is coming in at input 0"),
        ("1,enter,0,0\n2,complete,,1\n", &read_marking, 3, "no packet is coming in at input 1"),
        ("1,complete,0\n", &read_marking, 2, "column `b` is empty"),
        ("1,enter,0,1\n2,enter,0,1\n", &read_marking, 3, "expected complete,,1 first"),
        ("1,ack,2\n", &read_source, 2, "column `a`: 2 is out of range: expected 0 to 1"),
        ("1,ack\n", &read_source, 2, "column `a` is empty"),
        ("1,cnm,1\n", &read_source, 2, "unknown event `cnm`: expected ack or flow"),
    ];
    for (lines, read, line, expected) in cases {
        std::fs::write(&path, format!("cycle,event,a,b\n{lines}")).unwrap();
        let said = format!("{:#}", read(&path).unwrap_err());
        assert!(said.contains(&format!("events.csv:{line}: ")) && said.contains(expected), "{lines}: {said}");
    }
}
