// SPDX-License-Identifier: MIT OR Apache-2.0
//! The README of an output: what it is, its files, and for each part how to instantiate, configure and test it.

use super::ports::{Port, choices, instance, ports};
use super::{Device, Package, SIMULATION, address, axi, fusesoc};
use crate::emit::{File, PREFIX, Role};
use crate::registers::Registers;
use tidegate_hdl::netlist::SignalKind;

/// What LICENSE in tidegate's repository says at length.
const LICENCE: &str = "\n## Licence
These files are licensed under the MIT license or the Apache License, Version 2.0, at your choice. You may use and change them, and
ship them in products. A netlist, a bitstream or a chip that is made from them needs no notice.
";

/// The text; `packaging` are the files beside those of the package.
pub(super) fn text(package: &Package, packaging: &[File]) -> String {
    let scheme = package.scheme;
    let parts: Vec<&str> = package.devices.iter().map(|device| device.part.title()).collect();
    let mut text = format!(
        "# {}: {}\n\nVerilog-2001 of the {} of {} ({}), {}.\n\n{}\n\n",
        scheme.name,
        parts.join(" and "),
        parts.join(" and of the "),
        scheme.title,
        scheme.name,
        scheme.paper,
        package.made(),
    );
    text += "## Files\n| file | what it is |\n|---|---|\n";
    for file in package.files.iter().chain(packaging) {
        text += &format!("| `{}` | {} |\n", file.name, file.role.meaning());
    }
    for device in package.devices {
        text += &format!("\n{}", of_device(package, device));
    }
    text + "\n" + &tools(package) + LICENCE
}

fn of_device(package: &Package, device: &Device) -> String {
    let (top, module) = (package.top(device), device.netlist.top());
    let all = ports(module);
    let mut text = format!("## `{top}`\n{}\n\n", module.meaning);
    if let Some(registers) = &device.registers {
        text += &first_registers(package, device, registers);
    }
    text += "### Ports\n| port | direction | bits | meaning and unit |\n|---|---|--:|---|\n";
    text.extend(all.iter().map(row));
    let choices = choices(module);
    if !choices.is_empty() {
        text += "\nParameters of the module:\n\n| parameter | bits | default |\n|---|--:|--:|\n";
        text.extend(choices.iter().map(|(name, bits, default)| format!("| `{name}` | {bits} | {default} |\n")));
    }
    let named: Vec<_> = choices.iter().map(|(name, bits, value)| (name.clone(), format!("{bits}'d{value}"))).collect();
    text += "\n### Instantiation\n```verilog\n";
    text.extend(all.iter().map(|port| format!("wire {}{};\n", port.range(), port.name)));
    text += &format!("\n{}```\n", instance(module, &top, "device", &named));
    if !device.constants.is_empty() {
        let core = top.strip_suffix("_fixed").unwrap_or(&top);
        text += &format!(
            "\n### Parameters\nConstants in `{top}`, and inputs of `{core}`.\n\n\
             | input | bits | value | meaning and unit |\n|---|--:|--:|---|\n"
        );
        for (port, value) in &device.constants {
            let (bits, meaning) = (port.shape.bits, cell(&port.meaning));
            text += &format!("| `{}` | {bits} | {value:#x} | {meaning} |\n", port.name);
        }
        text += "\nThey follow from these keys. `tidegate emit --set KEY=VALUE` sets one.\n\n| key | value | meaning |\n|---|--:|---|\n";
        for (key, value) in &device.keys {
            let known = package.scheme.specifications().find(|known| known.key == *key).expect("a key of the scheme");
            text += &format!("| `{key}` | {value} | {} |\n", cell(known.meaning));
        }
    }
    text
}

