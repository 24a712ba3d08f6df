// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit at native speed: a netlist becomes machine code in this process.
//!
//! The modules of a circuit are put into each other; constants are folded, logic that no output and no register needs
//! is left out, and what remains is one pass over all operations for a clock cycle: no settling, no allocation, no
//! names. A program that runs long is compiled again, from how often each operation changed meanwhile: then operations whose operands
//! rest are left out, too. Registers and memories behave as [`crate::netlist`] states. A register without a value at power-up starts at
//! random from a seed, so that a missing reset shows.
//!
//! ```
//! use rust_hdl::prelude::*;
//! use tidegate_hdl::engine::Program;
//! use tidegate_hdl::netlist::Netlist;
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

mod activity;
mod branches;
mod code;
mod flatten;
#[cfg(test)]
mod folding;
mod graph;
mod inputs;
mod operations;
mod regions;
mod signals;
mod stores;
mod tuning;
mod words;

use crate::netlist::Netlist;
use code::Code;
use flatten::Flat;
use rayon::prelude::*;
use std::fmt;
use std::sync::Arc;
use tuning::{Tuner, Tuning};

/// Steps of [`Simulation::step_until`] between two looks whether the whole circuit rests.
const REST: u64 = 64;

/// Stack for reading a circuit: its depth is that of the longest combinational path.
const STACK: usize = 512 << 20;

/// A compiled circuit. Clones share the machine code.
#[derive(Clone)]
pub struct Program(Arc<Inner>);

struct Inner {
    /// The circuit as one region.
    code: Arc<Code>,
    tuning: Tuning,
    ports: Vec<Port>,
    /// Names of the clocks, in the order of the ports.
    clocks: Vec<String>,
    /// The bits that each word of the inputs has: the machine code addresses memories by them without a check.
    masks: Vec<u64>,
}

/// What makes a program fast, each of which can be left out: the results are the same. For tests of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Optimisations {
    /// The side of a choice that is not taken is not computed.
    pub branches: bool,
    /// After how many steps it is found out which operations rest, so that they can be left out; `None`: never.
    pub sleep_after: Option<u64>,
}

impl Default for Optimisations {
    /// All of them; sleep from where what it saves is more than what the second compilation takes.
    fn default() -> Self {
        Optimisations { branches: true, sleep_after: Some(1 << 18) }
    }
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
        Self::with_optimisations(netlist, probes, Optimisations::default())
    }

    /// Compiles a circuit with some optimisations only.
    ///
    /// # Errors
    /// See [`with_probes`](Self::with_probes).
    pub fn with_optimisations(
        netlist: &Netlist,
        probes: &[&str],
        optimisations: Optimisations,
    ) -> Result<Program, Error> {
        deep(|| Self::compile_here(netlist, probes, optimisations))
    }

    fn compile_here(netlist: &Netlist, probes: &[&str], optimisations: Optimisations) -> Result<Program, Error> {
        let flat: Flat = flatten::flatten(netlist, probes).map_err(Error)?;
        let code = Arc::new(code::compile(&flat, &regions::whole(&flat), optimisations).map_err(Error)?);
        let mut masks = vec![0; flat.inputs as usize];
        for port in flat.ports.iter().filter(|port| port.input) {
            for word in 0..words::words(port.bits) {
                masks[port.word as usize + word] = graph::ones(words::bits_of_word(port.bits, word));
            }
        }
        let base = |input: bool| if input { 0 } else { code.layout.outputs as usize };
        let ports = flat.ports.iter().map(|port| Port {
            name: port.name.clone(),
            bits: port.bits,
            input: port.input,
            word: base(port.input) + port.word as usize,
        });
        let ports = ports.collect();
        let clocks = flat.clocks.clone();
        let tuning = Tuning::new(flat, optimisations);
        Ok(Program(Arc::new(Inner { code, tuning, ports, clocks, masks })))
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

    /// Bytes of the state of a running circuit; some more when it runs long.
    pub fn state_bytes(&self) -> usize {
        size_of::<u64>() * (self.0.code.layout.end as usize + 2 * self.0.tuning.flat().registers.len())
    }

    /// The circuit at power-up, inputs 0. Registers without a value at power-up get one from the seed.
    pub fn start(&self, seed: u64) -> Simulation {
        let Inner { code, tuning, .. } = &*self.0;
        let (layout, flat) = (code.layout, tuning.flat());
        let mut words = vec![0; layout.end as usize];
        words[layout.memory as usize..][..flat.memory.len()].copy_from_slice(&flat.memory);
        let mut random = seed;
        let registers = flat.registers.iter().map(|register| {
            register.initial.unwrap_or_else(|| next_random(&mut random) >> (u64::BITS - register.bits))
        });
        let before: Vec<u64> = registers.collect();
        let after = before.clone();
        let mut simulation = Simulation {
            words,
            before,
            after,
            watch: Watch::default(),
            code: code.clone(),
            tuned: false,
            tuner: Tuner::new(tuning),
            high: High::PowerUp,
            program: self.clone(),
        };
        if let Some(code) = tuning.code() {
            simulation.go_over_to(code);
        }
        simulation
    }

    /// Runs the circuit once for each seed, on all cores: `run` gets the seed and the circuit at power-up. Returns what
    /// the runs return, in the order of the seeds. The runs find out together what rests, so that all gain from it early.
    pub fn start_many<T: Send>(&self, seeds: &[u64], run: impl Fn(u64, Simulation) -> T + Sync) -> Vec<T> {
        seeds.par_iter().map(|&seed| run(seed, self.start(seed))).collect()
    }
}

