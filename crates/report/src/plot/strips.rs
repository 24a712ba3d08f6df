// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each flow got in each run: a strip for each scheme, a line for each run, a dot for each flow.

use super::NARROW;
use super::axis::Axis;
use super::canvas::{Anchor, QUIET, STRONG, TITLE, picture};
use super::colour::{Colour, slot};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Height of the line of a run, in px.
const LINE: f64 = 7.0;
/// The same if there are many strips.
const LOW: f64 = 4.0;
/// More strips than this have lower lines.
const HIGH_MAX: usize = 4;
/// Height of the name above a strip, in px.
const NAME: f64 = 26.0;

/// One picture.
#[derive(Clone, Debug)]
pub struct Strips {
    /// Its title.
    pub title: String,
    /// Quantity and unit of the x axis.
    pub x_label: String,
    /// What every flow would have if all had the same.
    pub even: f64,
    /// Flows below this are starved: the area is marked.
    pub starved: f64,
    /// The strips from top to bottom.
    pub strips: Vec<Strip>,
}

/// A strip.
#[derive(Clone, Debug)]
pub struct Strip {
    /// Its name.
    pub name: String,
    /// For each run, from top to bottom, the value of each flow.
    pub runs: Vec<Vec<f64>>,
    /// The run that is drawn with filled dots.
    pub marked: usize,
}

/// Draws `chart`, [`NARROW`] px wide. The x axis begins at zero.
///
/// # Errors
/// No value at all; one that is negative or no number. The message names the strip.
pub fn strips(chart: &Strips) -> Result<Picture> {
    let values = |strip: &'_ Strip| strip.runs.iter().flatten().copied().collect::<Vec<f64>>();
    for strip in &chart.strips {
        let drawable = values(strip).iter().all(|value| value.is_finite() && *value >= 0.0);
        ensure!(drawable, "cannot draw {}: a value is negative or not a number", strip.name);
    }
    let all: Vec<f64> = chart.strips.iter().flat_map(values).collect();
    ensure!(!all.is_empty(), "cannot draw \"{}\": it has no values", chart.title);
    let axis = Axis::around(0.0, all.into_iter().fold(chart.even, f64::max), 5);
    let line = if chart.strips.len() > HIGH_MAX { LOW } else { LINE };
    let high = |strip: &Strip| NAME + strip.runs.len() as f64 * line + 8.0;
    let (left, right, top) = (24.0, f64::from(NARROW) - 28.0, 40.0);
    let bottom = top + chart.strips.iter().map(high).sum::<f64>();
    let place = |value: f64| axis.place(value, left, right);

    Ok(picture(NARROW, (bottom + 50.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, f64::from(NARROW) - 32.0), (16.0, 22.0), Anchor::Start, TITLE);
        for (tick, label) in axis.ticks.iter().zip(axis.labels()) {
            canvas.rule((place(*tick), bottom), (place(*tick), bottom + 5.0), Colour::Axis);
            canvas.text(&label, (place(*tick), bottom + 15.0), Anchor::Middle, QUIET);
        }
        let mut y = top;
        for (number, strip) in chart.strips.iter().enumerate() {
            canvas.text(
                &STRONG.fit(&strip.name, right - left - 8.0),
                (left + 6.0, y + NAME / 2.0),
                Anchor::Start,
                STRONG,
            );
            y += NAME;
            let end = y + strip.runs.len() as f64 * line;
            for tick in &axis.ticks {
                canvas.rule((place(*tick), y), (place(*tick), end), Colour::Grid);
            }
            canvas.rectangle((left, y), (place(chart.starved), end), Colour::Grid);
            canvas.dashed_line([(place(chart.even), y), (place(chart.even), end)], Colour::Ink, 1.0, &[8.0, 6.0]);
            for (run, flows) in strip.runs.iter().enumerate() {
                let middle = y + (run as f64 + 0.5) * line;
                let ends =
                    flows.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
                let marked = run == strip.marked;
                canvas.line([(place(ends.0), middle), (place(ends.1), middle)], Colour::Axis, 1.0);
                for flow in flows {
                    let radius = if marked { 0.5 * line + 0.5 } else { 0.36 * line };
                    canvas.circle((place(*flow), middle), radius, marked, slot(number));
                }
            }
            y = end + 8.0;
        }
        canvas.rule((left, bottom), (right, bottom), Colour::Axis);
        canvas.text(&chart.x_label, ((left + right) / 2.0, bottom + 36.0), Anchor::Middle, QUIET);
    }))
}
