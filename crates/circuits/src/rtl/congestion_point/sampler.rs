// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decides which arriving packet is a sample.

use crate::rtl::random_share::{RandomShare, SpanMask};
use crate::rtl::random_source::RandomSource;
use crate::rtl::sum_reaches::SumReaches;
use tidegate_hdl::prelude::*;

module! {
    /// Counts packets, bytes or cycles, and selects the arriving packet that completes a sampling interval as a sample.
    ///
    /// `sample` is combinational: it is high in the cycle of the selected packet. In the modes `packets` and `bytes`
    /// the packet that completes the interval is the sample, and the next interval starts at 0. In the mode `time`
    /// intervals follow each other whether packets arrive or not, and the first packet after the end of an interval is
    /// the sample.
    ///
    /// An interval is `interval_low` plus a random share of 0 to `interval_span`, drawn when the interval before it
    /// ends. A random number that does not fit is replaced in the next cycle; one that fits counts from the cycle
    /// after. Until then the share is a random number without its most significant bit. A new interval, also one
    /// because `interval_low` changes, is compared one cycle later, one because `interval_span` changes two cycles later;
    /// after reset it is `interval_low` for two cycles, and a sample in the first one draws no number. `interval_low` must
    /// be valid in the last cycle of the reset, `interval_span` in the next one.
    pub struct Sampler: "sampler" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// A packet enters the queue in this cycle.
        pub enqueue: Signal<In, Bit>,
        /// Length of that packet, bytes; valid with `enqueue`.
        pub enqueue_bytes: Signal<In, Bits<24>>,
        /// Smallest sampling interval: packets, bytes or cycles, by `sample_mode`.
        pub interval_low: Signal<In, Bits<24>>,
        /// Largest minus smallest sampling interval, in the same unit; 0 = no jitter.
        pub interval_span: Signal<In, Bits<24>>,
        /// What the sampling interval counts: 0 = packets, 1 = bytes, 2 = cycles; never 3.
        #[parameter]
        pub sample_mode: Signal<In, Bits<2>>,
        /// Value of the random source after reset, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// The packet that enters in this cycle is a sample.
        pub sample: Signal<Out, Bit>,
        random_source: RandomSource,
        span_mask: SpanMask,
        random_share: RandomShare,
        interval_reached: SumReaches,
        /// The cycle before was one of reset. Span and mask may not be valid yet, so numbers are judged from the next one on.
        starts: Delay<Bit>,
        /// `interval_span` of the cycle before.
        span: Delay<Bits<24>>,
        /// As many ones as `span` has bits. Mask and share are too long for one cycle where the bounds are registers.
        mask: Delay<Bits<24>>,
        /// `by_bytes` of the cycle before, for the comparison: synthesis then does not take the gates of the addition for
        /// both, which would be one more in the longest path. It is a constant where the mode is one.
        compares_bytes: Delay<Bit>,
        /// Packets, bytes or cycles since the last interval ended.
        elapsed: Register<Bits<24>>,
        /// Mode `time`: an interval has ended and the next packet is its sample.
        due: Register<Bit>,
        /// Sampling interval.
        interval: DFF<Bits<24>>,
        by_bytes: Signal<Local, Bit>,
        by_time: Signal<Local, Bit>,
        amount: Signal<Local, Bits<24>>,
        compared: Signal<Local, Bits<24>>,
        share: Signal<Local, Bits<24>>,
        begins: Signal<Local, Bit>,
        counts: Signal<Local, Bit>,
        full: Signal<Local, Bit>,
    }
}

impl Logic for Sampler {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, starts, span, mask, compares_bytes, elapsed, due, interval);
        self.elapsed.reset.next = self.reset.val();
        self.due.reset.next = self.reset.val();
        clock!(self, clock, random_source);
        self.starts.d.next = self.reset.val();
        self.begins.next = self.reset.val() | self.starts.q.val();
        self.random_source.reset.next = self.begins.val();
        self.random_source.seed.next = self.seed.val();
        self.random_share.random.next = self.random_source.random.val();
        self.span.d.next = self.interval_span.val();
        self.span_mask.span.next = self.interval_span.val();
        self.mask.d.next = self.span_mask.mask.val();
        self.random_share.mask.next = self.mask.q.val();
        self.random_share.span.next = self.span.q.val();
        self.random_share.settled.next = self.random_source.settled.val();

        self.by_bytes.next = self.sample_mode.val().get_bit(0);
        self.by_time.next = self.sample_mode.val().get_bit(1);
        self.amount.next = 1.into();
        if self.by_bytes.val() {
            self.amount.next = self.enqueue_bytes.val();
        }
        self.compares_bytes.d.next = self.by_bytes.val();
        self.compared.next = 1.into();
        if self.compares_bytes.q.val() {
            self.compared.next = self.enqueue_bytes.val();
        }
        self.counts.next = self.enqueue.val() | self.by_time.val();
        self.interval_reached.count.next = self.elapsed.q.val();
        self.interval_reached.amount.next = bit_cast::<25, 24>(self.compared.val());
        self.share.next = self.random_share.share.val();
        if self.begins.val() {
            self.share.next = 0.into();
        }
        self.interval.d.next = self.interval_low.val() + self.share.val();
        self.interval_reached.bound.next = self.interval.q.val();
        self.full.next = self.counts.val() & self.interval_reached.reached.val();

        self.random_source.draw.next = self.full.val();
        self.random_source.fits.next = self.random_share.fits.val();

        if self.counts.val() {
            self.elapsed.d.next = self.elapsed.q.val() + self.amount.val();
        }
        if self.full.val() {
            self.elapsed.d.next = 0.into();
        }

        self.sample.next = self.full.val();
        self.due.d.next = false;
        if self.by_time.val() {
            self.sample.next = self.enqueue.val() & self.due.q.val();
            self.due.d.next = self.full.val() | (self.due.q.val() & !self.enqueue.val());
        }
    }
}
