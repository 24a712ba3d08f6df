// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit at native speed: a netlist becomes machine code in this process.
//!
//! The modules of a circuit are put into each other; constants are folded, logic that no output and no register needs
//! is left out, and what remains is one pass over all operations for a clock cycle: no settling, no allocation, no
//! names. Registers and memories behave as [`crate::netlist`] states. A register without a value at power-up starts at
//! random from a seed, so that a missing reset shows.
//!
//! ```
//! use rust_hdl::prelude::*;
//! use tidegate::engine::Program;
//! use tidegate::netlist::Netlist;
//!
//! /// Adds up what it is given.
//! #[derive(LogicBlock, Default)]
//! struct Sum {
//!     clock: Signal<In, Clock>,
//!     item: Signal<In, Bits<8>>,
//!     sum: Signal<Out, Bits<16>>,
//!     so_far: DFF<Bits<16>>,
//! }
//!
//! impl Logic for Sum {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         dff_setup!(self, clock, so_far);
//!         self.so_far.d.next = self.so_far.q.val() + bit_cast::<16, 8>(self.item.val());
//!         self.sum.next = self.so_far.q.val();
//!     }
//! }
//!
//! let mut circuit = Sum::default();
//! circuit.connect_all();
//! let program = Program::compile(&Netlist::of(&circuit, "accumulator", None)?)?;
//! let (item, sum) = (program.input("item")?, program.output("sum")?);
//! let mut simulation = program.start(1);
//! for number in 1..=10 {
//!     simulation.set(item, number);
//!     simulation.step();
//! }
//! simulation.settle();
//! assert_eq!(simulation.get(sum), 55);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branches;
mod code;
mod flatten;
#[cfg(test)]
mod folding;
mod graph;
mod signals;
mod stores;
mod words;

use crate::netlist::Netlist;
use code::{Code, Layout};
use flatten::Flat;
use std::fmt;
use std::sync::Arc;

/// Stack for reading a circuit: its depth is that of the longest combinational path.
const STACK: usize = 512 << 20;

/// A compiled circuit. Clones share the machine code.
#[derive(Clone)]
pub struct Program(Arc<Inner>);

struct Inner {
    code: Code,
    ports: Vec<Port>,
    /// Names of the clocks, in the order of the ports.
    clocks: Vec<String>,
    /// Words at power-up: inputs, outputs, memories.
    block: Vec<u64>,
    /// The bits that each word of the inputs has: the machine code addresses memories by them without a check.
    masks: Vec<u64>,
    /// First word of the memories, which is the end of the outputs.
    memory: usize,
    /// Words of the registers at power-up, or their width where they have no value.
    registers: Vec<Start>,
}

enum Start {
    At(u64),
    Random(u32),
}

/// A port of a compiled circuit, without the clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its width.
    pub bits: usize,
    /// Whether it is an input.
    pub input: bool,
    word: usize,
}

/// An input of a compiled circuit, looked up once.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    word: usize,
    bits: usize,
}

/// An output of a compiled circuit, looked up once.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    word: usize,
    bits: usize,
}

