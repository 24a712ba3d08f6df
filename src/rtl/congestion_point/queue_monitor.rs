//! Follows the length of the output queue.

use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use crate::rtl::{module, parameter_inputs};
use rust_hdl::prelude::*;

module! {
    /// Queue length from enqueue and dequeue events, and what a sample says of it (smcc.txt section 2.2: Qoff and ΔQ).
    ///
    /// The length with the packets of cycle t shows in cycle t + 1; there `q_offset` and `q_delta` belong to a sample of cycle t,
    /// and the old length is overwritten behind them. A length that would leave 0 to 2²⁴ − 1 is clamped, and `clamped` is high in
    /// the cycle after the event, with the length that it left.
    pub struct QueueMonitor: "queue_monitor" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Bytes enter the queue.
        pub enqueue: Signal<In, Bit>,
        /// How many.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Bytes leave the queue.
        pub dequeue: Signal<In, Bit>,
        /// How many.
        pub dequeue_bytes: Signal<In, Bits<24>>,
        /// The packet that enters is a sample.
        pub sample: Signal<In, Bit>,
        /// Target length, bytes.
        pub q0_bytes: Signal<In, Bits<24>>,
        /// Length with all of the cycles before, bytes.
        pub queue_bytes: Signal<Out, Bits<24>>,
        /// Length - target, bytes, two's complement; of a sample of the cycle before.
        pub q_offset: Signal<Out, Bits<25>>,
        /// Length - length at the sample before, bytes, two's complement.
        pub q_delta: Signal<Out, Bits<25>>,
        /// The events of the cycle before would have left a length that cannot be.
        pub clamped: Signal<Out, Bit>,
        /// Length before it is clamped, bytes, two's complement: bit 25 says less than nothing, bit 24 without it more than fits.
        sum: Register<Bits<26>>,
        /// Length at the last sample, bytes.
        queue_old: Register<Bits<24>>,
        /// The cycle before had a sample.
        sampled: DFF<Bit>,
        entering: Signal<Local, Bits<26>>,
        leaving: Signal<Local, Bits<26>>,
        change: Signal<Local, Bits<26>>,
        length: Signal<Local, Bits<24>>,
    }
}

parameter_inputs!(QueueMonitor: q0_bytes;
    enqueue, enqueue_bytes, dequeue, dequeue_bytes, sample);

impl Logic for QueueMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, queue_old, sampled);
        self.sum.reset.next = self.reset.val();
        self.queue_old.reset.next = self.reset.val();
        self.entering.next = 0.into();
        if self.enqueue.val() {
            self.entering.next = bit_cast::<26, 24>(self.enqueue_bytes.val());
        }
        self.leaving.next = 0.into();
        if self.dequeue.val() {
            self.leaving.next = bit_cast::<26, 24>(self.dequeue_bytes.val());
        }
        // Clamped before it is read, not before it is stored: behind a sum there is no time for it.
        self.length.next = self.sum.q.val().to_bits().get_bits::<24>(0);
        if self.sum.q.val().get_bit(25) {
            self.length.next = 0.into();
        } else if self.sum.q.val().get_bit(24) {
            self.length.next = 0xff_ffff.into();
        }
        self.clamped.next = self.sum.q.val().get_bit(25) | self.sum.q.val().get_bit(24);
        self.change.next = self.entering.val() - self.leaving.val();
        self.sum.d.next = bit_cast::<26, 24>(self.length.val()) + self.change.val();
        self.sampled.d.next = self.sample.val() & !self.reset.val();
        if self.sampled.q.val() {
            self.queue_old.d.next = self.length.val();
        }
        self.queue_bytes.next = self.length.val();
        self.q_offset.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.q0_bytes.val());
        self.q_delta.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.queue_old.q.val());
    }
}
