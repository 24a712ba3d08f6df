// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream of frames for a parser: feedback for it, feedback that breaks one rule, and other frames.

use super::random::{PATTERNS, Pattern, Random, Willing};
use super::values::{Mood, World};
use super::{Names, set};
use tidegate_core::frame::cnm::{Cnm, MAXIMUM_MSDU};
use tidegate_schemes::model::wire::{CP_MAC, CPID, mac_octets};

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nature {
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

const BROKEN: [Nature; 13] = [
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

/// Octets of the longest frame that a parser accepts, without tags.
const LONGEST_ACCEPTED: usize = 38 + MAXIMUM_MSDU;
/// Longest frame of the stimulus, in octets.
const LONGEST: usize = 2064;

/// The columns of a stream, and the current frame.
pub struct Frames {
    data_high: usize,
    data_low: usize,
    octets: usize,
    last: usize,
    bad_frame: usize,
    valid: usize,
    frame: [u8; LONGEST],
    length: usize,
    /// Index of the first octet of the current word.
    at: usize,
    words: Willing,
    /// Largest number of idle cycles between two frames, and the number that is left.
    gap: u64,
    idle: u64,
    /// Percentage of frames that are accepted feedback.
    share: u64,
    /// The flow, modulo their number, that most feedback of this phase is for, if it is mostly for one.
    flow: Option<u64>,
}

impl Frames {
    /// The stream of a circuit that has one.
    pub fn of(names: &Names) -> Option<Self> {
        Some(Frames {
            data_high: names.input("data_high")?,
            data_low: names.input("data_low")?,
            octets: names.input("octets")?,
            last: names.input("last")?,
            bad_frame: names.input("bad_frame")?,
            valid: names.input("valid")?,
            frame: [0; LONGEST],
            length: 0,
            at: 0,
            words: Willing::new(PATTERNS[0]),
            gap: 0,
            idle: 0,
            share: 50,
            flow: None,
        })
    }

    /// Its columns.
    pub fn columns(&self) -> [usize; 6] {
        [self.data_high, self.data_low, self.octets, self.last, self.bad_frame, self.valid]
    }

    /// Starts a new phase. Frames without gaps leave the calculator no time to recover; in a calm epoch frames are
    /// rare.
    pub fn begin(&mut self, random: &mut Random, calm: bool) {
        self.words = Willing::new(random.pick(&PATTERNS));
        self.gap = if calm { random.pick(&[300, 2000, 5000]) } else { random.pick(&[0, 20, 300, 3000]) };
        self.idle = self.idle.min(self.gap);
        self.share = random.pick(&[30, 60, 95]);
        self.flow = random.chance(50).then(|| random.word());
    }

    /// No word until the next phase.
    pub fn rest(&mut self) {
        self.words = Willing::new(Pattern::Never);
    }

    /// After a reset the parser takes the next word as the first of a frame.
    pub fn restart(&mut self) {
        self.length = 0;
    }

    /// The word of this cycle, or none. `row` holds the cycle before.
    pub fn drive(&mut self, random: &mut Random, mood: Mood, world: &World, raw: bool, row: &mut [u32]) {
        if row[self.valid] != 0 && self.length > 0 {
            self.at += 8;
        }
        if self.at >= self.length {
            self.length = 0;
        }
        if self.length == 0 && self.idle == 0 {
            self.fill(random, mood, world);
            self.at = 0;
            self.idle = random.between(0, self.gap);
        }
        self.idle = self.idle.saturating_sub(1);
        let valid = self.length > 0 && self.words.next(random);
        set(row, self.valid, u32::from(valid));
        if !valid {
            // While `valid` is low, the word may have any value.
            if random.chance(5) {
                set(row, self.data_low, random.word() as u32);
                set(row, self.last, random.below(2) as u32);
            }
            return;
        }
        let end = (self.at + 8).min(self.length);
        let mut word = [0; 8];
        word[..end - self.at].copy_from_slice(&self.frame[self.at..end]);
        let last = end == self.length;
        let octets = match last {
            true if raw && random.chance(5) => random.below(16) as u32,
            true => (end - self.at) as u32,
            // The number of octets matters in the last word only.
            false => random.pick(&[8, 8, 8, 0, 3]),
        };
        let word = u64::from_be_bytes(word);
        set(row, self.data_high, (word >> 32) as u32);
        set(row, self.data_low, word as u32);
        set(row, self.octets, octets);
        set(row, self.last, u32::from(last));
        // Whether the frame is bad matters with its last word only.
        set(row, self.bad_frame, u32::from(random.chance(if last { 5 } else { 20 })));
    }

    fn fill(&mut self, random: &mut Random, mood: Mood, world: &World) {
        let nature = match random.chance(self.share) {
            true => Nature::Notification,
            false if world.mask != 0 && random.chance(15) => Nature::OtherCpid,
            false => random.pick(&BROKEN),
        };
        let mut cnm = notification(random, mood, world);
        if world.flows > 1 {
            let flow = self.flow.filter(|_| random.chance(80)).unwrap_or_else(|| random.word());
            of_flow(&mut cnm, flow % world.flows, random, world);
        }
        match nature {
            Nature::OtherCpid => {
                let bit = random.below(64) as u32;
                // Mostly a bit of the mask: the next one above the random bit.
                let asked = (bit + world.mask.rotate_right(bit).trailing_zeros()) % 64;
                cnm.cpid ^= 1 << if random.chance(80) { asked } else { bit };
            }
            Nature::DoubleTag => cnm.vlan = Some(random.word() as u16),
            Nature::DoubleCnTag => cnm.flow_id = Some(random.word() as u16),
            Nature::SwappedTags => (cnm.vlan, cnm.flow_id) = (None, Some(random.word() as u16)),
            _ => {}
        }
        let header = 14 + 4 * u64::from(cnm.vlan.is_some()) + 4 * u64::from(cnm.flow_id.is_some());
        let octets = cnm.to_frame();
        self.length = octets.len();
        self.frame[..octets.len()].copy_from_slice(&octets);
        let flip = 1u8 << random.below(8);
        match nature {
            Nature::OtherMac => self.frame[random.below(6) as usize] ^= flip,
            Nature::OtherType => self.frame[random.between(12, header - 1) as usize] ^= flip,
            Nature::Version => self.frame[header as usize] |= 1 << random.between(4, 7),
            Nature::UnitLength => {
                let left = (self.length as u64) - header - 24;
                let length = match random.below(4) {
                    0 => random.pick(&[63, 64, 65, 127, 128, 192, 0xffff, 0x0100, 0x8000]),
                    // The longest length that fits, or one more.
                    1 | 2 => left + random.below(2),
                    _ => u64::from(random.bus(16)),
                };
                self.frame[header as usize + 22..][..2].copy_from_slice(&(length as u16).to_be_bytes());
            }
            Nature::Runt => self.length = random.pick(&[1, 7, 8, 9, 16, 30, 38, 52, 56, 58, 59]),
            Nature::Giant => {
                // Each second one is just one octet too long: all others would be too long for an off-by-one as well.
                let longer = random.pick(&[103, 106, 107, 110, 111, 113, 120, 121, 128, 129, 256, 1514, 2050]);
                let longer = longer + random.below(8) as usize;
                let least = LONGEST_ACCEPTED + 1 + header as usize - 14;
                self.resize(if random.chance(50) { least } else { longer }, random);
            }
            Nature::Trailer => self.resize(self.length + random.between(1, 8) as usize, random),
            Nature::DoubleTag => self.insert(12, [0x81, 0x00]),
            // In front of the EtherType, and so behind the other CN-TAG.
            Nature::DoubleCnTag => self.insert(header as usize - 2, [0x22, 0xe9]),
            Nature::SwappedTags => self.insert(header as usize - 2, [0x81, 0x00]),
            Nature::Reserved => {
                self.frame[header as usize] |= random.below(16) as u8;
                self.frame[header as usize + 1] |= (random.below(4) as u8) << 6;
                self.frame[header as usize + 14] |= random.below(32) as u8;
            }
            Nature::Data => {
                self.length = 0;
                self.resize(random.between(15, 1518) as usize, random);
                if random.chance(50) {
                    self.frame[..6].copy_from_slice(&mac_octets(destination(world)));
                    let kind = random.pick(&[[0x08, 0x00], [0x81, 0x00], [0x22, 0xe9], [0x22, 0xe7]]);
                    self.frame[12..14].copy_from_slice(&kind);
                }
            }
            Nature::Notification | Nature::OtherCpid => {}
        }
    }

    /// Puts a tag of this EtherType in front of the octet `at`; its other two octets are those that stood there.
    fn insert(&mut self, at: usize, kind: [u8; 2]) {
        self.frame.copy_within(at..self.length, at + 4);
        self.frame[at..at + 2].copy_from_slice(&kind);
        self.length += 4;
    }

    /// Shortens the frame, or appends random octets.
    fn resize(&mut self, length: usize, random: &mut Random) {
        for octet in self.frame.iter_mut().take(length).skip(self.length) {
            *octet = random.word() as u8;
        }
        self.length = length;
    }
}

/// An address of this reaction point: the low bits number the flow, another one for each set of parameters.
fn destination(world: &World) -> u64 {
    world.rp_mac ^ world.rp_mac >> 20 & world.flow_mask
}

/// Frames of a reaction point of many flows are for one of them, and some for none: by address, and mostly by CN-TAG.
fn of_flow(cnm: &mut Cnm, flow: u64, random: &mut Random, world: &World) {
    cnm.destination = mac_octets(world.rp_mac ^ flow & world.flow_mask);
    if random.chance(80) {
        cnm.flow_id = random.pick(&[None, Some(flow as u16), Some(flow as u16)]);
    }
}

/// A frame that is accepted: for this reaction point, from an allowed congestion point.
fn notification(random: &mut Random, mood: Mood, world: &World) -> Cnm {
    // The second one has the digest of the first.
    let known = random.pick(&[CPID, CPID, CPID ^ 1 << 16 ^ 1 << 32, CPID ^ 1, u64::MAX, 0]);
    let length = random.pick(&[0, 0, 1, 22, MAXIMUM_MSDU]);
    Cnm {
        destination: mac_octets(destination(world)),
        source: mac_octets(CP_MAC),
        vlan: random.chance(40).then(|| random.word() as u16),
        flow_id: random.chance(40).then(|| random.word() as u16),
        quantized_feedback: world.quantized_feedback(random, mood) as u8,
        cpid: (known & !world.mask) | (world.allowed_cpid & world.mask),
        q_offset: world.units(random, mood) as i16,
        q_delta: world.units(random, mood) as i16,
        priority: random.below(8) as u8,
        encapsulated_destination: mac_octets(random.word() >> 16),
        msdu: vec![0xa5; length],
    }
}
