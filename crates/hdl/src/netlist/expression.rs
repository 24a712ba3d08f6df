// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions with their widths: the rules of `rust-hdl`'s `Bits`, `Signed` and `bool`.

use super::names::{Names, Part, Value};
use super::{Binary, Error, Expression, ExpressionKind, Shape, SignalId, Unary};
use num_bigint::{BigInt, BigUint};
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogLiteral, VerilogOp, VerilogOpUnary};
use std::cell::Cell;

/// Width of a literal on the left side of a shift: `rust-hdl` uses its own literal type for it.
const LITERAL_BITS: usize = 64;

/// Width of a whole number, what `index()` gives.
const INDEX_BITS: usize = 64;

/// Width of both sides of a product: `rust-hdl` has no other.
const FACTOR_BITS: usize = 16;

/// Most bits of a constant.
const PART_BITS: usize = 128;

impl Expression {
    /// A number that fits.
    pub fn constant(value: u128, shape: Shape) -> Self {
        Expression { kind: ExpressionKind::Constant(value & ones(shape.bits)), shape }
    }

    /// A number of any width that fits. Above 128 bits it is a concatenation.
    pub fn number(value: &BigUint, shape: Shape) -> Self {
        let words: Vec<u64> = value.iter_u64_digits().collect();
        let part = |low: usize| {
            let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
            word(low / 64) | word(low / 64 + 1) << 64
        };
        if shape.bits <= PART_BITS || words.len() <= 2 {
            return Expression::constant(part(0), shape);
        }
        let lows = (0..shape.bits).step_by(PART_BITS).rev();
        let parts = lows.map(|low| Expression::constant(part(low), Shape::unsigned(PART_BITS.min(shape.bits - low))));
        let joined = Expression { kind: ExpressionKind::Join(parts.collect()), shape: Shape::unsigned(shape.bits) };
        joined.reinterpret(shape.signed)
    }

    /// A signal.
    pub fn signal(id: SignalId, shape: Shape) -> Self {
        Expression { kind: ExpressionKind::Signal(id), shape }
    }

    /// The signal, if the expression is only a signal.
    pub fn as_signal(&self) -> Option<SignalId> {
        match self.kind {
            ExpressionKind::Signal(id) => Some(id),
            _ => None,
        }
    }

    /// Bits of a value from `low` up, with as few operators as possible.
    pub fn slice(self, low: usize, bits: usize) -> Self {
        debug_assert!(low + bits <= self.shape.bits);
        let shape = Shape::unsigned(bits);
        if bits == self.shape.bits {
            return self.reinterpret(false);
        }
        let narrow = |operand: Box<Expression>| Box::new(operand.slice(low, bits));
        match self.kind {
            ExpressionKind::Constant(value) => Expression::constant(value >> low, shape),
            ExpressionKind::Slice { value, low: below } => value.slice(below + low, bits),
            ExpressionKind::Reinterpret(value) => value.slice(low, bits),
            ExpressionKind::Extend(value) if low + bits <= value.shape.bits => value.slice(low, bits),
            ExpressionKind::Extend(value) if !value.shape.signed && low >= value.shape.bits => {
                Expression::constant(0, shape)
            }
            ExpressionKind::Extend(value) if !value.shape.signed => {
                let inner = value.shape.bits - low;
                value.slice(low, inner).extend(bits)
            }
            ExpressionKind::Unary(Unary::Not, value) => {
                Expression { kind: ExpressionKind::Unary(Unary::Not, narrow(value)), shape }
            }
            ExpressionKind::Binary(operator @ (Binary::And | Binary::Or | Binary::Xor), left, right) => {
                Expression { kind: ExpressionKind::Binary(operator, narrow(left), narrow(right)), shape }
            }
            // The low bits of a sum depend only on the low bits of the operands.
            ExpressionKind::Binary(operator @ (Binary::Add | Binary::Subtract), left, right) if low == 0 => {
                Expression { kind: ExpressionKind::Binary(operator, narrow(left), narrow(right)), shape }
            }
            _ => Expression { kind: ExpressionKind::Slice { value: Box::new(self), low }, shape },
        }
    }

    /// A value in more bits, with copies of its sign if it has one.
    pub fn extend(self, bits: usize) -> Self {
        let shape = Shape { bits, signed: self.shape.signed };
        if bits == self.shape.bits {
            return self;
        }
        match self.kind {
            ExpressionKind::Constant(value) if !shape.signed => Expression::constant(value, shape),
            ExpressionKind::Extend(value) if value.shape.signed == shape.signed => value.extend(bits),
            _ => Expression { kind: ExpressionKind::Extend(Box::new(self)), shape },
        }
    }

