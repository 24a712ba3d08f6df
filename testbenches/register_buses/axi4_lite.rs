// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Lite: a manager that offers addresses and values in any order, and takes responses when it likes.

use super::world::{Access, World};
use super::{registers, word};
use std::collections::VecDeque;
use tidegate::bus::register_bus::{RegisterBus, on_bus};
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate::scheme::Part;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Willing};

const OKAY: u64 = 0;
const SLVERR: u64 = 2;

/// Cycles from what completes a request to its response, if nothing else is in work.
const LATENCY: u64 = 8;
/// The same for a write of some octets, which is no access.
const LATENCY_OF_REFUSAL: u64 = 3;

/// A channel with a handshake: what is offered stays until it is taken.
struct Channel {
    ready: usize,
    valid: usize,
    willing: Willing,
    offered: Option<Vec<(usize, u64)>>,
}

/// The patterns of the five channels: write address, write value, write response, read address, read value.
pub type Patterns = [Pattern; 5];

pub const ONLY_WRITES: Patterns =
    [Pattern::Random(20), Pattern::Random(20), Pattern::Always, Pattern::Random(0), Pattern::Always];
pub const ONLY_READS: Patterns =
    [Pattern::Random(0), Pattern::Random(0), Pattern::Always, Pattern::Random(20), Pattern::Always];

struct Manager<'a> {
    world: World<'a>,
    registers: &'a Registers,
    channels: [Channel; 3],
    /// Whether responses to writes and to reads are taken.
    takes: [Willing; 2],
    responses: [[usize; 3]; 2],
    payloads: [Vec<usize>; 3],
    /// Taken, and not at the register file yet: word addresses of writes; values and strobes; word addresses of reads.
    addresses: VecDeque<u64>,
    values: VecDeque<(u64, u64)>,
    reads: VecDeque<u64>,
    /// Responses that are due: to writes and to reads.
    due: [VecDeque<u64>; 2],
    /// A response of the cycle before that was not taken.
    held: [Option<u64>; 2],
    /// The cycle in which a request was complete, while it is the only complete one.
    alone: Option<u64>,
    seen: Seen,
}

/// What has happened.
#[derive(Default, Debug)]
pub struct Seen {
    pub writes: u64,
    pub reads: u64,
    pub refused: u64,
    pub resets: u64,
    pub value_first: u64,
    /// Writes and reads whose latency was checked.
    pub timed: [u64; 2],
}

impl<'a> Manager<'a> {
    fn new(registers: &'a Registers, netlist: &Netlist, patterns: Patterns, seed: u64) -> Self {
        let world = World::new(registers, netlist, "axi4_lite", seed);
        let input = |name: &str| world.input(&format!("s_axi_{name}"));
        let output = |name: &str| world.output(&format!("s_axi_{name}"));
        let [aw, w, b, ar, r] = patterns.map(Willing::new);
        let channel = |name: &str, willing| Channel {
            ready: output(&format!("{name}ready")),
            valid: input(&format!("{name}valid")),
            willing,
            offered: None,
        };
        let payloads = [
            vec![input("awaddr"), input("awprot")],
            vec![input("wdata"), input("wstrb")],
            vec![input("araddr"), input("arprot")],
        ];
        let responses = [
            [input("bready"), output("bvalid"), output("bresp")],
            [input("rready"), output("rvalid"), output("rdata")],
        ];
        Manager {
            channels: [channel("aw", aw), channel("w", w), channel("ar", ar)],
            takes: [b, r],
            responses,
            payloads,
            addresses: VecDeque::new(),
            values: VecDeque::new(),
            reads: VecDeque::new(),
            due: Default::default(),
            held: [None; 2],
            alone: None,
            seen: Seen::default(),
            registers,
            world,
        }
    }

    /// What a channel offers next.
    fn offer(&mut self, channel: usize) -> Vec<(usize, u64)> {
        let random = &mut self.world.random;
        let values = match channel {
            1 => {
                let whole = random.chance(90);
                let strobe = if whole { 15 } else { random.below(15) };
                [random.bus(32), strobe]
            }
            _ => [word(random, self.registers) << 2 | random.below(4), random.below(8)],
        };
        self.payloads[channel].iter().copied().zip(values).collect()
    }

