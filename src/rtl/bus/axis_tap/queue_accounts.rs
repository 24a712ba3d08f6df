//! The accounts of all output queues.

use super::queue_account::QueueAccount;
use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// The accounts of five output queues, one of which is looked at for what has entered, and one for what has left.
    pub struct QueueAccounts: "queue_accounts" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// The queues that are controlled, a bit each.
        pub controlled_queues: Signal<In, Bits<5>>,
        /// The queues that a frame enters that is told in the sum, a bit each.
        pub stores: Signal<In, Bits<5>>,
        /// Its octets.
        pub stored_octets: Signal<In, Bits<16>>,
        /// The queue that is looked at, 0 to 4.
        pub sum_queue: Signal<In, Bits<3>>,
        /// Octets that have entered it and are not told.
        pub sum_octets: Signal<Out, Bits<24>>,
        /// There are some.
        pub sum_waits: Signal<Out, Bit>,
        /// A sum was told.
        pub sum_taken: Signal<In, Bit>,
        /// Of this queue.
        pub told_queue: Signal<In, Bits<3>>,
        /// So many octets.
        pub told_octets: Signal<In, Bits<24>>,
        /// The congestion point has counted octets.
        pub counted: Signal<In, Bit>,
        /// Of this queue.
        pub counted_queue: Signal<In, Bits<3>>,
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
        /// The queue that is looked at, 0 to 4.
        pub leave_queue: Signal<In, Bits<3>>,
        /// Octets that have left it, as far as they were counted.
        pub leave_octets: Signal<Out, Bits<24>>,
        /// There are some.
        pub leave_waits: Signal<Out, Bit>,
        /// Octets were told to have left.
        pub leave_taken: Signal<In, Bit>,
        /// This queue.
        pub left_queue: Signal<In, Bits<3>>,
        /// So many.
        pub left_octets: Signal<In, Bits<24>>,
        queue_0: QueueAccount,
        queue_1: QueueAccount,
        queue_2: QueueAccount,
        queue_3: QueueAccount,
        queue_4: QueueAccount,
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
        self.queue_0.sum_taken.next = self.sum_taken.val() & (self.told_queue.val() == 0);
        self.queue_0.told_octets.next = self.told_octets.val();
        self.queue_0.counted.next = self.counted.val() & (self.counted_queue.val() == 0);
        self.queue_0.counted_octets.next = self.counted_octets.val();
        self.queue_0.removed.next = self.pkt_removed_0.val();
        self.queue_0.removed_octets.next = self.bytes_removed_0.val().to_bits().get_bits::<16>(0);
        self.queue_0.dropped.next = self.pkt_dropped.val().get_bit(0);
        self.queue_0.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_0.leave_taken.next = self.leave_taken.val() & (self.left_queue.val() == 0);
        self.queue_0.left_octets.next = self.left_octets.val();

        self.queue_1.reset.next = self.reset.val();
        self.queue_1.is_controlled.next = self.controlled_queues.val().get_bit(1);
        self.queue_1.stores.next = self.stores.val().get_bit(1);
        self.queue_1.stored_octets.next = self.stored_octets.val();
        self.queue_1.sum_taken.next = self.sum_taken.val() & (self.told_queue.val() == 1);
        self.queue_1.told_octets.next = self.told_octets.val();
        self.queue_1.counted.next = self.counted.val() & (self.counted_queue.val() == 1);
        self.queue_1.counted_octets.next = self.counted_octets.val();
        self.queue_1.removed.next = self.pkt_removed_1.val();
        self.queue_1.removed_octets.next = self.bytes_removed_1.val().to_bits().get_bits::<16>(0);
        self.queue_1.dropped.next = self.pkt_dropped.val().get_bit(1);
        self.queue_1.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_1.leave_taken.next = self.leave_taken.val() & (self.left_queue.val() == 1);
        self.queue_1.left_octets.next = self.left_octets.val();

        self.queue_2.reset.next = self.reset.val();
        self.queue_2.is_controlled.next = self.controlled_queues.val().get_bit(2);
        self.queue_2.stores.next = self.stores.val().get_bit(2);
        self.queue_2.stored_octets.next = self.stored_octets.val();
        self.queue_2.sum_taken.next = self.sum_taken.val() & (self.told_queue.val() == 2);
        self.queue_2.told_octets.next = self.told_octets.val();
        self.queue_2.counted.next = self.counted.val() & (self.counted_queue.val() == 2);
        self.queue_2.counted_octets.next = self.counted_octets.val();
        self.queue_2.removed.next = self.pkt_removed_2.val();
        self.queue_2.removed_octets.next = self.bytes_removed_2.val().to_bits().get_bits::<16>(0);
        self.queue_2.dropped.next = self.pkt_dropped.val().get_bit(2);
        self.queue_2.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_2.leave_taken.next = self.leave_taken.val() & (self.left_queue.val() == 2);
        self.queue_2.left_octets.next = self.left_octets.val();

        self.queue_3.reset.next = self.reset.val();
        self.queue_3.is_controlled.next = self.controlled_queues.val().get_bit(3);
        self.queue_3.stores.next = self.stores.val().get_bit(3);
        self.queue_3.stored_octets.next = self.stored_octets.val();
        self.queue_3.sum_taken.next = self.sum_taken.val() & (self.told_queue.val() == 3);
        self.queue_3.told_octets.next = self.told_octets.val();
        self.queue_3.counted.next = self.counted.val() & (self.counted_queue.val() == 3);
        self.queue_3.counted_octets.next = self.counted_octets.val();
        self.queue_3.removed.next = self.pkt_removed_3.val();
        self.queue_3.removed_octets.next = self.bytes_removed_3.val().to_bits().get_bits::<16>(0);
        self.queue_3.dropped.next = self.pkt_dropped.val().get_bit(3);
        self.queue_3.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_3.leave_taken.next = self.leave_taken.val() & (self.left_queue.val() == 3);
        self.queue_3.left_octets.next = self.left_octets.val();

        self.queue_4.reset.next = self.reset.val();
        self.queue_4.is_controlled.next = self.controlled_queues.val().get_bit(4);
        self.queue_4.stores.next = self.stores.val().get_bit(4);
        self.queue_4.stored_octets.next = self.stored_octets.val();
        self.queue_4.sum_taken.next = self.sum_taken.val() & (self.told_queue.val() == 4);
        self.queue_4.told_octets.next = self.told_octets.val();
        self.queue_4.counted.next = self.counted.val() & (self.counted_queue.val() == 4);
        self.queue_4.counted_octets.next = self.counted_octets.val();
        self.queue_4.removed.next = self.pkt_removed_4.val();
        self.queue_4.removed_octets.next = self.bytes_removed_4.val().to_bits().get_bits::<16>(0);
        self.queue_4.dropped.next = self.pkt_dropped.val().get_bit(4);
        self.queue_4.dropped_octets.next = self.bytes_dropped.val().to_bits().get_bits::<16>(0);
        self.queue_4.leave_taken.next = self.leave_taken.val() & (self.left_queue.val() == 4);
        self.queue_4.left_octets.next = self.left_octets.val();

        self.sum_octets.next = self.queue_4.sum_octets.val();
        self.sum_waits.next = self.queue_4.sum_waits.val();
        if self.sum_queue.val() == 0 {
            self.sum_octets.next = self.queue_0.sum_octets.val();
            self.sum_waits.next = self.queue_0.sum_waits.val();
        } else if self.sum_queue.val() == 1 {
            self.sum_octets.next = self.queue_1.sum_octets.val();
            self.sum_waits.next = self.queue_1.sum_waits.val();
        } else if self.sum_queue.val() == 2 {
            self.sum_octets.next = self.queue_2.sum_octets.val();
            self.sum_waits.next = self.queue_2.sum_waits.val();
        } else if self.sum_queue.val() == 3 {
            self.sum_octets.next = self.queue_3.sum_octets.val();
            self.sum_waits.next = self.queue_3.sum_waits.val();
        }

        self.leave_octets.next = self.queue_4.leave_octets.val();
        self.leave_waits.next = self.queue_4.leave_waits.val();
        if self.leave_queue.val() == 0 {
            self.leave_octets.next = self.queue_0.leave_octets.val();
            self.leave_waits.next = self.queue_0.leave_waits.val();
        } else if self.leave_queue.val() == 1 {
            self.leave_octets.next = self.queue_1.leave_octets.val();
            self.leave_waits.next = self.queue_1.leave_waits.val();
        } else if self.leave_queue.val() == 2 {
            self.leave_octets.next = self.queue_2.leave_octets.val();
            self.leave_waits.next = self.queue_2.leave_waits.val();
        } else if self.leave_queue.val() == 3 {
            self.leave_octets.next = self.queue_3.leave_octets.val();
            self.leave_waits.next = self.queue_3.leave_waits.val();
        }
    }
}
