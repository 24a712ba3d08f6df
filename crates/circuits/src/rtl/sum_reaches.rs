// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a sum has reached a bound.

use tidegate_hdl::prelude::*;

module! {
    /// `count` + `amount` ≥ `bound`, with a single carry chain. Combinational.
    ///
    /// An adder followed by a comparator would be two carry chains. Here a carry-save adder first reduces `count` +
    /// `amount` − `bound` to two numbers; the sign of their sum is the result.
    pub struct SumReaches: "sum_reaches" {
        /// Count so far.
        pub count: Signal<In, Bits<24>>,
        /// Amount to add to the count, two's complement.
        pub amount: Signal<In, Bits<25>>,
        /// Bound that the sum is compared with.
        pub bound: Signal<In, Bits<24>>,
        /// `count` + `amount` is `bound` or more; same cycle.
        pub reached: Signal<Out, Bit>,
        count_extended: Signal<Local, Bits<26>>,
        amount_extended: Signal<Local, Bits<26>>,
        less_bound: Signal<Local, Bits<26>>,
        sums: Signal<Local, Bits<26>>,
        carries: Signal<Local, Bits<26>>,
        difference: Signal<Local, Bits<26>>,
    }
}

impl Logic for SumReaches {
    #[hdl_gen]
    fn update(&mut self) {
        self.count_extended.next = bit_cast::<26, 24>(self.count.val());
        self.amount_extended.next = bit_cast::<26, 25>(self.amount.val());
        if self.amount.val().get_bit(24) {
            self.amount_extended.next = bit_cast::<26, 25>(self.amount.val()) | 0x200_0000;
        }
        // Two's complement: the inverse here, plus 1 as the carry into bit 0 below.
        self.less_bound.next = bit_cast::<26, 24>(self.bound.val()) ^ 0x3ff_ffff;
        self.sums.next = self.count_extended.val() ^ self.amount_extended.val() ^ self.less_bound.val();
        self.carries.next = (self.count_extended.val() & self.amount_extended.val())
            | (self.count_extended.val() & self.less_bound.val())
            | (self.amount_extended.val() & self.less_bound.val());
        self.difference.next = self.sums.val() + ((self.carries.val().to_bits() << 1) | 1);
        self.reached.next = !self.difference.val().get_bit(25);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_the_comparison_of_the_sum(count in 0i64..1 << 24, amount in -(1i64 << 24)..1 << 24, bound in 0i64..1 << 24, near in -2i64..3) {
            let mut circuit = SumReaches::default();
            circuit.connect_all();
            for bound in [bound, (count + amount + near).clamp(0, 0xff_ffff)] {
                circuit.count.next = (count as u64).into();
                circuit.amount.next = (amount as u64 & 0x1ff_ffff).into();
                circuit.bound.next = (bound as u64).into();
                assert!(simulate(&mut circuit, 10));
                prop_assert_eq!(circuit.reached.val(), count + amount >= bound);
            }
        }
    }
}
