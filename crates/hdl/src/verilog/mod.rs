// SPDX-License-Identifier: MIT OR Apache-2.0
//! A netlist as readable Verilog-2001: one definition per module, registers in one clocked block, names as in Rust,
//! explicit widths, no lint warning.

mod expression;
mod fixed;
mod lines;
mod names;
mod process;
mod tidy;

use crate::netlist::{
    Connection, Expression, Memory, Module, Netlist, Register, Shape, Signal, SignalId, SignalKind, Statement,
    used_bits,
};
use expression::{Writer, constant, number};
pub use lines::wrapped;
use names::Names;
pub use names::signals as names;
use num_bigint::BigUint;
use process::{ClockedBlock, Process, processes};
use std::collections::{BTreeMap, BTreeSet};

/// All modules of a netlist, one after the other.
pub fn text(netlist: &Netlist) -> String {
    let modules: Vec<String> = netlist.modules.iter().map(|one| module(one, netlist)).collect();
    modules.join("\n")
}

/// The text of one module of a netlist, from `module` to `endmodule`.
pub fn module(module: &Module, netlist: &Netlist) -> String {
    prefixed(module, netlist, "")
}

/// As [`module()`], with a text before the name of each module.
pub fn prefixed(module: &Module, netlist: &Netlist, prefix: &str) -> String {
    let names = Names::of(module, netlist);
    let writer = Writer { enumerators: names.enumerators.clone(), signals: names.signals.clone(), module };
    let (processes, blocks) = (processes(module, netlist), process::clocked_blocks(module));
    let text = Text { module, netlist, prefix, names, writer, processes, blocks, text: String::new() };
    text.write()
}

struct Text<'a> {
    module: &'a Module,
    netlist: &'a Netlist,
    prefix: &'a str,
    names: Names,
    writer: Writer<'a>,
    processes: Vec<Process>,
    blocks: Vec<ClockedBlock>,
    text: String,
}

