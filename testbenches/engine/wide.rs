// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals of more than 64 bits, and signed ones, which none of our circuits has: the engine against the simulation of
//! `rust-hdl`.

use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;

/// Operations on 100 bits: two words in the engine.
#[derive(LogicBlock, Default)]
struct Wide {
    a: Signal<In, Bits<100>>,
    b: Signal<In, Bits<100>>,
    amount: Signal<In, Bits<8>>,
    sum: Signal<Out, Bits<100>>,
    difference: Signal<Out, Bits<100>>,
    both: Signal<Out, Bits<100>>,
    either: Signal<Out, Bits<100>>,
    one: Signal<Out, Bits<100>>,
    inverse: Signal<Out, Bits<100>>,
    left: Signal<Out, Bits<100>>,
    right: Signal<Out, Bits<100>>,
    joined: Signal<Out, Bits<100>>,
    middle: Signal<Out, Bits<40>>,
    top: Signal<Out, Bit>,
    less: Signal<Out, Bit>,
    same: Signal<Out, Bit>,
    all: Signal<Out, Bit>,
    any: Signal<Out, Bit>,
    odd: Signal<Out, Bit>,
}

impl Logic for Wide {
    #[hdl_gen]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.both.next = self.a.val() & self.b.val();
        self.either.next = self.a.val() | self.b.val();
        self.one.next = self.a.val() ^ self.b.val();
        self.inverse.next = !self.a.val();
        self.left.next = self.a.val() << self.amount.val();
        self.right.next = self.a.val() >> self.amount.val();
        self.middle.next = self.a.val().get_bits::<40>(50);
        self.joined.next = (bit_cast::<100, 40>(self.a.val().get_bits::<40>(50)) << 45) | (self.b.val() >> 60);
        self.top.next = self.a.val().get_bit(99);
        self.less.next = self.a.val() < self.b.val();
        self.same.next = self.a.val() == self.b.val();
        self.all.next = self.a.val().all();
        self.any.next = self.a.val().any();
        self.odd.next = self.a.val().xor();
    }
}

/// Operations on numbers with a sign; comparisons against bounds of a word, too.
#[derive(LogicBlock, Default)]
struct Signs {
    a: Signal<In, Bits<24>>,
    b: Signal<In, Bits<24>>,
    negative: Signal<Out, Bits<24>>,
    difference: Signal<Out, Bits<24>>,
    longer: Signal<Out, Bits<100>>,
    less: Signal<Out, Bit>,
    not_more: Signal<Out, Bit>,
    below_most: Signal<Out, Bit>,
    below_all: Signal<Out, Bit>,
    extended: Signal<Local, Signed<100>>,
}

impl Logic for Signs {
    #[hdl_gen]
    fn update(&mut self) {
        self.negative.next = unsigned_cast(-signed_cast(self.a.val()));
        self.difference.next = unsigned_cast(signed_cast(self.a.val()) - signed_cast(self.b.val()));
        self.extended.next = signed_bit_cast::<100, 24>(signed_cast(self.a.val()));
        self.longer.next = unsigned_cast(self.extended.val());
        self.less.next = signed_cast(self.a.val()) < signed_cast(self.b.val());
        self.not_more.next = signed_cast(self.a.val()) <= signed_cast(self.b.val());
        self.below_most.next = self.a.val() < 0xff_ffff;
        self.below_all.next = bit_cast::<25, 24>(self.a.val()) < 0x100_0000;
    }
}

/// A number of 64 bits, often one at an edge.
fn word(random: &mut u64) -> u64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let number = random.rotate_right(20);
    match (*random >> 60) & 7 {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << (number % 64),
        3 => (1 << (number % 64)) - 1,
        _ => number,
    }
}

fn wide(words: [u64; 2]) -> Bits<100> {
    (bit_cast::<100, 64>(words[1].into()) << 64) | bit_cast::<100, 64>(words[0].into())
}

/// The 64-bit words of a value, the low one first.
trait Words {
    fn words(self) -> Vec<u64>;
}

impl<const N: usize> Words for Bits<N> {
    fn words(self) -> Vec<u64> {
        let value = self.to_u128();
        (0..N.div_ceil(64)).map(|word| (value >> (64 * word)) as u64).collect()
    }
}

impl Words for bool {
    fn words(self) -> Vec<u64> {
        vec![u64::from(self)]
    }
}

/// The outputs of the engine are those of the circuit in `rust-hdl`, which has settled.
macro_rules! assert_same {
    ($simulation:expr, $circuit:expr, $inputs:expr, $($output:ident)+) => {$(
        let output = $simulation.program().output(stringify!($output)).unwrap();
        let expected = $circuit.$output.val().words();
        assert_eq!($simulation.words(output), expected, "`{}` of {:x?}", stringify!($output), $inputs);
    )+};
}

fn compiled(circuit: &dyn Block) -> Program {
    Program::compile(&Netlist::of(circuit, "circuit", None).unwrap()).unwrap()
}

#[test]
fn operations_on_wide_signals_are_those_of_rust_hdl() {
    let mut circuit = Wide::default();
    circuit.connect_all();
    let program = compiled(&circuit);
    let [a, b, amount] = ["a", "b", "amount"].map(|name| program.input(name).unwrap());
    let (mut simulation, mut random) = (program.start(1), 1);
    for row in 0..2_000u64 {
        let mut inputs = [[(); 2]; 2].map(|words| words.map(|()| word(&mut random)));
        if row % 4 == 0 {
            inputs[1] = inputs[0];
        }
        let shift = row % 101;
        circuit.a.next = wide(inputs[0]);
        circuit.b.next = wide(inputs[1]);
        circuit.amount.next = shift.into();
        assert!(simulate(&mut circuit, 10), "the circuit settles");
        simulation.set_words(a, &inputs[0]);
        simulation.set_words(b, &inputs[1]);
        simulation.set(amount, shift);
        simulation.settle();
        assert_same!(simulation, circuit, (inputs, shift), sum difference both either one inverse left right joined middle
            top less same all any odd);
    }
}

#[test]
fn operations_on_signed_values_are_those_of_rust_hdl() {
    let mut circuit = Signs::default();
    circuit.connect_all();
    let program = compiled(&circuit);
    let [a, b] = ["a", "b"].map(|name| program.input(name).unwrap());
    let (mut simulation, mut random) = (program.start(1), 1);
    for row in 0..2_000 {
        let mut inputs = [(); 2].map(|()| word(&mut random) & 0xff_ffff);
        if row % 4 == 0 {
            inputs[1] = inputs[0];
        }
        // `rust-hdl` never ends to extend the least number: its negative is itself.
        if inputs[0] == 0x80_0000 {
            inputs[0] += 1;
        }
        circuit.a.next = inputs[0].into();
        circuit.b.next = inputs[1].into();
        assert!(simulate(&mut circuit, 10), "the circuit settles");
        simulation.set(a, inputs[0]);
        simulation.set(b, inputs[1]);
        simulation.settle();
        assert_same!(simulation, circuit, inputs, negative difference longer less not_more below_most below_all);
    }
}
