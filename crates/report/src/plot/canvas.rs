// SPDX-License-Identifier: MIT OR Apache-2.0
//! What charts draw with: lines, areas and text in px.

use super::colour::Colour;
use super::picture::{Mark, Picture};

pub(super) use super::picture::{Anchor, Font};

/// Height of ordinary text, in px.
pub(super) const TEXT: f64 = 14.0;

pub(super) const PLAIN: Font = Font { size: TEXT, bold: false, colour: Colour::Ink };
pub(super) const QUIET: Font = Font { size: TEXT, bold: false, colour: Colour::Grey };
pub(super) const STRONG: Font = Font { size: TEXT, bold: true, colour: Colour::Ink };
pub(super) const TITLE: Font = Font { size: 16.0, bold: true, colour: Colour::Ink };

/// Dashes and gaps in px of the curve with each number, so that curves can be told apart without colours; then they start
/// again. The first is solid.
const DASHES: [&[f64]; 8] = [
    &[],
    &[8.0, 4.0],
    &[2.0, 3.0],
    &[10.0, 3.0, 2.0, 3.0],
    &[18.0, 4.0],
    &[4.0, 7.0],
    &[12.0, 3.0, 2.0, 3.0, 2.0, 3.0],
    &[5.0, 2.0],
];

/// The dashes of the curve with this number.
pub(super) fn dashes(number: usize) -> &'static [f64] {
    DASHES[number % DASHES.len()]
}

impl Font {
    /// Estimated width of `text` in px; on the wide side of what Helvetica, Arial and DejaVu need.
    pub fn width(self, text: &str) -> f64 {
        let ems: f64 = text
            .chars()
            .map(|letter| match letter {
                'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | ' ' | '(' | ')' | '[' | ']' => 0.36,
                'f' | 't' | 'r' | '/' | '-' => 0.42,
                'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
                'A'..='Z' => 0.73,
                _ => 0.62,
            })
            .sum();
        ems * self.size * if self.bold { 1.1 } else { 1.0 }
    }

    /// `text`, cut with an ellipsis where it would be wider than `width` px.
    pub fn fit(self, text: &str, width: f64) -> String {
        // A hundredth of slack: a width that went through a sum and back must still fit.
        if self.width(text) <= width + 0.01 {
            return text.to_string();
        }
        let mut kept: String = text.to_string();
        while kept.pop().is_some() && self.width(&kept) + self.width("…") > width {}
        kept.trim_end().to_string() + "…"
    }
}

/// A surface to paint on, measured in px from the top left corner.
pub(super) struct Canvas {
    marks: Vec<Mark>,
}

/// The picture that `paint` draws on paper of `width` by `height` px. `title` is the text for a screen reader.
pub(super) fn picture(width: u32, height: u32, title: &str, paint: impl FnOnce(&mut Canvas)) -> Picture {
    let mut canvas = Canvas { marks: Vec::new() };
    canvas.rectangle((0.0, 0.0), (width.into(), height.into()), Colour::Paper);
    paint(&mut canvas);
    Picture { size: (width, height), title: title.into(), marks: canvas.marks }
}

impl Canvas {
    /// A line through `points`, `width` px wide.
    pub fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: Colour, width: f64) {
        self.dashed_line(points, colour, width, &[]);
    }

    /// The same with dashes and gaps of these lengths in px.
    pub fn dashed_line(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        colour: Colour,
        width: f64,
        dashes: &'static [f64],
    ) {
        self.marks.push(Mark::Line(points.into_iter().collect(), width, dashes, colour));
    }

    /// A thin line between two points that fills whole px rows or columns, for what must not look blurred: grid and
    /// axes.
    pub fn rule(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour) {
        self.line([from, to].map(|(x, y)| (x.floor() + 0.5, y.floor() + 0.5)), colour, 1.0);
    }

    /// A horizontal dashed line, 1 px wide, with a thin rim that sets it off from curves below it.
    pub fn reference(&mut self, from: f64, to: f64, y: f64, colour: Colour) {
        let ends = [(from, y.floor() + 0.5), (to, y.floor() + 0.5)];
        self.dashed_line(ends, Colour::Paper, 2.5, &[8.0, 6.0]);
        self.dashed_line(ends, colour, 1.0, &[8.0, 6.0]);
    }

    /// A filled rectangle between two corners.
    pub fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour) {
        let (left, right) = (from.0.min(to.0), from.0.max(to.0));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        self.marks.push(Mark::Rectangle((left, top), (right, bottom), colour));
    }

    /// A filled area between points; `opacity` is 0 to 1.
    pub fn area(&mut self, around: impl IntoIterator<Item = (f64, f64)>, colour: Colour, opacity: f64) {
        self.marks.push(Mark::Area(around.into_iter().collect(), opacity, colour));
    }

    /// A circle: filled, or only its outline.
    pub fn circle(&mut self, at: (f64, f64), radius: f64, filled: bool, colour: Colour) {
        self.marks.push(Mark::Circle(at, radius, filled, colour));
    }

    /// One line of text; an empty one leaves no trace.
    pub fn text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font) {
        if !text.is_empty() {
            // XML has no way to write control characters.
            let text = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
            self.marks.push(Mark::Text(text, at, anchor, font));
        }
    }
}
