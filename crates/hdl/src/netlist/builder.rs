// SPDX-License-Identifier: MIT OR Apache-2.0
//! A module that is built signal by signal.

use super::{
    Binary, Comment, Expression, ExpressionKind, Memory, Module, Netlist, Register, Shape, Signal, SignalId,
    SignalKind, Statement, Unary, targets_of,
};

/// A module under construction.
pub struct Builder {
    pub module: Module,
    clock: SignalId,
    reset: SignalId,
}

/// What writes a memory; address and data are signals, as is `enable`.
#[derive(Clone, Copy, Debug)]
pub struct Write<'a> {
    pub enable: &'a Expression,
    pub address: &'a Expression,
    pub data: &'a Expression,
}

/// A register: its input, which keeps the value unless it is assigned, and its output.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    d: SignalId,
    q: SignalId,
    bits: usize,
}

impl Stored {
    /// What it holds.
    pub fn value(self) -> Expression {
        Expression::signal(self.q, Shape::unsigned(self.bits))
    }

    /// The signal with its value.
    pub fn signal(self) -> SignalId {
        self.q
    }

    /// A statement: what it holds from the next cycle on.
    pub fn takes(self, value: Expression) -> Statement {
        assign(self.d, value.resize(self.bits))
    }
}

impl Builder {
    /// A module with a clock and a reset.
    pub fn new(name: &str, meaning: &str) -> Self {
        let mut module = Module::empty(name, meaning);
        let port = |name: &str, kind, meaning: &str| Signal {
            name: name.to_string(),
            kind,
            shape: Shape::unsigned(1),
            enumeration: None,
            meaning: meaning.to_string(),
        };
        let clock = module.add(port("clock", SignalKind::Clock, "Clock, rising edge"));
        let reset = module.add(port("reset", SignalKind::Input, "Synchronous reset, active high"));
        Builder { module, clock, reset }
    }

    fn signal(&mut self, name: &str, bits: usize, kind: SignalKind, meaning: &str) -> SignalId {
        let shape = Shape::unsigned(bits);
        self.module.add(Signal { name: name.to_string(), kind, shape, enumeration: None, meaning: meaning.to_string() })
    }

    /// An input.
    pub fn input(&mut self, name: &str, bits: usize, meaning: &str) -> Expression {
        let id = self.signal(name, bits, SignalKind::Input, meaning);
        Expression::signal(id, Shape::unsigned(bits))
    }

    /// An output with its value.
    pub fn output(&mut self, name: &str, meaning: &str, value: Expression) {
        let id = self.signal(name, value.shape.bits, SignalKind::Output, meaning);
        self.module.statements.push(assign(id, value));
    }

    /// A wire with its value.
    pub fn wire(&mut self, name: &str, value: Expression) -> Expression {
        let shape = value.shape;
        let id = self.undriven(name, shape.bits);
        self.module.statements.push(assign(id, value));
        Expression::signal(id, shape)
    }

    /// A wire that something else drives.
    pub fn undriven(&mut self, name: &str, bits: usize) -> SignalId {
        self.signal(name, bits, SignalKind::Local, "")
    }

    /// A register with its value after reset.
    pub fn register(&mut self, name: &str, bits: usize, initial: u64, meaning: &str) -> Stored {
        let q = self.signal(name, bits, SignalKind::Local, meaning);
        let d = self.signal(&format!("next_{name}"), bits, SignalKind::Local, "");
        self.module.registers.push(Register {
            d,
            q,
            clock: self.clock,
            falling: false,
            reset: Some(self.reset),
            initial: Some((u128::from(initial) & Shape::unsigned(bits).ones()).into()),
        });
        let stored = Stored { d, q, bits };
        self.module.statements.push(stored.takes(stored.value()));
        stored
    }

    /// What a value was in the cycle before. It has no value at power-up.
    pub fn delayed(&mut self, name: &str, value: Expression) -> Expression {
        let shape = value.shape;
        let q = self.signal(name, shape.bits, SignalKind::Local, "");
        let d = self.signal(&format!("next_{name}"), shape.bits, SignalKind::Local, "");
        self.module.registers.push(Register { d, q, clock: self.clock, falling: false, reset: None, initial: None });
        self.module.statements.push(assign(d, value));
        Expression::signal(q, shape)
    }

    /// A memory that shows the word at `read_address`, a signal, in the same cycle: LUT RAM. Returns what it shows.
    pub fn lut_ram(
        &mut self,
        [name, shown]: [&str; 2],
        words: usize,
        read_address: &Expression,
        write: Write,
    ) -> Expression {
        self.memory([name, shown], words, None, read_address, write, true)
    }

