//! A comparison as text for the terminal.

use crate::report::comparison::area;
use crate::report::table;
use crate::toolchain::resources::Comparison;
use std::fmt::Write;

/// All of a comparison: a table for each family and part, the differences below it, then what was published.
pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = String::new();
    let style = match comparison.parameters {
        "inputs" => "parameters as input ports",
        _ => "parameters fixed",
    };
    let tool = &comparison.tool;
    let mut line = |line: &str| writeln!(text, "{line}").expect("text grows");
    line(&format!("{} {}, {style}; flip-flops / LUTs", tool.name, tool.version));
    line(
        "A block is synthesized by itself, without the outputs that nothing reads; the total is the sum of the blocks.",
    );
    line("Ports share nothing but parameters: n ports are n times one.\n");
    for (family, part) in comparison.tables() {
        line(&format!("{}, {}", family.name(), area::part_title(part)));
        let cells = area::table(comparison, family, part);
        line(table::render(&cells.header_texts(), &cells.rows, &cells.right_aligned).trim_end());
        for difference in area::differences(comparison, family, part) {
            line(&difference);
        }
        for warning in area::unknown_cells(comparison, family, part) {
            line(&format!("warning: {warning}"));
        }
        line(&format!("note: {}\n", family.note()));
    }
    if let Some(sentences) = area::published(comparison) {
        for sentence in sentences {
            line(&sentence);
        }
        line("The page of --report DIR has the same with fewer bits of CPID and with parameters as inputs.\n");
    }
    line("A LUT RAM is a primitive that uses LUTs as memory or shift register; those LUTs are not counted as LUTs.");
    line("Counts of one family and one version of Yosys can be compared; those of two cannot.");
    text
}
