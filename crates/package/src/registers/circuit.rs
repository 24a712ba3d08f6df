// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register file as a module.
//!
//! An access takes six cycles. In cycle 1 `select` is high, and address and data are stored. In cycle 2 the address is
//! decoded into registers of one bit. In cycle 3 the register is read, with one of each other group of registers, and in
//! cycle 4 its group is chosen. Until cycle 5 it is known whether a value is accepted: a bound or a rule is checked in
//! steps, so that no path is long. In cycle 6, [`LATENCY`] cycles after the first, `acknowledge` is high, and an accepted value is stored at the end
//! of this cycle.

mod checks;
mod counters;

use super::{ADDRESS_BITS, Access, ByIndex, Content, Input, LATENCY, Parameter, Register, Registers, Word};
use checks::Checks;
use counters::Counters;
use std::collections::{BTreeMap, BTreeSet};
use tidegate_hdl::netlist::builder::{
    Builder, Stored, Write, add, and, any, assign, equal, join, not, number, or, when,
};
use tidegate_hdl::netlist::{Binary, Expression, Netlist, Statement};

/// Width of the address port: that of a word.
const WORD_ADDRESS_BITS: usize = ADDRESS_BITS - 2;

/// The registers behind a parameter, for each of its ports the low one first.
struct Held {
    /// What was written.
    written: Vec<Stored>,
    /// What the part uses.
    used: Vec<Stored>,
    /// The low word before the high word is written.
    low: Option<Stored>,
}

/// The registers that all register files have.
struct Own {
    progress: Stored,
    writing: Stored,
    address: Stored,
    data: Stored,
    accepted: Stored,
    read: Stored,
    flip: Stored,
    debug: Stored,
    refused: Stored,
    pending: Stored,
    /// For each address that can be written whether the access is to it; known from cycle 3 on, because this choice would
    /// take too long beside what depends on it.
    at: BTreeMap<u16, Expression>,
    /// For each place in a group whether the access is to that place of some group; known from cycle 3 on, so that a
    /// choice among many values does not begin with the address.
    places: BTreeMap<u16, Expression>,
    /// For each group whether the access is to it; known from cycle 3 on.
    groups: BTreeMap<u16, Expression>,
}

impl Own {
    fn new(builder: &mut Builder, registers: &Registers) -> Self {
        let mut one = |name, bits, meaning| builder.register(name, bits, 0, meaning);
        let mut own = Own {
            progress: one("progress", LATENCY as usize, "Bit i: an access was taken i + 1 cycles before"),
            writing: one("writing", 1, "It is a write"),
            address: one("accessed_address", WORD_ADDRESS_BITS, "Its address, bits 11 to 2"),
            data: one("written_data", 32, "The value to write"),
            accepted: one("accepted", 1, "The value was accepted"),
            read: one("read_word", 32, "The value that was read"),
            flip: one("flip", 32, "FLIP: what was written last"),
            debug: one("debug", 32, "DEBUG: what was written last"),
            refused: one("refused_writes", 32, "Number of writes that were refused"),
            pending: one("pending", 1, "A written value is not in use yet"),
            at: BTreeMap::new(),
            places: BTreeMap::new(),
            groups: BTreeMap::new(),
        };
        let read = registers.list.iter().filter(|register| register.content != Content::Reset);
        for place in read.clone().map(|register| place_of(register.address)).collect::<BTreeSet<_>>() {
            let is_here = equal(own.address.value().slice(0, GROUP_BITS), place.into());
            own.places.insert(place, builder.delayed(&format!("at_place_{place}"), is_here));
        }
        for group in read.map(|register| group_of(register.address)).collect::<BTreeSet<_>>() {
            let is_here = equal(own.address.value().slice(GROUP_BITS, WORD_ADDRESS_BITS - GROUP_BITS), group.into());
            own.groups.insert(group, builder.delayed(&format!("at_group_{group}"), is_here));
        }
        for register in registers.list.iter().filter(|register| register.access == Access::ReadWrite) {
            let at = Expression::binary(Binary::Equal, own.address.value(), word_address(register.address));
            own.at.insert(register.address, builder.delayed(&format!("at_{}", register.name), at));
        }
        own
    }

