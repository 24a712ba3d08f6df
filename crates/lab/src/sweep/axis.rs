// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values of a swept key, point by point.

use super::digest::digest;
use super::plan::{Plan, Range, Scale};
use super::swept::Swept;
use crate::experiment::scenario::{File, Variant};
use crate::experiment::spanned::Spanned;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;
use tidegate_schemes::model::random::Random;

/// Decimals of a value that is drawn: those of a parameter.
const DECIMALS: f64 = 1e6;
/// Whole numbers up to this are exact.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// A swept key with its values.
pub struct Axis {
    /// The key.
    pub swept: Swept,
    /// Its values.
    pub values: Values,
}

/// The values of a key.
pub enum Values {
    /// Those of a list: the grid.
    List(Vec<Spanned<String>>),
    /// Drawn from a range, with the seed of the draw.
    Range(Spanned<Range>, u64),
}

impl Axis {
    /// The axes of a plan, those of the grid first, in the order of the file.
    ///
    /// # Errors
    /// With the place in the plan.
    pub(crate) fn all(plan: &Plan, file: &File, variants: &[&Variant]) -> Result<Vec<Axis>> {
        let mut axes = Vec::new();
        let mut grid: Vec<_> = plan.grid.iter().collect();
        grid.sort_by_key(|(key, _)| key.span().start);
        for (key, values) in grid {
            ensure!(!values.get_ref().is_empty(), file.error(values, "expected at least one value"));
            let mut seen = BTreeSet::new();
            for value in values.get_ref() {
                let text = &value.get_ref().0;
                ensure!(seen.insert(text), file.error(value, format!("`{text}` stands twice in the list")));
            }
            let texts = values.get_ref().iter().map(|value| Spanned::new(value.span(), value.get_ref().0.clone()));
            axes.push(Axis { swept: Swept::new(file, variants, key)?, values: Values::List(texts.collect()) });
        }
        let Some(drawn) = &plan.random else { return Ok(axes) };
        let mut ranges: Vec<_> = drawn.ranges.iter().collect();
        ranges.sort_by_key(|(key, _)| key.span().start);
        for (key, range) in ranges {
            ensure!(!plan.grid.contains_key(key), file.error(key, format!("`{key}` is also in [grid]: expected one")));
            let Range { from, to, scale, integer } = *range.get_ref();
            let finite = from.is_finite() && to.is_finite() && from < to && from.abs().max(to.abs()) < WHOLE_MAX;
            ensure!(finite, file.error(range, "expected `from` smaller than `to`"));
            ensure!(scale == Scale::Linear || from > 0.0, file.error(range, "scale \"log\": expected `from` above 0"));
            let whole = from.fract() == 0.0 && to.fract() == 0.0;
            ensure!(!integer || whole, file.error(range, "integer: expected `from` and `to` without decimals"));
            axes.push(Axis {
                swept: Swept::new(file, variants, key)?,
                values: Values::Range(range.clone(), drawn.seed),
            });
        }
        Ok(axes)
    }

    /// How many values a list has; 1 for a range.
    pub(crate) fn listed(&self) -> u64 {
        match &self.values {
            Values::List(list) => list.len() as u64,
            Values::Range(..) => 1,
        }
    }

    /// The value with a number in the list, or the draw with a number.
    pub fn value(&self, listed: u64, draw: u64) -> Spanned<String> {
        match &self.values {
            Values::List(list) => list[listed as usize].clone(),
            Values::Range(range, seed) => {
                Spanned::new(range.span(), self::draw(range.get_ref(), *seed, self.swept.key.get_ref(), draw))
            }
        }
    }
}

/// Draw number `number`. It depends on nothing but seed and key, so a shard needs no other draws, and a key more in the
/// plan changes none of the others.
fn draw(range: &Range, seed: u64, key: &str, number: u64) -> String {
    let stream = Random::new(seed ^ digest([key])).number();
    let share = Random::new(stream ^ number).fraction();
    let Range { from, to, scale, integer } = *range;
    let value = match (scale, integer) {
        (Scale::Linear, false) => from + share * (to - from),
        (Scale::Linear, true) => (from + share * (to - from + 1.0)).floor(),
        // Not those of the machine: the same seed gives the same values everywhere.
        (Scale::Log, _) => libm::exp(libm::log(from) + share * (libm::log(to) - libm::log(from))),
    };
    let steps = if integer { 1.0 } else { DECIMALS };
    let value = ((value * steps).round() / steps).clamp(from, to);
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draws(range: &Range, key: &str, count: u64) -> Vec<f64> {
        (0..count).map(|number| draw(range, 7, key, number).parse().unwrap()).collect()
    }

    #[test]
    fn draws_fill_their_range_as_their_scale_says() {
        let linear = draws(&Range { from: -1.0, to: 3.0, scale: Scale::Linear, integer: false }, "w", 4000);
        assert!(linear.iter().all(|value| (-1.0..=3.0).contains(value)));
        assert!((linear.iter().sum::<f64>() / 4000.0 - 1.0).abs() < 0.05);
        let log = draws(&Range { from: 1.0, to: 10_000.0, scale: Scale::Log, integer: false }, "w", 4000);
        let below = log.iter().filter(|value| **value < 100.0).count();
        assert!((1850..2150).contains(&below), "{below} of 4000 in the lower two of four decades");
        let whole = draws(&Range { from: 1.0, to: 4.0, scale: Scale::Linear, integer: true }, "w", 4000);
        for number in 1..=4 {
            let found = whole.iter().filter(|value| **value == f64::from(number)).count();
            assert!((850..1150).contains(&found), "{number}: {found} of 4000");
        }
        let log = draws(&Range { from: 1.0, to: 4.0, scale: Scale::Log, integer: true }, "w", 100);
        assert!(log.iter().all(|value| [1.0, 2.0, 3.0, 4.0].contains(value)), "{log:?}");
    }

    #[test]
    fn keys_seeds_and_numbers_draw_apart() {
        let range = Range { from: 0.0, to: 1.0, scale: Scale::Linear, integer: false };
        let mut all: Vec<String> = Vec::new();
        for (seed, key) in [(1, "w"), (2, "w"), (1, "q0_bytes")] {
            all.extend((0..100).map(|number| draw(&range, seed, key, number)));
        }
        let distinct: BTreeSet<_> = all.iter().collect();
        assert!(distinct.len() > 298, "{} of 300", distinct.len());
        assert_eq!(draw(&range, 1, "w", 42), all[42]);
    }
}
