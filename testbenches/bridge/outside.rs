// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Verilog of the switch behind its MACs has the same outputs in outside simulators as the engine, in every cycle: frames
//! between stations, broken ones, an overloaded output, back-pressure of the MACs, and accesses of registers.

use super::{address, made};
use crate::expressions::Random;
use std::collections::{BTreeMap, VecDeque};
use tidegate::bench::switch::FORGETS;
use tidegate::engine::Program;
use tidegate::switch::core::Core;
use tidegate_testing::simulators::Design;

/// Gigabit ports.
const PORTS: usize = 2;
/// Cycles with traffic, and how many of the whole run Icarus sees.
const CYCLES: u64 = 14_000;
const ICARUS_CYCLES: usize = 5_000;
/// Stations: two at each port, the internal one, a group and one that nobody knows.
const STATIONS: [u64; 7] = [0x02_0a, 0x02_0b, 0x02_1a, 0x02_1b, 0x0200_0000_1000, 0x0100_5e00_0001, 0x02_7f];

/// A beat that comes to a port: data, keep, last, user.
type Beat = [u64; 4];

/// The beats of a random frame that comes to a port.
fn beats(random: &mut Random, port: usize) -> Vec<Beat> {
    let source = STATIONS[2 * port + random.below(2)];
    let destination = STATIONS[random.below(STATIONS.len())];
    let length = [60, 61, 64, 127, 400, 1514][random.below(6)];
    let octets = [destination, source].into_iter().flat_map(|address| address.to_be_bytes()[2..].to_vec());
    let mut octets: Vec<u8> = octets.chain([0x88, 0xb5]).collect();
    octets.resize_with(length, || random.bits(8) as u8);
    let (bad, count) = (random.below(20) == 0, length.div_ceil(8));
    let beat = |(place, part): (usize, &[u8])| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        let last = place + 1 == count;
        [u64::from_le_bytes(word), 0xff >> (8 - part.len()), last.into(), (last && bad).into()]
    };
    octets.chunks(8).enumerate().map(beat).collect()
}

/// Writes of registers with which the internal port overloads output 0.
fn writes(core: &Core) -> VecDeque<(u32, u32)> {
    let settings = [
        ("generator_destination_high", (STATIONS[0] >> 32) as u32),
        ("generator_destination_low", STATIONS[0] as u32),
        ("generator_octets", 300),
        ("generate", 1),
    ];
    settings.map(|(name, value)| (address(core, 0, name), value)).into()
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    let core = made("smcc", PORTS, &[("sample_packets", "3"), ("q0_bytes", "2000")]);
    let design = Design::of(&core.netlist);
    design.lint(&[]);
    let program = Program::compile(&core.netlist).unwrap();
    let mut simulation = program.start(1);
    let outputs: Vec<_> = design.outputs.iter().map(|(name, _)| program.output(name).unwrap()).collect();
    let mut random = Random(5);
    let (mut rows, mut expected) = (Vec::new(), Vec::new());
    let mut values: BTreeMap<String, u64> = design.inputs.iter().map(|(name, _)| (name.clone(), 0)).collect();
    let mut coming: [VecDeque<Beat>; PORTS] = Default::default();
    let mut idle = [0; PORTS];
    let mut writes = writes(&core);
    for cycle in 0..FORGETS + CYCLES {
        let mut set =
            |name: &str, value: u64| *values.get_mut(name).unwrap_or_else(|| panic!("no input {name}")) = value;
        set("reset", (cycle < 4).into());
        set("mac_bad", random.bits(PORTS) & random.bits(PORTS) & random.bits(PORTS));
        for port in 0..PORTS {
            if cycle > FORGETS && coming[port].is_empty() && idle[port] == 0 {
                coming[port] = beats(&mut random, port).into();
                idle[port] = random.below(60);
            }
            idle[port] = idle[port].saturating_sub(usize::from(coming[port].is_empty()));
            let beat = if random.below(3) > 0 { coming[port].pop_front() } else { None };
            set(&format!("rx_{port}_tvalid"), beat.is_some().into());
            let [data, keep, last, user] =
                beat.unwrap_or_else(|| [random.bits(64), 0xff, random.bits(1), random.bits(1)]);
            for (name, value) in [("tdata", data), ("tkeep", keep), ("tlast", last), ("tuser", user)] {
                set(&format!("rx_{port}_{name}"), value);
            }
            set(&format!("tx_{port}_tready"), (random.below(8) == 0).into());
        }
        // An access in 64 cycles: writes first, then reads anywhere.
        let (turn, begins) = (cycle % 64, cycle > FORGETS && cycle % 64 == 0);
        let write = if begins { writes.pop_front() } else { None };
        let anywhere = 4 * random.bits(12) as u32;
        for (name, value) in [
            ("awvalid", write.is_some()),
            ("wvalid", write.is_some()),
            ("arvalid", begins && write.is_none()),
            ("bready", turn > 20),
            ("rready", turn > 20),
        ] {
            // The bus is ready where nothing is under way.
            set(&format!("s_axi_{name}"), value.into());
        }
        if let Some((address, value)) = write {
            set("s_axi_awaddr", address.into());
            set("s_axi_wdata", value.into());
            set("s_axi_wstrb", 15);
        }
        set("s_axi_araddr", anywhere.into());
        for (name, &value) in values.iter().filter(|(name, _)| program.input(name).is_ok()) {
            simulation.set(program.input(name).unwrap(), value);
        }
        for clock in [0, 1] {
            if clock == 1 {
                simulation.step();
            }
            simulation.settle();
            let row = |(name, _): &(String, usize)| if program.input(name).is_ok() { values[name] } else { clock };
            rows.push(design.inputs.iter().map(row).collect());
            expected.push(outputs.iter().map(|&output| simulation.get(output)).collect::<Vec<u64>>());
        }
    }
    // Frames go out at both ports, and registers answer.
    for name in ["tx_0_tlast", "tx_1_tlast", "s_axi_bvalid", "s_axi_rvalid"] {
        let place = design.outputs.iter().position(|(output, _)| output == name).unwrap();
        let times = expected.iter().filter(|row| row[place] == 1).count();
        assert!(times > if name == "s_axi_bvalid" { 2 } else { 40 }, "{name}: {times} times");
    }
    design.outside(&rows, &expected, 2 * ICARUS_CYCLES);
}
