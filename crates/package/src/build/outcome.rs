// SPDX-License-Identifier: MIT OR Apache-2.0
//! All steps of a build, and what comes of them: files, and a summary that is the same for the same input and tools.

use super::cells::{Block, Tile, by_block};
use super::routed::{Clock, Path, Report, Resource};
use super::steps::{Routed, Tools, grid, pack, route, synthesize};
use super::{Design, vendor};
use crate::board::{Board, constraints};
use crate::emit::VERSION;
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use tidegate_toolchain::cells::Family;

/// Changes if a field of [`Summary`] changes its meaning or is removed.
pub(crate) const FORMAT_VERSION: u32 = 1;

/// Most runs of nextpnr at the same time: each needs some hundred megabytes.
const MOST_AT_ONCE: usize = 8;

/// What was built.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The version of tidegate.
    pub tidegate: &'static str,
    /// The command, without the folder.
    pub command: String,
    /// What was built, in a few words.
    pub title: String,
    /// The board.
    pub board: String,
    /// Its FPGA.
    pub part: String,
    /// The tools that ran, with their versions.
    pub tools: BTreeMap<&'static str, String>,
    /// How to place and route, where no open tool does it: the command to run in the folder, which makes the bitstream.
    pub vendor_command: Option<String>,
    /// The seed of the placement that was kept.
    pub seed: Option<u32>,
    /// Each seed that was tried.
    pub seeds: Vec<Seed>,
    /// Clock rates with the seed that was kept.
    pub clocks: Vec<Clock>,
    /// Clock rates with all seeds.
    pub spread: Vec<Spread>,
    /// The slowest path of each pair of clocks, with the seed that was kept.
    pub paths: Vec<Path>,
    /// What is used of the FPGA.
    pub resources: Vec<Resource>,
    /// What each block takes, as Yosys counts it.
    pub blocks: Vec<Block>,
    /// The files.
    pub files: Vec<String>,
}

/// A seed that was tried.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Seed {
    /// The seed.
    pub seed: u32,
    /// What each clock reaches, MHz.
    pub reached_mhz: BTreeMap<String, f64>,
    /// Its slowest path.
    pub slowest: Option<Path>,
}

/// What a clock reaches with all seeds, MHz.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The clock.
    pub clock: String,
    /// The slowest result.
    pub slowest_mhz: f64,
    /// The median; of an even number, the lower one of the two in the middle.
    pub median_mhz: f64,
    /// The fastest result.
    pub fastest_mhz: f64,
}

/// The outcome of a build.
pub struct Outcome {
    /// What was built.
    pub summary: Summary,
    /// The files without the report: names and contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// Where the blocks lie; empty if nothing was placed.
    pub tiles: Vec<Tile>,
    /// Columns and rows of tiles of the FPGA.
    pub grid: (u32, u32),
    /// The blocks that the tiles name.
    pub blocks: Vec<String>,
}

