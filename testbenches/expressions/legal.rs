// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a `rust-hdl` circuit may be: names that Verilog does not have, clocks that pass through other parts, memories with
//! contents, whole numbers, enumerations in structs, constants of any width, a register alone. And what it may not be.

use crate::expressions::Random;
use crate::expressions::clocked::{CYCLES, run};
use std::collections::BTreeMap;
use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;
use tidegate_hdl::rust_hdl::core::ast::{BlackBox, Verilog, Wrapper};
use tidegate_testing::simulators::{Design, VERILATOR};

fn netlist_of(circuit: &mut dyn Block, name: &str) -> Netlist {
    circuit.connect_all();
    Netlist::of(circuit, name, None).unwrap_or_else(|error| panic!("{error}"))
}

/// A part with a port that has the name of its instance.
#[derive(LogicBlock, Default)]
struct Part {
    clock: Signal<In, Clock>,
    xor: Signal<In, Bits<4>>,
    strobe: Signal<Out, Bits<4>>,
    uwire: DFF<Bits<4>>,
}

impl Logic for Part {
    #[hdl_gen]
    fn update(&mut self) {
        self.uwire.clock.next = self.clock.val();
        self.uwire.d.next = self.xor.val();
        self.strobe.next = self.uwire.q.val() + 1;
    }
}

/// Names that are keywords, that this program takes itself, or that join.
#[derive(LogicBlock, Default)]
struct Names {
    clock: Signal<In, Clock>,
    unused: Signal<In, Bits<4>>,
    word: Signal<In, Bits<2>>,
    a: [Signal<In, Bits<4>>; 2],
    a_1: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    z: Signal<Out, Bits<4>>,
    stored: Signal<Out, Bits<4>>,
    always: Signal<Local, Bits<4>>,
    count: DFF<Bits<4>>,
    count_next: Signal<Local, Bits<4>>,
    count_clock: Signal<Local, Bits<4>>,
    strobe: Part,
    xor: Part,
    initial: RAM<Bits<4>, 2>,
    initial_read_data: Signal<Local, Bits<4>>,
}

impl Logic for Names {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, strobe, xor, count);
        self.initial.read_clock.next = self.clock.val();
        self.initial.write_clock.next = self.clock.val();
        self.initial.read_address.next = self.word.val();
        self.initial.write_address.next = self.word.val() + 1;
        self.initial.write_data.next = self.a[1].val();
        self.initial.write_enable.next = true;
        self.initial_read_data.next = self.initial.read_data.val() + 1;
        self.stored.next = self.initial_read_data.val();
        self.count_next.next = self.count.q.val() + self.a[0].val();
        self.count_clock.next = self.count_next.val() ^ self.a_1.val();
        self.count.d.next = self.count_clock.val();
        self.strobe.xor.next = self.count.q.val();
        self.always.next = self.strobe.strobe.val() + self.a_1.val();
        self.xor.xor.next = self.always.val();
        self.y.next = self.xor.strobe.val();
        self.z.next = bit_cast::<4, 2>(self.unused.val().get_bits::<2>(1)) + self.always.val();
    }
}

#[test]
fn names_that_verilog_does_not_have_are_changed() {
    let mut circuit = Names::default();
    let design = Design::of(&netlist_of(&mut circuit, "names"));
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        5,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.unused.next = row[1].into();
            circuit.word.next = row[2].into();
            circuit.a[0].next = row[3].into();
            circuit.a[1].next = row[4].into();
            circuit.a_1.next = row[5].into();
        },
        |circuit| [&circuit.y, &circuit.z, &circuit.stored].map(|signal| signal.val().into()).to_vec(),
        |random| vec![random.bits(4), random.bits(2), random.bits(4), random.bits(4), random.bits(4)],
    );
    design.compare(&rows, &said, 1_000);
}

/// Ports that are keywords, one of SystemVerilog only and one of Icarus only; and the name of the module.
#[derive(LogicBlock, Default)]
struct Keywords {
    posedge: Signal<In, Bit>,
    logic: Signal<In, Bit>,
    bool: Signal<In, Bit>,
    table: Signal<Out, Bit>,
    whole: Signal<Out, Bit>,
    r#final: Signal<Out, Bit>,
}

impl Logic for Keywords {
    #[hdl_gen]
    fn update(&mut self) {
        self.table.next = self.posedge.val() & self.logic.val();
        self.whole.next = self.logic.val() | self.bool.val();
        self.r#final.next = self.bool.val();
    }
}

