// SPDX-License-Identifier: MIT OR Apache-2.0
//! How evenly a link is shared.

/// Jain's fairness index of `shares`, the rates (or bytes) of n flows in any unit, none negative:
///
/// ```text
/// (x1 + … + xn)² / (n · (x1² + … + xn²))
/// ```
///
/// 1 where all flows get the same, 1/n where one flow gets everything, k/n where k flows share evenly and the rest get
/// nothing. No flows at all, and flows that all get nothing, are treated alike: 1.
///
/// Jain, Chiu, Hawe: *A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
/// Systems*, DEC-TR-301, 1984.
pub fn jain_index(shares: &[f64]) -> f64 {
    let largest = shares.iter().copied().fold(0.0, f64::max);
    if largest == 0.0 {
        return 1.0;
    }
    // The index does not depend on the unit; in units of the largest share the squares cannot overflow.
    let (sum, squares) = shares.iter().map(|share| share / largest).fold((0.0, 0.0), |(s, q), x| (s + x, q + x * x));
    sum * sum / (shares.len() as f64 * squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        assert_eq!(jain_index(&[5.0, 5.0, 5.0]), 1.0);
        assert_eq!(jain_index(&[10.0, 0.0, 0.0, 0.0]), 0.25);
        assert_eq!(jain_index(&[1.0, 1.0, 0.0, 0.0]), 0.5);
        // (1 + 2 + 3)² / (3 · (1 + 4 + 9)) = 36 / 42
        assert!((jain_index(&[1.0, 2.0, 3.0]) - 36.0 / 42.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_to_share_is_even() {
        assert_eq!(jain_index(&[]), 1.0);
        assert_eq!(jain_index(&[0.0, 0.0]), 1.0);
    }

    proptest! {
        #[test]
        fn stays_between_one_nth_and_one(shares in prop::collection::vec(0.0..1e200f64, 1..50)) {
            let index = jain_index(&shares);
            prop_assert!(index >= 1.0 / shares.len() as f64 - 1e-12 && index <= 1.0 + 1e-12, "{index}");
        }

        #[test]
        fn does_not_depend_on_unit_or_order(mut shares in prop::collection::vec(0.0..1e3f64, 1..20), unit in 1e-3..1e3f64) {
            let index = jain_index(&shares);
            shares.reverse();
            shares.iter_mut().for_each(|share| *share *= unit);
            prop_assert!((jain_index(&shares) - index).abs() < 1e-9);
        }
    }
}
