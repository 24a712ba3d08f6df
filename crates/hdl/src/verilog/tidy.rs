// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements in the form in which an engineer writes them. The logic stays the same.
//!
//! - `if (a) if (b) …` without an `else` is `if (a && b) …`, and an `if` that has only an `else` is `if (!a) …`.
//! - A chain of `if` and `else if` that compares one value with constants is a `case`, unless it is short. Of a chain
//!   without a last `else`, branches that do nothing are left out.
//! - A signal that gets one of few values is one assignment with `?:`.

use super::fixed;
use crate::netlist::{Binary, Expression, ExpressionKind, Statement, Unary};

/// A chain with fewer branches is no `case`.
const CASE_FROM: usize = 4;
/// The most conditions of an assignment with `?:`.
const CONDITIONS: usize = 4;

/// Statements in that form, one for each. Each of them, and each branch that is not empty, assigns something.
pub(super) fn tidy(statements: &[Statement]) -> Vec<Statement> {
    statements.iter().map(tidied).collect()
}

fn tidied(statement: &Statement) -> Statement {
    match statement {
        Statement::Assign { .. } => statement.clone(),
        Statement::If { test, then, otherwise } => {
            Chain::of(statement).map_or_else(|| when(test.clone(), tidy(then), tidy(otherwise)), Chain::tidied)
        }
        Statement::Match { test, arms, default } => Statement::Match {
            test: test.clone(),
            arms: arms.iter().map(|(pattern, block)| (pattern.clone(), tidy(block))).collect(),
            default: tidy(default),
        },
    }
}

/// A chain of `if` and `else if`, each of which compares the same value with another constant.
struct Chain<'a> {
    value: &'a Expression,
    branches: Vec<(&'a Expression, &'a [Statement])>,
    /// What the last `else` does.
    otherwise: &'a [Statement],
}

impl<'a> Chain<'a> {
    /// The longest chain that begins with a statement.
    fn of(statement: &'a Statement) -> Option<Self> {
        let (value, ..) = comparison(statement)?;
        let mut chain = Chain { value, branches: Vec::new(), otherwise: std::slice::from_ref(statement) };
        while let [next] = chain.otherwise
            && let Some((value, constant, then, otherwise)) = comparison(next)
            && value == chain.value
            && chain.branches.iter().all(|(known, _)| fixed::value(known) != fixed::value(constant))
        {
            chain.branches.push((constant, then));
            chain.otherwise = otherwise;
        }
        Some(chain)
    }

    fn tidied(self) -> Statement {
        let default = tidy(self.otherwise);
        let branches = self.branches.iter().filter(|(_, block)| !default.is_empty() || !block.is_empty());
        let arms: Vec<_> = branches.map(|&(constant, block)| (constant.clone(), tidy(block))).collect();
        if arms.len() >= CASE_FROM {
            return Statement::Match { test: self.value.clone(), arms, default };
        }
        let is = |constant| Expression::binary(Binary::Equal, self.value.clone(), constant);
        let chain = arms.into_iter().rev();
        let chain = chain.fold(default, |otherwise, (constant, then)| vec![when(is(constant), then, otherwise)]);
        chain.into_iter().next().expect("a branch does something")
    }
}

/// The value, the constant and both sides of `if value == constant { … } else { … }`.
fn comparison(statement: &Statement) -> Option<(&Expression, &Expression, &[Statement], &[Statement])> {
    let Statement::If { test, then, otherwise } = statement else { return None };
    match &test.kind {
        ExpressionKind::Binary(Binary::Equal, value, constant)
            if matches!(constant.kind, ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. }) =>
        {
            Some((value, constant, then, otherwise))
        }
        _ => None,
    }
}

/// A choice by one bit.
fn when(test: Expression, mut then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    if then.is_empty() {
        return when(not(test), otherwise, then);
    }
    if let [Statement::If { otherwise: inner, .. }] = &then[..]
        && inner.is_empty()
        && otherwise.is_empty()
        && let Some(Statement::If { test: also, then, otherwise }) = then.pop()
    {
        return Statement::If { test: Expression::binary(Binary::And, test, also), then, otherwise };
    }
    Statement::If { test, then, otherwise }
}

