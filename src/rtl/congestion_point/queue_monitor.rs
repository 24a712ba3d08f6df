//! Follows the length of the output queue.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Counts the queue length from enqueue and dequeue events, and gives Qoff and ΔQ of each sample (Jiang 2015b,
    /// section 2.2).
    ///
    /// Events of cycle t change `queue_bytes` in cycle t + 1. In that cycle `q_offset` and `q_delta` belong to a sample
    /// of cycle t; the length at the last sample is overwritten at its end. A length below 0 or above 2²⁴ − 1 is
    /// clamped; `clamped` is then high in the cycle after the event, together with the clamped length.
    pub struct QueueMonitor: "queue_monitor" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
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
        entering: Signal<Local, Bits<26>>,
        leaving: Signal<Local, Bits<26>>,
        less_leaving: Signal<Local, Bits<26>>,
        length_extended: Signal<Local, Bits<26>>,
        sums: Signal<Local, Bits<26>>,
        carries: Signal<Local, Bits<26>>,
        length: Signal<Local, Bits<24>>,
    }
}

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
        // Clamped after the register, not before it: a clamp after the adder would make the path too long.
        self.length.next = self.sum.q.val().to_bits().get_bits::<24>(0);
        if self.sum.q.val().get_bit(25) {
            self.length.next = 0.into();
        } else if self.sum.q.val().get_bit(24) {
            self.length.next = 0xff_ffff.into();
        }
        self.clamped.next = self.sum.q.val().get_bit(25) | self.sum.q.val().get_bit(24);
        // A carry-save adder reduces the three numbers to two, so that one carry chain makes the sum.
        self.length_extended.next = bit_cast::<26, 24>(self.length.val());
        self.less_leaving.next = self.leaving.val() ^ 0x3ff_ffff;
        self.sums.next = self.length_extended.val() ^ self.entering.val() ^ self.less_leaving.val();
        self.carries.next = (self.length_extended.val() & self.entering.val())
            | (self.length_extended.val() & self.less_leaving.val())
            | (self.entering.val() & self.less_leaving.val());
        self.sum.d.next = self.sums.val() + ((self.carries.val().to_bits() << 1) | 1);
        self.sampled.d.next = self.sample.val() & !self.reset.val();
        if self.sampled.q.val() {
            self.queue_old.d.next = self.length.val();
        }
        self.queue_bytes.next = self.length.val();
        self.q_offset.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.q0_bytes.val());
        self.q_delta.next = bit_cast::<25, 24>(self.length.val()) - bit_cast::<25, 24>(self.queue_old.q.val());
    }
}
