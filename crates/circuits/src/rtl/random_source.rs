// SPDX-License-Identifier: MIT OR Apache-2.0
//! A source of random numbers.

use crate::rtl::random_step::RandomStep;
use tidegate_hdl::prelude::*;

module! {
    /// A random number of 24 bits that can be replaced in each cycle.
    ///
    /// `draw` in cycle t changes `random` in cycle t + 1. Whether the new number fits is read in its first cycle and
    /// told by `settled` from the next one on: a number that does not fit is replaced in the cycle after its second.
    /// So no comparison is in the path to the next number. It has every value except 0 before one comes again. Reset
    /// loads the seed.
    pub struct RandomSource: "random_source" {
        pub clock: Signal<In, Clock>,
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
        random_step: RandomStep,
        state: DFF<Bits<24>>,
        /// The current number was there in the cycle before, and did not fit.
        replaces: Register<Bit>,
        /// The current number fitted in the cycle before.
        fitted: Register<Bit>,
        step: Signal<Local, Bit>,
    }
}

impl Logic for RandomSource {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, replaces, fitted);
        self.replaces.reset.next = self.reset.val();
        self.fitted.reset.next = self.reset.val();
        self.step.next = self.draw.val() | self.replaces.q.val();
        self.replaces.d.next = !self.fits.val() & !self.step.val();
        self.fitted.d.next = self.fits.val() & !self.step.val();
        self.random_step.random.next = self.state.q.val();
        self.random_step.seed.next = self.seed.val();
        if self.step.val() {
            self.state.d.next = self.random_step.next_random.val();
        }
        if self.reset.val() {
            self.state.d.next = self.random_step.first_random.val();
        }
        self.random.next = self.state.q.val();
        self.settled.next = self.fitted.q.val();
    }
}
