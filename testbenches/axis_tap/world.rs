// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point in the data path of a NetFPGA-SUME, at native speed: a source that keeps its beat until it is taken, but
//! shows the destination of a frame for one cycle only, and output queues as the reference has them.

use crate::axis_cp::beats::Beat;
use crate::axis_tap::lookup::DESTINATION;
use crate::axis_tap::path_frames::{Frame, Lengths, USER, queues_of, user_of_inserted};
use std::collections::{BTreeMap, VecDeque};
use tidegate::bus::axis_tap::{self, CongestionPoint, QUEUES};
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate::engine::Program;
use tidegate::frame::cnm::Cnm;
use tidegate::registers::Registers;
use tidegate::registry;
use tidegate::scheme::to_units;
use tidegate_testing::axis_device::{Device, Registered};
use tidegate_testing::lanes::in_lanes;
use tidegate_testing::stimulus::{Pattern, Random, Willing};

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Case {
    pub scheme: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
    pub width: Width,
    pub frames: u32,
    pub lengths: Lengths,
    /// Of 100 frames how many are malformed.
    pub faults: u64,
    pub source: Pattern,
    pub sink: Pattern,
    /// Of 1000 cycles in how many each queue may give a frame.
    pub drains: u64,
    /// The output queues that are controlled.
    pub queues: u8,
    /// Octets that an output queue holds.
    pub capacity: u32,
    /// If the queues tell their levels: cycles from a beat that goes out until it is in a level.
    pub way: Option<u64>,
    /// In how many of 100,000 cycles such a queue is emptied at once.
    pub flushes: u64,
    pub seed: u64,
}

/// A sample, which may get a feedback frame.
#[derive(Debug)]
struct Sample {
    queue: u64,
    serial: u32,
    offset: i16,
    delta: i16,
}

/// What the congestion point must be told: a frame for one of its queues.
#[derive(Clone, Debug, PartialEq)]
struct Event {
    queue: u64,
    bytes: u64,
    /// Its number, if it has all octets of the header.
    serial: Option<u32>,
    controlled: bool,
    /// It is the last one of its frame.
    last: bool,
}

impl Case {
    pub fn queue_input(&self) -> QueueInput {
        if self.way.is_some() { QueueInput::Level } else { QueueInput::Events }
    }
}

/// An output queue of the reference.
#[derive(Default)]
struct Stored {
    /// Octets, and the cycle from which on the frame can leave.
    frames: VecDeque<(u16, u64)>,
    octets: u32,
    /// What its level says, and what of it is leaving.
    level: u32,
    leaving: u32,
}

/// What goes out.
enum Going {
    Nothing,
    Frame(usize),
    Inserted { port: u8, octets: Vec<u8> },
}

pub const PROBES: [&str; 16] = [
    "whole.frame_events.enqueue",
    "whole.frame_events.enqueue_queue",
    "whole.frame_events.enqueue_bytes",
    "whole.frame_events.controlled",
    "whole.frame_events.source_mac_low",
    "whole.congestion_point.ready",
    "whole.frame_events.no_room",
    "whole.frame_events.dequeue",
    "whole.frame_events.dequeue_queue",
    "whole.frame_events.dequeue_bytes",
    "whole.congestion_point.dequeue_ready",
    "whole.congestion_point.counted",
    "whole.congestion_point.visited_queue",
    "whole.congestion_point.queue_bytes",
    "whole.congestion_point.sample",
    "whole.frame_events.event_turns.sum_taken",
];

pub const REMOVED: [&str; QUEUES] =
    ["pkt_removed_0", "pkt_removed_1", "pkt_removed_2", "pkt_removed_3", "pkt_removed_4"];
pub const LEVELS: [&str; QUEUES] =
    ["queue_octets_0", "queue_octets_1", "queue_octets_2", "queue_octets_3", "queue_octets_4"];