    /// Whether an access was taken so many cycles before.
    fn taken_before(&self, cycles: u64) -> Expression {
        self.progress.value().slice(cycles as usize - 1, 1)
    }

    /// Whether the access is to this register, which can be written.
    fn accesses(&self, register: &Register) -> Expression {
        self.at[&register.address].clone()
    }
}

fn word_address(address: u16) -> Expression {
    number(u64::from(address >> 2), WORD_ADDRESS_BITS)
}

/// What is read by index.
struct Indexed {
    index: Stored,
    /// The length of the queue or the rate of the flow, and whether it is known: one bit.
    value: Expression,
    known: Expression,
    /// What is known of the flow before, if another one is chosen.
    forgets: Option<Stored>,
}

/// The register file of a description.
///
/// # Panics
/// If it is no circuit: a mistake in this room.
pub fn circuit(registers: &Registers) -> Netlist {
    let mut builder = Builder::new(&registers.module, &meaning(registers));
    let select = builder.input(
        "select",
        1,
        "An access: taken in this cycle, unless one was taken in one of the five cycles before",
    );
    let write = builder.input("write", 1, "1: write, 0: read; valid with `select`");
    let address = builder.input("address", WORD_ADDRESS_BITS, "Bits 11 to 2 of the byte address; valid with `select`");
    let data = builder.input("write_data", 32, "Value to write; valid with `select` and `write`");
    let boundary = builder.input("boundary", 1, "No packet is in progress: the values written so far come into use");
    let inputs = part_inputs(&mut builder, registers);

    let own = Own::new(&mut builder, registers);
    let held: Vec<Held> = registers.parameters.iter().map(|parameter| Held::new(&mut builder, parameter)).collect();
    let begin = builder.wire("begins", and(select, not(any(own.progress.value()))));
    let counters =
        (!registers.counters.is_empty()).then(|| Counters::new(&mut builder, registers, &own, begin.clone(), &inputs));
    let by_index = registers.by_index.as_ref().map(|by| Indexed::new(&mut builder, registers.count, by, &inputs));

    let taken = vec![own.writing.takes(write), own.address.takes(address), own.data.takes(data)];
    let progress = join(vec![own.progress.value().slice(0, LATENCY as usize - 1), begin.clone()]);
    builder.statement("An access is taken", own.progress.takes(progress));
    builder.statement("", when(begin, taken));

    let mut words = read(&mut builder, registers, &own, &held, &inputs, counters.as_ref(), by_index.as_ref());
    if let Some(counters) = &counters {
        words.push(only_if(&mut builder, "low_count", counters.accessed.clone(), counters.low()));
        let stores = vec![counters.stored_high.takes(counters.high())];
        let reads = and(own.taken_before(3), and(counters.accessed.clone(), not(own.writing.value())));
        builder.statement("A read of a low word stores the high word", when(reads, stores));
    }
    let words = own.read.takes(words.into_iter().reduce(or).expect("a register can be read"));
    let given = when(not(own.writing.value()), vec![words]);
    builder.statement(
        "Cycle 4: one group of registers is chosen",
        when(own.taken_before(3), vec![own.read.takes(number(0, 32)), given]),
    );

    let accepted = Checks::new(&mut builder, registers, &own, &held).statement(&mut builder, by_index.as_ref());
    let judges = own.taken_before(LATENCY - 1);
    builder.statement("Cycle 5: the value is accepted or refused", when(judges, vec![accepted]));

    let mut in_use = vec![own.pending.takes(number(0, 1))];
    for one in &held {
        in_use.extend(one.written.iter().zip(&one.used).map(|(written, used)| used.takes(written.value())));
    }
    builder.statement("All values that were written come into use together", when(boundary, in_use));

    let writes = and(own.taken_before(LATENCY), own.writing.value());
    let stored = write_statement(registers, &own, &held, by_index.as_ref());
    builder.statement("Cycle 6: an accepted value is stored", when(and(writes.clone(), own.accepted.value()), stored));
    let counts_refused = and(writes, and(not(own.accepted.value()), any(not(own.refused.value()))));
    let more = own.refused.takes(add(own.refused.value(), number(1, 32)));
    builder.statement("", when(counts_refused, vec![more]));

    let ends = "The access that was taken five cycles before ends";
    builder.output("acknowledge", ends, own.taken_before(LATENCY));
    builder.output("read_data", "The value that was read, 0 for a write; valid with `acknowledge`", own.read.value());
    outputs(&mut builder, registers, &held);
    builder.finish()
}

