// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs a circuit's Verilog in outside simulators: rows of inputs go in, rows of outputs come out.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use tidegate_hdl::engine::Program;
use tidegate_hdl::netlist::{Netlist, SignalKind};
use tidegate_hdl::verilog;
use tidegate_toolchain::icarus::Icarus;
use tidegate_toolchain::verilator::{Effort, Verilator};

/// A port: its name and its width.
type Port = (String, usize);

/// The data of a circuit for a simulator.
pub struct Design {
    /// All its modules.
    pub verilog: String,
    /// Name and text of each module, inner modules first.
    pub modules: Vec<(String, String)>,
    top: String,
    netlist: Netlist,
    /// Inputs, clocks among them, in their order.
    pub inputs: Vec<Port>,
    /// Outputs in their order.
    pub outputs: Vec<Port>,
}

/// Shared by all tests, so that its runtime is compiled once.
pub static VERILATOR: LazyLock<Verilator> =
    LazyLock::new(|| Verilator::find().expect("scripts/setup-tools installs Verilator"));

impl Design {
    /// The Verilog of a netlist, whose ports have up to 64 bits.
    pub fn of(netlist: &Netlist) -> Design {
        let module = |module| verilog::module(module, netlist);
        let modules: Vec<_> = netlist.modules.iter().map(|part| (part.name.clone(), module(part))).collect();
        let verilog = modules.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        let ports = |output: bool| -> Vec<Port> {
            let ports = netlist.top().ports().filter(|(_, port)| (port.kind == SignalKind::Output) == output);
            ports.map(|(_, port)| (port.name.clone(), port.shape.bits)).collect()
        };
        let (inputs, outputs) = (ports(false), ports(true));
        Design { verilog, modules, top: netlist.top().name.clone(), netlist: netlist.clone(), inputs, outputs }
    }

    /// Every warning of `verilator --cc -Wall` counts, except the excused kinds.
    pub fn lint(&self, excused: &[&str]) {
        let files: Vec<(String, &str)> =
            self.modules.iter().map(|(name, text)| (format!("{name}.v"), text.as_str())).collect();
        let Err(said) = VERILATOR.lint(&files, &self.top, true) else { return };
        let excused = |line: &str| excused.iter().any(|kind| line.starts_with(&format!("%Warning-{kind}")));
        let warnings = said.lines().filter(|line| line.starts_with('%') && !line.contains("Exiting due to"));
        assert!(warnings.clone().count() > 0 && warnings.clone().all(excused), "{}: {said}", self.top);
    }

    /// Checks that each installed simulator gives `expected` for `rows`.
    pub fn compare(&self, rows: &[Vec<u64>], expected: &[Vec<u64>], icarus_rows: usize) {
        self.same("the engine", rows, expected, &self.engine(rows));
        self.outside(rows, expected, icarus_rows);
    }

    /// The same without the engine.
    pub fn outside(&self, rows: &[Vec<u64>], expected: &[Vec<u64>], icarus_rows: usize) {
        let scratch = tempfile::tempdir().unwrap();
        let found = self.verilator(scratch.path(), rows);
        self.same("Verilator", rows, expected, &found);
        match Icarus::find() {
            Ok(icarus) => {
                let rows = &rows[..icarus_rows.min(rows.len())];
                let found = self.icarus(&icarus, scratch.path(), rows);
                self.same("Icarus", rows, &expected[..rows.len()], &found);
            }
            Err(_) => eprintln!("skipped: Icarus is not there"),
        }
    }

    fn same(&self, simulator: &str, rows: &[Vec<u64>], expected: &[Vec<u64>], found: &[Vec<String>]) {
        assert_eq!(found.len(), expected.len(), "{simulator}: rows");
        for ((row, expected), found) in rows.iter().zip(expected).zip(found) {
            assert_eq!(found.len(), expected.len(), "{simulator}: outputs");
            for (((name, _), expected), found) in self.outputs.iter().zip(expected).zip(found) {
                // An unknown bit is no digit, so it is a difference.
                if u64::from_str_radix(found, 16) != Ok(*expected) {
                    let inputs: Vec<_> = self.inputs.iter().zip(row).map(|((n, _), v)| format!("{n}={v:x}")).collect();
                    let assigned = self.verilog.lines().filter(|line| line.contains(&format!("{name} =")));
                    let assigned = assigned.collect::<Vec<_>>().join("\n");
                    let inputs = inputs.join(" ");
                    panic!("{name} is {found} in {simulator}, expected {expected:x}; {inputs}\n{assigned}");
                }
            }
        }
    }

