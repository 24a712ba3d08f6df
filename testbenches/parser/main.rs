//! The parser, compared with [`Cnm::parse`]: it accepts exactly the frames for it, in order, and counts all others, for
//! any gaps in the stream and any delay of the calculator.

#[path = "../common/stimulus.rs"]
mod stimulus;

use std::collections::BTreeMap;
use stimulus::{PATTERNS, Pattern, Random, Willing, value};
use tidegate::frame::cnm::Cnm;
use tidegate::rtl::reaction_point::parser::Parser;
use tidegate::rtl::simulation::Clocked;

const RP_MAC: [u8; 6] = [0x02, 0x12, 0x34, 0x56, 0x78, 0x9a];
const CPID: u64 = 0x0123_4567_89ab_cdef;

/// Which congestion points are allowed: CPID and mask.
const RULES: [(u64, u64); 5] =
    [(0, 0), (CPID, u64::MAX), (CPID, 0xffff), (CPID, 0xffff_0000_0000_0000), (CPID, 0x8000_0001_8000_0001)];

fn fill(random: &mut Random, octets: &mut [u8]) {
    octets.iter_mut().for_each(|octet| *octet = random.word() as u8);
}

/// A frame that this reaction point takes under every rule.
fn notification(random: &mut Random) -> Cnm {
    let mut msdu = vec![0; random.between(0, 64) as usize];
    fill(random, &mut msdu);
    Cnm {
        destination: RP_MAC,
        source: std::array::from_fn(|_| random.word() as u8),
        vlan: random.chance(50).then(|| random.word() as u16),
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
    Reserved,
    Data,
}

const NATURES: [Nature; 12] = [
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
    Nature::Reserved,
    Nature::Data,
];

fn frame(random: &mut Random, nature: Nature) -> Vec<u8> {
    let mut cnm = notification(random);
    if nature == Nature::OtherCpid {
        cnm.cpid ^= 1 << random.below(64);
    }
    if nature == Nature::DoubleTag {
        cnm.vlan = Some(random.word() as u16);
    }
    let header = if cnm.vlan.is_some() { 18 } else { 14 };
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

/// The output fields of the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fields {
    quantized_feedback: u64,
    q_offset: i16,
    q_delta: i16,
    cpid: u64,
}

fn expected(frame: &[u8], (allowed, mask): (u64, u64)) -> Option<Fields> {
    let cnm = Cnm::parse(frame).ok()?;
    (cnm.destination == RP_MAC && (cnm.cpid ^ allowed) & mask == 0).then(|| Fields {
        quantized_feedback: cnm.quantized_feedback.into(),
        q_offset: cnm.q_offset,
        q_delta: cnm.q_delta,
        cpid: cnm.cpid,
    })
}

struct Bench {
    clocked: Clocked<Parser>,
    random: Random,
    gaps: Willing,
    calculator: Willing,
    rule: (u64, u64),
    /// Accepted and not yet taken by the calculator.
    pending: Option<Fields>,
    /// The frame that ended in the cycle before was ignored.
    ignored: bool,
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
            other => panic!("no value for `{other}`"),
        });
        let (gaps, calculator) = (Willing::new(gaps), Willing::new(calculator));
        Bench { clocked, random: Random::new(seed), gaps, calculator, rule, pending: None, ignored: false, cycles: 0 }
    }

    /// One cycle with this word on the stream, or none; returns whether it was taken. `outcome` is the expected result
    /// of the last word of a frame.
    fn cycle(&mut self, word: Option<&[u8]>, last: bool, outcome: Option<Fields>) -> bool {
        let random = &mut self.random;
        let calculator_ready = self.calculator.next(random);
        // While `valid` is low, the word may have any value.
        let mut octets: [u8; 8] = random.word().to_be_bytes();
        let mut count = random.bus(4);
        if let Some(word) = word {
            octets[..word.len()].copy_from_slice(word);
            if last {
                count = word.len() as u64;
            }
        }
        let stream = u64::from_be_bytes(octets);
        let circuit = &mut self.clocked.circuit;
        circuit.data_high.next = (stream >> 32).into();
        circuit.data_low.next = (stream & 0xffff_ffff).into();
        circuit.octets.next = count.into();
        circuit.last.next = if word.is_some() { last } else { random.chance(50) };
        circuit.valid.next = word.is_some();
        circuit.feedback_ready.next = calculator_ready;
        self.clocked.settle();
        let circuit = &self.clocked.circuit;
        // Never stuck: it waits only for the calculator.
        assert_eq!(circuit.ready.val(), self.pending.is_none() || calculator_ready, "ready in cycle {}", self.cycles);
        assert_eq!(circuit.feedback_valid.val(), self.pending.is_some(), "valid in cycle {}", self.cycles);
        // In each cycle until it is taken, so that it is also stable.
        if let Some(fields) = self.pending {
            let seen = Fields {
                quantized_feedback: value(circuit.quantized_feedback.val()),
                q_offset: value(circuit.q_offset_units.val()) as i16,
                q_delta: value(circuit.q_delta_units.val()) as i16,
                cpid: value(circuit.cpid_high.val()) << 32 | value(circuit.cpid_low.val()),
            };
            assert_eq!(seen, fields, "cycle {}", self.cycles);
        }
        assert_eq!(circuit.frame_ignored.val(), self.ignored, "cycle {}", self.cycles);
        let taken = word.is_some() && circuit.ready.val();
        if calculator_ready {
            self.pending = None;
        }
        self.ignored = taken && last && outcome.is_none();
        if taken && last && outcome.is_some() {
            self.pending = outcome;
        }
        self.clocked.edge();
        self.cycles += 1;
        taken
    }

    /// Sends a frame, with gaps before and between its words.
    fn send(&mut self, frame: &[u8]) -> bool {
        let outcome = expected(frame, self.rule);
        let words = frame.len().div_ceil(8);
        for (index, word) in frame.chunks(8).enumerate() {
            while !self.gaps.next(&mut self.random) {
                self.cycle(None, false, None);
            }
            let since = self.cycles;
            while !self.cycle(Some(word), index + 1 == words, outcome) {
                assert!(self.cycles < since + 5000, "word {index} does not go over");
            }
        }
        outcome.is_some()
    }

    /// Lets the calculator take the last accepted feedback.
    fn drain(&mut self) {
        let since = self.cycles;
        while self.pending.is_some() {
            self.cycle(None, false, None);
            assert!(self.cycles < since + 5000, "the last feedback is not taken");
        }
        self.cycle(None, false, None);
    }
}

