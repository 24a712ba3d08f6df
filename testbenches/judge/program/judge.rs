// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each program of circuits does: it runs every circuit in the simulation of `rust-hdl` and in the engine with the
//! same random inputs, and leaves the Verilog and the rows of port values for the judges outside. Compiled with the
//! circuits (`../compile.rs`), not with the tests.

use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::core::type_descriptor::TypeKind;
use rust_hdl::prelude::*;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;
use tidegate::engine::{Optimisations, Program};
use tidegate::netlist::{Netlist, SignalKind};
use tidegate::verilog;

/// Passes of `rust-hdl`'s simulation within which a circuit must settle; its own limit is 100.
const PASSES: usize = 400;

/// The bits of a value, the low one first.
type Word = Vec<bool>;

/// What sets an input of a user's own type (an enumeration, a structure) at random: the name of the port, and a
/// function of the signal's address and a random number.
pub type Setter = (&'static str, fn(*const (), u64));

/// A circuit to judge.
pub struct Case {
    /// Its name, an identifier.
    pub name: &'static str,
    /// What makes it, at power-up.
    pub make: fn() -> Box<dyn Block>,
    /// What sets its inputs of own types.
    pub setters: Vec<Setter>,
}

/// The type of a port.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Clock,
    Bit,
    Bits,
    Signed,
    Own,
}

/// A port of a circuit.
pub struct Port {
    pub name: String,
    pub input: bool,
    pub bits: usize,
    pub kind: Kind,
    /// Points into the circuit, which lives as long: the only way to a port of a circuit whose type is not known here.
    atom: *const dyn Atom,
}

impl Port {
    pub fn address(&self) -> *const () {
        self.atom as *const ()
    }

    fn value(&self) -> Word {
        let text = format!("{:x}", unsafe { &*self.atom }.verilog());
        let digits = text.split_once("'h").map_or(text.as_str(), |(_, digits)| digits);
        let (negative, digits) = digits.strip_prefix('-').map_or((false, digits), |digits| (true, digits));
        let mut word = Word::new();
        for digit in digits.chars().rev() {
            let digit = digit.to_digit(16).expect("a number in hexadecimal");
            word.extend((0..4).map(|bit| digit >> bit & 1 == 1));
        }
        word.resize(self.bits, false);
        if negative {
            // The two's complement: all bits above the lowest 1 turn.
            let lowest = word.iter().position(|&bit| bit).unwrap_or(self.bits);
            word.iter_mut().skip(lowest + 1).for_each(|bit| *bit = !*bit);
        }
        word
    }
}

struct Collector {
    depth: usize,
    space: Vec<String>,
    ports: Vec<Port>,
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.space.push(name.into());
    }
    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.space.pop();
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let input = match signal.kind() {
            AtomKind::InputParameter => true,
            AtomKind::OutputParameter => false,
            _ => return,
        };
        if self.depth != 1 {
            return;
        }
        let descriptor = signal.descriptor();
        let kind = match descriptor.kind {
            _ if descriptor.name == "clock" => Kind::Clock,
            TypeKind::Bits(1) if descriptor.name == "Bit" => Kind::Bit,
            TypeKind::Bits(_) => Kind::Bits,
            TypeKind::Signed(_) => Kind::Signed,
            _ => Kind::Own,
        };
        let name = self.space.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
        let atom = unsafe { std::mem::transmute::<&dyn Atom, &'static dyn Atom>(signal) };
        self.ports.push(Port { name, input, bits: signal.bits(), kind, atom });
    }
}

fn ports_of(circuit: &dyn Block) -> Vec<Port> {
    let mut collector = Collector { depth: 0, space: Vec::new(), ports: Vec::new() };
    circuit.accept("top", &mut collector);
    collector.ports
}

/// The lowest 64 bits as a number.
fn number(word: &[bool]) -> u64 {
    word.iter().take(64).enumerate().fold(0, |sum, (place, &bit)| sum | (bit as u64) << place)
}

fn words(word: &[bool]) -> Vec<u64> {
    word.chunks(64).map(number).collect()
}

fn bits_of<const N: usize>(word: &[bool]) -> Bits<N> {
    if N > 32 {
        let mut bits = [false; N];
        bits.copy_from_slice(word);
        Bits::Long(bits.into())
    } else {
        number(word).into()
    }
}

