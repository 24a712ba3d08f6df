// SPDX-License-Identifier: MIT OR Apache-2.0
//! A switch on the native engine, with models of the MACs at its ports.

use std::collections::VecDeque;
use tidegate_hdl::engine::{Error, Input, Output, Program, Simulation};
use tidegate_hdl::netlist::Netlist;

/// Octets of a beat.
const BEAT: usize = 8;
/// Octets of a frame on the wire that a MAC does not pass on: preamble, FCS, gap.
pub(crate) const WIRE_OCTETS: u64 = 8 + 4 + 12;
/// The shortest frame without its FCS; a MAC fills up a shorter one.
pub(crate) const FRAME_MIN: usize = 60;
/// Octets that a MAC holds of frames that go out.
const SEND_OCTETS: usize = 64;
/// MHz of an octet at 1 Gb/s.
pub(crate) const GIGABIT_MHZ: u64 = 125;
/// Cycles after a reset in which the address table forgets all stations.
pub const FORGETS: u64 = 2200;
/// EtherType for local experiments (IEEE 802).
const EXPERIMENTAL: u16 = 0x88b5;
/// Cycles in which each access of a register must have ended.
const ACCESS_CYCLES: u64 = 200;

/// A frame without preamble and FCS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its octets.
    pub octets: Vec<u8>,
    /// The MAC that received it says that it is bad.
    pub bad: bool,
}

impl Frame {
    /// A frame between two stations, of so many octets, each behind the header the same.
    pub fn between(destination: u64, source: u64, octets: usize, fill: u8) -> Frame {
        let addresses = [destination, source].into_iter().flat_map(|address| address.to_be_bytes()[2..].to_vec());
        let mut all: Vec<u8> = addresses.chain(EXPERIMENTAL.to_be_bytes()).collect();
        all.resize(octets, fill);
        Frame { octets: all, bad: false }
    }
}

/// How many octets of frames pass at 1 Gb/s in each cycle of the core clock.
#[derive(Clone, Copy)]
struct Pace {
    clock_mhz: u64,
    phase: u64,
    /// Octets on the wire before the next frame begins.
    gap: u64,
}

impl Pace {
    /// Those of a cycle, behind the gap.
    fn octets(&mut self) -> u64 {
        self.phase += GIGABIT_MHZ;
        let octets = self.phase / self.clock_mhz;
        self.phase %= self.clock_mhz;
        let waits = octets.min(self.gap);
        self.gap -= waits;
        octets - waits
    }

    /// A frame has ended.
    fn pause(&mut self) {
        self.gap = WIRE_OCTETS;
    }
}

/// The receiving side of a MAC: frames come from the wire, and go into the switch as beats.
struct Receiver {
    ports: [Input; 5],
    pace: Pace,
    frames: VecDeque<Frame>,
    /// Octets of the first frame that have come, and those of them that were in beats.
    come: usize,
    given: usize,
}

impl Receiver {
    /// One cycle: sets the inputs.
    fn cycle(&mut self, simulation: &mut Simulation) {
        let octets = self.pace.octets();
        let [data, keep, last, user, valid] = self.ports;
        let Some(frame) = self.frames.front() else {
            simulation.set(valid, 0);
            return;
        };
        let length = frame.octets.len();
        self.come = length.min(self.come + octets as usize);
        let ends = self.come == length;
        let count = (self.come - self.given).min(BEAT);
        let shows = count == BEAT || (ends && count > 0);
        simulation.set(valid, u64::from(shows));
        if !shows {
            return;
        }
        let mut word = [0; BEAT];
        word[..count].copy_from_slice(&frame.octets[self.given..self.given + count]);
        self.given += count;
        let is_last = self.given == length;
        simulation.set(data, u64::from_le_bytes(word));
        simulation.set(keep, 0xff >> (BEAT - count));
        simulation.set(last, u64::from(is_last));
        simulation.set(user, u64::from(is_last && frame.bad));
        if is_last {
            self.frames.pop_front();
            (self.come, self.given) = (0, 0);
            self.pace.pause();
        }
    }
}

