// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that are read between their assignments.
//!
//! In `rust-hdl`, an output or a local signal that its own module reads has the value that was assigned last above the
//! read. Above the first assignment it has the value of the pass before: in a settled circuit the final value. A netlist
//! knows final values only. So a read below one assignment and above another gets a signal of its own, a version: what
//! was assigned until there. A local signal that is not given a value in every case needs no value where nobody reads
//! it: each of its reads gets a version, and the signal itself goes.

use super::drivers::{project, reads_of, reads_of_expression, rename_targets, surely_assigned, targets_of};
use super::hoist::local;
use super::names::free_name;
use super::{Expression, ExpressionKind, Shape, Signal, SignalId, SignalKind, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Gives each read between two assignments of one of the `own` signals a version; if `all`, each read below an assignment.
///
/// A read below the last assignment on its way through conditions has the final value. But the final value also depends
/// on what is assigned on the other ways, so that two signals may seem to depend on each other: then all are needed.
pub(super) fn number(
    statements: Vec<Statement>,
    signals: &mut Vec<Signal>,
    own: &BTreeSet<SignalId>,
    all: bool,
) -> Vec<Statement> {
    let targets = targets_of(&statements);
    let assigned = surely_assigned(&statements);
    let is_unsure =
        |id: &SignalId| signals[*id].kind == SignalKind::Local && !assigned.covers(*id, 0, signals[*id].shape.bits);
    let unsure: BTreeSet<SignalId> = targets.intersection(own).copied().filter(is_unsure).collect();
    let mut scan = Walk { own, unsure: &unsure, all, levels: Vec::new() };
    let mut numbered = BTreeSet::new();
    scan.find(&statements, &mut numbered);
    if numbered.is_empty() && !all {
        return statements;
    }
    let settled = if all { own.clone() } else { numbered.clone() };
    let walk = Walk { own: &numbered, unsure: &unsure, all, levels: Vec::new() };
    let mut writer = Writer { walk, signals, points: Vec::new(), versions: Vec::new() };
    let mut numbered = without_replaced(writer.outermost(statements), &settled, &BTreeSet::new(), signals);
    // A signal without a value in every case goes if nobody reads it any more.
    loop {
        let reads = reads_of(&numbered);
        let left = targets_of(&numbered);
        let unread: BTreeSet<SignalId> =
            unsure.iter().copied().filter(|id| left.contains(id) && !reads.contains(id)).collect();
        if unread.is_empty() {
            return numbered;
        }
        numbered = project(&numbered, &|id| !unread.contains(&id));
    }
}

/// The statements of a block without the assignments that later ones replace, to signals whose reads all are of versions
/// or of final values. `replaced`: the signals that are assigned as a whole behind the block.
fn without_replaced(
    block: Vec<Statement>,
    of: &BTreeSet<SignalId>,
    replaced: &BTreeSet<SignalId>,
    signals: &[Signal],
) -> Vec<Statement> {
    let mut replaced = replaced.clone();
    let mut kept = Vec::with_capacity(block.len());
    for statement in block.into_iter().rev() {
        match statement {
            Statement::Assign { target, .. } if replaced.contains(&target) => {}
            Statement::Assign { target, low, value } => {
                if of.contains(&target) && value.shape.bits == signals[target].shape.bits {
                    replaced.insert(target);
                }
                kept.push(Statement::Assign { target, low, value });
            }
            Statement::If { test, then, otherwise } => {
                let then = without_replaced(then, of, &replaced, signals);
                let otherwise = without_replaced(otherwise, of, &replaced, signals);
                if !(then.is_empty() && otherwise.is_empty()) {
                    kept.push(Statement::If { test, then, otherwise });
                }
            }
            Statement::Match { test, arms, default } => {
                let arms: Vec<_> = arms
                    .into_iter()
                    .map(|(pattern, block)| (pattern, without_replaced(block, of, &replaced, signals)))
                    .collect();
                let default = without_replaced(default, of, &replaced, signals);
                if !default.is_empty() || arms.iter().any(|(_, block)| !block.is_empty()) {
                    kept.push(Statement::Match { test, arms, default });
                }
            }
        }
    }
    kept.reverse();
    kept
}

/// Where a walk over statements is: one level for each block around.
struct Walk<'a> {
    /// The signals that are looked at.
    own: &'a BTreeSet<SignalId>,
    /// Those of them that are not given a value in every case.
    unsure: &'a BTreeSet<SignalId>,
    /// Whether each read below an assignment needs a version.
    all: bool,
    levels: Vec<Level>,
}

/// A block, and the place in it.
struct Level {
    /// The last statement that assigns each signal.
    last: BTreeMap<SignalId, usize>,
    at: usize,
    /// The signals that were assigned above.
    above: BTreeSet<SignalId>,
}

