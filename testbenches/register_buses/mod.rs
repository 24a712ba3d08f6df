// SPDX-License-Identifier: MIT OR Apache-2.0
//! Register files on AXI4-Lite and on the register ring: each access reaches the register file once, in order, and its
//! answer is what the model of the registers says.

mod axi4_lite;
mod cocotb;
mod costs;
mod mutations;
mod proof;
mod ring;
mod world;

use tidegate::bus::register_bus::RegisterBus;
use tidegate::registers::{RESET, Registers};
use tidegate::registry;
use tidegate::scheme::Part;
use tidegate_testing::stimulus::Random;

/// The registers of a part of QCN on a bus.
fn registers(part: Part, bus: RegisterBus) -> Registers {
    let scheme = registry::find("qcn").unwrap();
    let settings = match part {
        Part::CongestionPoint => vec![("cp_queues".to_string(), "8".to_string())],
        Part::ReactionPoint => Vec::new(),
    };
    bus.registers(Registers::of(scheme, part, &scheme.parameters(&settings).unwrap(), &settings))
}

/// A register of the list, or now and then no register, as bits 11 to 2 of the address. RESET is left out: it makes
/// everything begin again.
fn word(random: &mut Random, registers: &Registers) -> u64 {
    let list = &registers.list;
    let register = &list[random.below(list.len() as u64) as usize];
    if random.chance(5) || register.address == RESET {
        return random.between(u64::from(RESET >> 2) + 1, 0x3ff);
    }
    u64::from(register.address >> 2)
}
