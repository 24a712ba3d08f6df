// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random circuits as Rust source, made of statements: assignments, reads between them, nested conditions, matches, loops,
//! parts of a signal, locals as variables, instances, registers, memories, several clocks.
//!
//! Each circuit is legal by construction: every signal is assigned on every path before it is read, and no signal
//! depends on itself within a cycle. So a circuit that is refused is a fault of ours, as is one that differs.
//!
//! Left out, because the simulation of `rust-hdl` is no reference there:
//! - `signed_bit_cast` is left out: of the smallest value it overflows the stack there;
//! - a value that is shifted by a wide amount is a number of so many bits there for a moment, so amounts have up to 9 bits;
//! - an index that varies and reaches beyond the value stops it;
//! - an inverted clock rises when the simulation begins: registers on one take only what is 0 at power-up;
//! - no clock comes through an instance: it arrives later than data there, and a register sees the new value;
//! - the word of a memory that is read and written at one edge is the old one there, block RAM may give any: the address
//!   of a write has another lowest bit than that of a read.

mod expression;
mod statement;

use crate::expressions::Random;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Widths of signals; those of a circuit are a few of them, so that signals fit each other.
const WIDTHS: &[usize] =
    &[1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 80, 100, 127, 128, 129, 160, 200];

/// Names, some of which are words of Verilog; `rust-hdl` itself refuses `input`, `output`, `wire`, `reg`, `module` and a few
/// more.
const NAMES: &[&str] = &[
    "count",
    "count_next",
    "sum",
    "flag",
    "data",
    "data_out",
    "value",
    "state",
    "ready",
    "valid",
    "begin",
    "end",
    "always",
    "assign",
    "table",
    "signal",
    "level",
    "tag",
    "case",
    "next_value",
    "x",
    "y",
    "a",
    "b",
    "q",
    "d",
    "task",
    "cell",
    "small",
    "strong",
    "time",
    "event",
    "xor",
    "bit",
    "byte",
    "program",
    "total",
    "part",
    "sum_2",
    "index",
];
const VALUES: &[&str] = &["Idle", "Busy", "Done", "Wait", "Begin", "End", "Error", "Read", "Write"];

/// The type of a signal; enumerations and structures by their index in the circuit.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Type {
    Bit,
    Bits(usize),
    Signed(usize),
    Enum(usize),
    Struct(usize),
}

/// A signal as the statements of its module see it. What depends on what within a cycle is tracked by the instances
/// that a value comes through, a bit for each: inputs of instance k may only depend on instances below k.
#[derive(Clone)]
struct Slot {
    path: String,
    kind: Type,
    /// It may be read once it is assigned.
    readable: bool,
    /// It may be assigned.
    target: bool,
    assigned: bool,
    /// A local that is assigned at the end and may be read before: it depends on inputs and registers only.
    late: bool,
    /// Nothing leads to it within a cycle.
    source: bool,
    /// Instances that it may depend on.
    limit: u64,
    /// Instances that it depends on.
    depends: u64,
}

/// A module that can be instantiated.
#[derive(Clone)]
struct Child {
    name: String,
    clocks: Vec<String>,
    inputs: Vec<(String, Type)>,
    outputs: Vec<(String, Type)>,
}

/// Makes one circuit.
struct Maker {
    random: Random,
    /// Some widths of the circuit.
    widths: Vec<usize>,
    enumerations: Vec<(String, Vec<String>)>,
    structures: Vec<(String, Vec<(String, Type)>)>,
    /// Modules above the one that is made.
    children: Vec<Child>,
    slots: Vec<Slot>,
    /// Arrays of signals of the module with their lengths.
    arrays: Vec<(String, usize)>,
    names: BTreeSet<String>,
    instances: usize,
    text: String,
    setters: String,
}

/// A random circuit.
pub struct Circuit {
    /// Its name, that of its Rust module.
    pub name: String,
    /// Its Rust module.
    pub source: String,
}