#[test]
fn ports_and_modules_that_are_keywords_are_accepted_by_a_tool() {
    for name in ["module", "whole", "a module"] {
        let netlist = netlist_of(&mut Keywords::default(), name);
        let text = tidegate::verilog::text(&netlist);
        let ports = tidegate::verilog::names(netlist.top());
        assert_eq!(ports[..4], ["posedge_", "logic_", "bool_", "table_"], "{text}");
        assert_eq!((&ports[4][..5], &ports[5][..]), ("whole", "final_"), "{text}");
        let top = text.split_whitespace().nth(1).unwrap();
        VERILATOR.lint(&[(format!("{top}.v"), &text)], top, true).unwrap_or_else(|said| panic!("{said}"));
    }
}

/// Hands its clock on, as it is and inverted.
#[derive(LogicBlock, Default)]
struct Through {
    clock: Signal<In, Clock>,
    same: Signal<Out, Clock>,
    other: Signal<Out, Clock>,
}

impl Logic for Through {
    #[hdl_gen]
    fn update(&mut self) {
        self.same.next = self.clock.val();
        self.other.next = !self.clock.val();
    }
}

/// Registers on a clock that came through a local, an output, a child, and inverted through all of them.
#[derive(LogicBlock, Default)]
struct Clocks {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<8>>,
    by_local: Signal<Out, Bits<8>>,
    by_child: Signal<Out, Bits<8>>,
    falling: Signal<Out, Bits<8>>,
    twice: Signal<Out, Bits<8>>,
    word: Signal<Out, Bits<8>>,
    clock_out: Signal<Out, Clock>,
    inverse_out: Signal<Out, Clock>,
    inside: Signal<Local, Clock>,
    through: Through,
    again: Through,
    first: DFF<Bits<8>>,
    second: DFF<Bits<8>>,
    third: DFF<Bits<8>>,
    fourth: DFF<Bits<8>>,
    memory: RAM<Bits<8>, 2>,
}

impl Logic for Clocks {
    #[hdl_gen]
    fn update(&mut self) {
        self.inside.next = self.clock.val();
        self.through.clock.next = self.inside.val();
        self.again.clock.next = self.through.other.val();
        self.clock_out.next = self.inside.val();
        self.inverse_out.next = self.again.same.val();
        self.first.clock.next = self.inside.val();
        self.first.d.next = self.a.val();
        self.second.clock.next = self.through.same.val();
        self.second.d.next = self.a.val() + 1;
        self.third.clock.next = self.again.same.val();
        self.third.d.next = self.first.q.val();
        self.fourth.clock.next = !self.again.same.val();
        self.fourth.d.next = self.a.val();
        self.memory.write_clock.next = self.clock.val();
        self.memory.read_clock.next = !self.clock.val();
        self.memory.write_address.next = self.a.val().get_bits::<2>(0);
        self.memory.write_data.next = self.a.val();
        self.memory.write_enable.next = true;
        self.memory.read_address.next = self.first.q.val().get_bits::<2>(0);
        self.by_local.next = self.first.q.val();
        self.by_child.next = self.second.q.val();
        self.falling.next = self.third.q.val();
        self.twice.next = self.fourth.q.val();
        self.word.next = self.memory.read_data.val();
    }
}

#[test]
fn clocks_pass_through_locals_outputs_and_children_and_may_be_inverted() {
    let mut circuit = Clocks::default();
    let netlist = netlist_of(&mut circuit, "clocks");
    let design = Design::of(&netlist);
    design.lint(&[]);
    let outputs = |circuit: &Clocks| {
        let all = [&circuit.by_local, &circuit.by_child, &circuit.falling, &circuit.twice, &circuit.word];
        all.map(|signal| u64::from(signal.val())).to_vec()
    };
    let clocks = |circuit: &Clocks| [circuit.clock_out.val().clk.into(), circuit.inverse_out.val().clk.into()];
    let (rows, said) = run(
        &mut circuit,
        1,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.a.next = row[1].into();
        },
        |circuit| [outputs(circuit), clocks(circuit).to_vec()].concat(),
        |random| vec![random.bits(8)],
    );
    design.outside(&rows, &said, 1_000);
    // A clock is low when the engine has settled: every second row.
    let program = Program::compile(&netlist).unwrap();
    let (a, mut simulation) = (program.input("a").unwrap(), program.start(1));
    for (row, said) in rows.iter().zip(&said).step_by(2) {
        simulation.set(a, row[1]);
        simulation.settle();
        assert_eq!(simulation.get_all(), said, "a is {}", row[1]);
        simulation.step();
    }
    assert!(said.iter().any(|row| row[2] > 200), "the register of the falling edge never changes");
}

