// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds modules from a tree of `rust-hdl` blocks.

use super::alias::connect_directly;
use super::atoms::{AtomOf, Named, Node};
use super::clocks::{ClockSource, Sources};
use super::complete::complete;
use super::drivers::{check_drivers, outputs_of, reads_of, targets_of};
use super::element::Element;
use super::forms::{Form, Words, form};
use super::hoist::{hoist, local};
use super::join::join;
use super::names::{Description, Names, Part, Value, first_paragraph, free_name, identifier, paragraphs, unique_names};
use super::order::{order, paths};
use super::statements::statements;
use super::versions::number;
use super::{
    Connection, Enumeration, Error, Expression, Instance, Memory, Module, ModuleId, Netlist, Register, Rom, Shape,
    Signal, SignalId, SignalKind, Statement, Unary,
};
use num_bigint::BigUint;
use rust_hdl::core::ast::{Verilog, VerilogExpression, VerilogStatement};
use rust_hdl::core::atom::AtomKind;
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Why a signal of the kind `InOut` has no place in a netlist.
pub(super) const BIDIRECTIONAL: &str = "is bidirectional (InOut): only inputs, outputs and locals are known; let the tristate buffer stand around the circuit";

/// Name of a state element that is the whole circuit, inside the module that is made around it.
const STATE: &str = "state";

/// Most bits of the address of a memory.
const ADDRESS_BITS: usize = 26;

impl Netlist {
    /// The netlist of a circuit as it is before it runs. A module without a description is named by its place in the
    /// hierarchy.
    ///
    /// # Errors
    /// An expression without a type, a signal with no driver or more than one, a latch, a combinational loop, Verilog
    /// text that `rust-hdl` itself does not print.
    pub fn of(circuit: &dyn Block, name: &str, description: Option<&'static Description>) -> Result<Netlist, Error> {
        let mut netlist = Netlist { modules: Vec::new() };
        let node = Node::of(circuit, name);
        netlist.add(&node, description, name)?;
        Ok(netlist)
    }

    /// Adds the module of a block, unless an equal module exists.
    fn add(&mut self, node: &Node, description: Option<&'static Description>, path: &str) -> Result<ModuleId, Error> {
        let name = description.map_or_else(|| identifier(path), |known| known.module.to_string());
        let mut builder = Builder::new(name, description);
        if node.element.is_some() || text_of(&node.logic).is_some() {
            return self.add(&around(node), description, path);
        }
        builder.claim_names(node);
        for atom in &node.atoms {
            builder.atom(atom)?;
        }
        for child in &node.children {
            builder.child(child, self, path)?;
        }
        let (block, comments) = match &node.logic {
            Verilog::Combinatorial(block) => statements(&builder.names, block)?,
            _ if node.children.is_empty() && node.atoms.iter().all(|atom| !is_driven(atom)) => (Vec::new(), Vec::new()),
            _ => {
                return Err(
                    builder.error("(its logic)", "has no description: `#[hdl_gen]` above `fn update` is missing")
                );
            }
        };
        builder.module.comments = comments;
        let mut module = builder.finish(block, &self.modules)?;
        let taken = |name: &str| self.modules.iter().any(|known| known.name == name);
        if description.is_none() && taken(&module.name) && self.equal(&module).is_none() {
            module.name = free_name(&module.name, 2, &taken);
        }
        self.insert(module)
    }

    /// A module that is equal except for its name.
    fn equal(&self, module: &Module) -> Option<ModuleId> {
        let equal = |known: &Module| Module { name: String::new(), ..known.clone() };
        let wanted = equal(module);
        self.modules.iter().position(|known| equal(known) == wanted)
    }

