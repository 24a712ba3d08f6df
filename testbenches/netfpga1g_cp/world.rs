// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module between an arbiter and the output queues of a NetFPGA-1G, at native speed.

use crate::netfpga1g_cp::levels::BlockRam;
use crate::netfpga1g_cp::packets::{FRAME_WORDS, Kind, Packet, Word, header};
use std::collections::VecDeque;
use tidegate::bus::netfpga1g::{self, CongestionPoint};
use tidegate::bus::queue_input::QueueInput;
use tidegate::engine::{Input, Output, Program, Simulation};
use tidegate::frame::cnm::{Cnm, Tags};
use tidegate::registers::Registers;
use tidegate::registry;
use tidegate::scheme::to_units;
use tidegate_testing::stimulus::{Pattern, Random, Willing};

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Case {
    pub scheme: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
    pub packets: u32,
    /// Cycles by which the arbiter sees `in_rdy` too late.
    pub late: usize,
    pub source: Pattern,
    pub sink: Pattern,
    pub once: bool,
    /// The output queues that are controlled.
    pub ports: u8,
    /// Of 1000 cycles in how many a queue may give a packet.
    pub drains: u64,
    /// Bytes that an output queue holds.
    pub capacity: u32,
    /// Output queues in block RAM, whose levels are known.
    pub level: Option<Level>,
    pub seed: u64,
}

/// Output queues in block RAM.
#[derive(Clone, Copy)]
pub struct Level {
    /// How a word that has gone out comes into the level.
    pub way: Way,
    /// Only packets that are counted, with one module header: the lengths can be compared in each cycle.
    pub exact: bool,
}

/// The way of a word into the level of its queue.
#[derive(Clone, Copy)]
pub enum Way {
    /// So many cycles.
    Cycles(u64),
    /// Through the queue at the input of output queues in block RAM.
    InputFifo,
}

impl Case {
    pub fn queue_input(&self) -> QueueInput {
        if self.level.is_some() { QueueInput::Level } else { QueueInput::Events }
    }
}

/// A sample, which may get a frame.
#[derive(Debug)]
struct Sample {
    queue: u64,
    serial: u32,
    offset: i16,
    delta: i16,
}

/// What the tap must tell: a queue, bytes, and the packet; none for a frame.
#[derive(Debug, PartialEq)]
struct Event {
    queue: u64,
    bytes: u64,
    serial: Option<u32>,
    controlled: bool,
}

/// An output queue in SRAM.
#[derive(Default)]
struct Stored {
    /// Words, and the cycle from which on the packet can leave.
    packets: VecDeque<(u64, u64)>,
    bytes: u32,
}

/// How far what enters the buffer behind the tap has come.
#[derive(Default)]
struct Entering {
    /// Packets that are through and have not gone out.
    packets: usize,
    /// Words of the next one.
    words: usize,
    /// Words of a frame, and its port.
    frame_words: usize,
    frame_port: u32,
}

/// What goes out.
enum Going {
    Nothing,
    Packet(usize),
    Frame(Vec<Word>),
}

pub const INPUTS: [&str; 17] = [
    "in_data",
    "in_ctrl",
    "in_wr",
    "out_rdy",
    "reg_req_in",
    "reg_ack_in",
    "reg_rd_wr_L_in",
    "reg_addr_in",
    "reg_data_in",
    "reg_src_in",
    "pkt_removed",
    "removed_oq",
    "removed_pkt_total_word_length",
    "pkt_dropped",
    "dst_oq",
    "stored_pkt_total_word_length",
    "reset",
];
const OUTPUTS: [&str; 10] = [
    "in_rdy",
    "out_data",
    "out_ctrl",
    "out_wr",
    "reg_req_out",
    "reg_ack_out",
    "reg_rd_wr_L_out",
    "reg_addr_out",
    "reg_data_out",
    "reg_src_out",
];
/// Where the register ring begins in the inputs and in the outputs.
const RING: usize = 4;
/// The block of the congestion point on the ring.
const BLOCK: u64 = 2;
const PROBES: [&str; 15] = [
    "tap.enqueue",
    "tap.enqueue_queue",
    "tap.enqueue_bytes",
    "tap.controlled",
    "tap.source_mac_low",
    "congestion_point.ready",
    "congestion_point.counted",
    "congestion_point.visited_queue",
    "congestion_point.queue_bytes",
    "congestion_point.clamped",
    "congestion_point.sample",
    "registers.controlled_ports",
    "tap.next_wr",
    "tap.out_of_packet",
    "tap.next_high",
];