/// Two clocks, one of them inverted, each with a register behind a register of the other one.
#[derive(LogicBlock, Default)]
struct TwoEdges {
    one: Signal<In, Clock>,
    two: Signal<In, Clock>,
    y: Signal<Out, Bits<8>>,
    z: Signal<Out, Bits<8>>,
    count: DFF<Bits<8>>,
    held: DFF<Bits<8>>,
}

impl Logic for TwoEdges {
    #[hdl_gen]
    fn update(&mut self) {
        self.count.clock.next = self.one.val();
        self.count.d.next = self.count.q.val() + 1;
        self.held.clock.next = !self.two.val();
        self.held.d.next = self.count.q.val();
        self.y.next = self.count.q.val();
        self.z.next = self.held.q.val();
    }
}

#[test]
fn a_clock_falls_alone() {
    let mut circuit = TwoEdges::default();
    let netlist = netlist_of(&mut circuit, "two_edges");
    let program = Program::compile(&netlist).unwrap();
    let clocks = ["one", "two"].map(|name| program.clock(name).unwrap());
    let (mut simulation, mut random) = (program.start(1), Random(3));
    for _ in 0..500 {
        (circuit.one.next, circuit.two.next) = (false.into(), false.into());
        assert!(simulate(&mut circuit, 20), "the circuit settles");
        simulation.settle();
        assert_eq!(simulation.get_all(), [circuit.y.val(), circuit.z.val()].map(u64::from));
        match random.below(3) {
            0 => {
                (circuit.one.next, circuit.two.next) = (true.into(), true.into());
                simulation.step();
            }
            1 => {
                circuit.one.next = true.into();
                simulation.tick(clocks[0]);
            }
            _ => {
                circuit.two.next = true.into();
                simulation.tick(clocks[1]);
            }
        }
        assert!(simulate(&mut circuit, 20), "the circuit settles");
    }
}

