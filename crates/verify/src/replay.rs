// SPDX-License-Identifier: MIT OR Apache-2.0
//! Replays recorded rows of a circuit in its Verilog, in an outside simulator. Every output is compared in every cycle
//! in which it is [known](Circuit::settled), before the clock edge.
//!
//! Both simulators read the same file of rows. They print the cycle of the first difference, or the number of cycles
//! that agreed; for a window, they print their outputs in it instead.

mod icarus;
mod verilator;

use super::Difference;
use anyhow::{Context, Result, bail, ensure};
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use tidegate_circuits::rtl::circuit::{Circuit, Port};
use tidegate_core::interrupt::{self, Scratch};
use tidegate_hdl::verilog;
use tidegate_lab::bench::vectors::Recording;
use tidegate_toolchain::NO_FOLDER;
use tidegate_toolchain::icarus::Icarus;
use tidegate_toolchain::verilator::{Effort, Verilator};

/// Cycles that are shown before and after a difference.
pub(crate) const WINDOW: u64 = 32;

/// An outside simulator.
#[derive(Clone, Debug)]
pub enum Simulator {
    /// Compiles the Verilog to C++; every bit is 0 or 1.
    Verilator(Verilator),
    /// Interprets the Verilog; a bit may be unknown, and an unknown bit is a difference.
    Icarus(Icarus),
}

/// The values of all ports, a row for each cycle.
type Rows = Vec<Vec<u32>>;

/// The Verilog of a circuit in a simulator, ready to run.
pub struct Replay {
    _scratch: Scratch,
    program: PathBuf,
    interpreter: Option<Icarus>,
    ports: Vec<Port>,
}

/// A difference found by a simulator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The difference between the circuit and its Verilog; unknown bits are 0 here.
    pub difference: Difference,
    /// For each value in `difference.other`, its unknown bits.
    pub unknown: Rows,
}

impl Replay {
    /// Compiles the Verilog of a circuit and the bench around it.
    ///
    /// # Errors
    /// If the simulator refuses the Verilog; [`tidegate_toolchain::MissingTool`] if the C++ compiler or `make` for
    /// Verilator is missing.
    pub fn new(simulator: &Simulator, circuit: &Circuit, effort: Effort) -> Result<Replay> {
        Self::of_verilog(simulator, circuit, &verilog::text(&circuit.netlist), effort)
    }

    /// The same with other Verilog: its top module has the name and the ports of the circuit.
    ///
    /// # Errors
    /// See [`new`](Self::new).
    pub fn of_verilog(simulator: &Simulator, circuit: &Circuit, verilog: &str, effort: Effort) -> Result<Replay> {
        let scratch = Scratch::new("replay").context(NO_FOLDER)?;
        let (program, interpreter) = match simulator {
            Simulator::Verilator(verilator) => {
                let main = verilator::main_program(circuit);
                (verilator.build_model(scratch.path(), verilog, circuit.module, &main, effort)?, None)
            }
            Simulator::Icarus(icarus) => {
                let (bench, top) = icarus::test_bench(circuit);
                let verilog = format!("{verilog}\n{bench}");
                (icarus.compile(scratch.path(), &verilog, &top)?, Some(icarus.clone()))
            }
        };
        Ok(Replay { _scratch: scratch, program, interpreter, ports: circuit.ports.clone() })
    }

    /// Replays the first `cycles` of a recording; `None` if all outputs agree in all of them. `plusargs`, such as
    /// `mutant=3`, are for the Verilog.
    ///
    /// # Errors
    /// If the simulator crashes or stops too early.
    pub fn compare(&self, recording: &Recording, cycles: u64, plusargs: &[String]) -> Result<Option<Mismatch>> {
        let cycles = cycles.min(recording.cycles());
        let said = self.run(recording, &[&[format!("cycles={cycles}")], plusargs].concat())?;
        match said.trim().split_once(' ') {
            Some(("agreed", count)) if count == cycles.to_string() => Ok(None),
            Some(("different", cycle)) => {
                let cycle = cycle.parse().with_context(|| format!("unexpected output of the simulator: {said}"))?;
                self.look(recording, cycle, plusargs).map(Some)
            }
            _ => bail!("the simulator stopped before cycle {cycles}; its output: {}", said.trim()),
        }
    }