/// A bit inverted.
fn not(test: Expression) -> Expression {
    match test.kind {
        ExpressionKind::Unary(Unary::Not, inverted) => *inverted,
        ExpressionKind::Binary(Binary::Equal, left, right) => Expression::binary(Binary::NotEqual, *left, *right),
        ExpressionKind::Binary(Binary::NotEqual, left, right) => Expression::binary(Binary::Equal, *left, *right),
        _ => Expression::unary(Unary::Not, test),
    }
}

/// A value as a chain of `?:`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    /// Conditions in their order, each with the value if it is the first one that is 1.
    pub conditions: Vec<(Expression, Expression)>,
    /// The value if no condition is 1.
    pub otherwise: Expression,
}

impl Choice {
    /// The value that a signal of some bits gets from its statements. `None` if they assign parts of it, or if this is no
    /// short chain.
    pub fn of(bits: usize, statements: &[Statement]) -> Option<Self> {
        after(bits, None, statements).filter(|choice| choice.conditions.len() <= CONDITIONS)
    }
}

/// The value of a signal after statements, from its value before them.
fn after(bits: usize, before: Option<Choice>, statements: &[Statement]) -> Option<Choice> {
    let mut last = before;
    for statement in statements {
        last = Some(match statement {
            Statement::Assign { value, .. } if value.shape.bits == bits => {
                Choice { conditions: Vec::new(), otherwise: value.clone() }
            }
            Statement::If { test, then, otherwise } => {
                let [then, otherwise] = [then, otherwise].map(|block| after(bits, last.clone(), block));
                either(test, then?, otherwise?)?
            }
            _ => return None,
        });
    }
    last
}

