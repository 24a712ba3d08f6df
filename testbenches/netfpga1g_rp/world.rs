// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module between the input arbiter and the output port lookup of a NetFPGA-1G, and before its transmit queues.

use crate::netfpga1g_cp::packets::Word;
use crate::netfpga1g_rp::lanes::{Departures, Lane};
use crate::netfpga1g_rp::packets::Packet;
use crate::netfpga1g_rp::rates::Twin;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};
use tidegate::bus::netfpga1g_rp;
use tidegate::bus::rp::ReactionPoint;
use tidegate::engine::Program;
use tidegate::model::wire::Verdict;
use tidegate::registers::Registers;
use tidegate::registry::{self, Scheme};
use tidegate::scheme::parameters::Parameters;
use tidegate::units::RATE_FRACTION_BITS;
use tidegate_testing::pins::Pins;
use tidegate_testing::receive_frames::Rule;
use tidegate_testing::stimulus::{Pattern, Random, Willing};

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Case {
    pub scheme: &'static str,
    pub flows: u64,
    /// Settings besides the number of flows and the address.
    pub settings: &'static [(&'static str, &'static str)],
    pub packets: u32,
    /// Cycles by which the arbiter sees `in_rdy` too late.
    pub late: usize,
    pub source: Pattern,
    pub sink: Pattern,
    pub rule: Rule,
    /// Of 100 packets, how many are valid feedback.
    pub valid: u64,
    /// Packets before each transmit queue.
    pub departures: u32,
    pub rules: Departures,
    pub seed: u64,
}

const PROBES: [&str; 5] = [
    "reaction_point.flow_limiter.change",
    "transmit_gates.announce",
    "reaction_point.announce_ready",
    "transmit_gates.announce_flow",
    "transmit_gates.announce_bytes",
];
const RING: [&str; 6] = ["reg_req", "reg_ack", "reg_rd_wr_L", "reg_addr", "reg_data", "reg_src"];
/// The block of the reaction point on the ring.
const BLOCK: u64 = 3;

pub struct World {
    pub case: Case,
    pub pins: Pins,
    registers: Registers,
    pub random: Random,
    source: Willing,
    sink: Willing,
    rdy: VecDeque<bool>,
    entering: VecDeque<Word>,
    /// Words that must go out, in this order.
    pub leaving: VecDeque<Word>,
    pub made: u32,
    pub passed: u64,
    pub removed: u64,
    /// What the parser should have told.
    pub told: BTreeMap<Verdict, u64>,
    /// Changes of a rate.
    pub changes: u64,
    /// Cycles in which `in_rdy` was low.
    pub stops: u64,
    quiet: u64,
    in_wr: usize,
    in_data: usize,
    in_ctrl: usize,
    in_rdy: usize,
    out_rdy: usize,
    out_wr: usize,
    out_data: usize,
    out_ctrl: usize,
    probes: [usize; 5],
    pub lanes: Vec<Lane>,
    /// The model beside the module.
    pub twin: Option<Twin>,
    /// What the gates announced, and what they had to: flow and octets.
    pub announced: Vec<(u64, u64)>,
}

/// The scheme of a case, its parameters, and the settings that they come from.
pub fn parameters(case: &Case) -> (&'static Scheme, Parameters, Vec<(String, String)>) {
    let rp_mac =
        case.rule.address().mac.to_be_bytes()[2..].iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>();
    let mut settings = vec![("rp_flows".to_string(), case.flows.to_string()), ("rp_mac".to_string(), rp_mac.join(":"))];
    settings.extend(case.settings.iter().map(|(key, value)| (key.to_string(), value.to_string())));
    let scheme = registry::find(case.scheme).unwrap();
    (scheme, netfpga1g_rp::parameters(scheme, &settings).unwrap(), settings)
}

pub fn made(case: &Case) -> ReactionPoint {
    let (scheme, parameters, settings) = parameters(case);
    netfpga1g_rp::reaction_point(scheme, &parameters, &settings)
}

