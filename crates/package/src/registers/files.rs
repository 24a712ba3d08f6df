// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that are made from a description: the register file in Verilog, constants for software, SystemRDL, and a
//! table for people.

use super::{Registers, constants, markdown, systemrdl};
use crate::emit::{File, Role, VERSION, comment_lines, in_file, prefix_option};
use crate::registers::circuit::circuit;
use tidegate_hdl::verilog;

/// All files, the Verilog first. The names of the module and of the files begin with `prefix`.
pub fn files(registers: &Registers, prefix: &str) -> Vec<File> {
    let netlist = circuit(registers);
    let made = made_by(registers, prefix);
    let mut header = String::new();
    netlist.top().meaning.split("\n\n").for_each(|paragraph| {
        comment_lines(paragraph, "", &mut header);
        header += "//\n";
    });
    comment_lines(&made, "  ", &mut header);
    let verilog = in_file(&(header + "\n"), &verilog::prefixed(netlist.top(), &netlist, prefix));
    let of =
        |ending: &str, text: String, role| File::new(format!("{prefix}{}.{ending}", registers.module), &text, role);
    let map = Role::RegisterMap(registers.part());
    vec![
        of("v", verilog, Role::RegisterFile(registers.part())),
        of("h", constants::c_header(registers, &made), map),
        of("rs", constants::rust(registers, &made), map),
        of("py", constants::python(registers, &made), map),
        of("rdl", systemrdl::text(registers, &made), map),
        of("md", markdown::text(registers, &made), map),
    ]
}

fn made_by(registers: &Registers, prefix: &str) -> String {
    format!("Made by tidegate {VERSION} with: {}", command(registers, prefix))
}

/// The command that makes these files.
pub(crate) fn command(registers: &Registers, prefix: &str) -> String {
    let mut command =
        format!("tidegate emit --scheme {} --part {} {}", registers.scheme, registers.owner.name(), registers.option);
    for (key, value) in &registers.settings {
        command += &format!(" --set {key}={value}");
    }
    command + &prefix_option(prefix) + " --out DIR"
}
