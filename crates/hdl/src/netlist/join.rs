// SPDX-License-Identifier: MIT OR Apache-2.0
//! Concatenations: values side by side that a circuit joins by `|` and shifts.
//!
//! `rust-hdl` has no concatenation, so a circuit writes `(bit_cast(high) << 16) | bit_cast(low)`. Where no bit can be
//! set on both sides, this is `{high, low}`.

use super::drivers::expressions_of_mut;
use super::expression::ones;
use super::{Binary, Expression, ExpressionKind, Shape, Statement, Unary};

/// Widest value that is divided into fields: a constant has this many bits.
const MOST_BITS: usize = 128;

/// Writes joined values of all statements as concatenations, `0 - x` as `-x`, and a shift of a shift as one.
pub(super) fn join(statements: &mut [Statement]) {
    expressions_of_mut(statements, &mut join_in);
}

fn join_in(expression: &mut Expression) {
    let joins = match &expression.kind {
        ExpressionKind::Binary(Binary::Or, ..) => true,
        ExpressionKind::Binary(Binary::ShiftLeft, value, _) => matches!(value.kind, ExpressionKind::Extend(_)),
        _ => false,
    };
    if joins && let Some(parts) = Fields::of(expression).and_then(|fields| fields.parts(expression.shape.bits)) {
        expression.kind = ExpressionKind::Join(parts);
    }
    match &mut expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } | ExpressionKind::Signal(_) => {}
        ExpressionKind::Unary(Unary::Not, value) => {
            join_in(value);
            if let ExpressionKind::Unary(Unary::Not, inner) = &mut value.kind {
                *expression = std::mem::replace(&mut **inner, Expression::constant(0, Shape::unsigned(1)));
            }
        }
        ExpressionKind::Unary(_, value) | ExpressionKind::Slice { value, .. } | ExpressionKind::Reinterpret(value) => {
            join_in(value)
        }
        ExpressionKind::Binary(operator, left, right) => {
            join_in(left);
            join_in(right);
            if operator.shifts() {
                shift_once(*operator, left, right);
            }
            if *operator == Binary::Subtract && left.kind == ExpressionKind::Constant(0) {
                let value = std::mem::replace(&mut **right, Expression::constant(0, expression.shape));
                expression.kind = ExpressionKind::Unary(Unary::Negate, Box::new(value));
            }
        }
        ExpressionKind::Extend(value) => {
            join_in(value);
            let zeros = Shape::unsigned(expression.shape.bits - value.shape.bits);
            if let ExpressionKind::Join(parts) = &mut value.kind {
                let mut parts = std::mem::take(parts);
                match &mut parts[0] {
                    Expression { kind: ExpressionKind::Constant(0), shape } => shape.bits += zeros.bits,
                    _ => parts.insert(0, Expression::constant(0, zeros)),
                }
                expression.kind = ExpressionKind::Join(parts);
            }
        }
        ExpressionKind::Join(parts) => parts.iter_mut().for_each(join_in),
    }
}

/// Writes a shift of a shift, both by amounts that vary, as one shift by their sum. Verilator (5.48) does this in the
/// width of one of the amounts, in which the sum may wrap. It does not do it if an amount is a constant of 32 bits.
fn shift_once(operator: Binary, value: &mut Expression, amount: &mut Expression) {
    let varies = |amount: &Expression| !matches!(amount.kind, ExpressionKind::Constant(_));
    let ExpressionKind::Binary(before, inner, first) = &mut value.kind else { return };
    if *before != operator || !varies(first) || !varies(amount) {
        return;
    }
    let bits = first.shape.bits.max(amount.shape.bits) + 1;
    let wide = |amount: &Expression| amount.clone().extend(bits);
    *amount = Expression::binary(Binary::Add, wide(first), wide(amount));
    *value = std::mem::replace(&mut **inner, Expression::constant(0, Shape::unsigned(1)));
}

/// A value as other values at places of their own, and a constant in the bits between them.
#[derive(Default)]
struct Fields {
    /// Lowest bit and value.
    fields: Vec<(usize, Expression)>,
    constant: u128,
}

impl Fields {
    /// The fields of an unsigned value; `None` if bits of two values may meet in one place.
    fn of(expression: &Expression) -> Option<Fields> {
        let bits = expression.shape.bits;
        if expression.shape.signed || bits > MOST_BITS {
            return None;
        }
        match &expression.kind {
            ExpressionKind::Constant(value) => Some(Fields { fields: Vec::new(), constant: *value }),
            ExpressionKind::Extend(value) if !value.shape.signed => Fields::of(value),
            ExpressionKind::Binary(Binary::Or, left, right) => Fields::of(left)?.and(Fields::of(right)?),
            ExpressionKind::Binary(Binary::ShiftLeft, value, amount) => {
                let ExpressionKind::Constant(amount) = amount.kind else { return Fields::whole(expression) };
                Fields::of(value)?.shifted(usize::try_from(amount).ok()?, bits)
            }
            _ => Fields::whole(expression),
        }
    }

    /// A value as one field, without the bits at its top that are always 0.
    fn whole(expression: &Expression) -> Option<Fields> {
        match reach(expression) {
            0 => Some(Fields::default()),
            bits => {
                let value = part(expression, 0, bits).unwrap_or_else(|| expression.clone());
                Some(Fields { fields: vec![(0, value)], constant: 0 })
            }
        }
    }

