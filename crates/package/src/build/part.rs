// SPDX-License-Identifier: MIT OR Apache-2.0
//! One part of a scheme on a board, to see how much of the FPGA it takes and how fast it can be clocked: the module for
//! AXI4-Stream of 64 bits, with its registers inside.
//!
//! A board has far fewer pins than the module has ports. So bits come in at one pin and go through a chain of flip-flops, which are
//! the inputs of the module. Its outputs go into flip-flops too, and from there in a second chain to another pin. Each path
//! of the module then begins and ends at a flip-flop: the clock rate is that of the module.

use super::Design;
use crate::board::constraints::{Top, TopClock, TopPort};
use crate::board::{Board, Direction, ResourceKind, Signal, is_single_ended};
use crate::bus::width::Width;
use crate::bus::{self, axis_cp, axis_rp, limits};
use crate::emit::{self, PREFIX};
use crate::registers::Registers;
use anyhow::{Result, anyhow};
use tidegate_core::licence;
use tidegate_hdl::netlist::{Netlist, SignalKind};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::Part;
use tidegate_schemes::scheme::parameters::Parameters;

/// Name of the top module, without the prefix.
const TOP: &str = "top";
/// The instance of the module in it.
const INSTANCE: &str = "part";

/// The design for a board.
///
/// # Errors
/// The scheme has no module for AXI4-Stream, or a setting is refused ([`tidegate_core::error::Usage`]); the board has no pin for a chain.
pub fn design(
    board: &Board,
    scheme: &'static Scheme,
    part: Part,
    settings: &[(String, String)],
    command: String,
) -> Result<Design> {
    let (parameters, netlist, registers) = module(scheme, part, settings)?;
    let clock_mhz = parameters.decimal("clock_mhz").to_f64();
    parameters.refuse_unread(&format!("build --scheme {} --design {}", scheme.name, part.name()))?;
    let verilog = bus::files(&netlist, &registers, scheme, PREFIX).into_iter().filter(|file| file.name.ends_with(".v"));
    let mut files: Vec<_> = verilog.map(|file| (file.name, file.text)).collect();
    let [chain_in, chain_out] = [Direction::In, Direction::Out].map(|direction| {
        pin(board, direction).ok_or_else(|| {
            anyhow!(
                "board {}: no pin for the {direction}put chain of this design: expected a serial line, a button, a lamp, or an \
                 Ethernet port with plain signals",
                board.name
            )
        })
    });
    let (chain_in, chain_out) = (chain_in?, chain_out?);
    let clock = &board.clocks[0];
    let title = format!("The {} of {} between registers", part.title(), scheme.title);
    let top = format!("{PREFIX}{TOP}");
    let text = text(board, &netlist, [&chain_in, &chain_out], &title, &command);
    files.push((format!("{top}.v"), licence::with_line("top.v", &text)));
    let plain = |signal: &Signal| TopPort {
        name: signal.name.clone(),
        bits: signal.pins.len(),
        direction: signal.direction,
        clock: None,
    };
    let pins = board.signals();
    let mut ports: Vec<TopPort> = clock_ports(board).iter().map(|name| plain(find(&pins, name))).collect();
    let main = ports[0].name.clone();
    ports.extend([plain(&chain_in), plain(&chain_out)]);
    // The part must keep its own clock, and the design that of the board.
    let clocks = vec![TopClock { port: main, mhz: clock_mhz.max(clock.frequency_mhz) }];
    Ok(Design {
        title,
        files,
        documents: Vec::new(),
        top: Top { module: top, ports, clocks },
        blocks: blocks(&netlist),
        command,
        // It finds the faster wires, and a part alone is routed in a minute.
        router: &[],
        smaller: match part {
            Part::CongestionPoint => "set a smaller buffer_bytes, and q0_bytes below it",
            Part::ReactionPoint => "set fewer rp_flows",
        },
    })
}

/// The module of a part, as `emit --bus axis` makes it.
fn module(
    scheme: &'static Scheme,
    part: Part,
    settings: &[(String, String)],
) -> Result<(Parameters, Netlist, Registers)> {
    let width = Width::W64;
    let given = limits::of_stream(scheme, settings, width.bits());
    let made = match part {
        Part::CongestionPoint => {
            let parameters = axis_cp::parameters(scheme, &given)?;
            let whole = axis_cp::congestion_point(scheme, &parameters, settings, width);
            (parameters, whole.netlist, whole.registers)
        }
        Part::ReactionPoint => {
            let parameters = axis_rp::parameters(scheme, &given)?;
            let whole = axis_rp::reaction_point(scheme, &parameters, settings, width);
            (parameters, whole.netlist, whole.registers)
        }
    };
    limits::check_line_rate(&made.0, width.bits(), &Width::ALL)?;
    Ok(made)
}

