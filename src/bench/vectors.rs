//! Recorded port values of a circuit, for outside simulators to replay.

use super::circuit::Clocked;
use crate::emit::{Circuit, Port};
use crate::engine::Program;
use crate::interrupt::Scratch;
use crate::netlist::{Netlist, SignalKind};
use crate::rtl::ParameterInputs;
use anyhow::{Context, Result};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::probe::Probe;
use rust_hdl::core::synth::VCDValue;
use rust_hdl::prelude::Block;
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use vcd::Value;

/// Seed of the registers that have no value at power-up.
pub(super) const POWER_UP: u64 = 1;
/// Bytes of a port's value in a row.
const WORD: usize = 4;

/// Clocks a circuit from before its first edge, as often as `see` wants. A row holds one value for each port, in the order of
/// the circuit's ports; `drive` gets the cycle and the row of the cycle before (zeros at first) and puts the inputs in,
/// `see` gets the whole row, outputs settled, before the clock edge, and says whether to go on. The clock's column is not
/// used; a reset is the driver's business.
pub type Run = Arc<dyn Fn(Drive, See) + Send + Sync>;
/// Puts the inputs of a cycle into a row.
pub type Drive<'a> = &'a mut dyn FnMut(u64, &mut [u32]);
/// Sees the row of a cycle; whether to go on.
pub type See<'a> = &'a mut dyn FnMut(u64, &[u32]) -> bool;

/// Clocks a circuit as machine code; what a [`Run`] does.
///
/// # Panics
/// If there is no code generator for this processor.
pub fn run_native(netlist: &Netlist, drive: Drive, see: See) {
    let program = Program::compile(netlist).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = program.start(POWER_UP);
    let columns = netlist.top().ports().count();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (column, (_, port)) in netlist.top().ports().enumerate() {
        match port.kind {
            SignalKind::Input => inputs.push((column, program.input(&port.name).expect("the netlist has it"))),
            SignalKind::Output => outputs.push((column, program.output(&port.name).expect("the netlist has it"))),
            SignalKind::Clock | SignalKind::Local => {}
        }
    }
    let mut row = vec![0; columns];
    for cycle in 0.. {
        drive(cycle, &mut row);
        for &(column, input) in &inputs {
            simulation.set(input, u64::from(row[column]));
        }
        simulation.step();
        for &(column, output) in &outputs {
            row[column] = simulation.get(output) as u32;
        }
        if !see(cycle, &row) {
            return;
        }
    }
}

/// The [`Run`] of a circuit in the simulation of `rust-hdl`.
pub fn run<C: ParameterInputs>(circuit: C, drive: Drive, see: See) {
    let mut clocked = Clocked::idle(circuit);
    let ports = ports(&clocked.circuit);
    let inputs: Vec<usize> =
        (0..ports.len()).filter(|&port| ports[port].input && ports[port].name != "clock").collect();
    let mut row = vec![0; ports.len()];
    let mut driven: Vec<Option<u32>> = vec![None; ports.len()];
    let outputs: Vec<usize> = (0..ports.len()).filter(|&port| !ports[port].input).collect();
    for cycle in 0.. {
        drive(cycle, &mut row);
        for &port in &inputs {
            if driven[port].replace(row[port]) == Some(row[port]) {
                continue;
            }
            match ports[port].name.as_str() {
                "reset" => clocked.circuit.set_reset(row[port] != 0),
                name => clocked.circuit.set(name, u64::from(row[port])),
            }
        }
        clocked.settle();
        clocked.circuit.accept("", &mut Outputs { depth: 0, columns: outputs.iter(), row: &mut row });
        if !see(cycle, &row) {
            return;
        }
        // The outputs have settled above.
        clocked.tick();
    }
}

/// Port values of a circuit cycle by cycle, inputs as driven, outputs before the clock edge, in a file: a million cycles are
/// some hundred megabytes, which no simulator needs at once.
///
/// A row holds a 32-bit word for each port in the order of the ports, the most significant byte first, which is the only
/// order that Verilog's `$fread` knows.
pub struct Recording {
    folder: Scratch,
    columns: usize,
    cycles: u64,
    still: Vec<usize>,
}

impl Recording {
    /// Name of the file in its folder.
    pub const FILE: &'static str = "rows";

    /// Runs a circuit for some cycles under a stimulus, which gets what `drive` of a [`Run`] gets.
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
        (circuit.run)(drive, &mut |cycle, row| {
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

/// Reads the outputs of the outermost module. Everything below it is visited too: what is not wanted must cost little.
struct Outputs<'a> {
    depth: usize,
    columns: std::slice::Iter<'a, usize>,
    row: &'a mut [u32],
}

impl Probe for Outputs<'_> {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, _name: &str, signal: &dyn Atom) {
        if self.depth == 1 && signal.kind() == AtomKind::OutputParameter {
            let column = *self.columns.next().expect("as many outputs as the module has");
            // The literal of `verilog()` is a number on the heap, made bit by bit: three times as slow.
            self.row[column] = match signal.vcd() {
                VCDValue::Single(bit) => u32::from(bit == Value::V1),
                VCDValue::Vector(bits) => bits.iter().fold(0, |value, &bit| value << 1 | u32::from(bit == Value::V1)),
                VCDValue::String(_) | VCDValue::Composite(_) => unreachable!("ports are bits and buses"),
            };
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

/// The ports of a circuit, in the order of its module.
fn ports(circuit: &dyn Block) -> Vec<Port> {
    let mut ports = Ports { depth: 0, ports: Vec::new() };
    circuit.accept("", &mut ports);
    ports.ports
}

/// Collects the ports of the outermost module.
struct Ports {
    depth: usize,
    ports: Vec<Port>,
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let input = match signal.kind() {
            AtomKind::InputParameter => true,
            AtomKind::OutputParameter => false,
            _ => return,
        };
        if self.depth == 1 {
            self.ports.push(Port { name: name.replace('$', "_"), bits: signal.bits(), input });
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}