impl Walk<'_> {
    fn targets(&self, statement: &Statement) -> Vec<SignalId> {
        targets_of(std::slice::from_ref(statement)).intersection(self.own).copied().collect()
    }

    fn enter(&mut self, block: &[Statement]) {
        let mut last = BTreeMap::new();
        for (at, statement) in block.iter().enumerate() {
            last.extend(self.targets(statement).into_iter().map(|id| (id, at)));
        }
        self.levels.push(Level { last, at: 0, above: BTreeSet::new() });
    }

    /// Behind the statement at which the innermost block is.
    fn pass(&mut self, targets: Vec<SignalId>) {
        let level = self.levels.last_mut().expect("inside a block");
        level.above.extend(targets);
        level.at += 1;
    }

    /// Whether a read of a signal needs a version here.
    fn needs(&self, id: SignalId) -> bool {
        let above = self.own.contains(&id) && self.levels.iter().any(|level| level.above.contains(&id));
        let innermost = self.levels.len() - 1;
        let below = |(index, level): (usize, &Level)| {
            let last = level.last.get(&id).copied();
            last.is_some_and(|last| last > level.at || (last == level.at && index == innermost))
        };
        above && (self.all || self.unsure.contains(&id) || self.levels.iter().enumerate().any(below))
    }

    /// The signals with a read that needs a version.
    fn find(&mut self, block: &[Statement], found: &mut BTreeSet<SignalId>) {
        self.enter(block);
        for statement in block {
            let expression = match statement {
                Statement::Assign { value, .. } => value,
                Statement::If { test, .. } | Statement::Match { test, .. } => test,
            };
            let mut reads = BTreeSet::new();
            reads_of_expression(expression, &mut reads);
            found.extend(reads.into_iter().filter(|&id| self.needs(id)));
            match statement {
                Statement::Assign { .. } => {}
                Statement::If { then, otherwise, .. } => {
                    self.find(then, found);
                    self.find(otherwise, found);
                }
                Statement::Match { arms, default, .. } => {
                    arms.iter().for_each(|(_, block)| self.find(block, found));
                    self.find(default, found);
                }
            }
            let targets = self.targets(statement);
            self.pass(targets);
        }
        self.levels.pop();
    }
}

/// What is known of a signal in a block.
#[derive(Default)]
struct Point {
    /// Its value at some place above.
    base: Option<Expression>,
    /// What has been assigned since then: statements about this signal only.
    since: Vec<Statement>,
    /// Parts of its value here: lowest bit, value.
    parts: Vec<(usize, Expression)>,
}

/// Writes versions in place of reads.
struct Writer<'a> {
    walk: Walk<'a>,
    signals: &'a mut Vec<Signal>,
    /// For each block around.
    points: Vec<BTreeMap<SignalId, Point>>,
    /// The statements of versions that are not written yet.
    versions: Vec<Statement>,
}