pub const REMOVED_OCTETS: [&str; QUEUES] =
    ["bytes_removed_0", "bytes_removed_1", "bytes_removed_2", "bytes_removed_3", "bytes_removed_4"];

/// Frames that may wait for the congestion point.
const WAITING: usize = 16;
/// Address of the congestion point.
const ADDRESS: [u8; 6] = [0x02, 0x11, 0x22, 0x33, 0x44, 0x55];
/// CPID of output queue 0.
const CPID: u64 = 0x0123_4567_89ab_cde8;
/// Cycles without anything after which nothing waits.
const REST: u64 = 300;
/// The same for DSM, which looks at a sample for 213 cycles, and five may be there.
const REST_OF_DSM: u64 = 1_200;

pub struct World {
    pub case: Case,
    pub device: Device,
    registers: Registers,
    random: Random,
    source: Willing,
    sink: Willing,
    made: u32,
    entering: VecDeque<(Beat, [u8; USER])>,
    offered: Option<(Beat, [u8; USER])>,
    /// Frames of which not all has gone out.
    passing: VecDeque<Frame>,
    /// Beats of frames that were taken, and the frame of the last one.
    taken_beats: usize,
    coming: VecDeque<Frame>,
    known: Option<Frame>,
    gone: BTreeMap<u32, Frame>,
    going: Going,
    held: Option<(Vec<u8>, [u8; USER], u64, u64)>,
    events: VecDeque<Event>,
    taken: Option<(u64, Option<Event>)>,
    /// What is told is a sum. The frame that was told last is removed in the next cycle.
    tells_sum: bool,
    removes: bool,
    /// What was told last was a sum. Cycles for which a frame has waited.
    told_sum: bool,
    waited: u64,
    /// For each queue: octets that must be told in sums, that were told in sums, counted, left, told to have left.
    sums: [u64; QUEUES],
    told_sums: [u64; QUEUES],
    counted: [u64; QUEUES],
    departed: [u64; QUEUES],
    left: [u64; QUEUES],
    pub lengths: [u64; QUEUES],
    visited: (u64, u64),
    old: [u64; QUEUES],
    samples: VecDeque<Sample>,
    queues: [Stored; QUEUES],
    drops: Option<(u8, u16)>,
    /// The frame that is being stored: its queues, and the octets that have not gone out.
    storing: (u8, u32),
    /// The queues of a frame whose last beat waits at the output, and its octets that never come.
    never: (u8, u32),
    /// On their way to a level: the cycle in which they are in it, their queues, the octets.
    on_their_way: VecDeque<(u64, u8, u32)>,
    quiet: u64,
    removals: bool,
    q0: i64,
    passed: u64,
    /// The output queues were ready in the cycle before: so late the source sees it.
    was_ready: bool,
    /// Cycles in which a beat waited although they were, but for those that `looks` counts.
    pub stalls: u64,
    /// Frames of one beat that were not taken in their first cycle, and those of them that may not be.
    pub looks: u64,
    early: u64,
    /// The first beat before was not taken in its first cycle at the output; what is known of it in this cycle, and in the next one.
    pauses: [bool; 2],
    pub rejected: u64,
    pub unsampled: u64,
    pub dropped: u64,
    pub largest_flush: u32,
    pub all_samples: u64,
    pub frames: u64,
}

pub fn made(scheme: &str, settings: &[(&str, &str)], width: Width, queues: QueueInput) -> CongestionPoint {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let scheme = registry::find(scheme).unwrap();
    let parameters = axis_tap::parameters(scheme, &settings).unwrap();
    axis_tap::congestion_point(scheme, &parameters, &settings, width, queues)
}

impl Registered for World {
    fn device(&mut self) -> &mut Device {
        &mut self.device
    }

    fn registers(&self) -> &Registers {
        &self.registers
    }

    fn idle(&mut self) {
        self.cycle(false);
    }
}

