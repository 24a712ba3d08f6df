// SPDX-License-Identifier: MIT OR Apache-2.0
//! The speed of circuits of `rust-hdl`'s own library.

use super::{RECORDED, Speeds, in_engine, speeds};
use anyhow::{Result, ensure};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tidegate::engine::{Optimisations, Port, Program};
use tidegate::netlist::{Netlist, SignalKind};
use tidegate::toolchain::verilator::{Effort, Verilator};
use tidegate::verilog;
use tidegate_hdl::prelude::*;
use tidegate_hdl::rust_hdl::widgets::i2c::i2c_controller::I2CController;

const SPI: SPIConfig =
    SPIConfig { clock_speed: 48_000_000, cs_off: true, mosi_off: true, speed_hz: 1_000_000, cpha: true, cpol: true };
const I2C: I2CConfig = I2CConfig { delay_time: Duration::from_micros(5), clock_speed_hz: 1_000_000 };
const TAPS: [i16; 11] = [1, 2, 30, -4, 5, 600, 5, -4, 30, 2, 1];

/// The circuits.
pub fn all() -> Vec<(&'static str, Netlist)> {
    let sdram =
        SDRAMBaseController::<5, 5, 64, 16>::new(3, MemoryTimings::fast_boot_sim(100e6), OutputBuffer::DelayOne);
    vec![
        netlist("library_fifo", SynchronousFIFO::<Bits<16>, 5, 6, 4>::default()),
        netlist("library_spi_master", SPIMaster::<64>::new(SPI)),
        netlist("library_i2c_controller", I2CController::new(I2C)),
        netlist("library_sdram_controller", sdram),
        netlist("library_fir", MultiplyAccumulateSymmetricFiniteImpulseResponseFilter::<4>::new(&TAPS)),
    ]
}

fn netlist(name: &'static str, mut circuit: impl Block) -> (&'static str, Netlist) {
    circuit.connect_all();
    (name, Netlist::of(&circuit, name, None).expect("a netlist"))
}

/// The words of all inputs, cycle by cycle. Each input keeps a value for 1 to 16 cycles; of one bit, it is 1 in a quarter of them.
fn stimulus(inputs: &[&Port]) -> Vec<u64> {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        random >> 33
    };
    let mut values = vec![0; inputs.len()];
    let mut left = vec![0; inputs.len()];
    let mut words = Vec::new();
    for _ in 0..RECORDED {
        for ((value, left), port) in values.iter_mut().zip(&mut left).zip(inputs) {
            if *left == 0 {
                *left = 1 + next() % 16;
                *value = match port.bits {
                    1 => u64::from(next() % 4 == 0),
                    bits => (next() << 33 ^ next()) & (u64::MAX >> (64 - bits)),
                };
            }
            *left -= 1;
        }
        words.extend(&values);
    }
    words
}

/// The C++ program that replays the words of a file: of each cycle the inputs, then the outputs before the edge.
const MAIN: &str = r#"#include "V@TOP@.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
double sc_time_stamp() { return 0; }
int main(int argc, char** argv) {
    std::vector<uint64_t> words(@COLUMNS@ * @CYCLES@);
    FILE* file = std::fopen(argv[1], "rb");
    if (!file || std::fread(words.data(), 8, words.size(), file) != words.size()) return 2;
    for (uint64_t repeat = 0, repeats = std::strtoull(argv[2], 0, 10); repeat < repeats; ++repeat) {
        auto* top = new V@TOP@;
        const uint64_t* row = words.data();
        for (uint64_t cycle = 0; cycle < @CYCLES@; ++cycle, row += @COLUMNS@) {
            top->clock = 0;
@DRIVE@            top->eval();
            if (@DIFFERS@) return 1;
            top->clock = 1;
            top->eval();
        }
        delete top;
    }
    return 0;
}
"#;

/// A circuit in the engine and in Verilator. What the outputs must be is what the engine says without any optimisation.
pub fn measure(name: &str, netlist: &Netlist, verilator: &Verilator) -> Result<Speeds> {
    let plain = Optimisations { branches: false, sleep_after: None };
    let plain = Program::with_optimisations(netlist, &[], plain)?;
    let started = Instant::now();
    let program = Program::compile(netlist)?;
    let compile = started.elapsed().as_secs_f64();
    let (inputs, outputs): (Vec<&Port>, Vec<&Port>) = program.ports().iter().partition(|port| port.input);
    ensure!(program.ports().iter().all(|port| port.bits <= 64), "{name}: a port has more than 64 bits");
    let driven = stimulus(&inputs);
    let (mut simulation, mut expected) = (plain.start(1), Vec::new());
    for driven in driven.chunks_exact(inputs.len()) {
        simulation.set_all(driven);
        simulation.step();
        expected.extend(simulation.get_all());
    }
    let rows = || driven.chunks_exact(inputs.len()).zip(expected.chunks_exact(outputs.len()));
    let rows_of = [(&driven[..], inputs.len()), (&expected[..], outputs.len())];
    let run = |repeats| in_engine(&program, name, rows_of, repeats);

    let folder = tempfile::tempdir()?;
    let file = folder.path().join("rows");
    let words = rows().flat_map(|(driven, expected)| driven.iter().chain(expected));
    std::fs::write(&file, words.flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
    let (mut drive, mut differs) = (String::new(), String::from("false"));
    for (column, port) in inputs.iter().chain(&outputs).enumerate() {
        match port.input {
            true => writeln!(drive, "            top->{} = row[{column}];", port.name)?,
            false => write!(differs, " || top->{} != row[{column}]", port.name)?,
        }
    }
    let numbers = [("@COLUMNS@", program.ports().len() as u64), ("@CYCLES@", RECORDED)];
    let main = MAIN.replace("@TOP@", name).replace("@DRIVE@", &drive).replace("@DIFFERS@", &differs);
    let main = numbers.iter().fold(main, |main, (key, number)| main.replace(key, &number.to_string()));
    let clocks = netlist.top().ports().filter(|(_, port)| port.kind == SignalKind::Clock);
    ensure!(clocks.map(|(_, port)| &port.name).eq(["clock"]), "{name}: not one clock");
    let model = verilator.build_model(folder.path(), &verilog::text(netlist), name, &main, Effort::Fast)?;
    let in_verilator = |repeats: u64| {
        let status = std::process::Command::new(&model).arg(&file).arg(repeats.to_string()).status()?;
        ensure!(status.success(), "{name}: an output differs in Verilator ({status})");
        Ok(())
    };
    let [engine, verilator] = speeds(RECORDED, [&run, &in_verilator])?;
    Ok(Speeds::new(engine, verilator, compile))
}