/// Computes something in a thread with a stack that is deep enough for the longest combinational path.
fn deep<T: Send>(compute: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, compute);
        let worker = worker.map_err(|error| Error(format!("cannot start a thread to compile in: {error}")))?;
        worker.join().unwrap_or_else(|panic| Err(Error(format!("a mistake in tidegate-hdl: {}", text_of(&*panic)))))
    })
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
    /// As the layout of its code says.
    words: Vec<u64>,
    /// The registers of a simulation that is not tuned, and a second place for them.
    before: Vec<u64>,
    after: Vec<u64>,
    watch: Watch,
    /// What it runs, and whether regions sleep in it.
    code: Arc<Code>,
    tuned: bool,
    tuner: Tuner,
    high: High,
}

/// What [`Simulation::step_until`] compares.
#[derive(Clone, Default)]
struct Watch {
    /// The place of each word that is watched, and its value before the first step.
    words: Vec<(usize, u64)>,
    /// The registers before a step.
    registers: Vec<u64>,
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
        self.drive(input.word, value);
    }

    /// Drives an input of any width: its 64-bit words, the low one first.
    ///
    /// # Panics
    /// It has another number of words, or belongs to another circuit that has more of them.
    pub fn set_words(&mut self, input: Input, value: &[u64]) {
        assert_eq!(value.len(), words::words(input.bits), "words of an input of {} bits", input.bits);
        (input.word..).zip(value).for_each(|(at, &word)| self.drive(at, word));
    }

    /// Drives all inputs at once: their 64-bit words in the order of the [ports](Program::ports), the low word of a
    /// wide one first.
    ///
    /// # Panics
    /// There are more or fewer words than the inputs have.
    #[inline]
    pub fn set_all(&mut self, words: &[u64]) {
        let inner = &*self.program.0;
        let (inputs, others) = self.words.split_at_mut(words.len());
        match self.code.wakes.split_first() {
            Some((first, more)) => {
                let awake = &mut others[self.code.layout.awake as usize - words.len()..];
                for (awake, wakes) in awake[1..].iter_mut().zip(more) {
                    *awake |= inputs::woken(inputs, words, &inner.masks, wakes);
                }
                awake[0] |= inputs::drive(inputs, words, &inner.masks, first);
            }
            None => inputs.iter_mut().zip(words).zip(&inner.masks).for_each(|((at, &word), &mask)| *at = word & mask),
        }
    }

    /// Drives a word of the inputs, and wakes what reads it if it is another one than before.
    #[inline]
    fn drive(&mut self, at: usize, value: u64) {
        let value = value & self.program.0.masks[at];
        let changed = inputs::changed(std::mem::replace(&mut self.words[at], value), value);
        if self.tuned {
            let awake = &mut self.words[self.code.layout.awake as usize..];
            awake.iter_mut().zip(&self.code.wakes).for_each(|(awake, wakes)| *awake |= wakes[at] & changed);
        }
    }

    /// The words of all outputs, in the order of the [ports](Program::ports), the low word of a wide one first.
    #[inline]
    pub fn get_all(&self) -> &[u64] {
        let layout = &self.code.layout;
        &self.words[layout.outputs as usize..layout.memory as usize]
    }

    /// The value of an output of up to 64 bits, as the last call of [`step`](Self::step) or [`settle`](Self::settle)
    /// left it; the low 64 bits of a wider one.
    #[inline]
    pub fn get(&self, output: Output) -> u64 {
        self.words[output.word]
    }

    /// The 64-bit words of an output of any width, the low one first.
    pub fn words(&self, output: Output) -> &[u64] {
        &self.words[output.word..output.word + words::words(output.bits)]
    }

    /// Lets the outputs follow the inputs.
    #[inline]
    pub fn settle(&mut self) {
        self.fall(High::None);
        self.call(|code| code.settle);
    }

    /// One clock cycle: the outputs follow the inputs, then all clocks have a rising edge. Afterwards the outputs are
    /// those before the edge.
    #[inline]
    pub fn step(&mut self) {
        self.fall(High::All);
        self.tune();
        self.call(|code| code.step);
    }

    /// Makes [steps](Self::step) until one of some outputs has another value than now, at most so many; the inputs stay
    /// as they are. Returns how many: if it is fewer than `most`, the last of them has shown the new value.
    ///
    /// A step that changes no register and writes no memory is found out after some dozens: from then on the circuit
    /// rests, and the other steps are not computed.
    pub fn step_until(&mut self, watched: &[Output], most: u64) -> u64 {
        let mut watch = std::mem::take(&mut self.watch);
        watch.words.clear();
        for &output in watched {
            let words = output.word..output.word + words::words(output.bits);
            watch.words.extend(words.map(|word| (word, self.words[word])));
        }
        let mut steps = 0;
        while steps < most {
            let looks = steps % REST == REST - 1;
            if looks {
                watch.registers.clear();
                watch.registers.extend(self.registers());
            }
            self.step();
            steps += 1;
            if watch.words.iter().any(|&(word, seen)| self.words[word] != seen) {
                break;
            }
            if looks && *self.registers() == watch.registers && !self.writes() {
                steps = most;
            }
        }
        self.watch = watch;
        steps
    }

    /// Whether the last step wrote to a memory.
    fn writes(&self) -> bool {
        let flat = self.program.0.tuning.flat();
        self.code.layout.writes(flat).any(|enable| self.words[enable as usize] != 0)
    }

    /// One clock cycle with an edge of one clock only.
    pub fn tick(&mut self, clock: Clock) {
        self.fall(High::One(clock.0));
        self.tune();
        self.call(|code| code.ticks.get(clock.0).copied().unwrap_or(code.step));
    }

    /// The clocks that are high fall, then others rise.
    #[inline]
    fn fall(&mut self, then: High) {
        if self.code.falls.is_empty() {
            return;
        }
        match std::mem::replace(&mut self.high, then) {
            High::None => {}
            High::PowerUp => self.call(|code| code.falls[0]),
            High::All => self.call(|code| code.falls[1]),
            High::One(clock) => self.call(|code| code.falls.get(2 + clock).copied().unwrap_or(code.falls[1])),
        }
    }

    /// Counts a step; goes over to the code whose regions sleep when it is there.
    #[inline]
    fn tune(&mut self) {
        if self.tuner.is_due() {
            let tuning = &self.program.0.tuning;
            if let Some(code) = self.tuner.due(tuning, &self.code.layout, &self.words, &self.before) {
                self.go_over_to(code);
            }
        }
    }

    /// Goes over to the code whose regions sleep: all are computed in the first cycle.
    fn go_over_to(&mut self, code: Arc<Code>) {
        let layout = code.layout;
        self.words.resize(layout.awake as usize, 0);
        self.words.resize(layout.before as usize, u64::MAX);
        self.words.extend(&self.before);
        self.words.extend(&self.before);
        debug_assert_eq!(self.words.len(), layout.end as usize);
        (self.code, self.tuned) = (code, true);
    }

    /// The registers.
    fn registers(&self) -> &[u64] {
        let layout = &self.code.layout;
        if self.tuned { &self.words[layout.before as usize..layout.after as usize] } else { &self.before }
    }

    #[inline]
    fn call(&mut self, function: impl Fn(&Code) -> code::Function) {
        if !self.tuned {
            // The function does not write a register that keeps its value.
            self.after.copy_from_slice(&self.before);
        }
        // Each function was compiled for this layout of words, and for so many registers.
        unsafe { function(&self.code)(self.words.as_mut_ptr(), self.before.as_mut_ptr(), self.after.as_mut_ptr()) };
        if !self.tuned {
            std::mem::swap(&mut self.before, &mut self.after);
        }
    }
}
