// SPDX-License-Identifier: MIT OR Apache-2.0
//! The switch behind its MACs, as one module.

use super::{INTERNAL, PORTS_MAX, STREAMS, beats::beats, delay::delay, registers};
use crate::bus::axis_cp::{self, beat_input::beat_input, output_queue::output_queue};
use crate::bus::join::Join;
use crate::bus::output_stage::{Stream, output_stage};
use crate::bus::register_bus::{self, RegisterBus};
use crate::bus::width::Width;
use crate::bus::{axis_rp, rp};
use crate::registers::Registers;
use anyhow::Result;
use tidegate_circuits::rtl::circuit::Circuit;
use tidegate_circuits::rtl::switch::address_table::AddressTable;
use tidegate_circuits::rtl::switch::forwarding::Forwarding;
use tidegate_circuits::rtl::switch::frame_turns::FrameTurns;
use tidegate_circuits::rtl::switch::register_split::RegisterSplit;
use tidegate_circuits::rtl::switch::traffic_generator::TrafficGenerator;
use tidegate_core::error::Usage;
use tidegate_hdl::netlist::builder::{and, join as joined, not};
use tidegate_hdl::netlist::{Expression, Netlist, SignalKind};
use tidegate_schemes::registry::Scheme;
use tidegate_schemes::scheme::parameters::Parameters;

/// Name of the module.
pub(crate) const MODULE: &str = "switch_core";

const WIDTH: Width = Width::W64;

/// Bits of the place of a beat before the bridge: 4,096 octets, so that a frame of 1,522 octets can come while one of the same length
/// waits.
const INPUT_ADDRESS_BITS: usize = 9;

/// An internal port can send twice what an output can, Mb/s.
const RATE_OF_INTERNAL_PORT: &str = "2000";

/// MHz that carry the shortest frames of one Gigabit port, or of the internal one: 1.488 million a second, each of 13 cycles.
const PORT_MHZ: u32 = 20;

/// From the begin of a register file to that of the next one.
const FILE_OCTETS: u32 = 0x1000;

const MEANING: &str = "A switch with congestion control, behind its MACs: a learning bridge, at each output a queue with a congestion \
    point, and at an internal port a source and a sink of frames behind a reaction point.\n\nIts streams are AXI4-Stream of 64 bits. \
    Those that come in are never stopped. A frame that goes out has a beat in each cycle in which its MAC takes one.\n\nAll registers are \
    on one AXI4-Lite bus: those of the switch at address 0, of the reaction point at 0x1000, of the congestion point of \
    output i at 0x2000 + 0x1000 i.";

/// A switch behind its MACs.
pub struct Core {
    /// The whole module.
    pub netlist: Netlist,
    /// Its register files, each 4,096 octets behind the last one: of the switch, of the reaction point, of the congestion points.
    pub registers: Vec<Registers>,
    /// Its clock.
    pub clock_mhz: u32,
}

impl Core {
    /// The address of a register of one of the register files, by its name or that of its port; `None` if it has no such register.
    pub fn address(&self, file: usize, name: &str) -> Option<u32> {
        let mut list = self.registers[file].list.iter();
        let register = list.find(|register| register.name == name || register.port.as_deref() == Some(name))?;
        Some(FILE_OCTETS * file as u32 + u32::from(register.address))
    }
}

/// The slowest clock that carries the shortest frames of all ports and of the internal one, MHz.
fn slowest_clock(ports: usize) -> u32 {
    PORT_MHZ * (ports as u32 + 1)
}

/// Settings of a switch that are not the defaults of its parts: a queue that fits the block RAM of small FPGAs, and a clock that
/// these reach.
fn defaults(ports: usize) -> Vec<(&'static str, String)> {
    let sizes = [("buffer_bytes", "16384".to_string()), ("q0_bytes", "8192".to_string())];
    sizes.into_iter().chain([("clock_mhz", slowest_clock(ports).to_string())]).collect()
}

