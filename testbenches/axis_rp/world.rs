// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module between a MAC and a NIC, with a manager of AXI4-Lite.

use std::collections::{BTreeMap, VecDeque};
use tidegate::bus::axis_rp;
use tidegate::bus::rp::ReactionPoint;
use tidegate::bus::width::Width;
use tidegate::engine::Program;
use tidegate::model::wire::Verdict;
use tidegate::registers::Registers;
use tidegate::registry;
use tidegate_testing::lanes::in_lanes;
use tidegate_testing::pins::Pins;
use tidegate_testing::receive_frames::{Frame, Rule};
use tidegate_testing::stimulus::{Pattern, Random, Willing};

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Case {
    pub scheme: &'static str,
    pub width: Width,
    pub flows: u64,
    pub frames: u32,
    pub source: Pattern,
    pub sink: Pattern,
    pub rule: Rule,
    /// Of 100 frames, how many are valid feedback.
    pub valid: u64,
    /// Frames before the gate.
    pub departures: u32,
    pub tx_source: Pattern,
    pub tx_sink: Pattern,
    pub controlled: bool,
    pub seed: u64,
}

/// Bytes that the memory of the gate holds.
const STORE: u64 = 16_384;
/// Short times, so that a rate recovers in a short run.
const SETTINGS: [(&str, &str); 4] =
    [("timer_us", "100"), ("byte_cycle_bytes", "10000"), ("ai_rate_mbps", "50"), ("hai_rate_mbps", "100")];

/// The lanes of the data of a beat; those above the width are 0.
type Lanes = [u64; 8];
/// A beat of a stream: data, keep, last, user.
type Beat = (Lanes, u64, bool, bool);

/// A stream: its side that we drive, and the one that we watch.
struct Stream {
    source: Willing,
    sink: Willing,
    entering: VecDeque<Beat>,
    leaving: VecDeque<Beat>,
    /// The beat that is offered.
    offered: Option<Beat>,
    /// The beat that the device offered in the last cycle, and that was not taken.
    held: Option<Beat>,
    /// The lanes of the data, and the other inputs.
    data: Vec<usize>,
    inputs: [usize; 4],
    ready: usize,
    out_data: Vec<usize>,
    outputs: [usize; 4],
    takes: usize,
}

impl Stream {
    fn new(name: &str, pins: &Pins, width: Width, source: Pattern, sink: Pattern) -> Stream {
        let parts = ["tkeep", "tlast", "tuser", "tvalid"];
        let lanes = |side: &str| -> Vec<String> {
            let whole = format!("{side}_axis_{name}_tdata");
            match width {
                Width::W64 => vec![whole],
                _ => (0..width.bits() / 64).map(|lane| format!("{whole}_{lane}")).collect(),
            }
        };
        Stream {
            source: Willing::new(source),
            sink: Willing::new(sink),
            entering: VecDeque::new(),
            leaving: VecDeque::new(),
            offered: None,
            held: None,
            data: lanes("s").iter().map(|lane| pins.input(lane)).collect(),
            out_data: lanes("m").iter().map(|lane| pins.output(lane)).collect(),
            inputs: parts.map(|part| pins.input(&format!("s_axis_{name}_{part}"))),
            ready: pins.output(&format!("s_axis_{name}_tready")),
            outputs: parts.map(|part| pins.output(&format!("m_axis_{name}_{part}"))),
            takes: pins.input(&format!("m_axis_{name}_tready")),
        }
    }

    fn drive(&mut self, pins: &mut Pins, random: &mut Random) {
        // What is offered stays until it is taken.
        if self.offered.is_none() && self.source.next(random) {
            self.offered = self.entering.pop_front();
        }
        let beat = self.offered.unwrap_or_else(|| {
            let mut lanes = Lanes::default();
            lanes[..self.data.len()].fill_with(|| random.word());
            let keep = random.word() & (u64::MAX >> (64 - 8 * self.data.len()));
            (lanes, keep, random.chance(50), random.chance(50))
        });
        self.data.iter().zip(beat.0).for_each(|(&input, value)| pins.set(input, value));
        let values = [beat.1, beat.2.into(), beat.3.into(), self.offered.is_some().into()];
        self.inputs.iter().zip(values).for_each(|(&input, value)| pins.set(input, value));
        pins.set(self.takes, self.sink.next(random).into());
    }

