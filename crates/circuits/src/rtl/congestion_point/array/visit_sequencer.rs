// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order in which a congestion point for many queues works on its events.

use tidegate_hdl::prelude::*;

module! {
    /// Holds one packet and one dequeue until their queue has been visited, and decides which queue is visited next.
    ///
    /// `step` counts the cycles of a visit from 1, and is 0 between visits. A packet is visited in four cycles, a dequeue
    /// in three, and one visit follows the other without a gap. A packet goes first; a dequeue of the same queue that
    /// waits too is counted in the same visit, as if both came in one cycle. So events of one queue keep their order, and
    /// with a packet and a dequeue in each eight cycles none waits for room here. A level that a feedback has changed
    /// (QCN) is stored beside a dequeue or in a visit of its own, before the second packet after it, and not in the cycle
    /// after a packet's visit. After a reset each
    /// queue is visited once to clear its state; `cleared` is then high.
    pub struct VisitSequencer<const N: usize>: "visit_sequencer" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet enters a queue in this cycle; taken if `ready` is high.
        pub enqueue: Signal<In, Bit>,
        /// Number of this queue; valid with `enqueue`.
        pub enqueue_queue: Signal<In, Bits<6>>,
        /// Length of that packet, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Bytes leave a queue in this cycle; taken if `dequeue_ready` is high.
        pub dequeue: Signal<In, Bit>,
        /// Number of this queue; valid with `dequeue`.
        pub dequeue_queue: Signal<In, Bits<6>>,
        /// Number of bytes that leave; valid with `dequeue`.
        pub dequeue_bytes: Signal<In, Bits<24>>,
        /// The sample queue has room for the sample that a packet may be.
        pub room: Signal<In, Bit>,
        /// The sampler can begin a visit in the next cycle.
        pub settled: Signal<In, Bit>,
        /// A level waits to be stored.
        pub level_waits: Signal<In, Bit>,
        /// The queue of this level.
        pub level_queue: Signal<In, Bits<N>>,
        /// A packet can be taken. While it is low, hold the packet.
        pub ready: Signal<Out, Bit>,
        /// A dequeue can be taken. While it is low, hold it.
        pub dequeue_ready: Signal<Out, Bit>,
        /// An event of the cycle before was for a queue that does not exist: it was taken and has changed nothing.
        pub unknown_queue: Signal<Out, Bit>,
        /// The state of all queues has been cleared since the reset. No event is taken before.
        pub cleared: Signal<Out, Bit>,
        /// A packet for a queue that exists is taken in this cycle.
        pub accepts: Signal<Out, Bit>,
        /// The queue of this visit.
        pub queue_index: Signal<Out, Bits<N>>,
        /// The queue whose sampling state is visited; it stays until the sampler has settled.
        pub sampler_queue: Signal<Out, Bits<N>>,
        /// The queue of the packet that waits.
        pub waiting_packet: Signal<Out, Bits<N>>,
        /// If a visit begins in the next cycle, it counts this packet.
        pub packet_next: Signal<Out, Bit>,
        /// Cycle of the visit, from 1; 0 = no visit.
        pub step: Signal<Out, Bits<3>>,
        /// The visit, or the last one, counts a packet.
        pub packet: Signal<Out, Bit>,
        /// It counts a dequeue.
        pub leave: Signal<Out, Bit>,
        /// It stores a level.
        pub level: Signal<Out, Bit>,
        /// Length of the packet, bytes.
        pub packet_bytes: Signal<Out, Bits<24>>,
        /// Number of bytes that leave; until step 2.
        pub leave_bytes: Signal<Out, Bits<24>>,
        /// A packet waits or is worked on.
        packet_waits: Register<Bit>,
        /// Its queue.
        packet_queue: DFF<Bits<N>>,
        /// Its length, bytes.
        packet_length: DFF<Bits<24>>,
        /// A dequeue waits or is worked on.
        leave_waits: Register<Bit>,
        /// Its queue.
        leave_queue: DFF<Bits<N>>,
        /// Its length, bytes.
        leave_length: DFF<Bits<24>>,
        unknown: Register<Bit>,
        all_cleared: Register<Bit>,
        /// The queue of the visit; the next queue to be cleared.
        visited: Register<Bits<N>>,
        sampled: DFF<Bits<N>>,
        cycle: Register<Bits<3>>,
        counts_packet: Register<Bit>,
        counts_leave: Register<Bit>,
        stores_level: Register<Bit>,
        /// The sampler has been visited for a packet since a level was stored.
        packet_last: Register<Bit>,
        enqueue_index: Signal<Local, Bits<N>>,
        dequeue_index: Signal<Local, Bits<N>>,
        enqueue_known: Signal<Local, Bit>,
        dequeue_known: Signal<Local, Bit>,
        has_room: Signal<Local, Bit>,
        has_leave_room: Signal<Local, Bit>,
        accepts_packet: Signal<Local, Bit>,
        accepts_leave: Signal<Local, Bit>,
        free: Signal<Local, Bit>,
        packet_goes: Signal<Local, Bit>,
        level_goes: Signal<Local, Bit>,
        other_goes: Signal<Local, Bit>,
        clear_goes: Signal<Local, Bit>,
    }
}