impl Text<'_> {
    fn write(mut self) -> String {
        self.ports();
        self.constants();
        self.storage();
        self.wires();
        self.combinational();
        self.instances();
        self.clocked();
        self.memories();
        self.roms();
        self.unused();
        self.text.truncate(self.text.trim_end().len());
        self.text.push_str("\nendmodule\n");
        self.text
    }

    /// The name of a module. One with a prefix is no keyword.
    fn name_of(&self, module: &Module) -> String {
        match self.prefix {
            "" => names::module(&module.name, &self.netlist.modules),
            prefix => format!("{prefix}{}", module.name),
        }
    }

    /// An empty line, unless there is one, or the body only begins.
    fn gap(&mut self) {
        if !["\n\n", "\n);\n"].iter().any(|end| self.text.ends_with(end)) {
            self.text.push('\n');
        }
    }

    /// Lines between empty lines.
    fn paragraph(&mut self, text: &str) {
        self.gap();
        self.text.push_str(text);
        self.gap();
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.text.push_str("    ");
        self.text.push_str(text.as_ref());
        self.text.push('\n');
    }

    /// Whether a signal is assigned in a block, and not by one assignment or by an instance.
    fn is_variable(&self, id: SignalId) -> bool {
        self.processes.iter().any(|process| process.value.is_none() && process.targets.contains(&id))
    }

    fn declared(&self, kind: &str, id: SignalId) -> String {
        let shape = self.module.signals[id].shape;
        format!("{kind}{} {}", range(shape), self.writer.signals[id])
    }

    fn ports(&mut self) {
        let ports: Vec<(SignalId, &Signal)> = self.module.ports().collect();
        let kinds: Vec<(&str, &str)> = ports
            .iter()
            .map(|&(id, port)| match port.kind {
                SignalKind::Output if self.is_variable(id) => ("output", "reg"),
                SignalKind::Output => ("output", "wire"),
                _ => ("input", "wire"),
            })
            .collect();
        let widths = &self.module.widths;
        let range = |id: SignalId, shape| match widths.iter().find(|width| width.ports.contains(&id)) {
            Some(width) => format!(" [{} - 1:0]", width.name),
            None => range(shape),
        };
        let widest = ports.iter().map(|&(id, port)| range(id, port.shape).len()).max().unwrap_or(0);
        let names = &self.writer.signals;
        let longest = ports.iter().map(|&(id, _)| names[id].len()).max().unwrap_or(0) + 1;
        let mut named: Vec<String> =
            widths.iter().map(|width| format!("    parameter {} = {}", width.name, width.bits)).collect();
        named.extend(self.choices().map(|(id, value)| {
            let declared = self.declared("parameter", id);
            format!("    {declared} = {}", self.writer.expression(value))
        }));
        let named = if named.is_empty() { String::new() } else { format!("#(\n{}\n) ", named.join(",\n")) };
        let mut text = format!("module {} {named}(\n", self.name_of(self.module));
        for (index, (&(id, port), (direction, kind))) in ports.iter().zip(kinds).enumerate() {
            let comma = if index + 1 == ports.len() { "" } else { "," };
            let declaration = format!("{direction:6} {kind:4}{:widest$} {}{comma}", range(id, port.shape), names[id]);
            let width = "output wire".len() + widest + 1 + longest;
            let comment = comment(&port.meaning);
            text += format!("    {declaration:width$}{comment}").trim_end();
            text.push('\n');
        }
        self.text += &text;
        self.text += ");\n";
    }

    /// The signals that are parameters, with their defaults.
    fn choices(&self) -> impl Iterator<Item = (SignalId, &Expression)> {
        self.module.choices.iter().map(|&id| (id, self.module.default_of(id)))
    }

    /// The named values of enumerations that the module uses.
    fn constants(&mut self) {
        let mut used = BTreeSet::new();
        for process in &self.processes {
            expression::enumerators(&process.statements, &mut used);
        }
        for (_, statement) in self.blocks.iter().flat_map(|block| &block.statements) {
            expression::enumerators(std::slice::from_ref(statement), &mut used);
        }
        for (enumeration, value, shape) in used {
            let number = constant(value as u128, shape);
            let name = &self.writer.enumerators[enumeration][value];
            let text = format!("localparam{} {name} = {number};", range(shape));
            self.line(text);
        }
        self.gap();
    }

    fn storage(&mut self) {
        let registers = &self.module.registers;
        for register in registers {
            let meaning = comment(&self.module.signals[register.q].meaning);
            let text = format!("{};{meaning}", self.declared("reg", register.q));
            self.line(text);
        }
        for (memory, name) in self.module.memories.iter().zip(self.names.memories.clone()) {
            let meaning = comment(&self.module.signals[memory.read_data].meaning);
            let bits = range(Shape::unsigned(memory.bits));
            let mark = match memory.read_clock {
                // For the reader, and for tools that would otherwise take flip-flops.
                None => "(* lut_ram *) ",
                // Otherwise synthesis adds a comparison of the addresses, and a multiplexer.
                Some(_) => "(* no_rw_check *) ",
            };
            let words = format!("{mark}reg{bits} {name} [0:{}];{meaning}", memory.words - 1);
            self.line(words);
            let kind = if memory.read_clock.is_some() { "reg" } else { "wire" };
            let data = format!("{};", self.declared(kind, memory.read_data));
            self.line(data);
        }
        for (rom, name) in self.module.roms.iter().zip(self.names.roms.clone()) {
            let shape = self.module.signals[rom.data].shape;
            let meaning = comment(&self.module.signals[rom.data].meaning);
            let bits = range(Shape::unsigned(shape.bits));
            let words = format!("reg{bits} {name} [0:{}];{meaning}", rom.contents.len() - 1);
            self.line(words);
            let kind = if rom.clock.is_some() { "reg" } else { "wire" };
            let data = format!("{};", self.declared(kind, rom.data));
            self.line(data);
        }
        if registers.is_empty() && self.module.memories.is_empty() && self.module.roms.is_empty() {
            return;
        }
        // The variable that counts the words of a memory at power-up.
        let counts = |memory: &Memory| memory.starts && memory.contents.is_empty();
        let word = if self.module.memories.iter().any(counts) { self.names.further("word") } else { String::new() };
        if !word.is_empty() {
            self.line(format!("integer {word};"));
        }
        self.gap();
        let started = registers.iter().any(|register| register.initial.is_some());
        if !started && self.module.memories.is_empty() && self.module.roms.is_empty() {
            return;
        }
        self.line("initial begin");
        for register in registers {
            let shape = self.module.signals[register.q].shape;
            if let Some(initial) = &register.initial {
                let text = format!("    {} = {};", self.writer.signals[register.q], number(initial, shape));
                self.line(text);
            }
        }
        for (memory, name) in self.module.memories.iter().zip(self.names.memories.clone()) {
            let zero = constant(0, Shape::unsigned(memory.bits));
            if counts(memory) {
                let end = memory.words;
                let text =
                    format!("    for ({word} = 0; {word} < {end}; {word} = {word} + 1) {name}[{word}] = {zero};");
                self.line(text);
            }
            for line in words(&name, &memory.contents, memory.bits) {
                self.line(format!("    {line}"));
            }
            if memory.read_clock.is_some() {
                let text = format!("    {} = {zero};", self.writer.signals[memory.read_data]);
                self.line(text);
            }
        }
        for (rom, name) in self.module.roms.iter().zip(self.names.roms.clone()) {
            let shape = self.module.signals[rom.data].shape;
            for line in words(&name, &rom.contents, shape.bits) {
                self.line(format!("    {line}"));
            }
            if rom.clock.is_some() {
                let text = format!("    {} = {};", self.writer.signals[rom.data], constant(0, shape));
                self.line(text);
            }
        }
        self.line("end");
        self.gap();
    }

    /// The signals that instances drive.
    fn wires(&mut self) {
        for instance in &self.module.instances {
            for ((_, port), connection) in self.netlist.modules[instance.module].ports().zip(&instance.connections) {
                if let (Connection::Signal(id), SignalKind::Output) = (connection, port.kind)
                    && self.module.signals[*id].kind == SignalKind::Local
                {
                    let text = format!("{};", self.declared("wire", *id));
                    self.line(text);
                }
            }
        }
        self.gap();
    }

    fn combinational(&mut self) {
        let processes = std::mem::take(&mut self.processes);
        // A comment is written once: above a clocked statement, or above the first signal that it is about.
        let mut written: BTreeSet<usize> = self.blocks.iter().flat_map(|block| block.comments()).collect();
        let choices = &self.module.choices;
        for process in processes.iter().filter(|process| !choices.iter().any(|id| process.targets.contains(id))) {
            let mut above = String::new();
            for (index, comment) in self.module.comments.iter().enumerate() {
                if !comment.targets.is_disjoint(&process.targets) && written.insert(index) {
                    above += &format!("    // {}\n", ascii(&comment.text));
                }
            }
            if !above.is_empty() {
                self.gap();
                self.text += &above;
            }
            let local = |id: &&SignalId| self.module.signals[**id].kind == SignalKind::Local;
            if let (Some(value), Some(&id)) = (&process.value, process.targets.first()) {
                let begin = match self.module.signals[id].kind {
                    SignalKind::Local => self.declared("wire", id),
                    _ => format!("assign {}", self.writer.signals[id]),
                };
                self.text += &self.writer.assignment(&begin, value);
                continue;
            }
            let mut text = String::new();
            for &id in process.targets.iter().filter(local) {
                text += &format!("    {};\n", self.declared("reg", id));
            }
            text += "    always @* begin\n";
            self.writer.statements(&process.statements, 2, "=", &|id| id, &mut text);
            text += "    end\n";
            if above.is_empty() {
                self.gap();
            }
            self.text += &text;
            self.gap();
        }
        self.processes = processes;
    }

    fn instances(&mut self) {
        for (instance, name) in self.module.instances.iter().zip(self.names.instances.clone()) {
            let part = &self.netlist.modules[instance.module];
            let part_names = names(part);
            let connections: Vec<String> = part
                .ports()
                .zip(&instance.connections)
                .map(|((port, _), connection)| {
                    let to = match connection {
                        Connection::Signal(id) => self.writer.signals[*id].clone(),
                        Connection::Constant(value) => self.writer.expression(value),
                    };
                    format!("        .{}({to})", part_names[port])
                })
                .collect();
            let (part, connections) = (self.name_of(part), connections.join(",\n"));
            let text = format!("    {part} {name} (\n{connections}\n    );\n");
            self.paragraph(&text);
        }
    }

    /// Registers: one block for each clock, with the reset at its end.
    fn clocked(&mut self) {
        let hidden = process::clocked_inputs(self.module);
        let mut output: BTreeMap<SignalId, SignalId> = BTreeMap::new();
        for register in &self.module.registers {
            output.insert(register.d, register.q);
        }
        for ClockedBlock { clock, falling, statements: mut mine } in std::mem::take(&mut self.blocks) {
            let here = |register: &&Register| register.clock == clock && register.falling == falling;
            let of_clock: Vec<_> = self.module.registers.iter().filter(here).collect();
            let resets: BTreeSet<SignalId> = of_clock.iter().filter_map(|register| register.reset).collect();
            // A reset to a value that is not constant is a statement of the source; it is joined with the other resets.
            let last = mine.pop_if(|(_, last)| as_reset(last).is_some_and(|(reset, _)| resets.contains(&reset)));
            let edge = if falling { "negedge" } else { "posedge" };
            let mut text = format!("    always @({edge} {}) begin\n", self.writer.signals[clock]);
            let as_output = |id: SignalId| output.get(&id).copied().unwrap_or(id);
            for (index, (comment, statement)) in mine.iter().enumerate() {
                if let Some(comment) = comment.map(|comment| &self.module.comments[comment]) {
                    let gap = if index == 0 { "" } else { "\n" };
                    text += &format!("{gap}        // {}\n", ascii(&comment.text));
                }
                self.writer.statements(std::slice::from_ref(statement), 2, "<=", &as_output, &mut text);
            }
            for register in of_clock.iter().filter(|register| !hidden.contains(&register.d)) {
                let names = &self.writer.signals;
                text += &format!("        {} <= {};\n", names[register.q], names[register.d]);
            }
            for reset in resets {
                text += &format!("        if ({}) begin\n", self.writer.signals[reset]);
                if let Some((_, then)) =
                    last.as_ref().and_then(|(_, last)| as_reset(last)).filter(|(other, _)| *other == reset)
                {
                    self.writer.statements(then, 3, "<=", &as_output, &mut text);
                }
                let zeroed = of_clock.iter().filter(|register| register.reset == Some(reset));
                for (register, initial) in zeroed.filter_map(|register| Some((register, register.initial.as_ref()?))) {
                    let value = number(initial, self.module.signals[register.q].shape);
                    text += &format!("            {} <= {value};\n", self.writer.signals[register.q]);
                }
                text += "        end\n";
            }
            text += "    end\n";
            self.paragraph(&text);
        }
    }

    fn memories(&mut self) {
        for (memory, name) in self.module.memories.iter().zip(self.names.memories.clone()) {
            let names = &self.writer.signals;
            let data = &names[memory.write_data];
            let write =
                format!("if ({}) {name}[{}] <= {data};", names[memory.write_enable], names[memory.write_address]);
            let (read_data, read) = (&names[memory.read_data], format!("{name}[{}];", names[memory.read_address]));
            let write_clock = &names[memory.write_clock];
            let paragraphs = match memory.read_clock.map(|clock| &names[clock]) {
                None => vec![
                    format!("    assign {read_data} = {read}\n"),
                    format!("    always @(posedge {write_clock}) {write}\n"),
                ],
                Some(read_clock) if write_clock == read_clock => vec![format!(
                    "    always @(posedge {read_clock}) begin\n        {write}\n        {read_data} <= {read}\n    end\n"
                )],
                Some(read_clock) => vec![
                    format!("    always @(posedge {write_clock}) {write}\n"),
                    format!("    always @(posedge {read_clock}) {read_data} <= {read}\n"),
                ],
            };
            paragraphs.iter().for_each(|text| self.paragraph(text));
        }
    }

    fn roms(&mut self) {
        for (rom, name) in self.module.roms.iter().zip(self.names.roms.clone()) {
            let names = &self.writer.signals;
            let (data, word) = (&names[rom.data], format!("{name}[{}];", names[rom.address]));
            let text = match rom.clock {
                Some(clock) => format!("    always @(posedge {}) {data} <= {word}\n", names[clock]),
                None => format!("    assign {data} = {word}\n"),
            };
            self.paragraph(&text);
        }
    }

    /// Lists the bits that are not read, so that a lint tool reports only bits that were forgotten.
    fn unused(&mut self) {
        let used = used_bits(self.module, self.netlist);
        let driven = self.processes.iter().flat_map(|process| &process.targets).copied();
        let hidden = process::clocked_inputs(self.module);
        let driven: BTreeSet<SignalId> = driven.collect();
        let mut parts = vec!["1'b0".to_string()];
        for (id, bits) in used.iter().enumerate().filter(|(id, _)| !hidden.contains(id)) {
            let signal = &self.module.signals[id];
            let inputs = matches!(signal.kind, SignalKind::Input | SignalKind::Clock);
            let known = inputs || driven.contains(&id) || signal.kind == SignalKind::Local;
            if !known || bits.iter().all(|used| *used) {
                continue;
            }
            let name = &self.writer.signals[id];
            let mut low = 0;
            while low < bits.len() {
                let run = bits[low..].iter().take_while(|used| !**used).count();
                if run == bits.len() {
                    parts.push(name.clone());
                } else if run == 1 {
                    parts.push(format!("{name}[{low}]"));
                } else if run > 1 {
                    parts.push(format!("{name}[{}:{low}]", low + run - 1));
                }
                low += run.max(1);
            }
        }
        if parts.len() > 1 {
            let name = self.names.further("unused");
            let text = format!("    wire {name} = &{{{}}};\n", parts.join(", "));
            self.paragraph(&text);
        }
    }
}

