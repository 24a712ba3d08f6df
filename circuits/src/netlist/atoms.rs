// SPDX-License-Identifier: MIT OR Apache-2.0
//! The description of a circuit by `rust-hdl`: nested blocks, their signals, their statements.

use super::Shape;
use rust_hdl::core::ast::Verilog;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use rust_hdl::prelude::Block;

/// A block and the blocks in it. Names are those of the fields; `$` stands between a field and one of its parts.
pub(super) struct Node {
    pub name: String,
    pub atoms: Vec<AtomOf>,
    pub children: Vec<Node>,
    pub logic: Verilog,
}

/// A signal of a block, or a constant.
pub(super) struct AtomOf {
    pub name: String,
    pub kind: AtomKind,
    pub shape: Shape,
    pub clock: bool,
    /// Name of the enumeration and names of its values.
    pub enumeration: Option<(String, Vec<String>)>,
    /// The value of a constant, as a hexadecimal number.
    pub value: String,
}

impl Node {
    /// Reads a circuit.
    pub fn of(circuit: &dyn Block, name: &str) -> Node {
        let mut reader = Reader { open: vec![Node::empty(name)], namespace: Vec::new() };
        circuit.accept(name, &mut reader);
        reader.open.remove(0).children.remove(0)
    }

    fn empty(name: &str) -> Node {
        Node { name: name.to_string(), atoms: Vec::new(), children: Vec::new(), logic: Verilog::Empty }
    }

    /// Whether the ports are exactly these.
    pub fn has_ports(&self, names: &[&str]) -> bool {
        self.atoms.len() == names.len() && names.iter().all(|name| self.atom(name).is_some())
    }

    /// A signal by its name.
    pub fn atom(&self, name: &str) -> Option<&AtomOf> {
        self.atoms.iter().find(|atom| atom.name == name)
    }
}

struct Reader {
    /// The blocks that have begun and not ended; below them an empty one that gets the outermost block.
    open: Vec<Node>,
    namespace: Vec<String>,
}

impl Probe for Reader {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.open.push(Node { logic: node.hdl(), ..Node::empty(name) });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespace.push(name.to_string());
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let descriptor = signal.descriptor();
        let path: Vec<&str> = self.namespace.iter().map(String::as_str).chain([name]).collect();
        self.open.last_mut().expect("a signal is in a block").atoms.push(AtomOf {
            name: path.join("$"),
            kind: signal.kind(),
            shape: Shape { bits: signal.bits(), signed: matches!(descriptor.kind, TypeKind::Signed(_)) },
            clock: descriptor.name == "clock",
            enumeration: enumeration(&descriptor),
            value: format!("{:x}", signal.verilog()),
        });
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let node = self.open.pop().expect("a block that ends has begun");
        self.open.last_mut().expect("a block is in another").children.push(node);
    }
}

/// The name of an enumeration and those of its values, which `rust-hdl` gives as `Type::Value`.
fn enumeration(descriptor: &TypeDescriptor) -> Option<(String, Vec<String>)> {
    let TypeKind::Enum(values) = &descriptor.kind else { return None };
    let values = values.iter().map(|value| value.rsplit("::").next().unwrap_or(value).to_string());
    Some((descriptor.name.clone(), values.collect()))
}
