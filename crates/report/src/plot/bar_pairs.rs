// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two quantities side by side: a pair of bars for each scheme.

use super::NARROW;
use super::axis::Axis;
use super::canvas::{Anchor, PLAIN, QUIET, STRONG, TITLE, picture};
use super::colour::{Colour, slot};
use super::picture::Picture;
use crate::number::short;
use anyhow::{Result, ensure};

/// Height of one bar, in px.
const BAR: f64 = 13.0;
/// Height of the row of a scheme: its name, two bars.
const ROW: f64 = 2.0 * BAR + 10.0;
/// Height of the heading of a group.
const HEADING: f64 = 26.0;

/// A row: the name of a scheme, and both values.
type Row = (String, [f64; 2]);

/// One picture.
#[derive(Clone, Debug)]
pub struct BarPairs {
    /// Its title.
    pub title: String,
    /// Names of the first quantity, which is a filled bar, and of the second one, which is an outlined one.
    pub quantities: [String; 2],
    /// Groups: a heading, and a row for each scheme; no value is negative.
    pub groups: Vec<(String, Vec<Row>)>,
}

/// Draws `chart`, [`NARROW`] px wide and as high as it has rows. The first row of each group has the first colour, and so
/// on.
///
/// # Errors
/// No row at all; a value that is negative or no number. The message names the row.
pub fn bar_pairs(chart: &BarPairs) -> Result<Picture> {
    let rows = || chart.groups.iter().flat_map(|(_, rows)| rows);
    ensure!(rows().next().is_some(), "cannot draw \"{}\": it has no bars", chart.title);
    for (name, values) in rows() {
        let drawable = values.iter().all(|value| value.is_finite() && *value >= 0.0);
        ensure!(drawable, "cannot draw the bars {name}: {} and {}", values[0], values[1]);
    }
    let page = f64::from(NARROW);
    let left = 26.0 + rows().map(|(name, _)| PLAIN.width(name)).fold(0.0, f64::max).min(150.0);
    let right = page - 16.0;
    let beside =
        rows().flat_map(|(_, values)| *values).map(|value| PLAIN.width(&short(value))).fold(0.0, f64::max) + 8.0;
    let most = rows().flat_map(|(_, values)| *values).fold(0.0, f64::max);
    let axis = Axis { low: 0.0, high: if most > 0.0 { most } else { 1.0 }, ticks: Vec::new() };
    let top = 66.0;
    let high: f64 = chart.groups.iter().map(|(_, rows)| HEADING + rows.len() as f64 * ROW).sum();

    Ok(picture(NARROW, (top + high + 12.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, page - 32.0), (16.0, 22.0), Anchor::Start, TITLE);
        let mut x = 16.0;
        for (quantity, name) in chart.quantities.iter().enumerate() {
            let (from, to) = ((x, 46.0 - BAR / 2.0), (x + 24.0, 46.0 + BAR / 2.0));
            canvas.rectangle(from, to, Colour::Grey);
            if quantity == 1 {
                canvas.rectangle((from.0 + 1.5, from.1 + 1.5), (to.0 - 1.5, to.1 - 1.5), Colour::Paper);
            }
            canvas.text(name, (x + 31.0, 46.0), Anchor::Start, PLAIN);
            x += 31.0 + PLAIN.width(name) + 20.0;
        }
        let mut y = top;
        for (heading, rows) in &chart.groups {
            canvas.text(&STRONG.fit(heading, page - 32.0), (16.0, y + HEADING / 2.0), Anchor::Start, STRONG);
            y += HEADING;
            canvas.rule((left, y), (left, y + rows.len() as f64 * ROW), Colour::Axis);
            for (number, (name, values)) in rows.iter().enumerate() {
                canvas.text(&PLAIN.fit(name, left - 26.0), (left - 8.0, y + ROW / 2.0 - 2.0), Anchor::End, PLAIN);
                for (quantity, value) in values.iter().enumerate() {
                    let above = y + 3.0 + quantity as f64 * (BAR + 1.0);
                    let end = axis.place(*value, left, right - beside);
                    canvas.rectangle((left, above), (end, above + BAR), slot(number));
                    if quantity == 1 && end - left > 3.0 {
                        canvas.rectangle((left + 1.5, above + 1.5), (end - 1.5, above + BAR - 1.5), Colour::Paper);
                    }
                    let font = if quantity == 0 { PLAIN } else { QUIET };
                    canvas.text(&short(*value), (end + 6.0, above + BAR / 2.0), Anchor::Start, font);
                }
                y += ROW;
            }
        }
    }))
}
