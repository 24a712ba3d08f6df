// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames of a receive path, and what a reaction point does with them.

use crate::feedback_frames::{self, CPID, NATURES, Nature, RP_MAC};
use crate::stimulus::Random;
use tidegate_schemes::model::wire::{Address, Verdict, verdict};

/// Which congestion points and flows a run has.
#[derive(Clone, Copy)]
pub struct Rule {
    pub cpid_mask: u64,
    pub flow_mask: u64,
    pub pass_feedback: bool,
}

impl Rule {
    /// The address by which the model decides.
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

    /// A random frame of this nature.
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

    /// Valid feedback, nearly the strongest that there is.
    pub fn strongest(random: &mut Random, rule: &Rule) -> Frame {
        let mut cnm = feedback_frames::notification(random);
        cnm.destination[5] ^= (random.word() & rule.flow_mask) as u8;
        cnm.quantized_feedback = random.between(51, 63) as u8;
        Frame::good(cnm.to_frame(), rule)
    }

    /// A frame that was received without an error.
    pub fn good(octets: Vec<u8>, rule: &Rule) -> Frame {
        let verdict = verdict(&octets, &rule.address(), false);
        Frame { octets, bad: false, verdict }
    }

    /// Whether it is feedback for this reaction point, good or not.
    pub fn is_ours(&self) -> bool {
        !matches!(self.verdict, None | Some(Verdict::Elsewhere))
    }
}
