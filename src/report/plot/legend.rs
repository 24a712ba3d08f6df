//! The legend: a strip of its own above the data, in as many lines as it needs.

use super::canvas::{Anchor, Canvas, PLAIN};
use anyhow::Result;
use plotters::prelude::RGBColor;

/// Names shown at most; of more, the rest are counted.
const MOST: usize = 21;
const LINE: f64 = 20.0;
const SWATCH: f64 = 18.0;

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
struct Swatch {
    colour: RGBColor,
    dashed: bool,
}

impl Legend {
    /// A strip `width` px wide for `names` with their colours.
    pub fn new(names: impl IntoIterator<Item = (String, RGBColor)>, width: f64) -> Self {
        Legend::with_dashes(names.into_iter().map(|(name, colour)| (name, colour, false)), width)
    }

    /// The same, of which some are dashed.
    pub fn with_dashes(names: impl IntoIterator<Item = (String, RGBColor, bool)>, width: f64) -> Self {
        let swatch = |(name, colour, dashed)| (name, Some(Swatch { colour, dashed }));
        let mut names: Vec<(String, Option<Swatch>)> = names.into_iter().map(swatch).collect();
        if names.len() > MOST {
            let rest = names.len() - (MOST - 1);
            names.truncate(MOST - 1);
            names.push((format!("and {rest} more"), None));
        }
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

    /// Draws it with its top left corner at `at`, the colours as bars `thickness` px high.
    pub fn paint(&self, canvas: &mut Canvas, at: (f64, f64), thickness: f64) -> Result<()> {
        for Entry { x, line, name, swatch } in &self.entries {
            let (mut x, y) = (at.0 + x, at.1 + (*line as f64 + 0.5) * LINE);
            if let Some(Swatch { colour, dashed }) = swatch {
                let pieces = if *dashed { &[(0.0, 7.0), (11.0, SWATCH)][..] } else { &[(0.0, SWATCH)] };
                for (from, to) in pieces {
                    canvas.rectangle((x + from, y - thickness / 2.0), (x + to, y + thickness / 2.0), *colour)?;
                }
                x += SWATCH + 6.0;
            }
            canvas.text(name, (x, y), Anchor::Start, PLAIN)?;
        }
        Ok(())
    }
}
