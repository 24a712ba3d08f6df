// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operations are computed together, and left out together in a cycle in which nothing that they read has changed.
//!
//! An operation that only one other operation or result needs stands in the cone of that one. The cones are put in an order in which
//! what is read comes first, and this order is cut into regions. Where to cut follows from how often each operation changes
//! ([`Activity`]): a region costs a test in each cycle, and its operations in each cycle in which something that it reads changed.
//! (To leave out what does not change is the idea of ESSENT: Beamer and Donofrio, Efficiently Exploiting Low Activity Factors to
//! Accelerate RTL Simulation, 2020. There, a region is a matter of size.)

use super::activity::Activity;
use super::flatten::Flat;
use super::graph::{Graph, Id, Node};
use std::collections::HashMap;

/// What things cost, in about the clock cycles of a processor: measured with the bench `engine`.
mod cost {
    /// One operation.
    pub const OPERATION: f64 = 0.5;
    /// A value for other regions: it is compared with the one before.
    pub const WIRE: f64 = 2.0;
    /// A region that is tested.
    pub const TEST: f64 = 0.7;
    /// A region that is computed.
    pub const REGION: f64 = 1.0;
    /// A test that the processor expected wrongly.
    pub const MISS: f64 = 16.0;
}

/// Most cones in a region, and how many cones back count as near.
const MOST: usize = 400;
const NEAR: usize = 12;
/// Cones that may come next which are looked at.
const CHOICE: usize = 64;

/// Where a result goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A word of the outputs.
    Output(u32),
    /// A word of the registers after the edge.
    Register(u32),
    /// A word for other regions.
    Wire(u32),
    /// A word of what a write to a memory takes: the write, the word.
    Write(u32, u32),
}

/// Operations that are computed together.
pub struct Region {
    /// Its operations; what comes from elsewhere is a leaf.
    pub graph: Graph,
    /// What it computes, and where it goes.
    pub results: Vec<(Id, Place)>,
    /// Whether it is computed in every cycle.
    pub always: bool,
}

/// A circuit as regions, in an order in which each region comes behind those whose wires it reads; and who reads what.
pub struct Regions {
    pub all: Vec<Region>,
    /// For each word of the inputs, the regions that read it.
    pub of_input: Vec<Vec<usize>>,
    /// For each word of the registers.
    pub of_state: Vec<Vec<usize>>,
    /// For each wire.
    pub of_wire: Vec<Vec<usize>>,
    /// For each write, the regions that read the memory.
    pub of_write: Vec<Vec<usize>>,
}

impl Regions {
    /// Whether any of them may be left out in a cycle.
    pub fn may_sleep(&self) -> bool {
        self.all.iter().any(|region| !region.always)
    }
}

/// The whole circuit as one region.
pub fn whole(flat: &Flat) -> Regions {
    let cones = Cones::of(flat);
    let all = (0..cones.all.len()).collect();
    cones.regions(&[(all, true)])
}

/// A circuit as regions that may sleep.
pub fn by_activity(flat: &Flat, activity: &Activity) -> Regions {
    let cones = Cones::of(flat);
    let order = cones.order(activity);
    let cuts = cones.cuts(&order, activity);
    let parts: Vec<(Vec<usize>, bool)> =
        cuts.into_iter().map(|(from, to, always)| (order[from..to].to_vec(), always)).collect();
    cones.regions(&parts)
}

/// Something that takes values: each value, and where it goes.
type Sink = Vec<(Id, Place)>;

/// The results of a circuit.
fn sinks(flat: &Flat) -> Vec<Sink> {
    let mut sinks = Vec::new();
    for (word, register) in flat.registers.iter().enumerate() {
        if flat.kept[word] && flat.graph.node(register.next) != Node::State(word as u32) {
            sinks.push(vec![(register.next, Place::Register(word as u32))]);
        }
    }
    sinks.extend((0..).zip(&flat.outputs).map(|(word, &id)| vec![(id, Place::Output(word))]));
    // All writes to a memory stay together: which of them comes last decides.
    let mut of_memory: HashMap<u32, usize> = HashMap::new();
    for (index, write) in (0..).zip(&flat.writes).filter(|(_, write)| write.kept) {
        let at = *of_memory.entry(write.base).or_insert_with(|| {
            sinks.push(Vec::new());
            sinks.len() - 1
        });
        let values = [write.enable, write.address].into_iter().chain(write.data.iter().copied());
        sinks[at].extend(values.zip(0..).map(|(id, word)| (id, Place::Write(index, word))));
    }
    sinks
}

/// Operations, the last of which is needed by more than one other cone or is a result.
struct Cone {
    /// Its vertices: operations by their number, then the sinks.
    vertices: Vec<usize>,
    /// What it reads: leaves, and the last operations of other cones.
    reads: Vec<Id>,
    /// The cones that read its last operation.
    users: Vec<usize>,
}

