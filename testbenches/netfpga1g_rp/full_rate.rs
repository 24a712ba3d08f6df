// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast packets go through the gates if packets always wait: their limiter must not be what slows a port down.

use crate::netfpga1g_cp::packets::{HEADER, Word};
use crate::netfpga1g_rp::lanes::Departures;
use crate::netfpga1g_rp::world::{Case, World, parameters};
use crate::netfpga1g_rp::{RULE, RULES, SMCC};
use tidegate_testing::receive_frames::Rule;

/// Cycles of a packet on a port of Gigabit Ethernet at 125 MHz: its octets, check sequence, preamble and gap.
fn line_cycles(octets: u64) -> u64 {
    octets + 4 + 20
}

/// A packet of so many octets.
fn words(octets: u64) -> Vec<Word> {
    let count = octets.div_ceil(8);
    let last = 1 << (8 * count - octets);
    let data = (0..count).map(|place| if place + 1 == count { (last, place) } else { (0, place) });
    [(HEADER, count << 32 | octets)].into_iter().chain(data).collect()
}

/// Cycles from one packet to the next at the first gate, on average of `packets`, while so many gates have packets that always wait.
fn cycles_a_packet(case: Case, gates: usize, octets: u64, packets: u64) -> f64 {
    let mut world = World::new(case);
    world.set_up();
    let pins = &mut world.pins;
    let words = words(octets);
    let input = |name: &str, gate| pins.input(&format!("tx_{name}_{gate}"));
    let output = |name: &str, gate| pins.output(&format!("tx_{name}_{gate}"));
    let inputs: Vec<_> =
        (0..gates).map(|gate| ["in_data", "in_ctrl", "in_wr", "out_rdy"].map(|name| input(name, gate))).collect();
    let outputs: Vec<_> = (0..gates).map(|gate| ["in_rdy", "out_wr"].map(|name| output(name, gate))).collect();
    let mut places = vec![0; gates];
    let (mut gone, mut since) = (0, 0);
    // The bucket is empty at first, and then full once: the first packets do not count.
    let (first, all) = (10 * words.len() as u64, (10 + packets) * words.len() as u64);
    let end = pins.cycle + 4 * all * line_cycles(octets) / words.len() as u64;
    while gone < all {
        assert!(pins.cycle < end, "{gone} words went");
        for ([in_data, in_ctrl, in_wr, out_rdy], ([in_rdy, _], place)) in
            inputs.iter().zip(outputs.iter().zip(&mut places))
        {
            let writes = pins.get(*in_rdy);
            let (ctrl, data) = words[*place];
            pins.set(*in_data, data);
            pins.set(*in_ctrl, ctrl.into());
            pins.set(*in_wr, writes);
            pins.set(*out_rdy, 1);
            *place = (*place + writes as usize) % words.len();
        }
        pins.clock();
        gone += pins.get(outputs[0][1]);
        if gone == first {
            since = pins.cycle;
        }
    }
    (pins.cycle - since) as f64 / packets as f64
}

fn with(flows: u64, bucket: u64, settings: &'static [(&'static str, &'static str)]) -> Case {
    let rules = Departures { bucket, ..RULES };
    Case { flows, settings, rule: Rule { flow_mask: flows - 1, ..RULE }, rules, ..SMCC }
}

fn default_bucket() -> u64 {
    parameters(&SMCC).1.integer("bucket_bytes")
}

/// A pipeline without this module was measured to send such a packet in 88 cycles at each of four ports.
#[test]
fn four_gates_with_the_smallest_packets_do_95_percent_of_what_they_do_without_control() {
    const WITHOUT_CONTROL: f64 = 88.0;
    for flows in [4, 64] {
        let cycles = cycles_a_packet(with(flows, default_bucket(), &[]), 4, 60, 300);
        println!("{flows} flows: {cycles:.1} cycles a packet");
        assert!(cycles <= WITHOUT_CONTROL / 0.95, "{flows} flows: {cycles:.1} cycles a packet");
    }
}

/// With the default bucket, with and without the overhead of a frame in its rate.
#[test]
fn one_flow_of_the_longest_frames_reaches_the_line_rate() {
    for flows in [4, 64] {
        for settings in [&[][..], &[("include_overhead", "true")]] {
            for gates in [1, 4] {
                let cycles = cycles_a_packet(with(flows, default_bucket(), settings), gates, 1514, 40);
                println!("{flows} flows, {gates} gates, {settings:?}: {cycles:.1} cycles a packet");
                assert!(cycles <= line_cycles(1514) as f64, "{flows} flows, {gates} gates, {settings:?}: {cycles:.1}");
            }
        }
    }
}

/// Prints how many cycles a frame of 1,514 octets takes with other buckets: from which on it takes no more than on the line.
#[test]
#[ignore = "long: a run for each bucket"]
fn how_deep_a_bucket_must_be() {
    for bucket in (1538..1720).step_by(8) {
        let of = |gates, settings| cycles_a_packet(with(4, bucket, settings), gates, 1514, 40);
        let overhead = &[("include_overhead", "true")];
        println!("{bucket}: {:.1} {:.1} {:.1} {:.1}", of(1, &[]), of(4, &[]), of(1, overhead), of(4, overhead));
    }
}
