// SPDX-License-Identifier: MIT OR Apache-2.0
//! The logic of a circuit as a graph of 64-bit operations. Equal operations exist once, and operations on constants are
//! computed when they are added.

use std::collections::HashMap;

/// Index of an operation.
pub type Id = u32;

/// An operation on 64-bit words. Its result wraps at 64 bits; bits above [`Graph::bits`] are zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number.
    Constant(u64),
    /// A word of the inputs.
    Input(u32),
    /// A word of the registers, before the clock edge.
    State(u32),
    /// A word that another region has computed.
    Wire(u32),
    /// A word of a memory, before the clock edge: first word of the memory, address.
    Fetch(u32, Id),
    /// Sum.
    Add(Id, Id),
    /// Difference.
    Subtract(Id, Id),
    /// The low 64 bits of a product.
    Multiply(Id, Id),
    /// The high 64 bits of a product.
    MultiplyHigh(Id, Id),
    /// Bit by bit.
    And(Id, Id),
    /// Bit by bit.
    Or(Id, Id),
    /// Bit by bit.
    Xor(Id, Id),
    /// By less than 64 bits.
    ShiftLeft(Id, Id),
    /// By less than 64 bits.
    ShiftRight(Id, Id),
    /// One bit.
    Equal(Id, Id),
    /// One bit.
    NotEqual(Id, Id),
    /// One bit; unsigned.
    Less(Id, Id),
    /// Whether the number of ones is odd: one bit.
    Parity(Id),
    /// The second where the first, one bit, is 1, else the third.
    Select(Id, Id, Id),
}

impl Node {
    /// The operands.
    pub fn operands(&self) -> impl Iterator<Item = Id> {
        use Node::*;
        let operands = match *self {
            Constant(_) | Input(_) | State(_) | Wire(_) => [None; 3],
            Fetch(_, one) | Parity(one) => [Some(one), None, None],
            Add(one, two)
            | Subtract(one, two)
            | Multiply(one, two)
            | MultiplyHigh(one, two)
            | And(one, two)
            | Or(one, two)
            | Xor(one, two)
            | ShiftLeft(one, two)
            | ShiftRight(one, two)
            | Equal(one, two)
            | NotEqual(one, two)
            | Less(one, two) => [Some(one), Some(two), None],
            Select(one, two, three) => [Some(one), Some(two), Some(three)],
        };
        operands.into_iter().flatten()
    }

    /// Whether it computes nothing: a number, or a word that stands in memory.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Node::Constant(_) | Node::Input(_) | Node::State(_) | Node::Wire(_))
    }

    /// The same operation on other operands.
    pub fn with_operands(self, of: impl Fn(Id) -> Id) -> Node {
        use Node::*;
        match self {
            Constant(_) | Input(_) | State(_) | Wire(_) => self,
            Fetch(base, one) => Fetch(base, of(one)),
            Parity(one) => Parity(of(one)),
            Add(one, two) => Add(of(one), of(two)),
            Subtract(one, two) => Subtract(of(one), of(two)),
            Multiply(one, two) => Multiply(of(one), of(two)),
            MultiplyHigh(one, two) => MultiplyHigh(of(one), of(two)),
            And(one, two) => And(of(one), of(two)),
            Or(one, two) => Or(of(one), of(two)),
            Xor(one, two) => Xor(of(one), of(two)),
            ShiftLeft(one, two) => ShiftLeft(of(one), of(two)),
            ShiftRight(one, two) => ShiftRight(of(one), of(two)),
            Equal(one, two) => Equal(of(one), of(two)),
            NotEqual(one, two) => NotEqual(of(one), of(two)),
            Less(one, two) => Less(of(one), of(two)),
            Select(one, two, three) => Select(of(one), of(two), of(three)),
        }
    }

    /// The value of an operation, from those of its operands; `load` gives the words that stand in memory.
    pub fn value(self, of: impl Fn(Id) -> u64, load: impl Fn(Node) -> u64) -> u64 {
        match self {
            Node::Constant(value) => value,
            Node::Input(_) | Node::State(_) | Node::Wire(_) | Node::Fetch(..) => load(self),
            Node::Add(one, two) => of(one).wrapping_add(of(two)),
            Node::Subtract(one, two) => of(one).wrapping_sub(of(two)),
            Node::Multiply(one, two) => of(one).wrapping_mul(of(two)),
            Node::MultiplyHigh(one, two) => ((u128::from(of(one)) * u128::from(of(two))) >> 64) as u64,
            Node::And(one, two) => of(one) & of(two),
            Node::Or(one, two) => of(one) | of(two),
            Node::Xor(one, two) => of(one) ^ of(two),
            Node::ShiftLeft(one, two) => of(one) << of(two),
            Node::ShiftRight(one, two) => of(one) >> of(two),
            Node::Equal(one, two) => u64::from(of(one) == of(two)),
            Node::NotEqual(one, two) => u64::from(of(one) != of(two)),
            Node::Less(one, two) => u64::from(of(one) < of(two)),
            Node::Parity(one) => u64::from(of(one).count_ones() % 2),
            Node::Select(test, then, otherwise) => {
                if of(test) == 1 {
                    of(then)
                } else {
                    of(otherwise)
                }
            }
        }
    }
}

