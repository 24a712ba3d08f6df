// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reduces a curve to the points that a screen can show, without losing peaks.

/// At most four points a column of the picture: the first, the least, the greatest and the last of those that fall in
/// it, in their order. A line through them covers the same pixels as one through all points, so an oscillation faster
/// than a column still shows its full height. `points` are (x, y) with x not falling; `columns` is the width in px.
pub(super) fn decimate(points: &[(f64, f64)], columns: usize) -> Vec<(f64, f64)> {
    if points.len() <= 4 * columns {
        return points.to_vec();
    }
    let (start, end) = (points[0].0, points[points.len() - 1].0);
    let column = |x: f64| if start < end { ((x - start) / (end - start) * columns as f64) as usize } else { 0 };
    let mut kept = Vec::with_capacity(4 * columns);
    for group in points.chunk_by(|one, next| column(one.0) == column(next.0)) {
        let by_value = |one: &usize, other: &usize| group[*one].1.total_cmp(&group[*other].1);
        let least = (0..group.len()).min_by(by_value).unwrap_or(0);
        let greatest = (0..group.len()).max_by(by_value).unwrap_or(0);
        let mut indices = [0, least, greatest, group.len() - 1];
        indices.sort_unstable();
        let mut before = None;
        for index in indices {
            if before != Some(index) {
                kept.push(group[index]);
            }
            before = Some(index);
        }
    }
    kept
}

/// The same of areas between a least and a largest value: points (x, least, largest). At most one point a column, with
/// the least and the largest value in it.
pub(super) fn envelope(points: &[(f64, f64, f64)], columns: usize) -> Vec<(f64, f64, f64)> {
    if points.len() <= columns {
        return points.to_vec();
    }
    let (start, end) = (points[0].0, points[points.len() - 1].0);
    let column = |x: f64| if start < end { ((x - start) / (end - start) * columns as f64) as usize } else { 0 };
    let groups = points.chunk_by(|one, next| column(one.0) == column(next.0));
    let merged = groups.map(|group| {
        let values = group.iter().map(|&(_, low, high)| (low, high));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (least, largest)| {
            (low.min(least), high.max(largest))
        });
        (group[0].0, low, high)
    });
    merged.collect()
}

/// The range and the mean of a curve, piece by piece.
pub(super) type Swings = (Vec<(f64, f64, f64)>, Vec<(f64, f64)>);

/// Width of a piece of a curve in which [`swinging`] looks for swings, in px.
const PIECE: usize = 6;

/// A curve that swings so fast that a line through its points would be a solid block: in at least a tenth of its pieces
/// of some px by a quarter of `height` or more. For each piece (x, least, largest) and (x, mean of the points); `None` for any
/// other curve.
pub(super) fn swinging(points: &[(f64, f64)], columns: usize, height: f64) -> Option<Swings> {
    let pieces = (columns / PIECE).max(1);
    let (start, end) = (points.first()?.0, points.last()?.0);
    let share = |x: f64| if start < end { (x - start) / (end - start) } else { 0.0 };
    let piece = |x: f64| ((share(x) * pieces as f64) as usize).min(pieces - 1);
    let (mut band, mut means) = (Vec::new(), Vec::new());
    for group in points.chunk_by(|one, next| piece(one.0) == piece(next.0)) {
        let values = || group.iter().map(|point| point.1);
        let middle = (group[0].0 + group[group.len() - 1].0) / 2.0;
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        band.push((middle, low, high));
        means.push((middle, values().sum::<f64>() / group.len() as f64));
    }
    let swings = band.iter().filter(|(_, low, high)| high - low >= height / 4.0).count();
    (10 * swings >= pieces).then_some((band, means))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_single_spike_survives() {
        let mut points: Vec<_> = (0..100_000).map(|index| (index as f64, 0.0)).collect();
        points[54_321].1 = 7.0;
        points[54_322].1 = -3.0;
        let kept = decimate(&points, 800);
        assert!(kept.len() <= 4 * 801);
        assert!(kept.contains(&(54_321.0, 7.0)) && kept.contains(&(54_322.0, -3.0)));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
    }

    #[test]
    fn few_points_stay_as_they_are() {
        let points = [(0.0, 1.0), (0.0, 2.0), (1.0, 3.0)];
        assert_eq!(decimate(&points, 1), points);
    }

    #[test]
    fn only_a_curve_that_swings_fast_is_an_area_with_its_mean() {
        let wave = |period: f64| -> Vec<(f64, f64)> {
            (0..600)
                .map(|index| (f64::from(index), (f64::from(index) * std::f64::consts::TAU / period).sin()))
                .collect()
        };
        let (band, means) = swinging(&wave(3.0), 600, 2.0).unwrap();
        assert!(band.iter().all(|(_, low, high)| *low < -0.8 && *high > 0.8), "{band:?}");
        assert!(means.iter().all(|(_, mean)| mean.abs() < 0.1) && means.len() == band.len(), "{means:?}");
        assert_eq!(swinging(&wave(100.0), 600, 2.0), None, "slow");
        assert_eq!(swinging(&wave(3.0), 600, 20.0), None, "small");
        assert_eq!(swinging(&[], 600, 2.0), None);
    }

    #[test]
    fn an_envelope_keeps_the_extremes() {
        let mut points: Vec<_> = (0..10_000).map(|index| (f64::from(index), 1.0, 2.0)).collect();
        (points[1234].1, points[5678].2) = (-5.0, 9.0);
        let kept = envelope(&points, 100);
        assert!(kept.len() <= 101, "{}", kept.len());
        assert!(kept.iter().any(|point| point.1 == -5.0) && kept.iter().any(|point| point.2 == 9.0));
        assert_eq!(envelope(&points[..50], 100), points[..50]);
    }

    proptest! {
        #[test]
        fn keeps_extremes_ends_and_order(
            steps in prop::collection::vec((0.0..10.0f64, -1e3..1e3f64), 1..2000), columns in 1usize..100
        ) {
            let mut x = 0.0;
            let points: Vec<_> = steps.into_iter().map(|(step, y)| { x += step; (x, y) }).collect();
            let kept = decimate(&points, columns);
            let greatest = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(f64::MIN, f64::max);
            let least = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(f64::MAX, f64::min);
            prop_assert_eq!(greatest(&kept), greatest(&points));
            prop_assert_eq!(least(&kept), least(&points));
            prop_assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[points.len() - 1]));
            prop_assert!(kept.windows(2).all(|pair| pair[0].0 <= pair[1].0));
            prop_assert!(kept.len() <= 4 * (columns + 1));
        }
    }
}
