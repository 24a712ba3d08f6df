// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet wires, and packets as words of the NetFPGA-1G user data path.

use std::collections::VecDeque;
use tidegate_core::units::{Cycles, FineTime, Rate};

/// Octets without preamble and FCS.
pub type Frame = Vec<u8>;
/// ctrl and data.
pub type Word = (u8, u64);

/// The words of a packet behind its module header.
pub fn words_of(frame: &[u8], source: usize, destinations: u64) -> Vec<Word> {
    let count = frame.len().div_ceil(8);
    let header = destinations << 48 | (count as u64) << 32 | (source as u64) << 16 | frame.len() as u64;
    let mut words = vec![(0xff, header)];
    words.extend(frame.chunks(8).enumerate().map(|(place, chunk)| {
        let mut whole = [0; 8];
        whole[..chunk.len()].copy_from_slice(chunk);
        (if place + 1 == count { 0x80 >> (chunk.len() - 1) } else { 0 }, u64::from_be_bytes(whole))
    }));
    words
}

/// The octets of a packet with one module header.
pub fn octets_of(words: &[Word]) -> Frame {
    let length = words[0].1 as usize & 0xffff;
    let octets: Frame = words[1..].iter().flat_map(|word| word.1.to_be_bytes()).take(length).collect();
    assert_eq!(octets.len(), length, "the module header says the length");
    octets
}

/// A MAC and its wire: sends one frame after the other at a rate; one more waits in the MAC.
pub struct Wire {
    rate: Rate,
    frames: VecDeque<Frame>,
    /// When the frame at the front is out.
    end: Option<FineTime>,
}

impl Wire {
    pub fn new(rate: Rate) -> Wire {
        Wire { rate, frames: VecDeque::new(), end: None }
    }

    /// Whether the MAC has room for a frame.
    pub fn takes(&self) -> bool {
        self.frames.len() < 2
    }

    /// A frame is whole in the MAC.
    pub fn send(&mut self, now: Cycles, frame: Frame) {
        if self.frames.is_empty() {
            self.end = Some(FineTime::at(now) + FineTime::of_bytes(frame.len() as u32, self.rate));
        }
        self.frames.push_back(frame);
    }

    /// The frame that is out since this cycle.
    pub fn ended(&mut self, now: Cycles) -> Option<Frame> {
        let end = self.end.filter(|end| end.reached() <= now)?;
        let frame = self.frames.pop_front();
        self.end = self.frames.front().map(|next| end + FineTime::of_bytes(next.len() as u32, self.rate));
        frame
    }
}