/// Operations; the operands of each come before it.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// For each, the number of low bits that may be other than zero.
    bits: Vec<u32>,
    known: HashMap<Node, Id>,
}

/// A word with this number of low bits set.
pub fn ones(bits: u32) -> u64 {
    match bits {
        0 => 0,
        bits => u64::MAX >> (64 - bits.min(64)),
    }
}

fn length(value: u64) -> u32 {
    64 - value.leading_zeros()
}

impl Graph {
    /// An operation.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id as usize]
    }

    /// The value that a choice takes on a side of its branch: 0 where the test is 1.
    pub fn chosen(&self, choice: Id, side: usize) -> Id {
        match self.node(choice) {
            Node::Select(_, then, otherwise) => [then, otherwise][side],
            _ => unreachable!("a choice"),
        }
    }

    /// Number of operations.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of low bits of a result that may be other than zero.
    pub fn bits(&self, id: Id) -> u32 {
        self.bits[id as usize]
    }

    /// The number, if the operation is one.
    pub fn number(&self, id: Id) -> Option<u64> {
        match self.node(id) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn insert(&mut self, node: Node, bits: u32) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = self.push(node, bits);
        self.known.insert(node, id);
        id
    }

    /// An operation as it is, of `bits` bits.
    pub fn push(&mut self, node: Node, bits: u32) -> Id {
        let id = self.nodes.len() as Id;
        self.nodes.push(node);
        self.bits.push(bits);
        id
    }

    /// A number.
    pub fn constant(&mut self, value: u64) -> Id {
        self.insert(Node::Constant(value), length(value))
    }

    /// A word of the inputs, of `bits` bits.
    pub fn input(&mut self, word: u32, bits: u32) -> Id {
        self.insert(Node::Input(word), bits)
    }

    /// A word of the registers, of `bits` bits.
    pub fn state(&mut self, word: u32, bits: u32) -> Id {
        self.insert(Node::State(word), bits)
    }

    /// The word at an address of a memory that starts at word `base`, of `bits` bits.
    pub fn fetch(&mut self, base: u32, address: Id, bits: u32) -> Id {
        self.insert(Node::Fetch(base, address), bits)
    }

    /// Operands of a commutative operation: a constant second, otherwise the older one first.
    fn ordered(&self, left: Id, right: Id) -> (Id, Id) {
        match (self.number(left), self.number(right)) {
            (Some(_), None) => (right, left),
            (None, Some(_)) => (left, right),
            _ => (left.min(right), left.max(right)),
        }
    }

    /// Sum, wraps at 64 bits.
    pub fn add(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(left.wrapping_add(right)),
            (_, Some(0)) => return left,
            _ => {}
        }
        let bits = (self.bits(left).max(self.bits(right)) + 1).min(64);
        self.insert(Node::Add(left, right), bits)
    }

    /// Difference, wraps at 64 bits.
    pub fn subtract(&mut self, left: Id, right: Id) -> Id {
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(left.wrapping_sub(right)),
            (_, Some(0)) => return left,
            (_, Some(right)) => {
                let negative = self.constant(right.wrapping_neg());
                return self.insert(Node::Add(left, negative), 64);
            }
            _ if left == right => return self.constant(0),
            _ => {}
        }
        self.insert(Node::Subtract(left, right), 64)
    }

    /// The low 64 bits of a product.
    pub fn multiply(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(left.wrapping_mul(right)),
            (_, Some(0)) => return right,
            (_, Some(1)) => return left,
            (_, Some(power)) if power.is_power_of_two() => {
                let amount = self.constant(u64::from(power.trailing_zeros()));
                return self.shift_left(left, amount);
            }
            _ => {}
        }
        let bits = (self.bits(left) + self.bits(right)).min(64);
        self.insert(Node::Multiply(left, right), bits)
    }

    /// The high 64 bits of a product.
    pub fn multiply_high(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        let bits = (self.bits(left) + self.bits(right)).saturating_sub(64);
        if bits == 0 {
            return self.constant(0);
        }
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => self.constant(((u128::from(left) * u128::from(right)) >> 64) as u64),
            _ => self.insert(Node::MultiplyHigh(left, right), bits),
        }
    }

    /// Bit by bit.
    pub fn and(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        if left == right {
            return left;
        }
        let bits = self.bits(left).min(self.bits(right));
        let Some(mask) = self.number(right) else {
            return self.insert(Node::And(left, right), bits);
        };
        if let Some(value) = self.number(left) {
            return self.constant(value & mask);
        }
        if mask == 0 {
            return right;
        }
        let width = self.bits(left);
        if mask & ones(width) == ones(width) {
            return left;
        }
        if mask & ones(width) != mask {
            let mask = self.constant(mask & ones(width));
            return self.and(left, mask);
        }
        match self.node(left) {
            Node::And(inner, other) if self.number(other).is_some() => {
                let other = self.number(other).expect("it is a number");
                let mask = self.constant(mask & other);
                self.and(inner, mask)
            }
            // The low bits of a sum depend on the low bits of its operands only.
            Node::Add(one, two) | Node::Subtract(one, two) | Node::Multiply(one, two)
                if mask & mask.wrapping_add(1) == 0 && (self.is_cut(one, mask) || self.is_cut(two, mask)) =>
            {
                let (first, second) = (self.uncut(one, mask), self.uncut(two, mask));
                let again = match self.node(left) {
                    Node::Add(..) => self.add(first, second),
                    Node::Subtract(..) => self.subtract(first, second),
                    _ => self.multiply(first, second),
                };
                let mask = self.constant(mask);
                self.and(again, mask)
            }
            _ => {
                let mask = self.constant(mask);
                self.insert(Node::And(left, mask), bits)
            }
        }
    }

    /// Whether an operation only clears bits above a mask of low bits.
    fn is_cut(&self, id: Id, mask: u64) -> bool {
        matches!(self.node(id), Node::And(_, cut) if self.number(cut).is_some_and(|cut| cut & mask == mask && cut & (cut.wrapping_add(1)) == 0))
    }

    fn uncut(&self, id: Id, mask: u64) -> Id {
        match self.node(id) {
            Node::And(inner, _) if self.is_cut(id, mask) => inner,
            _ => id,
        }
    }

    /// The low bits of a word.
    pub fn low(&mut self, value: Id, bits: u32) -> Id {
        let mask = self.constant(ones(bits));
        self.and(value, mask)
    }

    /// Bit by bit.
    pub fn or(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        if left == right {
            return left;
        }
        let bits = self.bits(left).max(self.bits(right));
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(left | right),
            (_, Some(0)) => return left,
            (_, Some(value)) if value & ones(bits) == ones(bits) => return right,
            _ => {}
        }
        self.insert(Node::Or(left, right), bits)
    }

    /// Bit by bit.
    pub fn xor(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(left ^ right),
            (_, Some(0)) => return left,
            (_, Some(mask)) => match self.node(left) {
                Node::Xor(inner, other) if self.number(other).is_some() => {
                    let other = self.number(other).expect("it is a number");
                    let mask = self.constant(mask ^ other);
                    return self.xor(inner, mask);
                }
                Node::Equal(one, two) if mask == 1 => return self.insert(Node::NotEqual(one, two), 1),
                Node::NotEqual(one, two) if mask == 1 => return self.insert(Node::Equal(one, two), 1),
                _ => {}
            },
            _ if left == right => return self.constant(0),
            _ => {}
        }
        let bits = self.bits(left).max(self.bits(right));
        self.insert(Node::Xor(left, right), bits)
    }

    /// The inverse of one bit.
    pub fn not(&mut self, bit: Id) -> Id {
        let one = self.constant(1);
        self.xor(bit, one)
    }

    /// By less than 64 bits.
    pub fn shift_left(&mut self, value: Id, amount: Id) -> Id {
        let Some(by) = self.number(amount) else {
            if self.number(value) == Some(0) {
                return value;
            }
            return self.insert(Node::ShiftLeft(value, amount), 64);
        };
        debug_assert!(by < 64);
        match self.node(value) {
            _ if by == 0 => return value,
            Node::Constant(value) => return self.constant(value << by),
            Node::ShiftLeft(inner, other) => {
                if let Some(other) = self.number(other).filter(|other| other + by < 64) {
                    let amount = self.constant(other + by);
                    return self.shift_left(inner, amount);
                }
            }
            _ => {}
        }
        let bits = (self.bits(value) + by as u32).min(64);
        self.insert(Node::ShiftLeft(value, amount), bits)
    }

    /// By less than 64 bits.
    pub fn shift_right(&mut self, value: Id, amount: Id) -> Id {
        let bits = self.bits(value);
        let Some(by) = self.number(amount) else {
            if self.number(value) == Some(0) {
                return value;
            }
            return self.insert(Node::ShiftRight(value, amount), bits);
        };
        debug_assert!(by < 64);
        match self.node(value) {
            _ if by == 0 => return value,
            _ if by >= u64::from(bits) => return self.constant(0),
            Node::Constant(value) => return self.constant(value >> by),
            Node::ShiftRight(inner, other) => {
                if let Some(other) = self.number(other).filter(|other| other + by < 64) {
                    let amount = self.constant(other + by);
                    return self.shift_right(inner, amount);
                }
            }
            Node::ShiftLeft(inner, other) => {
                if let Some(other) = self.number(other).filter(|&other| self.bits(inner) + (other as u32) <= 64) {
                    let amount = self.constant(by.abs_diff(other));
                    return match other >= by {
                        true => self.shift_left(inner, amount),
                        false => self.shift_right(inner, amount),
                    };
                }
            }
            // One of two joined values alone.
            Node::Or(one, two) => {
                let (high, low) = (self.shift_right(one, amount), self.shift_right(two, amount));
                if self.number(high) == Some(0) || self.number(low) == Some(0) {
                    return self.or(high, low);
                }
            }
            _ => {}
        }
        self.insert(Node::ShiftRight(value, amount), bits - by as u32)
    }

    /// One bit.
    pub fn equal(&mut self, left: Id, right: Id) -> Id {
        let (left, right) = self.ordered(left, right);
        if left == right {
            return self.constant(1);
        }
        if let Some(value) = self.number(right) {
            if self.number(left).is_some() || value & !ones(self.bits(left)) != 0 {
                return self.constant(0);
            }
            match (self.bits(left), value) {
                (1, 1) => return left,
                (1, _) => return self.not(left),
                _ => {}
            }
        }
        self.insert(Node::Equal(left, right), 1)
    }

    /// One bit.
    pub fn not_equal(&mut self, left: Id, right: Id) -> Id {
        let equal = self.equal(left, right);
        self.not(equal)
    }

    /// One bit; unsigned.
    pub fn less(&mut self, left: Id, right: Id) -> Id {
        if left == right {
            return self.constant(0);
        }
        match (self.number(left), self.number(right)) {
            (Some(left), Some(right)) => return self.constant(u64::from(left < right)),
            (_, Some(0)) => return self.constant(0),
            (_, Some(1)) => {
                let zero = self.constant(0);
                return self.equal(left, zero);
            }
            (_, Some(right)) if ones(self.bits(left)) < right => return self.constant(1),
            (Some(0), _) => return self.not_equal(left, right),
            _ => {}
        }
        self.insert(Node::Less(left, right), 1)
    }

    /// Whether the number of ones is odd: one bit.
    pub fn parity(&mut self, value: Id) -> Id {
        match self.number(value) {
            Some(value) => self.constant(u64::from(value.count_ones() % 2)),
            None if self.bits(value) == 1 => value,
            None => self.insert(Node::Parity(value), 1),
        }
    }

    /// `then` where one bit is 1, else `otherwise`.
    pub fn select(&mut self, test: Id, then: Id, otherwise: Id) -> Id {
        debug_assert!(self.bits(test) <= 1);
        match self.number(test) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None if then == otherwise => return then,
            None => {}
        }
        if let Node::Xor(inner, _) = self.node(test)
            && self.bits(inner) == 1
            && self.not(inner) == test
        {
            return self.select(inner, otherwise, then);
        }
        // The same test again inside.
        let then = match self.node(then) {
            Node::Select(again, then, _) if again == test => then,
            _ => then,
        };
        let otherwise = match self.node(otherwise) {
            Node::Select(again, _, otherwise) if again == test => otherwise,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        let bits = self.bits(then).max(self.bits(otherwise));
        if bits <= 1 {
            match (self.number(then), self.number(otherwise)) {
                (Some(1), Some(0)) => return test,
                (Some(0), Some(1)) => return self.not(test),
                (Some(1), None) => return self.or(test, otherwise),
                (None, Some(0)) => return self.and(test, then),
                (Some(0), None) => {
                    let test = self.not(test);
                    return self.and(test, otherwise);
                }
                (None, Some(1)) => {
                    let test = self.not(test);
                    return self.or(test, then);
                }
                _ => {}
            }
        }
        self.insert(Node::Select(test, then, otherwise), bits)
    }
}
