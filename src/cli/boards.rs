// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate boards`: lists the boards in the binary.

use super::{print_json, say};
use crate::board::{self, Board};
use crate::report::fill::fill;
use crate::report::table;
use anyhow::Result;
use serde_json::json;

/// List the boards that constraint files can be made for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print a JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let boards = board::all();
    if arguments.json { print_json(&as_json(&boards)) } else { say(&as_table(&boards)) }
}

/// The main clock of a board as text: name and frequency.
fn main_clock(board: &Board) -> String {
    let clock = &board.clocks[0];
    format!("{} {} MHz", clock.name, clock.frequency_mhz)
}

fn as_table(boards: &[Board]) -> String {
    let rows: Vec<Vec<String>> = boards
        .iter()
        .map(|board| vec![board.name.clone(), board.part.to_string(), board.ports.len().to_string(), main_clock(board)])
        .collect();
    let described = |board: &Board| {
        let Board { name, description, part, constraints, .. } = board;
        fill(&format!("{name}: {description}; {}, constraints as {}", part.vendor, constraints.name()), 2)
    };
    let descriptions: String = boards.iter().map(described).collect();
    table::render(&["board", "part", "ports", "clock"], &rows, &[2]) + "\n" + &descriptions
}

fn as_json(boards: &[Board]) -> serde_json::Value {
    let rows: Vec<_> = boards
        .iter()
        .map(|board| {
            json!({
                "name": board.name,
                "description": board.description,
                "part": board.part,
                "ports": board.ports.iter().map(|port| &port.name).collect::<Vec<_>>(),
                "clocks": board.clocks,
                "constraints": board.constraints,
                "source": board.source,
            })
        })
        .collect();
    json!({ "format_version": 1, "boards": rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_a_board() {
        let text = as_table(&board::all());
        let rows: Vec<&str> = text.lines().collect();
        assert!(rows[2 + board::all().len()].is_empty(), "{text}");
        let netfpga = rows.iter().find(|row| row.trim_start().starts_with("netfpga_1g")).unwrap();
        for part in ["xc2vp50-ff1152-7", " 4 ", "core_clk 125 MHz"] {
            assert!(netfpga.contains(part), "{netfpga}");
        }
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("netfpga_1g: NetFPGA-1G") && words.contains("Xilinx, constraints as ucf"), "{text}");
    }

    #[test]
    fn json_has_a_version_and_every_board() {
        let report = as_json(&board::all());
        assert_eq!(report["format_version"], 1);
        assert_eq!(report["boards"][2]["name"], "netfpga_1g");
        assert_eq!(report["boards"][2]["ports"][3], "rgmii_3");
        assert_eq!(report["boards"][1]["clocks"][0]["frequency_mhz"], 100.0);
        assert_eq!(report["boards"][1]["constraints"], "lpf");
    }
}
