//! The resources of schemes for the terminal, for a picture and for the page, with the same rows and the same
//! sentences.

use crate::measure::Variant;
use crate::measure::area::{Comparison, Difference, Published, TOTAL};
use crate::report::number::grouped;
use crate::report::plot::{Bar, BarChart, BarGroup, bars};
use crate::toolchain::cells::{Family, Resources};
use anyhow::Result;

/// Resources that few blocks use. Each has a line below the total, if anything uses it.
type Rare = (&'static str, fn(&Resources) -> u32);
const RARE: [Rare; 5] = [
    ("carries", |resources| resources.carries),
    ("multipliers", |resources| resources.multipliers),
    ("block RAMs", |resources| resources.block_rams),
    ("LUT RAMs", |resources| resources.lut_rams),
    ("inverters", |resources| resources.inverters),
];

/// A table as [`crate::report::table::render`] and [`crate::report::page::Section::table`] take it.
pub struct Cells {
    /// One header per column.
    pub headers: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// The columns with numbers.
    pub right_aligned: Vec<usize>,
}

impl Cells {
    /// The headers as string slices, for the renderers.
    pub fn header_texts(&self) -> Vec<&str> {
        self.headers.iter().map(String::as_str).collect()
    }
}

/// `congestion point` or `reaction point`.
pub fn part_title(part: &str) -> &'static str {
    match part {
        "cp" => "congestion point",
        _ => "reaction point",
    }
}

/// `1 port`, `4 ports`.
pub fn ports_text(ports: u32) -> String {
    format!("{ports} port{}", if ports == 1 { "" } else { "s" })
}

/// A difference with its sign: `+34`, `−48`, `0`.
pub fn signed(value: i64) -> String {
    let plus = if value > 0 { "+" } else { "" };
    format!("{plus}{}", grouped(value as f64, 0))
}

/// The numbers of ports in a comparison, in the requested order.
fn port_counts(comparison: &Comparison) -> Vec<u32> {
    let mut ports = Vec::new();
    for row in &comparison.rows {
        if !ports.contains(&row.ports) {
            ports.push(row.ports);
        }
    }
    ports
}

/// A table with a row for each block and a column for each variant; a cell is `flip-flops / LUTs`. The first number of
/// ports is shown block by block, the others as totals.
pub fn table(comparison: &Comparison, family: Family, part: &str) -> Cells {
    let variants = comparison.variants();
    let ports = port_counts(comparison);
    let first = ports[0];
    let mut blocks: Vec<&str> = Vec::new();
    for row in comparison.rows.iter().filter(|row| (row.family, row.part) == (family, part)) {
        if row.block != TOTAL && !blocks.contains(&row.block.as_str()) {
            blocks.push(&row.block);
        }
    }
    let line = |title: String, block: &str, ports: u32, show: &dyn Fn(&Resources) -> String| {
        let cell = |variant: &Variant| {
            comparison.resources((family, part), variant, ports, block).map_or("–".to_string(), show)
        };
        std::iter::once(title).chain(variants.iter().map(cell)).collect::<Vec<_>>()
    };
    let both = |resources: &Resources| {
        format!("{} / {}", grouped(f64::from(resources.flip_flops), 0), grouped(f64::from(resources.luts), 0))
    };
    let mut rows: Vec<Vec<String>> = blocks.iter().map(|block| line(block.to_string(), block, first, &both)).collect();
    rows.extend(ports.iter().map(|&ports| line(format!("{TOTAL}, {}", ports_text(ports)), TOTAL, ports, &both)));
    for (title, count) in RARE {
        let used = line(format!("{title}, {}", ports_text(first)), TOTAL, first, &|resources| {
            grouped(f64::from(count(resources)), 0)
        });
        if used[1..].iter().any(|cell| cell != "0" && cell != "–") {
            rows.push(used);
        }
    }
    let headers = std::iter::once("block".to_string())
        .chain(variants.iter().map(|variant| format!("{} {}", variant.scheme, variant.profile)));
    Cells { headers: headers.collect(), rows, right_aligned: (1..=variants.len()).collect() }
}

/// One sentence for each pair of variants: the difference for every number of ports.
pub fn differences(comparison: &Comparison, family: Family, part: &str) -> Vec<String> {
    let here = comparison.differences.iter().filter(|one| (one.family, one.part) == (family, part));
    pairs(here.collect())
}

/// The largest number of pairs of variants in a paragraph.
const PAIRS_IN_A_PARAGRAPH: usize = 3;

