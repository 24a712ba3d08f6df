// SPDX-License-Identifier: MIT OR Apache-2.0
//! The codes of an enumeration that no value has.

use super::drivers::{Assigned, project, surely_assigned};
use super::{Expression, ExpressionKind, Module, Statement};
use std::collections::BTreeSet;

/// Gives each `match` that names every value of an enumeration a default for the codes that are no value. In the
/// circuit they do not occur; in hardware a register may hold one after a disturbance. The register then takes the
/// first value, if the match is about its next value; all else keeps what was assigned above the match.
pub(super) fn complete(statements: &mut [Statement], module: &Module) {
    complete_in(statements, &Assigned::default(), module);
}

fn complete_in(statements: &mut [Statement], above: &Assigned, module: &Module) {
    let mut assigned = above.clone();
    for statement in statements {
        match statement {
            Statement::Assign { .. } => {}
            Statement::If { then, otherwise, .. } => {
                complete_in(then, &assigned, module);
                complete_in(otherwise, &assigned, module);
            }
            Statement::Match { test, arms, default } => {
                arms.iter_mut().for_each(|(_, block)| complete_in(block, &assigned, module));
                complete_in(default, &assigned, module);
                if default.is_empty() {
                    *default = default_of(test, arms, &assigned, module);
                }
            }
        }
        assigned.union(surely_assigned(std::slice::from_ref(statement)));
    }
}

/// The default of a `match` that has none; nothing unless it names every value of an enumeration.
fn default_of(
    test: &Expression,
    arms: &[(Expression, Vec<Statement>)],
    assigned: &Assigned,
    module: &Module,
) -> Vec<Statement> {
    let named = arms.iter().filter_map(|(pattern, _)| match pattern.kind {
        ExpressionKind::Enumerator { enumeration, value } => Some((enumeration, value)),
        _ => None,
    });
    let named: BTreeSet<(usize, usize)> = named.collect();
    let (Some(&(enumeration, _)), Some((_, last))) = (named.first(), arms.last()) else { return Vec::new() };
    if named.len() < module.enumerations[enumeration].values.len() {
        return Vec::new();
    }
    // A signal that is assigned in the arms only needs a value here too, otherwise it would be a latch.
    let mut default = project(last, &|id| !assigned.covers(id, 0, module.signals[id].shape.bits));
    let register = module.registers.iter().find(|register| test.as_signal() == Some(register.q));
    let changes = |id| arms.iter().any(|(_, block)| super::targets_of(block).contains(&id));
    if let Some(register) = register.filter(|register| changes(register.d)) {
        let value = Expression { kind: ExpressionKind::Enumerator { enumeration, value: 0 }, shape: test.shape };
        default.push(Statement::Assign { target: register.d, low: 0, value });
    }
    default
}
