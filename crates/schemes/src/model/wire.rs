// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback as frames: what travels between a congestion point and a reaction point. The CNM of IEEE 802.1Q, which the
//! schemes with QntzFb, cnmQOffset and cnmQDelta share.

use super::Fields;
use super::codec::{Codec, Frame, Origin, Payload};
use super::packet::Packet;
use crate::scheme::Feedback;
use crate::scheme::parameters::Parameters;
use tidegate_core::frame::cnm::{Cnm, ETHERTYPE_CNM, MINIMUM_FRAME, Rejection, Tags};

/// Octets of a frame of the packet generator, without frame check sequence.
pub const FRAME_OCTETS: usize = MINIMUM_FRAME;
/// Words of 64 bits that it takes.
pub const FRAME_WORDS: usize = FRAME_OCTETS.div_ceil(8);

/// MAC address of the congestion point in benches, the default of the key `cp_mac`; locally administered.
pub const CP_MAC: u64 = 0x0200_0000_0100;
/// Congestion point identifier in benches: address of the switch and index of the port, as in IEEE 802.1Q.
pub const CPID: u64 = (CP_MAC << 16) | 1;

/// MAC address of the receiver in benches; locally administered.
pub(crate) const RECEIVER_MAC: u64 = 0x0200_0000_0001;

/// MAC address of the reaction point of a flow in benches, the default of the key `rp_mac`; locally administered.
pub fn rp_mac(flow: u32) -> u64 {
    0x0200_0000_1000 + u64::from(flow)
}

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
        flow_id: packet.flow_id,
        quantized_feedback: feedback.quantized_feedback,
        cpid: feedback.cpid,
        q_offset: feedback.q_offset,
        q_delta: feedback.q_delta,
        priority: packet.tag.map_or(0, |tag| (tag >> 13) as u8),
        encapsulated_destination: mac_octets(packet.destination),
        msdu: Vec::new(),
    };
    Frame::new(&cnm.to_frame())
}

/// Which frames are for a reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its MAC address.
    pub mac: u64,
    /// The congestion point that it listens to.
    pub cpid: u64,
    /// Bits of it that count; 0: any.
    pub cpid_mask: u64,
    /// Low bits of the MAC address that number the flow; 0: it has one flow.
    pub flow_mask: u64,
}

impl Address {
    /// Listens to every congestion point.
    pub fn any_cpid(mac: u64) -> Self {
        Address { mac, cpid: 0, cpid_mask: 0, flow_mask: 0 }
    }

    /// The reaction point of a flow with these parameters.
    pub fn of(parameters: &Parameters, flow: u32) -> Self {
        let (cpid, cpid_mask) = parameters.allowed_cpid();
        Address { cpid, cpid_mask, ..Address::any_cpid(parameters.rp_mac(flow)) }
    }

    /// Whether a frame for this MAC address is for this reaction point.
    pub fn is(&self, destination: [u8; 6]) -> bool {
        (mac_value(destination) ^ self.mac) & !self.flow_mask == 0
    }
}

/// Why a reaction point ignores a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ignored {
    /// It is no valid congestion notification.
    Invalid(Rejection),
    /// It breaks this rule of a scheme with frames of its own.
    Own(&'static str),
    /// It is for another one.
    Destination,
    /// It comes from a congestion point that this one does not listen to.
    Cpid,
}

/// What a reaction point tells of a frame with the EtherType of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It is for another address.
    Elsewhere,
    /// It is not valid, or was received with an error.
    Malformed,
    /// It comes from a congestion point that this one does not listen to.
    Refused,
    /// Another feedback waited when its second word came.
    Dropped,
    /// Its feedback was taken.
    Taken,
}

/// What a reaction point with this address tells of a frame if no feedback waits. `None` for a frame of another type,
/// and for one that ends with the word of its EtherType.
pub fn verdict(frame: &[u8], address: &Address, bad_frame: bool) -> Option<Verdict> {
    let at = Tags::of(frame).ether_type_at;
    // The EtherType stands in the second word of 8 octets, behind tags in the third.
    if frame.get(at..at + 2) != Some(&ETHERTYPE_CNM.to_be_bytes()[..]) || frame.len() <= 8 * (at / 8 + 1) {
        return None;
    }
    Some(match read_frame(frame, address) {
        _ if !address.is(frame[..6].try_into().expect("six octets")) => Verdict::Elsewhere,
        _ if bad_frame => Verdict::Malformed,
        Err(Ignored::Invalid(_) | Ignored::Own(_)) => Verdict::Malformed,
        Err(Ignored::Cpid) => Verdict::Refused,
        Err(Ignored::Destination) => Verdict::Elsewhere,
        Ok(_) => Verdict::Taken,
    })
}

