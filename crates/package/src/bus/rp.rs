// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the reaction points on all buses share.

use crate::registers::Registers;
use tidegate_hdl::netlist::Netlist;

/// Name of the module.
pub(crate) const MODULE: &str = "rp";
/// Name of its register file.
pub(super) const REGISTERS: &str = "rp_registers";
/// Meanings of registers.
pub(super) const PASS_FEEDBACK: &str =
    "1: feedback for this reaction point stays in the receive path; 0: it is taken out of it";
pub(super) const REMOVED_FRAMES: &str = "Feedback frames that were taken out of the receive path";

/// What a reaction point on a bus is made of.
pub struct ReactionPoint {
    /// The whole module.
    pub netlist: Netlist,
    /// Its registers.
    pub registers: Registers,
}
