// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values over time: queue lengths, rates, feedback.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, PLAIN, QUIET, STRONG, TITLE, dashes, picture};
use super::colour::{Colour, slot};
use super::decimate::{decimate, envelope, swinging};
use super::legend::{BAND, Legend, SPREAD, Swatch};
use super::picture::Picture;
use super::{NARROW, WIDTH};
use anyhow::{Result, ensure};

/// Height of the area with the data, in px.
const DATA_HEIGHT: f64 = 300.0;
/// The same of a narrow picture.
const NARROW_HEIGHT: f64 = 180.0;
/// The same of a detail.
const DETAIL_HEIGHT: f64 = 120.0;

type Band = Vec<(f64, f64, f64)>;

/// Curves of a panel at most whose [spread](Series::spread) is drawn.
pub const SPREADS_MAX: usize = 3;

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
    form: Form,
}

/// How a panel is laid out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// Alone.
    Wide,
    /// Side by side with others.
    Narrow,
    /// Under a narrow one, which has the legend.
    Detail,
}

impl Form {
    fn width(self) -> f64 {
        f64::from(if self == Form::Wide { WIDTH } else { NARROW })
    }
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
    steps: bool,
    /// x, least and largest of each point; empty if it is not drawn.
    spread: Band,
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
        TimeSeries { title, x_label, y_label, series: Vec::new(), references: Vec::new(), band: None, form: Form::Wide }
    }

    /// Makes it [`NARROW`] in place of [`WIDTH`] px wide. Names of reference lines are in the legend then.
    pub fn narrow(mut self) -> Self {
        self.form = Form::Narrow;
        self
    }

    /// The points from one x to another, under a title of their own.
    pub(super) fn detail(&self, title: String, [from, to]: [f64; 2]) -> TimeSeries {
        let inside = |x: f64| (from..=to).contains(&x);
        let part = |band: &Band| band.iter().copied().filter(|point| inside(point.0)).collect();
        let series = self.series.iter().map(|series| {
            let points = series.points.iter().copied().filter(|point| inside(point.0)).collect();
            Series { points, spread: part(&series.spread), ..series.clone() }
        });
        let band = self.band.as_ref().map(|(name, band)| (name.clone(), part(band)));
        TimeSeries { title, series: series.collect(), band, form: Form::Detail, ..self.clone() }
    }

    /// The points of the curve that has most.
    pub(super) fn longest(&self) -> &[(f64, f64)] {
        self.series.iter().map(|series| series.points.as_slice()).max_by_key(|points| points.len()).unwrap_or_default()
    }

    /// The points of the first curve that [swings](swinging), if one does.
    pub(super) fn swinging(&self) -> Result<Option<&[(f64, f64)]>> {
        let (_, y_axis) = axes(self)?;
        let columns = (self.form.width() * 0.85) as usize;
        let swings = |series: &&Series| swinging(&series.points, columns, y_axis.high - y_axis.low).is_some();
        Ok(self.series.iter().find(swings).map(|series| series.points.as_slice()))
    }

    /// The curves with a spread that is drawn, with their numbers.
    fn spreads(&self) -> impl Iterator<Item = (usize, &Series)> {
        let drawn = self.series.len() <= SPREADS_MAX;
        self.series.iter().enumerate().filter(move |(_, series)| drawn && !series.spread.is_empty())
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
        Series { name: name.into(), points, steps: false, spread: Vec::new() }
    }

    /// Adds a faint area in the colour of the curve, behind all others, for what the runs with all seeds do: points
    /// (x, least, largest), x not falling. A panel of more than [`SPREADS_MAX`] curves has none, as nobody could tell them
    /// apart.
    pub fn spread(mut self, points: Vec<(f64, f64, f64)>) -> Self {
        self.spread = points;
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

/// Draws `chart`, [`WIDTH`] or [`NARROW`] px wide. The y axis includes zero, but for a detail.
///
/// # Errors
/// No point at all; a coordinate that is not a finite number; a curve that goes back in x. The message names the curve.
pub fn time_series(chart: &TimeSeries) -> Result<Picture> {
    let (x_axis, y_axis) = axes(chart)?;
    let (form, page) = (chart.form, chart.form.width());
    let y_ticks = y_axis.labels();
    let left = 24.0 + y_ticks.iter().map(|tick| PLAIN.width(tick)).fold(0.0, f64::max);
    // In a narrow picture the legend has the names of the lines.
    let (beside, in_legend): (&[Reference], &[Reference]) =
        if form == Form::Wide { (&chart.references, &[]) } else { (&[], &chart.references) };
    let names = beside.iter().map(|reference| PLAIN.width(&reference.label)).fold(0.0, f64::max).min(180.0);
    let right = page - 24.0 - if names > 0.0 { names } else { 8.0 };
    let named = chart
        .series
        .iter()
        .enumerate()
        .map(|(index, series)| (series.name.clone(), Swatch::Curve(slot(index), dashes(index))));
    // In the colour of the curve if there is only one.
    let behind = if chart.series.len() == 1 { slot(0) } else { Colour::Axis };
    let area = chart.band.iter().map(|(name, _)| (name.clone(), Swatch::Area(behind, BAND)));
    // One entry for all; the axis colour would be too faint for it.
    let others = if chart.series.len() == 1 { behind } else { Colour::Grey };
    let others = chart.spreads().next().map(|_| ("all seeds".to_string(), Swatch::Area(others, SPREAD)));
    let columns = (right - left) as usize;
    // A page has many narrow ones.
    let fine = if form == Form::Wide { columns } else { columns / 2 };
    let swing = |series: &Series| swinging(&series.points, columns, y_axis.high - y_axis.low);
    // A detail shows the swings themselves.
    let swings: Vec<_> = chart.series.iter().map(|series| swing(series).filter(|_| form != Form::Detail)).collect();
    // Areas of several curves would hide each other.
    let several = chart.series.len() > 1;
    let swing = swings.iter().any(Option::is_some);
    let own_range = swing && !several && chart.band.is_none();
    let range = "least to largest, and mean".to_string();
    let explained = own_range.then_some((range, Swatch::Area(behind, BAND)));
    let means = match swing && !own_range {
        true if several => "; mean where one swings",
        true => "; line: mean",
        false => "",
    };
    let lines = in_legend.iter().map(|line| (line.label.clone(), Swatch::Curve(Colour::Ink, &[8.0, 6.0])));
    let entries = named.chain(area).chain(explained).chain(others).chain(lines).filter(|_| form != Form::Detail);
    let legend = Legend::new(entries, page - 32.0);
    let top = 48.0 + legend.height() + 32.0;
    let bottom = top
        + match form {
            Form::Wide => DATA_HEIGHT,
            Form::Narrow => NARROW_HEIGHT,
            Form::Detail => DETAIL_HEIGHT,
        };

    Ok(picture(page as u32, (bottom + 56.0) as u32, &chart.title, |canvas| {
        let font = if form == Form::Wide { TITLE } else { STRONG };
        canvas.text(&font.fit(&chart.title, page - 32.0), (16.0, 26.0), Anchor::Start, font);
        legend.paint(canvas, (16.0, 44.0));
        let y_label = QUIET.fit(&format!("{}{means}", chart.y_label), page - 32.0);
        canvas.text(&y_label, (16.0, top - 20.0), Anchor::Start, QUIET);
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
        for (index, series) in chart.spreads() {
            paint_band(canvas, &series.spread, columns / 2, &place, (slot(index), SPREAD));
        }
        if let Some((_, band)) = &chart.band {
            paint_band(canvas, band, fine, &place, (behind, BAND));
        }
        for (index, (series, swings)) in chart.series.iter().zip(&swings).enumerate() {
            let points = match swings {
                Some((range, means)) => {
                    if own_range {
                        paint_band(canvas, range, fine, &place, (behind, BAND));
                    }
                    means.clone()
                }
                None => series.outline(fine),
            };
            let placed = points.iter().map(|(x, y)| place(*x, *y));
            canvas.dashed_line(placed, slot(index), 1.5, dashes(index));
        }
        let heights = chart.references.iter().map(|reference| y_axis.place(reference.value, bottom, top));
        paint_references(canvas, &chart.references, &heights.collect::<Vec<_>>(), (left, right), form);
    }))
}

/// The area between the least and the largest value at each place, in `columns` columns at most: its colour, and how opaque
/// it is.
pub(super) fn paint_band(
    canvas: &mut Canvas,
    band: &[(f64, f64, f64)],
    columns: usize,
    place: &dyn Fn(f64, f64) -> (f64, f64),
    (colour, opacity): (Colour, f64),
) {
    let band = envelope(band, columns);
    if !band.is_empty() {
        let upper = band.iter().map(|(x, _, high)| place(*x, *high));
        let lower = band.iter().rev().map(|(x, low, _)| place(*x, *low));
        canvas.area(upper.chain(lower).collect::<Vec<_>>(), colour, opacity);
    }
}

/// Checks the data and spans the axes over it.
fn axes(chart: &TimeSeries) -> Result<(Axis, Axis)> {
    let mut x_range = (f64::INFINITY, f64::NEG_INFINITY);
    // A detail is enlarged.
    let mut y_range = if chart.form == Form::Detail { (f64::INFINITY, f64::NEG_INFINITY) } else { (0.0f64, 0.0f64) };
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
    let bands = chart.band.iter().map(|(_, band)| band).chain(chart.spreads().map(|(_, series)| &series.spread));
    for (x, low, high) in bands.flatten() {
        ensure!([x, low, high].iter().all(|value| value.is_finite()), "cannot draw the band at {x}: {low} to {high}");
        x_range = (x_range.0.min(*x), x_range.1.max(*x));
        y_range = (y_range.0.min(*low), y_range.1.max(*high));
    }
    for Reference { value, label } in &chart.references {
        ensure!(value.is_finite(), "cannot draw the line {label} at {value}");
        y_range = (y_range.0.min(*value), y_range.1.max(*value));
    }
    let (x_ticks, y_ticks) = match chart.form {
        Form::Wide => (7, 5),
        Form::Narrow => (5, 5),
        Form::Detail => (3, 3),
    };
    Ok((Axis::within(x_range.0, x_range.1, x_ticks), Axis::around(y_range.0, y_range.1, y_ticks)))
}

/// Dashed lines; in a wide picture with their names to the right of the data, where those that would overlap are moved
/// apart.
fn paint_references(
    canvas: &mut Canvas,
    references: &[Reference],
    heights: &[f64],
    (left, right): (f64, f64),
    form: Form,
) {
    let mut order: Vec<_> = (0..references.len()).collect();
    order.sort_by(|one, other| heights[*other].total_cmp(&heights[*one]));
    let mut above = f64::INFINITY;
    for index in order {
        canvas.reference(left, right, heights[index], Colour::Ink);
        if form != Form::Wide {
            continue;
        }
        let y = heights[index].min(above - 15.0);
        above = y;
        if y != heights[index] {
            canvas.line([(right, heights[index]), (right + 7.0, y)], Colour::Grey, 0.5);
        }
        let room = f64::from(WIDTH) - right - 12.0;
        canvas.text(&PLAIN.fit(&references[index].label, room), (right + 8.0, y), Anchor::Start, PLAIN);
    }
}
