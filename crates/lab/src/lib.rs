// SPDX-License-Identifier: MIT OR Apache-2.0
//! Circuits and models at work: benches, networks, experiments, sweeps, what schemes cost.

pub mod bench;
pub mod experiment;
pub mod measure;
pub mod network;
pub mod sweep;
mod tx_fifo;
