// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast a part can be clocked: placed and routed for the Lattice ECP5.
//!
//! What is measured: a whole part with fixed parameters, a flip-flop before each of its inputs and after each of its
//! outputs ([`tidegate_package::emit::between_registers`]), alone. So every path begins and ends at a flip-flop, also the paths
//! from and to the ports; what stands around a part on a card is not included, and neither are pads. Placement begins
//! at random: each seed gives another result, and the slowest of some seeds says what can be relied on.

use super::{Request, ToolVersion, settings_of, variants};
use anyhow::Result;
use serde::Serialize;
use std::ops::RangeInclusive;
use tidegate_package::emit::between_registers;
use tidegate_toolchain::find::Tool;
use tidegate_toolchain::nextpnr::{DEVICE, Mapped, Nextpnr, SPEED_GRADE};
use tidegate_toolchain::yosys::Yosys;

/// Numbers of seeds that can be asked for.
pub const SEEDS: RangeInclusive<u32> = 1..=100;

/// One part of one scheme.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Name of the scheme.
    pub scheme: String,
    /// Profile of the scheme.
    pub profile: String,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Highest clock frequency of the slowest run, MHz.
    pub fmax_mhz: f64,
    /// Highest clock frequency of the fastest run, MHz.
    pub fastest_mhz: f64,
    /// As [`tidegate_toolchain::nextpnr::Routed::luts`]; the largest number of all runs.
    pub luts: u32,
    /// As [`tidegate_toolchain::nextpnr::Routed::flip_flops`]; the largest number of all runs.
    pub flip_flops: u32,
    /// A run for each seed.
    pub runs: Vec<Run>,
}

/// One place and route of a part.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Where placement began.
    pub seed: u32,
    /// As [`tidegate_toolchain::nextpnr::Routed::fmax_mhz`].
    pub fmax_mhz: f64,
    /// As [`tidegate_toolchain::nextpnr::Routed::from`].
    pub from: String,
    /// As [`tidegate_toolchain::nextpnr::Routed::to`].
    pub to: String,
}

impl Row {
    /// The row of a part, from its runs, at least one; `counts` are LUTs and flip-flops.
    pub fn new(scheme: &str, profile: &str, part: &'static str, counts: (u32, u32), runs: Vec<Run>) -> Row {
        let rates = || runs.iter().map(|run| run.fmax_mhz);
        Row {
            scheme: scheme.to_string(),
            profile: profile.to_string(),
            part,
            fmax_mhz: rates().fold(f64::INFINITY, f64::min),
            fastest_mhz: rates().fold(0.0, f64::max),
            luts: counts.0,
            flip_flops: counts.1,
            runs,
        }
    }

    /// The run with the lowest clock frequency; the first one of several.
    ///
    /// # Panics
    /// If there is no run.
    pub fn slowest(&self) -> &Run {
        self.runs.iter().min_by(|a, b| a.fmax_mhz.total_cmp(&b.fmax_mhz)).expect("a run for each seed")
    }
}

/// How fast the parts of some schemes can be clocked.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// What placed and routed.
    pub tool: ToolVersion,
    /// For what.
    pub device: &'static str,
    /// Of what speed.
    pub speed_grade: u32,
    /// From which seeds.
    pub seeds: Vec<u32>,
    /// A row a part.
    pub rows: Vec<Row>,
}

/// Routes each part of each variant that was asked for, with the seeds from 1 to `seeds` ([`SEEDS`]). `progress` is
/// called with finished and all runs.
///
/// # Errors
/// As [`Mapped::new`] and [`Nextpnr::route`]; [`tidegate_toolchain::MissingTool`] without Yosys.
pub fn measure(nextpnr: &Nextpnr, request: &Request, seeds: u32, progress: impl Fn(usize, usize)) -> Result<Timing> {
    let yosys = Yosys::find()?;
    let seeds: Vec<u32> = (1..=seeds).collect();
    let variants = variants(request);
    let (mut rows, mut finished, all) = (Vec::new(), 0, variants.len() * request.parts.len() * seeds.len());
    progress(0, all);
    for &part in &request.parts {
        for variant in &variants {
            let design = between_registers(&variant.scheme, part, &settings_of(request, variant))?;
            let mapped = Mapped::new(&yosys, &design.top, &design.verilog)?;
            let (mut runs, mut luts, mut flip_flops) = (Vec::new(), 0, 0);
            for &seed in &seeds {
                let routed = nextpnr.route(&mapped, seed)?;
                (luts, flip_flops) = (routed.luts.max(luts), routed.flip_flops.max(flip_flops));
                runs.push(Run { seed, fmax_mhz: routed.fmax_mhz, from: routed.from, to: routed.to });
                finished += 1;
                progress(finished, all);
            }
            rows.push(Row::new(&variant.scheme, &variant.profile, part.name(), (luts, flip_flops), runs));
        }
    }
    let tool = ToolVersion { name: Tool::NextpnrEcp5.name(), version: nextpnr.version().to_string() };
    Ok(Timing { tool, device: DEVICE, speed_grade: SPEED_GRADE, seeds, rows })
}
