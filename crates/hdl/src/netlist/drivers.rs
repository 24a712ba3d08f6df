// SPDX-License-Identifier: MIT OR Apache-2.0
//! Readers and drivers of signals.

use super::{
    Binary, Connection, Expression, ExpressionKind, Module, ModuleId, Netlist, SignalId, SignalKind, Statement,
};
use std::collections::{BTreeMap, BTreeSet};

/// Calls `visit` for an expression and all its operands, outermost first.
pub fn visit_expressions(expression: &Expression, visit: &mut dyn FnMut(&Expression)) {
    visit(expression);
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } | ExpressionKind::Signal(_) => {}
        ExpressionKind::Unary(_, value)
        | ExpressionKind::Extend(value)
        | ExpressionKind::Slice { value, .. }
        | ExpressionKind::Reinterpret(value) => visit_expressions(value, visit),
        ExpressionKind::Binary(_, left, right) => {
            visit_expressions(left, visit);
            visit_expressions(right, visit);
        }
        ExpressionKind::Join(parts) => parts.iter().for_each(|part| visit_expressions(part, visit)),
    }
}

/// The expressions of statements, those of conditions among them.
pub(super) fn expressions_of<'a>(statements: &'a [Statement], visit: &mut dyn FnMut(&'a Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign { value, .. } => visit(value),
            Statement::If { test, then, otherwise } => {
                visit(test);
                expressions_of(then, visit);
                expressions_of(otherwise, visit);
            }
            Statement::Match { test, arms, default } => {
                visit(test);
                for (pattern, block) in arms {
                    visit(pattern);
                    expressions_of(block, visit);
                }
                expressions_of(default, visit);
            }
        }
    }
}

/// As [`expressions_of`], to change them.
pub(super) fn expressions_of_mut(statements: &mut [Statement], visit: &mut dyn FnMut(&mut Expression)) {
    for statement in statements {
        match statement {
            Statement::Assign { value, .. } => visit(value),
            Statement::If { test, then, otherwise } => {
                visit(test);
                expressions_of_mut(then, visit);
                expressions_of_mut(otherwise, visit);
            }
            Statement::Match { test, arms, default } => {
                visit(test);
                for (_, block) in arms {
                    expressions_of_mut(block, visit);
                }
                expressions_of_mut(default, visit);
            }
        }
    }
}

/// The signals that an expression reads.
pub(super) fn reads_of_expression(expression: &Expression, reads: &mut BTreeSet<SignalId>) {
    visit_expressions(expression, &mut |part| reads.extend(part.as_signal()));
}

/// The signals that statements read, in conditions or values.
pub fn reads_of(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut reads = BTreeSet::new();
    expressions_of(statements, &mut |expression| reads_of_expression(expression, &mut reads));
    reads
}

/// The signals that statements assign.
pub fn targets_of(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut targets = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => {
                targets.insert(*target);
            }
            Statement::If { then, otherwise, .. } => {
                targets.extend(targets_of(then));
                targets.extend(targets_of(otherwise));
            }
            Statement::Match { arms, default, .. } => {
                targets.extend(arms.iter().flat_map(|(_, block)| targets_of(block)));
                targets.extend(targets_of(default));
            }
        }
    }
    targets
}

/// Gives the signals that statements assign other indices.
pub(super) fn rename_targets(statements: &mut [Statement], new: &dyn Fn(SignalId) -> SignalId) {
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => *target = new(*target),
            Statement::If { then, otherwise, .. } => {
                rename_targets(then, new);
                rename_targets(otherwise, new);
            }
            Statement::Match { arms, default, .. } => {
                arms.iter_mut().for_each(|(_, block)| rename_targets(block, new));
                rename_targets(default, new);
            }
        }
    }
}

/// For each signal that statements assign, the signals on which its value depends.
pub(super) fn dependencies(statements: &[Statement]) -> BTreeMap<SignalId, BTreeSet<SignalId>> {
    fn walk(
        statements: &[Statement],
        conditions: &BTreeSet<SignalId>,
        of: &mut BTreeMap<SignalId, BTreeSet<SignalId>>,
    ) {
        for statement in statements {
            match statement {
                Statement::Assign { target, value, .. } => {
                    let reads = of.entry(*target).or_default();
                    reads.extend(conditions);
                    reads_of_expression(value, reads);
                }
                Statement::If { test, then, otherwise } => {
                    let mut conditions = conditions.clone();
                    reads_of_expression(test, &mut conditions);
                    walk(then, &conditions, of);
                    walk(otherwise, &conditions, of);
                }
                Statement::Match { test, arms, default } => {
                    let mut conditions = conditions.clone();
                    reads_of_expression(test, &mut conditions);
                    arms.iter().for_each(|(_, block)| walk(block, &conditions, of));
                    walk(default, &conditions, of);
                }
            }
        }
    }
    let mut of = BTreeMap::new();
    walk(statements, &BTreeSet::new(), &mut of);
    of
}

