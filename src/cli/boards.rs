// SPDX-License-Identifier: MIT OR Apache-2.0
//! `tidegate boards`: lists the boards in the binary.

use super::{print_json, say};
use anyhow::Result;
use serde_json::json;
use tidegate_package::board::{self, Board, constraints};
use tidegate_report::table;

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

/// Such as `2 RGMII`.
fn ports(board: &Board) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for kind in board.ports.iter().map(|port| port.kind.name()) {
        match kinds.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => kinds.push((kind, 1)),
        }
    }
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

fn as_table(boards: &[Board]) -> String {
    let row = |board: &Board| {
        let format = constraints::format(board).map_or("–", |format| format.name());
        vec![board.name.clone(), board.part.to_string(), ports(board), format.to_string()]
    };
    let rows: Vec<Vec<String>> = boards.iter().map(row).collect();
    table::render(&["board", "part", "ports", "file"], &rows, &[])
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
                "constraints": constraints::format(board).map(|format| format.name()),
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
        assert!(rows.len() >= 2 + board::all().len(), "{text}");
        let row = |name: &str| *rows.iter().find(|row| row.trim_start().starts_with(name)).unwrap();
        for (name, parts) in [
            ("netfpga_1g ", ["xc2vp50-ff1152-7", "4 RGMII", "ucf"]),
            ("xilinx_kc705 ", ["xc7k325t-ffg900-2", "1 GMII, 1", "xdc"]),
            ("terasic_deca ", ["10M50DA-F484-C6GES", "1 MII", "–"]),
        ] {
            assert!(parts.iter().all(|part| row(name).contains(part)), "{}", row(name));
        }
    }

    #[test]
    fn json_has_a_version_and_every_board() {
        let report = as_json(&board::all());
        assert_eq!(report["format_version"], 1);
        let boards = report["boards"].as_array().unwrap();
        let of = |name: &str| boards.iter().find(|board| board["name"] == name).unwrap();
        assert_eq!(of("netfpga_1g")["ports"][3], "rgmii_3");
        assert_eq!(of("ecp5_versa")["clocks"][0]["frequency_mhz"], 100.0);
        assert_eq!(of("ecp5_versa")["constraints"], "lpf");
        assert!(of("avalanche")["constraints"].is_null());
    }
}
