// SPDX-License-Identifier: MIT OR Apache-2.0
//! A path through a phase plane: queue offset against rate, coloured by the current rule.

use super::WIDTH;
use super::axis::Axis;
use super::canvas::{Anchor, PLAIN, QUIET, TITLE, dashes, picture};
use super::colour::{Colour, slot};
use super::legend::{Legend, Swatch};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Height of the area with the data, in px.
const DATA_HEIGHT: f64 = 420.0;

/// One picture.
#[derive(Clone, Debug)]
pub struct PhasePlane {
    /// Its title.
    pub title: String,
    /// Quantity and unit of the x axis.
    pub x_label: String,
    /// Quantity and unit of the y axis.
    pub y_label: String,
    /// Pieces of the path in their order: the rule, and points in the units of the axes. Pieces of one rule share a
    /// colour.
    pub pieces: Vec<(String, Vec<(f64, f64)>)>,
    /// Slope of the line through the origin on which the rules change, where it is not an axis.
    pub switching_slope: Option<f64>,
}

/// Draws `plane`, [`WIDTH`] px wide. Both axes go through the origin.
///
/// # Errors
/// No point at all; a coordinate that is not a finite number.
pub fn phase_plane(plane: &PhasePlane) -> Result<Picture> {
    let points = || plane.pieces.iter().flat_map(|(_, points)| points);
    ensure!(points().next().is_some(), "cannot draw \"{}\": it has no points", plane.title);
    ensure!(
        points().all(|(x, y)| x.is_finite() && y.is_finite()),
        "cannot draw \"{}\": it leaves the plane",
        plane.title
    );
    let range = |value: fn(&(f64, f64)) -> f64| {
        points().map(value).fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)))
    };
    let ((x_low, x_high), (y_low, y_high)) = (range(|point| point.0), range(|point| point.1));
    let (x_axis, y_axis) = (Axis::around(x_low, x_high, 8), Axis::around(y_low, y_high, 7));

    let mut rules: Vec<&str> = Vec::new();
    for (rule, _) in &plane.pieces {
        if !rules.contains(&rule.as_str()) {
            rules.push(rule);
        }
    }
    let number = |rule: &str| rules.iter().position(|known| *known == rule).unwrap_or(0);
    let swatch = |rule: &str| Swatch::Curve(slot(number(rule)), dashes(number(rule)));
    let legend = Legend::new(rules.iter().map(|rule| (rule.to_string(), swatch(rule))), f64::from(WIDTH) - 32.0);
    let y_ticks = y_axis.labels();
    let left = 24.0 + y_ticks.iter().map(|tick| PLAIN.width(tick)).fold(0.0, f64::max);
    let right = f64::from(WIDTH) - 32.0;
    let top = 48.0 + legend.height() + 32.0;
    let bottom = top + DATA_HEIGHT;
    let place = |(x, y): (f64, f64)| (x_axis.place(x, left, right), y_axis.place(y, bottom, top));

    Ok(picture(WIDTH, (bottom + 56.0) as u32, &plane.title, |canvas| {
        canvas.text(&TITLE.fit(&plane.title, f64::from(WIDTH) - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        legend.paint(canvas, (16.0, 44.0));
        canvas.text(&plane.y_label, (16.0, top - 20.0), Anchor::Start, QUIET);
        for (tick, label) in y_axis.ticks.iter().zip(&y_ticks) {
            let (_, y) = place((0.0, *tick));
            canvas.rule((left, y), (right, y), if *tick == 0.0 { Colour::Axis } else { Colour::Grid });
            canvas.text(label, (left - 8.0, y), Anchor::End, QUIET);
        }
        for (tick, label) in x_axis.ticks.iter().zip(x_axis.labels()) {
            let (x, _) = place((*tick, 0.0));
            canvas.rule((x, top), (x, bottom), if *tick == 0.0 { Colour::Axis } else { Colour::Grid });
            canvas.text(&label, (x, bottom + 16.0), Anchor::Middle, QUIET);
        }
        canvas.text(&plane.x_label, ((left + right) / 2.0, bottom + 38.0), Anchor::Middle, QUIET);
        if let Some(slope) = plane.switching_slope {
            // Up to the frame of the picture.
            let reach = |x: f64| (x * slope).clamp(y_axis.low, y_axis.high) / slope;
            let ends = [reach(x_axis.low), reach(x_axis.high)].map(|x| place((x, x * slope)));
            canvas.line(ends, Colour::Grey, 1.0);
        }
        for (rule, points) in &plane.pieces {
            let number = number(rule);
            canvas.dashed_line(points.iter().map(|point| place(*point)), slot(number), 1.5, dashes(number));
        }
    }))
}
