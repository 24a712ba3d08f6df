// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses and values after reset as constants of programming languages.

use super::{Access, Register, Registers};
use tidegate_hdl::verilog::ascii;

/// A line for each constant: a register's address, and its value after reset if it can be written.
fn lines(registers: &Registers, line: &dyn Fn(&str, String, Option<&Register>) -> String) -> String {
    let mut text = String::new();
    for register in &registers.list {
        text += &line(&register.constant(), format!("{:#05x}", register.address), Some(register));
        if register.access == Access::ReadWrite {
            text += &line(&format!("{}_DEFAULT", register.constant()), format!("{:#x}", register.reset), None);
        }
    }
    text
}

/// What a register is, in one line.
fn about(register: &Register) -> String {
    let mut text = format!("{} ({}, {} bits", register.meaning, register.access.name(), register.bits);
    if !register.unit.is_empty() {
        text += &format!(", {}", register.unit);
    }
    text += ").";
    if !register.accepts.is_empty() {
        text += &format!(" Accepts {}.", register.accepts);
    }
    ascii(&text)
}

/// A C header with one macro for each constant.
pub(super) fn c_header(registers: &Registers, made: &str) -> String {
    let prefix = registers.prefix().to_ascii_uppercase();
    let lines = lines(registers, &|name, value, register| {
        let comment = register.map_or(String::new(), |register| format!("/* {} */\n", about(register)));
        format!("{comment}#define {prefix}_{name} {value}u\n")
    });
    let about = ascii(&registers.about());
    format!(
        "/* {about}\n * {made}\n */\n#ifndef {prefix}_REGISTERS_H\n#define {prefix}_REGISTERS_H\n\n{lines}\n#endif\n"
    )
}

/// A Rust module with one constant for each.
pub(super) fn rust(registers: &Registers, made: &str) -> String {
    let lines = lines(registers, &|name, value, register| {
        let comment = match register {
            Some(register) => about(register),
            None => "Its value after reset.".to_string(),
        };
        format!("/// {comment}\npub const {name}: u32 = {value};\n")
    });
    format!("//! {}\n//!\n//! {made}\n\n{lines}", ascii(&registers.about()))
}

/// A Python module with one constant for each.
pub(super) fn python(registers: &Registers, made: &str) -> String {
    let lines = lines(registers, &|name, value, register| {
        let comment = register.map_or(String::new(), |register| format!("# {}\n", about(register)));
        format!("{comment}{name} = {value}\n")
    });
    format!("# {}\n# {made}\n\n{lines}", ascii(&registers.about()))
}
