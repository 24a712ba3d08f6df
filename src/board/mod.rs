// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards as data: one TOML file for each board, with part, clocks, pins and ports. Constraint files are made from it.
//!
//! The binary contains the files in `boards/`; another board is named by the path of its file. A file is checked
//! completely when it is loaded.

pub mod constraints;
mod file;

pub use file::parse;

use crate::error::{quoted, suggestion};
use crate::input;
use crate::output::STANDARD;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The files in `boards/`, by name.
const EMBEDDED: [(&str, &str); 3] = [
    ("colorlight_5a_75b_v8_0", include_str!("../../boards/colorlight_5a_75b_v8_0.toml")),
    ("ecp5_versa", include_str!("../../boards/ecp5_versa.toml")),
    ("netfpga_1g", include_str!("../../boards/netfpga_1g.toml")),
];

/// Most octets of a board file.
const FILE_MAX: usize = 1 << 20;

/// A board, with the signal at each pin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Name on the command line and of the constraint file.
    pub name: String,
    /// A description in one line.
    pub description: String,
    /// The source of the pin numbers.
    pub source: String,
    /// Format of its constraint file.
    pub constraints: ConstraintFormat,
    /// The FPGA.
    pub part: Part,
    /// Clock inputs; the first one is the main clock of the board.
    pub clocks: Vec<Clock>,
    /// Signals that are not part of a port: reset, LEDs, …
    #[serde(default)]
    pub resources: Vec<Resource>,
    /// Management buses (MDIO) of the Ethernet transceivers; several ports may share one.
    #[serde(default)]
    pub management: Vec<Management>,
    /// Ethernet ports.
    pub ports: Vec<Port>,
}

/// An FPGA, with the names of the tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [part] with vendor, family, device, package, speed")]
pub struct Part {
    /// Manufacturer of the FPGA.
    pub vendor: String,
    /// Family as in `compare --family`: `xc2vp` or `xc7` with constraints `ucf`, `ecp5` with `lpf`.
    pub family: String,
    /// Device, such as `LFE5U-25F`.
    pub device: String,
    /// Package, such as `CABGA256`.
    pub package: String,
    /// Speed grade.
    pub speed: String,
}

impl std::fmt::Display for Part {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{}-{}", self.device, self.package, self.speed)
    }
}

/// Format of a constraint file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConstraintFormat {
    /// Xilinx ISE.
    Ucf,
    /// Lattice, as nextpnr-ecp5 reads it.
    Lpf,
}

impl ConstraintFormat {
    /// The name in board files, which is also the ending of the file.
    pub fn name(self) -> &'static str {
        match self {
            ConstraintFormat::Ucf => "ucf",
            ConstraintFormat::Lpf => "lpf",
        }
    }
}

/// A clock input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { name = \"clk\", pin = \"P3\", frequency_mhz = 25, io_standard = \"LVCMOS33\" }"
)]
pub struct Clock {
    /// Signal name.
    pub name: String,
    /// Package pin; the positive one of a differential pair.
    pub pin: String,
    /// Frequency in MHz, 1 to 1000.
    pub frequency_mhz: f64,
    /// I/O standard, such as `LVCMOS33`.
    pub io_standard: String,
}

/// Direction of a signal, seen from the FPGA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the FPGA.
    In,
    /// Out of the FPGA.
    Out,
    /// Bidirectional, with a tri-state driver.
    Inout,
}

/// A signal or a bus that is neither clock nor part of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { name = \"led\", direction = \"out\", pins = [\"P11\"], io_standard = \"LVCMOS33\" }"
)]
pub struct Resource {
    /// Signal name.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Package pins from bit 0; with several pins it is a bus.
    pub pins: Vec<String>,
    /// I/O standard.
    pub io_standard: String,
}

/// A management bus: signals `<name>_mdc` and `<name>_mdio`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { name = \"mdio\", mdc = \"R5\", mdio = \"T4\", io_standard = \"LVCMOS33\" }"
)]
pub struct Management {
    /// Name that ports refer to.
    pub name: String,
    /// Package pin of the clock, an output.
    pub mdc: String,
    /// Package pin of the data line, which is bidirectional.
    pub mdio: String,
    /// I/O standard.
    pub io_standard: String,
}

/// The interface between FPGA and transceiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PortKind {
    /// Reduced gigabit media-independent interface: 4 data bits at both clock edges.
    Rgmii,
}

/// An Ethernet port: signals `<name>_rxc`, `<name>_rx_ctl`, `<name>_rxd[3:0]`, `<name>_txc`, `<name>_tx_ctl`,
/// `<name>_txd[3:0]` and, if there is one, `<name>_rst_n`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table of name, kind, io_standard, rx_clock_mhz and the pins of an Ethernet port"
)]
pub struct Port {
    /// Name, which is the beginning of the names of its signals.
    pub name: String,
    /// The interface.
    pub kind: PortKind,
    /// Name of the management bus of its transceiver, if it is connected to the FPGA.
    pub management: Option<String>,
    /// I/O standard of all its signals.
    pub io_standard: String,
    /// Frequency of the receive clock in MHz.
    pub rx_clock_mhz: f64,
    /// Pin of the receive clock, an input.
    pub rxc: String,
    /// Pin of the receive control, an input.
    pub rx_ctl: String,
    /// Pins of the receive data from bit 0, inputs.
    pub rxd: Vec<String>,
    /// Pin of the transmit clock, an output.
    pub txc: String,
    /// Pin of the transmit control, an output.
    pub tx_ctl: String,
    /// Pins of the transmit data from bit 0, outputs.
    pub txd: Vec<String>,
    /// Pin of the transceiver's reset, an output, active low.
    pub rst_n: Option<String>,
}

