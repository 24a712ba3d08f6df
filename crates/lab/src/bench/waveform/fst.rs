// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fast signal trace, the compressed format of GTKWave, which Surfer reads too.

use super::Format;
use anyhow::{Context, Result};
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType,
};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom};
use tidegate_core::output::OutputFile;

/// Changes are kept in memory until they take so many bytes, then compressed and written.
const BLOCK_BYTES: usize = 64 << 20;

/// An FST file. Its header is written last, so it is made in a temporary file and then copied: an output may be a pipe.
pub struct Fst {
    file: OutputFile,
    declaring: Option<FstHeaderWriter<BufWriter<File>>>,
    writing: Option<FstBodyWriter<BufWriter<File>>>,
    signals: Vec<FstSignalId>,
}

impl Fst {
    /// With its header.
    pub fn new(file: OutputFile) -> Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -12,
            version: format!("tidegate {}", env!("CARGO_PKG_VERSION")),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let scratch = tempfile::tempfile().context("cannot make a temporary file for the waveform")?;
        let declaring = Some(FstHeaderWriter::new(BufWriter::new(scratch), &info)?);
        Ok(Fst { file, declaring, writing: None, signals: Vec::new() })
    }

    fn header(&mut self) -> Result<&mut FstHeaderWriter<BufWriter<File>>> {
        self.declaring.as_mut().context("signals are declared before the first change")
    }

    fn body(&mut self) -> Result<&mut FstBodyWriter<BufWriter<File>>> {
        self.writing.as_mut().context("signals change after the last declaration")
    }

    /// The temporary file has no name: an error names the output.
    fn named<T, E: Into<anyhow::Error>>(&self, result: Result<T, E>) -> Result<T> {
        result.map_err(|error| error.into().context(format!("cannot write {}", self.file.path().display())))
    }
}

impl Format for Fst {
    fn open_scope(&mut self, name: &str) -> Result<()> {
        let opened = self.header()?.scope(name, "", FstScopeType::Module);
        self.named(opened)
    }

    fn close_scope(&mut self) -> Result<()> {
        let closed = self.header()?.up_scope();
        self.named(closed)
    }

    fn variable(&mut self, name: &str, bits: usize) -> Result<()> {
        let kind = FstSignalType::bit_vec(bits as u32);
        let id = self.header()?.var(name, kind, FstVarType::Wire, FstVarDirection::Implicit, None);
        let id = self.named(id)?;
        self.signals.push(id);
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        let header = self.declaring.take().context("declarations end once")?;
        let finished = header.finish();
        self.writing = Some(self.named(finished)?);
        Ok(())
    }

    fn time(&mut self, picoseconds: u64) -> Result<()> {
        let body = self.body()?;
        let flushed = if body.size() > BLOCK_BYTES { body.flush() } else { Ok(()) };
        let changed = flushed.and_then(|()| body.time_change(picoseconds));
        self.named(changed)
    }

    fn change(&mut self, variable: usize, bits: &[u8]) -> Result<()> {
        let signal = self.signals[variable];
        let changed = self.body()?.signal_change(signal, bits);
        self.named(changed)
    }

    fn finish(mut self: Box<Self>) -> Result<OutputFile> {
        let body = self.writing.take().context("a waveform is finished once")?;
        let written = self.named(body.finish())?;
        let mut whole = self.named(written.into_inner().map_err(|error| error.into_error()))?;
        whole.seek(SeekFrom::Start(0))?;
        let copied = std::io::copy(&mut whole, &mut self.file);
        self.named(copied)?;
        Ok(self.file)
    }
}