/// # Safety
/// The address is that of an input of type `Bits<N>`.
pub unsafe fn set_bits<const N: usize>(at: *const (), word: &[bool]) {
    (*(at as *mut Signal<In, Bits<N>>)).next = bits_of(word);
}

/// # Safety
/// The address is that of an input of type `Signed<N>`.
pub unsafe fn set_signed<const N: usize>(at: *const (), word: &[bool]) {
    (*(at as *mut Signal<In, Signed<N>>)).next = signed_cast(bits_of::<N>(word));
}

/// Sets an input of `Bits` or `Signed`: the widths that a program has are listed, because a width is a type.
#[macro_export]
macro_rules! widths {
    ($($bits:literal)*) => {
        fn set(port: &judge::Port, word: &[bool]) {
            match (port.bits, port.kind == judge::Kind::Signed) {
                $(($bits, false) => unsafe { judge::set_bits::<$bits>(port.address(), word) },
                ($bits, true) => unsafe { judge::set_signed::<$bits>(port.address(), word) },)*
                (bits, _) => panic!("add {bits} to the widths of this program"),
            }
        }
    };
}

/// The splitmix generator.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    #[allow(dead_code)]
    pub fn bits<const N: usize>(&mut self) -> Bits<N> {
        bits_of(&self.word(N))
    }

    /// Any value, and often one at an end.
    fn word(&mut self, bits: usize) -> Word {
        let mode = self.below(8);
        let bit = |place| match mode {
            0 => false,
            1 => true,
            2 => place < 2 && self.below(2) == 0,
            3 => place + 1 == bits,
            4 => self.below(10) == 0,
            _ => self.below(2) == 0,
        };
        (0..bits).map(bit).collect()
    }
}

/// A cycle: the values of all ports in their order; the value of a clock is whether it ticks after the outputs were
/// read.
type Row = Vec<Word>;

/// How a run of `rust-hdl`'s simulation ended early.
enum Stop {
    Unsettled(usize),
    Panic(usize, String),
}

fn settle(circuit: &mut dyn Block) -> bool {
    (0..PASSES).any(|_| {
        circuit.update_all();
        !circuit.has_changed()
    })
}

fn set_clock(port: &Port, level: bool) {
    unsafe { (*(port.address() as *mut Signal<In, Clock>)).next = level.into() }
}

/// Which clocks tick: the engine has an edge of all clocks or of one.
fn ticking(random: &mut Random, clocks: usize) -> Vec<bool> {
    if clocks < 2 || random.below(2) == 0 {
        return vec![true; clocks];
    }
    let one = random.below(clocks as u64) as usize;
    (0..clocks).map(|clock| clock == one).collect()
}

fn reference(case: &Case, set: fn(&Port, &[bool]), seed: u64, cycles: usize) -> (Vec<Row>, Option<Stop>) {
    let mut rows = Vec::new();
    let run = catch_unwind(AssertUnwindSafe(|| {
        let mut circuit = (case.make)();
        circuit.connect_all();
        let ports = ports_of(circuit.as_ref());
        let clocks: Vec<&Port> = ports.iter().filter(|port| port.input && port.kind == Kind::Clock).collect();
        let mut random = Random(seed);
        let mut held = 0;
        let mut before = Word::new();
        for cycle in 0..cycles {
            // The inputs change while the clocks that ticked are high, and these fall afterwards: a register at the
            // falling edge sees the inputs of the new cycle, and nothing depends on which of two changes comes first. In
            // cycle 0 all is as at power-up: rust-hdl has an edge of an inverted clock there.
            if held > 0 {
                held -= 1;
            } else if cycle > 0 {
                if random.below(10) == 0 {
                    held = 1 + random.below(20);
                }
                for port in ports.iter().filter(|port| port.input && port.kind != Kind::Clock) {
                    if random.below(10) < 3 {
                        continue;
                    }
                    match (port.kind, case.setters.iter().find(|(name, _)| *name == port.name)) {
                        (_, Some((_, set))) => set(port.address(), random.next()),
                        (Kind::Bit, None) => unsafe {
                            (*(port.address() as *mut Signal<In, Bit>)).next = random.below(2) == 0
                        },
                        (Kind::Own, None) => panic!("the case needs a setter for {}", port.name),
                        // Often the same as before it, so that comparisons are true and false.
                        (_, None) => {
                            let word = match random.below(6) {
                                0 => before.iter().chain(std::iter::repeat(&false)).take(port.bits).copied().collect(),
                                _ => random.word(port.bits),
                            };
                            set(port, &word);
                            before = word;
                        }
                    }
                }
            }
            if !settle(circuit.as_mut()) {
                return Some(Stop::Unsettled(cycle));
            }
            clocks.iter().for_each(|clock| set_clock(clock, false));
            if !settle(circuit.as_mut()) {
                return Some(Stop::Unsettled(cycle));
            }
            let ticking = ticking(&mut random, clocks.len());
            let mut tick = ticking.iter();
            let value = |port: &Port| match port.input && port.kind == Kind::Clock {
                true => vec![*tick.next().expect("a clock")],
                false => port.value(),
            };
            rows.push(ports.iter().map(value).collect::<Row>());
            clocks.iter().zip(&ticking).filter(|(_, tick)| **tick).for_each(|(clock, _)| set_clock(clock, true));
            if !settle(circuit.as_mut()) {
                return Some(Stop::Unsettled(cycle));
            }
        }
        None
    }));
    let stop = run.unwrap_or_else(|panic| Some(Stop::Panic(rows.len(), text_of(panic))));
    (rows, stop)
}