/// Every pattern of gaps with every pattern of a calculator, under every rule.
#[test]
fn takes_what_is_for_it_and_counts_the_rest() {
    let mut taken = BTreeMap::new();
    let mut seed = 0;
    for gaps in PATTERNS {
        for calculator in PATTERNS {
            for rule in RULES {
                seed += 1;
                let mut bench = Bench::new(seed, rule, gaps, calculator);
                for _ in 0..200 {
                    let nature = bench.random.pick(&NATURES);
                    let nature = if bench.random.chance(40) { Nature::Notification } else { nature };
                    let frame = frame(&mut bench.random, nature);
                    let (yes, no) = taken.entry(nature).or_insert((0u32, 0u32));
                    *(if bench.send(&frame) { yes } else { no }) += 1;
                }
                bench.drain();
            }
        }
    }
    // Checks the stimulus.
    for nature in NATURES {
        let (yes, no) = taken[&nature];
        let (may_be_taken, may_be_ignored) = match nature {
            Nature::Notification | Nature::Reserved => (true, false),
            Nature::OtherCpid | Nature::UnitLength | Nature::Trailer | Nature::OtherType => (true, true),
            Nature::OtherMac | Nature::Version | Nature::Runt | Nature::DoubleTag | Nature::Data => (false, true),
            Nature::Giant => (true, true), // 103 to 106 octets are a tagged frame's
        };
        assert_eq!((yes > 0, no > 0), (may_be_taken, may_be_ignored), "{nature:?}: {yes} taken, {no} ignored");
    }
}

/// Every length from 1 to 130 octets, tagged and not, with the longest unit that fits: the edges at 60, 102 and 106.
#[test]
fn every_length() {
    for vlan in [None, Some(0xe001)] {
        let mut bench = Bench::new(7, RULES[1], Pattern::Always, Pattern::Always);
        let header = if vlan.is_some() { 18 } else { 14 };
        for length in 1..=130usize {
            let unit = length.saturating_sub(header + 24).min(64);
            let cnm = Cnm { vlan, msdu: vec![0x55; unit], ..notification(&mut bench.random) };
            let mut frame = cnm.to_frame();
            frame.resize(length, 0);
            let most = header + 88;
            assert_eq!(bench.send(&frame), (60..=most).contains(&length), "{length} octets");
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
            bench.send(&first);
            bench.send(&second);
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
    let tagged = Cnm { vlan: Some(0xa00b), ..notification(&mut bench.random) }.to_frame();
    let plain = Cnm { vlan: None, ..notification(&mut bench.random) }.to_frame();
    for octets in 1..60 {
        assert!(!bench.send(&tagged[..octets]));
        assert!(bench.send(&plain));
        assert!(!bench.send(&plain[..octets]));
        assert!(bench.send(&tagged));
    }
    bench.drain();
}
