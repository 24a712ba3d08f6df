//! The reaction point on AXI4-Stream of 128 bits and more: what does not depend on the width of the stream.

pub mod frame_cutter;
pub mod frame_finder;
pub mod frame_gate;
