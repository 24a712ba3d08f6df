// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, enumerations, memories, tables and blocks of `rust-hdl` itself: they have a netlist, pass the lint, and
//! have the same outputs as in `rust-hdl` in every cycle.

use crate::expressions::Random;
use tidegate::netlist::Netlist;
use tidegate_hdl::lut_ram::LutRam;
use tidegate_hdl::prelude::*;
use tidegate_hdl::register::Register;
use tidegate_testing::simulators::Design;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Phase {
    Idle,
    Rising,
    Falling,
}

/// Counts up to `top` and down again, once for each `start`.
#[derive(LogicBlock, Default)]
struct Ramp {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    start: Signal<In, Bit>,
    top: Signal<In, Bits<4>>,
    level: Signal<Out, Bits<4>>,
    busy: Signal<Out, Bit>,
    phase: DFF<Phase>,
    count: Register<Bits<4>>,
}

impl Logic for Ramp {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, phase, count);
        self.count.reset.next = self.reset.val();
        match self.phase.q.val() {
            Phase::Idle => {
                if self.start.val() {
                    self.phase.d.next = Phase::Rising;
                }
            }
            Phase::Rising => {
                self.count.d.next = self.count.q.val() + 1;
                if self.count.q.val() == self.top.val() {
                    self.phase.d.next = Phase::Falling;
                    self.count.d.next = self.count.q.val();
                }
            }
            Phase::Falling => {
                if self.count.q.val().any() {
                    self.count.d.next = self.count.q.val() - 1;
                } else {
                    self.phase.d.next = Phase::Idle;
                }
            }
        }
        if self.reset.val() {
            self.phase.d.next = Phase::Idle;
        }
        self.level.next = self.count.q.val();
        self.busy.next = self.phase.q.val() != Phase::Idle;
    }
}

/// Blocks of `rust-hdl`, side by side.
#[derive(LogicBlock)]
struct Widgets {
    clock: Signal<In, Clock>,
    enable: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    push: Signal<In, Bit>,
    pop: Signal<In, Bit>,
    delay: Signal<In, Bits<3>>,
    strobed: Signal<Out, Bit>,
    rose: Signal<Out, Bit>,
    delayed: Signal<Out, Bits<8>>,
    queued: Signal<Out, Bits<8>>,
    empty: Signal<Out, Bit>,
    full: Signal<Out, Bit>,
    trouble: Signal<Out, Bit>,
    pulse: Strobe<8>,
    detector: EdgeDetector,
    line: DelayLine<Bits<8>, 7, 3>,
    fifo: SynchronousFIFO<Bits<8>, 3, 4, 1>,
    start: DFFWithInit<Bits<8>>,
}

impl Default for Widgets {
    fn default() -> Widgets {
        Widgets {
            clock: Signal::default(),
            enable: Signal::default(),
            data: Signal::default(),
            push: Signal::default(),
            pop: Signal::default(),
            delay: Signal::default(),
            strobed: Signal::default(),
            rose: Signal::default(),
            delayed: Signal::default(),
            queued: Signal::default(),
            empty: Signal::default(),
            full: Signal::default(),
            trouble: Signal::default(),
            pulse: Strobe::new(125_000_000, 25_000_000.0),
            detector: EdgeDetector::new(true),
            line: DelayLine::default(),
            fifo: SynchronousFIFO::default(),
            start: DFFWithInit::new(0x5a.into()),
        }
    }
}

impl Logic for Widgets {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, pulse, detector, line, fifo, start);
        self.pulse.enable.next = self.enable.val();
        self.strobed.next = self.pulse.strobe.val();
        self.detector.input_signal.next = self.enable.val();
        self.rose.next = self.detector.edge_signal.val();
        self.line.data_in.next = self.start.q.val();
        self.line.delay.next = self.delay.val();
        self.delayed.next = self.line.data_out.val();
        self.start.d.next = self.data.val();
        self.fifo.data_in.next = self.data.val();
        self.fifo.write.next = self.push.val() & !self.fifo.full.val();
        self.fifo.read.next = self.pop.val() & !self.fifo.empty.val();
        self.queued.next = self.fifo.data_out.val();
        self.empty.next = self.fifo.empty.val();
        self.full.next = self.fifo.full.val();
        self.trouble.next = self.fifo.overflow.val() | self.fifo.underflow.val();
    }
}

