//! Resources of each block of each scheme, in each FPGA family.
//!
//! A block is synthesized by itself, without the outputs that no other block reads; the total is the sum of the blocks;
//! the rest of a part is wires only. Ports share only parameters, so a card of n ports is counted as n times one port
//! (`tests/tools.rs` compares this with the synthesis of four copies).

use super::timing::Timing;
use super::{Request, ToolVersion, Variant, settings_of, variants};
use crate::emit::{EmittedBlock, ParameterStyle};
use crate::scheme::Part;
use crate::toolchain::cells::{Family, Resources};
use crate::toolchain::yosys::{Job, Yosys};
use anyhow::{Context, Result};
use serde::Serialize;

/// Changes if a field of [`Comparison`] changes its meaning or is removed.
pub const FORMAT_VERSION: u32 = 1;

/// The block that stands for the sum of the blocks of a part.
pub const TOTAL: &str = "total";

/// What one block costs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// FPGA family.
    pub family: Family,
    /// Name of the scheme.
    pub scheme: String,
    /// Profile of the scheme; `paper` if it has only one.
    pub profile: String,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Number of ports that the counts are for.
    pub ports: u32,
    /// Name of the block, or [`TOTAL`].
    pub block: String,
    /// The counts.
    #[serde(flatten)]
    pub resources: Resources,
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
}

/// The one published number of this kind, and ours beside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Published {
    /// Paper and section.
    pub source: &'static str,
    /// The statement.
    pub statement: &'static str,
    /// FPGA family.
    pub family: Family,
    /// `cp` or `rp`.
    pub part: &'static str,
    /// Ports of the card.
    pub ports: u32,
    /// Number of slice registers; the paper says "about".
    pub slice_registers: i64,
    /// The differences measured here for the same family and part, for every requested profile and number of ports.
    pub ours: Vec<Difference>,
}

/// The outcome of [`compare`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Comparison {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The program that counted.
    pub tool: ToolVersion,
    /// `fixed` or `inputs`.
    pub parameters: &'static str,
    /// A row for each block, then the total, for each family, part, scheme, profile and number of ports.
    pub rows: Vec<Row>,
    /// Differences of the totals of two schemes.
    pub differences: Vec<Difference>,
    /// The published number, if both schemes and its family are in this comparison.
    pub published: Option<Published>,
    /// The clock rates; left out if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// The name on the command line and in reports: `fixed` or `inputs`.
pub fn style_name(style: ParameterStyle) -> &'static str {
    match style {
        ParameterStyle::Fixed => "fixed",
        ParameterStyle::Inputs => "inputs",
    }
}

/// Synthesizes every block of every requested scheme. `progress` is called with the number of finished syntheses and of
/// all.
///
/// # Errors
/// [`crate::toolchain::MissingTool`] without Yosys; what [`crate::emit::blocks`] says of an unknown scheme or a wrong setting; what
/// Yosys says of Verilog that it refuses.
pub fn compare(request: &Request, progress: impl Fn(usize, usize) + Sync) -> Result<Comparison> {
    compare_emitted(request, &crate::emit::blocks, progress)
}

/// The type of [`crate::emit::blocks`]: tests use their own Verilog instead.
type Emit<'a> = &'a dyn Fn(&str, Part, &[(String, String)], ParameterStyle) -> Result<Vec<EmittedBlock>>;

fn compare_emitted(request: &Request, emit: Emit, progress: impl Fn(usize, usize) + Sync) -> Result<Comparison> {
    let (mut groups, mut jobs) = (Vec::new(), Vec::new());
    for &part in &request.parts {
        for variant in variants(request) {
            let settings = settings_of(request, &variant);
            let blocks = emit(&variant.scheme, part, &settings, request.style)
                .with_context(|| format!("cannot compare {}", variant.scheme))?;
            for &family in &request.families {
                let names: Vec<_> = blocks.iter().map(|block| block.block).collect();
                groups.push((family, part, variant.clone(), names));
                jobs.extend(blocks.iter().map(|block| Job {
                    family,
                    top: block.top.clone(),
                    verilog: block.verilog.clone(),
                }));
            }
        }
    }
    // Wrong input is reported even if Yosys is missing.
    let yosys = Yosys::find()?;
    let mut counts = yosys.synthesize(&jobs, |finished| progress(finished, jobs.len()))?.into_iter();

    let mut rows = Vec::new();
    for (family, part, variant, names) in groups {
        let one_port: Vec<_> = counts.by_ref().take(names.len()).collect();
        let total = one_port.iter().fold(Resources::default(), |sum, resources| sum.plus(resources));
        for &ports in &request.ports {
            let all = names.iter().zip(&one_port).chain([(&TOTAL, &total)]);
            rows.extend(all.map(|(block, resources)| Row {
                family,
                scheme: variant.scheme.clone(),
                profile: variant.profile.clone(),
                part: part.name(),
                ports,
                block: block.to_string(),
                resources: resources.times(ports),
            }));
        }
    }
    rows.sort_by_key(|row| request.families.iter().position(|&family| family == row.family));
    let differences = differences(&rows);
    Ok(Comparison {
        format_version: FORMAT_VERSION,
        tool: ToolVersion { name: "yosys", version: yosys.version().to_string() },
        parameters: style_name(request.style),
        published: published(&differences),
        rows,
        differences,
        timing: None,
    })
}

