// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds modules from a tree of `rust-hdl` blocks.

use super::alias::connect_directly;
use super::atoms::{AtomOf, Node};
use super::complete::complete;
use super::drivers::check_drivers;
use super::expression::ones;
use super::hoist::{hoist, local};
use super::join::join;
use super::names::{Description, Names, first_paragraph, paragraphs, unique_names};
use super::order::{order, paths};
use super::settle::settle;
use super::statements::statements;
use super::{
    Connection, Enumeration, Error, Expression, Instance, Memory, Module, ModuleId, Netlist, Register, Rom, Shape,
    Signal, SignalId, SignalKind, Statement,
};
use rust_hdl::core::ast::Verilog;
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, HashMap};

impl Netlist {
    /// The netlist of a circuit. A module without a description is named by its place in the hierarchy.
    ///
    /// # Errors
    /// An expression without a type, a signal with no driver or more than one, a latch, a combinational loop.
    pub fn of(circuit: &dyn Block, name: &str, description: Option<&'static Description>) -> Result<Netlist, Error> {
        let mut netlist = Netlist { modules: Vec::new() };
        let node = Node::of(circuit, name);
        netlist.add(&node, description, name)?;
        Ok(netlist)
    }

    /// Adds the module of a block, unless an equal module exists.
    fn add(&mut self, node: &Node, description: Option<&'static Description>, path: &str) -> Result<ModuleId, Error> {
        let name = description.map_or(path.replace(['$', '.'], "_"), |known| known.module.to_string());
        let mut builder = Builder::new(name.clone(), description);
        for atom in &node.atoms {
            builder.atom(atom)?;
        }
        for child in &node.children {
            builder.child(child, self, path)?;
        }
        let (block, comments) =
            match &node.logic {
                Verilog::Combinatorial(block) => statements(&builder.names, block)?,
                Verilog::Empty => (Vec::new(), Vec::new()),
                Verilog::Custom(_) | Verilog::Blackbox(_) | Verilog::Wrapper(_) => return Err(Error {
                    module: name,
                    signal: "(its logic)".into(),
                    reason:
                        "is Verilog text, whose meaning is not known: only DFF, Register, Delay, RAM, LutRam, FlowMemory and SyncROM may be that"
                            .into(),
                }),
            };
        builder.module.comments = comments;
        let module = builder.finish(block, &self.modules)?;
        self.insert(module)
    }

    /// Adds a module, unless there is one that is equal except for its name.
    ///
    /// # Errors
    /// If another module has its name.
    pub fn insert(&mut self, module: Module) -> Result<ModuleId, Error> {
        let nameless = |module: &Module| Module { name: String::new(), ..module.clone() };
        let wanted = nameless(&module);
        if let Some(equal) = self.modules.iter().position(|known| nameless(known) == wanted) {
            return Ok(equal);
        }
        if self.modules.iter().any(|known| known.name == module.name) {
            let reason = "two different modules have this name: rename one of them".to_string();
            return Err(Error { module: module.name, signal: "(the module)".into(), reason });
        }
        self.modules.push(module);
        Ok(self.modules.len() - 1)
    }
}

/// A module under construction.
struct Builder {
    module: Module,
    names: Names,
    description: Option<&'static Description>,
    /// Clock pins of instances: they are connected, never computed.
    clocks: Vec<SignalId>,
    /// Low bits of addresses, and what they are.
    slices: Vec<(SignalId, Expression)>,
}

impl Builder {
    fn new(name: String, description: Option<&'static Description>) -> Self {
        Builder {
            names: Names {
                module: name.clone(),
                signals: HashMap::new(),
                enumerators: HashMap::new(),
                constants: HashMap::new(),
            },
            module: Module::empty(
                &name,
                &description.map_or(String::new(), |known| paragraphs(known.meaning).join("\n\n")),
            ),
            description,
            clocks: Vec::new(),
            slices: Vec::new(),
        }
    }

