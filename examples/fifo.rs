// SPDX-License-Identifier: MIT OR Apache-2.0
//! A circuit that is not one of ours: a FIFO of 16 bytes. It is emitted as Verilog, simulated as machine code, and the same
//! inputs go through Verilator.
//!
//! Run it with `cargo run --release --example fifo`; `scripts/setup-tools` installs Verilator.

use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verilog;
use tidegate_hdl::prelude::*;

#[derive(LogicBlock, Default)]
struct Fifo {
    clock: Signal<In, Clock>,
    push: Signal<In, Bit>,
    pop: Signal<In, Bit>,
    data_in: Signal<In, Bits<8>>,
    data_out: Signal<Out, Bits<8>>,
    empty: Signal<Out, Bit>,
    full: Signal<Out, Bit>,
    fifo: SynchronousFIFO<Bits<8>, 4, 5, 1>,
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, fifo);
        self.fifo.data_in.next = self.data_in.val();
        self.fifo.write.next = self.push.val() & !self.fifo.full.val();
        self.fifo.read.next = self.pop.val() & !self.fifo.empty.val();
        self.data_out.next = self.fifo.data_out.val();
        self.empty.next = self.fifo.empty.val();
        self.full.next = self.fifo.full.val();
    }
}

/// A million cycles in C++: the inputs are the bits of a pseudo-random number, the outputs go into a sum.
const MAIN: &str = r#"#include "Vfifo.h"
#include <cstdio>
int main() {
    Vfifo fifo;
    unsigned number = 1, sum = 0;
    for (int cycle = 0; cycle < 1000000; ++cycle) {
        number = number * 1664525u + 1013904223u;
        fifo.push = number >> 31; fifo.pop = number >> 30 & 1; fifo.data_in = number >> 16;
        fifo.clock = 0; fifo.eval();
        sum = sum * 31 + fifo.data_out + 256 * fifo.empty + 512 * fifo.full;
        fifo.clock = 1; fifo.eval();
    }
    std::printf("%u\n", sum);
}"#;

fn main() -> anyhow::Result<()> {
    let mut circuit = Fifo::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "fifo", None)?;
    let modules: Vec<String> = netlist.modules.iter().map(|module| verilog::module(module, &netlist)).collect();
    println!("{}", modules.last().expect("the top is the last"));

    let program = Program::compile(&netlist)?;
    let [push, pop, data_in] = ["push", "pop", "data_in"].map(|name| program.input(name).expect("a port"));
    let [data_out, empty, full] = ["data_out", "empty", "full"].map(|name| program.output(name).expect("a port"));
    let (mut fifo, mut number, mut sum) = (program.start(1), 1u32, 0u32);
    for _ in 0..1_000_000 {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        for (pin, bits) in [(push, number >> 31), (pop, number >> 30), (data_in, number >> 16)] {
            fifo.set(pin, bits.into());
        }
        fifo.step();
        let seen = (fifo.get(data_out) + 256 * fifo.get(empty) + 512 * fifo.get(full)) as u32;
        sum = sum.wrapping_mul(31).wrapping_add(seen);
    }
    let folder = tempfile::tempdir()?;
    let model = Verilator::find()?.build_model(folder.path(), &modules.join("\n"), "fifo", MAIN, Effort::Fast)?;
    let said = String::from_utf8(std::process::Command::new(model).output()?.stdout)?;
    anyhow::ensure!(said.trim() == sum.to_string(), "Verilator says {}, the engine {sum}", said.trim());
    println!("// a million cycles: the engine and Verilator agree");
    Ok(())
}
