//! A comparison as text for the terminal.

use crate::toolchain::cells::{Family, Resources};
use crate::toolchain::resources::{Comparison, Difference, Variant, TOTAL};
use comfy_table::{presets, CellAlignment, Table};
use std::fmt::Write;

/// The resources that few blocks use: a line below the total each, where anything uses them.
type Rare = (&'static str, fn(&Resources) -> u32);
const RARE: [Rare; 5] = [
    ("carries", |resources| resources.carries),
    ("multipliers", |resources| resources.multipliers),
    ("block RAMs", |resources| resources.block_rams),
    ("LUT RAMs", |resources| resources.lut_rams),
    ("inverters", |resources| resources.inverters),
];

/// All of a comparison: a table for each family and part, then the differences, then what was published.
pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    let style = match comparison.parameters {
        "inputs" => "parameters as input ports",
        _ => "parameters fixed",
    };
    let tool = &comparison.tool;
    let _ = writeln!(
        text,
        "{} {}, {style}; flip-flops / LUTs of each block, synthesized by itself\n",
        tool.name, tool.version
    );
    for (family, part) in comparison.tables() {
        let _ = writeln!(text, "{}, {}", family.name(), part_title(part));
        text.push_str(&family_table(comparison, family, part));
        for difference in comparison.differences.iter().filter(|one| (one.family, one.part) == (family, part)) {
            let _ = writeln!(text, "{}", difference_line(difference));
        }
        if let Some(published) = comparison.published.as_ref().filter(|one| (one.family, one.part) == (family, part)) {
            let _ = writeln!(
                text,
                "published: about {:+} slice registers at {} ports ({}: \"{}\")",
                published.slice_registers, published.ports, published.source, published.statement
            );
        }
        for line in unknown_cells(comparison, family, part) {
            let _ = writeln!(text, "warning: {line}");
        }
        let _ = writeln!(text, "note: {}\n", family.note());
    }
    text.push_str(
        "A LUT RAM is a primitive that uses LUTs as memory or shift register; those LUTs are not counted as LUTs.\n\
         Counts of one family and one version of Yosys can be compared; those of two cannot.\n",
    );
    text
}

fn part_title(part: &str) -> &'static str {
    match part {
        "cp" => "congestion point",
        _ => "reaction point",
    }
}

fn with_ports(text: &str, ports: u32) -> String {
    format!("{text} at {ports} port{}", if ports == 1 { "" } else { "s" })
}

fn difference_line(difference: &Difference) -> String {
    let Difference { more, less, ports, flip_flops, .. } = difference;
    let line = format!("{} {} − {} {}: {flip_flops:+} flip-flops", more.0, more.1, less.0, less.1);
    with_ports(&line, *ports)
}

/// Blocks down, variants and ports across.
fn family_table(comparison: &Comparison, family: Family, part: &str) -> String {
    let mut ports: Vec<u32> = comparison.rows.iter().map(|row| row.ports).collect();
    ports.sort_unstable();
    ports.dedup();
    let variants = comparison.variants();
    let columns: Vec<(&Variant, u32)> =
        variants.iter().flat_map(|variant| ports.iter().map(move |&ports| (variant, ports))).collect();
    let mut blocks: Vec<&str> = Vec::new();
    for row in comparison.rows.iter().filter(|row| (row.family, row.part) == (family, part)) {
        if row.block != TOTAL && !blocks.contains(&row.block.as_str()) {
            blocks.push(&row.block);
        }
    }
    let line = |title: &str, block: &str, show: &dyn Fn(&Resources) -> String| {
        let cell = |&(variant, ports): &(&Variant, u32)| {
            comparison.resources((family, part), variant, ports, block).map_or("–".to_string(), show)
        };
        std::iter::once(title.to_string()).chain(columns.iter().map(cell)).collect::<Vec<_>>()
    };
    let both = |resources: &Resources| format!("{} / {}", resources.flip_flops, resources.luts);
    let mut lines: Vec<Vec<String>> = blocks.iter().map(|block| line(block, block, &both)).collect();
    lines.push(line(TOTAL, TOTAL, &both));
    for (title, count) in RARE {
        let used = line(title, TOTAL, &|resources| count(resources).to_string());
        if used[1..].iter().any(|cell| cell != "0" && cell != "–") {
            lines.push(used);
        }
    }
    let headers = std::iter::once("block".to_string()).chain(columns.iter().map(|(variant, ports)| {
        format!("{} {}\n{ports} port{}", variant.scheme, variant.profile, if *ports == 1 { "" } else { "s" })
    }));
    ruled(headers.collect(), lines)
}

