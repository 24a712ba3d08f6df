//! How fast a part can be clocked: placed and routed for the Lattice ECP5.
//!
//! What is measured: a whole part with fixed parameters, a flip-flop before each of its inputs and after each of its outputs
//! ([`crate::emit::between_registers`]), alone. So every path begins and ends at a flip-flop, also the paths from and to the
//! ports; what stands around a part on a card is not included, and neither are pads.

use super::{Request, ToolVersion, settings_of, variants};
use crate::emit::between_registers;
use crate::toolchain::find::Tool;
use crate::toolchain::nextpnr::{DEVICE, Nextpnr, SEED, SPEED_GRADE};
use crate::toolchain::yosys::Yosys;
use anyhow::Result;
use serde::Serialize;

/// One part of one scheme.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Name of the scheme.
    pub scheme: String,
    /// Profile of the scheme.
    pub profile: String,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// As [`crate::toolchain::nextpnr::Routed::fmax_mhz`].
    pub fmax_mhz: f64,
    /// As [`crate::toolchain::nextpnr::Routed::luts`].
    pub luts: u32,
    /// As [`crate::toolchain::nextpnr::Routed::flip_flops`].
    pub flip_flops: u32,
    /// As [`crate::toolchain::nextpnr::Routed::from`].
    pub from: String,
    /// As [`crate::toolchain::nextpnr::Routed::to`].
    pub to: String,
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
    /// From which seed.
    pub seed: u32,
    /// A row a part.
    pub rows: Vec<Row>,
}

impl Eq for Timing {}

/// Routes each part of each variant that was asked for. `progress` is called with finished and all parts.
///
/// # Errors
/// As [`Nextpnr::route`]; [`crate::toolchain::MissingTool`] without Yosys.
pub fn measure(nextpnr: &Nextpnr, request: &Request, progress: impl Fn(usize, usize)) -> Result<Timing> {
    let yosys = Yosys::find()?;
    let variants = variants(request);
    let (mut rows, all) = (Vec::new(), variants.len() * request.parts.len());
    for &part in &request.parts {
        for variant in &variants {
            let design = between_registers(&variant.scheme, part, &settings_of(request, variant))?;
            let routed = nextpnr.route(&yosys, &design.top, &design.verilog)?;
            rows.push(Row {
                scheme: variant.scheme.clone(),
                profile: variant.profile.clone(),
                part: part.name(),
                fmax_mhz: routed.fmax_mhz,
                luts: routed.luts,
                flip_flops: routed.flip_flops,
                from: routed.from,
                to: routed.to,
            });
            progress(rows.len(), all);
        }
    }
    let tool = ToolVersion { name: Tool::NextpnrEcp5.name(), version: nextpnr.version().to_string() };
    Ok(Timing { tool, device: DEVICE, speed_grade: SPEED_GRADE, seed: SEED, rows })
}
