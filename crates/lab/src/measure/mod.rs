// SPDX-License-Identifier: MIT OR Apache-2.0
//! What schemes cost in an FPGA: area and clock rate, side by side.
//!
//! | module | contents |
//! |---|---|
//! | [`area`] | what each block costs in each FPGA family, with Yosys |
//! | [`counts`] | what many queues or flows cost, as copies of a part and as one part |
//! | [`published`] | the one published number of this kind, and ways to come to it |
//! | [`timing`] | how fast a part can be clocked in an ECP5, with nextpnr |

pub mod area;
pub mod counts;
pub mod published;
pub mod timing;

use anyhow::Result;
use serde::Serialize;
use tidegate_package::emit::{EmittedBlock, ParameterStyle};
use tidegate_schemes::registry::{self, SCHEMES};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::{Family, SmallMemories};
use tidegate_toolchain::yosys::Job;

/// What to compare.
#[derive(Clone, Debug)]
pub struct Request {
    /// Names of the schemes, in the order of the report.
    pub schemes: Vec<String>,
    /// The FPGA families.
    pub families: Vec<Family>,
    /// The ends of the loop.
    pub parts: Vec<Part>,
    /// Pairs of `--set`: a key of every scheme, or `scheme.key` for one.
    pub settings: Vec<(String, String)>,
    /// Parameters as constants or as ports.
    pub style: ParameterStyle,
    /// How many ports a card has; the counts of one port are multiplied.
    pub ports: Vec<u32>,
    /// Numbers of queues or flows to count as copies of a part and as one part; powers of two. Empty: none.
    pub counts: Vec<u32>,
}

/// A scheme in one of its profiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Name of the scheme.
    pub scheme: String,
    /// Name of the profile.
    pub profile: String,
}

/// The program that counted: LUT counts are only comparable within one version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ToolVersion {
    /// `yosys`.
    pub name: &'static str,
    /// As `0.70`.
    pub version: String,
}

/// The difference in flip-flops between two schemes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// FPGA family.
    pub family: Family,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// The scheme, with its profile, from which the other is subtracted.
    pub more: (String, String),
    /// The scheme, with its profile, that is subtracted.
    pub less: (String, String),
    /// Number of ports.
    pub ports: u32,
    /// Flip-flops of the first scheme minus flip-flops of the second.
    pub flip_flops: i64,
    /// The same if small memories become flip-flops; `null` for congestion points.
    pub flip_flops_without_lut_rams: Option<i64>,
}

/// The type of [`tidegate_package::emit::blocks`]: tests use their own Verilog instead.
type Emit<'a> = &'a dyn Fn(&str, Part, &[(String, String)], ParameterStyle) -> Result<Vec<EmittedBlock>>;

/// The synthesis of a block.
fn job(family: Family, block: &EmittedBlock) -> Job {
    Job { family, top: block.top.clone(), verilog: block.verilog.clone(), small_memories: SmallMemories::LutRam }
}

/// Each two rows of different schemes that are alike otherwise. QCN is always first, so that a positive difference means
/// that QCN is larger.
fn pairs<'a, R>(rows: &[&'a R], scheme: fn(&R) -> &str, alike: fn(&R, &R) -> bool) -> Vec<(&'a R, &'a R)> {
    let mut all = Vec::new();
    for (index, &first) in rows.iter().enumerate() {
        for &second in rows[index + 1..].iter().filter(|second| alike(first, second) && scheme(first) != scheme(second))
        {
            all.push(if scheme(second) == "qcn" { (second, first) } else { (first, second) });
        }
    }
    all
}

/// The profiles of a scheme, the default first; none of an unknown one, which [`tidegate_package::emit::blocks`] reports.
fn profiles(scheme: &str) -> &'static [&'static str] {
    registry::find(scheme).map_or(&[""], |scheme| scheme.profiles)
}

/// Each scheme in each of its profiles, or only in that of `--set profile=…`, which a scheme without that profile
/// ignores where another one has it.
pub fn variants(request: &Request) -> Vec<Variant> {
    let set = |key: &str| request.settings.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let somebody_has = |profile: &str| request.schemes.iter().any(|scheme| profiles(scheme).contains(&profile));
    let mut all = Vec::new();
    for scheme in &request.schemes {
        let own = set(&format!("{scheme}.profile"));
        let common = set("profile").filter(|profile| profiles(scheme).contains(profile) || !somebody_has(profile));
        let chosen = match own.or(common) {
            Some(profile) => vec![profile],
            None => profiles(scheme).to_vec(),
        };
        all.extend(chosen.into_iter().map(|profile| Variant { scheme: scheme.clone(), profile: profile.to_string() }));
    }
    all
}

/// The settings that reach one variant: its profile, and its own `scheme.key` without the scheme, none of another
/// scheme's.
pub fn settings_of(request: &Request, variant: &Variant) -> Vec<(String, String)> {
    let mut settings = vec![("profile".to_string(), variant.profile.clone())];
    for (key, value) in &request.settings {
        let key = match key.split_once('.') {
            Some((scheme, key)) if scheme == variant.scheme => key,
            Some((scheme, _)) if SCHEMES.iter().any(|other| other.name == scheme) => continue,
            _ => key,
        };
        if key != "profile" {
            settings.push((key.to_string(), value.clone()));
        }
    }
    settings
}