impl World {
    pub fn new(case: Case) -> World {
        let (program, registers) = Self::compiled(&made(case.scheme, case.settings, case.width, case.queue_input()));
        Self::with(case, &program, registers)
    }

    /// What worlds of the same circuit share.
    pub fn compiled(point: &CongestionPoint) -> (Program, Registers) {
        (Program::with_probes(&in_lanes(&point.netlist), &PROBES).unwrap(), point.registers.clone())
    }

    pub fn with(case: Case, program: &Program, registers: Registers) -> World {
        let settings: Vec<_> = case.settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let parameters = axis_tap::parameters(registry::find(case.scheme).unwrap(), &settings).unwrap();
        World {
            device: Device::new(program, PROBES.len()),
            registers,
            random: Random::new(case.seed),
            source: Willing::new(case.source),
            sink: Willing::new(case.sink),
            made: 0,
            entering: VecDeque::new(),
            offered: None,
            passing: VecDeque::new(),
            taken_beats: 0,
            coming: VecDeque::new(),
            known: None,
            gone: BTreeMap::new(),
            going: Going::Nothing,
            held: None,
            events: VecDeque::new(),
            taken: None,
            tells_sum: false,
            removes: false,
            told_sum: false,
            waited: 0,
            sums: [0; QUEUES],
            told_sums: [0; QUEUES],
            counted: [0; QUEUES],
            departed: [0; QUEUES],
            left: [0; QUEUES],
            lengths: [0; QUEUES],
            visited: (0, 0),
            old: [0; QUEUES],
            samples: VecDeque::new(),
            queues: Default::default(),
            drops: None,
            storing: (0, 0),
            never: (0, 0),
            on_their_way: VecDeque::new(),
            quiet: 0,
            removals: true,
            q0: parameters.integer("q0_bytes") as i64,
            passed: 0,
            was_ready: false,
            stalls: 0,
            looks: 0,
            early: 0,
            pauses: [true; 2],
            rejected: 0,
            unsampled: 0,
            dropped: 0,
            largest_flush: 0,
            all_samples: 0,
            frames: 0,
            case,
        }
    }

    pub fn reset(&mut self) {
        self.device.step();
        self.device.set("aresetn", 1);
        let address = ADDRESS.iter().fold(0, |all, &octet| all << 8 | u64::from(octet));
        let settings = [("cpMacAddress", address), ("cpIdentifier", CPID)];
        let halves = settings
            .map(|(name, value)| [(format!("{name}_low"), value & 0xffff_ffff), (format!("{name}_high"), value >> 32)]);
        let queues = ("controlled_queues".to_string(), self.case.queues.into());
        for (name, value) in halves.into_iter().flatten().chain([queues]) {
            assert_eq!(self.write(&name, value), 0);
        }
    }

    /// Runs all frames through, and checks everything on the way.
    pub fn run(&mut self) {
        self.reset();
        while self.made < self.case.frames {
            let until = (self.made + 1_000).min(self.case.frames);
            while self.made < until {
                self.cycle(true);
            }
            self.settle();
        }
        assert_eq!(self.passed, u64::from(self.case.frames));
        assert!(self.looks <= self.early + self.frames, "{} of {} frames of one beat", self.looks, self.early);
        assert!(self.stalls <= 8 * self.frames, "{} cycles for {} feedback frames", self.stalls, self.frames);
        for (name, expected) in [
            ("rejected_frames", self.rejected),
            ("unsampled_frames", self.unsampled),
            ("samples", self.all_samples),
            ("cpTransmittedCnms", self.frames),
            ("clamps", 0),
            ("unknown_queue_events", 0),
        ] {
            assert_eq!(self.counter(name), expected, "{name}");
        }
    }

