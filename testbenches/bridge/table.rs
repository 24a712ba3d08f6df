// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the address table forgets.

use super::{counted, made, ready, run, set};
use tidegate::bench::switch::Frame;
use tidegate::switch::core::Core;

/// Cycles of an ageing interval of 20 units.
const INTERVAL: u64 = 20 * 1024;

/// Two stations that share a line of the table.
const SHARE: [u64; 2] = [0x02_00_00_00_00_0a, 0x02_00_00_00_02_0b];

/// Silent stations are forgotten after 14 to 15 intervals, wherever in an interval they were heard last.
pub fn forgets(core: &Core, ports: usize, offsets: &[u64]) {
    let mut switch = ready(core, ports);
    set(core, &mut switch, "ageing_interval", 20);
    let ([a, beside], b) = (SHARE, 0x02_00_00_00_00_0b);
    for (number, &offset) in offsets.iter().enumerate() {
        run(&mut switch, offset);
        for station in [beside, a] {
            switch.receive(0, Frame::between(b, station, 60, 1));
            run(&mut switch, 300);
        }
        let begin = switch.cycle;
        // Another station asks for it again and again, which keeps nothing alive but the one that asks.
        let mut known_until = begin;
        loop {
            switch.sent.clear();
            switch.receive(1, Frame::between(a, b, 60, 2));
            run(&mut switch, 300);
            let before = counted(core, &mut switch, 0, "flooded_frames");
            switch.receive(1, Frame::between(a, b, 60, 3));
            run(&mut switch, 300);
            if counted(core, &mut switch, 0, "flooded_frames") > before {
                break;
            }
            known_until = switch.cycle;
            assert!(known_until - begin < 17 * INTERVAL, "never forgotten");
        }
        let intervals = (known_until - begin) as f64 / INTERVAL as f64;
        println!("known for {intervals:.2} intervals");
        // A pass through the table takes about 2,050 cycles, and a question 600.
        assert!((13.8..15.2).contains(&intervals), "{intervals}");
        run(&mut switch, INTERVAL);
        assert_eq!(counted(core, &mut switch, 0, "aged_stations") as usize, 2 * (number + 1));
    }
}

/// After a reset a switch knows nobody and has counted nothing.
pub fn is_new_after_a_reset(core: &Core, ports: usize) {
    let mut switch = ready(core, ports);
    let asks = 0x02_00_00_00_00_0c;
    for _ in 0..2 {
        for station in SHARE {
            switch.sent.clear();
            switch.receive(1, Frame::between(station, asks, 60, 1));
            run(&mut switch, 300);
            assert_eq!(switch.sent.len(), ports - 1, "{station:x} is known");
        }
        assert_eq!(counted(core, &mut switch, 0, "flooded_frames"), 2);
        assert_eq!(counted(core, &mut switch, 0, "learned_stations"), 1);
        assert_eq!(counted(core, &mut switch, 0, "aged_stations"), 0);
        for station in SHARE {
            switch.receive(0, Frame::between(asks, station, 60, 1));
            run(&mut switch, 300);
            switch.sent.clear();
            switch.receive(1, Frame::between(station, asks, 60, 1));
            run(&mut switch, 300);
            assert_eq!(switch.sent.iter().map(|sent| sent.1).collect::<Vec<_>>(), [0]);
        }
        switch.reset();
        run(&mut switch, super::FORGETS);
    }
}

#[test]
fn a_switch_is_new_after_a_reset() {
    is_new_after_a_reset(&made("qcn", 2, &[]), 2);
}

#[test]
fn a_silent_station_is_forgotten_after_14_to_15_intervals() {
    forgets(&made("qcn", 2, &[]), 2, &[0, 5000, 12_000, 20_000]);
}

#[test]
fn nothing_is_forgotten_with_an_interval_of_0() {
    let core = made("qcn", 2, &[]);
    let mut switch = ready(&core, 2);
    set(&core, &mut switch, "ageing_interval", 0);
    let [a, b] = [0x02_00_00_00_00_0a, 0x02_00_00_00_00_0b];
    switch.receive(0, Frame::between(b, a, 60, 1));
    run(&mut switch, 20 * INTERVAL);
    switch.sent.clear();
    switch.receive(1, Frame::between(a, b, 60, 2));
    run(&mut switch, 300);
    assert_eq!(switch.sent.iter().map(|sent| sent.1).collect::<Vec<_>>(), [0]);
    assert_eq!(counted(&core, &mut switch, 0, "aged_stations"), 0);
}

/// A station that moves is found at its new port at once.
pub fn follows(core: &Core, ports: usize) {
    let mut switch = ready(core, ports);
    let [a, b] = [0x02_00_00_00_00_0a, 0x02_00_00_00_00_0b];
    for port in [0, 2, 1, 0, 1] {
        switch.receive(port, Frame::between(a, a, 60, 1));
        run(&mut switch, 300);
        let from = if port == 2 { 0 } else { 2 };
        switch.sent.clear();
        switch.receive(from, Frame::between(a, b, 60, 2));
        run(&mut switch, 300);
        assert_eq!(switch.sent.iter().map(|sent| sent.1).collect::<Vec<_>>(), [port]);
    }
    assert_eq!(counted(core, &mut switch, 0, "moved_stations"), 4 + 2);
}

#[test]
fn a_station_that_moves_is_found_at_its_new_port_at_once() {
    follows(&made("qcn", 3, &[]), 3);
}
