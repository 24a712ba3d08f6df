// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output queues in block RAM: lengths follow their levels.

use crate::netfpga1g_cp::world::{Case, Level, Way, World};
use crate::netfpga1g_cp::{SMCC, run};
use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate::rtl::bus::netfpga1g::level_events::LevelEvents;
use tidegate::rtl::circuit::Circuit;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random};

/// Queues that are often full.
pub const LEVEL: Case =
    Case { level: Some(Level { way: Way::Cycles(5), exact: true }), once: false, packets: 4_000, drains: 60, ..SMCC };

#[test]
fn lengths_follow_the_levels() {
    for scheme in ["qcn", "smcc"] {
        for (seed, way) in [Way::Cycles(1), Way::Cycles(5), Way::Cycles(16), Way::InputFifo].into_iter().enumerate() {
            let level = Some(Level { way, exact: true });
            let world = run(Case { scheme, level, seed: seed as u64, ..LEVEL });
            let (full, lost) = (world.block_ram.full, world.block_ram.lost);
            assert!(world.frames > 300 && full > 10_000 && lost > 1_000, "{} frames, {full}, {lost}", world.frames);
        }
    }
}

/// With the queue that real output queues have at their input: it is full of short packets when the traffic ends.
#[test]
fn lengths_at_rest_are_the_levels() {
    for (seed, ports) in [(1, 0x55), (2, 0xff)] {
        let level = Some(Level { way: Way::InputFifo, exact: true });
        let mut world = World::new(Case { level, seed, ports, drains: 200, packets: 0, ..LEVEL });
        world.set_up();
        let filled = (0..150).filter(|_| world.burst_and_rest(12)).count();
        assert!(filled > 100, "{filled} rounds with words in a queue");
    }
}

/// With packets that nothing announces, and module headers that are not counted.
#[test]
fn lengths_find_back_to_the_levels() {
    for (seed, sink) in PATTERNS.into_iter().enumerate() {
        for (ports, drains) in [(0x55, 60), (0xff, 200), (0xff, 15)] {
            let level = Some(Level { way: Way::Cycles(5), exact: false });
            let world = run(Case { level, sink, ports, drains, packets: 1_500, seed: seed as u64, ..LEVEL });
            assert!(world.frames > 50, "{} frames", world.frames);
        }
    }
}

#[test]
fn back_pressure_changes_no_length() {
    for (seed, sink) in PATTERNS.into_iter().enumerate() {
        for source in [Pattern::Always, Pattern::Bursts(60)] {
            run(Case { sink, source, packets: 1_500, seed: seed as u64, ports: 0xff, ..LEVEL });
        }
    }
}

/// What was counted before a reset does not leave after it. The netlist has the module inside.
pub fn a_reset_forgets_counts(whole: &Netlist) {
    let place = whole.modules.iter().position(|module| module.name == "level_events").unwrap();
    let program = Program::compile(&Netlist { modules: whole.modules[..=place].to_vec() }).unwrap();
    let mut simulation = program.start(1);
    // A queue is told of 100 words, none of which is in its level.
    let mut events = |reset: u64, enqueue: u64| {
        let inputs = [("reset", reset), ("enqueue", enqueue), ("enqueue_queue", 3), ("enqueue_bytes", 800)];
        for (name, value) in inputs.into_iter().chain([("ready", 1), ("dequeue_ready", 1)]) {
            simulation.set(program.input(name).unwrap(), value);
        }
        simulation.step();
        simulation.get(program.output("dequeue").unwrap())
    };
    for forgets in [false, true] {
        events(1, 0);
        (0..100).for_each(|_| assert_eq!(events(0, 0), 0));
        events(0, 1);
        if forgets {
            events(0, 0);
            events(1, 0);
        }
        let told: u64 = (0..100).map(|_| events(0, 0)).sum();
        assert_eq!(told, u64::from(!forgets), "events");
    }
}

#[test]
fn a_reset_forgets_what_was_counted() {
    a_reset_forgets_counts(&Circuit::of::<LevelEvents>("level_events", &[]).netlist);
}

/// The levels of the bench at the ports of the module that reads them, in outside simulators.
#[test]
fn the_verilog_of_levels_agrees_in_outside_simulators() {
    let circuit = Circuit::of::<LevelEvents>("level_events", &[]);
    let design = Design::of(&circuit.netlist);
    design.lint(&[]);
    let program = Program::compile(&circuit.netlist).unwrap();
    let mut simulation = program.start(1);
    let (mut random, mut levels) = (Random::new(1), [0u64; 8]);
    let (mut rows, mut expected) = (Vec::new(), Vec::new());
    for cycle in 0..20_000u64 {
        let mut of = |name: &str, random: &mut Random| match (name, name.strip_prefix("queue_words_")) {
            (_, Some(queue)) => {
                let level = &mut levels[queue.parse::<usize>().unwrap()];
                *level = (*level + random.below(40)).saturating_sub(random.below(40)).min(2048);
                *level % 2048
            }
            ("reset", _) => u64::from(cycle < 2),
            ("ready" | "dequeue_ready", _) => random.below(2),
            ("enqueue" | "next_wr" | "out_of_packet" | "buffered" | "packet_known", _) => u64::from(random.chance(10)),
            ("enqueue_queue", _) => random.below(8),
            ("enqueue_bytes", _) => 8 * random.below(256),
            ("boundary", _) => u64::from(random.chance(2)),
            (_, _) => random.below(256),
        };
        let mut row: Vec<u64> = design.inputs.iter().map(|(name, _)| of(name, &mut random)).collect();
        for ((name, _), &value) in design.inputs.iter().zip(&row) {
            if name != "clock" {
                simulation.set(program.input(name).unwrap(), value);
            }
        }
        let outputs = |simulation: &tidegate::engine::Simulation| -> Vec<u64> {
            design.outputs.iter().map(|(name, _)| simulation.get(program.output(name).unwrap())).collect()
        };
        simulation.step();
        let before = outputs(&simulation);
        simulation.settle();
        let clock = design.inputs.iter().position(|(name, _)| name == "clock").unwrap();
        for (level, outputs) in [(0, before), (1, outputs(&simulation))] {
            row[clock] = level;
            rows.push(row.clone());
            expected.push(outputs);
        }
    }
    let told = expected.iter().filter(|outputs| outputs[0] == 1).count();
    assert!(told > 1_000, "{told} events");
    design.compare(&rows, &expected, 10_000);
}
