// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts with the ports of a card's bus: part, what connects it, and its register file in one module; and register files
//! on a bus of registers.

pub mod axis_cp;
pub mod axis_rp;
pub mod axis_tap;
pub(crate) mod join;
pub mod limits;
pub mod netfpga1g;
pub mod netfpga1g_rp;
mod octets;
pub mod output_stage;
pub mod queue_input;
pub mod register_bus;
pub mod rp;
pub mod width;
pub mod with_registers;

use crate::emit::{self, File, Role};
use crate::registers::{self, Registers};
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::Netlist;
use tidegate_hdl::verilog;
use tidegate_schemes::registry::{Family, SCHEMES, Scheme};

/// Only Ethernet schemes have parts on these buses.
fn refuse_other_than_ethernet(scheme: &Scheme) -> Result<(), Usage> {
    let is_ethernet = |scheme: &&Scheme| matches!(scheme.family, Family::Ethernet(_));
    if is_ethernet(&scheme) {
        return Ok(());
    }
    let names: Vec<&str> = SCHEMES.iter().filter(is_ethernet).map(|scheme| scheme.name).collect();
    Err(Usage(format!(
        "{} is no Ethernet scheme, so it has no part on this bus: choose one of {}",
        scheme.name,
        names.join(", ")
    )))
}

/// All files of a part on a bus: the module, the modules inside, a file list, and the registers for software and people.
pub fn files(netlist: &Netlist, registers: &Registers, scheme: &'static Scheme, prefix: &str) -> Vec<File> {
    let command = registers::files::command(registers, prefix);
    let mut files: Vec<File> = Vec::new();
    for module in netlist.modules.iter().filter(|module| module.name != registers.module) {
        let (role, where_parameters_are) = match module.name == netlist.top().name {
            true => (Role::BusTop(registers.part()), register_bus::PARAMETERS_ARE_REGISTERS),
            false => (Role::Module, emit::parameters_are_inputs(module, scheme)),
        };
        let header = emit::header(module, &[scheme], role != Role::Module, where_parameters_are, &command);
        let text = verilog::prefixed(module, netlist, prefix);
        files.push(File::verilog(format!("{prefix}{}.v", module.name), &header, &text, role));
    }
    files.push(emit::list(scheme, &files));
    emit::add_registers(&mut files, registers::files::files(registers, prefix));
    files
}
