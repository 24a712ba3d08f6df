//! Congestion control for Ethernet switches and NICs, from paper to FPGA.
//!
//! A packet meets the sampler, the queue monitor measures, the feedback block decides, the packet generator writes a
//! frame; the parser reads it, the calculator sets a rate, the rate limiter lets the next packet go. Each scheme stands
//! here as an exact integer model ([`scheme`]) and as synthesizable modules ([`rtl`]); [`bench`](mod@bench) clocks both
//! and [`registry`] is the one place that lists the schemes.
//!
//! | room | what is in it |
//! |---|---|
//! | [`error`](mod@error) | wrong input: what to tell the user |
//! | [`units`] | fixed-point rates, bytes, cycles: the types every room shares |
//! | [`response`] | the look-up tables of an InfiniBand source, for model and circuit |
//! | [`scheme`] | the algorithms in integers: no I/O, no hardware, no time but what is passed in |
//! | [`frame`] | the congestion notification message, and captures of real traffic |
//! | [`rtl`] | the same algorithms as `rust-hdl` modules |
//! | [`registry`] | one row a scheme: paper, parameters, model, circuits |
//! | [`interrupt`] | what a signal leaves behind: nothing |
//! | [`netlist`] | circuits as typed modules, signals, registers, statements |
//! | [`verilog`](mod@verilog) | netlists as Verilog-2001 |
//! | [`emit`] | circuits to Verilog and file lists |
//! | [`bench`](mod@bench) | the clock driver, closed-loop benches, traces, waveforms |
//! | [`board`] | board files to constraint files |
//! | [`toolchain`] | Yosys and Verilator: find, run, read their reports |
//! | [`verify`] | that model, circuit and Verilog agree; proofs |
//! | [`analysis`] | what the theory of the papers says of a set of parameters |
//! | [`report`] | tables, pictures, the HTML page |
//! | [`cli`] | one file a verb |

pub mod analysis;
pub mod bench;
pub mod board;
pub mod cli;
pub mod emit;
pub mod error;
pub mod frame;
pub mod input;
pub mod interrupt;
pub mod netlist;
pub mod output;
pub mod registry;
pub mod report;
pub mod response;
pub mod rtl;
pub mod scheme;
pub mod toolchain;
pub mod units;
pub mod verify;
pub mod verilog;
