// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a packet means for the lengths of output queues.

use tidegate_hdl::prelude::*;

module! {
    /// Tells the congestion point of a packet, once for each of its controlled output queues, and of each frame that was
    /// inserted.
    ///
    /// Output queue i is that of destination port i. Its length grows by what the output queue stores: the words of the
    /// packet and one module header. With `multicast_once`, a packet that has not exactly one destination is counted in
    /// queue 0 only. An inserted frame is a packet of a flow that is not controlled. `hold` is high from the cycle of
    /// `known` on until the cycle after all events of a packet are taken. An event waits from the cycle after `known` or
    /// `frame_ended`, and the next one not before the second cycle after it was taken.
    pub struct PacketEvents: "packet_events" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The fields of a packet are known since this cycle.
        pub known: Signal<In, Bit>,
        /// Destination ports of the packet, a bit each; valid in the cycle before `known`.
        pub destination_ports: Signal<In, Bits<8>>,
        /// Words of the packet, without module headers.
        pub packet_words: Signal<In, Bits<8>>,
        /// The packet is a feedback frame (CNM).
        pub is_feedback: Signal<In, Bit>,
        /// The last word of an inserted frame was taken in the cycle before.
        pub frame_ended: Signal<In, Bit>,
        /// The port of this frame.
        pub ended_port: Signal<In, Bits<3>>,
        /// The output queues that are controlled, a bit each.
        #[parameter]
        pub controlled_ports: Signal<In, Bits<8>>,
        /// 1: the output queues store a packet with several destinations once, in queue 0; 0: in each of them.
        #[parameter]
        pub multicast_once: Signal<In, Bit>,
        /// The next packet must wait.
        pub hold: Signal<Out, Bit>,
        /// The next frame must wait.
        pub hold_frame: Signal<Out, Bit>,
        /// No event of a packet or frame waited in the cycle before: a packet that has left an output queue has been counted.
        pub may_leave: Signal<Out, Bit>,
        /// A packet or frame enters an output queue; taken if `ready` is high.
        pub enqueue: Signal<Out, Bit>,
        /// Number of this queue; valid with `enqueue`.
        pub enqueue_queue: Signal<Out, Bits<6>>,
        /// What the queue stores of it, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<Out, Bits<24>>,
        /// A reaction point controls its flow; valid with `enqueue`.
        pub controlled: Signal<Out, Bit>,
        /// The congestion point takes the event in this cycle.
        pub ready: Signal<In, Bit>,
        /// The output queues that the packet enters, a bit each; from `known` to the end of the packet.
        pub queues: Signal<Out, Bits<8>>,
        /// Queues of the packet that are not told yet, a bit each.
        waiting: Register<Bits<8>>,
        /// Queues that the packet enters, a bit each.
        targets: DFF<Bits<8>>,
        /// There are some that are not told yet.
        waits: Register<Bit>,
        /// An inserted frame is not told yet.
        frame_waits: Register<Bit>,
        /// Its queue.
        frame_queue: DFF<Bits<3>>,
        /// The congestion point has taken an event in the cycle before: only a register depends on `ready`.
        taken: Register<Bit>,
        /// No event waited in the cycle before.
        quiet: Register<Bit>,
        holds: Signal<Local, Bit>,
        holds_frame: Signal<Local, Bit>,
        packet_told: Signal<Local, Bit>,
        offers: Signal<Local, Bit>,
        of_frame: Signal<Local, Bits<8>>,
        single: Signal<Local, Bit>,
        lowest: Signal<Local, Bits<3>>,
        stored_words: Signal<Local, Bits<8>>,
        remaining: Signal<Local, Bits<8>>,
    }
}

impl Logic for PacketEvents {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waiting, targets, waits, frame_waits, frame_queue, taken, quiet);
        self.waiting.reset.next = self.reset.val();
        self.waits.reset.next = self.reset.val();
        self.frame_waits.reset.next = self.reset.val();
        self.taken.reset.next = self.reset.val();
        self.quiet.reset.next = self.reset.val();

        self.single.next = (self.destination_ports.val() & (self.destination_ports.val() - 1)) == 0;
        // The module header comes long before `known`.
        self.targets.d.next = self.destination_ports.val() & self.controlled_ports.val();
        if self.multicast_once.val() & (!self.single.val() | (self.destination_ports.val() == 0)) {
            self.targets.d.next = self.controlled_ports.val() & 1;
        }
        self.queues.next = self.targets.q.val();
        self.packet_told.next = self.waits.q.val() & !self.frame_ended.val();
        self.remaining.next = self.waiting.q.val();
        if self.known.val() {
            self.remaining.next = self.targets.q.val();
        } else if self.taken.q.val() & !self.frame_waits.q.val() {
            self.remaining.next = self.waiting.q.val() & (self.waiting.q.val() - 1);
        }
        self.waiting.d.next = self.remaining.val();
        self.waits.d.next = self.remaining.val().any();

        // A frame is told first: its sample has just left the sample queue. An event of a packet must not take its place
        // there, because the next frame waits until this one is told, and a full sample queue waits for the next frame.
        self.of_frame.next = self.controlled_ports.val().to_bits() >> self.ended_port.val();
        if self.frame_ended.val() {
            self.frame_waits.d.next = self.of_frame.val().get_bit(0);
            self.frame_queue.d.next = self.ended_port.val();
        } else if self.taken.q.val() {
            self.frame_waits.d.next = false;
        }

        self.lowest.next = 7.into();
        if self.waiting.q.val().get_bit(0) {
            self.lowest.next = 0.into();
        } else if self.waiting.q.val().get_bit(1) {
            self.lowest.next = 1.into();
        } else if self.waiting.q.val().get_bit(2) {
            self.lowest.next = 2.into();
        } else if self.waiting.q.val().get_bit(3) {
            self.lowest.next = 3.into();
        } else if self.waiting.q.val().get_bit(4) {
            self.lowest.next = 4.into();
        } else if self.waiting.q.val().get_bit(5) {
            self.lowest.next = 5.into();
        } else if self.waiting.q.val().get_bit(6) {
            self.lowest.next = 6.into();
        }
        self.stored_words.next = self.packet_words.val() + 1;
        self.offers.next = (self.packet_told.val() | self.frame_waits.q.val()) & !self.taken.q.val();
        self.taken.d.next = self.offers.val() & self.ready.val();
        self.enqueue.next = self.offers.val();
        self.enqueue_queue.next = bit_cast::<6, 3>(self.lowest.val());
        self.enqueue_bytes.next = bit_cast::<24, 8>(self.stored_words.val()).to_bits() << 3;
        self.controlled.next = !self.is_feedback.val();
        if self.frame_waits.q.val() {
            self.enqueue_queue.next = bit_cast::<6, 3>(self.frame_queue.q.val());
            // Eight words and a module header.
            self.enqueue_bytes.next = 72.into();
            self.controlled.next = false;
        }
        self.holds.next = self.known.val() | self.waits.q.val();
        self.holds_frame.next = self.frame_ended.val() | self.frame_waits.q.val();
        self.quiet.d.next = !self.holds.val() & !self.holds_frame.val();
        self.hold.next = self.holds.val();
        self.hold_frame.next = self.holds_frame.val();
        self.may_leave.next = self.quiet.q.val();
    }
}
