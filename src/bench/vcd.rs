//! Waveforms: the signals of circuits as a VCD file, within a window of cycles and a filter of names.

use crate::error::{quoted, Usage};
use crate::output::OutputFile;
use crate::units::{Cycles, Micro};
use anyhow::{bail, Context, Result};
use regex::Regex;
use rust_hdl::core::atom::Atom;
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use std::cell::RefCell;
use std::io::Write;
use std::ops::Range;
use std::rc::Rc;
use vcd::{IdCode, TimescaleUnit, Writer};

/// A VCD file that several circuits write to. One time step is one nanosecond.
pub struct Waveform {
    shared: Rc<RefCell<Shared>>,
}

struct Shared {
    writer: Writer<Sink>,
    file: Sink,
    window: Range<Cycles>,
    filter: Option<Regex>,
    period_picoseconds: u64,
    scopes: Vec<Vec<Option<Variable>>>,
    begun: bool,
    time: Option<Cycles>,
    /// The last cycle that a circuit has shown, inside the window or not.
    seen: Option<Cycles>,
    matched: usize,
    failure: Option<std::io::Error>,
}

struct Variable {
    id: IdCode,
    last: Option<VCDValue>,
}

impl Waveform {
    /// Writes to a file; cycles outside `window` and signals whose path, as `rp0.calculator.rate.q`, does not match are left out.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn new(file: OutputFile, window: Range<Cycles>, filter: Option<Regex>, clock_mhz: Micro) -> Result<Self> {
        let file = Sink(Rc::new(RefCell::new(Some(file))));
        let mut writer = Writer::new(file.clone());
        writer.timescale(1, TimescaleUnit::NS)?;
        let period_picoseconds = 1_000_000_000_000 / clock_mhz.0.max(1);
        let shared = Shared {
            writer,
            file,
            window,
            filter,
            period_picoseconds,
            scopes: Vec::new(),
            begun: false,
            time: None,
            seen: None,
            matched: 0,
            failure: None,
        };
        Ok(Waveform { shared: Rc::new(RefCell::new(shared)) })
    }

    /// A scope for one circuit; declare all before the first sample.
    pub fn scope(&self, name: &str) -> Scope {
        let mut shared = self.shared.borrow_mut();
        shared.scopes.push(Vec::new());
        Scope { shared: self.shared.clone(), name: name.to_string(), index: shared.scopes.len() - 1 }
    }

    /// Ends the declarations, before the work begins.
    ///
    /// # Errors
    /// No signal matches the filter, or the file cannot be written.
    pub fn begin(&self) -> Result<()> {
        let mut shared = self.shared.borrow_mut();
        if shared.matched == 0 {
            let pattern = shared.filter.as_ref().map_or(String::new(), |filter| filter.to_string());
            let pattern = quoted(&pattern);
            let reason = format!("no signal matches the filter {pattern}: paths look like {EXAMPLE}");
            return Err(Usage(reason).into());
        }
        shared.begin()?;
        Ok(())
    }

    /// The whole file, to be put in its place.
    ///
    /// # Errors
    /// It could not be written, or no cycle of the run was in the window: nobody wants an empty picture.
    pub fn finish(self) -> Result<OutputFile> {
        let mut shared = self.shared.borrow_mut();
        if let Some(failure) = shared.failure.take() {
            return Err(failure.into());
        }
        if shared.time.is_none() {
            let (from, last) = (shared.window.start, shared.seen.map_or(0, |seen| seen + 1));
            bail!("the waveform is empty: it was to begin in cycle {from}, and the run ended after {last} cycles");
        }
        let file = shared.file.0.borrow_mut().take();
        file.context("a waveform is finished once")
    }
}

/// What the path of a signal looks like.
const EXAMPLE: &str = "rp0.calculator.rate.q";

/// The file, until it is put in its place: the `vcd` crate lends its writer but does not give it back.
#[derive(Clone)]
struct Sink(Rc<RefCell<Option<OutputFile>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.borrow_mut().as_mut().map_or(Ok(()), |file| file.flush())
    }
}

/// Where one circuit writes.
pub struct Scope {
    shared: Rc<RefCell<Shared>>,
    name: String,
    index: usize,
}

