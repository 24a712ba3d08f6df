// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reaction point on AXI4-Stream: what does not depend on the width of the stream, and the receive path of 64 bits.

pub mod frame_cutter;
pub mod frame_finder;
pub mod frame_gate;
pub mod receive_filter;
