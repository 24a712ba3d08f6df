// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operations of a whole circuit: its modules are put into each other, and each register, memory and output becomes
//! the operations that compute it.

use super::graph::{Graph, Id, Node, ones};
use super::signals::{Flattener, Scope, plan};
use super::words::{Words, bits_of_word, words};
use crate::netlist::{ClockSource, Connection, Module, ModuleId, Netlist, SignalId, SignalKind, clock_source};
use num_bigint::BigUint;
use std::rc::Rc;

/// A port of the circuit.
pub struct PortOf {
    pub name: String,
    pub bits: usize,
    pub input: bool,
    /// Index of its first word, among the inputs or among the outputs.
    pub word: u32,
}

/// An edge of a clock of the circuit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub clock: usize,
    /// Whether the clock falls at this edge.
    pub falls: bool,
    /// Whether there is such an edge at power-up: a clock that is inverted rises then.
    pub at_power_up: bool,
}

/// A register word: the edge at which it takes a value, its value at power-up, what it takes.
pub struct RegisterWord {
    pub edge: Edge,
    pub initial: Option<u64>,
    pub bits: u32,
    pub next: Id,
}

/// A write to a memory at an edge.
pub struct Write {
    pub edge: Edge,
    pub enable: Id,
    /// First word of the memory.
    pub base: u32,
    /// Address of the word; a word of more than 64 bits has several.
    pub address: Id,
    pub data: Words,
    /// Distance of the copies for the words of more than 64 bits.
    pub depth: u32,
    /// Whether the memory is read by anything that is needed.
    pub kept: bool,
}

impl Write {
    /// Whether the memory has a word, as a [`Fetch`](Node::Fetch) names it.
    pub fn holds(&self, base: u32) -> bool {
        (self.base..self.base + self.depth * self.data.len() as u32).contains(&base)
    }
}

/// A circuit as operations.
pub struct Flat {
    pub graph: Graph,
    pub ports: Vec<PortOf>,
    pub outputs: Vec<Id>,
    pub registers: Vec<RegisterWord>,
    /// The register words that an output depends on.
    pub kept: Vec<bool>,
    pub writes: Vec<Write>,
    /// Contents of the memories at power-up.
    pub memory: Vec<u64>,
    pub inputs: u32,
    /// Names of the clocks.
    pub clocks: Vec<String>,
}

impl Flat {
    /// Whether anything happens when a clock falls.
    pub fn falls(&self) -> bool {
        let registers = self.registers.iter().map(|register| register.edge);
        registers.chain(self.writes.iter().map(|write| write.edge)).any(|edge| edge.falls)
    }

