// SPDX-License-Identifier: MIT OR Apache-2.0
//! The board files that are imported are those that the importer writes today, and each format of constraints is written.

use crate::common::{files_below, refused, tidegate};
use assert_cmd::Command;
use rayon::prelude::*;
use regex::Regex;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tidegate::board::constraints::format;
use tidegate::board::{Board, ConstraintFormat, Direction, all};
use tidegate::build::steps::device_option;
use tidegate::toolchain::find::Tool;
use tidegate_testing::cocotb::python;

/// Written by hand, because litex-boards does not have them.
const OURS: [&str; 4] = ["netfpga_10g.toml", "netfpga_1g.toml", "netfpga_1g_cml.toml", "netfpga_sume.toml"];

#[test]
fn the_importer_writes_the_same_board_files_again() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = python();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(&python)
        .arg(repository.join("scripts/import-boards"))
        .arg(folder.path())
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let imported = files_below(folder.path());
    let mut ours = files_below(&repository.join("boards"));
    ours.retain(|(name, _)| !OURS.contains(&name.to_str().unwrap()));
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&imported), names(&ours));
    for ((name, imported), (_, ours)) in imported.into_iter().zip(ours) {
        let [imported, ours] = [imported, ours].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(imported, ours, "{}: scripts/import-boards boards", name.display());
    }
}

