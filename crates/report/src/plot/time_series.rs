// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values over time: queue lengths, rates, feedback.

use super::WIDTH;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, PLAIN, QUIET, TITLE, dashes, picture};
use super::colour::{Colour, slot};
use super::decimate::{decimate, envelope, swinging};
use super::legend::{BAND, Legend, Swatch};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Height of the area with the data, in px.
const DATA_HEIGHT: f64 = 300.0;

type Band = Vec<(f64, f64, f64)>;

/// One panel with curves over a common time axis.
#[derive(Clone, Debug)]
pub struct TimeSeries {
    title: String,
    x_label: String,
    y_label: String,
    series: Vec<Series>,
    references: Vec<Reference>,
    /// Its name; x, least and largest of each point.
    band: Option<(String, Band)>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    colour: Option<usize>,
    steps: bool,
}

/// A horizontal line to compare with, such as the queue offset.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its value, in the unit of the y axis.
    pub value: f64,
    /// The text beside it, such as `q0 = 64 KB`.
    pub label: String,
}

impl TimeSeries {
    /// An empty panel. The labels name quantity and unit: `time (s)`, `queue length (bytes)`.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        let (title, x_label, y_label) = (title.into(), x_label.into(), y_label.into());
        TimeSeries { title, x_label, y_label, series: Vec::new(), references: Vec::new(), band: None }
    }

    /// Adds a curve, drawn over those already there.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Adds an area behind the curves: points (x, least, largest), x not falling.
    pub fn band(mut self, name: impl Into<String>, points: Vec<(f64, f64, f64)>) -> Self {
        self.band = Some((name.into(), points));
        self
    }

    /// Adds a dashed horizontal line at `value` (in the unit of the y axis) with a `label` beside it.
    pub fn reference(mut self, value: f64, label: impl Into<String>) -> Self {
        self.references.push(Reference { value, label: label.into() });
        self
    }
}

impl Series {
    /// A curve through `points` (x, y), x not falling, in the units of the axes. A hundred thousand of them are fine.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), points, colour: None, steps: false }
    }

    /// Gives the curve the colour number `slot` in place of the one that follows from its position, so that a flow
    /// keeps its colour in every picture.
    pub fn colour(mut self, slot: usize) -> Self {
        self.colour = Some(slot);
        self
    }

    /// Draws a value that holds until the next point and then jumps, instead of slanted lines.
    pub fn steps(mut self) -> Self {
        self.steps = true;
        self
    }

    /// The points to draw, at most a few per column of `columns` px.
    pub(super) fn outline(&self, columns: usize) -> Vec<(f64, f64)> {
        if !self.steps {
            return decimate(&self.points, columns);
        }
        let corners = self.points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
        decimate(&corners.chain(self.points.last().copied()).collect::<Vec<_>>(), columns)
    }
}

/// Draws `chart`, [`WIDTH`] px wide. The y axis includes zero.
///
/// # Errors
/// No point at all; a coordinate that is not a finite number; a curve that goes back in x. The message names the curve.
pub fn time_series(chart: &TimeSeries) -> Result<Picture> {
    let (x_axis, y_axis) = axes(chart)?;
    let y_ticks = y_axis.labels();
    let left = 24.0 + y_ticks.iter().map(|tick| PLAIN.width(tick)).fold(0.0, f64::max);
    let beside = chart.references.iter().map(|reference| PLAIN.width(&reference.label)).fold(0.0, f64::max).min(180.0);
    let right = f64::from(WIDTH) - 24.0 - if beside > 0.0 { beside } else { 8.0 };
    let number = |index: usize, series: &Series| series.colour.unwrap_or(index);
    let named = chart.series.iter().enumerate().map(|(index, series)| {
        let number = number(index, series);
        (series.name.clone(), Swatch::Curve(slot(number), dashes(number)))
    });
    // In the colour of the curve if there is only one.
    let behind = if chart.series.len() == 1 { slot(number(0, &chart.series[0])) } else { Colour::Axis };
    let area = chart.band.iter().map(|(name, _)| (name.clone(), Swatch::Area(behind)));
    let columns = (right - left) as usize;
    let swings: Vec<_> =
        chart.series.iter().map(|series| swinging(&series.points, columns, y_axis.high - y_axis.low)).collect();
    // Areas of several curves would hide each other.
    let several = chart.series.len() > 1;
    let swing = swings.iter().any(Option::is_some);
    let range = "least to largest, and mean".to_string();
    let explained = (swing && !several).then_some((range, Swatch::Area(behind)));
    let means = if swing && several { "; mean, where a curve swings" } else { "" };
    let legend = Legend::new(named.chain(area).chain(explained), f64::from(WIDTH) - 32.0);
    let top = 48.0 + legend.height() + 32.0;
    let bottom = top + DATA_HEIGHT;

    Ok(picture(WIDTH, (bottom + 56.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, f64::from(WIDTH) - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        legend.paint(canvas, (16.0, 44.0));
        canvas.text(&format!("{}{means}", chart.y_label), (16.0, top - 20.0), Anchor::Start, QUIET);
        for (tick, label) in y_axis.ticks.iter().zip(&y_ticks) {
            let y = y_axis.place(*tick, bottom, top);
            canvas.rule((left, y), (right, y), if *tick == 0.0 { Colour::Axis } else { Colour::Grid });
            canvas.text(label, (left - 8.0, y), Anchor::End, QUIET);
        }
        for (tick, label) in x_axis.ticks.iter().zip(x_axis.labels()) {
            let x = x_axis.place(*tick, left, right);
            canvas.rule((x, top), (x, bottom), Colour::Grid);
            canvas.rule((x, bottom), (x, bottom + 5.0), Colour::Axis);
            canvas.text(&label, (x, bottom + 16.0), Anchor::Middle, QUIET);
        }
        canvas.rule((left, bottom), (right, bottom), Colour::Axis);
        canvas.text(&chart.x_label, ((left + right) / 2.0, bottom + 38.0), Anchor::Middle, QUIET);
        let place = |x: f64, y: f64| (x_axis.place(x, left, right), y_axis.place(y, bottom, top));
        if let Some((_, band)) = &chart.band {
            paint_band(canvas, band, columns, &place, behind);
        }
        for (index, (series, swings)) in chart.series.iter().zip(&swings).enumerate() {
            let points = match swings {
                Some((range, means)) => {
                    if !several {
                        paint_band(canvas, range, columns, &place, behind);
                    }
                    means.clone()
                }
                None => series.outline(columns),
            };
            let placed = points.iter().map(|(x, y)| place(*x, *y));
            let number = number(index, series);
            canvas.dashed_line(placed, slot(number), 1.5, dashes(number));
        }
        let heights = chart.references.iter().map(|reference| y_axis.place(reference.value, bottom, top));
        paint_references(canvas, &chart.references, &heights.collect::<Vec<_>>(), (left, right));
    }))
}

