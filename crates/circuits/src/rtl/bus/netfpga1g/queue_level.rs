// SPDX-License-Identifier: MIT OR Apache-2.0
//! The level of an output queue in block RAM.

use tidegate_hdl::prelude::*;

module! {
    /// The level of an output queue of at most 2048 words, whose counter has 11 bits: a full queue reads 0.
    ///
    /// A level of 0 is a full queue if the last level that was not 0 was 1024 or more; it is an empty queue if that was
    /// less, and after a reset. This is right if the queue is empty at the reset, and if no level differs from the one
    /// before by more than 1023 words. The level of cycle t is at the output in cycle t + 1.
    pub struct QueueLevel: "queue_level" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Words in the queue, modulo 2048.
        pub queue_words: Signal<In, Bits<11>>,
        /// Words in the queue, 0 to 2048.
        pub level: Signal<Out, Bits<12>>,
        seen: Register<Bits<11>>,
        /// The last level that was not 0 was 1024 or more.
        upper: Register<Bit>,
    }
}

impl Logic for QueueLevel {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, seen, upper);
        self.seen.reset.next = self.reset.val();
        self.upper.reset.next = self.reset.val();
        self.seen.d.next = self.queue_words.val();
        if self.seen.q.val().any() {
            self.upper.d.next = self.seen.q.val().get_bit(10);
        }
        self.level.next = bit_cast::<12, 11>(self.seen.q.val());
        if !self.seen.q.val().any() & self.upper.q.val() {
            self.level.next = 2048.into();
        }
    }
}