impl Comparison {
    /// The variants in the order of the rows.
    pub fn variants(&self) -> Vec<Variant> {
        let mut all: Vec<Variant> = Vec::new();
        for row in &self.rows {
            let variant = Variant { scheme: row.scheme.clone(), profile: row.profile.clone() };
            if !all.contains(&variant) {
                all.push(variant);
            }
        }
        all
    }

    /// Families and parts that have rows, in their order: one table or one chart for each.
    pub fn tables(&self) -> Vec<(Family, &'static str)> {
        let mut all = Vec::new();
        for row in &self.rows {
            if !all.contains(&(row.family, row.part)) {
                all.push((row.family, row.part));
            }
        }
        all
    }

    /// The counts of one block, if the variant has it.
    pub fn resources(
        &self,
        (family, part): (Family, &str),
        variant: &Variant,
        ports: u32,
        block: &str,
    ) -> Option<&Resources> {
        let wanted = |row: &&Row| {
            (row.family, row.part, row.ports) == (family, part, ports)
                && row.scheme == variant.scheme
                && row.profile == variant.profile
                && row.block == block
        };
        self.rows.iter().find(wanted).map(|row| &row.resources)
    }
}

/// Each variant of a scheme against each of the schemes after it; QCN is always first, so that a positive number means
/// that QCN is larger.
fn differences(rows: &[Row]) -> Vec<Difference> {
    let totals: Vec<&Row> = rows.iter().filter(|row| row.block == TOTAL).collect();
    let mut all = Vec::new();
    for (index, first) in totals.iter().enumerate() {
        for second in &totals[index + 1..] {
            let alike = (first.family, first.part, first.ports) == (second.family, second.part, second.ports);
            if !alike || first.scheme == second.scheme {
                continue;
            }
            let (more, less) = if second.scheme == "qcn" { (second, first) } else { (first, second) };
            all.push(Difference {
                family: more.family,
                part: more.part,
                more: (more.scheme.clone(), more.profile.clone()),
                less: (less.scheme.clone(), less.profile.clone()),
                ports: more.ports,
                flip_flops: i64::from(more.resources.flip_flops) - i64::from(less.resources.flip_flops),
            });
        }
    }
    all
}

