// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resources as bars: one bar for each circuit, one colour for each block.

use super::WIDTH;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, PLAIN, QUIET, STRONG, TITLE, picture};
use super::colour::{Colour, slot};
use super::legend::{Legend, Swatch, paint_number};
use super::picture::Picture;
use crate::number::short;
use anyhow::{Result, ensure};

const ROW: f64 = 24.0;
pub(super) const BAR: f64 = 16.0;
const HEADING: f64 = 28.0;
/// The least width of a part of a bar with its number, in px.
const NUMBER: f64 = 17.0;

/// Groups of bars, each bar stacked from the same segments. The bars lie flat, so that long names stay legible and any
/// number of them fits.
#[derive(Clone, Debug)]
pub struct BarChart {
    title: String,
    value_label: String,
    segments: Vec<String>,
    groups: Vec<BarGroup>,
}

/// Bars under one heading, such as those of one FPGA family.
#[derive(Clone, Debug)]
pub struct BarGroup {
    name: String,
    bars: Vec<Bar>,
}

/// One bar, such as a scheme with its profile.
#[derive(Clone, Debug)]
pub struct Bar {
    name: String,
    values: Vec<f64>,
}

impl BarChart {
    /// An empty chart. `value_label` names quantity and unit (`LUTs`, `Fmax (MHz)`), `segments` what the parts of a bar
    /// are; with only one there is no legend.
    pub fn new(
        title: impl Into<String>,
        value_label: impl Into<String>,
        segments: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let segments = segments.into_iter().map(Into::into).collect();
        BarChart { title: title.into(), value_label: value_label.into(), segments, groups: Vec::new() }
    }

    /// Adds a group below those already there.
    pub fn group(mut self, group: BarGroup) -> Self {
        self.groups.push(group);
        self
    }
}

impl BarGroup {
    /// An empty group; an empty name leaves out the heading.
    pub fn new(name: impl Into<String>) -> Self {
        BarGroup { name: name.into(), bars: Vec::new() }
    }

    /// Adds a bar below those already there.
    pub fn bar(mut self, bar: Bar) -> Self {
        self.bars.push(bar);
        self
    }

    fn heading(&self) -> f64 {
        if self.name.is_empty() { 8.0 } else { HEADING }
    }
}

impl Bar {
    /// A bar with one value for each segment of the chart, in their order, none negative.
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Self {
        Bar { name: name.into(), values }
    }

    fn total(&self) -> f64 {
        self.values.iter().sum()
    }

    /// The text after the bar: its total.
    fn label(&self) -> String {
        short(self.total())
    }
}

/// Draws `chart`, [`WIDTH`] px wide and as high as it has bars. Parts of a bar have the number of their name in the legend.
///
/// # Errors
/// No bar at all; a bar without one value for each segment, or negative, or not finite. The message names the bar.
pub fn bars(chart: &BarChart) -> Result<Picture> {
    let all = || chart.groups.iter().flat_map(|group| &group.bars);
    ensure!(all().next().is_some(), "cannot draw \"{}\": it has no bars", chart.title);
    for bar in all().filter(|bar| !bar.values.is_empty()) {
        let (found, wanted) = (bar.values.len(), chart.segments.len());
        ensure!(found == wanted, "cannot draw the bar {}: {found} values for {wanted} segments", bar.name);
        for value in &bar.values {
            ensure!(value.is_finite() && *value >= 0.0, "cannot draw the bar {}: it has the value {value}", bar.name);
        }
    }
    let page = f64::from(WIDTH);
    let left = 28.0 + all().map(|bar| PLAIN.width(&bar.name)).fold(0.0, f64::max).min(240.0);
    let right = page - 20.0;
    let axis = Axis::within(0.0, span(all(), right - left), 6);
    let named = chart.segments.iter().enumerate();
    let named = named.map(|(index, name)| (name.clone(), Swatch::Block(slot(index), index + 1)));
    let legend = Legend::new(named.filter(|_| chart.segments.len() > 1), page - 32.0);
    let top = 50.0 + legend.height();
    let rows: f64 = chart.groups.iter().map(|group| group.heading() + group.bars.len() as f64 * ROW).sum();
    let bottom = top + rows + 6.0;

    Ok(picture(WIDTH, (bottom + 54.0) as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, page - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        legend.paint(canvas, (16.0, 44.0));
        for (tick, label) in axis.ticks.iter().zip(axis.labels()) {
            // The last one is near the edge.
            let x = axis.place(*tick, left, right).min(page - 6.0 - QUIET.width(&label) / 2.0);
            canvas.text(&label, (x, bottom + 14.0), Anchor::Middle, QUIET);
        }
        canvas.text(&chart.value_label, ((left + right) / 2.0, bottom + 36.0), Anchor::Middle, QUIET);
        let mut y = top;
        for group in &chart.groups {
            canvas.text(&STRONG.fit(&group.name, page - 32.0), (16.0, y + 16.0), Anchor::Start, STRONG);
            y += group.heading();
            let end = y + group.bars.len() as f64 * ROW;
            // Not through the headings.
            for tick in &axis.ticks {
                let x = axis.place(*tick, left, right);
                canvas.rule((x, y), (x, end), if *tick == 0.0 { Colour::Axis } else { Colour::Grid });
            }
            for bar in &group.bars {
                paint_bar(canvas, bar, y + ROW / 2.0, (left, right), &axis, chart.segments.len() > 1);
                y += ROW;
            }
        }
    }))
}

/// The range of an axis of `width` px that leaves room for the label after each bar; labels longer than half the width
/// are cut.
fn span<'a>(bars: impl Iterator<Item = &'a Bar>, width: f64) -> f64 {
    let needed = bars.map(|bar| bar.total() * width / (width - (PLAIN.width(&bar.label()) + 2.0).min(width / 2.0)));
    let most = needed.fold(0.0, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

/// One row: name, segments from `left` on, with their numbers if there are several, then the label.
fn paint_bar(canvas: &mut Canvas, bar: &Bar, y: f64, (left, right): (f64, f64), axis: &Axis, numbered: bool) {
    canvas.text(&PLAIN.fit(&bar.name, left - 28.0), (left - 8.0, y), Anchor::End, PLAIN);
    let (mut before, mut x) = (0.0, left);
    for (index, value) in bar.values.iter().enumerate() {
        before += value;
        let end = axis.place(before, left, right);
        if *value > 0.0 {
            canvas.rectangle((x, y - BAR / 2.0), (end, y + BAR / 2.0), slot(index));
            if numbered && end - x >= NUMBER {
                paint_number(canvas, index + 1, ((x + end) / 2.0, y), slot(index));
            }
        }
        x = end;
    }
    let room = f64::from(WIDTH) - 12.0 - x;
    let font = if bar.values.is_empty() { QUIET } else { PLAIN };
    canvas.text(&font.fit(&bar.label(), room), (x + 7.0, y), Anchor::Start, font);
}