/// The settings of one part: those of the user behind the defaults of a switch.
fn with_defaults(scheme: &Scheme, defaults: &[(&str, String)], settings: &[(String, String)]) -> Vec<(String, String)> {
    let known = |key: &str| scheme.specifications().any(|known| known.key == key);
    let is_set = |key: &str| settings.iter().any(|(set, _)| set == key);
    let defaults = defaults.iter().filter(|(key, _)| known(key) && !is_set(key));
    let defaults = defaults.map(|(key, value)| (key.to_string(), value.clone()));
    defaults.chain(settings.iter().cloned()).collect()
}

/// The settings of the internal port of a switch of so many ports: those of the user behind its defaults.
pub fn of_internal_port(scheme: &Scheme, ports: usize, settings: &[(String, String)]) -> Vec<(String, String)> {
    let mut defaults = defaults(ports);
    defaults.push(("line_rate_mbps", RATE_OF_INTERNAL_PORT.to_string()));
    with_defaults(scheme, &defaults, settings)
}

/// The same netlist, with a suffix behind the names of some modules, because they differ from others of the same name.
fn renamed(mut netlist: Netlist, suffix: &str, which: impl Fn(&str) -> bool) -> Netlist {
    for module in netlist.modules.iter_mut().filter(|module| which(&module.name)) {
        module.name += suffix;
    }
    netlist
}

/// The congestion point of one of so many outputs, with an address and an identifier of its own.
fn congestion_point(
    scheme: &'static Scheme,
    ports: usize,
    settings: &[(String, String)],
    port: usize,
) -> Result<(axis_cp::CongestionPoint, Parameters)> {
    let mut defaults = defaults(ports);
    defaults.push(("cp_mac", format!("02:00:00:00:01:{port:02x}")));
    let settings = with_defaults(scheme, &defaults, settings);
    let parameters = axis_cp::parameters(scheme, &settings)?;
    let mut point = axis_cp::congestion_point(scheme, &parameters, &settings, WIDTH);
    let suffix = format!("_{port}");
    point.netlist = renamed(point.netlist, &suffix, |name| [axis_cp::MODULE, &point.registers.module].contains(&name));
    point.registers.module += &suffix;
    Ok((point, parameters))
}