    fn error(&self, signal: &str, reason: impl Into<String>) -> Error {
        Error { module: self.module.name.clone(), signal: signal.replace('$', "."), reason: reason.into() }
    }

    fn meaning(&self, field: &str) -> String {
        let known = self.description.and_then(|known| known.field(field));
        known.map_or(String::new(), |field| first_paragraph(field.meaning))
    }

    /// Adds a signal under the path that statements use for it.
    fn signal(&mut self, path: String, signal: Signal) -> SignalId {
        let id = self.module.signals.len();
        self.names.signals.insert(path, (id, signal.shape));
        self.module.signals.push(signal);
        id
    }

    fn enumeration(&mut self, atom: &AtomOf) -> Result<Option<usize>, Error> {
        let Some((name, values)) = &atom.enumeration else { return Ok(None) };
        let found = Enumeration { name: name.clone(), values: values.clone() };
        let index = match self.module.enumerations.iter().position(|known| known.name == *name) {
            Some(index) if self.module.enumerations[index] == found => index,
            Some(_) => return Err(self.error(&atom.name, format!("two different enumerations are called {name}"))),
            None => {
                for (value, label) in values.iter().enumerate() {
                    let entry = (self.module.enumerations.len(), value, atom.shape.bits);
                    self.names.enumerators.insert(format!("{name}${label}"), entry);
                }
                self.module.enumerations.push(found);
                self.module.enumerations.len() - 1
            }
        };
        Ok(Some(index))
    }

    /// A signal of the module itself.
    fn atom(&mut self, atom: &AtomOf) -> Result<(), Error> {
        let enumeration = self.enumeration(atom)?;
        let kind = match atom.kind {
            AtomKind::Constant => {
                let digits = atom.value.split_once("'h").map_or(atom.value.as_str(), |(_, digits)| digits);
                let value = i128::from_str_radix(digits, 16)
                    .map_err(|_| self.error(&atom.name, "is a constant of more than 127 bits"))?;
                let constant = Expression::constant(value as u128, atom.shape);
                self.names.constants.insert(atom.name.clone(), constant);
                return Ok(());
            }
            AtomKind::InputParameter if atom.clock => SignalKind::Clock,
            AtomKind::InputParameter => SignalKind::Input,
            AtomKind::OutputParameter => SignalKind::Output,
            AtomKind::LocalSignal => SignalKind::Local,
            other => {
                return Err(self.error(&atom.name, format!("{other:?}: only inputs, outputs and locals are known")));
            }
        };
        let (name, meaning) = (atom.name.replace('$', "_"), self.meaning(&atom.name));
        self.signal(atom.name.clone(), Signal { name, kind, shape: atom.shape, enumeration, meaning });
        Ok(())
    }

    /// The signal that represents a port of an instance.
    fn pin(&mut self, child: &Node, port: &str, name: String) -> Result<SignalId, Error> {
        let atom = child.atom(port).expect("the caller knows the ports");
        let enumeration = self.enumeration(atom)?;
        // A clock that an instance drives is an ordinary output: it clocks nothing here.
        let (shape, clock) = (atom.shape, atom.clock && atom.kind == AtomKind::InputParameter);
        let id = self.signal(format!("{}${port}", child.name), Signal { enumeration, ..local(name, shape) });
        if clock {
            self.clocks.push(id);
        }
        Ok(id)
    }

