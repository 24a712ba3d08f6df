// SPDX-License-Identifier: MIT OR Apache-2.0
//! A learning bridge: which frame goes next, where it goes, and what makes frames at the internal port.
//!
//! A stream of the bridge is one of nine: those of ports 0 to 3, that of the internal port, and the feedback frames of the
//! congestion points at outputs 0 to 3. A set of streams is a number of nine bits, in this order from bit 0 on; a set of ports
//! has the first five of them.

pub mod address_table;
pub mod forwarding;
pub mod frame_turns;
pub mod register_split;
pub mod traffic_generator;
