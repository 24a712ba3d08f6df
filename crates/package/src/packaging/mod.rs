// SPDX-License-Identifier: MIT OR Apache-2.0
//! What comes with the Verilog in another folder: for each part a FuseSoC core, a smoke test in Verilog, and for AXI an
//! IP-XACT component and a smoke test for cocotb; and one README for all.
//!
//! All of it is made from the list of the files and from the netlist of the module that a design instantiates, so it is
//! the same for every bus.

mod axi;
mod cocotb;
mod fusesoc;
mod ip_xact;
mod ports;
mod readme;
mod smoke;
mod smoke_registers;

use crate::emit::{self, File, Role, VERSION};
use crate::registers::{Access, Content, Register, Registers, Word};
use std::path::PathBuf;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::netlist::{Netlist, Signal};
use tidegate_schemes::registry::{self, Scheme};
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// What a design instantiates of a part.
pub struct Device {
    /// The part.
    pub part: Part,
    /// The module, and all that it instantiates.
    pub netlist: Netlist,
    /// The registers inside.
    pub registers: Option<Registers>,
    /// The parameters that are constants inside, with their values.
    pub constants: Vec<(Signal, u64)>,
    /// The keys from which these follow, with their values.
    pub keys: Vec<(&'static str, String)>,
}

impl Device {
    /// A part with its parameters as constants.
    pub fn fixed(scheme: &Scheme, part: Part, parameters: &Parameters, circuit: &Circuit) -> Device {
        let mut own = parameters.clone();
        own.forget_reads();
        let values = registry::part_ports(scheme, &own, part);
        let keys =
            own.iter().filter(|(key, _)| own.was_read(key)).map(|(key, value)| (key, value.to_string())).collect();
        let ports = circuit.netlist.top().ports().map(|(_, port)| port);
        let constants = ports.filter(|port| circuit.parameters.contains(&port.name.as_str()));
        let constants = constants.map(|port| (port.clone(), values[&port.name])).collect();
        Device { part, netlist: emit::fixed(scheme, part, parameters, circuit), registers: None, constants, keys }
    }

    /// A part with its registers inside.
    pub fn with_registers(netlist: Netlist, registers: Registers) -> Device {
        Device { part: registers.part(), netlist, registers: Some(registers), constants: Vec::new(), keys: Vec::new() }
    }
}

/// What is packed.
pub struct Package<'a> {
    /// The scheme.
    pub scheme: &'a Scheme,
    /// The settings, as on the command line.
    pub settings: &'a [(String, String)],
    /// The text before the names of modules and of their files.
    pub prefix: &'a str,
    /// What a design instantiates, for each part.
    pub devices: &'a [Device],
    /// The files that are there.
    pub files: &'a [File],
    /// Folders of the programs that tidegate's `scripts/setup-tools` has installed; none if it has not run.
    pub tools: &'a [PathBuf],
}

/// The folder of what only simulates, so that no tool takes it for a part of a design.
const SIMULATION: &str = "sim";

impl Package<'_> {
    /// The files of the packaging.
    pub fn files(&self) -> Vec<File> {
        let mut files = Vec::new();
        for device in self.devices {
            let (top, part) = (self.top(device), device.part);
            files.push(File::new(format!("{top}.core"), &fusesoc::core(self, device), Role::Core(part)));
            files.push(File::new(self.smoke_file(device), &smoke::bench(self, device), Role::SmokeTest(part)));
            if axi::is_axi(device) {
                files.push(File::new(format!("{top}.xml"), &ip_xact::component(self, device), Role::IpXact(part)));
                let test = format!("{SIMULATION}/test_{top}.py");
                files.push(File::new(test, &cocotb::test(self, device), Role::SmokeTest(part)));
            }
        }
        let text = readme::text(self, &files);
        files.push(File::new("README.md".to_string(), &text, Role::Readme));
        files
    }

    /// Name of the module of a device.
    fn top(&self, device: &Device) -> String {
        format!("{}{}", self.prefix, device.netlist.top().name)
    }

    /// Name of its bench in Verilog, which is that of its module too.
    fn smoke(&self, device: &Device) -> String {
        format!("{}_smoke", self.top(device))
    }

    fn smoke_file(&self, device: &Device) -> String {
        format!("{SIMULATION}/{}.sv", self.smoke(device))
    }

    /// The Verilog that a device needs, inner modules first.
    fn verilog(&self, device: &Device) -> Vec<String> {
        device.netlist.modules.iter().map(|module| format!("{}{}.v", self.prefix, module.name)).collect()
    }

    /// Name of the list of all Verilog files.
    fn list(&self) -> &str {
        let list = self.files.iter().find(|file| file.role == Role::FileList);
        &list.expect("emit writes a file list").name
    }

    /// How the files were made, in one line.
    fn made(&self) -> String {
        let mut command = format!("tidegate emit --scheme {}", self.scheme.name);
        if let [device] = self.devices {
            command += &format!(" --part {}", device.part.name());
        }
        if let Some(registers) = self.devices.iter().find_map(|device| device.registers.as_ref()) {
            command += &format!(" {}", registers.option);
        }
        for (key, value) in self.settings {
            command += &format!(" --set {key}={value}");
        }
        command += &emit::prefix_option(self.prefix);
        format!("Made by tidegate {VERSION} with: {command} --out DIR")
    }
}

/// A parameter of one word for a test: its register, and a value that is not the one after reset but is taken, whatever
/// the others are.
fn parameter_to_write(registers: &Registers) -> Option<(&Register, u64)> {
    let free = |port: &str| registers.rules.iter().all(|rule| rule.ports().all(|other| other != port));
    registers.list.iter().find_map(|register| {
        let Content::Parameter(place, Word::Only) = register.content else { return None };
        let parameter = &registers.parameters[place];
        let bounds = parameter.bounds.filter(|_| register.access == Access::ReadWrite && free(&parameter.port))?;
        let other = [parameter.reset + 1, parameter.reset.saturating_sub(1), bounds.least, bounds.most];
        let other = other.into_iter().find(|&value| value != parameter.reset && bounds.take(value));
        other.map(|value| (register, value))
    })
}

/// The address of a register that all register files have.
fn address(registers: &Registers, name: &str) -> u16 {
    let register = registers.list.iter().find(|register| register.name == name);
    register.expect("every register file has it").address
}
