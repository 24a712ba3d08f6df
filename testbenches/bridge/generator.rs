// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames of the internal port.

use super::{address, counted, made, ready, run};
use tidegate::bench::switch::Switch;
use tidegate::switch::core::Core;

/// Frames of a length.
const FRAMES: u64 = 4;
/// Cycles from one to the next.
const INTERVAL: u64 = 4000;

/// Frames of each length go out, octet by octet as they should be, at the pace of `generator_interval`.
pub fn makes(core: &Core, ports: usize, lengths: &[usize]) {
    let mut switch = ready(core, ports);
    let write = |switch: &mut Switch, name: &str, value: u32| {
        switch.write(address(core, 0, name), value).unwrap();
    };
    for (name, value) in [
        ("generator_destination_high", 0x0212),
        ("generator_destination_low", 0x3456_789a),
        ("generator_source_high", 0x02bc),
        ("generator_source_low", 0xdef0_1357),
        ("generator_interval", INTERVAL as u32),
    ] {
        write(&mut switch, name, value);
    }
    let mut number = 0_u32;
    for &length in lengths {
        switch.sent.clear();
        write(&mut switch, "generator_octets", length as u32);
        write(&mut switch, "generate", 1);
        run(&mut switch, FRAMES * INTERVAL - INTERVAL / 2);
        write(&mut switch, "generate", 0);
        run(&mut switch, INTERVAL);
        // Nobody has that address, so the frames go to all ports.
        for port in 0..ports {
            let came: Vec<_> = switch.sent.iter().filter(|sent| sent.1 == port).collect();
            assert_eq!(came.len() as u64, FRAMES, "port {port}, {length} octets");
            for (at, (_, _, octets)) in came.iter().enumerate() {
                let mut frame =
                    vec![0x02, 0x12, 0x34, 0x56, 0x78, 0x9a, 0x02, 0xbc, 0xde, 0xf0, 0x13, 0x57, 0x88, 0xb5];
                frame.extend((number + at as u32).to_be_bytes());
                frame.resize(length, 0);
                assert_eq!(*octets, frame, "port {port}, {length} octets");
            }
            for pair in came.windows(2) {
                assert_eq!(pair[1].0 - pair[0].0, INTERVAL, "port {port}, {length} octets");
            }
        }
        number += FRAMES as u32;
    }
    assert_eq!(counted(core, &mut switch, 0, "generated_frames"), number);
    assert_eq!(switch.broken(), 0);
}

#[test]
fn frames_of_each_length_are_made_at_their_pace() {
    makes(&made("qcn", 2, &[]), 2, &[60, 61, 62, 63, 64, 65, 66, 67, 68, 1513, 1518]);
}
