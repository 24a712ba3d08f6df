// SPDX-License-Identifier: MIT OR Apache-2.0
//! A picture as PNG, drawn by `tiny-skia` with a font that is in the program: it looks the same on every machine.

use super::colour::Colour;
use super::picture::{Anchor, BASE_LINE, Font, Mark, Picture};
use anyhow::{Context, Result};
use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Shader, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

/// Pixels a px.
const SCALE: f32 = 2.0;
/// Width of the outline of a circle, in px.
const OUTLINE: f32 = 1.25;

/// The octets of the file.
pub(super) fn file(picture: &Picture) -> Result<Vec<u8>> {
    let face = |octets| Face::parse(octets, 0).context("the font of the program is broken");
    let faces = [face(ttf_noto_sans::REGULAR)?, face(ttf_noto_sans::BOLD)?];
    let pixels = |px: u32| (px as f32 * SCALE) as u32;
    let (width, height) = picture.size;
    let mut pixmap = Pixmap::new(pixels(width), pixels(height))
        .with_context(|| format!("cannot draw \"{}\": it has {width} by {height} px", picture.title))?;
    picture.marks.iter().for_each(|mark| draw(&mut pixmap, mark, &faces));
    pixmap.encode_png().with_context(|| format!("cannot write \"{}\" as PNG", picture.title))
}

fn paint(colour: Colour, opacity: f64) -> Paint<'static> {
    let [red, green, blue] = colour.on_white();
    let opacity = (opacity * 255.0).round() as u8;
    Paint { shader: Shader::SolidColor(Color::from_rgba8(red, green, blue, opacity)), ..Paint::default() }
}

/// A path through points; `None` if there is nothing to draw.
fn path(points: &[(f64, f64)], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, (x, y)) in points.iter().enumerate() {
        if index == 0 { builder.move_to(*x as f32, *y as f32) } else { builder.line_to(*x as f32, *y as f32) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn draw(pixmap: &mut Pixmap, mark: &Mark, faces: &[Face; 2]) {
    let scale = Transform::from_scale(SCALE, SCALE);
    let fill = |pixmap: &mut Pixmap, path: &Path, paint: &Paint| {
        pixmap.fill_path(path, paint, FillRule::Winding, scale, None);
    };
    match mark {
        Mark::Line(points, width, dashes, colour) => {
            let dash = StrokeDash::new(dashes.iter().map(|length| *length as f32).collect(), 0.0);
            let stroke = Stroke { width: *width as f32, line_join: LineJoin::Round, dash, ..Stroke::default() };
            if let Some(path) = path(points, false) {
                pixmap.stroke_path(&path, &paint(*colour, 1.0), &stroke, scale, None);
            }
        }
        Mark::Rectangle(from, to, colour) => {
            if let Some(place) = Rect::from_ltrb(from.0 as f32, from.1 as f32, to.0 as f32, to.1 as f32) {
                pixmap.fill_rect(place, &paint(*colour, 1.0), scale, None);
            }
        }
        Mark::Area(points, opacity, colour) => {
            if let Some(path) = path(points, true) {
                fill(pixmap, &path, &paint(*colour, *opacity));
            }
        }
        Mark::Circle((x, y), radius, filled, colour) => {
            let Some(path) = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32) else { return };
            if *filled {
                fill(pixmap, &path, &paint(*colour, 1.0));
            } else {
                let stroke = Stroke { width: OUTLINE, ..Stroke::default() };
                pixmap.stroke_path(&path, &paint(*colour, 1.0), &stroke, scale, None);
            }
        }
        Mark::Text(text, at, anchor, font) => {
            if let Some(path) = outline(text, *at, *anchor, *font, &faces[usize::from(font.bold)]) {
                fill(pixmap, &path, &paint(font.colour, 1.0));
            }
        }
    }
}

/// The outline of a text.
fn outline(text: &str, (x, y): (f64, f64), anchor: Anchor, font: Font, face: &Face) -> Option<Path> {
    let scale = font.size as f32 / f32::from(face.units_per_em());
    // A letter that the font does not have is its glyph 0, a box.
    let glyphs: Vec<_> = text.chars().map(|letter| face.glyph_index(letter).unwrap_or_default()).collect();
    let advance = |glyph| f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    let width: f32 = glyphs.iter().copied().map(advance).sum();
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let at = (x as f32 - before, (y + BASE_LINE * font.size) as f32);
    let mut letters = Letters { builder: PathBuilder::new(), at, scale };
    for glyph in glyphs {
        face.outline_glyph(glyph, &mut letters);
        letters.at.0 += advance(glyph);
    }
    letters.builder.finish()
}

/// Takes the outlines of letters, each at its place.
struct Letters {
    builder: PathBuilder,
    at: (f32, f32),
    scale: f32,
}

impl Letters {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.at.0 + x * self.scale, self.at.1 - y * self.scale)
    }
}

impl OutlineBuilder for Letters {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