    /// Waits until nothing happens any more, and compares the lengths of all queues.
    fn settle(&mut self) {
        self.removals = false;
        let end = self.device.cycle + 300_000;
        let rest = if self.case.scheme == "dsm" { REST_OF_DSM } else { REST };
        while self.quiet < rest {
            assert!(self.device.cycle < end, "cycle {}: it does not come to rest", self.device.cycle);
            self.cycle(false);
        }
        self.removals = true;
        assert!(self.passing.is_empty() && self.offered.is_none(), "cycle {}: a frame is held", self.device.cycle);
        assert!(self.events.is_empty(), "events that were not told: {:?}", self.events);
        for queue in 0..QUEUES {
            let controlled = self.case.queues >> queue & 1 == 1;
            let stored = if controlled { self.queues[queue].octets.into() } else { 0 };
            let context = (self.case.scheme, self.case.width, self.device.cycle, queue);
            assert_eq!(self.told_sums[queue], self.sums[queue], "{context:?}: sums");
            assert_eq!(self.left[queue], self.departed[queue], "{context:?}: what has left");
            let inside = self.counted[queue] - self.left[queue];
            assert_eq!(self.lengths[queue], inside, "{context:?}: what the congestion point was told");
            assert_eq!(self.lengths[queue], stored, "{context:?}: length of this queue");
        }
    }

    /// A clock cycle in which frames may come, and the checks of what comes out.
    pub fn cycle(&mut self, more: bool) {
        let width = self.case.width.octets();
        let longest = 400_000 + 8_000 * u64::from(self.case.frames);
        assert!(self.device.cycle < longest, "{} of {} frames are through", self.passed, self.case.frames);
        while more && self.entering.len() < 64 && self.made < self.case.frames {
            let frame = Frame::random(self.made, self.case.lengths, self.case.faults, width, &mut self.random);
            self.made += 1;
            self.entering.extend(frame.beats.iter().cloned().zip(frame.users.iter().copied()));
            self.coming.push_back(frame);
        }
        let is_new = self.offered.is_none() && self.source.next(&mut self.random);
        if is_new {
            self.offered = self.entering.pop_front();
        }
        self.drive_stream(width, is_new);
        let ready = self.sink.next(&mut self.random);
        self.device.set("m_axis_tready", ready.into());
        match self.case.way {
            Some(_) => self.drive_levels(width),
            None => self.drive_queues(),
        }
        self.device.step();
        self.quiet += 1;
        self.watch();
        let shown = self.shown(width);
        let is_early =
            is_new && self.pauses[0] && self.offered.as_ref().is_some_and(|_| self.coming[0].beats.len() == 1);
        self.pauses[0] = self.pauses[1];
        if shown.is_some() && self.held.is_none() && matches!(self.going, Going::Nothing) {
            self.pauses[1] = !ready;
        }
        if let Some(held) = self.held.take() {
            assert_eq!(Some(held), shown, "cycle {}: a beat changed before it was taken", self.device.cycle);
        }
        match shown {
            Some(shown) if !ready => {
                self.never = self.never_comes(&shown);
                self.held = Some(shown);
            }
            Some((octets, user, keep, last)) => self.goes(octets, user, keep, last == 1),
            None => {}
        }
        self.known = None;
        let could_go = std::mem::replace(&mut self.was_ready, ready);
        if self.offered.is_some() && could_go && self.device.get("s_axis_tready") == 0 {
            let is_look = is_new && self.coming[0].beats.len() == 1;
            self.early += u64::from(is_early);
            *if is_look { &mut self.looks } else { &mut self.stalls } += 1;
        }
        if self.offered.is_some() && self.device.get("s_axis_tready") == 1 {
            assert!(!is_early, "cycle {}: a frame of one beat is taken too early", self.device.cycle);
            self.offered = None;
            self.beat_taken(width);
        }
    }