/// What the queues whose levels are known tell the congestion point.
const LEVEL_PROBES: [&str; 4] = [
    "level_events.dequeue",
    "level_events.dequeue_queue",
    "level_events.dequeue_bytes",
    "congestion_point.dequeue_ready",
];

/// The inputs of each cycle, and the outputs before and after its edge.
pub type Record = (Vec<Vec<u64>>, Vec<Vec<u64>>);

/// Cycles without anything after which nothing waits: DSM looks at a sample for 213 cycles, and five may be there.
const REST: u64 = 1_200;

pub struct World {
    pub case: Case,
    pub registers: Registers,
    simulation: Simulation,
    inputs: Vec<Option<Input>>,
    /// The input with the levels of all output queues in block RAM.
    levels: Option<Input>,
    pub block_ram: BlockRam,
    outputs: Vec<Output>,
    probes: Vec<Output>,
    /// The inputs, and the outputs before the last edge.
    pub row: [u64; INPUTS.len()],
    out: Vec<u64>,
    random: Random,
    source: Willing,
    sink: Willing,
    rdy: VecDeque<bool>,
    pub cycle: u64,
    made: u32,
    entering: VecDeque<Word>,
    /// Packets that are in the tap or come into it.
    passing: VecDeque<Packet>,
    /// Packets that have gone, by their number.
    gone: Vec<Packet>,
    /// What of them is in the buffer behind the tap, or was.
    buffering: Entering,
    going: Going,
    events: VecDeque<Event>,
    frame_events: VecDeque<Event>,
    taken: Option<Event>,
    visited: (u64, u64),
    old: [u64; 8],
    samples: VecDeque<Sample>,
    queues: [Stored; 8],
    drops: VecDeque<(u64, u64)>,
    pub lengths: [u64; 8],
    pub quiet: u64,
    pub frames: u64,
    pub all_samples: u64,
    pub rejected: u64,
    pub dropped: u64,
    pub removals: bool,
    pub answers_all: bool,
    pub q0: i64,
    pub record: Option<Record>,
    /// The request for another block that came in the last cycle.
    passes: Option<[u64; 6]>,
    /// Requests for other blocks that went out.
    pub passed: u64,
    /// Cycles in a row in which the congestion point does not take an event that waits, and the most of them.
    refused: u64,
    pub longest_refusal: u64,
    /// The first frames that went out, each with the packet that was sampled and its output queue.
    pub kept: Vec<(Vec<u8>, Packet, u64)>,
}

/// Address of the congestion point.
pub const ADDRESS: [u8; 6] = [0x02, 0x11, 0x22, 0x33, 0x44, 0x55];
/// CPID of output queue 0.
pub const CPID: u64 = 0x0123_4567_89ab_cde8;
/// Frames that are kept.
const KEPT: usize = 500;

pub fn made(scheme: &str, settings: &[(&str, &str)], queues: QueueInput) -> CongestionPoint {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scheme = registry::find(scheme).unwrap();
    let parameters = netfpga1g::parameters(scheme, &settings, queues).unwrap();
    netfpga1g::congestion_point(scheme, &parameters, &settings, queues)
}

impl World {
    pub fn new(case: Case) -> World {
        Self::with(case, made(case.scheme, case.settings, case.queue_input()))
    }

