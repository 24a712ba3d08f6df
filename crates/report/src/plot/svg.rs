// SPDX-License-Identifier: MIT OR Apache-2.0
//! A picture as SVG.

use super::colour::{Colour, dark_rules, hexadecimal};
use super::picture::{Anchor, BASE_LINE, Font, Mark, Picture};
use crate::xml::escape;
use std::fmt::Write;

/// Whole units a px: they keep curves smooth and files small.
const UNITS_PER_PX: f64 = 4.0;

/// A file that can stand alone.
pub(super) fn file(picture: &Picture) -> String {
    let style = format!("<style>@media (prefers-color-scheme:dark){{{}}}</style>\n", dark_rules(""));
    written(picture, " xmlns=\"http://www.w3.org/2000/svg\"", &style)
}

/// An element of a page.
pub(super) fn element(picture: &Picture) -> String {
    written(picture, "", "")
}

fn written(picture: &Picture, namespace: &str, style: &str) -> String {
    let (width, height) = picture.size;
    // Round joins, because pointed ones overshoot the peaks of an oscillation.
    let mut svg = format!(
        "<svg{namespace} width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" \
         font-family=\"Helvetica, Arial, sans-serif\" fill=\"none\" stroke-linejoin=\"round\" role=\"img\" \
         aria-label=\"{}\">\n{style}",
        units(width.into()),
        units(height.into()),
        escape(&picture.title)
    );
    for mark in &picture.marks {
        write(&mut svg, mark).expect("a String takes any text");
    }
    svg + "</svg>\n"
}

fn units(px: f64) -> i64 {
    (px * UNITS_PER_PX).round() as i64
}

/// A path through the points without those that change nothing: the same twice, and one on the way along a level stretch.
/// Each but the first stands as its way from the one before, which takes half the characters of its place.
fn path(points: &[(f64, f64)]) -> String {
    let mut kept: Vec<(i64, i64)> = Vec::with_capacity(points.len());
    for (x, y) in points.iter().map(|(x, y)| (units(*x), units(*y))) {
        if kept.last() == Some(&(x, y)) && points.len() > 2 {
            continue;
        }
        if let [.., before, last] = kept[..]
            && before.1 == last.1
            && last.1 == y
            && (before.0 <= last.0) == (last.0 <= x)
        {
            kept.pop();
        }
        kept.push((x, y));
    }
    let mut text = kept.first().map(|(x, y)| format!("M{x},{y}")).unwrap_or_default();
    let mut before = ' ';
    for pair in kept.windows(2) {
        let (command, way) = match (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1) {
            (right, 0) => ('h', right.to_string()),
            (0, down) => ('v', down.to_string()),
            (right, down) => ('l', format!("{right},{down}")),
        };
        // A command that stands once counts for all numbers behind it.
        text.push(if command == before { ' ' } else { command });
        text += &way;
        before = command;
    }
    text
}

/// The attributes that fill (`fill`) or draw (`stroke`) something in a colour. A colour with a class is that of the
/// element, which a style sheet can change.
fn painted(how: &str, colour: Colour) -> String {
    let white = hexadecimal(colour.on_white());
    match colour.class() {
        Some(class) => format!("class=\"{class}\" color=\"{white}\" {how}=\"currentColor\""),
        None => format!("{how}=\"{white}\""),
    }
}

fn write(svg: &mut String, mark: &Mark) -> std::fmt::Result {
    match mark {
        Mark::Line(through, width, dashes, colour) => {
            let dashes = match dashes {
                [] => String::new(),
                dashes => {
                    let lengths: Vec<_> = dashes.iter().map(|length| units(*length).to_string()).collect();
                    format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
                }
            };
            let (through, width, paint) = (path(through), units(*width), painted("stroke", *colour));
            writeln!(svg, "<path d=\"{through}\" stroke-width=\"{width}\"{dashes} {paint}/>")
        }
        Mark::Rectangle((left, top), (right, bottom), colour) => {
            let (x, y) = (units(*left), units(*top));
            let (width, height) = ((units(*right) - x).max(0), (units(*bottom) - y).max(0));
            let paint = painted("fill", *colour);
            writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>")
        }
        Mark::Area(around, opacity, colour) => {
            let (around, paint) = (path(around), painted("fill", *colour));
            writeln!(svg, "<path d=\"{around}z\" fill-opacity=\"{opacity}\" {paint}/>")
        }
        Mark::Circle((x, y), radius, filled, colour) => {
            let (x, y, radius) = (units(*x), units(*y), units(*radius));
            let paint = painted(if *filled { "fill" } else { "stroke" }, *colour);
            let width = if *filled { "" } else { " stroke-width=\"5\"" };
            writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{width} {paint}/>")
        }
        Mark::Text(text, (x, y), anchor, font) => {
            let Font { size, bold, colour } = *font;
            let (x, y, high) = (units(*x), units(y + BASE_LINE * size), units(size));
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let bold = if bold { " font-weight=\"bold\"" } else { "" };
            let (paint, text) = (painted("fill", colour), escape(text));
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{high}\"{anchor}{bold} {paint}>{text}</text>")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_path_goes_from_point_to_point_and_leaves_out_what_changes_nothing() {
        let corners = [(1.0, 2.0), (1.0, 2.0), (3.0, 2.0), (5.0, 2.0), (5.0, 1.0), (4.0, 0.5), (3.5, 1.5), (3.5, 1.0)];
        assert_eq!(path(&corners), "M4,8h16v-4l-4,-2 -2,4v-2");
        assert_eq!(path(&[(0.5, 0.25)]), "M2,1");
        assert_eq!(path(&[]), "");
    }
}