/// The sending side of a MAC: beats of the switch go out on the wire.
struct Sender {
    ports: [Output; 4],
    ready: Input,
    is_ready: bool,
    pace: Pace,
    /// Octets that wait in the MAC, and whether its frame is whole.
    waits: usize,
    sends: bool,
    whole: bool,
    frame: Vec<u8>,
    /// Octets that had to go out before they came.
    broken: u64,
}

impl Sender {
    /// Before a cycle: octets go out, and `ready` is set.
    fn begin(&mut self, simulation: &mut Simulation) {
        let octets = self.pace.octets();
        if self.sends && octets > 0 {
            self.broken += u64::from(self.waits < octets as usize && !self.whole);
            self.waits = self.waits.saturating_sub(octets as usize);
            if self.waits == 0 && self.whole {
                (self.sends, self.whole) = (false, false);
                self.pace.pause();
            }
        }
        self.is_ready = !self.whole && self.waits + BEAT <= SEND_OCTETS;
        simulation.set(self.ready, u64::from(self.is_ready));
    }

    /// After it: returns a frame whose last beat was taken.
    fn end(&mut self, simulation: &Simulation) -> Option<Vec<u8>> {
        let [data, keep, last, valid] = self.ports.map(|port| simulation.get(port));
        if !self.is_ready || valid == 0 {
            return None;
        }
        let count = keep.count_ones() as usize;
        self.frame.extend(&data.to_le_bytes()[..count]);
        self.waits += count;
        self.sends = true;
        self.whole = last == 1;
        if !self.whole {
            return None;
        }
        self.waits += FRAME_MIN.saturating_sub(self.frame.len());
        Some(std::mem::take(&mut self.frame))
    }
}

/// The inputs and outputs of AXI4-Lite.
struct Bus {
    address: [Input; 2],
    valid: [Input; 3],
    value: Input,
    octets: Input,
    ready: [Output; 3],
    answer_valid: [Output; 2],
    answer: [Output; 2],
    read: Output,
}

/// A switch, cycle by cycle.
pub struct Switch {
    simulation: Simulation,
    receivers: Vec<Receiver>,
    senders: Vec<Sender>,
    bus: Bus,
    reset: Input,
    /// Cycles since the reset.
    pub cycle: u64,
    /// Frames that went out: cycle of the last beat, port, octets.
    pub sent: Vec<(u64, usize, Vec<u8>)>,
}

impl Switch {
    /// The switch `netlist` (see `switch::core`) with so many ports and a core clock of so many MHz, after its reset.
    ///
    /// # Errors
    /// The circuit cannot be compiled here, or is no such switch.
    pub fn new(netlist: &Netlist, ports: usize, clock_mhz: u64) -> Result<Switch, Error> {
        let program = Program::compile(netlist)?;
        let pace = Pace { clock_mhz, phase: 0, gap: 0 };
        let receiver = |port: usize| -> Result<Receiver, Error> {
            let input = |name: &str| program.input(&format!("rx_{port}_{name}"));
            let ports = [input("tdata")?, input("tkeep")?, input("tlast")?, input("tuser")?, input("tvalid")?];
            Ok(Receiver { ports, pace, frames: VecDeque::new(), come: 0, given: 0 })
        };
        let sender = |port: usize| -> Result<Sender, Error> {
            let output = |name: &str| program.output(&format!("tx_{port}_{name}"));
            let ports = [output("tdata")?, output("tkeep")?, output("tlast")?, output("tvalid")?];
            let ready = program.input(&format!("tx_{port}_tready"))?;
            let frame = Vec::new();
            Ok(Sender { ports, ready, is_ready: false, pace, waits: 0, sends: false, whole: false, frame, broken: 0 })
        };
        let input = |name: &str| program.input(&format!("s_axi_{name}"));
        let output = |name: &str| program.output(&format!("s_axi_{name}"));
        let bus = Bus {
            address: [input("awaddr")?, input("araddr")?],
            valid: [input("awvalid")?, input("wvalid")?, input("arvalid")?],
            value: input("wdata")?,
            octets: input("wstrb")?,
            ready: [output("awready")?, output("wready")?, output("arready")?],
            answer_valid: [output("bvalid")?, output("rvalid")?],
            answer: [output("bresp")?, output("rresp")?],
            read: output("rdata")?,
        };
        let receivers = (0..ports).map(receiver).collect::<Result<_, _>>()?;
        let senders = (0..ports).map(sender).collect::<Result<_, _>>()?;
        let mut simulation = program.start(1);
        for answer in ["bready", "rready"] {
            simulation.set(input(answer)?, 1);
        }
        let reset = program.input("reset")?;
        let mut switch = Switch { simulation, receivers, senders, bus, reset, cycle: 0, sent: Vec::new() };
        switch.reset();
        Ok(switch)
    }