    /// What came out in a cycle; whether a beat was taken on the way in.
    fn watch(&mut self, pins: &Pins, took: bool) -> (bool, Option<Beat>) {
        let taken = self.offered.is_some() && pins.get(self.ready) == 1;
        if taken {
            self.offered = None;
        }
        let [keep, last, user, valid] = self.outputs.map(|output| pins.get(output));
        let mut data = Lanes::default();
        data.iter_mut().zip(&self.out_data).for_each(|(lane, &output)| *lane = pins.get(output));
        let shown = (valid == 1).then_some((data, keep, last == 1, user == 1));
        assert!(self.held.is_none() || self.held == shown, "cycle {}: {:?}, then {shown:?}", pins.cycle, self.held);
        self.held = shown.filter(|_| !took);
        let gone = shown.filter(|_| took);
        if let Some(beat) = gone {
            assert_eq!(Some(beat), self.leaving.pop_front(), "cycle {}: a beat goes out", pins.cycle);
        }
        (taken, gone)
    }

    fn is_empty(&self) -> bool {
        self.entering.is_empty() && self.offered.is_none() && self.leaving.is_empty()
    }
}

/// A frame as beats of so many octets.
fn beats(octets: &[u8], width: Width, random: &mut Random) -> Vec<Beat> {
    let last = octets.len().div_ceil(width.octets()) - 1;
    let beat = |(place, chunk): (usize, &[u8])| {
        let mut lanes = Lanes::default();
        for (lane, octets) in lanes[..width.octets() / 8].iter_mut().enumerate() {
            let chunk = chunk.get(8 * lane..).unwrap_or_default();
            let mut whole = random.word().to_le_bytes();
            let count = chunk.len().min(8);
            whole[..count].copy_from_slice(&chunk[..count]);
            *octets = u64::from_le_bytes(whole);
        }
        let keep = u64::MAX >> (64 - chunk.len());
        (lanes, keep, place == last, place != last && random.chance(20))
    };
    octets.chunks(width.octets()).enumerate().map(beat).collect()
}

/// A `tkeep` of a last beat whose octets are not its first ones, with as many words as `keep`.
fn with_a_hole(keep: u64, random: &mut Random) -> u64 {
    let word = (63 - keep.leading_zeros()) / 8 * 8;
    if word == 0 {
        return random.pick(&[0, 0x02, 0x05, 0x80, 0xfe, 0xf7]);
    }
    let some = random.word();
    let below = random.pick(&[u64::MAX, 0, some]) & ((1 << word) - 1);
    random.pick(&[0x02, 0x05, 0x80, 0xfe, 0xf7]) << word | below
}

/// What the bench sees of the feedback frames that wait for the parser, at more than 64 bits.
#[derive(Default)]
struct Cutter {
    /// Places of the probes: a frame was stored as a whole, one was left out, the parser sees a word, and a last one;
    /// it is between two frames.
    probes: Option<[usize; 5]>,
    /// What the parser should tell of the frames that have not been stored or left out.
    coming: VecDeque<Verdict>,
    /// Frames that were stored up to the last cycle but one, and up to the last cycle.
    stored: [u64; 2],
    /// Last words that the parser saw.
    seen: u64,
    /// The parser has seen a part of a frame.
    half: bool,
}