fn row(port: &Port) -> String {
    let direction = if port.kind == SignalKind::Output { "output" } else { "input" };
    let bits = port.width.map_or(port.bits.to_string(), |width| format!("{} (`{width}`)", port.bits));
    format!("| `{}` | {direction} | {bits} | {} |\n", port.name, cell(port.meaning))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What to read and write first.
fn first_registers(package: &Package, device: &Device, registers: &Registers) -> String {
    let at = |name: &str| address(registers, name);
    let map = format!("{}{}", package.prefix, registers.module);
    let version = registers.at(at("version")).map_or(0, |register| register.reset);
    let mut text = format!(
        "### Registers\nAll of them: `{map}.md`; for software `{map}.h`, `.rs`, `.py` and `.rdl`{}. In this order:\n\n\
         1. Read `id` at {:#05x}: it must be {:#x}. If it is not, the address or the bus is wrong.\n\
         2. Read `version` at {:#05x}: {version:#x} belongs to these files.\n\
         3. Write the parameters whose values after reset are not right for the network: addresses first.\n\
         4. Read `refused_writes` at {:#05x}: it must be 0, or a value was out of its bounds.\n\
         5. Read `pending` at {:#05x}: while it is 1, a written value is not in use yet, because `boundary` was low.\n\n",
        if axi::is_axi(device) { format!(", and `{}.xml` in IP-XACT", package.top(device)) } else { String::new() },
        at("id"),
        crate::registers::ID,
        at("version"),
        at("refused_writes"),
        at("pending"),
    );
    let adopted = package.files.iter().any(|file| file.role == Role::FixedTop(device.part));
    if adopted {
        text += "Parameters, registers and what connects them are also modules of their own, for a design that connects \
                 them in another way: ports with the same name belong together.\n\n";
    }
    text
}

/// How to use plain tools, FuseSoC and cocotb.
fn tools(package: &Package) -> String {
    let list = package.list();
    let mut text = String::from("## Check it\nDIR is this folder. ");
    text += &match package.tools {
        [] => "Verilator, FuseSoC and cocotb come with `scripts/setup-tools` of tidegate's source folder, Icarus with your \
               system; `tidegate doctor` says which are found.\n\n"
            .to_string(),
        folders => {
            let folders: String = folders.iter().map(|folder| format!("{}:", folder.display())).collect();
            format!(
                "These commands find the tools that tidegate has installed:\n```\nexport PATH=\"{folders}$PATH\"\n```\n"
            )
        }
    };
    text += "Verilator and Icarus, from any folder:\n```\n";
    for device in package.devices {
        let (top, smoke) = (package.top(device), package.smoke(device));
        text += &format!("verilator --lint-only -Wall --language 1364-2001 --top-module {top} -F DIR/{list}\n");
        text += &format!("iverilog -y DIR -s {smoke} -o {smoke}.vvp DIR/{}\n", package.smoke_file(device));
        text += &format!("vvp -N {smoke}.vvp\n");
    }
    text += &format!(
        "```\nThe names in `{list}` have no folder. `-F` of Verilator looks beside the list; with `-f`, and with `-f` or `-c` of \
         Icarus, tools run in this folder (`cd DIR`). Each module is in the file of its name, so `-y DIR` works too.\n\nIn your own test \
         bench, let the inputs get their values and an edge of the clock pass before the reset, as the smoke test does: `always @*` does \
         not run at time 0 in simulators of Verilog-2001 such as Icarus, and outputs may stay unknown.\n\n\
         FuseSoC:\n```\n"
    );
    for device in package.devices {
        let name = fusesoc::name(package, device);
        text += &format!("fusesoc --cores-root DIR run --target lint {name}\n");
        text += &format!("fusesoc --cores-root DIR run --target sim {name}\n");
    }
    text += "```\nThe target `default` is for a core that depends on this one.\n";
    let tests: Vec<_> = package.devices.iter().filter(|device| axi::is_axi(device)).collect();
    if !tests.is_empty() {
        text += "\ncocotb, with Icarus (`pip install cocotb cocotbext-axi scapy`):\n```\n";
        for device in tests {
            text += &format!("python DIR/{SIMULATION}/test_{}.py\n", package.top(device));
        }
        text += "```\nThe same test runs on your own wiring: its first lines say how.\n";
    }
    if package.prefix == PREFIX {
        text += "\nNames begin with `tidegate_`; `tidegate emit --prefix TEXT` chooses another text.\n";
    }
    text
}
