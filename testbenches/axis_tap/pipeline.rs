// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data path of a reference switch: frames come through its lookup, the module, if there is one, and into its output queues.

use crate::axis_tap::lookup::{DESTINATION, Kind, Lookup, Offered};
use crate::axis_tap::output_queues::{OutputQueues, Seen, Takes};
use crate::axis_tap::path_frames::{Frame, Lengths, USER, queues_of};
use crate::axis_tap::world::{LEVELS, PROBES, REMOVED, REMOVED_OCTETS, World, made};
use std::collections::VecDeque;
use tidegate::bus::axis_tap::QUEUES;
use tidegate::bus::queue_input::QueueInput;
use tidegate::bus::width::Width;
use tidegate::engine::Program;
use tidegate::registers::Registers;
use tidegate_testing::axis_device::{Device, Registered};
use tidegate_testing::stimulus::Random;

/// What a run is about.
#[derive(Clone, Copy)]
pub struct Setup {
    pub scheme: &'static str,
    pub settings: &'static [(&'static str, &'static str)],
    pub input: QueueInput,
    pub width: Width,
    pub lookup: Kind,
    /// Places of its queue of destinations.
    pub places: usize,
    pub takes: Takes,
    pub frames: u32,
    /// Of 100 frames, how many have 60 octets; the others have 61 to 1,514.
    pub shortest: u64,
    /// Cycles between two frames, for the first frames, the next ones and so on, as many each.
    pub gaps: (u32, u32),
    /// Octets that leave each queue in 100 cycles.
    pub rate: u64,
    pub seed: u64,
}

impl Setup {
    /// The module of this setup, compiled once for all that are equal in it.
    pub fn compiled(&self) -> (Program, Registers) {
        World::compiled(&made(self.scheme, self.settings, self.width, self.input))
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Frames that came to the output queues with other destinations than were looked up.
    pub misdirected: u64,
    /// Those of them that have one beat.
    pub of_one_beat: u64,
    /// Frames that full queues dropped.
    pub dropped: u64,
    /// Feedback frames.
    pub feedback: u64,
    /// If there are events: the most cycles that octets had entered a queue, or left it, and the congestion point had not been
    /// told, and the most octets that its length differed from those in the queue.
    pub late: u64,
    pub difference: u64,
    pub cycles: u64,
}

/// Octets of which the congestion point has not been told: since when, and how many.
#[derive(Default)]
struct Untold(VecDeque<(u64, u64)>);

impl Untold {
    fn add(&mut self, cycle: u64, octets: u64) {
        if octets > 0 {
            self.0.push_back((cycle, octets));
        }
    }

    /// It is told of so many.
    fn tell(&mut self, mut octets: u64) {
        while let Some((_, first)) = self.0.front_mut() {
            let part = octets.min(*first);
            *first -= part;
            octets -= part;
            if *first > 0 {
                return;
            }
            self.0.pop_front();
        }
        assert_eq!(octets, 0, "more is told than happened");
    }

    fn age(&self, cycle: u64) -> u64 {
        self.0.front().map_or(0, |&(since, _)| cycle - since)
    }
}

pub struct Pipeline {
    setup: Setup,
    module: Option<(Device, Registers)>,
    random: Random,
    made: u32,
    /// What has not come to the lookup, and the cycles until it may.
    entering: VecDeque<Offered>,
    gap: u32,
    lookup: Lookup,
    /// Frames that did not come to the output queues, and the beat of the first one that is next.
    coming: VecDeque<Frame>,
    beat: usize,
    inserting: bool,
    queues: OutputQueues,
    entered: [Untold; QUEUES],
    left: [Untold; QUEUES],
    /// Octets in each queue, and its length in the congestion point.
    stored: [u64; QUEUES],
    lengths: [u64; QUEUES],
    pub outcome: Outcome,
}

impl Registered for Pipeline {
    fn device(&mut self) -> &mut Device {
        &mut self.module.as_mut().expect("there is a module").0
    }

    fn registers(&self) -> &Registers {
        &self.module.as_ref().expect("there is a module").1
    }

    fn idle(&mut self) {
        self.cycle();
    }
}

impl Pipeline {
    /// With a module of [`Setup::compiled`], or without one.
    pub fn new(setup: Setup, module: Option<&(Program, Registers)>) -> Pipeline {
        let width = setup.width.octets();
        Pipeline {
            setup,
            module: module.map(|(program, registers)| (Device::new(program, PROBES.len()), registers.clone())),
            random: Random::new(setup.seed),
            made: 0,
            entering: VecDeque::new(),
            gap: 0,
            lookup: Lookup::new(setup.lookup, setup.places),
            coming: VecDeque::new(),
            beat: 0,
            inserting: false,
            queues: OutputQueues::new(setup.takes, width, setup.rate),
            entered: Default::default(),
            left: Default::default(),
            stored: [0; QUEUES],
            lengths: [0; QUEUES],
            outcome: Outcome::default(),
        }
    }

