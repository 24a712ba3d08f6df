// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a constraint file of a design says of its timing, beside the periods of clocks: clocks that are asynchronous to each
//! other, ports whose timing does not matter, and when the data of RGMII is valid. LPF has the periods only.

use super::constraints::{Top, TopClock, TopPort, line, period_ns};
use super::family::ConstraintFormat;
use super::{Board, Direction, PortKind};

/// For how long the data of an RGMII transceiver is valid before and after each edge of its clock, in ns, if the transceiver
/// delays the clock (RGMII 2.0, table 2: `TsetupR` and `TholdR`).
const RGMII_VALID_NS: f64 = 1.0;

/// The lines for a design; empty if there is nothing to say.
pub(super) fn text(board: &Board, format: ConstraintFormat, top: &Top) -> String {
    let mut lines = String::new();
    match format {
        ConstraintFormat::Lpf => return lines,
        ConstraintFormat::Xdc => xdc(&mut lines, board, top),
        ConstraintFormat::Ucf => ucf(&mut lines, board, top),
    }
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The ports that no clock waits for: those of clocks are none.
fn asynchronous(top: &Top) -> impl Iterator<Item = &TopPort> {
    let is_clock = |port: &TopPort| {
        let name = port.name.strip_suffix("_n").map(|name| format!("{name}_p"));
        top.clocks.iter().any(|clock| clock.port == port.name || Some(&clock.port) == name.as_ref())
    };
    top.ports.iter().filter(move |port| port.clock.is_none() && !is_clock(port))
}

/// The data inputs of each RGMII port, with the receive clock that they come with.
fn received<'a>(board: &Board, top: &'a Top) -> Vec<(&'a TopClock, Vec<&'a TopPort>)> {
    let ports = board.ports.iter().filter(|port| port.kind == PortKind::Rgmii);
    let found = ports.filter_map(|port| {
        let clock = top.clocks.iter().find(|clock| clock.port == format!("{}_rxc", port.name))?;
        let is_data = |port: &&TopPort| port.direction == Direction::In && port.clock.as_ref() == Some(&clock.port);
        Some((clock, top.ports.iter().filter(is_data).collect::<Vec<_>>()))
    });
    found.filter(|(_, inputs)| !inputs.is_empty()).collect()
}

fn bits(port: &TopPort, star: &str) -> String {
    if port.bits == 1 { port.name.clone() } else { format!("{}{star}", port.name) }
}

fn xdc(text: &mut String, board: &Board, top: &Top) {
    for port in asynchronous(top) {
        let name = bits(port, "[*]");
        let ways: &[&str] = match port.direction {
            Direction::In => &["from"],
            Direction::Out => &["to"],
            Direction::Inout => &["from", "to"],
        };
        ways.iter().for_each(|way| line(text, format_args!("set_false_path -{way} [get_ports {{{name}}}]")));
    }
    for (clock, inputs) in received(board, top) {
        let (name, half) = (&clock.port, period_ns(clock.mhz) / 2.0);
        let names: Vec<String> = inputs.into_iter().map(|port| bits(port, "[*]")).collect();
        let ports = format!("[get_ports {{{}}}]", names.join(" "));
        line(
            text,
            format_args!("# Valid {RGMII_VALID_NS} ns before and after both edges: the transceiver delays its clock."),
        );
        for edge in ["", "-clock_fall -add_delay "] {
            let most = half - RGMII_VALID_NS;
            line(text, format_args!("set_input_delay -clock {name} {edge}-max {most} {ports}"));
            line(text, format_args!("set_input_delay -clock {name} {edge}-min {RGMII_VALID_NS} {ports}"));
        }
    }
    if top.clocks.len() > 1 {
        let group = |clock: &TopClock| format!(" -group [get_clocks -include_generated_clocks {}]", clock.port);
        let groups: String = top.clocks.iter().map(group).collect();
        line(text, format_args!("set_clock_groups -asynchronous{groups}"));
    }
}