/// Why a circuit could not be compiled, or has no such port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Program {
    /// Compiles a circuit.
    ///
    /// # Errors
    /// There is no code generator for this processor; the memories have more than 2^27 words. (A combinational loop, a
    /// signal without a driver or with two, is found when the netlist is made.)
    pub fn compile(netlist: &Netlist) -> Result<Program, Error> {
        Self::with_probes(netlist, &[])
    }

    /// Compiles a circuit with signals inside it as further outputs, by their paths: names of instances and of the
    /// signal, as `parser.feedback_valid`.
    ///
    /// # Errors
    /// See [`compile`](Self::compile); a path that leads to no signal.
    pub fn with_probes(netlist: &Netlist, probes: &[&str]) -> Result<Program, Error> {
        std::thread::scope(|scope| {
            let deep = std::thread::Builder::new().stack_size(STACK);
            let worker = deep.spawn_scoped(scope, || Self::compile_here(netlist, probes));
            let worker = worker.map_err(|error| Error(format!("cannot start a thread to compile in: {error}")))?;
            worker.join().unwrap_or_else(|panic| Err(Error(format!("a mistake in tidegate: {}", text_of(&*panic)))))
        })
    }

    fn compile_here(netlist: &Netlist, probes: &[&str]) -> Result<Program, Error> {
        let flat: Flat = flatten::flatten(netlist, probes).map_err(Error)?;
        let layout = Layout { outputs: flat.inputs, memory: flat.inputs + flat.outputs.len() as u32 };
        let code = code::compile(&flat, layout).map_err(Error)?;
        let mut block = vec![0; layout.memory as usize];
        block.extend(&flat.memory);
        let registers = flat.registers.iter().map(|register| match register.initial {
            Some(value) => Start::At(value),
            None => Start::Random(register.bits),
        });
        let registers = registers.collect();
        let mut masks = vec![0; flat.inputs as usize];
        for port in flat.ports.iter().filter(|port| port.input) {
            for word in 0..words::words(port.bits) {
                masks[port.word as usize + word] = graph::ones(words::bits_of_word(port.bits, word));
            }
        }
        let base = |input: bool| if input { 0 } else { layout.outputs as usize };
        let ports = flat.ports.iter().map(|port| Port {
            name: port.name.clone(),
            bits: port.bits,
            input: port.input,
            word: base(port.input) + port.word as usize,
        });
        let ports = ports.collect();
        let memory = layout.memory as usize;
        Ok(Program(Arc::new(Inner { code, ports, clocks: flat.clocks, block, masks, memory, registers })))
    }

    /// The ports in their order, without the clocks; behind them the probes.
    pub fn ports(&self) -> &[Port] {
        &self.0.ports
    }

    fn port(&self, name: &str, input: bool) -> Result<&Port, Error> {
        let found = self.0.ports.iter().find(|port| port.name == name && port.input == input);
        found.ok_or_else(|| {
            let names: Vec<&str> =
                self.0.ports.iter().filter(|port| port.input == input).map(|port| port.name.as_str()).collect();
            let kind = if input { "input" } else { "output" };
            Error(format!("the circuit has no {kind} `{name}`; its {kind}s: {}", names.join(", ")))
        })
    }

    /// An input by its name.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn input(&self, name: &str) -> Result<Input, Error> {
        self.port(name, true).map(|port| Input { word: port.word, bits: port.bits })
    }

    /// An output by its name.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn output(&self, name: &str) -> Result<Output, Error> {
        self.port(name, false).map(|port| Output { word: port.word, bits: port.bits })
    }

    /// A clock by its name, for [`Simulation::tick`].
    ///
    /// # Errors
    /// There is none of this name.
    pub fn clock(&self, name: &str) -> Result<Clock, Error> {
        let found = self.0.clocks.iter().position(|clock| clock == name);
        found.map(Clock).ok_or_else(|| {
            Error(format!("the circuit has no clock `{name}`; its clocks: {}", self.0.clocks.join(", ")))
        })
    }

    /// Bytes of the state of a running circuit.
    pub fn state_bytes(&self) -> usize {
        size_of::<u64>() * (self.0.block.len() + 2 * self.0.registers.len())
    }

    /// The circuit at power-up, inputs 0. Registers without a value at power-up get one from the seed.
    pub fn start(&self, seed: u64) -> Simulation {
        let mut random = seed;
        let registers = self.0.registers.iter().map(|start| match *start {
            Start::At(value) => value,
            Start::Random(bits) => next_random(&mut random) >> (64 - bits),
        });
        let before: Vec<u64> = registers.collect();
        let after = before.clone();
        Simulation { block: self.0.block.clone(), before, after, program: self.clone(), high: High::PowerUp }
    }
}

/// The message of a panic.
fn text_of(panic: &dyn std::any::Any) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

/// splitmix64.
fn next_random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A clock of a compiled circuit.
#[derive(Clone, Copy, Debug)]
pub struct Clock(usize);

/// A running circuit.
///
/// A clock that has risen falls at the beginning of the next [`settle`](Self::settle), [`step`](Self::step) or
/// [`tick`](Self::tick), with the inputs that are driven then. At the first of them, each inverted clock rises: in `rust-hdl`,
/// too, all clocks are low before.
#[derive(Clone)]
pub struct Simulation {
    program: Program,
    block: Vec<u64>,
    before: Vec<u64>,
    after: Vec<u64>,
    high: High,
}

