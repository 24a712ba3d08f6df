// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words between the tap and the output queues.

use tidegate_hdl::prelude::*;

module! {
    /// At most how many words of counted packets are not in the level of an output queue yet: those of the packet in
    /// progress that are not in the buffer behind the tap, if it enters this queue, and 24 more if there was a word in this
    /// buffer in the last 31 cycles.
    ///
    /// The output queues of the NetFPGA-1G in block RAM have a queue for 16 words at their input and a register behind it, and
    /// rest for a cycle before each packet. So 18 words or fewer may have gone out that are not in the level, and each one is in it 28
    /// cycles after it has gone out. The estimate is too high by 25 words at most for a packet whose module header says its true
    /// length.
    pub struct WordsInFlight: "words_in_flight" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// The fields of a packet are known since this cycle.
        pub packet_known: Signal<In, Bit>,
        /// Words of the packet, without module headers; valid with `packet_known`.
        pub packet_words: Signal<In, Bits<8>>,
        /// The output queues that the packet enters, a bit each; from `packet_known` to its end.
        pub packet_queues: Signal<In, Bits<8>>,
        /// A word enters the buffer behind the tap in this cycle.
        pub next_wr: Signal<In, Bit>,
        /// It is a word of a packet, not of a frame.
        pub out_of_packet: Signal<In, Bit>,
        /// A word waits in this buffer, or goes out.
        pub buffered: Signal<In, Bit>,
        /// Neither a packet nor a frame was in progress in the cycle before.
        pub boundary: Signal<In, Bit>,
        /// Number of an output queue.
        pub queue_index: Signal<In, Bits<3>>,
        /// Words that may be on their way to this queue.
        pub in_flight: Signal<Out, Bits<9>>,
        /// Words of the packet in progress that have not come to the buffer.
        remaining: Register<Bits<8>>,
        /// Cycles until the last word is in its queue.
        settling: Register<Bits<5>>,
        of_queue: Signal<Local, Bits<8>>,
        coming: Signal<Local, Bits<9>>,
        gone: Signal<Local, Bits<9>>,
    }
}

impl Logic for WordsInFlight {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, remaining, settling);
        self.remaining.reset.next = self.reset.val();
        self.settling.reset.next = self.reset.val();

        // Three words have gone before the fields are known.
        if self.boundary.val() {
            self.remaining.d.next = 0.into();
        } else if self.packet_known.val() {
            self.remaining.d.next = 0.into();
            if self.packet_words.val() > 3 {
                self.remaining.d.next = self.packet_words.val() - 3;
            }
        } else if self.out_of_packet.val() & self.remaining.q.val().any() {
            self.remaining.d.next = self.remaining.q.val() - 1;
        }
        if self.next_wr.val() | self.buffered.val() {
            self.settling.d.next = 31.into();
        } else if self.settling.q.val().any() {
            self.settling.d.next = self.settling.q.val() - 1;
        }

        self.of_queue.next = self.packet_queues.val().to_bits() >> self.queue_index.val();
        self.coming.next = 0.into();
        if self.of_queue.val().get_bit(0) {
            self.coming.next = bit_cast::<9, 8>(self.remaining.q.val());
        }
        self.gone.next = 0.into();
        if self.settling.q.val().any() {
            // Five in the buffer, 18 that have gone out, and the one of this cycle.
            self.gone.next = 24.into();
        }
        self.in_flight.next = self.coming.val() + self.gone.val();
    }
}
