// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point on AXI4-Stream: what does not depend on the width of the stream.

pub mod frame_fields;
pub mod frame_queue;
