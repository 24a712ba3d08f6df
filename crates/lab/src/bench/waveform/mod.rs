// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveforms: the signals of circuits as VCD and FST files, within a window of cycles and a filter of names. Only
//! changes are written. One time step is one picosecond.

mod fst;
mod vcd;

use anyhow::{Result, bail};
use regex::Regex;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use tidegate_core::error::{Usage, quoted};
use tidegate_core::output::OutputFile;
use tidegate_core::units::{Cycles, Micro};
use tidegate_hdl::engine::{Output, Program, Simulation};
use tidegate_hdl::netlist::Netlist;

/// A file format. Variables have numbers, in the order of their declaration.
trait Format {
    /// The signals that follow are inside this instance.
    fn open_scope(&mut self, name: &str) -> Result<()>;
    /// The last instance that was opened ends.
    fn close_scope(&mut self) -> Result<()>;
    /// Declares a variable.
    fn variable(&mut self, name: &str, bits: usize) -> Result<()>;
    /// Ends the declarations.
    fn begin(&mut self) -> Result<()>;
    /// The changes that follow happen at this time.
    fn time(&mut self, picoseconds: u64) -> Result<()>;
    /// A variable changes: a character '0' or '1' for each bit, the highest first.
    fn change(&mut self, variable: usize, bits: &[u8]) -> Result<()>;
    /// The whole file, to be put in its place.
    fn finish(self: Box<Self>) -> Result<OutputFile>;
}

/// Waveform files that several circuits write to.
pub struct Waveform {
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    formats: Vec<Box<dyn Format>>,
    window: Range<Cycles>,
    filter: Option<Regex>,
    period_picoseconds: u64,
    variables: usize,
    time: Option<Cycles>,
    /// The last cycle that a circuit has shown, inside the window or not.
    seen: Option<Cycles>,
    failure: Option<anyhow::Error>,
    /// The bits of a value.
    text: Vec<u8>,
}

impl Waveform {
    /// Writes to files; cycles outside `window` and signals whose path, as `rp0.calculator.rate`, does not match are
    /// left out.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn new(
        vcd: Option<OutputFile>,
        fst: Option<OutputFile>,
        window: Range<Cycles>,
        filter: Option<Regex>,
        clock_mhz: Micro,
    ) -> Result<Self> {
        let mut formats: Vec<Box<dyn Format>> = Vec::new();
        if let Some(file) = vcd {
            formats.push(Box::new(vcd::Vcd::new(file)?));
        }
        if let Some(file) = fst {
            formats.push(Box::new(fst::Fst::new(file)?));
        }
        let shared = Shared {
            formats,
            window,
            filter,
            period_picoseconds: 1_000_000_000_000 / clock_mhz.0.max(1),
            variables: 0,
            time: None,
            seen: None,
            failure: None,
            text: Vec::new(),
        };
        Ok(Waveform { shared: Rc::new(RefCell::new(shared)) })
    }

    /// Declares the signals of a circuit, which was compiled with all [`paths`](Netlist::paths) as probes. Declare all
    /// circuits before the first sample.
    pub(crate) fn scope(&self, name: &str, netlist: &Netlist, program: &Program) -> Scope {
        let mut shared = self.shared.borrow_mut();
        let mut variables = Vec::new();
        let declared = shared.declare(name, netlist, program, &mut variables);
        shared.failure = shared.failure.take().or(declared.err());
        let words = variables.iter().map(|variable| variable.bits.div_ceil(64)).sum();
        Scope { shared: self.shared.clone(), variables, last: vec![0; words], first: true }
    }

    /// Ends the declarations, before the work begins.
    ///
    /// # Errors
    /// No signal matches the filter, or a file cannot be written.
    pub fn begin(&self) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        if let Some(failure) = shared.failure.take() {
            return Err(failure);
        }
        if shared.variables == 0 {
            let pattern = shared.filter.as_ref().map_or(String::new(), |filter| filter.to_string());
            let pattern = quoted(&pattern);
            let reason = format!("no signal matches the filter {pattern}: paths look like {EXAMPLE}");
            return Err(Usage(reason).into());
        }
        shared.formats.iter_mut().try_for_each(|format| format.begin())
    }

    /// The whole files, to be put in their places.
    ///
    /// # Errors
    /// One could not be written, or no cycle of the run was in the window: nobody wants an empty picture.
    pub fn finish(self) -> Result<Vec<OutputFile>> {
        let mut shared = self.shared.borrow_mut();
        if let Some(failure) = shared.failure.take() {
            return Err(failure);
        }
        if shared.time.is_none() {
            let (from, last) = (shared.window.start, shared.seen.map_or(0, |seen| seen + 1));
            bail!("the waveform is empty: it was to begin in cycle {from}, and the run ended after {last} cycles");
        }
        shared.formats.drain(..).map(Format::finish).collect()
    }
}

