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
    if let Some(timing) = &comparison.timing {
        line(&format!(
            "Fmax, {} {}: {}, speed grade {}, seed {}, parameters fixed, flip-flops before and behind all ports",
            timing.tool.name, timing.tool.version, timing.device, timing.speed_grade, timing.seed
        ));
        let rows = timing.rows.iter().map(|row| {
            let fmax = format!("{:.1}", row.fmax_mhz);
            let (luts, flip_flops) = (row.luts.to_string(), row.flip_flops.to_string());
            let names = [&row.scheme, &row.profile, row.part, &fmax, &luts, &flip_flops, &row.from, &row.to];
            names.map(str::to_string).to_vec()
        });
        let headers = ["scheme", "profile", "part", "Fmax, MHz", "LUTs", "flip-flops", "longest path from", "to"];
        line(table::render(&headers, &rows.collect::<Vec<_>>(), &[3, 4, 5]).trim_end());
        line("note: carries and LUT RAMs count as the LUTs that they take; flip-flops with those around the ports\n");
    }
    line("A LUT RAM is a primitive that uses LUTs as memory or shift register; those LUTs are not counted as LUTs.");
    line("Counts of one family and one version of Yosys can be compared; those of two cannot.");
    text
}
