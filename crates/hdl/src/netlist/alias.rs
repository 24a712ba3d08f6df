// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that only copy another signal: `part.port.next = signal.val()` becomes a connection.

use super::drivers::{expressions_of, expressions_of_mut, outputs_of, reads_of_expression, rename_targets, targets_of};
use super::{Connection, Expression, ExpressionKind, Module, SignalId, SignalKind, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Connects inputs of instances, and outputs that are copied to one signal, directly; then removes the signals that are
/// not used.
pub(super) fn connect_directly(module: &mut Module, modules: &[Module]) {
    inputs(module, modules);
    outputs(module, modules);
    take_out_unused(module);
}

/// The signals that are driven by one statement outside of conditions, which assigns all bits; with its value.
fn plain_drivers(module: &Module) -> BTreeMap<SignalId, Expression> {
    let mut count: BTreeMap<SignalId, usize> = BTreeMap::new();
    for statement in &module.statements {
        for target in targets_of(std::slice::from_ref(statement)) {
            *count.entry(target).or_default() += 1;
        }
    }
    let plain = module.statements.iter().filter_map(|statement| match statement {
        Statement::Assign { target, low: 0, value } if value.shape.bits == module.signals[*target].shape.bits => {
            Some((*target, value.clone()))
        }
        _ => None,
    });
    plain.filter(|(target, _)| count[target] == 1).collect()
}

fn drop_assignments(module: &mut Module, of: &BTreeSet<SignalId>) {
    module.statements.retain(|statement| !matches!(statement, Statement::Assign { target, .. } if of.contains(target)));
}

/// Connects the inputs of instances that get a signal or a constant.
fn inputs(module: &mut Module, modules: &[Module]) {
    let mut pins: BTreeSet<SignalId> = BTreeSet::new();
    for instance in &module.instances {
        for ((_, port), connection) in modules[instance.module].ports().zip(&instance.connections) {
            if let (SignalKind::Input, Connection::Signal(id)) = (port.kind, connection) {
                pins.insert(*id);
            }
        }
    }
    let held: BTreeSet<SignalId> = pins.clone();
    pins.extend(module.registers.iter().filter_map(|register| register.reset));
    for memory in &module.memories {
        pins.extend([memory.read_address, memory.write_enable, memory.write_address, memory.write_data]);
    }
    pins.extend(module.roms.iter().map(|rom| rom.address));
    let plain = plain_drivers(module);
    let mut to_signal: BTreeMap<SignalId, SignalId> = BTreeMap::new();
    let mut to_constant: BTreeMap<SignalId, Expression> = BTreeMap::new();
    let mut read = BTreeSet::new();
    expressions_of(&module.statements, &mut |expression| reads_of_expression(expression, &mut read));
    for pin in pins {
        match plain.get(&pin) {
            Some(Expression { kind: ExpressionKind::Signal(id), .. }) => {
                to_signal.insert(pin, *id);
            }
            Some(value @ Expression { kind: ExpressionKind::Constant(_), .. })
                if held.contains(&pin) && !read.contains(&pin) =>
            {
                to_constant.insert(pin, value.clone());
            }
            _ => {}
        }
    }
    drop_assignments(module, &to_signal.keys().chain(to_constant.keys()).copied().collect());
    for instance in &mut module.instances {
        for connection in &mut instance.connections {
            if let Connection::Signal(id) = connection
                && let Some(value) = to_constant.get(id)
            {
                *connection = Connection::Constant(value.clone());
            }
        }
    }
    rename(module, &to_signal);
}

/// Connects the outputs of instances that one signal copies: the instance drives that signal.
fn outputs(module: &mut Module, modules: &[Module]) {
    let driven: BTreeSet<SignalId> = module
        .instances
        .iter()
        .flat_map(|instance| outputs_of(instance.module, &instance.connections, modules))
        .map(|(id, _)| id)
        .collect();
    let plain = plain_drivers(module);
    let mut renamed: BTreeMap<SignalId, SignalId> = BTreeMap::new();
    for ports_first in [true, false] {
        for (&target, value) in &plain {
            let is_port = module.signals[target].kind == SignalKind::Output;
            let Some(source) = value.as_signal().filter(|id| driven.contains(id)) else { continue };
            let same = module.signals[source].shape == module.signals[target].shape;
            if is_port == ports_first && same && !renamed.contains_key(&source) {
                renamed.insert(source, target);
            }
        }
    }
    drop_assignments(module, &renamed.values().copied().collect());
    rename(module, &renamed);
}

/// Replaces signals by others, wherever they are read or connected.
fn rename(module: &mut Module, to: &BTreeMap<SignalId, SignalId>) {
    let new = |id: SignalId| {
        let mut id = id;
        while let Some(&next) = to.get(&id) {
            id = next;
        }
        id
    };
    apply(module, &new);
    for comment in &mut module.comments {
        comment.targets = comment.targets.iter().map(|&id| new(id)).collect();
    }
}

/// Gives every signal that a module refers to another index.
fn apply(module: &mut Module, new: &dyn Fn(SignalId) -> SignalId) {
    fn in_expression(expression: &mut Expression, new: &dyn Fn(SignalId) -> SignalId) {
        match &mut expression.kind {
            ExpressionKind::Signal(id) => *id = new(*id),
            ExpressionKind::Unary(_, value)
            | ExpressionKind::Extend(value)
            | ExpressionKind::Slice { value, .. }
            | ExpressionKind::Reinterpret(value) => in_expression(value, new),
            ExpressionKind::Binary(_, left, right) => {
                in_expression(left, new);
                in_expression(right, new);
            }
            ExpressionKind::Join(parts) => parts.iter_mut().for_each(|part| in_expression(part, new)),
            ExpressionKind::Constant(_) | ExpressionKind::Enumerator { .. } => {}
        }
    }
    expressions_of_mut(&mut module.statements, &mut |expression| in_expression(expression, new));
    rename_targets(&mut module.statements, new);
    for register in &mut module.registers {
        register.d = new(register.d);
        register.q = new(register.q);
        register.clock = new(register.clock);
        register.reset = register.reset.map(new);
    }
    for memory in &mut module.memories {
        let pins = [&mut memory.read_address, &mut memory.read_data, &mut memory.write_clock];
        let more = [&mut memory.write_enable, &mut memory.write_address, &mut memory.write_data];
        pins.into_iter().chain(more).chain(&mut memory.read_clock).for_each(|id| *id = new(*id));
    }
    for rom in &mut module.roms {
        [&mut rom.address, &mut rom.data].into_iter().chain(&mut rom.clock).for_each(|id| *id = new(*id));
    }
    for instance in &mut module.instances {
        for connection in &mut instance.connections {
            if let Connection::Signal(id) = connection {
                *id = new(*id);
            }
        }
    }
}

/// Removes the signals that are not used any more.
fn take_out_unused(module: &mut Module) {
    use std::cell::RefCell;
    let seen = RefCell::new(BTreeSet::new());
    apply(module, &|id| {
        seen.borrow_mut().insert(id);
        id
    });
    let seen = seen.into_inner();
    let keep: Vec<bool> = (0..module.signals.len())
        .map(|id| module.signals[id].kind != SignalKind::Local || seen.contains(&id))
        .collect();
    let mut new = Vec::with_capacity(keep.len());
    let mut count = 0;
    for &kept in &keep {
        new.push(count);
        count += usize::from(kept);
    }
    apply(module, &|id| new[id]);
    for comment in &mut module.comments {
        comment.targets = comment.targets.iter().filter(|&&id| keep[id]).map(|&id| new[id]).collect();
    }
    let mut kept = keep.iter();
    module.signals.retain(|_| *kept.next().expect("one for each signal"));
}