    /// Adds a module, unless there is one that is equal except for its name.
    ///
    /// # Errors
    /// If another module has its name.
    pub fn insert(&mut self, module: Module) -> Result<ModuleId, Error> {
        if let Some(equal) = self.equal(&module) {
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

/// Whether a signal is given its value by its own module.
fn is_driven(atom: &AtomOf) -> bool {
    matches!(atom.kind, AtomKind::OutputParameter | AtomKind::LocalSignal)
}

/// The Verilog text that a block is, if it is text.
fn text_of(logic: &Verilog) -> Option<String> {
    match logic {
        Verilog::Combinatorial(_) | Verilog::Empty => None,
        Verilog::Custom(text) => Some(text.clone()),
        Verilog::Wrapper(wrapper) => Some(format!("{}\n{}", wrapper.code, wrapper.cores)),
        Verilog::Blackbox(black_box) => Some(black_box.code.clone()),
    }
}

/// A block around a state element, with its ports.
fn around(node: &Node) -> Node {
    let ports: Vec<AtomOf> = node.ports().cloned().collect();
    let connect = |port: &AtomOf| {
        let (outside, inside) = (port.name.clone(), format!("{STATE}${}", port.name));
        let (target, source) = match port.kind {
            AtomKind::InputParameter => (inside, outside),
            _ => (outside, inside),
        };
        VerilogStatement::Assignment(VerilogExpression::Signal(target), VerilogExpression::Signal(source))
    };
    let logic = Verilog::Combinatorial(ports.iter().map(connect).collect());
    let inside =
        Node { atoms: node.atoms.clone(), logic: node.logic.clone(), element: node.element, ..Node::empty(STATE) };
    Node { atoms: ports, children: vec![inside], logic, ..Node::empty(&node.name) }
}

/// A module under construction.
struct Builder {
    module: Module,
    names: Names,
    description: Option<&'static Description>,
    /// Signals of the type `Clock` that are no inputs: they are connected, never computed.
    clocks: BTreeSet<SignalId>,
    /// Those of them that are outputs or locals of the module itself.
    own_clocks: BTreeSet<SignalId>,
    /// Low bits of addresses, and what they are.
    slices: Vec<(SignalId, Expression)>,
    /// The names of what the source names, by their paths.
    given: HashMap<String, String>,
    /// The names of all signals, and those of all that is inside: instances and memories.
    taken: [HashSet<String>; 2],
}

impl Builder {
    fn new(name: String, description: Option<&'static Description>) -> Self {
        Builder {
            names: Names::of(&name),
            module: Module::empty(
                &name,
                &description.map_or(String::new(), |known| paragraphs(known.meaning).join("\n\n")),
            ),
            description,
            clocks: BTreeSet::new(),
            own_clocks: BTreeSet::new(),
            slices: Vec::new(),
            given: HashMap::new(),
            taken: Default::default(),
        }
    }

    fn error(&self, signal: &str, reason: impl Into<String>) -> Error {
        Error { module: self.module.name.clone(), signal: signal.replace('$', "."), reason: reason.into() }
    }

    fn meaning(&self, field: &str) -> String {
        let known = self.description.and_then(|known| known.field(field));
        known.map_or(String::new(), |known| match (field, first_paragraph(known.meaning)) {
            // What they mean everywhere is not said in each module.
            ("clock", meaning) if meaning.is_empty() => "Clock, rising edge.".to_string(),
            ("reset", meaning) if meaning.is_empty() => "Synchronous reset, active high.".to_string(),
            (_, meaning) => meaning,
        })
    }

    /// A name for a signal: the one that is wanted, unless another signal has it.
    fn name(&mut self, wanted: &str) -> String {
        claim(&mut self.taken[0], wanted)
    }

    /// The signals and registers of the source keep their names where two would join: first what is called so, then the
    /// parts of arrays and interfaces, then registers.
    fn claim_names(&mut self, node: &Node) {
        let signals = || node.atoms.iter().filter(|atom| atom.kind != AtomKind::Constant);
        let (plain, parts): (Vec<&AtomOf>, Vec<&AtomOf>) = signals().partition(|atom| !atom.name.contains('$'));
        let state = node.children.iter().filter(|child| child.element.is_some() || text_of(&child.logic).is_some());
        let paths = plain.into_iter().chain(parts).map(|atom| &atom.name).chain(state.map(|child| &child.name));
        for path in paths {
            let name = self.name(&identifier(path));
            self.given.insert(path.clone(), name);
        }
    }

    /// Adds a signal under the path that statements use for it.
    fn signal(&mut self, path: String, signal: Signal, fields: Vec<Part>) -> SignalId {
        let id = self.module.signals.len();
        let expression = Expression::signal(id, signal.shape);
        self.names.values.insert(path, Value { expression, enumeration: signal.enumeration, fields });
        self.module.signals.push(signal);
        id
    }

    /// The place of an enumeration among those of the module.
    fn enumeration(&mut self, named: &Option<Named>, bits: usize) -> Option<usize> {
        let (name, values) = named.as_ref()?;
        let found = Enumeration { name: name.clone(), values: values.clone() };
        let known = self.module.enumerations.iter().position(|known| *known == found);
        Some(known.unwrap_or_else(|| {
            let index = self.module.enumerations.len();
            self.names.enumeration(index, name, values, bits);
            self.module.enumerations.push(found);
            index
        }))
    }

    /// The enumeration and the fields of the type of a signal.
    fn type_of(&mut self, atom: &AtomOf) -> (Option<usize>, Vec<Part>) {
        let enumeration = self.enumeration(&atom.enumeration, atom.shape.bits);
        let part = |field: &super::atoms::FieldOf| Part {
            low: field.low,
            shape: field.shape,
            enumeration: self.enumeration(&field.enumeration, field.shape.bits),
        };
        (enumeration, atom.fields.iter().map(part).collect())
    }

    /// A signal of the module itself.
    fn atom(&mut self, atom: &AtomOf) -> Result<(), Error> {
        if atom.shape.bits == 0 {
            return Err(self.error(&atom.name, "has a type of no bits"));
        }
        let (enumeration, fields) = self.type_of(atom);
        let kind = match atom.kind {
            AtomKind::Constant => {
                let expression = Expression::number(&atom.value, atom.shape);
                self.names.values.insert(atom.name.clone(), Value { expression, enumeration, fields });
                return Ok(());
            }
            AtomKind::InputParameter if atom.clock => SignalKind::Clock,
            AtomKind::InputParameter => SignalKind::Input,
            AtomKind::OutputParameter => SignalKind::Output,
            AtomKind::LocalSignal => SignalKind::Local,
            AtomKind::InOutParameter => return Err(self.error(&atom.name, BIDIRECTIONAL)),
            other => {
                return Err(self.error(&atom.name, format!("{other:?}: only inputs, outputs and locals are known")));
            }
        };
        let (name, meaning) = (self.given[&atom.name].clone(), self.meaning(&atom.name));
        let id = self.signal(atom.name.clone(), Signal { name, kind, shape: atom.shape, enumeration, meaning }, fields);
        if matches!(kind, SignalKind::Output | SignalKind::Local) {
            match atom.clock {
                true => self.clocks.insert(id) && self.own_clocks.insert(id),
                false => self.names.own.insert(id),
            };
        }
        Ok(())
    }

    /// The signal that represents a port of an instance.
    fn pin(&mut self, child: &Node, port: &str, name: String) -> Result<SignalId, Error> {
        let Some(atom) = child.atom(port) else {
            return Err(self.error(&child.name, format!("has no port `{port}`")));
        };
        if atom.kind == AtomKind::InOutParameter {
            return Err(self.error(&format!("{}${port}", child.name), BIDIRECTIONAL));
        }
        if atom.shape.bits == 0 {
            return Err(self.error(&format!("{}${port}", child.name), "has a type of no bits"));
        }
        let (enumeration, fields) = self.type_of(atom);
        let signal = Signal { enumeration, ..local(name, atom.shape) };
        let id = self.signal(format!("{}${port}", child.name), signal, fields);
        if atom.clock {
            self.clocks.insert(id);
        }
        Ok(id)
    }

    /// As [`pin`](Self::pin), named after the instance and the port.
    fn port(&mut self, child: &Node, port: &str) -> Result<SignalId, Error> {
        let name = self.name(&identifier(&format!("{}_{port}", child.name)));
        self.pin(child, port, name)
    }

    fn child(&mut self, child: &Node, netlist: &mut Netlist, path: &str) -> Result<(), Error> {
        if let Some(element) = child.element {
            return self.element(child, element);
        }
        if let Some(text) = text_of(&child.logic) {
            if let Some(port) = child.ports().find(|port| port.kind == AtomKind::InOutParameter) {
                return Err(self.error(&format!("{}${}", child.name, port.name), BIDIRECTIONAL));
            }
            let known = form(child, &text).map_err(|line| {
                let reason = format!(
                    "is Verilog text, and its line `{line}` is not known: of text, only what rust-hdl itself prints for \
                     DFF, EdgeDFF, RAM, ROM and SyncROM is known"
                );
                self.error(&child.name, reason)
            })?;
            return self.form(child, known);
        }
        let description = self.description.and_then(|known| known.field(&child.name)).and_then(|field| field.module);
        let module = netlist.add(child, description, &format!("{path}_{}", child.name))?;
        let mut connections = Vec::new();
        for port in child.ports() {
            connections.push(Connection::Signal(self.port(child, &port.name)?));
        }
        let name = claim(&mut self.taken[1], &identifier(&child.name));
        self.module.instances.push(Instance { name, module, connections });
        Ok(())
    }

    fn element(&mut self, child: &Node, element: Element) -> Result<(), Error> {
        match element {
            Element::Register => {
                let zero = child.atom("zero").map(|zero| zero.value.clone());
                self.register(child, "clock", false, zero)
            }
            Element::Delay => self.register(child, "clock", false, None),
            Element::LutRam => self.memory(child, ["clock"; 2], false, None, Words::new()),
            Element::ClockedRam { address_bits, bits } => {
                let stored = (usize::from(address_bits), usize::from(bits));
                self.memory(child, ["clock"; 2], true, Some(stored), Words::new())
            }
        }
    }

    fn form(&mut self, child: &Node, form: Form) -> Result<(), Error> {
        match form {
            Form::FlipFlop { clock, falling, initial } => self.register(child, clock, falling, Some(initial)),
            Form::Ram(words) => self.memory(child, ["read_clock", "write_clock"], true, None, words),
            Form::SyncRom(words) => self.rom(child, true, words, &BigUint::default()),
            Form::Rom { words, other } => self.rom(child, false, words, &other),
        }
    }

    fn register(&mut self, child: &Node, clock: &str, falling: bool, initial: Option<BigUint>) -> Result<(), Error> {
        let plain = self.given[&child.name].clone();
        let q = self.pin(child, "q", plain.clone())?;
        self.module.signals[q].meaning = self.meaning(&child.name);
        let d = self.name(&format!("{plain}_next"));
        let d = self.pin(child, "d", d)?;
        self.stores([q, d], child)?;
        let clock_name = self.name(&format!("{plain}_clock"));
        let clock = self.pin(child, clock, clock_name)?;
        let reset = match child.atom("reset") {
            Some(_) => {
                let name = self.name(&format!("{plain}_reset"));
                Some(self.pin(child, "reset", name)?)
            }
            None => None,
        };
        if let Some(initial) = &initial {
            self.check_word(child, initial, self.module.signals[q].shape.bits)?;
        }
        self.module.registers.push(Register { d, q, clock, falling, reset, initial });
        Ok(())
    }

    /// Checks that what is stored is no clock.
    fn stores<const N: usize>(&self, signals: [SignalId; N], child: &Node) -> Result<(), Error> {
        match signals.iter().any(|id| self.clocks.contains(id)) {
            true => Err(self.error(&child.name, "stores a clock: a clock is no value")),
            false => Ok(()),
        }
    }

    /// Checks that a number of the text of a block is as wide as its type.
    fn check_word(&self, child: &Node, word: &BigUint, bits: usize) -> Result<(), Error> {
        match word.bits() <= bits as u64 {
            true => Ok(()),
            false => Err(self.error(&child.name, format!("has {word:#x} where {bits} bits are stored"))),
        }
    }

    /// A memory whose reads take a clock cycle if `clocked`. `stored`: the bits of an address and of a word that it uses.
    fn memory(
        &mut self,
        child: &Node,
        [read_clock, write_clock]: [&str; 2],
        clocked: bool,
        stored: Option<(usize, usize)>,
        contents: Words,
    ) -> Result<(), Error> {
        let plain = self.given[&child.name].clone();
        let write_clock_pin = self.port(child, write_clock)?;
        let read_clock = match clocked {
            true if read_clock == write_clock => Some(write_clock_pin),
            true => Some(self.port(child, read_clock)?),
            false => None,
        };
        let (mut read_address, mut read_data) = (self.port(child, "read_address")?, self.port(child, "read_data")?);
        let (mut write_address, mut write_data) = (self.port(child, "write_address")?, self.port(child, "write_data")?);
        let write_enable = self.port(child, "write_enable")?;
        self.stores([read_data, write_data], child)?;
        self.module.signals[read_data].meaning = self.meaning(&child.name);
        let shape = |id: SignalId| self.module.signals[id].shape.bits;
        let (port_bits, word_bits) = (shape(write_address), shape(write_data));
        let (address_bits, bits) = stored.unwrap_or((port_bits, word_bits));
        if address_bits < port_bits {
            read_address = self.low_bits(read_address, address_bits, &format!("{plain}_read_place"));
            write_address = self.low_bits(write_address, address_bits, &format!("{plain}_write_place"));
        }
        if bits < word_bits {
            write_data = self.low_bits(write_data, bits, &format!("{plain}_write_word"));
            read_data = self.extended(read_data, bits, &format!("{plain}_read_word"));
        }
        self.starts_with_zero(child, "read_data")?;
        let contents = self.words(child, contents, &BigUint::default(), address_bits, bits)?;
        self.module.memories.push(Memory {
            name: claim(&mut self.taken[1], &plain),
            words: 1 << address_bits,
            bits,
            read_clock,
            read_address,
            read_data,
            write_clock: write_clock_pin,
            write_enable,
            write_address,
            write_data,
            starts: true,
            contents,
        });
        Ok(())
    }

    /// The words of a memory, `other` where none is given; none if all are zero.
    fn words(
        &self,
        child: &Node,
        given: Words,
        other: &BigUint,
        address_bits: usize,
        bits: usize,
    ) -> Result<Vec<BigUint>, Error> {
        if address_bits > ADDRESS_BITS {
            let reason = format!("has an address of {address_bits} bits: a memory has at most 2^{ADDRESS_BITS} words");
            return Err(self.error(&child.name, reason));
        }
        let zero = BigUint::default();
        if *other == zero && given.values().all(|word| *word == zero) {
            return Ok(Vec::new());
        }
        self.check_word(child, other, bits)?;
        let mut words = vec![other.clone(); 1 << address_bits];
        for (address, word) in given {
            self.check_word(child, &address, address_bits)?;
            self.check_word(child, &word, bits)?;
            let address = address.iter_u64_digits().next().unwrap_or(0);
            words[address as usize] = word;
        }
        Ok(words)
    }

    /// A word that has no value, and a read port at power-up, have the default of their type. `rust-hdl` does not print
    /// it.
    fn starts_with_zero(&self, child: &Node, port: &str) -> Result<(), Error> {
        match child.atom(port).is_none_or(|atom| atom.value == BigUint::default()) {
            true => Ok(()),
            false => Err(self.error(
                &child.name,
                "starts with a word that is not zero: use a type whose default is zero, and make the netlist before the \
                 circuit runs",
            )),
        }
    }

    /// A signal that is the low bits of another one.
    fn low_bits(&mut self, of: SignalId, bits: usize, name: &str) -> SignalId {
        let shape = Shape::unsigned(bits);
        let name = self.name(name);
        let low = self.module.add(local(name, shape));
        let value = Expression::signal(of, self.module.signals[of].shape).slice(0, bits);
        self.slices.push((low, value));
        low
    }

    /// A signal that `of` is made of, with zeros above it.
    fn extended(&mut self, of: SignalId, bits: usize, name: &str) -> SignalId {
        let shape = Shape::unsigned(bits);
        let name = self.name(name);
        let low = self.module.add(local(name, shape));
        let value = Expression::signal(low, shape).extend(self.module.signals[of].shape.bits);
        self.slices.push((of, value));
        low
    }

    fn rom(&mut self, child: &Node, clocked: bool, words: Words, other: &BigUint) -> Result<(), Error> {
        let plain = self.given[&child.name].clone();
        let address = self.port(child, "address")?;
        let clock = if clocked { Some(self.port(child, "clock")?) } else { None };
        let data = self.port(child, "data")?;
        self.stores([data], child)?;
        self.module.signals[data].meaning = self.meaning(&child.name);
        if clocked {
            self.starts_with_zero(child, "data")?;
        }
        let shape = |id: SignalId| self.module.signals[id].shape.bits;
        let mut contents = self.words(child, words, other, shape(address), shape(data))?;
        contents.resize(1 << shape(address), BigUint::default());
        let name = claim(&mut self.taken[1], &plain);
        self.module.roms.push(Rom { name, contents, clock, address, data });
        Ok(())
    }

    fn finish(mut self, block: Vec<Statement>, modules: &[Module]) -> Result<Module, Error> {
        self.module.statements = block;
        self.connect_clocks(modules)?;
        let mut statements = std::mem::take(&mut self.module.statements);
        complete(&mut statements, &self.module);
        self.module.statements = statements;
        // What seems to be a loop may be none if each read has the value that it has on its own way through conditions.
        match self.numbered(modules, false) {
            Err(error) if error.reason.contains(LOOP) => self.numbered(modules, true),
            module => module,
        }
    }

    /// The complete module. `all`: each read of an own signal that is below an assignment gets a signal of its own.
    fn numbered(&self, modules: &[Module], all: bool) -> Result<Module, Error> {
        let mut module = self.module.clone();
        let statements = std::mem::take(&mut module.statements);
        module.statements = number(statements, &mut module.signals, &self.names.own, all);
        let slices = self.slices.iter().cloned();
        module.statements.extend(slices.map(|(target, value)| Statement::Assign { target, low: 0, value }));
        connect_directly(&mut module, modules);
        inherit_meanings(&mut module, modules);
        let mut statements = std::mem::take(&mut module.statements);
        join(&mut statements);
        module.statements = hoist(statements, &mut module.signals);
        finish(module, modules)
    }

    /// Connects the clocked parts to the inputs that their clocks come from, and removes the assignments of all clocks
    /// but those of outputs, and one of each clock that is inverted.
    fn connect_clocks(&mut self, modules: &[Module]) -> Result<(), Error> {
        let statements = std::mem::take(&mut self.module.statements);
        let is_clock =
            |module: &Module, id: SignalId| self.clocks.contains(&id) || module.signals[id].kind == SignalKind::Clock;
        let (mut of_clocks, mut rest): (Vec<Statement>, Vec<Statement>) = (Vec::new(), Vec::new());
        let mut assigned = BTreeSet::new();
        for statement in statements {
            let one = std::slice::from_ref(&statement);
            let name = |id: SignalId| self.module.signals[id].name.as_str();
            match &statement {
                Statement::Assign { target, .. } if self.clocks.contains(target) => {
                    if !assigned.insert(*target) {
                        // An input of an instance has its last value; what the module itself reads would have both.
                        if self.own_clocks.contains(target) && !of_clocks.contains(&statement) {
                            return Err(self.error(name(*target), "is a clock that is assigned twice"));
                        }
                        of_clocks.retain(|other| targets_of(std::slice::from_ref(other)) != BTreeSet::from([*target]));
                    }
                    of_clocks.push(statement);
                }
                _ => {
                    if let Some(id) = targets_of(one).into_iter().find(|id| self.clocks.contains(id)) {
                        return Err(self.error(name(id), COMPUTED));
                    }
                    if let Some(id) = reads_of(one).into_iter().find(|&id| is_clock(&self.module, id)) {
                        return Err(self.error(name(id), "is a clock that is read as a value: only clocks take clocks"));
                    }
                    rest.push(statement);
                }
            }
        }
        self.module.statements = of_clocks;
        let sources = Sources::of(&self.module, modules);
        let steps = self.module.signals.len();
        let mut source_of: BTreeMap<SignalId, ClockSource> = BTreeMap::new();
        let instances = self.module.instances.iter();
        let of_instances: Vec<SignalId> = instances
            .flat_map(|instance| {
                let ports = modules[instance.module].ports().zip(&instance.connections);
                ports.filter_map(|((_, port), connection)| match connection {
                    Connection::Signal(id) if port.kind == SignalKind::Clock => Some(*id),
                    _ => None,
                })
            })
            .collect();
        let is_output = |id: &SignalId| self.module.signals[*id].kind == SignalKind::Output;
        let outputs: Vec<SignalId> = self.clocks.iter().copied().filter(is_output).collect();
        for id in self.module.clocks().into_iter().chain(of_instances).chain(outputs.iter().copied()) {
            let Some(source) = sources.find(id, steps) else {
                let reason = if assigned.contains(&id) { COMPUTED } else { UNCONNECTED };
                return Err(self.error(&self.module.signals[id].name, reason));
            };
            source_of.insert(id, source);
        }
        // A clock that is inverted is one signal, with the name of the first that needs it.
        let mut inverted: BTreeMap<SignalId, SignalId> = BTreeMap::new();
        let mut statements = Vec::new();
        for (&id, source) in source_of.iter().filter(|(id, _)| !outputs.contains(id)) {
            if source.inverted && !inverted.contains_key(&source.input) {
                inverted.insert(source.input, id);
                statements.push(clock_statement(id, *source));
            }
        }
        statements.extend(outputs.iter().map(|&id| clock_statement(id, source_of[&id])));
        statements.append(&mut rest);
        let resolve = |id: &mut SignalId| {
            let source = source_of[id];
            *id = if source.inverted { inverted[&source.input] } else { source.input };
        };
        self.module.statements = statements;
        for register in &mut self.module.registers {
            resolve(&mut register.clock);
        }
        for memory in &mut self.module.memories {
            memory.read_clock.iter_mut().for_each(resolve);
            resolve(&mut memory.write_clock);
        }
        self.module.roms.iter_mut().flat_map(|rom| &mut rom.clock).for_each(resolve);
        for instance in &mut self.module.instances {
            for ((_, port), connection) in modules[instance.module].ports().zip(&mut instance.connections) {
                match connection {
                    Connection::Signal(id) if port.kind == SignalKind::Clock => resolve(id),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// An output without a comment of its own takes that of the port that drives it; an input takes that of the port of the
/// first instance that reads it.
fn inherit_meanings(module: &mut Module, modules: &[Module]) {
    for instance in &module.instances {
        for ((_, port), connection) in modules[instance.module].ports().zip(&instance.connections) {
            let Connection::Signal(id) = connection else { continue };
            let signal = &mut module.signals[*id];
            let reads = port.kind != SignalKind::Output;
            let is_input = matches!(signal.kind, SignalKind::Input | SignalKind::Clock);
            if signal.meaning.is_empty() && reads == is_input {
                signal.meaning.clone_from(&port.meaning);
            }
        }
    }
}

/// What is wrong with a signal that depends on itself.
const LOOP: &str = "is in a combinational loop";

/// Why a clock has no source.
const COMPUTED: &str = "is a clock that is computed: a clock is a clock input of the module, or one inverted, on its way \
                        through locals, outputs and instances";
const UNCONNECTED: &str = "is not connected to a clock input of the module: write clock!(self, clock, …)";

/// The assignment of a clock.
fn clock_statement(target: SignalId, source: ClockSource) -> Statement {
    let input = Expression::signal(source.input, Shape::unsigned(1));
    let value = if source.inverted { Expression::unary(Unary::Not, input) } else { input };
    Statement::Assign { target, low: 0, value }
}

/// Takes a name: the one that is wanted, unless it is taken.
fn claim(taken: &mut HashSet<String>, wanted: &str) -> String {
    let free = |name: &str| !taken.contains(name);
    let name = if free(wanted) { wanted.to_string() } else { free_name(wanted, 2, &|name| !free(name)) };
    taken.insert(name.clone());
    name
}

/// Checks a complete module, and computes its order of evaluation and its paths.
///
/// # Errors
/// A duplicate name, no driver or more than one, a latch, a combinational loop.
pub(super) fn finish(mut module: Module, modules: &[Module]) -> Result<Module, Error> {
    let error = |module: &Module, signal: String, reason: String| Error { module: module.name.clone(), signal, reason };
    unique_names(&module.signals).map_err(|(signal, reason)| error(&module, signal, reason))?;
    check_drivers(&module, modules).map_err(|(id, reason)| error(&module, module.signals[id].name.clone(), reason))?;
    module.order = order(&module, modules).map_err(|ring| {
        let name = |id: &SignalId| {
            let name = &module.signals[*id].name;
            let drives = |instance: &&Instance| {
                outputs_of(instance.module, &instance.connections, modules).iter().any(|(driven, _)| driven == id)
            };
            match module.instances.iter().find(drives) {
                Some(instance) => format!("{name} (through {})", instance.name),
                None => name.clone(),
            }
        };
        let way: Vec<String> = ring.iter().chain(ring.first()).map(name).collect();
        error(&module, module.signals[ring[0]].name.clone(), format!("{LOOP}: {}", way.join(" ← ")))
    })?;
    module.paths = paths(&module, modules, &module.order);
    Ok(module)
}
