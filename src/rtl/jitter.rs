//! A random interval: each draw chooses the next interval uniformly between two bounds.

use crate::rtl::module;
use crate::rtl::register::{Delay, Register};
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// Interval = `low` + `low` × fraction. The fraction is drawn at random from [0, `ratio`).
    ///
    /// The fraction comes from a 16-bit linear-feedback shift register (x¹⁶ + x¹⁴ + x¹³ + x¹¹ + 1) that advances by
    /// eight steps per draw, so that two draws share no bit. From there to `interval` the data passes two multipliers
    /// and an adder, each with registers at its output: a draw in cycle t changes `interval` in cycle t + 4; a new
    /// `low` enters the sum in cycle t + 1 and the product in t + 3. Reset loads the seed; for three cycles after it,
    /// the interval is `low` of the cycle before. If `ratio` is 0, the interval is `low` of the same cycle.
    pub struct Jitter: "jitter" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// Smallest interval, in bytes, packets or cycles.
        pub low: Signal<In, Bits<24>>,
        /// (largest - smallest + 1) / smallest, 13 fraction bits; 0 = no jitter.
        pub ratio: Signal<In, Bits<16>>,
        /// Value of the shift register after reset, not 0.
        pub seed: Signal<In, Bits<16>>,
        /// Draw the next random fraction in this cycle.
        pub draw: Signal<In, Bit>,
        /// The current interval, in the unit of `low`.
        pub interval: Signal<Out, Bits<24>>,
        /// Linear-feedback shift register, the source of random numbers.
        state: DFF<Bits<16>>,
        /// Random fraction, at least 0 and below `ratio`, 13 fraction bits.
        fraction: Register<Bits<16>>,
        /// `low` of the cycle before, for the multipliers. `low` may come from a table, and a multiplier takes most of
        /// a cycle.
        multiplicand: Delay<Bits<24>>,
        next_state: Signal<Local, Bits<16>>,
        uniform: Signal<Local, Bits<16>>,
        scaled: Signal<Local, Bits<32>>,
        /// Low 16 bits of `low` × fraction, in the unit of `low`.
        extra_low: Register<Bits<24>>,
        /// High 8 bits of `low` × fraction, in the unit of `low`.
        extra_high: Register<Bits<24>>,
        /// `low` plus its random part, in the unit of `low`.
        total: DFF<Bits<24>>,
        low_half: Signal<Local, Bits<16>>,
        high_half: Signal<Local, Bits<16>>,
        low_product: Signal<Local, Bits<32>>,
        high_product: Signal<Local, Bits<32>>,
    }
}

impl Logic for Jitter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state, fraction, multiplicand, extra_low, extra_high, total);
        self.fraction.reset.next = self.reset.val();
        self.extra_low.reset.next = self.reset.val();
        self.extra_high.reset.next = self.reset.val();
        self.next_state.next = (self.state.q.val().to_bits() << 8)
            | ((self.state.q.val().to_bits() >> 8)
                ^ ((self.state.q.val().to_bits() >> 6) & 0xff)
                ^ ((self.state.q.val().to_bits() >> 5) & 0xff)
                ^ ((self.state.q.val().to_bits() >> 3) & 0xff));
        if self.reset.val() {
            self.next_state.next = self.seed.val();
        }
        if self.draw.val() | self.reset.val() {
            self.state.d.next = self.next_state.val();
        }
        self.uniform.next = self.state.q.val() & 0xff;
        self.scaled.next = self.ratio.val() * self.uniform.val();
        self.fraction.d.next = self.scaled.val().to_bits().get_bits::<16>(8);

        self.multiplicand.d.next = self.low.val();
        self.low_half.next = self.multiplicand.q.val().to_bits().get_bits::<16>(0);
        self.high_half.next = bit_cast::<16, 8>(self.multiplicand.q.val().to_bits().get_bits::<8>(16));
        self.low_product.next = self.low_half.val() * self.fraction.q.val();
        self.high_product.next = self.high_half.val() * self.fraction.q.val();
        self.extra_low.d.next = bit_cast::<24, 19>(self.low_product.val().to_bits().get_bits::<19>(13));
        self.extra_high.d.next = bit_cast::<24, 32>(self.high_product.val()).to_bits() << 3;
        self.total.d.next = self.low.val() + self.extra_low.q.val() + self.extra_high.q.val();
        if self.reset.val() {
            self.total.d.next = self.low.val();
        }
        // Without jitter there is no register between `low` and `interval`, so synthesis removes all of them.
        self.interval.next = self.low.val();
        if self.ratio.val().any() {
            self.interval.next = self.total.q.val();
        }
    }
}
