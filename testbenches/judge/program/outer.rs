// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit of a test whose test bench sets and reads ports of what is inside: here these are ports of the whole.
//!
//! Inputs of instances that the circuit does not drive become inputs of the whole, and all outputs of instances become
//! outputs. The signal of such a port is that of the instance itself, so the simulation of `rust-hdl` is that of the test.

use rust_hdl::core::ast::{Verilog, VerilogExpression, VerilogStatement};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::prelude::*;

/// A port of an instance: its path, and its name as a port of the whole.
struct Inner {
    path: String,
    name: String,
    input: bool,
    /// Points into the circuit, which is beside it on the heap.
    atom: *const dyn Atom,
}

pub struct Outer {
    circuit: Box<dyn Block>,
    ports: Vec<Inner>,
}

/// The circuit with its inner ports outside.
#[allow(dead_code)]
pub fn outer<B: Block + 'static>(circuit: B) -> Box<dyn Block> {
    Box::new(Outer { circuit: Box::new(circuit), ports: Vec::new() })
}

/// Collects ports of instances.
struct Ports(Vec<String>, usize, Vec<Inner>);

impl Probe for Ports {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.1 += 1;
        self.0.push(name.into());
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.1 -= 1;
        self.0.pop();
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.0.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.0.pop();
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let input = signal.kind() == AtomKind::InputParameter;
        let port = input && !signal.connected() || signal.kind() == AtomKind::OutputParameter;
        if self.1 == 2 && port {
            let parts: Vec<&str> = self.0[1..].iter().map(String::as_str).chain([name]).collect();
            let name = format!("{}_port", parts.join("_").replace('$', "_"));
            let atom = unsafe { std::mem::transmute::<&dyn Atom, &'static dyn Atom>(signal) };
            self.2.push(Inner { path: parts.join("$"), name, input, atom });
        }
    }
}

/// Passes on all but the beginning and the end of the whole.
struct Inside<'a>(&'a mut dyn Probe, usize);

impl Probe for Inside<'_> {
    fn visit_start_scope(&mut self, name: &str, block: &dyn Block) {
        self.1 += 1;
        if self.1 > 1 {
            self.0.visit_start_scope(name, block);
        }
    }
    fn visit_end_scope(&mut self, name: &str, block: &dyn Block) {
        if self.1 > 1 {
            self.0.visit_end_scope(name, block);
        }
        self.1 -= 1;
    }
    fn visit_start_namespace(&mut self, name: &str, block: &dyn Block) {
        self.0.visit_start_namespace(name, block);
    }
    fn visit_end_namespace(&mut self, name: &str, block: &dyn Block) {
        self.0.visit_end_namespace(name, block);
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        self.0.visit_atom(name, signal);
    }
}

impl Logic for Outer {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        let mut block = match self.circuit.hdl() {
            Verilog::Combinatorial(block) => block,
            Verilog::Empty => Vec::new(),
            other => return other,
        };
        for port in &self.ports {
            let (target, value) = if port.input { (&port.path, &port.name) } else { (&port.name, &port.path) };
            block.push(VerilogStatement::Assignment(
                VerilogExpression::Signal(format!("{target}$next")),
                VerilogExpression::Signal(value.clone()),
            ));
        }
        Verilog::Combinatorial(block)
    }
}

impl Block for Outer {
    fn connect_all(&mut self) {
        self.circuit.connect_all();
        let mut ports = Ports(Vec::new(), 0, Vec::new());
        self.circuit.accept("whole", &mut ports);
        self.ports = ports.2;
    }
    fn update_all(&mut self) {
        self.circuit.update_all();
    }
    fn has_changed(&self) -> bool {
        self.circuit.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.circuit.accept(name, &mut Inside(probe, 0));
        self.ports.iter().for_each(|port| probe.visit_atom(&port.name, unsafe { &*port.atom }));
        probe.visit_end_scope(name, self);
    }
}