    /// A value extended or cut to a number of bits.
    pub fn resize(self, bits: usize) -> Self {
        if bits >= self.shape.bits {
            return self.extend(bits);
        }
        let signed = self.shape.signed;
        self.slice(0, bits).reinterpret(signed)
    }

    /// The same bits, read as signed or not.
    pub fn reinterpret(self, signed: bool) -> Self {
        if self.shape.signed == signed {
            return self;
        }
        let shape = Shape { bits: self.shape.bits, signed };
        match self.kind {
            ExpressionKind::Constant(value) => Expression::constant(value, shape),
            ExpressionKind::Reinterpret(value) => *value,
            _ => Expression { kind: ExpressionKind::Reinterpret(Box::new(self)), shape },
        }
    }

    /// Those bits of a value that are set in a mask.
    pub fn masked(self, mask: u128) -> Self {
        let mask = Expression::constant(mask, self.shape);
        Expression::binary(Binary::And, self, mask)
    }

    /// An operator on one value.
    pub fn unary(operator: Unary, value: Expression) -> Self {
        let shape = match operator {
            Unary::Not | Unary::Negate => value.shape,
            Unary::All | Unary::Any | Unary::Parity => Shape::unsigned(1),
        };
        Expression { kind: ExpressionKind::Unary(operator, Box::new(value)), shape }
    }

    /// An operator on two values.
    pub fn binary(operator: Binary, left: Expression, right: Expression) -> Self {
        let shape = if operator.compares() { Shape::unsigned(1) } else { left.shape };
        Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), shape }
    }
}

/// A number with this many low bits set.
pub(super) fn ones(bits: usize) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The value of a literal, whose number `rust-hdl` shows only as text, and whether it is `true` or `false`.
pub(super) fn number(literal: &VerilogLiteral) -> Result<(i128, bool), String> {
    let text = format!("{literal:x}");
    let (bits, digits) = text.split_once("'h").unwrap_or(("", &text));
    let number = i128::from_str_radix(digits, 16).map_err(|_| format!("the literal {text} has more than 127 bits"))?;
    Ok((number, bits == "1"))
}

/// Gives the expressions of one module their types.
pub(super) struct Typer<'a> {
    pub names: &'a Names,
    /// Variables of the loops around, innermost last.
    pub loops: Vec<(String, i128)>,
    /// The signal that is assigned, or the statement.
    pub about: String,
    /// The enumeration that a named value must belong to if several have its name.
    pub enumeration: Cell<Option<usize>>,
}

