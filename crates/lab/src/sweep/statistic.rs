// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of a measure over several runs: its mean, or for a settling time, which a run may not have, the share of the
//! runs that settle and the median.

use super::Column;

/// A statistic of the values of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The standard deviation.
    Deviation,
    /// Share of the runs that settle, in percent.
    SettledPercent,
    /// The least value that half of the runs do not exceed: the time within which half of them settle. A run that does not
    /// settle counts as longer than all others, so a few of them do not hide what the others do, and none is left out.
    Median,
}

impl Statistic {
    /// Those of a measure.
    pub fn of(column: &Column) -> [Statistic; 2] {
        if column.settles() {
            [Statistic::SettledPercent, Statistic::Median]
        } else {
            [Statistic::Mean, Statistic::Deviation]
        }
    }

    /// Its name, behind that of the measure.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Statistic::Mean => "mean",
            Statistic::Deviation => "deviation",
            Statistic::SettledPercent => "settled_percent",
            Statistic::Median => "median",
        }
    }

    /// Its unit, with that of the measure.
    pub fn unit(self, of_measure: &'static str) -> &'static str {
        if self == Statistic::SettledPercent { "%" } else { of_measure }
    }
}

/// The values of several runs.
#[derive(Clone, Debug, Default)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Adds a value; what is undefined in a run does not count.
    pub fn add(&mut self, value: f64) {
        if !value.is_nan() {
            self.0.push(value);
        }
    }

    /// A statistic; no number without values.
    pub fn value(&self, statistic: Statistic) -> f64 {
        let count = self.0.len() as f64;
        let mean = || self.0.iter().sum::<f64>() / count;
        match statistic {
            Statistic::Mean => mean(),
            Statistic::Deviation => {
                let mean = mean();
                (self.0.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
            }
            Statistic::SettledPercent => 100.0 * self.0.iter().filter(|value| value.is_finite()).count() as f64 / count,
            Statistic::Median => {
                let mut sorted = self.0.clone();
                sorted.sort_by(f64::total_cmp);
                sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
            }
        }
    }

    /// Least and largest value.
    pub fn range(&self) -> [f64; 2] {
        [self.0.iter().copied().fold(f64::NAN, f64::min), self.0.iter().copied().fold(f64::NAN, f64::max)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(of: &[f64]) -> [f64; 4] {
        let mut sample = Sample::default();
        of.iter().for_each(|value| sample.add(*value));
        [Statistic::Mean, Statistic::Deviation, Statistic::SettledPercent, Statistic::Median]
            .map(|which| sample.value(which))
    }

    #[test]
    fn runs_that_do_not_settle_are_longer_than_all_others() {
        const NEVER: f64 = f64::INFINITY;
        let of = |values_of: &[f64]| {
            let [.., settled, median] = values(values_of);
            [settled, median]
        };
        assert_eq!(of(&[NEVER, 3.0, 1.0, 2.0]), [75.0, 2.0]);
        assert_eq!(of(&[NEVER, 3.0, f64::NAN]), [50.0, 3.0]);
        assert_eq!(of(&[NEVER, 3.0, NEVER]), [100.0 / 3.0, NEVER]);
        assert_eq!(of(&[5.0]), [100.0, 5.0]);
        assert!(values(&[f64::NAN]).iter().all(|value| value.is_nan()));
        assert_eq!(values(&[1.0, 3.0, f64::NAN])[..2], [2.0, 1.0]);
    }
}
