// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value over one key, with its spread: a curve for each variant.

use super::WIDTH;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, PLAIN, QUIET, TITLE, dashes, picture};
use super::colour::{Colour, slot};
use super::legend::{Legend, Swatch};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Height of the area with the data, in px.
const DATA_HEIGHT: f64 = 280.0;
/// Side of the square at each point, and half the width of the ends of a bar, in px.
const MARK: f64 = 6.0;

/// One picture.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Its title.
    pub title: String,
    /// The key.
    pub x_label: String,
    /// Quantity and unit.
    pub y_label: String,
    /// Names of the places on the x axis, which have equal distances.
    pub x: Vec<String>,
    /// The curves.
    pub curves: Vec<SpreadCurve>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct SpreadCurve {
    /// Its name in the legend.
    pub name: String,
    /// Mean and standard deviation at each place; a mean that is no finite number is a gap.
    pub points: Vec<(f64, f64)>,
}

/// Draws `chart`, [`WIDTH`] px wide. The y axis need not include zero.
///
/// # Errors
/// It has no places, or a curve with another number of points.
pub fn spread(chart: &Spread) -> Result<Picture> {
    ensure!(!chart.x.is_empty(), "cannot draw \"{}\": it has no points", chart.title);
    for curve in &chart.curves {
        ensure!(curve.points.len() == chart.x.len(), "cannot draw {}: it has not a point for each x", curve.name);
    }
    let ends = chart.curves.iter().flat_map(|curve| &curve.points).filter(|(mean, _)| mean.is_finite());
    let ends = ends.flat_map(|(mean, spread)| [mean - spread, mean + spread]).filter(|end| end.is_finite());
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    let y_axis = if low <= high { Axis::around(low, high, 5) } else { Axis::around(0.0, 1.0, 1) };
    let y_ticks = y_axis.labels();
    let page = f64::from(WIDTH);
    let named = chart.curves.iter().enumerate();
    let named = named.map(|(number, curve)| (curve.name.clone(), Swatch::Curve(slot(number), dashes(number))));
    let legend = Legend::new(named, page - 32.0);
    let left = 24.0 + y_ticks.iter().map(|tick| PLAIN.width(tick)).fold(0.0, f64::max);
    let right = page - 24.0;
    let top = 48.0 + legend.height() + 32.0;
    let bottom = top + DATA_HEIGHT;
    let step = (right - left) / chart.x.len() as f64;
    let x_of = |number: usize| left + (number as f64 + 0.5) * step;

    Ok(picture(WIDTH, (bottom + 56.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, page - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        legend.paint(canvas, (16.0, 44.0));
        canvas.text(&chart.y_label, (16.0, top - 20.0), Anchor::Start, QUIET);
        for (tick, label) in y_axis.ticks.iter().zip(&y_ticks) {
            let y = y_axis.place(*tick, bottom, top);
            canvas.rule((left, y), (right, y), Colour::Grid);
            canvas.text(label, (left - 8.0, y), Anchor::End, QUIET);
        }
        let widest = chart.x.iter().map(|name| QUIET.width(name)).fold(0.0, f64::max) + 10.0;
        let every = ((widest / step).ceil() as usize).max(1);
        for (number, name) in chart.x.iter().enumerate().step_by(every) {
            canvas.rule((x_of(number), bottom), (x_of(number), bottom + 5.0), Colour::Axis);
            canvas.text(&QUIET.fit(name, page / 2.0), (x_of(number), bottom + 16.0), Anchor::Middle, QUIET);
        }
        canvas.rule((left, bottom), (right, bottom), Colour::Axis);
        canvas.rule((left, top), (left, bottom), Colour::Axis);
        canvas.text(&chart.x_label, ((left + right) / 2.0, bottom + 38.0), Anchor::Middle, QUIET);
        for (number, curve) in chart.curves.iter().enumerate() {
            // Bars of several curves stand beside each other.
            let beside = (number as f64 - (chart.curves.len() - 1) as f64 / 2.0) * (2.0 * MARK).min(step / 8.0);
            let place = |value: f64| y_axis.place(value, bottom, top);
            let points: Vec<_> =
                curve.points.iter().enumerate().map(|(at, point)| (x_of(at) + beside, *point)).collect();
            paint_curve(canvas, number, &points, &place);
        }
    }))
}

fn paint_curve(canvas: &mut Canvas, number: usize, points: &[(f64, (f64, f64))], place: &dyn Fn(f64) -> f64) {
    let shade = slot(number);
    for piece in points.split(|(_, (mean, _))| !mean.is_finite()) {
        let line: Vec<_> = piece.iter().map(|(x, (mean, _))| (*x, place(*mean))).collect();
        if line.len() > 1 {
            canvas.dashed_line(line, shade, 2.0, dashes(number));
        }
        for &(x, (mean, spread)) in piece {
            let (y, half) = (place(mean), MARK / 2.0);
            canvas.rectangle((x - half, y - half), (x + half, y + half), shade);
            if spread > 0.0 {
                let (upper, lower) = (place(mean + spread), place(mean - spread));
                canvas.line([(x, upper), (x, lower)], shade, 1.0);
                for end in [upper, lower] {
                    canvas.line([(x - half, end), (x + half, end)], shade, 1.0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_names() {
        let curve = |name: &str, points: [(f64, f64); 3]| SpreadCurve { name: name.into(), points: points.to_vec() };
        let chart = Spread {
            title: "queue".into(),
            x_label: "w".into(),
            y_label: "KB".into(),
            x: ["1", "2", "4"].map(String::from).to_vec(),
            curves: vec![
                curve("SMCC", [(10.0, 1.0), (12.0, 0.0), (20.0, 2.0)]),
                curve("QCN", [(f64::NAN, 0.0), (f64::INFINITY, f64::NAN), (15.0, 5.0)]),
            ],
        };
        let svg = spread(&chart).unwrap().element();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
        for wanted in ["queue", "w", "KB", "1", "2", "4", "SMCC", "QCN"] {
            assert!(texts.contains(&wanted), "no {wanted} in {texts:?}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        // The paper, four points: a gap has none.
        assert_eq!(svg.matches("<rect").count(), 1 + 4);
        assert!(spread(&Spread { x: vec!["1".into()], ..chart }).is_err());
    }
}
