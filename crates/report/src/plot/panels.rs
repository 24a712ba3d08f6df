// SPDX-License-Identifier: MIT OR Apache-2.0
//! One value over time for several schemes: a small panel for each, below each other, on one scale.

use super::NARROW;
use super::axis::Axis;
use super::canvas::{Anchor, QUIET, STRONG, TITLE, picture};
use super::colour::{Colour, slot};
use super::decimate::decimate;
use super::legend::BAND;
use super::picture::Picture;
use super::time_series::paint_band;
use anyhow::{Result, ensure};

/// Height of the area with the data of a panel, in px.
const DATA_HEIGHT: f64 = 64.0;
/// The same if there are many panels.
const LOW: f64 = 40.0;
/// More panels than this are lower.
const HIGH_MAX: usize = 4;
/// Height of the name above a panel, in px.
const NAME: f64 = 24.0;

/// One picture.
#[derive(Clone, Debug)]
pub struct Panels {
    /// Its title.
    pub title: String,
    /// Quantity and unit of the x axis.
    pub x_label: String,
    /// Quantity and unit of the y axis.
    pub y_label: String,
    /// The panels from top to bottom.
    pub panels: Vec<Panel>,
}

/// A panel.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its name.
    pub name: String,
    /// The curve: points (x, y), x not falling.
    pub curve: Vec<(f64, f64)>,
    /// The area behind it: points (x, least, largest).
    pub band: Vec<(f64, f64, f64)>,
    /// A dashed line to compare with.
    pub target: f64,
}

/// Draws `chart`, [`NARROW`] px wide. The y axis includes zero.
///
/// # Errors
/// No point at all; a coordinate that is not a finite number. The message names the panel.
pub fn panels(chart: &Panels) -> Result<Picture> {
    for Panel { name, curve, band, target } in &chart.panels {
        let numbers =
            curve.iter().flat_map(|(x, y)| [*x, *y]).chain(band.iter().flat_map(|(x, low, high)| [*x, *low, *high]));
        ensure!(numbers.chain([*target]).all(f64::is_finite), "cannot draw {name}: a value is not a number");
    }
    let xs = || chart.panels.iter().flat_map(|panel| panel.curve.iter().map(|point| point.0));
    ensure!(xs().next().is_some(), "cannot draw \"{}\": it has no points", chart.title);
    let x_range = xs().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let most = chart.panels.iter().flat_map(|panel| {
        let curve = panel.curve.iter().map(|point| point.1);
        curve.chain(panel.band.iter().map(|point| point.2)).chain([panel.target])
    });
    let (x_axis, y_axis) = (Axis::within(x_range.0, x_range.1, 5), Axis::around(0.0, most.fold(0.0, f64::max), 2));
    let y_ticks = y_axis.labels();
    let left = 24.0 + y_ticks.iter().map(|tick| QUIET.width(tick)).fold(0.0, f64::max);
    let (page, high) = (f64::from(NARROW), if chart.panels.len() > HIGH_MAX { LOW } else { DATA_HEIGHT });
    let right = page - 20.0;
    let first = 64.0;
    let last = first + chart.panels.len() as f64 * (NAME + high + 6.0) - 6.0;

    Ok(picture(NARROW, (last + 50.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, page - 32.0), (16.0, 22.0), Anchor::Start, TITLE);
        canvas.text(&QUIET.fit(&chart.y_label, page - 32.0), (16.0, 46.0), Anchor::Start, QUIET);
        for (number, panel) in chart.panels.iter().enumerate() {
            let top = first + number as f64 * (NAME + high + 6.0) + NAME;
            let bottom = top + high;
            let place = |x: f64, y: f64| (x_axis.place(x, left, right), y_axis.place(y, bottom, top));
            canvas.text(&STRONG.fit(&panel.name, right - left), (left, top - NAME / 2.0), Anchor::Start, STRONG);
            for (tick, label) in y_axis.ticks.iter().zip(&y_ticks) {
                let (_, y) = place(x_axis.low, *tick);
                canvas.rule((left, y), (right, y), if *tick == 0.0 { Colour::Axis } else { Colour::Grid });
                canvas.text(label, (left - 7.0, y), Anchor::End, QUIET);
            }
            let columns = (right - left) as usize;
            paint_band(canvas, &panel.band, columns, &place, (slot(number), BAND));
            let curve = decimate(&panel.curve, columns);
            canvas.line(curve.iter().map(|(x, y)| place(*x, *y)), slot(number), 1.25);
            canvas.reference(left, right, place(x_axis.low, panel.target).1, Colour::Ink);
        }
        for (tick, label) in x_axis.ticks.iter().zip(x_axis.labels()) {
            let x = x_axis.place(*tick, left, right);
            canvas.rule((x, last), (x, last + 5.0), Colour::Axis);
            canvas.text(&label, (x, last + 15.0), Anchor::Middle, QUIET);
        }
        canvas.text(&chart.x_label, ((left + right) / 2.0, last + 36.0), Anchor::Middle, QUIET);
    }))
}