    /// Runs all frames through, unchanged and in order.
    pub fn run(mut self) -> Outcome {
        if self.module.is_some() {
            self.device().step();
            self.device().set("aresetn", 1);
            assert_eq!(self.write("controlled_queues", 0x1f), 0);
        }
        let most = 10_000 + 200 * u64::from(self.setup.frames);
        while self.made < self.setup.frames || !self.entering.is_empty() || !self.coming.is_empty() {
            if self.entering.is_empty() && self.made < self.setup.frames {
                self.next_frame();
            }
            self.cycle();
            assert!(self.outcome.cycles < most, "{} frames are on their way", self.coming.len());
        }
        let loaded = self.outcome.cycles;
        // Until nothing happens any more.
        (0..3_000).for_each(|_| self.cycle());
        assert!(self.queues.are_empty());
        if self.module.is_some() {
            self.all_has_left();
            assert_eq!(self.counter("cpTransmittedCnms"), self.outcome.feedback);
            assert_eq!((self.counter("clamps"), self.counter("unknown_queue_events")), (0, 0));
        }
        Outcome { cycles: loaded, ..self.outcome }
    }

    /// The lengths are 0, as software reads them.
    fn all_has_left(&mut self) {
        for queue in 0..QUEUES as u64 {
            assert_eq!(self.write("queue_index", queue), 0);
            assert_eq!(self.read("queue_length"), 0, "queue {queue}");
        }
    }

    fn next_frame(&mut self) {
        let (setup, random) = (&self.setup, &mut self.random);
        let length = if random.chance(setup.shortest) { 60 } else { random.between(61, 1514) };
        let frame = Frame::random(self.made, Lengths::Only(length as usize), 0, setup.width.octets(), random);
        let (first, last) = setup.gaps;
        self.gap = first + (last + 1 - first) * self.made / setup.frames;
        self.made += 1;
        self.entering.extend(frame.beats.iter().cloned().zip(frame.users.iter().copied()));
        self.coming.push_back(frame);
    }

    /// A clock cycle.
    fn cycle(&mut self) {
        let offered = self.lookup.offered();
        let ready = self.queues.ready();
        self.drive_queues();
        let (taken, goes) = if self.module.is_some() {
            self.drive_stream(&offered);
            let device = self.device();
            device.set("m_axis_tready", ready.into());
            device.step();
            (offered.is_some() && device.get("s_axis_tready") == 1, self.shown())
        } else {
            (offered.is_some() && ready, offered)
        };
        let comes = self.comes();
        self.lookup.step(comes, taken);
        self.goes(goes, ready);
        self.outcome.cycles += 1;
        if self.module.is_some() && self.setup.input == QueueInput::Events {
            self.watch();
        }
    }

    /// How late the congestion point knows what happened.
    fn compare(&mut self) {
        let outcome = &mut self.outcome;
        for queue in 0..QUEUES {
            let age = self.entered[queue].age(outcome.cycles).max(self.left[queue].age(outcome.cycles));
            outcome.late = outcome.late.max(age);
            outcome.difference = outcome.difference.max(self.lengths[queue].abs_diff(self.stored[queue]));
        }
    }

    /// The beat that comes to the lookup in this cycle.
    fn comes(&mut self) -> Option<Offered> {
        if self.gap > 0 {
            self.gap -= 1;
            return None;
        }
        if self.lookup.ready() { self.entering.pop_front() } else { None }
    }

    fn drive_stream(&mut self, offered: &Option<Offered>) {
        let width = self.setup.width.octets();
        let nothing = || {
            let octets = (0..width as u8).map(|octet| octet ^ 0xa5).collect();
            (octets, [0x5a; USER], u64::MAX, true)
        };
        let (octets, user, keep, last) = match offered {
            Some((beat, user)) => (beat.octets.clone(), *user, beat.keep, beat.last),
            None => nothing(),
        };
        let device = self.device();
        device.set_wide("s_axis_tdata", &octets);
        device.set_wide("s_axis_tuser", &user);
        device.set("s_axis_tkeep", keep);
        device.set("s_axis_tlast", last.into());
        device.set("s_axis_tvalid", offered.is_some().into());
    }