    /// Replays a whole recording `repeats` times, in Verilator only, to measure the time. A difference is an error.
    ///
    /// # Errors
    /// See [`Replay::compare`].
    pub fn repeat(&self, recording: &Recording, repeats: u64) -> Result<()> {
        let cycles = recording.cycles();
        let said = self.run(recording, &[format!("cycles={cycles}"), format!("repeats={repeats}")])?;
        ensure!(
            said.trim() == format!("agreed {}", cycles * repeats),
            "unexpected output of the simulator: {}",
            said.trim()
        );
        Ok(())
    }

    /// The cycles around a difference, from a second run.
    fn look(&self, recording: &Recording, cycle: u64, plusargs: &[String]) -> Result<Mismatch> {
        let window = cycle.saturating_sub(WINDOW)..(cycle + WINDOW + 1).min(recording.cycles());
        let range = [format!("from={}", window.start), format!("to={}", window.end)];
        let said = self.run(recording, &[&range, plusargs].concat())?;
        let rows = recording.rows(window.clone())?;
        let (other, unknown) = self.read_window(&said, &rows, &window)?;
        let at = (cycle - window.start) as usize;
        let differs = |&column: &usize| other[at][column] != rows[at][column] || unknown[at][column] != 0;
        let column = (0..self.ports.len())
            .find(differs)
            .with_context(|| format!("the simulator found a difference in cycle {cycle}, but not a second time"))?;
        let difference = Difference {
            cycle,
            port: self.ports[column].name.clone(),
            expected: rows[at][column],
            found: other[at][column],
            window_start: window.start,
            rows,
            other,
        };
        Ok(Mismatch { difference, unknown })
    }

    /// Reads one line for each cycle, with the outputs in binary. Returns rows of values and rows of unknown bits.
    fn read_window(&self, said: &str, rows: &[Vec<u32>], window: &Range<u64>) -> Result<(Rows, Rows)> {
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        ensure!(lines.len() as u64 == window.end - window.start, "unexpected output of the simulator: {}", said.trim());
        let outputs: Vec<usize> = (0..self.ports.len()).filter(|&column| !self.ports[column].input).collect();
        let mut other = rows.to_vec();
        let mut unknown = vec![vec![0; self.ports.len()]; rows.len()];
        for (index, line) in lines.iter().enumerate() {
            let words: Vec<&str> = line.split_whitespace().collect();
            ensure!(words.len() == outputs.len(), "unexpected output of the simulator: {line}");
            for (&column, word) in outputs.iter().zip(words) {
                let bits = |digit: &dyn Fn(char) -> bool| {
                    word.chars().fold(0, |value: u32, character| value << 1 | u32::from(digit(character)))
                };
                other[index][column] = bits(&|digit| digit == '1');
                unknown[index][column] = bits(&|digit| !matches!(digit, '0' | '1'));
            }
        }
        Ok((other, unknown))
    }

    /// Runs the simulator in the folder of the rows. Returns its output.
    fn run(&self, recording: &Recording, plusargs: &[String]) -> Result<String> {
        let mut command = match &self.interpreter {
            Some(icarus) => icarus.interpreter(&self.program),
            None => Command::new(&self.program),
        };
        command.args(plusargs.iter().map(|argument| format!("+{argument}"))).current_dir(recording.folder());
        let output =
            interrupt::output(&mut command).with_context(|| format!("cannot run {}", self.program.display()))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the simulator failed ({}): {said}{}", output.status, complaint.trim());
        Ok(said)
    }
}

impl Mismatch {
    /// The value in the simulator; in the notation of Verilog if bits are unknown.
    fn found(&self) -> String {
        let Difference { cycle, window_start, ref other, .. } = self.difference;
        let at = (cycle - window_start) as usize;
        let column = (0..other[at].len()).find(|&column| self.differs(at, column)).expect("a difference");
        match self.unknown[at][column] {
            0 => self.difference.found.to_string(),
            unknown => (0..32 - (unknown | other[at][column]).leading_zeros())
                .rev()
                .map(|bit| match (unknown >> bit & 1, other[at][column] >> bit & 1) {
                    (1, _) => 'x',
                    (_, 1) => '1',
                    _ => '0',
                })
                .fold("'b".to_string(), |text, digit| text + &digit.to_string()),
        }
    }

    fn differs(&self, at: usize, column: usize) -> bool {
        let Difference { ref rows, ref other, .. } = self.difference;
        self.unknown[at][column] != 0 || rows[at][column] != other[at][column]
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Difference { cycle, port, expected, .. } = &self.difference;
        write!(formatter, "cycle {cycle}: `{port}` is {} in the Verilog, {expected} in the circuit", self.found())
    }
}
