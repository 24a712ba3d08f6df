// SPDX-License-Identifier: MIT OR Apache-2.0
//! The judges outside: Verilator and Icarus run the Verilog of many circuits as one design, with the rows of
//! `rust-hdl`'s simulation as inputs. Each row is a cycle of all circuits.

use super::record::{Difference, Kind, Record, hexadecimal};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tidegate::toolchain::icarus::Icarus;
use tidegate::toolchain::verilator::Effort;
use tidegate_testing::simulators::VERILATOR;

/// Vectors are at least so wide: Verilator then has them as an array of words.
const WIDE: usize = 65;

/// What a judge says of a batch: for each circuit that differs, by its index, its first difference; or why it refuses the
/// design.
pub type Said = Result<Vec<(usize, Difference)>, String>;

/// Processor time that Icarus may take for a run.
const SECONDS: usize = 20;

/// The design of a batch: all inputs, all clocks and all outputs as one vector each.
pub struct Batch<'a> {
    records: Vec<&'a Record>,
    verilog: String,
    inputs: usize,
    clocks: usize,
    outputs: usize,
    cycles: usize,
}

/// The outputs that a judge found, as the digits `0`, `1`, `x` and `z`: a row for each cycle, of all circuits, the first port
/// first.
type Found = Vec<Vec<u8>>;

impl<'a> Batch<'a> {
    /// The design of circuits that have Verilog.
    pub fn of(records: Vec<&'a Record>) -> Batch<'a> {
        let (mut inputs, mut clocks, mut outputs) = (0, 0, 0);
        let (mut instances, mut modules) = (String::new(), String::new());
        for record in &records {
            let mut connections = Vec::new();
            for port in &record.ports {
                let (vector, low) = match port.kind {
                    Kind::Input => ("i", &mut inputs),
                    Kind::Clock => ("c", &mut clocks),
                    Kind::Output => ("o", &mut outputs),
                };
                connections.push(match port.bits {
                    1 => format!("{vector}[{low}]"),
                    bits => format!("{vector}[{}:{low}]", *low + bits - 1),
                });
                *low += port.bits;
            }
            writeln!(instances, "    {0}_judged {0} ({1});", record.name, connections.join(", ")).unwrap();
            modules += &record.batch;
            modules.push('\n');
        }
        let vectors = [&mut inputs, &mut clocks, &mut outputs].map(|bits| {
            *bits = (*bits).max(WIDE);
            *bits - 1
        });
        let verilog = format!(
            "{modules}\nmodule judge (input wire [{}:0] i, input wire [{}:0] c, output wire [{}:0] o);\n{instances}endmodule\n",
            vectors[0], vectors[1], vectors[2]
        );
        let cycles = records.iter().flat_map(|record| record.runs.iter().map(Vec::len)).max().unwrap_or(0);
        Batch { records, verilog, inputs, clocks, outputs, cycles }
    }

    /// The rows of a run: bits of all inputs and of all clocks, the low one first. A circuit that stopped earlier stands
    /// still.
    fn rows(&self, run: usize) -> Vec<(Vec<u8>, Vec<u8>)> {
        let row = |cycle: usize| {
            let (mut inputs, mut clocks) = (Vec::new(), Vec::new());
            for record in &self.records {
                for (port, word) in
                    record.ports.iter().enumerate().map(|(place, port)| (port, record.word(run, cycle, place)))
                {
                    let vector = match port.kind {
                        Kind::Input => &mut inputs,
                        Kind::Clock => &mut clocks,
                        Kind::Output => continue,
                    };
                    match word {
                        Some(word) => vector.extend(word.iter().rev()),
                        None => vector.extend(vec![b'0'; port.bits]),
                    }
                }
            }
            inputs.resize(self.inputs, b'0');
            clocks.resize(self.clocks, b'0');
            (inputs, clocks)
        };
        (0..self.cycles).map(row).collect()
    }

    /// Compares what a judge found with `rust-hdl`: for each circuit, by its index, the first difference in this run.
    fn differences(&self, judge: &'static str, run: usize, found: &Found) -> Vec<(usize, Difference)> {
        let mut differences = Vec::new();
        let mut start = 0;
        for (index, record) in self.records.iter().enumerate() {
            let outputs = || record.ports.iter().enumerate().filter(|(_, port)| port.kind == Kind::Output);
            'cycles: for cycle in 0..record.runs.get(run).map_or(0, Vec::len) {
                let mut low = start;
                for (place, port) in outputs() {
                    let expected = record.word(run, cycle, place).expect("a cycle of the run");
                    let digits: Vec<u8> = found
                        .get(cycle)
                        .map_or(Vec::new(), |row| row[low..low + port.bits].iter().rev().copied().collect());
                    if digits != expected {
                        differences.push((index, Difference { judge, run, cycle, place, found: hexadecimal(&digits) }));
                        break 'cycles;
                    }
                    low += port.bits;
                }
            }
            start += outputs().map(|(_, port)| port.bits).sum::<usize>();
        }
        differences
    }