/// Cycles of each circuit, from power-up.
pub const CYCLES: usize = 3_000;

/// Rows of inputs with the clock first, low and high in turn, and the outputs for each.
pub fn run<C: Block>(
    circuit: &mut C,
    inputs: usize,
    drive: impl Fn(&mut C, &[u64]),
    say: impl Fn(&C) -> Vec<u64>,
    mut next: impl FnMut(&mut Random) -> Vec<u64>,
) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
    let mut random = Random(7);
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    let mut values = vec![0; inputs];
    for half in 0..2 * CYCLES {
        if half % 2 == 0 {
            values = next(&mut random);
        }
        let row = [vec![half as u64 % 2], values.clone()].concat();
        drive(circuit, &row);
        assert!(simulate(circuit, 20), "the circuit settles");
        said.push(say(circuit));
        rows.push(row);
    }
    (rows, said)
}

#[test]
fn an_enumeration_is_named_and_does_what_it_does() {
    let mut circuit = Ramp::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "ramp", None).unwrap());
    for (name, value) in [("IDLE", 0), ("RISING", 1), ("FALLING", 2)] {
        let named = format!("localparam [1:0] PHASE_{name} = 2'd{value};");
        assert!(design.verilog.contains(&named), "{named} is not in\n{}", design.verilog);
    }
    for part in ["phase != PHASE_IDLE", "PHASE_FALLING: begin", "default: phase <= PHASE_IDLE;"] {
        assert!(design.verilog.contains(part), "{part} is not in\n{}", design.verilog);
    }
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        3,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.reset.next = row[1] == 1;
            circuit.start.next = row[2] == 1;
            circuit.top.next = row[3].into();
        },
        |circuit| vec![circuit.level.val().into(), circuit.busy.val().into()],
        |random| vec![(random.below(50) == 0) as u64, random.bits(1), random.bits(3)],
    );
    assert!(said.iter().any(|row| row[0] == 7) && said.iter().any(|row| row[1] == 0));
    design.compare(&rows, &said, rows.len());
}

#[test]
fn blocks_of_rust_hdl_do_what_they_do() {
    let mut circuit = Widgets::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "widgets", None).unwrap());
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        5,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.enable.next = row[1] == 1;
            circuit.data.next = row[2].into();
            circuit.push.next = row[3] == 1;
            circuit.pop.next = row[4] == 1;
            circuit.delay.next = row[5].into();
        },
        |circuit| {
            let bits = [&circuit.strobed, &circuit.rose].map(|signal| signal.val() as u64);
            let state = [&circuit.empty, &circuit.full, &circuit.trouble].map(|signal| signal.val() as u64);
            let words = [circuit.delayed.val().into(), circuit.queued.val().into()];
            [&bits[..], &words, &state].concat()
        },
        |random| {
            // Mostly writes, then mostly reads: the FIFO fills and drains.
            let writes = random.below(64) < 32;
            vec![
                (random.below(8) != 0) as u64,
                random.bits(8),
                (random.below(4) != 0 && writes) as u64,
                random.bits(1),
                random.bits(3),
            ]
        },
    );
    for (output, value) in [(0, 1), (1, 1), (4, 1), (5, 1)] {
        assert!(said.iter().any(|row| row[output] == value), "output {output} is never {value}");
    }
    design.compare(&rows, &said, rows.len());
}

/// Reads a table with missing entries at an address that counts.
#[derive(LogicBlock)]
struct LookUp {
    clock: Signal<In, Clock>,
    step: Signal<In, Bits<5>>,
    word: Signal<Out, Bits<11>>,
    changed: Signal<Out, Bit>,
    squares: SyncROM<Bits<11>, 5>,
    before: DFF<Bits<11>>,
    address: DFF<Bits<5>>,
}

/// Squares of the address, none at multiples of 7.
fn square(address: u64) -> u64 {
    if address.is_multiple_of(7) { 0 } else { address * address }
}

