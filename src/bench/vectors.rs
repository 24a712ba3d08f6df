//! Recorded port values of a circuit, for outside simulators to replay.

use super::circuit::Clocked;
use crate::emit::{Circuit, Port};
use crate::rtl::ParameterInputs;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::Block;

/// Clocks a circuit from before its first edge, as often as `see` wants. A row holds one value for each port, in the order of
/// the circuit's ports; `drive` gets the cycle and the row of the cycle before (zeros at first) and puts the inputs in,
/// `see` gets the whole row, outputs settled, before the clock edge, and says whether to go on. The clock's column is not
/// used; a reset is the driver's business.
pub type Run = fn(drive: &mut dyn FnMut(u64, &mut [u32]), see: &mut dyn FnMut(u64, &[u32]) -> bool);

/// The [`Run`] of a circuit.
pub fn run<C: ParameterInputs>(drive: &mut dyn FnMut(u64, &mut [u32]), see: &mut dyn FnMut(u64, &[u32]) -> bool) {
    let mut clocked = Clocked::<C>::idle();
    let ports = ports(&clocked.circuit);
    let inputs: Vec<usize> =
        (0..ports.len()).filter(|&port| ports[port].input && ports[port].name != "clock").collect();
    let mut row = vec![0; ports.len()];
    let mut driven: Vec<Option<u32>> = vec![None; ports.len()];
    let mut values = Vec::with_capacity(ports.len());
    for cycle in 0.. {
        drive(cycle, &mut row);
        for &port in &inputs {
            if driven[port].replace(row[port]) == Some(row[port]) {
                continue;
            }
            match ports[port].name.as_str() {
                "reset" => clocked.circuit.set_reset(row[port] != 0),
                name => clocked.circuit.set(name, u64::from(row[port])),
            }
        }
        clocked.settle();
        values.clear();
        clocked.circuit.accept("", &mut Row { depth: 0, values: &mut values });
        for (port, &value) in values.iter().enumerate().filter(|&(port, _)| !ports[port].input) {
            row[port] = value;
        }
        if !see(cycle, &row) {
            return;
        }
        // The outputs have settled above.
        clocked.tick();
    }
}

/// Port values cycle by cycle: inputs as driven, outputs before the clock edge.
pub struct Vectors {
    /// The circuit they belong to.
    pub circuit: Circuit,
    /// Values in the order of the ports, one row after the other.
    pub values: Vec<u32>,
}

impl Vectors {
    /// Runs a circuit for some cycles; `stimulus` gives every input a value in every cycle, by name and width.
    pub fn record<C: ParameterInputs>(
        circuit: Circuit,
        cycles: u64,
        stimulus: &mut dyn FnMut(u64, &str, usize) -> u64,
    ) -> Vectors {
        let mut clocked = Clocked::<C>::idle();
        let mut values = Vec::with_capacity(circuit.ports.len() * cycles as usize);
        for cycle in 0..cycles {
            for port in circuit.ports.iter().filter(|port| port.input) {
                match port.name.as_str() {
                    "clock" => {}
                    "reset" => clocked.circuit.set_reset(cycle == 0 || stimulus(cycle, "reset", 1) != 0),
                    name => clocked.circuit.set(name, stimulus(cycle, name, port.bits)),
                }
            }
            clocked.settle();
            clocked.circuit.accept("", &mut Row { depth: 0, values: &mut values });
            clocked.edge();
        }
        Vectors { circuit, values }
    }

    /// The values as bytes, little-endian 32-bit words.
    pub fn bytes(&self) -> Vec<u8> {
        self.values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// A C++ main program that replays the values in a Verilator model and stops at the first difference. It takes the file
    /// of the values and how often to replay them; what it prints last is the number of cycles that agreed.
    pub fn verilator_main(&self) -> String {
        let module = format!("V{}", self.circuit.module);
        let mut drive = String::new();
        let mut compare = String::new();
        for (column, port) in self.circuit.ports.iter().enumerate() {
            let name = &port.name;
            if name == "clock" {
                continue;
            } else if port.input {
                drive += &format!("            top->{name} = row[{column}];\n");
            } else {
                compare += &format!("            check(cycle, \"{name}\", row[{column}], top->{name});\n");
            }
        }
        let columns = self.circuit.ports.len();
        format!(
            r#"#include "{module}.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

double sc_time_stamp() {{ return 0; }}

static void check(size_t cycle, const char* port, uint32_t expected, uint32_t found) {{
    if (expected != found) {{
        std::printf("cycle %zu: %s is %u in Verilog, %u in Rust\n", cycle, port, found, expected);
        std::exit(1);
    }}
}}

int main(int argc, char** argv) {{
    VerilatedContext context;
    auto* top = new {module}{{&context}};
    std::vector<uint32_t> values;
    FILE* file = std::fopen(argv[1], "rb");
    uint32_t value;
    while (file && std::fread(&value, sizeof value, 1, file) == 1) values.push_back(value);
    size_t cycles = values.size() / {columns};
    size_t repeats = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
    for (size_t repeat = 0; repeat < repeats; ++repeat) {{
        for (size_t cycle = 0; cycle < cycles; ++cycle) {{
            const uint32_t* row = &values[cycle * {columns}];
            top->clock = 0;
{drive}            top->eval();
            // Row 0 resets; before that, a repeat stands where the last one ended.
            if (repeat == 0 || cycle > 0) {{
{compare}            }}
            top->clock = 1;
            top->eval();
        }}
    }}
    std::printf("%zu\n", cycles * repeats);
    return 0;
}}
"#
        )
    }
}

/// Reads the ports of the outermost module.
struct Row<'a> {
    depth: usize,
    values: &'a mut Vec<u32>,
}

impl Probe for Row<'_> {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        if self.depth == 1 && matches!(signal.kind(), AtomKind::InputParameter | AtomKind::OutputParameter) {
            self.values.push(signal.verilog().as_usize() as u32);
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

/// The ports of a circuit, in the order of its module.
fn ports(circuit: &dyn Block) -> Vec<Port> {
    let mut ports = Ports { depth: 0, ports: Vec::new() };
    circuit.accept("", &mut ports);
    ports.ports
}

/// Collects the ports of the outermost module.
struct Ports {
    depth: usize,
    ports: Vec<Port>,
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let input = match signal.kind() {
            AtomKind::InputParameter => true,
            AtomKind::OutputParameter => false,
            _ => return,
        };
        if self.depth == 1 {
            self.ports.push(Port { name: name.to_string(), bits: signal.bits(), input });
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}
