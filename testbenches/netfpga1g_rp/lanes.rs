// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets before a transmit queue of a NetFPGA-1G, and its gate.

use crate::netfpga1g_cp::packets::{HEADER, Packet, Word};
use crate::netfpga1g_rp::world::{Case, parameters};
use std::collections::VecDeque;
use tidegate::frame::cnm::{ETHERTYPE_CN_TAG, ETHERTYPE_CNM, Tags};
use tidegate::units::RATE_FRACTION_BITS;
use tidegate_testing::pins::Pins;
use tidegate_testing::stimulus::{Pattern, Random, Willing};

/// What numbers flows, which gates are controlled, and the bucket.
#[derive(Clone, Copy)]
pub struct Departures {
    pub flow_source: u64,
    pub controlled: u64,
    /// Packets that wait get a CN-TAG.
    pub tags: bool,
    /// Depth of the buckets, bytes.
    pub bucket: u64,
    pub source: Pattern,
    pub sink: Pattern,
}

/// A packet on its way through a gate.
struct Going {
    words: usize,
    /// What it costs: flow and bytes.
    cost: Option<(u64, u64)>,
}

/// What a gate must do with a packet.
struct Expected {
    /// The words that go out.
    words: Vec<Word>,
    /// The flow and the bytes that it pays for.
    cost: Option<(u64, u64)>,
    rejected: bool,
    tagged: bool,
}

pub struct Lane {
    gate: u64,
    case: Case,
    source: Willing,
    sink: Willing,
    rdy: VecDeque<bool>,
    entering: VecDeque<Word>,
    leaving: VecDeque<Word>,
    going: VecDeque<Going>,
    /// Words of the first of these that have gone.
    gone: usize,
    made: u32,
    /// What must be announced: flow and bytes.
    pub announced: Vec<(u64, u64)>,
    pub rejected: u64,
    /// Packets that got a CN-TAG, and those that are longer than the bucket.
    pub tagged: u64,
    pub oversize: u64,
    /// Line rate, bytes a cycle.
    line_rate: u64,
    /// Bytes that may go of each flow, and the cycle of this value: a bucket at line rate, with one more packet, because a
    /// packet is paid before it goes.
    levels: Vec<(u64, u64)>,
    /// Cycles in which a word went.
    pub busy: u64,
    in_data: usize,
    in_ctrl: usize,
    in_wr: usize,
    in_rdy: usize,
    out_data: usize,
    out_ctrl: usize,
    out_wr: usize,
    out_rdy: usize,
}

fn expected(words: &[Word], gate: u64, case: &Case) -> Expected {
    let begins = words.iter().position(|word| word.0 == 0).unwrap();
    let headers = &words[..begins];
    let length = headers.iter().rev().find(|word| word.0 == HEADER).map(|word| word.1 & 0xffff);
    let octets = octets(&words[begins..]);
    let unchanged = Expected { words: words.to_vec(), cost: None, rejected: false, tagged: false };
    let (Some(length), true, true) = (length, begins < 8, octets.len() > 24) else {
        return Expected { rejected: true, ..unchanged };
    };
    let tags = Tags::of(&octets);
    let feedback = octets[tags.ether_type_at..][..2] == ETHERTYPE_CNM.to_be_bytes();
    let low = |at: usize| u64::from(u16::from_be_bytes([octets[at], octets[at + 1]]));
    let flow = match case.rules.flow_source {
        0 => gate,
        1 => tags.flow_id.unwrap_or(0).into(),
        2 => low(10),
        _ => low(4),
    } & (case.flows - 1);
    if case.rules.controlled >> gate & 1 == 0 || feedback {
        return unchanged;
    }
    if !case.rules.tags || tags.flow_id.is_some() || length > 0x3fff - 4 {
        return Expected { cost: Some((flow, length.min(0x3fff))), ..unchanged };
    }
    let mut tagged = octets;
    let tag = [ETHERTYPE_CN_TAG.to_be_bytes(), (flow as u16).to_be_bytes()].concat();
    tagged.splice(tags.ether_type_at..tags.ether_type_at, tag);
    let longer = |&(ctrl, data): &Word| {
        let octets = data & 0xffff;
        let more = (octets + 4).div_ceil(8) - octets.div_ceil(8);
        (ctrl, if ctrl == HEADER { data + (more << 32) + 4 } else { data })
    };
    let words = headers.iter().map(longer).chain(crate::netfpga1g_cp::packets::words(&tagged)).collect();
    Expected { words, cost: Some((flow, length + 4)), rejected: false, tagged: true }
}

/// The octets of the words of a packet; the last one says how many it has.
fn octets(words: &[Word]) -> Vec<u8> {
    let valid = words.last().unwrap().0.leading_zeros() as usize + 1;
    let all = words.iter().flat_map(|word| word.1.to_be_bytes());
    all.take(8 * (words.len() - 1) + valid).collect()
}