    /// Finds the registers and memories on which outputs depend.
    fn keep(&mut self) {
        let mut seen = vec![false; self.graph.len()];
        let mut open = self.outputs.clone();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            let node = self.graph.node(id);
            open.extend(node.operands());
            match node {
                Node::State(word) => {
                    self.kept[word as usize] = true;
                    open.push(self.registers[word as usize].next);
                }
                Node::Fetch(base, _) => {
                    for write in self.writes.iter_mut().filter(|write| write.holds(base)) {
                        write.kept = true;
                        open.extend([write.enable, write.address]);
                        open.extend(&write.data);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Flattens a circuit. The signals at some paths (`parser.ready`) become outputs behind its own.
///
/// # Errors
/// A path that leads to no signal, memories that have too many words, a clock that comes from no clock of the circuit.
pub fn flatten(netlist: &Netlist, probes: &[&str]) -> Result<Flat, String> {
    let plans = netlist.modules.iter().map(|module| Rc::new(plan(module, netlist))).collect();
    let mut flattener = Flattener { netlist, plans, scopes: Vec::new(), graph: Graph::default() };
    flattener.add_scope(netlist.modules.len() - 1, None);
    flattener.flat(probes)
}

impl<'a> Flattener<'a> {
    fn add_scope(&mut self, module: ModuleId, parent: Option<(usize, usize)>) -> usize {
        let id = self.scopes.len();
        let of: &'a Module = &self.netlist.modules[module];
        let values = vec![None; of.signals.len()];
        self.scopes.push(Scope { module, parent, children: Vec::new(), values, memories: Vec::new() });
        for (index, instance) in of.instances.iter().enumerate() {
            let child = self.add_scope(instance.module, Some((id, index)));
            self.scopes[id].children.push(child);
        }
        id
    }

    /// The clock of the circuit that drives a clock of a module, and whether it is inverted on its way.
    fn clock(&self, scope: usize, signal: SignalId) -> Option<(SignalId, bool)> {
        let ClockSource { input, inverted } = clock_source(self.module(scope), &self.netlist.modules, signal)?;
        let Some((parent, index)) = self.scopes[scope].parent else { return Some((input, inverted)) };
        let place = self.plans[self.scopes[scope].module].place[&input];
        match &self.module(parent).instances[index].connections[place] {
            Connection::Signal(id) => self.clock(parent, *id).map(|(clock, outer)| (clock, outer != inverted)),
            Connection::Constant(_) => None,
        }
    }

    /// Words of all memories and ROMs.
    fn memory_words(&self) -> usize {
        let of_scope = |scope: usize| {
            let module = self.module(scope);
            let memories = module.memories.iter().map(|memory| memory.words * words(memory.bits));
            let roms = module.roms.iter().map(|rom| rom.contents.len() * words(module.signals[rom.data].shape.bits));
            memories.chain(roms).sum::<usize>()
        };
        (0..self.scopes.len()).map(of_scope).sum()
    }

    /// The scope and the signal at a path: names of instances, then of the signal.
    fn at(&self, path: &str) -> Option<(usize, SignalId)> {
        let mut scope = 0;
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            let module = self.module(scope);
            if names.peek().is_none() {
                return module.find(name).map(|signal| (scope, signal));
            }
            let index = module.instances.iter().position(|instance| instance.name == name)?;
            scope = self.scopes[scope].children[index];
        }
        None
    }

    fn flat(mut self, probes: &[&str]) -> Result<Flat, String> {
        let top = self.netlist.top();
        if self.memory_words() > MOST_WORDS {
            return Err(format!("the memories of {} have more than {MOST_WORDS} words of 64 bits", top.name));
        }
        let clocks: Vec<SignalId> =
            top.ports().filter(|(_, port)| port.kind == SignalKind::Clock).map(|(id, _)| id).collect();
        // Words of the inputs and of the outputs.
        let (mut ports, mut inputs, mut outputs) = (Vec::new(), 0, 0);
        for (id, port) in top.ports().filter(|(_, port)| port.kind != SignalKind::Clock) {
            let (input, bits) = (port.kind == SignalKind::Input, port.shape.bits);
            let count = if input { &mut inputs } else { &mut outputs };
            let word = *count;
            *count += words(bits) as u32;
            ports.push(PortOf { name: port.name.clone(), bits, input, word });
            if input {
                let value =
                    (0..words(bits)).map(|at| self.graph.input(word + at as u32, bits_of_word(bits, at))).collect();
                self.scopes[0].values[id] = Some(value);
            }
        }
        // Whenever outputs are read, the clocks are low.
        for &clock in &clocks {
            self.scopes[0].values[clock] = Some(self.graph.wide_constant(0, 1));
        }
        // State: registers and read ports; contents of memories.
        let mut state = 0;
        let mut memory = Vec::new();
        for scope in 0..self.scopes.len() {
            let module = self.module(scope);
            let registers = module.registers.iter().map(|register| register.q);
            let clocked = module.memories.iter().filter(|memory| memory.read_clock.is_some());
            let memories = clocked.map(|memory| memory.read_data);
            let roms = module.roms.iter().filter(|rom| rom.clock.is_some()).map(|rom| rom.data);
            for signal in registers.chain(memories).chain(roms) {
                let bits = module.signals[signal].shape.bits;
                let value = (0..words(bits)).map(|at| self.graph.state(state + at as u32, bits_of_word(bits, at)));
                let value = value.collect();
                self.scopes[scope].values[signal] = Some(value);
                state += words(bits) as u32;
            }
            let mut of_scope = Vec::new();
            for inside in &module.memories {
                of_scope.push(memory.len() as u32);
                let end = memory.len() + inside.words * words(inside.bits);
                add_words(&inside.contents, inside.bits, &mut memory);
                memory.resize(end, 0);
            }
            for rom in &module.roms {
                of_scope.push(memory.len() as u32);
                add_words(&rom.contents, module.signals[rom.data].shape.bits, &mut memory);
            }
            self.scopes[scope].memories = of_scope;
        }
        let edge = |flattener: &Self, scope: usize, id: SignalId, falling: bool| -> Result<Edge, String> {
            let found = flattener.clock(scope, id);
            let place = found.and_then(|(source, inverted)| {
                let clock = clocks.iter().position(|&clock| clock == source)?;
                Some(Edge { clock, falls: inverted != falling, at_power_up: inverted && !falling })
            });
            place.ok_or_else(|| {
                let module = flattener.module(scope);
                let name = &module.signals[id].name;
                format!("the clock `{name}` of {} comes from no clock input of {}", module.name, top.name)
            })
        };
        let (mut registers, mut writes) = (Vec::new(), Vec::new());
        for scope in 0..self.scopes.len() {
            let module = self.module(scope);
            let bases = self.scopes[scope].memories.clone();
            for register in &module.registers {
                let bits = module.signals[register.q].shape.bits;
                let mut next = self.value(scope, register.d);
                if let (Some(reset), Some(initial)) = (register.reset, &register.initial) {
                    let reset = self.value(scope, reset)[0];
                    let initial = (0..words(bits)).map(|at| self.graph.constant(word_of(initial, at)));
                    let initial: Words = initial.collect();
                    next = self.graph.wide_select(reset, &initial, &next);
                }
                let edge = edge(&self, scope, register.clock, register.falling)?;
                for (at, &next) in next.iter().enumerate() {
                    let initial = register.initial.as_ref().map(|value| word_of(value, at));
                    let bits = bits_of_word(bits, at);
                    registers.push(RegisterWord { edge, initial: initial.map(|value| value & ones(bits)), bits, next });
                }
            }
            for (index, (inside, &base)) in module.memories.iter().zip(&bases).enumerate() {
                if let Some(read_clock) = inside.read_clock {
                    let edge = edge(&self, scope, read_clock, false)?;
                    for (at, next) in self.fetched(scope, index).into_iter().enumerate() {
                        let bits = bits_of_word(inside.bits, at);
                        registers.push(RegisterWord { edge, initial: Some(0), bits, next });
                    }
                }
                let address = self.address(scope, inside.write_address, inside.words);
                let enable = self.value(scope, inside.write_enable)[0];
                let data = self.value(scope, inside.write_data);
                let edge = edge(&self, scope, inside.write_clock, false)?;
                let depth = inside.words as u32;
                writes.push(Write { edge, enable, base, address, data, depth, kept: false });
            }
            for (index, rom) in module.roms.iter().enumerate() {
                let Some(clock) = rom.clock else { continue };
                let edge = edge(&self, scope, clock, false)?;
                let whole = module.signals[rom.data].shape.bits;
                for (at, next) in self.fetched(scope, module.memories.len() + index).into_iter().enumerate() {
                    registers.push(RegisterWord { edge, initial: Some(0), bits: bits_of_word(whole, at), next });
                }
            }
        }
        let of_top = top.ports().filter(|(_, port)| port.kind == SignalKind::Output);
        let mut outputs: Vec<Id> = of_top.flat_map(|(id, _)| self.value(0, id)).collect();
        for &path in probes {
            let (scope, signal) = self.at(path).ok_or_else(|| format!("{} has no signal `{path}`", top.name))?;
            let (bits, word) = (self.module(scope).signals[signal].shape.bits, outputs.len() as u32);
            ports.push(PortOf { name: path.to_string(), bits, input: false, word });
            outputs.extend(self.value(scope, signal));
        }
        let clocks = clocks.iter().map(|&clock| top.signals[clock].name.clone()).collect();
        let kept = vec![false; registers.len()];
        let mut flat = Flat { graph: self.graph, ports, outputs, registers, kept, writes, memory, inputs, clocks };
        flat.keep();
        Ok(flat)
    }

    /// The word that a memory reads in a cycle; ROMs are counted behind the memories.
    pub fn fetched(&mut self, scope: usize, memory: usize) -> Words {
        let module = self.module(scope);
        let (address, depth, bits) = match module.memories.get(memory) {
            Some(inside) => (inside.read_address, inside.words, inside.bits),
            None => {
                let rom = &module.roms[memory - module.memories.len()];
                (rom.address, rom.contents.len(), module.signals[rom.data].shape.bits)
            }
        };
        let base = self.scopes[scope].memories[memory];
        let address = self.address(scope, address, depth);
        let word = |at: usize| (base + (at * depth) as u32, bits_of_word(bits, at));
        (0..words(bits)).map(word).map(|(base, bits)| self.graph.fetch(base, address, bits)).collect()
    }

    /// The address of one of `words` words, a power of two.
    fn address(&mut self, scope: usize, signal: SignalId, words: usize) -> Id {
        let address = self.value(scope, signal)[0];
        self.graph.low(address, words.trailing_zeros())
    }
}

/// Most 64-bit words of all memories: their distance in octets is a signed number of 32 bits in the machine code.
const MOST_WORDS: usize = 1 << 27;

/// A 64-bit word of a number.
fn word_of(value: &BigUint, at: usize) -> u64 {
    value.iter_u64_digits().nth(at).unwrap_or(0)
}

/// Adds the words of a memory: first the low 64 bits of each, then the next ones.
fn add_words(contents: &[BigUint], bits: usize, memory: &mut Vec<u64>) {
    for at in 0..words(bits) {
        memory.extend(contents.iter().map(|word| word_of(word, at)));
    }
}
