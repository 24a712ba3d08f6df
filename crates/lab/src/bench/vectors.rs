// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recorded port values of a circuit, for outside simulators to replay.

use super::machine::{InRustHdl, Machine, Maker, Native};
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_core::interrupt::Scratch;

/// Bytes of a port's value in a row.
const WORD: usize = 4;

/// Puts the inputs of a cycle into a row.
pub type Drive<'a> = &'a mut dyn FnMut(u64, &mut [u32]);
/// Sees the row of a cycle; whether to go on.
pub type See<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Clocks a circuit, as machine code, from before its first edge, as often as `see` wants. A row holds one value for
/// each port, in the order of the circuit's ports; `drive` gets the cycle and the row of the cycle before (zeros at
/// first) and puts the inputs in, `see` gets the whole row, outputs settled, before the clock edge, and says whether to
/// go on. The clock's column is not used; the reset is an input like the others.
///
/// # Panics
/// If there is no code generator for this processor.
pub fn run(circuit: &Circuit, drive: Drive, see: See) {
    run_on::<Native>(circuit, drive, see);
}

/// The same in the simulation of `rust-hdl`.
pub fn run_reference(circuit: &Circuit, drive: Drive, see: See) {
    run_on::<InRustHdl>(circuit, drive, see);
}

fn run_on<'a, K: Maker<'a>>(circuit: &Circuit, drive: Drive, see: See) {
    let mut machine = K::of(circuit.clone(), &[], None).power_up(circuit.module);
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (column, port) in circuit.ports.iter().enumerate().filter(|(_, port)| port.name != "clock") {
        match port.input {
            true => inputs.push((column, machine.input(&port.name))),
            false => outputs.push((column, machine.output(&port.name))),
        }
    }
    let mut row = vec![0; circuit.ports.len()];
    for cycle in 0.. {
        drive(cycle, &mut row);
        for &(column, input) in &inputs {
            machine.set(input, u64::from(row[column]));
        }
        machine.step(cycle);
        for &(column, output) in &outputs {
            row[column] = machine.get(output) as u32;
        }
        if !see(cycle, &row) {
            return;
        }
    }
}

/// Port values of a circuit cycle by cycle, inputs as driven, outputs before the clock edge, in a file: a million
/// cycles are some hundred megabytes, which no simulator needs at once.
///
/// A row holds a 32-bit word for each port in the order of the ports, the most significant byte first, which is the
/// only order that Verilog's `$fread` knows.
pub struct Recording {
    folder: Scratch,
    columns: usize,
    cycles: u64,
    still: Vec<usize>,
}

impl Recording {
    /// Name of the file in its folder.
    pub(crate) const FILE: &'static str = "rows";

    /// Runs a circuit for some cycles under a stimulus, which gets what `drive` of [`run`] gets.
    ///
    /// # Errors
    /// The temporary folder cannot be written.
    pub fn make(circuit: &Circuit, cycles: u64, drive: &mut dyn FnMut(u64, &mut [u32])) -> Result<Recording> {
        let folder = Scratch::new("rows")
            .context("cannot make a folder for recorded rows: is the system's temporary folder writable?")?;
        let file = File::create(folder.path().join(Self::FILE)).context("cannot write recorded rows")?;
        let mut file = BufWriter::with_capacity(1 << 18, file);
        let columns = circuit.ports.len();
        let mut first = Vec::new();
        let mut moved = vec![false; columns];
        let mut bytes = vec![0; columns * WORD];
        let mut outcome = Ok(());
        run(circuit, drive, &mut |cycle, row| {
            if cycle >= cycles {
                return false;
            }
            if cycle == 0 {
                first = row.to_vec();
            }
            for (column, &value) in row.iter().enumerate() {
                bytes[WORD * column..][..WORD].copy_from_slice(&value.to_be_bytes());
                moved[column] |= value != first[column];
            }
            outcome = file.write_all(&bytes);
            outcome.is_ok() && cycle + 1 < cycles
        });
        outcome.and_then(|()| file.flush()).context("cannot write recorded rows: is the temporary folder full?")?;
        let still = (0..columns).filter(|&column| !circuit.ports[column].input && !moved[column]).collect();
        Ok(Recording { folder, columns, cycles, still })
    }

    /// The folder that holds the rows as [`Recording::FILE`].
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How many cycles were recorded.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Columns of the outputs that kept one value all the time: of them the recording says little.
    pub fn still(&self) -> &[usize] {
        &self.still
    }

    /// The rows of some cycles.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rows(&self, cycles: Range<u64>) -> Result<Vec<Vec<u32>>> {
        let mut file = File::open(self.folder.path().join(Self::FILE)).context("cannot read recorded rows")?;
        let row = self.columns * WORD;
        file.seek(SeekFrom::Start(cycles.start * row as u64)).context("cannot read recorded rows")?;
        let mut bytes = vec![0; row * (cycles.end - cycles.start) as usize];
        file.read_exact(&mut bytes).context("cannot read recorded rows")?;
        let word = |word: &[u8]| u32::from_be_bytes(word.try_into().expect("four bytes a word"));
        Ok(bytes.chunks(row).map(|row| row.chunks(WORD).map(word).collect()).collect())
    }
}
