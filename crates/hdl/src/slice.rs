// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slices and shifts that simulate in a few instructions. Those of `rust-hdl` use big integers on the heap, which took
//! more than half of the run time of a bench. The macro of `rust-hdl` reads `x.to_bits()` as `x`, so the emitted
//! Verilog is the same.

use rust_hdl::core::short_bit_vec::ShortBitVec;
use rust_hdl::prelude::Bits;
use std::ops::{Shl, Shr};

/// Gives slices and shifts of a bus of at most 32 bits.
pub trait ToSlice {
    /// The bus as a value with fast slices and shifts.
    fn to_bits(self) -> Self::Slice;
    /// Type of that value.
    type Slice;
}

/// A bus of `N` bits, at most 32, with fast slices and shifts.
#[derive(Clone, Copy)]
pub struct Slice<const N: usize>(u32);

impl<const N: usize> ToSlice for Bits<N> {
    type Slice = Slice<N>;

    #[inline(always)]
    fn to_bits(self) -> Slice<N> {
        match self {
            Bits::Short(short) => Slice(short.short()),
            Bits::Long(_) => unreachable!("`Slice` is for at most 32 bits"),
        }
    }
}

/// The low `N` bits of a number as a bus.
#[inline(always)]
fn bus<const N: usize>(value: u32) -> Bits<N> {
    Bits::Short(ShortBitVec::from(value))
}

impl<const N: usize> Slice<N> {
    /// `M` bits; the lowest of them is bit `at`.
    ///
    /// # Panics
    /// If the bus ends before them: Rust would read zeros there, Verilog unknown bits.
    #[inline(always)]
    pub fn get_bits<const M: usize>(self, at: usize) -> Bits<M> {
        assert!(at + M <= N, "bits {at} to {} of a bus of {N}", at + M);
        bus(self.0 >> at)
    }
}

impl<const N: usize> Shl<u64> for Slice<N> {
    type Output = Bits<N>;

    #[inline(always)]
    fn shl(self, by: u64) -> Bits<N> {
        bus(self.0.checked_shl(by as u32).unwrap_or(0))
    }
}

impl<const N: usize> Shr<u64> for Slice<N> {
    type Output = Bits<N>;

    #[inline(always)]
    fn shr(self, by: u64) -> Bits<N> {
        bus(self.0.checked_shr(by as u32).unwrap_or(0))
    }
}

impl<const N: usize, const M: usize> Shl<Bits<M>> for Slice<N> {
    type Output = Bits<N>;

    #[inline(always)]
    fn shl(self, by: Bits<M>) -> Bits<N> {
        self << u64::from(by.to_bits().0)
    }
}

impl<const N: usize, const M: usize> Shr<Bits<M>> for Slice<N> {
    type Output = Bits<N>;

    #[inline(always)]
    fn shr(self, by: Bits<M>) -> Bits<N> {
        self >> u64::from(by.to_bits().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_rust_hdl(value in 0u64..1 << 27, by in 0u64..27) {
            let bits: Bits<27> = value.into();
            prop_assert_eq!(bits.to_bits() << by, bits << by);
            prop_assert_eq!(bits.to_bits() >> by, bits >> by);
            let at = by as usize % 19;
            prop_assert_eq!(bits.to_bits().get_bits::<9>(at), bits.get_bits::<9>(at));
        }
    }
}
