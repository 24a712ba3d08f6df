// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit as a typed structure: modules, signals, registers, memories, instances, and statements. Each expression
//! has a width.
//!
//! A netlist is built from any `rust-hdl` circuit through `Block::accept` and `Logic::hdl` ([`Netlist::of`]). Widths
//! follow the rules of Rust: both sides of an operator have the same width, a literal takes the width of the other
//! side, a comparison gives one bit, a cast extends or cuts the value after wrapping. An expression that cannot be
//! typed is an [`Error`] with module and signal; nothing is guessed.
//!
//! Meaning of a netlist: the value of a signal is that of the last assignment that takes effect. Every read gets this
//! final value, also a read above that assignment. So statements of different signals can be separated and reordered.
//! (In `rust-hdl`, a read between two assignments gets the value of the first one: it reads a signal of its own here.)
//! Registers and memories change at the rising edge of their clock, all at the same time. A clock is an input, or a
//! signal that is an input inverted. This module does not depend on an output language.

mod alias;
mod atoms;
mod board;
mod build;
pub mod builder;
mod clocks;
mod complete;
mod drivers;
mod element;
mod expression;
mod forms;
mod hoist;
mod index;
mod join;
mod names;
mod order;
mod statements;
mod versions;

pub use board::{Board, Wire};
pub use clocks::{ClockSource, clock_source};
pub use drivers::{project, reads_of, targets_of, used_bits, visit_expressions};
pub use element::Element;
pub use names::{Description, Field};
pub use order::{graph_in, in_groups, reached};

use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::fmt;

/// Index of a signal in its module.
pub type SignalId = usize;
/// Index of a module in its netlist.
pub type ModuleId = usize;

/// A circuit: its modules, each distinct one once. A module comes after the modules that it instantiates; the last one
/// is the top.
#[derive(Clone, Debug)]
pub struct Netlist {
    /// Modules, inner ones first.
    pub modules: Vec<Module>,
}

/// A design unit. Two modules that are equal except for their names are one.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// Its name.
    pub name: String,
    /// Its description, from the doc comment of the Rust module; empty if there is none. Each paragraph is one line; an
    /// empty line stands between two paragraphs.
    pub meaning: String,
    /// Ports in their order, then all other signals.
    pub signals: Vec<Signal>,
    /// Names for the widths of some ports, which whoever instantiates the module must know. They are no choice: the
    /// module is made for these widths.
    pub widths: Vec<Width>,
    /// Local signals whose value whoever instantiates the module may choose: parameters in Verilog. Each is assigned a
    /// constant, which is the default, and the value in everything that is made from this netlist but Verilog.
    pub choices: Vec<SignalId>,
    /// Types whose values have names.
    pub enumerations: Vec<Enumeration>,
    /// Registers.
    pub registers: Vec<Register>,
    /// Memories.
    pub memories: Vec<Memory>,
    /// Read-only memories.
    pub roms: Vec<Rom>,
    /// Modules inside.
    pub instances: Vec<Instance>,
    /// The combinational part, which drives locals, outputs, inputs of instances, registers and memories.
    pub statements: Vec<Statement>,
    /// Comments between the statements of the source, in their order.
    pub comments: Vec<Comment>,
    /// Signals in an order of evaluation: each comes after all signals on which it depends within a cycle.
    pub order: Vec<SignalId>,
    /// For each output the inputs from which a path leads to it within a cycle.
    pub paths: Vec<(SignalId, Vec<SignalId>)>,
}

/// A signal of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Its name, as in Rust; a port of an instance is `instance_port`.
    pub name: String,
    /// Port direction, or local.
    pub kind: SignalKind,
    /// Its width, and whether it is signed.
    pub shape: Shape,
    /// The enumeration of its values.
    pub enumeration: Option<usize>,
    /// Its meaning and unit; empty if not known.
    pub meaning: String,
}

/// A name for the width of some ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// The name.
    pub name: String,
    /// The width.
    pub bits: usize,
    /// The ports of this width that are declared by the name.
    pub ports: Vec<SignalId>,
}

