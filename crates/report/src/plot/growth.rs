// SPDX-License-Identifier: MIT OR Apache-2.0
//! Curves on two logarithmic axes: how a cost grows with a number.

use super::WIDTH;
use super::axis::LogAxis;
use super::canvas::{Anchor, Canvas, PLAIN, QUIET, TITLE, dashes, picture};
use super::colour::{Colour, slot};
use super::legend::{Legend, Swatch};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Height of the area with the data, in px.
const DATA_HEIGHT: f64 = 360.0;
/// Side of the square at each point, in px.
const MARK: f64 = 7.0;

/// One picture.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Its title.
    pub title: String,
    /// Quantity and unit of the x axis.
    pub x_label: String,
    /// Quantity and unit of the y axis.
    pub y_label: String,
    /// The curves; what is drawn last is on top.
    pub curves: Vec<GrowthCurve>,
}

/// A curve through some points.
#[derive(Clone, Debug)]
pub struct GrowthCurve {
    /// Its name in the legend.
    pub name: String,
    /// Positive numbers (x, y).
    pub points: Vec<(f64, f64)>,
    /// Number of its colour.
    pub colour: usize,
    /// Drawn as dashes.
    pub dashed: bool,
}

impl GrowthCurve {
    fn dashes(&self) -> &'static [f64] {
        dashes(self.dashed.into())
    }
}

/// Draws `chart`, [`WIDTH`] px wide. Both axes are logarithmic; each x that has a point is a tick.
///
/// # Errors
/// No point at all; a coordinate that is not a positive number. The message names the curve.
pub fn growth(chart: &Growth) -> Result<Picture> {
    let points = || chart.curves.iter().flat_map(|curve| &curve.points);
    ensure!(points().next().is_some(), "cannot draw \"{}\": it has no points", chart.title);
    for curve in &chart.curves {
        for &(x, y) in &curve.points {
            let drawable = x.is_finite() && y.is_finite() && x > 0.0 && y > 0.0;
            ensure!(drawable, "cannot draw {}: it has the point ({x}, {y})", curve.name);
        }
    }
    let (x_axis, y_axis) = (LogAxis::at(points().map(|point| point.0)), LogAxis::around(points().map(|point| point.1)));
    let y_ticks = y_axis.labels();
    let page = f64::from(WIDTH);
    let named =
        chart.curves.iter().map(|curve| (curve.name.clone(), Swatch::Curve(slot(curve.colour), curve.dashes())));
    let legend = Legend::new(named, page - 32.0);
    let left = 24.0 + y_ticks.iter().map(|tick| PLAIN.width(tick)).fold(0.0, f64::max);
    let right = page - 32.0;
    let top = 48.0 + legend.height() + 32.0;
    let bottom = top + DATA_HEIGHT;

    Ok(picture(WIDTH, (bottom + 56.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, page - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        legend.paint(canvas, (16.0, 44.0));
        canvas.text(&chart.y_label, (16.0, top - 20.0), Anchor::Start, QUIET);
        for (tick, label) in y_axis.ticks.iter().zip(&y_ticks) {
            let y = y_axis.place(*tick, bottom, top);
            canvas.rule((left, y), (right, y), Colour::Grid);
            canvas.text(label, (left - 8.0, y), Anchor::End, QUIET);
        }
        for (tick, label) in x_axis.ticks.iter().zip(x_axis.labels()) {
            let x = x_axis.place(*tick, left, right);
            canvas.rule((x, top), (x, bottom), Colour::Grid);
            canvas.text(&label, (x, bottom + 16.0), Anchor::Middle, QUIET);
        }
        canvas.rule((left, bottom), (right, bottom), Colour::Axis);
        canvas.rule((left, top), (left, bottom), Colour::Axis);
        canvas.text(&chart.x_label, ((left + right) / 2.0, bottom + 38.0), Anchor::Middle, QUIET);
        for curve in &chart.curves {
            let placed = |&(x, y): &(f64, f64)| (x_axis.place(x, left, right), y_axis.place(y, bottom, top));
            paint_curve(canvas, curve, &curve.points.iter().map(placed).collect::<Vec<_>>());
        }
    }))
}

/// A curve through points in px, with a square at each.
fn paint_curve(canvas: &mut Canvas, curve: &GrowthCurve, points: &[(f64, f64)]) {
    let shade = slot(curve.colour);
    canvas.dashed_line(points.iter().copied(), shade, 2.0, curve.dashes());
    for &(x, y) in points {
        canvas.rectangle((x - MARK / 2.0, y - MARK / 2.0), (x + MARK / 2.0, y + MARK / 2.0), shade);
    }
}