/// The feedback in a frame, if a reaction point with this address takes it; else the first rule that the frame breaks.
pub(crate) fn read_frame(frame: &[u8], address: &Address) -> Result<Feedback, Ignored> {
    let cnm = Cnm::parse(frame).map_err(Ignored::Invalid)?;
    if !address.is(cnm.destination) {
        return Err(Ignored::Destination);
    }
    if (cnm.cpid ^ address.cpid) & address.cpid_mask != 0 {
        return Err(Ignored::Cpid);
    }
    Ok(Feedback {
        quantized_feedback: cnm.quantized_feedback,
        q_offset: cnm.q_offset,
        q_delta: cnm.q_delta,
        cpid: cnm.cpid,
    })
}

/// The CNM of IEEE 802.1Q.
pub const CNM: Codec = Codec {
    write: |packet, payload, &Origin { mac, cpid }| {
        write_frame(packet, &Feedback { cpid, ..Feedback::from(*payload) }, mac)
    },
    read: |frame, address| read_frame(frame, address).map(Payload::from),
    verdict,
};

/// The octets are those of the CNM: QntzFb, CPID, cnmQOffset, cnmQDelta.
impl From<Feedback> for Payload {
    fn from(feedback: Feedback) -> Payload {
        let mut octets = [feedback.quantized_feedback; 13];
        octets[1..9].copy_from_slice(&feedback.cpid.to_be_bytes());
        octets[9..11].copy_from_slice(&feedback.q_offset.to_be_bytes());
        octets[11..].copy_from_slice(&feedback.q_delta.to_be_bytes());
        Payload::new(&octets)
    }
}

impl From<Payload> for Feedback {
    /// # Panics
    /// If the payload is none of a CNM.
    fn from(payload: Payload) -> Feedback {
        let octets: [u8; 13] = payload[..].try_into().expect("a payload of a CNM");
        Feedback {
            quantized_feedback: octets[0],
            cpid: octets[1..9].iter().fold(0, |cpid, &octet| cpid << 8 | u64::from(octet)),
            q_offset: i16::from_be_bytes([octets[9], octets[10]]),
            q_delta: i16::from_be_bytes([octets[11], octets[12]]),
        }
    }
}

/// What a congestion point decides, before its CPID is known.
impl From<Fields> for Payload {
    fn from(fields: Fields) -> Payload {
        let Fields { quantized_feedback, q_offset, q_delta } = fields;
        Payload::from(Feedback { quantized_feedback, q_offset, q_delta, cpid: 0 })
    }
}

impl From<Payload> for Fields {
    /// # Panics
    /// If the payload is none of a CNM.
    fn from(payload: Payload) -> Fields {
        Fields::of(&payload.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// What a congestion point puts into its payload comes out of the frame, with the CPID.
    #[test]
    fn a_cnm_carries_its_payload() {
        let mut random = Random::new(7);
        for _ in 0..1000 {
            let (number, cpid) = (random.number(), random.number());
            let tag = (number & 1 == 1).then_some((number >> 40) as u16);
            let packet = Packet { tag, ..Packet::of_source(rp_mac(3), 1024, true) };
            let (quantized_feedback, q_offset, q_delta) =
                (number as u8 >> 2, (number >> 8) as i16, (number >> 24) as i16);
            let (fields, feedback) = (
                Fields { quantized_feedback, q_offset, q_delta },
                Feedback { quantized_feedback, q_offset, q_delta, cpid },
            );
            let frame = (CNM.write)(&packet, &fields.into(), &Origin { mac: CP_MAC, cpid });
            assert_eq!(frame, write_frame(&packet, &feedback, CP_MAC));
            let read = (CNM.read)(&frame, &Address::any_cpid(rp_mac(3))).expect("it is for this reaction point");
            assert_eq!((Feedback::from(read), Fields::from(read)), (feedback, fields));
        }
    }
}
