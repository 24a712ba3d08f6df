// SPDX-License-Identifier: MIT OR Apache-2.0
//! The value of each signal of a circuit as operations: what assigns it, in its module or in an instance.

use super::graph::{Graph, Id};
use super::words::Words;
use crate::netlist::{
    Binary, Connection, Expression, ExpressionKind, Module, ModuleId, Netlist, Shape, SignalId, SignalKind, Statement,
    Unary, targets_of,
};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// A module at its place in the circuit.
pub struct Scope {
    pub module: ModuleId,
    /// The scope around it, and the instance there.
    pub parent: Option<(usize, usize)>,
    pub children: Vec<usize>,
    pub values: Vec<Option<Words>>,
    /// The first word of each memory, then of each ROM.
    pub memories: Vec<u32>,
}

/// What a module looks like: the same for each of its instances.
pub struct Plan {
    /// For each assigned signal, the statements that assign it, without the others.
    pub assigned: BTreeMap<SignalId, Vec<Statement>>,
    /// For each signal that an instance drives: the instance, the signal inside.
    pub driven: HashMap<SignalId, (usize, SignalId)>,
    /// For each signal that a memory or a ROM drives within a cycle: its place among the memories, then the ROMs.
    pub fetched: HashMap<SignalId, usize>,
    /// Place of each port among the ports.
    pub place: HashMap<SignalId, usize>,
}

/// What a module looks like.
pub fn plan(module: &Module, netlist: &Netlist) -> Plan {
    let targets = targets_of(&module.statements);
    let assigned = targets.into_iter().map(|target| (target, only(&module.statements, target))).collect();
    let mut driven = HashMap::new();
    for (index, instance) in module.instances.iter().enumerate() {
        for ((port, signal), connection) in netlist.modules[instance.module].ports().zip(&instance.connections) {
            if let (SignalKind::Output, Connection::Signal(outside)) = (signal.kind, connection) {
                driven.insert(*outside, (index, port));
            }
        }
    }
    let place = module.ports().enumerate().map(|(place, (port, _))| (port, place)).collect();
    let at_once = module.memories.iter().enumerate().filter(|(_, memory)| memory.read_clock.is_none());
    let roms = module.roms.iter().enumerate().filter(|(_, rom)| rom.clock.is_none());
    let roms = roms.map(|(index, rom)| (rom.data, module.memories.len() + index));
    let fetched = at_once.map(|(index, memory)| (memory.read_data, index)).chain(roms).collect();
    Plan { assigned, driven, fetched, place }
}

/// The statements that assign one signal.
fn only(statements: &[Statement], wanted: SignalId) -> Vec<Statement> {
    let mut kept = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } if *target == wanted => kept.push(statement.clone()),
            Statement::Assign { .. } => {}
            Statement::If { test, then, otherwise } => {
                let (then, otherwise) = (only(then, wanted), only(otherwise, wanted));
                if !(then.is_empty() && otherwise.is_empty()) {
                    kept.push(Statement::If { test: test.clone(), then, otherwise });
                }
            }
            Statement::Match { test, arms, default } => {
                let arms: Vec<_> = arms.iter().map(|(pattern, block)| (pattern.clone(), only(block, wanted))).collect();
                let default = only(default, wanted);
                if !default.is_empty() || arms.iter().any(|(_, block)| !block.is_empty()) {
                    kept.push(Statement::Match { test: test.clone(), arms, default });
                }
            }
        }
    }
    kept
}

/// A circuit whose modules are put into each other.
pub struct Flattener<'a> {
    pub netlist: &'a Netlist,
    pub plans: Vec<Rc<Plan>>,
    pub scopes: Vec<Scope>,
    pub graph: Graph,
}

