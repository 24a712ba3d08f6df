// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value over two keys as shades, a panel for each variant.

use super::WIDTH;
use super::canvas::{Anchor, Canvas, Font, PLAIN, QUIET, STRONG, TITLE, picture};
use super::colour::Colour;
use super::picture::Picture;
use crate::number::{short, short_or_sign};
use anyhow::{Result, ensure};

/// Height of the cells of a panel together, in px, if there are not many.
const CELLS_HIGH: f64 = 260.0;
/// Bounds of the height of a cell, in px.
const CELL_HIGH: [f64; 2] = [8.0, 36.0];
/// Steps of the scale that is drawn.
const SCALE_STEPS: usize = 50;
const SCALE_WIDTH: f64 = 240.0;

/// Light to dark, so that the order also shows in print without colours (ColorBrewer's YlGnBu).
const SHADES: [[f64; 3]; 5] =
    [[255.0, 255.0, 217.0], [199.0, 233.0, 180.0], [65.0, 182.0, 196.0], [34.0, 94.0, 168.0], [8.0, 29.0, 88.0]];

/// One picture.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// Its title: the quantity.
    pub title: String,
    /// Unit of the values; empty if they have none.
    pub unit: String,
    /// The key from left to right.
    pub x_label: String,
    /// The key from bottom to top.
    pub y_label: String,
    /// Names of the columns.
    pub x: Vec<String>,
    /// Names of the rows, from bottom to top.
    pub y: Vec<String>,
    /// The panels, on one scale.
    pub panels: Vec<HeatPanel>,
}

/// The cells of a variant.
#[derive(Clone, Debug)]
pub struct HeatPanel {
    /// Its name.
    pub name: String,
    /// Values row by row; one that is no number is a white cell.
    pub rows: Vec<Vec<f64>>,
}

/// The shade of a value from 0 to 1.
fn shade(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (SHADES.len() - 1) as f64;
    let below = (place as usize).min(SHADES.len() - 2);
    let mix = |channel: usize| {
        let (low, high) = (SHADES[below][channel], SHADES[below + 1][channel]);
        (low + (place - below as f64) * (high - low)).round() as u8
    };
    Colour::Fixed(mix(0), mix(1), mix(2))
}

/// Draws `chart`.
///
/// # Errors
/// It has no cells, or rows of other lengths than the names of its columns.
pub fn heat_map(chart: &HeatMap) -> Result<Picture> {
    let HeatMap { x, y, panels, .. } = chart;
    ensure!(!x.is_empty() && !y.is_empty() && !panels.is_empty(), "cannot draw \"{}\": it has no cells", chart.title);
    for HeatPanel { name, rows } in panels {
        let fits = rows.len() == y.len() && rows.iter().all(|row| row.len() == x.len());
        ensure!(fits, "cannot draw {name}: expected {} rows of {} cells", y.len(), x.len());
    }
    let finite = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
    let share = |value: f64| if low < high { (value - low) / (high - low) } else { 0.5 };

    let label_width = y.iter().map(|name| PLAIN.width(name)).fold(0.0, f64::max).min(130.0);
    let panel_wide = f64::from(WIDTH) - 16.0;
    let (left, cells_wide) = (16.0 + label_width, panel_wide - label_width - 32.0);
    let cell_wide = cells_wide / x.len() as f64;
    let cell_high = (CELLS_HIGH / y.len() as f64).clamp(CELL_HIGH[0], CELL_HIGH[1]);
    let cells_high = cell_high * y.len() as f64;
    let panel_high = cells_high + 106.0;
    let height = 84.0 + panels.len() as f64 * panel_high;

    Ok(picture(WIDTH, height as u32, &chart.title, |canvas| {
        canvas.text(&TITLE.fit(&chart.title, f64::from(WIDTH) - 32.0), (16.0, 26.0), Anchor::Start, TITLE);
        if low <= high {
            paint_scale(canvas, low, high, &chart.unit);
        }
        for (number, panel) in panels.iter().enumerate() {
            let at = (8.0, 84.0 + number as f64 * panel_high);
            let (start, top) = (at.0 + left, at.1 + 44.0);
            canvas.text(&STRONG.fit(&panel.name, panel_wide - 32.0), (at.0 + 8.0, at.1 + 8.0), Anchor::Start, STRONG);
            canvas.text(&QUIET.fit(&chart.y_label, panel_wide - 32.0), (at.0 + 8.0, at.1 + 28.0), Anchor::Start, QUIET);
            for (row, values) in panel.rows.iter().enumerate() {
                let above = top + (y.len() - 1 - row) as f64 * cell_high;
                for (column, value) in values.iter().enumerate() {
                    let from = (start + column as f64 * cell_wide, above);
                    let size = (cell_wide, cell_high);
                    paint_cell(canvas, from, size, *value, value.is_finite().then(|| shade(share(*value))));
                }
            }
            let every = (15.0 / cell_high).ceil() as usize;
            for (row, name) in y.iter().enumerate().step_by(every) {
                let middle = top + (y.len() - 1 - row) as f64 * cell_high + cell_high / 2.0;
                canvas.text(&QUIET.fit(name, label_width), (start - 8.0, middle), Anchor::End, QUIET);
            }
            let widest = x.iter().map(|name| QUIET.width(name)).fold(0.0, f64::max) + 10.0;
            let every = ((widest / cell_wide).ceil() as usize).max(1);
            for (column, name) in x.iter().enumerate().step_by(every) {
                let middle = start + (column as f64 + 0.5) * cell_wide;
                let name = QUIET.fit(name, every as f64 * cell_wide);
                canvas.text(&name, (middle, top + cells_high + 14.0), Anchor::Middle, QUIET);
            }
            let middle = start + cells_wide / 2.0;
            let label = QUIET.fit(&chart.x_label, cells_wide);
            canvas.text(&label, (middle, top + cells_high + 36.0), Anchor::Middle, QUIET);
        }
    }))
}

