// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module that tells what has left queues whose levels are known, alone.

use tidegate::bus::axis_tap::level_events::{WAY, level_events};
use tidegate::bus::width::Width;
use tidegate::engine::Program;
use tidegate::netlist::Netlist;

/// Octets of a frame: of three of them, more than a report of 16 bits holds.
const FRAME: u64 = 60_000;

/// Octets that the module tells for queue 0 after three frames have entered it, and what one report tells at most. The level
/// follows each beat at once; then the queue is emptied in one cycle.
fn told(netlist: &Netlist) -> (u64, u64) {
    let width = Width::W64;
    let program = Program::compile(netlist).unwrap();
    let input = |name| program.input(name).unwrap();
    let (known, octets, queues) = (input("frame_enqueue"), input("frame_octets"), input("frame_queues"));
    let (there, ready, last, taken) = (input("next_tvalid"), input("next_tready"), input("next_tlast"), input("taken"));
    let level = input("queue_octets_0");
    let (removed, bytes) = (program.output("pkt_removed_0").unwrap(), program.output("bytes_removed_0").unwrap());
    let mut simulation = program.start(1);
    simulation.set(input("reset"), 1);
    simulation.step();
    simulation.set(input("reset"), 0);
    let (mut sum, mut most) = (0, 0);
    let mut step = |simulation: &mut tidegate::engine::Simulation| {
        simulation.step();
        if simulation.get(removed) == 1 {
            sum += simulation.get(bytes);
            most = most.max(simulation.get(bytes));
        }
    };
    let beats = FRAME / (width.bits() as u64 / 8);
    for frame in 0..3 {
        for beat in 0..beats {
            for (input, value) in
                [(known, beat == 0), (there, true), (ready, true), (last, beat + 1 == beats), (taken, frame + beat > 0)]
            {
                simulation.set(input, value.into());
            }
            simulation.set(octets, FRAME);
            simulation.set(queues, 1);
            simulation.set(level, frame * FRAME + beat * FRAME / beats);
            step(&mut simulation);
        }
    }
    for input in [known, there, ready, last] {
        simulation.set(input, 0);
    }
    simulation.set(level, 3 * FRAME);
    step(&mut simulation);
    simulation.set(taken, 0);
    (0..10 * WAY).for_each(|_| step(&mut simulation));
    simulation.set(level, 0);
    (0..1_000).for_each(|_| step(&mut simulation));
    (sum, most)
}

/// What it tells if it is right: in reports of at most 65,535 octets.
const RIGHT: (u64, u64) = (3 * FRAME, 0xffff);

/// Whether the module of 64 bits in a netlist is right about a queue that is emptied at once.
pub fn is_right(whole: &Netlist) -> bool {
    let module =
        whole.modules.iter().find(|module| module.name == "axis_level_events_64").expect("the module is there");
    told(&Netlist { modules: vec![module.clone()] }) == RIGHT
}

#[test]
fn a_queue_that_is_emptied_at_once_is_told_in_parts() {
    assert_eq!(told(&level_events(Width::W64)), RIGHT);
}