    pub fn with(case: Case, CongestionPoint { netlist, registers }: CongestionPoint) -> World {
        let probes: Vec<&str> =
            PROBES.into_iter().chain(LEVEL_PROBES.into_iter().filter(|_| case.level.is_some())).collect();
        let program = Program::with_probes(&netlist, &probes).unwrap();
        let settings: Vec<_> = case.settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters =
            netfpga1g::parameters(registry::find(case.scheme).unwrap(), &settings, case.queue_input()).unwrap();
        World {
            inputs: INPUTS.map(|name| program.input(name).ok()).to_vec(),
            levels: program.input("queue_words").ok(),
            block_ram: BlockRam::new(case.level.map_or(Way::Cycles(0), |level| level.way)),
            outputs: OUTPUTS.map(|name| program.output(name).unwrap()).to_vec(),
            probes: probes.iter().map(|name| program.output(name).unwrap()).collect(),
            simulation: program.start(1),
            row: [0; INPUTS.len()],
            out: Vec::new(),
            random: Random::new(case.seed),
            source: Willing::new(case.source),
            sink: Willing::new(case.sink),
            rdy: VecDeque::from(vec![false; case.late]),
            cycle: 0,
            made: 0,
            entering: VecDeque::new(),
            passing: VecDeque::new(),
            gone: Vec::new(),
            buffering: Entering::default(),
            going: Going::Nothing,
            events: VecDeque::new(),
            frame_events: VecDeque::new(),
            taken: None,
            visited: (0, 0),
            old: [0; 8],
            samples: VecDeque::new(),
            queues: Default::default(),
            drops: VecDeque::new(),
            lengths: [0; 8],
            quiet: 0,
            frames: 0,
            all_samples: 0,
            rejected: 0,
            dropped: 0,
            removals: true,
            answers_all: case.scheme == "smcc",
            q0: parameters.integer("q0_bytes") as i64,
            record: None,
            passes: None,
            passed: 0,
            refused: 0,
            longest_refusal: 0,
            kept: Vec::new(),
            registers,
            case,
        }
    }

    fn set(&mut self, name: &str, value: u64) {
        self.row[INPUTS.iter().position(|known| *known == name).unwrap()] = value;
    }

    /// Resets the module, and writes its registers.
    pub fn set_up(&mut self) {
        self.set("reset", 1);
        self.clock();
        self.set("reset", 0);
        self.write("multicast_once", self.case.once.into());
        self.write("controlled_ports", self.case.ports.into());
        let address = ADDRESS.iter().fold(0, |all, &octet| all << 8 | u64::from(octet));
        for (name, value) in [("cpMacAddress", address), ("cpIdentifier", CPID)] {
            self.write(&format!("{name}_low"), value & 0xffff_ffff);
            self.write(&format!("{name}_high"), value >> 32);
        }
    }

    /// Lets so many packets more come, and compares the lengths of all queues when nothing moves any more. Returns whether there
    /// are words in a queue.
    pub fn burst_and_rest(&mut self, packets: u32) -> bool {
        self.case.packets += packets;
        while self.made < self.case.packets || !self.entering.is_empty() {
            self.cycle(true);
        }
        self.rest(false);
        (0..8).any(|queue| self.block_ram.level(queue) > 0)
    }

    /// Runs all packets through, and checks everything on the way.
    pub fn run(&mut self) {
        self.set_up();
        let batch = 500;
        while self.made < self.case.packets {
            let until = (self.made + batch).min(self.case.packets);
            while self.made < until {
                self.cycle(true);
            }
            self.settle();
        }
        assert_eq!(self.gone.len(), self.case.packets as usize);
        assert_eq!(self.counter("rejected_packets"), self.rejected, "rejected packets");
        assert_eq!(self.counter("cpTransmittedCnms"), self.frames, "frames");
        assert_eq!(self.counter("samples"), self.all_samples, "samples");
        let never = ["lost_words", "clamps", "unknown_queue_events", "unanswered_requests", "lost_events"];
        for name in &never[..if self.case.level.is_some() { 4 } else { 5 }] {
            assert_eq!(self.counter(name), 0, "{name}");
        }
    }

    /// Waits until nothing happens any more, and compares the lengths of all queues.
    fn settle(&mut self) {
        // Words that are not announced leave queues in block RAM only with the others.
        self.rest(self.case.level.is_some_and(|level| !level.exact));
    }