/// The scale under the title.
fn paint_scale(canvas: &mut Canvas, low: f64, high: f64, unit: &str) {
    let (top, step) = (44.0, SCALE_WIDTH / SCALE_STEPS as f64);
    for number in 0..SCALE_STEPS {
        // Each step reaches under the next one, so that no light shows between them.
        let (from, to) = (16.0 + number as f64 * step, 16.0 + ((number + 2) as f64 * step).min(SCALE_WIDTH));
        canvas.rectangle((from, top), (to, top + 12.0), shade((number as f64 + 0.5) / SCALE_STEPS as f64));
    }
    let y = top + 24.0;
    canvas.text(&short(low), (16.0, y), Anchor::Start, QUIET);
    canvas.text(&short((low + high) / 2.0), (16.0 + SCALE_WIDTH / 2.0, y), Anchor::Middle, QUIET);
    canvas.text(&short(high), (16.0 + SCALE_WIDTH, y), Anchor::End, QUIET);
    canvas.text(unit, (16.0 + SCALE_WIDTH + 12.0, top + 6.0), Anchor::Start, QUIET);
}

/// A cell with its value, if there is room for it.
fn paint_cell(canvas: &mut Canvas, from: (f64, f64), size: (f64, f64), value: f64, shade: Option<Colour>) {
    let fill = shade.unwrap_or(Colour::Paper);
    let to = (from.0 + size.0, from.1 + size.1);
    if shade.is_none() {
        canvas.rectangle(from, to, Colour::Grid);
        canvas.rectangle((from.0 + 1.0, from.1 + 1.0), (to.0 - 1.0, to.1 - 1.0), fill);
    } else {
        canvas.rectangle(from, to, fill);
    }
    let text = short_or_sign(value);
    // Shades are the same on any paper, and so is what is written on them.
    let colour = match shade {
        None => Colour::Grey,
        Some(shade) if shade.lightness() > 140.0 => Colour::Fixed(0x22, 0x26, 0x2b),
        Some(_) => Colour::Fixed(0xff, 0xff, 0xff),
    };
    let font = Font { size: 12.0, bold: false, colour };
    if size.1 >= 15.0 && font.width(&text) + 6.0 <= size.0 {
        canvas.text(&text, (from.0 + size.0 / 2.0, from.1 + size.1 / 2.0), Anchor::Middle, font);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_value_is_darker() {
        let lights: Vec<f64> = (0..=100).map(|number| shade(f64::from(number) / 100.0).lightness()).collect();
        assert!(lights.windows(2).all(|pair| pair[1] < pair[0]), "{lights:?}");
    }

    fn map(rows: Vec<Vec<f64>>) -> HeatMap {
        HeatMap {
            title: "queue".into(),
            unit: "KB".into(),
            x_label: "w".into(),
            y_label: "q0_bytes".into(),
            x: vec!["1".into(), "2".into()],
            y: vec!["low".into(), "high".into()],
            panels: vec![HeatPanel { name: "SMCC".into(), rows }],
        }
    }

    #[test]
    fn cells_scale_and_names_are_there() {
        let svg = heat_map(&map(vec![vec![1.0, 3.0], vec![f64::NAN, f64::INFINITY]])).unwrap().element();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).map(str::trim).collect();
        for wanted in ["queue", "KB", "w", "q0_bytes", "low", "high", "SMCC", "1", "2", "3", "–", "∞"] {
            assert!(texts.contains(&wanted), "no {wanted} in {texts:?}");
        }
        assert!(heat_map(&map(vec![vec![1.0]])).is_err());
        assert!(heat_map(&map(vec![vec![f64::NAN; 2], vec![f64::NAN; 2]])).is_ok());
    }
}
