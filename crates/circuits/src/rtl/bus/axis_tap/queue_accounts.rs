// SPDX-License-Identifier: MIT OR Apache-2.0
//! The accounts of all output queues.

use super::queue_account::QueueAccount;
use tidegate_hdl::prelude::*;

module! {
    /// The accounts of five output queues, one of which is looked at for what has entered, and one for what has left.
    pub struct QueueAccounts: "queue_accounts" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The queues that are controlled, a bit each.
        pub controlled_queues: Signal<In, Bits<5>>,
        /// The queues that a frame enters that is told in the sum, a bit each.
        pub stores: Signal<In, Bits<5>>,
        /// Its octets.
        pub stored_octets: Signal<In, Bits<16>>,
        /// The queue that is looked at, a bit each.
        pub sum_queue: Signal<In, Bits<5>>,
        /// Octets that have entered it and are not told.
        pub sum_octets: Signal<Out, Bits<24>>,
        /// There are some.
        pub sum_waits: Signal<Out, Bit>,
        /// The sum of this queue was told, a bit each.
        pub sum_taken: Signal<In, Bits<5>>,
        /// So many octets.
        pub told_octets: Signal<In, Bits<24>>,
        /// The congestion point has counted octets of this queue, a bit each.
        pub counted: Signal<In, Bits<5>>,
        /// So many.
        pub counted_octets: Signal<In, Bits<24>>,
        /// A frame was removed from output queue 0.
        pub pkt_removed_0: Signal<In, Bit>,
        /// Its octets; valid with `pkt_removed_0`.
        pub bytes_removed_0: Signal<In, Bits<32>>,
        /// A frame was removed from output queue 1.
        pub pkt_removed_1: Signal<In, Bit>,
        /// Its octets; valid with `pkt_removed_1`.
        pub bytes_removed_1: Signal<In, Bits<32>>,
        /// A frame was removed from output queue 2.
        pub pkt_removed_2: Signal<In, Bit>,
        /// Its octets; valid with `pkt_removed_2`.
        pub bytes_removed_2: Signal<In, Bits<32>>,
        /// A frame was removed from output queue 3.
        pub pkt_removed_3: Signal<In, Bit>,
        /// Its octets; valid with `pkt_removed_3`.
        pub bytes_removed_3: Signal<In, Bits<32>>,
        /// A frame was removed from output queue 4.
        pub pkt_removed_4: Signal<In, Bit>,
        /// Its octets; valid with `pkt_removed_4`.
        pub bytes_removed_4: Signal<In, Bits<32>>,
        /// A frame was dropped: its queues, a bit each.
        pub pkt_dropped: Signal<In, Bits<5>>,
        /// Its octets.
        pub bytes_dropped: Signal<In, Bits<32>>,
        /// The queue that is looked at, a bit each.
        pub leave_queue: Signal<In, Bits<5>>,
        /// Octets that have left it, as far as they were counted.
        pub leave_octets: Signal<Out, Bits<24>>,
        /// There are some.
        pub leave_waits: Signal<Out, Bit>,
        /// Octets were told to have left this queue, a bit each.
        pub leave_taken: Signal<In, Bits<5>>,
        /// So many.
        pub left_octets: Signal<In, Bits<24>>,
        queue_0: QueueAccount,
        queue_1: QueueAccount,
        queue_2: QueueAccount,
        queue_3: QueueAccount,
        queue_4: QueueAccount,
        sum_octets_0: Signal<Local, Bits<24>>,
        sum_octets_1: Signal<Local, Bits<24>>,
        sum_octets_2: Signal<Local, Bits<24>>,
        sum_octets_3: Signal<Local, Bits<24>>,
        sum_octets_4: Signal<Local, Bits<24>>,
        leave_octets_0: Signal<Local, Bits<24>>,
        leave_octets_1: Signal<Local, Bits<24>>,
        leave_octets_2: Signal<Local, Bits<24>>,
        leave_octets_3: Signal<Local, Bits<24>>,
        leave_octets_4: Signal<Local, Bits<24>>,
    }
}

