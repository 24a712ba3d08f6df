// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a switch behind its MACs.

use super::core::Core;
use crate::bus::register_bus::PARAMETERS_ARE_REGISTERS;
use crate::emit::{self, PREFIX};
use tidegate_hdl::netlist::Module;
use tidegate_hdl::verilog;
use tidegate_schemes::registry::Scheme;

/// Octets of the addresses of a register file.
const FILE_OCTETS: u32 = 0x1000;

/// The Verilog of the core: names and texts. `command` is what made it.
pub fn verilog(core: &Core, scheme: &'static Scheme, command: &str) -> Vec<(String, String)> {
    let command = format!("{command} --out DIR");
    let of = |module: &Module| {
        let (is_top, where_parameters_are) = match module.name == core.netlist.top().name {
            true => (true, PARAMETERS_ARE_REGISTERS),
            false => (false, emit::parameters_are_inputs(module, scheme)),
        };
        let header = emit::header(module, &[scheme], is_top, where_parameters_are, &command);
        emit::in_file(&header, &verilog::prefixed(module, &core.netlist, PREFIX))
    };
    core.netlist.modules.iter().map(|module| (format!("{PREFIX}{}.v", module.name), of(module))).collect()
}

/// All registers of a switch, for people: a table for each register file. `serial`: they are on a serial line.
pub fn register_map(core: &Core, serial: bool) -> String {
    let mut text = "# Registers of the switch\n\nWords of 32 bits. ".to_string();
    if serial {
        text += "On the serial line of the board, 115,200 bits a second: `examples/registers.py PORT ADDRESS [VALUE]` of tidegate.\n";
    } else {
        text += "The board has no serial line, so nothing reads them.\n";
    }
    for (place, registers) in core.registers.iter().enumerate() {
        let of = match place {
            0 => "The bridge and the internal port".to_string(),
            1 => "The reaction point of the internal port".to_string(),
            _ => format!("The congestion point of output {}", place - 2),
        };
        text += &format!(
            "\n## {of}\n| address | register | access | after reset | unit | meaning |\n|---|---|---|---|---|---|\n"
        );
        for register in &registers.list {
            let address = FILE_OCTETS * place as u32 + u32::from(register.address);
            text += &format!(
                "| {address:#06x} | `{}` | {} | {:#x} | {} | {} |\n",
                register.name,
                register.access.name(),
                register.reset,
                register.unit,
                register.meaning
            );
        }
    }
    text
}
