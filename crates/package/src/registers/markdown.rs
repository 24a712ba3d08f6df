// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers as a table for people.

use super::{Register, Registers};

/// A table with one row for each register, and the conditions between parameters.
pub(super) fn text(registers: &Registers, made: &str) -> String {
    let mut text = format!("{}\n\n{made}\n\n", registers.about());
    text += "| address | name | port | bits | access | after reset | accepts | unit | meaning |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    registers.list.iter().for_each(|register| text += &row(register));
    if !registers.rules.is_empty() {
        text += "\nA write is also refused if one of these would not be true for the values written so far:\n";
        for rule in &registers.rules {
            text += &format!("- {}\n", rule.meaning);
        }
    }
    text
}

fn row(register: &Register) -> String {
    let reset = match register.reset {
        small @ ..=9 => small.to_string(),
        large => format!("{large:#x}"),
    };
    let cells = [
        format!("{:#05x}", register.address),
        format!("`{}`", register.name),
        register.port.as_ref().map_or(String::new(), |port| format!("`{port}`")),
        register.bits.to_string(),
        register.access.name().to_string(),
        reset,
        register.accepts.clone(),
        register.unit.to_string(),
        register.meaning.replace('|', "\\|"),
    ];
    format!("| {} |\n", cells.join(" | "))
}