    /// Those of two values in one; `None` if they meet.
    fn and(mut self, other: Fields) -> Option<Fields> {
        if self.mask() & other.mask() != 0 {
            return None;
        }
        self.fields.extend(other.fields);
        self.constant |= other.constant;
        Some(self)
    }

    /// The bits that may be set.
    fn mask(&self) -> u128 {
        self.fields.iter().fold(self.constant, |mask, (low, value)| mask | ones(value.shape.bits) << low)
    }

    /// Further up, in a value of some bits.
    fn shifted(self, by: usize, bits: usize) -> Option<Fields> {
        if by >= bits {
            return Some(Fields::default());
        }
        let mut fields = Vec::with_capacity(self.fields.len());
        for (low, value) in self.fields {
            let low = low + by;
            match bits.saturating_sub(low) {
                0 => {}
                room if room >= value.shape.bits => fields.push((low, value)),
                room => fields.push((low, part(&value, 0, room)?)),
            }
        }
        Some(Fields { fields, constant: self.constant << by & ones(bits) })
    }

    /// As values side by side, the highest first; `None` if there is only one.
    fn parts(mut self, bits: usize) -> Option<Vec<Expression>> {
        self.fields.sort_by_key(|(low, _)| *low);
        let mut parts = Vec::new();
        let mut place = 0;
        for (low, value) in self.fields {
            gap(self.constant, place, low, &mut parts);
            place = low + value.shape.bits;
            parts.push(value);
        }
        gap(self.constant, place, bits, &mut parts);
        parts.reverse();
        (parts.len() > 1).then_some(parts)
    }
}

/// Adds the bits of a constant between two places. Where hexadecimal digits would hide the number, its zeros stand
/// alone.
fn gap(constant: u128, from: usize, to: usize, parts: &mut Vec<Expression>) {
    if from == to {
        return;
    }
    let value = constant >> from & ones(to - from);
    let zeros = if value == 0 || from.is_multiple_of(4) { 0 } else { value.trailing_zeros() as usize };
    if zeros > 0 {
        parts.push(Expression::constant(0, Shape::unsigned(zeros)));
    }
    parts.push(Expression::constant(value >> zeros, Shape::unsigned(to - from - zeros)));
}

/// A number of low bits above which all bits of a value are 0.
fn reach(expression: &Expression) -> usize {
    let bits = expression.shape.bits;
    match &expression.kind {
        ExpressionKind::Constant(value) => (u128::BITS - value.leading_zeros()) as usize,
        ExpressionKind::Extend(value) if !value.shape.signed => reach(value),
        ExpressionKind::Binary(Binary::And, left, right) => reach(left).min(reach(right)),
        ExpressionKind::Binary(Binary::Or | Binary::Xor, left, right) => reach(left).max(reach(right)),
        ExpressionKind::Binary(Binary::ShiftRight, value, amount) => match amount.kind {
            ExpressionKind::Constant(amount) => reach(value).saturating_sub(amount as usize),
            _ => bits,
        },
        _ => bits,
    }
}

/// Bits of a value from `low` up, if they are bits of signals: Verilog can select bits of nothing else.
fn part(expression: &Expression, low: usize, bits: usize) -> Option<Expression> {
    let shape = Shape::unsigned(bits);
    if expression.shape == shape && low == 0 {
        return Some(expression.clone());
    }
    if expression.shape.signed {
        return None;
    }
    match &expression.kind {
        ExpressionKind::Signal(_) => {
            Some(Expression { kind: ExpressionKind::Slice { value: Box::new(expression.clone()), low }, shape })
        }
        ExpressionKind::Slice { value, low: below } if value.as_signal().is_some() => {
            let kind = ExpressionKind::Slice { value: value.clone(), low: below + low };
            Some(Expression { kind, shape })
        }
        ExpressionKind::Constant(value) => Some(Expression::constant(value >> low, shape)),
        ExpressionKind::Extend(value) if !value.shape.signed => match value.shape.bits.saturating_sub(low) {
            0 => Some(Expression::constant(0, shape)),
            inner => Some(part(value, low, inner.min(bits))?.extend(bits)),
        },
        ExpressionKind::Binary(operator @ (Binary::And | Binary::Or | Binary::Xor), left, right) => {
            let (left, right) = (part(left, low, bits)?, part(right, low, bits)?);
            let is = |side: &Expression, value| side.kind == ExpressionKind::Constant(value);
            match operator {
                Binary::And if is(&right, ones(bits)) => Some(left),
                Binary::And if is(&left, ones(bits)) => Some(right),
                _ => {
                    Some(Expression { kind: ExpressionKind::Binary(*operator, Box::new(left), Box::new(right)), shape })
                }
            }
        }
        ExpressionKind::Binary(Binary::ShiftRight, value, amount) => match amount.kind {
            ExpressionKind::Constant(amount) => {
                let low = low + amount as usize;
                match value.shape.bits.saturating_sub(low) {
                    0 => Some(Expression::constant(0, shape)),
                    inner => Some(part(value, low, inner.min(bits))?.extend(bits)),
                }
            }
            _ => None,
        },
        _ => None,
    }
}
