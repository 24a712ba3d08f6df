// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets that have left an output queue and are not counted yet.

use tidegate_hdl::prelude::*;

module! {
    /// First-in first-out queue of 64 events of the output queues: a packet of so many words is no longer in this queue.
    ///
    /// Events may come in every cycle, but a congestion point takes one in four cycles at most. An event of cycle t is
    /// at the head in cycle t + 2 at the earliest. Events of queues that are not controlled are dropped. An event that
    /// comes while 64 wait is lost, and `lost_event` is high two cycles later.
    pub struct EventQueue: "event_queue" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet has left an output queue.
        pub leaves: Signal<In, Bit>,
        /// Number of this output queue; valid with `leaves`.
        pub leaves_oq: Signal<In, Bits<3>>,
        /// Words of the packet; valid with `leaves`.
        pub leaves_words: Signal<In, Bits<8>>,
        /// The output queues that are controlled, a bit each.
        #[parameter]
        pub controlled_ports: Signal<In, Bits<8>>,
        /// Remove the oldest event.
        pub pop: Signal<In, Bit>,
        /// There is an event: the next two outputs are the oldest one.
        pub waits: Signal<Out, Bit>,
        /// Its output queue.
        pub oldest_oq: Signal<Out, Bits<3>>,
        /// Its words.
        pub oldest_words: Signal<Out, Bits<8>>,
        /// An event was lost, because the queue was full.
        pub lost_event: Signal<Out, Bit>,
        /// Output queue of each event.
        queues: LutRam<Bits<3>, 6>,
        /// Words of each event.
        words: LutRam<Bits<8>, 6>,
        /// Place of the next event; bit 6 toggles with each turn.
        write_pointer: Register<Bits<7>>,
        /// Place of the oldest event; bit 6 toggles with each turn.
        read_pointer: Register<Bits<7>>,
        /// The cycle before had an event of a controlled queue.
        came: Register<Bit>,
        /// Its output queue.
        came_oq: DFF<Bits<3>>,
        /// Its words.
        came_words: DFF<Bits<8>>,
        lost: Register<Bit>,
        used: Signal<Local, Bits<7>>,
        of_queue: Signal<Local, Bits<8>>,
        full: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
    }
}

impl Logic for EventQueue {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, write_pointer, read_pointer, came, came_oq, came_words, lost);
        clock!(self, clock, queues, words);
        self.write_pointer.reset.next = self.reset.val();
        self.read_pointer.reset.next = self.reset.val();
        self.came.reset.next = self.reset.val();
        self.lost.reset.next = self.reset.val();

        self.of_queue.next = self.controlled_ports.val().to_bits() >> self.leaves_oq.val();
        self.came.d.next = self.leaves.val() & self.of_queue.val().get_bit(0);
        self.came_oq.d.next = self.leaves_oq.val();
        self.came_words.d.next = self.leaves_words.val();

        self.used.next = self.write_pointer.q.val() - self.read_pointer.q.val();
        self.full.next = self.used.val().get_bit(6);
        self.takes.next = self.came.q.val() & !self.full.val();
        self.lost.d.next = self.came.q.val() & self.full.val();
        if self.takes.val() {
            self.write_pointer.d.next = self.write_pointer.q.val() + 1;
        }
        self.waits.next = self.write_pointer.q.val() != self.read_pointer.q.val();
        if self.pop.val() {
            self.read_pointer.d.next = self.read_pointer.q.val() + 1;
        }
        self.queues.write_address.next = self.write_pointer.q.val().to_bits().get_bits::<6>(0);
        self.queues.write_enable.next = self.takes.val();
        self.queues.write_data.next = self.came_oq.q.val();
        self.queues.read_address.next = self.read_pointer.q.val().to_bits().get_bits::<6>(0);
        self.words.write_address.next = self.write_pointer.q.val().to_bits().get_bits::<6>(0);
        self.words.write_enable.next = self.takes.val();
        self.words.write_data.next = self.came_words.q.val();
        self.words.read_address.next = self.read_pointer.q.val().to_bits().get_bits::<6>(0);
        self.oldest_oq.next = self.queues.read_data.val();
        self.oldest_words.next = self.words.read_data.val();
        self.lost_event.next = self.lost.q.val();
    }
}
