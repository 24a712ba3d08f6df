// SPDX-License-Identifier: MIT OR Apache-2.0
//! The next random number.

use tidegate_hdl::prelude::*;

module! {
    /// A 24-bit linear-feedback shift register (x²⁴ + x²³ + x²² + x¹⁷ + 1), sixteen steps at once, so that two numbers in
    /// a row share only eight bits, in other places. It has every value except 0 before one comes again. Combinational.
    pub struct RandomStep: "random_step" {
        /// A random number, not 0.
        pub random: Signal<In, Bits<24>>,
        /// The next one.
        pub next_random: Signal<Out, Bits<24>>,
        /// The first number of a random source is made of this, not 0.
        pub seed: Signal<In, Bits<16>>,
        /// The first number.
        pub first_random: Signal<Out, Bits<24>>,
        fresh: Signal<Local, Bits<24>>,
    }
}

impl Logic for RandomStep {
    #[hdl_gen]
    fn update(&mut self) {
        // One step shifts left and brings the XOR of bits 23, 22, 21 and 16 into bit 0. Sixteen steps need no bit that
        // another one of them has made.
        self.fresh.next = ((self.random.val().to_bits() >> 8)
            ^ (self.random.val().to_bits() >> 7)
            ^ (self.random.val().to_bits() >> 6)
            ^ (self.random.val().to_bits() >> 1))
            & 0xffff;
        self.next_random.next = (self.random.val().to_bits() << 16) | self.fresh.val();
        self.first_random.next = (bit_cast::<24, 16>(self.seed.val()).to_bits() << 8)
            | bit_cast::<24, 8>(self.seed.val().to_bits().get_bits::<8>(8));
    }
}
