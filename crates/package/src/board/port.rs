// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interfaces between an FPGA and an Ethernet transceiver, and their lines.

use super::Direction::{self, In, Out};
use serde::{Deserialize, Serialize};

/// The interface between FPGA and transceiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PortKind {
    /// Reduced gigabit media-independent interface: 4 data bits at both clock edges.
    Rgmii,
    /// Gigabit media-independent interface: 8 data bits.
    Gmii,
    /// Media-independent interface: 4 data bits, 100 Mb/s.
    Mii,
    /// Reduced media-independent interface: 2 data bits, 100 Mb/s.
    Rmii,
    /// Serial gigabit media-independent interface, at a transceiver of the FPGA.
    Sgmii,
    /// A cage for a module of one lane, at a transceiver of the FPGA.
    Sfp,
    /// A cage for a module of four lanes, at transceivers of the FPGA.
    Qsfp,
    /// 10-gigabit attachment unit interface: four lanes, at transceivers of the FPGA.
    Xaui,
}

/// A line of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its name, the end of the name of a signal.
    pub name: &'static str,
    /// Seen from the FPGA.
    pub direction: Direction,
    /// Pins.
    pub bits: usize,
    /// A port has it always.
    pub required: bool,
    /// The receive clock, or the reference clock of an interface with one clock.
    pub is_clock: bool,
    /// Of a pair, mostly at a transceiver of the FPGA, where it has no I/O standard.
    pub serial: bool,
}

const fn line(name: &'static str, direction: Direction, bits: usize) -> Line {
    Line { name, direction, bits, required: true, is_clock: false, serial: false }
}

const fn clock(name: &'static str) -> Line {
    Line { is_clock: true, ..line(name, Direction::In, 1) }
}

const fn optional(name: &'static str, direction: Direction) -> Line {
    Line { required: false, ..line(name, direction, 1) }
}

/// A pair has two lines, and the pins of the cage may be named by their transceiver only.
const fn serial(name: &'static str, direction: Direction, bits: usize, required: bool) -> Line {
    Line { required, serial: true, ..line(name, direction, bits) }
}

const RESET: Line = optional("rst_n", Out);
const INTERRUPT: Line = optional("int_n", In);
const RGMII: &[Line] = &[
    clock("rxc"),
    line("rx_ctl", In, 1),
    line("rxd", In, 4),
    line("txc", Out, 1),
    line("tx_ctl", Out, 1),
    line("txd", Out, 4),
    RESET,
    INTERRUPT,
];
const GMII: &[Line] = &[
    clock("rx_clk"),
    line("rx_dv", In, 1),
    line("rx_er", In, 1),
    line("rxd", In, 8),
    line("gtx_clk", Out, 1),
    optional("tx_clk", In),
    line("tx_en", Out, 1),
    optional("tx_er", Out),
    line("txd", Out, 8),
    optional("col", In),
    optional("crs", In),
    RESET,
    INTERRUPT,
];
const MII: &[Line] = &[
    clock("rx_clk"),
    line("rx_dv", In, 1),
    optional("rx_er", In),
    line("rxd", In, 4),
    line("tx_clk", In, 1),
    line("tx_en", Out, 1),
    optional("tx_er", Out),
    line("txd", Out, 4),
    optional("col", In),
    optional("crs", In),
    RESET,
    INTERRUPT,
];
const RMII: &[Line] = &[
    clock("ref_clk"),
    line("crs_dv", In, 1),
    optional("rx_er", In),
    line("rxd", In, 2),
    line("tx_en", Out, 1),
    line("txd", Out, 2),
    RESET,
    INTERRUPT,
];
const SGMII: &[Line] = &[
    serial("rx_p", In, 1, true),
    serial("rx_n", In, 1, true),
    serial("tx_p", Out, 1, true),
    serial("tx_n", Out, 1, true),
    RESET,
    INTERRUPT,
];
const SFP: &[Line] = &[
    serial("rx_p", In, 1, false),
    serial("rx_n", In, 1, false),
    serial("tx_p", Out, 1, false),
    serial("tx_n", Out, 1, false),
    optional("tx_disable", Out),
    optional("tx_disable_n", Out),
    optional("tx_fault", In),
    optional("rx_los", In),
    optional("mod_abs", In),
];
const FOUR_LANES: &[Line] = &[
    serial("rx_p", In, 4, false),
    serial("rx_n", In, 4, false),
    serial("tx_p", Out, 4, false),
    serial("tx_n", Out, 4, false),
];

impl PortKind {
    /// Its lines, those of the receiver first.
    pub fn lines(self) -> &'static [Line] {
        match self {
            PortKind::Rgmii => RGMII,
            PortKind::Gmii => GMII,
            PortKind::Mii => MII,
            PortKind::Rmii => RMII,
            PortKind::Sgmii => SGMII,
            PortKind::Sfp => SFP,
            PortKind::Qsfp | PortKind::Xaui => FOUR_LANES,
        }
    }

    /// Its name, as people write it.
    pub fn name(self) -> &'static str {
        match self {
            PortKind::Rgmii => "RGMII",
            PortKind::Gmii => "GMII",
            PortKind::Mii => "MII",
            PortKind::Rmii => "RMII",
            PortKind::Sgmii => "SGMII",
            PortKind::Sfp => "SFP",
            PortKind::Qsfp => "QSFP",
            PortKind::Xaui => "XAUI",
        }
    }
}
