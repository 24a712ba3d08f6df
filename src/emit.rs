//! Circuits to Verilog text.

use crate::scheme::Part;
use anyhow::Result;

/// One block of a part, as a self-contained Verilog source.
pub struct EmittedBlock {
    /// Name of the block, as in `rtl/`: `sampler`, `calculator`, …
    pub block: &'static str,
    /// Name of its top module.
    pub top: String,
    /// Verilog source with every module that it needs.
    pub verilog: String,
}

/// How the parameters of a scheme reach the hardware.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterStyle {
    /// Constants, fixed when the Verilog is made.
    Fixed,
    /// Input ports, for registers to drive.
    Inputs,
}

/// The blocks of a part of a scheme, each `ports` times in one top module.
pub fn blocks(
    _scheme: &str,
    _part: Part,
    _settings: &[(String, String)],
    _style: ParameterStyle,
    _ports: u32,
) -> Result<Vec<EmittedBlock>> {
    todo!("written with rtl/")
}