impl<const N: usize> Logic for VisitSequencer<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            packet_waits,
            packet_queue,
            packet_length,
            leave_waits,
            leave_queue,
            leave_length,
            unknown,
            all_cleared,
            visited,
            sampled,
            cycle,
            counts_packet,
            counts_leave,
            stores_level,
            packet_last
        );
        self.packet_waits.reset.next = self.reset.val();
        self.leave_waits.reset.next = self.reset.val();
        self.unknown.reset.next = self.reset.val();
        self.all_cleared.reset.next = self.reset.val();
        self.visited.reset.next = self.reset.val();
        self.cycle.reset.next = self.reset.val();
        self.counts_packet.reset.next = self.reset.val();
        self.counts_leave.reset.next = self.reset.val();
        self.stores_level.reset.next = self.reset.val();
        self.packet_last.reset.next = self.reset.val();

        // A queue exists if its number fits the address.
        self.enqueue_index.next = bit_cast::<N, 6>(self.enqueue_queue.val());
        self.enqueue_known.next = bit_cast::<6, N>(self.enqueue_index.val()) == self.enqueue_queue.val();
        self.dequeue_index.next = bit_cast::<N, 6>(self.dequeue_queue.val());
        self.dequeue_known.next = bit_cast::<6, N>(self.dequeue_index.val()) == self.dequeue_queue.val();
        self.has_room.next = self.all_cleared.q.val() & !self.packet_waits.q.val() & self.room.val();
        self.has_leave_room.next = self.all_cleared.q.val() & !self.leave_waits.q.val();
        self.accepts_packet.next = self.enqueue.val() & self.has_room.val() & self.enqueue_known.val();
        self.accepts_leave.next = self.dequeue.val() & self.has_leave_room.val() & self.dequeue_known.val();
        self.unknown.d.next = (self.enqueue.val() & self.has_room.val() & !self.enqueue_known.val())
            | (self.dequeue.val() & self.has_leave_room.val() & !self.dequeue_known.val());
        if self.accepts_packet.val() {
            self.packet_waits.d.next = true;
            self.packet_queue.d.next = self.enqueue_index.val();
            self.packet_length.d.next = self.enqueue_bytes.val();
        } else if self.cycle.q.val() == 4 {
            self.packet_waits.d.next = false;
        }
        if self.accepts_leave.val() {
            self.leave_waits.d.next = true;
            self.leave_queue.d.next = self.dequeue_index.val();
            self.leave_length.d.next = self.dequeue_bytes.val();
        } else if (self.cycle.q.val() == 2) & self.counts_leave.q.val() {
            self.leave_waits.d.next = false;
        }

        // The last cycle of a visit chooses the next one.
        self.free.next = (self.cycle.q.val() == 0)
            | (self.cycle.q.val() == 4)
            | ((self.cycle.q.val() == 3) & !self.counts_packet.q.val());
        self.packet_goes.next = self.packet_waits.q.val()
            & (self.cycle.q.val() != 4)
            & self.settled.val()
            & !(self.level_waits.val() & self.packet_last.q.val());
        self.level_goes.next = self.level_waits.val() & self.settled.val();
        self.other_goes.next = !self.packet_goes.val() & (self.leave_waits.q.val() | self.level_goes.val());
        self.clear_goes.next = !self.all_cleared.q.val() & self.settled.val();
        if self.free.val() {
            self.cycle.d.next = 0.into();
            if self.packet_goes.val() {
                self.cycle.d.next = 1.into();
                self.visited.d.next = self.packet_queue.q.val();
                self.sampled.d.next = self.packet_queue.q.val();
                self.counts_packet.d.next = true;
                self.counts_leave.d.next =
                    self.leave_waits.q.val() & (self.leave_queue.q.val() == self.packet_queue.q.val());
                self.stores_level.d.next = false;
                self.packet_last.d.next = true;
            } else if self.other_goes.val() {
                self.cycle.d.next = 1.into();
                self.visited.d.next = self.leave_queue.q.val();
                self.counts_packet.d.next = false;
                self.counts_leave.d.next = self.leave_waits.q.val();
                self.stores_level.d.next = self.level_goes.val();
                if self.level_goes.val() {
                    self.sampled.d.next = self.level_queue.val();
                    self.packet_last.d.next = false;
                }
            } else if self.clear_goes.val() {
                self.cycle.d.next = 1.into();
                self.sampled.d.next = self.visited.q.val();
            }
        } else {
            self.cycle.d.next = self.cycle.q.val() + 1;
        }
        if !self.all_cleared.q.val() & (self.cycle.q.val() == 3) {
            self.visited.d.next = self.visited.q.val() + 1;
            self.all_cleared.d.next = self.visited.q.val().all();
        }

        self.ready.next = self.has_room.val();
        self.dequeue_ready.next = self.has_leave_room.val();
        self.unknown_queue.next = self.unknown.q.val();
        self.cleared.next = self.all_cleared.q.val();
        self.accepts.next = self.accepts_packet.val();
        self.queue_index.next = self.visited.q.val();
        self.sampler_queue.next = self.sampled.q.val();
        self.waiting_packet.next = self.packet_queue.q.val();
        self.packet_next.next = self.packet_goes.val();
        self.step.next = self.cycle.q.val();
        self.packet.next = self.counts_packet.q.val();
        self.leave.next = self.counts_leave.q.val();
        self.level.next = self.stores_level.q.val();
        self.packet_bytes.next = self.packet_length.q.val();
        self.leave_bytes.next = self.leave_length.q.val();
    }
}
