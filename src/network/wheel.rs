//! What is to be done in which cycle.

use crate::units::Cycles;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Slots of a ring.
const SLOTS: usize = 1 << 12;

/// No such node.
const NONE: u32 = u32::MAX;

/// Items for later cycles. Those of the block of 4096 cycles that is being worked through have a slot for each cycle; those
/// of the next 4095 blocks have a slot for each block, and go to their cycles when their block begins; later ones wait in a
/// heap. So to put an item in and to take it out takes the same time whatever their number, if it is for one of the next
/// 16.7 million cycles. Memory is that of the largest number of items that were in it at a time.
pub struct Wheel<T> {
    /// Items of this block, by cycle.
    cycles: Ring,
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
    first: Vec<u32>,
    /// A bit for each slot that holds something.
    filled: [u64; SLOTS / 64],
    /// A bit for each word of these that is not 0.
    words: u64,
}

impl Ring {
    fn new() -> Self {
        Ring { first: vec![NONE; SLOTS], filled: [0; SLOTS / 64], words: 0 }
    }

    /// Puts a node in front of those of a slot, and returns the one behind it.
    #[inline]
    fn push(&mut self, slot: usize, node: u32) -> u32 {
        self.filled[slot / 64] |= 1 << (slot % 64);
        self.words |= 1 << (slot / 64);
        std::mem::replace(&mut self.first[slot], node)
    }

    /// Takes all nodes of a slot.
    #[inline]
    fn clear(&mut self, slot: usize) -> u32 {
        self.filled[slot / 64] &= !(1 << (slot % 64));
        if self.filled[slot / 64] == 0 {
            self.words &= !(1 << (slot / 64));
        }
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
        let word = words.trailing_zeros() as usize;
        64 * word + self.filled[word].trailing_zeros() as usize
    }
}

impl<T: Copy + Ord> Wheel<T> {
    /// Empty, at cycle 0.
    pub fn new() -> Self {
        Wheel {
            cycles: Ring::new(),
            blocks: Ring::new(),
            nodes: Vec::new(),
            free: NONE,
            block: 0,
            far: BinaryHeap::new(),
        }
    }

    /// An item for a cycle, which must not be before that of the last [`take`](Self::take).
    #[inline]
    pub fn put(&mut self, cycle: Cycles, item: T) {
        let blocks = cycle / SLOTS as Cycles - self.block;
        if blocks < SLOTS as Cycles {
            let node = match self.nodes.get(self.free as usize) {
                Some(free) => std::mem::replace(&mut self.free, free.next),
                None => {
                    self.nodes.push(Node { cycle, item, next: NONE });
                    self.nodes.len() as u32 - 1
                }
            };
            let next = self.link(cycle, node);
            self.nodes[node as usize] = Node { cycle, item, next };
        } else if cycle != Cycles::MAX {
            self.far.push(Reverse((cycle, item)));
        }
    }

    /// Puts a node in front of the list in which it belongs, and returns the one behind it.
    #[inline]
    fn link(&mut self, cycle: Cycles, node: u32) -> u32 {
        if cycle / SLOTS as Cycles == self.block {
            self.cycles.push(cycle as usize % SLOTS, node)
        } else {
            self.blocks.push((cycle / SLOTS as Cycles) as usize % SLOTS, node)
        }
    }

    /// The first cycle before `end` for which there is something, which is then in `into`, in any order. What is put in
    /// for the same cycle afterwards comes with the next call.
    #[inline]
    pub fn take(&mut self, end: Cycles, into: &mut Vec<T>) -> Option<Cycles> {
        into.clear();
        let slot = match self.cycles.lowest() {
            Some(slot) => slot,
            None => {
                self.next_block(end)?;
                self.cycles.lowest()?
            }
        };
        let cycle = self.block * SLOTS as Cycles + slot as Cycles;
        if cycle >= end {
            return None;
        }
        let mut node = self.cycles.clear(slot);
        while node != NONE {
            let Node { item, next, .. } = &mut self.nodes[node as usize];
            into.push(*item);
            let next = std::mem::replace(next, self.free);
            self.free = std::mem::replace(&mut node, next);
        }
        Some(cycle)
    }

    /// Begins the next block that holds something, if that is before `end`.
    #[cold]
    fn next_block(&mut self, end: Cycles) -> Option<()> {
        let slots = SLOTS as Cycles;
        let current = self.block as usize % SLOTS;
        let block = match self.blocks.lowest_from((current + 1) % SLOTS) {
            Some(slot) => {
                let block = self.block + ((slot + SLOTS - current) % SLOTS) as Cycles;
                // It begins only if something of it is before `end`: until then earlier items can be put in.
                let early = |node: &Node<T>| node.cycle < end;
                if end < (block + 1) * slots && !self.list(self.blocks.first[slot]).any(early) {
                    return None;
                }
                block
            }
            None => self.far.peek().map(|&Reverse((cycle, _))| cycle).filter(|&cycle| cycle < end)? / slots,
        };
        self.block = block;
        let mut node = self.blocks.clear(block as usize % SLOTS);
        while node != NONE {
            let Node { cycle, next, .. } = self.nodes[node as usize];
            self.nodes[node as usize].next = self.link(cycle, node);
            node = next;
        }
        while let Some(&Reverse((cycle, item))) = self.far.peek()
            && cycle / slots - block < slots
        {
            self.far.pop();
            self.put(cycle, item);
        }
        Some(())
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
