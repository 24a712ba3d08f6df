// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resources of each block of each scheme, in each FPGA family.
//!
//! A block is synthesized by itself, without the outputs that no other block reads; the total is the sum of the blocks;
//! the rest of a part is wires only. Ports share only parameters, so a card of n ports is counted as n times one port
//! (`tests/tools.rs` compares this with the synthesis of four copies).

use super::counts::{Counts, Plan, Single};
use super::published::Published;
use super::timing::Timing;
use super::{Difference, Emit, Request, ToolVersion, Variant, job, pairs, settings_of, variants};
use anyhow::{Context, Result};
use serde::Serialize;
use tidegate_package::emit::{EmittedBlock, ParameterStyle};
use tidegate_schemes::scheme::Part;
use tidegate_toolchain::cells::{Family, Resources, SmallMemories};
use tidegate_toolchain::yosys::{Job, Yosys};

/// Changes if a field of [`Comparison`] changes its meaning or is removed.
pub const FORMAT_VERSION: u32 = 3;

/// The block that stands for the sum of the blocks of a part.
pub const TOTAL: &str = "total";

/// What one block costs.
#[derive(Clone, PartialEq, Debug, Serialize)]
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
    /// As [`Family::slices_at_least`]; left out in families other than the Virtex-II Pro.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slices_at_least: Option<u32>,
    /// What the block takes of its part.
    pub share: Share,
}

/// What a block takes of the total of its part, in percent with one decimal; `null` if the total is 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Of the flip-flops.
    pub flip_flops_percent: Option<f64>,
    /// Of the LUTs.
    pub luts_percent: Option<f64>,
}

impl Share {
    /// The share of a block.
    pub fn of(block: &Resources, total: &Resources) -> Share {
        let percent =
            |block: u32, total: u32| (total > 0).then(|| (1000.0 * f64::from(block) / f64::from(total)).round() / 10.0);
        Share {
            flip_flops_percent: percent(block.flip_flops, total.flip_flops),
            luts_percent: percent(block.luts, total.luts),
        }
    }
}

/// A column of a table: a variant of a scheme, and what its small memories became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The scheme and its profile.
    pub variant: Variant,
    /// What the small memories became.
    pub small_memories: SmallMemories,
}

/// The outcome of [`compare`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// [`FORMAT_VERSION`].
    pub format_version: u32,
    /// The program that counted.
    pub tool: ToolVersion,
    /// `fixed` or `inputs`.
    pub parameters: &'static str,
    /// A row for each block, then the total, for each family, part, scheme, profile and number of ports.
    pub rows: Vec<Row>,
    /// The same rows for reaction points with LUT RAM, if Yosys makes flip-flops of it. A reaction point without rows
    /// here has no LUT RAM.
    pub without_lut_rams: Vec<Row>,
    /// Differences of the totals of two schemes.
    pub differences: Vec<Difference>,
    /// The published number, if both schemes and its family are in this comparison.
    pub published: Option<Published>,
    /// Copies of a part beside one part for many; left out if it was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// The clock rates; left out if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
}

/// The name on the command line and in reports: `fixed` or `inputs`.
pub(crate) fn style_name(style: ParameterStyle) -> &'static str {
    match style {
        ParameterStyle::Fixed => "fixed",
        ParameterStyle::Inputs => "inputs",
    }
}

/// Synthesizes every block of every requested scheme, and again without LUT RAM the blocks of reaction points that have
/// LUT RAM. `progress` is called with the number of finished syntheses and of all.
///
/// # Errors
/// [`tidegate_toolchain::MissingTool`] without Yosys; what [`tidegate_package::emit::blocks`] says of an unknown scheme or a wrong
/// setting; what Yosys says of Verilog that it refuses.
pub fn compare(request: &Request, progress: impl Fn(usize, usize) + Sync) -> Result<Comparison> {
    compare_emitted(request, &tidegate_package::emit::blocks, progress)
}

/// The differences of [`compare`] only.
///
/// # Errors
/// See [`compare`].
pub fn compare_differences(request: &Request) -> Result<Vec<Difference>> {
    Ok(Counted::of(request, &tidegate_package::emit::blocks, &[], |_, _| ())?.differences)
}