/// One of two values; `None` if both are chains.
fn either(test: &Expression, then: Choice, otherwise: Choice) -> Option<Choice> {
    let test = test.clone();
    let inverts = matches!(test.kind, ExpressionKind::Unary(Unary::Not, _)) && otherwise.conditions.is_empty();
    let (test, value, mut chain) = match (&then.conditions[..], &otherwise.conditions[..]) {
        ([], _) if !inverts => (test, then.otherwise, otherwise),
        (_, []) => (not(test), otherwise.otherwise, then),
        _ => return None,
    };
    chain.conditions.insert(0, (test, value));
    Some(chain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::Shape;
    use crate::netlist::builder::{and, assign, equal, number};

    /// Bits that choose, and a value of four bits.
    const A: usize = 0;
    const B: usize = 1;
    const C: usize = 2;
    const STATE: usize = 3;
    /// The signal that is assigned.
    const X: usize = 4;

    fn bit(id: usize) -> Expression {
        Expression::signal(id, Shape::unsigned(1))
    }

    fn state(is: u64) -> Expression {
        equal(Expression::signal(STATE, Shape::unsigned(4)), is)
    }

    fn x(value: u64) -> Vec<Statement> {
        vec![assign(X, number(value, 8))]
    }

    fn choose(test: Expression, then: Vec<Statement>, otherwise: Vec<Statement>) -> Vec<Statement> {
        vec![Statement::If { test, then, otherwise }]
    }

    /// The chain of `if state == …` with a value for each state.
    fn chain(states: &[u64], otherwise: Vec<Statement>) -> Vec<Statement> {
        states.iter().rev().fold(otherwise, |otherwise, &one| choose(state(one), x(one), otherwise))
    }

    #[test]
    fn an_if_in_an_if_is_one_if() {
        let nested = choose(bit(A), choose(bit(B), choose(bit(C), x(1), vec![]), vec![]), vec![]);
        let condition = Expression::binary(Binary::And, bit(A), and(bit(B), bit(C)));
        assert_eq!(tidy(&nested), choose(condition, x(1), vec![]));
        for kept in [
            choose(bit(A), choose(bit(B), x(1), x(2)), vec![]),
            choose(bit(A), choose(bit(B), x(1), vec![]), x(2)),
            choose(bit(A), [x(3), choose(bit(B), x(1), vec![])].concat(), vec![]),
        ] {
            assert_eq!(tidy(&kept), kept);
        }
    }

    #[test]
    fn an_if_that_has_only_an_else_is_inverted() {
        let inverted = |test, by| assert_eq!(tidy(&choose(test, vec![], x(1))), choose(by, x(1), vec![]));
        inverted(bit(A), not(bit(A)));
        inverted(not(bit(A)), bit(A));
        let differs = Expression::binary(Binary::NotEqual, Expression::signal(STATE, Shape::unsigned(4)), number(3, 4));
        inverted(state(3), differs);
    }

    #[test]
    fn a_chain_of_comparisons_is_a_case_unless_it_is_short() {
        let Statement::Match { arms, default, .. } = &tidy(&chain(&[3, 0, 7, 1], x(9)))[0] else { panic!("no case") };
        let expected: Vec<_> = [3, 0, 7, 1].map(|state| (number(state, 4), x(state))).into();
        assert_eq!((arms, default), (&expected, &x(9)));
        for kept in [chain(&[3, 0, 7], x(9)), chain(&[3, 0, 3, 7], x(9)), chain(&[3, 0], chain(&[3, 0], x(9)))] {
            assert_eq!(tidy(&kept), kept);
        }
        // What comes behind the chain is its default.
        let behind = choose(bit(A), x(4), x(5));
        let Statement::Match { arms, default, .. } = &tidy(&chain(&[0, 1, 2, 3], behind.clone()))[0] else {
            panic!("no case")
        };
        assert_eq!((arms.len(), default), (4, &behind));
    }

    #[test]
    fn branches_that_do_nothing_are_left_out() {
        let idle = |otherwise: Vec<Statement>| (0..6).fold(otherwise, |rest, one| choose(state(one), vec![], rest));
        assert_eq!(tidy(&idle(chain(&[14], vec![]))), chain(&[14], vec![]));
        // The last `else` must not take their place.
        let Statement::Match { arms, default, .. } = &tidy(&idle(chain(&[14], x(9))))[0] else { panic!("no case") };
        assert_eq!((arms.len(), default), (7, &x(9)));
    }

    /// The numbers of a choice: each condition with its value, then the last value.
    fn chosen(statements: &[Statement]) -> Option<(Vec<(Expression, Expression)>, Expression)> {
        Choice::of(8, statements).map(|choice| (choice.conditions, choice.otherwise))
    }

    #[test]
    fn one_of_two_values_is_a_choice() {
        let two = Some((vec![(bit(A), number(1, 8))], number(2, 8)));
        assert_eq!(chosen(&choose(bit(A), x(1), x(2))), two);
        assert_eq!(chosen(&[x(2), choose(bit(A), x(1), vec![])].concat()), two);
        assert_eq!(chosen(&choose(not(bit(A)), x(2), x(1))), two);
        assert_eq!(chosen(&x(2)), Some((vec![], number(2, 8))));
    }

    #[test]
    fn a_later_condition_of_statements_is_the_first_of_a_choice() {
        let statements = [x(0), choose(bit(A), x(1), vec![]), choose(bit(B), x(2), vec![])].concat();
        let conditions = vec![(bit(B), number(2, 8)), (bit(A), number(1, 8))];
        assert_eq!(chosen(&statements), Some((conditions, number(0, 8))));
        // A chain in the first branch: the other one comes first.
        let statements = choose(bit(A), choose(bit(B), x(1), x(2)), x(3));
        let conditions = vec![(not(bit(A)), number(3, 8)), (bit(B), number(1, 8))];
        assert_eq!(chosen(&statements), Some((conditions, number(2, 8))));
    }

    #[test]
    fn a_part_and_a_tree_and_a_long_chain_are_no_choice() {
        let part = assign(X, number(1, 4));
        assert_eq!(chosen(&[part]), None);
        assert_eq!(chosen(&choose(bit(A), x(1), vec![])), None, "it keeps its value");
        let tree = choose(bit(A), choose(bit(B), x(1), x(2)), choose(bit(C), x(3), x(4)));
        assert_eq!(chosen(&tree), None);
        let long = |conditions| (0..conditions).fold(x(9), |rest, one| choose(state(one), x(one), rest));
        assert!(chosen(&long(4)).is_some() && chosen(&long(5)).is_none());
    }
}
