// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which event the congestion point is told next.

use tidegate_hdl::prelude::*;

module! {
    /// Chooses the next event: a frame for one of its queues, or a sum. They take turns, so that neither waits for ever, and
    /// all queues take turns too.
    ///
    /// An event is chosen in a cycle in which none is told; it is told from the next cycle on until it is taken. An event of
    /// what leaves is chosen in the same way, beside it: a queue is looked at in each cycle in which no event is told. A frame
    /// is removed in the cycle after its last event was taken, and the next one is chosen in the cycle after that.
    pub struct EventTurns: "axis_event_turns" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A frame waits.
        pub waits: Signal<In, Bit>,
        /// Its octets.
        pub octets: Signal<In, Bits<16>>,
        /// Its output queues, at least one, a bit each.
        pub queues: Signal<In, Bits<5>>,
        /// It may get feedback.
        pub may_get_feedback: Signal<In, Bit>,
        /// All its queues were told: remove it.
        pub pop: Signal<Out, Bit>,
        /// The queue whose sum is looked at, a bit each; none in the cycle after a reset.
        pub sum_queue: Signal<Out, Bits<5>>,
        /// Octets that have entered it and are not told.
        pub sum_octets: Signal<In, Bits<24>>,
        /// There are some.
        pub sum_waits: Signal<In, Bit>,
        /// `enqueue_bytes` are the sum of this queue, chosen in the cycle before.
        pub sum_taken: Signal<Out, Bits<5>>,
        /// The queue that is looked at for what leaves, a bit each; none in the cycle after a reset.
        pub leave_queue: Signal<Out, Bits<5>>,
        /// Octets that have left it.
        pub leave_octets: Signal<In, Bits<24>>,
        /// There are some.
        pub leave_waits: Signal<In, Bit>,
        /// `dequeue_bytes` of this queue were chosen in the cycle before.
        pub leave_taken: Signal<Out, Bits<5>>,
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
        /// An event of this queue that was taken had been counted in the cycle before.
        pub counted: Signal<Out, Bits<5>>,
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
        /// It is one of a frame, for its last queue.
        is_last: DFF<Bit>,
        /// It is the sum of this queue, a bit each, and was chosen in the cycle before.
        chose_sum: Register<Bits<5>>,
        /// All queues of the frame were told, in the cycle before.
        ended: Register<Bit>,
        queue: DFF<Bits<3>>,
        bytes: DFF<Bits<24>>,
        feedback: DFF<Bit>,
        /// An event was taken and is being counted.
        counting: Register<Bit>,
        counting_queue: DFF<Bits<3>>,
        counting_octets: DFF<Bits<24>>,
        /// An event of this queue, a bit each, had been counted in the cycle before.
        was_counted: Register<Bits<5>>,
        was_counted_octets: Delay<Bits<24>>,
        /// Queues of the oldest frame that have been told, a bit each.
        done: Register<Bits<5>>,
        /// A sum goes before a frame.
        sum_first: Register<Bit>,
        /// The queue whose sum is looked at, a bit each.
        sum_turn: Register<Bits<5>>,
        /// An event of what leaves is told.
        leaves: Register<Bit>,
        /// It is one of this queue, a bit each, and was chosen in the cycle before.
        chose_leave: Register<Bits<5>>,
        /// The queue that is looked at for what leaves, a bit each.
        leave_turn: Register<Bits<5>>,
        leave_told: DFF<Bits<3>>,
        leave_bytes: DFF<Bits<24>>,
        frame_waits: Signal<Local, Bit>,
        remaining: Signal<Local, Bits<5>>,
        after: Signal<Local, Bits<5>>,
        lowest: Signal<Local, Bits<3>>,
        sum_number: Signal<Local, Bits<3>>,
        leave_number: Signal<Local, Bits<3>>,
        counting_bit: Signal<Local, Bits<5>>,
        sum_goes: Signal<Local, Bit>,
        frame_goes: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
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
            is_last,
            chose_sum,
            ended,
            queue,
            bytes,
            feedback,
            counting,
            counting_queue,
            counting_octets,
            was_counted,
            was_counted_octets,
            done,
            sum_first,
            sum_turn,
            leaves,
            chose_leave,
            leave_turn,
            leave_told,
            leave_bytes
        );
        self.told.reset.next = self.reset.val();
        self.chose_sum.reset.next = self.reset.val();
        self.ended.reset.next = self.reset.val();
        self.counting.reset.next = self.reset.val();
        self.was_counted.reset.next = self.reset.val();
        self.done.reset.next = self.reset.val();
        self.sum_first.reset.next = self.reset.val();
        self.sum_turn.reset.next = self.reset.val();
        self.leaves.reset.next = self.reset.val();
        self.chose_leave.reset.next = self.reset.val();
        self.leave_turn.reset.next = self.reset.val();

        comment!("The next queue of the oldest frame, and those after it");
        self.remaining.next = self.queues.val() & !self.done.q.val();
        self.after.next = self.remaining.val()
            & ((self.remaining.val().to_bits() << 1)
                | (self.remaining.val().to_bits() << 2)
                | (self.remaining.val().to_bits() << 3)
                | (self.remaining.val().to_bits() << 4));
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

        comment!("The numbers of the queues whose turn it is");
        self.sum_number.next = 0.into();
        if self.sum_turn.q.val().get_bit(1) {
            self.sum_number.next = 1.into();
        } else if self.sum_turn.q.val().get_bit(2) {
            self.sum_number.next = 2.into();
        } else if self.sum_turn.q.val().get_bit(3) {
            self.sum_number.next = 3.into();
        } else if self.sum_turn.q.val().get_bit(4) {
            self.sum_number.next = 4.into();
        }
        self.leave_number.next = 0.into();
        if self.leave_turn.q.val().get_bit(1) {
            self.leave_number.next = 1.into();
        } else if self.leave_turn.q.val().get_bit(2) {
            self.leave_number.next = 2.into();
        } else if self.leave_turn.q.val().get_bit(3) {
            self.leave_number.next = 3.into();
        } else if self.leave_turn.q.val().get_bit(4) {
            self.leave_number.next = 4.into();
        }

        comment!("Frames and sums take turns");
        self.frame_waits.next = self.waits.val() & !self.ended.q.val();
        self.sum_goes.next =
            !self.told.q.val() & self.sum_waits.val() & (self.sum_first.q.val() | !self.frame_waits.val());
        self.frame_goes.next = !self.told.q.val() & self.frame_waits.val() & !self.sum_goes.val();
        self.chose_sum.d.next = 0.into();
        if self.sum_goes.val() {
            self.chose_sum.d.next = self.sum_turn.q.val();
        }
        if self.told.q.val() {
            self.told.d.next = !self.ready.val();
        } else {
            self.told.d.next = self.sum_goes.val() | self.frame_goes.val();
            // If neither goes, what stands there does not matter.
            self.queue.d.next = self.lowest.val();
            self.bytes.d.next = bit_cast::<24, 16>(self.octets.val());
            self.feedback.d.next = self.may_get_feedback.val();
            if self.sum_goes.val() {
                self.queue.d.next = self.sum_number.val();
                self.bytes.d.next = self.sum_octets.val();
                self.feedback.d.next = false;
            }
            self.is_last.d.next = self.frame_goes.val() & !self.after.val().any();
            self.sum_turn.d.next = self.sum_turn.q.val().to_bits() << 1;
            if !self.sum_turn.q.val().to_bits().get_bits::<4>(0).any() {
                self.sum_turn.d.next = 1.into();
            }
        }
        if self.sum_goes.val() {
            self.sum_first.d.next = false;
        }
        if self.frame_goes.val() {
            self.sum_first.d.next = true;
            self.done.d.next = self.queues.val() & !self.after.val();
        }
        self.takes.next = self.told.q.val() & self.ready.val();
        self.ended.d.next = self.takes.val() & self.is_last.q.val();
        if self.ended.q.val() {
            self.done.d.next = 0.into();
        }

        comment!("What is taken is counted when the congestion point is ready again");
        if self.ready.val() {
            self.counting.d.next = self.takes.val();
            self.counting_queue.d.next = self.queue.q.val();
            self.counting_octets.d.next = self.bytes.q.val();
        }
        self.counting_bit.next = 16.into();
        if self.counting_queue.q.val() == 0 {
            self.counting_bit.next = 1.into();
        } else if self.counting_queue.q.val() == 1 {
            self.counting_bit.next = 2.into();
        } else if self.counting_queue.q.val() == 2 {
            self.counting_bit.next = 4.into();
        } else if self.counting_queue.q.val() == 3 {
            self.counting_bit.next = 8.into();
        }
        self.was_counted.d.next = 0.into();
        if self.counting.q.val() & self.ready.val() {
            self.was_counted.d.next = self.counting_bit.val();
        }
        self.was_counted_octets.d.next = self.counting_octets.q.val();

        comment!("What leaves");
        self.leave_goes.next = !self.leaves.q.val() & self.leave_waits.val();
        self.chose_leave.d.next = 0.into();
        if self.leave_goes.val() {
            self.chose_leave.d.next = self.leave_turn.q.val();
        }
        if self.leaves.q.val() {
            self.leaves.d.next = !self.dequeue_ready.val();
        } else {
            self.leaves.d.next = self.leave_goes.val();
            self.leave_told.d.next = self.leave_number.val();
            self.leave_bytes.d.next = self.leave_octets.val();
            self.leave_turn.d.next = self.leave_turn.q.val().to_bits() << 1;
            if !self.leave_turn.q.val().to_bits().get_bits::<4>(0).any() {
                self.leave_turn.d.next = 1.into();
            }
        }

        self.pop.next = self.ended.q.val();
        self.sum_queue.next = self.sum_turn.q.val();
        self.sum_taken.next = self.chose_sum.q.val();
        self.leave_queue.next = self.leave_turn.q.val();
        self.leave_taken.next = self.chose_leave.q.val();
        self.enqueue.next = self.told.q.val();
        self.enqueue_queue.next = self.queue.q.val();
        self.enqueue_bytes.next = self.bytes.q.val();
        self.controlled.next = self.feedback.q.val();
        self.counted.next = self.was_counted.q.val();
        self.counted_octets.next = self.was_counted_octets.q.val();
        self.dequeue.next = self.leaves.q.val();
        self.dequeue_queue.next = self.leave_told.q.val();
        self.dequeue_bytes.next = self.leave_bytes.q.val();
    }
}