/// What each block of some parts costs in a family, one port each, block by block.
///
/// # Errors
/// See [`compare`].
pub(crate) fn count(family: Family, parts: &[&[EmittedBlock]]) -> Result<Vec<Vec<Resources>>> {
    let jobs: Vec<Job> = parts.iter().copied().flatten().map(|block| job(family, block)).collect();
    let mut counts = Yosys::find()?.synthesize(&jobs, |_| ())?.into_iter();
    Ok(parts.iter().map(|blocks| counts.by_ref().take(blocks.len()).collect()).collect())
}

/// The syntheses of one part of one variant for one family.
struct Syntheses {
    family: Family,
    part: Part,
    variant: Variant,
    blocks: Vec<&'static str>,
    /// Bits of the memories of each block.
    memory_bits: Vec<u32>,
    /// One for each block.
    jobs: Vec<Job>,
    /// The result of each job: one port.
    counts: Vec<Resources>,
}

impl Syntheses {
    fn has_lut_rams(&self) -> bool {
        self.counts.iter().any(|resources| resources.lut_rams > 0)
    }

    fn total(&self) -> Resources {
        total(&self.counts)
    }

    /// The part as one of several copies. A memory of a block that has neither LUT RAM nor block RAM is in its
    /// flip-flops.
    fn single(&self) -> Single {
        let bits = |(counts, memory_bits): (&Resources, &u32)| {
            counts.flip_flops + if counts.lut_rams + counts.block_rams > 0 { *memory_bits } else { 0 }
        };
        Single {
            family: self.family,
            part: self.part,
            variant: self.variant.clone(),
            resources: self.total(),
            state_bits: self.counts.iter().zip(&self.memory_bits).map(bits).sum(),
        }
    }

    /// A row for each block and one for the total, for each number of ports.
    fn rows(&self, ports: &[u32]) -> Vec<Row> {
        let total = self.total();
        let mut rows = Vec::new();
        for &ports in ports {
            let all = self.blocks.iter().zip(&self.counts).chain([(&TOTAL, &total)]);
            rows.extend(all.map(|(block, one_port)| {
                let resources = one_port.times(ports);
                Row {
                    family: self.family,
                    scheme: self.variant.scheme.clone(),
                    profile: self.variant.profile.clone(),
                    part: self.part.name(),
                    ports,
                    block: block.to_string(),
                    slices_at_least: self.family.slices_at_least(&resources),
                    share: Share::of(one_port, &total),
                    resources,
                }
            }));
        }
        rows
    }
}

/// What Yosys counted for a request.
struct Counted {
    tool: ToolVersion,
    rows: Vec<Row>,
    without_lut_rams: Vec<Row>,
    differences: Vec<Difference>,
    /// Each part of each variant.
    singles: Vec<Single>,
    /// Of the jobs beside those of the request.
    others: Vec<Resources>,
}

impl Counted {
    /// Synthesizes the blocks of a request, and other jobs with them.
    fn of(request: &Request, emit: Emit, others: &[Job], progress: impl Fn(usize, usize) + Sync) -> Result<Counted> {
        let mut parts = Vec::new();
        for &part in &request.parts {
            for variant in variants(request) {
                let settings = settings_of(request, &variant);
                let blocks = emit(&variant.scheme, part, &settings, request.style)
                    .with_context(|| format!("cannot compare {}", variant.scheme))?;
                parts.extend(request.families.iter().map(|&family| Syntheses {
                    family,
                    part,
                    variant: variant.clone(),
                    blocks: blocks.iter().map(|block| block.block).collect(),
                    memory_bits: blocks.iter().map(EmittedBlock::memory_bits).collect(),
                    jobs: blocks.iter().map(|block| job(family, block)).collect(),
                    counts: Vec::new(),
                }));
            }
        }
        parts.sort_by_key(|part| request.families.iter().position(|&family| family == part.family));
        let jobs: Vec<Job> = parts.iter().flat_map(|part| &part.jobs).chain(others).cloned().collect();
        // Wrong input is reported even if Yosys is missing.
        let yosys = Yosys::find()?;
        progress(0, jobs.len());
        let mut counts = yosys.synthesize(&jobs, |finished| progress(finished, jobs.len()))?.into_iter();
        for part in &mut parts {
            part.counts = counts.by_ref().take(part.jobs.len()).collect();
        }
        let rows: Vec<Row> = parts.iter().flat_map(|part| part.rows(&request.ports)).collect();
        let singles = parts.iter().map(Syntheses::single).collect();

        // Again without LUT RAM: only blocks that have LUT RAM.
        parts.retain(|part| part.part == Part::ReactionPoint);
        let has_lut_rams: Vec<bool> = parts.iter().map(Syntheses::has_lut_rams).collect();
        let (mut again, mut places) = (Vec::new(), Vec::new());
        for part in &mut parts {
            for (job, count) in part.jobs.iter().zip(&mut part.counts).filter(|(_, count)| count.lut_rams > 0) {
                again.push(Job { small_memories: SmallMemories::FlipFlops, ..job.clone() });
                places.push(count);
            }
        }
        let all = jobs.len() + again.len();
        let results = yosys.synthesize(&again, |finished| progress(jobs.len() + finished, all))?;
        places.into_iter().zip(results).for_each(|(place, resources)| *place = resources);
        let without: Vec<Row> = parts.iter().flat_map(|part| part.rows(&request.ports)).collect();
        let changed = parts.iter().zip(has_lut_rams).filter(|(_, has_lut_rams)| *has_lut_rams);

        Ok(Counted {
            tool: ToolVersion { name: "yosys", version: yosys.version().to_string() },
            differences: differences(&rows, &without),
            rows,
            without_lut_rams: changed.flat_map(|(part, _)| part.rows(&request.ports)).collect(),
            singles,
            others: counts.collect(),
        })
    }
}

