// SPDX-License-Identifier: MIT OR Apache-2.0
//! Value change dump (IEEE 1364, clause 18).

use super::Format;
use anyhow::{Context, Result};
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use tidegate_core::output::OutputFile;
use vcd::{IdCode, TimescaleUnit, Value, Writer};

/// A VCD file.
pub struct Vcd {
    writer: Writer<Sink>,
    file: Sink,
    codes: Vec<IdCode>,
    value: Vec<Value>,
}

impl Vcd {
    /// With its header.
    pub fn new(file: OutputFile) -> Result<Self> {
        let file = Sink(Rc::new(RefCell::new(Some(file))));
        let mut writer = Writer::new(file.clone());
        writer.timescale(1, TimescaleUnit::PS)?;
        Ok(Vcd { writer, file, codes: Vec::new(), value: Vec::new() })
    }
}

impl Format for Vcd {
    fn open_scope(&mut self, name: &str) -> Result<()> {
        Ok(self.writer.add_module(name)?)
    }

    fn close_scope(&mut self) -> Result<()> {
        Ok(self.writer.upscope()?)
    }

    fn variable(&mut self, name: &str, bits: usize) -> Result<()> {
        self.codes.push(self.writer.add_wire(bits as u32, name)?);
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        Ok(self.writer.enddefinitions()?)
    }

    fn time(&mut self, picoseconds: u64) -> Result<()> {
        Ok(self.writer.timestamp(picoseconds)?)
    }

    fn change(&mut self, variable: usize, bits: &[u8]) -> Result<()> {
        let code = self.codes[variable];
        self.value.clear();
        self.value.extend(bits.iter().map(|&bit| Value::from(bit == b'1')));
        match self.value[..] {
            [bit] => self.writer.change_scalar(code, bit)?,
            _ => self.writer.change_vector(code, &self.value)?,
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<OutputFile> {
        let file = self.file.0.borrow_mut().take();
        file.context("a waveform is finished once")
    }
}

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
