// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a switch behind its MACs.

use super::core::Core;
use crate::bus::register_bus::PARAMETERS_ARE_REGISTERS;
use crate::emit::{self, PREFIX};
use crate::registry::Scheme;
use crate::verilog;

/// The Verilog of the core: names and texts. `command` is what made it.
pub fn verilog(core: &Core, scheme: &'static Scheme, command: &str) -> Vec<(String, String)> {
    let of = |module| {
        let text = emit::header(module, &[scheme], PARAMETERS_ARE_REGISTERS, &format!("{command} --out DIR"));
        text + &verilog::prefixed(module, &core.netlist, PREFIX)
    };
    core.netlist.modules.iter().map(|module| (format!("{PREFIX}{}.v", module.name), of(module))).collect()
}
