// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a scheme to a bitstream: designs with a top module for a board, and the steps that make a bitstream of one.
//!
//! | module | contents |
//! |---|---|
//! | [`part`] | a congestion point or a reaction point between registers, with three pins |
//! | [`switch`] | a whole switch |
//! | [`steps`] | Yosys, nextpnr and ecppack: run them, keep their results, say why they failed |
//! | [`outcome`] | all steps of a build, and what comes of them |
//! | [`cells`] | the cells of a netlist: which block they belong to, and where they lie |
//! | [`routed`] | what nextpnr says of clocks, paths and resources |
//! | [`vendor`] | scripts for the tools of the maker, where no open ones place and route |
//!
//! A design is a value ([`Design`]): another one is another function that returns one.

pub mod cells;
pub mod outcome;
pub mod part;
pub mod routed;
pub mod steps;
pub mod switch;
pub(crate) mod vendor;

use crate::board::constraints::Top;

/// A design for a board.
#[derive(Clone, Debug)]
pub struct Design {
    /// What it is, in a few words.
    pub title: String,
    /// Its Verilog: names and texts, the top module last.
    pub files: Vec<(String, String)>,
    /// What is written beside them for people and software: names and texts.
    pub documents: Vec<(String, String)>,
    /// Its top module, with the ports and clocks.
    pub top: Top,
    /// Paths of the instances that are shown as blocks, such as `part.registers`. What is in none of them is the rest; of two that
    /// contain a cell, it belongs to the longer one.
    pub blocks: Vec<String>,
    /// The command that makes it, without the folder and the seeds.
    pub command: String,
    /// How a smaller one is made, for the message that it does not fit.
    pub smaller: &'static str,
    /// The router of nextpnr, as its options; none for router 1.
    pub router: &'static [&'static str],
}