/// The clocks that are high, in a circuit in which something happens when they fall.
#[derive(Clone, Copy)]
enum High {
    PowerUp,
    None,
    All,
    One(usize),
}

impl Simulation {
    /// The circuit that runs.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Drives an input of up to 64 bits. Bits above its width are not used.
    ///
    /// # Panics
    /// The input belongs to another circuit that has more of them.
    #[inline]
    pub fn set(&mut self, input: Input, value: u64) {
        self.block[input.word] = value & self.program.0.masks[input.word];
    }

    /// Drives an input of any width: its 64-bit words, the low one first.
    ///
    /// # Panics
    /// It has another number of words, or belongs to another circuit that has more of them.
    pub fn set_words(&mut self, input: Input, value: &[u64]) {
        assert_eq!(value.len(), words::words(input.bits), "words of an input of {} bits", input.bits);
        for (at, &word) in (input.word..).zip(value) {
            self.block[at] = word & self.program.0.masks[at];
        }
    }

    /// Drives all inputs at once: their 64-bit words in the order of the [ports](Program::ports), the low word of a
    /// wide one first.
    ///
    /// # Panics
    /// There are more or fewer words than the inputs have.
    #[inline]
    pub fn set_all(&mut self, words: &[u64]) {
        let masks = &self.program.0.masks[..];
        assert_eq!(words.len(), masks.len(), "words of all inputs");
        for ((driven, &word), &mask) in self.block.iter_mut().zip(words).zip(masks) {
            *driven = word & mask;
        }
    }

    /// The words of all outputs, in the order of the [ports](Program::ports), the low word of a wide one first.
    #[inline]
    pub fn get_all(&self) -> &[u64] {
        &self.block[self.program.0.masks.len()..self.program.0.memory]
    }

    /// The value of an output of up to 64 bits, as the last call of [`step`](Self::step) or [`settle`](Self::settle)
    /// left it; the low 64 bits of a wider one.
    #[inline]
    pub fn get(&self, output: Output) -> u64 {
        self.block[output.word]
    }

    /// The 64-bit words of an output of any width, the low one first.
    pub fn words(&self, output: Output) -> &[u64] {
        &self.block[output.word..output.word + words::words(output.bits)]
    }

    /// Lets the outputs follow the inputs.
    #[inline]
    pub fn settle(&mut self) {
        self.fall(High::None);
        self.call(self.program.0.code.settle);
    }

    /// One clock cycle: the outputs follow the inputs, then all clocks have a rising edge. Afterwards the outputs are
    /// those before the edge.
    #[inline]
    pub fn step(&mut self) {
        self.fall(High::All);
        self.edge(self.program.0.code.step);
    }

    /// The same with an edge of one clock only.
    pub fn tick(&mut self, clock: Clock) {
        self.fall(High::One(clock.0));
        let code = &self.program.0.code;
        self.edge(code.ticks.get(clock.0).copied().unwrap_or(code.step));
    }

    /// The clocks that are high fall, then others rise.
    #[inline]
    fn fall(&mut self, then: High) {
        let falls = &self.program.0.code.falls;
        if falls.is_empty() {
            return;
        }
        let function = match std::mem::replace(&mut self.high, then) {
            High::None => return,
            High::PowerUp => falls[0],
            High::All => falls[1],
            High::One(clock) => falls.get(2 + clock).copied().unwrap_or(falls[1]),
        };
        self.edge(function);
    }

    #[inline]
    fn edge(&mut self, function: code::Function) {
        // The function does not write a register that keeps its value.
        self.after.copy_from_slice(&self.before);
        self.call(function);
        std::mem::swap(&mut self.before, &mut self.after);
    }

    #[inline]
    fn call(&mut self, function: code::Function) {
        // The function was compiled for blocks of these sizes, which `Program::start` has made.
        unsafe { function(self.block.as_mut_ptr(), self.before.as_ptr(), self.after.as_mut_ptr()) }
    }
}
