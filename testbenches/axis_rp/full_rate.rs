// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast frames go through the gate if frames always wait.

use crate::axis_rp::SMCC;
use crate::axis_rp::world::{Case, World};
use tidegate::bus::width::Width;
use tidegate_testing::receive_frames::Rule;

/// Cycles from one frame of so many octets to the next, on average of `frames`, all of one flow.
fn cycles_a_frame(flows: u64, bucket: Option<u64>, octets: u64, frames: u64) -> f64 {
    let rule = Rule { flow_mask: flows - 1, ..SMCC.rule };
    let mut world = World::new(Case { flows, rule, width: Width::W64, ..SMCC });
    world.set_up();
    if let Some(bytes) = bucket {
        world.write("bucket_bytes", bytes);
    }
    let pins = &mut world.pins;
    let [keep, last, valid, ready] = ["tkeep", "tlast", "tvalid", "tready"].map(|name| {
        let side = if name == "tready" { "m" } else { "s" };
        pins.input(&format!("{side}_axis_tx_{name}"))
    });
    let taken = pins.output("s_axis_tx_tready");
    let [gone, gone_last] = ["tvalid", "tlast"].map(|name| pins.output(&format!("m_axis_tx_{name}")));
    let beats = octets.div_ceil(8);
    let (mut place, mut count, mut since) = (0, 0, 0);
    let end = pins.cycle + 10 * (frames + 10) * (octets + 24);
    pins.set(valid, 1);
    pins.set(ready, 1);
    while count < 10 + frames {
        assert!(pins.cycle < end, "{count} frames went");
        pins.set(last, u64::from(place + 1 == beats));
        pins.set(keep, if place + 1 == beats { 0xff >> (8 * beats - octets) } else { 0xff });
        pins.clock();
        place = (place + pins.get(taken)) % beats;
        count += pins.get(gone) & pins.get(gone_last);
        // The bucket is empty at first, and then full once: the first frames do not count.
        if count < 10 {
            since = pins.cycle;
        }
    }
    (pins.cycle - since) as f64 / frames as f64
}

/// A frame takes its octets, check sequence, preamble and gap on a line of 1 Gb/s at 125 MHz.
#[test]
fn one_flow_of_the_longest_frames_reaches_the_line_rate_with_the_default_bucket() {
    for flows in [1, 4, 64] {
        let cycles = cycles_a_frame(flows, None, 1514, 40);
        println!("{flows} flows: {cycles:.1} cycles a frame");
        assert!(cycles <= 1538.0, "{flows} flows: {cycles:.1} cycles a frame");
    }
}

/// Prints how many cycles a frame of 1,514 octets takes with other buckets.
#[test]
#[ignore = "long: a run for each bucket"]
fn how_deep_a_bucket_must_be() {
    for bucket in (1538..1720).step_by(8) {
        let cycles = [1, 4, 64].map(|flows| cycles_a_frame(flows, Some(bucket), 1514, 40));
        println!("{bucket}: {cycles:.1?}");
    }
}
