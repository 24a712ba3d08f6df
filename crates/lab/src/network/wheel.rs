// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to be done in which cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tidegate_core::units::Cycles;

/// Slots of a ring.
const SLOTS: usize = 1 << 12;

/// No such node.
const NONE: u32 = u32::MAX;

/// Items for later cycles. Those of the block of 4096 cycles that is being worked through, and of the next one, have a
/// slot for each cycle; those of the 4094 blocks behind these have a slot for each block, and go to their cycles when
/// the block before theirs begins; later ones wait in a heap. So to put an item in and to take it out takes the same
/// time whatever their number, if it is for one of the next 16.7 million cycles. Memory is that of the largest number
/// of items that were in it at a time.
pub struct Wheel<T> {
    /// Items of this block and of the next one, by cycle: of even blocks and of odd ones.
    cycles: [Ring; 2],
    /// Items of later blocks, by block.
    blocks: Ring,
    nodes: Vec<Node<T>>,
    /// The first of the nodes that are free.
    free: u32,
    /// The block that is being worked through: its number.
    block: Cycles,
    far: BinaryHeap<Reverse<(Cycles, T)>>,
}

#[derive(Clone, Copy)]
struct Node<T> {
    cycle: Cycles,
    item: T,
    /// The node behind it.
    next: u32,
}

/// Lists of nodes.
struct Ring {
    /// For each slot the first of its nodes.
    first: Box<[u32; SLOTS]>,
    /// A bit for each slot that holds something.
    filled: [u64; SLOTS / 64],
    /// A bit for each word of these that is not 0.
    words: u64,
}

impl Ring {
    fn new() -> Self {
        let first = vec![NONE; SLOTS].try_into().expect("so many slots");
        Ring { first, filled: [0; SLOTS / 64], words: 0 }
    }

    /// Puts a node in front of those of a slot, and returns the one behind it.
    #[inline]
    fn push(&mut self, slot: usize, node: u32) -> u32 {
        let slot = slot % SLOTS;
        self.filled[slot / 64] |= 1 << (slot % 64);
        self.words |= 1 << (slot / 64);
        std::mem::replace(&mut self.first[slot], node)
    }

    /// Takes all nodes of a slot.
    #[inline]
    fn clear(&mut self, slot: usize) -> u32 {
        let slot = slot % SLOTS;
        let rest = self.filled[slot / 64] & !(1 << (slot % 64));
        self.filled[slot / 64] = rest;
        self.words &= !(u64::from(rest == 0) << (slot / 64));
        std::mem::replace(&mut self.first[slot], NONE)
    }

    /// The first slot that holds something.
    #[inline]
    fn lowest(&self) -> Option<usize> {
        (self.words != 0).then(|| self.lowest_of(self.words))
    }

    /// The first one from `slot` on, and behind the last one from the beginning.
    fn lowest_from(&self, slot: usize) -> Option<usize> {
        let rest = self.filled[slot / 64] >> (slot % 64);
        if rest != 0 {
            return Some(slot + rest.trailing_zeros() as usize);
        }
        let behind = self.words & (!1 << (slot / 64));
        if behind != 0 { Some(self.lowest_of(behind)) } else { self.lowest() }
    }

    #[inline]
    fn lowest_of(&self, words: u64) -> usize {
        let word = words.trailing_zeros() as usize % 64;
        64 * word + self.filled[word].trailing_zeros() as usize
    }
}

impl<T: Copy + Ord> Wheel<T> {
    /// Empty, at cycle 0.
    pub fn new() -> Self {
        Wheel {
            cycles: [Ring::new(), Ring::new()],
            blocks: Ring::new(),
            nodes: Vec::new(),
            free: NONE,
            block: 0,
            far: BinaryHeap::new(),
        }
    }

    /// The largest number of items that were in it at a time, without those in the heap.
    #[cfg(test)]
    pub fn most(&self) -> usize {
        self.nodes.len()
    }