    fn child(&mut self, child: &Node, netlist: &mut Netlist, path: &str) -> Result<(), Error> {
        if let Verilog::Custom(text) = &child.logic {
            if let Some(initial) = start_of_register(child, text) {
                return self.register(child, initial);
            }
            if text.contains("mem[read_address") && (child.has_ports(&LUT_RAM_PORTS) || child.has_ports(&RAM_PORTS)) {
                return self.memory(child, text);
            }
            if text.contains("data <= mem[address];") && child.has_ports(&["address", "clock", "data"]) {
                return self.rom(child, text);
            }
        }
        let description = self.description.and_then(|known| known.field(&child.name)).and_then(|field| field.module);
        let module = netlist.add(child, description, &format!("{path}_{}", child.name))?;
        let plain = child.name.replace('$', "_");
        let ports: Vec<&AtomOf> = child.atoms.iter().filter(|atom| atom.kind.is_parameter()).collect();
        let mut connections = Vec::with_capacity(ports.len());
        for port in ports {
            let name = format!("{plain}_{}", port.name.replace('$', "_"));
            connections.push(Connection::Signal(self.pin(child, &port.name, name)?));
        }
        self.module.instances.push(Instance { name: plain, module, connections });
        Ok(())
    }

    fn register(&mut self, child: &Node, initial: Option<u128>) -> Result<(), Error> {
        let plain = child.name.replace('$', "_");
        let q = self.pin(child, "q", plain.clone())?;
        self.module.signals[q].meaning = self.meaning(&child.name);
        let d = self.pin(child, "d", format!("{plain}_next"))?;
        let clock = self.pin(child, "clock", format!("{plain}_clock"))?;
        let reset = match child.atom("reset") {
            Some(_) => Some(self.pin(child, "reset", format!("{plain}_reset"))?),
            None => None,
        };
        self.module.registers.push(Register { d, q, clock, reset, initial });
        Ok(())
    }

    fn memory(&mut self, child: &Node, text: &str) -> Result<(), Error> {
        if text.contains("initial") {
            return Err(self.error(&child.name, "is a RAM with contents: only those that start with zeros are known"));
        }
        let plain = child.name.replace('$', "_");
        let mut pin = |port: &str| self.pin(child, port, format!("{plain}_{port}"));
        let separate_clocks = child.has_ports(&RAM_PORTS);
        let write_clock = pin(if separate_clocks { "write_clock" } else { "clock" })?;
        let read_clock = match separate_clocks {
            true => Some(pin("read_clock")?),
            false => text.contains("read_data <= ").then_some(write_clock),
        };
        let (mut read_address, mut read_data) = (pin("read_address")?, pin("read_data")?);
        let (mut write_address, mut write_data) = (pin("write_address")?, pin("write_data")?);
        let write_enable = pin("write_enable")?;
        self.module.signals[read_data].meaning = self.meaning(&child.name);
        let shape = |id: SignalId| self.module.signals[id].shape.bits;
        let (port_bits, word_bits) = (shape(write_address), shape(write_data));
        let bits = used_bits(text, "<= write_data[").unwrap_or(word_bits);
        let used_address_bits = used_bits(text, "mem[read_address[");
        let address_bits = used_address_bits.unwrap_or(port_bits);
        if address_bits < port_bits {
            read_address = self.low_bits(read_address, address_bits, format!("{plain}_read_place"));
            write_address = self.low_bits(write_address, address_bits, format!("{plain}_write_place"));
        }
        if bits < word_bits {
            write_data = self.low_bits(write_data, bits, format!("{plain}_write_word"));
            read_data = self.extended(read_data, bits, format!("{plain}_read_word"));
        }
        self.module.memories.push(Memory {
            name: plain,
            words: 1 << address_bits,
            bits,
            read_clock,
            read_address,
            read_data,
            write_clock,
            write_enable,
            write_address,
            write_data,
            starts: true,
        });
        Ok(())
    }

    /// A signal that is the low bits of another one.
    fn low_bits(&mut self, of: SignalId, bits: usize, name: String) -> SignalId {
        let shape = Shape::unsigned(bits);
        let low = self.module.add(local(name, shape));
        let value = Expression::signal(of, self.module.signals[of].shape).slice(0, bits);
        self.slices.push((low, value));
        low
    }

