//! Which event the congestion point is told next.

use crate::rtl::register::Register;
use crate::rtl::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Chooses the next event: a frame for one of its queues, or a sum. They take turns, so that neither waits for ever, and
    /// all queues take turns too.
    ///
    /// An event is chosen in a cycle in which none is told; it is told from the next cycle on until it is taken. An event of
    /// what leaves is chosen in the same way, beside it: a queue is looked at in each cycle in which no event is told.
    pub struct EventTurns: "axis_event_turns" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// A frame waits.
        pub waits: Signal<In, Bit>,
        /// Its octets.
        pub octets: Signal<In, Bits<16>>,
        /// Its output queues, at least one, a bit each.
        pub queues: Signal<In, Bits<5>>,
        /// It may get feedback.
        pub may_get_feedback: Signal<In, Bit>,
        /// All its queues are told.
        pub pop: Signal<Out, Bit>,
        /// The queue whose sum is looked at, 0 to 4.
        pub sum_queue: Signal<Out, Bits<3>>,
        /// Octets that have entered it and are not told; 0 if there are none.
        pub sum_octets: Signal<In, Bits<24>>,
        /// They are the next event.
        pub sum_taken: Signal<Out, Bit>,
        /// The queue that is looked at for what leaves, 0 to 4.
        pub leave_queue: Signal<Out, Bits<3>>,
        /// Octets that have left it; 0 if there are none.
        pub leave_octets: Signal<In, Bits<24>>,
        /// They are the next event.
        pub leave_taken: Signal<Out, Bit>,
        /// Octets enter an output queue; taken if `ready` is high.
        pub enqueue: Signal<Out, Bit>,
        /// This queue.
        pub enqueue_queue: Signal<Out, Bits<3>>,
        /// So many; valid with `enqueue`.
        pub enqueue_bytes: Signal<Out, Bits<24>>,
        /// They are a frame that may get feedback; valid with `enqueue`.
        pub controlled: Signal<Out, Bit>,
        /// The congestion point has counted all events before, and takes this one.
        pub ready: Signal<In, Bit>,
        /// An event that was taken has been counted.
        pub counted: Signal<Out, Bit>,
        /// Of this queue.
        pub counted_queue: Signal<Out, Bits<3>>,
        /// So many octets.
        pub counted_octets: Signal<Out, Bits<24>>,
        /// Octets have left an output queue; taken if `dequeue_ready` is high.
        pub dequeue: Signal<Out, Bit>,
        /// This queue.
        pub dequeue_queue: Signal<Out, Bits<3>>,
        /// So many; valid with `dequeue`.
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// The event is taken.
        pub dequeue_ready: Signal<In, Bit>,
        /// An event is told.
        told: Register<Bit>,
        /// It is one of a frame.
        of_frame: DFF<Bit>,
        /// It is that of its last queue.
        is_last: DFF<Bit>,
        queue: DFF<Bits<3>>,
        bytes: DFF<Bits<24>>,
        feedback: DFF<Bit>,
        /// An event was taken and is being counted.
        counting: Register<Bit>,
        counting_queue: DFF<Bits<3>>,
        counting_octets: DFF<Bits<24>>,
        /// Queues of the oldest frame that have been told, a bit each.
        done: Register<Bits<5>>,
        /// A sum goes before a frame.
        sum_first: Register<Bit>,
        sum_place: Register<Bits<3>>,
        /// An event of what leaves is told.
        leaves: Register<Bit>,
        leave_place: Register<Bits<3>>,
        leave_told: DFF<Bits<3>>,
        leave_bytes: DFF<Bits<24>>,
        remaining: Signal<Local, Bits<5>>,
        after: Signal<Local, Bits<5>>,
        lowest: Signal<Local, Bits<3>>,
        has_sum: Signal<Local, Bit>,
        sum_goes: Signal<Local, Bit>,
        frame_goes: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        leave_goes: Signal<Local, Bit>,
    }
}

