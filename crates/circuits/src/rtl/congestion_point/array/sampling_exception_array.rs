// SPDX-License-Identifier: MIT OR Apache-2.0
//! Avoids two feedback frames in a row to the same source, for many queues.

use tidegate_hdl::prelude::*;

module! {
    /// The sampling exception of each queue (Jiang 2014, section 4.5): a packet from the source of the last feedback
    /// frame of its queue is not sampled. The sample that was due is dropped, and the source forgotten; with
    /// `exception_waits`, the next packet from another source is sampled instead.
    ///
    /// `due` and `sample` are high in step 4 of a visit. The state is read in step 1: a frame whose last word leaves
    /// before that cycle has effect. One that leaves during a visit is noted when the visit is over: it is newer than
    /// what the visit forgets. Last words are at least eight cycles apart.
    pub struct SamplingExceptionArray<const N: usize>: "sampling_exception_array" {
        pub clock: Signal<In, Clock>,
        /// The queue that is visited.
        pub queue_index: Signal<In, Bits<N>>,
        /// Cycle of the visit, from 1.
        pub step: Signal<In, Bits<3>>,
        /// The state of all queues has been cleared; if not, the visit clears that of this queue.
        pub cleared: Signal<In, Bit>,
        /// A packet is taken in this cycle; it is visited before the next one is taken.
        pub accepts: Signal<In, Bit>,
        /// Source address of the packet, bits 47 to 32; valid with `accepts`.
        pub source_mac_high: Signal<In, Bits<16>>,
        /// Source address, bits 31 to 0.
        pub source_mac_low: Signal<In, Bits<32>>,
        /// The sampler selects the packet of this visit.
        pub due: Signal<In, Bit>,
        /// The last word of a feedback frame is transferred in this cycle.
        pub sent: Signal<In, Bit>,
        /// The queue of this frame; valid with `sent`.
        pub sent_queue: Signal<In, Bits<N>>,
        /// Destination address of the feedback frame, bits 47 to 32; valid with `sent`.
        pub sent_mac_high: Signal<In, Bits<16>>,
        /// Destination address of the feedback frame, bits 31 to 0.
        pub sent_mac_low: Signal<In, Bits<32>>,
        /// A sample that is due at a packet from the source of the last feedback frame waits for one from another source;
        /// otherwise it is dropped, and the next one may hit this source.
        #[parameter]
        pub exception_waits: Signal<In, Bit>,
        /// The packet of this visit is a sample.
        pub sample: Signal<Out, Bit>,
        /// Of each queue: a sample is due; wait for a packet from another source.
        waitings: LutRam<Bits<1>, N>,
        /// Of each queue: a feedback frame has been sent since reset, and since a sample was dropped.
        knowns: LutRam<Bits<1>, N>,
        /// Destination address of the last feedback frame of each queue, bits 47 to 32.
        lasts_high: LutRam<Bits<16>, N>,
        /// The same address, bits 31 to 0.
        lasts_low: LutRam<Bits<32>, N>,
        /// Source address of the packet, bits 47 to 32.
        source_high: DFF<Bits<16>>,
        /// The same address, bits 31 to 0.
        source_low: DFF<Bits<32>>,
        /// Of the queue that is visited: a sample is due.
        waiting: DFF<Bits<1>>,
        /// Of the queue that is visited: a feedback frame has been sent since then.
        known: DFF<Bits<1>>,
        /// The address of its last feedback frame, bits 47 to 32.
        last_high: DFF<Bits<16>>,
        /// The same address, bits 31 to 0.
        last_low: DFF<Bits<32>>,
        /// The packet is from that source.
        excepted: DFF<Bit>,
        /// A feedback frame has been sent that is not yet noted in `knowns`.
        unnoted: DFF<Bit>,
        /// Its queue.
        unnoted_queue: DFF<Bits<N>>,
        between_visits: Signal<Local, Bit>,
        wanted: Signal<Local, Bit>,
        taken: Signal<Local, Bit>,
    }
}

impl<const N: usize> Logic for SamplingExceptionArray<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            source_high,
            source_low,
            waiting,
            known,
            last_high,
            last_low,
            excepted,
            unnoted,
            unnoted_queue
        );
        clock!(self, clock, waitings, knowns, lasts_high, lasts_low);
        if self.accepts.val() {
            self.source_high.d.next = self.source_mac_high.val();
            self.source_low.d.next = self.source_mac_low.val();
        }
        if self.step.val() == 1 {
            self.waiting.d.next = self.waitings.read_data.val();
            self.known.d.next = self.knowns.read_data.val();
            if self.unnoted.q.val() & (self.unnoted_queue.q.val() == self.queue_index.val()) {
                self.known.d.next = 1.into();
            }
            self.last_high.d.next = self.lasts_high.read_data.val();
            self.last_low.d.next = self.lasts_low.read_data.val();
        }
        self.excepted.d.next = self.known.q.val().any()
            & (self.source_high.q.val() == self.last_high.q.val())
            & (self.source_low.q.val() == self.last_low.q.val());
        self.wanted.next = self.due.val() | self.waiting.q.val().any();
        self.taken.next = (self.step.val() == 4) & self.wanted.val() & !self.excepted.q.val();
        self.sample.next = self.taken.val();

        self.waitings.read_address.next = self.queue_index.val();
        self.waitings.write_address.next = self.queue_index.val();
        self.waitings.write_enable.next = (self.step.val() == 4) | !self.cleared.val();
        self.waitings.write_data.next = 0.into();
        if self.cleared.val() & self.wanted.val() & !self.taken.val() & self.exception_waits.val() {
            self.waitings.write_data.next = 1.into();
        }
        self.knowns.read_address.next = self.queue_index.val();
        self.knowns.write_address.next = self.queue_index.val();
        self.knowns.write_data.next = 0.into();
        self.knowns.write_enable.next = !self.cleared.val()
            | ((self.step.val() == 4) & self.wanted.val() & self.excepted.q.val() & !self.exception_waits.val());
        // Step 1 has read already.
        self.between_visits.next = (self.step.val() == 0) | (self.step.val() == 1);
        if self.cleared.val() & self.between_visits.val() & self.unnoted.q.val() {
            self.knowns.write_address.next = self.unnoted_queue.q.val();
            self.knowns.write_data.next = 1.into();
            self.knowns.write_enable.next = true;
        }
        if self.between_visits.val() | !self.cleared.val() {
            self.unnoted.d.next = false;
        }
        if self.sent.val() & self.cleared.val() {
            self.unnoted.d.next = true;
            self.unnoted_queue.d.next = self.sent_queue.val();
        }
        self.lasts_high.read_address.next = self.queue_index.val();
        self.lasts_high.write_address.next = self.sent_queue.val();
        self.lasts_high.write_enable.next = self.sent.val();
        self.lasts_high.write_data.next = self.sent_mac_high.val();
        self.lasts_low.read_address.next = self.queue_index.val();
        self.lasts_low.write_address.next = self.sent_queue.val();
        self.lasts_low.write_enable.next = self.sent.val();
        self.lasts_low.write_data.next = self.sent_mac_low.val();
    }
}
