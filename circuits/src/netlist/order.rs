// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of evaluation within a cycle, and the combinational paths through a module.

use super::drivers::{dependencies, outputs_of};
use super::{Connection, Module, SignalId, SignalKind};
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
