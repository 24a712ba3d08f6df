//! A circuit as typed structure: modules, signals, registers, memories, instances, and statements whose every expression
//! carries its width.
//!
//! A netlist is built from any `rust-hdl` circuit through `Block::accept` and `Logic::hdl` ([`Netlist::of`]). Widths follow
//! Rust's rules: both sides of an operator have one width, a literal takes that of the other side, a comparison gives one
//! bit, a cast extends or cuts the value that has already wrapped. What cannot be typed is an [`Error`] that names module
//! and signal; nothing is guessed.
//!
//! What a netlist means: the value of a signal is what the last assignment to it that takes effect gives it; every read, also
//! one that stands above that assignment, sees that final value, as in a settled `rust-hdl` simulation. So statements of
//! different signals can be taken apart and put in any order. Registers and memories take their values at the rising edge of
//! their clock, all at once. Nothing here knows how a language writes it down.

mod alias;
mod atoms;
mod build;
mod drivers;
mod expression;
mod hoist;
mod names;
mod order;
mod statements;

pub use drivers::{reads_of, targets_of, used_bits, visit_expressions};
pub use names::{Description, Field};

use std::fmt;

/// Index of a signal in its module.
pub type SignalId = usize;
/// Index of a module in its netlist.
pub type ModuleId = usize;

/// A circuit: its modules, each distinct one once, those that are instantiated before those that instantiate them; the last
/// one is the whole.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Modules, parts before wholes.
    pub modules: Vec<Module>,
}

/// A design unit. Two that are equal but for their names are one.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// What it is, in the words of the Rust module; empty where those are not known.
    pub meaning: String,
    /// Ports in their order, then everything else.
    pub signals: Vec<Signal>,
    /// Types whose values have names.
    pub enumerations: Vec<Enumeration>,
    /// What keeps a value from one rising edge to the next.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Memories that are only read.
    pub roms: Vec<Rom>,
    /// Modules inside.
    pub instances: Vec<Instance>,
    /// The combinational part, which drives locals, outputs, inputs of instances, registers and memories.
    pub statements: Vec<Statement>,
    /// Signals in an order in which each stands behind all that it depends on within a cycle.
    pub order: Vec<SignalId>,
    /// For each output the inputs from which a path leads to it within a cycle.
    pub paths: Vec<(SignalId, Vec<SignalId>)>,
}

/// A signal of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name, as in Rust; that of a port of a part is `part_port`.
    pub name: String,
    /// Where it comes from and where it goes.
    pub kind: SignalKind,
    /// Its width and how it is read.
    pub shape: Shape,
    /// The enumeration of its values.
    pub enumeration: Option<usize>,
    /// What it means and its unit; empty where that is not known.
    pub meaning: String,
}

/// What a signal is to its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// The clock of a module: an input.
    Clock,
    /// An input.
    Input,
    /// An output.
    Output,
    /// Neither.
    Local,
}

/// The width of a value, and whether its top bit is a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape {
    /// Width in bits, at least 1.
    pub bits: usize,
    /// Two's complement.
    pub signed: bool,
}

impl Shape {
    /// An unsigned value of some bits.
    pub const fn unsigned(bits: usize) -> Self {
        Shape { bits, signed: false }
    }

    /// The bits of a value whose every bit is 1.
    pub fn ones(self) -> u128 {
        expression::ones(self.bits)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { "signed " } else { "" };
        write!(formatter, "{sign}{} bit{}", self.bits, if self.bits == 1 { "" } else { "s" })
    }
}

/// A type whose values have names.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// Names of its values, from 0 up.
    pub values: Vec<String>,
}

/// A register: `q` takes `d` at the rising edge of `clock`, or `initial` where `reset` is high.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Its input.
    pub d: SignalId,
    /// Its output.
    pub q: SignalId,
    /// A clock of the module.
    pub clock: SignalId,
    /// Synchronous, active high.
    pub reset: Option<SignalId>,
    /// Value at power-up and after a reset; `None` where nobody reads what it is at power-up.
    pub initial: Option<u128>,
}

/// A memory with one port to write and one to read, both at the rising edge; a read sees what was there before a write in the
/// same cycle. All zero at power-up, as is what was read last.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// Number of words.
    pub words: usize,
    /// Width of a word.
    pub bits: usize,
    /// Clock of the reading side.
    pub read_clock: SignalId,
    /// What to read.
    pub read_address: SignalId,
    /// What was read at the last edge.
    pub read_data: SignalId,
    /// Clock of the writing side.
    pub write_clock: SignalId,
    /// Whether to write.
    pub write_enable: SignalId,
    /// Where to.
    pub write_address: SignalId,
    /// What.
    pub write_data: SignalId,
}

/// A memory with contents that nothing changes, read at the rising edge. What was read last is zero at power-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Rom {
    /// Its name.
    pub name: String,
    /// Its words, the first that of address 0; there are as many as the address can name.
    pub contents: Vec<u128>,
    /// Its clock.
    pub clock: SignalId,
    /// What to read.
    pub address: SignalId,
    /// What was read at the last edge.
    pub data: SignalId,
}

/// A module inside a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// What it is an instance of.
    pub module: ModuleId,
    /// For each port of that module, in their order, the signal that it is connected to.
    pub connections: Vec<Connection>,
}

/// What a port of an instance is connected to.
#[derive(Clone, Debug, PartialEq)]
pub enum Connection {
    /// A signal, to or from which it goes.
    Signal(SignalId),
    /// An input that is held at a constant.
    Constant(Expression),
}

