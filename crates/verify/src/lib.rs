// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that model, circuit and emitted Verilog of a scheme agree, and that the required properties of the Verilog
//! hold.
//!
//! Each [`Check`] is one statement about one block or one whole part, and the tool that checked it. A check that could
//! not run is `skipped`; it never counts as passed.

pub mod formal;
pub mod model;
pub mod replay;
pub mod run;
pub mod stimulus;
pub mod window;

use serde::Serialize;

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It ran to its end, and the statement holds.
    Passed,
    /// It ran, and the statement does not hold.
    Failed,
    /// It did not run: its tool is missing.
    Skipped,
}

/// One statement about one block, and the result of its check.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Name of the block; for a whole part the name of the part.
    pub block: &'static str,
    /// The statement.
    pub property: String,
    /// The tool that checked it: `rtl`, `verilator`, `icarus`, `formal`.
    pub tool: &'static str,
    /// Cycles that were compared; `null` for a proof.
    pub cycles: Option<u64>,
    /// Depth of the induction, or of the bounded search; `null` for a simulation.
    pub depth: Option<u32>,
    /// Whether a proof is for all time; `null` for a simulation.
    pub unbounded: Option<bool>,
    /// The result.
    pub verdict: Verdict,
    /// Why it failed or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Wall-clock seconds that it took.
    pub seconds: f64,
}

/// The first difference of two forms of a circuit, with the port values of both around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The first cycle in which they differ.
    pub cycle: u64,
    /// The first output, in the order of the ports, that differs in this cycle.
    pub port: String,
    /// Its expected value.
    pub expected: u32,
    /// Its actual value.
    pub found: u32,
    /// The cycle of the first row below.
    pub window_start: u64,
    /// The port values of the circuit: a row for each cycle, a value for each port.
    pub rows: Vec<Vec<u32>>,
    /// The port values of the other form, with the same inputs.
    pub other: Vec<Vec<u32>>,
}
