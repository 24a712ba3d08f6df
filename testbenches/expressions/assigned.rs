// SPDX-License-Identifier: MIT OR Apache-2.0
//! A read of a local or an output of the module itself gets what was assigned last above it, as in `rust-hdl`; above the
//! first assignment it gets the final value.

use crate::expressions::Random;
use crate::expressions::clocked::run;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;
use tidegate_testing::simulators::Design;

/// A local as a variable, in each place where it can be read.
#[derive(LogicBlock, Default)]
struct Variables {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    choose: Signal<In, Bits<2>>,
    first: Signal<Out, Bits<8>>,
    second: Signal<Out, Bits<8>>,
    last: Signal<Out, Bits<8>>,
    early: Signal<Out, Bits<8>>,
    counted: Signal<Out, Bits<8>>,
    nested: Signal<Out, Bits<8>>,
    in_arms: Signal<Out, Bits<8>>,
    tested: Signal<Out, Bits<8>>,
    low: Signal<Out, Bits<4>>,
    shown: Signal<Out, Bits<8>>,
    of_shown: Signal<Out, Bits<8>>,
    lights: Signal<Out, Bits<4>>,
    value: Signal<Local, Bits<8>>,
    count: Signal<Local, Bits<8>>,
    only_here: Signal<Local, Bits<8>>,
    state: Signal<Local, Bits<8>>,
    bits: Signal<Local, Bits<4>>,
    child: Child,
}

/// Adds one to what it is given at last.
#[derive(LogicBlock, Default)]
struct Child {
    given: Signal<In, Bits<8>>,
    more: Signal<Out, Bits<8>>,
}

impl Logic for Child {
    #[hdl_gen]
    fn update(&mut self) {
        self.more.next = self.given.val() + 1;
    }
}

impl Logic for Variables {
    #[hdl_gen]
    fn update(&mut self) {
        // Above the first assignment: the final value.
        self.early.next = self.value.val();
        self.value.next = self.a.val();
        self.first.next = self.value.val();
        // A read beside the assignment that replaces it, and an input of an instance, which has its final value only.
        self.value.next = self.value.val() + 1;
        self.child.given.next = self.value.val();
        self.second.next = self.child.given.val();
        self.child.given.next = self.b.val();
        // In a condition, and on both sides of it.
        self.tested.next = 0.into();
        if self.value.val() == 8 {
            self.value.next = self.b.val();
            self.tested.next = self.value.val();
        } else if self.value.val().get_bit(0) {
            self.value.next = self.value.val() - 3;
        }
        // Parts of it.
        self.low.next = self.value.val().get_bits::<4>(0);
        self.nested.next = self.value.val();
        if self.choose.val().get_bit(0) {
            self.value.next = self.value.val() ^ self.b.val();
            if self.choose.val().get_bit(1) {
                self.nested.next = self.value.val();
                self.value.next = self.nested.val() + self.value.val();
            }
            self.nested.next = self.nested.val() + self.value.val();
        }
        self.last.next = self.value.val() + self.child.more.val();
        // A value that runs through a loop.
        self.count.next = 0.into();
        for i in 0..8 {
            if self.a.val().get_bit(i) {
                self.count.next = self.count.val() + 1;
            }
        }
        self.counted.next = self.count.val();
        // No value in every case, and no read where it has none.
        self.in_arms.next = 0.into();
        match self.choose.val().index() {
            0 => {
                self.only_here.next = self.a.val();
                self.in_arms.next = self.only_here.val() + 1;
            }
            1 => {
                self.only_here.next = self.b.val();
                self.only_here.next = self.only_here.val() << 1;
                self.in_arms.next = self.only_here.val();
            }
            _ => {}
        }
        // An output, read between two assignments; bits of a local, one by one.
        self.shown.next = self.b.val();
        self.state.next = self.shown.val() & self.a.val();
        self.shown.next = self.state.val() | 1;
        self.of_shown.next = self.shown.val();
        for i in 0..4 {
            self.bits.next = self.bits.val().replace_bit(i, self.b.val().get_bit(i + 2));
        }
        self.lights.next = self.bits.val();
    }
}

#[test]
fn a_read_gets_what_was_assigned_last_above_it() {
    let mut circuit = Variables::default();
    circuit.connect_all();
    let netlist = Netlist::of(&circuit, "variables", None).unwrap_or_else(|error| panic!("{error}"));
    let design = Design::of(&netlist);
    assert!(netlist.top().find("only_here").is_none(), "a signal that nobody reads");
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        3,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.a.next = row[1].into();
            circuit.b.next = row[2].into();
            circuit.choose.next = row[3].into();
        },
        |circuit| {
            let all = [&circuit.first, &circuit.second, &circuit.last, &circuit.early, &circuit.counted];
            let more = [&circuit.nested, &circuit.in_arms, &circuit.tested];
            let rest = [circuit.low.val().into(), circuit.shown.val().into(), circuit.of_shown.val().into()];
            let words: Vec<u64> = all.into_iter().chain(more).map(|signal| signal.val().into()).collect();
            [&words[..], &rest, &[circuit.lights.val().into()]].concat()
        },
        |random| vec![random.bits(8), random.bits(8), random.bits(2)],
    );
    // By hand, where the simulation of `rust-hdl` is not needed to know the value.
    for (row, said) in rows.iter().zip(&said) {
        assert_eq!(said[0], row[1]);
        assert_eq!(said[4], u64::from(row[1].count_ones()));
        assert_eq!(said[11], row[2] >> 2 & 15);
    }
    design.compare(&rows, &said, 1_000);
}