fn published(differences: &[Difference]) -> Option<Published> {
    let (family, part) = (Family::Xc2vp, Part::ReactionPoint.name());
    let ours: Vec<_> = differences
        .iter()
        .filter(|ours| (ours.family, ours.part) == (family, part) && ours.more.0 == "qcn" && ours.less.0 == "smcc")
        .cloned()
        .collect();
    (!ours.is_empty()).then_some(Published {
        source: "SMCC, section 5.1",
        statement:
            "the number of slice registers used by the RP of SMCC is about 700 less than that used by the RP of QCN",
        family,
        part,
        ports: 4,
        slice_registers: 700,
        ours,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(schemes: &[&str], settings: &[(&str, &str)]) -> Request {
        Request {
            schemes: schemes.iter().map(|scheme| scheme.to_string()).collect(),
            families: vec![Family::Xc2vp, Family::Ecp5],
            parts: vec![Part::ReactionPoint],
            settings: settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            style: ParameterStyle::Fixed,
            ports: vec![1, 4],
        }
    }

    fn pairs(settings: &[(String, String)]) -> Vec<(&str, &str)> {
        settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect()
    }

    #[test]
    fn settings_reach_the_schemes_they_are_for() {
        let request = request(&["qcn", "smcc"], &[("w", "4"), ("qcn.timer_us", "0"), ("smcc.ra_mbps", "5")]);
        let of = |scheme: &str, profile: &str| {
            settings_of(&request, &Variant { scheme: scheme.to_string(), profile: profile.to_string() })
        };
        assert_eq!(pairs(&of("qcn", "8021q")), [("profile", "8021q"), ("w", "4"), ("timer_us", "0")]);
        assert_eq!(pairs(&of("smcc", "paper")), [("profile", "paper"), ("w", "4"), ("ra_mbps", "5")]);
    }

    #[test]
    fn qcn_is_shown_in_both_profiles_unless_one_is_chosen() {
        let shown = |settings: &[(&str, &str)]| -> Vec<String> {
            let all = variants(&request(&["qcn", "smcc"], settings));
            all.into_iter().map(|variant| variant.scheme + " " + &variant.profile).collect()
        };
        assert_eq!(shown(&[]), ["qcn paper", "qcn 8021q", "smcc paper"]);
        assert_eq!(shown(&[("profile", "8021q")]), ["qcn 8021q", "smcc paper"]);
        assert_eq!(shown(&[("qcn.profile", "paper")]), ["qcn paper", "smcc paper"]);
        // No scheme has it, or not the named scheme: it is passed on and then refused.
        assert_eq!(shown(&[("profile", "802")]), ["qcn 802", "smcc 802"]);
        assert_eq!(shown(&[("smcc.profile", "8021q")]), ["qcn paper", "qcn 8021q", "smcc 8021q"]);
    }

    /// For QCN a counter and a register, for other schemes the register: flip-flops that can be counted by hand.
    fn emit_counters(
        scheme: &str,
        _: Part,
        settings: &[(String, String)],
        _: ParameterStyle,
    ) -> Result<Vec<EmittedBlock>> {
        let eight_more = settings.iter().any(|(key, value)| key == "profile" && value == "8021q");
        let register = |block: &'static str, top: &str, bits: u32, next: &str| EmittedBlock {
            block,
            top: top.to_string(),
            verilog: format!(
                "module {top}(input wire clk, input wire [{0}:0] d, output reg [{0}:0] q);\n\
                 always @(posedge clk) q <= {next};\nendmodule\n",
                bits - 1
            ),
        };
        let counter = if eight_more { 24 } else { 16 };
        let delay = register("rate_limiter", "delay", 10, "d");
        Ok(if scheme == "qcn" { vec![register("calculator", "counter", counter, "q + d"), delay] } else { vec![delay] })
    }

    #[test]
    fn totals_differences_and_the_published_figure_stand_beside_each_other() {
        let seen = std::sync::Mutex::new(Vec::new());
        let progress = |finished: usize, all: usize| seen.lock().unwrap().push((finished, all));
        let outcome = compare_emitted(&request(&["smcc", "qcn"], &[]), &emit_counters, progress).unwrap();
        assert_eq!(seen.into_inner().unwrap().into_iter().max(), Some((10, 10)), "repeats count as finished");

        let flip_flops = |family: Family, scheme: &str, profile: &str, ports: u32, block: &str| {
            let variant = Variant { scheme: scheme.to_string(), profile: profile.to_string() };
            outcome.resources((family, "rp"), &variant, ports, block).unwrap().flip_flops
        };
        for family in [Family::Xc2vp, Family::Ecp5] {
            for ports in [1, 4] {
                assert_eq!(flip_flops(family, "smcc", "paper", ports, "rate_limiter"), 10 * ports);
                assert_eq!(flip_flops(family, "qcn", "paper", ports, "calculator"), 16 * ports);
                assert_eq!(flip_flops(family, "qcn", "paper", ports, TOTAL), 26 * ports);
                assert_eq!(flip_flops(family, "qcn", "8021q", ports, TOTAL), 34 * ports);
            }
        }
        let published = outcome.published.as_ref().unwrap();
        let ours: Vec<_> =
            published.ours.iter().map(|ours| (ours.more.1.as_str(), ours.ports, ours.flip_flops)).collect();
        assert_eq!(ours, [("paper", 1, 16), ("8021q", 1, 24), ("paper", 4, 64), ("8021q", 4, 96)]);
        assert_eq!((published.slice_registers, published.ports), (700, 4));

        let json = serde_json::to_value(&outcome).unwrap();
        assert_eq!(json["format_version"], 1);
        assert_eq!(json["tool"]["name"], "yosys");
        assert_eq!(json["parameters"], "fixed");
        let row = json["rows"][0].as_object().unwrap();
        for field in ["family", "scheme", "profile", "part", "block"] {
            assert!(row[field].is_string(), "{field}");
        }
        for field in ["ports", "flip_flops", "luts", "carries", "multipliers", "block_rams", "lut_rams", "inverters"] {
            assert!(row[field].is_u64(), "{field}");
        }
        assert_eq!(json["rows"].as_array().unwrap().len(), 2 * 2 * (2 + 3 + 3));
    }

    #[test]
    fn verilog_that_yosys_refuses_is_an_error_with_its_reason() {
        let broken = |_: &str, _: Part, _: &[(String, String)], _: ParameterStyle| {
            Ok(vec![EmittedBlock {
                block: "calculator",
                top: "broken".to_string(),
                verilog: "module broken(input wire a);\nunknown_module part(.a(a));\nendmodule\n".to_string(),
            }])
        };
        let error = format!("{:#}", compare_emitted(&request(&["qcn"], &[]), &broken, |_, _| ()).unwrap_err());
        assert!(error.contains("cannot synthesize broken for") && error.contains("unknown_module"), "{error}");
    }
}