#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
enum Order {
    Wait,
    Read,
    Write,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
struct Command {
    order: Order,
    length: Bits<6>,
}

/// Memories with contents, structs, whole numbers, constants of more than 128 bits, indices that are worked out.
#[derive(LogicBlock)]
struct Contents {
    clock: Signal<In, Clock>,
    address: Signal<In, Bits<3>>,
    wide_address: Signal<In, Bits<5>>,
    write: Signal<In, Bit>,
    at_once: Signal<Out, Bits<8>>,
    later: Signal<Out, Bits<8>>,
    high: Signal<Out, Bits<60>>,
    reached: [Signal<Out, Bit>; 9],
    halves: [Signal<Out, Bit>; 6],
    equal: Signal<Out, Bit>,
    over: Signal<Out, Bit>,
    writes: Signal<Out, Bit>,
    length: Signal<Out, Bits<6>>,
    part: Signal<Out, Signed<4>>,
    chosen: Signal<Out, Bits<4>>,
    product: Signal<Out, Signed<32>>,
    top: Signal<Out, Bits<60>>,
    rom: ROM<Bits<8>, 3>,
    ram: RAM<Bits<8>, 3>,
    wide: SyncROM<Bits<140>, 3>,
    command: DFF<Command>,
    constant: Constant<Bits<130>>,
    narrow: Signal<Local, Signed<8>>,
    whole: Signal<Local, Bits<130>>,
}

fn words<T: Synth>(word: impl Fn(u64) -> T) -> BTreeMap<Bits<3>, T> {
    [0, 1, 2, 4, 5, 7].map(|address| (address.into(), word(address))).into()
}

impl Default for Contents {
    fn default() -> Contents {
        let wide = |address| (Bits::<140>::from(address + 1) << 130) | Bits::<140>::from(address * 77);
        Contents {
            clock: Signal::default(),
            address: Signal::default(),
            wide_address: Signal::default(),
            write: Signal::default(),
            at_once: Signal::default(),
            later: Signal::default(),
            high: Signal::default(),
            reached: Default::default(),
            halves: Default::default(),
            equal: Signal::default(),
            over: Signal::default(),
            writes: Signal::default(),
            length: Signal::default(),
            part: Signal::default(),
            chosen: Signal::default(),
            product: Signal::default(),
            top: Signal::default(),
            rom: ROM::new(words(|address| (address * 31 % 256).into())),
            ram: RAM::new(words(|address| (255 - address).into())),
            wide: SyncROM::new(words(wide)),
            command: DFF::default(),
            constant: Constant::new((Bits::from(0x2_5a5au64) << 112) | Bits::from(9)),
            narrow: Signal::default(),
            whole: Signal::default(),
        }
    }
}

impl Logic for Contents {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, command);
        clock!(self, clock, wide);
        self.ram.read_clock.next = self.clock.val();
        self.ram.write_clock.next = self.clock.val();
        self.rom.address.next = self.address.val();
        self.at_once.next = self.rom.data.val();
        self.ram.read_address.next = self.address.val();
        self.ram.write_address.next = self.wide_address.val().get_bits::<3>(1);
        self.ram.write_data.next = self.rom.data.val();
        self.ram.write_enable.next = self.write.val();
        self.later.next = self.ram.read_data.val();
        self.wide.address.next = self.address.val();
        self.high.next = self.wide.data.val().get_bits::<60>(80);
        for i in 0..9 {
            self.reached[i].next = self.address.val().index() == i;
        }
        for i in 0..6 {
            if i == 0 || (i > 2 && i != 4) {
                self.halves[i].next = self.wide_address.val().get_bit(i >> 1);
            } else {
                self.halves[i].next = self.reached[(9 - i / 2 * 2) % 7].val();
            }
        }
        self.equal.next = self.address.val().index() == self.wide_address.val().index();
        self.over.next = self.address.val().index() + 7 > 12;
        self.chosen.next = 0.into();
        match self.wide_address.val().index() {
            0usize => self.chosen.next = 1.into(),
            0x1f => self.chosen.next = 2.into(),
            3_usize => self.chosen.next = 3.into(),
            77 => self.chosen.next = 4.into(),
            _ => {}
        }
        if self.write.val() {
            self.command.d.next.order = Order::Write;
        } else if self.address.val().index() == 2 {
            self.command.d.next.order = Order::Read;
            self.command.d.next.length = bit_cast::<6, 5>(self.wide_address.val());
        }
        self.writes.next = self.command.q.val().order == Order::Write;
        self.length.next = self.command.q.val().length;
        self.narrow.next = signed_cast(bit_cast::<8, 5>(self.wide_address.val()) << 3);
        self.part.next = self.narrow.val().get_bits::<4>(3);
        self.narrow.next = signed_cast((bit_cast::<8, 5>(self.wide_address.val()) << 3) | 1);
        self.product.next = signed_bit_cast::<16, 8>(self.narrow.val()) * signed_bit_cast::<16, 8>(self.narrow.val());
        self.whole.next = self.constant.val() ^ bit_cast::<130, 5>(self.wide_address.val());
        self.top.next = self.whole.val().get_bits::<60>(70);
    }
}

#[test]
fn contents_structs_whole_numbers_and_wide_constants_are_those_of_rust_hdl() {
    let mut circuit = Contents::default();
    let design = Design::of(&netlist_of(&mut circuit, "contents"));
    let (rows, said) = run(
        &mut circuit,
        3,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.address.next = row[1].into();
            circuit.wide_address.next = row[2].into();
            circuit.write.next = row[3] == 1;
        },
        |circuit| {
            let bit = |signal: &Signal<Out, Bit>| u64::from(signal.val());
            let first = [circuit.at_once.val().into(), circuit.later.val().into(), circuit.high.val().into()];
            let arrays = circuit.reached.iter().chain(&circuit.halves).map(bit);
            let bits = [bit(&circuit.equal), bit(&circuit.over), bit(&circuit.writes)];
            let signed = [circuit.length.val().into(), unsigned_cast(circuit.part.val()).into()];
            let rest =
                [circuit.chosen.val().into(), unsigned_cast(circuit.product.val()).into(), circuit.top.val().into()];
            first.into_iter().chain(arrays).chain(bits).chain(signed).chain(rest).collect()
        },
        |random| vec![random.bits(3), random.bits(5), random.bits(1)],
    );
    assert_eq!(rows.len(), 2 * CYCLES);
    // A comparison with what the bits do not reach is constant: Verilator sees that nothing is read.
    design.lint(&[]);
    design.compare(&rows, &said, 1_000);
}

