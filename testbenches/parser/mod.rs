// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parser, compared with [`Cnm::parse`]: it takes a word in every cycle, accepts exactly the frames for it unless
//! another feedback waits, in order, tells what becomes of all others, and knows the congestion point that it
//! remembers, for any gaps in the stream and any delay of the calculator.

use std::collections::{BTreeMap, BTreeSet};
use tidegate::frame::cnm::Cnm;
use tidegate::rtl::reaction_point::parser::Parser;
use tidegate_hdl::simulation::Clocked;
use tidegate_testing::feedback_frames::{CPID, NATURES, Nature, RP_MAC, frame, header, notification};
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing, value};

/// Which congestion points are allowed: CPID and mask.
const RULES: [(u64, u64); 5] =
    [(0, 0), (CPID, u64::MAX), (CPID, 0xffff), (CPID, 0xffff_0000_0000_0000), (CPID, 0x8000_0001_8000_0001)];

/// The output fields of the parser, and the CPID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fields {
    quantized_feedback: u64,
    q_offset: i16,
    q_delta: i16,
    cpid: u64,
    flow_id: Option<u16>,
}

/// What becomes of a frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fate {
    /// No output tells of it.
    Untold,
    Elsewhere,
    Malformed,
    Refused,
    Dropped,
    Taken,
}

/// What becomes of a frame while no feedback waits, and the fields of one that is taken.
fn expected(frame: &[u8], bad: bool, (allowed, mask): (u64, u64)) -> (Fate, Option<Fields>) {
    let is = |place: usize, kind: [u8; 2]| frame.get(place..place + 2) == Some(&kind[..]);
    let behind_vlan = if is(12, [0x81, 0x00]) { 16 } else { 12 };
    let place = if is(behind_vlan, [0x22, 0xe9]) { behind_vlan + 4 } else { behind_vlan };
    // Told if it goes on behind the word of its EtherType.
    if frame.len() <= place / 8 * 8 + 8 || !is(place, [0x22, 0xe7]) {
        return (Fate::Untold, None);
    }
    if frame[..6] != RP_MAC {
        return (Fate::Elsewhere, None);
    }
    match Cnm::parse(frame) {
        Err(_) => (Fate::Malformed, None),
        Ok(_) if bad => (Fate::Malformed, None),
        Ok(cnm) if (cnm.cpid ^ allowed) & mask != 0 => (Fate::Refused, None),
        Ok(cnm) => {
            let fields = Fields {
                quantized_feedback: cnm.quantized_feedback.into(),
                q_offset: cnm.q_offset,
                q_delta: cnm.q_delta,
                cpid: cnm.cpid,
                flow_id: cnm.flow_id,
            };
            (Fate::Taken, Some(fields))
        }
    }
}

struct Bench {
    clocked: Clocked<Parser>,
    random: Random,
    gaps: Willing,
    calculator: Willing,
    rule: (u64, u64),
    /// Accepted and not yet taken by the calculator.
    pending: Option<Fields>,
    /// The CPID that it was told to remember.
    remembered: Option<u64>,
    /// What becomes of the frame that ended in the cycle before.
    ended: Option<(Fate, Option<Fields>)>,
    /// What became of the frame that ended two cycles before.
    fate: Fate,
    cycles: u64,
}

impl Bench {
    fn new(seed: u64, rule: (u64, u64), gaps: Pattern, calculator: Pattern) -> Self {
        let mac = RP_MAC.iter().fold(0, |mac, &octet| mac << 8 | u64::from(octet));
        let (allowed, mask) = rule;
        let clocked = Clocked::<Parser>::new(&|name| match name {
            "rp_mac_high" => mac >> 32,
            "rp_mac_low" => mac & 0xffff_ffff,
            "allowed_cpid_high" => allowed >> 32,
            "allowed_cpid_low" => allowed & 0xffff_ffff,
            "allowed_cpid_mask_high" => mask >> 32,
            "allowed_cpid_mask_low" => mask & 0xffff_ffff,
            "cpid_any" | "cpid_digest" | "flow_mask" => 0,
            other => panic!("no value for `{other}`"),
        });
        let (gaps, calculator) = (Willing::new(gaps), Willing::new(calculator));
        let (pending, remembered) = (None, None);
        Bench {
            clocked,
            random: Random::new(seed),
            gaps,
            calculator,
            rule,
            pending,
            remembered,
            ended: None,
            fate: Fate::Untold,
            cycles: 0,
        }
    }