    /// A signal that `of` is made of, with zeros above it.
    fn extended(&mut self, of: SignalId, bits: usize, name: String) -> SignalId {
        let shape = Shape::unsigned(bits);
        let low = self.module.add(local(name, shape));
        let value = Expression::signal(low, shape).extend(self.module.signals[of].shape.bits);
        self.slices.push((of, value));
        low
    }

    fn rom(&mut self, child: &Node, text: &str) -> Result<(), Error> {
        let plain = child.name.replace('$', "_");
        let address = self.pin(child, "address", format!("{plain}_address"))?;
        let clock = self.pin(child, "clock", format!("{plain}_clock"))?;
        let data = self.pin(child, "data", format!("{plain}_data"))?;
        self.module.signals[data].meaning = self.meaning(&child.name);
        let shape = |id: SignalId| self.module.signals[id].shape;
        let contents = contents(text, 1 << shape(address).bits, shape(data).bits)
            .ok_or_else(|| self.error(&child.name, "has contents that cannot be read"))?;
        self.module.roms.push(Rom { name: plain, contents, clock, address, data });
        Ok(())
    }

    fn finish(mut self, block: Vec<Statement>, modules: &[Module]) -> Result<Module, Error> {
        self.module.statements = self.connect_clocks(block)?;
        let slices = std::mem::take(&mut self.slices).into_iter();
        self.module.statements.extend(slices.map(|(target, value)| Statement::Assign { target, low: 0, value }));
        connect_directly(&mut self.module, modules);
        self.inherit_meanings(modules);
        let mut statements = std::mem::take(&mut self.module.statements);
        complete(&mut statements, &self.module);
        join(&mut statements);
        let statements = settle(statements, &mut self.module.signals);
        self.module.statements = hoist(statements, &mut self.module.signals);
        finish(self.module, modules)
    }

    /// Removes the assignments of clocks from the statements and connects the clocked parts.
    fn connect_clocks(&mut self, block: Vec<Statement>) -> Result<Vec<Statement>, Error> {
        let mut sources: BTreeMap<SignalId, SignalId> = BTreeMap::new();
        let mut rest = Vec::with_capacity(block.len());
        for statement in block {
            match &statement {
                Statement::Assign { target, value, .. } if self.clocks.contains(target) => match value.as_signal() {
                    Some(source) => {
                        sources.insert(*target, source);
                    }
                    None => return Err(self.error(&self.module.signals[*target].name, "is a clock that is computed")),
                },
                _ => rest.push(statement),
            }
        }
        let resolve = |pin: SignalId| -> Result<SignalId, Error> {
            let mut at = pin;
            while let Some(&next) = sources.get(&at) {
                at = next;
            }
            match self.module.signals[at].kind {
                SignalKind::Clock => Ok(at),
                _ => {
                    let name = &self.module.signals[pin].name;
                    Err(self
                        .error(name, "is not connected to a clock input of the module: write clock!(self, clock, …)"))
                }
            }
        };
        let mut module = self.module.clone();
        for register in &mut module.registers {
            register.clock = resolve(register.clock)?;
        }
        for memory in &mut module.memories {
            memory.read_clock = memory.read_clock.map(resolve).transpose()?;
            memory.write_clock = resolve(memory.write_clock)?;
        }
        for rom in &mut module.roms {
            rom.clock = resolve(rom.clock)?;
        }
        for instance in &mut module.instances {
            for connection in &mut instance.connections {
                match connection {
                    Connection::Signal(id) if self.clocks.contains(id) => *id = resolve(*id)?,
                    _ => {}
                }
            }
        }
        self.module = module;
        Ok(rest)
    }

