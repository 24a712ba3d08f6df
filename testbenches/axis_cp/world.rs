// SPDX-License-Identifier: MIT OR Apache-2.0
//! The congestion point between streams, at native speed. Each output is compared in each cycle with the models of the
//! queue and of the feedback frames, and with the reference of the congestion point between them.

use crate::axis_cp::beats::{Beat, Frame, Lengths};
use crate::axis_cp::model::{Events, Output, Queue};
use std::collections::{BTreeMap, VecDeque};
use tidegate::bus::axis_cp::{self, CongestionPoint};
use tidegate::bus::width::Width;
use tidegate::engine::{self, Program, Simulation};
use tidegate::frame::cnm::Cnm;
use tidegate::registers::Registers;
use tidegate::registry;
use tidegate::rtl::circuit::Circuit;
use tidegate::scheme::Part;
use tidegate::schemes::reference::{self, Reference};
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
    /// Of 100 frames how many are bad.
    pub faults: u64,
    pub source: Pattern,
    pub sink: Pattern,
    /// Who takes the feedback frames.
    pub cnm_sink: Pattern,
    pub seed: u64,
}

/// The inputs of each cycle, and the outputs before and after its edge.
pub type Record = (Vec<Vec<u64>>, Vec<Vec<u64>>);

pub struct World {
    pub case: Case,
    pub registers: Registers,
    simulation: Simulation,
    inputs: BTreeMap<String, (engine::Input, usize)>,
    outputs: BTreeMap<String, (engine::Output, usize)>,
    row: Vec<u64>,
    out: Vec<u64>,
    random: Random,
    sides: [Willing; 3],
    pub cycle: u64,
    made: u32,
    entering: VecDeque<Beat>,
    queue: Queue,
    output: Output,
    part: Box<dyn Reference>,
    /// The place of each of its ports in the row.
    ports: BTreeMap<String, usize>,
    part_row: Vec<u32>,
    /// Whether the outputs are compared with the models.
    pub compares: bool,
    /// Those that entered the queue, by their number.
    entered: BTreeMap<u32, Frame>,
    going: Vec<u8>,
    pub samples: u64,
    pub lost_samples: u64,
    pub frames: Vec<Cnm>,
    pub record: Option<Record>,
}