impl Logic for QueueAccounts {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, queue_0, queue_1, queue_2, queue_3, queue_4);

        self.queue_0.reset.next = self.reset.val();
        self.queue_0.is_controlled.next = self.controlled_queues.val().get_bit(0);
        self.queue_0.stores.next = self.stores.val().get_bit(0);
        self.queue_0.stored_octets.next = self.stored_octets.val();
        self.queue_0.sum_taken.next = self.sum_taken.val().get_bit(0);
        self.queue_0.told_octets.next = self.told_octets.val();
        self.queue_0.counted.next = self.counted.val().get_bit(0);
        self.queue_0.counted_octets.next = self.counted_octets.val();
        self.queue_0.removed.next = self.pkt_removed_0.val();
        self.queue_0.removed_octets.next = self.bytes_removed_0.val().to_bits().get_bits::<16>(0);
        self.queue_0.dropped.next = self.pkt_dropped.val().get_bit(0);
        self.queue_0.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_0.leave_taken.next = self.leave_taken.val().get_bit(0);
        self.queue_0.left_octets.next = self.left_octets.val();

        self.queue_1.reset.next = self.reset.val();
        self.queue_1.is_controlled.next = self.controlled_queues.val().get_bit(1);
        self.queue_1.stores.next = self.stores.val().get_bit(1);
        self.queue_1.stored_octets.next = self.stored_octets.val();
        self.queue_1.sum_taken.next = self.sum_taken.val().get_bit(1);
        self.queue_1.told_octets.next = self.told_octets.val();
        self.queue_1.counted.next = self.counted.val().get_bit(1);
        self.queue_1.counted_octets.next = self.counted_octets.val();
        self.queue_1.removed.next = self.pkt_removed_1.val();
        self.queue_1.removed_octets.next = self.bytes_removed_1.val().to_bits().get_bits::<16>(0);
        self.queue_1.dropped.next = self.pkt_dropped.val().get_bit(1);
        self.queue_1.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_1.leave_taken.next = self.leave_taken.val().get_bit(1);
        self.queue_1.left_octets.next = self.left_octets.val();

        self.queue_2.reset.next = self.reset.val();
        self.queue_2.is_controlled.next = self.controlled_queues.val().get_bit(2);
        self.queue_2.stores.next = self.stores.val().get_bit(2);
        self.queue_2.stored_octets.next = self.stored_octets.val();
        self.queue_2.sum_taken.next = self.sum_taken.val().get_bit(2);
        self.queue_2.told_octets.next = self.told_octets.val();
        self.queue_2.counted.next = self.counted.val().get_bit(2);
        self.queue_2.counted_octets.next = self.counted_octets.val();
        self.queue_2.removed.next = self.pkt_removed_2.val();
        self.queue_2.removed_octets.next = self.bytes_removed_2.val().to_bits().get_bits::<16>(0);
        self.queue_2.dropped.next = self.pkt_dropped.val().get_bit(2);
        self.queue_2.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_2.leave_taken.next = self.leave_taken.val().get_bit(2);
        self.queue_2.left_octets.next = self.left_octets.val();

        self.queue_3.reset.next = self.reset.val();
        self.queue_3.is_controlled.next = self.controlled_queues.val().get_bit(3);
        self.queue_3.stores.next = self.stores.val().get_bit(3);
        self.queue_3.stored_octets.next = self.stored_octets.val();
        self.queue_3.sum_taken.next = self.sum_taken.val().get_bit(3);
        self.queue_3.told_octets.next = self.told_octets.val();
        self.queue_3.counted.next = self.counted.val().get_bit(3);
        self.queue_3.counted_octets.next = self.counted_octets.val();
        self.queue_3.removed.next = self.pkt_removed_3.val();
        self.queue_3.removed_octets.next = self.bytes_removed_3.val().to_bits().get_bits::<16>(0);
        self.queue_3.dropped.next = self.pkt_dropped.val().get_bit(3);
        self.queue_3.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_3.leave_taken.next = self.leave_taken.val().get_bit(3);
        self.queue_3.left_octets.next = self.left_octets.val();

        self.queue_4.reset.next = self.reset.val();
        self.queue_4.is_controlled.next = self.controlled_queues.val().get_bit(4);
        self.queue_4.stores.next = self.stores.val().get_bit(4);
        self.queue_4.stored_octets.next = self.stored_octets.val();
        self.queue_4.sum_taken.next = self.sum_taken.val().get_bit(4);
        self.queue_4.told_octets.next = self.told_octets.val();
        self.queue_4.counted.next = self.counted.val().get_bit(4);
        self.queue_4.counted_octets.next = self.counted_octets.val();
        self.queue_4.removed.next = self.pkt_removed_4.val();
        self.queue_4.removed_octets.next = self.bytes_removed_4.val().to_bits().get_bits::<16>(0);
        self.queue_4.dropped.next = self.pkt_dropped.val().get_bit(4);
        self.queue_4.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_4.leave_taken.next = self.leave_taken.val().get_bit(4);
        self.queue_4.left_octets.next = self.left_octets.val();

        // No queue has a turn before another one: all choices are as deep.
        self.sum_octets_0.next = 0.into();
        if self.sum_queue.val().get_bit(0) {
            self.sum_octets_0.next = self.queue_0.sum_octets.val();
        }
        self.sum_octets_1.next = 0.into();
        if self.sum_queue.val().get_bit(1) {
            self.sum_octets_1.next = self.queue_1.sum_octets.val();
        }
        self.sum_octets_2.next = 0.into();
        if self.sum_queue.val().get_bit(2) {
            self.sum_octets_2.next = self.queue_2.sum_octets.val();
        }
        self.sum_octets_3.next = 0.into();
        if self.sum_queue.val().get_bit(3) {
            self.sum_octets_3.next = self.queue_3.sum_octets.val();
        }
        self.sum_octets_4.next = 0.into();
        if self.sum_queue.val().get_bit(4) {
            self.sum_octets_4.next = self.queue_4.sum_octets.val();
        }
        self.sum_octets.next = self.sum_octets_0.val()
            | self.sum_octets_1.val()
            | self.sum_octets_2.val()
            | self.sum_octets_3.val()
            | self.sum_octets_4.val();
        self.sum_waits.next = (self.sum_queue.val().get_bit(0) & self.queue_0.sum_waits.val())
            | (self.sum_queue.val().get_bit(1) & self.queue_1.sum_waits.val())
            | (self.sum_queue.val().get_bit(2) & self.queue_2.sum_waits.val())
            | (self.sum_queue.val().get_bit(3) & self.queue_3.sum_waits.val())
            | (self.sum_queue.val().get_bit(4) & self.queue_4.sum_waits.val());

        self.leave_octets_0.next = 0.into();
        if self.leave_queue.val().get_bit(0) {
            self.leave_octets_0.next = self.queue_0.leave_octets.val();
        }
        self.leave_octets_1.next = 0.into();
        if self.leave_queue.val().get_bit(1) {
            self.leave_octets_1.next = self.queue_1.leave_octets.val();
        }
        self.leave_octets_2.next = 0.into();
        if self.leave_queue.val().get_bit(2) {
            self.leave_octets_2.next = self.queue_2.leave_octets.val();
        }
        self.leave_octets_3.next = 0.into();
        if self.leave_queue.val().get_bit(3) {
            self.leave_octets_3.next = self.queue_3.leave_octets.val();
        }
        self.leave_octets_4.next = 0.into();
        if self.leave_queue.val().get_bit(4) {
            self.leave_octets_4.next = self.queue_4.leave_octets.val();
        }
        self.leave_octets.next = self.leave_octets_0.val()
            | self.leave_octets_1.val()
            | self.leave_octets_2.val()
            | self.leave_octets_3.val()
            | self.leave_octets_4.val();
        self.leave_waits.next = (self.leave_queue.val().get_bit(0) & self.queue_0.leave_waits.val())
            | (self.leave_queue.val().get_bit(1) & self.queue_1.leave_waits.val())
            | (self.leave_queue.val().get_bit(2) & self.queue_2.leave_waits.val())
            | (self.leave_queue.val().get_bit(3) & self.queue_3.leave_waits.val())
            | (self.leave_queue.val().get_bit(4) & self.queue_4.leave_waits.val());
    }
}
