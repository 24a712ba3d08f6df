//! Two feedback frames in a row to one source are avoided.

use crate::rtl::register::Register;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// A packet from the source to which the last feedback went is no sample: the first behind it from another source is (asm.txt
    /// section 4.5). Meanwhile the sampler's next interval runs.
    ///
    /// Combinational from `due` to `sample`; a frame whose last word leaves in cycle t counts from cycle t + 1. A source that is alone gets feedback once and then never again, as the paper has it.
    pub struct SamplingException: "sampling_exception" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// A packet enters the queue.
        pub enqueue: Signal<In, Bit>,
        /// The sampler would have this packet.
        pub due: Signal<In, Bit>,
        /// Source address of the packet, bits 47 to 32.
        pub source_mac_high: Signal<In, Bits<16>>,
        /// Bits 31 to 0.
        pub source_mac_low: Signal<In, Bits<32>>,
        /// The last word of a feedback frame leaves.
        pub sent: Signal<In, Bit>,
        /// Its destination address, bits 47 to 32.
        pub sent_mac_high: Signal<In, Bits<16>>,
        /// Bits 31 to 0.
        pub sent_mac_low: Signal<In, Bits<32>>,
        /// This packet is a sample; same cycle.
        pub sample: Signal<Out, Bit>,
        /// A sample is due and waits for another source.
        waiting: Register<Bit>,
        /// A source has had feedback.
        known: Register<Bit>,
        /// Its address, bits 47 to 32.
        last_high: DFF<Bits<16>>,
        /// Bits 31 to 0.
        last_low: DFF<Bits<32>>,
        wanted: Signal<Local, Bit>,
        excepted: Signal<Local, Bit>,
    }
}

parameter_inputs!(SamplingException: ; enqueue, due, source_mac_high, source_mac_low, sent, sent_mac_high, sent_mac_low);

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
        self.waiting.d.next = self.wanted.val() & !self.sample.val();
        if self.sent.val() {
            self.known.d.next = true;
            self.last_high.d.next = self.sent_mac_high.val();
            self.last_low.d.next = self.sent_mac_low.val();
        }
    }
}