fn owned(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

pub fn made(scheme: &str, settings: &[(&str, &str)], width: Width) -> CongestionPoint {
    let (scheme, settings) = (registry::find(scheme).unwrap(), owned(settings));
    let parameters = axis_cp::parameters(scheme, &settings).unwrap();
    axis_cp::congestion_point(scheme, &parameters, &settings, width)
}

impl World {
    pub fn new(case: Case) -> World {
        let (program, registers) = Self::compiled(&made(case.scheme, case.settings, case.width));
        Self::with(case, &program, registers)
    }

    /// What worlds of the same circuit share.
    pub fn compiled(point: &CongestionPoint) -> (Program, Registers) {
        (Program::compile(&in_lanes(&point.netlist)).unwrap(), point.registers.clone())
    }

    pub fn with(case: Case, program: &Program, registers: Registers) -> World {
        let names = |input| {
            let ports = program.ports().iter().filter(move |port| port.input == input);
            ports.map(|port| port.name.clone()).enumerate()
        };
        let input = |(place, name): (usize, String)| (name.clone(), (program.input(&name).unwrap(), place));
        let output = |(place, name): (usize, String)| (name.clone(), (program.output(&name).unwrap(), place));
        let (inputs, outputs): (BTreeMap<_, _>, BTreeMap<_, _>) =
            (names(true).map(input).collect(), names(false).map(output).collect());
        let scheme = registry::find(case.scheme).unwrap();
        let parameters = axis_cp::parameters(scheme, &owned(case.settings)).unwrap();
        let circuit: Circuit = (scheme.circuit)(Part::CongestionPoint, &parameters);
        let values = registry::part_ports(scheme, &parameters, Part::CongestionPoint);
        let row = circuit.ports.iter().map(|port| values.get(&port.name).map_or(0, |&value| value as u32)).collect();
        let capacity = 1 << axis_cp::address_bits(case.width, &parameters);
        World {
            simulation: program.start(1),
            row: vec![0; inputs.len()],
            out: vec![0; outputs.len()],
            inputs,
            outputs,
            random: Random::new(case.seed),
            sides: [case.source, case.sink, case.cnm_sink].map(Willing::new),
            cycle: 0,
            made: 0,
            entering: VecDeque::new(),
            queue: Queue::new(capacity),
            output: Output::default(),
            part: reference::of(scheme, Part::CongestionPoint, &circuit).unwrap(),
            ports: circuit.ports.into_iter().enumerate().map(|(place, port)| (port.name, place)).collect(),
            part_row: row,
            compares: true,
            entered: BTreeMap::new(),
            going: Vec::new(),
            samples: 0,
            lost_samples: 0,
            frames: Vec::new(),
            record: None,
            registers,
            case,
        }
    }

    fn set(&mut self, name: &str, value: u64) {
        let place = self.inputs.get(name).unwrap_or_else(|| panic!("no input {name}")).1;
        self.row[place] = value;
    }

    fn get(&self, name: &str) -> u64 {
        self.out[self.outputs.get(name).unwrap_or_else(|| panic!("no output {name}")).1]
    }

    /// The names of the inputs, in the order of the rows that are recorded.
    pub fn input_place(&self, name: &str) -> Option<usize> {
        self.inputs.get(name).map(|&(_, place)| place)
    }

    /// Runs all frames through, and checks everything on the way.
    pub fn run(&mut self) {
        self.reset();
        while self.made < self.case.frames || !self.entering.is_empty() {
            self.traffic();
        }
        self.drain();
        assert!(self.queue.coming.is_empty());
        for (name, expected) in [
            ("bad_frames", self.queue.bad_frames),
            ("dropped_frames", self.queue.dropped_frames),
            ("rejected_frames", self.queue.rejected_frames),
            ("samples", self.samples),
            ("lost_samples", self.lost_samples),
            ("cpTransmittedCnms", self.frames.len() as u64),
            ("clamps", 0),
        ] {
            assert_eq!(self.counter(name), expected, "{name}");
        }
        let all = self.queue.gone + self.queue.bad_frames + self.queue.dropped_frames;
        assert_eq!(all, u64::from(self.case.frames), "each frame goes, is bad, or is dropped");
        assert_eq!(self.read("queue_bytes"), 0);
    }

    /// Frames that went through, that were bad, that found no room, that were too short.
    pub fn outcomes(&self) -> [u64; 4] {
        let queue = &self.queue;
        [queue.gone, queue.bad_frames, queue.dropped_frames, queue.rejected_frames]
    }

    pub fn reset(&mut self) {
        self.clock(None);
        self.set("aresetn", 1);
    }

    /// A cycle in which a beat may come.
    pub fn traffic(&mut self) {
        if self.entering.is_empty() && self.made < self.case.frames {
            let octets = self.case.width.octets();
            let frame = Frame::random(self.made, self.case.lengths, self.case.faults, octets, &mut self.random);
            self.made += 1;
            self.entering.extend(frame.beats.iter().cloned());
            self.queue.coming.push_back(frame);
        }
        let willing = self.sides[0].next(&mut self.random);
        let beat = if willing { self.entering.pop_front() } else { None };
        self.clock(beat);
    }

    /// Waits until nothing is left.
    fn drain(&mut self) {
        let end = self.cycle + 400_000;
        let mut quiet = 0;
        // DSM looks at a sample for 213 cycles, and five may be there.
        while quiet < 1_500 {
            assert!(self.cycle < end, "it does not come to rest");
            self.clock(None);
            let rests = self.queue.is_empty() && self.output.out().is_none();
            quiet = if rests { quiet + 1 } else { 0 };
        }
    }

    /// A clock cycle with a beat, and the checks of what comes out.
    fn clock(&mut self, beat: Option<Beat>) {
        let width = self.case.width.octets();
        let (octets, keep, last, user) = match &beat {
            Some(beat) => (beat.octets.clone(), beat.keep, beat.last, beat.user),
            None => ((0..width).map(|_| self.random.word() as u8).collect(), self.random.word(), true, true),
        };
        self.set_wide("s_axis_tdata", &octets);
        self.set("s_axis_tkeep", keep);
        self.set("s_axis_tlast", last.into());
        self.set("s_axis_tuser", user.into());
        self.set("s_axis_tvalid", beat.is_some().into());
        let [ready, cnm_ready] = [1, 2].map(|side| self.sides[side].next(&mut self.random));
        self.set("m_axis_tready", ready.into());
        self.set("m_axis_cnm_tready", cnm_ready.into());
        self.step();
        let reset = self.row[self.inputs["aresetn"].1] == 0;
        if reset {
            self.part_cycle(&Events::default(), true, false);
            return;
        }
        if !self.compares {
            return;
        }
        assert_eq!(self.get("s_axis_tready"), 1);
        self.compare("m_axis", self.queue.out().cloned());
        self.compare("m_axis_cnm", self.output.out().cloned());
        if let Some(beat) = self.output.out().filter(|_| cnm_ready).cloned() {
            self.frame_beat(&beat);
        }
        let told = self.queue.cycle(beat, ready);
        let word = self.part_cycle(&told, false, self.output.ready());
        self.output.cycle(word, cnm_ready, width);
        if let Some(frame) = told.entered {
            let serial = frame.octets.get(8..12).map(|serial| u32::from_be_bytes(serial.try_into().unwrap()));
            serial.map(|serial| self.entered.insert(serial, frame));
        }
    }

    /// Compares a stream with the beat that it must show.
    fn compare(&self, stream: &str, expected: Option<Beat>) {
        let at = |name: &str| self.get(&format!("{stream}_{name}"));
        let context = format!("{:?}, cycle {}: {stream}", self.case.width, self.cycle);
        assert_eq!(at("tvalid"), u64::from(expected.is_some()), "{context}: tvalid");
        let Some(beat) = expected else { return };
        assert_eq!((at("tkeep"), at("tlast")), (beat.keep, beat.last.into()), "{context}: tkeep and tlast");
        let octets = self.get_wide(&format!("{stream}_tdata"));
        assert_eq!(octets[..beat.valid().len()], *beat.valid(), "{context}: octets");
    }

    /// A cycle of the congestion point; returns the word that it sends.
    fn part_cycle(&mut self, told: &Events, reset: bool, data_ready: bool) -> Option<(u64, bool)> {
        let mut inputs = vec![("reset", u32::from(reset)), ("data_ready", data_ready.into())];
        inputs.extend([("enqueue", u32::from(told.entered.is_some())), ("dequeue", u32::from(told.left > 0))]);
        inputs.push(("dequeue_bytes", told.left));
        if let Some(Frame { octets, controlled, tags, .. }) = &told.entered {
            let octet = |place: usize| u32::from(octets.get(place).copied().unwrap_or(0));
            let word = |first: usize, count: usize| (first..first + count).fold(0, |word, at| word << 8 | octet(at));
            inputs.extend([
                ("enqueue_bytes", octets.len() as u32),
                ("destination_mac_high", word(0, 2)),
                ("destination_mac_low", word(2, 4)),
                ("source_mac_high", word(6, 2)),
                ("source_mac_low", word(8, 4)),
                ("has_tag", tags.vlan.is_some().into()),
                ("vlan_tci", tags.vlan.unwrap_or(0).into()),
                ("has_cn_tag", tags.flow_id.is_some().into()),
                ("flow_id", tags.flow_id.unwrap_or(0).into()),
                ("controlled", (*controlled).into()),
            ]);
        }
        let place = |name: &str| self.ports[name];
        for (name, value) in inputs {
            self.part_row[place(name)] = value;
        }
        self.part.outputs(&mut self.part_row);
        let row = &self.part_row;
        let at = |name: &str| row[place(name)];
        let word = u64::from(at("data_high")) << 32 | u64::from(at("data_low"));
        let word = (!reset && at("valid") == 1).then_some((word, at("last") == 1));
        if !reset {
            assert_eq!(at("clamped"), 0, "cycle {}: the length was clamped", self.cycle);
            self.samples += u64::from(at("sample"));
            self.lost_samples += u64::from(at("lost"));
        }
        self.part.edge(&self.part_row);
        word
    }

    /// A beat of a feedback frame; of a whole one, what it says about the frame that was sampled.
    fn frame_beat(&mut self, beat: &Beat) {
        self.going.extend(beat.valid());
        if !beat.last {
            return;
        }
        let octets = std::mem::take(&mut self.going);
        assert_eq!(octets.len(), 60);
        let cnm = Cnm::parse(&octets).unwrap_or_else(|reason| panic!("cycle {}: {reason}", self.cycle));
        let serial = u32::from_be_bytes(cnm.destination[2..].try_into().unwrap());
        let frame = self.entered.get(&serial).unwrap_or_else(|| panic!("feedback for {serial}, which did not enter"));
        assert!(frame.controlled && !frame.bad && !frame.short);
        assert_eq!(cnm.destination, frame.octets[6..12]);
        assert_eq!(cnm.encapsulated_destination, frame.octets[..6]);
        assert_eq!((cnm.vlan, cnm.flow_id), (frame.tags.vlan, frame.tags.flow_id));
        self.frames.push(cnm);
    }

    fn set_wide(&mut self, name: &str, octets: &[u8]) {
        if octets.len() == 8 {
            return self.set(name, u64::from_le_bytes(octets.try_into().unwrap()));
        }
        for (lane, chunk) in octets.chunks(8).enumerate() {
            self.set(&format!("{name}_{lane}"), u64::from_le_bytes(chunk.try_into().unwrap()));
        }
    }

    fn get_wide(&self, name: &str) -> Vec<u8> {
        let width = self.case.width.octets();
        let lanes = (0..width / 8).map(|lane| if width == 8 { name.to_string() } else { format!("{name}_{lane}") });
        lanes.flat_map(|lane| self.get(&lane).to_le_bytes()).collect()
    }

    /// The source address of the feedback frame whose last beat was shown in the last cycle, if there was one.
    pub fn feedback_source(&mut self) -> Option<u64> {
        if self.get("m_axis_cnm_tvalid") == 0 {
            return None;
        }
        self.going.extend(self.get_wide("m_axis_cnm_tdata"));
        if self.get("m_axis_cnm_tlast") == 0 {
            return None;
        }
        let octets = std::mem::take(&mut self.going);
        Some(octets[6..12].iter().fold(0, |source, &octet| source << 8 | u64::from(octet)))
    }

    /// A clock edge.
    fn step(&mut self) {
        for &(input, place) in self.inputs.values() {
            self.simulation.set(input, self.row[place]);
        }
        self.simulation.step();
        self.out = self.values();
        if let Some((mut rows, mut expected)) = self.record.take() {
            self.simulation.settle();
            rows.push(self.row.clone());
            expected.extend([self.out.clone(), self.values()]);
            self.record = Some((rows, expected));
        }
        self.cycle += 1;
    }

    fn values(&self) -> Vec<u64> {
        let mut values = vec![0; self.outputs.len()];
        for &(output, place) in self.outputs.values() {
            values[place] = self.simulation.get(output);
        }
        values
    }

    fn address(&self, name: &str) -> u64 {
        let found = self.registers.list.iter().find(|register| register.name == name);
        found.unwrap_or_else(|| panic!("there is no register {name}")).address.into()
    }

    /// Holds inputs until an output was high.
    fn until(&mut self, output: &str) {
        for _ in 0..40 {
            self.clock(None);
            if self.get(output) == 1 {
                return;
            }
        }
        panic!("{output} does not rise");
    }

    pub fn write(&mut self, name: &str, value: u64) {
        self.set("s_axi_awaddr", self.address(name));
        self.set("s_axi_wdata", value);
        self.set("s_axi_wstrb", 15);
        self.set("s_axi_bready", 1);
        for (valid, ready) in [("s_axi_awvalid", "s_axi_awready"), ("s_axi_wvalid", "s_axi_wready")] {
            self.set(valid, 1);
            self.until(ready);
            self.set(valid, 0);
        }
        self.until("s_axi_bvalid");
        assert_eq!(self.get("s_axi_bresp"), 0);
    }

    pub fn read(&mut self, name: &str) -> u64 {
        self.set("s_axi_araddr", self.address(name));
        self.set("s_axi_arvalid", 1);
        self.until("s_axi_arready");
        self.set("s_axi_arvalid", 0);
        self.set("s_axi_rready", 1);
        self.until("s_axi_rvalid");
        self.set("s_axi_rready", 0);
        self.get("s_axi_rdata")
    }

    pub fn counter(&mut self, name: &str) -> u64 {
        self.read(&format!("{name}_low")) | self.read(&format!("{name}_high")) << 32
    }
}
