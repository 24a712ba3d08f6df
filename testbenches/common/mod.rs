// SPDX-License-Identifier: MIT OR Apache-2.0
//! What several test benches share.

pub mod axis_device;
pub mod blocks;
pub mod broken;
pub mod circuits;
pub mod cocotb;
pub mod cost;
pub mod feedback_frames;
pub mod frames;
pub mod lanes;
pub mod pins;
pub mod proofs;
pub mod receive_frames;
pub mod settings;
pub mod simulators;
pub mod stimulus;
pub mod tshark;