#[test]
fn a_register_and_a_memory_are_circuits() {
    let mut register = EdgeDetector::new(true);
    netlist_of(&mut register, "detector");
    let mut flip_flop = DFF::<Bits<8>>::default();
    let design = Design::of(&netlist_of(&mut flip_flop, "flip_flop"));
    design.lint(&[]);
    let (mut rows, said) = run(
        &mut flip_flop,
        1,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.d.next = row[1].into();
        },
        |circuit| vec![circuit.q.val().into()],
        |random| vec![random.bits(8)],
    );
    // The ports in their order: the clock is the last one.
    rows.iter_mut().for_each(|row| row.reverse());
    design.compare(&rows, &said, 1_000);
    let mut ram = RAM::<Bits<8>, 3>::new(words(|address| (address * 3).into()));
    assert_eq!(netlist_of(&mut ram, "ram").top().memories[0].contents.len(), 8);
    let mut rom = SyncROM::<Bits<8>, 3>::new(words(|address| (address * 3).into()));
    assert_eq!(netlist_of(&mut rom, "rom").top().roms[0].contents.len(), 8);
}

/// A block whose Verilog is a text.
#[derive(LogicBlock, Default)]
struct Text {
    d: Signal<In, Bits<8>>,
    q: Signal<Out, Bits<8>>,
    clock: Signal<In, Clock>,
    _text: Option<fn() -> Verilog>,
}

impl Logic for Text {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        self._text.expect("a text")()
    }
}

/// A circuit around it.
#[derive(LogicBlock, Default)]
struct Around {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    text: Text,
}

impl Logic for Around {
    #[hdl_gen]
    fn update(&mut self) {
        self.text.clock.next = self.clock.val();
        self.text.d.next = self.a.val();
        self.y.next = self.text.q.val();
    }
}

const FLIP_FLOP: &str = "initial begin\n q = 8'h5;\nend\nalways @(posedge clock) begin\n q <= d;\nend\n";

#[test]
fn a_text_is_read_as_a_whole_or_refused_with_the_line_that_is_not_known() {
    let netlist = |text: fn() -> Verilog| {
        let mut circuit = Around { text: Text { _text: Some(text), ..Text::default() }, ..Around::default() };
        circuit.connect_all();
        Netlist::of(&circuit, "around", None).map_err(|error| error.to_string())
    };
    let known = netlist(|| Verilog::Custom(FLIP_FLOP.to_string())).unwrap();
    assert_eq!(known.top().registers[0].initial, Some(5u8.into()));
    netlist(|| Verilog::Wrapper(Wrapper { code: FLIP_FLOP.to_string(), cores: String::new() })).unwrap();
    let line = |text: fn() -> Verilog| {
        let error = netlist(text).unwrap_err();
        assert!(error.starts_with("module around, signal text: is Verilog text, and its line `"), "{error}");
        error.split('`').nth(1).unwrap().to_string()
    };
    let found = [
        line(|| Verilog::Custom(FLIP_FLOP.replace("posedge clock", "posedge clock or posedge reset"))),
        line(|| Verilog::Custom(FLIP_FLOP.replace("q <= d", "if (reset) q <= 0; else q <= d"))),
        line(|| Verilog::Custom(FLIP_FLOP.replace("q <= d", "q <= ~d"))),
        line(|| Verilog::Custom(format!("{FLIP_FLOP}assign x = 1;"))),
        line(|| Verilog::Wrapper(Wrapper { code: FLIP_FLOP.to_string(), cores: "module core;".to_string() })),
        line(|| Verilog::Blackbox(BlackBox { code: "module x;\nendmodule".to_string(), name: "x".to_string() })),
    ];
    let expected = [
        "always @(posedge clock or posedge reset) begin",
        "if (reset) q <= 0; else q <= d;",
        "q <= ~d;",
        "assign x = 1;",
        "module core;",
        "module x;",
    ];
    assert_eq!(found, expected);
}

/// A register of the falling edge, whose text says so, behind one of the rising edge and behind the input.
#[derive(LogicBlock, Default)]
struct Falling {
    d: Signal<In, Bits<8>>,
    q: Signal<Out, Bits<8>>,
    clock: Signal<In, Clock>,
}