    /// Waits until nothing happens any more, with words that leave the queues or not, and compares the lengths of all queues.
    fn rest(&mut self, removals: bool) {
        self.removals = removals;
        let end = self.cycle + 300_000;
        while self.quiet < REST || !self.drops.is_empty() {
            assert!(self.cycle < end, "cycle {}: it does not come to rest", self.cycle);
            self.cycle(false);
        }
        self.removals = true;
        if self.case.level.is_none() {
            assert_eq!(self.counter("lost_events"), 0, "{}, cycle {}: lost events", self.case.scheme, self.cycle);
        }
        assert!(self.passing.is_empty() && self.entering.is_empty(), "cycle {}: a packet is held for ever", self.cycle);
        assert!(self.events.is_empty() && self.frame_events.is_empty(), "events that were not told: {:?}", self.events);
        for queue in 0..8 {
            let stored = if self.case.level.is_some() {
                8 * self.block_ram.level(queue)
            } else {
                u64::from(self.queues[queue].bytes)
            };
            let expected = if self.case.ports >> queue & 1 == 1 { stored } else { 0 };
            let context = (self.case.scheme, self.cycle, queue);
            assert_eq!(self.lengths[queue], expected, "{context:?}: length of this queue");
        }
    }

    /// A cycle in which packets may come.
    fn cycle(&mut self, more: bool) {
        while more && self.entering.len() < 64 && self.made < self.case.packets {
            let exact = self.case.level.is_some_and(|level| level.exact);
            let packet = loop {
                let packet = Packet::random(self.made, &mut self.random);
                if !exact || (packet.kind == Kind::Counted && packet.begins == 1) {
                    break packet;
                }
            };
            self.made += 1;
            self.entering.extend(&packet.words);
            self.passing.push_back(packet);
        }
        let willing = self.source.next(&mut self.random);
        let writes = self.rdy[0] && willing && !self.entering.is_empty();
        let word = if writes { self.entering.pop_front().unwrap() } else { (0x5a, self.random.word()) };
        self.set("in_data", word.1);
        self.set("in_ctrl", word.0.into());
        self.set("in_wr", writes.into());
        let rdy = self.sink.next(&mut self.random) & self.block_ram.ready();
        self.set("out_rdy", rdy.into());
        if self.case.level.is_some() {
            let drains = if self.removals { self.case.drains } else { 0 };
            if self.block_ram.cycle(self.cycle, drains, &mut self.random) {
                self.quiet = 0;
            }
        } else {
            self.queue_events();
        }
        self.foreign_request();
        self.clock();
    }

    /// The ring in this cycle: in some a request for another block.
    fn foreign_request(&mut self) {
        let random = &mut self.random;
        let address = random.below(1 << 23);
        let request = random.chance(20) && address >> 10 != BLOCK;
        let data = random.word() & 0xffff_ffff;
        let ring = [request.into(), random.below(2), random.below(2), address, data, random.below(4)];
        self.row[RING..RING + 6].copy_from_slice(&ring);
    }

    /// What the output queues tell in this cycle.
    fn queue_events(&mut self) {
        let removed = if self.removals && self.random.below(1000) < self.case.drains {
            let first = self.random.below(8);
            let ready = |queue: &Stored, now| queue.packets.front().is_some_and(|&(_, from)| from <= now);
            let found = (0..8).map(|next| (first + next) % 8).find(|&q| ready(&self.queues[q as usize], self.cycle));
            found.map(|queue| (queue, self.queues[queue as usize].packets.pop_front().unwrap().0))
        } else {
            None
        };
        let (queue, words) = removed.unwrap_or((self.random.below(8), self.random.below(256)));
        if removed.is_some() {
            self.queues[queue as usize].bytes -= 8 * words as u32;
            self.quiet = 0;
        }
        self.set("pkt_removed", removed.is_some().into());
        self.set("removed_oq", queue);
        self.set("removed_pkt_total_word_length", words);
        let dropped = if self.random.chance(10) { self.drops.pop_front() } else { None };
        let (queue, words) = dropped.unwrap_or((self.random.below(8), self.random.below(256)));
        self.set("pkt_dropped", dropped.is_some().into());
        self.set("dst_oq", queue);
        self.set("stored_pkt_total_word_length", words);
        self.dropped += u64::from(dropped.is_some());
        if dropped.is_some() {
            self.quiet = 0;
        }
    }

