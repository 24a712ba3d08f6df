// SPDX-License-Identifier: MIT OR Apache-2.0
//! The serial arithmetic of the flow limiter: rate × time, and time = bytes / rate.

use tidegate_hdl::prelude::*;

module! {
    /// Multiplies the rate by the ticks that have passed, and divides what a bucket lacks by the rate, with one adder and
    /// one comparison.
    ///
    /// The product takes one bit of the ticks in each cycle of the phase `Multiply`, the lowest bit first, up to the highest
    /// one that is 1. The division finds the highest bit of the quotient in the phase `Climb`: it doubles the rate until it
    /// is above what is missing. For each bit, `Descend` halves the rate and compares, and `Reduce` subtracts.
    pub struct TickArithmetic: "tick_arithmetic" {
        pub clock: Signal<In, Clock>,
        /// What the rate brings in a tick, bytes, 14 fraction bits; valid with `in_check` and `in_write`.
        pub tick_rate: Signal<In, Bits<32>>,
        /// Ticks that have passed; valid with `in_check`.
        pub elapsed: Signal<In, Bits<12>>,
        /// None of them counts; from the cycle after `in_check` on, until the product is known.
        pub rests: Signal<In, Bit>,
        /// What the bucket lacks, bytes, 14 fraction bits; valid with `in_write`.
        pub missing: Signal<In, Bits<32>>,
        /// The phase is `Check`: a product begins in the next cycle.
        pub in_check: Signal<In, Bit>,
        /// The phase is `Multiply`.
        pub in_multiply: Signal<In, Bit>,
        /// The phase is `Write`: a division may begin in the next cycle.
        pub in_write: Signal<In, Bit>,
        /// The phase is `Climb`.
        pub in_climb: Signal<In, Bit>,
        /// The phase is `Descend`.
        pub in_descend: Signal<In, Bit>,
        /// The phase is `Reduce`.
        pub in_reduce: Signal<In, Bit>,
        /// The product is known in the next cycle; valid with `in_multiply`.
        pub product_ends: Signal<Out, Bit>,
        /// The product, bytes, 2 fraction bits, in the cycle after `product_ends`.
        pub brought: Signal<Out, Bits<20>>,
        /// The product is more than that; in the two cycles after `product_ends`.
        pub brought_more: Signal<Out, Bit>,
        /// The product is a quarter of a byte or more; in the cycle after `product_ends`.
        pub brings: Signal<Out, Bit>,
        /// The highest bit of the quotient is known; valid with `in_climb`.
        pub climb_ends: Signal<Out, Bit>,
        /// All bits of the quotient are known; valid with `in_descend`.
        pub quotient_ends: Signal<Out, Bit>,
        /// The quotient, ticks, rounded down; in the cycle after `quotient_ends`.
        pub quotient: Signal<Out, Bits<12>>,
        /// Ticks that count in this visit, shifted right; then the quotient: ticks to wait, less one.
        ticks: DFF<Bits<12>>,
        /// The rate of a tick, shifted left, bytes, 14 fraction bits.
        factor: DFF<Bits<32>>,
        /// `factor` is 2^32 or more.
        factor_large: DFF<Bit>,
        /// Rate × time, bytes, 14 fraction bits; then what is missing, in the same unit.
        amount: DFF<Bits<32>>,
        /// `amount` is 2^32 or more.
        amount_large: DFF<Bit>,
        /// `factor`, or in the phase `Climb` that of the cycle before, is above what is missing.
        above: DFF<Bit>,
        /// Bit of the quotient.
        place: DFF<Bits<4>>,
        addend: Signal<Local, Bits<32>>,
        total: Signal<Local, Bits<33>>,
        half: Signal<Local, Bits<32>>,
        left: Signal<Local, Bits<32>>,
        compared: Signal<Local, Bits<32>>,
        too_large: Signal<Local, Bit>,
    }
}

impl Logic for TickArithmetic {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ticks, factor, factor_large, amount, amount_large, above, place);

        comment!("Rate times time, least significant bit of the time first");
        self.addend.next = 0.into();
        if self.ticks.q.val().get_bit(0) & !self.rests.val() {
            self.addend.next = self.factor.q.val();
        }
        self.total.next = bit_cast::<33, 32>(self.amount.q.val()) + bit_cast::<33, 32>(self.addend.val());
        self.product_ends.next = self.rests.val() | !self.ticks.q.val().to_bits().get_bits::<11>(1).any();

        comment!("What is missing, divided by the rate");
        self.half.next = self.factor.q.val().to_bits() >> 1;
        self.left.next = self.amount.q.val() - self.factor.q.val();
        // One comparison for both phases.
        self.compared.next = self.factor.q.val();
        if self.in_descend.val() {
            self.compared.next = self.half.val();
        }
        self.too_large.next = self.compared.val() > self.amount.q.val();
        self.climb_ends.next = (self.place.q.val() == 12) | self.above.q.val();
        self.quotient_ends.next = !self.place.q.val().any();

        comment!("The registers, in the order of the phases");
        // Where a register is not in use it may change, so that fewer phases must be told apart: product and ticks move on
        // as in `Multiply`, but not during a division.
        self.ticks.d.next = self.ticks.q.val().to_bits() >> 1;
        self.factor.d.next = self.factor.q.val().to_bits() << 1;
        self.amount.d.next = self.total.val().get_bits::<32>(0);
        self.above.d.next = self.too_large.val();
        if self.in_check.val() {
            self.ticks.d.next = self.elapsed.val();
            self.factor.d.next = self.tick_rate.val();
            self.factor_large.d.next = false;
            self.amount.d.next = 0.into();
            self.amount_large.d.next = false;
        }
        if self.in_multiply.val() {
            self.amount_large.d.next = self.amount_large.q.val()
                | self.total.val().get_bit(32)
                | (self.ticks.q.val().get_bit(0) & self.factor_large.q.val() & !self.rests.val());
            self.factor_large.d.next = self.factor_large.q.val() | self.factor.q.val().get_bit(31);
        }
        if self.in_write.val() {
            self.ticks.d.next = 0.into();
            self.factor.d.next = self.tick_rate.val();
            self.amount.d.next = self.missing.val();
            self.above.d.next = false;
            self.place.d.next = 0.into();
        }
        if self.in_climb.val() {
            self.amount.d.next = self.amount.q.val();
            if self.climb_ends.val() {
                self.factor.d.next = self.factor.q.val();
            } else {
                self.place.d.next = self.place.q.val() + 1;
            }
        }
        if self.in_descend.val() {
            self.ticks.d.next = self.ticks.q.val();
            self.factor.d.next = self.half.val();
            self.amount.d.next = self.amount.q.val();
            self.place.d.next = self.place.q.val() - 1;
        }
        if self.in_reduce.val() {
            self.ticks.d.next = self.ticks.q.val().to_bits() << 1;
            self.factor.d.next = self.factor.q.val();
            self.amount.d.next = self.amount.q.val();
            if !self.above.q.val() {
                self.ticks.d.next = (self.ticks.q.val().to_bits() << 1) | 1;
                self.amount.d.next = self.left.val();
            }
        }

        self.brought.next = self.amount.q.val().to_bits().get_bits::<20>(12);
        self.brought_more.next = self.amount_large.q.val();
        self.brings.next = self.amount_large.q.val() | self.amount.q.val().to_bits().get_bits::<20>(12).any();
        self.quotient.next = self.ticks.q.val();
    }
}