    /// Runs all in Verilator; `Err` is what it says if it refuses the design.
    pub fn verilator(&self, folder: &Path) -> Said {
        let main = format!(
            "#include \"Vjudge.h\"\n#include \"verilated.h\"\n#include <cstdio>\n\
             static const int INPUTS = {}, CLOCKS = {}, OUTPUTS = {};\n{MAIN}",
            self.inputs.div_ceil(32),
            self.clocks.div_ceil(32),
            self.outputs.div_ceil(32)
        );
        let model = VERILATOR
            .build_model(folder, &self.verilog, "judge", &main, Effort::Quick)
            .map_err(|error| format!("{error:#}"))?;
        let mut differences = Vec::new();
        for run in 0..self.runs() {
            let mut bytes = Vec::new();
            for (inputs, clocks) in self.rows(run) {
                for vector in [inputs, clocks] {
                    for word in vector.chunks(32) {
                        let word = word
                            .iter()
                            .enumerate()
                            .fold(0u32, |sum, (place, &bit)| sum | u32::from(bit == b'1') << place);
                        bytes.extend(word.to_le_bytes());
                    }
                }
            }
            std::fs::write(folder.join("rows.bin"), bytes).unwrap();
            let output = Command::new(&model).current_dir(folder).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let words = self.outputs.div_ceil(32) * 4;
            let row = |row: &[u8]| (0..self.outputs).map(|bit| b'0' + (row[bit / 8] >> (bit % 8) & 1)).collect();
            let found: Found = output.stdout.chunks_exact(words).map(row).collect();
            differences.extend(self.differences("Verilator", run, &found));
        }
        Ok(differences)
    }

    /// Runs all in Icarus; `Err` is what it says if it refuses the design.
    pub fn icarus(&self, icarus: &Icarus, folder: &Path) -> Said {
        let (inputs, clocks, outputs) = (self.inputs - 1, self.clocks - 1, self.outputs - 1);
        let bench = format!(
            "module bench;\n    reg [{inputs}:0] i;\n    reg [{clocks}:0] c, m;\n    wire [{outputs}:0] o;\n\
             \x20   reg [{}:0] rows [0:{}];\n    integer k;\n    judge judge (i, c, o);\n    initial begin\n\
             \x20       $readmemb(\"rows.txt\", rows);\n        c = 0;\n        i = 0;\n        #1;\n\
             \x20       for (k = 0; k < {cycles}; k = k + 1) begin\n            {{i, m}} = rows[k];\n            #1;\n\
             \x20           c = 0;\n            #1;\n            $display(\"%b\", o);\n            c = m;\n            #1;\n\
             \x20       end\n        $finish;\n    end\nendmodule\n",
            self.inputs + self.clocks - 1,
            self.cycles.max(1) - 1,
            cycles = self.cycles,
        );
        let compiled = icarus
            .compile(folder, &format!("{}\n{bench}", self.verilog), "bench")
            .map_err(|error| format!("{error:#}"))?;
        let mut differences = Vec::new();
        for run in 0..self.runs() {
            let mut text = Vec::new();
            for (inputs, clocks) in self.rows(run) {
                text.extend(inputs.iter().rev().chain(clocks.iter().rev()));
                text.push(b'\n');
            }
            std::fs::write(folder.join("rows.txt"), text).unwrap();
            // Two blocks that start each other stop the time for ever.
            let mut limited = Command::new("sh");
            limited.args(["-c", &format!("ulimit -t {SECONDS}; exec \"$@\""), "sh"]);
            let interpreter = icarus.interpreter(&compiled);
            limited.arg(interpreter.get_program()).args(interpreter.get_args());
            let output = limited.current_dir(folder).output().unwrap();
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr);
                return Err(format!(
                    "Icarus does not end within {SECONDS} s of processor time, {}: {said}",
                    output.status
                ));
            }
            let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| line.len() == self.outputs);
            let found: Found = lines.map(|line| line.iter().rev().copied().collect()).collect();
            differences.extend(self.differences("Icarus", run, &found));
        }
        Ok(differences)
    }

    fn runs(&self) -> usize {
        self.records.iter().map(|record| record.runs.len()).max().unwrap_or(0)
    }
}

/// The program around the model: inputs change, clocks fall, outputs are read, clocks rise.
const MAIN: &str = "int main() {
    Vjudge top;
    FILE* rows = fopen(\"rows.bin\", \"rb\");
    uint32_t row[INPUTS + CLOCKS];
    for (int w = 0; w < INPUTS; w++) top.i[w] = 0;
    for (int w = 0; w < CLOCKS; w++) top.c[w] = 0;
    top.eval();
    while (fread(row, sizeof row, 1, rows) == 1) {
        for (int w = 0; w < INPUTS; w++) top.i[w] = row[w];
        top.eval();
        for (int w = 0; w < CLOCKS; w++) top.c[w] = 0;
        top.eval();
        for (int w = 0; w < OUTPUTS; w++) {
            uint32_t word = top.o[w];
            fwrite(&word, sizeof word, 1, stdout);
        }
        for (int w = 0; w < CLOCKS; w++) top.c[w] = row[INPUTS + w];
        top.eval();
    }
    return 0;
}
";
