//! Packets of the receive path, and what must come out of it.

use crate::feedback_frames::{self, CPID, NATURES, Nature, RP_MAC};
use crate::packets::{Word, header, words};
use crate::stimulus::Random;
use tidegate::model::wire::{Address, Verdict, verdict};

/// Most module headers of a packet of which feedback is removed.
const MOST_HEADERS: usize = 7;

/// Which congestion points and flows a run has.
#[derive(Clone, Copy)]
pub struct Rule {
    pub cpid_mask: u64,
    pub flow_mask: u64,
    pub pass_feedback: bool,
}

impl Rule {
    pub fn address(&self) -> Address {
        let mac = RP_MAC.iter().fold(0, |mac, &octet| mac << 8 | u64::from(octet)) & !self.flow_mask;
        Address { mac, cpid: CPID & self.cpid_mask, cpid_mask: self.cpid_mask, flow_mask: self.flow_mask }
    }
}

/// A frame of a receive path: its octets, whether it was received with an error, and what the parser tells of it.
#[derive(Debug)]
pub struct Frame {
    pub octets: Vec<u8>,
    pub bad: bool,
    pub verdict: Option<Verdict>,
}

impl Frame {
    /// A frame of any kind; `valid`: of 100, how many are valid feedback.
    pub fn random(random: &mut Random, rule: &Rule, valid: u64, shortest: usize) -> Frame {
        let nature = if random.chance(valid) {
            Nature::Notification
        } else if random.chance(50) {
            Nature::Data
        } else {
            random.pick(&NATURES)
        };
        Frame::of(random, rule, nature, shortest)
    }

    pub fn of(random: &mut Random, rule: &Rule, nature: Nature, shortest: usize) -> Frame {
        let mut octets = feedback_frames::frame(random, nature);
        if octets.len() < shortest {
            octets.resize(shortest, 0x22);
        }
        if octets.len() > 5 && octets[..5] == RP_MAC[..5] && nature != Nature::OtherMac {
            octets[5] ^= (random.word() & rule.flow_mask) as u8;
        }
        let bad = random.chance(4);
        let verdict = verdict(&octets, &rule.address(), bad);
        Frame { octets, bad, verdict }
    }

    /// Whether it is feedback for this reaction point, good or not.
    pub fn is_ours(&self) -> bool {
        !matches!(self.verdict, None | Some(Verdict::Elsewhere))
    }
}

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