    /// A clock cycle, and the checks of what comes out.
    ///
    /// # Panics
    /// If something is wrong, or if it takes longer than any run can.
    fn clock(&mut self) {
        let longest = 200_000 + 4_000 * u64::from(self.case.packets);
        let context = (self.case.scheme, self.gone.len());
        assert!(self.cycle < longest, "cycle {}: {context:?} packets are through", self.cycle);
        let inside = self.unwatched();
        if self.row[INPUTS.len() - 1] == 1 {
            return;
        }
        self.watch(&inside);
        if self.out[3] == 1 {
            self.goes((self.out[2] as u8, self.out[1]));
        }
    }

    /// Whether the module was ready for words in the last cycle.
    pub fn in_rdy(&self) -> bool {
        self.out[0] == 1
    }

    /// Whether a word goes out in the cycle that was done last.
    pub fn writes(&self) -> bool {
        self.out[OUTPUTS.iter().position(|known| *known == "out_wr").unwrap()] == 1
    }

    /// A clock cycle without them; returns the probes before the edge.
    pub fn unwatched(&mut self) -> Vec<u64> {
        for (&input, &value) in self.inputs.iter().zip(&self.row) {
            if let Some(input) = input {
                self.simulation.set(input, value);
            }
        }
        if let Some(levels) = self.levels {
            self.simulation.set_words(levels, &self.block_ram.levels());
        }
        self.simulation.step();
        let all = |simulation: &Simulation, of: &[Output]| of.iter().map(|&one| simulation.get(one)).collect();
        self.out = all(&self.simulation, &self.outputs);
        if let Some(expected) = self.passes {
            assert_eq!(self.out[RING..RING + 6], expected, "cycle {}: a request for another block", self.cycle);
            self.passed += 1;
        }
        let ring: [u64; 6] = self.row[RING..RING + 6].try_into().unwrap();
        let foreign = ring[0] == 1 && ring[3] >> 10 != BLOCK && self.row[INPUTS.len() - 1] == 0;
        self.passes = foreign.then_some(ring);
        let inside = all(&self.simulation, &self.probes);
        if let Some((rows, expected)) = &mut self.record {
            rows.push(self.row.to_vec());
            expected.push(self.out.clone());
            self.simulation.settle();
            expected.push(all(&self.simulation, &self.outputs));
        }
        self.cycle += 1;
        self.quiet += 1;
        self.rdy.push_back(self.out[0] == 1);
        self.rdy.pop_front();
        inside
    }

    /// Compares the events that the congestion point takes, and collects its samples.
    fn watch(&mut self, inside: &[u64]) {
        let (inside, level) = inside.split_at(PROBES.len());
        let &[
            enqueue,
            queue,
            bytes,
            controlled,
            source,
            ready,
            counted,
            visited,
            length,
            clamped,
            sample,
            ports,
            enters,
            of_packet,
            high,
        ] = inside
        else {
            unreachable!()
        };
        self.refused = if enqueue == 1 && ready == 0 { self.refused + 1 } else { 0 };
        self.longest_refusal = self.longest_refusal.max(self.refused);
        if let &[1, queue, bytes, 1] = level {
            self.block_ram.has_left(queue as usize, bytes / 8);
            self.quiet = 0;
        }
        if sample == 1 {
            let taken = self.taken.take().expect("a sample is a packet that was taken");
            let (queue, length) = self.visited;
            assert_eq!(taken.queue, queue);
            self.all_samples += 1;
            let delta = length as i64 - self.old[queue as usize] as i64;
            self.old[queue as usize] = length;
            if let (Some(serial), true) = (taken.serial, taken.controlled) {
                let units = |bytes: i64| to_units(bytes as i32);
                self.samples.push_back(Sample {
                    queue,
                    serial,
                    offset: units(length as i64 - self.q0),
                    delta: units(delta),
                });
            }
        }
        if counted == 1 {
            assert_eq!(clamped, 0, "cycle {}: the length of queue {visited} was clamped", self.cycle);
            self.lengths[visited as usize] = length;
            self.visited = (visited, length);
            self.quiet = 0;
        }
        if enqueue == 1 && ready == 1 {
            assert_eq!(ports, u64::from(self.case.ports));
            let expected = self.frame_events.pop_front().or_else(|| self.events.pop_front());
            let expected = expected.unwrap_or_else(|| panic!("cycle {}: an event of nothing", self.cycle));
            let serial = expected.serial.map(|_| source as u32);
            let found = Event { queue, bytes, serial, controlled: controlled == 1 };
            assert_eq!(found, expected, "cycle {}", self.cycle);
            self.taken = Some(found);
            self.quiet = 0;
            self.block_ram.is_counted(self.cycle, queue as usize, bytes / 8);
        }
        if let Some(Level { exact: true, .. }) = self.case.level {
            // Words of packets that have been told or go out.
            let Entering { packets, words, .. } = self.buffering;
            let is_told = self.passing.get(packets).is_some_and(|packet| words >= packet.begins + 3);
            let told = packets + usize::from(is_told);
            let gone = if let Going::Packet(place) = self.going { place } else { 0 };
            let told = self.passing.iter().take(told.max(usize::from(gone > 0)));
            let remaining = told.map(|packet| packet.words.len()).sum::<usize>() - gone;
            self.block_ram.check(self.cycle, self.case.ports, remaining as u64);
        }
        if enters == 1 {
            self.enters(of_packet == 1, high as u32);
        }
    }

