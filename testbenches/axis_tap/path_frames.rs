// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in the data path as beats, good ones and such as no card should send.

use crate::axis_cp::beats::{Beat, beats};
use tidegate::frame::cnm::Tags;
use tidegate_testing::frames::octets_of;
use tidegate_testing::stimulus::Random;

/// Octets of the TUSER.
pub const USER: usize = 16;
/// Octets that must be there for feedback.
const HEADER: usize = 22;

/// Lengths of frames.
#[derive(Clone, Copy, Debug)]
pub enum Lengths {
    /// From 60 to 9000 octets, most of them short; and 1 to 59 now and then.
    All,
    /// One after the other: each length up to 200, and the longest ones.
    Each,
    /// All of this length.
    Only(usize),
}

/// A frame on its way.
#[derive(Clone, Debug)]
pub struct Frame {
    pub serial: u32,
    pub octets: Vec<u8>,
    pub beats: Vec<Beat>,
    /// TUSER of each beat.
    pub users: Vec<[u8; USER]>,
    /// Octets as its TUSER says.
    pub told: u16,
    /// The port at which it came in, if there is just one.
    pub source: Option<u8>,
    /// Its output queues, a bit each.
    pub queues: u8,
    /// All octets of the header are there.
    pub whole: bool,
    pub feedback: bool,
    pub tags: Tags,
}

/// The output queues of destination ports.
pub fn queues_of(ports: u8) -> u8 {
    let mac = (0..4).map(|mac| (ports >> (2 * mac) & 1) << mac).sum::<u8>();
    mac | u8::from(ports & 0xaa != 0) << 4
}

impl Frame {
    /// A frame with its number in the source address. `faults`: some of 100 have a malformed tkeep, a wrong length, or no source.
    pub fn random(serial: u32, lengths: Lengths, faults: u64, width: usize, random: &mut Random) -> Frame {
        let length = match (lengths, random.below(20)) {
            (Lengths::Only(length), _) => length,
            (Lengths::Each, _) => match serial as usize % 210 {
                0 => 9_000,
                place @ 1..=200 => place,
                place => 1_510 + place - 200,
            },
            (_, 0) => random.between(1, 59) as usize,
            (_, 1..10) => random.between(60, 130) as usize,
            (_, 10..12) => 60,
            (_, 12..19) => random.between(60, 1514) as usize,
            _ => random.between(1514, 9000) as usize,
        };
        let (octets, feedback) = octets_of(length, serial, random);
        let mut beats = beats(&octets, width, random);
        let (mut told, mut sources) = (length as u16, 1 << random.below(8));
        if random.chance(faults) {
            match random.below(4) {
                0 => told = random.word() as u16 & 0x3ff,
                1 => sources = random.word() as u8,
                2 => sources = 0,
                _ => {
                    let place = random.below(beats.len().min(3) as u64) as usize;
                    beats[place].keep &= random.word();
                }
            }
        }
        let destinations = match random.below(100) {
            0..70 => 1 << (2 * random.below(4)),
            70..85 => 2 << (2 * random.below(4)),
            85..97 => random.below(256) as u8,
            _ => 0,
        };
        let kept = |octet: usize| beats.get(octet / width).is_some_and(|beat| beat.keep >> (octet % width) & 1 == 1);
        let whole = (0..HEADER).all(kept);
        let other = |random: &mut Random| {
            let mut user = [0; USER];
            user[..8].copy_from_slice(&random.word().to_le_bytes());
            user[8..].copy_from_slice(&random.word().to_le_bytes());
            user
        };
        let mut users: Vec<[u8; USER]> = beats.iter().map(|_| other(random)).collect();
        users[0][..2].copy_from_slice(&told.to_le_bytes());
        (users[0][2], users[0][3]) = (sources, destinations);
        // Only that of an inserted frame is 0 here.
        users[0][USER - 1] |= 0x80;
        Frame {
            serial,
            beats,
            users,
            told,
            source: (sources.count_ones() == 1).then(|| sources.trailing_zeros() as u8),
            queues: queues_of(destinations),
            whole,
            feedback,
            tags: Tags::of(&octets),
            octets,
        }
    }

    /// It may get feedback.
    pub fn controlled(&self) -> bool {
        self.whole && !self.feedback && self.source.is_some()
    }

    /// The beat with which its fields are known.
    pub fn known_with(&self, width: usize) -> usize {
        (HEADER.div_ceil(width) - 1).min(self.beats.len() - 1)
    }
}

/// The TUSER of an inserted frame.
pub fn user_of_inserted(port: u8) -> [u8; USER] {
    let mut user = [0; USER];
    (user[0], user[3]) = (60, 1 << port);
    user
}
