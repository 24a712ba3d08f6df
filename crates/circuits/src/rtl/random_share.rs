// SPDX-License-Identifier: MIT OR Apache-2.0
//! The random part of an interval.

use tidegate_hdl::prelude::*;

module! {
    /// All bits from the most significant one of a number on. Combinational.
    pub struct SpanMask: "span_mask" {
        /// The number.
        pub span: Signal<In, Bits<24>>,
        /// As many ones as it has bits.
        pub mask: Signal<Out, Bits<24>>,
        ones_2: Signal<Local, Bits<24>>,
        ones_4: Signal<Local, Bits<24>>,
        ones_8: Signal<Local, Bits<24>>,
        ones_16: Signal<Local, Bits<24>>,
    }
}

impl Logic for SpanMask {
    #[hdl_gen]
    fn update(&mut self) {
        self.ones_2.next = self.span.val() | (self.span.val().to_bits() >> 1);
        self.ones_4.next = self.ones_2.val() | (self.ones_2.val().to_bits() >> 2);
        self.ones_8.next = self.ones_4.val() | (self.ones_4.val().to_bits() >> 4);
        self.ones_16.next = self.ones_8.val() | (self.ones_8.val().to_bits() >> 8);
        self.mask.next = self.ones_16.val() | (self.ones_16.val().to_bits() >> 16);
    }
}

module! {
    /// A number from 0 to `span`, each as likely as any other: as many low bits of a random number as `span` has. If
    /// they are more than `span`, the number does not fit, and the random source should take another one.
    /// Combinational. [`SpanMask`] makes `mask`; where it is too long for the same cycle, it may come from a register.
    pub struct RandomShare: "random_share" {
        /// Random number.
        pub random: Signal<In, Bits<24>>,
        /// Largest result; 0 = no random part.
        pub span: Signal<In, Bits<24>>,
        /// As many ones as `span` has bits.
        pub mask: Signal<In, Bits<24>>,
        /// `random` fitted in an earlier cycle and has not changed since. If it is low, `share` leaves the most
        /// significant bit out, so that it is never more than `span`.
        pub settled: Signal<In, Bit>,
        /// `random` fits: it need not change.
        pub fits: Signal<Out, Bit>,
        /// The result, in the unit of `span`.
        pub share: Signal<Out, Bits<24>>,
        low_bits: Signal<Local, Bits<24>>,
    }
}

impl Logic for RandomShare {
    #[hdl_gen]
    fn update(&mut self) {
        self.low_bits.next = self.random.val() & self.mask.val();
        self.fits.next = self.low_bits.val() <= self.span.val();
        self.share.next = self.random.val() & (self.mask.val().to_bits() >> 1);
        if self.settled.val() {
            self.share.next = self.low_bits.val();
        }
    }
}
