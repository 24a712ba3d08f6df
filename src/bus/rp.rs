//! What the reaction points on all buses share.

use super::register_bus;
use crate::emit::{self, File, Role};
use crate::netlist::Netlist;
use crate::registers::{self, Registers};
use crate::registry::Scheme;
use crate::scheme::Part;
use crate::verilog;

/// Name of the module.
pub const MODULE: &str = "rp";
/// Name of its register file.
pub(super) const REGISTERS: &str = "rp_registers";
/// Meanings of registers.
pub(super) const PASS_FEEDBACK: &str =
    "1: feedback for this reaction point stays in the receive path; 0: it is taken out of it";
pub(super) const REMOVED_FRAMES: &str = "Feedback frames that were taken out of the receive path";

/// What a reaction point on a bus is made of.
pub struct ReactionPoint {
    /// The whole module.
    pub netlist: Netlist,
    /// Its registers.
    pub registers: Registers,
}

/// All files: the module, the modules inside, a file list, and the registers for software and people.
pub(super) fn files(made: ReactionPoint, scheme: &'static Scheme, prefix: &str) -> Vec<File> {
    let ReactionPoint { netlist, registers } = made;
    let command = registers::files::command(&registers, prefix);
    let mut files: Vec<File> = Vec::new();
    for module in netlist.modules.iter().filter(|module| module.name != registers.module) {
        let (role, where_parameters_are) = match module.name == MODULE {
            true => (Role::BusTop(Part::ReactionPoint), register_bus::PARAMETERS_ARE_REGISTERS),
            false => (Role::Module, emit::PARAMETERS_ARE_INPUTS),
        };
        let text = emit::header(module, &[scheme], where_parameters_are, &command);
        let text = text + &verilog::prefixed(module, &netlist, prefix);
        files.push(File { name: format!("{prefix}{}.v", module.name), text, role });
    }
    files.push(File { name: format!("{}.f", scheme.name), text: emit::list(&files), role: Role::FileList });
    emit::add_registers(&mut files, registers::files::files(&registers, prefix));
    files
}
