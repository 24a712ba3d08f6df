// SPDX-License-Identifier: MIT OR Apache-2.0
//! Feedback frames for a reaction point, and frames that break one of the rules for them.

use crate::stimulus::Random;
use tidegate_core::frame::cnm::Cnm;

/// The address of the reaction point.
pub const RP_MAC: [u8; 6] = [0x02, 0x12, 0x34, 0x56, 0x78, 0x9a];
/// The congestion point of the frames that are taken.
pub const CPID: u64 = 0x0123_4567_89ab_cdef;

fn fill(random: &mut Random, octets: &mut [u8]) {
    octets.iter_mut().for_each(|octet| *octet = random.word() as u8);
}

/// A frame that this reaction point takes under every rule.
pub fn notification(random: &mut Random) -> Cnm {
    let mut msdu = vec![0; random.between(0, 64) as usize];
    fill(random, &mut msdu);
    Cnm {
        destination: RP_MAC,
        source: std::array::from_fn(|_| random.word() as u8),
        vlan: random.chance(50).then(|| random.word() as u16),
        flow_id: random.chance(50).then(|| random.word() as u16),
        quantized_feedback: random.bus(6) as u8,
        cpid: CPID,
        q_offset: random.bus(16) as i16,
        q_delta: random.bus(16) as i16,
        priority: random.below(8) as u8,
        encapsulated_destination: std::array::from_fn(|_| random.word() as u8),
        msdu,
    }
}

/// The kind of a frame of the stimulus. Each kind must occur, and be taken or ignored, as it should.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Nature {
    Notification,
    OtherCpid,
    OtherMac,
    OtherType,
    Version,
    UnitLength,
    Runt,
    Giant,
    Trailer,
    DoubleTag,
    DoubleCnTag,
    SwappedTags,
    Reserved,
    Data,
}

/// All of them.
pub const NATURES: [Nature; 14] = [
    Nature::Notification,
    Nature::OtherCpid,
    Nature::OtherMac,
    Nature::OtherType,
    Nature::Version,
    Nature::UnitLength,
    Nature::Runt,
    Nature::Giant,
    Nature::Trailer,
    Nature::DoubleTag,
    Nature::DoubleCnTag,
    Nature::SwappedTags,
    Nature::Reserved,
    Nature::Data,
];

/// Octets in front of the version.
pub fn header(cnm: &Cnm) -> usize {
    14 + 4 * usize::from(cnm.vlan.is_some()) + 4 * usize::from(cnm.flow_id.is_some())
}

/// The octets of a random frame of this nature.
pub fn frame(random: &mut Random, nature: Nature) -> Vec<u8> {
    let mut cnm = notification(random);
    if nature == Nature::OtherCpid {
        cnm.cpid ^= 1 << random.below(64);
    }
    match nature {
        Nature::DoubleTag => cnm.vlan = Some(random.word() as u16),
        Nature::DoubleCnTag => cnm.flow_id = Some(random.word() as u16),
        Nature::SwappedTags => (cnm.vlan, cnm.flow_id) = (None, Some(random.word() as u16)),
        _ => {}
    }
    let header = header(&cnm) as u64;
    let mut frame = cnm.to_frame();
    match nature {
        Nature::Notification | Nature::OtherCpid => {}
        Nature::OtherMac => frame[random.below(6) as usize] ^= 1 << random.below(8),
        Nature::OtherType => {
            let at = 12 + random.below(header - 12) as usize;
            frame[at] ^= 1 << random.below(8);
        }
        Nature::Version => frame[header as usize] |= 1 << random.between(4, 7),
        Nature::UnitLength => {
            // Near the limits 64 and the end of the frame, or any length.
            let left = (frame.len() - header as usize - 24) as u64;
            let length = match random.below(3) {
                0 => random.pick(&[63, 64, 65, 127, 128, 64 + 128, 0xffff, 0x0100, 0x8000]),
                1 => left + random.below(3),
                _ => random.bus(16),
            };
            frame[header as usize + 22..][..2].copy_from_slice(&(length as u16).to_be_bytes());
        }
        Nature::Runt => frame.truncate(random.pick(&[1, 7, 8, 9, 16, 30, 38, 52, 56, 58, 59])),
        Nature::Giant => {
            let longer = random.pick(&[103, 104, 106, 107, 112, 113, 119, 120, 121, 128, 129, 256, 1514, 2050]);
            frame.resize(longer + random.below(8) as usize, 0);
            let body = frame.len() - 60;
            fill(random, &mut frame[60..][..body]);
            // The length field still gives a short unit, so that only the length of the frame is wrong.
        }
        Nature::Trailer => {
            let length = frame.len() + random.between(1, 8) as usize;
            frame.resize(length, 0xff);
        }
        Nature::DoubleTag => drop(frame.splice(12..12, [0x81, 0x00, random.word() as u8, random.word() as u8])),
        // In front of the EtherType, behind the CN-TAG that the frame has.
        Nature::DoubleCnTag | Nature::SwappedTags => {
            let kind = if nature == Nature::SwappedTags { [0x81, 0x00] } else { [0x22, 0xe9] };
            let at = header as usize - 2;
            frame.splice(at..at, [kind[0], kind[1], random.word() as u8, random.word() as u8]);
        }
        Nature::Reserved => {
            frame[header as usize] |= random.below(16) as u8;
            frame[header as usize + 1] |= (random.below(4) as u8) << 6;
            frame[header as usize + 14] |= random.below(32) as u8;
        }
        Nature::Data => {
            frame.resize(random.between(1, 1518) as usize, 0);
            fill(random, &mut frame);
            if random.chance(50) && frame.len() > 14 {
                frame[..6].copy_from_slice(&RP_MAC);
                frame[12..14].copy_from_slice(&random.pick(&[[0x08, 0x00], [0x81, 0x00], [0x22, 0xe9], [0x22, 0xe7]]));
            }
        }
    }
    frame
}