/// The role of a signal in its module.
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
    /// A clock of the module, or one inverted.
    pub clock: SignalId,
    /// Whether it takes its input at the falling edge.
    pub falling: bool,
    /// Synchronous, active high.
    pub reset: Option<SignalId>,
    /// Value at power-up and after a reset; `None` if the value at power-up is never read.
    pub initial: Option<BigUint>,
}

/// A memory with one write port, at the rising edge, and one read port. A read gets the value from before a write in
/// the same cycle. At power-up a clocked read port is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// Number of words.
    pub words: usize,
    /// Width of a word.
    pub bits: usize,
    /// Clock of the reading side; `None` if a read takes no clock cycle.
    pub read_clock: Option<SignalId>,
    /// Address of the word to read.
    pub read_address: SignalId,
    /// The word that was read at the last edge, which must not be used if it was written at the same edge: block RAM may
    /// return anything then. Without a clock, the word at the address.
    pub read_data: SignalId,
    /// Clock of the writing side.
    pub write_clock: SignalId,
    /// Whether to write.
    pub write_enable: SignalId,
    /// Address of the word to write.
    pub write_address: SignalId,
    /// The word to write.
    pub write_data: SignalId,
    /// Whether a word has a value at power-up. If not, nothing depends on a word that was not written.
    pub starts: bool,
    /// The words at power-up, from address 0 on, one for each; empty if all are zero.
    pub contents: Vec<BigUint>,
}

/// A read-only memory. If it is read at the rising edge, the read data is zero at power-up.
#[derive(Clone, Debug, PartialEq)]
pub struct Rom {
    /// Its name.
    pub name: String,
    /// Its words from address 0 on; one for each value of the address.
    pub contents: Vec<BigUint>,
    /// Its clock; `None` if a read takes no clock cycle.
    pub clock: Option<SignalId>,
    /// Address of the word to read.
    pub address: SignalId,
    /// The word that was read at the last edge. Without a clock, the word at the address.
    pub data: SignalId,
}

/// A module inside a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The module of which it is an instance.
    pub module: ModuleId,
    /// For each port of that module, in their order, the signal that it is connected to.
    pub connections: Vec<Connection>,
}

/// The connection of a port of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Connection {
    /// A signal.
    Signal(SignalId),
    /// An input that is held at a constant.
    Constant(Expression),
}

/// A statement of the combinational part.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Assigns a value to bits of a signal, from bit `low` up.
    Assign {
        /// The signal.
        target: SignalId,
        /// The lowest bit.
        low: usize,
        /// The value, as wide as the assigned bits.
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
        /// The value that is compared.
        test: Expression,
        /// Constants of the same shape, with the statements for each.
        arms: Vec<(Expression, Vec<Statement>)>,
        /// The statements for all other values.
        default: Vec<Statement>,
    },
}

/// A comment in the source, above a statement that is not inside a condition. Statements can be reordered, so a comment
/// keeps the signals that its statement assigns.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Its text.
    pub text: String,
    /// The signals that the statement below it assigns.
    pub targets: BTreeSet<SignalId>,
}

/// A value with its shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its kind.
    pub kind: ExpressionKind,
    /// Its shape.
    pub shape: Shape,
}

/// The kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A number, as bits.
    Constant(u128),
    /// A named value of an enumeration.
    Enumerator {
        /// Index of the enumeration in the module.
        enumeration: usize,
        /// Index of the value.
        value: usize,
    },
    /// A signal of the module.
    Signal(SignalId),
    /// An operator on one value.
    Unary(Unary, Box<Expression>),
    /// An operator on two values; both have the same shape, except the amount of a shift.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// A narrower value with zeros above it; a signed value with copies of its sign.
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
    /// Unsigned values side by side, the highest first.
    Join(Vec<Expression>),
}

