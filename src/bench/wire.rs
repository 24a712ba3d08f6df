//! Feedback as frames: what travels between a congestion point and a reaction point.

use super::Packet;
use crate::frame::cnm::{Cnm, MINIMUM_FRAME};
use crate::scheme::Feedback;

/// Octets of a frame of the packet generator, without frame check sequence.
pub const FRAME_OCTETS: usize = MINIMUM_FRAME;
/// Words of 64 bits that it takes.
pub const FRAME_WORDS: usize = FRAME_OCTETS.div_ceil(8);

/// A congestion notification frame as the packet generator writes it.
pub type Frame = [u8; FRAME_OCTETS];

/// A MAC address as six octets.
pub fn mac_octets(address: u64) -> [u8; 6] {
    address.to_be_bytes()[2..].try_into().expect("eight octets less two")
}

/// Six octets as a MAC address.
pub fn mac_value(octets: [u8; 6]) -> u64 {
    octets.iter().fold(0, |value, &octet| value << 8 | u64::from(octet))
}

/// The frame that carries a feedback from the congestion point with this address to the source of the sampled packet.
pub fn write_frame(packet: &Packet, feedback: &Feedback, cp_mac: u64) -> Frame {
    let cnm = Cnm {
        destination: mac_octets(packet.source),
        source: mac_octets(cp_mac),
        vlan: packet.tag,
        quantized_feedback: feedback.quantized_feedback,
        cpid: feedback.cpid,
        q_offset: feedback.q_offset,
        q_delta: feedback.q_delta,
        priority: packet.tag.map_or(0, |tag| (tag >> 13) as u8),
        encapsulated_destination: mac_octets(packet.destination),
        msdu: Vec::new(),
    };
    cnm.to_frame().try_into().expect("no encapsulated data: the shortest frame")
}

/// The feedback in a frame, if a reaction point with this address takes it.
pub fn read_frame(frame: &Frame, mac: u64) -> Option<Feedback> {
    let cnm = Cnm::parse(frame).ok().filter(|cnm| mac_value(cnm.destination) == mac)?;
    Some(Feedback {
        quantized_feedback: cnm.quantized_feedback,
        q_offset: cnm.q_offset,
        q_delta: cnm.q_delta,
        cpid: cnm.cpid,
    })
}
