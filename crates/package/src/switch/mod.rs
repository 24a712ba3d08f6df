// SPDX-License-Identifier: MIT OR Apache-2.0
//! A switch with congestion control: a learning bridge, a congestion point at each output, and at an internal port a reaction
//! point with a source and a sink of frames.
//!
//! [`core`] is all of it behind the MACs: one clock, streams of 64 bits.

mod beats;
pub mod core;
mod delay;
pub(crate) mod files;
pub(crate) mod registers;

/// The most Gigabit ports.
pub const PORTS_MAX: usize = 4;

/// Number of the internal port.
pub(crate) const INTERNAL: usize = PORTS_MAX;

/// Streams from which frames come: ports 0 to 3, the internal port, feedback of outputs 0 to 3.
const STREAMS: usize = 9;
