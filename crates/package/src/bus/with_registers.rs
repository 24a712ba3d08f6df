// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part and its register file in one module, with nothing left to connect between them.

use super::join::{Join, NATIVE};
use super::register_bus::{PARAMETERS_ARE_REGISTERS, RegisterBus, inside, name_widths};
use crate::emit::{self, File, Role};
use crate::registers::{self, Registers};
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_hdl::netlist::{Netlist, Signal};
use tidegate_hdl::verilog;
use tidegate_schemes::registry::Scheme;

/// A part with its register file inside: on a bus, or with the port of the register file, whose names then begin with
/// `register_`. The ports of the bus come first.
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn with_registers(circuit: &Circuit, registers: &Registers, bus: Option<RegisterBus>) -> Netlist {
    let file = registers::circuit::circuit(registers);
    let part = circuit.netlist.top();
    let meaning = format!(
        "The {} of {} with its register file: the parameters are registers. Connect `boundary` to \"no packet is in \
         progress\"; it may be high in every cycle.",
        registers.owner.title(),
        registers.title
    );
    let mut join = Join::new(&format!("{}_with_registers", circuit.module), &meaning);
    let mut add = |port: &Signal| {
        if join.whole.find(&port.name).is_none() {
            join.whole.add(port.clone());
        }
    };
    // The side of it that looks at the register file is the same for all buses.
    let adapter = bus.unwrap_or(RegisterBus::Axi4Lite).adapter();
    let native = |port: &Signal| inside(port, adapter.netlist.top());
    if bus.is_some() {
        let of_bus = adapter.netlist.top().ports().map(|(_, port)| port);
        let of_bus = of_bus.filter(|port| !inside(port, file.top()));
        of_bus.filter(|port| !adapter.parameters.contains(&port.name.as_str())).for_each(&mut add);
    }
    let of_part = part.ports().map(|(_, port)| port).filter(|port| {
        let name = port.name.as_str();
        !circuit.parameters.contains(&name) && !circuit.open.contains(&name)
    });
    of_part.for_each(&mut add);
    for (_, port) in file.top().ports().filter(|(_, port)| part.find(&port.name).is_none()) {
        match (native(port), bus) {
            (true, None) => add(&Signal { name: format!("{NATIVE}{}", port.name), ..port.clone() }),
            (true, Some(_)) => {}
            (false, _) => add(port),
        }
    }
    name_widths(&mut join);
    if let Some(bus) = bus {
        bus.add_to(&mut join, registers.owner);
    }
    join.part("registers", &file, NATIVE);
    join.part(circuit.block, &circuit.netlist, "");
    join.finish()
}

/// The file of that module.
pub fn file(netlist: &Netlist, registers: &Registers, scheme: &Scheme, prefix: &str) -> File {
    let command = registers::files::command(registers, prefix);
    let role = Role::WithRegisters(registers.part());
    let header = emit::header(netlist.top(), &[scheme], true, PARAMETERS_ARE_REGISTERS, &command);
    let text = verilog::prefixed(netlist.top(), netlist, prefix);
    File::verilog(format!("{prefix}{}.v", netlist.top().name), &header, &text, role)
}