    /// A clock that rises is an edge of all clocks.
    fn engine(&self, rows: &[Vec<u64>]) -> Vec<Vec<String>> {
        let program = Program::compile(&self.netlist).unwrap();
        let inputs: Vec<_> = self.inputs.iter().map(|(name, _)| program.input(name).ok()).collect();
        let outputs: Vec<_> = self.outputs.iter().map(|(name, _)| program.output(name).unwrap()).collect();
        let mut simulation = program.start(1);
        let mut level = false;
        let said = rows.iter().map(|row| {
            let mut rises = false;
            for (input, &value) in inputs.iter().zip(row) {
                match input {
                    Some(input) => simulation.set(*input, value),
                    None => (rises, level) = (value != 0 && !level, value != 0),
                }
            }
            if rises {
                simulation.step();
            }
            simulation.settle();
            outputs.iter().map(|&output| format!("{:x}", simulation.get(output))).collect()
        });
        said.collect()
    }

    fn verilator(&self, scratch: &Path, rows: &[Vec<u64>]) -> Vec<Vec<String>> {
        let mut main = format!(
            "#include \"V{top}.h\"\n#include \"verilated.h\"\n#include <cstdio>\n#include <cinttypes>\n\
             int main() {{\n    V{top} top;\n    FILE* rows = fopen(\"rows.txt\", \"r\");\n    uint64_t value;\n\
             \x20   for (;;) {{\n",
            top = self.top
        );
        for (name, _) in &self.inputs {
            writeln!(main, "        if (fscanf(rows, \"%\" SCNx64, &value) != 1) break;\n        top.{name} = value;")
                .unwrap();
        }
        main += "        top.eval();\n";
        for (name, _) in &self.outputs {
            writeln!(main, "        printf(\"%\" PRIx64 \" \", (uint64_t)top.{name});").unwrap();
        }
        main += "        printf(\"\\n\");\n    }\n    return 0;\n}\n";
        let model = VERILATOR.build_model(scratch, &self.verilog, &self.top, &main, Effort::Quick).unwrap();
        run(Command::new(model), scratch, rows)
    }

    fn icarus(&self, icarus: &Icarus, scratch: &Path, rows: &[Vec<u64>]) -> Vec<Vec<String>> {
        let mut bench = String::from("module bench;\n    integer rows, read;\n");
        let mut connections = Vec::new();
        for (kind, ports) in [("reg", &self.inputs), ("wire", &self.outputs)] {
            for (name, bits) in ports {
                writeln!(bench, "    {kind} [{}:0] {name};", bits - 1).unwrap();
                connections.push(format!(".{name}({name})"));
            }
        }
        writeln!(bench, "    {} uut ({});", self.top, connections.join(", ")).unwrap();
        bench += "    initial begin\n        rows = $fopen(\"rows.txt\", \"r\");\n        read = 1;\n";
        bench += "        while (read == 1) begin\n";
        for (name, _) in &self.inputs {
            writeln!(bench, "            read = $fscanf(rows, \"%h\", {name});").unwrap();
        }
        bench += "            if (read == 1) begin\n                #1;\n";
        for (name, _) in &self.outputs {
            writeln!(bench, "                $write(\"%h \", {name});").unwrap();
        }
        bench += "                $display;\n            end\n        end\n        $finish;\n    end\nendmodule\n";
        let compiled = icarus.compile(scratch, &format!("{}\n{bench}", self.verilog), "bench").unwrap();
        run(icarus.interpreter(&compiled), scratch, rows)
    }
}

fn run(mut command: Command, scratch: &Path, rows: &[Vec<u64>]) -> Vec<Vec<String>> {
    let mut text = String::new();
    for row in rows {
        let row: Vec<String> = row.iter().map(|value| format!("{value:x}")).collect();
        writeln!(text, "{}", row.join(" ")).unwrap();
    }
    std::fs::write(scratch.join("rows.txt"), text).unwrap();
    let output = command.current_dir(scratch).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
}
