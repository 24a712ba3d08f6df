//! Several pictures in one.

use super::WIDTH;
use anyhow::{Context, Result};
use std::fmt::Write;

/// Columns of pictures of [`WIDTH`], each from top to bottom, side by side. Pictures of one row have one height.
///
/// # Errors
/// One of them is no SVG with a height.
pub fn side_by_side(columns: &[Vec<String>]) -> Result<String> {
    let mut inner = String::new();
    let mut bottom = 0;
    for (column, pictures) in columns.iter().enumerate() {
        let (left, mut top) = (column as u32 * WIDTH, 0);
        for picture in pictures {
            let svg = &picture[picture.find("<svg").context("a picture is an SVG")?..];
            writeln!(inner, "{}", svg.replacen("<svg", &format!("<svg x=\"{left}\" y=\"{top}\""), 1))?;
            top += height(svg)?;
        }
        bottom = bottom.max(top);
    }
    let width = columns.len() as u32 * WIDTH;
    Ok(format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{bottom}\">\n{inner}</svg>\n"))
}

fn height(svg: &str) -> Result<u32> {
    let start = svg.find("height=\"").context("a picture has a height")? + 8;
    Ok(svg[start..].split('"').next().unwrap_or_default().parse()?)
}
