// SPDX-License-Identifier: MIT OR Apache-2.0
//! Expressions with their widths: the rules of `rust-hdl`'s `Bits`, `Signed` and `bool`.

use super::names::Names;
use super::{Binary, Error, Expression, ExpressionKind, Shape, SignalId, Unary};
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogLiteral, VerilogOp, VerilogOpUnary};

/// Width of a literal on the left side of a shift: `rust-hdl` uses its own literal type for it.
const LITERAL_BITS: usize = 64;

impl Expression {
    /// A number that fits.
    pub fn constant(value: u128, shape: Shape) -> Self {
        Expression { kind: ExpressionKind::Constant(value & ones(shape.bits)), shape }
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

/// The value of a literal, whose number `rust-hdl` shows only as text.
pub(super) fn number(literal: &VerilogLiteral) -> Result<i128, String> {
    let text = format!("{literal:x}");
    let digits = text.split_once("'h").map_or(text.as_str(), |(_, digits)| digits);
    i128::from_str_radix(digits, 16).map_err(|_| format!("the literal {text} has more than 127 bits"))
}

/// Gives the expressions of one module their types.
pub(super) struct Typer<'a> {
    pub names: &'a Names,
    /// Variables of the loops around, innermost last.
    pub loops: Vec<(String, i128)>,
    /// The signal that is assigned, or the statement.
    pub about: String,
}

impl Typer<'_> {
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error { module: self.names.module.clone(), signal: self.about.clone(), reason: reason.into() }
    }

    /// The number that an expression is before it is given a width: literals, loop variables and what is made of them.
    fn known(&self, tree: &Tree) -> Result<Option<i128>, Error> {
        Ok(match tree {
            Tree::Literal(literal) => Some(number(literal).map_err(|reason| self.error(reason))?),
            Tree::Paren(inner) => self.known(inner)?,
            Tree::Signal(name) => {
                self.loops.iter().rev().find(|(variable, _)| variable == name).map(|(_, value)| *value)
            }
            Tree::Binary(left, operator, right) => match (self.known(left)?, self.known(right)?) {
                (Some(left), Some(right)) => match operator {
                    VerilogOp::Add => Some(left + right),
                    VerilogOp::Sub => Some(left - right),
                    VerilogOp::Mul => Some(left * right),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
    }

    /// A number as a value of some shape.
    fn fitted(&self, value: i128, shape: Shape) -> Result<Expression, Error> {
        let least = if shape.signed { -(1i128 << (shape.bits - 1).min(126)) } else { 0 };
        let most = ones(if shape.signed { shape.bits - 1 } else { shape.bits }.min(126)) as i128;
        if value < least || value > most {
            return Err(self.error(format!("the literal {value} does not fit into {shape}")));
        }
        Ok(Expression::constant(value as u128, shape))
    }

    /// An index or an offset that is a constant here.
    pub fn index(&self, tree: &Tree) -> Result<Option<usize>, Error> {
        match self.known(tree)? {
            Some(value) => Ok(Some(usize::try_from(value).map_err(|_| self.error(format!("index {value}")))?)),
            None => Ok(None),
        }
    }

    /// The typed expression. `wanted` is the width of a literal or of a cast that has no width of its own.
    pub fn expression(&self, tree: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        if let Some(value) = self.known(tree)? {
            return match wanted {
                Some(shape) => self.fitted(value, shape),
                None => Err(self.error(format!("nothing gives the literal {value} a width: write bits::<N>({value})"))),
            };
        }
        match tree {
            Tree::Literal(_) => unreachable!("a literal is known"),
            Tree::Signal(name) => self.names.value(name, &self.loops).map_err(|reason| self.error(reason)),
            Tree::Paren(inner) => self.expression(inner, wanted),
            Tree::Cast(inner, bits) => {
                if let Some(value) = self.known(inner)? {
                    return self.fitted(value, Shape::unsigned(*bits));
                }
                let value = self.expression(inner, None)?;
                if value.shape.signed {
                    return Err(self.error("bit_cast of a signed value: use signed_bit_cast, or unsigned_cast before"));
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
                let value = self.expression(value, None)?;
                let whole = value.shape.bits;
                match self.index(low)? {
                    Some(low) if low > whole => {
                        Err(self.error(format!("bits from {low} of a value of {}", value.shape)))
                    }
                    Some(low) if low == whole => Ok(Expression::constant(0, Shape::unsigned(*bits))),
                    // Above the top bit there are zeros, as in Rust.
                    Some(low) => Ok(value.slice(low, (*bits).min(whole - low)).extend(*bits)),
                    None => Ok(self.shifted(value, low)?.resize(*bits)),
                }
            }
            Tree::IndexReplace(value, index, bit) => self.replaced(value, index, bit, wanted),
        }
    }

    /// `signed_cast` reads the bits as they are; `signed_bit_cast` gives a signed value the width that is wanted.
    fn signed(&self, inner: &Tree, wanted: Option<Shape>) -> Result<Expression, Error> {
        let value = self.expression(inner, None)?;
        match wanted {
            _ if !value.shape.signed => Ok(value.reinterpret(true)),
            Some(wanted) => Ok(value.resize(wanted.bits)),
            None => Err(self.error("nothing gives signed_bit_cast a width: assign it to a signal of its own first")),
        }
    }

    fn shifted(&self, value: Expression, amount: &Tree) -> Result<Expression, Error> {
        let amount = self.expression(amount, None)?;
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
        if let (Unary::Negate, Some(value), Some(shape)) = (operator, self.known(inner)?, wanted) {
            return self.fitted(-value, shape);
        }
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
        let operator = match operator {
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
        };
        if operator.shifts() {
            return self.shift(left, operator, right, wanted);
        }
        let wanted = if operator.compares() || operator == Binary::Multiply { None } else { wanted };
        let (left, right) = if self.known(left)?.is_some() {
            let right = self.expression(right, wanted)?;
            (self.expression(left, Some(right.shape))?, right)
        } else {
            let left = self.expression(left, wanted)?;
            let right = self.expression(right, Some(left.shape))?;
            (left, right)
        };
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
