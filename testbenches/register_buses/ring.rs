// SPDX-License-Identifier: MIT OR Apache-2.0
//! The register ring: requests for this block, for others, and requests that have been answered.

use super::world::World;
use super::{registers, word};
use tidegate::bus::register_bus::{RegisterBus, on_bus};
use tidegate::netlist::Netlist;
use tidegate::registers::Registers;
use tidegate::scheme::Part;
use tidegate_testing::simulators::Design;
use tidegate_testing::stimulus::{PATTERNS, Pattern, Random, Willing};

const PORTS: [&str; 6] = ["reg_req", "reg_ack", "reg_rd_wr_L", "reg_addr", "reg_data", "reg_src"];

/// What is on the ring, in the order of the ports. Without a request only the first says something.
type Ring = [u64; 6];

struct Master<'a> {
    world: World<'a>,
    registers: &'a Registers,
    block: u64,
    inputs: [usize; 6],
    outputs: [usize; 6],
    willing: Willing,
    /// What must come out in this cycle.
    expected: Option<Ring>,
    /// The request that was taken off the ring, when, and its answer once it is known.
    held: Option<(Ring, u64)>,
    answer: Option<u64>,
    /// In the last cycle a request for this block went by, because one was in work.
    unanswered: bool,
    seen: Seen,
}

/// What has happened.
#[derive(Default, Debug)]
pub struct Seen {
    pub passed: u64,
    pub answered: u64,
    pub late: u64,
    pub unanswered: u64,
    pub resets: u64,
}

/// Cycles from a request to its answer, if no other request comes.
const LATENCY: u64 = 7;

impl<'a> Master<'a> {
    fn new(registers: &'a Registers, netlist: &Netlist, requests: Pattern, seed: u64) -> Self {
        let world = World::new(registers, netlist, "register_ring", seed);
        Master {
            block: if registers.part() == Part::CongestionPoint { 2 } else { 3 },
            inputs: PORTS.map(|name| world.input(&format!("{name}_in"))),
            outputs: PORTS.map(|name| world.output(&format!("{name}_out"))),
            willing: Willing::new(requests),
            expected: None,
            held: None,
            answer: None,
            unanswered: false,
            seen: Seen::default(),
            registers,
            world,
        }
    }

    /// A request: half of them for this block.
    fn request(random: &mut Random, registers: &Registers, block: u64) -> Ring {
        let other = random.below(1 << 13);
        let near = block ^ 1 << random.below(13);
        let block = random.pick(&[block, block, other, near]);
        let address = block << 10 | word(random, registers);
        [1, random.chance(15).into(), random.below(2), address, random.bus(32), random.below(4)]
    }

    fn cycle(&mut self, reset: bool) {
        let random = &mut self.world.random;
        let requests = self.willing.next(random) && !reset;
        let ring = match requests {
            true => Self::request(random, self.registers, self.block),
            // What is on the ring without a request means nothing.
            false => [0, random.below(2), random.below(2), random.below(1 << 23), random.bus(32), random.below(4)],
        };
        for (&input, value) in self.inputs.iter().zip(ring) {
            self.world.set(input, value);
        }
        let reset_input = self.world.input("reset");
        self.world.set(reset_input, reset.into());

        let ended = self.world.clock();
        let cycle = self.world.cycle;
        let out = self.outputs.map(|output| self.world.get(output));
        let unanswered = std::mem::take(&mut self.unanswered);
        assert_eq!(self.world.of_part("unanswered_request") != 0, unanswered, "cycle {cycle}: unanswered_request");
        match self.expected.take() {
            Some(expected) => assert_eq!(out, expected, "cycle {cycle}: the ring"),
            None => assert_eq!(out[0], 0, "cycle {cycle}: a request that did not come in"),
        }
        if reset {
            self.seen.resets += 1;
            (self.held, self.answer) = (None, None);
            return;
        }
        if let Some(access) = ended {
            let (request, _) = self.held.expect("an access has its request");
            let reads = request[2] == 1;
            let same = access.word == request[3] & 0x3ff && (reads || access.data == request[4]);
            assert!(access.write != reads && same, "cycle {cycle}: {access:?} for {request:x?}");
            assert_eq!(self.answer, None, "cycle {cycle}: a second access for {request:x?}");
            self.answer = Some(access.data);
        }
        if ring[0] == 1 {
            let ours = ring[1] == 0 && ring[3] >> 10 == self.block;
            match ours && self.held.is_none() {
                true => self.held = Some((ring, cycle)),
                false => self.expected = Some(ring),
            }
            self.seen.passed += u64::from(!ours);
            self.unanswered = ours && self.expected.is_some();
            self.seen.unanswered += u64::from(self.unanswered);
        } else if let Some((request, since)) = self.held
            && let Some(value) = self.answer
        {
            let [_, _, reads, address, _, source] = request;
            self.expected = Some([1, 1, reads, address, value, source]);
            // It comes out in the next cycle.
            let late = cycle + 1 - since > LATENCY;
            self.seen.late += u64::from(late);
            self.seen.answered += 1;
            (self.held, self.answer) = (None, None);
        }
        if let Some((request, since)) = self.held {
            assert!(self.answer.is_some() || cycle + 1 - since < LATENCY, "cycle {cycle}: {request:x?} takes too long");
        }
    }

    fn run(&mut self, cycles: u64) {
        self.cycle(true);
        for _ in 0..cycles {
            let reset = self.world.random.below(20_000) == 0;
            self.cycle(reset);
        }
        self.willing = Willing::new(Pattern::Random(0));
        (0..20).for_each(|_| self.cycle(false));
        assert!(self.held.is_none(), "a request was not answered");
    }
}

pub fn run(registers: &Registers, netlist: &Netlist, requests: Pattern, cycles: u64, seed: u64) -> Seen {
    let mut master = Master::new(registers, netlist, requests, seed);
    master.run(cycles);
    master.seen
}

#[test]
fn each_request_for_the_block_is_answered_and_the_others_pass() {
    for part in [Part::CongestionPoint, Part::ReactionPoint] {
        let registers = registers(part, RegisterBus::Ring);
        let netlist = on_bus(&registers, RegisterBus::Ring);
        for (seed, requests) in PATTERNS.into_iter().enumerate() {
            let seen = run(&registers, &netlist, requests, 100_000, seed as u64 + 1);
            assert!(seen.passed > 1_000, "{requests:?}: {seen:?}");
        }
        let seen = run(&registers, &netlist, Pattern::Random(50), 1_000_000, 1);
        let all = seen.answered > 10_000 && seen.late > 1_000 && seen.unanswered > 1_000 && seen.resets > 10;
        assert!(all, "{seen:?}");
        let seen = run(&registers, &netlist, Pattern::Random(3), 100_000, 1);
        assert!(seen.answered - seen.late > 500, "{seen:?}");
    }
}

#[test]
fn the_verilog_agrees_in_outside_simulators() {
    let registers = registers(Part::CongestionPoint, RegisterBus::Ring);
    let netlist = on_bus(&registers, RegisterBus::Ring);
    let design = Design::of(&netlist);
    design.lint(&[]);
    let mut master = Master::new(&registers, &netlist, Pattern::Random(40), 1);
    master.world.record = Some(Default::default());
    master.run(50_000);
    master.world.compare(&design, 10_000);
}