/// The statements that assign signals for which `keep` is true, without conditions on which no statement depends. A
/// `match` without a default keeps only the arms that do something; if this is one arm, it becomes an `if`.
pub fn project(statements: &[Statement], keep: &dyn Fn(SignalId) -> bool) -> Vec<Statement> {
    let kept = statements.iter().filter_map(|statement| match statement {
        Statement::Assign { target, .. } => keep(*target).then(|| statement.clone()),
        Statement::If { test, then, otherwise } => {
            let (then, otherwise) = (project(then, keep), project(otherwise, keep));
            let empty = then.is_empty() && otherwise.is_empty();
            (!empty).then(|| Statement::If { test: test.clone(), then, otherwise })
        }
        Statement::Match { test, arms, default } => {
            let arms = arms.iter().map(|(pattern, block)| (pattern.clone(), project(block, keep)));
            let default = project(default, keep);
            let mut arms: Vec<_> = arms.filter(|(_, block)| !default.is_empty() || !block.is_empty()).collect();
            match (&arms[..], &default[..]) {
                ([], []) => None,
                ([_], []) => {
                    let (pattern, then) = arms.pop().expect("there is one");
                    let test = Expression::binary(Binary::Equal, test.clone(), pattern);
                    Some(Statement::If { test, then, otherwise: Vec::new() })
                }
                _ => Some(Statement::Match { test: test.clone(), arms, default }),
            }
        }
    });
    kept.collect()
}

/// The bits of signals that statements assign under all conditions.
#[derive(Clone, Default)]
pub(super) struct Assigned(BTreeMap<SignalId, Bits>);

impl Assigned {
    /// Adds those of other statements.
    pub fn union(&mut self, other: Assigned) {
        for (target, bits) in other.0 {
            self.0.entry(target).or_default().union(&bits);
        }
    }

    /// Whether all of so many bits of a signal, from bit `low` up, are assigned.
    pub fn covers(&self, target: SignalId, low: usize, bits: usize) -> bool {
        self.0.get(&target).is_some_and(|known| known.covers(low, bits))
    }
}

/// The bits that statements assign under all conditions.
pub(super) fn surely_assigned(statements: &[Statement]) -> Assigned {
    let mut assigned = Assigned::default();
    for statement in statements {
        assigned.union(match statement {
            Statement::Assign { target, low, value } => {
                Assigned(BTreeMap::from([(*target, Bits::range(*low, value.shape.bits))]))
            }
            Statement::If { then, otherwise, .. } => common(vec![surely_assigned(then), surely_assigned(otherwise)]),
            Statement::Match { arms, default, .. } => {
                let arms = arms.iter().map(|(_, block)| surely_assigned(block));
                common(arms.chain([surely_assigned(default)]).collect())
            }
        });
    }
    assigned
}

/// The bits that are assigned in each of the branches.
fn common(mut branches: Vec<Assigned>) -> Assigned {
    let mut common = branches.pop().unwrap_or_default();
    for (target, bits) in &mut common.0 {
        for branch in &branches {
            match branch.0.get(target) {
                Some(other) => bits.intersect(other),
                None => *bits = Bits::default(),
            }
        }
    }
    common
}

/// A set of bit positions, in words of 128.
#[derive(Clone, Debug, Default, PartialEq)]
struct Bits(Vec<u128>);

impl Bits {
    fn range(low: usize, bits: usize) -> Self {
        let mut words = vec![0; (low + bits).div_ceil(128)];
        for bit in low..low + bits {
            words[bit / 128] |= 1 << (bit % 128);
        }
        Bits(words)
    }

