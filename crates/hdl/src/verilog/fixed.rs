// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals whose value is known when the Verilog is written.
//!
//! Icarus takes out what a constant condition never chooses, and a block `always @*` runs when something that is left in it
//! changes: never, if nothing is left. So a block that gives constants is written as assignments of them.

use crate::netlist::{Binary, Expression, ExpressionKind, Module, Shape, SignalId, Statement, Unary};
use num_bigint::{BigInt, BigUint};

/// The bits of an expression that no signal can change; `None` if one can.
pub(super) fn value(expression: &Expression) -> Option<BigUint> {
    let (zero, one) = (BigUint::ZERO, BigUint::from(1u8));
    let ones = |bits: usize| (&one << bits) - &one;
    let bits = expression.shape.bits;
    Some(match &expression.kind {
        ExpressionKind::Constant(value) => BigUint::from(*value),
        ExpressionKind::Enumerator { value, .. } => BigUint::from(*value),
        ExpressionKind::Signal(_) => return None,
        ExpressionKind::Unary(operator, of) => {
            let inner = value(of)?;
            match operator {
                Unary::Not => ones(bits) - inner,
                Unary::Negate => ((&one << bits) - inner) & ones(bits),
                Unary::All => BigUint::from(inner == ones(of.shape.bits)),
                Unary::Any => BigUint::from(inner != zero),
                Unary::Parity => BigUint::from(inner.count_ones() & 1),
            }
        }
        ExpressionKind::Binary(operator, left, right) => {
            let (from, amount) = (value(left), value(right));
            // One side decides.
            match operator {
                Binary::And if [&from, &amount].contains(&&Some(zero.clone())) => return Some(zero),
                Binary::Or if [&from, &amount].contains(&&Some(ones(bits))) => return Some(ones(bits)),
                _ => {}
            }
            let (from, amount) = (from?, amount?);
            let places = || amount.to_string().parse().unwrap_or(usize::MAX).min(bits);
            let compared = || signed(&from, left.shape).cmp(&signed(&amount, right.shape));
            match operator {
                Binary::Add => (from + amount) & ones(bits),
                Binary::Subtract => ((&one << bits) + from - amount) & ones(bits),
                Binary::Multiply => (from * amount) & ones(bits),
                Binary::And => from & amount,
                Binary::Or => from | amount,
                Binary::Xor => from ^ amount,
                Binary::ShiftLeft => (from << places()) & ones(bits),
                Binary::ShiftRight => from >> places(),
                Binary::Equal => BigUint::from(from == amount),
                Binary::NotEqual => BigUint::from(from != amount),
                Binary::Less => BigUint::from(compared().is_lt()),
                Binary::LessOrEqual => BigUint::from(compared().is_le()),
                Binary::Greater => BigUint::from(compared().is_gt()),
                Binary::GreaterOrEqual => BigUint::from(compared().is_ge()),
            }
        }
        ExpressionKind::Extend(of) => {
            let inner = value(of)?;
            let negative = of.shape.signed && inner.bit(of.shape.bits as u64 - 1);
            if negative { inner | (ones(bits) - ones(of.shape.bits)) } else { inner }
        }
        ExpressionKind::Slice { value: of, low } => (value(of)? >> low) & ones(bits),
        ExpressionKind::Reinterpret(of) => value(of)?,
        ExpressionKind::Join(parts) => {
            parts.iter().try_fold(zero, |sum, part| Some(sum << part.shape.bits | value(part)?))?
        }
    })
}

/// Bits as a number.
fn signed(bits: &BigUint, shape: Shape) -> BigInt {
    let number = BigInt::from(bits.clone());
    if shape.signed && bits.bit(shape.bits as u64 - 1) { number - (BigInt::from(1) << shape.bits) } else { number }
}

/// The assignments of statements whose conditions are constants; `None` if a signal decides.
fn assignments<'a>(statements: &'a [Statement], all: &mut Vec<&'a Statement>) -> Option<()> {
    for statement in statements {
        match statement {
            Statement::Assign { .. } => all.push(statement),
            Statement::If { test, then, otherwise } => {
                assignments(if value(test)? == BigUint::ZERO { otherwise } else { then }, all)?;
            }
            Statement::Match { test, arms, default } => {
                let chosen = value(test)?;
                let arm = arms.iter().find(|(constant, _)| value(constant).as_ref() == Some(&chosen));
                assignments(arm.map_or(default, |(_, arm)| arm), all)?;
            }
        }
    }
    Some(())
}

/// What a signal gets from its statements, if no signal can change it.
pub(super) fn fixed(module: &Module, signal: SignalId, statements: &[Statement]) -> Option<Expression> {
    let mut all = Vec::new();
    assignments(statements, &mut all)?;
    let shape = module.signals[signal].shape;
    let ones = |bits: usize| (BigUint::from(1u8) << bits) - 1u8;
    // Its last assignment as a whole, its bits, and those that have a value.
    let (mut whole, mut bits, mut known) = (None, BigUint::ZERO, BigUint::ZERO);
    for statement in all {
        let Statement::Assign { target, low, value: given } = statement else { unreachable!("assignments") };
        if *target != signal {
            continue;
        }
        let mask = ones(given.shape.bits) << *low;
        bits = (&bits - (&bits & &mask)) | (value(given)? << *low);
        known |= mask;
        whole = (given.shape.bits == shape.bits).then(|| given.clone());
    }
    if known != ones(shape.bits) {
        return None;
    }
    let constant = |bits| Some(Expression { kind: ExpressionKind::Constant(u128::try_from(bits).ok()?), shape });
    whole.or_else(|| constant(bits))
}