/// The switch of an Ethernet scheme with so many Gigabit ports.
///
/// # Errors
/// The scheme is no Ethernet scheme, or a setting is refused.
///
/// # Panics
/// If its modules do not fit together: a mistake in this program.
pub fn core(scheme: &'static Scheme, ports: usize, settings: &[(String, String)]) -> Result<Core> {
    if !(1..=PORTS_MAX).contains(&ports) {
        return Err(Usage(format!("a switch has 1 to {PORTS_MAX} ports, not {ports}")).into());
    }
    let points = (0..ports).map(|port| congestion_point(scheme, ports, settings, port)).collect::<Result<Vec<_>>>()?;
    let (points, of_points): (Vec<_>, Vec<_>) = points.into_iter().unzip();
    let of_rp = of_internal_port(scheme, ports, settings);
    let parameters = axis_rp::parameters(scheme, &of_rp)?;
    if parameters.rp_flows() != 1 {
        return Err(Usage("`rp_flows`: the internal port of a switch has one flow; leave it out".to_string()).into());
    }
    let reaction_point = axis_rp::reaction_point(scheme, &parameters, &of_rp, WIDTH);
    // A key has an effect if one of the parts reads it.
    let is_unread =
        |key: &str| [&of_points[0], &parameters].iter().all(|part| part.unread().any(|unread| unread == key));
    if let Some((key, _)) = settings.iter().find(|(key, _)| is_unread(key)) {
        return Err(Usage(format!("parameter `{key}`: it has no effect on a switch; leave it out")).into());
    }
    let clock = parameters.decimal("clock_mhz");
    let clock_mhz = clock.to_f64() as u32;
    if f64::from(clock_mhz) != clock.to_f64() || clock_mhz < slowest_clock(ports) {
        let least = slowest_clock(ports);
        let reason = format!(
            "`clock_mhz` = {clock}: a switch of {ports} ports has a clock of {least} MHz or more, a whole number"
        );
        return Err(Usage(reason).into());
    }
    let registers = registers::registers(scheme, MODULE, ports, clock_mhz.into(), settings);

    let mut join = Join::new(MODULE, MEANING);
    join.signal(SignalKind::Clock, 1, "clock", "Clock, rising edge: that of all streams and of the registers");
    join.signal(SignalKind::Input, 1, "reset", "Synchronous reset, active high");
    streams(&mut join, ports);
    let split = Circuit::of::<RegisterSplit>("register_split", &[]).netlist;
    for (_, port) in split.top().ports().filter(|(_, port)| port.name.starts_with("s_axi_")) {
        join.whole.add(port.clone());
    }
    join.signal(SignalKind::Local, 1, "aresetn", "");
    let reset = join.value("reset");
    join.drive("aresetn", not(reset));
    bridge(&mut join, ports);
    for (port, point) in points.iter().enumerate() {
        input(&mut join, port);
        output(&mut join, port, &point.netlist);
    }
    internal_port(&mut join, &reaction_point.netlist);
    let on_bus = register_bus::on_bus(&registers, RegisterBus::Axi4Lite);
    join.own_part("registers", &on_bus, "switch_");
    for (_, port) in on_bus.top().ports().filter(|(_, port)| !port.name.starts_with("s_axi_")) {
        let inside = format!("switch_{}", port.name);
        match (port.kind, port.name.as_str()) {
            (SignalKind::Clock, _) => {}
            (_, "reset") => join.same(&inside, "reset"),
            (_, "boundary") => join.constant(&inside, 1),
            (SignalKind::Input, name) => join.same(&inside, name),
            (_, name) if join.whole.find(name).is_some() => join.same(name, &inside),
            _ => {}
        }
    }
    register_files(&mut join, &split, ports);
    let points = points.into_iter().map(|point| point.registers);
    let registers = [registers, reaction_point.registers].into_iter().chain(points).collect();
    Ok(Core { netlist: join.finish(), registers, clock_mhz })
}

/// The ports of the streams, and what the MACs count.
fn streams(join: &mut Join, ports: usize) {
    use SignalKind::{Input, Output};
    for port in 0..ports {
        let mut add = |kind, bits, name: &str, meaning: &str| {
            join.signal(kind, bits, &name.replace('#', &port.to_string()), meaning);
        };
        add(Input, 64, "rx_#_tdata", "A beat that the MAC received; the first octet in bits 7 to 0");
        add(Input, 8, "rx_#_tkeep", "Its octets that are valid");
        add(Input, 1, "rx_#_tlast", "It is the last one of its frame");
        add(Input, 1, "rx_#_tuser", "The frame is bad; valid with the last beat");
        add(Input, 1, "rx_#_tvalid", "There is a beat; it is taken in this cycle");
        add(Output, 64, "tx_#_tdata", "A beat that the MAC sends; the first octet in bits 7 to 0");
        add(Output, 8, "tx_#_tkeep", "Its octets that are valid");
        add(Output, 1, "tx_#_tlast", "It is the last one of its frame");
        add(Output, 1, "tx_#_tvalid", "There is a beat; it does not change until it is taken");
        add(Input, 1, "tx_#_tready", "The beat is taken");
    }
    let meaning = "For each port: the MAC received a bad frame";
    join.signal(Input, ports, "mac_bad", meaning);
    join.signal(Input, ports, "mac_lost", "For each port: the MAC lost a frame");
}

