// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constraint files: the pin and the I/O standard of each signal, and the frequency of each clock. That of a board has all its
//! signals; that of a design has the ports of its top module ([`of_design`]), and what a tool must know of their timing.

use super::family::{self, ConstraintFormat};
use super::timing;
use super::{Board, Direction, Signal, Slew, is_embedded};
use anyhow::{Result, bail};

/// The constraint file for everything on the board: file name and text. The same board gives the same text.
///
/// # Errors
/// No constraint file of the family of its FPGA is written here.
pub fn constraints(board: &Board) -> Result<(String, String)> {
    let format = needed(board)?;
    // A board of the user is named by its file.
    let ending = if is_embedded(&board.name) { "" } else { ".toml" };
    let command = format!("tidegate emit --board {}{ending} --out FOLDER", board.name);
    Ok((file_name(board, format), text(board, format, &board.signals(), &command)))
}

/// A port of the top module of a design for a board: a signal of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopPort {
    /// Its name, which is that of the signal.
    pub name: String,
    /// Its bits.
    pub bits: usize,
    /// Its direction.
    pub direction: Direction,
    /// The clock of the flip-flop at the pin: a port of [`Top::clocks`]. `None` if nothing depends on when it changes, as of a
    /// lamp or a button, or of a clock itself.
    pub clock: Option<String>,
}

/// A clock that comes in at a port of the top module.
#[derive(Clone, Debug, PartialEq)]
pub struct TopClock {
    /// The port; of a differential clock the positive one.
    pub port: String,
    /// What the tools must reach, in MHz.
    pub mhz: f64,
}

/// What a constraint file must know of the top module of a design. Clocks are asynchronous to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// Name of the module.
    pub module: String,
    /// All its ports.
    pub ports: Vec<TopPort>,
    /// Its clocks.
    pub clocks: Vec<TopClock>,
}

/// The constraint file for the top module of a design, which `command` makes: file name and text. Each of its lines is about
/// a port of the module, and each port has its pins.
///
/// # Errors
/// No constraint file of the family of the FPGA is written here; a port is no signal of the board with the same bits and
/// direction, or a clock is no port. The message names the ports, and the signals that the board has instead.
pub fn of_design(board: &Board, top: &Top, command: &str) -> Result<(String, String)> {
    let format = needed(board)?;
    let signals = board.signals();
    let mut used = Vec::new();
    let mut faults = Vec::new();
    for port in &top.ports {
        let (bits, direction) = (port.bits, port.direction);
        match signals.iter().find(|signal| signal.name == port.name) {
            Some(signal) if signal.pins.len() == bits && signal.direction == direction => {
                let clock = top.clocks.iter().find(|clock| clock.port == port.name);
                used.push(Signal { frequency_mhz: clock.map(|clock| clock.mhz), ..signal.clone() });
            }
            Some(signal) => faults.push(format!(
                "{} ({bits} bits, {direction}; the board has {} bits, {})",
                port.name,
                signal.pins.len(),
                signal.direction
            )),
            None => faults.push(format!("{} ({bits} bits, {direction})", port.name)),
        }
    }
    let is_port = |name: &&String| top.ports.iter().any(|port| port.name == **name);
    let clocks = top.ports.iter().filter_map(|port| port.clock.as_ref());
    let clocks = clocks.chain(top.clocks.iter().map(|clock| &clock.port));
    faults.extend(clocks.filter(|name| !is_port(name)).map(|name| format!("{name} (a clock)")));
    if !faults.is_empty() {
        faults.dedup();
        let free = signals.iter().map(|signal| &signal.name).filter(|name| !is_port(name));
        let free: Vec<&str> = free.map(String::as_str).collect();
        bail!(
            "module {} and board {} do not fit: ports that are no signals of the board: {}; signals of the board that are no \
             ports: {}; expected the same names, bits and directions",
            top.module,
            board.name,
            faults.join(", "),
            if free.is_empty() { "none".to_string() } else { free.join(", ") }
        );
    }
    let mut whole = text(board, format, &used, command);
    whole += &timing::text(board, format, top);
    Ok((file_name(board, format), whole))
}

fn needed(board: &Board) -> Result<ConstraintFormat> {
    let Some(format) = format(board) else {
        bail!(
            "board {}: no constraint file for the family {} is written here: expected a board with another one; \
             `tidegate boards` says which are written",
            board.name,
            board.part.family
        );
    };
    Ok(format)
}

/// The format of the constraint file of a board, if one is written here.
pub fn format(board: &Board) -> Option<ConstraintFormat> {
    family::find(&board.part.family)?.constraints
}

fn file_name(board: &Board, format: ConstraintFormat) -> String {
    format!("{}.{}", board.name, format.name())
}