impl Typer<'_> {
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error { module: self.names.module.clone(), signal: self.about.clone(), reason: reason.into() }
    }

    /// The number that an expression is before it is given a width: literals, loop variables and what is made of them.
    pub fn known(&self, tree: &Tree) -> Result<Option<i128>, Error> {
        Ok(self.number(tree)?.map(|(number, _)| number))
    }

    /// The same, and whether it is a truth value.
    fn number(&self, tree: &Tree) -> Result<Option<(i128, bool)>, Error> {
        Ok(match tree {
            Tree::Literal(literal) => Some(number(literal).map_err(|reason| self.error(reason))?),
            Tree::Paren(inner) => self.number(inner)?,
            Tree::Signal(name) => {
                let variable = self.loops.iter().rev().find(|(variable, _)| variable == name);
                variable.map(|(_, value)| (*value, false))
            }
            Tree::Unary(VerilogOpUnary::Not, inner) => match self.number(inner)? {
                Some((value, true)) => Some((1 - value, true)),
                _ => None,
            },
            Tree::Unary(VerilogOpUnary::Neg, inner) => self.number(inner)?.map(|(value, _)| (-value, false)),
            Tree::Binary(left, operator, right) => match (self.number(left)?, self.number(right)?) {
                (Some((left, one)), Some((right, other))) => {
                    let both = one && other;
                    let value = operate(operator, left, right).ok_or_else(|| {
                        self.error(format!("{operator:?} of {left} and {right} is no number that a loop can have"))
                    })?;
                    let compares = !matches!(
                        operator,
                        VerilogOp::Add | VerilogOp::Sub | VerilogOp::Mul | VerilogOp::Shl | VerilogOp::Shr
                    );
                    let bitwise = matches!(operator, VerilogOp::BitAnd | VerilogOp::BitOr | VerilogOp::BitXor);
                    Some((value, if bitwise { both } else { compares }))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// A number as a value of some shape.
    fn fitted(&self, value: i128, shape: Shape) -> Result<Expression, Error> {
        if !fits(value, shape) {
            return Err(self.error(format!("the literal {value} does not fit into {shape}")));
        }
        if value >= 0 || shape.bits <= PART_BITS {
            return Ok(Expression::constant(value as u128, shape));
        }
        let wrapped = (BigInt::from(1u8) << shape.bits) + value;
        Ok(Expression::number(wrapped.magnitude(), shape))
    }

    /// An index or an offset that is a constant here.
    pub fn index(&self, tree: &Tree) -> Result<Option<usize>, Error> {
        match self.known(tree)? {
            Some(value) => Ok(Some(usize::try_from(value).map_err(|_| self.error(format!("index {value}")))?)),
            None => Ok(None),
        }
    }

    /// The signal or constant that an expression is, if it is only that.
    fn named(&self, tree: &Tree) -> Option<&Value> {
        match tree {
            Tree::Signal(name) => self.names.known(name, &self.loops),
            Tree::Paren(inner) => self.named(inner),
            _ => None,
        }
    }

    /// The field of a struct that an expression is.
    fn part(&self, tree: &Tree) -> Option<&Part> {
        match tree {
            Tree::Paren(inner) => self.part(inner),
            Tree::Slice(value, bits, low) => {
                let low = usize::try_from(self.known(low).ok()??).ok()?;
                self.named(value)?.fields.iter().find(|part| part.low == low && part.shape.bits == *bits)
            }
            _ => None,
        }
    }

    /// The enumeration of what an expression is.
    pub fn enumeration_of(&self, tree: &Tree) -> Option<usize> {
        let named = self.named(tree).and_then(|named| named.enumeration);
        named.or_else(|| self.part(tree).and_then(|part| part.enumeration))
    }

    /// The typed expression. `wanted` is the width of a literal or of a cast that has no width of its own.
    pub fn expression(&self, tree: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        if let Some((value, truth)) = self.number(tree)? {
            return match wanted {
                Some(shape) => self.fitted(value, shape),
                None if truth => Ok(Expression::constant(value as u128, Shape::unsigned(1))),
                None => Err(self.error(format!("nothing gives the literal {value} a width: write bits::<N>({value})"))),
            };
        }
        match tree {
            Tree::Literal(_) => unreachable!("a literal is known"),
            Tree::Signal(name) => {
                self.names.value(name, &self.loops, self.enumeration.get()).map_err(|reason| self.error(reason))
            }
            Tree::Paren(inner) => self.expression(inner, wanted),
            Tree::Cast(inner, bits) => {
                if let Some(value) = self.known(inner)? {
                    return self.fitted(value, Shape::unsigned(*bits));
                }
                let value = self.expression(inner, None)?;
                if value.shape.signed {
                    return Err(self.error("bit_cast of a signed value: use signed_bit_cast, or unsigned_cast before"));
                }
                if *bits == 0 {
                    return Err(self.error("a value of no bits"));
                }
                Ok(value.resize(*bits))
            }
            Tree::Signed(inner) => self.signed(inner, wanted),
            Tree::Unsigned(inner) => Ok(self.expression(inner, None)?.reinterpret(false)),
            Tree::Unary(operator, inner) => self.unary(operator, inner, wanted),
            Tree::Binary(left, operator, right) => self.binary(left, operator, right, wanted),
            Tree::Index(value, index) => {
                let value = self.expression(value, None)?;
                match self.index(index)? {
                    Some(index) if index >= value.shape.bits => {
                        Err(self.error(format!("bit {index} of a value of {}", value.shape)))
                    }
                    Some(index) => Ok(value.slice(index, 1)),
                    None => Ok(self.shifted(value, index)?.slice(0, 1)),
                }
            }
            Tree::Slice(value, bits, low) => {
                let part = self.part(tree).map(|part| part.shape.signed);
                let value = self.expression(value, None)?;
                // Bits of a signed value are a signed value, in Rust.
                let signed = part.unwrap_or(value.shape.signed);
                let (whole, bits) = (value.shape.bits, *bits);
                if bits == 0 {
                    return Err(self.error("a value of no bits"));
                }
                let slice = match self.index(low)? {
                    Some(low) if low > whole => {
                        return Err(self.error(format!("bits from {low} of a value of {}", value.shape)));
                    }
                    Some(low) if low == whole => Expression::constant(0, Shape::unsigned(bits)),
                    // Above the top bit there are zeros, as in Rust.
                    Some(low) => value.slice(low, bits.min(whole - low)).extend(bits),
                    None => self.shifted(value, low)?.resize(bits),
                };
                Ok(slice.reinterpret(signed))
            }
            Tree::IndexReplace(value, index, bit) => self.replaced(value, index, bit, wanted),
        }
    }

    /// `signed_cast` reads the bits as they are; `signed_bit_cast` gives a signed value the width that is wanted.
    fn signed(&self, inner: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        if let (Some(value), Some(wanted)) = (self.known(inner)?, wanted) {
            return self.fitted(value, Shape { signed: true, ..wanted });
        }
        let value = self.expression(inner, None)?;
        match wanted {
            _ if !value.shape.signed => Ok(value.reinterpret(true)),
            Some(wanted) => Ok(value.resize(wanted.bits)),
            None => Err(self.error("nothing gives signed_bit_cast a width: assign it to a signal of its own first")),
        }
    }

    /// Whether an expression gets its width from what stands beside it.
    fn is_flexible(&self, tree: &Tree) -> Result<bool, Error> {
        if self.known(tree)?.is_some() {
            return Ok(true);
        }
        Ok(match tree {
            Tree::Paren(inner) | Tree::Unary(VerilogOpUnary::Neg, inner) => self.is_flexible(inner)?,
            Tree::Signed(inner) => {
                self.known(inner)?.is_some() || self.expression(inner, None).is_ok_and(|value| value.shape.signed)
            }
            Tree::Binary(left, VerilogOp::Add | VerilogOp::Sub, right) => {
                self.is_flexible(left)? && self.is_flexible(right)?
            }
            _ => false,
        })
    }

    fn shifted(&self, value: Expression, amount: &Tree) -> Result<Expression, Error> {
        // A place is a whole number in Rust: a sum of two does not wrap at their width.
        let amount = if is_arithmetic(amount) { self.whole(amount)? } else { self.expression(amount, None)? };
        Ok(Expression::binary(Binary::ShiftRight, value.reinterpret(false), amount))
    }

    fn unary(&self, operator: &VerilogOpUnary, inner: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        let (operator, wanted) = match operator {
            VerilogOpUnary::Not => (Unary::Not, wanted),
            VerilogOpUnary::Neg => (Unary::Negate, wanted),
            VerilogOpUnary::All => (Unary::All, None),
            VerilogOpUnary::Any => (Unary::Any, None),
            VerilogOpUnary::Xor => (Unary::Parity, None),
        };
        let value = self.expression(inner, wanted)?;
        if operator == Unary::Negate && !value.shape.signed {
            return Err(self.error("the negative of an unsigned value"));
        }
        if operator == Unary::Any && value.shape.bits == 1 {
            return Ok(value);
        }
        Ok(Expression::unary(operator, value))
    }

    fn binary(
        &self,
        left: &Tree,
        operator: &VerilogOp,
        right: &Tree,
        wanted: Option<Shape>,
    ) -> Result<Expression, Error> {
        let operator = operator_of(operator);
        if operator.shifts() {
            return self.shift(left, operator, right, wanted);
        }
        if operator.compares() {
            return self.comparison(left, operator, right);
        }
        let wanted = match operator {
            Binary::Multiply => Some(Shape::unsigned(FACTOR_BITS)),
            _ => wanted,
        };
        let (left, right) = self.sides(left, right, wanted)?;
        // A bit may be added to a number.
        let adds_bit = operator == Binary::Add && right.shape == Shape::unsigned(1) && !left.shape.signed;
        let right = if adds_bit { right.extend(left.shape.bits) } else { right };
        if left.shape != right.shape {
            let reason = format!("{operator:?} of {} and {}: both sides must have one width", left.shape, right.shape);
            return Err(self.error(reason));
        }
        if operator == Binary::Multiply {
            let bits = 2 * left.shape.bits;
            return Ok(Expression::binary(operator, left.extend(bits), right.extend(bits)));
        }
        Ok(Expression::binary(operator, left, right))
    }

    /// Two values; one that has no width of its own takes that of the other one.
    fn sides(&self, left: &Tree, right: &Tree, wanted: Option<Shape>) -> Result<(Expression, Expression), Error> {
        if self.is_flexible(left)? {
            let right = self.expression(right, wanted)?;
            return Ok((self.expression(left, Some(right.shape))?, right));
        }
        let left = self.expression(left, wanted)?;
        let right = self.expression(right, Some(left.shape))?;
        Ok((left, right))
    }

    /// A comparison. What `index()` gives is a whole number: it can be compared with one that its bits do not reach, and
    /// with one of another width. The tree of `rust-hdl` does not show the call; but without it, Rust compares values of
    /// one width only, and stops at a number that does not fit.
    fn comparison(&self, left: &Tree, operator: Binary, right: &Tree) -> Result<Expression, Error> {
        let before = self.enumeration.replace(self.enumeration_of(left).or_else(|| self.enumeration_of(right)));
        let compared = self.compared(left, operator, right);
        self.enumeration.set(before);
        compared
    }

    fn compared(&self, left: &Tree, operator: Binary, right: &Tree) -> Result<Expression, Error> {
        let bit = |value: bool| Expression::constant(value.into(), Shape::unsigned(1));
        match (self.known(left)?, self.known(right)?) {
            (None, Some(number)) => {
                let value = self.expression(left, None)?;
                if !value.shape.signed && !fits(number, value.shape) {
                    if let (true, Some(most)) = (is_arithmetic(left), whole_number(number)) {
                        return Ok(Expression::binary(operator, self.whole(left)?, most));
                    }
                    // It is less than a number that does not fit, and more than a negative one.
                    return Ok(bit(match operator {
                        Binary::Equal => false,
                        Binary::NotEqual => true,
                        Binary::Less | Binary::LessOrEqual => number >= 0,
                        _ => number < 0,
                    }));
                }
            }
            (Some(_), None) => {
                let turned = match operator {
                    Binary::Less => Binary::Greater,
                    Binary::LessOrEqual => Binary::GreaterOrEqual,
                    Binary::Greater => Binary::Less,
                    Binary::GreaterOrEqual => Binary::LessOrEqual,
                    other => other,
                };
                let shape = self.expression(right, None)?.shape;
                let number = self.known(left)?.unwrap_or(0);
                if !shape.signed && !fits(number, shape) {
                    return self.compared(right, turned, left);
                }
            }
            _ => {}
        }
        let (one, other) = match self.sides(left, right, None) {
            Ok(sides) => sides,
            // Whole numbers of different widths in it.
            Err(error) => match (self.whole(left), self.whole(right)) {
                (Ok(left), Ok(right)) => (left, right),
                _ => return Err(error),
            },
        };
        if one.shape == other.shape {
            return Ok(Expression::binary(operator, one, other));
        }
        if one.shape.signed || other.shape.signed {
            let reason = format!("{operator:?} of {} and {}: both sides must have one width", one.shape, other.shape);
            return Err(self.error(reason));
        }
        if is_arithmetic(left) || is_arithmetic(right) {
            return Ok(Expression::binary(operator, self.whole(left)?, self.whole(right)?));
        }
        let bits = one.shape.bits.max(other.shape.bits);
        Ok(Expression::binary(operator, one.extend(bits), other.extend(bits)))
    }

    /// An expression of what `index()` gives, as a whole number.
    fn whole(&self, tree: &Tree) -> Result<Expression, Error> {
        let shape = Shape::unsigned(INDEX_BITS);
        if let Some(value) = self.known(tree)? {
            return self.fitted(value, shape);
        }
        match tree {
            Tree::Paren(inner) => self.whole(inner),
            Tree::Binary(left, operator, right) if is_arithmetic(tree) => {
                Ok(Expression::binary(operator_of(operator), self.whole(left)?, self.whole(right)?))
            }
            _ => {
                let value = self.expression(tree, None)?;
                match value.shape.signed || value.shape.bits > INDEX_BITS {
                    true => Err(self.error(format!("{} as a whole number", value.shape))),
                    false => Ok(value.extend(INDEX_BITS)),
                }
            }
        }
    }

    fn shift(&self, left: &Tree, operator: Binary, right: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        let left = match self.known(left)? {
            Some(value) => self.fitted(value, Shape::unsigned(LITERAL_BITS))?,
            None => self.expression(left, wanted)?,
        };
        if left.shape.signed {
            return Err(self.error("a shift of a signed value"));
        }
        let Some(amount) = self.index(right)? else {
            let amount = self.expression(right, None)?;
            return Ok(Expression::binary(operator, left, amount));
        };
        if amount >= left.shape.bits {
            return Ok(Expression::constant(0, left.shape));
        }
        let bits = (usize::BITS - amount.leading_zeros()).max(1) as usize;
        let amount = Expression::constant(amount as u128, Shape::unsigned(bits));
        Ok(Expression::binary(operator, left, amount))
    }

    /// `(value & !(1 << index)) | (bit << index)`, in the width of the value.
    fn replaced(&self, value: &Tree, index: &Tree, bit: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        let value = self.expression(value, wanted)?;
        let shape = value.shape;
        let amount = match self.index(index)? {
            Some(index) if index >= shape.bits => return Err(self.error(format!("bit {index} of a value of {shape}"))),
            Some(index) => Expression::constant(index as u128, Shape::unsigned(32)),
            None => self.expression(index, None)?,
        };
        let bit = self.expression(bit, Some(Shape::unsigned(1)))?.extend(shape.bits);
        let at = |value| Expression::binary(Binary::ShiftLeft, value, amount.clone());
        let hole = Expression::unary(Unary::Not, at(Expression::constant(1, shape)));
        Ok(Expression::binary(Binary::Or, Expression::binary(Binary::And, value, hole), at(bit)))
    }
}

fn operator_of(operator: &VerilogOp) -> Binary {
    match operator {
        VerilogOp::Add => Binary::Add,
        VerilogOp::Sub => Binary::Subtract,
        VerilogOp::Mul => Binary::Multiply,
        VerilogOp::LogicalAnd | VerilogOp::BitAnd => Binary::And,
        VerilogOp::LogicalOr | VerilogOp::BitOr => Binary::Or,
        VerilogOp::BitXor => Binary::Xor,
        VerilogOp::Shl => Binary::ShiftLeft,
        VerilogOp::Shr => Binary::ShiftRight,
        VerilogOp::Eq => Binary::Equal,
        VerilogOp::Lt => Binary::Less,
        VerilogOp::Le => Binary::LessOrEqual,
        VerilogOp::Ne => Binary::NotEqual,
        VerilogOp::Ge => Binary::GreaterOrEqual,
        VerilogOp::Gt => Binary::Greater,
    }
}

/// The value of two whole numbers, or of two truth values; `None` if there is none.
fn operate(operator: &VerilogOp, left: i128, right: i128) -> Option<i128> {
    let truth = |value: bool| Some(i128::from(value));
    match operator {
        VerilogOp::Add => left.checked_add(right),
        VerilogOp::Sub => left.checked_sub(right),
        VerilogOp::Mul => left.checked_mul(right),
        VerilogOp::BitAnd | VerilogOp::LogicalAnd => Some(left & right),
        VerilogOp::BitOr | VerilogOp::LogicalOr => Some(left | right),
        VerilogOp::BitXor => Some(left ^ right),
        VerilogOp::Shl => u32::try_from(right).ok().filter(|right| *right < 64).map(|right| left << right),
        VerilogOp::Shr => u32::try_from(right).ok().and_then(|right| left.checked_shr(right)),
        VerilogOp::Eq => truth(left == right),
        VerilogOp::Ne => truth(left != right),
        VerilogOp::Lt => truth(left < right),
        VerilogOp::Le => truth(left <= right),
        VerilogOp::Ge => truth(left >= right),
        VerilogOp::Gt => truth(left > right),
    }
}

/// Whether an expression is made by an operator that gives whole numbers.
fn is_arithmetic(tree: &Tree) -> bool {
    match tree {
        Tree::Paren(inner) => is_arithmetic(inner),
        Tree::Binary(_, operator, _) => {
            let operator = operator_of(operator);
            !operator.compares()
        }
        _ => false,
    }
}

/// A number as the whole number of an index.
fn whole_number(value: i128) -> Option<Expression> {
    let value = u64::try_from(value).ok()?;
    Some(Expression::constant(value.into(), Shape::unsigned(INDEX_BITS)))
}

/// Whether a number is a value of some shape.
fn fits(value: i128, shape: Shape) -> bool {
    let bits = shape.bits - usize::from(shape.signed);
    // More bits than the number can have.
    let most = if bits >= 127 { i128::MAX } else { (1 << bits) - 1 };
    value <= most && value >= if shape.signed { -most - 1 } else { 0 }
}
