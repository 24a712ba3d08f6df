//! That model, circuit and emitted Verilog of a scheme agree, and that the properties hold that hardware is trusted with.
//!
//! Each [`Check`] is one statement about one block (or a whole part) with the tool that judged it. What could not run is
//! `skipped`, and never counts as passed.

pub mod formal;
pub mod model;
pub mod reference;
pub mod replay;
pub mod run;
pub mod stimulus;
pub mod window;

use serde::Serialize;

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It ran to its end and holds.
    Passed,
    /// It ran and does not hold.
    Failed,
    /// It did not run: its tool is not there.
    Skipped,
}

/// One statement about one block, and how it was judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    /// Name of the scheme.
    pub scheme: &'static str,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Name of the block, or of the part for the whole.
    pub block: &'static str,
    /// What is stated.
    pub property: String,
    /// What judged it: `rtl`, `verilator`, `icarus`, `formal`.
    pub tool: &'static str,
    /// Cycles that were compared; `null` for a proof.
    pub cycles: Option<u64>,
    /// Depth of the induction, or of the bounded search; `null` for a simulation.
    pub depth: Option<u32>,
    /// Whether a proof is for all time; `null` for a simulation.
    pub unbounded: Option<bool>,
    /// How it ended.
    pub verdict: Verdict,
    /// Why it failed or was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Wall-clock seconds that it took.
    pub seconds: f64,
}

/// Where two forms of a circuit first differ, with what both did around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The first cycle in which they differ.
    pub cycle: u64,
    /// The first output, in the order of the ports, that differs there.
    pub port: String,
    /// What it should be.
    pub expected: u32,
    /// What it is.
    pub found: u32,
    /// The cycle of the first row below.
    pub window_start: u64,
    /// A row for each cycle, a value for each port, as the circuit had it.
    pub rows: Vec<Vec<u32>>,
    /// The same as the other form had it, under the same inputs.
    pub other: Vec<Vec<u32>>,
}
