// SPDX-License-Identifier: MIT OR Apache-2.0
//! Register files on a bus of registers: what connects it, and the register file, in one module.

use super::join::{Join, NATIVE};
use crate::emit::{self, File, Role};
use crate::registers::{self, Input, Owner, Registers};
use tidegate_circuits::rtl::bus::axi4_lite::Axi4Lite;
use tidegate_circuits::rtl::bus::register_ring::RegisterRing;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::netlist::{Module, Netlist, Signal, SignalKind, Width};
use tidegate_hdl::verilog;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;

/// Where the parameters of a scheme are in a module with a register file inside.
pub(crate) const PARAMETERS_ARE_REGISTERS: &str =
    "Parameters of the scheme are registers inside. They and their addresses stand in the files of the register file.";

/// Width of the number of a block on the register ring.
const BLOCK_BITS: usize = 13;

/// A bus of registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterBus {
    /// AXI4-Lite, 32 bits wide.
    Axi4Lite,
    /// The register ring of the NetFPGA-1G.
    Ring,
}

impl RegisterBus {
    /// The option of `emit` that makes it.
    pub(crate) fn option(self) -> &'static str {
        match self {
            RegisterBus::Axi4Lite => "--registers --register-bus axi4-lite",
            RegisterBus::Ring => "--registers --register-bus ring",
        }
    }

    /// What connects a register file to it.
    pub fn adapter(self) -> Circuit {
        match self {
            RegisterBus::Axi4Lite => Circuit::of::<Axi4Lite>("axi4_lite", &[]),
            RegisterBus::Ring => Circuit::of::<RegisterRing>("register_ring", &[]),
        }
    }

    /// The registers of a part on this bus.
    pub fn registers(self, registers: Registers) -> Registers {
        let registers = Registers { option: self.option(), ..registers };
        match self {
            RegisterBus::Axi4Lite => registers,
            RegisterBus::Ring => {
                let meaning = "Requests on the register ring that went out unanswered, because one was in work";
                let event = input(&self.adapter().netlist, "unanswered_request", meaning);
                registers.with_counter("unanswered_requests", event)
            }
        }
    }

    /// Adds what connects a register file.
    pub(crate) fn add_to(self, join: &mut Join, owner: Owner) {
        if self == RegisterBus::Ring {
            let (name, block) = block(owner);
            join.choice(name, BLOCK_BITS, block, "block_address");
        }
        let adapter = self.adapter();
        join.part(adapter.block, &adapter.netlist, "");
    }

    /// Name of the module of a register file on this bus.
    fn module(self, registers: &Registers) -> String {
        let bus = match self {
            RegisterBus::Axi4Lite => "axi4_lite",
            RegisterBus::Ring => "ring",
        };
        format!("{}_{bus}", registers.module)
    }

    fn meaning(self, registers: &Registers) -> String {
        let about = registers.about();
        match self {
            RegisterBus::Axi4Lite => format!(
                "{about} They are on an AXI4-Lite bus: connect `clock` to aclk, and `reset` to the inverse of aresetn."
            ),
            RegisterBus::Ring => format!(
                "{about} They are the block {} of the register ring of a NetFPGA-1G, 4096 octets.",
                block(registers.owner).0
            ),
        }
    }
}

/// The block of a part on the register ring: the name of its number, and the default, which no module of the reference
/// pipelines has.
fn block(owner: Owner) -> (&'static str, u64) {
    match owner {
        Owner::Part(Part::CongestionPoint) => ("CP_BLOCK_ADDR", 2),
        Owner::Part(Part::ReactionPoint) => ("RP_BLOCK_ADDR", 3),
        Owner::Switch => panic!("a switch has no register ring"),
    }
}

/// An output of a circuit as an input of a register file.
pub(super) fn input(circuit: &Netlist, port: &str, meaning: &str) -> Input {
    let module = circuit.top();
    let id = module.find(port).unwrap_or_else(|| panic!("{} has no port `{port}`", module.name));
    Input { name: port.to_string(), bits: module.signals[id].shape.bits, meaning: meaning.to_string() }
}

/// Whether a port of one module is connected to a port of another one, and not to the outside.
pub(super) fn inside(port: &Signal, other: &Module) -> bool {
    let names = [port.name.clone(), format!("{NATIVE}{}", port.name), port.name.replacen(NATIVE, "", 1)];
    let found = other.ports().find(|(_, known)| names.contains(&known.name));
    found.is_some_and(|(_, known)| (known.kind == SignalKind::Output) != (port.kind == SignalKind::Output))
}

/// Names the width of the sources of requests, if the module has ports of the register ring.
pub(super) fn name_widths(join: &mut Join) {
    let sources: Vec<_> = ["reg_src_in", "reg_src_out"].iter().filter_map(|name| join.whole.find(name)).collect();
    if !sources.is_empty() {
        let bits = join.whole.signals[sources[0]].shape.bits;
        join.whole.widths.push(Width { name: "UDP_REG_SRC_WIDTH".to_string(), bits, ports: sources });
    }
}

/// A register file on a bus, with registers of [`RegisterBus::registers`]: the module, and all modules inside. The ports
/// of the bus come first.
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn on_bus(registers: &Registers, bus: RegisterBus) -> Netlist {
    let (adapter, file) = (bus.adapter(), registers::circuit::circuit(registers));
    let mut join = Join::new(&bus.module(registers), &bus.meaning(registers));
    let parameters = &adapter.parameters;
    let of_bus = adapter.netlist.top().ports().map(|(_, port)| port);
    let of_bus = of_bus.filter(|port| !inside(port, file.top()) && !parameters.contains(&port.name.as_str()));
    join.whole.signals.extend(of_bus.cloned());
    for (_, port) in file.top().ports().filter(|(_, port)| !inside(port, adapter.netlist.top())) {
        if join.whole.find(&port.name).is_none() {
            join.whole.add(port.clone());
        }
    }
    name_widths(&mut join);
    bus.add_to(&mut join, registers.owner);
    join.part("registers", &file, NATIVE);
    join.finish()
}

/// The files of a register file on a bus: those of the register file, and the Verilog of what connects it.
pub fn files(registers: &Registers, bus: RegisterBus, scheme: &Scheme, prefix: &str) -> Vec<File> {
    let netlist = on_bus(registers, bus);
    let mut files = registers::files::files(registers, prefix);
    let file = |module: &Module, header: String, role| {
        let text = verilog::prefixed(module, &netlist, prefix);
        File::verilog(format!("{prefix}{}.v", module.name), &header, &text, role)
    };
    let adapter = bus.adapter().module;
    let adapter = netlist.modules.iter().find(|module| module.name == adapter).expect("it is inside");
    // The same for both parts of a scheme.
    let command =
        format!("tidegate emit --scheme {} {}{} --out DIR", scheme.name, bus.option(), emit::prefix_option(prefix));
    let behind = "A register file with a native port stands behind it.";
    files.push(file(adapter, emit::header(adapter, &[], false, behind, &command), Role::Module));
    let command = registers::files::command(registers, prefix);
    let role = Role::BusTop(registers.part());
    let header = emit::header(netlist.top(), &[scheme], true, PARAMETERS_ARE_REGISTERS, &command);
    files.push(file(netlist.top(), header, role));
    files
}
