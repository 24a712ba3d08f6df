// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets of the receive path of a NetFPGA-1G, and what must come out of it.

use crate::netfpga1g_cp::packets::{Word, header, words};
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::stimulus::Random;

/// Most module headers of a packet of which feedback is removed.
const MOST_HEADERS: usize = 7;

/// A packet of the user data path.
pub struct Packet {
    pub words: Vec<Word>,
    pub frame: Frame,
    /// It stays in the receive path.
    pub passes: bool,
}

impl Packet {
    pub fn random(random: &mut Random, rule: &Rule, valid: u64) -> Packet {
        // The only word of a packet could not be told from a module header.
        let frame = Frame::random(random, rule, valid, 9);
        Packet::of(random, rule, frame)
    }

    pub fn of(random: &mut Random, rule: &Rule, frame: Frame) -> Packet {
        let mut all = Vec::new();
        let others = match random.below(20) {
            0 => random.between(3, 14),
            _ => random.below(3),
        };
        for _ in 0..others {
            all.push((random.pick(&[2, 4, 8, 0x10, 0x40, 0x80, 3, 0xfe]), random.word()));
        }
        if random.chance(95) {
            all.push(header(0, random.below(8) as u16, frame.octets.len()));
        }
        let headers = all.len();
        all.extend(words(&frame.octets));
        let (ctrl, data) = all.last_mut().unwrap();
        // Octets behind the end.
        let valid = ctrl.leading_zeros() + 1;
        if valid < 8 {
            *data |= random.word() >> (8 * valid);
        }
        if frame.bad {
            *ctrl |= 1 << random.below(8);
            while ctrl.count_ones() == 1 {
                *ctrl |= 1 << random.below(8);
            }
        }
        let passes = rule.pass_feedback || !frame.is_ours() || headers > MOST_HEADERS;
        Packet { words: all, frame, passes }
    }
}
