// SPDX-License-Identifier: MIT OR Apache-2.0
//! How often the operations of a circuit change their values, counted in some cycles of a run.

use super::code::Layout;
use super::flatten::Flat;
use super::graph::{Id, Node};

/// Cycles in which each operation had another value than in the cycle before.
#[derive(Default)]
pub struct Activity {
    changes: Vec<u32>,
    cycles: u32,
}

impl Activity {
    /// Counts what is new in a cycle: the values of all operations in the cycle before and in this one.
    pub fn see(&mut self, before: &[u64], now: &[u64]) {
        self.changes.resize(now.len(), 0);
        self.cycles += 1;
        for (changes, (before, now)) in self.changes.iter_mut().zip(before.iter().zip(now)) {
            *changes += u32::from(before != now);
        }
    }

    /// Cycles that were counted.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// The share of the cycles in which an operation changed.
    pub fn rate(&self, id: Id) -> f64 {
        f64::from(self.changes[id as usize]) / f64::from(self.cycles)
    }
}

/// The values of all operations in a cycle, from the words and the registers of a simulation.
pub fn values(flat: &Flat, layout: &Layout, words: &[u64], registers: &[u64]) -> Vec<u64> {
    let graph = &flat.graph;
    let mut values: Vec<u64> = Vec::with_capacity(graph.len());
    for id in 0..graph.len() as Id {
        let of = |id: Id| values[id as usize];
        let load = |leaf: Node| match leaf {
            Node::Input(word) => words[word as usize],
            Node::State(word) => registers[word as usize],
            Node::Fetch(base, address) => words[(layout.memory + base) as usize + of(address) as usize],
            _ => unreachable!("a whole circuit has no wires"),
        };
        values.push(graph.node(id).value(of, load));
    }
    values
}
