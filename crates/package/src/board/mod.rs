// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards as data: one TOML file for each board, with part, clocks, pins and ports. Constraint files are made from it.
//!
//! The binary contains the files in `boards/`; another board is named by the path of its file. A file is checked
//! completely when it is loaded.

pub mod constraints;
mod family;
mod file;
mod port;
pub mod programmer;
mod timing;

pub use family::{ConstraintFormat, is_single_ended};
pub use file::parse;
pub use port::{Line, PortKind};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use tidegate_core::error::{quoted, suggestion};
use tidegate_core::input;
use tidegate_core::output::STANDARD;

/// The files in `boards/`, by name.
macro_rules! embedded {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../boards/", $name, ".toml")))),+]
    };
}

const EMBEDDED: &[(&str, &str)] = embedded! {
    "adi_adrv2crr_fmc"
    "aliexpress_xc7k70t"
    "antmicro_artix_dc_scm"
    "antmicro_datacenter_ddr4_test_board"
    "antmicro_lpddr4_test_board"
    "avalanche"
    "avnet_aesku40"
    "berkeleylab_marble"
    "berkeleylab_marblemini"
    "colorlight_5a_75b_v6_1"
    "colorlight_5a_75b_v7_0"
    "colorlight_5a_75b_v8_0"
    "colorlight_5a_75e_v6_0"
    "colorlight_5a_75e_v7_1"
    "colorlight_i5"
    "colorlight_i5a_907"
    "colorlight_i9"
    "colorlight_i9plus"
    "digilent_arty"
    "digilent_atlys"
    "digilent_genesys2"
    "digilent_nexys4"
    "digilent_nexys4ddr"
    "digilent_nexys_video"
    "ecp5_versa"
    "efinix_trion_t120_bga576_dev_kit"
    "fpc_iii"
    "gsd_butterstick"
    "kosagi_netv2"
    "lambdaconcept_ecpix5"
    "linsn_rv901t"
    "litex_acorn_baseboard"
    "logicbone"
    "machdyne_kopflos"
    "machdyne_mozart_ml1"
    "marble"
    "marblemini"
    "mnt_rkx7"
    "muselab_icesugar_pro"
    "netfpga_10g"
    "netfpga_1g"
    "netfpga_1g_cml"
    "netfpga_sume"
    "numato_mimas_a7"
    "numato_tagus"
    "pano_logic_g2"
    "qmtech_ep4ce15_starter_kit"
    "qmtech_wukong_v1"
    "qmtech_wukong_v2"
    "rcs_arctic_tern_bmc_card"
    "terasic_de2_115"
    "terasic_deca"
    "trellisboard"
    "trenz_c10lprefkit"
    "xilinx_ac701"
    "xilinx_alveo_u200"
    "xilinx_alveo_u250"
    "xilinx_alveo_u280"
    "xilinx_kc705"
    "xilinx_kcu105"
    "xilinx_sp605"
    "xilinx_vc707"
    "xilinx_vcu128"
};

/// The boards whose constraint files stand in `constraints/`.
pub const COMMITTED: [&str; 3] = ["colorlight_5a_75b_v8_0", "ecp5_versa", "netfpga_1g"];

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
    /// Family, such as `ecp5`; as in `compare --family`, where that knows it.
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
    /// The negative pin of a pair, if the constraint file must name it: then there are the signals `<name>_p` and
    /// `<name>_n`.
    pub pin_n: Option<String>,
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

impl std::fmt::Display for Direction {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::Inout => "inout",
        })
    }
}

/// What a signal is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResourceKind {
    /// Resets the FPGA; an input.
    Reset,
    /// Buttons; inputs.
    Button,
    /// Lamps; outputs.
    Led,
    /// Into the FPGA from a serial line.
    SerialRx,
    /// Out of the FPGA to a serial line.
    SerialTx,
    /// Resets several Ethernet transceivers; an output.
    PhyReset,
    /// Another input.
    In,
    /// Another output.
    Out,
    /// Another bidirectional signal.
    Inout,
}

impl ResourceKind {
    /// The direction of the signal.
    pub(crate) fn direction(self) -> Direction {
        match self {
            ResourceKind::Reset | ResourceKind::Button | ResourceKind::SerialRx | ResourceKind::In => Direction::In,
            ResourceKind::Led | ResourceKind::SerialTx | ResourceKind::PhyReset | ResourceKind::Out => Direction::Out,
            ResourceKind::Inout => Direction::Inout,
        }
    }
}

/// The level at which a signal does what it is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// 0.
    Low,
    /// 1.
    #[default]
    High,
}

