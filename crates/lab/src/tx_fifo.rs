// SPDX-License-Identifier: MIT OR Apache-2.0
//! A FIFO between an output queue and its link, as in a NetFPGA-1G, where `tx_queue` (512 words of 72 bits) is behind
//! `output_queues`: a packet in it is in the queue no more, so the length of the queue does not count it.
//!
//! A packet moves from the head of the queue into the FIFO, whole and in no time, as soon as the FIFO has room for it; a
//! packet that is longer than the FIFO, when the FIFO is empty. It stays there until its last byte is out on the link.
//! Without a FIFO a packet is in the queue until then.

use std::collections::VecDeque;

/// The FIFO: of the packets that wait for a link, those in front.
#[derive(Clone, Copy, Debug)]
pub struct TxFifo {
    capacity: u32,
    packets: usize,
    bytes: u32,
}

impl TxFifo {
    /// An empty one for so many bytes; 0: there is none.
    pub fn new(capacity: u32) -> Self {
        TxFifo { capacity, packets: 0, bytes: 0 }
    }

    /// Bytes in it.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// A packet of so many bytes is out on the link; `waiting` are those behind it, in the FIFO and in the queue. Returns the
    /// bytes that leave the queue.
    #[inline]
    pub fn sent<T>(&mut self, bytes: u32, waiting: &VecDeque<T>, length: impl Fn(&T) -> u32) -> u32 {
        if self.capacity == 0 {
            return bytes;
        }
        self.packets -= 1;
        self.bytes -= bytes;
        self.fill(waiting, length)
    }

    /// A packet has come to the end of `waiting`. Returns the bytes that leave the queue.
    #[inline]
    pub fn entered<T>(&mut self, waiting: &VecDeque<T>, length: impl Fn(&T) -> u32) -> u32 {
        if self.capacity == 0 { 0 } else { self.fill(waiting, length) }
    }

    fn fill<T>(&mut self, waiting: &VecDeque<T>, length: impl Fn(&T) -> u32) -> u32 {
        let before = self.bytes;
        for bytes in waiting.range(self.packets..).map(length) {
            if self.packets > 0 && self.bytes + bytes > self.capacity {
                break;
            }
            self.packets += 1;
            self.bytes += bytes;
        }
        self.bytes - before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that leave the queue with each packet that enters, and then with each that is sent.
    fn moved(capacity: u32, lengths: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let (mut fifo, mut waiting) = (TxFifo::new(capacity), VecDeque::new());
        let enter = |&bytes: &u32| {
            waiting.push_back(bytes);
            fifo.entered(&waiting, |&bytes| bytes)
        };
        let entered = lengths.iter().map(enter).collect();
        let mut sent = Vec::new();
        while let Some(bytes) = waiting.pop_front() {
            sent.push(fifo.sent(bytes, &waiting, |&bytes| bytes));
        }
        assert_eq!(fifo.bytes(), 0);
        (entered, sent)
    }

    #[test]
    fn packets_leave_the_queue_when_the_fifo_has_room() {
        let lengths = [1000, 2000, 1500, 64, 64];
        assert_eq!(moved(0, &lengths), (vec![0; 5], lengths.to_vec()), "without a FIFO when they are sent");
        // 1000 and 2000 fill it; 1500 waits, and those behind it too.
        assert_eq!(moved(4096, &lengths), (vec![1000, 2000, 0, 0, 0], vec![1500 + 64 + 64, 0, 0, 0, 0]));
        assert_eq!(moved(4500, &lengths), (vec![1000, 2000, 1500, 0, 0], vec![128, 0, 0, 0, 0]));
        // Each but the short ones is longer than it.
        assert_eq!(moved(128, &lengths), (vec![1000, 0, 0, 0, 0], vec![2000, 1500, 128, 0, 0]));
        assert_eq!(moved(1 << 20, &lengths), (lengths.to_vec(), vec![0; 5]));
    }
}