/// What a design depends on: scheme, settings, address and flows.
type Key = (&'static str, &'static [(&'static str, &'static str)], u64, u64);
/// Designs that were compiled before: it takes longer than most runs.
static KNOWN: Mutex<Vec<(Key, Program, Registers)>> = Mutex::new(Vec::new());

fn probes() -> Vec<&'static str> {
    Twin::probes().iter().chain(&PROBES).copied().collect::<BTreeSet<_>>().into_iter().collect()
}

impl World {
    pub fn new(case: Case) -> World {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (case.scheme, case.settings, case.rule.address().mac, case.flows);
        let (_, program, registers) = match known.iter().position(|(of, ..)| *of == key) {
            Some(place) => known[place].clone(),
            None => {
                let ReactionPoint { netlist, registers } = made(&case);
                let program = Program::with_probes(&netlist, &probes()).unwrap();
                known.push((key, program, registers));
                known.last().unwrap().clone()
            }
        };
        drop(known);
        Self::at(case, Pins::of(&program, &probes()), registers)
    }

    pub fn with(case: Case, ReactionPoint { netlist, registers }: ReactionPoint) -> World {
        Self::at(case, Pins::new(&netlist, &probes()), registers)
    }

    fn at(case: Case, pins: Pins, registers: Registers) -> World {
        World {
            registers,
            random: Random::new(case.seed),
            source: Willing::new(case.source),
            sink: Willing::new(case.sink),
            rdy: VecDeque::from(vec![false; case.late]),
            entering: VecDeque::new(),
            leaving: VecDeque::new(),
            made: 0,
            passed: 0,
            removed: 0,
            told: BTreeMap::new(),
            changes: 0,
            stops: 0,
            quiet: 0,
            in_wr: pins.input("in_wr"),
            in_data: pins.input("in_data"),
            in_ctrl: pins.input("in_ctrl"),
            in_rdy: pins.output("in_rdy"),
            out_rdy: pins.input("out_rdy"),
            out_wr: pins.output("out_wr"),
            out_data: pins.output("out_data"),
            out_ctrl: pins.output("out_ctrl"),
            probes: PROBES.map(|probe| pins.output(probe)),
            lanes: (0..4).map(|gate| Lane::new(gate, &case, &pins)).collect(),
            twin: None,
            announced: Vec::new(),
            pins,
            case,
        }
    }

    /// Writes the rule of the case into the registers.
    pub fn set_up(&mut self) {
        self.pins.set_by_name("reset", 1);
        self.pins.clock();
        self.pins.set_by_name("reset", 0);
        let rule = self.case.rule;
        for (name, value) in [("allowed_cpid", rule.address().cpid), ("allowed_cpid_mask", rule.cpid_mask)] {
            self.write(&format!("{name}_low"), value & 0xffff_ffff);
            self.write(&format!("{name}_high"), value >> 32);
        }
        self.write("pass_feedback", rule.pass_feedback.into());
        self.write("controlled_gates", self.case.rules.controlled);
        self.write("flow_source", self.case.rules.flow_source);
        self.write("insert_cn_tag", self.case.rules.tags.into());
        self.write("bucket_bytes", self.case.rules.bucket);
        assert_eq!((self.read("refused_writes"), self.read("pending")), (0, 0));
    }

    /// Runs all packets through, and checks everything on the way.
    pub fn run(&mut self) {
        self.set_up();
        while self.made < self.case.packets || !self.lanes.iter().all(|lane| lane.is_empty()) {
            self.cycle(true);
        }
        self.rest();
        self.compare_counters();
        self.compare_gates();
        // Nothing changes a rate at rest, but QCN's timer.
        if self.case.scheme != "qcn" {
            let rates = self.rates();
            self.compare_tokens(&rates);
        }
    }