/// The area between the least and the largest value at each place, in `columns` columns at most.
pub(super) fn paint_band(
    canvas: &mut Canvas,
    band: &[(f64, f64, f64)],
    columns: usize,
    place: &dyn Fn(f64, f64) -> (f64, f64),
    colour: Colour,
) {
    let band = envelope(band, columns);
    if !band.is_empty() {
        let upper = band.iter().map(|(x, _, high)| place(*x, *high));
        let lower = band.iter().rev().map(|(x, low, _)| place(*x, *low));
        canvas.area(upper.chain(lower).collect::<Vec<_>>(), colour, BAND);
    }
}

/// Checks the data and spans the axes over it.
fn axes(chart: &TimeSeries) -> Result<(Axis, Axis)> {
    let mut x_range = (f64::INFINITY, f64::NEG_INFINITY);
    let mut y_range = (0.0f64, 0.0f64);
    for series in &chart.series {
        let mut before = f64::NEG_INFINITY;
        for (x, y) in &series.points {
            ensure!(x.is_finite() && y.is_finite(), "cannot draw {}: it has the point ({x}, {y})", series.name);
            ensure!(before <= *x, "cannot draw {}: x decreases from {before} to {x}", series.name);
            before = *x;
            x_range = (x_range.0.min(*x), x_range.1.max(*x));
            y_range = (y_range.0.min(*y), y_range.1.max(*y));
        }
    }
    ensure!(x_range.0 <= x_range.1, "cannot draw \"{}\": it has no points", chart.title);
    for (x, low, high) in chart.band.iter().flat_map(|(_, band)| band) {
        ensure!([x, low, high].iter().all(|value| value.is_finite()), "cannot draw the band at {x}: {low} to {high}");
        y_range = (y_range.0.min(*low), y_range.1.max(*high));
    }
    for Reference { value, label } in &chart.references {
        ensure!(value.is_finite(), "cannot draw the line {label} at {value}");
        y_range = (y_range.0.min(*value), y_range.1.max(*value));
    }
    Ok((Axis::within(x_range.0, x_range.1, 7), Axis::around(y_range.0, y_range.1, 5)))
}

/// Dashed lines, with their names to the right of the data; names that would overlap are moved apart.
fn paint_references(canvas: &mut Canvas, references: &[Reference], heights: &[f64], (left, right): (f64, f64)) {
    let mut order: Vec<_> = (0..references.len()).collect();
    order.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
    let mut above = f64::INFINITY;
    for index in order {
        canvas.reference(left, right, heights[index], Colour::Ink);
        let y = heights[index].min(above - 15.0);
        above = y;
        if y != heights[index] {
            canvas.line([(right, heights[index]), (right + 7.0, y)], Colour::Grey, 0.5);
        }
        let room = f64::from(WIDTH) - right - 12.0;
        canvas.text(&PLAIN.fit(&references[index].label, room), (right + 8.0, y), Anchor::Start, PLAIN);
    }
}