impl Writer<'_> {
    fn outermost(&mut self, statements: Vec<Statement>) -> Vec<Statement> {
        self.walk.enter(&statements);
        self.points.push(BTreeMap::new());
        let mut written = Vec::with_capacity(statements.len());
        for statement in statements {
            let statement = self.statement(statement);
            written.append(&mut self.versions);
            written.push(statement);
        }
        written
    }

    fn block(&mut self, block: Vec<Statement>) -> Vec<Statement> {
        self.walk.enter(&block);
        self.points.push(BTreeMap::new());
        let block = block.into_iter().map(|statement| self.statement(statement)).collect();
        self.points.pop();
        self.walk.levels.pop();
        block
    }

    fn statement(&mut self, statement: Statement) -> Statement {
        let statement = match statement {
            Statement::Assign { target, low, value } => Statement::Assign { target, low, value: self.read(value) },
            Statement::If { test, then, otherwise } => {
                let test = self.read(test);
                Statement::If { test, then: self.block(then), otherwise: self.block(otherwise) }
            }
            Statement::Match { test, arms, default } => {
                let test = self.read(test);
                let arms = arms.into_iter().map(|(pattern, block)| (pattern, self.block(block))).collect();
                Statement::Match { test, arms, default: self.block(default) }
            }
        };
        let targets = self.walk.targets(&statement);
        for &target in &targets {
            let bits = self.signals[target].shape.bits;
            let point = self.points.last_mut().expect("inside a block").entry(target).or_default();
            if matches!(&statement, Statement::Assign { value, .. } if value.shape.bits == bits) {
                point.since.clear();
            }
            point.since.extend(project(std::slice::from_ref(&statement), &|id| id == target));
            point.parts.clear();
        }
        self.walk.pass(targets);
        statement
    }

    fn read(&mut self, mut expression: Expression) -> Expression {
        self.replace(&mut expression);
        expression
    }

    fn replace(&mut self, expression: &mut Expression) {
        let innermost = self.points.len() - 1;
        let shape = expression.shape;
        match &mut expression.kind {
            ExpressionKind::Signal(id) => {
                let id = *id;
                if self.walk.needs(id) {
                    *expression = self.whole(innermost, id);
                }
            }
            ExpressionKind::Slice { value, low } => match value.as_signal() {
                Some(id) if self.walk.needs(id) => *expression = self.part(innermost, id, *low, shape.bits),
                Some(_) => {}
                None => self.replace(value),
            },
            ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } => {}
            ExpressionKind::Unary(_, value) | ExpressionKind::Extend(value) | ExpressionKind::Reinterpret(value) => {
                self.replace(value)
            }
            ExpressionKind::Binary(_, left, right) => {
                self.replace(left);
                self.replace(right);
            }
            ExpressionKind::Join(parts) => parts.iter_mut().for_each(|part| self.replace(part)),
        }
    }

    /// The value of a signal at the place in a block around.
    fn whole(&mut self, level: usize, id: SignalId) -> Expression {
        let shape = self.signals[id].shape;
        let (base, since) = match self.points[level].get_mut(&id) {
            Some(point) => (point.base.clone(), std::mem::take(&mut point.since)),
            None => (None, Vec::new()),
        };
        let sure = surely_assigned(&since).covers(id, 0, shape.bits);
        let below = match (base, level) {
            _ if sure => None,
            (Some(base), _) => Some(base),
            (None, 0) => Some(Expression::signal(id, shape)),
            (None, _) => Some(self.whole(level - 1, id)),
        };
        let value = match below {
            Some(below) if since.is_empty() => return below,
            below => self.version(id, shape, below, since),
        };
        self.points[level].insert(id, Point { base: Some(value.clone()), ..Point::default() });
        value
    }

    /// Bits of the value of a signal at the place in a block around. What was assigned to other bits does not matter.
    fn part(&mut self, level: usize, id: SignalId, low: usize, bits: usize) -> Expression {
        let shape = self.signals[id].shape;
        if bits == shape.bits {
            return self.whole(level, id).reinterpret(false);
        }
        let Some(point) = self.points[level].get(&id).filter(|point| !point.since.is_empty() || point.base.is_some())
        else {
            return match level {
                0 => Expression::signal(id, shape).slice(low, bits),
                _ => self.part(level - 1, id, low, bits),
            };
        };
        let known = point.parts.iter().find(|(other, value)| *other == low && value.shape.bits == bits);
        if let Some((_, value)) = known {
            return value.clone();
        }
        let clipped = clip(&point.since, low, bits);
        let assigned = surely_assigned(&point.since);
        let value = match &point.base {
            Some(base) if clipped.is_empty() => base.clone().slice(low, bits),
            None if clipped.is_empty() && level > 0 => self.part(level - 1, id, low, bits),
            None if clipped.is_empty() => Expression::signal(id, shape).slice(low, bits),
            _ if !assigned.covers(id, 0, shape.bits) && assigned.covers(id, low, bits) => {
                self.version(id, Shape::unsigned(bits), None, clipped)
            }
            _ => return self.whole(level, id).slice(low, bits),
        };
        let point = self.points[level].get_mut(&id).expect("it is there");
        point.parts.push((low, value.clone()));
        value
    }

    /// What statements make of `below`: a value that is a name already, or a signal of its own.
    fn version(
        &mut self,
        id: SignalId,
        shape: Shape,
        below: Option<Expression>,
        mut since: Vec<Statement>,
    ) -> Expression {
        if let ([Statement::Assign { value, .. }], None) = (&since[..], &below)
            && matches!(
                value.kind,
                ExpressionKind::Signal(_) | ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. }
            )
        {
            return value.clone();
        }
        let enumeration = self.signals[id].enumeration.filter(|_| shape == self.signals[id].shape);
        let name = free_name(&self.signals[id].name, 1, &|name| self.signals.iter().any(|signal| signal.name == name));
        let version = self.signals.len();
        self.signals.push(Signal { enumeration, ..local(name, shape) });
        rename_targets(&mut since, &|target| if target == id { version } else { target });
        self.versions.extend(below.map(|value| Statement::Assign { target: version, low: 0, value }));
        self.versions.append(&mut since);
        Expression::signal(version, shape)
    }
}

/// What statements about one signal assign to some of its bits, from bit `low` up, as statements about these bits.
fn clip(statements: &[Statement], low: usize, bits: usize) -> Vec<Statement> {
    let clipped = statements.iter().filter_map(|statement| match statement {
        Statement::Assign { target, low: at, value } => {
            let (first, end) = ((*at).max(low), (at + value.shape.bits).min(low + bits));
            let value = (first < end).then(|| value.clone().slice(first - at, end - first))?;
            Some(Statement::Assign { target: *target, low: first - low, value })
        }
        Statement::If { test, then, otherwise } => {
            let (then, otherwise) = (clip(then, low, bits), clip(otherwise, low, bits));
            let empty = then.is_empty() && otherwise.is_empty();
            (!empty).then(|| Statement::If { test: test.clone(), then, otherwise })
        }
        Statement::Match { test, arms, default } => {
            let arms: Vec<_> = arms.iter().map(|(pattern, block)| (pattern.clone(), clip(block, low, bits))).collect();
            let default = clip(default, low, bits);
            let empty = default.is_empty() && arms.iter().all(|(_, block)| block.is_empty());
            (!empty).then(|| Statement::Match { test: test.clone(), arms, default })
        }
    });
    clipped.collect()
}
