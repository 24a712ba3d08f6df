// SPDX-License-Identifier: MIT OR Apache-2.0
//! Octets of one output queue that the congestion point has not been told of.

use tidegate_hdl::prelude::*;

module! {
    /// The account of an output queue: octets that have entered and are told in one sum, and octets that have left.
    ///
    /// Nothing is lost, however fast it comes: it waits here as a sum. What leaves is told only as far as the congestion point
    /// has counted it, so that its length never falls below 0, and the order in which things are told does not matter. What
    /// leaves in cycle t is in `leave_octets` from cycle t + 3 on. What is told is subtracted a cycle after it was chosen, from
    /// registers: the choice among all queues and the subtraction would be too long for one cycle.
    pub struct QueueAccount: "queue_account" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The queue is controlled. If not, nothing leaves it.
        pub is_controlled: Signal<In, Bit>,
        /// A frame enters that is told in the sum.
        pub stores: Signal<In, Bit>,
        /// Its octets; valid with `stores`.
        pub stored_octets: Signal<In, Bits<16>>,
        /// The sum of them. Not valid in the cycle of `sum_taken`: what was told is still in it.
        pub sum_octets: Signal<Out, Bits<24>>,
        /// It was not 0 in the cycle before; not valid until the second cycle after `sum_taken`.
        pub sum_waits: Signal<Out, Bit>,
        /// A sum of this queue was told.
        pub sum_taken: Signal<In, Bit>,
        /// So many octets; valid with `sum_taken`.
        pub told_octets: Signal<In, Bits<24>>,
        /// The congestion point has counted octets of this queue.
        pub counted: Signal<In, Bit>,
        /// So many; valid with `counted`.
        pub counted_octets: Signal<In, Bits<24>>,
        /// A frame was removed from the queue.
        pub removed: Signal<In, Bit>,
        /// Its octets; valid with `removed`.
        pub removed_octets: Signal<In, Bits<16>>,
        /// A frame was dropped before the queue.
        pub dropped: Signal<In, Bit>,
        /// Its octets; valid with `dropped`.
        pub dropped_octets: Signal<In, Bits<16>>,
        /// Octets that have left and were counted. Not valid until the second cycle after `leave_taken`.
        pub leave_octets: Signal<Out, Bits<24>>,
        /// They are not 0.
        pub leave_waits: Signal<Out, Bit>,
        /// Octets of this queue were told to have left.
        pub leave_taken: Signal<In, Bit>,
        /// So many; valid with `leave_taken`.
        pub left_octets: Signal<In, Bits<24>>,
        /// Octets that have entered and are not told.
        sum: Register<Bits<24>>,
        /// In the cycle before, there were some.
        has_sum: Register<Bit>,
        /// Octets that left in the cycle before.
        departed: Register<Bits<17>>,
        /// Octets that have left and are not told.
        gone: Register<Bits<24>>,
        /// Octets that were counted and have not been told to leave.
        present: Register<Bits<24>>,
        /// The smaller one of both.
        leaves: Register<Bits<24>>,
        /// It is not 0.
        has_left: Register<Bit>,
        by_removal: Signal<Local, Bits<17>>,
        by_drop: Signal<Local, Bits<17>>,
        told: Signal<Local, Bits<24>>,
        left: Signal<Local, Bits<24>>,
        entered: Signal<Local, Bits<24>>,
        comes: Signal<Local, Bits<24>>,
    }
}

impl Logic for QueueAccount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, has_sum, departed, gone, present, leaves, has_left);
        self.sum.reset.next = self.reset.val();
        self.has_sum.reset.next = self.reset.val();
        self.departed.reset.next = self.reset.val();
        self.gone.reset.next = self.reset.val();
        self.present.reset.next = self.reset.val();
        self.leaves.reset.next = self.reset.val();
        self.has_left.reset.next = self.reset.val();

        self.entered.next = 0.into();
        if self.stores.val() {
            self.entered.next = bit_cast::<24, 16>(self.stored_octets.val());
        }
        self.told.next = 0.into();
        if self.sum_taken.val() {
            self.told.next = self.told_octets.val();
        }
        self.sum.d.next = self.sum.q.val() + self.entered.val() - self.told.val();
        self.has_sum.d.next = self.sum.q.val().any();

        self.by_removal.next = 0.into();
        if self.is_controlled.val() & self.removed.val() {
            self.by_removal.next = bit_cast::<17, 16>(self.removed_octets.val());
        }
        self.by_drop.next = 0.into();
        if self.is_controlled.val() & self.dropped.val() {
            self.by_drop.next = bit_cast::<17, 16>(self.dropped_octets.val());
        }
        self.departed.d.next = self.by_removal.val() + self.by_drop.val();

        self.left.next = 0.into();
        if self.leave_taken.val() {
            self.left.next = self.left_octets.val();
        }
        self.comes.next = 0.into();
        if self.counted.val() {
            self.comes.next = self.counted_octets.val();
        }
        self.gone.d.next = self.gone.q.val() + bit_cast::<24, 17>(self.departed.q.val()) - self.left.val();
        self.present.d.next = self.present.q.val() + self.comes.val() - self.left.val();
        self.leaves.d.next = self.present.q.val();
        if self.gone.q.val() < self.present.q.val() {
            self.leaves.d.next = self.gone.q.val();
        }
        self.has_left.d.next = self.gone.q.val().any() & self.present.q.val().any();

        self.sum_octets.next = self.sum.q.val();
        self.sum_waits.next = self.has_sum.q.val();
        self.leave_octets.next = self.leaves.q.val();
        self.leave_waits.next = self.has_left.q.val();
    }
}
