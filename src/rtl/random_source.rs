//! A source of random numbers.

use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// A 24-bit linear-feedback shift register (x²⁴ + x²³ + x²² + x¹⁷ + 1) that advances by sixteen steps at once, so
    /// that two numbers in a row share only eight bits, in other places.
    ///
    /// `step` in cycle t changes `random` in cycle t + 1. It has every value except 0 before one comes again. Reset
    /// loads the seed.
    pub struct RandomSource: "random_source" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// The value after reset is made of this, not 0.
        pub seed: Signal<In, Bits<16>>,
        /// Take the next number.
        pub step: Signal<In, Bit>,
        /// The current number.
        pub random: Signal<Out, Bits<24>>,
        state: DFF<Bits<24>>,
        fresh: Signal<Local, Bits<24>>,
    }
}

impl Logic for RandomSource {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state);
        // One step shifts left and brings the XOR of bits 23, 22, 21 and 16 into bit 0. Sixteen steps need no bit that
        // another one of them has made.
        self.fresh.next = ((self.state.q.val().to_bits() >> 8)
            ^ (self.state.q.val().to_bits() >> 7)
            ^ (self.state.q.val().to_bits() >> 6)
            ^ (self.state.q.val().to_bits() >> 1))
            & 0xffff;
        if self.step.val() {
            self.state.d.next = (self.state.q.val().to_bits() << 16) | self.fresh.val();
        }
        if self.reset.val() {
            self.state.d.next = (bit_cast::<24, 16>(self.seed.val()).to_bits() << 8)
                | bit_cast::<24, 8>(self.seed.val().to_bits().get_bits::<8>(8));
        }
        self.random.next = self.state.q.val();
    }
}