impl Circuit {
    /// The circuit of a seed.
    pub fn random(name: &str, seed: u64) -> Circuit {
        let mut maker = Maker::new(seed);
        maker.types();
        for level in 0..maker.random.below(5) / 2 {
            let child = maker.module(&format!("Part{level}"), false);
            maker.children.push(child);
        }
        let top = maker.module("Top", true).name;
        let source = format!(
            "mod {name} {{\nuse rust_hdl::prelude::*;\n{}\
             pub fn make() -> Box<dyn Block> {{ Box::new({top}::default()) }}\n\
             pub fn setters() -> Vec<super::judge::Setter> {{ vec![{}] }}\n}}\n",
            maker.text, maker.setters
        );
        Circuit { name: name.into(), source }
    }
}

/// A program of circuits, by name and source.
pub fn program(judge: &str, circuits: &[Circuit]) -> String {
    let mut text = format!("#![recursion_limit = \"512\"]\n#[path = {judge:?}]\n#[macro_use]\nmod judge;\nwidths!(");
    WIDTHS.iter().for_each(|width| write!(text, "{width} ").unwrap());
    text += ");\n";
    circuits.iter().for_each(|circuit| text += &circuit.source);
    text += "fn main() {\njudge::main(vec![\n";
    for Circuit { name, .. } in circuits {
        writeln!(text, "judge::Case {{ name: {name:?}, make: {name}::make, setters: {name}::setters() }},").unwrap();
    }
    text + "], set);\n}\n"
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut random = Random(seed);
        let widths = (0..4).map(|_| WIDTHS[random.below(WIDTHS.len())]).collect();
        Maker {
            random,
            widths,
            enumerations: Vec::new(),
            structures: Vec::new(),
            children: Vec::new(),
            slots: Vec::new(),
            arrays: Vec::new(),
            names: BTreeSet::new(),
            instances: 0,
            text: String::new(),
            setters: String::new(),
        }
    }

    fn width(&mut self) -> usize {
        match self.random.below(4) {
            // Indices and amounts.
            0 => 1 + self.random.below(4),
            _ => self.widths[self.random.below(self.widths.len())],
        }
    }

    /// A type of a signal, without structures.
    fn simple(&mut self) -> Type {
        match self.random.below(8) {
            0 | 1 => Type::Bit,
            2 => Type::Signed([8, 16, 33][self.random.below(3)]),
            3 if !self.enumerations.is_empty() => Type::Enum(self.random.below(self.enumerations.len())),
            _ => Type::Bits(self.width()),
        }
    }

    fn any(&mut self) -> Type {
        if self.structures.is_empty() || self.random.below(6) > 0 {
            return self.simple();
        }
        Type::Struct(self.random.below(self.structures.len()))
    }

    /// The type in Rust.
    fn rust(&self, kind: Type) -> String {
        match kind {
            Type::Bit => "Bit".into(),
            Type::Bits(width) => format!("Bits<{width}>"),
            Type::Signed(width) => format!("Signed<{width}>"),
            Type::Enum(index) => self.enumerations[index].0.clone(),
            Type::Struct(index) => self.structures[index].0.clone(),
        }
    }

    /// Enumerations and structures of the circuit.
    fn types(&mut self) {
        for index in 0..self.random.below(3) {
            let mut values: Vec<String> = VALUES.iter().map(|value| value.to_string()).collect();
            (0..values.len()).for_each(|place| values.swap(place, self.random.below(VALUES.len())));
            let count = 2 + self.random.below(values.len() - 2);
            values.truncate(count);
            let name = ["Mode", "Kind"][index].to_string();
            writeln!(
                self.text,
                "#[derive(Copy, Clone, Debug, PartialEq, LogicState)]\nenum {name} {{ {} }}",
                values.join(", ")
            )
            .unwrap();
            self.enumerations.push((name, values));
        }
        for index in 0..self.random.below(3) {
            let count = 2 + self.random.below(3);
            let fields: Vec<(String, Type)> = (0..count)
                .map(|field| {
                    let kind = match self.simple() {
                        // rust-hdl has no conversion of a signed field.
                        Type::Signed(width) => Type::Bits(width),
                        kind => kind,
                    };
                    (["tag", "length", "op", "last"][field].to_string(), kind)
                })
                .collect();
            let name = ["Command", "Entry"][index].to_string();
            let list: Vec<_> = fields.iter().map(|(field, kind)| format!("{field}: {}", self.rust(*kind))).collect();
            writeln!(
                self.text,
                "#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]\nstruct {name} {{ {} }}",
                list.join(", ")
            )
            .unwrap();
            self.structures.push((name, fields));
        }
    }

    /// A name that is not yet in the module.
    fn name(&mut self) -> String {
        let base = NAMES[self.random.below(NAMES.len())];
        let name = match self.names.contains(base) {
            true => (0..).map(|number| format!("{base}{number}")).find(|name| !self.names.contains(name)).unwrap(),
            false => base.to_string(),
        };
        self.names.insert(name.clone());
        name
    }

    fn slot(&mut self, path: String, kind: Type) -> &mut Slot {
        let (readable, target, assigned, late, source) = (true, false, false, false, false);
        self.slots.push(Slot { path, kind, readable, target, assigned, late, source, limit: u64::MAX, depends: 0 });
        self.slots.last_mut().unwrap()
    }

    /// A signal that has a value from the start: an input, a register, a memory's word.
    fn source(&mut self, path: String, kind: Type) {
        let slot = self.slot(path, kind);
        (slot.assigned, slot.source) = (true, true);
    }

    /// What sets an input of the circuit.
    fn setter(&mut self, name: &str, kind: Type) {
        let value = |kind: Type| match kind {
            Type::Enum(index) => {
                let (name, values) = &self.enumerations[index];
                let values: Vec<_> = values.iter().map(|value| format!("{name}::{value}")).collect();
                format!("[{}][random.below({}) as usize]", values.join(", "), values.len())
            }
            Type::Bit => "random.below(2) == 0".to_string(),
            _ => "random.bits()".to_string(),
        };
        let text = match kind {
            Type::Struct(index) => {
                let (name, fields) = &self.structures[index];
                let fields: Vec<_> = fields.iter().map(|(field, kind)| format!("{field}: {}", value(*kind))).collect();
                format!("{name} {{ {} }}", fields.join(", "))
            }
            Type::Enum(_) => value(kind),
            _ => return,
        };
        writeln!(
            self.setters,
            "({name:?}, |at, random| {{ let mut random = super::judge::Random(random); \
             unsafe {{ (*(at as *mut Signal<In, {}>)).next = {text} }} }}),",
            self.rust(kind)
        )
        .unwrap();
    }

    /// Makes a module: its fields, then its statements.
    fn module(&mut self, name: &str, top: bool) -> Child {
        self.slots.clear();
        self.arrays.clear();
        self.names = BTreeSet::from(["clock".into(), "slow_clock".into(), "other_clock".into()]);
        self.instances = 0;
        let clocks = if top { 1 + self.random.below(3) } else { self.random.below(3) };
        let clocks: Vec<String> =
            ["clock", "slow_clock", "other_clock"][..clocks].iter().map(|name| name.to_string()).collect();
        let mut child = Child { name: name.into(), clocks: clocks.clone(), inputs: Vec::new(), outputs: Vec::new() };
        // Fields with their types and initial values, statements, and which are assigned for the first time.
        let mut fields: Vec<(String, String, String)> = Vec::new();
        let mut setup: Vec<String> = Vec::new();
        let mut pending: Vec<Vec<usize>> = Vec::new();
        let fresh = |kind: &str| format!("{kind}::default()");
        for clock in &clocks {
            fields.push((clock.clone(), "Signal<In, Clock>".into(), fresh("Signal")));
        }
        for _ in 0..2 + self.random.below(3) {
            let (name, kind) = (self.name(), self.any());
            fields.push((name.clone(), format!("Signal<In, {}>", self.rust(kind)), fresh("Signal")));
            self.source(format!("self.{name}"), kind);
            if top {
                self.setter(&name, kind);
            }
            child.inputs.push((name, kind));
        }
        let length = 2 + self.random.below(5);
        if self.random.below(3) == 0 {
            let (name, kind) =
                (self.name(), if self.random.below(3) == 0 { Type::Bit } else { Type::Bits(self.width()) });
            fields.push((name.clone(), format!("[Signal<In, {}>; {length}]", self.rust(kind)), fresh("Default")));
            for place in 0..length {
                self.source(format!("self.{name}[{place}]"), kind);
                child.inputs.push((format!("{name}[{place}]"), kind));
            }
            self.arrays.push((name, length));
        }
        // Registers. Their inputs have a value from the start, by dff_setup.
        let mut by_clock: Vec<Vec<String>> = vec![Vec::new(); clocks.len()];
        if !clocks.is_empty() {
            for _ in 0..self.random.below(5) {
                let (name, kind, clock) = (self.name(), self.any(), self.random.below(clocks.len()));
                let rust = self.rust(kind);
                let (register, initial) = match kind {
                    Type::Bits(width) if self.random.below(4) == 0 => {
                        let value = self.random.bits(width.min(31));
                        ("DFFWithInit", format!("DFFWithInit::new({value}u64.into())"))
                    }
                    _ => ("DFF", fresh("DFF")),
                };
                fields.push((name.clone(), format!("{register}<{rust}>"), initial));
                self.source(format!("self.{name}.q"), kind);
                let slot = self.slot(format!("self.{name}.d"), kind);
                (slot.readable, slot.target, slot.assigned) = (false, true, true);
                by_clock[clock].push(name);
            }
        }
        // A local may stand between a clock and its registers.
        for (clock, registers) in clocks.iter().zip(&by_clock).filter(|(_, registers)| !registers.is_empty()) {
            let mut clock = clock.clone();
            if self.random.below(8) == 0 {
                let local = self.name();
                fields.push((local.clone(), "Signal<Local, Clock>".into(), fresh("Signal")));
                setup.push(format!("self.{local}.next = self.{clock}.val();"));
                clock = local;
            }
            setup.push(format!("dff_setup!(self, {clock}, {});", registers.join(", ")));
        }
        if !clocks.is_empty() && self.random.below(6) == 0 {
            self.inverted(&clocks, &mut fields, &mut setup);
        }
        if !clocks.is_empty() && self.random.below(3) == 0 {
            self.memory(&clocks, &mut fields, &mut setup, &mut pending);
        }
        // Instances of other modules and tables.
        for _ in 0..self.random.below(3) {
            if self.random.below(4) == 0 {
                self.table(&mut fields, &mut pending);
            } else if !self.children.is_empty() {
                let kind = self.children[self.random.below(self.children.len())].clone();
                self.instance(&kind, &clocks, &mut fields, &mut setup, &mut pending);
            }
        }
        // Outputs and locals.
        for output in 0..2 + self.random.below(4) {
            let output = output == 0 || self.random.below(2) == 0;
            let (name, kind) = (self.name(), self.any());
            let direction = if output { "Out" } else { "Local" };
            fields.push((name.clone(), format!("Signal<{direction}, {}>", self.rust(kind)), fresh("Signal")));
            let late = !output && self.random.below(4) == 0 && !matches!(kind, Type::Struct(_));
            let slot = self.slot(format!("self.{name}"), kind);
            (slot.target, slot.late, slot.limit) = (true, late, if late { 0 } else { u64::MAX });
            if !late {
                pending.push(vec![self.slots.len() - 1]);
            }
            if output {
                child.outputs.push((name, kind));
            }
        }
        if self.random.below(3) == 0 {
            let (name, kind) = (self.name(), Type::Bits(self.width()));
            let output = self.random.below(2) == 0;
            let direction = if output { "Out" } else { "Local" };
            fields.push((
                name.clone(),
                format!("[Signal<{direction}, {}>; {length}]", self.rust(kind)),
                fresh("Default"),
            ));
            let mut elements = Vec::new();
            for place in 0..length {
                self.slot(format!("self.{name}[{place}]"), kind).target = true;
                elements.push(self.slots.len() - 1);
                if output {
                    child.outputs.push((format!("{name}[{place}]"), kind));
                }
            }
            pending.push(elements);
            self.arrays.push((name, length));
        }
        let body = self.body(setup, pending);
        self.write(name, &fields, &body);
        child
    }

    /// The statements: signals are assigned for the first time in any order, and others are changed between.
    fn body(&mut self, setup: Vec<String>, mut pending: Vec<Vec<usize>>) -> Vec<String> {
        let mut body = setup;
        (0..pending.len()).for_each(|place| pending.swap(place, self.random.below(place + 1)));
        for slots in pending {
            body.push(match &slots[..] {
                [slot] => self.first(*slot),
                elements => {
                    let path = &self.slots[elements[0]].path;
                    let array = path["self.".len()..path.find('[').unwrap()].to_string();
                    self.all_of(&array, elements.len())
                }
            });
            if self.random.below(2) == 0 {
                body.extend(self.more(2));
            }
        }
        for _ in 0..2 + self.random.below(4) {
            body.extend(self.more(2));
        }
        for slot in (0..self.slots.len()).filter(|&slot| self.slots[slot].late).collect::<Vec<_>>() {
            body.push(self.first(slot));
            body.extend(self.more(2));
        }
        body
    }

    fn write(&mut self, name: &str, fields: &[(String, String, String)], body: &[String]) {
        let text = &mut self.text;
        writeln!(text, "#[derive(LogicBlock)]\nstruct {name} {{").unwrap();
        fields.iter().for_each(|(field, kind, _)| writeln!(text, "    pub {field}: {kind},").unwrap());
        writeln!(text, "}}\nimpl Default for {name} {{\n    fn default() -> Self {{\n        {name} {{").unwrap();
        fields.iter().for_each(|(field, _, initial)| writeln!(text, "            {field}: {initial},").unwrap());
        writeln!(text, "        }}\n    }}\n}}\nimpl Logic for {name} {{\n    #[hdl_gen]\n    fn update(&mut self) {{")
            .unwrap();
        body.iter().for_each(|statement| writeln!(text, "{statement}").unwrap());
        writeln!(text, "    }}\n}}").unwrap();
    }

    /// A register at the falling edge. At power-up `rust-hdl` sees an edge of an inverted clock; then the register takes
    /// what a register without initial value has, which is 0. An input may have another value then: of an instance it is
    /// computed.
    fn inverted(&mut self, clocks: &[String], fields: &mut Vec<(String, String, String)>, setup: &mut Vec<String>) {
        let zero = |slot: &&Slot| {
            let register = slot.path.strip_prefix("self.").and_then(|path| path.strip_suffix(".q"));
            let initial = register
                .and_then(|name| fields.iter().find(|(field, ..)| field == name))
                .map(|(_, _, initial)| initial);
            slot.source && initial.is_some_and(|initial| initial == "DFF::default()")
        };
        let sources: Vec<_> = self.slots.iter().filter(zero).map(|slot| (slot.path.clone(), slot.kind)).collect();
        if sources.is_empty() {
            return;
        }
        let (path, kind) = sources[self.random.below(sources.len())].clone();
        let (name, clock) = (self.name(), &clocks[self.random.below(clocks.len())]);
        fields.push((name.clone(), format!("DFF<{}>", self.rust(kind)), "DFF::default()".into()));
        setup.push(format!("self.{name}.clock.next = !self.{clock}.val();\nself.{name}.d.next = {path}.val();"));
        self.source(format!("self.{name}.q"), kind);
    }

    fn memory(
        &mut self,
        clocks: &[String],
        fields: &mut Vec<(String, String, String)>,
        setup: &mut Vec<String>,
        pending: &mut Vec<Vec<usize>>,
    ) {
        let (name, kind, places) = (self.name(), Type::Bits(self.width()), 2 + self.random.below(4));
        let rust = self.rust(kind);
        let contents = match kind {
            Type::Bits(width) if self.random.below(2) == 0 => {
                let words: Vec<_> =
                    (0..1 << places).map(|_| format!("{}u64", self.random.bits(width.min(63)))).collect();
                Some(words.join(", "))
            }
            _ => None,
        };
        let clock = |maker: &mut Maker| clocks[maker.random.below(clocks.len())].clone();
        if self.random.below(3) == 0
            && let Some(words) = &contents
        {
            fields.push((
                name.clone(),
                format!("SyncROM<{rust}, {places}>"),
                format!("vec![{words}].into_iter().map({}::from).into()", rust.replace('<', "::<")),
            ));
            setup.push(format!("self.{name}.clock.next = self.{}.val();", clock(self)));
            self.slot(format!("self.{name}.address"), Type::Bits(places)).readable = false;
            self.slots.last_mut().unwrap().target = true;
            pending.push(vec![self.slots.len() - 1]);
            self.source(format!("self.{name}.data"), kind);
            return;
        }
        let initial = match &contents {
            Some(words) => format!("vec![{words}].into_iter().map({}::from).into()", rust.replace('<', "::<")),
            None => "RAM::default()".into(),
        };
        fields.push((name.clone(), format!("RAM<{rust}, {places}>"), initial));
        for port in ["read_clock", "write_clock"] {
            setup.push(format!("self.{name}.{port}.next = self.{}.val();", clock(self)));
        }
        for (port, kind) in [("write_data", kind), ("write_enable", Type::Bit)] {
            let slot = self.slot(format!("self.{name}.{port}"), kind);
            (slot.readable, slot.target) = (false, true);
            pending.push(vec![self.slots.len() - 1]);
        }
        // The addresses of reads are even, those of writes odd, or the other way round by a bit that both look at.
        let sources: Vec<_> =
            self.slots.iter().filter(|slot| slot.source && matches!(slot.kind, Type::Bits(_))).cloned().collect();
        let address = |maker: &mut Maker| match sources.is_empty() {
            true => format!("bits::<{places}>(1)"),
            false => {
                let slot = &sources[maker.random.below(sources.len())];
                let Type::Bits(width) = slot.kind else { unreachable!("bits") };
                format!("bit_cast::<{places}, {width}>({}.val())", slot.path)
            }
        };
        let turn = match self.slots.iter().find(|slot| slot.source && slot.kind == Type::Bit) {
            Some(slot) => format!("{}.val()", slot.path),
            None => "true".into(),
        };
        let (read, write) = (address(self), address(self));
        setup.push(format!("self.{name}.read_address.next = {read}.replace_bit(0, {turn});"));
        setup.push(format!("self.{name}.write_address.next = {write}.replace_bit(0, !{turn});"));
        self.source(format!("self.{name}.read_data"), kind);
    }

    /// A ROM that is read within the cycle.
    fn table(&mut self, fields: &mut Vec<(String, String, String)>, pending: &mut Vec<Vec<usize>>) {
        let (name, width, places) = (self.name(), self.width(), 1 + self.random.below(4));
        let words: Vec<_> = (0..1 << places).map(|_| format!("{}u64", self.random.bits(width.min(63)))).collect();
        let initial = format!("vec![{}].into_iter().map(Bits::<{width}>::from).into()", words.join(", "));
        fields.push((name.clone(), format!("ROM<Bits<{width}>, {places}>"), initial));
        let bit = 1u64 << self.instances;
        self.instances += 1;
        let slot = self.slot(format!("self.{name}.address"), Type::Bits(places));
        (slot.readable, slot.target, slot.limit) = (false, true, bit - 1);
        pending.push(vec![self.slots.len() - 1]);
        let slot = self.slot(format!("self.{name}.data"), Type::Bits(width));
        (slot.assigned, slot.depends) = (true, bit);
    }

    fn instance(
        &mut self,
        kind: &Child,
        clocks: &[String],
        fields: &mut Vec<(String, String, String)>,
        setup: &mut Vec<String>,
        pending: &mut Vec<Vec<usize>>,
    ) {
        if clocks.is_empty() && !kind.clocks.is_empty() {
            return;
        }
        let name = self.name();
        fields.push((name.clone(), kind.name.clone(), format!("{}::default()", kind.name)));
        for clock in &kind.clocks {
            setup.push(format!("self.{name}.{clock}.next = self.{}.val();", clocks[self.random.below(clocks.len())]));
        }
        let bit = 1u64 << self.instances;
        self.instances += 1;
        for (port, kind) in &kind.inputs {
            let slot = self.slot(format!("self.{name}.{port}"), *kind);
            (slot.readable, slot.target, slot.limit) = (false, true, bit - 1);
            pending.push(vec![self.slots.len() - 1]);
        }
        for (port, kind) in &kind.outputs {
            let slot = self.slot(format!("self.{name}.{port}"), *kind);
            (slot.assigned, slot.depends) = (true, bit);
        }
    }
}