/// A statement of the combinational part.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Gives bits of a signal a value, from bit `low` up.
    Assign {
        /// The signal.
        target: SignalId,
        /// The lowest bit.
        low: usize,
        /// As wide as the bits that it goes to.
        value: Expression,
    },
    /// Chooses by one bit.
    If {
        /// One bit.
        test: Expression,
        /// Where it is 1.
        then: Vec<Statement>,
        /// Where it is 0.
        otherwise: Vec<Statement>,
    },
    /// Chooses by value.
    Match {
        /// What is looked at.
        test: Expression,
        /// A constant of its shape, and what to do where it is that.
        arms: Vec<(Expression, Vec<Statement>)>,
        /// What to do where it is none of them.
        default: Vec<Statement>,
    },
}

/// A value with its shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// How it is made.
    pub kind: ExpressionKind,
    /// Its shape.
    pub shape: Shape,
}

/// How a value is made.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A number, as the bits that it has.
    Constant(u128),
    /// A named value of an enumeration.
    Enumerator {
        /// Which enumeration of the module.
        enumeration: usize,
        /// Which value.
        value: usize,
    },
    /// A signal of the module.
    Signal(SignalId),
    /// An operator on one value.
    Unary(Unary, Box<Expression>),
    /// An operator on two values; both have one shape, but for the amount of a shift.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// A narrower value with zeros above it, or with copies of its sign where it is signed.
    Extend(Box<Expression>),
    /// Bits of a wider value, from `low` up.
    Slice {
        /// The wider value.
        value: Box<Expression>,
        /// The lowest bit.
        low: usize,
    },
    /// The same bits, read as signed or unsigned.
    Reinterpret(Box<Expression>),
}

/// An operator on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Every bit the other way round.
    Not,
    /// Two's complement.
    Negate,
    /// Whether all bits are 1: one bit.
    All,
    /// Whether any bit is 1: one bit.
    Any,
    /// Whether the number of ones is odd: one bit.
    Parity,
}

/// An operator on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Sum, wraps.
    Add,
    /// Difference, wraps.
    Subtract,
    /// Product, as wide as both sides, which were extended for it.
    Multiply,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// By an amount that is an unsigned value of any width; zeros come in.
    ShiftLeft,
    /// By an amount that is an unsigned value of any width; zeros come in.
    ShiftRight,
    /// One bit.
    Equal,
    /// One bit.
    NotEqual,
    /// One bit.
    Less,
    /// One bit.
    LessOrEqual,
    /// One bit.
    Greater,
    /// One bit.
    GreaterOrEqual,
}

impl Binary {
    /// Whether the result is one bit that tells how the sides compare.
    pub fn compares(self) -> bool {
        use Binary::*;
        matches!(self, Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// Whether the right side is an amount, of any width.
    pub fn shifts(self) -> bool {
        matches!(self, Binary::ShiftLeft | Binary::ShiftRight)
    }
}

impl Module {
    /// A module with nothing in it.
    pub fn empty(name: &str, meaning: &str) -> Self {
        Module {
            name: name.to_string(),
            meaning: meaning.to_string(),
            signals: Vec::new(),
            enumerations: Vec::new(),
            registers: Vec::new(),
            memories: Vec::new(),
            roms: Vec::new(),
            instances: Vec::new(),
            statements: Vec::new(),
            order: Vec::new(),
            paths: Vec::new(),
        }
    }

    /// Adds a signal.
    pub fn add(&mut self, signal: Signal) -> SignalId {
        self.signals.push(signal);
        self.signals.len() - 1
    }

    /// A signal by its name.
    pub fn find(&self, name: &str) -> Option<SignalId> {
        self.signals.iter().position(|signal| signal.name == name)
    }

    /// The ports in their order.
    pub fn ports(&self) -> impl Iterator<Item = (SignalId, &Signal)> {
        self.signals.iter().enumerate().filter(|(_, signal)| signal.kind != SignalKind::Local)
    }

    /// The clocks that registers and memories of this module run on: each clock domain by its input.
    pub fn clocks(&self) -> Vec<SignalId> {
        let registers = self.registers.iter().map(|register| register.clock);
        let memories = self.memories.iter().flat_map(|memory| [memory.read_clock, memory.write_clock]);
        let roms = self.roms.iter().map(|rom| rom.clock);
        let mut clocks: Vec<SignalId> = registers.chain(memories).chain(roms).collect();
        clocks.sort_unstable();
        clocks.dedup();
        clocks
    }
}

impl Netlist {
    /// The same circuit inside another module, which is checked and put in order.
    ///
    /// # Errors
    /// As [`Netlist::of`].
    pub fn with(&self, whole: Module) -> Result<Netlist, Error> {
        let mut netlist = self.clone();
        let whole = build::finish(whole, &netlist.modules)?;
        netlist.modules.push(whole);
        Ok(netlist)
    }

    /// The module that is the whole circuit.
    pub fn top(&self) -> &Module {
        self.modules.last().expect("a netlist has a module")
    }
}

/// Why a circuit has no netlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The module, by its name or its place in the hierarchy.
    pub module: String,
    /// The signal, or the statement, that it is about.
    pub signal: String,
    /// What is wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "module {}, signal {}: {}", self.module, self.signal, self.reason)
    }
}

impl std::error::Error for Error {}