    /// An output without a comment of its own takes that of the port that drives it; an input takes that of the port of
    /// the first instance that reads it.
    fn inherit_meanings(&mut self, modules: &[Module]) {
        for instance in &self.module.instances {
            for ((_, port), connection) in modules[instance.module].ports().zip(&instance.connections) {
                let Connection::Signal(id) = connection else { continue };
                let signal = &mut self.module.signals[*id];
                let reads = port.kind != SignalKind::Output;
                let is_input = matches!(signal.kind, SignalKind::Input | SignalKind::Clock);
                if signal.meaning.is_empty() && reads == is_input {
                    signal.meaning.clone_from(&port.meaning);
                }
            }
        }
    }
}

/// Checks a complete module, and computes its order of evaluation and its paths.
///
/// # Errors
/// A duplicate name, no driver or more than one, a latch, a combinational loop.
pub(super) fn finish(mut module: Module, modules: &[Module]) -> Result<Module, Error> {
    let error = |module: &Module, signal: String, reason: String| Error { module: module.name.clone(), signal, reason };
    unique_names(&module.name, &module.signals).map_err(|(signal, reason)| error(&module, signal, reason))?;
    check_drivers(&module, modules).map_err(|(id, reason)| error(&module, module.signals[id].name.clone(), reason))?;
    module.order = order(&module, modules).map_err(|ring| {
        let names: Vec<&str> = ring.iter().map(|&id| module.signals[id].name.as_str()).collect();
        error(&module, names[0].to_string(), format!("is in a combinational loop: {}", names.join(" ← ")))
    })?;
    module.paths = paths(&module, modules, &module.order);
    Ok(module)
}

/// The ports of `RAM`.
const RAM_PORTS: [&str; 7] =
    ["read_address", "read_clock", "read_data", "write_address", "write_clock", "write_data", "write_enable"];

/// The ports of `LutRam` and `FlowMemory`.
const LUT_RAM_PORTS: [&str; 6] = ["read_address", "read_data", "clock", "write_address", "write_data", "write_enable"];

/// The number of low bits of a port that a memory uses, if its text says it behind these words: 6 in
/// `mem[read_address[5:0]]` behind `mem[read_address[`.
fn used_bits(text: &str, before: &str) -> Option<usize> {
    let (_, top) = text.split_once(before)?;
    Some(top.split_once(':')?.0.parse::<usize>().ok()? + 1)
}

/// If the block is a register (`DFF`, `Register` or `Delay`, by ports and text): its value at power-up, if it has one.
fn start_of_register(node: &Node, text: &str) -> Option<Option<u128>> {
    let flip_flop = node.has_ports(&["d", "q", "clock"]) && text.contains("q <= d;");
    let register = node.has_ports(&["d", "q", "clock", "reset"]) && text.contains("else q <= d;");
    if !flip_flop && !register {
        return None;
    }
    let Some((_, behind)) = text.split_once("q = ") else {
        return (!register).then_some(None);
    };
    let (literal, _) = behind.split_once(';')?;
    let (_, digits) = literal.split_once("'h")?;
    let value = i128::from_str_radix(digits, 16).ok()?;
    Some(Some(value as u128 & ones(node.atom("q")?.shape.bits)))
}

/// The words of a ROM, from lines `mem[8'h12] = 16'h34` of its text; a word without a line is zero. `None` if a line
/// cannot be read.
fn contents(text: &str, words: usize, bits: usize) -> Option<Vec<u128>> {
    let number = |text: &str| {
        let (_, digits) = text.trim().split_once('\'')?;
        let (base, digits) = (digits.get(..1)?, digits.get(1..)?);
        i128::from_str_radix(digits, if base == "b" { 2 } else { 16 }).ok().map(|number| number as u128)
    };
    let mut contents = vec![0; words];
    let (_, initial) = text.split_once("initial begin")?;
    let (initial, _) = initial.split_once("end")?;
    for line in initial.split(';').filter(|line| !line.trim().is_empty()) {
        let (address, word) = line.trim().strip_prefix("mem[")?.split_once("] =")?;
        *contents.get_mut(number(address)? as usize)? = number(word)? & ones(bits);
    }
    Some(contents)
}
