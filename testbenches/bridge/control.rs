// SPDX-License-Identifier: MIT OR Apache-2.0
//! The control loop in the switch: the internal port overloads an output, and obeys.

use super::{address, counted, made, ready, run, set};
use tidegate::bench::switch::Frame;
use tidegate::switch::core::Core;

/// Settings of these runs.
pub const SETTINGS: [(&str, &str); 2] = [("sample_packets", "20"), ("q0_bytes", "8000")];

/// Sends at 2 Gb/s to an output of 1 Gb/s.
pub fn overloaded(core: &Core, ports: usize) {
    let mut switch = ready(core, ports);
    let (station, internal) = (0x02_00_00_00_00_0a_u64, 0x02_00_00_00_10_00_u64);
    switch.receive(0, Frame::between(0xff_ff_ff_ff_ff_ff, station, 60, 0));
    run(&mut switch, 300);
    for (name, value) in [
        ("generator_destination_high", (station >> 32) as u32),
        ("generator_destination_low", station as u32),
        ("generator_octets", 1514),
        ("generate", 1),
    ] {
        set(core, &mut switch, name, value);
    }
    let queue_bytes = address(core, 2, "queue_bytes");
    let rate = address(core, 1, "current_rate");
    let mut queue: Vec<u32> = Vec::new();
    let begin = switch.cycle;
    for _ in 0..1200 {
        run(&mut switch, 5000);
        queue.push(switch.read(queue_bytes).unwrap());
    }
    let rate = f64::from(switch.read(rate).unwrap()) / f64::from(1 << 18);
    let second_half = &queue[600..];
    let mean = second_half.iter().map(|&bytes| f64::from(bytes)).sum::<f64>() / 600.0;
    let octets: usize = switch.sent.iter().filter(|sent| sent.1 == 0).map(|sent| sent.2.len() + 24).sum();
    let used = octets as f64 / (switch.cycle - begin) as f64;
    let feedback = counted(core, &mut switch, 2, "cpTransmittedCnms");
    let dropped = counted(core, &mut switch, 2, "dropped_frames");
    let removed = counted(core, &mut switch, 1, "removed_frames");
    println!("queue {mean:.0} octets, link {used:.3}, {feedback} feedback frames, {dropped} dropped, rate {rate:.3}");
    assert!(feedback > 0);
    // Each feedback frame goes to the internal port, and to no other one.
    assert!(feedback - removed <= 1, "{feedback} sent, {removed} obeyed");
    assert!(switch.sent.iter().all(|sent| sent.2[0..6] != internal.to_be_bytes()[2..]));
    assert!((2000.0..14_000.0).contains(&mean), "queue {mean}");
    assert!(used > 0.9, "link {used}");
    assert!(dropped < 100, "{dropped} dropped");
    assert_eq!(switch.broken(), 0);
}

#[test]
fn qcn_holds_the_queue() {
    overloaded(&made("qcn", 2, &SETTINGS), 2);
}

#[test]
fn smcc_holds_the_queue() {
    overloaded(&made("smcc", 2, &SETTINGS), 2);
}