struct Cones<'a> {
    flat: &'a Flat,
    sinks: Vec<Sink>,
    all: Vec<Cone>,
    /// For each operation, its cone.
    of: Vec<Option<usize>>,
}

impl<'a> Cones<'a> {
    fn of(flat: &'a Flat) -> Self {
        let sinks = sinks(flat);
        let vertices = flat.graph.len() + sinks.len();
        let mut cones = Cones { flat, sinks, all: Vec::new(), of: vec![None; vertices] };
        // The vertex at which the cone of each vertex ends, `None` where nothing needs it; users come before what they use.
        let mut ends: Vec<Option<usize>> = vec![None; vertices];
        (flat.graph.len()..vertices).for_each(|sink| ends[sink] = Some(sink));
        for vertex in (0..vertices).rev() {
            let Some(end) = ends[vertex] else { continue };
            for operand in cones.operands(vertex) {
                let operand = operand as usize;
                // One that several cones need ends a cone itself.
                ends[operand] = Some(if ends[operand].is_none_or(|other| other == end) { end } else { operand });
            }
        }
        let mut at_end: HashMap<usize, usize> = HashMap::new();
        for (vertex, end) in ends.into_iter().enumerate() {
            let Some(end) = end.filter(|_| !cones.is_leaf(vertex)) else { continue };
            let cone = *at_end.entry(end).or_insert_with(|| {
                cones.all.push(Cone { vertices: Vec::new(), reads: Vec::new(), users: Vec::new() });
                cones.all.len() - 1
            });
            cones.all[cone].vertices.push(vertex);
            cones.of[vertex] = Some(cone);
        }
        for vertex in 0..vertices {
            let Some(cone) = cones.of[vertex] else { continue };
            for operand in cones.operands(vertex) {
                let from = cones.of[operand as usize];
                if from == Some(cone) || flat.graph.number(operand).is_some() {
                    continue;
                }
                cones.all[cone].reads.push(operand);
                if let Some(from) = from {
                    cones.all[from].users.push(cone);
                }
            }
        }
        for cone in &mut cones.all {
            cone.reads.sort_unstable();
            cone.reads.dedup();
            cone.users.sort_unstable();
            cone.users.dedup();
        }
        cones
    }

    fn operands(&self, vertex: usize) -> Vec<Id> {
        match vertex.checked_sub(self.flat.graph.len()) {
            None => self.flat.graph.node(vertex as Id).operands().collect(),
            Some(sink) => self.sinks[sink].iter().map(|&(id, _)| id).collect(),
        }
    }

    fn is_leaf(&self, vertex: usize) -> bool {
        vertex < self.flat.graph.len() && self.flat.graph.node(vertex as Id).is_leaf()
    }

    /// An order in which each cone comes behind those that it reads, and near to those that are awake in the same cycles.
    fn order(&self, activity: &Activity) -> Vec<usize> {
        let awake = |cone: &Cone| 1.0 - cone.reads.iter().map(|&id| 1.0 - activity.rate(id)).product::<f64>();
        let awake: Vec<f64> = self.all.iter().map(awake).collect();
        let mut missing: Vec<usize> = vec![0; self.all.len()];
        self.all.iter().for_each(|cone| cone.users.iter().for_each(|&user| missing[user] += 1));
        let mut ready: Vec<usize> = (0..self.all.len()).rev().filter(|&cone| missing[cone] == 0).collect();
        // Where each operation was read or computed last.
        let mut touched: Vec<usize> = vec![0; self.flat.graph.len()];
        let (mut order, mut last) = (Vec::with_capacity(self.all.len()), 1.0f64);
        while !ready.is_empty() {
            let now = order.len() + NEAR + 1;
            let likeness = |&cone: &usize| {
                let (mut near, mut all) = (0.0, f64::MIN_POSITIVE);
                for &id in &self.all[cone].reads {
                    let rate = activity.rate(id).max(0.01);
                    all += rate;
                    if touched[id as usize] + NEAR >= now {
                        near += rate;
                    }
                }
                near / all - (awake[cone] - last).abs()
            };
            let first = ready.len().saturating_sub(CHOICE);
            let best =
                (first..ready.len()).max_by(|&one, &two| likeness(&ready[one]).total_cmp(&likeness(&ready[two])));
            let cone = ready.remove(best.expect("one is ready"));
            last = awake[cone];
            let Cone { vertices, reads, users } = &self.all[cone];
            reads.iter().for_each(|&id| touched[id as usize] = now);
            if let Some(end) = vertices.last().filter(|&&end| end < touched.len()) {
                touched[*end] = now;
            }
            for &user in users {
                missing[user] -= 1;
                if missing[user] == 0 {
                    ready.push(user);
                }
            }
            order.push(cone);
        }
        order
    }

