// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames as beats of a stream, good ones and such as no MAC should give.

use tidegate::frame::cnm::Tags;
use tidegate_testing::frames::octets_of;
use tidegate_testing::stimulus::Random;

/// A beat of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Beat {
    /// All octets, also those that are not valid.
    pub octets: Vec<u8>,
    pub keep: u64,
    pub last: bool,
    pub user: bool,
}

impl Beat {
    /// The octets that are valid, from the first one on.
    pub fn valid(&self) -> &[u8] {
        &self.octets[..self.keep.count_ones() as usize]
    }
}

/// A frame on its way.
#[derive(Clone, Debug)]
pub struct Frame {
    pub octets: Vec<u8>,
    pub beats: Vec<Beat>,
    /// Dropped, whatever the room.
    pub bad: bool,
    /// May get feedback.
    pub controlled: bool,
    /// Too short for the fields.
    pub short: bool,
    pub tags: Tags,
}

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

/// Octets as beats.
pub fn beats(octets: &[u8], width: usize, random: &mut Random) -> Vec<Beat> {
    let count = octets.len().div_ceil(width);
    let beat = |(place, chunk): (usize, &[u8])| {
        let mut whole: Vec<u8> = chunk.to_vec();
        while whole.len() < width {
            whole.push(random.word() as u8);
        }
        Beat {
            octets: whole,
            keep: u64::MAX >> (64 - chunk.len()),
            last: place + 1 == count,
            user: place + 1 < count && random.chance(20),
        }
    };
    octets.chunks(width).enumerate().map(beat).collect()
}

impl Frame {
    /// A frame with its number in the source address. `faults`: some of 100 are bad.
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
        let bad = random.chance(faults);
        if bad {
            let place = random.below(beats.len() as u64) as usize;
            let (valid, last) = (beats[place].keep, beats[place].last);
            let count = valid.count_ones();
            beats[place].keep = match random.below(5) {
                // Beats without octets, the first octet left out, a hole, not full although more comes.
                0 => 0,
                1 => valid & !1,
                2 if count > 2 => valid & !(1 << random.between(1, u64::from(count) - 2)),
                3 if !last => valid >> random.between(1, u64::from(count) - 1),
                _ => valid,
            };
            if beats[place].keep == valid {
                beats.last_mut().unwrap().user = true;
            }
        }
        let short = octets.len() < 22;
        Frame { tags: Tags::of(&octets), octets, beats, bad, controlled: !feedback && !short, short }
    }
}
