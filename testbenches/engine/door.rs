// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of the engine: ports of any width, one clock of several, power-up, and handles of another circuit.

use tidegate::engine::{Program, Simulation};
use tidegate::netlist::Netlist;
use tidegate_hdl::lut_ram::LutRam;
use tidegate_hdl::prelude::*;
use tidegate_hdl::register::Delay;

/// Adds up what it is given, in 100 bits, and shows it; the fast clock counts its own edges.
#[derive(LogicBlock, Default)]
struct TwoClocks {
    slow: Signal<In, Clock>,
    fast: Signal<In, Clock>,
    item: Signal<In, Bits<100>>,
    sum: Signal<Out, Bits<100>>,
    echo: Signal<Out, Bits<100>>,
    edges: Signal<Out, Bits<8>>,
    so_far: DFF<Bits<100>>,
    count: DFF<Bits<8>>,
}

impl Logic for TwoClocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.so_far.clock.next = self.slow.val();
        self.count.clock.next = self.fast.val();
        self.so_far.d.next = self.so_far.q.val() + self.item.val();
        self.count.d.next = self.count.q.val() + 1;
        self.sum.next = self.so_far.q.val();
        self.echo.next = self.item.val();
        self.edges.next = self.count.q.val();
    }
}

/// A word of a memory by its address.
#[derive(LogicBlock, Default)]
struct Memory {
    clock: Signal<In, Clock>,
    address: Signal<In, Bits<4>>,
    data: Signal<In, Bits<8>>,
    write: Signal<In, Bit>,
    word: Signal<Out, Bits<8>>,
    memory: RAM<Bits<8>, 4>,
}

impl Logic for Memory {
    #[hdl_gen]
    fn update(&mut self) {
        self.memory.read_clock.next = self.clock.val();
        self.memory.write_clock.next = self.clock.val();
        self.memory.read_address.next = self.address.val();
        self.memory.write_address.next = self.address.val();
        self.memory.write_data.next = self.data.val();
        self.memory.write_enable.next = self.write.val();
        self.word.next = self.memory.read_data.val();
    }
}

/// A register without a value at power-up beside one that has it.
#[derive(LogicBlock, Default)]
struct PowerUp {
    clock: Signal<In, Clock>,
    without: Signal<Out, Bits<32>>,
    with: Signal<Out, Bits<32>>,
    delay: Delay<Bits<32>>,
    zero: DFF<Bits<32>>,
}

impl Logic for PowerUp {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, delay);
        dff_setup!(self, clock, zero);
        self.delay.d.next = self.delay.q.val();
        self.without.next = self.delay.q.val();
        self.with.next = self.zero.q.val();
    }
}

/// Counts in a word of a memory, without a register.
#[derive(LogicBlock, Default)]
struct CountsInMemory {
    clock: Signal<In, Clock>,
    counts: Signal<In, Bit>,
    top: Signal<Out, Bit>,
    word: LutRam<Bits<9>, 1>,
}

impl Logic for CountsInMemory {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, word);
        self.word.read_address.next = 0.into();
        self.word.write_address.next = 0.into();
        self.word.write_data.next = self.word.read_data.val() + 1;
        self.word.write_enable.next = self.counts.val();
        self.top.next = self.word.read_data.val().get_bit(8);
    }
}

fn compiled<C: Block>(mut circuit: C) -> Program {
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "circuit", None).expect("a netlist");
    Program::compile(&netlist).expect("machine code")
}

/// The words of an output, after the circuit has settled.
fn words(simulation: &mut Simulation, program: &Program, output: &str) -> Vec<u64> {
    simulation.settle();
    simulation.words(program.output(output).expect("an output")).to_vec()
}