    /// An item for a cycle, which must not be before that of the last [`take`](Self::take).
    #[inline(always)]
    pub fn put(&mut self, cycle: Cycles, item: T) {
        let (block, slots) = (cycle / SLOTS as Cycles, SLOTS as Cycles);
        if block - self.block >= slots {
            if cycle != Cycles::MAX {
                self.far.push(Reverse((cycle, item)));
            }
            return;
        }
        if self.free == NONE {
            self.free = self.nodes.len() as u32;
            self.nodes.push(Node { cycle, item, next: NONE });
        }
        let number = self.free;
        let node = &mut self.nodes[number as usize];
        self.free = node.next;
        let next = if block - self.block < 2 {
            self.cycles[block as usize % 2].push(cycle as usize, number)
        } else {
            self.blocks.push(block as usize, number)
        };
        *node = Node { cycle, item, next };
    }

    /// The first cycle before `end` for which there is something, with one item of it. The others are then in `others`,
    /// in any order. What is put in for the same cycle afterwards comes with the next call.
    #[inline(always)]
    pub fn take(&mut self, end: Cycles, others: &mut Vec<T>) -> Option<(Cycles, T)> {
        others.clear();
        let (slot, ring) = match self.cycles[self.block as usize % 2].lowest() {
            Some(slot) => (slot, self.block as usize % 2),
            None => {
                self.next_block(end)?;
                let ring = self.block as usize % 2;
                (self.cycles[ring].lowest()?, ring)
            }
        };
        let cycle = self.block * SLOTS as Cycles + slot as Cycles;
        if cycle >= end {
            return None;
        }
        let first = self.cycles[ring].clear(slot);
        let (item, mut node) = self.release(first);
        while node != NONE {
            let (other, next) = self.release(node);
            others.push(other);
            node = next;
        }
        Some((cycle, item))
    }

    /// The item of a node, which is free then, and the node behind it.
    #[inline]
    fn release(&mut self, number: u32) -> (T, u32) {
        let Node { item, next, .. } = &mut self.nodes[number as usize];
        (*item, std::mem::replace(next, std::mem::replace(&mut self.free, number)))
    }

    /// Begins the next block that holds something, if that is before `end`: until then earlier items can be put in.
    #[cold]
    fn next_block(&mut self, end: Cycles) -> Option<()> {
        let slots = SLOTS as Cycles;
        let next = self.block + 1;
        if let Some(slot) = self.cycles[next as usize % 2].lowest() {
            if next * slots + slot as Cycles >= end {
                return None;
            }
            self.block = next;
        } else {
            let current = self.block as usize % SLOTS;
            self.block = match self.blocks.lowest_from((current + 1) % SLOTS) {
                Some(slot) => {
                    let block = self.block + ((slot + SLOTS - current) % SLOTS) as Cycles;
                    let early = |node: &Node<T>| node.cycle < end;
                    if end < (block + 1) * slots && !self.list(self.blocks.first[slot]).any(early) {
                        return None;
                    }
                    block
                }
                None => self.far.peek().map(|&Reverse((cycle, _))| cycle).filter(|&cycle| cycle < end)? / slots,
            };
            self.spread(self.block);
        }
        self.spread(self.block + 1);
        while let Some(&Reverse((cycle, item))) = self.far.peek()
            && cycle / slots - self.block < slots
        {
            self.far.pop();
            self.put(cycle, item);
        }
        Some(())
    }

    /// The items of a block go to their cycles.
    fn spread(&mut self, block: Cycles) {
        let mut node = self.blocks.clear(block as usize);
        while node != NONE {
            let Node { cycle, next, .. } = &mut self.nodes[node as usize];
            let behind = self.cycles[block as usize % 2].push(*cycle as usize, node);
            node = std::mem::replace(next, behind);
        }
    }

    /// A node and those behind it.
    fn list(&self, first: u32) -> impl Iterator<Item = &Node<T>> {
        let node = |number: u32| self.nodes.get(number as usize);
        std::iter::successors(node(first), move |last| node(last.next))
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
                let slots = SLOTS as u64;
                let ahead = match below(16) {
                    0..5 => below(3),
                    5..9 => below(slots),
                    9..11 => slots - 2 + below(4),
                    11..15 => below(100_000),
                    _ => slots * slots - 2 + below(slots),
                };
                wheel.put(now + ahead, item);
                list.push((now + ahead, item));
            }
            let end = now + 1 + below(5000);
            let expected = list.iter().map(|&(cycle, _)| cycle).min().filter(|&cycle| cycle < end);
            let first = wheel.take(end, &mut taken);
            assert_eq!(first.map(|(cycle, _)| cycle), expected);
            if let Some((cycle, item)) = first {
                taken.push(item);
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
