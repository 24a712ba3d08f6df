// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random expressions over the widths of the palette: the tree of `rust-hdl` in netlist, Verilog and simulators,
//! compared with the arithmetic of `rust-hdl` node by node.

use crate::expressions::Random;
use crate::expressions::values::{Anything, Operator, Reduction, Value, WIDTHS};
use tidegate::netlist::Netlist;
use tidegate_hdl::rust_hdl::core::ast::{
    VerilogExpression as Tree, VerilogLiteral, VerilogOp, VerilogOpUnary, VerilogStatement as Statement,
};
use tidegate_testing::simulators::Design;

/// Inputs of each width.
const INPUTS: usize = 3;
/// Expressions of each width in one module.
const OUTPUTS: usize = 12;
/// Modules.
const MODULES: u64 = 3;
/// Most operators from an output to an input.
const DEPTH: usize = 5;
/// Rows of inputs.
const ROWS: usize = 1_500;
/// Rows for Icarus.
const ICARUS_ROWS: usize = 300;

/// A random expression.
enum Node {
    Input(usize, usize),
    Literal(u64, usize),
    Binary(Operator, Box<Node>, Box<Node>),
    PlusBit(Box<Node>, Box<Node>),
    Product(Box<Node>, Box<Node>),
    Inverse(Box<Node>),
    Joined { high: Box<Node>, low: Box<Node>, place: usize },
    Rotated { value: Box<Node>, amount: u64 },
    Shift { left: bool, value: Box<Node>, amount: u64 },
    ShiftBy { left: bool, value: Box<Node>, amount: Box<Node> },
    Reduced(Reduction, Box<Node>),
    Bit(Box<Node>, usize),
    Bits(Box<Node>, usize, usize),
    Cast(Box<Node>, usize),
}

const ARITHMETIC: [Operator; 5] = [Operator::Add, Operator::Subtract, Operator::And, Operator::Or, Operator::Xor];
const COMPARISONS: [Operator; 6] = [
    Operator::Equal,
    Operator::NotEqual,
    Operator::Less,
    Operator::LessOrEqual,
    Operator::Greater,
    Operator::GreaterOrEqual,
];
const REDUCTIONS: [Reduction; 3] = [Reduction::All, Reduction::Any, Reduction::Parity];

fn any<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len())]
}

fn ones(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}

/// A number of a width, often one at an edge.
fn number(random: &mut Random, width: usize) -> u64 {
    let ones = ones(width);
    match random.below(8) {
        0 => 0,
        1 => 1,
        2 => ones,
        3 => ones - 1,
        4 => 1 << (width - 1),
        5 => (1 << (width - 1)) - 1,
        _ => random.bits(width),
    }
}

impl Node {
    /// An expression of a width, `depth` operators deep at most.
    fn random(random: &mut Random, width: usize, depth: usize) -> Node {
        if depth == 0 {
            return Node::Input(width, random.below(INPUTS));
        }
        let of = |random: &mut Random, width| Box::new(Node::random(random, width, depth - 1));
        match random.below(if width == 1 { 16 } else { 12 }) {
            0 => Node::Input(width, random.below(INPUTS)),
            1..=3 => {
                let operator = any(random, &ARITHMETIC);
                let (left, right) = Node::sides(random, width, depth - 1);
                Node::Binary(operator, left, right)
            }
            4 => Node::PlusBit(of(random, width), of(random, 1)),
            5 => match random.below(3) {
                0 => Node::joined(random, width, depth - 1),
                1 => {
                    let (value, amount) = (Box::new(Node::Input(width, random.below(INPUTS))), random.below(width));
                    Node::Rotated { value, amount: amount as u64 }
                }
                _ => Node::Inverse(of(random, width)),
            },
            6 => {
                let (left, amount) = (random.below(2) == 0, random.below(width + 2) as u64);
                Node::Shift { left, value: of(random, width), amount }
            }
            7 => {
                let amount = any(random, &[1, 2, 7, 8]);
                Node::ShiftBy { left: random.below(2) == 0, value: of(random, width), amount: of(random, amount) }
            }
            8 | 9 => {
                let from = any(random, WIDTHS);
                Node::Cast(of(random, from), width)
            }
            10 if width == 32 => Node::Product(of(random, 16), of(random, 16)),
            10 | 11 => {
                let from = any(random, WIDTHS);
                Node::Bits(of(random, from), random.below(from + 1), width)
            }
            12 | 13 => {
                let operator = any(random, &COMPARISONS);
                let width = any(random, WIDTHS);
                let (left, right) = Node::sides(random, width, depth - 1);
                // No comparison with "less than 0": Verilator warns about it.
                let edge = |side: &Node| matches!(side, Node::Literal(value, _) if [0, ones(width)].contains(value));
                let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
                let operator = if !equality && (edge(&left) || edge(&right)) { Operator::Equal } else { operator };
                Node::Binary(operator, left, right)
            }
            14 => {
                let from = any(random, WIDTHS);
                Node::Reduced(any(random, &REDUCTIONS), of(random, from))
            }
            _ => {
                let from = any(random, WIDTHS);
                Node::Bit(of(random, from), random.below(from))
            }
        }
    }

