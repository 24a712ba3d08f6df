//! Whether a sum has reached a bound.

use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// `first` + `second` ≥ `bound`, with a single carry chain. Combinational.
    ///
    /// A sum and a comparison one after the other would be two chains. Here `first` + `second` − `bound` is first brought down
    /// to two numbers, bit by bit and without carries, and the sign of their sum is the answer.
    pub struct SumReaches: "sum_reaches" {
        /// What was counted so far.
        pub first: Signal<In, Bits<24>>,
        /// What is added to it.
        pub second: Signal<In, Bits<24>>,
        /// What the sum is compared with.
        pub bound: Signal<In, Bits<24>>,
        /// The sum is the bound or more.
        pub reached: Signal<Out, Bit>,
        one: Signal<Local, Bits<26>>,
        other: Signal<Local, Bits<26>>,
        less_bound: Signal<Local, Bits<26>>,
        sums: Signal<Local, Bits<26>>,
        carries: Signal<Local, Bits<26>>,
        difference: Signal<Local, Bits<26>>,
    }
}

impl Logic for SumReaches {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.next = bit_cast::<26, 24>(self.first.val());
        self.other.next = bit_cast::<26, 24>(self.second.val());
        // Two's complement is the inverse plus 1, which is the lowest carry.
        self.less_bound.next = bit_cast::<26, 24>(self.bound.val()) ^ 0x3ff_ffff;
        self.sums.next = self.one.val() ^ self.other.val() ^ self.less_bound.val();
        self.carries.next = (self.one.val() & self.other.val())
            | (self.one.val() & self.less_bound.val())
            | (self.other.val() & self.less_bound.val());
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
        fn is_the_comparison_of_the_sum(first in 0u64..1 << 24, second in 0u64..1 << 24, bound in 0u64..1 << 24, near in -2i64..3) {
            let mut circuit = SumReaches::default();
            circuit.connect_all();
            for bound in [bound, (first + second).saturating_add_signed(near).min(0xff_ffff)] {
                circuit.first.next = first.into();
                circuit.second.next = second.into();
                circuit.bound.next = bound.into();
                assert!(simulate(&mut circuit, 10));
                prop_assert_eq!(circuit.reached.val(), first + second >= bound);
            }
        }
    }
}
