// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of `tidegate build`, and its page: clock rates, what each block takes, the slowest paths, and where the blocks
//! lie.

use super::number::grouped;
use super::page::{Page, Section};
use super::plot::{Floorplan, floorplan};
use anyhow::Result;
use std::collections::BTreeMap;
use tidegate_package::build::cells::{Block, REST};
use tidegate_package::build::outcome::{Outcome, Summary};
use tidegate_package::build::routed::Path;
use tidegate_toolchain::cells::Resources;

/// Blocks that a picture can tell apart by their colours and numbers.
const MOST_APART: usize = 20;

/// A table: headers, rows, and the columns with numbers.
pub struct Table {
    /// Headers of the columns.
    pub headers: Vec<&'static str>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
    /// Columns with numbers, from 0.
    pub numbers: Vec<usize>,
}

fn mhz(value: f64) -> String {
    grouped(value, 2)
}

/// Clock rates; with several seeds also their median and range.
pub fn clocks(summary: &Summary) -> Table {
    let several = summary.seeds.len() > 1;
    let mut headers = vec!["clock", "target MHz", "reached MHz", ""];
    if several {
        headers.extend(["median", "slowest", "fastest"]);
    }
    let rows = summary.clocks.iter().map(|clock| {
        let met = if clock.met { "met" } else { "missed" };
        let mut row = vec![clock.clock.clone(), mhz(clock.target_mhz), mhz(clock.reached_mhz), met.to_string()];
        if let Some(all) = summary.spread.iter().find(|all| all.clock == clock.clock).filter(|_| several) {
            row.extend([all.median_mhz, all.slowest_mhz, all.fastest_mhz].map(mhz));
        }
        row
    });
    Table { headers, rows: rows.collect(), numbers: vec![1, 2, 4, 5, 6] }
}

/// The name of a block as it is shown: without the instance of the whole part.
fn shown(block: &str) -> String {
    block.strip_prefix("part.").unwrap_or(block).to_string()
}

/// Of more blocks than a picture can tell apart, those that are in no other one, and for each block its place among them.
fn outermost(blocks: &[String]) -> (Vec<&String>, Vec<usize>) {
    let is_in = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    let is_shown = |block: &&String| blocks.len() <= MOST_APART || !blocks.iter().any(|other| is_in(block, other));
    let shown: Vec<&String> = blocks.iter().filter(is_shown).collect();
    let place = |block: &String| {
        let itself = shown.iter().position(|other| *other == block);
        itself.or_else(|| shown.iter().position(|outer| is_in(block, outer)))
    };
    let places = blocks.iter().map(|block| place(block).expect("it is shown, or in one that is")).collect();
    (shown, places)
}

/// What each block takes, and the sum.
pub fn blocks(summary: &Summary) -> Table {
    let row = |name: String, found: &Resources| {
        let counts = [found.luts, found.carries, found.flip_flops, found.lut_rams, found.block_rams, found.multipliers];
        std::iter::once(name).chain(counts.map(|count| grouped(count.into(), 0))).collect()
    };
    let mut rows: Vec<Vec<String>> =
        summary.blocks.iter().map(|Block { block, resources }| row(shown(block), resources)).collect();
    let sum = summary.blocks.iter().fold(Resources::default(), |sum, block| sum.plus(&block.resources));
    rows.push(row("total".to_string(), &sum));
    let headers = vec!["block", "LUTs", "carries", "FFs", "LUT RAM", "block RAM", "mult."];
    Table { headers, rows, numbers: (1..=6).collect() }
}

/// What is used of the FPGA.
pub fn resources(summary: &Summary) -> Table {
    let rows = summary.resources.iter().map(|resource| {
        let percent = 100.0 * resource.used as f64 / resource.available as f64;
        let [used, available] = [resource.used, resource.available].map(|count| grouped(count as f64, 0));
        vec![resource.name.clone(), used, available, grouped(percent, 0)]
    });
    Table { headers: vec!["of the FPGA", "used", "there are", "%"], rows: rows.collect(), numbers: vec![1, 2, 3] }
}

/// A path in words.
pub fn path(path: &Path) -> String {
    format!("{} → {}: {} ns, of which {} ns in wires", path.from, path.to, mhz(path.ns), mhz(path.wires_ns))
}

/// What has to be done where no open tool places and routes.
pub fn by_vendor(summary: &Summary) -> Option<String> {
    summary.vendor_command.as_ref().map(|command| {
        format!(
            "No open tool was found that places and routes for {}, so there is no bitstream yet, and no clock rate. With the tools of \
             the maker, `{command}` in this folder makes it.",
            summary.part
        )
    })
}