fn text_of(panic: Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("no message").replace('\n', " ")
}

/// Compares the engine with all rows, with each optimisation alone, with all and with none; the first difference as run, cycle, port
/// and value.
fn engine(netlist: &Netlist, runs: &[Vec<Row>]) -> String {
    for branches in [true, false] {
        // What rests sleeps within the first run.
        for sleep_after in [None, Some(4)] {
            let verdict = engine_with(Optimisations { branches, sleep_after }, netlist, runs);
            if verdict != "equal" {
                return verdict;
            }
        }
    }
    "equal".into()
}

fn engine_with(optimisations: Optimisations, netlist: &Netlist, runs: &[Vec<Row>]) -> String {
    let judged = catch_unwind(AssertUnwindSafe(|| -> Result<String, String> {
        // It catches its own panics, and says that they are a mistake.
        let program = Program::with_optimisations(netlist, &[], optimisations).map_err(|error| match error.to_string() {
            mistake if mistake.contains("a mistake in tidegate") => format!("panic\t{mistake}"),
            reason => format!("refused\t{reason}"),
        })?;
        let lost = |error: tidegate::engine::Error| format!("panic\t{error}");
        let ports: Vec<_> = netlist.top().ports().collect();
        for (run, rows) in runs.iter().enumerate() {
            let mut simulation = program.start(1 + run as u64);
            for (cycle, row) in rows.iter().enumerate() {
                for ((_, port), word) in ports.iter().zip(row).filter(|((_, port), _)| port.kind == SignalKind::Input) {
                    simulation.set_words(program.input(&port.name).map_err(lost)?, &words(word));
                }
                simulation.settle();
                for (place, (_, port)) in ports.iter().enumerate() {
                    if port.kind == SignalKind::Output {
                        let found = simulation.words(program.output(&port.name).map_err(lost)?);
                        if found != words(&row[place]) {
                            let found: String = found.iter().rev().map(|word| format!("{word:016x}")).collect();
                            return Ok(format!("different\t{run}\t{cycle}\t{place}\t{found}"));
                        }
                    }
                }
                let clocks = ports.iter().zip(row).filter(|((_, port), _)| port.kind == SignalKind::Clock);
                let clocks: Vec<_> = clocks.map(|((_, port), tick)| (&port.name, tick[0])).collect();
                match &clocks[..] {
                    clocks if clocks.iter().all(|(_, tick)| *tick) => simulation.step(),
                    clocks => {
                        let one = clocks.iter().find(|(_, tick)| *tick).expect("a clock that ticks").0;
                        // A clock on which nothing runs is none of the engine's.
                        if let Ok(clock) = program.clock(one) {
                            simulation.tick(clock);
                        }
                    }
                }
            }
        }
        Ok("equal".into())
    }));
    match judged {
        Ok(Ok(verdict) | Err(verdict)) => verdict,
        Err(panic) => format!("panic\t{}", text_of(panic)),
    }
}

