// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the blocks of a design lie on the FPGA.

use super::WIDTH;
use super::canvas::picture;
use super::colour::{Colour, slot};
use super::legend::{Legend, Swatch, paint_number};
use super::picture::Picture;
use anyhow::{Result, ensure};

/// Space around the FPGA, in px.
const RIM: f64 = 12.0;

/// A picture of an FPGA.
#[derive(Clone, Debug)]
pub struct Floorplan {
    /// The text for a screen reader.
    pub title: String,
    /// Names of the blocks.
    pub blocks: Vec<String>,
    /// Columns and rows of the FPGA.
    pub grid: (u32, u32),
    /// Column, row, block, and how many cells of it lie there.
    pub tiles: Vec<(u32, u32, usize, u32)>,
}

/// The picture: each tile in the colours of its blocks, as wide as their shares of it, and the number of each block in the middle
/// of its tiles.
///
/// # Errors
/// There is no tile, or one names a block that is not in the list.
pub fn floorplan(plan: &Floorplan) -> Result<Picture> {
    ensure!(!plan.tiles.is_empty(), "no cell has a place");
    let is_inside = |tile: &(u32, u32, usize, u32)| tile.0 < plan.grid.0 && tile.1 < plan.grid.1;
    ensure!(plan.tiles.iter().all(is_inside), "a tile is outside of the FPGA");
    ensure!(plan.tiles.iter().all(|tile| tile.2 < plan.blocks.len()), "a tile is of no block");
    let (columns, rows) = plan.grid;
    let names = plan.blocks.iter().enumerate();
    let names = names.map(|(number, name)| (name.clone(), Swatch::Block(slot(number), number)));
    let width = f64::from(WIDTH) - 2.0 * RIM;
    let legend = Legend::whole(names, width);
    let size = width / f64::from(columns);
    let top = RIM + legend.height() + RIM;
    let height = top + f64::from(rows) * size + RIM;
    Ok(picture(WIDTH, height.ceil() as u32, &plan.title, |canvas| {
        legend.paint(canvas, (RIM, RIM));
        canvas.rectangle((RIM, top), (RIM + width, top + f64::from(rows) * size), Colour::Grid);
        let place = |x: u32, y: u32| (RIM + f64::from(x) * size, top + f64::from(y) * size);
        for all in plan.tiles.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let cells: u32 = all.iter().map(|tile| tile.3).sum();
            let (mut left, y) = place(all[0].0, all[0].1);
            for &(_, _, block, part) in all {
                let right = left + size * f64::from(part) / f64::from(cells);
                canvas.rectangle((left, y), (right, y + size), slot(block));
                left = right;
            }
        }
        for block in 0..plan.blocks.len() {
            let of_block: Vec<_> = plan.tiles.iter().filter(|tile| tile.2 == block).collect();
            if of_block.is_empty() {
                continue;
            }
            let middle = |of: fn(&(u32, u32, usize, u32)) -> u32| {
                let mut all: Vec<u32> = of_block.iter().map(|tile| of(tile)).collect();
                all.sort_unstable();
                all[all.len() / 2]
            };
            let (x, y) = place(middle(|tile| tile.0), middle(|tile| tile.1));
            let at = (x + size / 2.0, y + size / 2.0);
            canvas.rectangle((at.0 - 9.0, at.1 - 8.0), (at.0 + 9.0, at.1 + 8.0), slot(block));
            paint_number(canvas, block, at, slot(block));
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_has_its_tiles_and_a_number() {
        let plan = Floorplan {
            title: "plan".to_string(),
            blocks: vec!["queue".to_string(), "rest".to_string()],
            grid: (10, 5),
            tiles: vec![(0, 0, 0, 1), (0, 0, 1, 3), (9, 4, 1, 8)],
        };
        let drawn = floorplan(&plan).unwrap();
        let svg = drawn.svg();
        assert!(svg.contains(">queue<") && svg.contains(">rest<"), "{svg}");
        assert_eq!(drawn, floorplan(&plan).unwrap());
        assert!(floorplan(&Floorplan { tiles: vec![(0, 0, 2, 1)], ..plan.clone() }).is_err());
        assert!(floorplan(&Floorplan { grid: (9, 5), ..plan.clone() }).is_err());
        assert!(floorplan(&Floorplan { tiles: Vec::new(), ..plan }).is_err());
    }
}