    /// What is at the output of the module.
    fn shown(&mut self) -> Option<Offered> {
        let width = self.setup.width.octets();
        let device = self.device();
        if device.get("m_axis_tvalid") == 0 {
            return None;
        }
        let (octets, user) = (device.get_wide("m_axis_tdata", width), device.get_wide("m_axis_tuser", USER));
        let (keep, last) = (device.get("m_axis_tkeep"), device.get("m_axis_tlast") == 1);
        Some((crate::axis_cp::beats::Beat { octets, keep, last, user: false }, user.try_into().unwrap()))
    }

    /// What leaves the queues in this cycle, and what the module is told of it.
    fn drive_queues(&mut self) {
        let (queues, octets) = self.queues.dropped;
        let levels: Vec<_> = (0..QUEUES).map(|queue| self.queues.level(queue)).collect();
        let left: Vec<_> = (0..QUEUES).map(|queue| self.queues.leaves(queue)).collect();
        for (queue, octets) in left.iter().enumerate() {
            let octets = u64::from(octets.unwrap_or(0));
            self.stored[queue] -= octets;
            self.left[queue].add(self.outcome.cycles, octets);
        }
        let Some((device, _)) = &mut self.module else { return };
        if self.setup.input == QueueInput::Level {
            levels.iter().zip(LEVELS).for_each(|(&level, name)| device.set(name, level as u64));
            return;
        }
        for (queue, octets) in left.into_iter().enumerate() {
            device.set(REMOVED[queue], octets.is_some().into());
            device.set(REMOVED_OCTETS[queue], octets.unwrap_or(0).into());
        }
        device.set("pkt_dropped", queues.into());
        device.set("bytes_dropped", octets.into());
    }

    /// What the congestion point is told.
    fn watch(&mut self) {
        let device = &self.module.as_ref().expect("there is a module").0;
        let [events, point] = ["frame_events", "congestion_point"]
            .map(|module| move |port: &str| device.get(&format!("whole.{module}.{port}")));
        if events("enqueue") & point("ready") == 1 {
            self.entered[events("enqueue_queue") as usize].tell(events("enqueue_bytes"));
        }
        if events("dequeue") & point("dequeue_ready") == 1 {
            self.left[events("dequeue_queue") as usize].tell(events("dequeue_bytes"));
        }
        if point("counted") == 1 {
            self.lengths[point("visited_queue") as usize] = point("queue_bytes");
        }
        self.compare();
    }

    /// A beat is at the output queues, which take it if they are ready.
    fn goes(&mut self, shown: Option<Offered>, ready: bool) {
        let seen = |(beat, user): &Offered| {
            let octets = u16::from_le_bytes([user[0], user[1]]);
            Seen { octets, ports: user[DESTINATION], last: beat.last }
        };
        let told = self.queues.step(shown.as_ref().map(seen));
        let Some((beat, user)) = shown else { return };
        let octets = u64::from(u16::from_le_bytes([user[0], user[1]]));
        if let Some(ports) = told.arrives {
            self.arrives(ports, user, octets, told.drops);
        }
        if !ready {
            return;
        }
        if self.inserting {
            self.inserting = !beat.last;
            return;
        }
        let frame = &self.coming[0];
        let expected = &frame.beats[self.beat];
        assert_eq!((&beat.octets, beat.keep, beat.last), (&expected.octets, expected.keep, expected.last));
        assert_eq!(user[..DESTINATION], frame.users[self.beat][..DESTINATION]);
        assert_eq!(user[DESTINATION + 1..], frame.users[self.beat][DESTINATION + 1..]);
        self.beat += 1;
        if beat.last {
            self.beat = 0;
            self.coming.pop_front();
        }
    }

    /// The queues see the first beat of a frame.
    fn arrives(&mut self, ports: u8, user: [u8; USER], octets: u64, drops: bool) {
        self.inserting = user[USER - 1] == 0;
        if self.inserting {
            self.outcome.feedback += 1;
        } else {
            let frame = &self.coming[0];
            if ports != frame.users[0][DESTINATION] {
                self.outcome.misdirected += 1;
                self.outcome.of_one_beat += u64::from(frame.beats.len() == 1);
            }
            self.outcome.dropped += u64::from(drops);
        }
        let queues = queues_of(ports);
        for queue in (0..QUEUES).filter(|queue| queues >> queue & 1 == 1) {
            self.entered[queue].add(self.outcome.cycles, octets);
            if drops {
                self.left[queue].add(self.outcome.cycles, octets);
            } else {
                self.stored[queue] += octets;
            }
        }
    }
}
