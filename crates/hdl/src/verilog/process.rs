// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements divided for Verilog: wires with one assignment, blocks, and the clocked statements of registers.
//!
//! Every read sees the final value of a signal, so the statements of different signals may be separated. Signals with
//! the same conditions stay in one block if nothing that the block reads depends on any of them, also outside of the
//! module: a block that assigns a default first would otherwise start itself again, without end. Of another block, each
//! signal depends on all that it reads.

use super::fixed::fixed;
use super::tidy::{Choice, tidy};
use crate::netlist::{
    Comment, Connection, Module, Netlist, SignalId, Statement, graph_in, in_groups, project, reached, reads_of,
    targets_of,
};
use std::collections::{BTreeMap, BTreeSet};

/// Signals that are assigned together.
pub(super) struct Process {
    pub targets: BTreeSet<SignalId>,
    pub statements: Vec<Statement>,
    /// The value of its only signal, if one assignment is enough for it; otherwise it needs an `always` block.
    pub value: Option<Choice>,
}

impl Process {
    fn new(module: &Module, targets: BTreeSet<SignalId>) -> Self {
        let statements = tidy(&project(&module.statements, &|id| targets.contains(&id)));
        let alone = (targets.len() == 1).then(|| targets.first()).flatten();
        let value = alone.and_then(|&id| Choice::of(module.signals[id].shape.bits, &statements));
        Process { targets, statements, value }
    }

    /// The same, or an assignment of each of its signals if all are constants.
    fn without_choices_of_constants(self, module: &Module) -> Vec<Process> {
        let constant = |&id: &SignalId| {
            let otherwise = fixed(module, id, &self.statements)?;
            let statements = vec![Statement::Assign { target: id, low: 0, value: otherwise.clone() }];
            let value = Some(Choice { conditions: Vec::new(), otherwise });
            Some(Process { targets: BTreeSet::from([id]), statements, value })
        };
        self.targets.iter().map(constant).collect::<Option<_>>().unwrap_or(vec![self])
    }
}

/// Inputs of registers that only their register reads. They need no signal in Verilog.
pub(super) fn clocked_inputs(module: &Module) -> BTreeSet<SignalId> {
    let mut read = reads_of(&module.statements);
    for instance in &module.instances {
        read.extend(instance.connections.iter().filter_map(|connection| match connection {
            Connection::Signal(id) => Some(*id),
            Connection::Constant(_) => None,
        }));
    }
    for memory in &module.memories {
        read.extend([memory.read_address, memory.write_enable, memory.write_address, memory.write_data]);
    }
    read.extend(module.roms.iter().map(|rom| rom.address));
    read.extend(module.registers.iter().filter_map(|register| register.reset));
    module.registers.iter().map(|register| register.d).filter(|d| !read.contains(d)).collect()
}

/// The statements of those registers, without the default that a register keeps its value.
pub(super) fn clocked(module: &Module) -> Vec<Statement> {
    let inputs = clocked_inputs(module);
    let holds = |statement: &Statement| match statement {
        Statement::Assign { target, low: 0, value } => {
            let register = module.registers.iter().find(|register| register.d == *target);
            register.is_some_and(|register| value.as_signal() == Some(register.q))
        }
        _ => false,
    };
    let mut seen = BTreeSet::new();
    let mut statements = Vec::new();
    for statement in project(&module.statements, &|id| inputs.contains(&id)) {
        let targets = targets_of(std::slice::from_ref(&statement));
        // Only if nothing was assigned before it.
        let first = targets.is_disjoint(&seen);
        seen.extend(targets);
        if !(first && holds(&statement)) {
            statements.push(statement);
        }
    }
    statements
}

/// The clocked statements of one edge of a clock, each with the index of the comment above it.
pub(super) struct ClockedBlock {
    pub clock: SignalId,
    pub falling: bool,
    pub statements: Vec<(Option<usize>, Statement)>,
}

