// SPDX-License-Identifier: MIT OR Apache-2.0
//! The length of a queue after an event.

use tidegate_hdl::prelude::*;

module! {
    /// Adds what enters a queue to its length and subtracts what leaves it, and limits the sum. Combinational; a
    /// register belongs between `next_sum` and `sum`: a clamp after the adder would make the path too long.
    pub struct QueueLength: "queue_length" {
        /// Length of the queue, bytes.
        pub present: Signal<In, Bits<24>>,
        /// A packet enters the queue.
        pub enqueue: Signal<In, Bit>,
        /// Length of the packet that enters, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Bytes leave the queue.
        pub dequeue: Signal<In, Bit>,
        /// Number of bytes that leave; valid with `dequeue`.
        pub dequeue_bytes: Signal<In, Bits<24>>,
        /// The length after these events before it is limited, bytes, two's complement.
        pub next_sum: Signal<Out, Bits<26>>,
        /// Length before it is limited, bytes, two's complement. Bit 25: below 0; else bit 24: more than 24 bits hold.
        pub sum: Signal<In, Bits<26>>,
        /// That length, limited to 0 to 2^24 - 1, bytes.
        pub length: Signal<Out, Bits<24>>,
        /// It was limited.
        pub clamped: Signal<Out, Bit>,
        entering: Signal<Local, Bits<26>>,
        leaving: Signal<Local, Bits<26>>,
        less_leaving: Signal<Local, Bits<26>>,
        length_extended: Signal<Local, Bits<26>>,
        sums: Signal<Local, Bits<26>>,
        carries: Signal<Local, Bits<26>>,
    }
}

impl Logic for QueueLength {
    #[hdl_gen]
    fn update(&mut self) {
        self.entering.next = 0.into();
        if self.enqueue.val() {
            self.entering.next = bit_cast::<26, 24>(self.enqueue_bytes.val());
        }
        self.leaving.next = 0.into();
        if self.dequeue.val() {
            self.leaving.next = bit_cast::<26, 24>(self.dequeue_bytes.val());
        }
        // A carry-save adder reduces the three numbers to two, so that one carry chain makes the sum.
        self.length_extended.next = bit_cast::<26, 24>(self.present.val());
        self.less_leaving.next = self.leaving.val() ^ 0x3ff_ffff;
        self.sums.next = self.length_extended.val() ^ self.entering.val() ^ self.less_leaving.val();
        self.carries.next = (self.length_extended.val() & self.entering.val())
            | (self.length_extended.val() & self.less_leaving.val())
            | (self.entering.val() & self.less_leaving.val());
        self.next_sum.next = self.sums.val() + ((self.carries.val().to_bits() << 1) | 1);

        self.length.next = self.sum.val().to_bits().get_bits::<24>(0);
        if self.sum.val().get_bit(25) {
            self.length.next = 0.into();
        } else if self.sum.val().get_bit(24) {
            self.length.next = 0xff_ffff.into();
        }
        self.clamped.next = self.sum.val().get_bit(25) | self.sum.val().get_bit(24);
    }
}
