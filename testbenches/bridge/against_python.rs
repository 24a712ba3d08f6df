// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frame by frame against `bridge.py`: stations that are too many for the table, that move, groups, tags, reserved addresses, bad and
//! short frames.

use super::{made, ready, run};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use tidegate::bench::switch::Frame;
use tidegate::switch::core::Core;
use tidegate_testing::cocotb::python;
use tidegate_testing::stimulus::Random;

const PORTS: u64 = 4;
/// More than the table holds, so that some share a full line.
const STATIONS: u64 = 2000;

/// A frame, and the port to which it comes.
fn next(random: &mut Random, number: u32) -> (usize, Frame) {
    // Half of all frames are between a few stations: so that stations are known.
    let stations = if random.chance(50) { 40 } else { STATIONS };
    let station = |index: u64| 0x02_5e_00_00_00_00 + index * 0x1_0003;
    let source = random.below(stations);
    // A station has its port, but for one in fifty frames: it has moved.
    let port = if random.chance(2) { random.below(PORTS) } else { source % PORTS };
    let destination = match random.below(40) {
        0 => 0xff_ff_ff_ff_ff_ff,
        1 => 0x01_00_5e_00_00_00 + random.below(256),
        2 => 0x01_80_c2_00_00_00 + random.below(20),
        3 => 0x01_80_c2_00_10_00,
        4 => station(source),
        _ => station(random.below(stations)),
    };
    let octets = if random.chance(70) { random.between(60, 80) } else { random.between(60, 400) };
    let mut frame = Frame::between(destination, station(source), octets as usize, 0);
    if random.chance(10) {
        frame.octets.splice(12..12, [0x81, 0x00, 0x20, 0x05]);
    }
    let end = frame.octets.len() - 4;
    frame.octets[end..].copy_from_slice(&number.to_be_bytes());
    frame.bad = random.chance(2);
    if random.chance(1) {
        frame.octets.truncate(random.between(1, 24) as usize);
    }
    (port as usize, frame)
}

/// The ports to which the bridge in Python sends each frame; behind the last frame how many stations it learned, moved, replaced.
fn expected(frames: &[(usize, Frame)]) -> Vec<Vec<usize>> {
    let mut text = String::new();
    for (port, frame) in frames {
        let hex = frame.octets.iter().fold(String::new(), |mut hex, octet| {
            write!(hex, "{octet:02x}").unwrap();
            hex
        });
        writeln!(text, "{port} {hex} {}", u8::from(frame.bad)).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/bridge/bridge.py");
    let mut child = Command::new(python())
        .args([script, &PORTS.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    let ports =
        |line: &str| line.split(',').filter(|port| !port.is_empty()).map(|port| port.parse().unwrap()).collect();
    lines.lines().map(ports).collect()
}

/// Frames, and where the bridge in Python sends each.
pub struct Traffic {
    seed: u64,
    frames: Vec<(usize, Frame)>,
    expected: Vec<Vec<usize>>,
    /// Stations that are learned, that move, that are replaced.
    stations: Vec<usize>,
}

impl Traffic {
    pub fn new(count: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let frames: Vec<(usize, Frame)> = (0..count).map(|number| next(&mut random, number)).collect();
        let mut expected = expected(&frames);
        let stations = expected.pop().expect("it says how many stations it saw");
        assert_eq!(expected.len(), frames.len());
        assert!(stations.iter().all(|&stations| stations > 0), "{stations:?}");
        Traffic { seed, frames, expected, stations }
    }
}

/// Each frame comes when the one before it has left the bridge, so that both bridges see them in the same order.
pub fn agree(core: &Core, traffic: &Traffic) {
    let Traffic { seed, frames, expected, stations } = traffic;
    let count = frames.len() as u32;
    let mut switch = ready(core, PORTS as usize);
    switch.write(super::address(core, 0, "ageing_interval"), 0).unwrap();
    // The internal port takes frames as any other one, and says how many.
    let mut goes: Vec<usize> = vec![0; 5];
    let mut inside = 0;
    for (number, ((port, frame), expected)) in frames.iter().zip(expected).enumerate() {
        switch.sent.clear();
        switch.receive(*port, frame.clone());
        let octets = frame.octets.len() as u64;
        // In, through the bridge and out: twice its time on the wire, and the longest wait for a gap.
        run(&mut switch, 2 * octets + 180);
        let ports: Vec<usize> = expected.iter().copied().filter(|&port| port < PORTS as usize).collect();
        let mut sent: Vec<usize> = switch.sent.iter().map(|sent| sent.1).collect();
        sent.sort();
        assert_eq!(sent, ports, "seed {seed}, frame {number} from port {port}: {:02x?}", frame.octets);
        for (_, to, octets) in &switch.sent {
            assert_eq!(octets, &frame.octets, "seed {seed}, frame {number} to port {to}");
        }
        expected.iter().for_each(|&port| goes[port] += 1);
        inside += expected.contains(&4) as u32;
    }
    println!("seed {seed}: {count} frames, to ports {goes:?}");
    assert!(goes.iter().all(|&frames| frames as u32 > count / 10), "{goes:?}");
    assert_eq!(switch.broken(), 0);
    let counted = |switch: &mut _, name: &str| super::counted(core, switch, 0, name);
    assert_eq!(counted(&mut switch, "received_frames"), inside);
    let sum: u32 = [
        "forwarded_frames",
        "flooded_frames",
        "filtered_frames",
        "reserved_frames",
        "short_frames",
        "input_bad_frames",
    ]
    .map(|name| {
        let frames = counted(&mut switch, name);
        println!("{name}: {frames}");
        assert!(frames > 0, "{name}");
        frames
    })
    .iter()
    .sum();
    assert_eq!(sum, count);
    let seen =
        ["learned_stations", "moved_stations", "replaced_stations"].map(|name| counted(&mut switch, name) as usize);
    assert_eq!(seen[..], stations[..], "stations learned, moved, replaced");
}

#[test]
fn frames_go_where_another_bridge_sends_them() {
    agree(&made("qcn", PORTS as usize, &[]), &Traffic::new(3000, 1));
}

#[test]
#[ignore = "long: 100,000 frames"]
fn a_hundred_thousand_frames_go_where_another_bridge_sends_them() {
    agree(&made("qcn", PORTS as usize, &[]), &Traffic::new(100_000, 2));
}
