// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where registers are written: behind a branch, or on its sides.
//!
//! Most registers keep their values in most cycles: a chain of choices that ends in the register itself. Such a
//! register is written only on the sides that give it another value, and what it takes is no value that the branch has
//! to hand on.

use super::branches::{Branch, Item};
use super::graph::{Graph, Id};

/// How the values of all operations are used. A branch is named by the first of its choices.
pub struct Stores {
    /// For each operation, the branch on a side of which it is computed; `None`: in every cycle.
    home: Vec<Option<Id>>,
    /// For each operation, the branch of which it is a choice.
    branch: Vec<Option<Id>>,
    /// For each operation, whether something reads its value, and not only registers take it.
    read: Vec<bool>,
}

impl Stores {
    /// `read`: results that are read; `stored`: results that registers take.
    pub fn of(graph: &Graph, items: &[Item], read: &[Id], stored: &[Id]) -> Self {
        let none = vec![None; graph.len()];
        let mut stores = Stores { home: none.clone(), branch: none, read: vec![false; graph.len()] };
        stores.place(items, None);
        let mut taken = vec![false; graph.len()];
        read.iter().for_each(|&id| stores.read[id as usize] = true);
        stored.iter().for_each(|&id| taken[id as usize] = true);
        for id in (0..graph.len()).rev() {
            let node = graph.node(id as Id);
            if stores.read[id] || (taken[id] && stores.branch[id].is_none()) {
                node.operands().for_each(|operand| stores.read[operand as usize] = true);
            } else if taken[id] {
                let test = node.operands().next().expect("a choice has a test");
                stores.read[test as usize] = true;
                for side in 0..2 {
                    let value = graph.chosen(id as Id, side);
                    match stores.is_inside(value, id as Id) {
                        true => taken[value as usize] = true,
                        false => stores.read[value as usize] = true,
                    }
                }
            }
        }
        stores
    }

    fn place(&mut self, items: &[Item], home: Option<Id>) {
        for item in items {
            match item {
                Item::Operation(id) => self.home[*id as usize] = home,
                Item::Branch(Branch { choices, sides, .. }) => {
                    for &choice in choices {
                        (self.home[choice as usize], self.branch[choice as usize]) = (home, Some(choices[0]));
                    }
                    sides.iter().for_each(|items| self.place(items, Some(choices[0])));
                }
            }
        }
    }

    /// Whether an operation that a choice takes is computed on a side of its branch, which is then the side that takes
    /// it.
    pub fn is_inside(&self, id: Id, choice: Id) -> bool {
        self.home[id as usize].is_some() && self.home[id as usize] == self.branch[choice as usize]
    }

    /// Whether something reads the value of an operation.
    pub fn is_read(&self, id: Id) -> bool {
        self.read[id as usize]
    }
}
