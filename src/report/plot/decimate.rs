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
