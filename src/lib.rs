// SPDX-License-Identifier: MIT OR Apache-2.0
//! Congestion control for Ethernet switches and NICs, from paper to FPGA.
//!
//! A packet meets the sampler, the queue monitor measures, the feedback block decides, the packet generator sends a
//! frame. The parser reads it, the calculator sets a rate, the rate limiter grants the next packet. Each scheme exists
//! as an exact integer model ([`scheme`]) and as synthesizable modules ([`rtl`]). [`bench`](mod@bench) simulates both,
//! and [`registry`] lists the schemes.
//!
//! Comments cite papers by author and year: `docs/bibliography.md`.
//!
//! | room | contents |
//! |---|---|
//! | [`error`](mod@error) | errors in the input of the user |
//! | [`licence`] | the licence line of what is emitted |
//! | [`units`] | fixed-point rates, bytes, cycles: the types every room shares |
//! | [`response`] | the look-up tables of an InfiniBand source, for model and circuit |
//! | [`scheme`] | the algorithms in integers, without I/O and hardware |
//! | [`frame`] | the congestion notification message, and captures of real traffic |
//! | [`rtl`] | the same algorithms as `rust-hdl` modules |
//! | [`model`] | the algorithms with the latencies of their circuits |
//! | [`registry`] | one row per scheme: papers, parameters, models, circuits |
//! | [`interrupt`] | cleans up when a signal ends the program |
//! | [`netlist`] | circuits as typed modules, signals, registers, statements |
//! | [`engine`] | netlists as machine code: simulation at native speed |
//! | [`verilog`](mod@verilog) | netlists as Verilog-2001 |
//! | [`emit`] | circuits to Verilog and file lists |
//! | [`registers`] | register files for the parameters, and their descriptions for software |
//! | [`bus`] | parts with the ports of a card's bus |
//! | [`packaging`] | what comes with emitted Verilog: FuseSoC cores, smoke tests, IP-XACT, a README |
//! | [`bench`](mod@bench) | the clock driver, closed-loop benches, traces, waveforms |
//! | [`experiment`] | scenario files, their runs, metrics, verdicts |
//! | [`sweep`] | a scenario with many values of its parameters |
//! | [`board`] | board files to constraint files |
//! | [`toolchain`] | Yosys, nextpnr, Verilator and z3: find them, run them, read their output |
//! | [`measure`] | what schemes cost in an FPGA: area and clock rate |
//! | [`verify`] | checks that model, circuit and Verilog agree; proofs |
//! | [`analysis`] | what the theory of the papers says about a set of parameters |
//! | [`report`] | tables, pictures, the HTML page |
//! | [`cli`] | one file per verb |

pub mod cli;

pub use tidegate_circuits::{response, rtl};
pub use tidegate_core::{error, frame, input, interrupt, licence, output, units};
pub use tidegate_hdl::{engine, netlist, verilog};
pub use tidegate_lab::{bench, experiment, measure, network, sweep};
pub use tidegate_package::{board, build, bus, emit, packaging, registers, switch};
pub use tidegate_schemes::{analysis, claims, model, reference, registry, scheme};
pub use {
    tidegate_report as report, tidegate_schemes as schemes, tidegate_toolchain as toolchain, tidegate_verify as verify,
};
