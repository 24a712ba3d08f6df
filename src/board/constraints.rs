// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constraint files: the pin and the I/O standard of each signal, and the frequency of each clock.

use super::{Board, ConstraintFormat, Signal, is_embedded};

/// The constraint file for everything on the board: file name and text. The same board gives the same text.
pub fn constraints(board: &Board) -> (String, String) {
    (file_name(board), text(board, &board.signals()))
}

/// The signals of the board that are none of these ports, so that the constraints of these signals match nothing in a
/// design whose top module has these ports. A place-and-route tool stops there or ignores them, often silently.
pub fn unmatched(board: &Board, ports: &[String]) -> Vec<String> {
    board.signals().into_iter().map(|signal| signal.name).filter(|name| !ports.contains(name)).collect()
}

fn file_name(board: &Board) -> String {
    format!("{}.{}", board.name, board.constraints.name())
}

fn text(board: &Board, signals: &[Signal]) -> String {
    let format = match board.constraints {
        ConstraintFormat::Ucf => "Xilinx ISE user constraints",
        ConstraintFormat::Lpf => "Lattice preferences, for nextpnr-ecp5",
    };
    // A board of the user is named by its file.
    let ending = if is_embedded(&board.name) { "" } else { ".toml" };
    let mut text = String::new();
    line(&mut text, format_args!("# {} ({format})", file_name(board)));
    line(&mut text, format_args!("# Board: {}", board.description));
    line(&mut text, format_args!("# Part: {} {}", board.part.vendor, board.part));
    line(&mut text, format_args!("# Pins from: {}", board.source));
    line(&mut text, format_args!("# Made by tidegate {}; to make it again:", env!("CARGO_PKG_VERSION")));
    line(&mut text, format_args!("#   tidegate emit --board {}{ending} --scheme SCHEME --out FOLDER", board.name));
    for signal in signals {
        text.push('\n');
        match board.constraints {
            ConstraintFormat::Ucf => ucf(&mut text, signal),
            ConstraintFormat::Lpf => lpf(&mut text, signal),
        }
    }
    text
}

/// Bits of a bus are `name<0>`, as in ISE.
fn ucf(text: &mut String, signal: &Signal) {
    for (bit, (pin, _)) in signal.pins.iter().enumerate() {
        let name = signal.bit_name(bit, '<', '>');
        line(text, format_args!("NET \"{name}\" LOC = \"{pin}\" | IOSTANDARD = {};", signal.io_standard));
    }
    if let Some(megahertz) = signal.frequency_mhz {
        let name = &signal.name;
        line(text, format_args!("NET \"{name}\" TNM_NET = \"{name}\";"));
        let period = period_ns(megahertz);
        line(text, format_args!("TIMESPEC \"TS_{name}\" = PERIOD \"{name}\" {period} ns HIGH 50 %;"));
    }
}

/// Bits of a bus are `name[0]`, as in Yosys.
fn lpf(text: &mut String, signal: &Signal) {
    for (bit, (pin, _)) in signal.pins.iter().enumerate() {
        let name = signal.bit_name(bit, '[', ']');
        line(text, format_args!("LOCATE COMP \"{name}\" SITE \"{pin}\";"));
        line(text, format_args!("IOBUF PORT \"{name}\" IO_TYPE={};", signal.io_standard));
    }
    if let Some(megahertz) = signal.frequency_mhz {
        line(text, format_args!("FREQUENCY PORT \"{}\" {megahertz} MHZ;", signal.name));
    }
}

fn line(text: &mut String, line: std::fmt::Arguments) {
    *text += &format!("{line}\n");
}

