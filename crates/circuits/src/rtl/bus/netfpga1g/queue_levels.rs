// SPDX-License-Identifier: MIT OR Apache-2.0
//! The levels of all output queues in block RAM.

use super::queue_level::QueueLevel;
use tidegate_hdl::prelude::*;

module! {
    /// The level of one of eight output queues. A level of cycle t is at the output in cycle t + 1.
    pub struct QueueLevels: "queue_levels" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Words in output queue 0, modulo 2048.
        pub queue_words_0: Signal<In, Bits<11>>,
        /// Words in output queue 1, modulo 2048.
        pub queue_words_1: Signal<In, Bits<11>>,
        /// Words in output queue 2, modulo 2048.
        pub queue_words_2: Signal<In, Bits<11>>,
        /// Words in output queue 3, modulo 2048.
        pub queue_words_3: Signal<In, Bits<11>>,
        /// Words in output queue 4, modulo 2048.
        pub queue_words_4: Signal<In, Bits<11>>,
        /// Words in output queue 5, modulo 2048.
        pub queue_words_5: Signal<In, Bits<11>>,
        /// Words in output queue 6, modulo 2048.
        pub queue_words_6: Signal<In, Bits<11>>,
        /// Words in output queue 7, modulo 2048.
        pub queue_words_7: Signal<In, Bits<11>>,
        /// Number of an output queue.
        pub queue_index: Signal<In, Bits<3>>,
        /// Words in this queue, 0 to 2048.
        pub level: Signal<Out, Bits<12>>,
        queue_0: QueueLevel,
        queue_1: QueueLevel,
        queue_2: QueueLevel,
        queue_3: QueueLevel,
        queue_4: QueueLevel,
        queue_5: QueueLevel,
        queue_6: QueueLevel,
        queue_7: QueueLevel,
    }
}

impl Logic for QueueLevels {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, queue_0, queue_1, queue_2, queue_3, queue_4, queue_5, queue_6, queue_7);
        self.queue_0.reset.next = self.reset.val();
        self.queue_1.reset.next = self.reset.val();
        self.queue_2.reset.next = self.reset.val();
        self.queue_3.reset.next = self.reset.val();
        self.queue_4.reset.next = self.reset.val();
        self.queue_5.reset.next = self.reset.val();
        self.queue_6.reset.next = self.reset.val();
        self.queue_7.reset.next = self.reset.val();
        self.queue_0.queue_words.next = self.queue_words_0.val();
        self.queue_1.queue_words.next = self.queue_words_1.val();
        self.queue_2.queue_words.next = self.queue_words_2.val();
        self.queue_3.queue_words.next = self.queue_words_3.val();
        self.queue_4.queue_words.next = self.queue_words_4.val();
        self.queue_5.queue_words.next = self.queue_words_5.val();
        self.queue_6.queue_words.next = self.queue_words_6.val();
        self.queue_7.queue_words.next = self.queue_words_7.val();
        self.level.next = self.queue_7.level.val();
        if self.queue_index.val() == 0 {
            self.level.next = self.queue_0.level.val();
        } else if self.queue_index.val() == 1 {
            self.level.next = self.queue_1.level.val();
        } else if self.queue_index.val() == 2 {
            self.level.next = self.queue_2.level.val();
        } else if self.queue_index.val() == 3 {
            self.level.next = self.queue_3.level.val();
        } else if self.queue_index.val() == 4 {
            self.level.next = self.queue_4.level.val();
        } else if self.queue_index.val() == 5 {
            self.level.next = self.queue_5.level.val();
        } else if self.queue_index.val() == 6 {
            self.level.next = self.queue_6.level.val();
        }
    }
}
