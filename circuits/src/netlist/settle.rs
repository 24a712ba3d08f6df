// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals whose value never changes.

use super::drivers::{dependencies, project, targets_of};
use super::hoist::name_it;
use super::{Signal, SignalId, Statement};

/// Removes assignments to a constant signal that have no effect, because a later assignment replaces them. If several
/// assignments remain, the first value gets a name: a block of Verilog that reads no signal never runs.
pub(super) fn settle(mut statements: Vec<Statement>, signals: &mut Vec<Signal>) -> Vec<Statement> {
    let constant = dependencies(&statements).into_iter().filter(|(_, reads)| reads.is_empty());
    for (target, _) in constant.collect::<Vec<_>>() {
        let whole = |statement: &Statement| match statement {
            Statement::Assign { target: other, low: 0, value } => {
                *other == target && value.shape.bits == signals[target].shape.bits
            }
            _ => false,
        };
        if let Some(last) = statements.iter().rposition(whole) {
            let rest = statements.split_off(last);
            statements = project(&statements, &|id| id != target);
            statements.extend(rest);
        }
        let assigns = |statement: &&Statement| targets_of(std::slice::from_ref(*statement)).contains(&target);
        if statements.iter().filter(assigns).count() == 1 && statements.iter().any(whole) {
            continue;
        }
        let first = statements.iter().position(|statement| assigns(&statement)).expect("it is assigned");
        let mut named = Vec::new();
        name_first(&mut statements[first], target, signals, &mut named);
        statements.splice(first..first, named);
    }
    statements
}

/// Gives the value or the condition of a statement a name.
fn name_first(statement: &mut Statement, target: SignalId, signals: &mut Vec<Signal>, to: &mut Vec<Statement>) {
    let base = signals[target].name.clone();
    match statement {
        Statement::Assign { value: named, .. }
        | Statement::If { test: named, .. }
        | Statement::Match { test: named, .. } => name_it(named, &base, signals, to),
    }
}