/// Builds a design for a board, with the seeds from 1 to `seeds`, and keeps the best one. `progress` is called with finished
/// and all steps.
///
/// # Errors
/// The design has ports that the board does not have ([`constraints::of_design`]); [`super::steps::StepFailed`].
pub fn build(
    board: &Board,
    design: &Design,
    tools: &Tools,
    seeds: u32,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<Outcome> {
    let (constraints_name, constraints) = constraints(board, design)?;
    let all = if tools.are_open() { 2 + seeds as usize } else { 1 };
    progress(0, all);
    let synthesized = synthesize(tools, board, design)?;
    progress(1, all);
    let blocks = by_block(counted_as(&board.part.family), &synthesized.netlist, &design.top.module, &design.blocks)?;
    let mut files: Vec<(String, Vec<u8>)> = design
        .files
        .iter()
        .chain(&design.documents)
        .map(|(name, text)| (name.clone(), text.clone().into_bytes()))
        .collect();
    files.push((constraints_name.clone(), constraints.clone().into_bytes()));
    files.push(("yosys.log".to_string(), synthesized.log.clone().into_bytes()));
    let mut summary = Summary {
        format_version: FORMAT_VERSION,
        tidegate: VERSION,
        command: if seeds > 1 { format!("{} --seeds {seeds}", design.command) } else { design.command.clone() },
        title: design.title.clone(),
        board: board.name.clone(),
        part: board.part.to_string(),
        tools: tools.versions().into_iter().collect(),
        vendor_command: None,
        seed: None,
        seeds: Vec::new(),
        clocks: Vec::new(),
        spread: Vec::new(),
        paths: Vec::new(),
        resources: Vec::new(),
        blocks,
        files: Vec::new(),
    };
    let mut tiles = Vec::new();
    if tools.are_open() {
        let done = AtomicUsize::new(1);
        let one = |seed: u32| {
            let routed = route(tools, board, design, &synthesized, &constraints, seed)?;
            let report = Report::read(&routed.report)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
            Ok((routed, report))
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores.min(MOST_AT_ONCE)).build()?;
        let runs: Vec<Result<(Routed, Report)>> = pool.install(|| (1..=seeds).into_par_iter().map(one).collect());
        let runs = runs.into_iter().collect::<Result<Vec<_>>>()?;
        summary.seeds = runs.iter().map(|(routed, report)| of_seed(routed.seed, report)).collect();
        summary.spread = spread(&runs[0].1, &summary.seeds);
        let (routed, report) = best(runs).context("expected at least one seed")?;
        summary.seed = Some(routed.seed);
        (summary.clocks, summary.paths, summary.resources) = (report.clocks, report.paths, report.resources);
        tiles = serde_json::from_str(&routed.tiles).context("expected places of cells")?;
        let (bit, svf) = pack(tools, &routed)?;
        files.push(("nextpnr.log".to_string(), routed.log.into_bytes()));
        files.push((format!("{}.bit", board.name), bit));
        files.push((format!("{}.svf", board.name), svf.into_bytes()));
        progress(all, all);
    }
    if let Some(format) = constraints::format(board)
        && let Some(scripts) = vendor::scripts(board, design, format, &constraints_name)
    {
        summary.vendor_command = Some(scripts.command);
        files.extend(scripts.files.into_iter().map(|(name, text)| (name, text.into_bytes())));
    }
    summary.files = files.iter().map(|(name, _)| name.clone()).collect();
    Ok(Outcome { summary, files, tiles, grid: grid(&board.part.device), blocks: design.blocks.clone() })
}

/// Name and text of the constraint file.
fn constraints(board: &Board, design: &Design) -> Result<(String, String)> {
    let (name, text) = constraints::of_design(board, &design.top, &format!("{} --out DIR", design.command))?;
    Ok((name.clone(), tidegate_core::licence::with_line(&name, &text)))
}

/// The family whose cells a family has, by name.
fn counted_as(family: &str) -> Family {
    match family {
        "ecp5" => Family::Ecp5,
        "xc2vp" => Family::Xc2vp,
        _ => Family::Xc7,
    }
}

fn of_seed(seed: u32, report: &Report) -> Seed {
    let reached_mhz = report.clocks.iter().map(|clock| (clock.clock.clone(), clock.reached_mhz)).collect();
    Seed { seed, reached_mhz, slowest: report.paths.first().cloned() }
}

/// The run whose clocks come closest to their targets, or are the farthest above; the first of several.
fn best(runs: Vec<(Routed, Report)>) -> Option<(Routed, Report)> {
    runs.into_iter().reduce(|best, run| if run.1.least_share() > best.1.least_share() { run } else { best })
}

fn spread(report: &Report, seeds: &[Seed]) -> Vec<Spread> {
    let of = |clock: &Clock| {
        let mut rates: Vec<f64> = seeds.iter().filter_map(|seed| seed.reached_mhz.get(&clock.clock)).copied().collect();
        rates.sort_by(f64::total_cmp);
        Spread {
            clock: clock.clock.clone(),
            slowest_mhz: rates[0],
            median_mhz: rates[(rates.len() - 1) / 2],
            fastest_mhz: rates[rates.len() - 1],
        }
    };
    report.clocks.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u32, reached_mhz: f64) -> (Routed, Report) {
        let text = String::new;
        let routed = Routed { seed, config: text(), report: text(), tiles: text(), log: text() };
        let clock = Clock { clock: "clk".to_string(), target_mhz: 125.0, reached_mhz, met: reached_mhz >= 125.0 };
        (routed, Report { clocks: vec![clock], paths: Vec::new(), resources: Vec::new() })
    }

    #[test]
    fn the_best_seed_is_kept_and_the_median_is_that_of_all() {
        let runs = || vec![run(1, 120.0), run(2, 130.0), run(3, 126.0), run(4, 130.0)];
        let seeds: Vec<Seed> = runs().iter().map(|(routed, report)| of_seed(routed.seed, report)).collect();
        let spread = spread(&runs()[0].1, &seeds);
        assert_eq!((spread[0].slowest_mhz, spread[0].median_mhz, spread[0].fastest_mhz), (120.0, 126.0, 130.0));
        assert_eq!(best(runs()).unwrap().0.seed, 2);
    }
}