fn meaning(registers: &Registers) -> String {
    format!(
        "{} A value that is written comes into use when `boundary` is high, together with all other values that were \
         written.\n\nAn access is taken in the cycle in which `select` is high, and acknowledged five cycles later. `select` \
         may stay high until then; the cycle after `acknowledge` is the first in which the next access can be taken.",
        registers.about()
    )
}

/// The inputs from the part, by their names.
type PartInputs = Vec<(String, Expression)>;

fn part_inputs(builder: &mut Builder, registers: &Registers) -> PartInputs {
    let inputs = registers.part_inputs().into_iter();
    inputs.map(|Input { name, bits, meaning }| (name.clone(), builder.input(&name, bits, &meaning))).collect()
}

fn named(inputs: &PartInputs, name: &str) -> Expression {
    let found = inputs.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.clone()).unwrap_or_else(|| panic!("no input `{name}`"))
}

impl Held {
    fn new(builder: &mut Builder, parameter: &Parameter) -> Self {
        let Parameter { port, bits, high, reset, bounds, .. } = parameter;
        if bounds.is_none() {
            return Held { written: Vec::new(), used: Vec::new(), low: None };
        }
        let low_bits = if high.is_some() { 32 } else { *bits };
        let ports =
            std::iter::once((port, low_bits, *reset)).chain(high.iter().map(|(port, bits)| (port, *bits, reset >> 32)));
        let ports: Vec<_> = ports.collect();
        let mut registers = |start: &str, meaning: &str| -> Vec<Stored> {
            let each = ports.iter().map(|&(port, bits, reset)| (format!("{start}_{port}"), bits, reset));
            each.map(|(name, bits, reset)| builder.register(&name, bits, reset, meaning)).collect()
        };
        let written = registers("written", "");
        let used = registers("used", "");
        let low = high.as_ref().map(|_| {
            let meaning = "The low word, until the high word is written";
            builder.register(&format!("held_{port}"), 32, reset & u64::from(u32::MAX), meaning)
        });
        Held { written, used, low }
    }
}

impl Indexed {
    fn new(builder: &mut Builder, count: u64, by: &ByIndex, inputs: &PartInputs) -> Self {
        let shown = by.inputs().each_ref().map(|input| named(inputs, &input.name));
        match by {
            ByIndex::Lengths(_) => Self::lengths(builder, count, shown),
            ByIndex::Rates(_) => Self::rate(builder, count, shown),
        }
    }

    /// The rate of the chosen flow.
    fn rate(builder: &mut Builder, count: u64, [visited, flow, rate]: [Expression; 3]) -> Self {
        let index_bits = count.ilog2() as usize;
        let index = builder.register("flow_index", index_bits, 0, "The flow that is read");
        let known = builder.register("flow_rate_known", 1, 0, "It has been visited since it was chosen");
        let stored = builder.register("flow_rate", rate.shape.bits, 0, "Its rate");
        let is_chosen = Expression::binary(Binary::Equal, flow.slice(0, index_bits), index.value());
        let taken = vec![known.takes(number(1, 1)), stored.takes(rate)];
        builder.statement("The chosen flow is visited", when(and(visited, is_chosen), taken));
        Indexed { index, value: stored.value(), known: known.value(), forgets: Some(known) }
    }