impl Logic for Falling {
    fn update(&mut self) {
        if self.clock.neg_edge() {
            self.q.next = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom("initial q = 8'h0;\nalways @(negedge clock) q <= d;".to_string())
    }
}

#[derive(LogicBlock, Default)]
struct HalfCycles {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<8>>,
    behind: Signal<Out, Bits<8>>,
    sampled: Signal<Out, Bits<8>>,
    inverse: Signal<Out, Bits<8>>,
    first: DFF<Bits<8>>,
    second: Falling,
    third: Falling,
    fourth: Falling,
}

impl Logic for HalfCycles {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.clock.next = self.clock.val();
        self.first.d.next = self.a.val();
        clock!(self, clock, second, third);
        self.second.d.next = self.first.q.val();
        self.third.d.next = self.a.val();
        // Both together are a register of the rising edge.
        self.fourth.clock.next = !self.clock.val();
        self.fourth.d.next = self.a.val();
        self.behind.next = self.second.q.val();
        self.sampled.next = self.third.q.val();
        self.inverse.next = self.fourth.q.val();
    }
}

#[test]
fn a_register_of_the_falling_edge_is_one() {
    let mut circuit = HalfCycles::default();
    let netlist = netlist_of(&mut circuit, "half_cycles");
    let design = Design::of(&netlist);
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        1,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.a.next = row[1].into();
        },
        |circuit| [&circuit.behind, &circuit.sampled, &circuit.inverse].map(|signal| signal.val().into()).to_vec(),
        |random| vec![random.bits(8)],
    );
    let program = Program::compile(&netlist).unwrap();
    let (a, mut simulation) = (program.input("a").unwrap(), program.start(1));
    for (row, said) in rows.iter().zip(&said).step_by(2) {
        simulation.set(a, row[1]);
        simulation.settle();
        assert_eq!(simulation.get_all(), said, "a is {}", row[1]);
        simulation.step();
    }
    // In Icarus, a clock that is not known before falls at power-up, too.
    design.outside(&rows, &said, 0);
}

/// A tristate buffer inside.
#[derive(LogicBlock, Default)]
struct Bidirectional {
    bus: Signal<InOut, Bits<8>>,
    write: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    read: Signal<Out, Bits<8>>,
    buffer: TristateBuffer<Bits<8>>,
}

impl Logic for Bidirectional {
    #[hdl_gen]
    fn update(&mut self) {
        self.buffer.write_enable.next = self.write.val();
        self.buffer.write_data.next = self.data.val();
        self.read.next = self.buffer.read_data.val();
        Signal::<InOut, Bits<8>>::link(&mut self.bus, &mut self.buffer.bus);
    }
}

/// A clock made of data.
#[derive(LogicBlock, Default)]
struct Divided {
    clock: Signal<In, Clock>,
    y: Signal<Out, Bit>,
    half: DFF<Bit>,
    slow: DFF<Bit>,
}

impl Logic for Divided {
    #[hdl_gen]
    fn update(&mut self) {
        self.half.clock.next = self.clock.val();
        self.half.d.next = !self.half.q.val();
        self.slow.clock.next = self.half.q.val().into();
        self.slow.d.next = !self.slow.q.val();
        self.y.next = self.slow.q.val();
    }
}

/// A clock that is stored.
#[derive(LogicBlock, Default)]
struct Stored {
    clock: Signal<In, Clock>,
    y: Signal<Out, Clock>,
    held: DFF<Clock>,
}

impl Logic for Stored {
    #[hdl_gen]
    fn update(&mut self) {
        self.held.clock.next = self.clock.val();
        self.held.d.next = self.clock.val();
        self.y.next = self.held.q.val();
    }
}

#[test]
fn what_stays_out_is_refused_with_its_reason() {
    let refused = |circuit: &mut dyn Block| {
        circuit.connect_all();
        Netlist::of(circuit, "circuit", None).unwrap_err().to_string()
    };
    for (error, signal, reason) in [
        (refused(&mut Bidirectional::default()), "bus", "is bidirectional (InOut)"),
        (refused(&mut TristateBuffer::<Bits<8>>::default()), "bus", "is bidirectional (InOut)"),
        (refused(&mut Divided::default()), "slow_clock", "is a clock that is computed"),
        (refused(&mut Stored::default()), "held", "stores a clock"),
    ] {
        assert!(error.starts_with(&format!("module circuit, signal {signal}: {reason}")), "{error}");
    }
}
