// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random Ethernet frames, with tags and without.

use crate::stimulus::Random;

/// A packet of so many octets, and whether it is a feedback frame. Its number is in its source address.
pub fn octets_of(length: usize, serial: u32, random: &mut Random) -> (Vec<u8>, bool) {
    let mut bytes: Vec<u8> = random.word().to_be_bytes()[..6].to_vec();
    bytes.extend([0x02, 0]);
    bytes.extend(serial.to_be_bytes());
    if random.chance(30) {
        bytes.extend([0x81, 0]);
        bytes.extend(&random.word().to_be_bytes()[..2]);
    }
    if random.chance(30) {
        bytes.extend([0x22, 0xe9]);
        bytes.extend(&random.word().to_be_bytes()[..2]);
    }
    let feedback = random.chance(4);
    bytes.extend(if feedback { [0x22, 0xe7] } else { random.pick(&[[8, 0], [0x86, 0xdd], [0x81, 0], [0x22, 0xe9]]) });
    while bytes.len() < length {
        // Values of tags behind the EtherType must not be taken for tags.
        let more = if random.chance(10) { 0x8100_22e9_22e7_8100 } else { random.word() };
        bytes.extend(more.to_be_bytes());
    }
    bytes.truncate(length);
    let tags = tidegate_core::frame::cnm::Tags::of(&bytes);
    let ether_type = bytes.get(tags.ether_type_at..tags.ether_type_at + 2);
    let feedback = ether_type == Some(&[0x22, 0xe7]);
    (bytes, feedback)
}
