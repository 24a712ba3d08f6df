// SPDX-License-Identifier: MIT OR Apache-2.0
//! Test: whatever [`Graph`](super::graph::Graph) makes of an operation has the value of the operation.

use super::graph::{Graph, Id, Node, ones};
use super::next_random;

/// Values of the inputs for which operations are compared.
const ROWS: usize = 32;
/// Operations of one graph, and graphs.
const OPERATIONS: usize = 300;
const GRAPHS: u64 = 300;
/// Widths of the inputs.
const WIDTHS: [u32; 7] = [1, 1, 2, 8, 16, 63, 64];

type Row = [u64; ROWS];
/// The value of an operation for the values of its operands.
type Meaning = fn(u64, u64, u64) -> u64;

struct Bench {
    graph: Graph,
    random: u64,
    inputs: Vec<Row>,
    /// The value of each operation of the graph.
    values: Vec<Row>,
    /// Operations to choose operands from.
    known: Vec<Id>,
}

impl Bench {
    fn below(&mut self, end: u64) -> u64 {
        next_random(&mut self.random) % end
    }

    /// A number of a width, often one at an edge.
    fn number(&mut self, bits: u32) -> u64 {
        let ones = ones(bits);
        match self.below(8) {
            0 => 0,
            1 => 1,
            2 => ones,
            3 => ones >> 1,
            4 => (1 << self.below(u64::from(bits))) & ones,
            5 => ones ^ 1,
            _ => next_random(&mut self.random) & ones,
        }
    }

    /// An operand: an operation that is there, or a number.
    fn operand(&mut self) -> Id {
        if self.below(4) == 0 {
            let bits = WIDTHS[self.below(WIDTHS.len() as u64) as usize];
            let number = self.number(bits);
            return self.graph.constant(number);
        }
        let index = self.below(self.known.len() as u64) as usize;
        self.known[index]
    }

    /// Computes the operations that were added since the last call.
    fn evaluate(&mut self) {
        for id in self.values.len()..self.graph.len() {
            let node = self.graph.node(id as Id);
            let row = std::array::from_fn(|row| {
                node.value(
                    |id| self.values[id as usize][row],
                    |leaf| match leaf {
                        Node::Input(word) => self.inputs[word as usize][row],
                        _ => unreachable!("not in this test"),
                    },
                )
            });
            self.values.push(row);
            let most = ones(self.graph.bits(id as Id));
            assert!(row.iter().all(|&value| value & !most == 0), "{node:?} has more than {most:#x}: {row:x?}");
        }
    }

    /// Adds an operation; its value is `expected` of the values of the operands.
    fn check(&mut self, name: &str, operands: [Id; 3], made: Id, expected: Meaning) {
        self.evaluate();
        let [one, two, three] = operands.map(|id| self.values[id as usize]);
        for row in 0..ROWS {
            let (found, wanted) = (self.values[made as usize][row], expected(one[row], two[row], three[row]));
            let nodes = operands.map(|id| self.graph.node(id));
            let into = self.graph.node(made);
            assert_eq!(
                found, wanted,
                "{name} of {:#x}, {:#x}, {:#x}: {nodes:?} became {into:?}",
                one[row], two[row], three[row]
            );
        }
        self.known.push(made);
    }

    fn operate(&mut self) {
        let (one, two) = (self.operand(), self.operand());
        let bit = |bench: &mut Bench, value: Id| bench.graph.low(value, 1);
        let kind = self.below(15);
        let (name, operands, made, expected): (_, [Id; 3], _, Meaning) = match kind {
            0 => ("add", [one, two, one], self.graph.add(one, two), |a, b, _| a.wrapping_add(b)),
            1 => ("subtract", [one, two, one], self.graph.subtract(one, two), |a, b, _| a.wrapping_sub(b)),
            2 => ("multiply", [one, two, one], self.graph.multiply(one, two), |a, b, _| a.wrapping_mul(b)),
            3 => ("multiply_high", [one, two, one], self.graph.multiply_high(one, two), |a, b, _| {
                ((u128::from(a) * u128::from(b)) >> 64) as u64
            }),
            4 => ("and", [one, two, one], self.graph.and(one, two), |a, b, _| a & b),
            5 => ("or", [one, two, one], self.graph.or(one, two), |a, b, _| a | b),
            6 => ("xor", [one, two, one], self.graph.xor(one, two), |a, b, _| a ^ b),
            7 | 8 => {
                let amount = self.graph.low(two, 6);
                match kind {
                    7 => ("shift_left", [one, amount, one], self.graph.shift_left(one, amount), |a, b, _| a << b),
                    _ => ("shift_right", [one, amount, one], self.graph.shift_right(one, amount), |a, b, _| a >> b),
                }
            }
            9 => ("equal", [one, two, one], self.graph.equal(one, two), |a, b, _| u64::from(a == b)),
            10 => ("less", [one, two, one], self.graph.less(one, two), |a, b, _| u64::from(a < b)),
            11 => ("parity", [one, one, one], self.graph.parity(one), |a, _, _| u64::from(a.count_ones() % 2)),
            12 => {
                let bits = 1 + self.below(64) as u32;
                let mask = self.graph.constant(ones(bits));
                ("low", [one, mask, one], self.graph.low(one, bits), |a, mask, _| a & mask)
            }
            13 => {
                let one = bit(self, one);
                ("not", [one, one, one], self.graph.not(one), |a, _, _| 1 - a)
            }
            _ => {
                let (test, then, otherwise) = (bit(self, one), two, self.operand());
                let made = self.graph.select(test, then, otherwise);
                ("select", [test, then, otherwise], made, |test, a, b| if test == 1 { a } else { b })
            }
        };
        self.check(name, operands, made, expected);
    }
}

#[test]
fn what_is_folded_has_the_same_value() {
    for seed in 0..GRAPHS {
        let mut bench =
            Bench { graph: Graph::default(), random: seed, inputs: Vec::new(), values: Vec::new(), known: Vec::new() };
        for (word, bits) in WIDTHS.into_iter().enumerate() {
            let row = std::array::from_fn(|_| bench.number(bits));
            bench.inputs.push(row);
            let input = bench.graph.input(word as u32, bits);
            bench.known.push(input);
        }
        (0..OPERATIONS).for_each(|_| bench.operate());
    }
}
