// SPDX-License-Identifier: MIT OR Apache-2.0
//! Five expressions whose Verilog from `rust-hdl` itself differs from its own simulation.

use crate::expressions::Random;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;
use tidegate_testing::simulators::Design;

/// A 16-bit sum that is compared with a literal wraps first.
#[derive(LogicBlock, Default)]
struct SumWraps {
    a: Signal<In, Bits<16>>,
    result: Signal<Out, Bit>,
}

impl Logic for SumWraps {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.a.val() + 1 == 0;
    }
}

/// A wider value of a sum has no carry.
#[derive(LogicBlock, Default)]
struct CarryDropped {
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    result: Signal<Out, Bits<17>>,
}

impl Logic for CarryDropped {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = bit_cast::<17, 16>(self.a.val() + self.b.val());
    }
}

/// A difference is compared in 16 bits.
#[derive(LogicBlock, Default)]
struct DifferenceWraps {
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    result: Signal<Out, Bit>,
}

impl Logic for DifferenceWraps {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.a.val() - self.b.val() > 0x8000;
    }
}

/// A wider value of an inverse has zeros above.
#[derive(LogicBlock, Default)]
struct InverseNarrow {
    a: Signal<In, Bits<16>>,
    result: Signal<Out, Bits<32>>,
}

impl Logic for InverseNarrow {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = bit_cast::<32, 16>(!self.a.val());
    }
}

/// `&` binds tighter than `==` in Rust, not in Verilog.
#[derive(LogicBlock, Default)]
struct MaskFirst {
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    c: Signal<In, Bits<16>>,
    result: Signal<Out, Bit>,
}

impl Logic for MaskFirst {
    #[hdl_gen]
    fn update(&mut self) {
        self.result.next = self.a.val() & self.b.val() == self.c.val();
    }
}

/// All five, so that one model holds them.
#[derive(LogicBlock, Default)]
struct Five {
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    c: Signal<In, Bits<16>>,
    wraps: Signal<Out, Bit>,
    dropped: Signal<Out, Bits<17>>,
    above: Signal<Out, Bit>,
    inverse: Signal<Out, Bits<32>>,
    masked: Signal<Out, Bit>,
    sum_wraps: SumWraps,
    carry_dropped: CarryDropped,
    difference_wraps: DifferenceWraps,
    inverse_narrow: InverseNarrow,
    mask_first: MaskFirst,
}

impl Logic for Five {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum_wraps.a.next = self.a.val();
        self.carry_dropped.a.next = self.a.val();
        self.carry_dropped.b.next = self.b.val();
        self.difference_wraps.a.next = self.a.val();
        self.difference_wraps.b.next = self.b.val();
        self.inverse_narrow.a.next = self.a.val();
        self.mask_first.a.next = self.a.val();
        self.mask_first.b.next = self.b.val();
        self.mask_first.c.next = self.c.val();
        self.wraps.next = self.sum_wraps.result.val();
        self.dropped.next = self.carry_dropped.result.val();
        self.above.next = self.difference_wraps.result.val();
        self.inverse.next = self.inverse_narrow.result.val();
        self.masked.next = self.mask_first.result.val();
    }
}

/// Random rows after the rows with edge values.
const RANDOM_ROWS: usize = 5_000;

#[test]
fn the_five_expressions_agree() {
    let mut circuit = Five::default();
    circuit.connect_all();
    let design = Design::of(&Netlist::of(&circuit, "five", None).unwrap());
    let names: Vec<&str> = design.inputs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let edges = [0u64, 1, 4, 5, 7, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff];
    let mut rows = Vec::new();
    for a in edges {
        for b in edges {
            rows.extend([edges.map(|c| vec![a, b, c]).to_vec(), vec![vec![a, b, a & b]]].concat());
        }
    }
    let mut random = Random(1);
    for _ in 0..RANDOM_ROWS {
        let (a, b, c) = (random.bits(16), random.bits(16), random.bits(16));
        rows.push(vec![a, b, if random.below(2) == 0 { a & b } else { c }]);
    }
    let expected: Vec<Vec<u64>> = rows.iter().map(|row| simulated(&mut circuit, row)).collect();
    // The rows of the table are there, with the values that it names.
    let of = |row: [u64; 3]| &expected[rows.iter().position(|known| *known == row).unwrap()];
    assert_eq!(of([0xffff, 1, 0])[..2], [1, 0]);
    assert_eq!(of([0, 1, 0])[2], 1);
    assert_eq!(of([0, 1, 0])[3], 0xffff);
    assert_eq!(of([5, 7, 5])[4], 1);
    design.lint(&[]);
    design.compare(&rows, &expected, rows.len());
}

fn simulated(circuit: &mut Five, row: &[u64]) -> Vec<u64> {
    circuit.a.next = row[0].into();
    circuit.b.next = row[1].into();
    circuit.c.next = row[2].into();
    assert!(simulate(circuit, 10), "the circuit settles");
    vec![
        circuit.wraps.val().into(),
        circuit.dropped.val().into(),
        circuit.above.val().into(),
        circuit.inverse.val().into(),
        circuit.masked.val().into(),
    ]
}