impl Logic for EventTurns {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            told,
            of_frame,
            is_last,
            queue,
            bytes,
            feedback,
            counting,
            counting_queue,
            counting_octets,
            done,
            sum_first,
            sum_place,
            leaves,
            leave_place,
            leave_told,
            leave_bytes
        );
        self.told.reset.next = self.reset.val();
        self.counting.reset.next = self.reset.val();
        self.done.reset.next = self.reset.val();
        self.sum_first.reset.next = self.reset.val();
        self.sum_place.reset.next = self.reset.val();
        self.leaves.reset.next = self.reset.val();
        self.leave_place.reset.next = self.reset.val();

        comment!("The next queue of the oldest frame, and those after it");
        self.remaining.next = self.queues.val() & !self.done.q.val();
        self.after.next = self.remaining.val() & (self.remaining.val() - 1);
        self.lowest.next = 4.into();
        if self.remaining.val().get_bit(0) {
            self.lowest.next = 0.into();
        } else if self.remaining.val().get_bit(1) {
            self.lowest.next = 1.into();
        } else if self.remaining.val().get_bit(2) {
            self.lowest.next = 2.into();
        } else if self.remaining.val().get_bit(3) {
            self.lowest.next = 3.into();
        }

        comment!("Frames and sums take turns");
        self.has_sum.next = self.sum_octets.val().any();
        self.sum_goes.next = !self.told.q.val() & self.has_sum.val() & (self.sum_first.q.val() | !self.waits.val());
        self.frame_goes.next = !self.told.q.val() & self.waits.val() & !self.sum_goes.val();
        if self.told.q.val() {
            self.told.d.next = !self.ready.val();
        } else {
            self.told.d.next = self.sum_goes.val() | self.frame_goes.val();
            self.of_frame.d.next = self.frame_goes.val();
            self.is_last.d.next = !self.after.val().any();
            self.sum_place.d.next = self.sum_place.q.val() + 1;
            if self.sum_place.q.val() == 4 {
                self.sum_place.d.next = 0.into();
            }
        }
        if self.sum_goes.val() {
            self.sum_first.d.next = false;
            self.queue.d.next = self.sum_place.q.val();
            self.bytes.d.next = self.sum_octets.val();
            self.feedback.d.next = false;
        }
        if self.frame_goes.val() {
            self.sum_first.d.next = true;
            self.queue.d.next = self.lowest.val();
            self.bytes.d.next = bit_cast::<24, 16>(self.octets.val());
            self.feedback.d.next = self.may_get_feedback.val();
            self.done.d.next = self.queues.val() & !self.after.val();
        }
        self.takes.next = self.told.q.val() & self.ready.val();
        self.ends.next = self.takes.val() & self.of_frame.q.val() & self.is_last.q.val();
        if self.ends.val() {
            self.done.d.next = 0.into();
        }

        comment!("What is taken is counted when the congestion point is ready again");
        if self.ready.val() {
            self.counting.d.next = self.takes.val();
            self.counting_queue.d.next = self.queue.q.val();
            self.counting_octets.d.next = self.bytes.q.val();
        }

        comment!("What leaves");
        self.leave_goes.next = !self.leaves.q.val() & self.leave_octets.val().any();
        if self.leaves.q.val() {
            self.leaves.d.next = !self.dequeue_ready.val();
        } else {
            self.leaves.d.next = self.leave_goes.val();
            self.leave_told.d.next = self.leave_place.q.val();
            self.leave_bytes.d.next = self.leave_octets.val();
            self.leave_place.d.next = self.leave_place.q.val() + 1;
            if self.leave_place.q.val() == 4 {
                self.leave_place.d.next = 0.into();
            }
        }

        self.pop.next = self.ends.val();
        self.sum_queue.next = self.sum_place.q.val();
        self.sum_taken.next = self.sum_goes.val();
        self.leave_queue.next = self.leave_place.q.val();
        self.leave_taken.next = self.leave_goes.val();
        self.enqueue.next = self.told.q.val();
        self.enqueue_queue.next = self.queue.q.val();
        self.enqueue_bytes.next = self.bytes.q.val();
        self.controlled.next = self.feedback.q.val();
        self.counted.next = self.counting.q.val() & self.ready.val();
        self.counted_queue.next = self.counting_queue.q.val();
        self.counted_octets.next = self.counting_octets.q.val();
        self.dequeue.next = self.leaves.q.val();
        self.dequeue_queue.next = self.leave_told.q.val();
        self.dequeue_bytes.next = self.leave_bytes.q.val();
    }
}
