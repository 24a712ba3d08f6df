// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scheme puts into its feedback, and how this stands in a frame. All else carries both without a look inside.

use super::packet::Packet;
use super::wire::{Address, FRAME_OCTETS, Ignored, Verdict};
use std::fmt;
use std::ops::Deref;
use tidegate_core::units::Cycles;

/// Most octets of a [`Payload`].
pub(crate) const PAYLOAD_OCTETS: usize = 23;
/// Most octets of a [`Frame`].
pub(crate) const FRAME_OCTETS_MAX: usize = 128;

/// What a scheme puts into a feedback: octets that only the scheme reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Payload {
    octets: [u8; PAYLOAD_OCTETS],
    length: u8,
}

impl Payload {
    /// These octets.
    ///
    /// # Panics
    /// If there are more than [`PAYLOAD_OCTETS`].
    pub fn new(octets: &[u8]) -> Self {
        let mut payload = Payload { octets: [0; PAYLOAD_OCTETS], length: octets.len() as u8 };
        payload.octets[..octets.len()].copy_from_slice(octets);
        payload
    }
}

impl Deref for Payload {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.octets[..usize::from(self.length)]
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Payload({:02x?})", &self[..])
    }
}

/// An Ethernet frame with feedback, without frame check sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    octets: [u8; FRAME_OCTETS_MAX],
    length: u8,
}

impl Frame {
    /// These octets, and zeros behind them up to the shortest frame, 60 octets.
    ///
    /// # Panics
    /// If there are more than [`FRAME_OCTETS_MAX`].
    pub fn new(octets: &[u8]) -> Self {
        let length = octets.len().max(FRAME_OCTETS);
        let mut frame = Frame { octets: [0; FRAME_OCTETS_MAX], length: length as u8 };
        frame.octets[..octets.len()].copy_from_slice(octets);
        frame
    }

    /// Words of 64 bits that it takes: a word leaves in each cycle.
    pub fn words(&self) -> Cycles {
        self.len().div_ceil(8) as Cycles
    }
}

impl Deref for Frame {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.octets[..usize::from(self.length)]
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Frame({:02x?})", &self[..])
    }
}

/// Who sends a feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its MAC address.
    pub mac: u64,
    /// The identifier of a congestion point; 0 for a receiver.
    pub cpid: u64,
}

impl Origin {
    /// The receiver of a packet.
    pub fn receiver_of(packet: &Packet) -> Self {
        Origin { mac: packet.destination, cpid: 0 }
    }
}

/// How the feedback of a scheme stands in a frame. Without state: what a frame says is in its octets.
#[derive(Clone, Copy)]
pub struct Codec {
    /// The frame that carries a feedback from its origin to the source of a packet. Its first six octets are the address
    /// of this source.
    pub write: fn(&Packet, &Payload, &Origin) -> Frame,
    /// The feedback in a frame, if a reaction point with this address takes it; else why it does not.
    pub read: fn(&[u8], &Address) -> Result<Payload, Ignored>,
    /// What a reaction point with this address tells of a frame if no feedback waits, and whether the frame was received
    /// with an error. `None` for a frame that is no feedback of the scheme.
    pub verdict: fn(&[u8], &Address, bool) -> Option<Verdict>,
}
