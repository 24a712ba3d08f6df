// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random statements: reads between assignments, conditions in conditions, parts of signals. The engine is compared with
//! passes over the statements, as `rust-hdl` makes them until nothing changes any more.

use crate::expressions::Random;
use crate::expressions::values::Statements;
use tidegate::engine::Program;
use tidegate::netlist::Netlist;
use tidegate_hdl::prelude::*;
use tidegate_hdl::rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression as Tree,
    VerilogLiteral, VerilogMatch, VerilogOp, VerilogStatement as Statement,
};
use tidegate_testing::simulators::Design;

/// Inputs, outputs and locals of 8 bits, three of each.
#[derive(LogicBlock, Default)]
struct Circuit {
    a: [Signal<In, Bits<8>>; 3],
    x: [Signal<Out, Bits<8>>; 3],
    t: [Signal<Local, Bits<8>>; 3],
    statements: Statements,
}

impl Logic for Circuit {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self.statements.0.clone())
    }
}

/// Programs, and how deep conditions stand in each other.
const PROGRAMS: u64 = 600;
const DEPTH: usize = 3;
/// Rows of inputs of each.
const ROWS: usize = 12;
/// One in so many also runs in Verilator and Icarus.
const OUTSIDE: u64 = 100;

fn literal(value: usize) -> Tree {
    Tree::Literal(VerilogLiteral::from(value))
}

fn signal(random: &mut Random, names: &[&str]) -> Tree {
    Tree::Signal(format!("{}[{}]", names[random.below(names.len())], random.below(3)))
}

fn slice(value: Tree, low: usize, bits: usize) -> Tree {
    Tree::Slice(Box::new(value), bits, Box::new(literal(low)))
}

/// An expression of 8 bits.
fn expression(random: &mut Random, depth: usize) -> Tree {
    let any = |random: &mut Random| signal(random, &["a", "x", "t", "t"]);
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 | 1 => any(random),
        2 => {
            let (low, bits) = (random.below(6), 1 + random.below(2));
            Tree::Cast(Box::new(slice(any(random), low, bits)), 8)
        }
        3 => Tree::Cast(Box::new(literal(random.below(256))), 8),
        _ => {
            let operator = if random.below(2) == 0 { VerilogOp::Add } else { VerilogOp::BitXor };
            let sides = [(); 2].map(|()| Box::new(Tree::Paren(Box::new(expression(random, depth - 1)))));
            let [left, right] = sides;
            Tree::Binary(left, operator, right)
        }
    }
}

fn test(random: &mut Random) -> Tree {
    let value = expression(random, 1);
    match random.below(2) {
        0 => Tree::Index(Box::new(Tree::Paren(Box::new(value))), Box::new(literal(random.below(8)))),
        _ => Tree::Binary(Box::new(Tree::Paren(Box::new(value))), VerilogOp::Gt, Box::new(literal(100))),
    }
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let target = |random: &mut Random| signal(random, &["x", "t", "t"]);
    match random.below(if depth == 0 { 7 } else { 11 }) {
        0..=3 => Statement::Assignment(target(random), expression(random, 2)),
        4 | 5 => {
            let (offset, width) = (random.below(6), 1 + random.below(2));
            let value = expression(random, 1);
            Statement::SliceAssignment {
                base: target(random),
                width,
                offset: literal(offset),
                replacement: slice(Tree::Paren(Box::new(value)), 0, width),
            }
        }
        6 => {
            let changed = target(random);
            let bit = Tree::Index(Box::new(signal(random, &["a", "t"])), Box::new(literal(random.below(8))));
            let replaced =
                Tree::IndexReplace(Box::new(changed.clone()), Box::new(literal(random.below(8))), Box::new(bit));
            Statement::Assignment(changed, replaced)
        }
        7..=9 => {
            let otherwise = match random.below(3) {
                0 => VerilogBlockOrConditional::None,
                1 => VerilogBlockOrConditional::Block(block(random, depth - 1)),
                _ => VerilogBlockOrConditional::Conditional(Box::new(Statement::If(VerilogConditional {
                    test: test(random),
                    then: block(random, depth - 1),
                    otherwise: VerilogBlockOrConditional::None,
                }))),
            };
            Statement::If(VerilogConditional { test: test(random), then: block(random, depth - 1), otherwise })
        }
        _ => {
            let case = |condition: &str, random: &mut Random| VerilogCase {
                condition: condition.to_string(),
                block: block(random, depth - 1),
            };
            let cases = vec![case("0", random), case("0b10", random), case("default", random)];
            let looks_at = slice(signal(random, &["a", "x", "t"]), random.below(6), 2);
            Statement::Match(VerilogMatch { test: looks_at, cases })
        }
    }
}

fn block(random: &mut Random, depth: usize) -> VerilogBlock {
    (0..1 + random.below(3)).map(|_| statement(random, depth)).collect()
}

/// All signals: inputs, outputs, locals.
type Values = [[u64; 3]; 3];

fn place(name: &str) -> (usize, usize) {
    let kind = ["a", "x", "t"].iter().position(|kind| name.starts_with(kind)).unwrap();
    (kind, name[2..3].parse().unwrap())
}

fn number(literal: &VerilogLiteral) -> u64 {
    literal.as_usize() as u64
}