/// The instances of the module, and those inside the part of the scheme.
fn blocks(netlist: &Netlist) -> Vec<String> {
    let mut blocks = Vec::new();
    for instance in &netlist.top().instances {
        let path = format!("{INSTANCE}.{}", instance.name);
        if ["congestion_point", "reaction_point"].contains(&instance.name.as_str()) {
            let inner = &netlist.modules[instance.module].instances;
            blocks.extend(inner.iter().map(|inner| format!("{path}.{}", inner.name)));
        }
        blocks.push(path);
    }
    blocks
}

fn find<'a, 'b>(signals: &'a [Signal<'b>], name: &str) -> &'a Signal<'b> {
    signals.iter().find(|signal| signal.name == name).expect("a signal of the board")
}

/// The ports of the main clock: the positive one first.
fn clock_ports(board: &Board) -> Vec<String> {
    let clock = &board.clocks[0];
    match clock.pin_n {
        None => vec![clock.name.clone()],
        Some(_) => ["_p", "_n"].map(|end| format!("{}{end}", clock.name)).into(),
    }
}

/// The signal at which a chain begins or ends: a serial line, a button or a lamp; else the first plain line of an
/// Ethernet port that is no clock. What resets the FPGA or a transceiver comes last.
fn pin(board: &Board, direction: Direction) -> Option<Signal<'_>> {
    use ResourceKind::{Button, In, Led, Out, PhyReset, Reset, SerialRx, SerialTx};
    let kinds: &[ResourceKind] = match direction {
        Direction::In => &[SerialRx, Button, In],
        _ => &[SerialTx, Led, Out],
    };
    let named = |kinds: &[ResourceKind]| -> Vec<String> {
        let of = |kind: &ResourceKind| board.resources.iter().filter(move |resource| resource.kind == *kind).collect();
        let found = kinds.iter().flat_map(|kind| -> Vec<_> { of(kind) });
        found.map(|resource| resource.name.clone()).collect()
    };
    let clocks = |port: &crate::board::Port| -> Vec<String> {
        let lines =
            port.kind.lines().iter().filter(|line| !line.is_clock && !line.serial && line.direction == direction);
        lines.map(|line| format!("{}_{}", port.name, line.name)).collect()
    };
    let mut names = named(kinds);
    names.extend(board.ports.iter().flat_map(clocks));
    names.extend(named(&[Reset, PhyReset]));
    let signals = board.signals();
    let is_plain = |signal: &&Signal| {
        signal.direction == direction
            && signal.io_standard.is_some_and(|standard| is_single_ended(&board.part.family, standard))
    };
    names.iter().find_map(|name| signals.iter().filter(is_plain).find(|signal| signal.name == *name)).cloned()
}