/// The same for a paragraph; empty if there are so many pairs that the table is clearer.
pub(super) fn few_differences(comparison: &Comparison, family: Family, part: &str) -> Vec<String> {
    let sentences = differences(comparison, family, part);
    if sentences.len() > PAIRS_IN_A_PARAGRAPH {
        return Vec::new();
    }
    sentences
}

/// Differences of one pair of variants, of all numbers of ports, in one line.
fn pairs(differences: Vec<&Difference>) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for Difference { more, less, ports, flip_flops, .. } in differences {
        let pair = format!("{} {} − {} {}", more.0, more.1, less.0, less.1);
        let value = format!("{} flip-flops with {}", signed(*flip_flops), ports_text(*ports));
        match lines.iter_mut().find(|(known, _)| *known == pair) {
            Some((_, values)) => values.push(value),
            None => lines.push((pair, vec![value])),
        }
    }
    lines.into_iter().map(|(pair, values)| format!("{pair}: {}", values.join(", "))).collect()
}

/// A line for each kind of cell that is in no column.
pub fn unknown_cells(comparison: &Comparison, family: Family, part: &str) -> Vec<String> {
    let totals = comparison.rows.iter().filter(|row| (row.family, row.part) == (family, part) && row.block == TOTAL);
    totals
        .flat_map(|row| {
            row.resources.other_cells.iter().map(move |(cell, count)| {
                let whose = format!("{} {} with {}", row.scheme, row.profile, ports_text(row.ports));
                format!("{whose} has {count} {cell} cells, which no column counts")
            })
        })
        .collect()
}

/// The published figure, ours beside it, and the registers that the QCN of the paper would need in addition, from the
/// differences.
pub fn published(comparison: &Comparison) -> Option<Vec<String>> {
    let published = comparison.published.as_ref()?;
    let Published { source, statement, slice_registers, ports, .. } = published;
    let mut sentences = vec![format!("Published ({source}, Virtex-II Pro, {}): \"{statement}\".", ports_text(*ports))];
    for ours in published.ours.iter().filter(|ours| ours.ports == *ports) {
        let missing = slice_registers - ours.flip_flops;
        let what = match missing {
            1.. => format!(
                "for the published figure the paper's QCN would need about {} registers more than ours ({} a port)",
                grouped(missing as f64, 0),
                grouped(missing as f64 / f64::from(*ports), 0)
            ),
            0 => "the published figure".to_string(),
            _ => format!("{} more than the published figure", grouped(-missing as f64, 0)),
        };
        sentences.push(format!(
            "Ours, {} {} − {} {}: {}; {what}.",
            ours.more.0,
            ours.more.1,
            ours.less.0,
            ours.less.1,
            signed(ours.flip_flops)
        ));
    }
    sentences.extend(add_ons(published));
    Some(sentences)
}

/// The additional registers of the larger profile of a scheme over the smaller one.
fn add_ons(published: &Published) -> Option<String> {
    let ours: Vec<_> = published.ours.iter().filter(|ours| ours.ports == published.ports).collect();
    let least = ours.iter().min_by_key(|ours| ours.flip_flops)?;
    let most = ours.iter().max_by_key(|ours| ours.flip_flops)?;
    (least.more != most.more).then(|| {
        format!(
            "What {} {} has on top of {} (timer and its stage, jitter, hyper-active increase, target reduction, extra \
             fast recovery) takes {} registers with {}.",
            most.more.0,
            most.more.1,
            least.more.1,
            grouped((most.flip_flops - least.flip_flops) as f64, 0),
            ports_text(published.ports)
        )
    })
}