    /// A memory that shows the word at `read_address`, a signal, in the next cycle: block RAM. A word that is written in a
    /// cycle must not be read in it. Returns what it shows.
    pub fn block_ram(
        &mut self,
        [name, shown]: [&str; 2],
        words: usize,
        read_address: &Expression,
        write: Write,
    ) -> Expression {
        self.memory([name, shown], words, Some(self.clock), read_address, write, true)
    }

    /// The same, but nothing may depend on a word that was not written: it has no value. To give one to each word of a
    /// large memory costs Yosys minutes.
    pub fn large_block_ram(
        &mut self,
        [name, shown]: [&str; 2],
        words: usize,
        read_address: &Expression,
        write: Write,
    ) -> Expression {
        self.memory([name, shown], words, Some(self.clock), read_address, write, false)
    }

    fn memory(
        &mut self,
        [name, shown]: [&str; 2],
        words: usize,
        read_clock: Option<SignalId>,
        read_address: &Expression,
        write: Write,
        starts: bool,
    ) -> Expression {
        let shape = write.data.shape;
        let read_data = self.undriven(shown, shape.bits);
        let id = |value: &Expression| value.as_signal().expect("a signal");
        self.module.memories.push(Memory {
            name: name.to_string(),
            words,
            bits: shape.bits,
            read_clock,
            read_address: id(read_address),
            read_data,
            write_clock: self.clock,
            write_enable: id(write.enable),
            write_address: id(write.address),
            write_data: id(write.data),
            starts,
            contents: Vec::new(),
        });
        Expression::signal(read_data, shape)
    }

    /// The module alone.
    ///
    /// # Panics
    /// If it is no circuit: a mistake of the caller.
    pub fn finish(self) -> Netlist {
        Netlist { modules: Vec::new() }.with(self.module).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A statement with a comment above it.
    pub fn statement(&mut self, comment: &str, statement: Statement) {
        let targets = targets_of(std::slice::from_ref(&statement));
        if !comment.is_empty() && !targets.is_empty() {
            self.module.comments.push(Comment { text: comment.to_string(), targets });
        }
        self.module.statements.push(statement);
    }
}

/// Gives a whole signal a value.
pub fn assign(target: SignalId, value: Expression) -> Statement {
    Statement::Assign { target, low: 0, value }
}

/// Chooses by one bit.
pub fn when(test: Expression, then: Vec<Statement>) -> Statement {
    Statement::If { test, then, otherwise: Vec::new() }
}

/// A number of some bits.
pub fn number(value: u64, bits: usize) -> Expression {
    Expression::constant(value.into(), Shape::unsigned(bits))
}

/// Both are 1.
pub fn and(left: Expression, right: Expression) -> Expression {
    match (constant_bit(&left), constant_bit(&right)) {
        (Some(false), _) | (_, Some(true)) => left,
        (Some(true), _) | (_, Some(false)) => right,
        (None, None) => Expression::binary(Binary::And, left, right),
    }
}

/// One of both is 1.
pub fn or(left: Expression, right: Expression) -> Expression {
    match (constant_bit(&left), constant_bit(&right)) {
        (Some(true), _) | (_, Some(false)) => left,
        (Some(false), _) | (_, Some(true)) => right,
        (None, None) => Expression::binary(Binary::Or, left, right),
    }
}

/// The value of a constant of one bit.
fn constant_bit(value: &Expression) -> Option<bool> {
    match value.kind {
        ExpressionKind::Constant(number) if value.shape.bits == 1 => Some(number == 1),
        _ => None,
    }
}

/// All bits inverted.
pub fn not(value: Expression) -> Expression {
    Expression::unary(Unary::Not, value)
}

/// Whether a value is this number.
pub fn equal(value: Expression, to: u64) -> Expression {
    let bits = value.shape.bits;
    Expression::binary(Binary::Equal, value, number(to, bits))
}

/// Any bit is 1.
pub fn any(value: Expression) -> Expression {
    if value.shape.bits == 1 { value } else { Expression::unary(Unary::Any, value) }
}

/// The sum in the width of both.
pub fn add(left: Expression, right: Expression) -> Expression {
    Expression::binary(Binary::Add, left, right)
}

/// The difference in the width of both.
pub fn subtract(left: Expression, right: Expression) -> Expression {
    Expression::binary(Binary::Subtract, left, right)
}

/// The signal of a wire, to give it another value.
///
/// # Panics
/// If it is no signal: a mistake of the caller.
pub fn target(wire: &Expression) -> SignalId {
    wire.as_signal().expect("a wire")
}

/// Values side by side, the highest first.
pub fn join(parts: Vec<Expression>) -> Expression {
    let shape = Shape::unsigned(parts.iter().map(|part| part.shape.bits).sum());
    Expression { kind: ExpressionKind::Join(parts), shape }
}