/// The most characters of a line of words.
const LINE: usize = 92;

/// The assignments of the words of a memory, as many in a line as there is room for, one below the other.
fn words(name: &str, words: &[BigUint], bits: usize) -> Vec<String> {
    if words.is_empty() {
        return Vec::new();
    }
    let (digits, places) = (bits.div_ceil(4), (words.len() - 1).to_string().len());
    let assignments = words.iter().enumerate().map(|(address, word)| {
        let address = format!("{name}[{address}]");
        format!("{address:width$} = {bits}'h{word:0digits$x};", width = name.len() + places + 2)
    });
    let assignments: Vec<String> = assignments.collect();
    let each = (LINE / (assignments[0].len() + 1)).max(1);
    assignments.chunks(each).map(|line| line.join(" ")).collect()
}

/// ` [23:0]`, or nothing for a bit.
fn range(shape: Shape) -> String {
    let signed = if shape.signed { " signed" } else { "" };
    match shape.bits {
        1 => signed.to_string(),
        bits => format!("{signed} [{}:0]", bits - 1),
    }
}

fn comment(meaning: &str) -> String {
    match meaning {
        "" => String::new(),
        meaning => format!(" // {}", ascii(meaning.trim_end_matches('.'))),
    }
}

/// A text in ASCII: old tools refuse other characters, even in a comment.
pub fn ascii(text: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let mut plain = String::with_capacity(text.len());
    let mut raised = false;
    for character in text.chars() {
        let digit = RAISED.iter().position(|&known| known == character);
        if let Some(digit) = digit {
            plain += &format!("{}{digit}", if raised { "" } else { "^" });
        }
        raised = digit.is_some();
        match character {
            _ if raised => {}
            '×' | '·' => plain.push('*'),
            '−' | '–' => plain.push('-'),
            '≥' => plain.push_str(">="),
            '≤' => plain.push_str("<="),
            '←' => plain.push_str("<-"),
            'Δ' => plain.push('d'),
            'α' => plain.push_str("alpha"),
            'β' => plain.push_str("beta"),
            'ω' => plain.push_str("omega"),
            character if character.is_ascii() => plain.push(character),
            _ => plain.push('?'),
        }
    }
    plain
}

