// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits in the simulation of `rust-hdl`: slow, but independent of the netlist and of all that is made of it.

use crate::module::Module;
use rust_hdl::core::atom::Atom;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use rust_hdl::prelude::{Block, simulate};
use vcd::Value;

/// Most rounds in which a circuit settles.
const ROUNDS: usize = 100;

/// A circuit with its clock.
pub struct Clocked<C> {
    /// The circuit: drive its inputs, then [`settle`](Self::settle) to read its outputs.
    pub circuit: C,
}

impl<C: Module> Clocked<C> {
    /// A circuit before any clock edge, every input low.
    pub fn idle(mut circuit: C) -> Self {
        circuit.connect_all();
        Clocked { circuit }
    }

    /// A circuit after one cycle of reset, its parameter inputs driven.
    pub fn new(value_of: &dyn Fn(&str) -> u64) -> Self {
        let mut clocked = Self::idle(C::default());
        for parameter in C::parameters() {
            clocked.circuit.set(parameter, value_of(parameter));
        }
        clocked.circuit.set("reset", 1);
        clocked.edge();
        clocked.circuit.set("reset", 0);
        clocked
    }

    /// Lets the outputs follow the inputs.
    ///
    /// # Panics
    /// There is a combinational loop.
    pub fn settle(&mut self) {
        assert!(simulate(&mut self.circuit, ROUNDS), "{} does not settle: a combinational loop", C::OWN.module);
    }

    /// Ends the cycle: registers take what stands at their inputs.
    pub fn edge(&mut self) {
        self.settle();
        self.tick();
    }

    /// A clock pulse, one round wide: it runs down the hierarchy as a wave, one level a round, and the outputs settle
    /// after it. To let each of the two edges settle alone takes twice as many rounds.
    fn tick(&mut self) {
        self.circuit.set("clock", 1);
        self.circuit.update_all();
        self.circuit.set("clock", 0);
        self.settle();
    }
}

/// A circuit of any type, its inputs by their names.
pub trait ByName {
    /// Drives an input.
    fn set(&mut self, input: &str, value: u64);
    /// Lets the outputs follow the inputs.
    fn settle(&mut self);
    /// A clock pulse; the inputs have settled.
    fn tick(&mut self);
    /// Its signals.
    fn block(&self) -> &dyn Block;
    /// Its size in memory.
    fn bytes(&self) -> usize;
}

impl<C: Module> ByName for Clocked<C> {
    fn set(&mut self, input: &str, value: u64) {
        self.circuit.set(input, value);
    }

    fn settle(&mut self) {
        Clocked::settle(self);
    }

    fn tick(&mut self) {
        Clocked::tick(self);
    }

    fn block(&self) -> &dyn Block {
        &self.circuit
    }

    fn bytes(&self) -> usize {
        size_of::<C>()
    }
}

/// A circuit of any type, its ports by handles; some signals inside can be read like outputs.
pub struct Reference {
    circuit: Box<dyn ByName>,
    /// Names of the inputs, and what each was driven with last.
    inputs: Vec<(String, Option<u64>)>,
    /// Names of the outputs.
    outputs: Vec<String>,
    /// The signals that are outputs: place among all signals, index in `values`. In the order of the places.
    watched: Vec<(usize, usize)>,
    values: Vec<u64>,
    /// Whether `values` are those of the inputs and registers as they are.
    settled: bool,
}

/// An input of a [`Reference`].
#[derive(Clone, Copy, Debug)]
pub struct ReferenceInput(usize);

/// An output of a [`Reference`].
#[derive(Clone, Copy, Debug)]
pub struct ReferenceOutput(usize);

