// SPDX-License-Identifier: MIT OR Apache-2.0
//! Model = RTL: a circuit and its reference get the same stimulus, and all outputs are compared in every cycle.

use super::stimulus::long::LongEpoch;
use super::stimulus::{Stimulus, Values};
use super::{Check, Difference, Verdict};
use std::time::Instant;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_lab::bench::vectors::{self, Drive, See};
use tidegate_schemes::reference;
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;

/// The statement.
pub(crate) const PROPERTY: &str = "model = RTL";
/// Number of cycles that are recorded before a difference, and after it.
pub const WINDOW: u64 = 32;
/// The seed where none is asked for.
pub const SEED: u64 = 1;

/// The seed of a module's stimulus: the seed of the run, combined with the name of the module, so that modules with the
/// same ports get different stimuli.
pub fn seed_of(module: &str, seed: u64) -> u64 {
    module.bytes().fold(seed, |seed, octet| seed.wrapping_mul(0x0100_0000_01b3) ^ u64::from(octet))
}

/// The port values of the last cycles, of the circuit and of the reference.
struct Window {
    columns: usize,
    circuit: Vec<u32>,
    reference: Vec<u32>,
}

impl Window {
    const ROWS: u64 = 2 * WINDOW + 1;

    fn new(columns: usize) -> Self {
        let values = columns * Self::ROWS as usize;
        Window { columns, circuit: vec![0; values], reference: vec![0; values] }
    }

    fn place(&self, cycle: u64) -> std::ops::Range<usize> {
        let at = (cycle % Self::ROWS) as usize * self.columns;
        at..at + self.columns
    }

    fn keep(&mut self, cycle: u64, circuit: &[u32], reference: &[u32]) {
        let place = self.place(cycle);
        self.circuit[place.clone()].copy_from_slice(circuit);
        self.reference[place].copy_from_slice(reference);
    }
}

/// An output, and the output that says when it is valid and compared.
struct Compared {
    column: usize,
    only_while: Option<usize>,
}

/// Compares a circuit, a block or a whole part, with its reference for `cycles` cycles. Stops after the first
/// difference.
pub fn check(
    scheme: &'static Scheme,
    part: Part,
    circuit: &Circuit,
    cycles: u64,
    seed: u64,
) -> (Check, Option<Difference>) {
    check_run(scheme, part, circuit, cycles, seed, &|drive, see| vectors::run(circuit, drive, see))
}

/// Clocks a circuit as [`vectors::run`] does.
pub type Run<'a> = &'a dyn Fn(Drive, See);

/// The same for a circuit that is clocked by `run`.
pub fn check_run(
    scheme: &'static Scheme,
    part: Part,
    circuit: &Circuit,
    cycles: u64,
    seed: u64,
    run: Run,
) -> (Check, Option<Difference>) {
    let stimulus = Stimulus::new(scheme, circuit, seed_of(circuit.module, seed), Values::Accepted);
    judge((scheme, part, circuit), cycles, seed, stimulus, run)
}

/// The same for a long epoch.
pub fn check_long(
    scheme: &'static Scheme,
    part: Part,
    circuit: &Circuit,
    epoch: &LongEpoch,
    seed: u64,
) -> (Check, Option<Difference>) {
    check_long_run(scheme, part, circuit, epoch, seed, &|drive, see| vectors::run(circuit, drive, see))
}

/// The same for a circuit that is clocked by `run`.
pub fn check_long_run(
    scheme: &'static Scheme,
    part: Part,
    circuit: &Circuit,
    epoch: &LongEpoch,
    seed: u64,
    run: Run,
) -> (Check, Option<Difference>) {
    let stimulus = Stimulus::long(scheme, circuit, seed_of(circuit.module, seed), epoch);
    let (mut check, difference) = judge((scheme, part, circuit), epoch.cycles(), seed, stimulus, run);
    let settings: String = epoch.settings.iter().map(|(key, value)| format!(", {key} = {value}")).collect();
    check.property += " without a reset";
    check.property += &settings;
    (check, difference)
}

fn judge(
    (scheme, part, circuit): (&'static Scheme, Part, &Circuit),
    cycles: u64,
    seed: u64,
    stimulus: Stimulus,
    run: Run,
) -> (Check, Option<Difference>) {
    let start = Instant::now();
    let judged = compare((scheme, part, circuit), cycles, stimulus, run);
    let (verdict, compared, reason, difference) = match judged {
        Ok(None) => (Verdict::Passed, cycles, None, None),
        Ok(Some(difference)) => {
            let reason = format!(
                "seed {seed}, cycle {}: {} is {:#x} in the circuit, {:#x} in the model",
                difference.cycle, difference.port, difference.found, difference.expected
            );
            (Verdict::Failed, difference.cycle + 1, Some(reason), Some(difference))
        }
        Err(reason) => (Verdict::Failed, 0, Some(reason), None),
    };
    let check = Check {
        scheme: scheme.name,
        part: part.name(),
        block: circuit.block,
        property: PROPERTY.to_string(),
        tool: "rtl",
        cycles: Some(compared),
        depth: None,
        unbounded: None,
        verdict,
        reason,
        seconds: start.elapsed().as_secs_f64(),
    };
    (check, difference)
}

fn compare(
    (scheme, part, circuit): (&'static Scheme, Part, &Circuit),
    cycles: u64,
    mut stimulus: Stimulus,
    run: Run,
) -> Result<Option<Difference>, String> {
    let ports = &circuit.ports;
    let mut reference = reference::of(scheme, part, circuit)
        .ok_or_else(|| format!("module {} has no reference in verify/reference", circuit.module))?;
    let column = |name: &str| ports.iter().position(|port| port.name == name);
    let reset = column("reset").ok_or_else(|| format!("module {} has no reset", circuit.module))?;
    let inputs: Vec<usize> = (0..ports.len()).filter(|&at| ports[at].input).collect();
    let outputs: Vec<Compared> = (0..ports.len())
        .filter(|&at| !ports[at].input)
        .map(|at| Compared { column: at, only_while: reference.only_while(&ports[at].name).and_then(column) })
        .collect();
    let settled = circuit.settled();
    let mut other = vec![0; ports.len()];
    let mut window = Window::new(ports.len());
    let mut first: Option<Difference> = None;
    let mut ended = 0;
    run(&mut |cycle, row| stimulus.drive(cycle, row), &mut |cycle, row| {
        for &input in &inputs {
            other[input] = row[input];
        }
        reference.outputs(&mut other);
        // Outputs are not compared during a reset, or before they are known.
        if first.is_none() && row[reset] == 0 && cycle >= settled {
            let differs = |output: &&Compared| {
                row[output.column] != other[output.column] && output.only_while.is_none_or(|valid| other[valid] != 0)
            };
            first = outputs.iter().find(differs).map(|output| Difference {
                cycle,
                port: ports[output.column].name.clone(),
                expected: other[output.column],
                found: row[output.column],
                window_start: cycle.saturating_sub(WINDOW),
                rows: Vec::new(),
                other: Vec::new(),
            });
        }
        window.keep(cycle, row, &other);
        reference.edge(&other);
        ended = cycle;
        match &first {
            Some(difference) => cycle < difference.cycle + WINDOW,
            None => cycle + 1 < cycles,
        }
    });
    if let Some(difference) = &mut first {
        for cycle in difference.window_start..=ended {
            difference.rows.push(window.circuit[window.place(cycle)].to_vec());
            difference.other.push(window.reference[window.place(cycle)].to_vec());
        }
    }
    Ok(first)
}