    fn drive_stream(&mut self, width: usize, is_new: bool) {
        let (octets, user, keep, last) = match &self.offered {
            Some((beat, user)) => {
                let mut user = *user;
                if !is_new && self.taken_beats == 0 {
                    user[DESTINATION] = self.random.word() as u8;
                }
                (beat.octets.clone(), user, beat.keep, beat.last)
            }
            None => ((0..width).map(|_| self.random.word() as u8).collect(), [0x5a; USER], self.random.word(), true),
        };
        self.device.set_wide("s_axis_tdata", &octets);
        self.device.set_wide("s_axis_tuser", &user);
        self.device.set("s_axis_tkeep", keep);
        self.device.set("s_axis_tlast", last.into());
        self.device.set("s_axis_tvalid", self.offered.is_some().into());
    }

    fn shown(&mut self, width: usize) -> Option<(Vec<u8>, [u8; USER], u64, u64)> {
        let device = &mut self.device;
        if device.get("m_axis_tvalid") == 0 {
            return None;
        }
        let (octets, user) = (device.get_wide("m_axis_tdata", width), device.get_wide("m_axis_tuser", USER));
        Some((octets, user.try_into().unwrap(), device.get("m_axis_tkeep"), device.get("m_axis_tlast")))
    }

    /// A beat of the stream was taken: the fields of its frame may be known with it.
    fn beat_taken(&mut self, width: usize) {
        self.quiet = 0;
        let frame = &self.coming[0];
        if self.taken_beats == frame.known_with(width) {
            self.known = Some(frame.clone());
            self.rejected += u64::from(!frame.whole || frame.source.is_none());
        }
        self.taken_beats += 1;
        if self.taken_beats == frame.beats.len() {
            self.taken_beats = 0;
            let frame = self.coming.pop_front().unwrap();
            self.passing.push_back(frame);
        }
    }

    /// What the output queues tell in this cycle.
    fn drive_queues(&mut self) {
        for queue in 0..QUEUES {
            let removed = self.leaves(queue);
            let octets = removed.unwrap_or(self.random.word() as u32);
            if removed.is_some() {
                self.queues[queue].octets -= octets;
                self.departs(queue, octets);
            }
            self.device.set(REMOVED[queue], removed.is_some().into());
            self.device.set(REMOVED_OCTETS[queue], octets.into());
        }
        let (queues, octets) = self.drops.take().unwrap_or((0, self.random.word() as u16));
        for queue in (0..QUEUES).filter(|queue| queues >> queue & 1 == 1) {
            self.departs(queue, octets.into());
            self.dropped += 1;
        }
        self.device.set("pkt_dropped", queues.into());
        self.device.set("bytes_dropped", octets.into());
    }

    /// The octets of a frame that begins to leave a queue in this cycle.
    fn leaves(&mut self, queue: usize) -> Option<u32> {
        let frames = &mut self.queues[queue].frames;
        let may = self.removals && self.random.below(1000) < self.case.drains;
        let ready = frames.front().is_some_and(|&(_, from)| from <= self.device.cycle);
        if may && ready { frames.pop_front().map(|(octets, _)| octets.into()) } else { None }
    }

    /// The levels of the output queues in this cycle, which a frame leaves beat by beat.
    fn drive_levels(&mut self, width: usize) {
        while let Some(&(_, queues, octets)) = self.on_their_way.front().filter(|way| way.0 <= self.device.cycle) {
            self.on_their_way.pop_front();
            (0..QUEUES).filter(|queue| queues >> queue & 1 == 1).for_each(|queue| self.queues[queue].level += octets);
        }
        for (queue, name) in LEVELS.into_iter().enumerate() {
            if self.queues[queue].leaving == 0 {
                self.queues[queue].leaving = self.leaves(queue).unwrap_or(0);
            }
            let stored = &mut self.queues[queue];
            let mut octets = stored.leaving.min(width as u32);
            if self.removals && self.random.below(100_000) < self.case.flushes {
                let whole = stored.frames.iter().take_while(|(_, from)| *from <= self.device.cycle).count();
                stored.leaving += stored.frames.drain(..whole).map(|(octets, _)| u32::from(octets)).sum::<u32>();
                octets = stored.leaving;
                self.largest_flush = self.largest_flush.max(octets);
            }
            stored.leaving -= octets;
            stored.octets -= octets;
            stored.level -= octets;
            self.device.set(name, stored.level.into());
            if octets > 0 {
                self.departs(queue, octets);
            }
        }
    }

