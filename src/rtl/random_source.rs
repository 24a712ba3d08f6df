//! A source of random numbers.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// A 24-bit linear-feedback shift register (x²⁴ + x²³ + x²² + x¹⁷ + 1) that advances by sixteen steps at once, so
    /// that two numbers in a row share only eight bits, in other places.
    ///
    /// `draw` in cycle t changes `random` in cycle t + 1. Whether the new number fits is read in its first cycle and
    /// told by `settled` from the next one on: a number that does not fit is replaced in the cycle after its second.
    /// So no comparison is in the path to the next number. It has every value except 0 before one comes again. Reset
    /// loads the seed.
    pub struct RandomSource: "random_source" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// The value after reset is made of this, not 0.
        pub seed: Signal<In, Bits<16>>,
        /// Take the next number.
        pub draw: Signal<In, Bit>,
        /// The current number fits where it is used; a function of `random`.
        pub fits: Signal<In, Bit>,
        /// The current number.
        pub random: Signal<Out, Bits<24>>,
        /// The current number fitted in the cycle before.
        pub settled: Signal<Out, Bit>,
        state: DFF<Bits<24>>,
        /// The current number was there in the cycle before: `fitted` tells whether it fits.
        judged: Register<Bit>,
        /// The current number fitted in the cycle before.
        fitted: Register<Bit>,
        fresh: Signal<Local, Bits<24>>,
        step: Signal<Local, Bit>,
    }
}

impl Logic for RandomSource {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, judged, fitted);
        self.judged.reset.next = self.reset.val();
        self.fitted.reset.next = self.reset.val();
        self.step.next = self.draw.val() | (self.judged.q.val() & !self.fitted.q.val());
        self.judged.d.next = !self.step.val();
        self.fitted.d.next = self.fits.val() & !self.step.val();
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
        self.settled.next = self.fitted.q.val();
    }
}