    /// The rates of the first four flows, from the registers.
    pub fn rates(&mut self) -> Vec<u64> {
        let rate = |flow| {
            self.write("flow_index", flow);
            while self.read("flow_rate_known") == 0 {}
            self.read("flow_rate")
        };
        (0..4).map(rate).collect()
    }

    /// Compares what the packet generator is told: rate × interval, rounded down.
    pub fn compare_tokens(&mut self, rates: &[u64]) {
        let interval = self.read("token_interval");
        for (port, rate) in rates.iter().enumerate() {
            let told = self.pins.get_by_name(&format!("token_inc_{port}"));
            assert_eq!(told, ((rate * interval) >> RATE_FRACTION_BITS).min(255), "TOKEN_INC of port {port}");
        }
    }

    /// Waits until nothing happens any more.
    pub fn rest(&mut self) {
        self.quiet = 0;
        while self.quiet < 400 {
            self.cycle(false);
        }
        let left = (self.entering.len(), self.leaving.len());
        assert_eq!(left, (0, 0), "cycle {}: words that are held for ever", self.pins.cycle);
    }

    /// Compares what was told and removed. Nothing may be in work.
    pub fn compare_counters(&mut self) {
        const MOST: u64 = 0xffff;
        assert_eq!(self.counter("removed_frames"), self.removed, "removed frames");
        assert_eq!(self.counter("lost_words"), 0, "lost words");
        assert_eq!(self.counter("unanswered_requests"), 0, "unanswered requests");
        let told = |of: Verdict, told: &BTreeMap<Verdict, u64>| told.get(&of).copied().unwrap_or(0);
        for (name, of) in [
            ("malformed_frames", Verdict::Malformed),
            ("refused_frames", Verdict::Refused),
            ("elsewhere_frames", Verdict::Elsewhere),
        ] {
            assert_eq!(self.read(name), told(of, &self.told).min(MOST), "{name}");
        }
        let (taken, dropped) = (self.read("taken_frames"), self.read("dropped_frames"));
        if taken < MOST && dropped < MOST {
            assert_eq!(taken + dropped, told(Verdict::Taken, &self.told), "valid frames");
        }
        // One may have come for a flow that does not exist; none here.
        assert_eq!(self.read("unknown_frames"), 0);
        if self.case.scheme != "qcn" && taken < MOST {
            assert!(self.changes <= taken, "{} changes of a rate, {taken} feedback frames taken", self.changes);
        }
    }

    /// Compares what the gates announced, refused and rejected with what they had to. Nothing may be in work.
    fn compare_gates(&mut self) {
        let mut expected: Vec<_> = self.lanes.iter().flat_map(|lane| lane.announced.clone()).collect();
        expected.sort();
        self.announced.sort();
        assert!(self.announced == expected, "{} announcements, not {}", self.announced.len(), expected.len());
        assert_eq!(self.counter("refused_announcements"), 0, "more than the bucket was asked for");
        assert_eq!(
            self.counter("sent_frames"),
            expected.len() as u64,
            "packets that were paid, and parts of long ones"
        );
        let rejected: u64 = self.lanes.iter().map(|lane| lane.rejected).sum();
        assert_eq!(self.counter("rejected_packets"), rejected, "packets without fields");
        assert_eq!(self.counter("lost_gate_words"), 0, "lost words");
    }

    /// Gives a packet to the receive path.
    pub fn enter(&mut self, packet: Packet) {
        self.made += 1;
        self.entering.extend(&packet.words);
        if let Some(twin) = &mut self.twin {
            twin.frames.push_back(packet.frame.octets.clone());
        }
        if let Some(verdict) = packet.frame.verdict {
            *self.told.entry(verdict).or_default() += 1;
        }
        if packet.passes {
            self.passed += 1;
            self.leaving.extend(packet.words);
        } else {
            self.removed += 1;
        }
    }

    /// Words that have not come into the receive path.
    pub fn entering_words(&self) -> usize {
        self.entering.len()
    }