impl ClockedBlock {
    /// The comments in this block.
    pub fn comments(&self) -> impl Iterator<Item = usize> + '_ {
        self.statements.iter().filter_map(|(comment, _)| *comment)
    }
}

/// The clocked statements, by clock and edge.
pub(super) fn clocked_blocks(module: &Module) -> Vec<ClockedBlock> {
    let (statements, inputs) = (clocked(module), clocked_inputs(module));
    let edges: BTreeSet<(SignalId, bool)> =
        module.registers.iter().map(|register| (register.clock, register.falling)).collect();
    let block = |(clock, falling)| {
        let here = module.registers.iter().filter(|register| (register.clock, register.falling) == (clock, falling));
        let mine = here.map(|register| register.d);
        let mine: BTreeSet<SignalId> = mine.collect();
        let mut next = 0;
        let with_comment = |statement: Statement| {
            let targets = targets_of(std::slice::from_ref(&statement));
            let is_about = |comment: &Comment| {
                let clocked = comment.targets.iter().filter(|&id| mine.contains(id) && inputs.contains(id));
                clocked.eq(&targets)
            };
            let found = module.comments[next..].iter().position(is_about).map(|index| next + index);
            next = found.map_or(next, |index| index + 1);
            (found, statement)
        };
        let mine = tidy(&project(&statements, &|id| mine.contains(&id)));
        let statements = mine.into_iter().map(with_comment).collect();
        ClockedBlock { clock, falling, statements }
    };
    edges.into_iter().map(block).collect()
}

/// The signals of a module whose statements have the same conditions.
fn groups(module: &Module) -> Vec<BTreeSet<SignalId>> {
    let hidden = clocked_inputs(module);
    let mut groups: Vec<BTreeSet<SignalId>> = Vec::new();
    for statement in project(&module.statements, &|id| !hidden.contains(&id)) {
        let mut targets = targets_of(std::slice::from_ref(&statement));
        let mut place = groups.len();
        for index in (0..groups.len()).rev() {
            if !groups[index].is_disjoint(&targets) {
                targets.extend(std::mem::take(&mut groups[index]));
                place = index;
            }
        }
        match groups.get_mut(place) {
            Some(group) => *group = targets,
            None => groups.push(targets),
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The combinational part, in the order of the source, each signal above those that read it.
pub(super) fn processes(module: &Module, netlist: &Netlist) -> Vec<Process> {
    let place = netlist.modules.iter().position(|known| known.name == module.name);
    let graph = place.map(|place| graph_in(&in_groups(netlist, &groups), place)).unwrap_or_default();
    let each = groups(module).into_iter().flat_map(|group| apart(module, group, &graph));
    let mut left: Vec<Process> = each.flat_map(|process| process.without_choices_of_constants(module)).collect();
    let mut sorted: Vec<Process> = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |process: &Process| {
            let reads = reads_of(&process.statements);
            left.iter().any(|other| other.targets != process.targets && !other.targets.is_disjoint(&reads))
        };
        match left.iter().position(|process| !waits(process)) {
            Some(free) => sorted.push(left.remove(free)),
            // Two groups depend on each other: one of them is divided.
            None => {
                let together = left.iter().position(|process| process.targets.len() > 1).expect("there is no loop");
                let group = left.remove(together);
                let each = group.targets.iter().map(|&id| Process::new(module, BTreeSet::from([id])));
                left.splice(together..together, each.collect::<Vec<_>>());
            }
        }
    }
    sorted
}

/// A group as one process; or one process for each signal, if something that it reads depends on one of its signals.
fn apart(module: &Module, group: BTreeSet<SignalId>, graph: &BTreeMap<SignalId, BTreeSet<SignalId>>) -> Vec<Process> {
    let process = Process::new(module, group);
    if process.targets.len() == 1 {
        return vec![process];
    }
    let reads = reached(graph, reads_of(&process.statements), &|id| process.targets.contains(&id));
    if process.targets.is_disjoint(&reads) {
        return vec![process];
    }
    process.targets.iter().map(|&id| Process::new(module, BTreeSet::from([id]))).collect()
}
