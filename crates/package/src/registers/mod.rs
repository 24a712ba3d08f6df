// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a part: one description, and everything that is made from it.
//!
//! A part has its parameters as input ports. [`Registers`] describes a register file that drives them from a bus: where
//! each register is, what it means, and which values it takes. The [`circuit`] of the register file, its [`model`] in
//! Rust, and the [`files`] for software and for people all come from this description.
//!
//! The rules of the register file are in `docs/registers.md`.

pub mod circuit;
mod constants;
mod description;
pub mod files;
mod markdown;
pub mod model;
mod systemrdl;

pub use description::ID;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::bounds::{Bounds, Rule};

/// Width of a byte address.
pub(crate) const ADDRESS_BITS: usize = 12;
/// Cycles from the one in which an access is taken to the one in which it is acknowledged.
pub(crate) const LATENCY: u64 = 5;
/// Address of RESET.
pub const RESET: u16 = 0x008;
/// First address of the parameters.
pub(crate) const PARAMETERS: u16 = 0x040;
/// First address of what the part reports.
pub(crate) const REPORTS: u16 = 0x400;
/// First address of what is read by index.
pub(crate) const BY_INDEX: u16 = 0x800;

/// What has a register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A congestion point or reaction point.
    Part(Part),
    /// What is in a switch besides these.
    Switch,
}

impl Owner {
    /// Its number in the register `scheme_and_part`.
    fn number(self) -> u32 {
        match self {
            Owner::Part(Part::CongestionPoint) => 1,
            Owner::Part(Part::ReactionPoint) => 2,
            Owner::Switch => 3,
        }
    }

    /// Its name in names: `cp`, `rp`, `switch`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Owner::Part(part) => part.name(),
            Owner::Switch => "switch",
        }
    }

    /// Its name in full.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Owner::Part(part) => part.title(),
            Owner::Switch => "switch",
        }
    }
}

/// The registers of a congestion point or reaction point, or of a switch around them.
#[derive(Clone, Debug)]
pub struct Registers {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Name of the scheme in full.
    pub title: &'static str,
    /// What has them.
    pub owner: Owner,
    /// Name of the module of the register file: that of the part, and `_registers`.
    pub module: String,
    /// The option of `emit` that makes it.
    pub option: &'static str,
    /// Output queues, flows or ports that the part serves.
    pub count: u64,
    /// What it counts: `queues`, `flows` or `ports`.
    pub serves: &'static str,
    /// The settings that differ from the defaults, as on the command line.
    pub settings: Vec<(String, String)>,
    /// All registers, by rising address.
    pub list: Vec<Register>,
    /// The parameters of the part.
    pub parameters: Vec<Parameter>,
    /// Conditions between two parameters.
    pub rules: Vec<Rule>,
    /// What is counted in 64 bits.
    pub counters: Vec<Counter>,
    /// Outputs of the part that are read as they are.
    pub values: Vec<Input>,
    /// What is read by index of a part for many queues or flows.
    pub by_index: Option<ByIndex>,
}

/// The outputs of a part that show what belongs to one queue or flow after the other: when they are valid, the number of
/// the queue or flow, the value.
#[derive(Clone, Debug)]
pub enum ByIndex {
    /// The lengths of queues: all are stored, because a queue is shown only when something happens to it.
    Lengths([Input; 3]),
    /// The rates of flows: that of the chosen flow is stored, because each flow is shown again and again.
    Rates([Input; 3]),
}

impl ByIndex {
    /// The outputs.
    pub(crate) fn inputs(&self) -> &[Input; 3] {
        match self {
            ByIndex::Lengths(inputs) | ByIndex::Rates(inputs) => inputs,
        }
    }
}

/// A register: a word of 32 bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Byte address, a multiple of 4.
    pub address: u16,
    /// Its name: that of IEEE 802.1Q if it has one, otherwise that of its port.
    pub name: String,
    /// The port of the part that it drives or shows.
    pub port: Option<String>,
    /// Its bits, from bit 0 on; those above are 0.
    pub bits: usize,
    /// Whether it can be written.
    pub access: Access,
    /// What a read gives after reset.
    pub reset: u32,
    /// Which values it takes, in words; empty for a register that is only read.
    pub accepts: String,
    /// Unit; empty if it has none.
    pub unit: &'static str,
    /// Its meaning.
    pub meaning: String,
    /// What stands behind it.
    pub content: Content,
}

