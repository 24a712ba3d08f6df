// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that never change: a block of Verilog that reads no signal never runs. And signals that get a value in the
//! arms of a `match` only.

use crate::expressions::clocked::run;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;
use tidegate_testing::simulators::Design;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Side {
    Left,
    Middle,
    RightHand,
}

#[derive(LogicBlock)]
struct Settled {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<4>>,
    last: Signal<Out, Bits<4>>,
    chosen: Signal<Out, Bits<4>>,
    second: Signal<Out, Bit>,
    mixed: Signal<Out, Bits<4>>,
    named: Signal<Out, Bits<2>>,
    at_the_right: Signal<Out, Bit>,
    fast: Constant<Bit>,
    side: DFF<Side>,
}

impl Default for Settled {
    fn default() -> Settled {
        Settled {
            clock: Signal::default(),
            a: Signal::default(),
            last: Signal::default(),
            chosen: Signal::default(),
            second: Signal::default(),
            mixed: Signal::default(),
            named: Signal::default(),
            at_the_right: Signal::default(),
            fast: Constant::new(true),
            side: DFF::default(),
        }
    }
}

impl Logic for Settled {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, side);
        self.last.next = 1.into();
        self.mixed.next = self.a.val();
        self.last.next = 2.into();
        self.chosen.next = 3.into();
        self.second.next = false;
        if self.fast.val() {
            self.chosen.next = 4.into();
            self.second.next = true;
            self.mixed.next = self.a.val() + 1;
        }
        self.at_the_right.next = false;
        match self.side.q.val() {
            Side::Left => {
                self.named.next = 1.into();
                self.side.d.next = Side::Middle;
            }
            Side::Middle => {
                self.named.next = 2.into();
                if self.a.val().any() {
                    self.side.d.next = Side::RightHand;
                }
            }
            Side::RightHand => {
                self.named.next = 3.into();
                self.at_the_right.next = true;
                self.side.d.next = Side::Left;
            }
        }
    }
}

#[test]
fn signals_that_never_change_have_their_value_in_every_simulator() {
    let mut circuit = Settled::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "settled", None).unwrap());
    let parts = [
        "assign last = 4'd2;",
        "SIDE_RIGHT_HAND: begin\n                named = 2'd3;\n                at_the_right = 1'd1;",
        "default: named = 2'd3;",
        "default: side <= SIDE_LEFT;",
    ];
    for part in parts {
        assert!(design.verilog.contains(part), "{part} is not in\n{}", design.verilog);
    }
    design.lint(&[]);
    let (rows, said) = run(
        &mut circuit,
        1,
        |circuit, row| {
            circuit.clock.next = (row[0] == 1).into();
            circuit.a.next = row[1].into();
        },
        |circuit| {
            let numbers = [circuit.last.val(), circuit.chosen.val()].map(u64::from);
            let rest = [circuit.mixed.val().into(), circuit.named.val().into(), circuit.at_the_right.val() as u64];
            [&numbers[..], &[circuit.second.val() as u64], &rest].concat()
        },
        |random| vec![random.bits(4) & random.bits(4)],
    );
    assert!(said.iter().all(|row| row[..3] == [2, 4, 1]));
    design.compare(&rows, &said, rows.len());
}

/// Conditions that no signal changes: what they do not choose reads a signal, and is nothing to wait for.
#[derive(LogicBlock, Default)]
struct Decided {
    a: Signal<In, Bits<4>>,
    never: Signal<Local, Bit>,
    side: Signal<Local, Bits<2>>,
    chosen: Signal<Out, Bits<4>>,
    part: Signal<Out, Bits<60>>,
    arm: Signal<Out, Bits<4>>,
    follows: Signal<Out, Bits<4>>,
    pieces: Signal<Local, Bits<4>>,
    joined: Signal<Out, Bits<4>>,
}

impl Logic for Decided {
    #[hdl_gen]
    fn update(&mut self) {
        self.never.next = self.a.val().any() & false;
        self.side.next = 2.into();
        self.chosen.next = 5.into();
        if self.side.val() == 1 {
            self.chosen.next = self.a.val();
        }
        self.part.next = bits::<60>(1) << 59;
        if bits::<4>(9) < 8 {
            self.part.next = bit_cast::<60, 4>(self.a.val());
        } else {
            self.part.next = self.part.val().replace_bit(7, true);
        }
        self.arm.next = 0.into();
        match self.side.val().index() {
            1 => {
                self.arm.next = self.a.val();
            }
            2 => {
                self.arm.next = bits::<4>(6) ^ 3;
            }
            _ => {}
        }
        self.pieces.next = 0.into();
        for i in 0..4 {
            self.pieces.next = self.pieces.val().replace_bit(i, i != 2);
        }
        self.joined.next = self.pieces.val();
        if self.a.val().xor() {
            self.joined.next = self.pieces.val();
        }
        self.follows.next = self.chosen.val();
        if self.never.val() {
            self.follows.next = self.a.val();
        }
    }
}

#[test]
fn what_constants_choose_is_known_before_anything_changes() {
    let mut circuit = Decided::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "decided", None).unwrap());
    design.lint(&[]);
    let rows: Vec<Vec<u64>> = (0..16).map(|a| vec![a]).collect();
    let said = |row: &Vec<u64>| {
        circuit.a.next = row[0].into();
        assert!(simulate(&mut circuit, 20), "the circuit settles");
        let small = [&circuit.arm, &circuit.follows, &circuit.joined].map(|signal| signal.val().into());
        [&[circuit.chosen.val().into(), circuit.part.val().into()][..], &small].concat()
    };
    let said: Vec<Vec<u64>> = rows.iter().map(said).collect();
    assert_eq!(said[9], [5, 1 << 59 | 1 << 7, 5, 5, 11]);
    design.compare(&rows, &said, rows.len());
}

/// Assigns both of its signals in one condition; only the inner one depends on `a`.
#[derive(LogicBlock, Default)]
struct Inner {
    a: Signal<In, Bits<4>>,
    b: Signal<In, Bits<4>>,
    x: Signal<Out, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Inner {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = 0.into();
        self.y.next = 0.into();
        if self.b.val().any() {
            self.x.next = self.b.val();
            self.y.next = self.a.val();
        }
    }
}

/// Assigns what it gives to the part and what it takes from it in one condition, too.
#[derive(LogicBlock, Default)]
struct Outer {
    b: Signal<In, Bits<4>>,
    last: Signal<Out, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    inner: Inner,
}

impl Logic for Outer {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.b.next = self.b.val();
        self.inner.a.next = 1.into();
        self.last.next = 0.into();
        if self.b.val().any() {
            self.inner.a.next = self.b.val() + 2;
            self.last.next = self.inner.x.val() + 1;
        }
        self.y.next = self.inner.y.val();
    }
}

/// A block that sets a default first changes its signals for a moment. If two blocks read each other's, that starts them for ever.
#[test]
fn blocks_of_two_modules_do_not_start_each_other() {
    let mut circuit = Outer::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "outer", None).unwrap());
    design.lint(&[]);
    let rows: Vec<Vec<u64>> = (0..16).map(|b| vec![b]).collect();
    let said = |row: &Vec<u64>| {
        circuit.b.next = row[0].into();
        assert!(simulate(&mut circuit, 20), "the circuit settles");
        [&circuit.last, &circuit.y].map(|signal| signal.val().into()).to_vec()
    };
    let said: Vec<Vec<u64>> = rows.iter().map(said).collect();
    assert_eq!(said[9], [10, 11]);
    design.compare(&rows, &said, rows.len());
}