    /// A beat goes to the queues whose levels are told. What a TUSER says too much never comes there.
    fn stores(&mut self, last: bool) {
        let Some(way) = self.case.way else { return };
        let (queues, rest) = self.storing;
        let octets = rest.min(self.case.width.octets() as u32);
        let cycle = self.device.cycle + way - 1;
        self.on_their_way.push_back((cycle, queues, octets));
        self.storing.1 -= octets;
        if !last {
            return;
        }
        let missing = std::mem::take(&mut self.storing.1);
        for queue in (0..QUEUES).filter(|queue| queues >> queue & 1 == 1) {
            let stored = &mut self.queues[queue];
            let (octets, from) = stored.frames.back_mut().expect("it was stored");
            *octets -= missing as u16;
            *from = cycle;
            stored.octets -= missing;
            self.departs(queue, missing);
        }
    }

    /// The queues of the frame whose last beat is shown, and its octets that never come, because its TUSER says too many.
    fn never_comes(&self, (_, user, _, last): &(Vec<u8>, [u8; USER], u64, u64)) -> (u8, u32) {
        if *last == 0 || self.case.way.is_none() {
            return (0, 0);
        }
        let (queues, rest) = match self.going {
            Going::Nothing => (queues_of(user[3]), u16::from_le_bytes([user[0], user[1]]).into()),
            _ => self.storing,
        };
        (queues, rest.saturating_sub(self.case.width.octets() as u32))
    }

    fn departs(&mut self, queue: usize, octets: u32) {
        self.quiet = 0;
        if self.case.queues >> queue & 1 == 1 {
            self.departed[queue] += u64::from(octets);
        }
    }