/// The signal and the statements of `if signal { … }` without an else.
fn as_reset(statement: &Statement) -> Option<(SignalId, &[Statement])> {
    match statement {
        Statement::If { test, then, otherwise } if otherwise.is_empty() => Some((test.as_signal()?, then)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ascii, words};

    #[test]
    fn a_comment_has_only_ascii_characters() {
        assert_eq!(ascii("−α·ΔQ ≥ 2²⁴ − 1, x¹⁶ + x³"), "-alpha*dQ >= 2^24 - 1, x^16 + x^3");
    }

    #[test]
    fn the_words_of_a_memory_stand_several_in_a_line_below_each_other() {
        let lines = words("costs", &(0..11u32).map(|word| (word * 25).into()).collect::<Vec<_>>(), 9);
        assert_eq!(
            lines,
            [
                "costs[0]  = 9'h000; costs[1]  = 9'h019; costs[2]  = 9'h032; costs[3]  = 9'h04b;",
                "costs[4]  = 9'h064; costs[5]  = 9'h07d; costs[6]  = 9'h096; costs[7]  = 9'h0af;",
                "costs[8]  = 9'h0c8; costs[9]  = 9'h0e1; costs[10] = 9'h0fa;",
            ]
        );
        let long = "a_name_that_is_longer_than_half_a_line_of_words";
        assert_eq!(
            words(long, &[1u8, 0].map(Into::into), 1),
            [format!("{long}[0] = 1'h1;"), format!("{long}[1] = 1'h0;")]
        );
    }
}