    /// One cycle with this word on the stream, or none; returns whether a feedback waited in it and was not taken.
    /// `ends` is what becomes of the frame whose last word it is.
    fn cycle(&mut self, word: Option<&[u8]>, ends: Option<(Fate, Option<Fields>)>, bad: bool) -> bool {
        let random = &mut self.random;
        let (calculator_ready, remember) = (self.calculator.next(random), random.chance(50));
        // While `valid` is low, the word may have any value.
        let mut octets: [u8; 8] = random.word().to_be_bytes();
        let mut count = random.bus(4);
        if let Some(word) = word {
            octets[..word.len()].copy_from_slice(word);
            if ends.is_some() {
                count = word.len() as u64;
            }
        }
        let stream = u64::from_be_bytes(octets);
        let circuit = &mut self.clocked.circuit;
        circuit.data_high.next = (stream >> 32).into();
        circuit.data_low.next = (stream & 0xffff_ffff).into();
        circuit.octets.next = count.into();
        circuit.last.next = if word.is_some() { ends.is_some() } else { random.chance(50) };
        // It matters with the last word only.
        circuit.bad_frame.next = if ends.is_some() { bad } else { random.chance(50) };
        circuit.valid.next = word.is_some();
        circuit.feedback_ready.next = calculator_ready;
        circuit.remember.next = remember;
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        assert_eq!(circuit.feedback_valid.val(), self.pending.is_some(), "valid in cycle {}", self.cycles);
        // In each cycle until it is taken, so that it is also stable.
        if let Some(fields) = self.pending {
            let seen = Fields {
                quantized_feedback: value(circuit.quantized_feedback.val()),
                q_offset: value(circuit.q_offset_units.val()) as i16,
                q_delta: value(circuit.q_delta_units.val()) as i16,
                cpid: fields.cpid,
                flow_id: circuit.has_flow_id.val().then(|| value(circuit.flow_id.val()) as u16),
            };
            assert!(seen.flow_id.is_some() || value(circuit.flow_id.val()) == 0, "cycle {}", self.cycles);
            assert_eq!(seen, fields, "cycle {}", self.cycles);
            assert_eq!(circuit.same_point.val(), self.remembered == Some(fields.cpid), "cycle {}", self.cycles);
        }
        for (told, fate) in [
            (&circuit.frame_elsewhere, Fate::Elsewhere),
            (&circuit.frame_malformed, Fate::Malformed),
            (&circuit.frame_refused, Fate::Refused),
            (&circuit.frame_dropped, Fate::Dropped),
            (&circuit.frame_taken, Fate::Taken),
        ] {
            assert_eq!(told.val(), self.fate == fate, "{fate:?} in cycle {}", self.cycles);
        }
        let waits = self.pending.is_some() && !calculator_ready;
        if let Some(fields) = self.pending.filter(|_| calculator_ready) {
            self.pending = None;
            if remember {
                self.remembered = Some(fields.cpid);
            }
        }
        let (fate, fields) = std::mem::replace(&mut self.ended, ends).unwrap_or((Fate::Untold, None));
        self.fate = fate;
        if fields.is_some() {
            self.pending = fields;
        }
        self.clocked.edge();
        self.cycles += 1;
        waits
    }

    /// Sends a frame, with gaps before and between its words. Returns what becomes of it.
    fn send(&mut self, frame: &[u8], bad: bool) -> Fate {
        let (mut fate, mut fields) = expected(frame, bad, self.rule);
        let words = frame.len().div_ceil(8);
        for (index, word) in frame.chunks(8).enumerate() {
            while !self.gaps.next(&mut self.random) {
                self.cycle(None, None, bad);
            }
            let ends = (index + 1 == words).then_some((fate, fields));
            let waits = self.cycle(Some(word), ends, bad);
            if index == 1 && waits && fate == Fate::Taken {
                (fate, fields) = (Fate::Dropped, None);
            }
        }
        fate
    }

    /// Lets the calculator take the last accepted feedback.
    fn drain(&mut self) {
        let since = self.cycles;
        while self.pending.is_some() || self.ended.is_some() {
            self.cycle(None, None, false);
            assert!(self.cycles < since + 5000, "the last feedback is not taken");
        }
        self.cycle(None, None, false);
    }
}

