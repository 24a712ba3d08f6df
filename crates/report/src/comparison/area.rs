// SPDX-License-Identifier: MIT OR Apache-2.0
//! The resources of schemes for the terminal, for a picture and for the page, with the same rows and the same
//! sentences.

use crate::number::grouped;
use crate::plot::{Bar, BarChart, BarGroup, Picture, bars};
use anyhow::Result;
use tidegate_lab::measure::Difference;
use tidegate_lab::measure::area::{Column, Comparison, Row, TOTAL};
use tidegate_lab::measure::published::Published;
use tidegate_toolchain::cells::{Family, Resources, SmallMemories};

/// Resources that few blocks use. Each has a line below the total, if anything uses it.
type Rare = (&'static str, fn(&Resources) -> u32);
const RARE: [Rare; 5] = [
    ("carries", |resources| resources.carries),
    ("multipliers", |resources| resources.multipliers),
    ("block RAMs", |resources| resources.block_rams),
    ("LUT RAMs", |resources| resources.lut_rams),
    ("inverters", |resources| resources.inverters),
];

/// A table as [`crate::table::render`] and [`crate::page::Section::table`] take it.
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
pub(crate) fn ports_text(ports: u32) -> String {
    format!("{ports} port{}", if ports == 1 { "" } else { "s" })
}

/// A difference with its sign: `+34`, `−48`, `0`.
pub(crate) fn signed(value: i64) -> String {
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

/// The blocks of a part, in the order of the rows.
fn blocks<'a>(comparison: &'a Comparison, wanted: &[(Family, &str)]) -> Vec<&'a str> {
    let mut blocks: Vec<&str> = Vec::new();
    for row in comparison.rows.iter().filter(|row| wanted.contains(&(row.family, row.part))) {
        if row.block != TOTAL && !blocks.contains(&row.block.as_str()) {
            blocks.push(&row.block);
        }
    }
    blocks
}

/// `smcc paper`, or `smcc paper, no LUT RAM`.
fn column_name(column: &Column) -> String {
    let memories = match column.small_memories {
        SmallMemories::LutRam => "",
        SmallMemories::FlipFlops => ", no LUT RAM",
    };
    format!("{} {}{memories}", column.variant.scheme, column.variant.profile)
}

/// The lines of a table that has a column for each [`Column`].
struct Lines<'a> {
    comparison: &'a Comparison,
    place: (Family, &'a str),
    columns: Vec<Column>,
}

impl Lines<'_> {
    /// A line with a cell for each column; a dash where the variant does not have the block.
    fn line(&self, title: String, block: &str, ports: u32, show: &dyn Fn(&Row) -> String) -> Vec<String> {
        let cell =
            |column: &Column| self.comparison.row(self.place, column, ports, block).map_or("–".to_string(), show);
        std::iter::once(title).chain(self.columns.iter().map(cell)).collect()
    }

    /// The table of some lines; `title` is the header of the first column.
    fn cells(&self, title: &str, rows: Vec<Vec<String>>) -> Cells {
        let headers = std::iter::once(title.to_string()).chain(self.columns.iter().map(column_name));
        Cells { headers: headers.collect(), rows, right_aligned: (1..=self.columns.len()).collect() }
    }
}

/// A table with a row for each block and a column for each variant, and for each reaction point with LUT RAM one
/// without; a cell is `flip-flops / LUTs`. The first number of ports is shown block by block, the others as totals.
pub fn table(comparison: &Comparison, family: Family, part: &str) -> Cells {
    let place = (family, part);
    let lines = Lines { comparison, place, columns: comparison.columns(place) };
    let ports = port_counts(comparison);
    let first = ports[0];
    let whole = |number: u32| grouped(f64::from(number), 0);
    let both = |row: &Row| format!("{} / {}", whole(row.resources.flip_flops), whole(row.resources.luts));
    let mut rows: Vec<_> =
        blocks(comparison, &[place]).iter().map(|block| lines.line(block.to_string(), block, first, &both)).collect();
    rows.extend(ports.iter().map(|&ports| lines.line(format!("{TOTAL}, {}", ports_text(ports)), TOTAL, ports, &both)));
    for &ports in &ports {
        let slices = |row: &Row| row.slices_at_least.map_or("–".to_string(), whole);
        let used = lines.line(format!("slices at least, {}", ports_text(ports)), TOTAL, ports, &slices);
        rows.extend(used[1..].iter().any(|cell| cell != "–").then_some(used));
    }
    for (title, count) in RARE {
        let count = |row: &Row| whole(count(&row.resources));
        let used = lines.line(format!("{title}, {}", ports_text(first)), TOTAL, first, &count);
        rows.extend(used[1..].iter().any(|cell| cell != "0" && cell != "–").then_some(used));
    }
    lines.cells("block", rows)
}