fn value(tree: &Tree, values: &Values) -> u64 {
    let of = |tree: &Tree| value(tree, values);
    match tree {
        Tree::Literal(literal) => number(literal),
        Tree::Signal(name) => {
            let (kind, index) = place(name);
            values[kind][index]
        }
        Tree::Paren(inner) => of(inner),
        Tree::Cast(inner, bits) => of(inner) & ((1 << bits) - 1),
        Tree::Slice(inner, bits, low) => of(inner) >> of(low) & ((1 << bits) - 1),
        Tree::Index(inner, index) => of(inner) >> of(index) & 1,
        Tree::IndexReplace(inner, index, bit) => of(inner) & !(1 << of(index)) | of(bit) << of(index),
        Tree::Binary(left, VerilogOp::Add, right) => (of(left) + of(right)) & 255,
        Tree::Binary(left, VerilogOp::BitXor, right) => of(left) ^ of(right),
        Tree::Binary(left, VerilogOp::Gt, right) => (of(left) > of(right)).into(),
        _ => unreachable!("not made here"),
    }
}

/// One pass: what is assigned is read at once.
fn pass(block: &[Statement], values: &mut Values) {
    for statement in block {
        match statement {
            Statement::Assignment(Tree::Signal(name), tree) => {
                let (kind, index) = place(name);
                values[kind][index] = value(tree, values);
            }
            Statement::SliceAssignment { base: Tree::Signal(name), width, offset, replacement } => {
                let (kind, index) = place(name);
                let (low, part) = (value(offset, values), value(replacement, values));
                let mask = ((1 << width) - 1) << low;
                values[kind][index] = values[kind][index] & !mask | part << low;
            }
            Statement::If(conditional) => match (value(&conditional.test, values), &conditional.otherwise) {
                (0, VerilogBlockOrConditional::Block(block)) => pass(block, values),
                (0, VerilogBlockOrConditional::Conditional(next)) => pass(std::slice::from_ref(next), values),
                (0, VerilogBlockOrConditional::None) => {}
                _ => pass(&conditional.then, values),
            },
            Statement::Match(choice) => {
                let looked_at = value(&choice.test, values);
                let case = if looked_at == 0 {
                    0
                } else if looked_at == 2 {
                    1
                } else {
                    2
                };
                pass(&choice.cases[case].block, values);
            }
            _ => unreachable!("not made here"),
        }
    }
}

/// The outputs after so many passes that nothing changes any more, from any values before; `None` if it never ends.
fn settled(block: &[Statement], inputs: [u64; 3], before: [u64; 3]) -> Option<[u64; 3]> {
    let mut values = [inputs, before, before];
    for _ in 0..60 {
        let last = values;
        pass(block, &mut values);
        if values == last {
            return Some(values[1]);
        }
    }
    None
}

#[test]
fn random_statements_agree() {
    let (mut run, mut looped, mut latched) = (0u64, 0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Random(seed);
        // Most signals have a value in every case, most of them above all other statements.
        let mut all: VerilogBlock = (0..2 + random.below(7)).map(|_| statement(&mut random, DEPTH)).collect();
        for name in ["x[0]", "x[1]", "x[2]", "t[0]", "t[1]", "t[2]"] {
            let at = if random.below(6) == 0 { random.below(all.len()) } else { 0 };
            let default = Statement::Assignment(Tree::Signal(name.to_string()), signal(&mut random, &["a"]));
            if !name.starts_with('t') || random.below(8) > 0 {
                all.insert(at, default);
            }
        }
        let mut circuit = Circuit { statements: Statements(all.clone()), ..Circuit::default() };
        circuit.connect_all();
        let netlist = match Netlist::of(&circuit, "statements", None) {
            Ok(netlist) => netlist,
            Err(error) if error.reason.contains("loop") => {
                looped += 1;
                continue;
            }
            Err(error) if error.reason.contains("in every case") || error.reason.contains("driven by nothing") => {
                latched += 1;
                continue;
            }
            Err(error) => panic!("program {seed}: {error}"),
        };
        let program = Program::compile(&netlist).unwrap();
        let (inputs, mut simulation) =
            ([0, 1, 2].map(|index| program.input(&format!("a_{index}")).unwrap()), program.start(1));
        let (mut rows, mut said) = (Vec::new(), Vec::new());
        for _ in 0..ROWS {
            let row = [(); 3].map(|()| random.bits(8));
            inputs.iter().zip(row).for_each(|(&input, value)| simulation.set(input, value));
            simulation.settle();
            for before in [[0; 3], [(); 3].map(|()| random.bits(8))] {
                let expected = settled(&all, row, before);
                let found = simulation.get_all();
                assert_eq!(Some(found), expected.as_ref().map(|words| &words[..]), "program {seed}: {row:?}\n{all:#?}");
            }
            rows.push(row.to_vec());
            said.push(simulation.get_all().to_vec());
        }
        run += 1;
        if run.is_multiple_of(OUTSIDE) {
            let design = Design::of(&netlist);
            design.outside(&rows, &said, ROWS);
        }
    }
    println!("{run} programs run, {looped} are loops, {latched} keep a value");
    assert!(run > PROGRAMS / 5, "only {run} of {PROGRAMS} programs are circuits");
}
