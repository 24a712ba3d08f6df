//! A multiplier that works on half-words, one pair after the other.

use crate::rtl::module;
use crate::rtl::register::Register;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// `operand` × `factor` / 2^16, rounded down: four products of half-words, one after the other, in one 16 × 16
    /// multiplier.
    ///
    /// It is for operations that are rare and may take several cycles. `start` in cycle t takes both numbers, `done` is
    /// high in cycle t + 6, and the result is held until the next `start`. A `start` before `done` starts again with
    /// the new numbers.
    pub struct ScaledProduct: "scaled_product" {
        /// Clock, rising edge.
        pub clock: Signal<In, Clock>,
        /// Synchronous reset, active high.
        pub reset: Signal<In, Bit>,
        /// Start: take `operand` and `factor` in this cycle.
        pub start: Signal<In, Bit>,
        /// Number to multiply, unsigned, any unit.
        pub operand: Signal<In, Bits<32>>,
        /// Number to multiply by, unsigned, 16 fraction bits.
        pub factor: Signal<In, Bits<32>>,
        /// High for one cycle: `product` and `overflow` are valid from this cycle on.
        pub done: Signal<Out, Bit>,
        /// The result, in the unit of `operand`; valid if `overflow` is low.
        pub product: Signal<Out, Bits<32>>,
        /// The result is 2^31 or more.
        pub overflow: Signal<Out, Bit>,
        /// `operand`; its half-words are swapped for the third and fourth product.
        held_operand: DFF<Bits<32>>,
        /// `factor`; its half-words are swapped in each cycle.
        held_factor: DFF<Bits<32>>,
        /// Product of the low half-words of `held_operand` and `held_factor`.
        partial: DFF<Bits<32>>,
        /// Sum of the products so far, in the unit of `operand`.
        sum: DFF<Bits<32>>,
        /// A summand or the sum has already reached 2^31.
        overflowed: DFF<Bit>,
        /// State: 0 = idle, 1 to 5 = multiply and add, 6 = done.
        beat: Register<Bits<3>>,
        operand_swapped: Signal<Local, Bits<32>>,
        factor_swapped: Signal<Local, Bits<32>>,
        operand_low: Signal<Local, Bits<16>>,
        factor_low: Signal<Local, Bits<16>>,
        reaches: Signal<Local, Bit>,
    }
}

impl Logic for ScaledProduct {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, held_operand, held_factor, partial, sum, overflowed, beat);
        self.beat.reset.next = self.reset.val();
        // The half-words change places, so that the multiplier always reads the low ones.
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
        self.operand_low.next = self.held_operand.q.val().to_bits().get_bits::<16>(0);
        self.factor_low.next = self.held_factor.q.val().to_bits().get_bits::<16>(0);
        self.partial.d.next = self.operand_low.val() * self.factor_low.val();
        // If neither summand has reached 2^31, their sum does not wrap.
        self.reaches.next = self.overflowed.q.val() | self.sum.q.val().get_bit(31);
        if self.beat.q.val() == 2 {
            self.sum.d.next = self.partial.q.val().to_bits() >> 16;
            self.overflowed.d.next = false;
        } else if (self.beat.q.val() == 3) | (self.beat.q.val() == 4) {
            self.sum.d.next = self.sum.q.val() + self.partial.q.val();
            self.overflowed.d.next = self.reaches.val() | self.partial.q.val().get_bit(31);
        } else if self.beat.q.val() == 5 {
            self.sum.d.next = self.sum.q.val() + (self.partial.q.val().to_bits() << 16);
            self.overflowed.d.next = self.reaches.val() | self.partial.q.val().to_bits().get_bits::<17>(15).any();
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