/// The top module.
fn text(board: &Board, netlist: &Netlist, [chain_in, chain_out]: [&Signal; 2], title: &str, command: &str) -> String {
    let (mut inputs, mut outputs, mut connections) = (0, 0, Vec::new());
    for (_, port) in netlist.top().ports() {
        let (name, bits) = (&port.name, port.shape.bits);
        let part = |chain: &str, from: usize| match bits {
            1 => format!("{chain}[{from}]"),
            _ => format!("{chain}[{}:{from}]", from + bits - 1),
        };
        let connected = match port.kind {
            SignalKind::Clock => "clock".to_string(),
            SignalKind::Output => {
                outputs += bits;
                part("results", outputs - bits)
            }
            _ => {
                inputs += bits;
                part("inputs", inputs - bits)
            }
        };
        connections.push(format!("        .{name}({connected})"));
    }
    let range = |bits: usize| if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
    let clocks = clock_ports(board);
    let mut ports: Vec<String> = clocks.iter().map(|name| format!("    input  wire {name}")).collect();
    ports.push(format!("    input  wire {}{}", range(chain_in.pins.len()), chain_in.name));
    ports.push(format!("    output wire {}{}", range(chain_out.pins.len()), chain_out.name));
    let clock = match &clocks[..] {
        [positive, negative] => format!(
            "    wire clock;\n    // A differential clock, through the buffer that the FPGA has for it.\n    IBUFDS clock_buffer (.I({positive}), \
             .IB({negative}), .O(clock));\n"
        ),
        _ => format!("    wire clock = {};\n", clocks[0]),
    };
    let turn_bits = outputs.next_power_of_two().ilog2();
    let mut header = String::new();
    let meaning = format!(
        "{title}, for the board {}: to see how much of the FPGA it takes, and how fast it can be clocked. A bit comes in at {} in \
         each cycle, and goes through a chain of flip-flops, which are the inputs of the part. Its outputs go into flip-flops, and \
         leave at {} bit by bit. So each path of the part begins and ends at a flip-flop.",
        board.name, chain_in.name, chain_out.name
    );
    emit::comment_lines(&meaning, "", &mut header);
    header += "//\n";
    emit::comment_lines(&format!("Made by tidegate {} with: {command} --out DIR", emit::VERSION), "  ", &mut header);
    let (ports, connections) = (ports.join(",\n"), connections.join(",\n"));
    let (last_input, last_output, last_turn) = (inputs - 1, outputs - 1, turn_bits - 1);
    let pin_in = if chain_in.pins.len() == 1 { chain_in.name.clone() } else { format!("^{}", chain_in.name) };
    let pin_out = match chain_out.pins.len() {
        1 => format!("leaving[{last_output}]"),
        bits => format!("{{{bits}{{leaving[{last_output}]}}}}"),
    };
    format!(
        "{header}
module {PREFIX}{TOP} (
{ports}
);
{clock}
    // The pin belongs to no clock, so two flip-flops stand before the chain.
    reg [1:0] settled;
    reg [{last_input}:0] inputs;

    wire [{last_output}:0] results;
    // All outputs of one cycle; then those of another one, when they have left.
    reg [{last_output}:0] held;
    reg [{last_output}:0] leaving;
    reg [{last_turn}:0] turn = {turn_bits}'d0;
    reg take;

    always @(posedge clock) begin
        settled <= {{settled[0], {pin_in}}};
        inputs <= {{inputs[{}:0], settled[1]}};
        held <= results;
        turn <= turn + {turn_bits}'d1;
        take <= turn == {turn_bits}'d0;
        leaving <= take ? held : {{leaving[{}:0], 1'b0}};
    end

    assign {} = {pin_out};

    {PREFIX}{} {INSTANCE} (
{connections}
    );
endmodule
",
        last_input - 1,
        last_output - 1,
        chain_out.name,
        netlist.top().name,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::constraints::{format, of_design};
    use crate::board::{all, load};
    use tidegate_schemes::registry;

    fn smcc(board: &Board, part: Part) -> Result<Design> {
        design(board, registry::find("smcc").unwrap(), part, &[], "COMMAND".to_string())
    }

    #[test]
    fn each_board_with_constraints_takes_the_design() {
        for board in all().iter().filter(|board| format(board).is_some()) {
            let made = smcc(board, Part::CongestionPoint).unwrap_or_else(|error| panic!("{error}"));
            let (_, text) = of_design(board, &made.top, "").unwrap_or_else(|error| panic!("{error}"));
            assert!(text.contains(&made.top.ports[0].name), "{text}");
            let serial = board.resources.iter().any(|resource| resource.kind == ResourceKind::SerialRx);
            assert_eq!(made.top.ports.iter().any(|port| port.name == "serial_rx"), serial, "{}", board.name);
        }
    }

    #[test]
    fn the_chains_are_as_long_as_the_ports_are_wide() {
        let made = smcc(&load("colorlight_5a_75b_v8_0").unwrap(), Part::CongestionPoint).unwrap();
        let (name, text) = made.files.last().unwrap();
        assert_eq!(name, "tidegate_top.v");
        for line in [
            "    input  wire clk25,",
            "    output wire user_led_n",
            "    reg [148:0] inputs;",
            "    wire [189:0] results;",
            "        .aclk(clock),",
            "        .aresetn(inputs[0]),",
            "        .s_axis_tdata(inputs[64:1]),",
            "    assign user_led_n = leaving[189];",
        ] {
            assert!(text.lines().any(|found| found == line), "no line {line} in\n{text}");
        }
        assert_eq!(made.top.clocks[0].mhz, 125.0, "that of the part, because the board has a slower one");
        assert!(made.blocks.contains(&"part.congestion_point.sampler".to_string()), "{:?}", made.blocks);
    }

    #[test]
    fn a_differential_clock_has_its_buffer_and_a_bus_all_its_bits() {
        let made = smcc(&load("netfpga_sume").unwrap(), Part::ReactionPoint).unwrap();
        let text = &made.files.last().unwrap().1;
        assert!(text.contains("IBUFDS clock_buffer (.I(fpga_sysclk_p), .IB(fpga_sysclk_n), .O(clock));"), "{text}");
        assert_eq!(made.top.clocks[0].mhz, 200.0, "that of the board, because the part has a slower one");
        let made = smcc(&load("trellisboard").unwrap(), Part::ReactionPoint).unwrap();
        assert!(made.top.ports.iter().any(|port| port.name == "serial_tx"), "{:?}", made.top.ports);
        let made = smcc(&load("fpc_iii").unwrap(), Part::ReactionPoint).unwrap();
        assert!(made.files.last().unwrap().1.contains("assign user_led_0 = {7{leaving["));
    }
}
