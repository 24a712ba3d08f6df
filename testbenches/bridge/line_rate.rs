// SPDX-License-Identifier: MIT OR Apache-2.0
//! All ports at line rate: nothing is lost before the bridge or in it.

use super::{counted, made_at, run, set};
use tidegate::bench::switch::{Frame, Switch};
use tidegate::switch::core::Core;
use tidegate_testing::stimulus::Random;

fn station(port: usize) -> u64 {
    0x02_00_00_00_20_00 + port as u64
}

fn of(ports: usize, clock_mhz: u64) -> Core {
    made_at("qcn", ports, &[], clock_mhz)
}

/// Each station sends to the next one, without a gap beyond that of the MAC, and so does the internal port.
pub fn all_send(core: &Core, ports: usize, frames: usize, lengths: &[usize]) {
    let clock_mhz = u64::from(core.clock_mhz);
    let mut switch = Switch::new(&core.netlist, ports, clock_mhz).unwrap();
    run(&mut switch, super::FORGETS);
    for port in 0..ports {
        switch.receive(port, Frame::between(0xff_ff_ff_ff_ff_ff, station(port), 60, 0));
        run(&mut switch, 800);
    }
    switch.sent.clear();
    let mut random = Random::new(7);
    let mut sent: Vec<Vec<Vec<u8>>> = vec![Vec::new(); ports];
    for number in 0..frames {
        for port in 0..ports {
            let mut frame = Frame::between(station((port + 1) % ports), station(port), random.pick(lengths), 0);
            frame.octets[14..18].copy_from_slice(&(number as u32).to_be_bytes());
            sent[(port + 1) % ports].push(frame.octets.clone());
            switch.receive(port, frame);
        }
    }
    // The internal port sends the shortest frames to nobody, as fast as its rate allows: they add to the work of the bridge.
    set(core, &mut switch, "generator_octets", 60);
    set(core, &mut switch, "generator_destination_high", 0x0200);
    set(core, &mut switch, "generator_destination_low", 0x1000);
    set(core, &mut switch, "generate", 1);
    while (0..ports).any(|port| switch.coming(port) > 0) {
        switch.step();
    }
    run(&mut switch, 40_000);
    for (port, sent) in sent.iter().enumerate() {
        let came: Vec<&Vec<u8>> = switch.sent.iter().filter(|frame| frame.1 == port).map(|frame| &frame.2).collect();
        let of_stations: Vec<&Vec<u8>> =
            came.into_iter().filter(|frame| frame[6..12] != [2, 0, 0, 0, 0x10, 0]).collect();
        assert_eq!(of_stations.len(), sent.len(), "port {port}");
        assert!(of_stations.iter().zip(sent).all(|(came, sent)| *came == sent), "port {port}");
    }
    assert_eq!(switch.broken(), 0);
    let generated = counted(core, &mut switch, 0, "generated_frames");
    println!(
        "{ports} ports, {clock_mhz} MHz: {frames} frames a port, {generated} of the internal port, {} cycles",
        switch.cycle
    );
    for name in ["input_bad_frames", "input_dropped_frames", "short_frames"] {
        assert_eq!(counted(core, &mut switch, 0, name), 0, "{name}");
    }
}

#[test]
fn four_ports_with_the_shortest_frames() {
    all_send(&of(4, 125), 4, 600, &[60]);
}

/// With the slowest clock that a switch takes.
#[test]
fn any_number_of_ports_with_the_shortest_frames_and_the_slowest_clock() {
    for (ports, clock_mhz) in [(2, 60), (3, 80), (4, 100)] {
        all_send(&of(ports, clock_mhz), ports, 600, &[60]);
    }
}

#[test]
fn two_ports_with_the_slowest_clock() {
    all_send(&of(2, 60), 2, 400, &[60, 60, 61, 67, 68, 100, 1514]);
}

#[test]
fn frames_of_all_lengths() {
    all_send(&of(4, 125), 4, 200, &[60, 61, 62, 63, 64, 65, 66, 67, 68, 71, 72, 500, 1000, 1513, 1514, 1518]);
}