/// What decides which frame goes next and where it goes.
fn bridge(join: &mut Join, ports: usize) {
    join.part("beats", &beats(), "");
    join.signal(SignalKind::Local, 5, "ports", "");
    join.constant("ports", 1 << INTERNAL | ((1 << ports) - 1));
    join.part("frame_turns", &Circuit::of::<FrameTurns>("frame_turns", &[]).netlist, "");
    join.part("forwarding", &Circuit::of::<Forwarding>("forwarding", &[]).netlist, "");
    let table = Circuit::generated::<AddressTable>("address_table", &[], Vec::new(), AddressTable::new);
    join.part("address_table", &table.netlist, "");
    join.part("delay", &delay(), "");
    for stream in (ports..PORTS_MAX).chain(INTERNAL + 1 + ports..STREAMS) {
        for field in ["tdata", "tkeep", "tlast", "tvalid"] {
            join.constant(&format!("stream_{stream}_{field}"), 0);
        }
    }
    for (name, of) in [("input_bad", "bad_frame"), ("input_dropped", "dropped_frame")] {
        let bits = (0..ports).rev().map(|port| {
            join.signal(SignalKind::Local, 1, &format!("in_{port}_{of}"), "");
            join.value(&format!("in_{port}_{of}"))
        });
        let bits: Vec<Expression> = bits.collect();
        join.signal(SignalKind::Local, ports, name, "");
        join.drive(name, joined(bits));
    }
}

/// Whether a stream is taken.
fn taken(join: &Join, stream: usize) -> Expression {
    join.value("takes").slice(stream, 1)
}

/// Frames of a port wait before the bridge until they are whole.
fn input(join: &mut Join, port: usize) {
    let prefix = format!("in_{port}_");
    let queue = renamed(output_queue(WIDTH, INPUT_ADDRESS_BITS), "_input", |_| true);
    join.own_part(&format!("input_{port}"), &beat_input(WIDTH), &prefix);
    join.own_part(&format!("input_queue_{port}"), &queue, &prefix);
    let stream = Stream { module: "switch_input_stage", port: "m_axis", user_bits: 0, tells_taken: true };
    join.own_part(&format!("input_stage_{port}"), &output_stage(WIDTH, stream), &prefix);
    for field in ["tdata", "tkeep", "tlast", "tuser", "tvalid"] {
        join.same(&format!("{prefix}s_axis_{field}"), &format!("rx_{port}_{field}"));
    }
    for field in ["tdata", "tkeep", "tlast", "tvalid"] {
        join.same(&format!("stream_{port}_{field}"), &format!("{prefix}m_axis_{field}"));
    }
    let ready = taken(join, port);
    join.drive(&format!("{prefix}m_axis_tready"), ready);
    join.same(&format!("{prefix}reset"), "reset");
}

/// The queue of an output with its congestion point.
fn output(join: &mut Join, port: usize, point: &Netlist) {
    let prefix = format!("cp_{port}_");
    join.own_part(&format!("cp_{port}"), point, &prefix);
    for (target, source) in [("tdata", "out_data"), ("tkeep", "out_keep"), ("tlast", "out_last")] {
        join.same(&format!("{prefix}s_axis_{target}"), source);
    }
    join.same(&format!("{prefix}s_axis_tvalid"), &format!("out_valid_{port}"));
    join.constant(&format!("{prefix}s_axis_tuser"), 0);
    join.same(&format!("{prefix}aresetn"), "aresetn");
    let feedback = INTERNAL + 1 + port;
    for field in ["tdata", "tkeep", "tlast", "tvalid"] {
        join.same(&format!("tx_{port}_{field}"), &format!("{prefix}m_axis_{field}"));
        join.same(&format!("stream_{feedback}_{field}"), &format!("{prefix}m_axis_cnm_{field}"));
    }
    join.same(&format!("{prefix}m_axis_tready"), &format!("tx_{port}_tready"));
    let ready = taken(join, feedback);
    join.drive(&format!("{prefix}m_axis_cnm_tready"), ready);
}