    /// The cheapest way to cut an order into regions: from where to where, and whether a region is better computed in every cycle.
    fn cuts(&self, order: &[usize], activity: &Activity) -> Vec<(usize, usize, bool)> {
        let count = order.len();
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(at, &cone)| place[cone] = at);
        // For each place, where the value of its cone is read last; and the other way round.
        let last: Vec<usize> =
            order.iter().map(|&cone| self.all[cone].users.iter().map(|&user| place[user]).max().unwrap_or(0)).collect();
        let mut read_last_at: Vec<Vec<usize>> = vec![Vec::new(); count];
        (0..count).filter(|&at| last[at] > at).for_each(|at| read_last_at[last[at]].push(at));
        let mut best = vec![(f64::INFINITY, 0, false); count + 1];
        best[0].0 = 0.0;
        let mut read_by: Vec<usize> = vec![usize::MAX; self.flat.graph.len()];
        for from in 0..count {
            let (mut operations, mut wires, mut asleep) = (0.0, 0.0, 1.0);
            for to in from..count.min(from + MOST) {
                let cone = &self.all[order[to]];
                operations += cone.vertices.len() as f64;
                wires += f64::from(u8::from(last[to] > to));
                wires -= read_last_at[to].iter().filter(|&&at| at >= from).count() as f64;
                for &id in &cone.reads {
                    let inside = self.of[id as usize].is_some_and(|cone| place[cone] >= from);
                    if !inside && std::mem::replace(&mut read_by[id as usize], from) != from {
                        asleep *= 1.0 - activity.rate(id);
                    }
                }
                let work = cost::OPERATION * operations + cost::WIRE * wires;
                let sleeping =
                    cost::TEST + cost::MISS * 2.0 * asleep * (1.0 - asleep) + (1.0 - asleep) * (cost::REGION + work);
                let cost = best[from].0 + sleeping.min(work);
                if cost < best[to + 1].0 {
                    best[to + 1] = (cost, from, work <= sleeping);
                }
            }
        }
        let mut cuts = Vec::new();
        let mut to = count;
        while to > 0 {
            let (_, from, always) = best[to];
            cuts.push((from, to, always));
            to = from;
        }
        cuts.reverse();
        cuts
    }

    /// Makes regions of cones.
    fn regions(&self, parts: &[(Vec<usize>, bool)]) -> Regions {
        let graph = &self.flat.graph;
        let mut region_of = vec![0; self.all.len()];
        for (region, (cones, _)) in parts.iter().enumerate() {
            cones.iter().for_each(|&cone| region_of[cone] = region);
        }
        let region_of = |vertex: usize| self.of[vertex].map(|cone| region_of[cone]);
        // What one region computes and another one reads.
        let mut wires: HashMap<Id, u32> = HashMap::new();
        for cone in &self.all {
            let reader = region_of(cone.vertices[0]);
            for &id in &cone.reads {
                let writer = region_of(id as usize);
                if writer.is_some() && writer != reader {
                    let next = wires.len() as u32;
                    wires.entry(id).or_insert(next);
                }
            }
        }
        let none = |count: usize| vec![Vec::new(); count];
        let mut regions = Regions {
            all: Vec::new(),
            of_input: none(self.flat.inputs as usize),
            of_state: none(self.flat.registers.len()),
            of_wire: none(wires.len()),
            of_write: none(self.flat.writes.len()),
        };
        for (region, (cones, always)) in parts.iter().enumerate() {
            let mut vertices: Vec<usize> =
                cones.iter().flat_map(|&cone| self.all[cone].vertices.iter().copied()).collect();
            vertices.sort_unstable();
            let mut own = Region { graph: Graph::default(), results: Vec::new(), always: *always };
            let mut known: HashMap<Id, Id> = HashMap::new();
            for &vertex in &vertices {
                for operand in self.operands(vertex) {
                    if known.contains_key(&operand) {
                        continue;
                    }
                    let leaf = match graph.node(operand) {
                        leaf if leaf.is_leaf() => leaf,
                        _ => Node::Wire(wires[&operand]),
                    };
                    match leaf {
                        Node::Input(word) => regions.of_input[word as usize].push(region),
                        Node::State(word) => regions.of_state[word as usize].push(region),
                        Node::Wire(word) => regions.of_wire[word as usize].push(region),
                        _ => {}
                    }
                    known.insert(operand, own.graph.push(leaf, graph.bits(operand)));
                }
                let Some(sink) = vertex.checked_sub(graph.len()) else {
                    let id = vertex as Id;
                    let node = graph.node(id);
                    if let Node::Fetch(base, _) = node {
                        let writes = self.flat.writes.iter().enumerate().filter(|(_, write)| write.holds(base));
                        writes.for_each(|(write, _)| regions.of_write[write].push(region));
                    }
                    let new = own.graph.push(node.with_operands(|operand| known[&operand]), graph.bits(id));
                    known.insert(id, new);
                    own.results.extend(wires.get(&id).map(|&wire| (new, Place::Wire(wire))));
                    continue;
                };
                own.results.extend(self.sinks[sink].iter().map(|&(id, place)| (known[&id], place)));
            }
            regions.all.push(own);
        }
        regions
    }
}
