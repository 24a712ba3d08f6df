// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cells of a netlist in the JSON of Yosys, which nextpnr writes too: which block they belong to, what they are, and after
//! placement where they lie. Names of cells begin with the instances that they came from.

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use tidegate_toolchain::cells::{Family, Resources, count_cells};

/// The block of what is in no other one.
pub const REST: &str = "rest";

/// What a block takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Block {
    /// The path of its instance, or [`REST`].
    pub block: String,
    /// Its cells.
    #[serde(flatten)]
    pub resources: Resources,
}

/// Where some cells of a block lie.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tile {
    /// Columns from the left.
    pub x: u32,
    /// Rows from the top.
    pub y: u32,
    /// The block, as a place in the list of blocks; its length for the rest.
    pub block: usize,
    /// How many cells of the block lie there.
    pub cells: u32,
}

/// The place of the block of a cell in the list: the longest path that its name begins with; the length of the list for the
/// rest.
fn block_of(cell: &str, blocks: &[String]) -> usize {
    let inside = |path: &String| cell.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('.'));
    let found = blocks.iter().enumerate().filter(|(_, path)| inside(path));
    found.max_by_key(|(_, path)| path.len()).map_or(blocks.len(), |(place, _)| place)
}

/// The cells of the top module: name and contents.
fn cells<'a>(netlist: &'a Value, top: &str) -> Result<impl Iterator<Item = (&'a String, &'a Value)>> {
    let cells = netlist["modules"][top]["cells"].as_object();
    Ok(cells.ok_or_else(|| anyhow!("expected the cells of {top} in the netlist"))?.iter())
}

/// What each block takes, from the netlist of Yosys; blocks without cells are left out.
///
/// # Errors
/// The text is no netlist with this module.
pub(crate) fn by_block(family: Family, netlist: &str, top: &str, blocks: &[String]) -> Result<Vec<Block>> {
    let netlist: Value = serde_json::from_str(netlist).context("expected the JSON of Yosys")?;
    let mut counts: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new(); blocks.len() + 1];
    for (name, cell) in cells(&netlist, top)? {
        let kind = cell["type"].as_str().unwrap_or_default();
        if kind == "$scopeinfo" {
            continue; // a note on an instance, not a cell
        }
        *counts[block_of(name, blocks)].entry(kind.to_string()).or_default() += 1;
    }
    let names = blocks.iter().map(String::as_str).chain([REST]);
    let mut found = Vec::new();
    for (block, counts) in names.zip(counts).filter(|(_, counts)| !counts.is_empty()) {
        let resources = count_cells(family, counts.iter().map(|(name, number)| (name.as_str(), *number)))?;
        found.push(Block { block: block.to_string(), resources });
    }
    Ok(found)
}

/// The name that nextpnr gives the module of each design.
const PLACED: &str = "top";

/// Where the blocks lie, from the netlist that nextpnr has placed: logic and memories, without pads and constants.
///
/// # Errors
/// The text is no netlist of nextpnr.
pub(crate) fn placed(netlist: &str, blocks: &[String]) -> Result<Vec<Tile>> {
    let netlist: Value = serde_json::from_str(netlist).context("expected the JSON of nextpnr")?;
    let mut tiles: BTreeMap<(u32, u32, usize), u32> = BTreeMap::new();
    for (name, cell) in cells(&netlist, PLACED)?.filter(|(name, _)| !name.starts_with('$')) {
        let at = cell["attributes"]["NEXTPNR_BEL"].as_str().and_then(place);
        let kind = cell["type"].as_str().unwrap_or_default();
        if let Some((x, y)) = at.filter(|_| kind != "TRELLIS_IO") {
            *tiles.entry((x, y, block_of(name, blocks))).or_default() += 1;
        }
    }
    Ok(tiles.into_iter().map(|((x, y, block), cells)| Tile { x, y, block, cells }).collect())
}

/// Column and row of a place such as `X12/Y30/SLICED.K1`.
fn place(bel: &str) -> Option<(u32, u32)> {
    let (x, rest) = bel.strip_prefix('X')?.split_once("/Y")?;
    Some((x.parse().ok()?, rest.split('/').next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn netlist() -> String {
        serde_json::json!({ "modules": { "top": { "cells": {
            "part.queue.level_TRELLIS_FF_Q": { "type": "TRELLIS_FF", "attributes": { "NEXTPNR_BEL": "X12/Y30/SLICED.FF1" } },
            "part.queue_x.level_LUT4_Z": { "type": "LUT4", "attributes": { "NEXTPNR_BEL": "X12/Y30/SLICED.K1" } },
            "part.queue.memory.0.0": { "type": "DP16KD", "attributes": { "NEXTPNR_BEL": "X4/Y25/EBR0" } },
            "inputs_TRELLIS_FF_Q_9": { "type": "TRELLIS_FF", "attributes": { "NEXTPNR_BEL": "X1/Y1/SLICEA.FF0" } },
            "pin$tr_io": { "type": "TRELLIS_IO", "attributes": { "NEXTPNR_BEL": "X0/Y47/PIOC" } },
            "$PACKER_GND": { "type": "TRELLIS_COMB", "attributes": { "NEXTPNR_BEL": "X3/Y30/SLICED.K1" } },
            "part.queue": { "type": "$scopeinfo", "attributes": {} },
        } } } })
        .to_string()
    }

    #[test]
    fn cells_belong_to_the_longest_path_in_their_name() {
        let blocks = ["part", "part.queue", "part.queue.memory"].map(str::to_string);
        let found = by_block(Family::Ecp5, &netlist(), "top", &blocks).unwrap();
        let of = |name: &str| &found.iter().find(|block| block.block == name).unwrap().resources;
        assert_eq!((of("part.queue").flip_flops, of("part.queue.memory").block_rams, of("part").luts), (1, 1, 1));
        assert_eq!(of(REST).flip_flops, 1);
        assert!(by_block(Family::Ecp5, &netlist(), "other", &blocks).is_err());
    }

    #[test]
    fn places_are_those_of_logic_and_memories() {
        let found = placed(&netlist(), &["part.queue".to_string()]).unwrap();
        let tile = |x, y, block| Tile { x, y, block, cells: 1 };
        assert_eq!(found, [tile(1, 1, 1), tile(4, 25, 0), tile(12, 30, 0), tile(12, 30, 1)]);
        assert_eq!(place("somewhere"), None);
    }
}