pub struct World {
    pub case: Case,
    pub pins: Pins,
    registers: Registers,
    pub random: Random,
    rx: Stream,
    tx: Stream,
    pub made: u32,
    departed: u32,
    pub passed: u64,
    pub removed: u64,
    /// What the parser should have told.
    pub told: BTreeMap<Verdict, u64>,
    /// Feedback frames that came while four others waited.
    pub overruns: u64,
    cutter: Cutter,
    request: [usize; 2],
    /// Changes of the rate.
    pub changes: u64,
    /// Cycles in which nothing may move while a frame waits for the limiter.
    pub patience: u64,
    /// Cycles in which the receive path was not ready.
    pub stops: u64,
    quiet: u64,
    /// Lengths and flows of the frames before the gate, and the flows of those that have not come in.
    costs: VecDeque<(u64, u64)>,
    flows: VecDeque<u64>,
    /// The first of them has begun to go out.
    begun: bool,
    /// Frames that had to be granted, and that were longer than the bucket or the memory.
    granted: u64,
    oversize: u64,
    too_long: u64,
    /// Bytes that may go of each flow, and the cycle of this value.
    levels: Vec<(u64, u64)>,
    tdest: usize,
    rate: Option<usize>,
    last_rate: u64,
    /// Depth of a bucket, bytes.
    bucket: u64,
}

pub fn made(case: &Case) -> ReactionPoint {
    let mac = case.rule.address().mac.to_be_bytes();
    let mac: Vec<String> = mac[2..].iter().map(|octet| format!("{octet:02x}")).collect();
    let mut settings = vec![("rp_flows".to_string(), case.flows.to_string()), ("rp_mac".to_string(), mac.join(":"))];
    if case.scheme == "qcn" {
        settings.extend(SETTINGS.map(|(key, value)| (key.to_string(), value.to_string())));
    }
    let scheme = registry::find(case.scheme).unwrap();
    let parameters = axis_rp::parameters(scheme, &settings).unwrap();
    axis_rp::reaction_point(scheme, &parameters, &settings, case.width)
}

/// A frame waits for the limiter, and its octets.
const REQUEST: [&str; 2] = ["whole.request", "whole.request_bytes"];

/// Signals inside that the bench looks at.
fn probes(case: &Case) -> Vec<&'static str> {
    const CUTTER: [&str; 5] = [
        "whole.receive_filter.feedback_words.frame_cutter.ends",
        "whole.receive_filter.feedback_words.frame_cutter.overrun",
        "whole.receive_filter.feedback_words.frame_cutter.shown",
        "whole.receive_filter.feedback_words.frame_cutter.shown_last",
        "whole.receive_filter.feedback_words.frame_cutter.boundary",
    ];
    let rate = (case.flows == 1).then_some("whole.reaction_point.current_rate");
    let cutter = if case.width == Width::W64 { &[][..] } else { &CUTTER };
    rate.into_iter().chain(REQUEST).chain(cutter.iter().copied()).collect()
}

impl World {
    pub fn new(case: Case) -> World {
        let (program, registers) = Self::compiled(&case, &made(&case));
        Self::with(case, &program, registers)
    }

    /// What worlds of the same circuit share.
    pub fn compiled(case: &Case, point: &ReactionPoint) -> (Program, Registers) {
        (Program::with_probes(&in_lanes(&point.netlist), &probes(case)).unwrap(), point.registers.clone())
    }

    pub fn with(case: Case, program: &Program, registers: Registers) -> World {
        let probes = probes(&case);
        let pins = Pins::of(program, &probes);
        let cutter: Vec<usize> =
            probes.iter().filter(|probe| probe.contains("cutter")).map(|probe| pins.output(probe)).collect();
        let rate = probes.iter().find(|probe| probe.ends_with("current_rate")).map(|probe| pins.output(probe));
        let mut world = World {
            registers,
            random: Random::new(case.seed),
            rx: Stream::new("rx", &pins, case.width, case.source, case.sink),
            tx: Stream::new("tx", &pins, case.width, case.tx_source, case.tx_sink),
            made: 0,
            departed: 0,
            passed: 0,
            removed: 0,
            told: BTreeMap::new(),
            overruns: 0,
            request: REQUEST.map(|probe| pins.output(probe)),
            cutter: Cutter { probes: cutter.try_into().ok(), ..Cutter::default() },
            changes: 0,
            patience: 5_000_000,
            stops: 0,
            quiet: 0,
            costs: VecDeque::new(),
            flows: VecDeque::new(),
            begun: false,
            granted: 0,
            oversize: 0,
            too_long: 0,
            levels: vec![(0, 0); case.flows as usize],
            tdest: pins.input("s_axis_tx_tdest"),
            rate,
            last_rate: 0,
            bucket: axis_rp::parameters(registry::find(case.scheme).unwrap(), &[]).unwrap().integer("bucket_bytes"),
            pins,
            case,
        };
        for name in ["bready", "rready"] {
            world.pins.set_by_name(&format!("s_axi_{name}"), 1);
        }
        world
    }

