// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet, as a switch sees it.

use super::wire::RECEIVER_MAC;

/// A packet that enters the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Length in bytes.
    pub bytes: u32,
    /// Source address.
    pub source: u64,
    /// Destination address.
    pub destination: u64,
    /// Tag control information of its VLAN tag.
    pub tag: Option<u16>,
    /// Flow identifier of its CN-TAG.
    pub flow_id: Option<u16>,
    /// Whether a reaction point governs the flow.
    pub controlled: bool,
}

impl Packet {
    /// One without tags from the source with this address to [`RECEIVER_MAC`].
    pub fn of_source(source: u64, bytes: u32, controlled: bool) -> Packet {
        Packet { bytes, source, destination: RECEIVER_MAC, tag: None, flow_id: None, controlled }
    }
}
