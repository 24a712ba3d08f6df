//! Lines, rectangles and text in px, on the SVG backend of `plotters`.

use anyhow::{Context, Result};
use plotters::backend::DrawingBackend;
use plotters::prelude::{FontFamily, FontStyle, FontTransform, IntoFont, RGBColor, SVGBackend, ShapeStyle};
use plotters::style::TextStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const INK: RGBColor = RGBColor(0x22, 0x26, 0x2b);
pub(super) const GREY: RGBColor = RGBColor(0x5a, 0x62, 0x6c);
pub(super) const GRID: RGBColor = RGBColor(0xe3, 0xe6, 0xea);
pub(super) const AXIS: RGBColor = RGBColor(0x9a, 0xa1, 0xaa);
const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);

/// Height of ordinary text, in px.
pub(super) const TEXT: f64 = 13.0;

/// The backend counts in whole units; four to a px keep curves smooth.
const UNITS_PER_PX: f64 = 4.0;
/// What the backend divides a font size by.
const FONT_FACTOR: f64 = 1.24;

/// The colours of Okabe and Ito, which people with common forms of colour blindness can distinguish, without yellow,
/// which is not visible on white.
const PALETTE: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x6b, 0x6b, 0x6b),
];

/// The colour of the flow, block or scheme with this number: the same in every picture. The eighth to fourteenth are
/// darker shades of the first seven; then it starts again.
pub(super) fn colour(slot: usize) -> RGBColor {
    let RGBColor(red, green, blue) = PALETTE[slot % PALETTE.len()];
    if (slot / PALETTE.len()).is_multiple_of(2) {
        RGBColor(red, green, blue)
    } else {
        RGBColor(red / 2, green / 2, blue / 2)
    }
}

/// Which point of a text stands at the position given; the position is halfway up the text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Font {
    pub size: f64,
    pub bold: bool,
    pub colour: RGBColor,
}

pub(super) const PLAIN: Font = Font { size: TEXT, bold: false, colour: INK };
pub(super) const QUIET: Font = Font { size: TEXT, bold: false, colour: GREY };
pub(super) const STRONG: Font = Font { size: TEXT, bold: true, colour: INK };
pub(super) const TITLE: Font = Font { size: 16.0, bold: true, colour: INK };

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
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
}

/// The picture that `paint` draws on white paper of `width` by `height` px, as SVG. `title` is the text for a screen
/// reader.
pub(super) fn picture(
    width: u32,
    height: u32,
    title: &str,
    paint: impl FnOnce(&mut Canvas) -> Result<()>,
) -> Result<String> {
    let mut svg = String::new();
    let (units_wide, units_high) = (width * UNITS_PER_PX as u32, height * UNITS_PER_PX as u32);
    {
        let backend = SVGBackend::with_string(&mut svg, (units_wide, units_high));
        let mut canvas = Canvas { backend };
        canvas.rectangle((0.0, 0.0), (width.into(), height.into()), PAPER)?;
        paint(&mut canvas)?;
        canvas.backend.present()?;
    }
    let (_, body) = svg.split_once('>').context("plotters wrote no SVG")?;
    // The opening tag anew: sized in px, named, and with round joins, because pointed ones overshoot the peaks of an
    // oscillation.
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {units_wide} {units_high}\" stroke-linejoin=\"round\" role=\"img\" aria-label=\"{}\">{body}",
        crate::report::xml::escape(title)
    ))
}

fn units(point: (f64, f64)) -> (i32, i32) {
    ((point.0 * UNITS_PER_PX).round() as i32, (point.1 * UNITS_PER_PX).round() as i32)
}

impl Canvas<'_> {
    /// A line through `points`, `width` px wide.
    pub fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: RGBColor, width: f64) -> Result<()> {
        let stroke_width = (width * UNITS_PER_PX).round() as u32;
        let style = ShapeStyle { color: colour.into(), filled: false, stroke_width };
        Ok(self.backend.draw_path(points.into_iter().map(units), &style)?)
    }

    /// A thin line between two points that fills whole px rows or columns, for what must not look blurred: grid and
    /// axes.
    pub fn rule(&mut self, from: (f64, f64), to: (f64, f64), colour: RGBColor) -> Result<()> {
        self.line([from, to].map(|(x, y)| (x.floor() + 0.5, y.floor() + 0.5)), colour, 1.0)
    }

    /// A horizontal dashed line, 1 px wide, with a thin white rim that sets it off from curves below it.
    pub fn dashes(&mut self, from: f64, to: f64, y: f64, colour: RGBColor) -> Result<()> {
        let (mut x, y) = (from, y.floor() + 0.5);
        while x < to {
            let end = (x + 8.0).min(to);
            self.line([(x, y), (end, y)], PAPER, 2.0)?;
            self.line([(x, y), (end, y)], colour, 1.0)?;
            x += 14.0;
        }
        Ok(())
    }

    /// A line of dashes through `points`, `width` px wide.
    pub fn dashed_line(&mut self, points: &[(f64, f64)], colour: RGBColor, width: f64) -> Result<()> {
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let at = |way: f64| {
                let share = (way / length).min(1.0);
                (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
            };
            let mut way = 0.0;
            while way < length {
                self.line([at(way), at(way + 7.0)], colour, width)?;
                way += 12.0;
            }
        }
        Ok(())
    }

    /// A filled rectangle between two corners.
    pub fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), colour: RGBColor) -> Result<()> {
        let style = ShapeStyle { color: colour.into(), filled: true, stroke_width: 0 };
        Ok(self.backend.draw_rect(units(from), units(to), &style, true)?)
    }

    /// One line of text; an empty one leaves no trace.
    pub fn text(&mut self, text: &str, at: (f64, f64), anchor: Anchor, font: Font) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let weight = if font.bold { FontStyle::Bold } else { FontStyle::Normal };
        let family = FontFamily::Name("Helvetica, Arial, sans-serif");
        let shape = (family, font.size * UNITS_PER_PX * FONT_FACTOR).into_font().style(weight);
        let across = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let style = TextStyle::from(shape.transform(FontTransform::None))
            .color(&font.colour)
            .pos(Pos::new(across, VPos::Center));
        // XML has no way to write control characters.
        let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        Ok(self.backend.draw_text(&text, &style, units(at))?)
    }
}
