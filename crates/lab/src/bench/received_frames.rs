// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream of received frames into a circuit, word by word.

use super::machine::Machine;
use std::collections::VecDeque;
use tidegate_core::units::Cycles;

/// Frames on their way to a circuit, and the inputs that take them.
pub struct ReceivedFrames<I> {
    /// Frames on their way: arrival of the first word, length in octets.
    frames: VecDeque<(Cycles, usize)>,
    /// The octets of all of them, but for the words of the first that were taken.
    octets: VecDeque<u8>,
    /// Words of the first frame that were taken.
    words: usize,
    data_high: I,
    data_low: I,
    octet_count: I,
    last: I,
    valid: I,
}

impl<I: Copy> ReceivedFrames<I> {
    /// None yet.
    pub fn new<M: Machine<Input = I>>(machine: &M) -> Self {
        ReceivedFrames {
            frames: VecDeque::new(),
            octets: VecDeque::new(),
            words: 0,
            data_high: machine.input("data_high"),
            data_low: machine.input("data_low"),
            octet_count: machine.input("octets"),
            last: machine.input("last"),
            valid: machine.input("valid"),
        }
    }

    /// The first word of `frame` arrives in cycle `at`.
    pub fn deliver(&mut self, at: Cycles, frame: &[u8]) {
        self.frames.push_back((at, frame.len()));
        self.octets.extend(frame);
    }

    /// Drives the next word of the first frame, if it has arrived: the circuit takes it in this cycle. Whether it is the
    /// last one of its frame.
    pub fn drive<M: Machine<Input = I>>(&mut self, to: &mut M, now: Cycles) -> bool {
        let arrived = self.frames.front().filter(|&&(at, _)| at + self.words as Cycles <= now);
        let Some(&(_, length)) = arrived else {
            to.set(self.valid, 0);
            return false;
        };
        let left = length - 8 * self.words;
        let (octets, last) = (left.min(8), left <= 8);
        let word = self.octets.drain(..octets).enumerate();
        let word = word.fold(0, |word, (place, octet)| word | u64::from(octet) << (56 - 8 * place));
        to.set(self.valid, 1);
        to.set(self.data_high, word >> 32);
        to.set(self.data_low, word & 0xffff_ffff);
        to.set(self.octet_count, octets as u64);
        to.set(self.last, last.into());
        self.words += 1;
        if last {
            self.words = 0;
            self.frames.pop_front();
        }
        last
    }
}
