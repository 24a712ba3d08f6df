// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures of merit of a value that is constant from one sample to the next: a queue length, a rate.
//!
//! A plain mean of the samples would be wrong: a queue is sampled when packets arrive, and packets arrive more often
//! while it grows. So each value is weighted with its duration.

use anyhow::{Result, ensure};

/// A value over time that is constant between samples, seen through a window of time.
#[derive(Clone, Copy, Debug)]
pub struct StepFunction<'a> {
    samples: &'a [(u64, f64)],
    start: u64,
    end: u64,
}

impl<'a> StepFunction<'a> {
    /// The value that `samples`, pairs of (cycle, value), describe: each value holds from its cycle until that of the
    /// next sample, the last one until `end` (cycle, excluded). Where several samples share a cycle the last one
    /// counts. The window opens at the first sample.
    ///
    /// # Errors
    /// No sample before `end`; cycles that go backwards; a value that is not a finite number.
    pub fn new(samples: &'a [(u64, f64)], end: u64) -> Result<Self> {
        let start = samples.first().map_or(end, |first| first.0);
        ensure!(start < end, "no sample before cycle {end}");
        for pair in samples.windows(2) {
            ensure!(pair[0].0 <= pair[1].0, "samples go back in time from cycle {} to {}", pair[0].0, pair[1].0);
        }
        for (cycle, value) in samples {
            ensure!(value.is_finite(), "the sample at cycle {cycle} is {value}");
        }
        Ok(StepFunction { samples, start, end })
    }

    /// The same value from cycle `start` on, without the start-up. The value at `start` counts from there.
    ///
    /// # Errors
    /// A `start` before the first sample, or not before the end.
    pub fn starting_at(self, start: u64) -> Result<Self> {
        let first = self.samples[0].0;
        let end = self.end;
        ensure!(
            (first..end).contains(&start),
            "cycle {start} is not between the first sample ({first}) and the end ({end})"
        );
        Ok(StepFunction { start, ..self })
    }

    /// The values in the window, each with its number of cycles, which is not 0.
    fn pieces(self) -> impl Iterator<Item = (f64, f64)> + 'a {
        let following = self.samples.iter().skip(1).map(|next| next.0).chain([self.end]);
        self.samples.iter().zip(following).filter_map(move |((from, value), to)| {
            let (from, to) = ((*from).max(self.start), to.min(self.end));
            (from < to).then(|| (*value, (to - from) as f64))
        })
    }

    /// Length of the window in cycles.
    fn duration(self) -> f64 {
        (self.end - self.start) as f64
    }

    /// Mean over time, in the unit of the samples: Σ value · cycles held / Σ cycles.
    pub fn time_weighted_mean(self) -> f64 {
        self.pieces().map(|(value, cycles)| value * cycles).sum::<f64>() / self.duration()
    }

    /// Standard deviation over time, in the unit of the samples: √(Σ (value − mean)² · cycles held / Σ cycles).
    pub fn time_weighted_deviation(self) -> f64 {
        let mean = self.time_weighted_mean();
        let squares: f64 = self.pieces().map(|(value, cycles)| (value - mean).powi(2) * cycles).sum();
        (squares / self.duration()).sqrt()
    }

    /// Share of the time, 0 to 1, in which `holds` is true of the value.
    pub(crate) fn fraction_of_time(self, holds: impl Fn(f64) -> bool) -> f64 {
        let cycles: f64 = self.pieces().filter(|(value, _)| holds(*value)).map(|(_, cycles)| cycles).sum();
        cycles / self.duration()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 0 for 10 cycles, 100 for 30, 40 for 60.
    const QUEUE: [(u64, f64); 3] = [(0, 0.0), (10, 100.0), (40, 40.0)];

    #[test]
    fn mean_and_deviation_by_hand() {
        let queue = StepFunction::new(&QUEUE, 100).unwrap();
        assert_eq!(queue.time_weighted_mean(), 54.0); // (0·10 + 100·30 + 40·60) / 100
        let variance: f64 = (54.0 * 54.0 * 10.0 + 46.0 * 46.0 * 30.0 + 14.0 * 14.0 * 60.0) / 100.0;
        assert!((queue.time_weighted_deviation() - variance.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn share_of_time_by_hand() {
        let queue = StepFunction::new(&QUEUE, 100).unwrap();
        assert_eq!(queue.fraction_of_time(|value| value > 50.0), 0.3);
        assert_eq!(queue.fraction_of_time(|value| value == 0.0), 0.1);
    }

    #[test]
    fn a_later_window_cuts_the_piece_it_opens_in() {
        let queue = StepFunction::new(&QUEUE, 100).unwrap().starting_at(30).unwrap();
        assert_eq!(queue.time_weighted_mean(), (100.0 * 10.0 + 40.0 * 60.0) / 70.0);
    }

    #[test]
    fn samples_after_the_end_do_not_count_and_the_last_of_a_cycle_wins() {
        let samples = [(0, 1.0), (5, 9.0), (5, 3.0), (20, 7.0)];
        let value = StepFunction::new(&samples, 10).unwrap();
        assert_eq!(value.time_weighted_mean(), 2.0);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(StepFunction::new(&[], 10).is_err());
        assert!(StepFunction::new(&[(10, 1.0)], 10).is_err());
        assert!(StepFunction::new(&[(3, 1.0), (2, 1.0)], 10).is_err());
        assert!(StepFunction::new(&[(0, f64::NAN)], 10).is_err());
        assert!(StepFunction::new(&QUEUE, 100).unwrap().starting_at(100).is_err());
    }

    proptest! {
        #[test]
        fn the_mean_lies_between_the_extremes(steps in prop::collection::vec((0u64..50, -1e6..1e6f64), 1..40)) {
            let mut cycle = 0;
            let samples: Vec<_> = steps.into_iter().map(|(wait, value)| { cycle += wait; (cycle, value) }).collect();
            let value = StepFunction::new(&samples, cycle + 1).unwrap();
            let mean = value.time_weighted_mean();
            prop_assert!(samples.iter().any(|(_, sample)| sample - 1e-6 <= mean));
            prop_assert!(samples.iter().any(|(_, sample)| mean <= sample + 1e-6));
        }
    }
}