/// What each block takes of its part, with the rows and columns of [`table`]; a cell is `flip-flops / LUTs` in percent
/// of the total.
pub fn shares(comparison: &Comparison, family: Family, part: &str) -> Cells {
    let place = (family, part);
    let lines = Lines { comparison, place, columns: comparison.columns(place) };
    let ports = port_counts(comparison)[0];
    let percent = |share: Option<f64>| share.map_or("–".to_string(), |share| format!("{} %", grouped(share, 0)));
    let both = |row: &Row| format!("{} / {}", percent(row.share.flip_flops_percent), percent(row.share.luts_percent));
    let blocks = blocks(comparison, &[place]);
    let rows = blocks.iter().map(|block| lines.line(block.to_string(), block, ports, &both)).collect();
    lines.cells("share of the part", rows)
}

/// What the words in some tables mean: `slices at least`, `no LUT RAM`.
pub fn notes(comparison: &Comparison, tables: &[(Family, &str)]) -> Vec<&'static str> {
    let mut columns = tables.iter().flat_map(|&place| comparison.columns(place));
    let memories = columns.any(|column| column.small_memories == SmallMemories::FlipFlops).then_some(
        "No LUT RAM: the same circuit, synthesized without LUT RAM (-nolutram of Yosys). Its small memories, such as that \
         of the CPID, are then flip-flops.",
    );
    note_on_slices(tables).into_iter().chain(memories).collect()
}

/// What the numbers of slices mean, if one of the families has them.
pub fn note_on_slices(tables: &[(Family, &str)]) -> Option<&'static str> {
    let has_slices = |&(family, _): &(Family, &str)| family.slices_at_least(&Resources::default()).is_some();
    tables.iter().any(has_slices).then_some(
        "Slices at least: Yosys does not pack slices. A slice of the Virtex-II Pro has two LUTs, two flip-flops and two bits \
         of a carry chain. The number is the largest of the three counts (LUTs with those of the LUT RAMs), divided by two \
         and rounded up. It is not measured: the tools of the vendor need at least as many slices, usually more.",
    )
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

/// A difference in flip-flops, and what it is without LUT RAM if that is another one.
fn both_ways(difference: &Difference) -> String {
    let with = signed(difference.flip_flops);
    match difference.flip_flops_without_lut_rams {
        Some(without) if without != difference.flip_flops => format!("{with} ({} without LUT RAM)", signed(without)),
        _ => with,
    }
}