/// What the path of a signal looks like.
const EXAMPLE: &str = "rp0.calculator.rate";

/// A signal that a waveform shows.
struct Variable {
    number: usize,
    output: Output,
    bits: usize,
}

/// Where one circuit writes.
pub(crate) struct Scope {
    shared: Rc<RefCell<Shared>>,
    variables: Vec<Variable>,
    /// The words of all variables as they were written last.
    last: Vec<u64>,
    /// Nothing was written yet.
    first: bool,
}

impl Scope {
    /// Writes what has changed since the last sample, if cycle `now` lies in the window.
    pub(crate) fn sample(&mut self, now: Cycles, simulation: &Simulation) {
        let mut shared = self.shared.borrow_mut();
        shared.seen = Some(now);
        if !shared.window.contains(&now) || shared.failure.is_some() {
            return;
        }
        let first = std::mem::take(&mut self.first);
        let written = shared.sample(now, first, &self.variables, &mut self.last, simulation);
        shared.failure = written.err();
    }
}

impl Shared {
    fn each(&mut self, mut act: impl FnMut(&mut dyn Format) -> Result<()>) -> Result<()> {
        self.formats.iter_mut().try_for_each(|format| act(format.as_mut()))
    }

    fn declare(
        &mut self,
        top: &str,
        netlist: &Netlist,
        program: &Program,
        variables: &mut Vec<Variable>,
    ) -> Result<()> {
        let mut open: Vec<String> = vec![top.to_string()];
        self.each(|format| format.open_scope(top))?;
        for (path, bits) in netlist.paths() {
            let whole = format!("{top}.{path}");
            let (place, name) = whole.rsplit_once('.').expect("it has the top in front");
            let place: Vec<&str> = place.split('.').collect();
            let same = open.iter().zip(&place).take_while(|(open, wanted)| open == *wanted).count();
            for _ in open.drain(same..) {
                self.each(|format| format.close_scope())?;
            }
            for instance in &place[same..] {
                self.each(|format| format.open_scope(instance))?;
                open.push(instance.to_string());
            }
            if self.filter.as_ref().is_none_or(|filter| filter.is_match(&whole)) {
                self.each(|format| format.variable(name, bits))?;
                variables.push(Variable { number: self.variables, output: program.output(&path)?, bits });
                self.variables += 1;
            }
        }
        for _ in open {
            self.each(|format| format.close_scope())?;
        }
        Ok(())
    }

    fn sample(
        &mut self,
        now: Cycles,
        first: bool,
        variables: &[Variable],
        last: &mut [u64],
        simulation: &Simulation,
    ) -> Result<()> {
        if self.time != Some(now) {
            self.time = Some(now);
            let picoseconds = u128::from(now) * u128::from(self.period_picoseconds);
            let picoseconds = u64::try_from(picoseconds).unwrap_or(u64::MAX);
            self.each(|format| format.time(picoseconds))?;
        }
        let mut rest = last;
        for variable in variables {
            let words = simulation.words(variable.output);
            let (before, others) = rest.split_at_mut(words.len());
            rest = others;
            if before == words && !first {
                continue;
            }
            before.copy_from_slice(words);
            self.text.clear();
            self.text.extend((0..variable.bits).rev().map(|bit| b'0' + (words[bit / 64] >> (bit % 64) & 1) as u8));
            let text = std::mem::take(&mut self.text);
            self.each(|format| format.change(variable.number, &text))?;
            self.text = text;
        }
        Ok(())
    }
}
