//! `tidegate boards`: which boards the binary knows.

use crate::board::{self, Board};
use crate::report::table;
use anyhow::Result;
use serde_json::json;
use std::io::Write;

/// List the boards that constraint files can be made for.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print a JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: Arguments) -> Result<()> {
    let boards = board::all();
    let report = if arguments.json { as_json(&boards)? + "\n" } else { as_table(&boards) };
    write!(std::io::stdout(), "{report}")?;
    Ok(())
}

/// The main clock of a board as text: name and frequency.
fn main_clock(board: &Board) -> String {
    let clock = &board.clocks[0];
    format!("{} {} MHz", clock.name, clock.frequency_mhz)
}

fn as_table(boards: &[Board]) -> String {
    let rows: Vec<Vec<String>> = boards
        .iter()
        .map(|board| {
            vec![
                board.name.clone(),
                format!("{} {}", board.part.vendor, board.part),
                board.ports.len().to_string(),
                main_clock(board),
                board.constraints.name().to_string(),
                board.description.clone(),
            ]
        })
        .collect();
    table::render(&["board", "part", "ports", "clock", "constraints", "description"], &rows, &[2])
}

fn as_json(boards: &[Board]) -> Result<String> {
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
    Ok(serde_json::to_string_pretty(&json!({ "format_version": 1, "boards": rows }))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_a_board() {
        let text = as_table(&board::all());
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows.len(), 2 + board::all().len());
        let netfpga = rows.iter().find(|row| row.trim_start().starts_with("netfpga_1g")).unwrap();
        for part in ["Xilinx xc2vp50-ff1152-7", " 4 ", "core_clk 125 MHz", "ucf"] {
            assert!(netfpga.contains(part), "{netfpga}");
        }
    }

    #[test]
    fn json_has_a_version_and_every_board() {
        let report: serde_json::Value = serde_json::from_str(&as_json(&board::all()).unwrap()).unwrap();
        assert_eq!(report["format_version"], 1);
        assert_eq!(report["boards"][2]["name"], "netfpga_1g");
        assert_eq!(report["boards"][2]["ports"][3], "rgmii_3");
        assert_eq!(report["boards"][1]["clocks"][0]["frequency_mhz"], 100.0);
        assert_eq!(report["boards"][1]["constraints"], "lpf");
    }
}