#[test]
fn wide_ports_are_words_and_their_carries_are_kept() {
    let program = compiled(TwoClocks::default());
    let item = program.input("item").unwrap();
    let mut simulation = program.start(1);
    simulation.set_words(item, &[u64::MAX, 0]);
    simulation.step();
    simulation.set_words(item, &[1, 0]);
    simulation.step();
    assert_eq!(words(&mut simulation, &program, "sum"), [0, 1]);
    // Bits above the 100 of the port are not used.
    simulation.set_words(item, &[0, u64::MAX]);
    assert_eq!(words(&mut simulation, &program, "echo"), [0, (1 << 36) - 1]);
    simulation.step();
    assert_eq!(words(&mut simulation, &program, "sum"), [0, 0]);
}

#[test]
fn a_clock_ticks_alone() {
    let program = compiled(TwoClocks::default());
    let (slow, fast) = (program.clock("slow").unwrap(), program.clock("fast").unwrap());
    let mut simulation = program.start(1);
    simulation.set(program.input("item").unwrap(), 7);
    for clock in [fast, fast, slow, fast] {
        simulation.tick(clock);
    }
    simulation.step();
    assert_eq!(words(&mut simulation, &program, "sum"), [14, 0]);
    assert_eq!(words(&mut simulation, &program, "edges"), [4]);
    let error = program.clock("middle").unwrap_err().to_string();
    assert_eq!(error, "the circuit has no clock `middle`; its clocks: slow, fast");
}

#[test]
fn a_register_without_a_value_starts_at_random_from_the_seed() {
    let program = compiled(PowerUp::default());
    let value = |seed, output| words(&mut program.start(seed), &program, output);
    assert_eq!(value(1, "without"), value(1, "without"));
    assert_ne!(value(1, "without"), value(2, "without"));
    assert_eq!((value(1, "with"), value(2, "with")), (vec![0], vec![0]));
}

#[test]
fn a_circuit_that_rests_is_not_stepped() {
    let program = compiled(CountsInMemory::default());
    let (counts, top) = (program.input("counts").unwrap(), program.output("top").unwrap());
    let mut simulation = program.start(1);
    // It would take some thousand years.
    assert_eq!(simulation.step_until(&[top], 1 << 62), 1 << 62);
    // A memory that is written does not rest: step 257 is the first one that reads 256.
    simulation.set(counts, 1);
    assert_eq!(simulation.step_until(&[top], 1000), 257);
    assert_eq!(simulation.get(top), 1);
}

#[test]
fn many_runs_are_those_of_each_seed_alone() {
    let program = compiled(PowerUp::default());
    let seeds: Vec<u64> = (0..64).collect();
    let run = |seed: u64, mut simulation: Simulation| (seed, words(&mut simulation, &program, "without"));
    let alone: Vec<_> = seeds.iter().map(|&seed| run(seed, program.start(seed))).collect();
    assert_eq!(program.start_many(&seeds, run), alone);
}

#[test]
fn a_handle_of_another_circuit_cannot_reach_beyond_a_memory() {
    let (memory, other) = (compiled(Memory::default()), compiled(TwoClocks::default()));
    let wide = other.input("item").unwrap();
    let mut simulation = memory.start(1);
    // The first word of the other circuit's wide input is the address here: only the bits of the address count.
    simulation.set(wide, 0x1234_5678_0000_0003);
    simulation.set(memory.input("data").unwrap(), 0x5a);
    simulation.set(memory.input("write").unwrap(), 1);
    simulation.step();
    simulation.set(memory.input("write").unwrap(), 0);
    simulation.set(memory.input("address").unwrap(), 3);
    simulation.step();
    assert_eq!(words(&mut simulation, &memory, "word"), [0x5a]);
}

#[test]
fn what_is_no_port_is_told_with_those_that_are() {
    let program = compiled(Memory::default());
    let error = program.input("adress").unwrap_err().to_string();
    assert_eq!(error, "the circuit has no input `adress`; its inputs: address, data, write");
    let error = program.output("write").unwrap_err().to_string();
    assert_eq!(error, "the circuit has no output `write`; its outputs: word");
}
