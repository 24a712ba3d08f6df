// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial multiplier.

use tidegate_hdl::prelude::*;

module! {
    /// `operand` × `factor` / 2^16, rounded down: one bit of `operand` in each cycle, least significant first, in
    /// shifts and additions.
    ///
    /// It is for operations that are rare and may take many cycles. `start` in cycle t takes `operand`, `done` is high
    /// in cycle t + 33, and the result is held until the next `start`. `factor` and `negate` must not change from cycle
    /// t + 1 to t + 32. A `start` before `done` starts again with the new number.
    pub struct ScaledProduct: "scaled_product" {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, Bit>,
        /// Start: take `operand` in this cycle.
        pub start: Signal<In, Bit>,
        /// Number to multiply, unsigned, any unit.
        pub operand: Signal<In, Bits<32>>,
        /// Multiply 2^32 - `operand` instead: the magnitude of a negative number.
        pub negate: Signal<In, Bit>,
        /// Number to multiply by, unsigned, 16 fraction bits.
        pub factor: Signal<In, Bits<32>>,
        /// High for one cycle: `product` and `overflow` are valid from this cycle on.
        pub done: Signal<Out, Bit>,
        /// The result, in the unit of `operand`; valid if `overflow` is low.
        pub product: Signal<Out, Bits<32>>,
        /// The result is 2^31 or more.
        pub overflow: Signal<Out, Bit>,
        /// The sum of the partial products, shifted right with each bit: bits 63 to 32 of the product at the end.
        sum: DFF<Bits<32>>,
        /// The bits of `operand` that are left, below those that the sum has shifted out: bits 31 to 0 of the product
        /// at the end.
        rest: DFF<Bits<32>>,
        /// A bit of `operand` was 1: to negate, all bits above it are inverted.
        inverts: DFF<Bit>,
        /// Cycles until `done`, plus 1; 0 = idle.
        left: Register<Bits<6>>,
        /// `left` is above 1: a bit is multiplied. All registers of the product depend on this.
        runs: Register<Bit>,
        bit_of_operand: Signal<Local, Bit>,
        summand: Signal<Local, Bits<33>>,
        total: Signal<Local, Bits<33>>,
    }
}

impl Logic for ScaledProduct {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum, rest, inverts, left, runs);
        self.left.reset.next = self.reset.val();
        self.runs.reset.next = self.reset.val();
        self.bit_of_operand.next = self.rest.q.val().get_bit(0) ^ (self.negate.val() & self.inverts.q.val());
        self.summand.next = 0.into();
        if self.bit_of_operand.val() {
            self.summand.next = bit_cast::<33, 32>(self.factor.val());
        }
        self.total.next = bit_cast::<33, 32>(self.sum.q.val()) + self.summand.val();
        if self.start.val() {
            self.sum.d.next = 0.into();
            self.rest.d.next = self.operand.val();
            self.inverts.d.next = false;
            self.left.d.next = 33.into();
            self.runs.d.next = true;
        } else if self.runs.q.val() {
            self.sum.d.next = self.total.val().get_bits::<32>(1);
            self.rest.d.next = self.rest.q.val().to_bits() >> 1;
            if self.total.val().get_bit(0) {
                self.rest.d.next = (self.rest.q.val().to_bits() >> 1) | 0x8000_0000_u64;
            }
            self.inverts.d.next = self.inverts.q.val() | self.rest.q.val().get_bit(0);
            self.left.d.next = self.left.q.val() - 1;
            self.runs.d.next = self.left.q.val() != 2;
        } else {
            self.left.d.next = 0.into();
        }
        self.done.next = self.left.q.val() == 1;
        self.product.next =
            (self.sum.q.val().to_bits() << 16) | bit_cast::<32, 16>(self.rest.q.val().to_bits().get_bits::<16>(16));
        self.overflow.next = self.sum.q.val().to_bits().get_bits::<17>(15).any();
    }
}
