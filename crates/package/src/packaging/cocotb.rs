// SPDX-License-Identifier: MIT OR Apache-2.0
//! A smoke test for cocotb, with the masters, sources and sinks of cocotbext-axi.

use super::ports::{clock, reset};
use super::{Device, Package, address, axi, parameter_to_write};
use crate::registers::Registers;

/// The test, with the words between `@` to be replaced.
const TEST: &str = include_str!("cocotb_test.py");

/// The test of a device.
pub(super) fn test(package: &Package, device: &Device) -> String {
    let module = device.netlist.top();
    let (reset, low) = reset(module);
    let files: String = package.verilog(device).iter().map(|file| format!("    \"{file}\",\n")).collect();
    let streams: String =
        axi::pairs(device).iter().map(|(from, to)| format!("    (\"{from}\", \"{to}\"),\n")).collect();
    let text = TEST
        .replace("@MADE@", &package.made())
        .replace("@TOP@", &package.top(device))
        .replace("@CLOCK@", &clock(module))
        .replace("@RESET@", &reset)
        .replace("RESET_LOW = False", if low { "RESET_LOW = True" } else { "RESET_LOW = False" })
        .replace("    \"@FILES@\",\n", &files)
        .replace("    (\"@FROM@\", \"@TO@\"),\n", &streams);
    let registers = device.registers.as_ref().map_or_else(|| "REGISTERS = None".to_string(), registers);
    text.replace("REGISTERS = None", &registers)
}

/// The registers that the test reads and writes.
fn registers(registers: &Registers) -> String {
    let at = |name: &str| address(registers, name);
    let reset = |name: &str| registers.at(at(name)).map_or(0, |register| register.reset);
    let parameter = match parameter_to_write(registers) {
        Some((register, value)) => format!(
            "\n    # {}: address, value after reset, another value\n    \"parameter\": ({:#05x}, {:#x}, {value:#x}),",
            register.name, register.address, register.reset
        ),
        None => String::new(),
    };
    format!(
        "REGISTERS = {{\n    # address and value\n    \"id\": ({:#05x}, {:#x}),\n    \"version\": ({:#05x}, {:#x}),\n    \
         # address\n    \"refused_writes\": {:#05x},{parameter}\n}}",
        at("id"),
        reset("id"),
        at("version"),
        reset("version"),
        at("refused_writes"),
    )
}
