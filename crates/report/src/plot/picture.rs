// SPDX-License-Identifier: MIT OR Apache-2.0
//! A drawn picture: lines, areas and text at their places, to be written as SVG or as PNG.

use super::colour::Colour;
use super::{png, svg};
use anyhow::Result;

/// A picture. The same input gives the same picture, and the same bytes of each file.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Width and height in px.
    pub(super) size: (u32, u32),
    /// The text for a screen reader.
    pub(super) title: String,
    /// What is drawn, from back to front.
    pub(super) marks: Vec<Mark>,
}

/// Something drawn; all lengths are in px, from the top left corner.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Mark {
    /// A line through points, of a width, with the lengths of dashes and gaps (none: solid).
    Line(Vec<(f64, f64)>, f64, &'static [f64], Colour),
    /// A filled rectangle between its top left and its bottom right corner.
    Rectangle((f64, f64), (f64, f64), Colour),
    /// A filled area between points, and how opaque it is (0 to 1).
    Area(Vec<(f64, f64)>, f64, Colour),
    /// A circle around a point, of a radius: filled, or only its outline.
    Circle((f64, f64), f64, bool, Colour),
    /// A line of text, halfway up at a point.
    Text(String, (f64, f64), Anchor, Font),
}

/// Which point of a text stands at the position given; the position is halfway up the text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Font {
    pub size: f64,
    pub bold: bool,
    pub colour: Colour,
}

/// How far below its position the base line of a text is, in its size.
pub(super) const BASE_LINE: f64 = 0.36;

impl Picture {
    /// Its width in px.
    pub fn width(&self) -> u32 {
        self.size.0
    }

    /// Its height in px.
    pub fn height(&self) -> u32 {
        self.size.1
    }

    /// The text of an SVG file, which is dark where the reader's screen is.
    pub fn svg(&self) -> String {
        svg::file(self)
    }

    /// An `svg` element for a page, whose style sheet has the rules for dark paper.
    pub(crate) fn element(&self) -> String {
        svg::element(self)
    }

    /// The octets of a PNG file, on white paper, with twice as many pixels as the picture has px.
    ///
    /// # Errors
    /// A size that no PNG can have.
    pub fn png(&self) -> Result<Vec<u8>> {
        png::file(self)
    }
}