    /// A cycle in which packets may come.
    pub fn cycle(&mut self, more: bool) {
        while more && self.entering.len() < 64 && self.made < self.case.packets {
            let packet = Packet::random(&mut self.random, &self.case.rule, self.case.valid);
            self.enter(packet);
        }
        let willing = self.source.next(&mut self.random);
        let rdy = self.rdy[0];
        let writes = rdy && willing && !self.entering.is_empty();
        let word =
            if writes { self.entering.pop_front().unwrap() } else { (self.random.word() as u8, self.random.word()) };
        self.pins.set(self.in_wr, writes.into());
        self.pins.set(self.in_ctrl, word.0.into());
        self.pins.set(self.in_data, word.1);
        let rdy = self.sink.next(&mut self.random);
        self.pins.set(self.out_rdy, rdy.into());
        if writes {
            self.quiet = 0;
        }
        for lane in &mut self.lanes {
            lane.drive(&mut self.pins, &mut self.random);
        }
        self.clock();
    }

    /// A clock cycle, and the check of what goes out.
    ///
    /// # Panics
    /// If something is wrong, or if it takes longer than any run can.
    pub fn clock(&mut self) {
        let (packets, departures) = (u64::from(self.case.packets), u64::from(self.case.departures));
        let longest = 400_000 + 4_000 * packets + 200_000 * departures;
        assert!(self.pins.cycle < longest, "{} packets are in, and it does not come to rest", self.made);
        self.pins.clock();
        if let Some(twin) = &mut self.twin {
            twin.cycle(&self.pins);
        }
        let rdy = self.pins.get(self.in_rdy) == 1;
        self.stops += u64::from(!rdy);
        self.rdy.push_back(rdy);
        self.rdy.pop_front();
        let [change, announce, ready, flow, bytes] = self.probes.map(|probe| self.pins.get(probe));
        self.changes += change;
        if announce & ready == 1 {
            self.announced.push((flow, bytes));
        }
        for lane in &mut self.lanes {
            lane.watch(&self.pins);
        }
        self.quiet += 1;
        if self.pins.get(self.out_wr) == 1 {
            self.quiet = 0;
            let word = (self.pins.get(self.out_ctrl) as u8, self.pins.get(self.out_data));
            let expected = self.leaving.pop_front();
            assert_eq!(Some(word), expected, "cycle {}: a word goes out, after {} packets", self.pins.cycle, self.made);
        }
    }

    /// A request for a register, and its answer.
    fn access(&mut self, name: &str, write: Option<u64>) -> u64 {
        let found = self.registers.list.iter().find(|register| register.name == name);
        let word = u64::from(found.unwrap_or_else(|| panic!("there is no register {name}")).address) >> 2;
        let (data, reads) = (write.unwrap_or(0), u64::from(write.is_none()));
        for (name, value) in RING.into_iter().zip([1, 0, reads, BLOCK << 10 | word, data, 2]) {
            self.pins.set_by_name(&format!("{name}_in"), value);
        }
        self.pins.set(self.in_wr, 0);
        self.lanes.iter().for_each(|lane| lane.pause(&mut self.pins));
        self.clock();
        self.pins.set_by_name("reg_req_in", 0);
        while {
            self.clock();
            self.pins.get_by_name("reg_req_out") == 0
        } {}
        let answer = RING.map(|name| self.pins.get_by_name(&format!("{name}_out")));
        let value = if write.is_some() { data } else { answer[4] };
        assert_eq!(answer, [1, 1, reads, BLOCK << 10 | word, value, 2], "{name}: the answer");
        value
    }

    pub fn write(&mut self, name: &str, value: u64) {
        self.access(name, Some(value));
    }

    pub fn read(&mut self, name: &str) -> u64 {
        self.access(name, None)
    }

    pub fn counter(&mut self, name: &str) -> u64 {
        self.read(&format!("{name}_low")) | self.read(&format!("{name}_high")) << 32
    }
}
