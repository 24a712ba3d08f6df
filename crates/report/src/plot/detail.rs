// SPDX-License-Identifier: MIT OR Apache-2.0
//! Curves over time with a detail below: a short time in which one can see what the whole hides.

use super::picture::Picture;
use super::side_by_side::side_by_side;
use super::time_series::{TimeSeries, time_series};
use crate::number::short;
use anyhow::Result;

/// Points of a detail.
const POINTS: usize = 60;

/// Draws a narrow `chart` whose x is a time in seconds, and under it those of its points between which a curve that swings
/// does so most, if there is one: above, it is only its range and mean.
///
/// # Errors
/// See [`time_series`].
pub fn with_swings(chart: &TimeSeries) -> Result<Picture> {
    let whole = time_series(chart)?;
    let Some(points) = chart.swinging()? else { return Ok(whole) };
    // The start is no swing.
    let start = points.len() / 10;
    let from = start + liveliest(&points[start..], POINTS);
    let ends = [points[from].0, points[(from + POINTS).min(points.len()) - 1].0];
    let title = format!("The {} ms in which it swings most", short((ends[1] - ends[0]) * 1e3));
    Ok(side_by_side(&[vec![whole, time_series(&chart.detail(title, ends))?]]))
}

/// As [`with_swings`]; if no curve swings, and there are many points, with the last of them, enlarged: a curve that chatters
/// is a thick line above.
///
/// # Errors
/// See [`time_series`].
pub fn with_detail(chart: &TimeSeries) -> Result<Picture> {
    let points = chart.longest();
    if chart.swinging()?.is_some() || points.len() < 4 * POINTS {
        return with_swings(chart);
    }
    let ends = [points[points.len() - POINTS].0, points[points.len() - 1].0];
    let title = format!("The last {} ms, enlarged", short((ends[1] - ends[0]) * 1e3));
    Ok(side_by_side(&[vec![time_series(chart)?, time_series(&chart.detail(title, ends))?]]))
}

/// Where those `count` points begin between which the values go up and down most: the sum of all moves, less the way from
/// the first to the last.
fn liveliest(points: &[(f64, f64)], count: usize) -> usize {
    let swing = |points: &[(f64, f64)]| {
        let moves: f64 = points.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).sum();
        moves - (points[points.len() - 1].1 - points[0].1).abs()
    };
    // The first one of equals.
    let swings = (0..).zip(points.windows(count).map(swing));
    swings.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(from, _)| from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Series;

    /// A curve that is flat, but for swings between two points.
    fn curve(from: usize, to: usize) -> Vec<(f64, f64)> {
        let value = |index: usize| if (from..to).contains(&index) && index.is_multiple_of(2) { 1.0 } else { 0.0 };
        (0..3000).map(|index| (index as f64 / 1e3, value(index))).collect()
    }

    #[test]
    fn the_detail_is_where_the_curve_moves() {
        assert_eq!(liveliest(&curve(1000, 1100), 60), 998);
        // A way of 50 from one level to another is no swing.
        let mut step = curve(1000, 1100);
        step[..500].iter_mut().for_each(|point| point.1 = 50.0);
        assert_eq!(liveliest(&step, 60), 998);
        assert_eq!(liveliest(&curve(0, 0), 60), 0);
        assert_eq!(liveliest(&curve(0, 0)[..5], 60), 0);
    }

    #[test]
    fn only_a_curve_that_swings_has_a_detail() {
        let chart = |to| TimeSeries::new("t", "time (s)", "y").narrow().series(Series::new("a", curve(0, to)));
        let [calm, swinging] = [20, 3000].map(|to| with_swings(&chart(to)).unwrap());
        assert!(swinging.height() > calm.height() + 100, "{} and {}", swinging.height(), calm.height());
        assert!(swinging.svg().contains(">The 59 ms in which it swings most</text>"));
        // A calm one is enlarged, on an axis of its own.
        let level = (0..3000).map(|index| (f64::from(index) / 1e3, 64.0 + f64::from(index % 2)));
        let chatter = TimeSeries::new("t", "time (s)", "y").narrow().series(Series::new("a", level.collect()));
        let enlarged = with_detail(&chatter).unwrap();
        assert!(enlarged.height() > calm.height() + 100);
        let svg = enlarged.svg();
        assert!(svg.contains(">The last 59 ms, enlarged</text>") && svg.contains(">64.5</text>"), "{svg}");
    }
}