    /// The lengths of the queues in LUT RAM. What it held before a reset does not count.
    fn lengths(builder: &mut Builder, count: u64, [counted, queue, bytes]: [Expression; 3]) -> Self {
        let queues = count as usize;
        let index_bits = count.ilog2() as usize;
        let index = builder.register("queue_index", index_bits, 0, "The queue that is read");
        let known = builder.register("known_lengths", queues, 0, "For each queue: its length is known");
        let visited = builder.wire("written_length", queue.slice(0, index_bits));
        let of_visited = Expression::binary(Binary::ShiftLeft, number(1, queues), visited.clone());
        let of_visited = builder.wire("visited_bit", of_visited);
        let knows = known.takes(or(known.value(), of_visited));
        builder.statement("A queue was visited", when(counted.clone(), vec![knows]));
        let write = Write { enable: &counted, address: &visited, data: &bytes };
        let length = builder.lut_ram(["queue_lengths", "length_at_index"], queues, &index.value(), write);
        let shifted = Expression::binary(Binary::ShiftRight, known.value(), index.value());
        let shifted = builder.wire("known_from_index", shifted);
        Indexed { index, value: length, known: shifted.slice(0, 1), forgets: None }
    }

    /// Chooses another queue or flow.
    fn choose(&self, index: Expression) -> Vec<Statement> {
        let forgets = self.forgets.iter().map(|known| known.takes(number(0, 1)));
        std::iter::once(self.index.takes(index)).chain(forgets).collect()
    }
}

/// Bits of a word address that number a register in its group: a choice among all would take too long for one cycle.
const GROUP_BITS: usize = 4;

/// The place of a register in its group.
fn place_of(address: u16) -> u16 {
    (address >> 2) & ((1 << GROUP_BITS) - 1)
}

/// The number of its group.
fn group_of(address: u16) -> u16 {
    (address >> 2) >> GROUP_BITS
}

/// Adds a register for each group of registers, with what was read in it; returns for each group what is chosen of it.
fn read(
    builder: &mut Builder,
    registers: &Registers,
    own: &Own,
    held: &[Held],
    inputs: &PartInputs,
    counters: Option<&Counters>,
    by_index: Option<&Indexed>,
) -> Vec<Expression> {
    let mut words = Vec::new();
    for group in registers.list.chunk_by(|one, next| group_of(one.address) == group_of(next.address)) {
        let number_of_group = group_of(group[0].address);
        let mut word = None;
        for register in group {
            let Some(value) = read_value(registers, register, own, held, inputs, counters, by_index) else { continue };
            let here = &own.places[&place_of(register.address)];
            let chosen = match (register.content, by_index) {
                (Content::QueueLength | Content::FlowRate, Some(by)) => and(here.clone(), by.known.clone()),
                _ => here.clone(),
            };
            let value = only_if(builder, &format!("word_{}", register.name), chosen, value.extend(32));
            word = Some(word.map_or(value.clone(), |word| or(word, value)));
        }
        let Some(word) = word else { continue };
        let read = builder.delayed(&format!("read_{number_of_group}"), word);
        let chosen = own.groups[&number_of_group].clone();
        words.push(only_if(builder, &format!("chosen_{number_of_group}"), chosen, read));
    }
    words
}

/// A value if `chosen`, otherwise 0: at most one of several is chosen, and all are joined by `or`.
fn only_if(builder: &mut Builder, name: &str, chosen: Expression, value: Expression) -> Expression {
    let shape = value.shape;
    let chosen_value = builder.undriven(name, shape.bits);
    builder.statement("", assign(chosen_value, number(0, shape.bits)));
    builder.statement("", when(chosen, vec![assign(chosen_value, value)]));
    Expression::signal(chosen_value, shape)
}