    /// The events of this cycle, and what the congestion point takes.
    fn watch(&mut self) {
        let cycle = self.device.cycle;
        let [enqueue, queue, bytes, controlled, serial, ready, unsampled, rest @ ..] =
            PROBES.map(|name| self.device.get(name));
        let [dequeue, leave_queue, leave_bytes, leave_ready, counted, visited, length, sample, sum_chosen] = rest;
        self.tells_sum |= sum_chosen != 0;
        // A sum is chosen in the cycle before, in which a frame waits that came before that.
        let frame_first = self.told_sum && self.waited >= 2;
        assert!(sum_chosen == 0 || !frame_first, "cycle {cycle}: a second sum goes before a frame");
        self.waited = if self.events.is_empty() { 0 } else { self.waited + 1 };
        let removed_now = std::mem::take(&mut self.removes);
        if let Some(frame) = self.known.clone() {
            let queues: Vec<u64> =
                (0..QUEUES as u64).filter(|queue| (frame.queues & self.case.queues) >> queue & 1 == 1).collect();
            let waiting = self.events.iter().filter(|event| event.last).count() + usize::from(removed_now);
            let full = waiting == WAITING && !queues.is_empty();
            assert_eq!(unsampled, u64::from(full), "cycle {cycle}: {waiting} frames wait");
            self.unsampled += unsampled;
            for (place, &queue) in queues.iter().enumerate() {
                let (bytes, serial, controlled) =
                    (frame.told.into(), frame.whole.then(|| low_of(&frame)), frame.controlled());
                let last = place + 1 == queues.len();
                if full {
                    self.sums[queue as usize] += bytes;
                } else {
                    self.events.push_back(Event { queue, bytes, serial, controlled, last });
                }
            }
        } else {
            assert_eq!(unsampled, 0, "cycle {cycle}");
        }
        if sample == 1 {
            let (queue, event) = self.taken.take().expect("a sample is something that was taken");
            assert_eq!((queue, queue), (self.visited.0, visited), "cycle {cycle}: the queue of a sample");
            let length = self.visited.1;
            self.all_samples += 1;
            let delta = length as i64 - self.old[queue as usize] as i64;
            self.old[queue as usize] = length;
            if let Some(event) = event.filter(|event| event.controlled) {
                let units = |bytes: i64| to_units(bytes as i32);
                let (serial, offset) = (event.serial.expect("it is whole"), units(length as i64 - self.q0));
                self.samples.push_back(Sample { queue, serial, offset, delta: units(delta) });
            }
        }
        if counted == 1 {
            self.lengths[visited as usize] = length;
            self.visited = (visited, length);
            self.quiet = 0;
        }
        if enqueue == 1 && ready == 1 {
            self.quiet = 0;
            let of_frame = !std::mem::take(&mut self.tells_sum);
            let event = if of_frame { self.events.pop_front() } else { None };
            self.told_sum = !of_frame;
            self.removes = event.as_ref().is_some_and(|event| event.last);
            if of_frame {
                let event = event.as_ref().unwrap_or_else(|| panic!("cycle {cycle}: an event of nothing"));
                assert!(event.serial.is_none_or(|known| u64::from(known) == serial), "cycle {cycle}: {event:?}");
                let told = (queue, bytes, controlled == 1);
                assert_eq!(told, (event.queue, event.bytes, event.controlled), "cycle {cycle}: {event:?}");
            } else {
                assert_eq!(controlled, 0, "cycle {cycle}: a sum is not controlled");
                self.told_sums[queue as usize] += bytes;
            }
            self.counted[queue as usize] += bytes;
            self.taken = Some((queue, event));
        }
        if dequeue == 1 && leave_ready == 1 {
            self.quiet = 0;
            let left = &mut self.left[leave_queue as usize];
            *left += leave_bytes;
            assert!(*left <= self.counted[leave_queue as usize], "cycle {cycle}: more left than was counted");
            let never = if self.never.0 >> leave_queue & 1 == 1 { self.never.1 } else { 0 };
            let departed = self.departed[leave_queue as usize] + u64::from(never);
            assert!(*left <= departed, "cycle {cycle}: more left than departed");
        }
    }

    /// A beat that goes out.
    fn goes(&mut self, octets: Vec<u8>, user: [u8; USER], keep: u64, last: bool) {
        self.quiet = 0;
        self.never = (0, 0);
        if matches!(self.going, Going::Nothing) {
            self.arrives(user);
        }
        self.stores(last);
        match std::mem::replace(&mut self.going, Going::Nothing) {
            Going::Nothing => {
                let inserted = user[USER - 1] == 0;
                if inserted {
                    let port = user[3].trailing_zeros() as u8;
                    self.inserted_beat(port, Vec::new(), &octets, user, keep, last);
                } else {
                    self.of_frame(0, octets, user, keep, last);
                }
            }
            Going::Frame(place) => self.of_frame(place, octets, user, keep, last),
            Going::Inserted { port, octets: before } => self.inserted_beat(port, before, &octets, user, keep, last),
        }
    }

    /// The first beat of a frame comes to the output queues, which store it in all its queues, or in none.
    fn arrives(&mut self, user: [u8; USER]) {
        let (octets, queues) = (u16::from_le_bytes([user[0], user[1]]), queues_of(user[3]));
        let of = || (0..QUEUES).filter(|queue| queues >> queue & 1 == 1);
        self.storing = (queues, octets.into());
        if of().any(|queue| self.queues[queue].octets + u32::from(octets) > self.case.capacity) {
            self.storing.0 = 0;
            if self.case.way.is_some() {
                of().for_each(|queue| self.departs(queue, octets.into()));
                self.dropped += 1;
            } else {
                self.drops = Some((queues, octets));
            }
            return;
        }
        for queue in of() {
            // If levels are told, it leaves when all of it has come.
            let from = self.case.way.map_or(self.device.cycle + self.random.between(2, 12), |_| u64::MAX);
            self.queues[queue].octets += u32::from(octets);
            self.queues[queue].frames.push_back((octets, from));
        }
    }

