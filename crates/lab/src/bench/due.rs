// SPDX-License-Identifier: MIT OR Apache-2.0
//! When each of many sources must be called next.

use tidegate_core::units::Cycles;

/// A cycle for each of `count` sources, in a tree of minima: an event costs as many steps as the number of sources has
/// bits, and sources that are due in one cycle come in their order.
pub struct Due {
    /// Leaves, a power of two.
    leaves: usize,
    /// Node `n` holds the least of nodes `2n` and `2n + 1`; node 1 is the root, the leaves are at the end.
    least: Vec<Cycles>,
}

impl Due {
    /// Every source is due in cycle 0.
    pub fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two();
        let mut due = Due { leaves, least: vec![Cycles::MAX; 2 * leaves] };
        due.least[leaves..leaves + count].fill(0);
        for node in (1..leaves).rev() {
            due.least[node] = due.least[2 * node].min(due.least[2 * node + 1]);
        }
        due
    }

    /// The first cycle in which a source is due.
    pub fn first(&self) -> Cycles {
        self.least[1]
    }

    /// The cycle in which a source is due.
    pub fn of(&self, source: usize) -> Cycles {
        self.least[self.leaves + source]
    }

    /// The source is due in another cycle.
    pub fn set(&mut self, source: usize, cycle: Cycles) {
        let mut node = self.leaves + source;
        self.least[node] = cycle;
        while node > 1 {
            node /= 2;
            let least = self.least[2 * node].min(self.least[2 * node + 1]);
            if self.least[node] == least {
                break;
            }
            self.least[node] = least;
        }
    }

    /// The first source from `from` on that is due in cycle `now` or was before.
    pub fn due_from(&self, from: usize, now: Cycles) -> Option<usize> {
        let mut node = self.leaves + from;
        if from >= self.leaves {
            return None;
        }
        // Up and to the right until a subtree has one, then down to its first.
        while self.least[node] > now {
            while node % 2 == 1 {
                node /= 2;
            }
            if node == 0 {
                return None;
            }
            node += 1;
        }
        while node < self.leaves {
            node *= 2;
            if self.least[node] > now {
                node += 1;
            }
        }
        Some(node - self.leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_list() {
        let mut random = 1u64;
        let mut below = |bound: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % bound
        };
        for count in [1, 2, 3, 4, 5, 7, 8, 64, 100] {
            let (mut due, mut list) = (Due::new(count), vec![0; count]);
            for _ in 0..500 {
                let (source, cycle) = (below(count as u64) as usize, below(20));
                due.set(source, cycle);
                list[source] = cycle;
                assert_eq!(due.first(), *list.iter().min().unwrap());
                assert_eq!(due.of(source), cycle);
                let now = below(20);
                let (mut from, mut found) = (0, Vec::new());
                while let Some(source) = due.due_from(from, now) {
                    found.push(source);
                    from = source + 1;
                }
                let expected: Vec<_> = (0..count).filter(|&source| list[source] <= now).collect();
                assert_eq!(found, expected, "{count} sources, cycle {now}: {list:?}");
            }
        }
    }
}
