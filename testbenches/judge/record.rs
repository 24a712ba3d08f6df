// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program of circuits left of each: its verdicts, its Verilog, and the rows of its ports.

use std::path::Path;

/// The role of a port.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Input,
    Clock,
    Output,
}

pub struct Port {
    pub kind: Kind,
    pub bits: usize,
    pub name: String,
}

/// What the judges say about a circuit. The simulation of `rust-hdl` is the reference.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All four agree in every cycle.
    Equal,
    /// There is no netlist, with the reason.
    Refused(String),
    /// Two judges differ, or a circuit is accepted that `rust-hdl` cannot settle, or a tool refuses the Verilog.
    Different(String),
    /// Our code panics.
    Panic(String),
    /// `rust-hdl` itself cannot make or run the circuit.
    NoReference(String),
}

/// A value that is not that of `rust-hdl`: the first of a judge.
pub struct Difference {
    pub judge: &'static str,
    pub run: usize,
    pub cycle: usize,
    /// The index of the port.
    pub place: usize,
    /// The value, in hexadecimal.
    pub found: String,
}

/// What is known of a circuit.
pub struct Record {
    pub name: String,
    pub verdict: Verdict,
    pub differences: Vec<Difference>,
    /// Its ports in the order of the Verilog; none if there is no Verilog.
    pub ports: Vec<Port>,
    /// Its Verilog as it is emitted.
    pub alone: String,
    /// Its Verilog with its name in front of the names of the modules.
    pub batch: String,
    /// For each run the rows of the simulation of `rust-hdl`: the bits of all ports, the high one of each first.
    pub runs: Vec<Vec<Vec<u8>>>,
    /// The first digit of each port in a row.
    offsets: Vec<usize>,
}

impl Record {
    /// A circuit that ended the program.
    pub fn lost(name: &str, said: &str) -> Record {
        Record::new(name, Verdict::Panic(format!("it ends the process: {said}")))
    }

    fn new(name: &str, verdict: Verdict) -> Record {
        let (differences, ports, runs, offsets) = Default::default();
        let (alone, batch) = Default::default();
        Record { name: name.into(), verdict, differences, ports, alone, batch, runs, offsets }
    }

    /// Reads what is in the folder of a circuit.
    pub fn read(name: &str, folder: &Path) -> Record {
        let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        let result = read("result.txt");
        let lines: Vec<Vec<&str>> = result.lines().map(|line| line.split('\t').collect()).collect();
        let mut record = Record::new(name, Verdict::Equal);
        for line in read("ports.txt").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let kind = match fields[0] {
                "clock" => Kind::Clock,
                "input" => Kind::Input,
                _ => Kind::Output,
            };
            record.offsets.push(record.ports.iter().map(|port: &Port| port.bits).sum());
            record.ports.push(Port { kind, bits: fields[1].parse().unwrap(), name: fields[2].into() });
        }
        (record.alone, record.batch) = (read("alone.v"), read("batch.v"));
        for run in 0..lines.iter().filter(|line| line[0] == "run").count() {
            let rows = read(&format!("rows_{run}.txt"));
            record.runs.push(rows.lines().map(|line| line.as_bytes().to_vec()).collect());
        }
        for line in &lines {
            record.verdict = match line[..] {
                ["netlist" | "engine", "refused", reason] => Verdict::Refused(reason.into()),
                ["netlist", "none", reason] => Verdict::NoReference(reason.into()),
                ["netlist" | "verilog" | "engine", "panic", text] => Verdict::Panic(format!("{}: {text}", line[0])),
                ["engine", "different", run, cycle, place, found] => {
                    let [run, cycle, place] = [run, cycle, place].map(|text| text.parse().unwrap());
                    record.differences.push(Difference {
                        judge: "the engine",
                        run,
                        cycle,
                        place,
                        found: trimmed(found),
                    });
                    continue;
                }
                ["run", _, _, stop] if stop.starts_with("unsettled") => {
                    Verdict::Different(format!("the netlist is accepted, rust-hdl is {stop}"))
                }
                ["run", run, "0", stop] => Verdict::NoReference(format!("run {run}: {stop}")),
                _ => continue,
            };
            break;
        }
        record
    }

    /// The value of a port in a cycle.
    pub fn word(&self, run: usize, cycle: usize, place: usize) -> Option<&[u8]> {
        let row = self.runs.get(run)?.get(cycle)?;
        row.get(self.offsets[place]..self.offsets[place] + self.ports[place].bits)
    }

    /// Takes the differences that the judges found into the verdict: the first of them with the four values.
    pub fn conclude(&mut self) {
        let Some(first) = self.differences.iter().min_by_key(|found| (found.run, found.cycle, found.place)) else {
            return;
        };
        let (run, cycle, place) = (first.run, first.cycle, first.place);
        let value = |place| hexadecimal(self.word(run, cycle, place).unwrap_or_default());
        let mut text =
            format!("run {run}, cycle {cycle}, {} of {} bits: ", self.ports[place].name, self.ports[place].bits);
        for judge in ["rust-hdl", "the engine", "Verilator", "Icarus"] {
            // A judge whose first difference comes later has the value of rust-hdl here.
            let here =
                |found: &&Difference| (found.judge, found.run, found.cycle, found.place) == (judge, run, cycle, place);
            let found = self.differences.iter().find(here).map_or(value(place), |found| found.found.clone());
            text += &format!("{judge} {found}, ");
        }
        let inputs = self.ports.iter().enumerate().filter(|(_, port)| port.kind == Kind::Input);
        let inputs: Vec<_> = inputs.map(|(place, port)| format!("{}={}", port.name, value(place))).collect();
        text += &format!("with {}", inputs.join(" "));
        self.verdict = Verdict::Different(text);
    }
}

/// Binary digits as hexadecimal ones; a digit with an unknown bit is `x`.
pub fn hexadecimal(bits: &[u8]) -> String {
    let digits = bits.rchunks(4).rev().map(|digit| {
        let value =
            digit.iter().try_fold(0, |sum, bit| matches!(bit, b'0' | b'1').then(|| sum * 2 + u32::from(bit - b'0')));
        value.map_or('x', |value| char::from_digit(value, 16).unwrap())
    });
    trimmed(&digits.collect::<String>())
}

fn trimmed(digits: &str) -> String {
    let short = digits.trim_start_matches('0');
    if short.is_empty() { "0".into() } else { short.into() }
}
