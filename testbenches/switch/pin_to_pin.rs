// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole switch from pin to pin, as `tidegate build` makes its Verilog: three ports, with the PHYs of cocotbext-eth in Icarus.

use std::process::Output;
use tidegate::board;
use tidegate::build::switch;
use tidegate::emit::{File, PREFIX, Role};
use tidegate::registry;
use tidegate_testing::cocotb::{self as drivers, said};

pub const BOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/switch/three_ports.toml");

fn files(scheme: &str) -> Vec<File> {
    let settings = [("sample_packets", "5"), ("q0_bytes", "3000")];
    let settings = settings.map(|(key, value)| (key.to_string(), value.to_string()));
    let board = board::load(BOARD).unwrap();
    let design =
        switch::design(&board, registry::find(scheme).unwrap(), &settings, "tidegate build".to_string()).unwrap();
    let primitives = ("primitives.v".to_string(), include_str!("primitives.v").to_string());
    let files = design.files.into_iter().chain([primitives]);
    files.map(|(name, text)| File { name, text, role: Role::Module }).collect()
}

/// Runs the tests whose names match, with so many frames a station, on a design in which a text is replaced.
fn run(scheme: &str, [from, to]: [&str; 2], frames: &str, which: &str) -> Option<Output> {
    let top = format!("{PREFIX}top");
    drivers::run("testbenches/switch/pin_to_pin.py", files(scheme), [from, to], &[&top, frames, which])
}

fn passes(output: Option<Output>) {
    if let Some(output) = output {
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn frames_go_from_pin_to_pin() {
    passes(run("smcc", ["", ""], "6", "frames_go_to_their_stations"));
}

#[test]
#[ignore = "long: minutes of Icarus"]
fn many_frames_damaged_ones_and_feedback_go_from_pin_to_pin() {
    for scheme in ["smcc", "qcn"] {
        passes(run(scheme, ["", ""], "70", "."));
    }
}

/// What is replaced, and by what.
const MISTAKES: [(&str, &str); 2] = [
    // Frames go back to the port from which they came.
    ("others = ports & (~own_port);", "others = ports;"),
    // Bad frames stay.
    (".m_axis_tuser(rx_0_tuser)", ".m_axis_tuser()"),
];

#[test]
fn mistakes_have_their_places() {
    drivers::has_places(&files("smcc"), MISTAKES.map(|(from, _)| from));
}

#[test]
#[ignore = "long: minutes of Icarus"]
fn mistakes_are_found_from_pin_to_pin() {
    for (from, to) in MISTAKES {
        let Some(output) = run("smcc", [from, to], "10", ".") else { return };
        assert!(!output.status.success(), "with `{to}`: {}", said(&output));
    }
}
