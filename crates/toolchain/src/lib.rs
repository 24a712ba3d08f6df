// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outside tools: find them, run them, read their reports.
//!
//! | module | contents |
//! |---|---|
//! | [`find`] | finds tools and their versions |
//! | [`yosys`] | synthesis of many small designs at once |
//! | [`cells`] | what the cells of a synthesized design are: flip-flops, LUTs, carries, … |
//! | [`nextpnr`] | place and route for the ECP5 |
//! | [`formal`] | proofs with Yosys and z3 |
//! | [`verilator`] | lint and compiled simulation of Verilog |
//! | [`icarus`] | interpreted simulation of Verilog |
//! | [`liteeth`] | the MAC, the PLL and the serial line of a switch, from LiteX |

pub mod cells;
pub mod find;
pub mod formal;
pub mod icarus;
pub mod liteeth;
pub mod nextpnr;
pub mod verilator;
pub mod yosys;

/// Message of the error that no temporary folder can be made.
pub const NO_FOLDER: &str = "cannot make a folder to work in: is the system's temporary folder writable?";

/// A needed outside tool is not usable: exit code 3. The message names each tool, the reason, and what to do.
#[derive(Debug)]
pub struct MissingTool(pub String);

impl std::fmt::Display for MissingTool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for MissingTool {}