/// A station inside: what it sends goes through the gate of its reaction point, and what comes to it is counted.
fn internal_port(join: &mut Join, point: &Netlist) {
    join.own_part(rp::MODULE, point, "rp_");
    join.part("traffic_generator", &Circuit::of::<TrafficGenerator>("traffic_generator", &[]).netlist, "");
    join.same("rp_aresetn", "aresetn");
    join.lanes("rp_s_axis_tx_tdata", "made_high", "made_low");
    for (target, source) in [("tkeep", "made_keep"), ("tlast", "made_last"), ("tvalid", "made_valid")] {
        join.same(&format!("rp_s_axis_tx_{target}"), source);
    }
    for name in ["rp_s_axis_tx_tuser", "rp_s_axis_tx_tdest", "rp_s_axis_rx_tuser"] {
        join.constant(name, 0);
    }
    join.same("made_ready", "rp_s_axis_tx_tready");
    for field in ["tdata", "tkeep", "tlast", "tvalid"] {
        join.same(&format!("stream_{INTERNAL}_{field}"), &format!("rp_m_axis_tx_{field}"));
    }
    let ready = taken(join, INTERNAL);
    join.drive("rp_m_axis_tx_tready", ready);
    for (target, source) in [("tdata", "out_data"), ("tkeep", "out_keep"), ("tlast", "out_last")] {
        join.same(&format!("rp_s_axis_rx_{target}"), source);
    }
    join.same("rp_s_axis_rx_tvalid", &format!("out_valid_{INTERNAL}"));
    join.constant("rp_m_axis_rx_tready", 1);
    let (valid, last) = (join.value("rp_m_axis_rx_tvalid"), join.value("rp_m_axis_rx_tlast"));
    join.signal(SignalKind::Local, 1, "received", "");
    join.drive("received", and(valid.clone(), last));
    let octets = join.value("rp_m_axis_rx_tkeep");
    let octets = (0..8).rev().map(|octet| and(valid.clone(), octets.clone().slice(octet, 1))).collect();
    join.signal(SignalKind::Local, 8, "received_octet", "");
    join.drive("received_octet", joined(octets));
}

/// The buses of the register files behind the one of the switch.
fn register_files(join: &mut Join, split: &Netlist, ports: usize) {
    join.part("register_split", split, "");
    let prefixes = ["switch_".to_string(), "rp_".to_string()].into_iter();
    let prefixes: Vec<String> = prefixes.chain((0..ports).map(|port| format!("cp_{port}_"))).collect();
    join.constant("present", (1 << prefixes.len()) - 1);
    for (place, prefix) in prefixes.iter().enumerate() {
        for name in ["awaddr", "araddr"] {
            join.same(&format!("{prefix}s_axi_{name}"), "file_address");
        }
        for name in ["awprot", "arprot"] {
            join.constant(&format!("{prefix}s_axi_{name}"), 0);
        }
        for name in ["wdata", "wstrb"] {
            join.same(&format!("{prefix}s_axi_{name}"), &format!("file_{name}"));
        }
        for name in ["awvalid", "wvalid", "arvalid"] {
            join.same(&format!("{prefix}s_axi_{name}"), &format!("file_{name}_{place}"));
        }
        for name in ["bready", "rready"] {
            join.same(&format!("{prefix}s_axi_{name}"), "file_answer_ready");
        }
        for name in ["awready", "wready", "bresp", "bvalid", "arready", "rdata", "rresp", "rvalid"] {
            join.same(&format!("file_{name}_{place}"), &format!("{prefix}s_axi_{name}"));
        }
    }
    for place in prefixes.len()..8 {
        for name in ["awready", "wready", "bresp", "bvalid", "arready", "rdata", "rresp", "rvalid"] {
            join.constant(&format!("file_{name}_{place}"), 0);
        }
    }
}