    /// A reset of the core while nothing comes to its ports.
    ///
    /// # Panics
    /// If frames are coming.
    pub fn reset(&mut self) {
        assert!(self.receivers.iter().all(|receiver| receiver.frames.is_empty()), "frames are coming");
        for high in [1, 1, 1, 1, 0] {
            self.simulation.set(self.reset, high);
            self.simulation.step();
        }
        self.cycle = 0;
        self.sent.clear();
    }

    /// A frame comes to a port behind those that are coming.
    pub fn receive(&mut self, port: usize, frame: Frame) {
        self.receivers[port].frames.push_back(frame);
    }

    /// Frames that have not come to a port as a whole.
    pub fn coming(&self, port: usize) -> usize {
        self.receivers[port].frames.len()
    }

    /// Octets that a MAC could not send in time, because a beat came late.
    pub fn broken(&self) -> u64 {
        self.senders.iter().map(|sender| sender.broken).sum()
    }

    /// One cycle.
    pub fn step(&mut self) {
        for receiver in &mut self.receivers {
            receiver.cycle(&mut self.simulation);
        }
        for sender in &mut self.senders {
            sender.begin(&mut self.simulation);
        }
        self.simulation.step();
        for (port, sender) in self.senders.iter_mut().enumerate() {
            if let Some(frame) = sender.end(&self.simulation) {
                self.sent.push((self.cycle, port, frame));
            }
        }
        self.cycle += 1;
    }

    /// Reads a register, in some cycles.
    ///
    /// # Errors
    /// The response of the bus if it is not OKAY, or `None` if there is none.
    pub fn read(&mut self, address: u32) -> Result<u32, Option<u64>> {
        self.access(address, None)
    }

    /// Writes a register, in some cycles.
    ///
    /// # Errors
    /// The response of the bus if it is not OKAY, or `None` if there is none.
    pub fn write(&mut self, address: u32, value: u32) -> Result<(), Option<u64>> {
        self.access(address, Some(value)).map(|_| ())
    }

    fn access(&mut self, address: u32, value: Option<u32>) -> Result<u32, Option<u64>> {
        let reads = value.is_none();
        self.simulation.set(self.bus.address[usize::from(reads)], address.into());
        self.simulation.set(self.bus.value, value.unwrap_or(0).into());
        self.simulation.set(self.bus.octets, 0xf);
        let needed: &[usize] = if reads { &[2] } else { &[0, 1] };
        for &place in needed {
            self.simulation.set(self.bus.valid[place], 1);
        }
        for _ in 0..ACCESS_CYCLES {
            self.step();
            for &place in needed {
                if self.simulation.get(self.bus.ready[place]) == 1 {
                    self.simulation.set(self.bus.valid[place], 0);
                }
            }
            if self.simulation.get(self.bus.answer_valid[usize::from(reads)]) == 1 {
                let response = self.simulation.get(self.bus.answer[usize::from(reads)]);
                let value = self.simulation.get(self.bus.read) as u32;
                return if response == 0 { Ok(value) } else { Err(Some(response)) };
            }
        }
        Err(None)
    }
}