/// An operator on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// All bits inverted.
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
    /// Whether the result is one bit, from a comparison of both sides.
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
            widths: Vec::new(),
            choices: Vec::new(),
            enumerations: Vec::new(),
            registers: Vec::new(),
            memories: Vec::new(),
            roms: Vec::new(),
            instances: Vec::new(),
            statements: Vec::new(),
            comments: Vec::new(),
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

    /// The default of one of its choices.
    ///
    /// # Panics
    /// If it is no choice.
    pub fn default_of(&self, choice: SignalId) -> &Expression {
        let default = self.statements.iter().find_map(|statement| match statement {
            Statement::Assign { target, value, .. } if *target == choice => Some(value),
            _ => None,
        });
        default.expect("a choice has a default")
    }

    /// The clocks that registers and memories of this module run on: each clock domain by its input.
    pub fn clocks(&self) -> Vec<SignalId> {
        let registers = self.registers.iter().map(|register| register.clock);
        let memories =
            self.memories.iter().flat_map(|memory| memory.read_clock.into_iter().chain([memory.write_clock]));
        let roms = self.roms.iter().filter_map(|rom| rom.clock);
        let mut clocks: Vec<SignalId> = registers.chain(memories).chain(roms).collect();
        clocks.sort_unstable();
        clocks.dedup();
        clocks
    }
}

impl Netlist {
    /// Adds all modules of another circuit, each unless there is one that is equal. Returns the place of its top module.
    ///
    /// # Errors
    /// If two different modules have the same name.
    pub fn include(&mut self, other: &Netlist) -> Result<ModuleId, Error> {
        let mut places: Vec<ModuleId> = Vec::with_capacity(other.modules.len());
        for module in &other.modules {
            let mut module = module.clone();
            module.instances.iter_mut().for_each(|instance| instance.module = places[instance.module]);
            places.push(self.insert(module)?);
        }
        Ok(*places.last().expect("a netlist has a module"))
    }

    /// The same circuit inside another module. That module is checked, and its order of evaluation is computed.
    ///
    /// # Errors
    /// See [`Netlist::of`].
    pub fn with(&self, whole: Module) -> Result<Netlist, Error> {
        let mut netlist = self.clone();
        let whole = build::finish(whole, &netlist.modules)?;
        netlist.modules.push(whole);
        Ok(netlist)
    }

    /// The top module.
    pub fn top(&self) -> &Module {
        self.modules.last().expect("a netlist has a module")
    }

    /// The paths and widths of all signals except the clocks: names of instances and of the signal, as
    /// `parser.feedback_valid`. The signals of an instance come after those of its parent. A wire to an instance is not
    /// listed, as it is a port of that instance; a register is, also if an instance reads it.
    pub fn paths(&self) -> Vec<(String, usize)> {
        let mut paths = Vec::new();
        self.paths_of(self.top(), "", &mut paths);
        paths
    }

    fn paths_of(&self, module: &Module, prefix: &str, paths: &mut Vec<(String, usize)>) {
        let connects = |id: SignalId| {
            let mut connections = module.instances.iter().flat_map(|instance| &instance.connections);
            connections.any(|connection| *connection == Connection::Signal(id))
        };
        let is_register = |id| module.registers.iter().any(|register| register.q == id);
        for (id, signal) in module.signals.iter().enumerate() {
            if signal.kind != SignalKind::Clock
                && (signal.kind != SignalKind::Local || is_register(id) || !connects(id))
            {
                paths.push((format!("{prefix}{}", signal.name), signal.shape.bits));
            }
        }
        for instance in &module.instances {
            self.paths_of(&self.modules[instance.module], &format!("{prefix}{}.", instance.name), paths);
        }
    }
}

/// Why a circuit has no netlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The module, by its name or its place in the hierarchy.
    pub module: String,
    /// The signal or the statement.
    pub signal: String,
    /// What is wrong, and what to do about it.
    pub reason: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "module {}, signal {}: {}", self.module, self.signal, self.reason)
    }
}

impl std::error::Error for Error {}
