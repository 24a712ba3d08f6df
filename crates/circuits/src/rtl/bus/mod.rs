// SPDX-License-Identifier: MIT OR Apache-2.0
//! What connects parts to the buses of a card.

pub mod axi4_lite;
pub mod axis_cp;
pub mod axis_rp;
pub mod axis_tap;
pub mod feedback_finder;
pub mod hold_queue;
pub mod netfpga1g;
pub mod register_ring;