/// Columns under a ruled header; numbers flush right.
fn ruled(headers: Vec<String>, lines: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_style(comfy_table::TableComponent::HeaderLines, '─');
    table.set_style(comfy_table::TableComponent::MiddleHeaderIntersections, '─');
    table.set_header(headers).add_rows(lines);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// A line for each kind of cell that no column counts.
fn unknown_cells(comparison: &Comparison, family: Family, part: &str) -> Vec<String> {
    let totals = comparison.rows.iter().filter(|row| (row.family, row.part) == (family, part) && row.block == TOTAL);
    totals
        .flat_map(|row| {
            row.resources.other_cells.iter().map(move |(cell, count)| {
                let whose = with_ports(&format!("{} {}", row.scheme, row.profile), row.ports);
                format!("{whose} has {count} {cell} cells, which no column counts")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolchain::resources::{Published, Row, ToolVersion, FORMAT_VERSION};
    use std::collections::BTreeMap;

    fn row(scheme: &str, profile: &str, block: &str, flip_flops: u32) -> Row {
        Row {
            family: Family::Xc2vp,
            scheme: scheme.to_string(),
            profile: profile.to_string(),
            part: "rp",
            ports: 4,
            block: block.to_string(),
            resources: Resources { flip_flops, luts: 2 * flip_flops, carries: 16, ..Resources::default() },
        }
    }

    fn comparison() -> Comparison {
        let ours = Difference {
            family: Family::Xc2vp,
            part: "rp",
            more: ("qcn".to_string(), "paper".to_string()),
            less: ("smcc".to_string(), "paper".to_string()),
            ports: 4,
            flip_flops: 224,
        };
        let mut latches = row("smcc", "paper", TOTAL, 100);
        latches.resources.other_cells = BTreeMap::from([("LDCE".to_string(), 3)]);
        Comparison {
            format_version: FORMAT_VERSION,
            tool: ToolVersion { name: "yosys", version: "0.70".to_string() },
            parameters: "fixed",
            rows: vec![
                row("qcn", "paper", "parser", 24),
                row("qcn", "paper", "calculator", 300),
                row("qcn", "paper", TOTAL, 324),
                row("smcc", "paper", "calculator", 100),
                latches,
            ],
            differences: vec![ours.clone()],
            published: Some(Published {
                source: "SMCC, section 5.1",
                statement: "about 700 less",
                family: Family::Xc2vp,
                part: "rp",
                ports: 4,
                slice_registers: 700,
                ours: vec![ours],
            }),
        }
    }

    #[test]
    fn a_table_shows_every_block_the_difference_and_what_was_published() {
        let text = render(&comparison());
        let expected = "\
xc2vp, reaction point
block        qcn paper   smcc paper
               4 ports      4 ports
─────────────────────────────────────
parser         24 / 48            –
calculator   300 / 600    100 / 200
total        324 / 648    100 / 200
carries             16           16
qcn paper − smcc paper: +224 flip-flops at 4 ports
published: about +700 slice registers at 4 ports (SMCC, section 5.1: \"about 700 less\")
warning: smcc paper at 4 ports has 3 LDCE cells, which no column counts
";
        assert!(text.contains(expected), "{text}");
    }
}