    fn of_frame(&mut self, place: usize, octets: Vec<u8>, user: [u8; USER], keep: u64, last: bool) {
        let context = format!("{:?}, cycle {}", self.case.width, self.device.cycle);
        let frame = self.passing.front().or(self.coming.front()).unwrap_or_else(|| panic!("{context}: of no frame"));
        let beat = &frame.beats[place];
        assert_eq!(user, frame.users[place], "{context}: TUSER of beat {place} of frame {}", frame.serial);
        assert_eq!((&octets, keep, last), (&beat.octets, beat.keep, beat.last), "{context}: beat {place}");
        if !last {
            self.going = Going::Frame(place + 1);
            return;
        }
        let frame = self.passing.pop_front().unwrap();
        self.gone.insert(low_of(&frame), frame);
        self.passed += 1;
    }

    /// A beat of a feedback frame; of a whole one, for whom it is, what it says, and where it goes.
    fn inserted_beat(&mut self, port: u8, mut before: Vec<u8>, octets: &[u8], user: [u8; USER], keep: u64, last: bool) {
        let context = format!("{:?}, cycle {}: feedback", self.case.width, self.device.cycle);
        assert_eq!(user, user_of_inserted(port), "{context}: TUSER");
        let valid = keep.count_ones() as usize;
        assert_eq!(keep, u64::MAX.checked_shr(64 - keep.count_ones()).unwrap_or(0), "{context}: tkeep");
        assert!(last || valid == octets.len(), "{context}: tkeep");
        before.extend(&octets[..valid]);
        if !last {
            self.going = Going::Inserted { port, octets: before };
            return;
        }
        assert_eq!(before.len(), 60, "{context}");
        let cnm = Cnm::parse(&before).unwrap_or_else(|reason| panic!("{context}: {reason}"));
        assert_eq!(before[6..12], ADDRESS, "{context}");
        let serial = u32::from_be_bytes(cnm.destination[2..].try_into().unwrap());
        let queue = cnm.cpid & 7;
        assert_eq!(cnm.cpid, CPID + queue, "{context}");
        let sample = loop {
            let sample = self.samples.pop_front().unwrap_or_else(|| panic!("{context}: of no sample"));
            if (sample.queue, sample.serial) == (queue, serial) {
                break sample;
            }
            assert!(self.case.scheme != "smcc", "{context}: the frame of {sample:?} is missing");
        };
        if matches!(self.case.scheme, "smcc" | "qcn") {
            assert_eq!((cnm.q_offset, cnm.q_delta), (sample.offset, sample.delta), "{context}");
        }
        let all = self.passing.iter().chain(&self.coming);
        let frame = all.clone().find(|frame| low_of(frame) == serial).unwrap_or_else(|| &self.gone[&serial]);
        assert!(frame.controlled(), "{context}");
        assert_eq!(cnm.destination, frame.octets[6..12], "{context}");
        assert_eq!(cnm.encapsulated_destination, frame.octets[..6], "{context}");
        assert_eq!((cnm.vlan, cnm.flow_id), (frame.tags.vlan, frame.tags.flow_id), "{context}");
        assert_eq!(Some(port), frame.source, "{context}: it goes to another port");
        self.frames += 1;
        for queue in (0..QUEUES).filter(|queue| (queues_of(1 << port) & self.case.queues) >> queue & 1 == 1) {
            self.sums[queue] += 60;
        }
    }
}

/// The low word of the source address.
fn low_of(frame: &Frame) -> u32 {
    frame.octets.get(8..12).map_or(frame.serial, |octets| u32::from_be_bytes(octets.try_into().unwrap()))
}