    /// Writes the rule of the case into the registers.
    pub fn set_up(&mut self) {
        self.pins.clock();
        self.pins.set_by_name("aresetn", 1);
        let rule = self.case.rule;
        for (name, value) in [("allowed_cpid", rule.address().cpid), ("allowed_cpid_mask", rule.cpid_mask)] {
            self.write(&format!("{name}_low"), value & 0xffff_ffff);
            self.write(&format!("{name}_high"), value >> 32);
        }
        self.write("pass_feedback", rule.pass_feedback.into());
        self.write("controlled", self.case.controlled.into());
        assert_eq!((self.read("refused_writes"), self.read("pending")), (0, 0));
        self.changes = 0;
    }

    /// Runs all frames through, and checks everything on the way.
    pub fn run(&mut self) {
        self.set_up();
        while self.made < self.case.frames || self.departed < self.case.departures || !self.tx.is_empty() {
            self.cycle(true);
        }
        self.rest();
        self.compare_counters();
    }

    /// Waits until nothing happens any more.
    fn rest(&mut self) {
        self.quiet = 0;
        while self.quiet < 400 {
            self.cycle(false);
        }
        assert!(self.rx.is_empty() && self.tx.is_empty(), "cycle {}: beats that are held for ever", self.pins.cycle);
        assert!(self.cutter.coming.is_empty(), "{} feedback frames were not seen", self.cutter.coming.len());
    }

    /// Compares what was told and removed. Nothing may be in work.
    fn compare_counters(&mut self) {
        const MOST: u64 = 0xffff;
        assert_eq!(self.counter("removed_frames"), self.removed, "removed frames");
        if self.case.width != Width::W64 {
            assert_eq!(self.counter("overrun_frames"), self.overruns, "feedback frames that found no place");
        }
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
        if self.case.scheme != "qcn" && taken < MOST {
            assert!(self.changes <= taken, "{} changes of the rate, {taken} feedback frames taken", self.changes);
        }
        let (sent, refused) = match self.case.flows {
            1 => ("granted_frames", "oversize_frames"),
            _ => ("sent_frames", "refused_announcements"),
        };
        assert_eq!(self.counter(sent), self.granted, "granted frames");
        assert_eq!(self.counter(refused), self.oversize, "frames longer than the bucket");
        assert_eq!(self.counter("rejected_frames"), self.too_long, "frames longer than the memory");
    }

    /// Lets all frames that were entered go through, and checks the counters.
    pub fn pass_all(&mut self) {
        while !self.rx.entering.is_empty() {
            self.cycle(false);
        }
        self.rest();
        self.compare_counters();
    }

    /// Gives a frame to the receive path.
    pub fn enter(&mut self, frame: Frame) {
        self.made += 1;
        let width = self.case.width;
        let mut all = beats(&frame.octets, width, &mut self.random);
        if frame.bad {
            let count = all.len();
            match self.random.below(3) {
                // A beat before the last one that is not full.
                0 if count > 1 => {
                    let place = self.random.below(count as u64 - 1) as usize;
                    let (full, some) = (all[place].1, self.random.word());
                    let without_one = full ^ 1 << self.random.below(width.octets() as u64);
                    let keep = self.random.pick(&[without_one, without_one, some & full, some & 0xff]);
                    all[place].1 = if keep == full { without_one } else { keep };
                }
                // The valid octets of the last beat are not its first ones.
                1 => all[count - 1].1 = with_a_hole(all[count - 1].1, &mut self.random),
                _ => all[count - 1].3 = true,
            }
        }
        match frame.verdict {
            Some(verdict) if width == Width::W64 => *self.told.entry(verdict).or_default() += 1,
            verdict => self.cutter.coming.extend(verdict),
        }
        self.rx.entering.extend(&all);
        if self.case.rule.pass_feedback || !frame.is_ours() {
            self.passed += 1;
            self.rx.leaving.extend(all);
        } else {
            self.removed += 1;
        }
    }