impl Reference {
    /// Before any clock edge, every input low: a circuit, the names of its inputs without the clock, and the names of its outputs or
    /// the paths of signals inside.
    ///
    /// # Panics
    /// There is no signal of such a path.
    pub fn new<'a>(
        circuit: Box<dyn ByName>,
        inputs: impl Iterator<Item = &'a str>,
        outputs: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut names = Names::default();
        circuit.block().accept("", &mut names);
        let outputs: Vec<String> = outputs.map(str::to_string).collect();
        let place = |path: &String| {
            // A register has the name that it has in the netlist.
            let find = |wanted: &str| names.paths.iter().position(|other| other == wanted);
            let found = find(path).or_else(|| find(&format!("{path}.q")));
            found.unwrap_or_else(|| panic!("the circuit has no signal `{path}`"))
        };
        let mut watched: Vec<_> = outputs.iter().map(place).zip(0..).collect();
        watched.sort_unstable();
        let inputs = inputs.map(|name| (name.to_string(), None)).collect();
        Reference { circuit, inputs, values: vec![0; outputs.len()], outputs, watched, settled: false }
    }

    /// Bytes of the state of the circuit.
    pub fn state_bytes(&self) -> usize {
        // A name takes some tens of bytes.
        self.circuit.bytes() + 64 * (self.inputs.len() + self.outputs.len())
    }

    /// An input by its name.
    pub fn input(&self, name: &str) -> Option<ReferenceInput> {
        self.inputs.iter().position(|(other, _)| other == name).map(ReferenceInput)
    }

    /// An output by its name, or a signal inside by its path.
    pub fn output(&self, path: &str) -> Option<ReferenceOutput> {
        self.outputs.iter().position(|other| other == path).map(ReferenceOutput)
    }

    /// Drives an input.
    pub fn set(&mut self, input: ReferenceInput, value: u64) {
        let (name, before) = &mut self.inputs[input.0];
        if before.replace(value) != Some(value) {
            self.circuit.set(name, value);
            self.settled = false;
        }
    }

    /// The value of an output as the last call of [`settle`](Self::settle) or [`step`](Self::step) left it.
    pub fn get(&self, output: ReferenceOutput) -> u64 {
        self.values[output.0]
    }

    /// Lets the outputs follow the inputs.
    pub fn settle(&mut self) {
        if std::mem::replace(&mut self.settled, true) {
            return;
        }
        self.circuit.settle();
        let mut read = Read { place: 0, watched: self.watched.iter().peekable(), values: &mut self.values };
        self.circuit.block().accept("", &mut read);
    }

    /// One clock cycle. The outputs are those before the edge.
    pub fn step(&mut self) {
        self.settle();
        self.circuit.tick();
        self.settled = false;
    }
}

/// Collects the paths of all signals. An element of an array is `name_index`, as in the netlist.
#[derive(Default)]
struct Names {
    scopes: Vec<String>,
    paths: Vec<String>,
}

impl Probe for Names {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.scopes.push(name.replace('$', "_"));
    }

    fn visit_atom(&mut self, name: &str, _signal: &dyn Atom) {
        let name = name.replace('$', "_");
        let inner = self.scopes.iter().skip(1).chain([&name]);
        self.paths.push(inner.map(String::as_str).collect::<Vec<_>>().join("."));
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.scopes.pop();
    }
}

/// Reads some signals. All others are visited too: they must cost little.
struct Read<'a> {
    place: usize,
    watched: std::iter::Peekable<std::slice::Iter<'a, (usize, usize)>>,
    values: &'a mut [u64],
}

impl Probe for Read<'_> {
    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        while let Some(&(_, index)) = self.watched.next_if(|&&(place, _)| place == self.place) {
            // The literal of `verilog()` is a number on the heap, made bit by bit: three times as slow.
            self.values[index] = match signal.vcd() {
                VCDValue::Single(bit) => u64::from(bit == Value::V1),
                VCDValue::Vector(bits) => bits.iter().fold(0, |value, &bit| value << 1 | u64::from(bit == Value::V1)),
                VCDValue::String(_) | VCDValue::Composite(_) => unreachable!("signals are bits and buses"),
            };
        }
        self.place += 1;
    }
}
