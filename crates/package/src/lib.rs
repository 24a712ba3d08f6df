// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a circuit to what a project takes: Verilog files, registers, buses, packages, constraints, bitstreams.

pub mod board;
pub mod build;
pub mod bus;
pub mod emit;
pub mod packaging;
pub mod registers;
pub mod switch;