/// What a read of a register gives in cycle 3; `None` if 0. A counter is read in cycle 4.
fn read_value(
    registers: &Registers,
    register: &Register,
    own: &Own,
    held: &[Held],
    inputs: &PartInputs,
    counters: Option<&Counters>,
    by_index: Option<&Indexed>,
) -> Option<Expression> {
    let by = || by_index.expect("only these registers are about an index");
    let cpid = |word: usize| {
        let place = registers.parameters.iter().position(|parameter| parameter.name == "cpid");
        held[place.expect("a congestion point has a CPID")].used[word].value()
    };
    Some(match register.content {
        Content::Constant if register.reset == 0 => return None,
        Content::Constant => number(register.reset.into(), 32),
        Content::Reset => return None,
        Content::Flip => not(own.flip.value()),
        Content::Debug => own.debug.value(),
        Content::RefusedWrites => own.refused.value(),
        Content::Pending => own.pending.value(),
        Content::Parameter(place, word) => match (&held[place], word) {
            (Held { written, .. }, _) if written.is_empty() && register.reset == 0 => return None,
            (Held { written, .. }, _) if written.is_empty() => number(register.reset.into(), 32),
            (Held { low: Some(low), .. }, Word::Low) => low.value(),
            (Held { written, .. }, Word::High) => written[1].value(),
            (Held { written, .. }, _) => written[0].value(),
        },
        Content::CounterLow(_) => return None,
        Content::CounterHigh(_) => counters.expect("there is a counter").stored_high.value(),
        Content::Value(place) => named(inputs, &registers.values[place].name),
        Content::Index => by().index.value(),
        Content::QueueLength | Content::FlowRate => by().value.clone(),
        Content::FlowRateKnown => by().known.clone(),
        Content::QueueCpidLow => or(cpid(0), by().index.value().extend(32)),
        Content::QueueCpidHigh => cpid(1),
    })
}

/// Store a value that was accepted.
fn write_statement(registers: &Registers, own: &Own, held: &[Held], by_index: Option<&Indexed>) -> Vec<Statement> {
    let data = own.data.value();
    let pending = || own.pending.takes(number(1, 1));
    let mut each = Vec::new();
    for register in &registers.list {
        let statements = match register.content {
            Content::Reset => vec![when(data.clone().slice(0, 1), restored(registers, own, held, by_index))],
            Content::Flip => vec![own.flip.takes(data.clone())],
            Content::Debug => vec![own.debug.takes(data.clone())],
            Content::Index => by_index.expect("it has an index").choose(data.clone()),
            Content::Parameter(place, word) => match (&held[place], word) {
                (Held { written, .. }, _) if written.is_empty() => continue,
                (Held { low: Some(low), .. }, Word::Low) => vec![low.takes(data.clone())],
                (Held { written, low: Some(low), .. }, _) => {
                    vec![written[0].takes(low.value()), written[1].takes(data.clone()), pending()]
                }
                (Held { written, .. }, _) => vec![written[0].takes(data.clone()), pending()],
            },
            _ => continue,
        };
        each.push(when(own.accesses(register), statements));
    }
    each
}

/// What a write of 1 to RESET does.
fn restored(registers: &Registers, own: &Own, held: &[Held], by_index: Option<&Indexed>) -> Vec<Statement> {
    let mut statements =
        vec![own.flip.takes(number(0, 32)), own.debug.takes(number(0, 32)), own.pending.takes(number(1, 1))];
    for (parameter, held) in registers.parameters.iter().zip(held) {
        let words = [parameter.reset, parameter.reset >> 32];
        let low = u64::from(u32::MAX);
        statements.extend(held.written.iter().zip(words).map(|(written, word)| written.takes(number(word & low, 32))));
        statements.extend(held.low.iter().map(|held| held.takes(number(parameter.reset & low, 32))));
    }
    statements.extend(by_index.iter().flat_map(|by| by.choose(number(0, 32))));
    statements
}

/// The parameters in use.
fn outputs(builder: &mut Builder, registers: &Registers, held: &[Held]) {
    for register in &registers.list {
        let (Content::Parameter(place, word), Some(port)) = (register.content, &register.port) else { continue };
        let value = match &held[place].used[..] {
            [] => number(register.reset.into(), register.bits),
            used => used[usize::from(word == Word::High)].value(),
        };
        builder.output(port, &register.meaning, value);
    }
}

/// The two words of a parameter as one value.
fn whole(data: &Expression, high_bits: usize, low: Stored) -> Expression {
    join(vec![data.clone().slice(0, high_bits), low.value()])
}