/// Period in nanoseconds, rounded down to picoseconds: a longer period would be a weaker constraint than the clock.
fn period_ns(megahertz: f64) -> f64 {
    (1e6 / megahertz + 1e-6).floor() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{all, load};

    #[test]
    fn ucf_of_the_netfpga() {
        let (name, text) = constraints(&load("netfpga_1g").unwrap());
        assert_eq!(name, "netfpga_1g.ucf");
        for line in [
            "# Part: Xilinx xc2vp50-ff1152-7",
            "NET \"core_clk\" LOC = \"D17\" | IOSTANDARD = LVCMOS25;",
            "NET \"core_clk\" TNM_NET = \"core_clk\";",
            "TIMESPEC \"TS_core_clk\" = PERIOD \"core_clk\" 8 ns HIGH 50 %;",
            "TIMESPEC \"TS_rgmii_3_rxc\" = PERIOD \"rgmii_3_rxc\" 8 ns HIGH 50 %;",
            "NET \"rgmii_0_rxd<0>\" LOC = \"AL26\" | IOSTANDARD = LVCMOS25;",
            "NET \"rgmii_3_txd<3>\" LOC = \"AL19\" | IOSTANDARD = LVCMOS25;",
            "NET \"phy_mdio\" LOC = \"AL33\" | IOSTANDARD = LVCMOS25;",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
        assert!(text.contains(&format!("tidegate {}", env!("CARGO_PKG_VERSION"))));
        assert!(text.contains("\n#   tidegate emit --board netfpga_1g --scheme "));
        let mine = Board { name: "mine".to_string(), ..load("netfpga_1g").unwrap() };
        assert!(constraints(&mine).1.contains("--board mine.toml "));
    }

    #[test]
    fn lpf_of_the_versa() {
        let (name, text) = constraints(&load("ecp5_versa").unwrap());
        assert_eq!(name, "ecp5_versa.lpf");
        for line in [
            "LOCATE COMP \"clk100\" SITE \"P3\";",
            "IOBUF PORT \"clk100\" IO_TYPE=LVDS;",
            "FREQUENCY PORT \"clk100\" 100 MHZ;",
            "IOBUF PORT \"rst_n\" IO_TYPE=LVCMOS33;",
            "LOCATE COMP \"rgmii_1_txd[3]\" SITE \"D20\";",
            "IOBUF PORT \"rgmii_1_txd[3]\" IO_TYPE=LVCMOS25;",
            "FREQUENCY PORT \"rgmii_0_rxc\" 125 MHZ;",
            "LOCATE COMP \"phy_1_mdc\" SITE \"G19\";",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
    }

    #[test]
    fn every_pin_has_a_place_and_a_standard_and_the_text_does_not_vary() {
        for board in all() {
            let (_, text) = constraints(&board);
            let pins: usize = board.signals().iter().map(|signal| signal.pins.len()).sum();
            assert_eq!(text.matches("LOC").count(), pins, "{}", board.name);
            assert_eq!(
                text.matches("IO_TYPE=").count() + text.matches("IOSTANDARD = ").count(),
                pins,
                "{}",
                board.name
            );
            assert_eq!(constraints(&load(&board.name).unwrap()).1, text);
        }
    }

    #[test]
    fn signals_that_are_no_ports_are_unmatched() {
        let board = load("ecp5_versa").unwrap();
        let every: Vec<String> = board.signals().into_iter().map(|signal| signal.name).collect();
        assert_eq!(unmatched(&board, &every), [""; 0]);
        let others = unmatched(&board, &["clk100".to_string(), "rgmii_0_rxd".to_string(), "queue_bytes".to_string()]);
        assert_eq!(others.len(), every.len() - 2);
        assert!(others.contains(&"rgmii_0_txd".to_string()) && !others.contains(&"clk100".to_string()));
    }

    #[test]
    fn periods_are_rounded_towards_the_faster_clock() {
        assert_eq!(period_ns(125.0), 8.0);
        assert_eq!(period_ns(100.0), 10.0);
        assert_eq!(period_ns(156.25), 6.4);
        assert_eq!(period_ns(27.0), 37.037);
        assert_eq!(period_ns(30.0), 33.333);
    }
}