/// Flip-flops of every variant as bars, stacked from the blocks, a group for each family and part.
///
/// # Errors
/// See [`bars`].
pub fn chart(comparison: &Comparison, title: &str, wanted: &[(Family, &str)]) -> Result<String> {
    let ports = port_counts(comparison)[0];
    let mut blocks: Vec<&str> = Vec::new();
    for row in comparison.rows.iter().filter(|row| wanted.contains(&(row.family, row.part)) && row.block != TOTAL) {
        if !blocks.contains(&row.block.as_str()) {
            blocks.push(&row.block);
        }
    }
    let mut chart = BarChart::new(title, format!("flip-flops, {}", ports_text(ports)), blocks.iter().copied());
    for &(family, part) in wanted {
        let mut group = BarGroup::new(format!("{}, {}", family.name(), part_title(part)));
        for variant in comparison.variants() {
            let count = |block: &str| {
                let resources = comparison.resources((family, part), &variant, ports, block);
                resources.map_or(0.0, |resources| f64::from(resources.flip_flops))
            };
            let values: Vec<f64> = blocks.iter().map(|block| count(block)).collect();
            group = group.bar(Bar::new(format!("{} {}", variant.scheme, variant.profile), values));
        }
        chart = chart.group(group);
    }
    bars(&chart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::ToolVersion;
    use crate::measure::area::{FORMAT_VERSION, Row};
    use std::collections::BTreeMap;

    fn row(scheme: &str, profile: &str, block: &str, ports: u32, flip_flops: u32) -> Row {
        Row {
            family: Family::Xc2vp,
            scheme: scheme.to_string(),
            profile: profile.to_string(),
            part: "rp",
            ports,
            block: block.to_string(),
            resources: Resources { flip_flops, luts: 2 * flip_flops, carries: 16, ..Resources::default() }.times(ports),
        }
    }

    pub(crate) fn comparison() -> Comparison {
        let mut rows = Vec::new();
        for ports in [1, 4] {
            rows.push(row("qcn", "paper", "parser", ports, 24));
            rows.push(row("qcn", "paper", "calculator", ports, 300));
            rows.push(row("qcn", "paper", TOTAL, ports, 320));
            rows.push(row("smcc", "paper", "calculator", ports, 100));
            let mut latches = row("smcc", "paper", TOTAL, ports, 100);
            latches.resources.other_cells = BTreeMap::from([("LDCE".to_string(), 3)]);
            rows.push(latches);
        }
        let ours = [1, 4].map(|ports| Difference {
            family: Family::Xc2vp,
            part: "rp",
            more: ("qcn".to_string(), "paper".to_string()),
            less: ("smcc".to_string(), "paper".to_string()),
            ports,
            flip_flops: 220 * i64::from(ports),
        });
        Comparison {
            format_version: FORMAT_VERSION,
            tool: ToolVersion { name: "yosys", version: "0.70".to_string() },
            parameters: "fixed",
            rows,
            differences: ours.to_vec(),
            published: Some(Published {
                source: "SMCC, section 5.1",
                statement: "about 1,000 less",
                family: Family::Xc2vp,
                part: "rp",
                ports: 4,
                slice_registers: 1000,
                ours: ours.to_vec(),
            }),
            timing: None,
        }
    }

    #[test]
    fn rows_are_blocks_then_totals_then_what_few_use() {
        let table = table(&comparison(), Family::Xc2vp, "rp");
        assert_eq!(table.headers, ["block", "qcn paper", "smcc paper"]);
        let expected = [
            ["parser", "24 / 48", "–"],
            ["calculator", "300 / 600", "100 / 200"],
            ["total, 1 port", "320 / 640", "100 / 200"],
            ["total, 4 ports", "1,280 / 2,560", "400 / 800"],
            ["carries, 1 port", "16", "16"],
        ];
        assert_eq!(table.rows, expected);
    }

    #[test]
    fn differences_and_the_published_figure_are_worked_out() {
        let comparison = comparison();
        assert_eq!(
            differences(&comparison, Family::Xc2vp, "rp"),
            ["qcn paper − smcc paper: +220 flip-flops with 1 port, +880 flip-flops with 4 ports"]
        );
        let mut many = comparison.clone();
        for other in ["asm", "bcn", "dsm"] {
            let less = (other.to_string(), "paper".to_string());
            many.differences.push(Difference { less, ..comparison.differences[0].clone() });
        }
        assert_eq!(differences(&many, Family::Xc2vp, "rp").len(), 4, "a line each in the terminal");
        assert_eq!(few_differences(&many, Family::Xc2vp, "rp"), [""; 0], "four pairs");
        assert_eq!(few_differences(&comparison, Family::Xc2vp, "rp"), differences(&comparison, Family::Xc2vp, "rp"));
        let sentences = published(&comparison).unwrap();
        assert_eq!(sentences.len(), 2, "one profile has no add-ons: {sentences:?}");
        assert!(sentences[1].contains("+880; ") && sentences[1].contains("120 registers more"), "{sentences:?}");
        assert!(sentences[1].contains("(30 a port)"), "{sentences:?}");
        let warnings = unknown_cells(&comparison, Family::Xc2vp, "rp");
        assert_eq!(warnings[0], "smcc paper with 1 port has 3 LDCE cells, which no column counts");
    }
}