impl<'a> Flattener<'a> {
    /// The module of a scope.
    pub fn module(&self, scope: usize) -> &'a Module {
        &self.netlist.modules[self.scopes[scope].module]
    }

    /// The value of a signal in a cycle.
    pub fn value(&mut self, scope: usize, signal: SignalId) -> Words {
        if let Some(value) = &self.scopes[scope].values[signal] {
            return value.clone();
        }
        let plan = Rc::clone(&self.plans[self.scopes[scope].module]);
        let value = if let Some(statements) = plan.assigned.get(&signal) {
            let bits = self.module(scope).signals[signal].shape.bits;
            self.assigned(scope, statements, bits, None).expect("a signal is assigned in every case")
        } else if let Some(&(instance, inside)) = plan.driven.get(&signal) {
            let child = self.scopes[scope].children[instance];
            self.value(child, inside)
        } else if let Some(&memory) = plan.fetched.get(&signal) {
            self.fetched(scope, memory)
        } else {
            let (parent, index) = self.scopes[scope].parent.expect("the inputs of the circuit have values");
            match &self.module(parent).instances[index].connections[plan.place[&signal]] {
                Connection::Signal(id) => self.value(parent, *id),
                Connection::Constant(value) => self.expression(parent, value),
            }
        };
        self.scopes[scope].values[signal] = Some(value.clone());
        value
    }

    /// The value of a signal after statements that assign only this signal; `before` is its value above them.
    fn assigned(
        &mut self,
        scope: usize,
        statements: &[Statement],
        bits: usize,
        before: Option<Words>,
    ) -> Option<Words> {
        let mut current = before;
        for statement in statements {
            current = match statement {
                Statement::Assign { low, value, .. } => {
                    let part = value.shape.bits;
                    let value = self.expression(scope, value);
                    Some(match current {
                        _ if part == bits => value,
                        Some(before) => self.graph.wide_insert(&before, *low, &value, part),
                        // The other bits are assigned below.
                        None => {
                            let zero = self.graph.wide_constant(0, bits);
                            self.graph.wide_insert(&zero, *low, &value, part)
                        }
                    })
                }
                Statement::If { test, then, otherwise } => {
                    let test = self.expression(scope, test)[0];
                    self.chosen(scope, test, then, otherwise, bits, current)
                }
                Statement::Match { test, arms, default } => {
                    let test = self.expression(scope, test);
                    let mut value = self.assigned(scope, default, bits, current.clone());
                    for (pattern, block) in arms.iter().rev() {
                        let pattern = self.expression(scope, pattern);
                        let equal = self.graph.wide_equal(&test, &pattern);
                        let arm = self.assigned(scope, block, bits, current.clone());
                        value = self.merged(equal, arm, value);
                    }
                    value
                }
            };
        }
        current
    }

    fn chosen(
        &mut self,
        scope: usize,
        test: Id,
        then: &[Statement],
        otherwise: &[Statement],
        bits: usize,
        before: Option<Words>,
    ) -> Option<Words> {
        match self.graph.number(test) {
            Some(0) => self.assigned(scope, otherwise, bits, before),
            Some(_) => self.assigned(scope, then, bits, before),
            None => {
                let then = self.assigned(scope, then, bits, before.clone());
                let otherwise = self.assigned(scope, otherwise, bits, before);
                self.merged(test, then, otherwise)
            }
        }
    }

    /// A value that one side does not assign is assigned below, in every case.
    fn merged(&mut self, test: Id, then: Option<Words>, otherwise: Option<Words>) -> Option<Words> {
        match (then, otherwise) {
            (Some(then), Some(otherwise)) => Some(self.graph.wide_select(test, &then, &otherwise)),
            (then, otherwise) => then.or(otherwise),
        }
    }

    fn expression(&mut self, scope: usize, expression: &Expression) -> Words {
        let bits = expression.shape.bits;
        match &expression.kind {
            ExpressionKind::Constant(value) => self.graph.wide_constant(*value, bits),
            ExpressionKind::Enumerator { value, .. } => self.graph.wide_constant(*value as u128, bits),
            ExpressionKind::Signal(id) => self.value(scope, *id),
            ExpressionKind::Reinterpret(value) => self.expression(scope, value),
            ExpressionKind::Extend(value) => {
                let inner = self.expression(scope, value);
                self.graph.wide_extend(&inner, value.shape.bits, bits, value.shape.signed)
            }
            ExpressionKind::Slice { value, low } => {
                let value = self.expression(scope, value);
                self.graph.wide_slice(&value, *low, bits)
            }
            ExpressionKind::Unary(operator, value) => {
                let inner = self.expression(scope, value);
                self.unary(*operator, &inner, value.shape.bits)
            }
            ExpressionKind::Join(parts) => {
                let zero = self.graph.wide_constant(0, bits);
                let (mut joined, mut low) = (zero.clone(), 0);
                for part in parts.iter().rev() {
                    let value = self.expression(scope, part);
                    let placed = self.graph.wide_insert(&zero, low, &value, part.shape.bits);
                    joined = self.graph.wide_each(&joined, &placed, Graph::or);
                    low += part.shape.bits;
                }
                joined
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (shape, one) = (left.shape, self.expression(scope, left));
                let other = self.expression(scope, right);
                self.binary(*operator, &one, &other, shape)
            }
        }
    }

    fn unary(&mut self, operator: Unary, value: &[Id], bits: usize) -> Words {
        let graph = &mut self.graph;
        match operator {
            Unary::Not => graph.wide_not(value, bits),
            Unary::Negate => {
                let zero = graph.wide_constant(0, bits);
                graph.wide_subtract(&zero, value, bits)
            }
            Unary::All => {
                let zero = graph.wide_constant(0, bits);
                let all = graph.wide_not(&zero, bits);
                vec![graph.wide_equal(value, &all)]
            }
            Unary::Any => {
                let zero = graph.wide_constant(0, bits);
                let none = graph.wide_equal(value, &zero);
                vec![graph.not(none)]
            }
            Unary::Parity => {
                let mut folded = value[0];
                for &word in &value[1..] {
                    folded = graph.xor(folded, word);
                }
                vec![graph.parity(folded)]
            }
        }
    }

    fn binary(&mut self, operator: Binary, left: &[Id], right: &[Id], shape: Shape) -> Words {
        let (graph, bits) = (&mut self.graph, shape.bits);
        let (left, right) = match operator {
            Binary::Less | Binary::LessOrEqual | Binary::Greater | Binary::GreaterOrEqual if shape.signed => {
                (graph.wide_flip_sign(left, bits), graph.wide_flip_sign(right, bits))
            }
            _ => (left.to_vec(), right.to_vec()),
        };
        let (left, right) = (&left[..], &right[..]);
        match operator {
            Binary::Add => graph.wide_add(left, right, bits),
            Binary::Subtract => graph.wide_subtract(left, right, bits),
            Binary::Multiply => graph.wide_multiply(left, right, bits),
            Binary::And => graph.wide_each(left, right, Graph::and),
            Binary::Or => graph.wide_each(left, right, Graph::or),
            Binary::Xor => graph.wide_each(left, right, Graph::xor),
            Binary::ShiftLeft => graph.wide_shift(left, right, bits, true),
            Binary::ShiftRight => graph.wide_shift(left, right, bits, false),
            Binary::Equal => vec![graph.wide_equal(left, right)],
            Binary::NotEqual => {
                let equal = graph.wide_equal(left, right);
                vec![graph.not(equal)]
            }
            Binary::Less => vec![graph.wide_less(left, right)],
            Binary::Greater => vec![graph.wide_less(right, left)],
            Binary::LessOrEqual => {
                let greater = graph.wide_less(right, left);
                vec![graph.not(greater)]
            }
            Binary::GreaterOrEqual => {
                let less = graph.wide_less(left, right);
                vec![graph.not(less)]
            }
        }
    }
}
