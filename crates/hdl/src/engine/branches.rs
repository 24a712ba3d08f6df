// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where each operation is computed: in every cycle, or only on one side of a branch.
//!
//! A choice between two values, `Select`, computes both and takes one. A circuit is full of them, and most of what they
//! choose from is not taken in most cycles: the steps of a state machine, what a reset loads. So the choices with the
//! same test become one branch, and an operation that only one side needs is computed there. That is a question of
//! dominators: walk from the results to what they need, with a vertex for each side of each branch; the operations that
//! cannot be reached without passing a side belong to it.

use super::graph::{Graph, Id, Node};
use std::collections::{HashMap, HashSet};

/// Operations on both sides of a branch that are worth a branch: one that the processor expects wrongly costs about as
/// much as some ten operations.
const WORTH: u32 = 12;

/// What is computed, in order.
pub enum Item {
    /// An operation.
    Operation(Id),
    /// The operations of one side, then the values of all its choices.
    Branch(Branch),
}

/// Choices with one test.
pub struct Branch {
    /// One bit.
    pub test: Id,
    /// `Select` operations with this test.
    pub choices: Vec<Id>,
    /// What is computed if the test is 1, and if it is 0.
    pub sides: [Vec<Item>; 2],
}

/// All operations that some results need, in an order in which operands come first; without branches, each in every cycle.
pub fn branches(graph: &Graph, results: &[Id], wanted: bool) -> Vec<Item> {
    let mut plan = Plan { graph, results, groups: Vec::new(), group_of: vec![None; graph.len()] };
    let order = plan.group();
    let regions = plan.regions(&order);
    let weights = plan.weights(&order, &regions);
    plan.groups.iter_mut().zip(&weights).for_each(|(group, &weight)| group.worth = wanted && weight >= WORTH);
    plan.group_of.iter_mut().for_each(|group| *group = group.filter(|&group| plan.groups[group].worth));
    let order = plan.order().expect("fewer groups make no circle");
    let regions = plan.regions(&order);
    plan.items(&order, &regions)
}

struct Group {
    test: Id,
    choices: Vec<Id>,
    worth: bool,
}

/// A vertex of the walk from the results to what they need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Vertex {
    Results,
    Operation(Id),
    Group(usize),
    /// The group; 0 where its test is 1.
    Side(usize, usize),
}

struct Plan<'a> {
    graph: &'a Graph,
    results: &'a [Id],
    groups: Vec<Group>,
    /// For each operation, the group that it belongs to, if it is a choice.
    group_of: Vec<Option<usize>>,
}