    /// A word that enters the buffer behind the tap: what the congestion point must be told of it.
    fn enters(&mut self, of_packet: bool, high: u32) {
        let Entering { packets, words, frame_words, frame_port } = &mut self.buffering;
        if of_packet {
            let packet = &self.passing[*packets];
            *words += 1;
            if *words == packet.begins + 3 && packet.kind == Kind::Counted {
                let bytes = 8 * (packet.length as u64 + 1);
                let queues = packet.queues(self.case.once) & self.case.ports;
                let queues = (0..8).filter(|queue| queues >> queue & 1 == 1);
                let (serial, controlled) = (Some(packet.serial), !packet.feedback);
                self.events.extend(queues.map(|queue| Event { queue, bytes, serial, controlled }));
            }
            if *words == packet.words.len() {
                (*packets, *words) = (*packets + 1, 0);
            }
            return;
        }
        if *frame_words == 0 {
            *frame_port = (high >> 16).trailing_zeros();
        }
        *frame_words += 1;
        if *frame_words == 1 + FRAME_WORDS {
            *frame_words = 0;
            if self.case.ports >> *frame_port & 1 == 1 {
                let (queue, serial) = (u64::from(*frame_port), None);
                self.frame_events.push_back(Event { queue, bytes: 72, serial, controlled: false });
            }
        }
    }

    /// A word that goes out.
    fn goes(&mut self, word: Word) {
        self.quiet = 0;
        if self.case.level.is_some() {
            let queues = match &self.going {
                Going::Frame(words) => (words[0].1 >> 48) as u8,
                Going::Nothing if (0..8).any(|port| word == header(1 << port, 0, 60)) => (word.1 >> 48) as u8,
                _ => self.passing.front().map_or(0, |packet| packet.queues(self.case.once)),
            };
            self.block_ram.comes(self.cycle, word.0, queues);
        }
        match &mut self.going {
            Going::Nothing => {
                let frame = (0..8).any(|port| word == header(1 << port, 0, 60));
                if frame {
                    self.going = Going::Frame(vec![word]);
                } else {
                    self.of_packet(0, word);
                }
            }
            &mut Going::Packet(place) => self.of_packet(place, word),
            Going::Frame(words) => {
                words.push(word);
                if words.len() == 1 + FRAME_WORDS {
                    let words = std::mem::take(words);
                    self.going = Going::Nothing;
                    self.frame(&words);
                }
            }
        }
    }

