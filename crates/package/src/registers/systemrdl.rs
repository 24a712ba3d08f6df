// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers in SystemRDL 2.0.

use super::{Access, Content, Register, Registers};
use tidegate_hdl::verilog::ascii;

/// An address map with one register of 32 bits for each.
pub(super) fn text(registers: &Registers, made: &str) -> String {
    let mut text = format!("// {made}\n\naddrmap {} {{\n", registers.prefix());
    text += &format!("    name = {};\n", quoted(&registers.about()));
    text += "    default regwidth = 32;\n    default accesswidth = 32;\n";
    for register in &registers.list {
        text += &register_of(register);
    }
    text + "};\n"
}

fn register_of(register: &Register) -> String {
    let unit = if register.unit.is_empty() { String::new() } else { format!(" Unit: {}.", register.unit) };
    let accepts = if register.accepts.is_empty() { String::new() } else { format!(" Accepts {}.", register.accepts) };
    let (software, hardware) = match (register.access, register.content) {
        (Access::ReadOnly, Content::Constant) => ("r", "na"),
        (Access::ReadOnly, _) => ("r", "w"),
        // A read gives another value than a write has stored.
        (Access::ReadWrite, Content::Reset | Content::Flip) => ("rw", "rw"),
        (Access::ReadWrite, _) => ("rw", "r"),
    };
    format!(
        "\n    reg {{\n        desc = {};\n        field {{ sw = {software}; hw = {hardware}; }} word[{}:0] = {:#x};\n    }} {} @ {:#05x};\n",
        quoted(&format!("{}.{unit}{accepts}", register.meaning.trim_end_matches('.'))),
        register.bits - 1,
        register.reset,
        register.name,
        register.address,
    )
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", ascii(text).replace(['"', '\\'], "'"))
}