fn ucf(text: &mut String, board: &Board, top: &Top) {
    for port in asynchronous(top) {
        line(text, format_args!("NET \"{}\" TIG;", bits(port, "<*>")));
    }
    for (clock, inputs) in received(board, top) {
        let valid = 2.0 * RGMII_VALID_NS;
        line(
            text,
            format_args!("# Valid {RGMII_VALID_NS} ns before and after both edges: the transceiver delays its clock."),
        );
        for port in inputs {
            let group = format!("{}_pads", port.name);
            line(text, format_args!("NET \"{}\" TNM = \"{group}\";", bits(port, "<*>")));
            for edge in ["RISING", "FALLING"] {
                let (name, before) = (&clock.port, RGMII_VALID_NS);
                let window = format!("OFFSET = IN {before} ns VALID {valid} ns BEFORE \"{name}\" {edge}");
                line(text, format_args!("TIMEGRP \"{group}\" {window};"));
            }
        }
    }
    for from in &top.clocks {
        for to in top.clocks.iter().filter(|to| *to != from) {
            let (from, to) = (&from.port, &to.port);
            line(text, format_args!("TIMESPEC \"TS_{from}_to_{to}\" = FROM \"{from}\" TO \"{to}\" TIG;"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::constraints::of_design;
    use crate::board::load;

    /// A design with a clock of the board, a lamp, and an RGMII receiver.
    fn top(clock: &str, led: (&str, usize)) -> Top {
        let port = |name: &str, bits, direction, clock: Option<&str>| TopPort {
            name: name.to_string(),
            bits,
            direction,
            clock: clock.map(str::to_string),
        };
        let clocks = [(clock, 100.0), ("rgmii_0_rxc", 125.0)];
        Top {
            module: "top".to_string(),
            ports: vec![
                port(clock, 1, Direction::In, None),
                port("rgmii_0_rxc", 1, Direction::In, None),
                port("rgmii_0_rxd", 4, Direction::In, Some("rgmii_0_rxc")),
                port("rgmii_0_rx_ctl", 1, Direction::In, Some("rgmii_0_rxc")),
                port(led.0, led.1, Direction::Out, None),
            ],
            clocks: clocks.map(|(port, mhz)| TopClock { port: port.to_string(), mhz }).into(),
        }
    }

    #[test]
    fn vivado_is_told_of_false_paths_delays_and_asynchronous_clocks() {
        let (_, text) = of_design(&load("numato_mimas_a7").unwrap(), &top("clk100", ("user_led", 8)), "").unwrap();
        for line in [
            "create_clock -name clk100 -period 10 [get_ports {clk100}]",
            "create_clock -name rgmii_0_rxc -period 8 [get_ports {rgmii_0_rxc}]",
            "set_false_path -to [get_ports {user_led[*]}]",
            "set_input_delay -clock rgmii_0_rxc -max 3 [get_ports {rgmii_0_rxd[*] rgmii_0_rx_ctl}]",
            "set_input_delay -clock rgmii_0_rxc -clock_fall -add_delay -min 1 [get_ports {rgmii_0_rxd[*] rgmii_0_rx_ctl}]",
            "set_clock_groups -asynchronous -group [get_clocks -include_generated_clocks clk100] -group [get_clocks \
             -include_generated_clocks rgmii_0_rxc]",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
        assert!(!text.contains("set_false_path -from"), "{text}");
    }

    #[test]
    fn ise_is_told_the_same() {
        let (_, text) = of_design(&load("netfpga_1g").unwrap(), &top("core_clk", ("debug_led", 1)), "").unwrap();
        for line in [
            "NET \"debug_led\" TIG;",
            "NET \"rgmii_0_rxd<*>\" TNM = \"rgmii_0_rxd_pads\";",
            "TIMEGRP \"rgmii_0_rxd_pads\" OFFSET = IN 1 ns VALID 2 ns BEFORE \"rgmii_0_rxc\" FALLING;",
            "TIMESPEC \"TS_core_clk_to_rgmii_0_rxc\" = FROM \"core_clk\" TO \"rgmii_0_rxc\" TIG;",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
    }
}
