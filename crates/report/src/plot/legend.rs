// SPDX-License-Identifier: MIT OR Apache-2.0
//! The legend: a strip of its own above the data, in as many lines as it needs.

use super::canvas::{Anchor, Canvas, Font, PLAIN};
use super::colour::Colour;

/// Names shown at most; of more, the rest are counted.
const MOST: usize = 21;
const LINE: f64 = 20.0;
const SWATCH: f64 = 26.0;
/// How opaque an area behind curves is.
pub(super) const BAND: f64 = 0.25;
/// How opaque the area is that other runs take, which can lie behind several curves and their areas.
pub(super) const SPREAD: f64 = 0.16;

/// Entries laid out in a given width.
pub(super) struct Legend {
    entries: Vec<Entry>,
}

/// A name at its place. Without colour it is plain text.
struct Entry {
    x: f64,
    line: usize,
    name: String,
    swatch: Option<Swatch>,
}

/// The sample of a curve or a block.
pub(super) enum Swatch {
    /// A block with its number.
    Block(Colour, usize),
    /// A curve with its dashes.
    Curve(Colour, &'static [f64]),
    /// An area behind curves, and how opaque it is.
    Area(Colour, f64),
}

impl Legend {
    /// A strip `width` px wide for names with their samples.
    pub fn new(names: impl IntoIterator<Item = (String, Swatch)>, width: f64) -> Self {
        let mut names: Vec<(String, Option<Swatch>)> =
            names.into_iter().map(|(name, swatch)| (name, Some(swatch))).collect();
        if names.len() > MOST {
            let rest = names.len() - (MOST - 1);
            names.truncate(MOST - 1);
            names.push((format!("and {rest} more"), None));
        }
        Self::laid_out(names, width)
    }

    /// As [`Legend::new`], with all names, however many.
    pub fn whole(names: impl IntoIterator<Item = (String, Swatch)>, width: f64) -> Self {
        Self::laid_out(names.into_iter().map(|(name, swatch)| (name, Some(swatch))), width)
    }

    fn laid_out(names: impl IntoIterator<Item = (String, Option<Swatch>)>, width: f64) -> Self {
        let (mut x, mut line) = (0.0, 0);
        let mut entries = Vec::new();
        for (name, swatch) in names {
            let before = if swatch.is_some() { SWATCH + 6.0 } else { 0.0 };
            let name = PLAIN.fit(&name, width - before);
            let needed = before + PLAIN.width(&name);
            if x > 0.0 && x + needed > width {
                (x, line) = (0.0, line + 1);
            }
            entries.push(Entry { x, line, name, swatch });
            x += needed + 18.0;
        }
        Legend { entries }
    }

    /// Height in px.
    pub fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |last| (last.line + 1) as f64 * LINE)
    }

    /// Draws it with its top left corner at `at`.
    pub fn paint(&self, canvas: &mut Canvas, at: (f64, f64)) {
        for Entry { x, line, name, swatch } in &self.entries {
            let (mut x, y) = (at.0 + x, at.1 + (*line as f64 + 0.5) * LINE);
            match swatch {
                Some(Swatch::Block(colour, number)) => {
                    canvas.rectangle((x, y - 7.0), (x + SWATCH, y + 7.0), *colour);
                    paint_number(canvas, *number, (x + SWATCH / 2.0, y), *colour);
                }
                Some(Swatch::Curve(colour, dashes)) => {
                    canvas.dashed_line([(x, y), (x + SWATCH, y)], *colour, 2.5, dashes);
                }
                Some(Swatch::Area(colour, opacity)) => {
                    let (right, above, below) = (x + SWATCH, y - 7.0, y + 7.0);
                    canvas.area([(x, above), (right, above), (right, below), (x, below)], *colour, *opacity);
                }
                None => {}
            }
            x += if swatch.is_some() { SWATCH + 6.0 } else { 0.0 };
            canvas.text(name, (x, y), Anchor::Start, PLAIN);
        }
    }
}

/// The number of a block in its middle, legible on its colour.
pub(super) fn paint_number(canvas: &mut Canvas, number: usize, at: (f64, f64), block: Colour) {
    // On dark paper all blocks are lighter, and paper is dark: this is right on both.
    let colour = if block.lightness() > 150.0 { Colour::Fixed(0x14, 0x17, 0x1a) } else { Colour::Paper };
    canvas.text(&number.to_string(), at, Anchor::Middle, Font { size: 11.0, bold: true, colour });
}
