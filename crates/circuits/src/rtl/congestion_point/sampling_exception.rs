// SPDX-License-Identifier: MIT OR Apache-2.0
//! Avoids two feedback frames in a row to the same source.

use tidegate_hdl::prelude::*;

module! {
    /// A packet from the source of the last feedback frame is not sampled (Jiang 2014, section 4.5). The sample that was
    /// due is dropped, and the source forgotten, so that the next sample may hit it; with `exception_waits`, the next
    /// packet from another source is sampled instead. In both cases the next interval of the sampler runs.
    ///
    /// Combinational from `due` to `sample`. A frame whose last word leaves in cycle t has effect from cycle t + 1. If
    /// there is only one source, each second sample is dropped; with `exception_waits`, only one feedback frame is sent
    /// after reset, as by the letter of the paper.
    pub struct SamplingException: "sampling_exception" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet enters the queue in this cycle.
        pub enqueue: Signal<In, Bit>,
        /// The sampler selects the packet of this cycle.
        pub due: Signal<In, Bit>,
        /// Source address of the packet, bits 47 to 32; valid with `enqueue`.
        pub source_mac_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<In, Bits<32>>,
        /// The last word of a feedback frame is transferred in this cycle.
        pub sent: Signal<In, Bit>,
        /// Destination address of the feedback frame, bits 47 to 32; valid with `sent`.
        pub sent_mac_high: Signal<In, Bits<16>>,
        /// Destination address of the feedback frame, bits 31 to 0.
        pub sent_mac_low: Signal<In, Bits<32>>,
        /// A sample that is due at a packet from the source of the last feedback frame waits for one from another source;
        /// otherwise it is dropped, and the next one may hit this source.
        #[parameter]
        pub exception_waits: Signal<In, Bit>,
        /// The packet that enters in this cycle is a sample.
        pub sample: Signal<Out, Bit>,
        /// A sample is due; wait for a packet from another source.
        waiting: Register<Bit>,
        /// A feedback frame has been sent since reset, and since a sample was dropped.
        known: Register<Bit>,
        /// Destination address of the last feedback frame, bits 47 to 32.
        last_high: DFF<Bits<16>>,
        /// The same address, bits 31 to 0.
        last_low: DFF<Bits<32>>,
        wanted: Signal<Local, Bit>,
        excepted: Signal<Local, Bit>,
    }
}

impl Logic for SamplingException {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, waiting, known, last_high, last_low);
        self.waiting.reset.next = self.reset.val();
        self.known.reset.next = self.reset.val();
        self.wanted.next = self.due.val() | self.waiting.q.val();
        self.excepted.next = self.known.q.val()
            & (self.source_mac_high.val() == self.last_high.q.val())
            & (self.source_mac_low.val() == self.last_low.q.val());
        self.sample.next = self.enqueue.val() & self.wanted.val() & !self.excepted.val();
        self.waiting.d.next =
            self.wanted.val() & !self.sample.val() & (self.exception_waits.val() | !self.enqueue.val());
        if self.enqueue.val() & self.wanted.val() & self.excepted.val() & !self.exception_waits.val() {
            self.known.d.next = false;
        }
        if self.sent.val() {
            self.known.d.next = true;
            self.last_high.d.next = self.sent_mac_high.val();
            self.last_low.d.next = self.sent_mac_low.val();
        }
    }
}