/// Each board with a constraint file gets it, by the program.
#[test]
fn each_format_of_constraints_is_written() {
    for (board, file, line) in [
        ("ecp5_versa", "ecp5_versa.lpf", "LOCATE COMP \"rgmii_0_rxc\" SITE \"L20\";"),
        ("digilent_atlys", "digilent_atlys.ucf", "NET \"gmii_0_rx_clk\" LOC = \"K15\" | IOSTANDARD = LVCMOS33;"),
        (
            "xilinx_kc705",
            "xilinx_kc705.xdc",
            "set_property -dict {PACKAGE_PIN U27 IOSTANDARD LVCMOS25} [get_ports {gmii_0_rx_clk}]",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        tidegate(folder.path(), &["emit", "--board", board, "--out", "out"]).assert().success();
        let text = std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
        assert!(text.lines().any(|found| found == line), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    refused(folder.path(), &["emit", "--board", "terasic_deca", "--out", "out"], 1, &["max10", "tidegate boards"]);
}

/// The constraints of all signals of a board, as `emit` writes them.
fn emitted(board: &Board, format: ConstraintFormat) -> String {
    let folder = tempfile::tempdir().unwrap();
    tidegate(folder.path(), &["emit", "--board", &board.name, "--out", "out"]).assert().success();
    std::fs::read_to_string(folder.path().join(format!("out/{}.{}", board.name, format.name()))).unwrap()
}

/// The pins of a board with their I/O standards, where it says one.
fn pins(board: &Board) -> BTreeMap<String, Option<String>> {
    let signals = board.signals();
    let pins = signals.iter().flat_map(|signal| {
        let standard = signal.io_standard.map(str::to_string);
        signal.pins.iter().map(move |(pin, _)| (pin.to_string(), standard.clone()))
    });
    pins.collect()
}

/// A netlist of ports alone, as nextpnr reads one. An output shows the first input.
fn netlist_of_ports(board: &Board) -> serde_json::Value {
    let (mut next, mut ports) = (2, serde_json::Map::new());
    let mut signals = board.signals();
    signals.sort_by_key(|signal| signal.direction != Direction::In);
    for signal in &signals {
        let bits: Vec<u32> = match signal.direction {
            Direction::In => (0..signal.pins.len() as u32).map(|bit| next + bit).collect(),
            _ => vec![2; signal.pins.len()],
        };
        next += if signal.direction == Direction::In { bits.len() as u32 } else { 0 };
        let direction = if signal.direction == Direction::In { "input" } else { "output" };
        ports.insert(signal.name.clone(), json!({"direction": direction, "bits": bits}));
    }
    let attributes = json!({"top": "1"});
    let top = json!({"attributes": attributes, "ports": ports, "cells": {}, "netnames": {}});
    json!({"creator": "a test", "modules": {"top": top}})
}

/// nextpnr reads each LPF file, and gives each signal the pins and the standard of the board.
#[test]
fn nextpnr_reads_what_is_written_for_boards_with_an_ecp5() {
    let nextpnr = Tool::NextpnrEcp5.find().unwrap();
    let boards: Vec<Board> = all().into_iter().filter(|board| format(board) == Some(ConstraintFormat::Lpf)).collect();
    assert!(boards.len() > 15);
    boards.par_iter().for_each(|board| {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
        write("pins.lpf", emitted(board, ConstraintFormat::Lpf));
        write("ports.json", netlist_of_ports(board).to_string());
        let mut command = Command::from_std(nextpnr.command_in(folder.path()));
        command.args([
            &device_option(&board.part.device),
            "--package",
            &board.part.package,
            "--speed",
            &board.part.speed,
        ]);
        command.args(["--json", "ports.json", "--lpf", "pins.lpf", "--pack-only", "--write", "packed.json", "--quiet"]);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}: {}", board.name, String::from_utf8_lossy(&output.stderr));
        let packed = std::fs::read_to_string(folder.path().join("packed.json")).unwrap();
        let packed: serde_json::Value = serde_json::from_str(&packed).unwrap();
        let mut read = BTreeMap::new();
        for (name, cell) in packed["modules"]["top"]["cells"].as_object().unwrap() {
            let Some(port) = name.strip_suffix("$tr_io") else { continue };
            let attribute = |name: &str| cell["attributes"][name].as_str().map(str::to_string);
            read.insert(port.to_string(), (attribute("LOC").unwrap(), attribute("IO_TYPE")));
        }
        let mut expected = BTreeMap::new();
        for signal in board.signals() {
            for (bit, (pin, _)) in signal.pins.iter().enumerate() {
                expected
                    .insert(signal.bit_name(bit, '[', ']'), (pin.to_string(), signal.io_standard.map(str::to_string)));
            }
        }
        assert_eq!(read, expected, "{}", board.name);
    });
}

/// Each pin of the boards with an FPGA of Xilinx has the standard that LiteX writes for it.
#[test]
fn litex_writes_the_same_for_boards_of_xilinx() {
    let boards: Vec<(Board, ConstraintFormat)> = all()
        .into_iter()
        .filter(|board| board.source.starts_with("litex-boards"))
        .filter_map(|board| format(&board).map(|format| (board, format)))
        .filter(|(_, format)| *format != ConstraintFormat::Lpf)
        .collect();
    assert!(boards.len() > 30, "{}", boards.len());
    let lines = boards.iter().map(|(board, format)| format!("{}\t{}\t{}\n", board.name, board.source, format.name()));
    let python = python();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/boards/litex_constraints.py");
    let output = Command::new(python).arg(script).write_stdin(lines.collect::<String>()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let litex: BTreeMap<String, BTreeMap<String, Vec<Option<String>>>> =
        serde_json::from_slice(&output.stdout).unwrap();
    let line = r#"(?m)^set_property -dict \{PACKAGE_PIN (\w+)(?: IOSTANDARD (\w+))?|^NET "\S+" LOC = "(\w+)"(?: \| IOSTANDARD = (\w+))?"#;
    let line = Regex::new(line).unwrap();
    for (board, format) in &boards {
        let text = emitted(board, *format);
        let of = |found: &regex::Captures, places: [usize; 2]| {
            places.iter().find_map(|&place| found.get(place).map(|text| text.as_str().to_string()))
        };
        let written: BTreeMap<String, Option<String>> =
            line.captures_iter(&text).map(|found| (of(&found, [1, 3]).unwrap(), of(&found, [2, 4]))).collect();
        assert_eq!(written, pins(board), "{}: the file and the board", board.name);
        for (pin, standard) in &written {
            let theirs =
                litex[&board.name].get(pin).unwrap_or_else(|| panic!("{}: LiteX has no pin {pin}", board.name));
            assert!(theirs.contains(standard), "{}, pin {pin}: {standard:?}, LiteX {theirs:?}", board.name);
        }
    }
}