/// Whether a register can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read only: a write is refused.
    ReadOnly,
    /// Read and write.
    ReadWrite,
}

impl Access {
    /// `ro` or `rw`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Access::ReadOnly => "ro",
            Access::ReadWrite => "rw",
        }
    }
}

/// What stands behind a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A number that never changes.
    Constant,
    /// Writing 1 restores what can be written; reads 0.
    Reset,
    /// The inverse of what was written last.
    Flip,
    /// What was written last.
    Debug,
    /// How many writes were refused.
    RefusedWrites,
    /// Whether a written value is not in use yet.
    Pending,
    /// A word of a parameter, by its place in [`Registers::parameters`].
    Parameter(usize, Word),
    /// The low word of a counter; a read stores the high word.
    CounterLow(usize),
    /// The high word of the counter whose low word was read last.
    CounterHigh(usize),
    /// An output of the part, by its place in [`Registers::values`].
    Value(usize),
    /// The queue or flow whose state is read.
    Index,
    /// Length of that queue.
    QueueLength,
    /// Bits 31 to 0 of its CPID in use.
    QueueCpidLow,
    /// Bits 63 to 32 of its CPID in use.
    QueueCpidHigh,
    /// Rate of the flow.
    FlowRate,
    /// Whether that rate is known.
    FlowRateKnown,
}

/// A word of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The parameter has one word.
    Only,
    /// Bits 31 to 0 of two words: held until the high word is written.
    Low,
    /// The bits above: a write of them is a write of the whole parameter.
    High,
}

/// A parameter of the part.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The port that it drives: the only one, or that of bits 31 to 0.
    pub port: String,
    /// Width of this port.
    pub bits: usize,
    /// The port of the bits above, and its width.
    pub high: Option<(String, usize)>,
    /// Value after reset.
    pub reset: u64,
    /// The values that it takes; `None` if it cannot be written, because the part was made for one value.
    pub bounds: Option<Bounds>,
}

/// A counter of 64 bits.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its name.
    pub name: &'static str,
    /// Inputs that must be high for the event: of one input of several bits, the ones are counted.
    pub events: Vec<Input>,
    /// Value after reset: 0, except where a test needs a counter whose high word changes soon.
    pub reset: u64,
}

/// An input of the register file that comes from a port of the part with the same name.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name of the port.
    pub name: String,
    /// Its width.
    pub bits: usize,
    /// Its meaning.
    pub meaning: String,
}

impl Registers {
    /// The part that has them.
    ///
    /// # Panics
    /// If it is a switch: a mistake of the caller.
    pub fn part(&self) -> Part {
        match self.owner {
            Owner::Part(part) => part,
            Owner::Switch => panic!("{} belongs to no part", self.module),
        }
    }

    /// The register at an address.
    pub(crate) fn at(&self, address: u16) -> Option<&Register> {
        let place = self.list.binary_search_by_key(&address, |register| register.address);
        place.ok().map(|place| &self.list[place])
    }

    /// The inputs that come from the part: what is read as it is, what is counted, and what is read by index.
    pub fn part_inputs(&self) -> Vec<Input> {
        let events = self.counters.iter().flat_map(|counter| &counter.events);
        let mut inputs: Vec<Input> = Vec::new();
        for input in self.values.iter().chain(events).chain(self.by_index.iter().flat_map(ByIndex::inputs)) {
            if !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
        inputs
    }

    /// The start of the names in the files for software, in small letters: `tidegate_qcn_rp`.
    pub fn prefix(&self) -> String {
        format!("tidegate_{}_{}", self.scheme, self.owner.name())
    }

    /// What the description is about, in one line.
    pub(crate) fn about(&self) -> String {
        let count = match self.count {
            1 => String::new(),
            count => format!(" for {count} {}", self.serves),
        };
        format!("Registers of the {} of {} ({}){count}.", self.owner.title(), self.title, self.scheme)
    }
}

impl Register {
    /// The name as a constant: `rpgAiRate` is `RPG_AI_RATE`.
    pub fn constant(&self) -> String {
        let mut constant = String::new();
        let mut small = false;
        for character in self.name.chars() {
            if character.is_ascii_uppercase() && small {
                constant.push('_');
            }
            small = character.is_ascii_lowercase() || character.is_ascii_digit();
            constant.push(character.to_ascii_uppercase());
        }
        constant
    }
}

#[cfg(test)]
mod tests;