/// Every pattern of gaps with every pattern of a calculator, under every rule.
#[test]
fn takes_what_is_for_it_and_tells_of_the_rest() {
    let mut fates = BTreeMap::new();
    let mut seed = 0;
    for gaps in PATTERNS {
        for calculator in PATTERNS {
            for rule in RULES {
                seed += 1;
                let mut bench = Bench::new(seed, rule, gaps, calculator);
                for _ in 0..60 {
                    let nature = bench.random.pick(&NATURES);
                    let nature = if bench.random.chance(40) { Nature::Notification } else { nature };
                    let frame = frame(&mut bench.random, nature);
                    let bad = bench.random.chance(5);
                    fates.entry(nature).or_insert(BTreeSet::new()).insert(bench.send(&frame, bad));
                }
                bench.drain();
            }
        }
    }
    // Checks the stimulus.
    use Fate::*;
    for nature in NATURES {
        let possible: &[Fate] = match nature {
            Nature::Notification | Nature::Reserved => &[Malformed, Dropped, Taken],
            Nature::OtherCpid => &[Malformed, Refused, Dropped, Taken],
            // 103 to 110 octets are a tagged frame's.
            Nature::UnitLength | Nature::Trailer | Nature::Giant => &[Malformed, Dropped, Taken],
            // The bits of a tag that count for nothing may be other ones.
            Nature::OtherType => &[Untold, Malformed, Dropped, Taken],
            Nature::OtherMac => &[Elsewhere],
            Nature::Version => &[Malformed],
            Nature::Runt => &[Untold, Malformed],
            Nature::DoubleTag | Nature::DoubleCnTag | Nature::SwappedTags => &[Untold],
            Nature::Data => &[Untold, Malformed],
        };
        assert_eq!(fates[&nature], possible.iter().copied().collect(), "{nature:?}");
    }
}

/// Every length from 1 to 130 octets, with every choice of tags, with the longest unit that fits: the edges at 60, 102,
/// 106 and 110.
#[test]
fn every_length() {
    for (vlan, flow_id) in [(None, None), (Some(0xe001), None), (None, Some(9)), (Some(0xe001), Some(9))] {
        let mut bench = Bench::new(7, RULES[1], Pattern::Always, Pattern::Always);
        let tags = Cnm { vlan, flow_id, ..notification(&mut bench.random) };
        let header = header(&tags);
        for length in 1..=130usize {
            let unit = length.saturating_sub(header + 24).min(64);
            let cnm = Cnm { vlan, flow_id, msdu: vec![0x55; unit], ..notification(&mut bench.random) };
            let mut frame = cnm.to_frame();
            frame.resize(length, 0);
            let most = header + 88;
            assert_eq!(bench.send(&frame, false) == Fate::Taken, (60..=most).contains(&length), "{length} octets");
        }
        bench.drain();
    }
}

/// The result for a frame does not depend on the frames before it, accepted or not.
#[test]
fn back_to_back() {
    let mut random = Random::new(3);
    for first in NATURES {
        for second in NATURES {
            let mut bench = Bench::new(11, RULES[1], Pattern::Always, Pattern::Always);
            let start = bench.cycles;
            let (first, second) = (frame(&mut random, first), frame(&mut random, second));
            bench.send(&first, false);
            bench.send(&second, false);
            let words = (first.len().div_ceil(8) + second.len().div_ceil(8)) as u64;
            assert_eq!(bench.cycles - start, words, "a word in every cycle");
            bench.drain();
        }
    }
}

/// A tag or an EtherType that would be right only with contents of an earlier frame.
#[test]
fn nothing_is_left_of_a_runt() {
    let mut bench = Bench::new(5, RULES[0], Pattern::Always, Pattern::Always);
    let mut with = |vlan, flow_id| Cnm { vlan, flow_id, ..notification(&mut bench.random) }.to_frame();
    let frames = [with(None, None), with(Some(0xa00b), None), with(None, Some(0x22e7)), with(Some(0xa00b), Some(1))];
    for octets in 1..60 {
        for runt in &frames {
            for whole in &frames {
                assert_ne!(bench.send(&runt[..octets], false), Fate::Taken);
                assert_eq!(bench.send(whole, false), Fate::Taken);
            }
        }
    }
    bench.drain();
}