pub(super) fn compare_emitted(
    request: &Request,
    emit: Emit,
    progress: impl Fn(usize, usize) + Sync,
) -> Result<Comparison> {
    let plan = Plan::of(request, emit)?;
    let counted = Counted::of(request, emit, &plan.jobs(), progress)?;
    let counts = (!request.counts.is_empty()).then(|| plan.counts(&request.counts, &counted.singles, &counted.others));
    Ok(Comparison {
        format_version: FORMAT_VERSION,
        tool: counted.tool,
        parameters: style_name(request.style),
        rows: counted.rows,
        without_lut_rams: counted.without_lut_rams,
        published: Published::of(request, &counted.differences),
        differences: counted.differences,
        counts,
        timing: None,
    })
}

/// The sum of the blocks of a part.
pub(crate) fn total(blocks: &[Resources]) -> Resources {
    blocks.iter().fold(Resources::default(), |sum, resources| sum.plus(resources))
}

impl Comparison {
    /// The columns of the table of a family and a part: each variant, and beside it the same without LUT RAM if it has
    /// any.
    pub fn columns(&self, (family, part): (Family, &str)) -> Vec<Column> {
        let mut all: Vec<Column> = Vec::new();
        for row in self.rows.iter().filter(|row| (row.family, row.part) == (family, part)) {
            let variant = Variant { scheme: row.scheme.clone(), profile: row.profile.clone() };
            if all.iter().any(|column| column.variant == variant) {
                continue;
            }
            all.push(Column { variant: variant.clone(), small_memories: SmallMemories::LutRam });
            let without = Column { variant, small_memories: SmallMemories::FlipFlops };
            if self.row((family, part), &without, row.ports, TOTAL).is_some() {
                all.push(without);
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

    /// The row of one block, if the variant has it.
    pub fn row(&self, (family, part): (Family, &str), column: &Column, ports: u32, block: &str) -> Option<&Row> {
        let rows = match column.small_memories {
            SmallMemories::LutRam => &self.rows,
            SmallMemories::FlipFlops => &self.without_lut_rams,
        };
        rows.iter().find(|row| {
            (row.family, row.part, row.ports) == (family, part, ports)
                && row.scheme == column.variant.scheme
                && row.profile == column.variant.profile
                && row.block == block
        })
    }
}

/// Each variant of a scheme against each of the schemes after it. `without` has the rows of the reaction points if Yosys makes flip-flops of LUT RAM.
fn differences(rows: &[Row], without: &[Row]) -> Vec<Difference> {
    let key = |row: &Row| (row.family, row.part, row.ports, row.scheme.clone(), row.profile.clone());
    let totals: Vec<&Row> = rows.iter().filter(|row| row.block == TOTAL).collect();
    let subtract = |more: &Row, less: &Row| i64::from(more.resources.flip_flops) - i64::from(less.resources.flip_flops);
    let other = |row: &Row| without.iter().find(|other| other.block == TOTAL && key(other) == key(row));
    let alike = |one: &Row, other: &Row| (one.family, one.part, one.ports) == (other.family, other.part, other.ports);
    let difference = |(more, less): (&Row, &Row)| Difference {
        family: more.family,
        part: more.part,
        more: (more.scheme.clone(), more.profile.clone()),
        less: (less.scheme.clone(), less.profile.clone()),
        ports: more.ports,
        flip_flops: subtract(more, less),
        flip_flops_without_lut_rams: other(more).zip(other(less)).map(|(more, less)| subtract(more, less)),
    };
    pairs(&totals, |row| &row.scheme, alike).into_iter().map(difference).collect()
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
            counts: Vec::new(),
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

    /// A memory of 16 words of 4 bits that is read without a clock.
    const MEMORY: &str = "module memory(input wire clk, input wire write, input wire [3:0] at, input wire [3:0] d,
        output wire [3:0] q);
        reg [3:0] words [0:15];
        assign q = words[at];
        always @(posedge clk) if (write) words[at] <= d;
        endmodule
        ";

    /// For QCN a counter and a register, for other schemes the register and a memory: flip-flops that can be counted by
    /// hand.
    fn emit_counters(
        scheme: &str,
        _: Part,
        settings: &[(String, String)],
        _: ParameterStyle,
    ) -> Result<Vec<EmittedBlock>> {
        let eight_more = settings.iter().any(|(key, value)| key == "profile" && value == "8021q");
        let block = |block: &'static str, top: &str, verilog: String| EmittedBlock {
            block,
            top: top.to_string(),
            verilog,
            memories: Vec::new(),
        };
        let register = |name: &'static str, top: &str, bits: u32, next: &str| {
            let verilog = format!(
                "module {top}(input wire clk, input wire [{0}:0] d, output reg [{0}:0] q);\n\
                 always @(posedge clk) q <= {next};\nendmodule\n",
                bits - 1
            );
            block(name, top, verilog)
        };
        let counter = if eight_more { 24 } else { 16 };
        let delay = register("rate_limiter", "delay", 10, "d");
        let calculator = match scheme {
            "qcn" => register("calculator", "counter", counter, "q + d"),
            _ => block("calculator", "memory", MEMORY.to_string()),
        };
        Ok(vec![calculator, delay])
    }

