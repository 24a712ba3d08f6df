// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output queue: the places of its beats, and their memory.

use super::{Join, beat_memory};
use crate::bus::width::Width;
use tidegate_circuits::rtl::bus::axis_cp::frame_queue::frame_queue;
use tidegate_hdl::netlist::Netlist;

const MEANING: &str = "An output queue in block RAM. It takes a beat in every cycle, and gives whole good frames, unchanged \
    and in order. A frame that is bad, or for which there is no room, is dropped as a whole. The first beat of a frame goes \
    out four cycles after its last one came, if nothing else waits.";

/// The module for a width, and 2^`address_bits` beats.
///
/// # Panics
/// If no queue has so many beats: a mistake in this room.
pub fn output_queue(width: Width, address_bits: usize) -> Netlist {
    let places = frame_queue(address_bits).netlist;
    let memory = beat_memory::beat_memory(width, address_bits);
    let mut join = Join::new(&format!("axis_queue_{}", width.bits()), MEANING);
    join.ports_around(&[&places, &memory]);
    join.part("frame_queue", &places, "");
    join.part("beat_memory", &memory, "");
    join.finish()
}