/// Judges one circuit and leaves its files in the folder: `result.txt` and, if it has a netlist, `ports.txt`, `alone.v`,
/// `batch.v` (with the name in front of each module's, so that many circuits are one design) and `rows_0.txt`, ….
fn judge(case: &Case, folder: &Path, set: fn(&Port, &[bool]), seed: u64, runs: usize, cycles: usize) {
    std::fs::create_dir_all(folder).expect("a folder for the circuit");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file of the circuit");
    let mut result = String::new();
    let made = catch_unwind(AssertUnwindSafe(|| {
        let mut circuit = (case.make)();
        circuit.connect_all();
        circuit
    }));
    let circuit = match made {
        Ok(circuit) => circuit,
        Err(panic) => {
            return write("result.txt", &format!("netlist\tnone\trust-hdl cannot make it: {}\n", text_of(panic)))
        }
    };
    let netlist = match catch_unwind(AssertUnwindSafe(|| Netlist::of(circuit.as_ref(), "judged", None))) {
        Ok(Ok(netlist)) => netlist,
        Ok(Err(error)) => return write("result.txt", &format!("netlist\trefused\t{error}\n")),
        Err(panic) => return write("result.txt", &format!("netlist\tpanic\t{}\n", text_of(panic))),
    };
    result += "netlist\tok\n";
    let mut batch = netlist.clone();
    batch.modules.iter_mut().for_each(|module| module.name = format!("{}_{}", case.name, module.name));
    match catch_unwind(AssertUnwindSafe(|| (verilog::text(&netlist), verilog::text(&batch)))) {
        Ok((alone, batch)) => {
            write("alone.v", &alone);
            write("batch.v", &batch);
        }
        Err(panic) => return write("result.txt", &format!("{result}verilog\tpanic\t{}\n", text_of(panic))),
    }
    let own = ports_of(circuit.as_ref());
    let mut ports = String::new();
    for (_, port) in netlist.top().ports() {
        let kind = match port.kind {
            SignalKind::Clock => "clock",
            SignalKind::Input => "input",
            _ => "output",
        };
        writeln!(ports, "{kind}\t{}\t{}", port.shape.bits, port.name).unwrap();
    }
    write("ports.txt", &ports);
    let same = netlist.top().ports().count() == own.len()
        && netlist
            .top()
            .ports()
            .zip(&own)
            .all(|((_, port), own)| port.shape.bits == own.bits && own.input != (port.kind == SignalKind::Output));
    if !same {
        let own: Vec<_> = own.iter().map(|port| format!("{} {}", port.name, port.bits)).collect();
        let text = format!("{result}netlist\tpanic\tits ports are not those of the circuit: {}\n", own.join(", "));
        return write("result.txt", &text);
    }
    let mut all = Vec::new();
    for run in 0..runs {
        let (rows, stop) = reference(case, set, seed.wrapping_add(run as u64), cycles);
        match stop {
            None => writeln!(result, "run\t{run}\t{}", rows.len()).unwrap(),
            Some(Stop::Unsettled(cycle)) => {
                writeln!(result, "run\t{run}\t{}\tunsettled in cycle {cycle}", rows.len()).unwrap()
            }
            Some(Stop::Panic(cycle, text)) => {
                writeln!(result, "run\t{run}\t{}\tpanic of rust-hdl in cycle {cycle}: {text}", rows.len()).unwrap()
            }
        }
        let mut text = String::new();
        for row in &rows {
            for word in row {
                text.extend(word.iter().rev().map(|&bit| if bit { '1' } else { '0' }));
            }
            text.push('\n');
        }
        write(&format!("rows_{run}.txt"), &text);
        all.push(rows);
    }
    writeln!(result, "engine\t{}", engine(&netlist, &all)).unwrap();
    write("result.txt", &result);
}

/// Judges the circuits from a number on: arguments are the folder, the seed, the runs, the cycles of each and that number.
pub fn main(cases: Vec<Case>, set: fn(&Port, &[bool])) {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |place: usize| arguments[place].parse::<u64>().expect("a number");
    println!("{:?}", std::any::TypeId::of::<Netlist>());
    std::panic::set_hook(Box::new(|_| {}));
    for case in cases.iter().skip(number(5) as usize) {
        println!("{}", case.name);
        std::io::stdout().flush().expect("the test reads what is begun");
        let folder = Path::new(&arguments[1]).join(case.name);
        judge(case, &folder, set, number(2), number(3) as usize, number(4) as usize);
    }
    println!("done");
}