    /// `(high << place) | low`, with or without common bits, and with or without lost bits of `high`.
    fn joined(random: &mut Random, width: usize, depth: usize) -> Node {
        let narrow: Vec<usize> = WIDTHS.iter().copied().filter(|narrow| *narrow <= width).collect();
        let (above, below) = (any(random, &narrow), any(random, &narrow));
        let side = |random: &mut Random, bits| {
            let depth = random.below(depth + 1);
            Box::new(Node::Cast(Box::new(Node::random(random, bits, depth)), width))
        };
        let (high, low) = (side(random, above), side(random, below));
        let place = if random.below(3) == 0 { random.below(width) } else { below.min(width - 1) };
        Node::Joined { high, low, place }
    }

    /// Two sides of an operator, one of which may be a literal.
    fn sides(random: &mut Random, width: usize, depth: usize) -> (Box<Node>, Box<Node>) {
        let side = Box::new(Node::random(random, width, depth));
        let literal = |random: &mut Random| Box::new(Node::Literal(number(random, width), width));
        match random.below(6) {
            0 => (literal(random), side),
            1 => (side, literal(random)),
            _ => (side, Box::new(Node::random(random, width, depth))),
        }
    }

    /// The form in `rust-hdl`: its tree has only the parentheses of the source.
    fn tree(&self) -> Tree {
        let of = |node: &Node| Box::new(node.tree());
        let literal = |value: usize| Box::new(Tree::Literal(VerilogLiteral::from(value)));
        match self {
            Node::Input(width, index) => Tree::Signal(format!("in_{width}[{index}]")),
            Node::Literal(value, width) if value % 2 == 0 => {
                Tree::Cast(Box::new(Tree::Literal(VerilogLiteral::from(*value))), *width)
            }
            Node::Literal(value, _) => Tree::Literal(VerilogLiteral::from(*value)),
            Node::Binary(operator, left, right) => {
                let operator = match operator {
                    Operator::Add => VerilogOp::Add,
                    Operator::Subtract => VerilogOp::Sub,
                    Operator::And => VerilogOp::BitAnd,
                    Operator::Or => VerilogOp::BitOr,
                    Operator::Xor => VerilogOp::BitXor,
                    Operator::Equal => VerilogOp::Eq,
                    Operator::NotEqual => VerilogOp::Ne,
                    Operator::Less => VerilogOp::Lt,
                    Operator::LessOrEqual => VerilogOp::Le,
                    Operator::Greater => VerilogOp::Gt,
                    Operator::GreaterOrEqual => VerilogOp::Ge,
                };
                Tree::Binary(of(left), operator, of(right))
            }
            Node::PlusBit(left, right) => Tree::Binary(of(left), VerilogOp::Add, of(right)),
            Node::Product(left, right) => Tree::Binary(of(left), VerilogOp::Mul, of(right)),
            Node::Inverse(value) => Tree::Unary(VerilogOpUnary::Not, of(value)),
            Node::Joined { high, low, place } => {
                let high = Tree::Binary(of(high), VerilogOp::Shl, literal(*place));
                Tree::Binary(Box::new(high), VerilogOp::BitOr, of(low))
            }
            Node::Rotated { value, amount } => {
                let Node::Input(width, _) = **value else { unreachable!("an input is rotated") };
                let part = |left, amount| Box::new(Tree::Binary(of(value), shift(left), literal(amount)));
                let amount = *amount as usize;
                Tree::Binary(part(true, amount), VerilogOp::BitOr, part(false, width - amount))
            }
            Node::Shift { left, value, amount } => Tree::Binary(of(value), shift(*left), literal(*amount as usize)),
            Node::ShiftBy { left, value, amount } => Tree::Binary(of(value), shift(*left), of(amount)),
            Node::Reduced(reduction, value) => {
                let operator = match reduction {
                    Reduction::All => VerilogOpUnary::All,
                    Reduction::Any => VerilogOpUnary::Any,
                    Reduction::Parity => VerilogOpUnary::Xor,
                };
                Tree::Unary(operator, of(value))
            }
            Node::Bit(value, index) => Tree::Index(of(value), literal(*index)),
            Node::Bits(value, low, width) => Tree::Slice(of(value), *width, literal(*low)),
            Node::Cast(value, width) => Tree::Cast(of(value), *width),
        }
    }

