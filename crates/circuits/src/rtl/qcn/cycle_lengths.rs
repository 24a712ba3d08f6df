// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lengths of QCN's byte cycles and timer periods.

use crate::rtl::random_share::{RandomShare, SpanMask};
use crate::rtl::random_source::RandomSource;
use tidegate_hdl::prelude::*;

module! {
    /// How long the next byte cycle and the next timer period are, each minus one, drawn from both bounds (IEEE 802.1Q,
    /// clause 32; Jiang 2015b, section 2.2). Both come from the same random number; `draw` takes the next one. One that
    /// does not fit both spans is replaced in the next cycle.
    ///
    /// A cycle that begins when its own stage becomes `half_stage` or more is half as long, rounded up. The first one
    /// after a feedback is never halved. New bounds count one cycle later, and a new `half_stage` two cycles: what depends on
    /// parameters only comes from registers, which constants remove.
    pub struct CycleLengths: "cycle_lengths" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Smallest byte cycle, bytes.
        #[parameter]
        pub byte_cycle_low: Signal<In, Bits<24>>,
        /// Largest minus smallest byte cycle, bytes; 0 = no jitter.
        #[parameter]
        pub byte_cycle_span: Signal<In, Bits<24>>,
        /// Smallest timer period, cycles; 0 = no timer.
        #[parameter]
        pub timer_low: Signal<In, Bits<24>>,
        /// Largest minus smallest timer period, cycles; 0 = no jitter.
        #[parameter]
        pub timer_span: Signal<In, Bits<24>>,
        /// The random source starts with this, not 0.
        #[parameter]
        pub seed: Signal<In, Bits<16>>,
        /// First stage in which byte cycle and timer period are halved.
        #[parameter]
        pub half_stage: Signal<In, Bits<6>>,
        /// Take the next random number.
        pub draw: Signal<In, Bit>,
        /// Byte stage in the next cycle: before the byte cycle that ends then, if one ends.
        pub byte_stage: Signal<In, Bits<6>>,
        /// Time stage in the next cycle: before the timer period that ends then, if one ends.
        pub time_stage: Signal<In, Bits<6>>,
        /// Length of the byte cycle after a feedback, bytes, minus one.
        pub first_bytes: Signal<Out, Bits<24>>,
        /// Length of the byte cycle after another one, bytes, minus one.
        pub next_bytes: Signal<Out, Bits<24>>,
        /// Length of the timer period after a feedback, cycles, minus one.
        pub first_cycles: Signal<Out, Bits<24>>,
        /// Length of the timer period after another one, cycles, minus one.
        pub next_cycles: Signal<Out, Bits<24>>,
        random_source: RandomSource,
        byte_mask: SpanMask,
        byte_share: RandomShare,
        time_mask: SpanMask,
        time_share: RandomShare,
        /// `half_stage` of the cycle before, less one.
        before_half: Delay<Bits<6>>,
        /// A byte cycle that ends in this cycle is followed by one of half the length.
        half_bytes: DFF<Bit>,
        /// The same of a timer period.
        half_cycles: DFF<Bit>,
        /// `byte_cycle_low` of the cycle before, less one.
        before_bytes: Delay<Bits<24>>,
        byte_span: Delay<Bits<24>>,
        /// As many ones as `byte_span` has bits.
        byte_ones: Delay<Bits<24>>,
        /// `timer_low` of the cycle before, less one.
        before_cycles: Delay<Bits<24>>,
        time_span: Delay<Bits<24>>,
        /// As many ones as `time_span` has bits.
        time_ones: Delay<Bits<24>>,
        byte_length: Signal<Local, Bits<24>>,
        time_length: Signal<Local, Bits<24>>,
    }
}

impl Logic for CycleLengths {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, before_half, half_bytes, half_cycles, before_bytes, byte_span, byte_ones);
        dff_setup!(self, clock, before_cycles, time_span, time_ones);
        clock!(self, clock, random_source);
        self.random_source.reset.next = self.reset.val();
        self.random_source.seed.next = self.seed.val();
        self.random_source.draw.next = self.draw.val();

        // The timer uses the number with its halves exchanged: the bits that decide whether it fits one span are low
        // bits of the share of the other, where they hardly matter.
        self.byte_share.random.next = self.random_source.random.val();
        self.byte_mask.span.next = self.byte_cycle_span.val();
        self.byte_ones.d.next = self.byte_mask.mask.val();
        self.byte_share.mask.next = self.byte_ones.q.val();
        self.byte_span.d.next = self.byte_cycle_span.val();
        self.byte_share.span.next = self.byte_span.q.val();
        self.byte_share.settled.next = self.random_source.settled.val();
        self.time_share.random.next =
            (self.random_source.random.val().to_bits() << 12) | (self.random_source.random.val().to_bits() >> 12);
        self.time_mask.span.next = self.timer_span.val();
        self.time_ones.d.next = self.time_mask.mask.val();
        self.time_share.mask.next = self.time_ones.q.val();
        self.time_span.d.next = self.timer_span.val();
        self.time_share.span.next = self.time_span.q.val();
        self.time_share.settled.next = self.random_source.settled.val();
        self.random_source.fits.next = self.byte_share.fits.val() & self.time_share.fits.val();

        // One less than the length. If it is odd, half of it is half of the length, rounded up, and one less.
        self.before_half.d.next = self.half_stage.val() - 1;
        self.half_bytes.d.next = self.byte_stage.val() >= self.before_half.q.val();
        self.half_cycles.d.next = self.time_stage.val() >= self.before_half.q.val();
        self.before_bytes.d.next = self.byte_cycle_low.val() - 1;
        self.byte_length.next = self.before_bytes.q.val() + self.byte_share.share.val();
        self.first_bytes.next = self.byte_length.val();
        self.next_bytes.next = self.byte_length.val();
        if self.half_bytes.q.val() {
            self.next_bytes.next = self.byte_length.val().to_bits() >> 1;
        }
        self.before_cycles.d.next = self.timer_low.val() - 1;
        self.time_length.next = self.before_cycles.q.val() + self.time_share.share.val();
        self.first_cycles.next = self.time_length.val();
        self.next_cycles.next = self.time_length.val();
        if self.half_cycles.q.val() {
            self.next_cycles.next = self.time_length.val().to_bits() >> 1;
        }
    }
}
