// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frames of the internal port.

use super::{counted, made, ready, run, set};
use tidegate::bench::switch::Frame;
use tidegate::switch::core::Core;

/// Frames of a length.
const FRAMES: u64 = 4;
/// Cycles from one to the next.
const INTERVAL: u64 = 4000;

#[test]
fn frames_of_each_length_are_made_at_their_pace() {
    makes_its_frames(&made("qcn", 2, &[]), 2);
}

/// The frames of each length, octet by octet, and the time from one to the next.
pub fn makes_its_frames(core: &Core, ports: usize) {
    let mut switch = ready(core, ports);
    for (name, value) in [
        ("generator_destination_high", 0x0212),
        ("generator_destination_low", 0x3456_789a),
        ("generator_source_high", 0x02bc),
        ("generator_source_low", 0xdef0_1357),
        ("generator_interval", INTERVAL as u32),
    ] {
        set(core, &mut switch, name, value);
    }
    let mut number = 0_u32;
    for length in [60, 61, 62, 63, 64, 65, 66, 67, 68, 1513, 1518] {
        switch.sent.clear();
        set(core, &mut switch, "generator_octets", length as u32);
        set(core, &mut switch, "generate", 1);
        run(&mut switch, FRAMES * INTERVAL - INTERVAL / 2);
        set(core, &mut switch, "generate", 0);
        run(&mut switch, INTERVAL);
        // Nobody has that address, so the frames go to all ports.
        for port in 0..ports {
            let came: Vec<_> = switch.sent.iter().filter(|sent| sent.1 == port).collect();
            assert_eq!(came.len() as u64, FRAMES, "port {port}, {length} octets");
            for (number, (_, _, octets)) in (number..).zip(&came) {
                let mut frame = Frame::between(0x0212_3456_789a, 0x02bc_def0_1357, length, 0);
                frame.octets[14..18].copy_from_slice(&number.to_be_bytes());
                assert_eq!(*octets, frame.octets, "port {port}, {length} octets");
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
