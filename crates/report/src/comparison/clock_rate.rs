// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock rates of parts for the terminal and for the page.

use super::area::Cells;
use tidegate_lab::measure::timing::{Row, Timing};

/// What the counts include.
pub const NOTE: &str = "Carries and LUT RAMs count as the LUTs that they take; flip-flops include those at the ports.";

/// For what, and how, the clock rates were measured.
pub fn conditions(timing: &Timing) -> String {
    let seeds = match timing.seeds[..] {
        [first, .., last] => format!("seeds {first} to {last}"),
        [seed] => format!("seed {seed}"),
        [] => String::new(),
    };
    let (tool, device, grade) = (&timing.tool, timing.device, timing.speed_grade);
    format!(
        "Fmax, {} {}: {device}, speed grade {grade}, {seeds}, parameters as constants, flip-flops at all ports",
        tool.name, tool.version
    )
}

/// `smcc paper rp`.
fn name(row: &Row) -> String {
    format!("{} {} {}", row.scheme, row.profile, row.part)
}

/// A row for each part. With several seeds, the rates of the slowest and of the fastest run.
pub fn table(timing: &Timing) -> Cells {
    let rates = if timing.seeds.len() > 1 { &["slowest, MHz", "fastest, MHz"][..] } else { &["Fmax, MHz"] };
    let headers = ["part"].iter().chain(rates).chain(&["LUTs", "flip-flops"]).map(|header| header.to_string());
    let row = |row: &Row| {
        let measured = [row.fmax_mhz, row.fastest_mhz];
        let rates = measured[..rates.len()].iter().map(|rate| format!("{rate:.1}"));
        let counts = [row.luts.to_string(), row.flip_flops.to_string()];
        std::iter::once(name(row)).chain(rates).chain(counts).collect()
    };
    Cells {
        headers: headers.collect(),
        rows: timing.rows.iter().map(row).collect(),
        right_aligned: (1..rates.len() + 3).collect(),
    }
}

/// For each part, the path that limits its slowest run.
pub fn paths(timing: &Timing) -> Vec<String> {
    let path = |row: &Row| {
        let run = row.slowest();
        let seed = if timing.seeds.len() > 1 { format!(", seed {}", run.seed) } else { String::new() };
        format!("{}{seed}: from {} to {}", name(row), run.from, run.to)
    };
    timing.rows.iter().map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_lab::measure::ToolVersion;
    use tidegate_lab::measure::timing::Run;

    fn timing(rates: &[f64]) -> Timing {
        let run = |(index, &fmax_mhz): (usize, &f64)| {
            let seed = index as u32 + 1;
            Run { seed, fmax_mhz, from: format!("a{seed}"), to: format!("b{seed}") }
        };
        let runs: Vec<Run> = rates.iter().enumerate().map(run).collect();
        Timing {
            tool: ToolVersion { name: "nextpnr-ecp5", version: "0.11".to_string() },
            device: "LFE5U-85F",
            speed_grade: 6,
            seeds: runs.iter().map(|run| run.seed).collect(),
            rows: vec![Row::new("smcc", "paper", "rp", (876, 387), runs)],
        }
    }

    #[test]
    fn one_seed_has_one_rate_and_several_have_the_slowest_and_the_fastest() {
        let one = timing(&[130.54]);
        assert!(conditions(&one).contains("speed grade 6, seed 1, "), "{}", conditions(&one));
        assert_eq!(table(&one).headers, ["part", "Fmax, MHz", "LUTs", "flip-flops"]);
        assert_eq!(table(&one).rows, [["smcc paper rp", "130.5", "876", "387"]]);
        assert_eq!(table(&one).right_aligned, [1, 2, 3]);
        assert_eq!(paths(&one), ["smcc paper rp: from a1 to b1"]);

        let three = timing(&[130.54, 128.3, 141.0]);
        assert!(conditions(&three).contains("seeds 1 to 3, "), "{}", conditions(&three));
        assert_eq!(table(&three).headers, ["part", "slowest, MHz", "fastest, MHz", "LUTs", "flip-flops"]);
        assert_eq!(table(&three).rows, [["smcc paper rp", "128.3", "141.0", "876", "387"]]);
        assert_eq!(table(&three).right_aligned, [1, 2, 3, 4]);
        assert_eq!(paths(&three), ["smcc paper rp, seed 2: from a2 to b2"]);
    }
}