impl Default for LookUp {
    fn default() -> LookUp {
        let words = (0..32u64)
            .filter(|address| !address.is_multiple_of(7))
            .map(|address| (address.into(), square(address).into()));
        LookUp {
            clock: Signal::default(),
            step: Signal::default(),
            word: Signal::default(),
            changed: Signal::default(),
            squares: SyncROM::new(words.collect()),
            before: DFF::default(),
            address: DFF::default(),
        }
    }
}

impl Logic for LookUp {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, squares, before, address);
        self.address.d.next = self.address.q.val() + self.step.val();
        self.squares.address.next = self.address.q.val();
        self.before.d.next = self.squares.data.val();
        self.word.next = self.squares.data.val();
        self.changed.next = self.squares.data.val() != self.before.q.val();
    }
}

#[test]
fn a_table_is_read_as_it_was_filled() {
    let mut circuit = LookUp::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "look_up", None).unwrap();
    let [rom] = &netlist.top().roms[..] else { panic!("{} tables", netlist.top().roms.len()) };
    assert_eq!(rom.contents, (0..32).map(|address| square(address).into()).collect::<Vec<_>>());
    let design = Design::of(&netlist);
    assert!(design.verilog.contains("reg [10:0] squares [0:31];"), "{}", design.verilog);
    assert!(design.verilog.contains("squares[1]  = 11'h001; squares[2]  = 11'h004;"), "{}", design.verilog);
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        1,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.step.next = row[1].into();
        },
        |circuit| vec![circuit.word.val().into(), circuit.changed.val().into()],
        |random| vec![random.bits(5)],
    );
    for address in 0..32 {
        assert!(said.iter().any(|row| row[0] == square(address)), "address {address} is never read");
    }
    design.compare(&rows, &said, rows.len());
}

/// A memory that is read within the cycle, at an address that another such memory gives.
#[derive(LogicBlock, Default)]
struct Indirect {
    clock: Signal<In, Clock>,
    place: Signal<In, Bits<2>>,
    address: Signal<In, Bits<3>>,
    data: Signal<In, Bits<40>>,
    write: Signal<In, Bits<2>>,
    word: Signal<Out, Bits<40>>,
    earlier: Signal<Out, Bits<40>>,
    places: LutRam<Bits<3>, 2>,
    words: LutRam<Bits<40>, 3>,
    last: DFF<Bits<40>>,
}

impl Logic for Indirect {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, places, words, last);
        self.places.read_address.next = self.place.val();
        self.places.write_address.next = self.place.val();
        self.places.write_data.next = self.address.val();
        self.places.write_enable.next = self.write.val().get_bit(0);
        self.words.read_address.next = self.places.read_data.val();
        self.words.write_address.next = self.places.read_data.val();
        self.words.write_data.next = self.data.val();
        self.words.write_enable.next = self.write.val().get_bit(1);
        self.last.d.next = self.words.read_data.val();
        self.word.next = self.words.read_data.val();
        self.earlier.next = self.last.q.val();
    }
}

#[test]
fn a_lut_ram_is_read_within_the_cycle() {
    let mut circuit = Indirect::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "indirect", None).unwrap();
    assert!(netlist.top().memories.iter().all(|memory| memory.read_clock.is_none()));
    let word = netlist.top().find("word").unwrap();
    let (_, inputs) = netlist.top().paths.iter().find(|(output, _)| *output == word).unwrap();
    assert_eq!(*inputs, [netlist.top().find("place").unwrap()], "inputs with a path to the word that is read");
    let design = Design::of(&netlist);
    assert!(design.verilog.contains(" = words["), "{}", design.verilog);
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        4,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.place.next = row[1].into();
            circuit.address.next = row[2].into();
            circuit.data.next = row[3].into();
            circuit.write.next = row[4].into();
        },
        |circuit| [&circuit.word, &circuit.earlier].map(|signal| signal.val().into()).to_vec(),
        |random| vec![random.bits(2), random.bits(3), random.bits(40), random.bits(2)],
    );
    assert!(said.iter().filter(|row| row[0] != row[1]).count() > 1000, "the word hardly ever changes");
    design.compare(&rows, &said, rows.len());
}
