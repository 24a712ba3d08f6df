// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names for values of which only some bits are read: Verilog can select bits of a signal, not of an operator.

use super::drivers::{expressions_of_mut, targets_of};
use super::names::free_name;
use super::{Expression, ExpressionKind, Shape, Signal, SignalId, SignalKind, Statement};
use std::collections::BTreeSet;

/// Gives each value whose bits are selected a signal of its own, assigned above the statement that selects them.
pub(super) fn hoist(statements: Vec<Statement>, signals: &mut Vec<Signal>) -> Vec<Statement> {
    let mut hoist = Hoist { several: of_several(&statements), signals, to: Vec::with_capacity(statements.len()) };
    for statement in statements {
        let mut statement = [statement];
        let base = targets_of(&statement).first().map_or("value".into(), |&id| hoist.signals[id].name.clone());
        expressions_of_mut(&mut statement, &mut |expression| hoist.value(expression, &base));
        hoist.to.extend(statement);
    }
    hoist.to
}

/// The signals that more than one statement assigns.
fn of_several(statements: &[Statement]) -> BTreeSet<SignalId> {
    let (mut once, mut several) = (BTreeSet::new(), BTreeSet::new());
    for statement in statements {
        for target in targets_of(std::slice::from_ref(statement)) {
            if !once.insert(target) {
                several.insert(target);
            }
        }
    }
    several
}

struct Hoist<'a> {
    /// The signals that more than one statement assigns.
    several: BTreeSet<SignalId>,
    signals: &'a mut Vec<Signal>,
    /// The statements so far.
    to: Vec<Statement>,
}

impl Hoist<'_> {
    fn value(&mut self, expression: &mut Expression, base: &str) {
        match &mut expression.kind {
            ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } | ExpressionKind::Signal(_) => {}
            ExpressionKind::Unary(_, value) | ExpressionKind::Reinterpret(value) => self.value(value, base),
            ExpressionKind::Binary(_, left, right) => {
                self.value(left, base);
                self.value(right, base);
            }
            ExpressionKind::Join(parts) => parts.iter_mut().for_each(|part| self.value(part, base)),
            ExpressionKind::Extend(value) => {
                self.value(value, base);
                // The sign is a bit of it.
                if value.shape.signed {
                    self.name(value, base);
                }
            }
            ExpressionKind::Slice { value, .. } => {
                self.value(value, base);
                self.name(value, base);
            }
        }
    }

    /// Gives a value a signal of its own, unless it is one, named after `base`.
    fn name(&mut self, value: &mut Expression, base: &str) {
        if value.as_signal().is_some() {
            return;
        }
        // A signal that has this value and never another one.
        let known = self.to.iter().find_map(|statement| match statement {
            Statement::Assign { target, low: 0, value: other }
                if other == value
                    && self.signals[*target].kind == SignalKind::Local
                    && !self.several.contains(target) =>
            {
                Some(*target)
            }
            _ => None,
        });
        let shape = value.shape;
        let id = known.unwrap_or_else(|| {
            let taken = |name: &str| self.signals.iter().any(|signal| signal.name == name);
            let first = format!("{base}_term");
            let name = if taken(&first) { free_name(&first, 2, &taken) } else { first };
            self.signals.push(local(name, shape));
            self.to.push(Statement::Assign { target: self.signals.len() - 1, low: 0, value: value.clone() });
            self.signals.len() - 1
        });
        *value = Expression::signal(id, shape);
    }
}

/// A local signal without a comment.
pub(super) fn local(name: String, shape: Shape) -> Signal {
    Signal { name, kind: SignalKind::Local, shape, enumeration: None, meaning: String::new() }
}
