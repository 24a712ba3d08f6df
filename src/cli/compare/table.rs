// SPDX-License-Identifier: MIT OR Apache-2.0
//! A comparison as text for the terminal.

use tidegate_lab::measure::Variant;
use tidegate_lab::measure::area::Comparison;
use tidegate_lab::measure::counts::Counts;
use tidegate_lab::measure::timing::Timing;
use tidegate_report::comparison::area::{self, Cells};
use tidegate_report::comparison::{clock_rate, counts};
use tidegate_report::fill::fill;
use tidegate_report::table;

/// Indentation of the lines of a sentence after the first.
const INDENT: usize = 2;

/// Largest number of schemes in a table of 80 columns; the others are in another table.
const VARIANTS: usize = 4;

/// A whole comparison: for each family and part a table and the differences, then the published number. Of copies and
/// one part for many only their tables.
pub(super) fn render(comparison: &Comparison) -> String {
    if let Some(counts) = &comparison.counts {
        return render_counts(comparison, counts);
    }
    let mut text = fill(&format!("{}; flip-flops / LUTs.", made_with(comparison)), INDENT);
    text += &fill(
        "Each block is synthesized by itself, without the outputs that nothing reads; the total is the sum of the blocks. \
         Ports share nothing but parameters: n ports are n times one.",
        0,
    );
    for (family, part) in comparison.tables() {
        text += &format!("\n{}, {}\n", family.name(), area::part_title(part));
        for cells in [area::table(comparison, family, part), area::shares(comparison, family, part)] {
            side_by_side(cells).iter().for_each(|cells| text += &rendered(cells));
        }
        for difference in area::differences(comparison, family, part) {
            text += &fill(&difference, INDENT);
        }
        for warning in area::unknown_cells(comparison, family, part) {
            text += &fill(&format!("warning: {warning}"), INDENT);
        }
        text += &fill(&format!("note: {}", family.note()), INDENT);
    }
    if let Some(sentences) = area::published(comparison) {
        text.push('\n');
        sentences.iter().for_each(|sentence| text += &fill(sentence, INDENT));
        text += &fill(
            "The page of --report DIR repeats this with fewer bits of CPID and with parameters as inputs.",
            INDENT,
        );
    }
    if let Some(timing) = &comparison.timing {
        text.push('\n');
        text += &clock_rates(timing);
    }
    text.push('\n');
    area::notes(comparison, &comparison.tables()).into_iter().for_each(|note| text += &fill(note, 0));
    text + &fill(COUNTED, 0)
}

/// What is not counted, and what cannot be compared.
const COUNTED: &str = "A LUT RAM is a primitive that uses LUTs as memory or shift register; those LUTs are not counted as LUTs. \
                       Counts of one family and one version of Yosys can be compared; those of two cannot.";

/// The program that counted, and the style of the parameters.
fn made_with(comparison: &Comparison) -> String {
    let style = match comparison.parameters {
        "inputs" => "parameters as inputs",
        _ => "parameters as constants",
    };
    format!("{} {}, {style}", comparison.tool.name, comparison.tool.version)
}

/// For each family, part and variant a table of copies and one part for many; then the differences.
fn render_counts(comparison: &Comparison, all: &Counts) -> String {
    let mut text = fill(&format!("{}.", made_with(comparison)), INDENT) + &fill(counts::MEANING, 0);
    for place in comparison.tables() {
        for variant in counts::variants(all, place) {
            let (part, Variant { scheme, profile }) = (area::part_title(place.1), &variant);
            text += &format!("\n{}, {part}, {scheme} {profile}\n", place.0.name());
            text += &rendered(&counts::table(all, place, &variant));
            counts::missing(all, place, &variant).iter().for_each(|reason| text += &fill(reason, INDENT));
        }
        let differences = counts::differences(all, place);
        if !differences.is_empty() {
            text.push('\n');
        }
        differences.iter().for_each(|difference| text += &fill(difference, INDENT));
        for warning in counts::unknown_cells(all, place) {
            text += &fill(&format!("warning: {warning}"), INDENT);
        }
        text += &fill(&format!("note: {}", place.0.note()), INDENT);
    }
    text.push('\n');
    area::note_on_slices(&comparison.tables()).into_iter().for_each(|note| text += &fill(note, 0));
    text + &fill(COUNTED, 0)
}

fn rendered(cells: &Cells) -> String {
    table::render(&cells.header_texts(), &cells.rows, &cells.right_aligned)
}

/// Divides a wide table into several: each has the first column and some of the others.
fn side_by_side(cells: Cells) -> Vec<Cells> {
    let columns = cells.headers.len();
    let tables = (1..columns).step_by(VARIANTS).map(|first| {
        let columns = first..columns.min(first + VARIANTS);
        let cut = |row: &Vec<String>| std::iter::once(row[0].clone()).chain(row[columns.clone()].to_vec()).collect();
        Cells {
            headers: cut(&cells.headers),
            rows: cells.rows.iter().map(cut).collect(),
            right_aligned: (1..=columns.len()).collect(),
        }
    });
    tables.collect()
}

/// The clock rate of each part, and the path that limits it.
fn clock_rates(timing: &Timing) -> String {
    let mut text = fill(&clock_rate::conditions(timing), INDENT);
    text += &rendered(&clock_rate::table(timing));
    text += "longest paths:\n";
    clock_rate::paths(timing).iter().for_each(|path| text += &fill(path, INDENT));
    text + &fill(&format!("note: {}", clock_rate::NOTE), INDENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_table_is_cut_into_some_that_have_all_of_its_columns() {
        let row = |name: &str| (0..7).map(|column| format!("{name}{column}")).collect::<Vec<_>>();
        let cells = Cells { headers: row("h"), rows: vec![row("a"), row("b")], right_aligned: (1..7).collect() };
        let tables = side_by_side(cells);
        let headers: Vec<Vec<String>> = tables.iter().map(|cells| cells.headers.clone()).collect();
        assert_eq!(headers, [&["h0", "h1", "h2", "h3", "h4"][..], &["h0", "h5", "h6"]]);
        assert_eq!(tables[1].rows, [["a0", "a5", "a6"], ["b0", "b5", "b6"]]);
        assert_eq!(tables[1].right_aligned, [1, 2]);
    }
}