/// The page. The same outcome gives the same bytes.
///
/// # Errors
/// A picture cannot be drawn.
pub fn page(outcome: &Outcome) -> Result<String> {
    let summary = &outcome.summary;
    let lead = match (by_vendor(summary), summary.clocks.iter().filter(|clock| !clock.met).count()) {
        (Some(reason), _) => reason,
        (None, 0) => "All clocks reach their targets.".to_string(),
        (None, missed) => format!("{missed} of {} clocks do not reach their targets.", summary.clocks.len()),
    };
    let lead = format!("{}, on the board {} ({}). {lead}", summary.title, summary.board, summary.part);
    let mut page = Page::new(format!("{} on {}", summary.title, summary.board)).lead(lead);
    let section = |heading: &str, text: &str, table: Table| {
        Section::new(heading).paragraph(text).table(&table.headers, &table.rows, &table.numbers)
    };
    if !summary.clocks.is_empty() {
        page = page.section(section(
            "Clock rates",
            "The target is what the constraint file says. The tool knows the slowest case of voltage and temperature.",
            clocks(summary),
        ));
    }
    if summary.seeds.len() > 1 {
        let rows: Vec<Vec<String>> = summary
            .seeds
            .iter()
            .map(|seed| {
                let rates: Vec<String> =
                    seed.reached_mhz.iter().map(|(clock, rate)| format!("{clock} {} MHz", mhz(*rate))).collect();
                let kept = if Some(seed.seed) == summary.seed { "kept" } else { "" };
                let slowest = seed.slowest.as_ref().map(path).unwrap_or_default();
                vec![format!("{} {kept}", seed.seed).trim().to_string(), rates.join(", "), slowest]
            })
            .collect();
        page = page.section(
            Section::new("Seeds")
                .paragraph("Placement begins at random, from a seed. The seed is kept whose clocks come closest to their targets, or are the \
                            farthest above.")
                .records(&["seed", "clock rates", "slowest path"], &rows),
        );
    }
    if !summary.paths.is_empty() {
        let rows: Vec<Vec<String>> = summary
            .paths
            .iter()
            .map(|path| {
                let clocks = if path.from_clock == path.to_clock {
                    path.from_clock.clone()
                } else {
                    format!("{} to {}", path.from_clock, path.to_clock)
                };
                let ends = [path.from.clone(), path.to.clone()];
                [&[clocks][..], &ends, &[mhz(path.ns), mhz(path.wires_ns)]].concat()
            })
            .collect();
        page = page.section(
            Section::new("Slowest paths")
                .paragraph(
                    "From one flip-flop or memory to the next: the slowest path of each clock, and between two clocks.",
                )
                .table(&["clock", "from", "to", "ns", "in wires, ns"], &rows, &[3, 4]),
        );
    }
    let counted = "As Yosys counts the cells before placement: FFs are flip-flops, mult. are multipliers. A block is an instance in the Verilog; what the optimizer has made of two blocks \
                   belongs to one of them.";
    page = page.section(section("Blocks", counted, blocks(summary)));
    if !summary.resources.is_empty() {
        let counted = "As nextpnr counts after packing: a carry takes two LUTs, and a LUT RAM some.";
        page = page.section(section("The FPGA", counted, resources(summary)));
    }
    if !outcome.tiles.is_empty() {
        let (blocks, place) = outermost(&outcome.blocks);
        let mut tiles: BTreeMap<(u32, u32, usize), u32> = BTreeMap::new();
        for tile in &outcome.tiles {
            let block = place.get(tile.block).copied().unwrap_or(blocks.len());
            *tiles.entry((tile.x, tile.y, block)).or_default() += tile.cells;
        }
        let plan = Floorplan {
            title: format!("Where the blocks lie on {}", summary.part),
            blocks: blocks.iter().map(|block| shown(block)).chain([REST.to_string()]).collect(),
            grid: outcome.grid,
            tiles: tiles.into_iter().map(|((x, y, block), cells)| (x, y, block, cells)).collect(),
        };
        let caption = "Each square is a tile of the FPGA, divided by how many cells of which block lie there. The number of a block stands in the \
                       middle of its tiles.";
        page = page.section(Section::new("Where the blocks lie").figure(&floorplan(&plan)?, caption));
    }
    let tools: Vec<String> = summary.tools.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let seed = summary.seed.map_or(String::new(), |seed| format!(" Seed {seed}."));
    let remark =
        format!("tidegate {}, {}.{seed} The numbers are also in build.json.", summary.tidegate, tools.join(", "));
    Ok(page.made_by(remark, &[format!("{} --out DIR", summary.command)]).render())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_many_blocks_shows_the_outermost_ones() {
        let named = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let few = named(&["part.a.b", "part.a", "part.ab"]);
        assert_eq!(outermost(&few).1, [0, 1, 2]);
        let mut many: Vec<String> = (0..MOST_APART).map(|number| format!("a.{number}")).collect();
        many.extend(named(&["a", "ab", "b"]));
        let (shown, places) = outermost(&many);
        assert_eq!(shown, ["a", "ab", "b"]);
        assert_eq!(places[..MOST_APART], [0; MOST_APART]);
        assert_eq!(places[MOST_APART..], [0, 1, 2]);
    }
}
