// SPDX-License-Identifier: MIT OR Apache-2.0
//! Several pictures in one.

use super::canvas;
use super::picture::{Mark, Picture};

/// Columns of pictures, each from top to bottom, side by side. The widest of a column gives its width.
pub fn side_by_side(columns: &[Vec<Picture>]) -> Picture {
    let width = |column: &Vec<Picture>| column.iter().map(Picture::width).max().unwrap_or(0);
    let height = |column: &Vec<Picture>| column.iter().map(Picture::height).sum::<u32>();
    let size = (columns.iter().map(width).sum(), columns.iter().map(height).max().unwrap_or(0));
    let title = columns.iter().flatten().map(|picture| picture.title.as_str()).collect::<Vec<_>>().join("; ");
    let mut all = canvas::picture(size.0, size.1, &title, |_| ());
    let mut left = 0;
    for column in columns {
        let mut top = 0;
        for picture in column {
            let moved = |(x, y): (f64, f64)| (x + f64::from(left), y + f64::from(top));
            all.marks.extend(picture.marks.iter().cloned().map(|mark| mark.moved(&moved)));
            top += picture.height();
        }
        left += width(column);
    }
    all
}

impl Mark {
    /// The same in another place.
    fn moved(mut self, to: &dyn Fn((f64, f64)) -> (f64, f64)) -> Mark {
        match &mut self {
            Mark::Line(points, ..) | Mark::Area(points, ..) => points.iter_mut().for_each(|point| *point = to(*point)),
            Mark::Rectangle(from, end, _) => (*from, *end) = (to(*from), to(*end)),
            Mark::Circle(at, ..) | Mark::Text(_, at, ..) => *at = to(*at),
        }
        self
    }
}