    /// Its value in `rust-hdl`'s arithmetic; `inputs` in the order of [`WIDTHS`].
    fn value(&self, inputs: &[u64]) -> Value {
        match self {
            Node::Input(width, index) => {
                let place = WIDTHS.iter().position(|known| known == width).unwrap();
                Value::new(inputs[place * INPUTS + index], *width)
            }
            Node::Literal(value, width) => Value::new(*value, *width),
            Node::Binary(operator, left, right) => left.value(inputs).binary(*operator, right.value(inputs)),
            Node::PlusBit(left, right) => left.value(inputs).plus_bit(right.value(inputs)),
            Node::Product(left, right) => left.value(inputs).product(right.value(inputs)),
            Node::Inverse(value) => value.value(inputs).inverse(),
            Node::Joined { high, low, place } => {
                high.value(inputs).shifted(true, *place as u64).binary(Operator::Or, low.value(inputs))
            }
            Node::Rotated { value, amount } => {
                let Node::Input(width, _) = **value else { unreachable!("an input is rotated") };
                let value = value.value(inputs);
                value.shifted(true, *amount).binary(Operator::Or, value.shifted(false, width as u64 - amount))
            }
            Node::Shift { left, value, amount } => value.value(inputs).shifted(*left, *amount),
            Node::ShiftBy { left, value, amount } => value.value(inputs).shifted(*left, amount.value(inputs).number()),
            Node::Reduced(reduction, value) => value.value(inputs).reduced(*reduction),
            Node::Bit(value, index) => value.value(inputs).bit(*index),
            Node::Bits(value, low, width) => value.value(inputs).bits(*low, *width),
            Node::Cast(value, width) => value.value(inputs).cast(*width),
        }
    }
}

fn shift(left: bool) -> VerilogOp {
    if left { VerilogOp::Shl } else { VerilogOp::Shr }
}

#[test]
fn random_expressions_agree() {
    for seed in 0..MODULES {
        let mut random = Random(seed);
        let (mut nodes, mut statements) = (Vec::new(), Vec::new());
        for &width in WIDTHS {
            for index in 0..OUTPUTS {
                let node = Node::random(&mut random, width, DEPTH);
                statements.push(Statement::Assignment(Tree::Signal(format!("out_{width}[{index}]$next")), node.tree()));
                nodes.push(node);
            }
        }
        let circuit = Anything::new(INPUTS, OUTPUTS, statements);
        let name = format!("anything_{seed}");
        let design = Design::of(&Netlist::of(&circuit, &name, None).unwrap_or_else(|error| panic!("{error}")));
        assert_eq!(design.inputs.len(), WIDTHS.len() * INPUTS);
        assert_eq!(design.outputs.len(), nodes.len());
        let rows: Vec<Vec<u64>> =
            (0..ROWS).map(|_| design.inputs.iter().map(|&(_, width)| number(&mut random, width)).collect()).collect();
        let expected: Vec<Vec<u64>> =
            rows.iter().map(|row| nodes.iter().map(|node| node.value(row).number()).collect()).collect();
        design.compare(&rows, &expected, ICARUS_ROWS);
        // A random comparison may be constant. This is a property of the expression, not of its form.
        design.lint(&["UNSIGNED", "CMPCONST"]);
    }
}