    fn union(&mut self, other: &Bits) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn intersect(&mut self, other: &Bits) {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    fn covers(&self, low: usize, bits: usize) -> bool {
        let whole = Bits::range(low, bits);
        self.0.len() >= whole.0.len() && self.0.iter().zip(&whole.0).all(|(word, whole)| word & whole == *whole)
    }
}

/// Checks that each signal has one driver that assigns all its bits in every case, and that each signal that is read
/// has a driver.
///
/// The error names the signal.
pub(super) fn check_drivers(module: &Module, modules: &[Module]) -> Result<(), (SignalId, String)> {
    let mut drivers = vec![Vec::new(); module.signals.len()];
    for (id, signal) in module.signals.iter().enumerate() {
        if matches!(signal.kind, SignalKind::Input | SignalKind::Clock) {
            drivers[id].push("is an input".to_string());
        }
    }
    for register in &module.registers {
        drivers[register.q].push("is the output of a register".to_string());
    }
    for memory in &module.memories {
        drivers[memory.read_data].push(format!("is what the memory {} reads", memory.name));
    }
    for rom in &module.roms {
        drivers[rom.data].push(format!("is what the ROM {} reads", rom.name));
    }
    for instance in &module.instances {
        for (id, _) in outputs_of(instance.module, &instance.connections, modules) {
            drivers[id].push(format!("is an output of {}", instance.name));
        }
    }
    let assigned = surely_assigned(&module.statements);
    for target in targets_of(&module.statements) {
        let bits = module.signals[target].shape.bits;
        if !assigned.covers(target, 0, bits) {
            let reason =
                "is not given a value in every case, which would make a latch: give it one above the conditions";
            return Err((target, reason.to_string()));
        }
        drivers[target].push("is assigned".to_string());
    }
    for (id, drivers) in drivers.iter().enumerate() {
        match drivers.len() {
            1 => {}
            0 => return Err((id, "is driven by nothing".to_string())),
            _ => return Err((id, format!("has {} drivers: it {}", drivers.len(), drivers.join(" and it ")))),
        }
    }
    Ok(())
}

/// The signals that the outputs of an instance go to, each with the port's signal in its own module.
pub(super) fn outputs_of(
    module: ModuleId,
    connections: &[Connection],
    modules: &[Module],
) -> Vec<(SignalId, SignalId)> {
    let ports = modules[module].ports().zip(connections);
    let outputs = ports.filter(|((_, port), _)| port.kind == SignalKind::Output);
    outputs
        .filter_map(|((port, _), connection)| match connection {
            Connection::Signal(id) => Some((*id, port)),
            Connection::Constant(_) => None,
        })
        .collect()
}

/// Bits of a signal that a read of it uses.
pub(super) type BitMask = Vec<bool>;

/// For each signal the bits that are read in the module.
pub fn used_bits(module: &Module, netlist: &Netlist) -> Vec<BitMask> {
    let mut used: Vec<BitMask> = module.signals.iter().map(|signal| vec![false; signal.shape.bits]).collect();
    fn mark(expression: &Expression, used: &mut [BitMask]) {
        match &expression.kind {
            ExpressionKind::Signal(id) => used[*id].fill(true),
            ExpressionKind::Slice { value, low } => match value.as_signal() {
                Some(id) => used[id][*low..low + expression.shape.bits].fill(true),
                None => mark(value, used),
            },
            ExpressionKind::Unary(_, value) | ExpressionKind::Extend(value) | ExpressionKind::Reinterpret(value) => {
                mark(value, used)
            }
            ExpressionKind::Binary(_, left, right) => {
                mark(left, used);
                mark(right, used);
            }
            ExpressionKind::Join(parts) => parts.iter().for_each(|part| mark(part, used)),
            ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } => {}
        }
    }
    expressions_of(&module.statements, &mut |expression| mark(expression, &mut used));
    for register in &module.registers {
        let reset = register.reset;
        [Some(register.clock), Some(register.d), reset].into_iter().flatten().for_each(|id| used[id].fill(true));
    }
    for memory in &module.memories {
        let pins = [memory.read_address, memory.write_clock, memory.write_enable, memory.write_address];
        pins.into_iter().chain([memory.write_data]).chain(memory.read_clock).for_each(|id| used[id].fill(true));
    }
    module.roms.iter().flat_map(|rom| rom.clock.into_iter().chain([rom.address])).for_each(|id| used[id].fill(true));
    for instance in &module.instances {
        for ((_, port), connection) in netlist.modules[instance.module].ports().zip(&instance.connections) {
            if let (Connection::Signal(id), true) = (connection, port.kind != SignalKind::Output) {
                used[*id].fill(true);
            }
        }
    }
    for (id, signal) in module.signals.iter().enumerate() {
        if signal.kind == SignalKind::Output {
            used[id].fill(true);
        }
    }
    used
}
