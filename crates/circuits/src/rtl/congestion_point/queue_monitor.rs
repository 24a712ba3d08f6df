// SPDX-License-Identifier: MIT OR Apache-2.0
//! Follows the length of the output queue.

use super::queue_length::QueueLength;
use tidegate_hdl::prelude::*;

module! {
    /// Counts the queue length from enqueue and dequeue events, and gives Qoff and ΔQ of each sample (Jiang 2015b,
    /// section 2.2).
    ///
    /// Events of cycle t change `queue_bytes` in cycle t + 1. In that cycle `q_offset` and `q_delta` belong to a sample
    /// of cycle t; the length at the last sample is overwritten at its end. A length below 0 or above 2²⁴ − 1 is
    /// clamped; `clamped` is then high in the cycle after the event, together with the clamped length.
    pub struct QueueMonitor: "queue_monitor" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet enters the queue in this cycle.
        pub enqueue: Signal<In, Bit>,
        /// Length of the packet that enters, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Bytes leave the queue in this cycle.
        pub dequeue: Signal<In, Bit>,
        /// Number of bytes that leave; valid with `dequeue`.
        pub dequeue_bytes: Signal<In, Bits<24>>,
        /// The packet that enters in this cycle is a sample.
        pub sample: Signal<In, Bit>,
        /// Target queue length q0, bytes.
        #[parameter]
        pub q0_bytes: Signal<In, Bits<24>>,
        /// Queue length after all events of earlier cycles, bytes.
        pub queue_bytes: Signal<Out, Bits<24>>,
        /// Qoff = length - q0, bytes, two's complement; belongs to a sample of the cycle before.
        pub q_offset: Signal<Out, Bits<25>>,
        /// ΔQ = length - length at the sample before, bytes, two's complement; belongs to a sample of the cycle before.
        pub q_delta: Signal<Out, Bits<25>>,
        /// The length was clamped: the events of the cycle before would have made it less than 0 or more than 24 bits
        /// hold.
        pub clamped: Signal<Out, Bit>,
        /// Length before it is clamped, bytes, two's complement. Bit 25: below 0; else bit 24: more than 24 bits hold.
        sum: Register<Bits<26>>,
        /// Queue length at the last sample, bytes.
        queue_old: Register<Bits<24>>,
        /// The cycle before had a sample.
        sampled: DFF<Bit>,
        queue_length: QueueLength,
        length: Signal<Local, Bits<24>>,
    }
}

impl Logic for QueueMonitor {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, queue_old, sampled);
        self.sum.reset.next = self.reset.val();
        self.queue_old.reset.next = self.reset.val();
        self.queue_length.enqueue.next = self.enqueue.val();
        self.queue_length.enqueue_bytes.next = self.enqueue_bytes.val();
        self.queue_length.dequeue.next = self.dequeue.val();
        self.queue_length.dequeue_bytes.next = self.dequeue_bytes.val();
        self.queue_length.sum.next = self.sum.q.val();
        self.length.next = self.queue_length.length.val();
        self.clamped.next = self.queue_length.clamped.val();
        self.queue_length.present.next = self.length.val();
        self.sum.d.next = self.queue_length.next_sum.val();
        self.sampled.d.next = self.sample.val() & !self.reset.val();
        if self.sampled.q.val() {
            self.queue_old.d.next = self.length.val();
        }
        self.queue_bytes.next = self.length.val();
        self.q_offset.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.q0_bytes.val());
        self.q_delta.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.queue_old.q.val());
    }
}