    /// No complete request is in work, and no response waits.
    fn idle(&self) -> bool {
        (self.addresses.is_empty() || self.values.is_empty())
            && self.reads.is_empty()
            && self.due.iter().all(VecDeque::is_empty)
            && self.held == [None; 2]
    }

    fn cycle(&mut self, reset: bool) {
        let reset_input = self.world.input("reset");
        self.world.set(reset_input, reset.into());
        for channel in 0..3 {
            let willing = self.channels[channel].willing.next(&mut self.world.random);
            if self.channels[channel].offered.is_none() && willing && !reset {
                let offered = self.offer(channel);
                offered.iter().for_each(|&(input, value)| self.world.set(input, value));
                self.channels[channel].offered = Some(offered);
            }
            let offers = self.channels[channel].offered.is_some() && !reset;
            self.world.set(self.channels[channel].valid, offers.into());
        }
        let takes: Vec<bool> = self.takes.iter_mut().map(|one| one.next(&mut self.world.random)).collect();
        for (response, &takes) in self.responses.iter().zip(&takes) {
            self.world.set(response[0], takes.into());
        }

        let idle = self.idle();
        let ended = self.world.clock();
        if reset {
            self.seen.resets += 1;
            (self.addresses, self.values, self.reads) = Default::default();
            (self.due, self.held, self.alone) = Default::default();
            self.channels.iter_mut().for_each(|channel| channel.offered = None);
            return;
        }
        self.responses_of(&takes, idle);
        self.reached(ended);
        self.taken(idle);
    }

    /// Checks the responses of this cycle.
    fn responses_of(&mut self, takes: &[bool], idle: bool) {
        let cycle = self.world.cycle;
        let rresp = self.world.output("s_axi_rresp");
        for (place, &takes) in takes.iter().enumerate() {
            let [_, valid, value] = self.responses[place].map(|port| port);
            let shown = (self.world.get(valid) != 0).then(|| self.world.get(value));
            if let Some(held) = self.held[place] {
                assert_eq!(shown, Some(held), "cycle {cycle}: a response changes before it is taken");
            } else if let Some(shown) = shown {
                if place == 0 && self.due[0].is_empty() {
                    // A write of some octets is refused without an access.
                    let refused = self.values.pop_front().filter(|(_, strobe)| *strobe != 15);
                    assert!(self.addresses.pop_front().is_some() && refused.is_some(), "cycle {cycle}: a response");
                    self.due[0].push_back(SLVERR);
                    self.seen.refused += 1;
                }
                let expected = self.due[place].pop_front();
                assert_eq!(Some(shown), expected, "cycle {cycle}: response {place}");
                if let Some(begun) = self.alone.take() {
                    let refusal = place == 0 && shown == SLVERR;
                    let latency = if refusal { LATENCY_OF_REFUSAL } else { LATENCY };
                    assert_eq!(cycle - begun, latency, "cycle {cycle}: latency of a response");
                    self.seen.timed[place] += 1;
                }
            }
            assert!(place == 0 || self.world.get(rresp) == OKAY);
            self.held[place] = shown.filter(|_| !takes);
        }
        assert!(!idle || self.held == [None; 2], "cycle {cycle}: a response without a request");
    }

    /// An access has reached the register file and ended.
    fn reached(&mut self, ended: Option<Access>) {
        let Some(access) = ended else { return };
        let cycle = self.world.cycle;
        if access.write {
            let expected = self.addresses.pop_front().zip(self.values.pop_front());
            assert_eq!(expected, Some((access.word, (access.data, 15))), "cycle {cycle}: a write");
            self.due[0].push_back(OKAY);
            self.seen.writes += 1;
        } else {
            assert_eq!(self.reads.pop_front(), Some(access.word), "cycle {cycle}: a read");
            self.due[1].push_back(access.data);
            self.seen.reads += 1;
        }
    }

