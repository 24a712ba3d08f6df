// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where clocks come from: a clock may pass through locals, outputs and instances, and may be inverted on its way.

use super::{Connection, Expression, ExpressionKind, Module, SignalId, SignalKind, Statement, Unary};
use std::collections::BTreeMap;

/// The clock input that a clock comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClockSource {
    /// A clock input of the module.
    pub input: SignalId,
    /// Whether it is inverted: a rising edge of the clock is a falling edge of the input.
    pub inverted: bool,
}

impl ClockSource {
    /// The source of this clock inverted, if `inverted`.
    fn inverted_if(self, inverted: bool) -> Self {
        ClockSource { inverted: self.inverted != inverted, ..self }
    }
}

/// What one clock is made of: a signal, and whether that is inverted.
fn made_of(value: &Expression) -> Option<(SignalId, bool)> {
    match &value.kind {
        ExpressionKind::Signal(id) => Some((*id, false)),
        ExpressionKind::Unary(Unary::Not, value) => made_of(value).map(|(id, inverted)| (id, !inverted)),
        _ => None,
    }
}

/// The clock input that a signal of a module comes from, if it is a clock: through assignments and instances.
pub fn clock_source(module: &Module, modules: &[Module], signal: SignalId) -> Option<ClockSource> {
    if module.signals[signal].kind == SignalKind::Clock {
        return Some(ClockSource { input: signal, inverted: false });
    }
    Sources::of(module, modules).find(signal, module.signals.len())
}

/// What drives the signals that may be clocks.
pub(super) struct Sources<'a> {
    module: &'a Module,
    modules: &'a [Module],
    /// For each signal with one assignment outside of conditions, of a signal or its inverse: what it is made of.
    assigned: BTreeMap<SignalId, (SignalId, bool)>,
}

impl<'a> Sources<'a> {
    pub fn of(module: &'a Module, modules: &'a [Module]) -> Self {
        let mut assigned = BTreeMap::new();
        for statement in &module.statements {
            if let Statement::Assign { target, low: 0, value } = statement
                && value.shape.bits == 1
                && module.signals[*target].shape.bits == 1
                && let Some(from) = made_of(value)
            {
                assigned.insert(*target, from);
            }
        }
        Sources { module, modules, assigned }
    }

    /// The source of a signal, over at most `steps` signals.
    pub fn find(&self, signal: SignalId, steps: usize) -> Option<ClockSource> {
        if self.module.signals[signal].kind == SignalKind::Clock {
            return Some(ClockSource { input: signal, inverted: false });
        }
        let steps = steps.checked_sub(1)?;
        if let Some(&(from, inverted)) = self.assigned.get(&signal) {
            return self.find(from, steps).map(|source| source.inverted_if(inverted));
        }
        for instance in &self.module.instances {
            let inner = &self.modules[instance.module];
            let ports: Vec<SignalId> = inner.ports().map(|(id, _)| id).collect();
            let place = instance.connections.iter().zip(&ports).position(|(connection, &port)| {
                *connection == Connection::Signal(signal) && inner.signals[port].kind == SignalKind::Output
            });
            let Some(place) = place else { continue };
            let source = clock_source(inner, self.modules, ports[place])?;
            let input = ports.iter().position(|&port| port == source.input)?;
            let Connection::Signal(outside) = &instance.connections[input] else { return None };
            return self.find(*outside, steps).map(|outer| outer.inverted_if(source.inverted));
        }
        None
    }
}