/// The pins of signals; `command` makes the text again.
fn text(board: &Board, format: ConstraintFormat, signals: &[Signal], command: &str) -> String {
    let meaning = match format {
        ConstraintFormat::Ucf => "Xilinx ISE user constraints",
        ConstraintFormat::Lpf => "Lattice preferences, for nextpnr-ecp5",
        ConstraintFormat::Xdc => "Xilinx design constraints, for Vivado",
    };
    let mut text = String::new();
    line(&mut text, format_args!("# {} ({meaning})", file_name(board, format)));
    line(&mut text, format_args!("# Board: {}", board.description));
    line(&mut text, format_args!("# Part: {} {}", board.part.vendor, board.part));
    line(&mut text, format_args!("# Pins from: {}", board.source));
    line(&mut text, format_args!("# Made by tidegate {}; to make it again:", env!("CARGO_PKG_VERSION")));
    line(&mut text, format_args!("#   {command}"));
    for signal in signals {
        text.push('\n');
        match format {
            ConstraintFormat::Ucf => ucf(&mut text, signal),
            ConstraintFormat::Lpf => lpf(&mut text, signal),
            ConstraintFormat::Xdc => xdc(&mut text, signal),
        }
    }
    text
}

/// Slew rate as the tools of Xilinx and Lattice call it.
fn slew(signal: &Signal) -> Option<&'static str> {
    signal.slew.map(|slew| match slew {
        Slew::Fast => "FAST",
        Slew::Slow => "SLOW",
    })
}

/// Bits of a bus are `name<0>`, as in ISE.
fn ucf(text: &mut String, signal: &Signal) {
    for (bit, (pin, _)) in signal.pins.iter().enumerate() {
        let name = signal.bit_name(bit, '<', '>');
        let standard = signal.io_standard.map_or(String::new(), |standard| format!(" | IOSTANDARD = {standard}"));
        let slew = slew(signal).map_or(String::new(), |slew| format!(" | SLEW = {slew}"));
        line(text, format_args!("NET \"{name}\" LOC = \"{pin}\"{standard}{slew};"));
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
        if let Some(standard) = signal.io_standard {
            let slew = slew(signal).map_or(String::new(), |slew| format!(" SLEWRATE={slew}"));
            line(text, format_args!("IOBUF PORT \"{name}\" IO_TYPE={standard}{slew};"));
        }
    }
    if let Some(megahertz) = signal.frequency_mhz {
        line(text, format_args!("FREQUENCY PORT \"{}\" {megahertz} MHZ;", signal.name));
    }
}

/// Bits of a bus are `name[0]`.
fn xdc(text: &mut String, signal: &Signal) {
    for (bit, (pin, _)) in signal.pins.iter().enumerate() {
        let name = signal.bit_name(bit, '[', ']');
        let standard = signal.io_standard.map_or(String::new(), |standard| format!(" IOSTANDARD {standard}"));
        let slew = slew(signal).map_or(String::new(), |slew| format!(" SLEW {slew}"));
        line(text, format_args!("set_property -dict {{PACKAGE_PIN {pin}{standard}{slew}}} [get_ports {{{name}}}]"));
    }
    if let Some(megahertz) = signal.frequency_mhz {
        let (name, period) = (&signal.name, period_ns(megahertz));
        line(text, format_args!("create_clock -name {name} -period {period} [get_ports {{{name}}}]"));
    }
}

pub(super) fn line(text: &mut String, line: std::fmt::Arguments) {
    *text += &format!("{line}\n");
}

