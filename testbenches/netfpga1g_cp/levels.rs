// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output queues in block RAM, whose levels are known, and what a congestion point may say of them.

use crate::netfpga1g_cp::world::Way;
use std::collections::VecDeque;
use tidegate_testing::stimulus::Random;

/// Words that an output queue holds. Its level has 11 bits.
const CAPACITY: u64 = 2048;
/// Cycles in which what has left a queue must be told. A look takes four cycles, two more if packets are counted in
/// between, and with an event at most seven more: the congestion point takes the next event eleven cycles after the one
/// before, if a visit is in progress and a packet goes first, and four of these are those of the look. A level is seen
/// two cycles late; then there are eight looks, and an event.
const LATE: u64 = 2 + 8 * (4 + 2 + 7) + 3 + 7;

#[derive(Default)]
struct Queue {
    /// The cycles in which words that have gone out are in the level.
    coming: VecDeque<u64>,
    words: u64,
    /// The cycles in which words left or were lost, of the last ones.
    left: VecDeque<u64>,
    /// Words that left or were lost and of which the congestion point does not know.
    untold: u64,
    /// Of these, words of a packet that the congestion point does not count yet.
    early: u64,
    /// Words that the congestion point has counted, less those that have come: below 0 while a packet is not counted yet.
    ahead: i64,
    /// Words that the congestion point counts.
    counted: u64,
}

impl Queue {
    /// A word leaves or is lost, with so many younger ones behind it.
    fn goes(&mut self, cycle: u64, younger: usize) {
        if (younger as i64) < -self.ahead {
            self.early += 1;
        } else {
            self.left.push_back(cycle);
        }
        self.untold += 1;
    }
}

/// What stands before the queues in block RAM of a NetFPGA-1G: a queue of 16 words with a register behind it. Its words are
/// written one in a cycle, with a cycle without one before each packet.
#[derive(Default)]
struct InputFifo {
    /// The cycle in which a word came, its queues, whether it is the last one of its packet.
    words: VecDeque<(u64, u8, bool)>,
    /// A packet is written.
    writes: bool,
    /// The last word that came was no module header.
    within: bool,
}

pub struct BlockRam {
    queues: [Queue; 8],
    way: Way,
    fifo: InputFifo,
    /// Cycles in which a full queue read 0.
    pub full: u64,
    /// Words that found no room.
    pub lost: u64,
}

impl BlockRam {
    pub fn new(way: Way) -> BlockRam {
        BlockRam { queues: Default::default(), way, fifo: InputFifo::default(), full: 0, lost: 0 }
    }

    /// There is room for a word, and for one more.
    pub fn ready(&self) -> bool {
        self.fifo.words.len() < 16
    }

    /// A word with this ctrl goes out to these queues.
    pub fn comes(&mut self, cycle: u64, ctrl: u8, queues: u8) {
        let in_level = match self.way {
            Way::Cycles(cycles) => cycle + cycles,
            Way::InputFifo => {
                self.fifo.words.push_back((cycle, queues, self.fifo.within && ctrl != 0));
                self.fifo.within = ctrl == 0;
                assert!(self.fifo.words.len() <= 17, "cycle {cycle}: a word that finds no room");
                u64::MAX
            }
        };
        for (_, queue) in self.queues.iter_mut().enumerate().filter(|(queue, _)| queues >> queue & 1 == 1) {
            queue.coming.push_back(in_level);
            queue.ahead -= 1;
        }
    }

    /// A cycle in which words come and, with a probability of `drains` in 1000, leave; whether any did.
    pub fn cycle(&mut self, cycle: u64, drains: u64, random: &mut Random) -> bool {
        let mut moved = !self.fifo.words.is_empty();
        // A word can be read two cycles after it came.
        let next = self.fifo.words.front().filter(|(came, ..)| came + 2 <= cycle).copied();
        let written = next.filter(|_| self.fifo.writes);
        self.fifo.writes = next.map_or(self.fifo.writes, |(_, _, last)| !(self.fifo.writes && last));
        if let Some((_, queues, _)) = written {
            self.fifo.words.pop_front();
            for (_, queue) in self.queues.iter_mut().enumerate().filter(|(queue, _)| queues >> queue & 1 == 1) {
                let next = queue.coming.iter_mut().find(|comes| **comes == u64::MAX);
                *next.expect("it is on its way") = cycle + 1;
            }
        }
        for queue in &mut self.queues {
            let leaves = queue.words > 0 && random.below(1000) < drains;
            while queue.coming.front().is_some_and(|&comes| comes <= cycle) {
                queue.coming.pop_front();
                moved = true;
                if queue.words < CAPACITY {
                    queue.words += 1;
                } else {
                    self.lost += 1;
                    queue.goes(cycle, queue.coming.len());
                }
            }
            if leaves {
                queue.words -= 1;
                queue.goes(cycle, queue.words as usize + queue.coming.len());
            }
            while queue.left.front().is_some_and(|&left| left + LATE < cycle) {
                queue.left.pop_front();
            }
            moved |= leaves || !queue.coming.is_empty();
            self.full += u64::from(queue.words == CAPACITY);
        }
        moved
    }

    pub fn level(&self, queue: usize) -> u64 {
        self.queues[queue].words
    }

    /// All levels modulo 2048, 11 bits each, as 64-bit words.
    pub fn levels(&self) -> [u64; 2] {
        let all = self.queues.iter().rev().fold(0u128, |all, queue| all << 11 | u128::from(queue.words % CAPACITY));
        [all as u64, (all >> 64) as u64]
    }

    /// The congestion point counts words that enter a queue.
    pub fn is_counted(&mut self, cycle: u64, queue: usize, words: u64) {
        let queue = &mut self.queues[queue];
        // The event of a frame comes before that of a packet that has waited longer.
        let early = words.min(queue.early);
        queue.early -= early;
        // Words of this packet that came before its event have hidden as many that left.
        let hidden = words.min(-queue.ahead.min(0) as u64);
        let hidden = hidden.min(queue.untold.saturating_sub(queue.early + early + queue.left.len() as u64));
        queue.left.extend((0..early + hidden).map(|_| cycle));
        queue.counted += words;
        queue.ahead += words as i64;
    }

    /// It counts words that have left.
    ///
    /// # Panics
    /// If they are more than have left or were counted.
    pub fn has_left(&mut self, queue: usize, words: u64) {
        let Queue { counted, untold, left, early, .. } = &mut self.queues[queue];
        *counted = counted.checked_sub(words).expect("no more leaves than was counted");
        *untold = untold.checked_sub(words).expect("no more leaves than has left");
        // The oldest are told first.
        while left.len() as u64 + *early > *untold && left.pop_front().is_some() {}
    }

    /// Compares what is counted with what is there. Of the packet in progress, `remaining` words have not gone out.
    ///
    /// # Panics
    /// If words that have left are not counted as such in time.
    pub fn check(&self, cycle: u64, ports: u8, remaining: u64) {
        for (index, queue) in self.queues.iter().enumerate().filter(|(queue, _)| ports >> queue & 1 == 1) {
            let there = queue.words + queue.coming.len() as u64;
            let most = there + remaining + 25 + queue.left.len() as u64 + queue.early;
            assert!(queue.counted <= most, "cycle {cycle}: queue {index}: {} words, not {most}", queue.counted);
        }
    }
}