/// Each side of a condition assigns what the other side reads: no loop, because a read has the value of its own way.
#[derive(LogicBlock, Default)]
struct Crossed {
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    first: Signal<In, Bit>,
    x: Signal<Out, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    sum: Signal<Out, Bits<8>>,
    one: Signal<Local, Bits<8>>,
    other: Signal<Local, Bits<8>>,
}

impl Logic for Crossed {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = self.a.val();
        self.y.next = self.b.val();
        if self.first.val() {
            self.x.next = self.b.val() + 1;
            self.y.next = self.x.val();
        } else if self.y.val().any() {
            self.x.next = 7.into();
        }
        self.one.next = self.a.val();
        self.other.next = self.b.val();
        if self.first.val() {
            self.one.next = self.other.val() + 1;
        } else {
            self.other.next = self.one.val() + 3;
        }
        self.sum.next = self.one.val() ^ self.other.val();
    }
}

#[test]
fn a_read_has_the_value_of_its_own_way_through_conditions() {
    let mut circuit = Crossed::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "crossed", None).unwrap_or_else(|error| panic!("{error}")));
    design.lint(&[]);
    let mut random = Random(11);
    let (mut rows, mut said) = (Vec::new(), Vec::new());
    for _ in 0..1_000 {
        let row = vec![random.bits(8) & random.bits(8), random.bits(8) & random.bits(8), random.bits(1)];
        circuit.a.next = row[0].into();
        circuit.b.next = row[1].into();
        circuit.first.next = row[2] == 1;
        assert!(simulate(&mut circuit, 20), "the circuit settles");
        said.push([&circuit.x, &circuit.y, &circuit.sum].map(|signal| signal.val().into()).to_vec());
        rows.push(row);
    }
    design.compare(&rows, &said, 1_000);
}

/// A value that needs itself: the message shows its way.
#[derive(LogicBlock, Default)]
struct Ring {
    a: Signal<In, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    value: Signal<Local, Bits<8>>,
}

impl Logic for Ring {
    #[hdl_gen]
    fn update(&mut self) {
        self.value.next = self.value.val() + self.a.val();
        self.y.next = self.value.val();
    }
}

/// The same, through a child: what it is given depends on what it gives.
#[derive(LogicBlock, Default)]
struct Around {
    a: Signal<In, Bits<8>>,
    y: Signal<Out, Bits<8>>,
    early: Signal<Local, Bits<8>>,
    child: Child,
}

impl Logic for Around {
    #[hdl_gen]
    fn update(&mut self) {
        self.child.given.next = self.early.val();
        self.early.next = self.a.val();
        self.y.next = self.early.val();
        self.early.next = self.child.more.val();
    }
}

#[test]
fn a_value_that_depends_on_itself_is_a_loop_with_its_way() {
    let mut ring = Ring::default();
    ring.connect_all();
    let error = Netlist::of(&ring, "ring", None).unwrap_err().to_string();
    assert_eq!(error, "module ring, signal value: is in a combinational loop: value ← value");
    let mut around = Around::default();
    around.connect_all();
    let error = Netlist::of(&around, "around", None).unwrap_err().to_string();
    assert!(error.contains("combinational loop: early (through child) ← early (through child)"), "{error}");
}

/// Keeps the value of the pass before: a latch.
#[derive(LogicBlock, Default)]
struct Latch {
    a: Signal<In, Bits<8>>,
    set: Signal<In, Bit>,
    y: Signal<Out, Bits<8>>,
    value: Signal<Local, Bits<8>>,
}

impl Logic for Latch {
    #[hdl_gen]
    fn update(&mut self) {
        if self.set.val() {
            self.value.next = self.a.val();
        }
        self.y.next = self.value.val();
    }
}

#[test]
fn a_local_that_keeps_its_value_is_refused() {
    let mut latch = Latch::default();
    latch.connect_all();
    let error = Netlist::of(&latch, "latch", None).unwrap_err().to_string();
    assert!(error.contains("signal value: is not given a value in every case"), "{error}");
}

/// A bit of a value that a signal has at first, and not at the end.
#[derive(LogicBlock, Default)]
struct Replaced {
    a: Signal<In, Bits<4>>,
    by: Signal<In, Bits<2>>,
    shifted: Signal<Local, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    chosen: Signal<Out, Bit>,
}

impl Logic for Replaced {
    #[hdl_gen]
    fn update(&mut self) {
        self.shifted.next = self.a.val() >> self.by.val();
        if self.a.val() == 9 {
            self.shifted.next = 6.into();
        }
        self.y.next = self.shifted.val();
        self.chosen.next = self.a.val().get_bit(self.by.val().index());
    }
}

#[test]
fn a_value_has_the_name_of_no_signal_that_changes() {
    let mut circuit = Replaced::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "replaced", None).unwrap());
    design.lint(&[]);
    let rows: Vec<Vec<u64>> = (0..64).map(|row| vec![row % 16, row / 16]).collect();
    let said = |row: &Vec<u64>| {
        (circuit.a.next, circuit.by.next) = (row[0].into(), row[1].into());
        assert!(simulate(&mut circuit, 20), "the circuit settles");
        vec![circuit.y.val().into(), circuit.chosen.val().into()]
    };
    let said: Vec<Vec<u64>> = rows.iter().map(said).collect();
    assert_eq!(said[9], [6, 1]);
    design.compare(&rows, &said, rows.len());
}
