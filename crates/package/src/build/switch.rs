// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole switch on a board: the core of `switch::core`, a MAC of LiteEth at each Ethernet port, a serial line to the registers, and
//! a PLL.

use super::Design;
use crate::board::constraints::{Top, TopClock, TopPort};
use crate::board::{Active, Board, Direction, Port, PortKind, ResourceKind, Signal};
use crate::emit::{self, PREFIX};
use crate::switch::core::{Core, core};
use crate::switch::{PORTS_MAX, files};
use anyhow::{Result, bail};
use tidegate_core::licence;
use tidegate_schemes::registry::Scheme;
use tidegate_toolchain::liteeth::{self, Module};

/// The family of FPGAs for which MAC and PLL are made.
const FAMILY: &str = "ecp5";
/// The fewest ports of a switch.
const PORTS_MIN: usize = 2;
/// MHz of the clock that an RGMII port brings with what it receives.
const RGMII_MHZ: f64 = 125.0;
/// Bits a second on the serial line.
const BAUD: u32 = 115_200;
/// Delay of RGMII in ps where the board file says nothing: a quarter of the period of its clock.
const DELAY_PS: u32 = 2_000;
/// Octets of the longest good frame, with a tag and its FCS.
const LONGEST: u32 = 1522;
/// Lines of an RGMII port: name, bits, whether the FPGA drives it.
const LINES: [(&str, usize, bool); 6] = [
    ("rxc", 1, false),
    ("rx_ctl", 1, false),
    ("rxd", 4, false),
    ("txc", 1, true),
    ("tx_ctl", 1, true),
    ("txd", 4, true),
];

/// The design for a board.
///
/// # Errors
/// The board has no ECP5, or fewer than two RGMII ports; the scheme has no Ethernet frames; a setting is refused; LiteEth is
/// not there.
pub fn design(
    board: &Board,
    scheme: &'static Scheme,
    settings: &[(String, String)],
    command: String,
) -> Result<Design> {
    if board.part.family != FAMILY {
        bail!(
            "board {}: a switch is made for an ECP5, and this board has {}: take another board of `tidegate boards`, or \
             --design cp or rp",
            board.name,
            board.part.family
        );
    }
    let ports: Vec<&Port> = board.ports.iter().filter(|port| port.kind == PortKind::Rgmii).take(PORTS_MAX).collect();
    if ports.len() < PORTS_MIN {
        bail!(
            "board {}: it has {} RGMII ports, and a switch needs {PORTS_MIN}: take a board that `tidegate boards` lists with \
             {PORTS_MIN} or more, or --design cp or rp",
            board.name,
            ports.len()
        );
    }
    let clock = &board.clocks[0];
    if clock.pin_n.is_some() {
        bail!(
            "board {}: its clock {} is differential, which a switch does not take yet: take --design cp or rp",
            board.name,
            clock.name
        );
    }
    let core = core(scheme, ports.len(), settings)?;
    let hz = |mhz: f64| (mhz * 1e6).round() as u32;
    let clock_hz = core.clock_mhz * 1_000_000;
    let pll = Module::Pll { input_hz: hz(clock.frequency_mhz), output_hz: clock_hz };
    let line = SerialLine::of(board);
    let mut made = vec![("pll".to_string(), pll)];
    for (place, port) in ports.iter().enumerate() {
        let [rx_delay_ps, tx_delay_ps] = delays(port);
        let mac = Module::RgmiiMac { longest: LONGEST, rx_delay_ps, tx_delay_ps };
        // Ports with the same delays have the same MAC.
        if mac_of(&ports, place) == place {
            made.push((format!("rgmii_mac_{place}"), mac));
        }
    }
    if line.is_some() {
        made.push(("uart_axi4_lite".to_string(), Module::UartAxi4Lite { clock_hz, baud: BAUD }));
    }
    let mut all: Vec<(String, String)> = files::verilog(&core, scheme, &command);
    for (name, module) in made {
        let name = format!("{PREFIX}{name}");
        let text = liteeth::verilog(module, FAMILY, &name)?;
        all.push((format!("{name}.v"), text));
    }
    let title = format!("A switch of {} ports with {}", ports.len(), scheme.title);
    let top = format!("{PREFIX}top");
    let text = text(board, &ports, &core, line.as_ref(), &title, &command);
    all.push((format!("{top}.v"), licence::with_line("top.v", &text)));
    let mut top_ports = vec![plain(&clock.name, 1, Direction::In, None)];
    for port in &ports {
        let rxc = format!("{}_rxc", port.name);
        for (line, bits, out) in LINES {
            let direction = if out { Direction::Out } else { Direction::In };
            let of = (line != "rxc").then(|| rxc.clone());
            top_ports.push(plain(&format!("{}_{line}", port.name), bits, direction, of));
        }
    }
    if let Some(line) = &line {
        top_ports.push(plain(&line.rx.name, line.rx.pins.len(), Direction::In, None));
        top_ports.push(plain(&line.tx.name, line.tx.pins.len(), Direction::Out, None));
    }
    for reset in resets(board) {
        top_ports.push(plain(&reset.name, reset.pins.len(), Direction::Out, None));
    }
    let mut clocks = vec![TopClock { port: clock.name.clone(), mhz: clock.frequency_mhz }];
    clocks.extend(ports.iter().map(|port| TopClock { port: format!("{}_rxc", port.name), mhz: RGMII_MHZ }));
    Ok(Design {
        title,
        files: all,
        documents: vec![("registers.md".to_string(), files::register_map(&core, line.is_some()))],
        top: Top { module: top, ports: top_ports, clocks },
        blocks: blocks(&core, ports.len()),
        command,
        // Router 1 would find faster wires, but with some schemes and boards it has half of them left after a quarter of an hour.
        router: &["--router", "router2", "--tmg-ripup"],
        smaller: "set a smaller buffer_bytes, and q0_bytes below it",
    })
}