    /// Gives a frame to the gate.
    fn depart(&mut self, length: u64) {
        let mut octets = vec![0; length as usize];
        octets.iter_mut().for_each(|octet| *octet = self.random.word() as u8);
        let mut all = beats(&octets, self.case.width, &mut self.random);
        all.last_mut().unwrap().3 = self.random.chance(10);
        let waits = self.case.controlled && length <= STORE;
        // A frame whose last beat does not fit the memory is not measured.
        self.too_long += u64::from(length > STORE);
        self.granted += u64::from(waits && length <= self.bucket);
        self.oversize += u64::from(waits && length > self.bucket);
        let flow = self.random.below(1 << 12);
        self.costs.push_back((length, flow));
        self.flows.push_back(flow);
        self.tx.entering.extend(&all);
        self.tx.leaving.extend(all);
        self.departed += 1;
    }

    /// A cycle in which frames may come.
    fn cycle(&mut self, more: bool) {
        while more && self.rx.entering.len() < 64 && self.made < self.case.frames {
            let frame = Frame::random(&mut self.random, &self.case.rule, self.case.valid, 1);
            self.enter(frame);
        }
        while more && self.tx.entering.len() < 64 && self.departed < self.case.departures {
            let length = match self.random.below(20) {
                // Exactly as long as the memory.
                _ if self.departed == 0 && self.case.departures >= 40 => STORE,
                0 => self.random.between(1500, 9000),
                // As long as the memory, and longer.
                1 if self.random.chance(10) => self.random.between(16_370, 17_000),
                _ => self.random.between(1, 700),
            };
            self.depart(length);
        }
        self.rx.drive(&mut self.pins, &mut self.random);
        self.tx.drive(&mut self.pins, &mut self.random);
        self.pins.set(self.tdest, self.flows.front().copied().unwrap_or(0));
        let ends = self.tx.offered.is_some_and(|(_, _, last, _)| last);
        self.clock();
        if ends && self.tx.offered.is_none() {
            self.flows.pop_front();
        }
    }

    /// A clock cycle, and the checks of what goes out.
    fn clock(&mut self) {
        let inputs = [self.rx.takes, self.tx.takes].map(|input| self.pins.value(input) == 1);
        self.pins.clock();
        self.quiet += 1;
        assert!(self.quiet < self.patience, "cycle {}: nothing moves any more", self.pins.cycle);
        self.stops += u64::from(self.pins.get(self.rx.ready) == 0);
        self.cut();
        self.asks();
        let rx = self.rx.watch(&self.pins, inputs[0]);
        let tx = self.tx.watch(&self.pins, inputs[1]);
        if rx.0 || rx.1.is_some() || tx.0 || tx.1.is_some() || self.tx.held.is_some() {
            self.quiet = 0;
        }
        if let Some((_, _, last, _)) = tx.1 {
            self.goes(last);
        }
        if let Some(rate) = self.rate {
            let rate = self.pins.get(rate);
            self.changes += u64::from(rate != self.last_rate);
            self.last_rate = rate;
        }
    }

    /// Which of the feedback frames that came were stored for the parser in the last cycle. One is left out only if four
    /// others are stored in the cycle of its first beat, which is the one before.
    fn cut(&mut self) {
        let Some(probes) = self.cutter.probes else { return };
        let [ends, overrun, shown, last, boundary] = probes.map(|probe| self.pins.get(probe) == 1);
        let mut next = || self.cutter.coming.pop_front().expect("a frame that is no feedback is for the parser");
        if overrun {
            next();
            self.overruns += 1;
            assert_eq!(self.cutter.stored[0] - self.cutter.seen, 4, "cycle {}: a frame is left out", self.pins.cycle);
        }
        if ends {
            *self.told.entry(next()).or_default() += 1;
        }
        let [_, stored] = self.cutter.stored;
        self.cutter.stored = [stored, stored + u64::from(ends)];
        self.cutter.seen += u64::from(shown && last);
        assert_eq!(boundary, !self.cutter.half, "cycle {}: boundary", self.pins.cycle);
        self.cutter.half = if shown { !last } else { self.cutter.half };
    }

