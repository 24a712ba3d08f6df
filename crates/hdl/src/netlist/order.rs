// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of evaluation within a cycle, and the combinational paths through a module.

use super::drivers::{dependencies, outputs_of, project, reads_of};
use super::{
    Connection, Expression, ExpressionKind, Module, ModuleId, Netlist, Signal, SignalId, SignalKind, Statement,
};
use std::collections::{BTreeMap, BTreeSet};

/// For each signal, the signals on which it depends within a cycle. Registers, clocked read ports and inputs depend on
/// none.
pub(super) fn graph(module: &Module, modules: &[Module]) -> BTreeMap<SignalId, BTreeSet<SignalId>> {
    let mut graph = dependencies(&module.statements);
    for memory in module.memories.iter().filter(|memory| memory.read_clock.is_none()) {
        graph.insert(memory.read_data, BTreeSet::from([memory.read_address]));
    }
    for rom in module.roms.iter().filter(|rom| rom.clock.is_none()) {
        graph.insert(rom.data, BTreeSet::from([rom.address]));
    }
    for instance in &module.instances {
        let inner = &modules[instance.module];
        let ports: Vec<SignalId> = inner.ports().map(|(id, _)| id).collect();
        for (to, port) in outputs_of(instance.module, &instance.connections, modules) {
            let inputs = inner.paths.iter().find(|(output, _)| *output == port).map_or(&[][..], |(_, inputs)| inputs);
            let from = graph.entry(to).or_default();
            for input in inputs {
                let position = ports.iter().position(|id| id == input).expect("a path begins at a port");
                if let Connection::Signal(id) = &instance.connections[position] {
                    from.insert(*id);
                }
            }
        }
    }
    graph
}

/// The same netlist, in which all signals of a group depend on all that the group reads; `groups` says which signals of a
/// module are assigned together.
pub fn in_groups(netlist: &Netlist, groups: &dyn Fn(&Module) -> Vec<BTreeSet<SignalId>>) -> Netlist {
    let mut whole = Netlist { modules: Vec::with_capacity(netlist.modules.len()) };
    for module in &netlist.modules {
        let mut made = module.clone();
        for group in groups(module).iter().filter(|group| group.len() > 1) {
            let reads = reads_of(&project(&module.statements, &|id| group.contains(&id)));
            for (&target, read) in group.iter().flat_map(|target| reads.iter().map(move |read| (target, *read))) {
                let value = Expression { kind: ExpressionKind::Signal(read), shape: module.signals[read].shape };
                made.statements.push(Statement::Assign { target, low: 0, value });
            }
        }
        let graph = graph(&made, &whole.modules);
        let is = |kind| move |(id, signal): (SignalId, &Signal)| (signal.kind == kind).then_some(id);
        let inputs: BTreeSet<SignalId> = module.ports().filter_map(is(SignalKind::Input)).collect();
        let path = |output| (output, reached(&graph, [output], &|_| false).intersection(&inputs).copied().collect());
        made.paths = module.ports().filter_map(is(SignalKind::Output)).map(path).collect();
        whole.modules.push(made);
    }
    whole
}

/// For each signal of a module in a netlist, the signals on which it depends within a cycle; for an input, the outputs of
/// the module from which a path outside of it leads there, at any place where it stands.
pub fn graph_in(netlist: &Netlist, id: ModuleId) -> BTreeMap<SignalId, BTreeSet<SignalId>> {
    let module = &netlist.modules[id];
    let mut of_module = graph(module, &netlist.modules);
    for (place, parent) in netlist.modules.iter().enumerate() {
        if parent.instances.iter().all(|instance| instance.module != id) {
            continue;
        }
        let of_parent = graph_in(netlist, place);
        for instance in parent.instances.iter().filter(|instance| instance.module == id) {
            let driven: BTreeMap<SignalId, SignalId> =
                outputs_of(id, &instance.connections, &netlist.modules).into_iter().collect();
            for ((input, port), connection) in module.ports().zip(&instance.connections) {
                let (SignalKind::Input, Connection::Signal(outside)) = (port.kind, connection) else { continue };
                let outputs = reached(&of_parent, [*outside], &|id| driven.contains_key(&id));
                let outputs = outputs.iter().filter_map(|id| driven.get(id));
                of_module.entry(input).or_default().extend(outputs);
            }
        }
    }
    of_module
}

/// The signals on which some signals depend, themselves among them; what is behind a signal with `stops` is not looked
/// at.
pub fn reached(
    graph: &BTreeMap<SignalId, BTreeSet<SignalId>>,
    from: impl IntoIterator<Item = SignalId>,
    stops: &dyn Fn(SignalId) -> bool,
) -> BTreeSet<SignalId> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<SignalId> = from.into_iter().collect();
    while let Some(id) = open.pop() {
        if reached.insert(id) && !stops(id) {
            open.extend(graph.get(&id).into_iter().flatten());
        }
    }
    reached
}

/// Orders the signals so that each comes after all signals on which it depends; otherwise in the order of declaration.
///
/// # Errors
/// The signals of a combinational loop.
pub(super) fn order(module: &Module, modules: &[Module]) -> Result<Vec<SignalId>, Vec<SignalId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        Fresh,
        Open,
        Done,
    }
    let graph = graph(module, modules);
    let mut marks = vec![Mark::Fresh; module.signals.len()];
    let mut order = Vec::with_capacity(module.signals.len());
    let empty = BTreeSet::new();
    for start in 0..module.signals.len() {
        let mut path: Vec<(SignalId, _)> = Vec::new();
        if marks[start] == Mark::Fresh {
            marks[start] = Mark::Open;
            path.push((start, graph.get(&start).unwrap_or(&empty).iter()));
        }
        while let Some((at, left)) = path.last_mut() {
            match left.next() {
                Some(&next) => match marks[next] {
                    Mark::Done => {}
                    Mark::Open => {
                        let from = path.iter().position(|(id, _)| *id == next).expect("it is on the path");
                        return Err(path[from..].iter().map(|(id, _)| *id).collect());
                    }
                    Mark::Fresh => {
                        marks[next] = Mark::Open;
                        path.push((next, graph.get(&next).unwrap_or(&empty).iter()));
                    }
                },
                None => {
                    marks[*at] = Mark::Done;
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    Ok(order)
}

/// For each output the inputs that reach it within a cycle.
pub(super) fn paths(module: &Module, modules: &[Module], order: &[SignalId]) -> Vec<(SignalId, Vec<SignalId>)> {
    let graph = graph(module, modules);
    let mut inputs: Vec<BTreeSet<SignalId>> = vec![BTreeSet::new(); module.signals.len()];
    for &id in order {
        if module.signals[id].kind == SignalKind::Input {
            inputs[id].insert(id);
        }
        let from = graph.get(&id).into_iter().flatten();
        let reached: BTreeSet<SignalId> = from.flat_map(|from| inputs[*from].iter().copied()).collect();
        inputs[id].extend(reached);
    }
    let outputs = module.ports().filter(|(_, port)| port.kind == SignalKind::Output);
    outputs.map(|(id, _)| (id, inputs[id].iter().copied().collect())).collect()
}
