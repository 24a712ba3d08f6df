// SPDX-License-Identifier: MIT OR Apache-2.0
//! The description of a circuit by `rust-hdl`: nested blocks, their signals, their statements.

use super::Shape;
use super::element::Element;
use super::forms::literal;
use num_bigint::BigUint;
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
    /// What it says it is.
    pub element: Option<Element>,
}

/// A signal of a block, or a constant.
#[derive(Clone)]
pub(super) struct AtomOf {
    pub name: String,
    pub kind: AtomKind,
    pub shape: Shape,
    pub clock: bool,
    /// The enumeration of its values.
    pub enumeration: Option<Named>,
    /// The fields of its type, if that is a struct.
    pub fields: Vec<FieldOf>,
    /// Its value: that of a constant, or of a signal at power-up.
    pub value: BigUint,
}

/// An enumeration: its name, the names of its values.
pub(super) type Named = (String, Vec<String>);

/// A field of a struct, those of structs inside among them.
#[derive(Clone)]
pub(super) struct FieldOf {
    pub low: usize,
    pub shape: Shape,
    pub enumeration: Option<Named>,
}

impl Node {
    /// Reads a circuit.
    pub fn of(circuit: &dyn Block, name: &str) -> Node {
        let mut reader = Reader { open: vec![Node::empty(name)], namespace: Vec::new() };
        circuit.accept(name, &mut reader);
        let mut outermost = reader.open.remove(0);
        // A part that is no block has only signals.
        if outermost.children.is_empty() { outermost } else { outermost.children.remove(0) }
    }

    pub fn empty(name: &str) -> Node {
        Node { name: name.to_string(), atoms: Vec::new(), children: Vec::new(), logic: Verilog::Empty, element: None }
    }

    /// Whether the ports are exactly these.
    pub fn has_ports(&self, names: &[&str]) -> bool {
        self.ports().count() == names.len() && names.iter().all(|name| self.atom(name).is_some())
    }

    /// Its ports.
    pub fn ports(&self) -> impl Iterator<Item = &AtomOf> {
        self.atoms.iter().filter(|atom| atom.kind.is_parameter())
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
        let node = self.open.last_mut().expect("a signal is in a block");
        // A signal has no literal with a sign: bits of a signed value are shown as they are.
        let value = literal(&format!("{:x}", signal.verilog())).unwrap_or_default();
        if signal.kind() == AtomKind::Constant
            && let Some(element) = Element::of(&descriptor, value.iter_u64_digits().next().unwrap_or(0))
        {
            node.element = Some(element);
            return;
        }
        let mut fields = Vec::new();
        if let TypeKind::Composite(_) = &descriptor.kind {
            add_fields(&descriptor, 0, &mut fields);
        }
        node.atoms.push(AtomOf {
            name: path.join("$"),
            kind: signal.kind(),
            shape: Shape { bits: signal.bits(), signed: matches!(descriptor.kind, TypeKind::Signed(_)) },
            clock: descriptor.name == "clock",
            enumeration: enumeration(&descriptor),
            fields,
            value,
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
fn enumeration(descriptor: &TypeDescriptor) -> Option<Named> {
    let TypeKind::Enum(values) = &descriptor.kind else { return None };
    let values = values.iter().map(|value| value.rsplit("::").next().unwrap_or(value).to_string());
    Some((descriptor.name.clone(), values.collect()))
}

/// Adds the fields of a struct that begins at bit `low`. Returns its width.
fn add_fields(descriptor: &TypeDescriptor, low: usize, fields: &mut Vec<FieldOf>) -> usize {
    match &descriptor.kind {
        TypeKind::Composite(parts) => {
            parts.iter().fold(0, |bits, part| bits + add_fields(&part.kind, low + bits, fields))
        }
        kind => {
            let shape = match kind {
                TypeKind::Bits(bits) => Shape::unsigned(*bits),
                TypeKind::Signed(bits) => Shape { bits: *bits, signed: true },
                TypeKind::Enum(values) => Shape::unsigned(values.len().next_power_of_two().trailing_zeros() as usize),
                TypeKind::Composite(_) => unreachable!("it has been seen"),
            };
            fields.push(FieldOf { low, shape, enumeration: enumeration(descriptor) });
            shape.bits
        }
    }
}