/// A signal of a board as a top module sees it: a plain port, or a bus.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal<'a> {
    /// Name of the port in the top module.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Package pins from bit 0, each with its field in the board file.
    pub pins: Vec<(&'a str, String)>,
    /// I/O standard.
    pub io_standard: &'a str,
    /// Frequency in MHz, for clocks.
    pub frequency_mhz: Option<f64>,
}

impl Signal<'_> {
    /// The name of one bit: that of the signal itself unless it is a bus.
    pub fn bit_name(&self, bit: usize, open: char, close: char) -> String {
        if self.pins.len() == 1 { self.name.clone() } else { format!("{}{open}{bit}{close}", self.name) }
    }
}

impl Board {
    /// All signals: clocks, resources, management buses, ports; in the order of the file.
    pub fn signals(&self) -> Vec<Signal<'_>> {
        let mut signals = Vec::new();
        for (index, clock) in self.clocks.iter().enumerate() {
            signals.push(Signal {
                name: clock.name.clone(),
                direction: Direction::In,
                pins: vec![(&clock.pin, format!("clocks[{index}].pin"))],
                io_standard: &clock.io_standard,
                frequency_mhz: Some(clock.frequency_mhz),
            });
        }
        for (index, resource) in self.resources.iter().enumerate() {
            signals.push(Signal {
                name: resource.name.clone(),
                direction: resource.direction,
                pins: bus(&resource.pins, &format!("resources[{index}].pins")),
                io_standard: &resource.io_standard,
                frequency_mhz: None,
            });
        }
        for (index, management) in self.management.iter().enumerate() {
            let lines = [("mdc", &management.mdc, Direction::Out), ("mdio", &management.mdio, Direction::Inout)];
            for (line, pin, direction) in lines {
                signals.push(Signal {
                    name: format!("{}_{line}", management.name),
                    direction,
                    pins: vec![(pin, format!("management[{index}].{line}"))],
                    io_standard: &management.io_standard,
                    frequency_mhz: None,
                });
            }
        }
        for (index, port) in self.ports.iter().enumerate() {
            let lines = [
                ("rxc", std::slice::from_ref(&port.rxc), Direction::In),
                ("rx_ctl", std::slice::from_ref(&port.rx_ctl), Direction::In),
                ("rxd", &port.rxd, Direction::In),
                ("txc", std::slice::from_ref(&port.txc), Direction::Out),
                ("tx_ctl", std::slice::from_ref(&port.tx_ctl), Direction::Out),
                ("txd", &port.txd, Direction::Out),
                ("rst_n", port.rst_n.as_slice(), Direction::Out),
            ];
            for (line, pins, direction) in lines.into_iter().filter(|(_, pins, _)| !pins.is_empty()) {
                signals.push(Signal {
                    name: format!("{}_{line}", port.name),
                    direction,
                    pins: bus(pins, &format!("ports[{index}].{line}")),
                    io_standard: &port.io_standard,
                    frequency_mhz: (line == "rxc").then_some(port.rx_clock_mhz),
                });
            }
        }
        signals
    }
}

/// Pins with their fields: `field` itself for one pin, `field[bit]` for several.
fn bus<'a>(pins: &'a [String], field: &str) -> Vec<(&'a str, String)> {
    let place = |bit| if pins.len() == 1 { field.to_string() } else { format!("{field}[{bit}]") };
    pins.iter().enumerate().map(|(bit, pin)| (pin.as_str(), place(bit))).collect()
}

/// No board of this name is in the binary, and it is no path of a board file.
#[derive(Debug)]
pub struct UnknownBoard(String);

impl std::fmt::Display for UnknownBoard {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = EMBEDDED.iter().map(|(name, _)| *name).collect();
        let (given, known) = (quoted(&self.0), names.join(", "));
        write!(
            formatter,
            "no board {given}: expected {known}, or the path of a .toml file{}",
            suggestion(&self.0, names)
        )
    }
}

impl std::error::Error for UnknownBoard {}

fn is_embedded(name: &str) -> bool {
    EMBEDDED.iter().any(|(embedded, _)| *embedded == name)
}

/// The board with this name, or from this file; `-` is the standard input.
///
/// # Errors
/// [`UnknownBoard`]; the file is not readable; or it is not a valid board: `boards/x.toml: field clocks[0].pin: …`.
pub fn load(name_or_path: &str) -> Result<Board> {
    if let Some((name, text)) = EMBEDDED.iter().find(|(name, _)| *name == name_or_path) {
        return parse(&format!("boards/{name}.toml"), text);
    }
    let path = Path::new(name_or_path);
    if !name_or_path.ends_with(".toml") && name_or_path != STANDARD && !path.exists() {
        return Err(UnknownBoard(name_or_path.to_string()).into());
    }
    parse(&input::name(path), &input::read_text(path, FILE_MAX)?)
}

/// All boards in the binary, by name.
pub fn all() -> Vec<Board> {
    EMBEDDED
        .iter()
        .map(|(name, _)| load(name).expect("a board file in the binary is valid: its test loads each"))
        .collect()
}

#[cfg(test)]
mod tests;
