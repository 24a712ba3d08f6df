// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names for values of which only some bits are read: Verilog can select bits of a signal, not of an operator.

use super::drivers::{expressions_of_mut, targets_of};
use super::names::free_name;
use super::{Expression, ExpressionKind, Shape, Signal, SignalKind, Statement};

/// Gives each value whose bits are selected a signal of its own, assigned above the statement that selects them.
pub(super) fn hoist(statements: Vec<Statement>, signals: &mut Vec<Signal>) -> Vec<Statement> {
    let mut hoisted = Vec::with_capacity(statements.len());
    for statement in statements {
        let mut statement = [statement];
        let base = targets_of(&statement).first().map_or("value".into(), |&id| signals[id].name.clone());
        expressions_of_mut(&mut statement, &mut |expression| hoist_in(expression, &base, signals, &mut hoisted));
        hoisted.extend(statement);
    }
    hoisted
}

fn hoist_in(expression: &mut Expression, base: &str, signals: &mut Vec<Signal>, to: &mut Vec<Statement>) {
    match &mut expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } | ExpressionKind::Signal(_) => {}
        ExpressionKind::Unary(_, value) | ExpressionKind::Reinterpret(value) => hoist_in(value, base, signals, to),
        ExpressionKind::Binary(_, left, right) => {
            hoist_in(left, base, signals, to);
            hoist_in(right, base, signals, to);
        }
        ExpressionKind::Join(parts) => parts.iter_mut().for_each(|part| hoist_in(part, base, signals, to)),
        ExpressionKind::Extend(value) => {
            hoist_in(value, base, signals, to);
            // The sign is a bit of it.
            if value.shape.signed {
                name_it(value, base, signals, to);
            }
        }
        ExpressionKind::Slice { value, .. } => {
            hoist_in(value, base, signals, to);
            name_it(value, base, signals, to);
        }
    }
}

/// Gives a value a signal of its own, unless it is one: assigned in `to`, named after `base`.
pub(super) fn name_it(value: &mut Expression, base: &str, signals: &mut Vec<Signal>, to: &mut Vec<Statement>) {
    if value.as_signal().is_some() {
        return;
    }
    // The same value may have a name already.
    let known = to.iter().find_map(|statement| match statement {
        Statement::Assign { target, low: 0, value: other }
            if other == value && signals[*target].kind == SignalKind::Local =>
        {
            Some(*target)
        }
        _ => None,
    });
    let shape = value.shape;
    let id = known.unwrap_or_else(|| {
        let taken = |name: &str| signals.iter().any(|signal| signal.name == name);
        let first = format!("{base}_term");
        let name = if taken(&first) { free_name(&first, 2, &taken) } else { first };
        signals.push(local(name, shape));
        to.push(Statement::Assign { target: signals.len() - 1, low: 0, value: value.clone() });
        signals.len() - 1
    });
    *value = Expression::signal(id, shape);
}

/// A local signal without a comment.
pub(super) fn local(name: String, shape: Shape) -> Signal {
    Signal { name, kind: SignalKind::Local, shape, enumeration: None, meaning: String::new() }
}
