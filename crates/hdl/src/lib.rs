// SPDX-License-Identifier: MIT OR Apache-2.0
#![doc = include_str!("../README.md")]

pub mod engine;
pub mod lut_ram;
pub mod module;
pub mod netlist;
pub mod register;
pub mod simulation;
pub mod slice;
pub mod verilog;

/// The version whose circuits this crate reads.
pub use rust_hdl;

/// What a file of circuits uses: all of `rust-hdl`'s own, and the modules, registers and memories of this crate.
pub mod prelude {
    pub use crate::lut_ram::LutRam;
    pub use crate::register::{Delay, Register};
    pub use crate::slice::ToSlice;
    pub use crate::{comment, module};
    pub use rust_hdl::prelude::*;
}