    /// What the subordinate has taken in this cycle.
    fn taken(&mut self, idle: bool) {
        let mut taken = [false; 3];
        for (place, taken) in taken.iter_mut().enumerate() {
            let ready = self.world.get(self.channels[place].ready) != 0;
            let Some(offered) = self.channels[place].offered.take_if(|_| ready) else { continue };
            *taken = true;
            let values = [offered[0].1, offered[1].1];
            match place {
                0 => self.addresses.push_back(values[0] >> 2),
                1 => self.values.push_back((values[0], values[1])),
                _ => self.reads.push_back(values[0] >> 2),
            }
        }
        self.seen.value_first += u64::from(self.values.len() > self.addresses.len());
        // A request alone: no other is complete before its response.
        let written = self.addresses.len() == 1 && self.values.len() == 1 && (taken[0] || taken[1]);
        match (written, taken[2]) {
            (false, false) => {}
            (true, true) => self.alone = None,
            _ => self.alone = idle.then_some(self.world.cycle),
        }
    }

    /// Cycles with requests, then cycles in which all of them end.
    fn run(&mut self, cycles: u64) {
        self.cycle(true);
        for _ in 0..cycles {
            let reset = self.world.random.below(20_000) == 0;
            self.cycle(reset);
        }
        self.takes = [Pattern::Always; 2].map(Willing::new);
        let stopped = Pattern::Random(0);
        self.channels.iter_mut().for_each(|channel| channel.willing = Willing::new(stopped));
        (0..60).for_each(|_| self.cycle(false));
        let waits = (self.addresses.len(), self.values.len(), self.reads.len());
        let complete = waits.0.min(waits.1) == 0 && waits.2 == 0;
        assert!(complete && self.due.iter().all(VecDeque::is_empty), "not all requests were answered: {waits:?}");
    }
}

pub fn run(registers: &Registers, netlist: &Netlist, patterns: Patterns, cycles: u64, seed: u64) -> Seen {
    let mut manager = Manager::new(registers, netlist, patterns, seed);
    manager.run(cycles);
    manager.seen
}

#[test]
fn each_request_is_one_access_and_one_response() {
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        let registers = registers(part, RegisterBus::Axi4Lite);
        let netlist = on_bus(&registers, RegisterBus::Axi4Lite);
        for (seed, requests) in PATTERNS.into_iter().enumerate() {
            for responses in PATTERNS {
                for reads in [requests, Pattern::Random(5), Pattern::Random(0)] {
                    let patterns = [requests, requests, responses, reads, responses];
                    let seen = run(&registers, &netlist, patterns, 20_000, seed as u64 + 1);
                    assert!(seen.writes > 50 && seen.refused > 5, "{patterns:?}: {seen:?}");
                }
            }
        }
        let often = [Pattern::Random(50), Pattern::Random(30), Pattern::Always, Pattern::Random(50), Pattern::Always];
        let seen = run(&registers, &netlist, often, 1_000_000, 1);
        let most = seen.writes > 10_000 && seen.reads > 10_000 && seen.refused > 1_000;
        assert!(most && seen.resets > 10, "{seen:?}");
        let seldom = [Pattern::Random(1), Pattern::Random(1), Pattern::Always, Pattern::Random(2), Pattern::Always];
        let seen = run(&registers, &netlist, seldom, 300_000, 1);
        assert!(seen.timed.iter().all(|&timed| timed > 1_000), "{seen:?}");
        let seen = run(&registers, &netlist, ONLY_WRITES, 20_000, 1);
        assert!(seen.writes > 1_000 && seen.reads == 0, "{seen:?}");
        let seen = run(&registers, &netlist, ONLY_READS, 20_000, 1);
        assert!(seen.reads > 1_000 && seen.writes == 0, "{seen:?}");
        let value_first = [Pattern::Random(10), Pattern::Always, Pattern::Always, Pattern::Random(5), Pattern::Always];
        let seen = run(&registers, &netlist, value_first, 100_000, 1);
        assert!(seen.value_first > 10_000, "{seen:?}");
    }
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    let registers = registers(Part::ReactionPoint, RegisterBus::Axi4Lite);
    let netlist = on_bus(&registers, RegisterBus::Axi4Lite);
    let design = Design::of(&netlist);
    design.lint(&[]);
    let mut manager = Manager::new(&registers, &netlist, [Pattern::Random(40); 5], 1);
    manager.world.record = Some(Default::default());
    manager.run(50_000);
    manager.world.compare(&design, 10_000);
}
