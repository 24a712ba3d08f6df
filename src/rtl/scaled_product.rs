//! A product, one half-word after the other.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// `operand` × `factor` / 2^16, cut: four products of half-words, one after the other, in one 16 × 16 multiplier.
    ///
    /// For what is rare: `start` in cycle t takes both numbers, `done` is high in cycle t + 6, and the result stands until the
    /// next `start`. A `start` before that begins anew.
    pub struct ScaledProduct: "scaled_product" {
        /// Rising edge counts.
        pub clock: Signal<In, Clock>,
        /// Synchronous, active high.
        pub reset: Signal<In, Bit>,
        /// Take both numbers.
        pub start: Signal<In, Bit>,
        /// One of them.
        pub operand: Signal<In, Bits<32>>,
        /// The other, 16 fraction bits.
        pub factor: Signal<In, Bits<32>>,
        /// The result is there, in this cycle for the first time.
        pub done: Signal<Out, Bit>,
        /// The result, in the unit of the operand, where it is below 2^31.
        pub product: Signal<Out, Bits<32>>,
        /// It is 2^31 or more.
        pub overflow: Signal<Out, Bit>,
        held_operand: DFF<Bits<32>>,
        held_factor: DFF<Bits<32>>,
        /// Product of two halves.
        partial: DFF<Bits<32>>,
        /// What is added up so far.
        sum: DFF<Bits<32>>,
        /// A part of the sum has reached 2^31 before.
        over: DFF<Bit>,
        /// 0: idle; 1 to 5: multiply and add; 6: done.
        beat: Register<Bits<3>>,
        operand_swapped: Signal<Local, Bits<32>>,
        factor_swapped: Signal<Local, Bits<32>>,
        first: Signal<Local, Bits<16>>,
        second: Signal<Local, Bits<16>>,
        reaches: Signal<Local, Bit>,
    }
}

crate::rtl::parameter_inputs!(ScaledProduct: ; start, operand, factor);

impl Logic for ScaledProduct {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held_operand, held_factor, partial, sum, over, beat);
        self.beat.reset.next = self.reset.val();
        // The halves change places, so that the multiplier always has the low ones.
        self.operand_swapped.next = (self.held_operand.q.val().to_bits() << 16)
            | bit_cast::<32, 16>(self.held_operand.q.val().to_bits().get_bits::<16>(16));
        self.factor_swapped.next = (self.held_factor.q.val().to_bits() << 16)
            | bit_cast::<32, 16>(self.held_factor.q.val().to_bits().get_bits::<16>(16));
        if self.start.val() {
            self.held_operand.d.next = self.operand.val();
            self.held_factor.d.next = self.factor.val();
        } else {
            self.held_factor.d.next = self.factor_swapped.val();
            if self.beat.q.val() == 2 {
                self.held_operand.d.next = self.operand_swapped.val();
            }
        }
        self.first.next = self.held_operand.q.val().to_bits().get_bits::<16>(0);
        self.second.next = self.held_factor.q.val().to_bits().get_bits::<16>(0);
        self.partial.d.next = self.first.val() * self.second.val();
        // As long as no part has reached 2^31, no sum of two wraps.
        self.reaches.next = self.over.q.val() | self.sum.q.val().get_bit(31);
        if self.beat.q.val() == 2 {
            self.sum.d.next = self.partial.q.val().to_bits() >> 16;
            self.over.d.next = false;
        } else if (self.beat.q.val() == 3) | (self.beat.q.val() == 4) {
            self.sum.d.next = self.sum.q.val() + self.partial.q.val();
            self.over.d.next = self.reaches.val() | self.partial.q.val().get_bit(31);
        } else if self.beat.q.val() == 5 {
            self.sum.d.next = self.sum.q.val() + (self.partial.q.val().to_bits() << 16);
            self.over.d.next = self.reaches.val() | self.partial.q.val().to_bits().get_bits::<17>(15).any();
        }
        if self.start.val() {
            self.beat.d.next = 1.into();
        } else if self.beat.q.val() == 6 {
            self.beat.d.next = 0.into();
        } else if self.beat.q.val().any() {
            self.beat.d.next = self.beat.q.val() + 1;
        }
        self.done.next = self.beat.q.val() == 6;
        self.product.next = self.sum.q.val();
        self.overflow.next = self.reaches.val();
    }
}
