// SPDX-License-Identifier: MIT OR Apache-2.0
//! Event files in, CSV traces out.

use anyhow::{Context, Result, bail};
use std::fmt::Arguments;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use tidegate_core::error::quoted;
use tidegate_core::input;
use tidegate_core::output::OutputFile;
use tidegate_core::units::{CYCLES_MAX, Cycles};

/// A CSV file, or nothing where nobody asked for one.
pub struct Trace {
    file: Option<OutputFile>,
}

impl Trace {
    /// Opens the file and writes the header line.
    pub fn create(path: Option<&Path>, header: &str) -> Result<Self> {
        let mut trace = Trace { file: path.map(OutputFile::create).transpose()? };
        trace.row(format_args!("{header}"))?;
        Ok(trace)
    }

    /// Writes one line.
    pub(crate) fn row(&mut self, row: Arguments) -> Result<()> {
        if let Some(file) = &mut self.file {
            file.write_fmt(row).and_then(|()| file.write_all(b"\n"))?;
        }
        Ok(())
    }

    /// The file, to be put in its place.
    pub fn finish(self) -> Option<OutputFile> {
        self.file
    }
}

/// A value that may be missing, as CSV has it.
pub(crate) struct Cell<T>(pub Option<T>);

impl<T: std::fmt::Display> std::fmt::Display for Cell<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.as_ref().map_or(Ok(()), |value| value.fmt(formatter))
    }
}

/// One line of an event file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<K> {
    /// Line in the file, from 1.
    pub line: usize,
    /// When it happens.
    pub cycle: Cycles,
    /// What happens, with its values.
    pub kind: K,
}

/// Most octets of a line of an event file.
const LINE_MAX: u64 = 4096;

/// Reads `cycle,event,a,b` with a header line; `kind` makes an event of name and values, or says what is wrong. Cycles
/// must not go back.
pub(crate) fn read_events<K>(
    path: &Path,
    kind: impl Fn(&str, Option<i64>, Option<i64>) -> Result<K, String>,
) -> Result<Vec<Event<K>>> {
    let name = input::name(path);
    let mut source = BufReader::new(input::open(path)?);
    let mut events: Vec<Event<K>> = Vec::new();
    let mut octets = Vec::new();
    for line in 1.. {
        octets.clear();
        let most = LINE_MAX + 2; // with the end of the line
        source.by_ref().take(most).read_until(b'\n', &mut octets).with_context(|| format!("cannot read {name}"))?;
        if octets.is_empty() && line > 1 {
            break;
        }
        if octets.len() as u64 >= most && !octets.ends_with(b"\n") {
            bail!("{name}:{line}: a line of more than {LINE_MAX} octets, expected `cycle,event,a,b`");
        }
        let text = std::str::from_utf8(&octets).with_context(|| format!("{name}:{line}: not text"))?.trim();
        if line == 1 {
            // Spreadsheets put a byte order mark in front.
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            if text.replace(' ', "") != "cycle,event,a,b" {
                let found = if octets.is_empty() { "an empty file".to_string() } else { quoted(text) };
                bail!("{name}:1: expected the header `cycle,event,a,b`, found {found}");
            }
            continue;
        }
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        if !(2..=4).contains(&fields.len()) {
            let plural = if fields.len() == 1 { "" } else { "s" };
            bail!("{name}:{line}: expected `cycle,event,a,b`, found {} field{plural}", fields.len());
        }
        let number = |field: usize, column: &str| match fields.get(field).copied().unwrap_or("") {
            "" => Ok(None),
            text => text.parse::<i64>().map(Some).with_context(|| {
                format!("{name}:{line}: column `{column}`: expected a whole number, found {}", quoted(text))
            }),
        };
        let cycle = fields[0].parse().ok().filter(|&cycle: &Cycles| cycle <= CYCLES_MAX).with_context(|| {
            let found = quoted(fields[0]);
            format!("{name}:{line}: column `cycle`: expected a whole number from 0 to {CYCLES_MAX}, found {found}")
        })?;
        if let Some(before) = events.last().filter(|before| before.cycle > cycle) {
            bail!("{name}:{line}: cycle {cycle} after cycle {}: events must be in the order of time", before.cycle);
        }
        let kind = kind(fields[1], number(2, "a")?, number(3, "b")?)
            .map_err(|reason| anyhow::anyhow!("{name}:{line}: {reason}"))?;
        events.push(Event { line, cycle, kind });
    }
    Ok(events)
}

/// A value of an event that must be there and in a range.
pub(crate) fn required(column: &str, value: Option<i64>, least: i64, most: i64) -> Result<i64, String> {
    match value {
        Some(value) if (least..=most).contains(&value) => Ok(value),
        Some(value) => Err(format!("column `{column}`: {value} is out of range: expected {least} to {most}")),
        None => Err(format!("column `{column}` is empty: expected a whole number from {least} to {most}")),
    }
}