impl Plan<'_> {
    fn index(&self, vertex: Vertex) -> usize {
        let (operations, groups) = (self.graph.len(), self.groups.len());
        match vertex {
            Vertex::Operation(id) => id as usize,
            Vertex::Group(group) => operations + group,
            Vertex::Side(group, side) => operations + groups + 2 * group + side,
            Vertex::Results => operations + 3 * groups,
        }
    }

    fn vertices(&self) -> usize {
        self.index(Vertex::Results) + 1
    }

    /// What a vertex needs. Numbers are written where they are used.
    fn needs(&self, vertex: Vertex) -> Vec<Vertex> {
        let operations = |ids: &mut dyn Iterator<Item = Id>| -> Vec<Vertex> {
            ids.filter(|&id| self.graph.number(id).is_none()).map(Vertex::Operation).collect()
        };
        match vertex {
            Vertex::Results => operations(&mut self.results.iter().copied()),
            Vertex::Operation(id) => match self.group_of[id as usize] {
                Some(group) => vec![Vertex::Group(group)],
                None => operations(&mut self.graph.node(id).operands()),
            },
            Vertex::Group(group) => {
                vec![Vertex::Operation(self.groups[group].test), Vertex::Side(group, 0), Vertex::Side(group, 1)]
            }
            Vertex::Side(group, side) => {
                operations(&mut self.groups[group].choices.iter().map(|&choice| self.graph.chosen(choice, side)))
            }
        }
    }

    /// The choices that the results need, with the length of the longest chain of choices that ends in each.
    fn choices(&self) -> Vec<(Id, u32)> {
        let mut needed = vec![false; self.graph.len()];
        self.results.iter().for_each(|&id| needed[id as usize] = true);
        for id in (0..self.graph.len()).rev() {
            if needed[id] {
                self.graph.node(id as Id).operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        let mut lengths = vec![0; self.graph.len()];
        let mut choices = Vec::new();
        for id in (0..self.graph.len()).filter(|&id| needed[id]) {
            let node = self.graph.node(id as Id);
            lengths[id] = node.operands().map(|operand| lengths[operand as usize]).max().unwrap_or(0);
            if matches!(node, Node::Select(..)) {
                lengths[id] += 1;
                choices.push((id as Id, lengths[id]));
            }
        }
        choices
    }

    /// Puts choices with the same test together, as far as no group then needs itself. Returns the order.
    fn group(&mut self) -> Vec<Vertex> {
        let choices = self.choices();
        let mut keys: HashMap<Id, u32> = HashMap::new();
        for round in 0.. {
            self.groups.clear();
            let mut known = HashMap::new();
            for &(id, _) in &choices {
                let test = self.graph.node(id).operands().next().expect("a choice has a test");
                let key = keys.get(&id).copied().unwrap_or(0);
                let group = *known.entry((test, key)).or_insert(self.groups.len());
                if group == self.groups.len() {
                    self.groups.push(Group { test, choices: Vec::new(), worth: true });
                }
                self.groups[group].choices.push(id);
                self.group_of[id as usize] = Some(group);
            }
            match self.order() {
                Ok(order) => return order,
                // Those at the ends of equally long chains do not need each other; one alone cannot need itself.
                Err(circles) => {
                    for &(id, length) in choices.iter().filter(|(id, _)| circles.contains(id)) {
                        keys.insert(id, if round == 0 { length } else { u32::MAX - id });
                    }
                }
            }
        }
        unreachable!("groups of one have no circle")
    }

    /// All vertices that the results need, what is needed first.
    ///
    /// # Errors
    /// The choices on circles.
    fn order(&self) -> Result<Vec<Vertex>, HashSet<Id>> {
        let mut walk = Walk {
            plan: self,
            number: vec![0; self.vertices()],
            low: vec![0; self.vertices()],
            done: vec![false; self.vertices()],
            next: 1,
            open: Vec::new(),
            order: Vec::new(),
            circles: HashSet::new(),
        };
        walk.visit(Vertex::Results);
        if walk.circles.is_empty() {
            return Ok(walk.order);
        }
        Err(walk.circles)
    }

    /// For each vertex, the side that it belongs to, as group and side; `None` if it is needed in every cycle.
    fn regions(&self, order: &[Vertex]) -> Vec<Option<(usize, usize)>> {
        // Dominators: the nearest vertex that all ways from the results to this one pass. Users come before what they need.
        let mut dominator = vec![usize::MAX; self.vertices()];
        let mut depth = vec![0u32; self.vertices()];
        let mut regions = vec![None; self.vertices()];
        for &vertex in order.iter().rev() {
            let at = self.index(vertex);
            if dominator[at] != usize::MAX {
                let above = dominator[at];
                depth[at] = depth[above] + 1;
                regions[at] = self.side(above).or(regions[above]);
            }
            for needed in self.needs(vertex) {
                let needed = self.index(needed);
                let (mut one, mut two) = (at, dominator[needed]);
                while two != usize::MAX && one != two {
                    match depth[one] >= depth[two] {
                        true => one = dominator[one],
                        false => two = dominator[two],
                    }
                }
                dominator[needed] = one;
            }
        }
        regions
    }

    /// The side that a vertex is, by its index.
    fn side(&self, index: usize) -> Option<(usize, usize)> {
        let first = self.index(Vertex::Side(0, 0));
        (first..self.vertices() - 1).contains(&index).then(|| ((index - first) / 2, (index - first) % 2))
    }

    /// For each group, how much its sides compute.
    fn weights(&self, order: &[Vertex], regions: &[Option<(usize, usize)>]) -> Vec<u32> {
        let mut weights = vec![0; self.groups.len()];
        for &vertex in order {
            // A group comes behind everything on its sides.
            let weight = match vertex {
                Vertex::Operation(_) => 1,
                Vertex::Group(group) => weights[group],
                Vertex::Side(..) | Vertex::Results => 0,
            };
            if let Some((group, _)) = regions[self.index(vertex)] {
                weights[group] += weight;
            }
        }
        weights
    }

    fn items(&self, order: &[Vertex], regions: &[Option<(usize, usize)>]) -> Vec<Item> {
        let mut always = Vec::new();
        let mut sides: Vec<[Vec<Item>; 2]> = self.groups.iter().map(|_| Default::default()).collect();
        for &vertex in order {
            let item = match vertex {
                Vertex::Operation(id) if self.group_of[id as usize].is_none() => Item::Operation(id),
                Vertex::Group(group) => {
                    let Group { test, choices, .. } = &self.groups[group];
                    let sides = std::mem::take(&mut sides[group]);
                    Item::Branch(Branch { test: *test, choices: choices.clone(), sides })
                }
                _ => continue,
            };
            match regions[self.index(vertex)] {
                Some((group, side)) => sides[group][side].push(item),
                None => always.push(item),
            }
        }
        always
    }
}

/// Tarjan's walk over the strongly connected components (Tarjan: Depth-First Search and Linear Graph Algorithms, 1972).
struct Walk<'a> {
    plan: &'a Plan<'a>,
    number: Vec<u32>,
    low: Vec<u32>,
    done: Vec<bool>,
    next: u32,
    open: Vec<Vertex>,
    order: Vec<Vertex>,
    /// Choices in components of more than one vertex.
    circles: HashSet<Id>,
}

impl Walk<'_> {
    fn visit(&mut self, vertex: Vertex) {
        let at = self.plan.index(vertex);
        (self.number[at], self.low[at]) = (self.next, self.next);
        self.next += 1;
        self.open.push(vertex);
        for needed in self.plan.needs(vertex) {
            let other = self.plan.index(needed);
            if self.number[other] == 0 {
                self.visit(needed);
            }
            if !self.done[other] {
                self.low[at] = self.low[at].min(self.low[other]);
            }
        }
        if self.low[at] != self.number[at] {
            return;
        }
        let first = self.open.iter().rposition(|&open| open == vertex).expect("it is open");
        let component = self.open.split_off(first);
        for &member in &component {
            let index = self.plan.index(member);
            self.done[index] = true;
        }
        if component.len() > 1 {
            let choice = |&member: &Vertex| match member {
                Vertex::Operation(id) if self.plan.group_of[id as usize].is_some() => Some(id),
                _ => None,
            };
            self.circles.extend(component.iter().filter_map(choice));
        }
        self.order.extend(component);
    }
}
