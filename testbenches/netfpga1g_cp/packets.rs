// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets of the NetFPGA-1G user data path as words, good ones and such as no card should send.

use tidegate_testing::frames::octets_of;
use tidegate_testing::stimulus::Random;

/// ctrl and data.
pub type Word = (u8, u64);

/// The ctrl of the module header that says what a packet is.
pub const HEADER: u8 = 0xff;
/// Words of an inserted frame behind its module header.
pub const FRAME_WORDS: usize = 8;

/// What the tap should do with a packet besides passing it.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Tell its destination queues.
    Counted,
    /// Reject it.
    Rejected,
}

#[derive(Clone, Debug)]
pub struct Packet {
    pub words: Vec<Word>,
    /// Words without module headers.
    pub length: usize,
    /// Place of the first of these.
    pub begins: usize,
    pub kind: Kind,
    pub serial: u32,
    pub source_port: u8,
    pub destinations: u8,
    pub octets: Vec<u8>,
    pub feedback: bool,
}

/// The module header with ctrl 0xff.
pub fn header(destinations: u16, source: u16, octets: usize) -> Word {
    let words = octets.div_ceil(8) as u64;
    (HEADER, u64::from(destinations) << 48 | words << 32 | u64::from(source) << 16 | octets as u64)
}

/// Octets as words; the ctrl of the last one says how many are valid.
pub fn words(octets: &[u8]) -> Vec<Word> {
    let last = octets.len().div_ceil(8) - 1;
    let word = |(place, chunk): (usize, &[u8])| {
        let mut whole = [0; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        (if place == last { 0x80 >> (chunk.len() - 1) } else { 0 }, u64::from_be_bytes(whole))
    };
    octets.chunks(8).enumerate().map(word).collect()
}

impl Packet {
    pub fn random(serial: u32, random: &mut Random) -> Packet {
        let fault = random.below(100);
        let octets = match random.below(10) {
            // At least two words: the only word of a packet could not be told from a module header.
            _ if fault < 3 => random.between(9, 24),
            0..3 => random.between(60, 128),
            3 => 60,
            _ => random.between(60, 2000),
        } as usize;
        let destinations = match random.below(100) {
            0..70 => 1 << (2 * random.below(4)),
            70..85 => 2 << (2 * random.below(4)),
            85..97 => random.below(256) as u8,
            _ => 0,
        };
        // A frame is a packet of 60 octets from port 0: no packet looks like one.
        let source_port = if octets == 60 { random.between(1, 7) } else { random.below(8) } as u8;
        let (bytes, feedback) = octets_of(octets, serial, random);
        let mut all = Vec::new();
        let other = |random: &mut Random| (random.pick(&[2, 4, 8, 0x10, 0x40, 0x80, 3, 0xfe]), random.word());
        for _ in 0..random.below(3) {
            all.push(other(random));
        }
        let strange_source = (3..5).contains(&fault);
        if !(5..8).contains(&fault) {
            let strange = if random.chance(50) { 8 } else { 8 << random.below(13) };
            let source = if strange_source { strange } else { u16::from(source_port) };
            all.push(header(u16::from(destinations), source, octets));
        }
        for _ in 0..random.below(2) {
            all.push(other(random));
        }
        let begins = all.len();
        all.extend(words(&bytes));
        Packet {
            length: all.len() - begins,
            begins,
            words: all,
            kind: if fault < 8 { Kind::Rejected } else { Kind::Counted },
            serial,
            source_port,
            destinations,
            octets: bytes,
            feedback,
        }
    }

    /// The output queues that store it.
    pub fn queues(&self, once: bool) -> u8 {
        if once && self.destinations.count_ones() != 1 { 1 } else { self.destinations }
    }
}
