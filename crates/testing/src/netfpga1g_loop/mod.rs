// SPDX-License-Identifier: MIT OR Apache-2.0
//! The closed loop through the buses of the NetFPGA-1G, and the native dumbbell with the same parameters:
//! `testbenches/netfpga1g_loop` compares both, `examples/netfpga1g_loop.rs` draws them.

mod bus;
mod card;
mod compared;
mod switch;
mod wire;

pub use bus::Outcome;
pub use compared::{Run, native, on_buses};
