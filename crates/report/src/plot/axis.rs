// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions and labels of ticks.

use crate::number::{grouped, short, si_factor};

/// A range of values with ticks at round numbers.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
}

impl Axis {
    /// The range from `low` to `high`, with about `count` ticks inside it. An end that misses a tick by less than a
    /// fiftieth of the range moves out to it: a run that ends one cycle before 0.1 s has a tick at 0.1 s.
    pub fn within(low: f64, high: f64, count: usize) -> Self {
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        let step = round_step((high - low) / count as f64);
        let slack = (high - low) / step * 0.02;
        let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
        let ticks = (first as i64..=last as i64).map(|index| index as f64 * step).collect();
        Axis { low: low.min(first * step), high: high.max(last * step), ticks }
    }

    /// The range from `low` to `high` widened outwards to the next ticks, of which there are about `count`.
    pub fn around(low: f64, high: f64, count: usize) -> Self {
        let (low, high) = if low < high { (low, high) } else { (low, low + if low == 0.0 { 1.0 } else { low.abs() }) };
        let step = round_step((high - low) / count as f64);
        let (first, last) = ((low / step + 1e-6).floor(), (high / step - 1e-6).ceil());
        let ticks: Vec<_> = (first as i64..=last as i64).map(|index| index as f64 * step).collect();
        Axis { low: ticks[0], high: ticks[ticks.len() - 1], ticks }
    }

    /// Where `value` stands between `from` (the low end) and `to` (the high end), both in px.
    pub fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        from + (value - self.low) / (self.high - self.low) * (to - from)
    }

    /// The texts of the ticks: one SI suffix and as many decimals for all. Plain numbers below a million, as they read
    /// better next to a unit.
    pub fn labels(&self) -> Vec<String> {
        let largest = self.ticks.iter().fold(0.0, |largest: f64, tick| largest.max(tick.abs()));
        let (factor, suffix) = if (1e-3..1e6).contains(&largest) { (1.0, "") } else { si_factor(largest) };
        let step = if self.ticks.len() > 1 { self.ticks[1] - self.ticks[0] } else { largest.max(1e-12) };
        let decimals = (-(step / factor).log10() - 1e-6).ceil().max(0.0) as usize;
        let text = |tick: &f64| match suffix {
            _ if *tick == 0.0 => "0".to_string(),
            "" => grouped(*tick, decimals),
            _ => format!("{} {suffix}", grouped(tick / factor, decimals)),
        };
        self.ticks.iter().map(text).collect()
    }
}

/// A logarithmic range of positive values.
#[derive(Clone, Debug)]
pub(super) struct LogAxis {
    pub ticks: Vec<f64>,
}

impl LogAxis {
    /// The range of some values, with a tick at each of them.
    pub fn at(values: impl Iterator<Item = f64>) -> Self {
        let mut ticks: Vec<f64> = values.collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        LogAxis { ticks }
    }

    /// The range of some values widened outwards to the next ticks: 1, 2 and 5 times the powers of ten, of a wide range
    /// only the powers.
    pub fn around(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32 + 1);
        let factors = if last - first > WIDE { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
        let all: Vec<f64> =
            (first..=last).flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power))).collect();
        let from = all.iter().rposition(|tick| *tick <= low * (1.0 + 1e-9)).unwrap_or(0);
        let to = all.iter().position(|tick| *tick >= high * (1.0 - 1e-9)).unwrap_or(all.len() - 1).max(from + 1);
        LogAxis { ticks: all[from..=to].to_vec() }
    }

    /// Where `value` stands between `from` (the first tick) and `to` (the last one), both in px; in the middle if there
    /// is only one tick.
    pub fn place(&self, value: f64, from: f64, to: f64) -> f64 {
        let (low, high) = (self.ticks[0].ln(), self.ticks[self.ticks.len() - 1].ln());
        let share = if low < high { (value.ln() - low) / (high - low) } else { 0.5 };
        from + share * (to - from)
    }

    /// The texts of the ticks.
    pub fn labels(&self) -> Vec<String> {
        self.ticks.iter().map(|tick| short(*tick)).collect()
    }
}

/// Powers of ten from which on a logarithmic axis has no ticks between them.
const WIDE: i32 = 7;

/// The least of 1, 2 or 5 times a power of ten that is no smaller than `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9));
    round.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn round_ticks() {
        assert_eq!(Axis::within(0.0, 0.1, 5).labels(), ["0", "0.02", "0.04", "0.06", "0.08", "0.10"]);
        assert_eq!(Axis::within(1e-6, 0.099999, 5).labels().len(), 6);
        assert_eq!(Axis::around(0.0, 153_000.0, 4).labels(), ["0", "50,000", "100,000", "150,000", "200,000"]);
        assert_eq!(Axis::around(0.0, 9.8e9, 5).labels(), ["0", "2 G", "4 G", "6 G", "8 G", "10 G"]);
        assert_eq!(Axis::around(-30.0, 30.0, 4).labels(), ["−40", "−20", "0", "20", "40"]);
    }

    #[test]
    fn a_single_value_still_has_a_range() {
        let axis = Axis::around(0.0, 0.0, 5);
        assert!(axis.low == 0.0 && axis.high >= 1.0);
        let axis = Axis::within(3.0, 3.0, 5);
        assert!(axis.low < 3.0 && axis.high > 3.0);
    }

    #[test]
    fn logarithmic_ticks_enclose_the_values() {
        let around = |values: &[f64]| LogAxis::around(values.iter().copied()).labels();
        assert_eq!(around(&[149.0, 556.0, 2200.0]), ["100", "200", "500", "1,000", "2,000", "5,000"]);
        assert_eq!(around(&[100.0, 1000.0]), ["100", "200", "500", "1,000"]);
        assert_eq!(around(&[100.0]), ["100", "200"], "a single value still has a range");
        assert_eq!(around(&[1.0, 1e7]).len(), 8, "only powers of ten");
        let axis = LogAxis::at([4.0, 1.0, 16.0, 4.0].into_iter());
        assert_eq!(axis.labels(), ["1", "4", "16"]);
        assert_eq!([1.0, 4.0, 16.0].map(|value| axis.place(value, 10.0, 110.0).round()), [10.0, 60.0, 110.0]);
        assert_eq!(LogAxis::at([4.0].into_iter()).place(4.0, 0.0, 100.0), 50.0);
    }

    proptest! {
        #[test]
        fn ticks_are_few_and_cover_what_they_should(low in -1e9..1e9f64, size in -9..12i32) {
            let high = low + 10f64.powi(size).max(low.abs() * 1e-6);
            let around = Axis::around(low, high, 5);
            let slack = (high - low) * 1e-5;
            prop_assert!(around.low <= low + slack && around.high >= high - slack);
            prop_assert!((2..=8).contains(&around.ticks.len()), "{around:?}");
            let within = Axis::within(low, high, 8);
            prop_assert!(within.ticks.iter().all(|tick| (within.low - slack..=within.high + slack).contains(tick)));
            prop_assert!(within.low <= low && within.high >= high && within.high - within.low <= 1.05 * (high - low));
            prop_assert!(within.ticks.len() <= 9);
        }
    }
}
