// SPDX-License-Identifier: MIT OR Apache-2.0
//! What several test benches share, and the tests of the command line with them.

/// The top folder of the repository.
pub const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub mod axis_device;
pub mod blocks;
pub mod broken;
pub mod circuits;
pub mod cocotb;
pub mod cost;
pub mod feedback_frames;
pub mod frames;
pub mod lanes;
pub mod netfpga1g_loop;
pub mod pins;
pub mod proofs;
pub mod receive_frames;
pub mod settings;
pub mod simulators;
pub mod stimulus;
pub mod tshark;
