//! What is to be done in which cycle.

use crate::units::Cycles;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Cycles that the wheel holds; later ones wait in a heap.
const SLOTS: usize = 1 << 14;

/// No such node.
const NONE: u32 = u32::MAX;

/// Items for later cycles: to put one in and to take it out takes the same time whatever their number, if it is for one of
/// the next 16384 cycles. Memory is that of the largest number of items that were in it at a time.
pub struct Wheel<T> {
    /// For each slot the first of its nodes.
    slots: Vec<u32>,
    /// Items, each with the node behind it.
    nodes: Vec<(T, u32)>,
    /// The first of the nodes that are free.
    free: u32,
    /// A bit for each slot that holds something.
    filled: Vec<u64>,
    /// The first cycle that the wheel can hold.
    now: Cycles,
    far: BinaryHeap<Reverse<(Cycles, T)>>,
}

impl<T: Copy + Ord> Wheel<T> {
    /// Empty, at cycle 0.
    pub fn new() -> Self {
        Wheel {
            slots: vec![NONE; SLOTS],
            nodes: Vec::new(),
            free: NONE,
            filled: vec![0; SLOTS / 64],
            now: 0,
            far: BinaryHeap::new(),
        }
    }

    /// An item for a cycle, which must not be before that of the last [`take`](Self::take).
    pub fn put(&mut self, cycle: Cycles, item: T) {
        debug_assert!(cycle >= self.now);
        if cycle - self.now < SLOTS as Cycles {
            let slot = cycle as usize % SLOTS;
            let node = (item, self.slots[slot]);
            self.slots[slot] = match self.nodes.get_mut(self.free as usize) {
                None => {
                    self.nodes.push(node);
                    self.nodes.len() as u32 - 1
                }
                Some(free) => {
                    let next = std::mem::replace(free, node).1;
                    std::mem::replace(&mut self.free, next)
                }
            };
            self.filled[slot / 64] |= 1 << (slot % 64);
        } else if cycle != Cycles::MAX {
            self.far.push(Reverse((cycle, item)));
        }
    }

    /// The first cycle before `end` for which there is something, which is then in `into`, in any order. What is put in
    /// for the same cycle afterwards comes with the next call.
    pub fn take(&mut self, end: Cycles, into: &mut Vec<T>) -> Option<Cycles> {
        into.clear();
        let mut first = self.first();
        let far = self.far.peek().map(|&Reverse((cycle, _))| cycle);
        if first.is_none_or(|first| far.is_some_and(|far| far <= first)) {
            first = far;
        }
        let first = first.filter(|&first| first < end)?;
        self.now = first;
        while let Some(&Reverse((cycle, item))) = self.far.peek()
            && cycle - first < SLOTS as Cycles
        {
            self.far.pop();
            self.put(cycle, item);
        }
        let slot = first as usize % SLOTS;
        self.filled[slot / 64] &= !(1 << (slot % 64));
        let mut node = std::mem::replace(&mut self.slots[slot], NONE);
        while node != NONE {
            let (item, next) = &mut self.nodes[node as usize];
            into.push(*item);
            let next = std::mem::replace(next, self.free);
            self.free = std::mem::replace(&mut node, next);
        }
        Some(first)
    }

    /// The first cycle with something in the wheel.
    fn first(&self) -> Option<Cycles> {
        let from = self.now as usize % SLOTS;
        let words = self.filled.len();
        let masked = self.filled[from / 64] & (!0 << (from % 64));
        let mut word = from / 64;
        let mut bits = masked;
        for _ in 0..=words {
            if bits != 0 {
                let slot = 64 * word + bits.trailing_zeros() as usize;
                return Some(self.now + ((slot + SLOTS - from) % SLOTS) as Cycles);
            }
            word = (word + 1) % words;
            bits = self.filled[word];
        }
        None
    }
}

impl<T: Copy + Ord> Default for Wheel<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_sorted_list() {
        let mut random = 1u64;
        let mut below = |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % bound
        };
        let (mut wheel, mut list, mut now) = (Wheel::new(), Vec::new(), 0);
        let mut taken = Vec::new();
        for item in 0..20_000u32 {
            for _ in 0..below(3) {
                let ahead = match below(4) {
                    0 => below(3),
                    1 => below(SLOTS as u64),
                    2 => SLOTS as u64 - 2 + below(4),
                    _ => below(100_000),
                };
                wheel.put(now + ahead, item);
                list.push((now + ahead, item));
            }
            let end = now + 1 + below(5000);
            let expected = list.iter().map(|&(cycle, _)| cycle).min().filter(|&cycle| cycle < end);
            assert_eq!(wheel.take(end, &mut taken), expected);
            if let Some(cycle) = expected {
                now = cycle;
                let mut due: Vec<_> = list.iter().filter(|&&(at, _)| at == cycle).map(|&(_, item)| item).collect();
                list.retain(|&(at, _)| at != cycle);
                due.sort_unstable();
                taken.sort_unstable();
                assert_eq!(taken, due, "cycle {cycle}");
            }
        }
        assert!(now > 100_000);
    }
}