fn plain(name: &str, bits: usize, direction: Direction, clock: Option<String>) -> TopPort {
    TopPort { name: name.to_string(), bits, direction, clock }
}

/// What the FPGA delays received data and transmit clock of a port by.
fn delays(port: &Port) -> [u32; 2] {
    [port.rx_delay_ps, port.tx_delay_ps].map(|delay| delay.unwrap_or(DELAY_PS))
}

/// The first port with the same MAC.
fn mac_of(ports: &[&Port], place: usize) -> usize {
    ports.iter().position(|port| delays(port) == delays(ports[place])).expect("it is one of them")
}

/// Where the registers are reached.
struct SerialLine<'a> {
    rx: Signal<'a>,
    tx: Signal<'a>,
}

impl<'a> SerialLine<'a> {
    /// The serial line of the board; if it has none, its first button is the input and its first lamp the output.
    fn of(board: &'a Board) -> Option<SerialLine<'a>> {
        let signals = board.signals();
        let first = |kinds: [ResourceKind; 2]| {
            let resources = || board.resources.iter();
            let named = kinds.iter().find_map(|kind| resources().find(|resource| resource.kind == *kind))?;
            signals.iter().find(|signal| signal.name == named.name).cloned()
        };
        let rx = first([ResourceKind::SerialRx, ResourceKind::Button])?;
        let tx = first([ResourceKind::SerialTx, ResourceKind::Led])?;
        Some(SerialLine { rx, tx })
    }
}

/// Outputs that hold Ethernet transceivers in reset.
fn resets(board: &Board) -> Vec<&crate::board::Resource> {
    board.resources.iter().filter(|resource| resource.kind == ResourceKind::PhyReset).collect()
}

/// Instances of the top module, of the core, and of the parts of congestion control in it.
fn blocks(core: &Core, ports: usize) -> Vec<String> {
    let mut blocks: Vec<String> = ["pll", "uart"].map(str::to_string).into();
    blocks.extend((0..ports).map(|port| format!("mac_{port}")));
    for instance in &core.netlist.top().instances {
        let path = format!("core.{}", instance.name);
        if instance.name.starts_with("cp_") || instance.name == crate::bus::rp::MODULE {
            let inner = &core.netlist.modules[instance.module].instances;
            blocks.extend(inner.iter().map(|inner| format!("{path}.{}", inner.name)));
        }
        blocks.push(path);
    }
    blocks
}

/// The top module.
fn text(board: &Board, ports: &[&Port], core: &Core, line: Option<&SerialLine>, title: &str, command: &str) -> String {
    let clock = &board.clocks[0].name;
    let range = |bits: usize| if bits == 1 { String::new() } else { format!("[{}:0] ", bits - 1) };
    let mut declared = vec![format!("    input  wire {clock}")];
    for port in ports {
        for (line, bits, out) in LINES {
            let direction = if out { "output" } else { "input " };
            declared.push(format!("    {direction} wire {}{}_{line}", range(bits), port.name));
        }
    }
    if let Some(SerialLine { rx, tx }) = line {
        declared.push(format!("    input  wire {}{}", range(rx.pins.len()), rx.name));
        declared.push(format!("    output wire {}{}", range(tx.pins.len()), tx.name));
    }
    for reset in resets(board) {
        declared.push(format!("    output wire {}{}", range(reset.pins.len()), reset.name));
    }
    let mut text = String::new();
    let meaning = format!(
        "{title}, for the board {}. Port i of the switch is {}. The clock of all but the pins of the ports is {} MHz, from the PLL.",
        board.name,
        ports.iter().map(|port| port.name.as_str()).collect::<Vec<_>>().join(", "),
        core.clock_mhz
    );
    emit::comment_lines(&meaning, "", &mut text);
    if let Some(SerialLine { rx, tx }) = line {
        text += "//\n";
        let meaning = format!(
            "The registers are on a serial line of {BAUD} bits a second: {} comes in, {} goes out.",
            rx.name, tx.name
        );
        emit::comment_lines(&meaning, "", &mut text);
    }
    text += "//\n";
    emit::comment_lines(&format!("Made by tidegate {} with: {command} --out DIR", emit::VERSION), "  ", &mut text);
    text += &format!(
        "\nmodule {PREFIX}top (\n{}\n);\n    wire clock, reset;\n    {PREFIX}pll pll (\n        .clock_in({clock}), .reset_in(1'b0), \
         .clock_out(clock), .reset_out(reset)\n    );\n",
        declared.join(",\n")
    );
    for reset in resets(board) {
        let value = match reset.active {
            Active::High => "reset",
            Active::Low => "!reset",
        };
        text += &format!("    assign {} = {{{}{{{value}}}}};\n", reset.name, reset.pins.len());
    }
    for (place, port) in ports.iter().enumerate() {
        text += &format!(
            "
    wire [63:0] rx_{place}_tdata, tx_{place}_tdata;
    wire [7:0] rx_{place}_tkeep, tx_{place}_tkeep;
    wire rx_{place}_tlast, rx_{place}_tuser, rx_{place}_tvalid, tx_{place}_tlast, tx_{place}_tvalid, tx_{place}_tready;
    wire bad_{place}, lost_{place};
    {PREFIX}rgmii_mac_{} mac_{place} (
        .clock(clock), .reset(reset),
",
            mac_of(ports, place)
        );
        for (line, _, _) in LINES {
            text += &format!("        .rgmii_{line}({}_{line}),\n", port.name);
        }
        text += &format!(
            "        .m_axis_tdata(rx_{place}_tdata), .m_axis_tkeep(rx_{place}_tkeep), .m_axis_tlast(rx_{place}_tlast),
        .m_axis_tuser(rx_{place}_tuser), .m_axis_tvalid(rx_{place}_tvalid), .m_axis_tready(1'b1),
        .s_axis_tdata(tx_{place}_tdata), .s_axis_tkeep(tx_{place}_tkeep), .s_axis_tlast(tx_{place}_tlast),
        .s_axis_tvalid(tx_{place}_tvalid), .s_axis_tready(tx_{place}_tready),
        .rx_bad(bad_{place}), .rx_overflow(lost_{place})
    );
"
        );
    }
    let bus = core.netlist.top().ports().filter(|(_, port)| port.name.starts_with("s_axi_"));
    let bus: Vec<(&str, usize)> = bus.map(|(_, port)| (&port.name["s_axi_".len()..], port.shape.bits)).collect();
    text.push('\n');
    for (name, bits) in &bus {
        text += &format!("    wire {}axi_{name};\n", range(*bits));
    }
    match line {
        Some(SerialLine { rx, tx }) => {
            text += &format!(
                "    {PREFIX}uart_axi4_lite uart (\n        .clock(clock), .reset(reset), .uart_rx({}), .uart_tx({}),\n        \
                 .m_axi_awprot(), .m_axi_arprot(),\n",
                rx.name, tx.name
            );
            let connected: Vec<String> =
                bus.iter().map(|(name, _)| format!("        .m_axi_{name}(axi_{name})")).collect();
            text += &format!("{}\n    );\n", connected.join(",\n"));
        }
        None => {
            for name in ["awaddr", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arvalid", "rready"] {
                text += &format!("    assign axi_{name} = 0;\n");
            }
        }
    }
    text += &format!("\n    {PREFIX}switch_core core (\n        .clock(clock), .reset(reset),\n");
    let each = |name: &str| {
        let bits: Vec<String> = (0..ports.len()).rev().map(|port| format!("{name}_{port}")).collect();
        format!("{{{}}}", bits.join(", "))
    };
    text += &format!("        .mac_bad({}), .mac_lost({}),\n", each("bad"), each("lost"));
    let mut connected: Vec<String> = Vec::new();
    for (_, port) in core.netlist.top().ports() {
        if port.name.starts_with("rx_") || port.name.starts_with("tx_") {
            connected.push(format!("        .{0}({0})", port.name));
        } else if let Some(name) = port.name.strip_prefix("s_axi_") {
            connected.push(format!("        .{}(axi_{name})", port.name));
        }
    }
    text + &format!("{}\n    );\nendmodule\n", connected.join(",\n"))
}
