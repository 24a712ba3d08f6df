//! Decides which arriving packet is a sample.

use crate::rtl::jitter::Jitter;
use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::sum_reaches::SumReaches;
use rust_hdl::prelude::*;

module! {
    /// Counts packets, bytes or cycles, and selects the arriving packet that completes a sampling interval as a sample.
    ///
    /// `sample` is combinational: it is high in the cycle of the selected packet. In the modes `packets` and `bytes`
    /// the packet that completes the interval is the sample, and the next interval starts at 0. In the mode `time`
    /// intervals follow each other whether packets arrive or not, and the first packet after the end of an interval is
    /// the sample.
    pub struct Sampler: "sampler" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// A packet enters the queue in this cycle.
        pub enqueue: Signal<In, Bit>,
        /// Length of that packet, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Smallest sampling interval: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<In, Bits<24>>,
        /// What the sampling interval counts: 0 = packets, 1 = bytes, 2 = cycles.
        #[parameter]
        pub sample_mode: Signal<In, Bits<2>>,
        /// (largest - smallest + 1) / smallest interval, 13 fraction bits; 0 = no jitter.
        #[parameter]
        pub jitter_ratio: Signal<In, Bits<16>>,
        /// Value of the random source after reset, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// The packet that enters in this cycle is a sample.
        pub sample: Signal<Out, Bit>,
        jitter: Jitter,
        interval_reached: SumReaches,
        /// Packets, bytes or cycles since the last interval ended.
        elapsed: Register<Bits<24>>,
        /// Mode `time`: an interval has ended and the next packet is its sample.
        due: Register<Bit>,
        by_bytes: Signal<Local, Bit>,
        by_time: Signal<Local, Bit>,
        amount: Signal<Local, Bits<24>>,
        counts: Signal<Local, Bit>,
        full: Signal<Local, Bit>,
    }
}

impl Logic for Sampler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, elapsed, due);
        self.elapsed.reset.next = self.reset.val();
        self.due.reset.next = self.reset.val();
        clock!(self, clock, jitter);
        self.jitter.reset.next = self.reset.val();
        self.jitter.low.next = self.interval_low.val();
        self.jitter.ratio.next = self.jitter_ratio.val();
        self.jitter.seed.next = self.seed.val();

        self.by_bytes.next = self.sample_mode.val() == 1;
        self.by_time.next = self.sample_mode.val() == 2;
        self.amount.next = 1.into();
        if self.by_bytes.val() {
            self.amount.next = self.enqueue_bytes.val();
        }
        self.counts.next = self.enqueue.val() | self.by_time.val();
        self.interval_reached.count.next = self.elapsed.q.val();
        self.interval_reached.amount.next = self.amount.val();
        self.interval_reached.bound.next = self.jitter.interval.val();
        self.full.next = self.counts.val() & self.interval_reached.reached.val();

        if self.counts.val() {
            self.elapsed.d.next = self.elapsed.q.val() + self.amount.val();
        }
        if self.full.val() {
            self.elapsed.d.next = 0.into();
        }
        self.jitter.draw.next = self.full.val();

        self.sample.next = self.full.val();
        self.due.d.next = false;
        if self.by_time.val() {
            self.sample.next = self.enqueue.val() & self.due.q.val();
            self.due.d.next = self.full.val() | (self.due.q.val() & !self.enqueue.val());
        }
    }
}