/// The payments for so many bytes, in a bucket of this depth.
fn payments(mut bytes: u64, bucket: u64) -> Vec<u64> {
    let mut parts = Vec::new();
    while bytes > bucket {
        parts.push(bucket / 2);
        bytes -= bucket / 2;
    }
    parts.push(bytes);
    parts
}

impl Lane {
    pub fn new(gate: u64, case: &Case, pins: &Pins) -> Lane {
        let input = |name: &str| pins.input(&format!("tx_{name}_{gate}"));
        let output = |name: &str| pins.output(&format!("tx_{name}_{gate}"));
        Lane {
            gate,
            case: *case,
            source: Willing::new(case.rules.source),
            sink: Willing::new(case.rules.sink),
            rdy: VecDeque::from(vec![false; case.late]),
            entering: VecDeque::new(),
            leaving: VecDeque::new(),
            going: VecDeque::new(),
            gone: 0,
            made: 0,
            announced: Vec::new(),
            rejected: 0,
            tagged: 0,
            oversize: 0,
            line_rate: u64::from(parameters(case).1.rate("line_rate_mbps").0) >> RATE_FRACTION_BITS,
            levels: vec![(0, 0); case.flows as usize],
            busy: 0,
            in_data: input("in_data"),
            in_ctrl: input("in_ctrl"),
            in_wr: input("in_wr"),
            in_rdy: output("in_rdy"),
            out_data: output("out_data"),
            out_ctrl: output("out_ctrl"),
            out_wr: output("out_wr"),
            out_rdy: input("out_rdy"),
        }
    }

    /// Packets always wait from now on.
    pub fn send_without_end(&mut self) {
        self.case.departures = u32::MAX;
    }

    /// Whether all packets have gone.
    pub fn is_empty(&self) -> bool {
        self.made == self.case.departures && self.entering.is_empty() && self.leaving.is_empty()
    }

    fn make(&mut self, random: &mut Random) {
        let mut words = Packet::random(self.made, random).words;
        if random.chance(3) {
            let others = random.between(1, 12);
            words.splice(0..0, (0..others).map(|_| (random.pick(&[2, 4, 0x80]), random.word())));
        }
        if random.chance(1) {
            let long = random.between(1, 0xffff);
            words.iter_mut().filter(|word| word.0 == HEADER).for_each(|word| word.1 |= long);
        }
        let expected = expected(&words, self.gate, &self.case);
        if let Some((flow, bytes)) = expected.cost {
            let parts = payments(bytes, self.case.rules.bucket);
            self.oversize += u64::from(parts.len() > 1);
            self.announced.extend(parts.into_iter().map(|part| (flow, part)));
        }
        self.rejected += u64::from(expected.rejected);
        self.tagged += u64::from(expected.tagged);
        self.going.push_back(Going { words: expected.words.len(), cost: expected.cost });
        self.entering.extend(words);
        self.leaving.extend(expected.words);
        self.made += 1;
    }

    /// The inputs of a cycle.
    pub fn drive(&mut self, pins: &mut Pins, random: &mut Random) {
        while self.entering.len() < 64 && self.made < self.case.departures {
            self.make(random);
        }
        let willing = self.source.next(random);
        let writes = self.rdy[0] && willing && !self.entering.is_empty();
        let word = if writes { self.entering.pop_front().unwrap() } else { (random.word() as u8, random.word()) };
        pins.set(self.in_wr, writes.into());
        pins.set(self.in_ctrl, word.0.into());
        pins.set(self.in_data, word.1);
        pins.set(self.out_rdy, self.sink.next(random).into());
    }

    /// Inputs of a cycle without words.
    pub fn pause(&self, pins: &mut Pins) {
        pins.set(self.in_wr, 0);
    }

    /// What came out in a cycle.
    pub fn watch(&mut self, pins: &Pins) {
        self.rdy.push_back(pins.get(self.in_rdy) == 1);
        self.rdy.pop_front();
        if pins.get(self.out_wr) == 0 {
            return;
        }
        self.busy += 1;
        let word = (pins.get(self.out_ctrl) as u8, pins.get(self.out_data));
        let context = (pins.cycle, self.gate, self.made);
        assert_eq!(Some(word), self.leaving.pop_front(), "{context:?}: cycle, gate, packets: a word goes out");
        let Going { words, cost } = self.going[0];
        if self.gone == 0
            && let Some((flow, bytes)) = cost
        {
            let (level, since) = self.levels[flow as usize];
            let level = (level + self.line_rate * (pins.cycle - since)).min(self.case.rules.bucket + bytes);
            assert!(self.case.rules.flow_source != 0 || level >= bytes, "{context:?}: {bytes} bytes go, {level} may");
            self.levels[flow as usize] = (level.saturating_sub(bytes), pins.cycle);
        }
        self.gone += 1;
        if self.gone == words {
            self.gone = 0;
            self.going.pop_front();
        }
    }
}