/// Differences of one pair of variants, of all numbers of ports, in one line.
fn pairs(differences: Vec<&Difference>) -> Vec<String> {
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for difference in differences {
        let Difference { more, less, ports, .. } = difference;
        let pair = format!("{} {} − {} {}", more.0, more.1, less.0, less.1);
        let value = format!("{} flip-flops with {}", both_ways(difference), ports_text(*ports));
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

/// The published figure and ours beside it, from the differences.
pub fn published(comparison: &Comparison) -> Option<Vec<String>> {
    let published = comparison.published.as_ref()?;
    let Published { source, statement, ports, .. } = published;
    let mut sentences = vec![format!("Published ({source}, Virtex-II Pro, {}): \"{statement}\".", ports_text(*ports))];
    for ours in published.ours.iter().filter(|ours| ours.ports == *ports) {
        let pair = format!("{} {} − {} {}", ours.more.0, ours.more.1, ours.less.0, ours.less.1);
        sentences.push(format!("Ours, {pair}: {}.", both_ways(ours)));
    }
    sentences.extend(add_ons(published));
    sentences.push(format!(
        "The paper gives neither the widths of its registers nor whether it counts one port or the card. `tidegate reproduce \
         smcc-area` measures what about {} can be made of, with other circuits for both calculators.",
        published.slice_registers
    ));
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

/// What the bars of a chart show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// Flip-flops.
    FlipFlops,
    /// LUTs that hold logic.
    Luts,
}

impl Quantity {
    pub(super) fn name(self) -> &'static str {
        match self {
            Quantity::FlipFlops => "flip-flops",
            Quantity::Luts => "LUTs",
        }
    }

    pub(super) fn of(self, resources: &Resources) -> u32 {
        match self {
            Quantity::FlipFlops => resources.flip_flops,
            Quantity::Luts => resources.luts,
        }
    }
}

/// Flip-flops or LUTs of every variant as bars, stacked from the blocks, a group for each family and part.
///
/// # Errors
/// See [`bars`].
pub fn chart(comparison: &Comparison, title: &str, wanted: &[(Family, &str)], quantity: Quantity) -> Result<Picture> {
    let ports = port_counts(comparison)[0];
    let blocks = blocks(comparison, wanted);
    let label = format!("{}, {}", quantity.name(), ports_text(ports));
    let mut chart = BarChart::new(title, label, blocks.iter().copied());
    for &place in wanted {
        let mut group = BarGroup::new(format!("{}, {}", place.0.name(), part_title(place.1)));
        for column in comparison.columns(place) {
            let count = |block: &str| {
                let row = comparison.row(place, &column, ports, block);
                row.map_or(0.0, |row| f64::from(quantity.of(&row.resources)))
            };
            let values: Vec<f64> = blocks.iter().map(|block| count(block)).collect();
            group = group.bar(Bar::new(column_name(&column), values));
        }
        chart = chart.group(group);
    }
    bars(&chart)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tidegate_lab::measure::ToolVersion;
    use tidegate_lab::measure::area::{FORMAT_VERSION, Share};

    fn row(scheme: &str, block: &str, ports: u32, flip_flops: u32, of: u32) -> Row {
        let counted = |flip_flops| Resources { flip_flops, luts: 2 * flip_flops, carries: 16, ..Resources::default() };
        let resources = counted(flip_flops).times(ports);
        Row {
            family: Family::Xc2vp,
            scheme: scheme.to_string(),
            profile: "paper".to_string(),
            part: "rp",
            ports,
            block: block.to_string(),
            slices_at_least: Family::Xc2vp.slices_at_least(&resources),
            share: Share::of(&counted(flip_flops), &counted(of)),
            resources,
        }
    }

    /// SMCC has LUT RAM in place of 60 flip-flops.
    pub(crate) fn comparison() -> Comparison {
        let (mut rows, mut without_lut_rams) = (Vec::new(), Vec::new());
        for ports in [1, 4] {
            rows.push(row("qcn", "parser", ports, 20, 320));
            rows.push(row("qcn", "calculator", ports, 300, 320));
            rows.push(row("qcn", TOTAL, ports, 320, 320));
            rows.push(row("smcc", "calculator", ports, 100, 100));
            let mut latches = row("smcc", TOTAL, ports, 100, 100);
            latches.resources.other_cells = BTreeMap::from([("LDCE".to_string(), 3)]);
            rows.push(latches);
            without_lut_rams.push(row("smcc", "calculator", ports, 160, 160));
            without_lut_rams.push(row("smcc", TOTAL, ports, 160, 160));
        }
        let ours = [1, 4].map(|ports| Difference {
            family: Family::Xc2vp,
            part: "rp",
            more: ("qcn".to_string(), "paper".to_string()),
            less: ("smcc".to_string(), "paper".to_string()),
            ports,
            flip_flops: 220 * i64::from(ports),
            flip_flops_without_lut_rams: Some(160 * i64::from(ports)),
        });
        Comparison {
            format_version: FORMAT_VERSION,
            tool: ToolVersion { name: "yosys", version: "0.70".to_string() },
            parameters: "fixed",
            rows,
            without_lut_rams,
            differences: ours.to_vec(),
            published: Some(Published {
                source: "Jiang 2015b, section 5.1",
                statement: "about 1,000 less",
                family: Family::Xc2vp,
                part: "rp",
                ports: 4,
                slice_registers: 1000,
                ours: ours.to_vec(),
            }),
            counts: None,
            timing: None,
        }
    }

    #[test]
    fn rows_are_blocks_then_totals_then_slices_then_what_few_use() {
        let table = table(&comparison(), Family::Xc2vp, "rp");
        assert_eq!(table.headers, ["block", "qcn paper", "smcc paper", "smcc paper, no LUT RAM"]);
        let expected = [
            ["parser", "20 / 40", "–", "–"],
            ["calculator", "300 / 600", "100 / 200", "160 / 320"],
            ["total, 1 port", "320 / 640", "100 / 200", "160 / 320"],
            ["total, 4 ports", "1,280 / 2,560", "400 / 800", "640 / 1,280"],
            ["slices at least, 1 port", "320", "100", "160"],
            ["slices at least, 4 ports", "1,280", "400", "640"],
            ["carries, 1 port", "16", "16", "16"],
        ];
        assert_eq!(table.rows, expected);
        let shares = shares(&comparison(), Family::Xc2vp, "rp");
        assert_eq!(shares.headers[1..], table.headers[1..]);
        let expected =
            [["parser", "6 % / 6 %", "–", "–"], ["calculator", "94 % / 94 %", "100 % / 100 %", "100 % / 100 %"]];
        assert_eq!(shares.rows, expected);
    }

    #[test]
    fn a_column_without_lut_ram_stands_beside_parts_that_have_it_only() {
        let mut all = comparison();
        assert_eq!(notes(&all, &[(Family::Xc2vp, "rp"), (Family::Xc2vp, "cp")]).len(), 2);
        assert_eq!(notes(&all, &[(Family::Ecp5, "rp")]), [""; 0], "no slices, and no rows");
        let chart = |comparison: &Comparison, quantity| {
            chart(comparison, "title", &comparison.tables(), quantity).unwrap().svg()
        };
        let picture = chart(&all, Quantity::Luts);
        assert!(picture.contains(">640<"), "LUTs of qcn: {picture}");
        assert!(picture.contains("smcc paper, no LUT RAM") && picture.contains("LUTs, 1 port"), "{picture}");
        all.without_lut_rams.clear();
        assert_eq!(notes(&all, &all.tables()).len(), 1);
        assert_eq!(table(&all, Family::Xc2vp, "rp").headers, ["block", "qcn paper", "smcc paper"]);
        let picture = chart(&all, Quantity::FlipFlops);
        assert!(picture.contains(">320<") && !picture.contains(">640<"), "flip-flops of qcn: {picture}");
        assert!(!picture.contains("no LUT RAM") && picture.contains("flip-flops, 1 port"), "{picture}");
    }

    #[test]
    fn differences_and_the_published_figure_are_worked_out() {
        let comparison = comparison();
        assert_eq!(
            differences(&comparison, Family::Xc2vp, "rp"),
            [
                "qcn paper − smcc paper: +220 (+160 without LUT RAM) flip-flops with 1 port, +880 (+640 without LUT RAM) \
              flip-flops with 4 ports"
            ]
        );
        let mut many = comparison.clone();
        for other in ["asm", "bcn", "dsm"] {
            let less = (other.to_string(), "paper".to_string());
            many.differences.push(Difference { less, ..comparison.differences[0].clone() });
        }
        assert_eq!(differences(&many, Family::Xc2vp, "rp").len(), 4, "a line each in the terminal");
        assert_eq!(few_differences(&many, Family::Xc2vp, "rp"), [""; 0], "four pairs");
        assert_eq!(few_differences(&comparison, Family::Xc2vp, "rp"), differences(&comparison, Family::Xc2vp, "rp"));
        let mut same = comparison.clone();
        same.differences[0].flip_flops_without_lut_rams = Some(220);
        assert!(
            differences(&same, Family::Xc2vp, "rp")[0]
                .starts_with("qcn paper − smcc paper: +220 flip-flops with 1 port")
        );
        let warnings = unknown_cells(&comparison, Family::Xc2vp, "rp");
        assert_eq!(warnings[0], "smcc paper with 1 port has 3 LDCE cells, which no column counts");

        let sentences = published(&comparison).unwrap();
        assert_eq!(sentences.len(), 3, "one profile has no add-ons: {sentences:?}");
        assert_eq!(sentences[1], "Ours, qcn paper − smcc paper: +880 (+640 without LUT RAM).");
        assert!(sentences[2].contains("smcc-area") && sentences[2].contains("about 1000"), "{sentences:?}");
    }
}
