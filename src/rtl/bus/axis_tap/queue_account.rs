//! Octets of one output queue that the congestion point has not been told of.

use crate::rtl::module;
use crate::rtl::register::Register;
use rust_hdl::prelude::*;

module! {
    /// The account of an output queue: octets that have entered and are told in one sum, and octets that have left.
    ///
    /// Nothing is lost, however fast it comes: it waits here as a sum. What leaves is told only as far as the congestion point
    /// has counted it, so that its length never falls below 0, and the order in which things are told does not matter. What
    /// leaves in cycle t is in `leave_octets` from cycle t + 3 on.
    pub struct QueueAccount: "queue_account" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// The queue is controlled. If not, nothing leaves it.
        pub is_controlled: Signal<In, Bit>,
        /// A frame enters that is told in the sum.
        pub stores: Signal<In, Bit>,
        /// Its octets; valid with `stores`.
        pub stored_octets: Signal<In, Bits<16>>,
        /// The sum of them; 0 if none wait.
        pub sum_octets: Signal<Out, Bits<24>>,
        /// It is told: a new sum begins.
        pub sum_taken: Signal<In, Bit>,
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
        /// Octets that have left and were counted; 0 if there are none. Not valid in the cycle after `leave_taken`.
        pub leave_octets: Signal<Out, Bits<24>>,
        /// They are told.
        pub leave_taken: Signal<In, Bit>,
        /// Octets that have entered and are not told.
        sum: Register<Bits<24>>,
        /// Octets that left in the cycle before.
        departed: Register<Bits<17>>,
        /// Octets that have left and are not told.
        gone: Register<Bits<24>>,
        /// Octets that were counted and have not been told to leave.
        present: Register<Bits<24>>,
        /// The smaller one of both.
        leaves: Register<Bits<24>>,
        by_removal: Signal<Local, Bits<17>>,
        by_drop: Signal<Local, Bits<17>>,
        told: Signal<Local, Bits<24>>,
        entered: Signal<Local, Bits<24>>,
        kept: Signal<Local, Bits<24>>,
        comes: Signal<Local, Bits<24>>,
    }
}

impl Logic for QueueAccount {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, departed, gone, present, leaves);
        self.sum.reset.next = self.reset.val();
        self.departed.reset.next = self.reset.val();
        self.gone.reset.next = self.reset.val();
        self.present.reset.next = self.reset.val();
        self.leaves.reset.next = self.reset.val();

        self.entered.next = 0.into();
        if self.stores.val() {
            self.entered.next = bit_cast::<24, 16>(self.stored_octets.val());
        }
        self.kept.next = self.sum.q.val();
        if self.sum_taken.val() {
            self.kept.next = 0.into();
        }
        self.sum.d.next = self.kept.val() + self.entered.val();

        self.by_removal.next = 0.into();
        if self.is_controlled.val() & self.removed.val() {
            self.by_removal.next = bit_cast::<17, 16>(self.removed_octets.val());
        }
        self.by_drop.next = 0.into();
        if self.is_controlled.val() & self.dropped.val() {
            self.by_drop.next = bit_cast::<17, 16>(self.dropped_octets.val());
        }
        self.departed.d.next = self.by_removal.val() + self.by_drop.val();

        self.told.next = 0.into();
        if self.leave_taken.val() {
            self.told.next = self.leaves.q.val();
        }
        self.comes.next = 0.into();
        if self.counted.val() {
            self.comes.next = self.counted_octets.val();
        }
        self.gone.d.next = self.gone.q.val() + bit_cast::<24, 17>(self.departed.q.val()) - self.told.val();
        self.present.d.next = self.present.q.val() + self.comes.val() - self.told.val();
        self.leaves.d.next = self.present.q.val();
        if self.gone.q.val() < self.present.q.val() {
            self.leaves.d.next = self.gone.q.val();
        }

        self.sum_octets.next = self.sum.q.val();
        self.leave_octets.next = self.leaves.q.val();
    }
}
