// SPDX-License-Identifier: MIT OR Apache-2.0
//! The turns of the streams of the bridge, alone: which stream is taken in each cycle.

use super::{alone, made};
use tidegate::netlist::Netlist;
use tidegate_testing::stimulus::Random;

const STREAMS: usize = 9;
/// From the first beat of a frame to that of the next one, in cycles, at least.
const APART: u64 = 12;

/// Compares the turns with a plain program, with some streams that have frames of some beats.
pub fn are_fair(switch: &Netlist, cycles: u64) {
    let program = alone(switch, "switch_frame_turns");
    let input = |name: &str| program.input(name).unwrap();
    let [reset, offers, ends, ready] = ["reset", "offers", "ends", "ready"].map(input);
    let takes = program.output("takes").unwrap();
    let mut simulation = program.start(1);
    let mut random = Random::new(5);
    let (mut offered, mut ended) = ([false; STREAMS], [false; STREAMS]);
    let (mut taken, mut last, mut earliest) = (None, STREAMS - 1, 0);
    let mut turns = [0; STREAMS];
    let bits = |flags: &[bool; STREAMS]| (0..STREAMS).map(|place| u64::from(flags[place]) << place).sum::<u64>();
    for cycle in 0..cycles {
        // Times with much to do and with little, and frames that are long or have one beat.
        let (busy, long) = ([2, 30, 100][cycle as usize / 1000 % 3], [0, 50, 95][cycle as usize / 3000 % 3]);
        for stream in 0..STREAMS {
            if !offered[stream] && random.chance(busy) {
                (offered[stream], ended[stream]) = (true, !random.chance(long));
            }
        }
        let (resets, is_ready) = (cycle < 2 || cycle % 4096 == 0, !random.chance(10));
        simulation.set(reset, u64::from(resets));
        simulation.set(offers, bits(&offered));
        simulation.set(ends, bits(&ended));
        simulation.set(ready, u64::from(is_ready));
        simulation.step();
        if cycle > 1 {
            let expected = taken.map_or(0, |stream: usize| 1 << stream);
            assert_eq!(simulation.get(takes), expected, "cycle {cycle}");
        }
        let now = taken;
        if resets {
            (taken, last, earliest) = (None, STREAMS - 1, 0);
        } else if let Some(stream) = taken {
            taken = if offered[stream] && ended[stream] { None } else { taken };
        } else if is_ready && cycle >= earliest {
            taken = (1..=STREAMS).map(|step| (last + step) % STREAMS).find(|&stream| offered[stream]);
            if let Some(stream) = taken {
                (last, earliest) = (stream, cycle + APART);
                turns[stream] += 1;
            }
        }
        if let Some(stream) = now {
            offered[stream] = false;
        }
    }
    assert!(turns.iter().all(|&turns| turns > cycles / 1000), "{turns:?}");
}

#[test]
fn each_stream_has_its_turn() {
    are_fair(&made("qcn", 2, &[]).netlist, 100_000);
}
