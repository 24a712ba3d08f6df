//! Whether a sum has reached a bound.

use crate::rtl::module;
use crate::rtl::slice::ToSlice;
use rust_hdl::prelude::*;

module! {
    /// `first` + `second` ≥ `bound`, with a single carry chain. Combinational.
    ///
    /// An adder followed by a comparator would be two carry chains. Here a carry-save adder first reduces `first` +
    /// `second` − `bound` to two numbers; the sign of their sum is the result.
    pub struct SumReaches: "sum_reaches" {
        /// First summand, for example the count so far.
        pub first: Signal<In, Bits<24>>,
        /// Second summand, for example the next amount to count.
        pub second: Signal<In, Bits<24>>,
        /// Bound that the sum is compared with.
        pub bound: Signal<In, Bits<24>>,
        /// `first` + `second` is `bound` or more; same cycle.
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
        // Two's complement: the inverse here, plus 1 as the carry into bit 0 below.
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
