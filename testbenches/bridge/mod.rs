// SPDX-License-Identifier: MIT OR Apache-2.0
//! The switch behind its MACs, on the native engine: its bridge against one in plain Python, frame by frame; its ports at line rate;
//! its registers; the frames of its internal port; and its control loop.

mod against_python;
mod control;
mod frame_turns;
mod generator;
mod line_rate;
mod mutations;
mod outside;
mod register_split;
mod table;

use tidegate::bench::switch::{FORGETS, Switch};
use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate::registry;
use tidegate::switch::core::{Core, core};

/// At 125 MHz, where an octet of a port takes one cycle.
fn made(scheme: &str, ports: usize, settings: &[(&str, &str)]) -> Core {
    made_at(scheme, ports, settings, 125)
}

fn made_at(scheme: &str, ports: usize, settings: &[(&str, &str)], clock_mhz: u64) -> Core {
    let settings = settings.iter().map(|(key, value)| (key.to_string(), value.to_string()));
    let settings: Vec<_> = settings.chain([("clock_mhz".to_string(), clock_mhz.to_string())]).collect();
    core(registry::find(scheme).unwrap(), ports, &settings).unwrap()
}

fn ready(core: &Core, ports: usize) -> Switch {
    let mut switch = Switch::new(&core.netlist, ports, 125).unwrap();
    run(&mut switch, FORGETS);
    switch
}

/// A module of the switch alone.
fn alone(switch: &Netlist, module: &str) -> Program {
    let place = switch.modules.iter().position(|known| known.name == module).unwrap();
    Program::compile(&Netlist { modules: switch.modules[..=place].to_vec() }).unwrap()
}

fn run(switch: &mut Switch, cycles: u64) {
    (0..cycles).for_each(|_| switch.step());
}

/// The address of a register of the switch itself, or of another of its register files.
fn address(core: &Core, file: usize, name: &str) -> u32 {
    core.address(file, name).unwrap_or_else(|| panic!("{} has no register {name}", core.registers[file].module))
}

/// Writes a register of the switch itself.
fn set(core: &Core, switch: &mut Switch, name: &str, value: u32) {
    switch.write(address(core, 0, name), value).unwrap();
}

fn counted(core: &Core, switch: &mut Switch, file: usize, name: &str) -> u32 {
    switch.read(address(core, file, &format!("{name}_low"))).unwrap()
}

/// All register files are there, and nothing else.
fn has_its_registers(core: &Core, ports: usize) {
    let mut switch = ready(core, ports);
    let files = core.registers.len() as u32;
    assert_eq!(files, ports as u32 + 2);
    for file in 0..files {
        assert_eq!(switch.read(0x1000 * file), Ok(u32::from_be_bytes(*b"TDGT")));
        assert_eq!(switch.write(0x1000 * file + 0xc, 0x1234_5678 + file), Ok(()));
    }
    for file in 0..files {
        assert_eq!(switch.read(0x1000 * file + 0xc), Ok(!(0x1234_5678 + file)));
    }
    for nothing in [0x1000 * files, 0x7000, 0x8000, 0x1_0000, 0x8000_0000] {
        assert_eq!(switch.read(nothing), Err(Some(3)), "{nothing:x}");
        assert_eq!(switch.write(nothing, 1), Err(Some(3)), "{nothing:x}");
    }
    assert_eq!(switch.read(address(core, 0, "ageing_interval")), Ok((300_u64 * 125_000_000 / 1024 / 15) as u32));
    // Each congestion point has an address of its own.
    let cpids = [2, 3, 4].map(|file| switch.read(address(core, file, "cpid_high")).unwrap() as u64);
    assert_eq!(cpids, [0x0200_0000, 0x0200_0000, 0x0200_0000]);
    let cpids = [2, 3, 4].map(|file| switch.read(address(core, file, "cpid_low")).unwrap());
    assert_eq!(cpids, [0x0100_0001, 0x0101_0001, 0x0102_0001]);
}

#[test]
fn all_register_files_are_there() {
    has_its_registers(&made("smcc", 3, &[]), 3);
}