    /// The limiter is told the octets of the next frame that has not begun to go out.
    fn asks(&self) {
        let [request, octets] = self.request.map(|probe| self.pins.get(probe));
        if request == 1 {
            let length = self.costs[usize::from(self.begun)].0.min(16_383);
            assert_eq!(octets, length, "cycle {}: octets of the frame that waits", self.pins.cycle);
        }
    }

    /// A beat goes out of the gate: none faster than line rate, which is a byte in a cycle.
    fn goes(&mut self, last: bool) {
        let (length, flow) = self.costs[0];
        if !self.begun && self.case.controlled && length <= self.bucket {
            let flow = (flow & (self.case.flows - 1)) as usize;
            let (level, since) = self.levels[flow];
            let level = (level + self.pins.cycle - since).min(2 * self.bucket);
            assert!(level >= length, "cycle {}: {length} bytes go, {level} may", self.pins.cycle);
            self.levels[flow] = (level - length, self.pins.cycle);
        }
        self.begun = !last;
        if last {
            self.costs.pop_front();
        }
    }

    /// Valid feedback without a pause, at line rate.
    pub fn flood(&mut self, frames: u32) {
        for _ in 0..frames {
            let frame = Frame::strongest(&mut self.random, &self.case.rule);
            self.enter(frame);
            while self.rx.entering.len() > 8 {
                self.cycle(false);
            }
        }
        self.pass_all();
    }

    /// Frames before the gate until the rate is this one again.
    pub fn send_until(&mut self, rate: u64, most_cycles: u64) {
        let end = self.pins.cycle + most_cycles;
        self.case.departures = u32::MAX;
        while self.last_rate != rate {
            assert!(self.pins.cycle < end, "after {most_cycles} cycles the rate is {}", self.last_rate);
            if self.tx.entering.is_empty() {
                self.depart(1500);
            }
            self.cycle(false);
        }
    }

    /// The rate, 2^-18 bytes a cycle.
    pub fn rate(&mut self) -> u64 {
        self.read("current_rate")
    }

    fn address(&self, name: &str) -> u64 {
        let found = self.registers.list.iter().find(|register| register.name == name);
        found.unwrap_or_else(|| panic!("there is no register {name}")).address.into()
    }

    /// A cycle of AXI4-Lite, in which the streams rest.
    fn idle(&mut self) {
        for stream in [&self.rx, &self.tx] {
            self.pins.set(stream.inputs[3], 0);
        }
        assert!(self.rx.offered.is_none() && self.tx.offered.is_none(), "registers are used between beats");
        self.clock();
    }

    pub fn write(&mut self, name: &str, value: u64) {
        let address = self.address(name);
        for (name, value) in [("awaddr", address), ("awvalid", 1), ("wdata", value), ("wstrb", 15), ("wvalid", 1)] {
            self.pins.set_by_name(&format!("s_axi_{name}"), value);
        }
        while self.pins.get_by_name("s_axi_bvalid") == 0 {
            self.idle();
            for channel in ["aw", "w"] {
                if self.pins.get_by_name(&format!("s_axi_{channel}ready")) == 1 {
                    self.pins.set_by_name(&format!("s_axi_{channel}valid"), 0);
                }
            }
        }
        self.idle();
    }

    pub fn read(&mut self, name: &str) -> u64 {
        let address = self.address(name);
        self.pins.set_by_name("s_axi_araddr", address);
        self.pins.set_by_name("s_axi_arvalid", 1);
        while self.pins.get_by_name("s_axi_rvalid") == 0 {
            self.idle();
            if self.pins.get_by_name("s_axi_arready") == 1 {
                self.pins.set_by_name("s_axi_arvalid", 0);
            }
        }
        let value = self.pins.get_by_name("s_axi_rdata");
        self.idle();
        value
    }

    pub fn counter(&mut self, name: &str) -> u64 {
        self.read(&format!("{name}_low")) | self.read(&format!("{name}_high")) << 32
    }
}
