// SPDX-License-Identifier: MIT OR Apache-2.0
//! What leaves output queues that tell it.

use super::event_queue::EventQueue;
use tidegate_hdl::prelude::*;

module! {
    /// Tells the congestion point of packets that the output queues in SRAM have removed, and of those that they have
    /// dropped. A packet leaves after it has entered, also if its event waits in the tap: until then, `may_leave` is low.
    pub struct QueueEvents: "queue_events" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The output queues have removed a packet.
        pub pkt_removed: Signal<In, Bit>,
        /// From this queue; valid with `pkt_removed`.
        pub removed_oq: Signal<In, Bits<3>>,
        /// Its words with the module header; valid with `pkt_removed`.
        pub removed_pkt_total_word_length: Signal<In, Bits<8>>,
        /// The output queues have dropped a packet, because its queue was full.
        pub pkt_dropped: Signal<In, Bit>,
        /// The queue of this packet; valid with `pkt_dropped`.
        pub dst_oq: Signal<In, Bits<3>>,
        /// Its words with the module header; valid with `pkt_dropped`.
        pub stored_pkt_total_word_length: Signal<In, Bits<8>>,
        #[parameter]
        pub controlled_ports: Signal<In, Bits<8>>,
        pub may_leave: Signal<In, Bit>,
        /// A packet has left an output queue; taken if `dequeue_ready` is high.
        pub dequeue: Signal<Out, Bit>,
        /// Number of this queue; valid with `dequeue`.
        pub dequeue_queue: Signal<Out, Bits<6>>,
        /// What the queue stored of it, bytes; valid with `dequeue`.
        pub dequeue_bytes: Signal<Out, Bits<24>>,
        /// The congestion point takes the event in this cycle.
        pub dequeue_ready: Signal<In, Bit>,
        pub lost_event: Signal<Out, Bit>,
        /// Packets that were removed.
        removed: EventQueue,
        /// Packets that were dropped.
        dropped: EventQueue,
        leaving_words: Signal<Local, Bits<8>>,
    }
}

impl Logic for QueueEvents {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, removed, dropped);
        self.removed.reset.next = self.reset.val();
        self.dropped.reset.next = self.reset.val();
        self.removed.controlled_ports.next = self.controlled_ports.val();
        self.removed.leaves.next = self.pkt_removed.val();
        self.removed.leaves_oq.next = self.removed_oq.val();
        self.removed.leaves_words.next = self.removed_pkt_total_word_length.val();
        self.dropped.controlled_ports.next = self.controlled_ports.val();
        self.dropped.leaves.next = self.pkt_dropped.val();
        self.dropped.leaves_oq.next = self.dst_oq.val();
        self.dropped.leaves_words.next = self.stored_pkt_total_word_length.val();
        self.lost_event.next = self.removed.lost_event.val() | self.dropped.lost_event.val();
        self.dequeue.next = self.may_leave.val() & (self.removed.waits.val() | self.dropped.waits.val());
        self.dequeue_queue.next = bit_cast::<6, 3>(self.dropped.oldest_oq.val());
        self.leaving_words.next = self.dropped.oldest_words.val();
        if self.removed.waits.val() {
            self.dequeue_queue.next = bit_cast::<6, 3>(self.removed.oldest_oq.val());
            self.leaving_words.next = self.removed.oldest_words.val();
        }
        self.dequeue_bytes.next = bit_cast::<24, 8>(self.leaving_words.val()).to_bits() << 3;
        self.removed.pop.next = self.may_leave.val() & self.removed.waits.val() & self.dequeue_ready.val();
        self.dropped.pop.next =
            self.may_leave.val() & self.dropped.waits.val() & !self.removed.waits.val() & self.dequeue_ready.val();
    }
}