/// Period in nanoseconds, rounded down to picoseconds: a longer period would be a weaker constraint than the clock.
pub(super) fn period_ns(megahertz: f64) -> f64 {
    (1e6 / megahertz + 1e-6).floor() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{all, load};

    #[test]
    fn ucf_of_the_netfpga() {
        let (name, text) = constraints(&load("netfpga_1g").unwrap()).unwrap();
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
        assert!(text.contains("\n#   tidegate emit --board netfpga_1g --out "));
        let mine = Board { name: "mine".to_string(), ..load("netfpga_1g").unwrap() };
        assert!(constraints(&mine).unwrap().1.contains("--board mine.toml "));
    }

    #[test]
    fn lpf_of_the_versa() {
        let (name, text) = constraints(&load("ecp5_versa").unwrap()).unwrap();
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
    fn xdc_of_a_kintex() {
        let (name, text) = constraints(&load("xilinx_kc705").unwrap()).unwrap();
        assert_eq!(name, "xilinx_kc705.xdc");
        for line in [
            "set_property -dict {PACKAGE_PIN AD12 IOSTANDARD LVDS} [get_ports {clk200_p}]",
            "set_property -dict {PACKAGE_PIN AD11 IOSTANDARD LVDS} [get_ports {clk200_n}]",
            "create_clock -name clk200_p -period 5 [get_ports {clk200_p}]",
            "set_property -dict {PACKAGE_PIN J28 IOSTANDARD LVCMOS25} [get_ports {gmii_0_txd[7]}]",
            "create_clock -name gmii_0_rx_clk -period 8 [get_ports {gmii_0_rx_clk}]",
            "set_property -dict {PACKAGE_PIN H2} [get_ports {sfp_0_tx_p}]",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
    }

    #[test]
    fn outputs_of_a_port_have_its_slew_rate() {
        let (_, text) = constraints(&load("gsd_butterstick").unwrap()).unwrap();
        assert!(text.contains("IOBUF PORT \"rgmii_0_txd[3]\" IO_TYPE=LVCMOS33 SLEWRATE=FAST;"), "{text}");
        assert!(text.contains("IOBUF PORT \"rgmii_0_rxd[3]\" IO_TYPE=LVCMOS33;"), "{text}");
        let (_, text) = constraints(&load("xilinx_ac701").unwrap()).unwrap();
        assert!(text.contains("SLEW FAST} [get_ports {rgmii_0_txc}]"), "{text}");
    }

    #[test]
    fn every_pin_has_a_place_and_the_text_does_not_vary() {
        for board in all() {
            let Ok((_, text)) = constraints(&board) else {
                assert!(format(&board).is_none(), "{}", board.name);
                continue;
            };
            let signals = board.signals();
            let pins: usize = signals.iter().map(|signal| signal.pins.len()).sum();
            let standards: usize =
                signals.iter().filter(|signal| signal.io_standard.is_some()).map(|signal| signal.pins.len()).sum();
            let places = ["LOCATE COMP", " LOC = ", "PACKAGE_PIN "].map(|place| text.matches(place).count());
            let found = ["IO_TYPE=", "IOSTANDARD = ", "IOSTANDARD "].map(|standard| text.matches(standard).count());
            assert_eq!(places.iter().sum::<usize>(), pins, "{}", board.name);
            assert_eq!(*found.iter().max().unwrap(), standards, "{}", board.name);
            assert_eq!(constraints(&load(&board.name).unwrap()).unwrap().1, text);
        }
    }

    #[test]
    fn a_board_without_a_format_says_so() {
        let error = constraints(&load("terasic_deca").unwrap()).unwrap_err().to_string();
        assert!(error.starts_with("board terasic_deca: no constraint file for the family max10"), "{error}");
    }

    fn port(name: &str, bits: usize, direction: Direction) -> TopPort {
        TopPort { name: name.to_string(), bits, direction, clock: None }
    }

    #[test]
    fn a_design_has_lines_for_its_ports_only() {
        let board = load("colorlight_5a_75b_v8_0").unwrap();
        let ports = vec![port("clk25", 1, Direction::In), port("user_led_n", 1, Direction::Out)];
        let clocks = vec![TopClock { port: "clk25".to_string(), mhz: 125.0 }];
        let top = Top { module: "top".to_string(), ports, clocks };
        let (name, text) = of_design(&board, &top, "make it").unwrap();
        assert_eq!(name, "colorlight_5a_75b_v8_0.lpf");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "LOCATE COMP \"clk25\" SITE \"P6\";",
                "IOBUF PORT \"clk25\" IO_TYPE=LVCMOS33;",
                "FREQUENCY PORT \"clk25\" 125 MHZ;",
                "LOCATE COMP \"user_led_n\" SITE \"T6\";",
                "IOBUF PORT \"user_led_n\" IO_TYPE=LVCMOS33;",
            ]
        );
        assert!(text.contains(
            "#   make it
"
        ));
    }

    #[test]
    fn a_port_without_a_pin_is_an_error_that_names_both_lists() {
        let board = load("colorlight_5a_75b_v8_0").unwrap();
        let ports = vec![
            port("clk25", 1, Direction::In),
            port("user_led", 1, Direction::Out),
            port("user_btn_n", 1, Direction::Out),
            port("rgmii_0_rxd", 8, Direction::In),
        ];
        let clocks = vec![TopClock { port: "clk".to_string(), mhz: 125.0 }];
        let error = of_design(&board, &Top { module: "top".to_string(), ports, clocks }, "").unwrap_err().to_string();
        for piece in [
            "module top and board colorlight_5a_75b_v8_0 do not fit: ",
            "user_led (1 bits, out)",
            "user_btn_n (1 bits, out; the board has 1 bits, in)",
            "rgmii_0_rxd (8 bits, in; the board has 4 bits, in)",
            "clk (a clock)",
            "are no ports: user_led_n, phy_mdc, ",
        ] {
            assert!(error.contains(piece), "no {piece} in {error}");
        }
        assert!(!error.contains("clk25"), "{error}");
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
