//! The congestion point as a module of the NetFPGA-1G user data path, whole: packets between an arbiter that sees
//! `in_rdy` late and output queues in SRAM that store, remove and drop.

mod packets;
#[path = "../expressions/simulators.rs"]
mod simulators;
#[path = "../common/stimulus.rs"]
mod stimulus;
mod world;

use stimulus::{PATTERNS, Pattern};
use world::{Case, World};

const QCN: Case = Case {
    scheme: "qcn",
    settings: &[("sample_mode", "packets"), ("sample_packets", "5"), ("q0_bytes", "8000")],
    packets: 10_000,
    late: 1,
    source: Pattern::Always,
    sink: Pattern::Always,
    once: true,
    drains: 30,
    capacity: 40_000,
    seed: 1,
};

fn run(case: Case) -> World {
    let mut world = World::new(case);
    world.run();
    world
}

#[test]
fn every_packet_goes_through_and_frames_come_between() {
    for (seed, sink) in PATTERNS.into_iter().enumerate() {
        let world = run(Case { sink, packets: 2_000, seed: seed as u64, ..QCN });
        eprintln!("{sink:?}: {} cycles, {} frames, {} dropped", world.cycle, world.frames, world.dropped);
    }
}