    fn of_packet(&mut self, place: usize, word: Word) {
        let packet = self.passing.front().unwrap_or_else(|| panic!("cycle {}: a word of no packet", self.cycle));
        let expected = packet.words[place];
        assert_eq!(word, expected, "cycle {}: word {place} of packet {}", self.cycle, packet.serial);
        if place + 1 < packet.words.len() {
            self.going = Going::Packet(place + 1);
            return;
        }
        self.going = Going::Nothing;
        let packet = self.passing.pop_front().unwrap();
        self.buffering.packets -= 1;
        match packet.kind {
            Kind::Rejected => self.rejected += 1,
            Kind::Counted => self.store(packet.queues(self.case.once), packet.length as u64 + 1),
        }
        self.gone.push(packet);
    }

    /// Stores a packet in output queues, or drops it.
    fn store(&mut self, queues: u8, words: u64) {
        if self.case.level.is_some() {
            return;
        }
        for queue in (0..8).filter(|queue| queues >> queue & 1 == 1) {
            let stored = &mut self.queues[queue];
            if stored.bytes + 8 * words as u32 > self.case.capacity {
                self.drops.push_back((queue as u64, words));
            } else {
                stored.bytes += 8 * words as u32;
                stored.packets.push_back((words, self.cycle + 12));
            }
        }
    }

    /// A frame that went out: for whom, what it says, and where it goes.
    fn frame(&mut self, words: &[Word]) {
        let context = format!("cycle {}: frame {words:x?}", self.cycle);
        let (ends, inner) = words[1..].split_last().unwrap();
        assert!(inner.iter().all(|word| word.0 == 0) && ends.0 == 0x10, "{context}");
        let octets: Vec<u8> = words[1..].iter().flat_map(|word| word.1.to_be_bytes()).take(60).collect();
        let frame = Cnm::parse(&octets).unwrap_or_else(|reason| panic!("{context}: {reason}"));
        let [0x02, 0, serial @ ..] = frame.destination else { panic!("{context}: to nobody") };
        let serial = u32::from_be_bytes(serial);
        let queue = frame.cpid & 7;
        let sample = loop {
            let sample = self.samples.pop_front().unwrap_or_else(|| panic!("{context}: of no sample"));
            if (sample.queue, sample.serial) == (queue, serial) {
                break sample;
            }
            assert!(!self.answers_all, "{context}: the frame of {sample:?} is missing");
        };
        if matches!(self.case.scheme, "smcc" | "qcn") {
            assert_eq!((frame.q_offset, frame.q_delta), (sample.offset, sample.delta), "{context}");
        }
        let passing = self.passing.iter().find(|packet| packet.serial == serial);
        let packet = passing.unwrap_or_else(|| &self.gone[serial as usize]);
        let tags = Tags::of(&packet.octets);
        assert_eq!((frame.vlan, frame.flow_id), (tags.vlan, tags.flow_id), "{context}");
        assert_eq!(frame.encapsulated_destination, packet.octets[..6], "{context}");
        assert!(!packet.feedback && packet.kind == Kind::Counted, "{context}");
        assert_eq!(words[0], header(1 << packet.source_port, 0, 60), "{context}: it goes to another port");
        if self.kept.len() < KEPT {
            self.kept.push((octets, packet.clone(), queue));
        }
        let port = packet.source_port;
        self.frames += 1;
        self.store(1 << port, 9);
    }

    fn address(&self, name: &str) -> u64 {
        let found = self.registers.list.iter().find(|register| register.name == name);
        u64::from(found.unwrap_or_else(|| panic!("there is no register {name}")).address) >> 2
    }

    /// A request for a register, and its answer.
    fn access(&mut self, name: &str, write: Option<u64>) -> u64 {
        let (address, data) = (BLOCK << 10 | self.address(name), write.unwrap_or(0));
        let reads = u64::from(write.is_none());
        self.row[RING..RING + 6].copy_from_slice(&[1, 0, reads, address, data, 2]);
        self.set("in_wr", 0);
        self.set("pkt_removed", 0);
        self.set("pkt_dropped", 0);
        self.clock();
        self.set("reg_req_in", 0);
        while {
            self.clock();
            self.out[RING] == 0
        } {}
        let value = if write.is_some() { data } else { self.out[RING + 4] };
        assert_eq!(self.out[RING..RING + 6], [1, 1, reads, address, value, 2], "{name}: the answer");
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