/// A signal or a bus that is neither clock nor part of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as { name = \"led\", kind = \"led\", pins = [\"P11\"], io_standard = \"LVCMOS33\" }"
)]
pub struct Resource {
    /// Signal name.
    pub name: String,
    /// What it is for.
    pub kind: ResourceKind,
    /// When it does that.
    #[serde(default)]
    pub active: Active,
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

/// One pin, or those of a bus from bit 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a package pin, such as \"P3\", or a list of them from bit 0")]
pub enum Pins {
    /// One signal.
    One(String),
    /// A bus.
    Bus(Vec<String>),
}

impl Pins {
    fn list(&self) -> &[String] {
        match self {
            Pins::One(pin) => std::slice::from_ref(pin),
            Pins::Bus(pins) => pins,
        }
    }
}

/// An Ethernet port: for each of its lines a signal `<name>_<line>`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of name, kind and the pins of an Ethernet port")]
pub struct Port {
    /// Name, which is the beginning of the names of its signals.
    pub name: String,
    /// The interface.
    pub kind: PortKind,
    /// Name of the management bus of its transceiver, if it is connected to the FPGA.
    pub management: Option<String>,
    /// I/O standard of its signals, but for pairs.
    pub io_standard: Option<String>,
    /// Slew rate of its outputs, if it is not that of the tool.
    pub slew: Option<Slew>,
    /// Frequency of the receive clock in MHz, if the port has one.
    pub rx_clock_mhz: Option<f64>,
    /// What the FPGA must delay the received data of RGMII by, in ps; 0 if the transceiver delays its clock. 2,000 if it is not said.
    pub rx_delay_ps: Option<u32>,
    /// What the FPGA must delay the transmit clock of RGMII by, in ps; 0 if the transceiver delays it. 2,000 if it is not said.
    pub tx_delay_ps: Option<u32>,
    /// Pins by line; a transceiver in the FPGA may be named elsewhere.
    #[serde(default)]
    pub pins: BTreeMap<String, Pins>,
    /// I/O standards of lines that have another one; pairs that are not at a transceiver of the FPGA have theirs here.
    #[serde(default)]
    pub other_standards: BTreeMap<String, String>,
}

/// Slew rate of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Slew {
    /// Steep edges.
    Fast,
    /// Flat edges.
    Slow,
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
    /// I/O standard; pins of a transceiver in the FPGA have none.
    pub io_standard: Option<&'a str>,
    /// Slew rate, for outputs.
    pub slew: Option<Slew>,
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
    /// All signals: clocks, resources, management buses, ports; in the order of the file, and of a port in that of its kind.
    pub fn signals(&self) -> Vec<Signal<'_>> {
        let mut signals = Vec::new();
        for (index, clock) in self.clocks.iter().enumerate() {
            let pair = [("pin", Some(&clock.pin), "_p"), ("pin_n", clock.pin_n.as_ref(), "_n")];
            for (field, pin, ending) in pair {
                let Some(pin) = pin else { continue };
                let ending = if clock.pin_n.is_some() { ending } else { "" };
                signals.push(Signal {
                    name: format!("{}{ending}", clock.name),
                    direction: Direction::In,
                    pins: vec![(pin, format!("clocks[{index}].{field}"))],
                    io_standard: Some(&clock.io_standard),
                    slew: None,
                    frequency_mhz: (field == "pin").then_some(clock.frequency_mhz),
                });
            }
        }
        for (index, resource) in self.resources.iter().enumerate() {
            signals.push(Signal {
                name: resource.name.clone(),
                direction: resource.kind.direction(),
                pins: bus(&resource.pins, &format!("resources[{index}].pins")),
                io_standard: Some(&resource.io_standard),
                slew: None,
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
                    io_standard: Some(&management.io_standard),
                    slew: None,
                    frequency_mhz: None,
                });
            }
        }
        for (index, port) in self.ports.iter().enumerate() {
            for line in port.kind.lines() {
                let Some(pins) = port.pins.get(line.name) else { continue };
                let of_port = port.io_standard.as_ref().filter(|_| !line.serial);
                let standard = port.other_standards.get(line.name).or(of_port);
                signals.push(Signal {
                    name: format!("{}_{}", port.name, line.name),
                    direction: line.direction,
                    pins: bus(pins.list(), &format!("ports[{index}].pins.{}", line.name)),
                    io_standard: standard.map(String::as_str),
                    slew: port.slew.filter(|_| line.direction == Direction::Out && !line.serial),
                    frequency_mhz: port.rx_clock_mhz.filter(|_| line.is_clock),
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
        let (given, names) = (quoted(&self.0), EMBEDDED.iter().map(|(name, _)| *name));
        write!(
            formatter,
            "no board {given}: expected a name that `tidegate boards` lists, or the path of a .toml file{}",
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