    #[test]
    fn totals_differences_and_the_published_figure_stand_beside_each_other() {
        let seen = std::sync::Mutex::new(Vec::new());
        let progress = |finished: usize, all: usize| seen.lock().unwrap().push((finished, all));
        let outcome = compare_emitted(&request(&["smcc", "qcn"], &[]), &emit_counters, progress).unwrap();
        // Two families, three variants of two blocks; the memory again in each family.
        let all = 2 * 3 * 2 + 2;
        assert_eq!(seen.into_inner().unwrap().into_iter().max(), Some((all, all)), "repeats count as finished");

        let row = |family: Family, scheme: &str, profile: &str, small_memories, ports: u32, block: &str| {
            let variant = Variant { scheme: scheme.to_string(), profile: profile.to_string() };
            outcome.row((family, "rp"), &Column { variant, small_memories }, ports, block).cloned()
        };
        let flip_flops = |family: Family, scheme: &str, profile: &str, ports: u32, block: &str| {
            row(family, scheme, profile, SmallMemories::LutRam, ports, block).unwrap().resources.flip_flops
        };
        for family in [Family::Xc2vp, Family::Ecp5] {
            for ports in [1, 4] {
                assert_eq!(flip_flops(family, "smcc", "paper", ports, "rate_limiter"), 10 * ports);
                assert_eq!(flip_flops(family, "smcc", "paper", ports, TOTAL), 10 * ports);
                assert_eq!(flip_flops(family, "qcn", "paper", ports, "calculator"), 16 * ports);
                assert_eq!(flip_flops(family, "qcn", "paper", ports, TOTAL), 26 * ports);
                assert_eq!(flip_flops(family, "qcn", "8021q", ports, TOTAL), 34 * ports);
                // Without LUT RAM the memory has a flip-flop for each of its bits, and QCN has no row.
                let without =
                    |block: &str| row(family, "smcc", "paper", SmallMemories::FlipFlops, ports, block).unwrap();
                assert_eq!(without("calculator").resources.flip_flops, 64 * ports);
                assert_eq!(without(TOTAL).resources.flip_flops, 74 * ports);
                assert_eq!(without(TOTAL).resources.lut_rams, 0);
                assert_eq!(row(family, "qcn", "paper", SmallMemories::FlipFlops, ports, TOTAL), None);
            }
            let columns: Vec<_> = outcome
                .columns((family, "rp"))
                .into_iter()
                .map(|column| {
                    (column.variant.scheme, column.variant.profile, column.small_memories == SmallMemories::LutRam)
                })
                .collect();
            let expected =
                [("smcc", "paper", true), ("smcc", "paper", false), ("qcn", "paper", true), ("qcn", "8021q", true)];
            assert_eq!(columns, expected.map(|(scheme, profile, normal)| (scheme.into(), profile.into(), normal)));
        }
        let published = outcome.published.as_ref().unwrap();
        let ours: Vec<_> = published
            .ours
            .iter()
            .map(|ours| (ours.more.1.as_str(), ours.ports, ours.flip_flops, ours.flip_flops_without_lut_rams))
            .collect();
        let expected = [("paper", 1, 16, -48), ("8021q", 1, 24, -40), ("paper", 4, 64, -192), ("8021q", 4, 96, -160)];
        assert_eq!(ours, expected.map(|(profile, ports, with, without)| (profile, ports, with, Some(without))));
        assert_eq!((published.slice_registers, published.ports), (700, 4));

        // One port in the Virtex-II Pro: 10 flip-flops and the LUTs of four RAM16X1S; 26 flip-flops.
        let total =
            |scheme: &str, ports| row(Family::Xc2vp, scheme, "paper", SmallMemories::LutRam, ports, TOTAL).unwrap();
        assert_eq!((total("smcc", 1).resources.lut_rams, total("smcc", 1).slices_at_least), (4, Some(5)));
        assert_eq!(total("qcn", 1).slices_at_least.map(|slices| slices >= 13), Some(true));
        let share = |block: &str| row(Family::Ecp5, "qcn", "paper", SmallMemories::LutRam, 4, block).unwrap().share;
        assert_eq!(share("calculator").flip_flops_percent, Some(61.5), "16 of 26");
        assert_eq!((share("rate_limiter").flip_flops_percent, share("rate_limiter").luts_percent), (Some(38.5), None));
        assert_eq!(Share::of(&Resources::default(), &Resources::default()).luts_percent, None);

        let json = serde_json::to_value(&outcome).unwrap();
        assert_eq!(json["format_version"], 3);
        assert_eq!(json["tool"]["name"], "yosys");
        assert_eq!(json["parameters"], "fixed");
        let row = json["rows"][0].as_object().unwrap();
        for field in ["family", "scheme", "profile", "part", "block"] {
            assert!(row[field].is_string(), "{field}");
        }
        let numbers = [
            "ports",
            "flip_flops",
            "luts",
            "carries",
            "multipliers",
            "block_rams",
            "lut_rams",
            "inverters",
            "slices_at_least",
        ];
        for field in numbers {
            assert!(row[field].is_u64(), "{field}");
        }
        assert!(row["share"]["flip_flops_percent"].is_f64() && !row.contains_key("lut_ram_luts"), "{row:?}");
        let of_ecp5 = json["rows"].as_array().unwrap().iter().find(|row| row["family"] == "ecp5").unwrap();
        assert!(of_ecp5.get("slices_at_least").is_none(), "a bound for the Virtex-II Pro only");
        assert_eq!(json["rows"].as_array().unwrap().len(), 2 * 2 * (3 + 3 + 3));
        assert_eq!(json["without_lut_rams"].as_array().unwrap().len(), 2 * 2 * 3, "one variant has LUT RAM");
    }

    #[test]
    fn verilog_that_yosys_refuses_is_an_error_with_its_reason() {
        let broken = |_: &str, _: Part, _: &[(String, String)], _: ParameterStyle| {
            Ok(vec![EmittedBlock {
                block: "calculator",
                top: "broken".to_string(),
                verilog: "module broken(input wire a);\nunknown_module part(.a(a));\nendmodule\n".to_string(),
                memories: Vec::new(),
            }])
        };
        let error = format!("{:#}", compare_emitted(&request(&["qcn"], &[]), &broken, |_, _| ()).unwrap_err());
        assert!(error.contains("cannot synthesize broken for") && error.contains("unknown_module"), "{error}");
    }
}