impl Scope {
    /// Declares the signals of a circuit.
    pub fn declare(&self, circuit: &dyn Block) {
        let mut shared = self.shared.borrow_mut();
        let shared = &mut *shared;
        let mut declare = Declare {
            writer: &mut shared.writer,
            filter: shared.filter.as_ref(),
            path: Vec::new(),
            variables: Vec::new(),
            failure: None,
        };
        circuit.accept(&self.name, &mut declare);
        shared.failure = shared.failure.take().or(declare.failure);
        shared.matched += declare.variables.iter().flatten().count();
        shared.scopes[self.index] = declare.variables;
    }

    /// Writes what has changed since the last sample, if cycle `now` lies in the window.
    pub fn sample(&self, now: Cycles, circuit: &dyn Block) {
        let mut shared = self.shared.borrow_mut();
        shared.seen = Some(now);
        if !shared.window.contains(&now) || shared.failure.is_some() {
            return;
        }
        if let Err(error) = shared.sample(now, self.index, circuit) {
            shared.failure = Some(error);
        }
    }
}

impl Shared {
    fn begin(&mut self) -> std::io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            self.writer.enddefinitions()?;
        }
        Ok(())
    }

    fn sample(&mut self, now: Cycles, index: usize, circuit: &dyn Block) -> std::io::Result<()> {
        self.begin()?;
        if self.time != Some(now) {
            self.time = Some(now);
            let picoseconds = u128::from(now) * u128::from(self.period_picoseconds);
            self.writer.timestamp(u64::try_from(picoseconds / 1000).unwrap_or(u64::MAX))?;
        }
        let mut sample = Sample { writer: &mut self.writer, variables: self.scopes[index].iter_mut(), outcome: Ok(()) };
        circuit.accept("", &mut sample);
        sample.outcome
    }
}

struct Declare<'a> {
    writer: &'a mut Writer<Sink>,
    filter: Option<&'a Regex>,
    path: Vec<String>,
    variables: Vec<Option<Variable>>,
    failure: Option<std::io::Error>,
}

impl Declare<'_> {
    fn note(&mut self, outcome: std::io::Result<()>) {
        if let Err(error) = outcome {
            self.failure.get_or_insert(error);
        }
    }
}

impl Probe for Declare<'_> {
    fn visit_start_scope(&mut self, name: &str, _node: &dyn Block) {
        self.path.push(name.to_string());
        let outcome = self.writer.add_module(name);
        self.note(outcome);
    }

    fn visit_start_namespace(&mut self, name: &str, node: &dyn Block) {
        self.visit_start_scope(name, node);
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let path = format!("{}.{name}", self.path.join("."));
        let wanted = self.filter.is_none_or(|filter| filter.is_match(&path));
        let variable = match wanted.then(|| self.writer.add_wire(signal.bits() as u32, name)) {
            Some(Ok(id)) => Some(Variable { id, last: None }),
            Some(Err(error)) => {
                self.note(Err(error));
                None
            }
            None => None,
        };
        self.variables.push(variable);
    }

    fn visit_end_namespace(&mut self, name: &str, node: &dyn Block) {
        self.visit_end_scope(name, node);
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.path.pop();
        let outcome = self.writer.upscope();
        self.note(outcome);
    }
}

struct Sample<'a> {
    writer: &'a mut Writer<Sink>,
    variables: std::slice::IterMut<'a, Option<Variable>>,
    outcome: std::io::Result<()>,
}

impl Probe for Sample<'_> {
    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        let Some(Some(variable)) = self.variables.next() else { return };
        let now = signal.vcd();
        if variable.last.as_ref() == Some(&now) || self.outcome.is_err() {
            return;
        }
        self.outcome = match &now {
            VCDValue::Single(value) => self.writer.change_scalar(variable.id, *value),
            VCDValue::Vector(values) => self.writer.change_vector(variable.id, values),
            VCDValue::String(text) => self.writer.change_string(variable.id, text),
            VCDValue::Composite(_) => Ok(()), // none of our circuits has one
        };
        variable.last = Some(now);
    }
}
